/* SPDX-License-Identifier: MIT */
/*
 * forms.c - Lisps, by their outermost parentheses, and SQL, by statements.
 */
#include "lang/words.h"

#include <string.h>

static size_t
lisp_open(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	static const char kinds[] =
		"defn=f defn-=f defun=f define=f defmethod=f defmulti=f "
		"defsubst=f cl-defun=f defgeneric=f defmacro=M define-syntax=M "
		"define-macro=M cl-defmacro=M deftype=c defrecord=c defclass=c "
		"defstruct=s cl-defstruct=s define-record-type=s "
		"defprotocol=i definterface=i deftest=T ert-deftest=T";
	static const char stop[] = " \t\r\n()[]{}\"';";
	struct def_start start = { 0 };
	size_t word = at + 1;
	size_t end = word;
	size_t name;
	char letter;

	if (scan->brackets++ > 0)
		return at + 1;
	while (end < walk->bytes && strchr(stop, walk->text[end]) == NULL)
		end++;
	if (!lang_word(kinds, walk->text + word, end - word, &letter)) {
		scan->has_lead = 0;
		return at + 1;
	}
	name = walk_skip_blanks(walk, end);
	/* ^:private and the like */
	while (walk_byte(walk, name) == '^') {
		while (name < walk->bytes && walk->text[name] != ' ' &&
		       walk->text[name] != '\n')
			name++;
		name = walk_skip_blanks(walk, name);
	}
	if (walk_byte(walk, name) == '(')
		name++;
	end = name;
	while (end < walk->bytes && strchr(stop, walk->text[end]) == NULL)
		end++;
	lines_place(walk, at, name, end - name, &start);
	start.kind = walk_kind(letter);
	start.body = end;
	walk_push(walk, FRAME_BODY, &start);
	return at + 1;
}

size_t
words_lisp_event(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	uint8_t c = walk->text[at];

	if (c == '(' || c == '[' || c == '{')
		return lisp_open(walk, at);
	if (scan->brackets > 0 && --scan->brackets == 0 && scan->depth > 0)
		walk_pop(walk, at + 1);
	return at + 1;
}

/* a.b, "a b".c, [a b] */
static size_t
skip_sql_name(const struct walk *walk, size_t at)
{
	while (at < walk->bytes && walk->text[at] != '\n' &&
	       strchr(" \t\r(;", walk->text[at]) == NULL) {
		uint8_t c = walk->text[at++];
		size_t bytes = 0;

		if (c == '"' || c == '`')
			bytes = words_until(walk, at,
					    c == '"' ? "\"\n" : "`\n");
		else if (c == '[')
			bytes = words_until(walk, at, "]\n");
		/* a quote that is not closed is a character like any other */
		if (bytes > 0 && at + bytes < walk->bytes &&
		    walk->text[at + bytes] != '\n')
			at += bytes + 1;
	}
	return at;
}

/* What a function takes and gives belongs to its signature: up to the word before
 * its body, or to where the statement ends. */
static size_t
sql_body(const struct walk *walk, size_t at)
{
	size_t stop = min_size(walk->bytes, at + 2048);
	size_t end = at;
	uint32_t nest = 0;

	while (at < stop && walk->text[at] != ';' && walk->text[at] != '$') {
		size_t bytes = lines_word(walk, at);

		if (nest == 0 && words_in(walk, at, bytes, "as begin language"))
			break;
		nest += walk->text[at] == '(';
		nest -= walk->text[at] == ')' && nest > 0;
		at += bytes > 0 ? bytes : 1;
		if (bytes > 0 || walk->text[at - 1] == ')')
			end = at;
	}
	return end;
}

size_t
words_sql_word(struct walk *walk, size_t at, size_t bytes)
{
	struct lang_scan *scan = walk->scan;
	uint32_t *before = &scan->aux[AUX_BEFORE];
	size_t name;
	size_t end;
	char letter;

	if (*before == BEFORE_START) {
		scan->stmt_off = walk->off + at;
		scan->aux[AUX_KIND] = words_in(walk, at, bytes, "create");
		*before = BEFORE_OPERAND;
		return at + bytes;
	}
	if (scan->aux[AUX_KIND] == 1 &&
	    lang_word_any_case(walk->lang->definers, walk->text + at, bytes,
			       &letter)) {
		size_t def = walk_index(walk, scan->stmt_off);

		name = walk_skip_blanks(walk, at + bytes);
		while (words_in(walk, name, lines_word(walk, name),
				"if not exists concurrently only"))
			name = walk_skip_blanks(walk,
						name + lines_word(walk, name));
		end = skip_sql_name(walk, name);
		if (end > name) {
			struct def_start start = { .kind = walk_kind(letter) };

			lines_place(walk, def, name, end - name, &start);
			start.body = letter == 'f' ? sql_body(walk, end) : end;
			walk_push(walk, FRAME_BODY, &start);
		}
		scan->aux[AUX_KIND] = 0;
		scan->aux[AUX_NEST] = 0;
		scan->aux[AUX_EXTRA] = letter == 'f';
		return end > at + bytes ? end : at + bytes;
	}
	if (scan->aux[AUX_EXTRA] != 0 && scan->depth > 0) {
		if (words_in(walk, at, bytes, "begin case"))
			scan->aux[AUX_NEST]++;
		else if (words_in(walk, at, bytes, "end") &&
			 scan->aux[AUX_NEST] > 0) {
			size_t next = walk_skip_blanks(walk, at + bytes);

			if (!words_in(walk, next, lines_word(walk, next),
				      "if loop while repeat for"))
				scan->aux[AUX_NEST]--;
		}
	}
	return at + bytes;
}

size_t
words_sql_event(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	uint8_t c = walk->text[at];
	size_t end = at + 1;

	if (c == '$') {
		/* $tag$ ... $tag$ */
		while (is_word_byte(walk_byte(walk, end)))
			end++;
		if (walk_byte(walk, end) == '$' &&
		    end + 1 - at <= LANG_TERM_BYTES)
			return lex_term(walk, end + 1, walk->text + at,
					end + 1 - at);
		return at + 1;
	}
	if (c != ';') {
		if (c == '(')
			scan->brackets++;
		else if (c == ')' && scan->brackets > 0)
			scan->brackets--;
		return at + 1;
	}
	if (scan->aux[AUX_NEST] > 0)
		return at + 1;
	scan->brackets = 0;
	if (scan->depth > 0)
		walk_pop(walk, at + 1);
	scan->aux[AUX_BEFORE] = BEFORE_START;
	scan->aux[AUX_KIND] = 0;
	return at + 1;
}
