/* SPDX-License-Identifier: MIT */
/*
 * config.c - what a tsconfig.json or jsconfig.json says of where modules
 *                  are, and a package.json of its package.
 *
 * Does: finds, as pieces of the text, "baseUrl": "...", "extends": "..." and of
 *       "paths" each "pattern": ["target", ...]; of a package.json its name, and
 *       of "imports" each "#pattern": "target" or {...}. Comments and commas
 *       too many are passed over, as the compiler does.
 * Does not: look into strings, or say what is wrong.
 */
#include <string.h>

#include "lang/facts.h"

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

/* Behind blanks and comments. */
static size_t
skip_space(const uint8_t *text, size_t at, size_t end)
{
	while (at < end) {
		if (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' ||
		    text[at] == '\n') {
			at++;
		} else if (end - at > 1 && text[at] == '/' &&
			   text[at + 1] == '/') {
			const uint8_t *newline =
				memchr(text + at, '\n', end - at);

			at = newline == NULL ? end : (size_t)(newline - text);
		} else if (end - at > 1 && text[at] == '/' &&
			   text[at + 1] == '*') {
			const uint8_t *close =
				memmem(text + at + 2, end - at - 2, "*/", 2);

			at = close == NULL ? end : (size_t)(close - text) + 2;
		} else {
			break;
		}
	}
	return at;
}

/* Behind the quote that ends the string at `at`. */
static size_t
skip_string(const uint8_t *text, size_t at, size_t end)
{
	for (at++; at < end && text[at] != '"' && text[at] != '\n'; at++)
		if (text[at] == '\\' && at + 1 < end)
			at++;
	return at < end ? at + 1 : end;
}

/* Behind the bracket that ends the list at `at`. */
static size_t
skip_list(const uint8_t *text, size_t at, size_t end)
{
	for (at++; at < end && text[at] != ']' && text[at] != '}';) {
		at = skip_space(text, at, end);
		if (at < end && text[at] == '"')
			at = skip_string(text, at, end);
		else if (at < end && text[at] != ']' && text[at] != '}')
			at++;
	}
	return at < end && text[at] == ']' ? at + 1 : at;
}

static bool
is_key(const uint8_t *text, size_t at, size_t end, const char *key)
{
	size_t bytes = strlen(key);

	return end - at == bytes + 2 && memcmp(text + at + 1, key, bytes) == 0;
}

/* Where in the file a scan is. */
struct scan {
	unsigned depth;
	unsigned paths_depth; /* of the object "paths"; 0: not in it */
};

/* Whether what stands between a key and `value` is of use. */
static bool
is_wanted(const struct scan *scan, const uint8_t *text, size_t key,
	  size_t key_end, size_t value)
{
	if (scan->paths_depth > 0)
		return scan->depth == scan->paths_depth && text[value] == '[';
	if (text[value] != '"' && text[value] != '[')
		return false;
	return (scan->depth == 2 && is_key(text, key, key_end, "baseUrl")) ||
	       (scan->depth == 1 && is_key(text, key, key_end, "extends"));
}

/* The name that a package.json gives its package: a string, not empty, that is
 * the value of this key; 0: it is none. */
static size_t
name_of(const uint8_t *text, size_t at, size_t end, size_t *bytes)
{
	size_t key_end = skip_string(text, at, end);
	size_t value = skip_space(text, key_end, end);
	size_t value_end;

	if (!is_key(text, at, key_end, "name") || value >= end ||
	    text[value] != ':')
		return 0;
	value = skip_space(text, value + 1, end);
	if (value >= end || text[value] != '"')
		return 0;
	value_end = skip_string(text, value, end);
	if (value_end - value < 3 || text[value_end - 1] != '"')
		return 0;
	*bytes = value_end - value - 2;
	return value + 1;
}

