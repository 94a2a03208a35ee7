/* SPDX-License-Identifier: MIT */
/*
 * fence.c - a text as data, between lines of backticks.
 */
#include "cli/fence.h"

#include "markup/markup.h"

#define FENCE_LEAST 3

void
fence_print(FILE *out, const char *text, size_t bytes)
{
	uint64_t nr =
		markup_fence(markup_longest_run(text, bytes, '`'), FENCE_LEAST);

	for (uint64_t i = 0; i < nr; i++)
		fputc('`', out);
	fputc('\n', out);
	fwrite(text, 1, bytes, out);
	if (bytes > 0 && text[bytes - 1] != '\n')
		fputc('\n', out);
	for (uint64_t i = 0; i < nr; i++)
		fputc('`', out);
}
