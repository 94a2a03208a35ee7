/* SPDX-License-Identifier: MIT */
/*
 * config.c - what a tsconfig.json or jsconfig.json says of where modules
 *                  are, and a package.json of its package and its beginnings.
 *
 * Does: finds, as pieces of the text, the values of the keys that a table has,
 *       with these keys. Comments and commas too many are passed over, as the
 *       compiler does.
 * Does not: look into strings, or say what is wrong.
 */
#include <string.h>

#include "lang/facts.h"
#include "lang/text.h"

#define DEPTH 4 /* of the keys that are wanted */

/* A key within others, and what its value begins with. A star at the end
 * stands for any rest of a key. */
static const struct wanted {
	enum lang_config config;
	const char *path;
	const char *values;
	bool is_name; /* only what stands in the quotes, and only once */
} wanted[] = {
	{ LANG_CONFIG_MODULES, "extends", "\"[", false },
	{ LANG_CONFIG_MODULES, "compilerOptions/baseUrl", "\"[", false },
	{ LANG_CONFIG_MODULES, "compilerOptions/paths/*", "[", false },
	{ LANG_CONFIG_PACKAGE, "name", "\"", true },
	{ LANG_CONFIG_PACKAGE, "imports/#*", "\"{", false },
	/* where it begins */
	{ LANG_CONFIG_PACKAGE, "main", "\"", false },
	{ LANG_CONFIG_PACKAGE, "module", "\"", false },
	{ LANG_CONFIG_PACKAGE, "source", "\"", false },
	{ LANG_CONFIG_PACKAGE, "bin", "\"", false },
	{ LANG_CONFIG_PACKAGE, "bin/*", "\"", false },
	{ LANG_CONFIG_PACKAGE, "exports", "\"", false },
	{ LANG_CONFIG_PACKAGE, "exports/.*", "\"", false },
	{ LANG_CONFIG_PACKAGE, "exports/.*/*", "\"", false },
	{ LANG_CONFIG_PACKAGE, "exports/.*/*/*", "\"", false },
	{ LANG_CONFIG_PACKAGE, "exports/import", "\"", false },
	{ LANG_CONFIG_PACKAGE, "exports/import/*", "\"", false },
	{ LANG_CONFIG_PACKAGE, "exports/require", "\"", false },
	{ LANG_CONFIG_PACKAGE, "exports/require/*", "\"", false },
	{ LANG_CONFIG_PACKAGE, "exports/default", "\"", false },
};

bool
lang_config_is(const uint8_t *path, size_t bytes)
{
	static const char *const begins[] = { "tsconfig", "jsconfig" };
	const uint8_t *slash = memrchr(path, '/', bytes);
	const uint8_t *name = slash == NULL ? path : slash + 1;
	size_t nr = (size_t)(path + bytes - name);

	if (nr < 13 || memcmp(name + nr - 5, ".json", 5) != 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(begins); i++)
		if (memcmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static bool
is_open(uint8_t c)
{
	return c == '{' || c == '[';
}

static bool
is_close(uint8_t c)
{
	return c == '}' || c == ']';
}

/* Behind the string at `at`, or the bracket that ends what begins there. */
static size_t
skip_value(const uint8_t *text, size_t at, size_t end)
{
	unsigned depth = 0;

	do {
		uint8_t c = text[at];

		depth += is_open(c);
		depth -= is_close(c) && depth > 0;
		at = c == '"' ? lang_skip_string(text, at, end) : at + 1;
	} while (depth > 0 && (at = lang_skip_space(text, at, end)) < end);
	return at;
}

/* Where in the file a scan is. */
struct scan {
	const uint8_t *text;
	size_t end;
	unsigned depth; /* brackets around it */
	struct {
		size_t at;
		size_t bytes;
	} keys[DEPTH]; /* whose values it is in, or the last one of a value */
};

/* Whether the last key is at that place. */
static bool
is_at(const struct scan *scan, const char *path)
{
	for (unsigned i = 0; i < scan->depth; i++) {
		size_t nr = strcspn(path, "/*");
		bool is_any = path[nr] == '*';
		size_t bytes = scan->keys[i].bytes;

		if ((is_any ? bytes < nr : bytes != nr) ||
		    memcmp(scan->text + scan->keys[i].at, path, nr) != 0)
			return false;
		path += nr + is_any;
		if (*path++ == '\0')
			return i + 1 == scan->depth;
	}
	return false;
}

/* Goes to the value of the key at *at; behind the string, if it is no key. */
static bool
read_key(struct scan *scan, size_t *at)
{
	size_t key = *at + 1;
	size_t key_end = lang_skip_string(scan->text, *at, scan->end);
	size_t colon = lang_skip_space(scan->text, key_end, scan->end);

	*at = key_end;
	if (colon >= scan->end || scan->text[colon] != ':')
		return false;
	*at = lang_skip_space(scan->text, colon + 1, scan->end);
	if (scan->depth == 0 || scan->depth > DEPTH || *at >= scan->end)
		return false;
	scan->keys[scan->depth - 1].at = key;
	scan->keys[scan->depth - 1].bytes = key_end - key - 1;
	return true;
}

/* The row of the last key, whose value begins so; NULL: it is not wanted. */
static const struct wanted *
find_row(const struct scan *scan, enum lang_config config, uint8_t first)
{
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		if (wanted[i].config == config && first != '\0' &&
		    strchr(wanted[i].values, first) != NULL &&
		    is_at(scan, wanted[i].path))
			return &wanted[i];
	return NULL;
}

static void
pass_byte(struct scan *scan, uint8_t c)
{
	scan->depth -= is_close(c) && scan->depth > 0;
	/* what stands in a list has no key */
	if (is_open(c) && scan->depth++ < DEPTH)
		scan->keys[scan->depth - 1].bytes = 0;
}

size_t
lang_config_next(enum lang_config config, const uint8_t *text, size_t from,
		 size_t end, size_t *bytes)
{
	struct scan scan = { .text = text, .end = end };
	bool has_name = false;
	size_t at = 0;

	while ((at = lang_skip_space(text, at, end)) < end) {
		const struct wanted *row = NULL;
		size_t piece = at;
		size_t value;

		if (text[at] != '"')
			pass_byte(&scan, text[at++]);
		else if (read_key(&scan, &at))
			row = find_row(&scan, config, text[at]);
		if (row == NULL)
			continue;
		value = at;
		at = skip_value(text, at, end);
		*bytes = at - piece;
		if (row->is_name) {
			/* one that is empty, or does not end, is none */
			if (has_name || at - value < 3 || text[at - 1] != '"')
				continue;
			has_name = true;
			piece = value + 1;
			*bytes = at - value - 2;
		}
		if (piece >= from)
			return piece;
	}
	return end;
}
