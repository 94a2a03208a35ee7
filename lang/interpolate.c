/* SPDX-License-Identifier: MIT */
/*
 * interpolate.c - code within strings: where it begins and ends.
 *
 * Does: counts the brackets of what is interpolated, but those in its strings.
 */
#include "lang/walk.h"

bool
lex_interpolates(const struct walk *walk, uint8_t before, uint8_t second,
		 bool is_usual)
{
	switch (walk->scan->lang) {
	case LANG_CSHARP:
		return before == '$' || (before == '@' && second == '$');
	case LANG_PYTHON:
		/* f"", rf"", fr"", and t"" likewise */
		return is_one_of("FTft", before) ||
		       (is_one_of("Rr", before) && is_one_of("FTft", second));
	case LANG_DART:
		return is_usual && !(before == 'r' && !is_word_byte(second));
	case LANG_JULIA:
		/* of r"" and others a macro makes what it likes */
		return is_usual && !is_word_byte(before);
	default:
		return is_usual;
	}
}

bool
lex_opens_interpolation(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;
	uint8_t c = walk->text[at];
	uint8_t next = walk_byte(walk, at + 1);
	uint16_t flags = walk->events->quotes[mode->quote & 127];

	if ((c == '$' && (flags & QUOTE_DOLLAR)) ||
	    (c == '#' && (flags & QUOTE_HASH))) {
		mode->nest = next == '(';
		return next == '{' || (next == '(' && c == '$');
	}
	if (c == '{' && (flags & QUOTE_BRACE)) {
		mode->nest = 0;
		return walk->scan->lang == LANG_PHP ? next == '$' : next != '{';
	}
	mode->nest = 1;
	return c == '\\' && (flags & QUOTE_BACKSLASH) && next == '(';
}

/* No string of JavaScript but a template goes over lines. */
static bool
ends_with_line(const struct walk *walk, uint8_t c)
{
	return c == '\n' && (walk->lang->traits & TRAIT_REGEX) &&
	       walk->scan->mode.begun != '`';
}

/*
 * Whether a bracket in what looks like a string counts. Quotes need not come in
 * pairs, as in a regular expression: so outside of the shell, and where those
 * are not known, only a bracket alone between two is none.
 */
static bool
counts_in_string(const struct walk *walk, size_t at)
{
	uint8_t begun = walk->scan->mode.begun;

	if (walk->lang->family == FAMILY_SHELL ||
	    (walk->lang->traits & TRAIT_REGEX))
		return false;
	return at == 0 || walk->text[at - 1] != begun ||
	       walk_byte(walk, at + 1) != begun;
}

/*
 * Whether a byte of what is interpolated is code there, mode->begun says which
 * string it is in, if any.
 */
static bool
is_interpolated_code(const struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;
	bool is_shell = walk->lang->family == FAMILY_SHELL;
	uint8_t c = walk->text[at];
	uint8_t before = at > 0 ? walk->text[at - 1] : 0;

	if (c == mode->begun || ends_with_line(walk, c)) {
		mode->begun = 0;
		return false;
	}
	if (mode->begun != 0)
		return counts_in_string(walk, at);
	if (c == '"' || (c == '\'' && !(is_shell && mode->nest == 0)) ||
	    (c == '`' && c == mode->quote))
		mode->begun = c;
	else if (is_shell && c == '#' && mode->nest &&
		 (is_blank_byte(before) || before == '\n'))
		mode->begun = '\n';
	return true;
}

/* JavaScript: a comment in the code begins or goes on at `at`: mode->begun is
 * its last byte but a slash. Returns where to go on; 0: there is none. */
static size_t
skip_comment(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;
	uint8_t c = walk->text[at];
	uint8_t next = walk_byte(walk, at + 1);

	if (mode->begun == '*') {
		if (c != '*' || next != '/')
			return at + 1;
		mode->begun = 0;
		return at + 2;
	}
	if (mode->begun == '\n')
		return c == '\n' ? 0 : at + 1;
	if (mode->begun != 0 || c != '/' || (next != '/' && next != '*'))
		return 0;
	mode->begun = next == '/' ? '\n' : '*';
	return at + 2;
}

size_t
lex_interpolated(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;
	uint8_t c = walk->text[at];
	size_t comment =
		walk->lang->traits & TRAIT_REGEX ? skip_comment(walk, at) : 0;

	if (comment != 0)
		return comment;
	if (c == '\\' && (walk->lang->family == FAMILY_SHELL
				  ? mode->begun != '\'' && mode->begun != '\n'
				  : mode->begun != 0))
		return at + 2;
	if (!is_interpolated_code(walk, at))
		return at + 1;
	if (c == '/' && mode->begun == 0 &&
	    !is_one_of("/*", walk_byte(walk, at + 1)))
		return lex_regex(walk, at);
	if (c == (mode->nest ? '(' : '{') && mode->depth < UINT8_MAX)
		mode->depth++;
	else if (c == (mode->nest ? ')' : '}'))
		mode->depth--;
	return at + 1;
}
