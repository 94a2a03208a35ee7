/* SPDX-License-Identifier: MIT */
/*
 * glob_expand.c - commas and braces of a pattern, spelt out.
 *
 * Does: "*.{c,h},docs" is *.c, *.h and docs.
 * Does not: match (glob.c), or know ranges such as {1..9}.
 * Limits: GLOB_ALTERNATIVES_MAX patterns of one, of PATTERN_BYTES_MAX.
 */
#include "base/glob.h"

#include <errno.h>
#include <string.h>

#define PATTERN_BYTES_MAX 4096 /* as many braces nest at most */

struct expansion {
	glob_fn add;
	void *context;
	size_t nr; /* patterns given so far */
};

/* Behind the element at `at`: an escaped byte, a class, or one byte. */
static const char *
skip_element(const char *at, const char *end)
{
	const char *close;

	if (*at == '\\')
		return end - at > 1 ? at + 2 : end;
	if (*at != '[')
		return at + 1;
	close = memchr(at, '/', (size_t)(end - at));
	if (close != NULL)
		end = close;
	close = memchr(at, ']', (size_t)(end - at));
	return close == NULL ? at + 1 : close + 1;
}

/* The '}' of the '{' at `at`; NULL: none, or no comma between them. */
static const char *
find_close(const char *at, const char *end)
{
	size_t depth = 0;
	bool has_comma = false;

	while (at < end) {
		has_comma |= *at == ',' && depth == 1;
		depth += *at == '{';
		if (*at == '}' && --depth == 0)
			return has_comma ? at : NULL;
		at = skip_element(at, end);
	}
	return NULL;
}

/* The end of the alternative at `at`: the next comma outside braces. */
static const char *
find_comma(const char *at, const char *end)
{
	while (at < end && *at != ',') {
		const char *close = *at == '{' ? find_close(at, end) : NULL;

		at = close != NULL ? close + 1 : skip_element(at, end);
	}
	return at;
}

/* One pattern without commas of its own; braces are searched from `from`. */
static int
expand_braces(struct expansion *expansion, const char *pattern, size_t bytes,
	      size_t from)
{
	const char *end = pattern + bytes;
	const char *open = pattern + from;
	const char *close = NULL;
	char one[PATTERN_BYTES_MAX];
	int error = 0;

	while (open < end &&
	       (*open != '{' || (close = find_close(open, end)) == NULL))
		open = skip_element(open, end);
	if (close == NULL) {
		if (expansion->nr++ == GLOB_ALTERNATIVES_MAX)
			return -E2BIG;
		return expansion->add(expansion->context, pattern, bytes);
	}
	memcpy(one, pattern, (size_t)(open - pattern));
	for (const char *at = open; at < close && error == 0;) {
		const char *comma = find_comma(at + 1, close);
		char *to = one + (open - pattern);

		to = mempcpy(to, at + 1, (size_t)(comma - at) - 1);
		to = mempcpy(to, close + 1, (size_t)(end - close) - 1);
		error = expand_braces(expansion, one, (size_t)(to - one),
				      (size_t)(open - pattern));
		at = comma;
	}
	return error;
}

int
glob_expand(const char *pattern, glob_fn add, void *context)
{
	struct expansion expansion = { .add = add, .context = context };
	const char *end = pattern + strlen(pattern);
	int error = 0;

	if (end - pattern > PATTERN_BYTES_MAX)
		return -E2BIG;
	for (const char *at = pattern; at < end && error == 0;) {
		const char *comma = find_comma(at, end);
		const char *last = comma;

		/* blanks beside a comma separate, as in a sentence */
		while (at > pattern && at < last && *at == ' ')
			at++;
		while (comma < end && last > at && last[-1] == ' ' &&
		       (last - 1 == at || last[-2] != '\\'))
			last--;
		if (last > at)
			error = expand_braces(&expansion, at,
					      (size_t)(last - at), 0);
		at = comma + 1;
	}
	return error;
}
