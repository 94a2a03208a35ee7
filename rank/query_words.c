/* SPDX-License-Identifier: MIT */
/*
 * query_words.c - words into parts, and parts into stems.
 */
#include "rank/query_words.h"

#include <string.h>

#include "base/ascii.h"

#define ENDING(text, instead)                                        \
	{                                                            \
		text, instead, sizeof(text) - 1, sizeof(instead) - 1 \
	}

static const struct ending {
	const char *text;
	const char *instead;
	size_t bytes;
	size_t instead_bytes;
} endings[] = {
	ENDING("ies", "y"), ENDING("sses", "ss"), ENDING("ing", ""),
	ENDING("edly", ""), ENDING("ed", ""),     ENDING("es", ""),
	ENDING("s", ""),    ENDING("ly", ""),
};

/* Whether a word may have an ending: most have not. */
static inline bool
may_end(const char *word, size_t bytes)
{
	char last = word[bytes - 1];

	return last == 's' || last == 'g' || last == 'd' || last == 'y';
}

static bool
ends_with(const char *word, size_t bytes, const char *end, size_t end_bytes)
{
	return bytes >= end_bytes &&
	       memcmp(word + bytes - end_bytes, end, end_bytes) == 0;
}

size_t
query_stem(char *word, size_t bytes)
{
	const struct ending *ending = endings;
	const struct ending *end = endings + ARRAY_LEN(endings);

	if (bytes <= 3)
		return bytes;
	if (!may_end(word, bytes))
		ending = end;
	for (; ending < end; ending++) {
		if (!ends_with(word, bytes, ending->text, ending->bytes) ||
		    bytes - ending->bytes < 3 ||
		    ends_with(word, bytes, "ss", 2))
			continue;
		bytes -= ending->bytes;
		memcpy(word + bytes, ending->instead, ending->instead_bytes);
		bytes += ending->instead_bytes;
		break;
	}
	if (bytes > 4 && word[bytes - 1] == 'e')
		bytes--;
	if (bytes > 4 && word[bytes - 1] == word[bytes - 2] &&
	    word[bytes - 1] != 's' && word[bytes - 1] != 'l')
		bytes--;
	return bytes;
}

bool
query_ending(uint32_t i, const char **text, const char **instead)
{
	if (i >= ARRAY_LEN(endings))
		return false;
	*text = endings[i].text;
	*instead = endings[i].instead;
	return true;
}

/* The end of the part that begins at `at`, which is a letter or a digit. */
static size_t
part_end(const struct query_word *word, size_t at)
{
	enum byte_class class = query_class(word->text[at]);
	size_t end = at + 1;

	while (end < word->bytes && query_class(word->text[end]) == class)
		end++;
	if (class != UPPER || end == word->bytes ||
	    query_class(word->text[end]) != LOWER)
		return end;
	if (end - at > 1)
		return end - 1; /* HTTPServer: HTTP, Server */
	while (end < word->bytes && query_class(word->text[end]) == LOWER)
		end++;
	return end;
}

bool
query_word_next(struct query_word *word, char stem[QUERY_TERM_BYTES],
		size_t *bytes)
{
	size_t at = word->at;
	size_t end;

	while (at < word->bytes && word->text[at] == '_')
		at++;
	if (at == word->bytes)
		return false;
	end = part_end(word, at);
	word->from = at;
	word->at = end;
	word->parts++;
	*bytes = 0;
	if (query_class(word->text[at]) == DIGIT || end - at < 2 ||
	    end - at > QUERY_TERM_BYTES)
		return true;
	for (size_t i = at; i < end; i++)
		stem[i - at] = (char)ascii_lower(word->text[i]);
	*bytes = query_stem(stem, end - at);
	return true;
}

size_t
query_word_joined(const struct query_word *word, char stem[QUERY_TERM_BYTES])
{
	size_t bytes = 0;

	if (word->parts < 2)
		return 0;
	for (size_t i = 0; i < word->bytes; i++) {
		if (word->text[i] == '_')
			continue;
		if (bytes == QUERY_TERM_BYTES)
			return 0;
		stem[bytes++] = (char)ascii_lower(word->text[i]);
	}
	return query_stem(stem, bytes);
}
