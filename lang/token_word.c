/* SPDX-License-Identifier: MIT */
/*
 * token_word.c - what a word of a statement is: of a list, a macro.
 */
#include "lang/declaration.h"

#include <string.h>

char
word_letter_at(const struct walk *walk, size_t at, size_t bytes,
	       const char *list)
{
	const uint8_t *word = walk->text + at;
	bool any_case = walk->lang->traits & TRAIT_ANY_CASE;
	char letter = '\0';

	for (size_t i = 0; i < LANG_WORDS_NR; i++) {
		const struct lang_word_set *words = &walk->words[i];

		if (list != words->list)
			continue;
		if (!any_case)
			lang_words_have(words, word, bytes, &letter);
		if (!any_case || !lang_words_may_have(words, word, bytes))
			return letter;
	}
	if (any_case)
		lang_word_any_case(list, word, bytes, &letter);
	else
		lang_word(list, word, bytes, &letter);
	return letter;
}

char
word_letter(const struct declaration *decl, uint32_t i, const char *list)
{
	return type_is(decl, i, TOKEN_WORD)
		       ? word_letter_at(decl->walk, decl->tokens[i].at,
					decl->tokens[i].bytes, list)
		       : '\0';
}

bool
word_is_upper(const struct declaration *decl, uint32_t i)
{
	bool letter = false;

	if (!type_is(decl, i, TOKEN_WORD))
		return false;
	for (size_t k = 0; k < decl->tokens[i].bytes; k++) {
		uint8_t c = decl->walk->text[decl->tokens[i].at + k];

		if (c >= 'a' && c <= 'z')
			return false;
		letter |= c >= 'A' && c <= 'Z';
	}
	return letter;
}

bool
word_is_macro(const struct declaration *decl, uint32_t i)
{
	return word_is_upper(decl, i) ||
	       (type_is(decl, i, TOKEN_WORD) && decl->tokens[i].bytes > 2 &&
		memcmp(decl->walk->text + decl->tokens[i].at, "__", 2) == 0);
}
