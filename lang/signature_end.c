/* SPDX-License-Identifier: MIT */
/*
 * signature_end.c - where a signature ends that the scanner gives with a body on
 *                     the same line, or with an expression for one.
 *
 * Does: looks for the sign that ends signatures in the language, outside of
 *       brackets and strings.
 */
#include "lang/outline.h"

#include <string.h>

#include "base/ascii.h"
#include "lang/text.h"

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* What ends the signature; of other languages the scanner knows where a body
 * begins. */
static enum lang_stop
stop_of(const struct lang *lang, uint8_t kind)
{
	return lang->stop == STOP_COLON || lang_kind_is_function(kind)
		       ? (enum lang_stop)lang->stop
		       : STOP_NONE;
}

/* Whether a sign that means a value stands there, and no comparison, nor the
 * end of a setter's name: x_=(v: Int). */
static bool
is_value_sign(const uint8_t *text, size_t from, size_t at, size_t end)
{
	uint8_t before = at > from ? text[at - 1] : ' ';
	uint8_t next = at + 1 < end ? text[at + 1] : ' ';

	if (before == '_' && at > from + 1 && ascii_is_word(text[at - 2]) &&
	    (next == '(' || next == '['))
		return false;
	return text[at] == '=' && strchr("=!<>:+-*/", before) == NULL &&
	       next != '=' && next != '>' && next != '~';
}

/* The last byte before `at` that is no blank. */
static uint8_t
seen_before(const uint8_t *text, size_t from, size_t at)
{
	while (at > from && is_blank(text[at - 1]))
		at--;
	return at > from ? text[at - 1] : 0;
}

/* f(a) : or F(int a) : - a colon behind the arguments. */
static bool
is_colon_behind(const uint8_t *text, size_t from, size_t at)
{
	return text[at] == ':' && seen_before(text, from, at) == ')';
}

/* F(int a) : b(a), F(int a) noexcept : b(a) */
static bool
is_init(const uint8_t *text, size_t from, size_t at, size_t end)
{
	static const char word[] = "noexcept";
	size_t bytes = sizeof(word) - 1;
	size_t behind = at;

	if (text[at] != ':' || lang_has(text, at, end, "::") ||
	    (at > from && text[at - 1] == ':'))
		return false;
	while (behind > from && is_blank(text[behind - 1]))
		behind--;
	return is_colon_behind(text, from, at) ||
	       (behind - from > bytes &&
		memcmp(text + behind - bytes, word, bytes) == 0);
}

/* def f; or def f = */
static bool
is_semi(const uint8_t *text, size_t from, size_t at, size_t end)
{
	return text[at] == ';' || (is_value_sign(text, from, at, end) &&
				   at > from && text[at - 1] == ' ');
}

/* Where the signature ends if it does at `at`, outside of brackets; 0: it goes on */
static size_t
stops_at(enum lang_stop stop, const uint8_t *text, size_t from, size_t at,
	 size_t end)
{
	bool stops = false;

	switch (stop) {
	case STOP_COLON:
		return text[at] == ':' ? at + 1 : 0;
	case STOP_ARROW:
		return lang_has(text, at, end, "=>") ? at + 2 : 0;
	case STOP_RIGHT:
		return lang_has(text, at, end, "->") ? at + 2 : 0;
	case STOP_SIGN:
		stops = is_value_sign(text, from, at, end);
		break;
	case STOP_SEMI:
		stops = is_semi(text, from, at, end);
		break;
	case STOP_FAT:
		stops = lang_has(text, at, end, "=>") ||
			is_colon_behind(text, from, at);
		break;
	case STOP_DO:
		stops = lang_has(text, at, end, ", do:");
		break;
	case STOP_INIT:
		stops = is_init(text, from, at, end);
		break;
	case STOP_NONE:
	case STOP_PAREN:
		break;
	}
	return stops ? at : 0;
}

/* Less what stands at the end of a signature and says that a body follows. */
static size_t
trimmed(const struct lang *lang, const uint8_t *text, size_t from, size_t end)
{
	/* -> T & { in C++ */
	const char *less = lang->stop == STOP_INIT ? "={" : "=&|{";

	if (end > from && text[end - 1] == '\r')
		end--;
	if (end - from > 3 && memcmp(text + end - 3, " do", 3) == 0)
		end -= 3;
	while (end > from && (is_blank(text[end - 1]) ||
			      strchr(less, text[end - 1]) != NULL)) {
		/* an operator's name: == */
		if (!is_blank(text[end - 1]) && end > from + 1 &&
		    !is_blank(text[end - 2]))
			break;
		end--;
	}
	return end;
}

