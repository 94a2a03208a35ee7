/* SPDX-License-Identifier: MIT */
/*
 * lang.c - the table of structured languages, and words in its lists.
 */
#include "lang/lang.h"

#include <string.h>

#include "base/ascii.h"

#define LANG(id, name_, fence_, suffixes_, names_, shebangs_, imports_, \
	     importers_, family_, traits_, quotes_, stop_, definers_,   \
	     modifiers_, control_)                                      \
	[LANG_##id] = {                                                 \
		.name = name_,                                          \
		.hint = fence_,                                         \
		.suffixes = suffixes_,                                  \
		.names = names_,                                        \
		.shebangs = shebangs_,                                  \
		.quotes = quotes_,                                      \
		.definers = definers_,                                  \
		.modifiers = modifiers_,                                \
		.control = control_,                                    \
		.traits = traits_,                                      \
		.family = FAMILY_##family_,                             \
		.stop = STOP_##stop_,                                   \
	},
#define NAMED(id, name, fence, suffixes, names, shebangs)                    \
	LANG(id, name, fence, suffixes, names, shebangs, OTHER, "", NONE, 0, \
	     "", NONE, "", "", "")

static const struct lang langs[LANG_NR] = { NAMED(NONE, "", "", "", "", "")
#include "lang/lang.def"
#undef LANG
#undef NAMED
};

const struct lang *
lang_row(uint32_t id)
{
	return &langs[id < LANG_NR ? id : LANG_NONE];
}

const struct lang *
lang_get(uint32_t id)
{
	const struct lang *row = lang_row(id);

	return row->family == FAMILY_NONE ? NULL : row;
}

uint32_t
lang_find(const char *hint, size_t bytes)
{
	if (bytes == 0)
		return LANG_NONE;
	for (uint32_t id = LANG_NONE + 1; id < LANG_NR; id++)
		if (langs[id].family != FAMILY_NONE &&
		    *langs[id].hint == *hint &&
		    bytes_are(hint, bytes, langs[id].hint))
			return id;
	return LANG_NONE;
}

static bool
same_word(const char *a, const uint8_t *b, size_t bytes, bool any_case)
{
	for (size_t i = 0; i < bytes; i++) {
		uint8_t x = (uint8_t)a[i];
		uint8_t y = any_case ? ascii_lower(b[i]) : b[i];

		if (x != y)
			return false;
	}
	return true;
}

#define NAME_BYTES_MAX 32

uint32_t
lang_named(const uint8_t *name, size_t bytes)
{
	char folded[NAME_BYTES_MAX];

	while (bytes > 0 && ascii_is_digit(name[bytes - 1]))
		bytes--;
	if (bytes == 0 || bytes > sizeof(folded))
		return LANG_NONE;
	for (size_t i = 0; i < bytes; i++)
		folded[i] = (char)ascii_lower(name[i]);
	for (uint32_t id = LANG_NONE + 1; id < LANG_NR; id++)
		if (strlen(langs[id].name) == bytes &&
		    same_word(folded, (const uint8_t *)langs[id].name, bytes,
			      true))
			return id;
	return lang_find(folded, bytes);
}

const char *
lang_line_comment(uint32_t id)
{
	const struct lang *lang = lang_row(id);

	if (lang->traits & TRAIT_HASH_COMMENTS)
		return "#";
	if (lang->traits & TRAIT_DASH_COMMENTS)
		return "--";
	if (lang->traits & TRAIT_PERCENT_COMMENTS)
		return "%";
	if (lang->traits & TRAIT_SEMI_COMMENTS)
		return ";";
	if (lang->family == FAMILY_BRACE || (lang->traits & TRAIT_SLASHES))
		return "//";
	return "#";
}

