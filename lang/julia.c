/* SPDX-License-Identifier: MIT */
/*
 * julia.c - Julia: definitions that are blocks, and those that are one
 *                 expression.
 */
#include "lang/words.h"

#include <string.h>

/* Behind a name that may have dots and a sign: Base.push! */
static size_t
skip_dots(const struct walk *walk, size_t at)
{
	while (is_word_byte(walk_byte(walk, at)) ||
	       walk_byte(walk, at) == '.' || walk_byte(walk, at) == '!')
		at++;
	return at;
}

/* Behind brackets that are closed soon; `at` if they are not. */
static size_t
skip_group(const struct walk *walk, size_t at)
{
	uint32_t nest = 0;

	for (size_t i = at; i < at + 512; i++) {
		uint8_t c = walk_byte(walk, i);

		if (c == '"')
			i += 1 + words_until(walk, i + 1, "\"\n");
		nest += c == '(' || c == '{';
		nest -= c == ')' || c == '}';
		if (c == 0 || i >= walk->bytes)
			break;
		if (nest == 0)
			return i + 1;
	}
	return at;
}

/* function (x::T)(y): behind the first brackets, if others follow. */
static size_t
skip_callable(const struct walk *walk, size_t at)
{
	size_t end = skip_group(walk, at);

	return walk_byte(walk, at) == '(' && end > at &&
			       walk_byte(walk, end) == '('
		       ? end
		       : at;
}

/* Where a statement begins whose first word is that at `at`, less macros before
 * it: @inline f(x) = value; SIZE_MAX: another word is. */
static size_t
statement_of(struct walk *walk, size_t at)
{
	size_t first = words_first(walk, at);
	bool has_macro = false;

	if (at - first > LANG_LOOK_BYTES)
		return SIZE_MAX;
	for (size_t i = first; i < at; i++) {
		uint8_t c = walk->text[i];

		has_macro |= c == '@';
		if (!is_word_byte(c) && !is_blank_byte(c) && c != '.' &&
		    c != '@')
			return SIZE_MAX;
	}
	return at == first || has_macro ? first : SIZE_MAX;
}

/*
 * f(x) = value, f(x)::T where {T} = value: the sign, or SIZE_MAX. What is
 * behind it may be a block, whose word comes next.
 */
static size_t
short_function(const struct walk *walk, size_t name_end)
{
	size_t i = name_end;
	size_t args;

	if (walk_byte(walk, i) == '{')
		i = skip_group(walk, i);
	args = i;
	if (walk_byte(walk, i) == '(')
		i = skip_group(walk, i);
	if (i == args)
		return SIZE_MAX;
	if (walk_byte(walk, i) == ':' && walk_byte(walk, i + 1) == ':')
		i += 2 + words_until(walk, i + 2, " \t\n=({");
	if (walk_byte(walk, i) == '{')
		i = skip_group(walk, i);
	i = walk_skip_blanks(walk, i);
	if (walk_word_is(walk, i, lines_word(walk, i), "where")) {
		i = walk_skip_blanks(walk, i + 5);
		i = walk_byte(walk, i) == '{'
			    ? skip_group(walk, i)
			    : i + words_until(walk, i, " \t\n=");
		i = walk_skip_blanks(walk, i);
	}
	return walk_byte(walk, i) == '=' && walk_byte(walk, i + 1) != '=' &&
			       walk_byte(walk, i + 1) != '>'
		       ? i
		       : SIZE_MAX;
}

/* Tells of a function that is an expression; returns where to go on. */
static size_t
julia_short(struct walk *walk, size_t at, size_t name, size_t sign)
{
	struct def_start start = { .kind = LANG_KIND_FUNCTION,
				   .flags = LANG_DEF_DECLARED };
	size_t name_end = skip_dots(walk, name);
	size_t value = walk_skip_blanks(walk, sign + 1);

	if (words_in(walk, value, lines_word(walk, value),
		     "begin let if try quote for while")) {
		words_def(walk, at, name, name_end - name, LANG_KIND_FUNCTION);
		walk_body(walk, sign);
		return value + lines_word(walk, value);
	}
	lines_place(walk, at, name, name_end - name, &start);
	start.body = sign;
	walk_single(walk, &start,
		    words_statement_end(walk, sign, "=+-*/|&,?:<>"));
	return name_end;
}

