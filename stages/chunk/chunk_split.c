/* SPDX-License-Identifier: MIT */
/*
 * chunk_split.c - cutting a text at line ends.
 */
#include "stages/chunk/chunk.h"

#include <string.h>

/* Offset behind the last newline in text[from, to); 0 if there is none. */
static size_t
behind_last_newline(const uint8_t *text, size_t from, size_t to)
{
	const uint8_t *newline = memrchr(text + from, '\n', to - from);

	return newline == NULL ? 0 : (size_t)(newline - text) + 1;
}

/* The same behind the last blank line. */
static size_t
behind_last_blank(const uint8_t *text, size_t from, size_t to)
{
	while (to > from) {
		size_t end = behind_last_newline(text, from, to);

		if (end < from + 2)
			return 0;
		if (text[end - 2] == '\n')
			return end;
		to = end - 1;
	}
	return 0;
}

size_t
chunk_next(const uint8_t *text, size_t bytes, bool at_end)
{
	const uint8_t *newline;
	size_t end;

	/* a short rest is not worth a chunk of its own */
	if (at_end && bytes <= CHUNK_AIM_BYTES + CHUNK_AIM_BYTES / 4)
		return bytes;
	if (bytes < CHUNK_AIM_BYTES + CHUNK_AIM_BYTES / 4)
		return 0;
	end = behind_last_blank(text, CHUNK_AIM_BYTES / 2, CHUNK_AIM_BYTES);
	if (end == 0)
		end = behind_last_newline(text, 0, CHUNK_AIM_BYTES);
	if (end != 0)
		return end;
	/* a line longer than a chunk should be */
	newline = memchr(text + CHUNK_AIM_BYTES, '\n', bytes - CHUNK_AIM_BYTES);
	if (newline != NULL)
		return (size_t)(newline - text) + 1;
	return at_end ? bytes : 0;
}
