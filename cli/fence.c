/* SPDX-License-Identifier: MIT */
/*
 * fence.c - a text as data, between lines of backticks.
 */
#include "cli/fence.h"

#define FENCE_LEAST 3

void
fence_print(FILE *out, const char *text, size_t bytes)
{
	size_t longest = FENCE_LEAST - 1;
	size_t run = 0;

	for (size_t i = 0; i < bytes; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		fputc('`', out);
	fputc('\n', out);
	fwrite(text, 1, bytes, out);
	if (bytes > 0 && text[bytes - 1] != '\n')
		fputc('\n', out);
	for (size_t i = 0; i <= longest; i++)
		fputc('`', out);
}