/* export a, b: each of them. */
static void
julia_exports(struct walk *walk, size_t at)
{
	size_t end = words_statement_end(walk, at, ",");

	while (at < end) {
		size_t bytes =
			min_size(words_until(walk, at, " ,\t\r\n"), end - at);

		walk_listed(walk, at, at + bytes);
		if (bytes > 0 && walk_is_outer(walk))
			walk_export(walk, LANG_EXPORT_NAMES, 1);
		at += bytes > 0 ? bytes : 1;
	}
}

/* using A, B; import C: d - up to what is taken of the last one. */
static void
julia_imports(struct walk *walk, size_t at)
{
	size_t end = at + words_until(walk, at, ":#;\r\n");

	while (at < end) {
		size_t bytes =
			min_size(words_until(walk, at, " ,\t"), end - at);

		walk_import(walk, at, bytes);
		at += bytes > 0 ? bytes : 1;
	}
}

/* A constant or a field, with its value. */
static void
julia_value(struct walk *walk, size_t at)
{
	size_t end = words_statement_end(walk, at, ",=");
	const uint8_t *sign = memchr(walk->text + at, '=', end - at);

	words_member(walk, at,
		     sign == NULL ? 0 : (size_t)(sign - walk->text) + 1, end);
}

/* Whether the word at `at` begins a field of the struct around: a, a::B, a = 1 */
static bool
is_field(const struct walk *walk, size_t at, size_t bytes)
{
	const struct lang_frame *frame = walk_frame(walk);
	size_t next = walk_skip_blanks(walk, at + bytes);

	return frame != NULL && frame->kind == LANG_KIND_STRUCT &&
	       !walk_word_is(walk, at, bytes, "end") &&
	       (walk_word_is(walk, at, bytes, "const") ||
		is_one_of(":=#;\r\n", walk_byte(walk, next)));
}

/* What a statement declares that begins with the word at `at` and is no function:
 * const A = 1, a field of a struct, abstract type B end. */
static void
julia_declares(struct walk *walk, size_t at, size_t bytes)
{
	const struct lang_frame *frame = walk_frame(walk);
	size_t next = walk_skip_blanks(walk, at + bytes);
	char letter;

	if (is_field(walk, at, bytes)) {
		julia_value(walk, at);
		return;
	}
	if (!lang_word("export=e public=e using=i import=i abstract=t "
		       "primitive=t const=c",
		       walk->text + at, bytes, &letter))
		return;
	if (letter == 'e')
		julia_exports(walk, next);
	else if (letter == 'i')
		julia_imports(walk, next);
	else if (letter == 't')
		words_member(walk, at, 0, words_statement_end(walk, at, ","));
	else if (frame == NULL || frame->kind == LANG_KIND_MODULE)
		julia_value(walk, at);
}

size_t
words_julia_word(struct walk *walk, size_t at, size_t bytes)
{
	uint8_t prev = at > 0 ? walk->text[at - 1] : '\n';
	size_t end = at + bytes;
	size_t name = walk_skip_blanks(walk, end);
	size_t stop;
	size_t first;
	char letter;

	/* @enum Color red green */
	if (prev == '@' && walk_word_is(walk, at, bytes, "enum") &&
	    walk_first_on_line(walk, at - 1))
		words_member(walk, at - 1, 0,
			     words_statement_end(walk, at, ","));
	if (prev == '.' || prev == ':' || prev == '@' ||
	    walk->scan->brackets > 0)
		return end;
	first = statement_of(walk, at);
	if (first == at && walk->sink != NULL)
		julia_declares(walk, at, bytes);
	if (walk_word_is(walk, at, bytes, "end")) {
		walk_pop(walk, end);
	} else if (lang_words_have(&walk->words[LANG_WORDS_DEFINERS],
				   walk->text + at, bytes, &letter)) {
		stop = skip_dots(walk, name);
		if (stop == name && at == words_first(walk, at))
			stop = skip_callable(walk, name);
		if (stop == name)
			walk_push(walk, FRAME_BODY, NULL);
		else
			words_def(walk, words_first(walk, at), name,
				  stop - name, walk_kind(letter));
	} else if (words_in(walk, at, bytes,
			    "if for while try let begin quote do abstract "
			    "primitive")) {
		walk_push(walk, FRAME_BODY, NULL);
	} else if (first != SIZE_MAX) {
		stop = short_function(walk, skip_dots(walk, at));
		if (stop != SIZE_MAX)
			return julia_short(walk, first, at, stop);
	}
	return end;
}