static bool
find_word(const char *list, const uint8_t *word, size_t bytes, char *letter,
	  bool any_case)
{
	char side = ' ';

	while (*list != '\0') {
		size_t length = 0;
		size_t word_bytes;

		/* they are short: a call would take longer */
		while (list[length] != ' ' && list[length] != '\0')
			length++;
		word_bytes = length;
		if (length > 2 && list[length - 2] == '=')
			word_bytes = length - 2;
		if (length == 1 && *list == '|') {
			side = '|';
		} else if (word_bytes == bytes &&
			   same_word(list, word, bytes, any_case)) {
			if (letter != NULL)
				*letter = length > bytes ? list[length - 1]
							 : side;
			return true;
		}
		list += length + (list[length] == ' ');
	}
	return false;
}

/* Words before parentheses that are no function's name. */
const char lang_not_names[] =
	"__attribute__ __attribute __declspec alignas _Alignas __aligned "
	"decltype typeof __typeof__ noexcept requires asm __asm__ explicit throw "
	"throws _Pragma __pragma __extension__ typename sizeof";

static uint32_t
word_slot(const uint8_t *word, size_t bytes)
{
	return (word[0] * 7u + word[bytes - 1] * 3u + word[bytes / 2] +
		(uint32_t)bytes * 11u) %
	       LANG_WORD_SLOTS;
}

bool
lang_words_have(const struct lang_word_set *words, const uint8_t *word,
		size_t bytes, char *letter)
{
	uint32_t slot;

	if (!lang_words_may_have(words, word, bytes))
		return false;
	slot = word_slot(word, bytes);
	for (; words->slots[slot] != 0; slot = (slot + 1) % LANG_WORD_SLOTS) {
		uint32_t i = words->slots[slot] - 1u;

		if (words->words[i].bytes == bytes &&
		    memcmp(words->list + words->words[i].at, word, bytes) ==
			    0) {
			if (letter != NULL)
				*letter = words->words[i].letter;
			return true;
		}
	}
	return false;
}

static void
add_word(struct lang_word_set *words, size_t at, size_t bytes, char letter)
{
	const uint8_t *word = (const uint8_t *)words->list + at;
	uint32_t slot = word_slot(word, bytes);

	ASSERT(words->nr < LANG_WORDS_MAX && at + bytes <= UINT8_MAX &&
	       bytes < 32);
	words->first |= 1u << (word[0] & 31);
	words->lengths |= 1u << bytes;
	while (words->slots[slot] != 0)
		slot = (slot + 1) % LANG_WORD_SLOTS;
	words->words[words->nr].at = (uint8_t)at;
	words->words[words->nr].bytes = (uint8_t)bytes;
	words->words[words->nr].letter = letter;
	words->slots[slot] = (uint8_t)++words->nr;
}

/* Of a word that stands twice the first counts, as everywhere. */
static void
make_words(struct lang_word_set *words, const char *list)
{
	const char *at = list;
	char side = ' ';

	*words = (struct lang_word_set){ .list = list };
	while (*at != '\0') {
		size_t bytes = strcspn(at, " =");
		bool has_letter = at[bytes] == '=';
		char letter = has_letter ? at[bytes + 1] : side;

		if (bytes == 1 && *at == '|')
			side = '|';
		else if (!lang_words_have(words, (const uint8_t *)at, bytes,
					  NULL))
			add_word(words, (size_t)(at - list), bytes, letter);
		at += bytes;
		if (has_letter)
			at += 2;
		at += *at == ' ';
	}
}

const struct lang_word_set *
lang_words(uint32_t lang)
{
	static struct lang_word_set made[LANG_NR][LANG_WORDS_NR];
	struct lang_word_set *words = made[lang];

	if (words[LANG_WORDS_DEFINERS].list == NULL) {
		make_words(&words[LANG_WORDS_MODIFIERS], langs[lang].modifiers);
		make_words(&words[LANG_WORDS_CONTROL], langs[lang].control);
		make_words(&words[LANG_WORDS_NOT_NAMES], lang_not_names);
		make_words(&words[LANG_WORDS_DEFINERS], langs[lang].definers);
	}
	return words;
}

bool
lang_word(const char *list, const uint8_t *word, size_t bytes, char *letter)
{
	return find_word(list, word, bytes, letter, false);
}

bool
lang_word_any_case(const char *list, const uint8_t *word, size_t bytes,
		   char *letter)
{
	return find_word(list, word, bytes, letter, true);
}
