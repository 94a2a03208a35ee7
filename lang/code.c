/* SPDX-License-Identifier: MIT */
/*
 * code.c - branches and calls in code.
 */
#include "lang/code.h"

#include <string.h>

#include "base/ascii.h"

/* In languages whose blocks end by a word, what opens one need not branch. */
static const char no_branches[] =
	"begin try let quote abstract primitive block else with";
static const char more_branches[] = "and or";

/* Whether the language's blocks, or its conditions, are made of words. */
static bool
is_wordy(const struct lang *lang)
{
	return lang->family == FAMILY_END || lang->family == FAMILY_INDENT;
}

/* What is looked up of a word before it is compared with others. */
static uint32_t
word_bit(const uint8_t *word, size_t bytes)
{
	return (word[0] * 37u + word[bytes - 1] * 11u + (uint32_t)bytes * 101) %
	       512;
}

static bool
may_know(const struct lang_code *code, const uint8_t *word, size_t bytes)
{
	uint32_t bit = word_bit(word, bytes);

	return (code->known[bit / 64] >> (bit % 64) & 1) != 0;
}

static void
know(struct lang_code *code, const char *list)
{
	while (*list != '\0') {
		size_t nr = strcspn(list, " =");
		uint32_t bit;

		if (nr > 0) {
			bit = word_bit((const uint8_t *)list, nr);
			code->known[bit / 64] |= 1ull << (bit % 64);
		}
		list += strcspn(list, " ");
		list += *list == ' ';
	}
}

/* Whether a word begins a statement or a definition. */
static bool
is_known(const struct lang_code *code, const uint8_t *word, size_t bytes)
{
	return may_know(code, word, bytes) &&
	       (lang_word(code->lang->control, word, bytes, NULL) ||
		lang_word(code->lang->definers, word, bytes, NULL));
}

static bool
branches(const struct lang *lang, const uint8_t *word, size_t bytes)
{
	char letter;

	if (is_wordy(lang) && lang_word(more_branches, word, bytes, NULL))
		return true;
	if (!lang_word(lang->control, word, bytes, &letter))
		return false;
	if (lang->family == FAMILY_END || lang->family == FAMILY_SHELL)
		return !lang_word(no_branches, word, bytes, NULL);
	return letter == ' ';
}

static void
add_word(struct lang_code *code, const char *word, size_t bytes)
{
	uint32_t i = 0;

	if (code->nr == CODE_WORDS)
		return;
	code->words[code->nr] = word;
	code->bytes[code->nr++] = (uint8_t)bytes;
	while (i < code->pair_nr && (code->first[i] != (uint8_t)word[0] ||
				     code->second[i] != (uint8_t)word[1]))
		i++;
	if (i < code->pair_nr)
		return;
	code->first[i] = (uint8_t)word[0];
	code->second[i] = (uint8_t)word[1];
	code->pair_nr++;
}

static void
add_words(struct lang_code *code, const char *list)
{
	while (*list != '\0') {
		size_t nr = strcspn(list, " ");

		if (nr >= 2 && branches(code->lang, (const uint8_t *)list, nr))
			add_word(code, list, nr);
		list += nr + (list[nr] == ' ');
	}
}

/* Whether the word that begins there is one of them. */
static bool
is_branch(const struct lang_code *code, const uint8_t *text, size_t at,
	  size_t bytes)
{
	if (at > 0 && ascii_is_word(text[at - 1]))
		return false;
	for (uint32_t i = 0; i < code->nr; i++) {
		size_t nr = code->bytes[i];

		/* two letters first: most words are none of them */
		if (text[at + 1] == (uint8_t)code->words[i][1] &&
		    text[at] == (uint8_t)code->words[i][0] &&
		    bytes - at >= nr &&
		    memcmp(text + at, code->words[i], nr) == 0 &&
		    (at + nr == bytes || !ascii_is_word(text[at + nr])))
			return true;
	}
	return false;
}

void
lang_code_init(struct lang_code *code, const struct lang *lang)
{
	memset(code, 0, sizeof(*code));
	code->lang = lang;
	code->avx2 = lang_has_avx2();
	if (lang == NULL)
		return;
	add_words(code, lang->control);
	know(code, lang->control);
	know(code, lang->definers);
	know(code, more_branches);
	if (code->nr > 0 && is_wordy(lang))
		add_words(code, more_branches);
}

