/* SPDX-License-Identifier: MIT */
/*
 * shell.c - the shell: functions, and braces that are words.
 */
#include "lang/words.h"

#include <string.h>

bool
words_is_shell_byte(uint8_t c)
{
	return c != 0 && c != '\n' && !is_blank_byte(c) &&
	       strchr("(){};&|<>\"'$`\\", c) == NULL;
}

/* A function's signature at a word: its name, and where the brace stands. */
static size_t
shell_function(struct walk *walk, size_t at, size_t bytes)
{
	size_t name = at;
	size_t end = at + bytes;
	size_t i = walk_skip_blanks(walk, end);
	bool by_word = walk_word_is(walk, at, bytes, "function");
	struct def_start start = { .kind = LANG_KIND_FUNCTION };

	if (by_word) {
		name = i;
		while (words_is_shell_byte(walk_byte(walk, i)))
			i++;
		end = i;
		i = walk_skip_blanks(walk, i);
	}
	if (walk_byte(walk, i) == '(') {
		i = walk_skip_blanks(walk, i + 1);
		if (walk_byte(walk, i) != ')')
			return SIZE_MAX;
		i++;
	} else if (!by_word) {
		return SIZE_MAX;
	}
	i = walk_skip_space(walk, i);
	if (walk_byte(walk, i) == '#') {
		/* a comment between the signature and the brace */
		while (i < walk->bytes && walk->text[i] != '\n')
			i++;
		i = walk_skip_space(walk, i);
	}
	if (end == name ||
	    (walk_byte(walk, i) != '{' && walk_byte(walk, i) != '('))
		return SIZE_MAX;
	lines_place(walk, at, name, end - name, &start);
	start.body = i;
	if (walk_push(walk, FRAME_CLASS, &start)) {
		walk_frame(walk)->brace = walk->text[i] == '{' ? '}' : ')';
		walk_frame(walk)->indent = walk->scan->brackets;
	}
	if (walk->text[i] == '(')
		walk->scan->brackets++;
	walk->scan->aux[AUX_BEFORE] = BEFORE_START;
	return i + 1;
}

/* $(command) and `command`. */
static bool
is_command(const struct walk *walk, size_t at)
{
	return walk->text[at] == '`' ||
	       (walk->text[at] == '$' && walk_byte(walk, at + 1) == '(');
}

/* Behind the value of a variable: where a blank or a sign ends it; 0: it is found
 * out by a command. */
static size_t
value_end(const struct walk *walk, size_t at)
{
	size_t stop = min_size(walk->bytes, at + LANG_LOOK_BYTES);
	uint8_t quote = 0;
	uint32_t nest = 0;

	for (; at < stop; at++) {
		uint8_t c = walk->text[at];

		if (quote != '\'' && is_command(walk, at))
			return 0;
		if (c == '\\' && quote != '\'') {
			at++;
		} else if (quote != 0) {
			quote = c == quote ? 0 : quote;
		} else if (is_one_of("\"'", c)) {
			quote = c;
		} else if (nest == 0 && is_one_of(" \t\r\n;&|)", c)) {
			break;
		} else {
			nest += is_one_of("({", c);
			nest -= nest > 0 && is_one_of(")}", c);
		}
	}
	return min_size(at, stop);
}

/* A=b of a script, in capitals or behind a word that says so, and not what a
 * command is given: A=b c. */
static void
shell_variable(struct walk *walk, size_t at)
{
	bool is_said = words_in(walk, at, lines_word(walk, at),
				"export readonly declare typeset");
	size_t name = at;
	size_t value;
	size_t end;

	if (walk->sink == NULL || walk->sink->member == NULL ||
	    walk->scan->depth > 0 || walk->scan->brackets > 0 ||
	    walk_line_start(walk, at) != at)
		return;
	if (is_said)
		name = walk_skip_blanks(walk, at + lines_word(walk, at));
	while (is_said && walk_byte(walk, name) == '-')
		name = walk_skip_blanks(
			walk, name + words_until(walk, name, " \t\n"));
	value = walk_word_end(walk, name);
	if (value == name || walk_byte(walk, value) != '=')
		return;
	for (size_t i = name; i < value && !is_said; i++)
		if (walk->text[i] >= 'a')
			return;
	end = value_end(walk, ++value);
	if (end == 0 ||
	    !is_one_of("\n;#", walk_byte(walk, walk_skip_blanks(walk, end))))
		return;
	words_member(walk, at, value, end);
}

size_t
words_shell_word(struct walk *walk, size_t at, size_t bytes)
{
	uint32_t *before = &walk->scan->aux[AUX_BEFORE];
	size_t end = at + bytes;
	size_t next;

	while (words_is_shell_byte(walk_byte(walk, end)))
		end++;
	if (*before != BEFORE_START)
		return end;
	shell_variable(walk, at);
	next = shell_function(walk, at, end - at);
	if (next != SIZE_MAX)
		return next;
	*before = words_in(walk, at, end - at,
			   "then do else elif if while until ! time")
			  ? BEFORE_START
			  : BEFORE_OPERAND;
	if (words_in(walk, at, end - at, "source ."))
		walk_import(walk, walk_skip_blanks(walk, end),
			    words_until(walk, walk_skip_blanks(walk, end),
					" \t\r\n;"));
	return end;
}

static size_t
shell_brace(struct walk *walk, size_t at)
{
	uint32_t *before = &walk->scan->aux[AUX_BEFORE];
	uint8_t c = walk->text[at];
	uint8_t next = walk_byte(walk, at + 1);
	struct lang_frame *frame = walk_frame(walk);

	if (c == '(' || c == ')') {
		if (c == '(')
			walk->scan->brackets++;
		else if (walk->scan->brackets > 0)
			walk->scan->brackets--;
		if (c == ')' && frame != NULL && frame->brace == ')' &&
		    frame->indent == walk->scan->brackets)
			walk_pop(walk, at + 1);
		*before = BEFORE_START;
	} else if (c == '{' && *before == BEFORE_START &&
		   (is_blank_byte(next) || next == '\n')) {
		walk_push(walk, FRAME_BODY, NULL);
		walk_frame(walk)->brace = '}';
	} else if (c == '}' && *before == BEFORE_START) {
		if (frame == NULL || frame->brace != ')')
			walk_pop(walk, at + 1);
		*before = BEFORE_OPERAND;
	} else {
		*before = BEFORE_OPERAND;
	}
	return at + 1;
}

/* Whether an arithmetic (( stands before on this line. */
static bool
in_arithmetic(struct walk *walk, size_t at)
{
	size_t from = walk_line_start(walk, at);

	if (at - from > 256)
		from = at - 256;

	return memmem(walk->text + from, at - from, "((", 2) != NULL;
}

size_t
words_shell_event(struct walk *walk, size_t at)
{
	uint8_t c = walk->text[at];
	uint8_t next = walk_byte(walk, at + 1);

	if (c == '<') {
		walk->scan->aux[AUX_BEFORE] = BEFORE_OPERAND;
		return in_arithmetic(walk, at) ? at + 1
					       : words_heredoc(walk, at);
	}
	if (c == '$') {
		if (walk->scan->aux[AUX_BEFORE] == BEFORE_START)
			walk->scan->aux[AUX_BEFORE] = BEFORE_OPERAND;
		if (next == '{')
			return lex_paired(walk, at + 2, '{', '}');
		/* $( begins a statement, $' a string; $# is neither that nor
		 * a comment */
		return is_one_of("('\"", next) ? at + 1 : at + 2;
	}
	return shell_brace(walk, at);
}
