/* SPDX-License-Identifier: MIT */
/*
 * perl.c - Perl's quotes that begin with a word, its regular expressions without
 *          one, and its prototypes.
 *
 * Does: passes over q{a}, qw(a b), s/a/b/, tr{a}{b}, over /a/ where an operand is
 *       expected, and over what stands in brackets behind the name of a sub.
 */
#include "lang/walk.h"

/* The word before `end`, blanks between; its bytes, 8 at most. */
static size_t
word_before(const struct walk *walk, size_t end, size_t *bytes)
{
	size_t from;

	end = walk_trim_blanks(walk, 0, end);
	from = walk_word_start(walk, end, 9);
	*bytes = end - from;
	return from;
}

/* Whether a word before the byte c is a name: of a variable, a method, a sub; or
 * is in a regular expression: \s(a), (m|s). */
static bool
is_name(const struct walk *walk, size_t at, uint8_t c)
{
	size_t bytes;
	size_t from;

	if (at == 0)
		return false;
	if (is_one_of("$@%&*>-:\\", walk->text[at - 1]) ||
	    (c == '|' && is_one_of("(|[?", walk->text[at - 1])))
		return true;
	from = word_before(walk, at, &bytes);
	return walk_word_is(walk, from, bytes, "sub");
}

/* The second part of s{a}{b}, whose first one ends at `at`. */
static size_t
second_part(struct walk *walk, size_t at)
{
	size_t next = walk_skip_space(walk, at);
	uint8_t c = walk_byte(walk, next);

	if (walk->scan->mode.kind != MODE_CODE || next >= walk->end)
		return at;
	return lex_paired(walk, next + 1, c, lex_closing(c));
}

size_t
perl_quote(struct walk *walk, size_t at)
{
	uint8_t c = walk->text[at];
	bool is_bracket = lex_closing(c) != c;
	size_t bytes;
	size_t word = word_before(walk, at, &bytes);
	bool is_double;

	if (bytes == 0 || bytes > 2 || is_name(walk, word, c) ||
	    (word + bytes < at && !is_one_of("({[", c)) ||
	    !lang_word("q qq qw qr qx m s tr y", walk->text + word, bytes,
		       NULL))
		return 0;
	is_double = lang_word("s tr y", walk->text + word, bytes, NULL);
	at = lex_paired(walk, at + 1, c, lex_closing(c));
	if (is_double && is_bracket)
		return second_part(walk, at);
	/* it ends where the next part begins */
	if (is_double && walk->scan->mode.kind == MODE_CODE)
		return lex_paired(walk, at, c, c);
	if (is_double)
		walk->scan->mode.nest++;
	return at;
}

/* Whether an operand is expected at the slash, which divides otherwise: by what
 * stands before it. */
static bool
expects_operand(const struct walk *walk, size_t at)
{
	static const char before[] =
		"split grep map join push unshift return and or not xor if "
		"elsif unless while until when x lt gt le ge eq ne cmp";
	size_t end = walk_skip_space_back(walk, at);
	size_t bytes;
	size_t word;
	uint8_t c;

	if (end == 0)
		return true;
	c = walk->text[end - 1];
	word = word_before(walk, end - 1, &bytes);
	/* m,/, */
	if (c == ',' &&
	    lang_word("q qq qw qr m s tr y", walk->text + word, bytes, NULL))
		return false;
	if (!is_word_byte(c))
		return is_one_of("(,=~!&|?:;{+-.^", c) ||
		       (c == '>' && end > 1 && walk->text[end - 2] == '=');
	word = word_before(walk, end, &bytes);
	return lang_word(before, walk->text + word, bytes, NULL) &&
	       !(word > 0 && is_one_of("$@%&>:", walk->text[word - 1]));
}

size_t
perl_regex(struct walk *walk, size_t at)
{
	size_t i = walk_skip_blanks(walk, at + 1);

	if (at < walk->no_regex || !expects_operand(walk, at))
		return 0;
	/* one that is spread over lines begins with a newline */
	if (walk_byte(walk, i) == '\n')
		return lex_paired(walk, at + 1, '/', '/');
	for (i = at + 1; i < walk->bytes && walk->text[i] != '\n'; i++) {
		if (walk->text[i] == '/') {
			lex_code(walk, at);
			lex_no_code(walk, i + 1);
			return i + 1;
		}
		i += walk->text[i] == '\\';
	}
	/* nor does another one end on the line */
	walk->no_regex = i;
	return 0;
}

size_t
perl_prototype(const struct walk *walk, size_t at)
{
	size_t stop = min_size(walk->bytes, at + LANG_LOOK_BYTES);
	uint32_t nest = 0;
	size_t bytes;
	size_t word = word_before(walk, at, &bytes);

	if (!walk_word_is(walk, word, bytes, "sub")) {
		/* a name may be longer */
		while (word > 0 && at - word < 64 &&
		       (is_word_byte(walk->text[word - 1]) ||
			walk->text[word - 1] == ':'))
			word--;
		word = word_before(walk, word, &bytes);
		if (!walk_word_is(walk, word, bytes, "sub"))
			return 0;
	}
	for (; at < stop; at++) {
		nest += walk->text[at] == '(';
		if (walk->text[at] == ')' && --nest == 0)
			return at + 1;
	}
	return 0;
}