/* The masks where there is no AVX2, or less than 65 bytes. */
static struct lang_code_masks
masks_of(const struct lang_code *code, const uint8_t *text, size_t at,
	 size_t nr, size_t bytes)
{
	struct lang_code_masks masks = { 0 };

	for (size_t i = 0; i < nr; i++) {
		uint64_t bit = 1ull << i;
		uint8_t c = text[at + i];
		uint8_t next = at + i + 1 < bytes ? text[at + i + 1] : 0;

		masks.brackets |= c == '(' ? bit : 0;
		masks.ands |= c == '&' ? bit : 0;
		masks.ors |= c == '|' ? bit : 0;
		for (uint32_t k = 0; k < code->pair_nr; k++)
			if (c == code->first[k] && next == code->second[k])
				masks.pairs |= bit;
	}
	return masks;
}

/* Where two of a sign stand, by where one does. */
static uint64_t
twice(uint64_t mask, uint8_t sign, uint8_t before, uint8_t behind)
{
	uint64_t next = mask >> 1 | (uint64_t)(behind == sign) << 63;
	uint64_t last = mask << 1 | (uint64_t)(before == sign);

	return mask & next & ~last;
}

/* T &&x, T&& x: a reference. An operator has blanks on both sides, or none. */
static bool
is_operator(const uint8_t *text, size_t at, size_t bytes)
{
	return at > 0 && at + 2 < bytes &&
	       ascii_is_blank(text[at - 1]) == ascii_is_blank(text[at + 2]);
}

struct lang_code_block
lang_code_find(const struct lang_code *code, const uint8_t *text, size_t at,
	       size_t nr, size_t bytes)
{
	uint64_t inside = nr < 64 ? (1ull << nr) - 1 : UINT64_MAX;
	uint8_t before = at > 0 ? text[at - 1] : 0;
	uint8_t behind = at + nr < bytes ? text[at + nr] : 0;
	struct lang_code_masks masks;
	struct lang_code_block found = { 0 };
	uint64_t starts;

	if (code->avx2 && bytes - at > 64) {
		masks = lang_code64_avx2(code, text + at);
		behind = text[at + 64];
	} else {
		masks = masks_of(code, text, at, nr, bytes);
		/* behind bit nr - 1, not behind bit 63 */
		if (nr < 64) {
			masks.ands |= (uint64_t)(behind == '&') << nr;
			masks.ors |= (uint64_t)(behind == '|') << nr;
		}
	}
	found.brackets = masks.brackets & inside;
	found.branches = (twice(masks.ands, '&', before, behind) |
			  twice(masks.ors, '|', before, behind)) &
			 inside;
	if (code->lang->traits & TRAIT_CPP &&
	    code->lang->family == FAMILY_BRACE)
		for (uint64_t left = found.branches; left != 0;
		     left &= left - 1)
			if (!is_operator(text,
					 at + (size_t)__builtin_ctzll(left),
					 bytes))
				found.branches &= ~(left & -left);
	starts = masks.pairs & inside;
	for (; starts != 0; starts &= starts - 1)
		if (is_branch(code, text, at + (size_t)__builtin_ctzll(starts),
			      bytes))
			found.branches |= starts & -starts;
	return found;
}

/* Where the word that ends at `end` begins. */
static size_t
word_start(const uint8_t *text, size_t end)
{
	size_t at = end;

	while (at > 0 && end - at < UINT8_MAX && ascii_is_word(text[at - 1]))
		at--;
	return at;
}

/* By the word before a name: `int name(`, `def name(`. */
static bool
is_declared(const struct lang_code *code, const uint8_t *word, size_t bytes)
{
	const struct lang *lang = code->lang;
	bool knows = may_know(code, word, bytes);

	if (lang->family == FAMILY_BRACE && (lang->traits & TRAIT_TYPED))
		return !knows || !lang_word(lang->control, word, bytes, NULL);
	return knows && lang_word(lang->definers, word, bytes, NULL);
}

size_t
lang_code_call(const struct lang_code *code, const uint8_t *text, size_t at,
	       size_t *name)
{
	size_t end = at;
	size_t before;
	size_t from;

	if (end == 0 || !ascii_is_word(text[end - 1]) ||
	    code->lang->family == FAMILY_SHELL)
		return 0;
	*name = word_start(text, end);
	if ((text[*name] >= '0' && text[*name] <= '9') ||
	    is_known(code, text + *name, end - *name))
		return 0;
	before = *name;
	while (before > 0 && ascii_is_blank(text[before - 1]) &&
	       *name - before < 64)
		before--;
	/* a word before it that no statement begins with: it is declared here */
	if (before == 0 || before == *name ||
	    !ascii_is_word(text[before - 1]) ||
	    memchr(text + before, '\n', *name - before) != NULL)
		return end - *name;
	from = word_start(text, before);
	if (is_declared(code, text + from, before - from))
		return 0;
	return end - *name;
}
