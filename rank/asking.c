/* SPDX-License-Identifier: MIT */
/*
 * asking.c - lists of words that ask.
 */
#include "rank/asking.h"

#include <string.h>

#include "base/ascii.h"

static const char *const between[] = {
	"all",  "classes", "find", "for", "from",  "is",    "of",
	"show", "that",    "the",  "to",  "types", "which", "who",
};

static const char *const kinds[] = {
	"attribute", "class",    "command",        "constant",  "default",
	"enum",      "env",      "environment",    "event",     "field",
	"flag",      "function", "implementation", "interface", "key",
	"macro",     "method",   "module",         "object",    "option",
	"parameter", "property", "protocol",       "record",    "route",
	"setting",   "trait",    "type",           "value",     "variable",
};

static const char *const places[] = {
	"def",  "defined", "definition", "fn",    "fun",
	"func", "struct",  "sub",        "where",
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

static const char *const tasks[] = { "extend", "implement", "inherit" };

static const char *const within[] = { "from", "in", "inside", "of", "within" };

/* Beside strings of code: verbs, what runs scripts, methods of HTTP. */
static const char *const beside[] = { "config",     "configured", "handled",
				      "handler",    "parsed",     "read",
				      "registered", "script",     "set",
				      "target" };

static const char *const runners[] = { "DELETE", "GET", "PATCH", "POST",
				       "PUT",    "bun", "make",  "npm",
				       "pnpm",   "run", "yarn" };

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
	static const struct {
		const char *const *of;
		size_t nr;
		enum asking asking;
	} lists[] = {
		{ between, ARRAY_LEN(between), ASKING_WORD },
		{ kinds, ARRAY_LEN(kinds), ASKING_KIND },
		{ places, ARRAY_LEN(places), ASKING_PLACE },
		{ uses, ARRAY_LEN(uses), ASKING_USES },
		{ heirs, ARRAY_LEN(heirs), ASKING_HEIRS },
		{ tests, ARRAY_LEN(tests), ASKING_TESTS },
	};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		if (is_among(word, bytes, lists[i].of, lists[i].nr))
			return lists[i].asking;
	return ASKING_NOT;
}

bool
asking_is_task(const uint8_t *word, size_t bytes)
{
	return is_among(word, bytes, tasks, ARRAY_LEN(tasks));
}

bool
asking_is_within(const uint8_t *word, size_t bytes)
{
	return is_among(word, bytes, within, ARRAY_LEN(within));
}

enum asking_string
asking_string_of(const uint8_t *word, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(runners); i++)
		if (strlen(runners[i]) == bytes &&
		    memcmp(runners[i], word, bytes) == 0)
			return ASKING_STRING_SURE;
	return asking_of(word, bytes) != ASKING_NOT ||
			       is_among(word, bytes, beside, ARRAY_LEN(beside))
		       ? ASKING_STRING_MAYBE
		       : ASKING_STRING_NOT;
}
