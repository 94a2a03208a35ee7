/* SPDX-License-Identifier: MIT */
/*
 * declares.h - whether a line declares a name: a constant, a macro, a field, or
 * has it as a string.
 *
 * Does: tells `#define MAX 3`, `const MAX = 3`, `int max;` and `MAX,` within
 *       an enum from uses of the name, by the line that it stands in and by
 *       the line that opens what is around it, the last one indented less.
 * Does not: know a language, or need to have scanned the text; so it is right
 *           of code that is laid out as people do, and no more. Functions and
 *           types are for the scanner (scan.h).
 * Invariants:
 * 1. All input is foreign: any bytes are read, at most DECLARES_REACH of them
 *    before the name.
 */
#ifndef LANG_DECLARES_H
#define LANG_DECLARES_H

#include "base/base.h"

#define DECLARES_REACH (64u << 10)

enum lang_declares {
	LANG_DECLARES_NOT = 0,
	LANG_DECLARES_INNER, /* it may be a local variable, or an assignment */
	LANG_DECLARES_ATTRIBUTE, /* what an object is given: `self.a = 3` */
	LANG_DECLARES_QUOTED,    /* it is a string: an option, a key, a route */
	LANG_DECLARES_OUTER      /* of a file, or a member */
};

/*
 * shape:  what text[at, at + name_bytes) is in its line
 * units:  bytes; the name has one at least and lies in the text
 * calls:  lang_find_declared()
 */
enum lang_declares
lang_declares(const uint8_t *text, size_t bytes, size_t at, size_t name_bytes);

/* Where a text declares a name the most. */
struct lang_declared {
	enum lang_declares how;
	size_t off; /* of the first such place; 0 if there is none */
	size_t nr;  /* such places */
};

/*
 * shape:  looks at each place of a name, so many at most
 * calls:  rank/query_declared.c, cli/mcp_read.c
 */
struct lang_declared
lang_find_declared(const uint8_t *text, size_t bytes, const char *name,
		   size_t name_bytes, uint32_t places_max);

#endif
