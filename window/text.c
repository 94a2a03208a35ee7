/* SPDX-License-Identifier: MIT */
/*
 * text.c - growing text and UTF-8.
 */
#include "window/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void
text_add(struct text *text, const void *bytes, size_t nr)
{
	/* room for the NUL, too */
	text->failed |=
		nr >= SIZE_MAX / 4 - text->nr ||
		ARRAY_RESERVE(text->bytes, text->room, text->nr + nr + 1) != 0;
	if (text->failed)
		return;
	if (nr > 0)
		memcpy(text->bytes + text->nr, bytes, nr);
	text->nr += nr;
	text->bytes[text->nr] = '\0';
}

void
text_add_string(struct text *text, const char *string)
{
	text_add(text, string, strlen(string));
}

void
text_printf(struct text *text, const char *format, ...)
{
	char *more;
	va_list args;
	int nr;

	va_start(args, format);
	nr = vasprintf(&more, format, args);
	va_end(args);
	if (nr < 0) {
		text->failed = true;
		return;
	}
	text_add(text, more, (size_t)nr);
	free(more);
}

char *
text_take(struct text *text)
{
	char *bytes;

	if (text->bytes == NULL)
		text_add(text, "", 0);
	bytes = text->bytes;
	if (text->failed) {
		free(bytes);
		bytes = NULL;
	}
	*text = (struct text){ 0 };
	return bytes;
}

void
text_fini(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ 0 };
}

bool
text_is_blank(const char *bytes, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (strchr(" \t\r\n\v\f", bytes[i]) == NULL || bytes[i] == '\0')
			return false;
	}
	return true;
}
