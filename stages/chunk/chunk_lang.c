/* SPDX-License-Identifier: MIT */
/*
 * chunk_lang.c - the table of structured languages, and words in its lists.
 */
#include "stages/chunk/chunk_lang.h"

#include <string.h>

static const struct chunk_lang langs[CHUNK_LANG_NR] = {
#define LANG(id, hint_, family_, traits_, quotes_, definers_, modifiers_, \
	     control_)                                                    \
	[CHUNK_LANG_##id] = {                                             \
		.hint = hint_,                                            \
		.quotes = quotes_,                                        \
		.definers = definers_,                                    \
		.modifiers = modifiers_,                                  \
		.control = control_,                                      \
		.traits = traits_,                                        \
		.family = CHUNK_##family_,                                \
	},
#include "stages/chunk/chunk_lang.def"
#undef LANG
};

const struct chunk_lang *
chunk_lang_get(uint32_t id)
{
	if (id == CHUNK_LANG_NONE || id >= CHUNK_LANG_NR)
		return NULL;
	return &langs[id];
}

uint32_t
chunk_lang_find(const char *hint, size_t bytes)
{
	if (bytes == 0)
		return CHUNK_LANG_NONE;
	for (uint32_t id = CHUNK_LANG_NONE + 1; id < CHUNK_LANG_NR; id++)
		if (*langs[id].hint == *hint &&
		    strlen(langs[id].hint) == bytes &&
		    memcmp(langs[id].hint, hint, bytes) == 0)
			return id;
	return CHUNK_LANG_NONE;
}

#define SNIFF_BYTES 16384

static bool
begins_word(const uint8_t *text, size_t at, size_t bytes, const char *word)
{
	size_t nr = strlen(word);

	return bytes - at > nr && memcmp(text + at, word, nr) == 0 &&
	       (text[at + nr] == ' ' || text[at + nr] == '<');
}

uint32_t
chunk_lang_of_text(uint32_t lang, const uint8_t *path, size_t path_bytes,
		   const uint8_t *text, size_t bytes)
{
	if (lang != CHUNK_LANG_C || path_bytes < 2 ||
	    memcmp(path + path_bytes - 2, ".h", 2) != 0)
		return lang;
	bytes = min_size(bytes, SNIFF_BYTES);
	for (size_t at = 0; at < bytes;) {
		const uint8_t *newline;

		if (begins_word(text, at, bytes, "namespace") ||
		    begins_word(text, at, bytes, "class") ||
		    begins_word(text, at, bytes, "template"))
			return CHUNK_LANG_CPP;
		newline = memchr(text + at, '\n', bytes - at);
		if (newline == NULL)
			break;
		at = (size_t)(newline - text) + 1;
	}
	return lang;
}

static uint8_t
lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 32) : c;
}

static bool
same_word(const char *a, const uint8_t *b, size_t bytes, bool any_case)
{
	for (size_t i = 0; i < bytes; i++) {
		uint8_t x = (uint8_t)a[i];
		uint8_t y = any_case ? lower(b[i]) : b[i];

		if (x != y)
			return false;
	}
	return true;
}

static bool
find_word(const char *list, const uint8_t *word, size_t bytes, char *letter,
	  bool any_case)
{
	char side = ' ';

	while (*list != '\0') {
		size_t length = 0;

		while (list[length] != '\0' && list[length] != ' ' &&
		       list[length] != '=')
			length++;
		if (length == 1 && *list == '|') {
			side = '|';
		} else if (length == bytes &&
			   same_word(list, word, bytes, any_case)) {
			if (letter != NULL)
				*letter = list[length] == '=' ? list[length + 1]
							      : side;
			return true;
		}
		list += length;
		if (*list == '=')
			list += 2;
		list += *list == ' ';
	}
	return false;
}

void
chunk_words_init(struct chunk_words *words, const char *list)
{
	*words = (struct chunk_words){ .list = list };
	while (*list != '\0') {
		uint32_t length = 0;

		words->first |= 1u << ((uint8_t)*list & 31);
		while (list[length] != '\0' && list[length] != ' ' &&
		       list[length] != '=')
			length++;
		words->lengths |= 1u << (length & 31);
		list += length;
		if (*list == '=')
			list += 2;
		list += *list == ' ';
	}
}

bool
chunk_lang_word(const char *list, const uint8_t *word, size_t bytes,
		char *letter)
{
	return find_word(list, word, bytes, letter, false);
}

bool
chunk_lang_word_any_case(const char *list, const uint8_t *word, size_t bytes,
			 char *letter)
{
	return find_word(list, word, bytes, letter, true);
}
