/* SPDX-License-Identifier: MIT */
/*
 * declarator.c - what stands behind the members of a definition and is part of
 *                it.
 *
 * Does: looks as far as DECLARATOR_BYTES behind the brace that ends them.
 */
#include "lang/outline.h"

#include <string.h>

#include "lang/sentence.h"
#include "lang/text.h"

#define DECLARATOR_BYTES 256

/* A typedef of C, whose name comes last. */
static bool
is_typedef(const struct lang_maker *maker, const struct lang_def *def)
{
	size_t at = lang_text_place(maker->text, def->decl_off);

	return def->kind != LANG_KIND_FUNCTION &&
	       (lang_row(def->lang)->traits & TRAIT_C) &&
	       maker->text->nr - at > 8 &&
	       memcmp(maker->text->bytes + at, "typedef ", 8) == 0;
}

/* TypeScript: } & B | { c: d }; - up to the semicolon, or the end of a line that
 * nothing goes on behind. */
static size_t
type_end(const uint8_t *text, size_t from, size_t end)
{
	size_t at = lang_skip_space(text, from, end);
	uint32_t nest = 0;
	uint8_t last = '}';

	if (at == end || !is_one_of("&|[", text[at]))
		return 0;
	for (; at < end; at++) {
		uint8_t c = text[at];
		size_t next = lang_skip_space(text, at, end);

		if (nest == 0 && c == ';')
			return at + 1;
		if (nest == 0 && c == '\n' && !is_one_of("&|", last) &&
		    (next == end || !is_one_of("&|", text[next])))
			return at;
		nest += is_one_of("([{", c);
		nest -= nest > 0 && is_one_of(")]}", c);
		last = c > ' ' ? c : last;
	}
	return 0;
}

/* From the brace on: up to the semicolon, or up to a value. */
size_t
lang_declarator_end(const struct lang_maker *maker, const struct lang_def *def)
{
	const uint8_t *text = maker->text->bytes;
	size_t from = lang_text_place(maker->text, def->end_off);
	size_t end = min_size(from + DECLARATOR_BYTES, maker->text->nr);
	size_t at = from;

	if (def->kind == LANG_KIND_TYPE && def->body_off < def->end_off &&
	    (lang_row(def->lang)->traits & TRAIT_TYPES))
		return type_end(text, from, end);
	/* what stands behind a namespace is not its own */
	if (def->body_off == def->end_off || from == 0 ||
	    text[from - 1] != '}' || lang_kind_is_function(def->kind) ||
	    def->kind == LANG_KIND_MODULE ||
	    !(lang_row(def->lang)->traits & TRAIT_C))
		return 0;
	while (at < end && strchr(";={}", text[at]) == NULL)
		at++;
	if (at == end || (text[at] != ';' && text[at] != '='))
		return 0;
	if (!is_typedef(maker, def) && !lang_has_letters(text, from, at))
		return 0;
	if (text[at] == ';')
		return at + 1;
	while (text[at - 1] <= ' ')
		at--;
	return at;
}
