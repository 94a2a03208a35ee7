/* SPDX-License-Identifier: MIT */
/*
 * chunk_ruby.c - Ruby and Crystal, as far as words and quotes go.
 */
#include "stages/chunk/chunk_words.h"

#include <string.h>

/* Behind a method's name: self.name, name=, name?, operators. */
static size_t
ruby_name(const struct walk *walk, size_t at, size_t *name)
{
	size_t end = at;

	*name = at;
	while (is_word_byte(walk_byte(walk, end)) ||
	       walk_byte(walk, end) == ':' ||
	       (walk_byte(walk, end) == '.' &&
		is_word_byte(walk_byte(walk, end + 1)))) {
		if (walk_byte(walk, end) == '.')
			*name = end + 1;
		end++;
	}
	if (end == at) {
		while (strchr("+-*/<>=!~%&|^[]`", walk_byte(walk, end)) !=
			       NULL &&
		       walk_byte(walk, end) != 0)
			end++;
		return end;
	}
	if (walk_byte(walk, end) == '?' || walk_byte(walk, end) == '!' ||
	    (walk_byte(walk, end) == '=' && walk_byte(walk, end + 1) != ' ' &&
	     walk_byte(walk, end + 1) != '='))
		end++;
	return end;
}

/* def name(args) = value: has no end. */
static bool
is_endless(const struct walk *walk, size_t at)
{
	uint32_t nest = 0;

	at = words_behind(walk, at);
	if (walk_byte(walk, at) == '(') {
		for (; at < walk->bytes && walk->text[at] != '\n'; at++) {
			if (walk->text[at] == '(')
				nest++;
			else if (walk->text[at] == ')' && --nest == 0)
				break;
		}
		at = words_behind(walk, at + 1);
	}
	return walk_byte(walk, at) == '=' && walk_byte(walk, at + 1) != '=' &&
	       walk_byte(walk, at + 1) != '~';
}

static size_t
ruby_definer(struct walk *walk, size_t at, size_t bytes, char letter)
{
	size_t name = words_behind(walk, at + bytes);
	size_t end;

	if (letter != 'f' && walk_byte(walk, name) == '<') {
		/* class << self */
		words_block(walk);
		return name + 2;
	}
	end = ruby_name(walk, name, &name);
	if (letter == 'f' && is_endless(walk, end)) {
		struct def_start start = { .kind = CHUNK_KIND_FUNCTION };
		const uint8_t *newline =
			memchr(walk->text + end, '\n', walk->bytes - end);
		size_t stop = newline == NULL ? walk->bytes
					      : (size_t)(newline - walk->text);

		lines_place(walk, at, name, end - name, &start);
		start.body = stop;
		walk_single(walk, &start, stop);
	} else {
		words_def(walk, at, name, end - name, walk_kind(letter));
		/* private def name */
		if (letter == 'f' && walk->scan->depth > 0 &&
		    words_in(walk, words_first(walk, at),
			     lines_word(walk, words_first(walk, at)),
			     "private protected private_class_method"))
			walk_frame(walk)->flags = 0;
	}
	walk->scan->aux[AUX_BEFORE] = BEFORE_OPERAND;
	return end;
}

/* require "a", require("a"), autoload :B, "a" */
static void
import(struct walk *walk, size_t at, size_t bytes, size_t end)
{
	size_t name = words_behind(walk, end);
	uint8_t quote;

	if (walk_byte(walk, name) == '(')
		name = words_behind(walk, name + 1);
	if (words_is(walk, at, bytes, "autoload")) {
		/* no farther than the name: a line may have many of them */
		name += walk_byte(walk, name) == ':';
		name = words_behind(walk, walk_word_end(walk, name));
		if (walk_byte(walk, name) != ',')
			return;
		name = words_behind(walk, name + 1);
	}
	quote = walk_byte(walk, name);
	if (quote == '"' || quote == '\'')
		walk_import(walk, name + 1,
			    words_until(walk, name + 1, "\"'\n"));
}

/* NAME = value, outside of classes. */
static bool
is_constant(const struct walk *walk, size_t at, size_t end)
{
	size_t sign = words_behind(walk, end);
	uint8_t next = walk_byte(walk, sign + 1);

	return walk->text[at] >= 'A' && walk->text[at] <= 'Z' &&
	       walk_byte(walk, sign) == '=' && next != '=' && next != '~' &&
	       next != '>' && walk->scan->brackets == 0 && walk_is_outer(walk);
}

