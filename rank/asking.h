/* SPDX-License-Identifier: MIT */
/*
 * asking.h - words of a query that ask for a name, and are none.
 *
 * Does: tells "where is", "callers of", "subclasses of", "tests for" from what
 *       they ask for. They are English.
 * Does not: read the query (anchor.h).
 */
#ifndef RANK_ASKING_H
#define RANK_ASKING_H

#include "base/base.h"

enum asking {
	ASKING_NOT = 0,
	ASKING_WORD,  /* stands between others: "the", "of", "all" */
	ASKING_KIND,  /* of a name, or a word like any other: "class", "type" */
	ASKING_PLACE, /* "where is f defined", "def f" */
	ASKING_USES,  /* "callers of f", "who calls f" */
	ASKING_HEIRS, /* "subclasses of C", "who implements I" */
	ASKING_TESTS  /* "tests for f" */
};

/* What a word asks; its first letter may be a capital. */
enum asking
asking_of(const uint8_t *word, size_t bytes);

/* Whether a word is a task as the first one of a query: "implement a cache". */
bool
asking_is_task(const uint8_t *word, size_t bytes);

/* Whether a word stands between a member and what it is a member of: "f in C". */
bool
asking_is_within(const uint8_t *word, size_t bytes);

/* What a word is to a string of code that it stands beside. */
enum asking_string {
	ASKING_STRING_NOT = 0,
	ASKING_STRING_MAYBE, /* "the", "option" */
	ASKING_STRING_SURE   /* "npm", "GET" */
};

/* What a word is to a string; its case counts. */
enum asking_string
asking_string_of(const uint8_t *word, size_t bytes);

#endif
