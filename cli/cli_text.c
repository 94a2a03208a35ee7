/* SPDX-License-Identifier: MIT */
/*
 * cli_text.c - one paragraph.
 */
#include "cli/cli_text.h"

#include <string.h>

#define COLUMNS 79

void
print_wrapped(FILE *out, const char *text, size_t column, const char *begin)
{
	bool is_first = true;

	while (*text != '\0') {
		size_t bytes = strcspn(text, " ");

		if (!is_first && column + 1 + bytes > COLUMNS) {
			fprintf(out, "\n%s", begin);
			column = strlen(begin);
			is_first = true;
		}
		fprintf(out, "%s%.*s", is_first ? "" : " ", (int)bytes, text);
		column += bytes + !is_first;
		is_first = false;
		text += bytes;
		text += *text == ' ';
	}
	fputc('\n', out);
}
