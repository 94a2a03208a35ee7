/* SPDX-License-Identifier: MIT */
/*
 * chunk_split.c - cutting a text at line ends.
 */
#include "stages/chunk/chunk.h"

#include <string.h>

size_t
chunk_line_end(const uint8_t *text, size_t bytes, bool at_end, size_t max)
{
	const uint8_t *newline;
	size_t end;

	max = min_size(max, bytes);
	end = lang_behind_blank(text, max / 2, max);
	if (end == 0)
		end = lang_behind_newline(text, 0, max);
	if (end != 0)
		return end;
	/* a line longer than a chunk should be */
	newline = memchr(text + max, '\n', bytes - max);
	if (newline != NULL)
		return (size_t)(newline - text) + 1;
	return at_end ? bytes : 0;
}

size_t
chunk_next(const uint8_t *text, size_t bytes, bool at_end, size_t aim)
{
	/* a short rest is not worth a chunk of its own */
	if (at_end && bytes <= aim + aim / 4)
		return bytes;
	if (bytes < aim + aim / 4)
		return 0;
	return chunk_line_end(text, bytes, at_end, aim);
}
