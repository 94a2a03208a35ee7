/* SPDX-License-Identifier: MIT */
/*
 * chat_scan.c - where the elements of an array begin and end in its text.
 *
 * The text has been parsed before, so only strings and nesting matter here.
 */
#include "shm/array.h"
#include "window/chat_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t
skip_blanks(const char *text, size_t bytes, size_t at)
{
	while (at < bytes && strchr(" \t\r\n", text[at]) != NULL)
		at++;
	return at;
}

/* Behind the string that begins at `at`. */
static size_t
skip_string(const char *text, size_t bytes, size_t at)
{
	at++;
	while (at < bytes && text[at] != '"')
		at += text[at] == '\\' ? 2 : 1;
	return at < bytes ? at + 1 : bytes;
}

/* Behind the value that begins at `at`. */
static size_t
skip_value(const char *text, size_t bytes, size_t at)
{
	size_t depth = 0;

	while (at < bytes) {
		char c = text[at];

		if (c == '"') {
			at = skip_string(text, bytes, at);
		} else if (c == '{' || c == '[') {
			depth++;
			at++;
		} else if (c == '}' || c == ']') {
			if (depth == 0) /* a number or word ended here */
				return at;
			depth--;
			at++;
		} else if (depth == 0 && strchr(" \t\r\n,:", c) != NULL) {
			return at;
		} else {
			at++;
			if (depth == 0)
				continue;
		}
		if (depth == 0 && (c == '"' || c == '}' || c == ']'))
			return at;
	}
	return bytes;
}

/* Where the value of a key of the object at `at` begins; bytes: nowhere. */
static size_t
find_value(const char *text, size_t bytes, size_t at, const char *key)
{
	size_t key_bytes = strlen(key);

	at = skip_blanks(text, bytes, at + 1);
	while (at < bytes && text[at] == '"') {
		size_t end = skip_string(text, bytes, at);
		bool is_it = end - at == key_bytes + 2 &&
			     memcmp(text + at + 1, key, key_bytes) == 0;

		at = skip_blanks(text, bytes, end);
		at = skip_blanks(text, bytes, at + 1); /* the colon */
		if (is_it)
			return at;
		at = skip_blanks(text, bytes, skip_value(text, bytes, at));
		at = skip_blanks(text, bytes, at + 1); /* the comma */
	}
	return bytes;
}

int
scan_array(const char *text, size_t bytes, const char *key, struct span **spans,
	   size_t *nr)
{
	size_t at = skip_blanks(text, bytes, 0);
	size_t room = 0;
	int result = 0;

	*spans = NULL;
	*nr = 0;
	if (at < bytes && text[at] == '{')
		at = find_value(text, bytes, at, key);
	if (at >= bytes || text[at] != '[')
		return -ENOENT;
	at = skip_blanks(text, bytes, at + 1);
	while (result == 0 && at < bytes && text[at] != ']') {
		struct span span = { .begin = at };

		at = skip_value(text, bytes, at);
		span.end = at;
		result = ARRAY_RESERVE(*spans, room, *nr + 1);
		if (result == 0)
			(*spans)[(*nr)++] = span;
		at = skip_blanks(text, bytes, at);
		if (at < bytes && text[at] == ',')
			at = skip_blanks(text, bytes, at + 1);
	}
	if (result != 0) {
		free(*spans);
		*spans = NULL;
	}
	return result;
}
