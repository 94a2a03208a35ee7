/* SPDX-License-Identifier: MIT */
/*
 * json_text.c - see json_text.h.
 */
#include "window/json_text.h"

#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 40

/* The few digits of a number that JSON has: "1e+05" is "1e5" there. */
static size_t
write_number(char out[static NUMBER_BYTES], double value, int digits)
{
	int nr = snprintf(out, NUMBER_BYTES, "%.*g", digits, value);
	char *exponent = strchr(out, 'e');
	char *from;

	if (exponent == NULL)
		return strchr(out, '.') != NULL
			       ? (size_t)nr
			       : (size_t)nr + strlen(strcpy(out + nr, ".0"));
	from = ++exponent;
	exponent += *from == '-';
	from += *from == '-' || *from == '+';
	while (*from == '0' && from[1] != '\0')
		from++;
	memmove(exponent, from, strlen(from) + 1);
	return strlen(out);
}

/* A number of the text, shorter if that is the same; the bytes written. */
static size_t
put_number(char *to, const char *from, size_t bytes)
{
	char number[NUMBER_BYTES];
	bool is_real = memchr(from, '.', bytes) != NULL ||
		       memchr(from, 'e', bytes) != NULL;
	double value = is_real ? strtod(from, NULL) : 0;

	for (int digits = DBL_DIG; is_real && digits <= DBL_DIG + 1; digits++) {
		size_t nr = write_number(number, value, digits);

		if (nr <= bytes && strtod(number, NULL) == value) {
			memcpy(to, number, nr);
			return nr;
		}
	}
	memmove(to, from, bytes);
	return bytes;
}

/* Bytes of a string that begins there, its quotes included. */
static size_t
string_bytes(const char *from)
{
	const char *at = from + 1;

	while (*at != '"')
		at += *at == '\\' ? 2 : 1;
	return (size_t)(at + 1 - from);
}

char *
json_text(const json_t *json, size_t flags)
{
	char *text = json_dumps(json, flags);
	char *to = text;
	const char *from = text;

	while (from != NULL && *from != '\0') {
		size_t bytes = strspn(from, "-+.eE0123456789");
		bool is_number = bytes > 0 && (*from == '-' ||
					       (*from >= '0' && *from <= '9'));

		if (is_number) {
			to += put_number(to, from, bytes);
			from += bytes;
			continue;
		}
		bytes = *from == '"' ? string_bytes(from) : 1;
		memmove(to, from, bytes);
		to += bytes;
		from += bytes;
	}
	if (text != NULL)
		*to = '\0';
	return text;
}
