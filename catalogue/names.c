/* SPDX-License-Identifier: MIT */
/*
 * names.c - words for the kinds of definitions.
 */
#include "catalogue/names.h"

const char *
def_kind_text(uint8_t kind)
{
	static const char *const words[] = {
		"none",
#define KIND(id, letter, word) word,
#include "catalogue/def_kind.def"
#undef KIND
	};

	return kind < ARRAY_LEN(words) ? words[kind] : words[0];
}