size_t
words_ruby_word(struct walk *walk, size_t at, size_t bytes)
{
	uint32_t *before = &walk->scan->aux[AUX_BEFORE];
	uint8_t next = walk_byte(walk, at + bytes);
	uint8_t prev = at > 0 ? walk->text[at - 1] : '\n';
	size_t end = at + bytes;
	/* a method's name may end so; x != y does not */
	bool suffix =
		(next == '?' || next == '!') && walk_byte(walk, end + 1) != '=';
	char letter;

	if (*before == BEFORE_START && is_constant(walk, at, end))
		walk_export(walk, CHUNK_EXPORT_NAMES, 1);
	if (*before == BEFORE_DOT || prev == '@' || prev == '$' ||
	    (prev == ':' && !(at > 1 && walk->text[at - 2] == ':')) ||
	    (next == ':' && walk_byte(walk, end + 1) != ':')) {
		*before = BEFORE_OPERAND;
		return end + suffix;
	}
	if (suffix) {
		*before = BEFORE_OPERAND;
		return end + 1;
	}
	if (words_is(walk, at, bytes, "end")) {
		lines_close(walk, end);
		*before = BEFORE_OPERAND;
	} else if (words_is(walk, at, bytes, "do")) {
		if (!walk->scan->aux[AUX_LOOP])
			words_block(walk);
		walk->scan->aux[AUX_LOOP] = 0;
		*before = BEFORE_START;
	} else if (words_is(walk, at, bytes, "def") ||
		   (*before != BEFORE_OPERAND && bytes > 2 &&
		    chunk_lang_word(walk->lang->definers, walk->text + at,
				    bytes, &letter))) {
		letter = words_is(walk, at, bytes, "def") ? 'f' : letter;
		end = ruby_definer(walk, at, bytes, letter);
	} else if (*before != BEFORE_OPERAND &&
		   words_in(walk, at, bytes,
			    "if unless while until case for begin")) {
		words_block(walk);
		walk->scan->aux[AUX_LOOP] =
			words_in(walk, at, bytes, "while until for");
		*before = BEFORE_START;
	} else if (
		words_in(walk, at, bytes,
			 "then else and or not rescue ensure when elsif in")) {
		*before = BEFORE_START;
	} else if (*before == BEFORE_START &&
		   words_in(walk, at, bytes, "private protected public") &&
		   strchr("\r\n;#", walk_byte(walk, words_behind(walk, end))) !=
			   NULL) {
		/* alone on its line: for all that follows in the class */
		if (walk_frame(walk) != NULL)
			walk_frame(walk)->shut =
				!words_is(walk, at, bytes, "public");
		*before = BEFORE_OPERAND;
	} else if (words_is(walk, at, bytes, "__END__") && prev == '\n') {
		end = lex_term(walk, end, (const uint8_t *)"\xff\xfe\xff", 3);
	} else {
		*before = BEFORE_OPERAND;
		if (words_in(walk, at, bytes,
			     "require require_relative load autoload"))
			import(walk, at, bytes, end);
	}
	return end;
}

/* Whether an operand is expected: / and % are no operators then. */
static bool
expects_operand(const struct walk *walk, size_t at)
{
	uint8_t prev = at > 0 ? walk->text[at - 1] : '\n';
	uint8_t next = walk_byte(walk, at + 1);

	if (walk->scan->aux[AUX_BEFORE] != BEFORE_OPERAND)
		return true;
	/* puts /x/, but not a / b */
	return is_blank_byte(prev) && !is_blank_byte(next) && next != '=' &&
	       at > 1 && is_word_byte(walk->text[at - 2]);
}

static bool
closes_on_line(const struct walk *walk, size_t at)
{
	/* one that is spread over lines begins with a newline */
	if (walk_byte(walk, at + 1) == '\n')
		return walk->scan->aux[AUX_BEFORE] != BEFORE_OPERAND;
	for (at++; at < walk->bytes && walk->text[at] != '\n'; at++) {
		if (walk->text[at] == '/')
			return true;
		at += walk->text[at] == '\\';
	}
	return false;
}

size_t
words_ruby_event(struct walk *walk, size_t at)
{
	uint8_t c = walk->text[at];
	uint8_t next = walk_byte(walk, at + 1);
	uint32_t *before = &walk->scan->aux[AUX_BEFORE];

	if (c == '/' && expects_operand(walk, at) && closes_on_line(walk, at))
		return words_delimited(walk, at);
	if (c == '%' && expects_operand(walk, at)) {
		size_t i = at + 1;

		if (strchr("wWqQrixsI", next) != NULL && next != 0)
			i++;
		if (strchr("([{<|!/^-", walk_byte(walk, i)) != NULL &&
		    walk_byte(walk, i) != 0)
			return words_delimited(walk, i);
	}
	if (c == '<' && next == '<' && *before != BEFORE_DOT)
		return words_heredoc(walk, at);
	if (c == '=' && (at == 0 || walk->text[at - 1] == '\n') &&
	    walk->bytes - at > 6 && memcmp(walk->text + at, "=begin", 6) == 0)
		return lex_block_comment(walk, at, "\n=end");
	if (c == '?' && *before != BEFORE_OPERAND &&
	    !is_word_byte(walk_byte(walk, at + 2)) && next > ' ') {
		*before = BEFORE_OPERAND;
		return at + 2;
	}
	*before = BEFORE_OPERATOR;
	return at + 1;
}
