/* SPDX-License-Identifier: MIT */
/*
 * asking.c - lists of words that ask.
 */
#include "rank/asking.h"

#include <string.h>

#include "base/ascii.h"

static const char *const names[] = {
	"all",        "class",   "classes",  "def",      "defined",
	"definition", "enum",    "find",     "fn",       "for",
	"from",       "fun",     "func",     "function", "implementation",
	"interface",  "is",      "method",   "module",   "object",
	"of",         "private", "protocol", "public",   "record",
	"show",       "static",  "struct",   "sub",      "that",
	"the",        "to",      "trait",    "type",     "types",
	"where",      "which",   "who",
};

static const char *const uses[] = {
	"called", "caller", "callers", "calls", "references", "refs",
	"usage",  "usages", "used",    "users", "uses",
};

static const char *const heirs[] = {
	"derived",    "extend",       "extending",       "extends",
	"implement",  "implementers", "implementations", "implementing",
	"implements", "inherit",      "inheriting",      "inherits",
	"subclass",   "subclasses",   "subtypes",
};

static const char *const tests[] = { "test", "tested", "tests" };

static const char *const within[] = { "from", "in", "inside", "of", "within" };

static bool
is_among(const uint8_t *word, size_t bytes, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strlen(words[i]) == bytes &&
		    ascii_lower(word[0]) == (uint8_t)words[i][0] &&
		    memcmp(words[i] + 1, word + 1, bytes - 1) == 0)
			return true;
	return false;
}

enum asking
asking_of(const uint8_t *word, size_t bytes)
{
	if (is_among(word, bytes, names, ARRAY_LEN(names)))
		return ASKING_NAME;
	if (is_among(word, bytes, uses, ARRAY_LEN(uses)))
		return ASKING_USES;
	if (is_among(word, bytes, heirs, ARRAY_LEN(heirs)))
		return ASKING_HEIRS;
	if (is_among(word, bytes, tests, ARRAY_LEN(tests)))
		return ASKING_TESTS;
	return ASKING_NOT;
}

bool
asking_is_within(const uint8_t *word, size_t bytes)
{
	return is_among(word, bytes, within, ARRAY_LEN(within));
}
