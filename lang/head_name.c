/* SPDX-License-Identifier: MIT */
/*
 * head_name.c - which token behind a definer is the name of what it
 *                     defines.
 */
#include "lang/head.h"

#include <string.h>

uint32_t
skip_angles(const struct head *head, uint32_t i)
{
	uint32_t nest = 0;
	uint32_t k = i;

	if (!token_punct(head, i, '<'))
		return i;
	for (; k < head->nr; k++) {
		if (token_punct(head, k, '<'))
			nest++;
		else if (token_punct(head, k, '>') && --nest == 0)
			return k + 1;
	}
	return i + 1;
}

/* The last word of a dotted or scoped name that begins at i. */
static uint32_t
last_of_name(const struct head *head, uint32_t i)
{
	while ((token_punct(head, i + 1, PUNCT_SCOPE) ||
		token_punct(head, i + 1, '.') ||
		token_punct(head, i + 1, '\\')) &&
	       i + 2 < head->nr && head->tokens[i + 2].type == TOKEN_WORD)
		i += 2;
	return i;
}

/* The name of a class in C and C++, macros and attributes before it. */
static uint32_t
name_in_c(const struct walk *walk, const struct head *head, uint32_t i)
{
	uint32_t name = head->nr;

	for (; i < head->nr; i++) {
		const struct token *token = &head->tokens[i];

		if (token->type == TOKEN_WORD) {
			if (token_is(walk, token, "final"))
				break;
			name = i;
			i = last_of_name(head, i);
			name = i;
		} else if (token->type != TOKEN_GROUP) {
			break;
		}
	}
	return name;
}

/* Rust: impl Trait for Type, impl<T> Type<T>. */
static uint32_t
name_of_impl(const struct walk *walk, const struct head *head, uint32_t i)
{
	uint32_t name = head->nr;
	uint32_t nest = 0;

	for (; i < head->nr; i++) {
		if (token_punct(head, i, '<'))
			nest++;
		else if (token_punct(head, i, '>') && nest > 0)
			nest--;
		else if (nest == 0 && token_is(walk, &head->tokens[i], "for"))
			name = head->nr;
		else if (nest == 0 && token_is(walk, &head->tokens[i], "where"))
			break;
		else if (nest == 0 && head->tokens[i].type == TOKEN_WORD &&
			 (name == head->nr ||
			  token_punct(head, i - 1, PUNCT_SCOPE)))
			name = i;
	}
	return name;
}

/* The word before the first parentheses, or else the first word. */
static uint32_t
name_of_function(const struct head *head, uint32_t i)
{
	uint32_t first = head->nr;

	i = skip_angles(head, i);
	for (; i < head->nr; i++) {
		const struct token *token = &head->tokens[i];

		if (token_punct(head, i, '=') || token_punct(head, i, ':'))
			break;
		if (token->type == TOKEN_GROUP && token->punct == '(' &&
		    first < head->nr) {
			if (head->tokens[i - 1].type == TOKEN_WORD)
				return i - 1;
			break;
		}
		if (token->type == TOKEN_OPEN)
			return head->tokens[i - 1].type == TOKEN_WORD &&
					       first < head->nr
				       ? i - 1
				       : first;
		if (token->type == TOKEN_WORD && first == head->nr)
			first = i;
	}
	return first;
}

/* Whether a function's name is asked for: an operator may be one. */
static bool
names_function(const struct walk *walk, const struct token *definer,
	       uint8_t kind)
{
	return (kind == LANG_KIND_FUNCTION ||
		token_is(walk, definer, "delegate")) &&
	       !(walk->lang->traits & TRAIT_METHODS);
}

static bool
is_operator(const struct head *head, uint32_t i)
{
	return token_punct(head, i, PUNCT_OTHER) ||
	       (i + 1 < head->nr && head->tokens[i].type == TOKEN_PUNCT &&
		head->tokens[i + 1].type != TOKEN_WORD);
}

/* The definer itself, or what stands before it, is all the name there is. */
static uint32_t
name_of_itself(const struct walk *walk, const struct head *head,
	       uint32_t definer)
{
	if (token_in(walk, &head->tokens[definer],
		     "constructor init deinit subscript", NULL))
		return definer;
	/* companion object { */
	if (definer > 0 && token_word(walk, head, definer, "object") &&
	    token_word(walk, head, definer - 1, "companion") &&
	    !token_type(head, definer + 1, TOKEN_WORD))
		return definer - 1;
	return head->nr;
}

uint32_t
head_name_behind(const struct walk *walk, const struct head *head,
		 uint32_t definer, uint8_t kind)
{
	uint32_t i = definer + 1;
	uint32_t itself;

	if (walk->lang->traits & TRAIT_C)
		return name_in_c(walk, head, i);
	if (kind == LANG_KIND_IMPL && walk->scan->lang == LANG_RUST)
		return name_of_impl(walk, head, i);
	itself = name_of_itself(walk, head, definer);
	if (itself < head->nr)
		return itself;
	if (names_function(walk, &head->tokens[definer], kind))
		return is_operator(head, i) ? i : name_of_function(head, i);
	while (token_type(head, i, TOKEN_PUNCT) &&
	       strchr("*&!?", head->tokens[i].punct) != NULL)
		i++;
	i = skip_angles(head, i);
	if (token_type(head, i, TOKEN_WORD) ||
	    token_type(head, i, TOKEN_STRING))
		return last_of_name(head, i);
	return head->nr;
}
