/* SPDX-License-Identifier: MIT */
/*
 * forms.c - Lisps, by their outermost parentheses, and SQL, by statements.
 */
#include "lang/text.h"
#include "lang/words.h"

#include <string.h>

#define SQL_TABLE_BYTES 16384 /* of a table whose columns are told */

/* What ends a word of Lisp. */
static const char word_ends[] = " \t\r\n()[]{}\"';";

/*
 * Clojure's (ns name (:require a [b :as c])): how many of its brackets we are
 * in, in aux[AUX_KIND].
 */
enum ns_place {
	NS_NONE = 0,
	NS_FORM,   /* (ns ...) */
	NS_CLAUSE, /* (:require ...) and its like, which has names of modules */
	NS_SPEC    /* [b :as c], of which the name is still to come */
};

static void
ns_open(struct walk *walk, size_t at)
{
	static const char clauses[] = ":require :use :import :require-macros";
	uint32_t *place = &walk->scan->aux[AUX_KIND];
	uint32_t brackets = walk->scan->brackets;

	if (*place != NS_NONE && *place + 1 == brackets &&
	    brackets <= NS_SPEC &&
	    (brackets != NS_CLAUSE ||
	     lang_word(clauses, walk->text + at + 1,
		       words_until(walk, at + 1, word_ends), NULL)))
		*place = brackets;
}

void
words_lisp_between(struct walk *walk, size_t from, size_t to)
{
	uint32_t *place = &walk->scan->aux[AUX_KIND];
	size_t at = from;

	while (*place >= NS_CLAUSE && at < to) {
		size_t bytes = words_until(walk, at, word_ends);

		if (bytes > 0 &&
		    (*place == NS_SPEC || walk->scan->brackets == NS_CLAUSE)) {
			if (walk->text[at] != ':')
				walk_import(walk, at, bytes);
			*place = NS_CLAUSE;
		}
		at += bytes > 0 ? bytes : 1;
	}
	walk->at = at > to ? at : to;
}

/* Behind ^:private, ^String and the like; whether one says that it is private. */
static size_t
skip_metadata(const struct walk *walk, size_t at, bool *is_private)
{
	*is_private = false;
	while (walk_byte(walk, at) == '^') {
		size_t end = forms_end(walk, at + 1);

		if (end == 0)
			break;
		*is_private |= memmem(walk->text + at, end - at, ":private",
				      8) != NULL;
		at = walk_skip_space(walk, end);
	}
	return at;
}

/* Emacs Lisp: a--b is for the file alone. */
static bool
is_private_name(const struct walk *walk, size_t name, size_t end)
{
	return walk->scan->lang == LANG_EMACS_LISP &&
	       memmem(walk->text + name, end - name, "--", 2) != NULL;
}

/* def and what is named like it, s/def, defcustom: of constants, variables. */
static bool
is_definer(const struct walk *walk, size_t word, size_t bytes)
{
	const uint8_t *text = walk->text + word;
	const uint8_t *slash = memrchr(text, '/', bytes);
	size_t from = slash == NULL ? 0 : (size_t)(slash - text) + 1;

	return bytes - from >= 3 && memcmp(text + from, "def", 3) == 0 &&
	       !(bytes - from >= 7 && memcmp(text + from, "default", 7) == 0);
}

/* (def name value) at the top; (defvar name) of Emacs Lisp says that another
 * file defines it. */
static void
lisp_value(struct walk *walk, size_t at, size_t name, size_t end)
{
	struct def_start start = { 0 };
	size_t behind;

	if (walk->sink == NULL || walk->sink->member == NULL || end == name ||
	    is_private_name(walk, name, end) ||
	    (walk->scan->lang == LANG_EMACS_LISP &&
	     walk_byte(walk, end) == ')'))
		return;
	lines_place(walk, at, name, end - name, &start);
	start.body = end;
	behind = forms_end(walk, at);
	if (behind == 0)
		start.flags |= LANG_DEF_CUT;
	walk_member(walk, &start, max_u64(behind, end));
}

