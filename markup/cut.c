/* SPDX-License-Identifier: MIT */
/*
 * cut.c - where content that has been escaped may be cut.
 */
#include <string.h>

#include "markup/markup.h"
#include "base/utf8.h"

/* A character, or a byte that is none. */
static size_t
character(const uint8_t *at, const uint8_t *end, bool *newline)
{
	uint32_t c;
	size_t nr = utf8_decode(at, (size_t)(end - at), &c);

	*newline = *at == '\n';
	return nr > 0 ? nr : 1;
}

/* To the end of a word that comes soon; 0: it does not. */
static size_t
up_to(const uint8_t *at, const uint8_t *end, const char *word)
{
	size_t nr = min_size((size_t)(end - at), MARKUP_ATOM_BYTES);
	const uint8_t *found = memmem(at, nr, word, strlen(word));

	return found == NULL ? 0 : (size_t)(found - at) + strlen(word);
}

/* "\n", "\u001b", "\ud83d\ude00" */
static size_t
json_escape(const uint8_t *at, const uint8_t *end, bool *newline)
{
	*newline = bytes_begin(at, end, "\\n");
	if (!bytes_begin(at, end, "\\u"))
		return min_size(2, (size_t)(end - at));
	if (end - at >= 12 && at[2] == 'd' && at[3] >= '8' && at[3] <= 'b' &&
	    bytes_begin(at + 6, end, "\\ud"))
		return 12;
	return min_size(6, (size_t)(end - at));
}

size_t
markup_atom(enum markup_escape escape, const uint8_t *at, const uint8_t *end,
	    bool *newline)
{
	size_t nr = 0;

	*newline = false;
	if (escape == MARKUP_ESCAPE_JSON && *at == '\\')
		return json_escape(at, end, newline);
	/* what says that the rest of a file is left out */
	if (escape == MARKUP_ESCAPE_JSON && *at == '"')
		nr = up_to(at, end, ",\"text\":\"");
	else if (escape == MARKUP_ESCAPE_CDATA && bytes_begin(at, end, "]]>"))
		nr = up_to(at, end, "<![CDATA[");
	else if (escape != MARKUP_ESCAPE_JSON && bytes_begin(at, end, "\\u{"))
		nr = up_to(at, min_u64((uint64_t)(end - at), 12) + at, "}");
	return nr > 0 ? nr : character(at, end, newline);
}
