/* SPDX-License-Identifier: MIT */
/*
 * raw_string.h - strings without escapes whose ends their beginnings say.
 */
#ifndef LANG_RAW_STRING_H
#define LANG_RAW_STRING_H

#include "lang/walk.h"

struct raw_string {
	size_t at; /* its first byte, behind the quote */
	size_t bytes;
	uint8_t term[LANG_TERM_BYTES]; /* ends it */
};

/* Whether the quote at `at` begins one. */
bool
raw_string_at(const struct walk *walk, size_t at, struct raw_string *raw);

#endif