/* What a form at the top defines, whose bracket is at `at`. */
static void
lisp_form(struct walk *walk, size_t at)
{
	static const char kinds[] =
		"defn=f defn-=f defun=f define=f defmethod=f defmulti=f "
		"defsubst=f cl-defun=f defgeneric=f cl-defgeneric=f "
		"cl-defmethod=f define-minor-mode=f define-derived-mode=f "
		"defmacro=M define-syntax=M "
		"define-macro=M cl-defmacro=M deftype=c defrecord=c defclass=c "
		"defstruct=s cl-defstruct=s define-record-type=s struct=s "
		"defprotocol=i definterface=i deftest=T ert-deftest=T";
	struct def_start start = { 0 };
	size_t word = at + 1;
	size_t bytes = words_until(walk, word, word_ends);
	bool is_private;
	size_t name;
	size_t end;
	char letter = '\0';

	if (!lang_word(kinds, walk->text + word, bytes, &letter) &&
	    !is_definer(walk, word, bytes)) {
		walk->scan->has_lead = 0;
		return;
	}
	name = walk_skip_blanks(walk, word + bytes);
	name = skip_metadata(walk, name, &is_private);
	if (walk_byte(walk, name) == '(')
		name++;
	end = name + words_until(walk, name, word_ends);
	if (letter == '\0') {
		if (!is_private)
			lisp_value(walk, at, name, end);
		walk->scan->has_lead = 0;
		return;
	}
	lines_place(walk, at, name, end - name, &start);
	if (is_private || is_private_name(walk, name, end) ||
	    walk_word_is(walk, word, bytes, "defn-"))
		start.flags = 0;
	start.kind = walk_kind(letter);
	start.body = forms_signature_end(walk, word, name, end);
	if (walk_push(walk, FRAME_BODY, &start) && forms_has_arities(walk, end))
		walk_frame(walk)->brace = BRACE_ARITIES;
}

static size_t
lisp_open(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;

	if (scan->brackets++ > 0) {
		ns_open(walk, at);
		if (forms_is_method(walk, at))
			forms_method(walk, at);
		else if (forms_is_arity(walk, at))
			forms_arity(walk, at);
		return at + 1;
	}
	if (scan->lang == LANG_CLOJURE &&
	    walk_word_is(walk, at + 1, words_until(walk, at + 1, word_ends),
			 "ns"))
		scan->aux[AUX_KIND] = NS_FORM;
	lisp_form(walk, at);
	return at + 1;
}

/* Racket: #<<WORD, lines up to one that is WORD. */
static void
here_string(struct walk *walk, size_t at)
{
	struct lang_mode *mode = walk->scan->pending;
	size_t bytes = words_until(walk, at + 3, "\r\n");

	if (bytes == 0 || bytes > LANG_TERM_BYTES || mode->kind != MODE_CODE)
		return;
	*mode = (struct lang_mode){
		.kind = MODE_HEREDOC,
		.term_bytes = (uint8_t)bytes,
	};
	memcpy(mode->term, walk->text + at + 3, bytes);
}

/* What a # begins: #| a comment |#, #;(a datum that is none); Clojure and Emacs
 * Lisp have neither. */
static size_t
lisp_hash(struct walk *walk, size_t at)
{
	uint8_t next = walk_byte(walk, at + 1);

	if (walk->scan->lang == LANG_CLOJURE ||
	    walk->scan->lang == LANG_EMACS_LISP)
		return at + 1;
	if (next == '|')
		return lex_block_comment(walk, at, "|#");
	if (walk_has(walk, at, "#<<") && walk->scan->lang == LANG_RACKET)
		here_string(walk, at);
	return next == ';' ? at + 2 : at + 1;
}

