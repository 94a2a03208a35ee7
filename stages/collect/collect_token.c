/* SPDX-License-Identifier: MIT */
/*
 * collect_token.c - whether a file of settings sets a token or a password.
 *
 * Does: .npmrc and its kin, line by line: "//host/:_authToken=x", "_auth=x".
 * Does not: judge any other text; what no name promises is not looked for
 *           here.
 * source: npm's npmrc(5), Yarn's settings
 */
#include <string.h>

#include "stages/collect/collect.h"

/* The ends of keys, after '_' or ':' or at the start of the line. */
static const char *const keys[] = {
	"_authToken", "_auth", "_password", "npmAuthToken", "npmAuthIdent",
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* "${NAME}", or nothing: somebody else has the value. */
static bool
is_somewhere_else(const char *value, const char *end)
{
	while (value < end && (is_blank(*value) || *value == '"'))
		value++;
	while (end > value && (is_blank(end[-1]) || end[-1] == '"'))
		end--;
	if (value == end)
		return true;
	return end - value > 3 && value[0] == '$' && value[1] == '{' &&
	       memchr(value, '}', (size_t)(end - value)) == end - 1;
}

static bool
is_key(const char *key, const char *end)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		size_t bytes = strlen(keys[i]);

		if ((size_t)(end - key) >= bytes &&
		    memcmp(end - bytes, keys[i], bytes) == 0 &&
		    ((size_t)(end - key) == bytes || end[-bytes - 1] == ':' ||
		     is_blank(end[-bytes - 1])))
			return true;
	}
	return false;
}

/* "key = value" or "key: value"; key and value may hold such signs, too. */
static bool
line_has_token(const char *line, const char *end)
{
	while (line < end && is_blank(*line))
		line++;
	if (line < end && (*line == '#' || *line == ';'))
		return false;
	for (const char *at = line; at < end; at++) {
		const char *key_end = at;

		if (*at != '=' && *at != ':')
			continue;
		while (key_end > line &&
		       (is_blank(key_end[-1]) || key_end[-1] == '"'))
			key_end--;
		if (is_key(line, key_end) && !is_somewhere_else(at + 1, end))
			return true;
	}
	return false;
}

bool
collect_kind_has_token(const char *text, size_t bytes)
{
	const char *end = text + bytes;

	while (text < end) {
		const char *next = memchr(text, '\n', (size_t)(end - text));

		if (next == NULL)
			next = end;
		if (line_has_token(text, next))
			return true;
		text = next + 1;
	}
	return false;
}
