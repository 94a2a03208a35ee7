/* SPDX-License-Identifier: MIT */
/*
 * chunk_julia.c - Julia: definitions that are blocks, and those that are one
 *                 expression.
 */
#include "stages/chunk/chunk_words.h"

#include <string.h>

/* Behind a name that may have dots and a sign: Base.push! */
static size_t
behind_dots(const struct walk *walk, size_t at)
{
	while (is_word_byte(walk_byte(walk, at)) ||
	       walk_byte(walk, at) == '.' || walk_byte(walk, at) == '!')
		at++;
	return at;
}

/* Behind brackets that are closed on the line; `at` if they are not. */
static size_t
behind_group(const struct walk *walk, size_t at)
{
	uint32_t nest = 0;

	for (size_t i = at; i < at + 512; i++) {
		uint8_t c = walk_byte(walk, i);

		nest += c == '(' || c == '{';
		nest -= c == ')' || c == '}';
		if (c == '\n' || c == 0 || c == '"')
			break;
		if (nest == 0)
			return i + 1;
	}
	return at;
}

/* function (x::T)(y): behind the first brackets, if others follow. */
static size_t
behind_callable(const struct walk *walk, size_t at)
{
	size_t end = behind_group(walk, at);

	return walk_byte(walk, at) == '(' && end > at &&
			       walk_byte(walk, end) == '('
		       ? end
		       : at;
}

/*
 * Julia: f(x) = value, f(x)::T where {T} = value; the sign, or SIZE_MAX. What
 * is behind it may be a block, whose word comes next.
 */
static size_t
short_function(struct walk *walk, size_t at, size_t name_end)
{
	size_t i = behind_group(walk, name_end);

	if (at != words_first(walk, at) || walk->scan->brackets > 0 ||
	    walk_byte(walk, name_end) != '(' || i == name_end)
		return SIZE_MAX;
	if (walk_byte(walk, i) == ':' && walk_byte(walk, i + 1) == ':')
		i += 2 + words_until(walk, i + 2, " \t\n=({");
	if (walk_byte(walk, i) == '{')
		i = behind_group(walk, i);
	i = words_behind(walk, i);
	if (words_is(walk, i, lines_word(walk, i), "where")) {
		i = words_behind(walk, i + 5);
		i = walk_byte(walk, i) == '{'
			    ? behind_group(walk, i)
			    : i + words_until(walk, i, " \t\n=");
		i = words_behind(walk, i);
	}
	return walk_byte(walk, i) == '=' && walk_byte(walk, i + 1) != '=' &&
			       walk_byte(walk, i + 1) != '>'
		       ? i
		       : SIZE_MAX;
}

/* Tells of a function that is an expression; returns where to go on. */
static size_t
julia_short(struct walk *walk, size_t at, size_t name_end, size_t sign)
{
	struct def_start start = { .kind = CHUNK_KIND_FUNCTION,
				   .flags = CHUNK_DEF_DECLARED };
	size_t value = words_behind(walk, sign + 1);
	size_t word = lines_word(walk, value);
	size_t end = value + words_until(walk, value, "\n");

	if (words_in(walk, value, word, "begin let if try quote for while")) {
		words_def(walk, at, at, name_end - at, CHUNK_KIND_FUNCTION);
		return value + word;
	}
	while (end > at && is_blank_byte(walk->text[end - 1]))
		end--;
	lines_place(walk, at, at, name_end - at, &start);
	start.body = sign;
	walk_single(walk, &start, end);
	return name_end;
}

size_t
words_julia_word(struct walk *walk, size_t at, size_t bytes)
{
	uint8_t prev = at > 0 ? walk->text[at - 1] : '\n';
	size_t end = at + bytes;
	size_t name = words_behind(walk, end);
	size_t stop;
	size_t sign;
	char letter;

	if (prev == '.' || prev == ':' || prev == '@' ||
	    walk->scan->brackets > 0)
		return end;
	sign = short_function(walk, at, behind_dots(walk, at));
	if (words_is(walk, at, bytes, "end")) {
		lines_close(walk, end);
	} else if (chunk_lang_word(walk->lang->definers, walk->text + at, bytes,
				   &letter)) {
		stop = behind_dots(walk, name);
		if (stop == name && at == words_first(walk, at))
			stop = behind_callable(walk, name);
		if (stop == name)
			words_block(walk);
		else
			words_def(walk, words_first(walk, at), name,
				  stop - name, walk_kind(letter));
	} else if (words_in(walk, at, bytes,
			    "if for while try let begin quote do abstract "
			    "primitive")) {
		words_block(walk);
	} else if (sign != SIZE_MAX) {
		return julia_short(walk, at, behind_dots(walk, at), sign);
	}
	return end;
}
