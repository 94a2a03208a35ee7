/* SPDX-License-Identifier: MIT */
/*
 * text.c - growing text and UTF-8.
 */
#include "window/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_LEAST 256

static bool
make_room(struct text *text, size_t more)
{
	size_t room = text->room;
	char *bytes;

	if (text->failed || more >= SIZE_MAX / 4 - text->nr) {
		text->failed = true;
		return false;
	}
	if (text->bytes != NULL && text->nr + more < room)
		return true;
	room = room < ROOM_LEAST ? ROOM_LEAST : room;
	while (room <= text->nr + more)
		room *= 2;
	bytes = realloc(text->bytes, room);
	if (bytes == NULL) {
		text->failed = true;
		return false;
	}
	text->bytes = bytes;
	text->room = room;
	return true;
}

void
text_add(struct text *text, const void *bytes, size_t nr)
{
	if (!make_room(text, nr))
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
	va_list args;
	int nr;

	va_start(args, format);
	nr = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (nr < 0 || !make_room(text, (size_t)nr))
		return;
	va_start(args, format);
	vsnprintf(text->bytes + text->nr, (size_t)nr + 1, format, args);
	va_end(args);
	text->nr += (size_t)nr;
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
