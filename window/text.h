/* SPDX-License-Identifier: MIT */
/*
 * text.h - text that grows.
 *
 * Does: appends; remembers that memory ran out, so that only the end of a
 *       sequence of appends must be checked.
 * Does not: convert encodings.
 */
#ifndef WINDOW_TEXT_H
#define WINDOW_TEXT_H

#include "base/utf8.h"

/* All zero is an empty text. */
struct text {
	char *bytes; /* NUL after the last; NULL while nothing was added */
	size_t nr;
	size_t room;
	bool failed; /* memory ran out: something is missing */
};

/*
 * shape:  appends nr bytes
 * owner:  text_fini(), or whoever calls text_take()
 * errors: none here; text->failed, for good
 */
void
text_add(struct text *text, const void *bytes, size_t nr);

/* Adds a string, or what a format makes. */
void
text_add_string(struct text *text, const char *string);
void
text_printf(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * shape:  the bytes, NUL at the end; the text is empty afterwards
 * owner:  the caller: free()
 * errors: NULL: memory ran out on the way
 */
char *
text_take(struct text *text);

/* Frees the text. */
void
text_fini(struct text *text);

/* Whether there is nothing but blanks, tabs and ends of lines. */
bool
text_is_blank(const char *bytes, size_t nr);

#endif