size_t
words_lisp_event(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	uint8_t c = walk->text[at];

	if (c == '#')
		return lisp_hash(walk, at);
	if (c == '(' || c == '[' || c == '{')
		return lisp_open(walk, at);
	if (scan->brackets > 0 && --scan->brackets == 0 && scan->depth > 0)
		walk_pop(walk, at + 1);
	if (scan->aux[AUX_KIND] > scan->brackets)
		scan->aux[AUX_KIND] = scan->brackets;
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

/* All of a type, a domain, an index, if it is short. */
static size_t
sql_statement_end(const struct walk *walk, size_t at)
{
	size_t stop = min_size(walk->bytes, at + 512);
	size_t end = at;

	while (end < stop && walk->text[end] != ';')
		end = walk->text[end] == '\''
			      ? lang_skip_text(walk->text, end, stop)
			      : end + 1;
	return end < stop ? end : at;
}

/* Reports the columns of a table, and what else is between its brackets, which
 * may begin at `at`. */
static void
sql_columns(struct walk *walk, size_t at)
{
	size_t stop = min_size(walk->bytes, at + SQL_TABLE_BYTES);
	uint32_t nest = 0;
	size_t from = 0; /* of the column that has begun */
	size_t end = 0;

	if (walk->sink == NULL || walk->sink->member == NULL ||
	    walk_byte(walk, at = walk_skip_space(walk, at)) != '(')
		return;
	while (at < stop && walk->text[at] != ';') {
		uint8_t c = walk->text[at];
		size_t next = at + 1;

		if (walk_has(walk, at, "--")) {
			at += words_until(walk, at, "\n");
			continue;
		}
		if (is_one_of("'\"`", c))
			next = lang_skip_text(walk->text, at, stop);
		nest -= c == ')';
		if (from != 0 && (nest == 0 || (nest == 1 && c == ','))) {
			words_member(walk, from, 0,
				     end + (walk_byte(walk, end) == ','));
			from = 0;
		} else if (nest > 0 && c > ' ') {
			from = from == 0 ? at : from;
			end = next;
		}
		nest += c == '(';
		if (nest == 0)
			break;
		at = next;
	}
}

/* DELIMITER $$: what ends statements from here on. Returns the line's end. */
static size_t
sql_delimiter(struct walk *walk, size_t at)
{
	uint32_t *delimiter = &walk->scan->aux[AUX_DELIMITER];
	size_t from = walk_skip_blanks(walk, at);
	size_t end = from + words_until(walk, from, " \t\r\n");

	*delimiter = 0;
	if (end - from <= sizeof(*delimiter) &&
	    !walk_word_is(walk, from, end - from, ";"))
		memcpy(delimiter, walk->text + from, end - from);
	return end;
}

/* Bytes of what ends a statement, if it stands there; 0. */
static size_t
sql_end_bytes(const struct walk *walk, size_t at)
{
	char delimiter[sizeof(uint32_t) + 1] = ";";

	if (walk->scan->aux[AUX_DELIMITER] != 0)
		memcpy(delimiter, &walk->scan->aux[AUX_DELIMITER],
		       sizeof(uint32_t));
	return walk_has(walk, at, delimiter) ? strlen(delimiter) : 0;
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
		if (words_in(walk, at, bytes, "delimiter"))
			return sql_delimiter(walk, at + bytes);
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
			if (words_in(walk, at, bytes, "type domain index"))
				start.body = sql_statement_end(walk, end);
			walk_push(walk, FRAME_BODY, &start);
			if (words_in(walk, at, bytes, "table"))
				sql_columns(walk, end);
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
	bool has_delimiter = scan->aux[AUX_DELIMITER] != 0;
	size_t ends = sql_end_bytes(walk, at);
	uint8_t c = walk->text[at];
	size_t end = at + 1;

	if (c == '$' && ends == 0) {
		/* $tag$ ... $tag$ */
		while (is_word_byte(walk_byte(walk, end)))
			end++;
		if (walk_byte(walk, end) == '$' &&
		    end + 1 - at <= LANG_TERM_BYTES)
			return lex_term(walk, end + 1, walk->text + at,
					end + 1 - at);
		return at + 1;
	}
	if (ends == 0) {
		if (c == '(')
			scan->brackets++;
		else if (c == ')' && scan->brackets > 0)
			scan->brackets--;
		return at + 1;
	}
	if (scan->aux[AUX_NEST] > 0 && !has_delimiter)
		return at + 1;
	scan->brackets = 0;
	if (scan->depth > 0)
		walk_pop(walk, at + ends);
	scan->aux[AUX_BEFORE] = BEFORE_START;
	scan->aux[AUX_KIND] = 0;
	scan->aux[AUX_NEST] = 0;
	return at + ends;
}