/* Brackets open behind c, of which `nest` were before it. */
static uint32_t
nest_behind(uint32_t nest, uint8_t c)
{
	switch (c) {
	case '(':
	case '[':
	case '{':
		return nest + 1;
	case ')':
	case ']':
	case '}':
		return nest > 0 ? nest - 1 : 0;
	default:
		return nest;
	}
}

/* The first sign of a value from `at` on, outside of brackets; `end`: none. */
static size_t
value_sign(const uint8_t *text, size_t at, size_t end)
{
	uint32_t nest = 0;
	size_t from = at;

	for (; at < end; at++) {
		if (nest == 0 && is_value_sign(text, from, at, end))
			return at;
		nest = nest_behind(nest, text[at]);
	}
	return end;
}

/*
 * JavaScript: where the arrow may stand that a function's body is behind. Those
 * of a type are none: function f(): (a) => b, name(): (a) => b, and what stands
 * before the value in const f: (a) => b = ...
 */
static size_t
arrow_from(const uint8_t *text, size_t from, size_t end)
{
	bool declares = false;
	size_t at = from;

	while (at < end) {
		size_t word = at;

		while (at < end && ascii_is_word(text[at]))
			at++;
		if (at - word == 8 && memcmp(text + word, "function", 8) == 0)
			return end;
		declares |= lang_word("const let var", text + word, at - word,
				      NULL);
		if (at == word && strchr(" \t\r\n*#", text[at]) == NULL)
			break;
		at += at == word;
	}
	if (at < end && strchr("(<?", text[at]) != NULL)
		return end;
	return at < end && text[at] == ':' && declares
		       ? value_sign(text, at, end)
		       : from;
}

/* C#: { get; private set; } - no more than words. */
static size_t
accessors_end(const uint8_t *text, size_t at, size_t end)
{
	while (++at < end && text[at] != '}')
		if (!ascii_is_word(text[at]) && text[at] != ' ' &&
		    text[at] != ';')
			return 0;
	return at < end ? at + 1 : 0;
}

/* C++: concept A = requires(T a) { ... }; - what it requires, with the brace that
 * ends it. */
static size_t
requires_end(const uint8_t *text, size_t at, size_t end)
{
	uint32_t nest = 0;

	for (; at < end; at++) {
		nest += text[at] == '{';
		if (text[at] == ';' && nest == 0)
			return at + 1;
		nest -= nest > 0 && text[at] == '}';
	}
	return 0;
}

size_t
lang_signature_with_body(const struct lang_maker *maker,
			 const struct lang_def *def, size_t end)
{
	const uint8_t *text = maker->text->bytes;
	size_t body = lang_text_place(maker->text, def->body_off);
	size_t most = min_size(maker->text->nr, body + OUTLINE_TYPE_BYTES);
	size_t behind = 0;

	if (body >= most || body < end || text[body] != '{')
		return end;
	if (def->lang == LANG_CSHARP && def->kind == LANG_KIND_PROPERTY &&
	    memchr(text + end, '\n', body - end) == NULL)
		behind = accessors_end(text, body, most);
	else if (def->kind == LANG_KIND_TYPE &&
		 (lang_row(def->lang)->traits & TRAIT_CPP))
		behind = requires_end(text, body, most);
	return behind > 0 ? behind : end;
}

size_t
lang_signature_end(uint32_t id, uint8_t kind, const uint8_t *text, size_t from,
		   size_t end)
{
	const struct lang *lang = lang_row(id);
	enum lang_stop stop = stop_of(lang, kind);
	bool ticks = !(lang->traits & TRAIT_NO_TICKS);
	uint32_t nest = 0;
	size_t at = from;

	if (stop == STOP_NONE)
		return trimmed(lang, text, from, end);
	if (stop == STOP_ARROW)
		at = arrow_from(text, from, end);
	while (at < end) {
		uint8_t c = text[at];

		if (c == '"' || (c == '\'' && ticks)) {
			at = lang_skip_string(text, at, end);
			continue;
		}
		if (nest == 0) {
			size_t place = stops_at(stop, text, from, at, end);

			if (place != 0)
				return trimmed(lang, text, from, place);
		}
		nest = nest_behind(nest, c);
		at++;
		if (stop == STOP_PAREN && c == ')' && nest == 0)
			return at;
	}
	return trimmed(lang, text, from, end);
}