/* Behind the bracket that ends the object at `at`. */
static size_t
skip_object(const uint8_t *text, size_t at, size_t end)
{
	unsigned depth = 0;

	while ((at = skip_space(text, at, end)) < end) {
		if (text[at] == '"') {
			at = skip_string(text, at, end);
			continue;
		}
		depth += text[at] == '{';
		depth -= text[at] == '}' && depth > 0;
		at++;
		if (depth == 0)
			return at;
	}
	return end;
}

/* "#pattern": "target" or {...}: where it ends; 0: it is no such piece. */
static size_t
skip_import(const uint8_t *text, size_t at, size_t end)
{
	size_t value = skip_space(text, skip_string(text, at, end), end);

	if (end - at < 2 || text[at + 1] != '#' || value >= end ||
	    text[value] != ':')
		return 0;
	value = skip_space(text, value + 1, end);
	if (value >= end)
		return 0;
	return text[value] == '{'   ? skip_object(text, value, end)
	       : text[value] == '"' ? skip_string(text, value, end)
				    : 0;
}

/* The piece that a string of a package.json begins: of how many bytes; 0: it is
 * none. */
static size_t
manifest_piece(const uint8_t *text, size_t *at, size_t end, unsigned depth,
	       bool in_imports)
{
	size_t bytes = 0;
	size_t place;

	if (depth == 2 && in_imports) {
		place = skip_import(text, *at, end);
		return place > 0 ? place - *at : 0;
	}
	place = depth == 1 ? name_of(text, *at, end, &bytes) : 0;
	if (place > 0)
		*at = place;
	return bytes;
}

size_t
lang_manifest_next(const uint8_t *text, size_t from, size_t end, size_t *bytes)
{
	bool in_imports = false;
	bool has_name = false;
	unsigned depth = 0;
	size_t at = 0;

	while ((at = skip_space(text, at, end)) < end) {
		uint8_t c = text[at];
		size_t piece = at;
		size_t key_end;

		if (c != '"') {
			depth += c == '{' || c == '[';
			depth -= (c == '}' || c == ']') && depth > 0;
			at++;
			continue;
		}
		key_end = skip_string(text, at, end);
		if (depth == 1)
			in_imports = is_key(text, at, key_end, "imports");
		*bytes = manifest_piece(text, &piece, end, depth, in_imports);
		/* there may be one name */
		if (*bytes > 0 && piece >= from && !(depth == 1 && has_name))
			return piece;
		has_name |= *bytes > 0 && depth == 1;
		at = *bytes > 0 ? piece + *bytes + (depth == 1) : key_end;
	}
	return end;
}

/* The string at `at` is no key, or its value is passed over by the caller. */
static size_t
pass_key(struct scan *scan, const uint8_t *text, size_t at, size_t end,
	 size_t *piece_end)
{
	size_t key_end = skip_string(text, at, end);
	size_t value = skip_space(text, key_end, end);

	*piece_end = 0;
	if (value >= end || text[value] != ':')
		return key_end;
	value = skip_space(text, value + 1, end);
	if (value >= end)
		return end;
	if (is_wanted(scan, text, at, key_end, value)) {
		*piece_end = text[value] == '[' ? skip_list(text, value, end)
						: skip_string(text, value, end);
		return *piece_end;
	}
	if (scan->depth == 2 && text[value] == '{' &&
	    is_key(text, at, key_end, "paths"))
		scan->paths_depth = 3;
	return value;
}

size_t
lang_config_next(const uint8_t *text, size_t from, size_t end, size_t *bytes)
{
	struct scan scan = { .depth = 0 };
	size_t at = 0;

	while ((at = skip_space(text, at, end)) < end) {
		size_t piece = at;
		size_t piece_end;

		switch (text[at]) {
		case '"':
			at = pass_key(&scan, text, at, end, &piece_end);
			if (piece_end == 0 || piece < from)
				break;
			*bytes = piece_end - piece;
			return piece;
		case '{':
			scan.depth++;
			at++;
			break;
		case '}':
			if (scan.depth == scan.paths_depth)
				scan.paths_depth = 0;
			scan.depth -= scan.depth > 0;
			at++;
			break;
		default:
			at++;
		}
	}
	return end;
}
