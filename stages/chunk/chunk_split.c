/* SPDX-License-Identifier: MIT */
/*
 * chunk_split.c - cutting a text at line ends.
 */
#include "stages/chunk/chunk.h"

#include <string.h>

size_t
chunk_behind_newline(const uint8_t *text, size_t from, size_t to)
{
	const uint8_t *newline =
		to > from ? memrchr(text + from, '\n', to - from) : NULL;

	return newline == NULL ? 0 : (size_t)(newline - text) + 1;
}

bool
chunk_is_blank_before(const uint8_t *text, size_t at)
{
	if (at == 0 || text[at - 1] != '\n')
		return false;
	at--;
	while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t' ||
			  text[at - 1] == '\r'))
		at--;
	return at > 0 && text[at - 1] == '\n';
}

size_t
chunk_behind_blank(const uint8_t *text, size_t from, size_t to)
{
	while (to > from) {
		size_t end = chunk_behind_newline(text, from, to);

		if (end == 0)
			return 0;
		if (chunk_is_blank_before(text + from, end - from))
			return end;
		to = end - 1;
	}
	return 0;
}

size_t
chunk_next(const uint8_t *text, size_t bytes, bool at_end, size_t aim)
{
	const uint8_t *newline;
	size_t end;

	/* a short rest is not worth a chunk of its own */
	if (at_end && bytes <= aim + aim / 4)
		return bytes;
	if (bytes < aim + aim / 4)
		return 0;
	end = chunk_behind_blank(text, aim / 2, aim);
	if (end == 0)
		end = chunk_behind_newline(text, 0, aim);
	if (end != 0)
		return end;
	/* a line longer than a chunk should be */
	newline = memchr(text + aim, '\n', bytes - aim);
	if (newline != NULL)
		return (size_t)(newline - text) + 1;
	return at_end ? bytes : 0;
}
