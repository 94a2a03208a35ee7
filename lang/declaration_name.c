/* SPDX-License-Identifier: MIT */
/*
 * declaration_name.c - which token behind a definer is the name of what it
 *                      defines.
 */
#include "lang/declaration.h"

#include <string.h>

uint32_t
angles_behind(const struct declaration *decl, uint32_t i, uint32_t nest)
{
	if (punct_is(decl, i, '<'))
		return nest + 1;
	return punct_is(decl, i, '>') && nest > 0 ? nest - 1 : nest;
}

uint32_t
skip_angles(const struct declaration *decl, uint32_t i)
{
	uint32_t nest = 0;

	if (!punct_is(decl, i, '<'))
		return i;
	for (uint32_t k = i; k < decl->nr; k++) {
		nest = angles_behind(decl, k, nest);
		if (nest == 0)
			return k + 1;
	}
	return i + 1;
}

/* The last word of a dotted or scoped name that begins at i. */
static uint32_t
last_of_name(const struct declaration *decl, uint32_t i)
{
	return type_is(decl, i + 1, TOKEN_PUNCT)
		       ? tokens_skip(decl, i + 1, "(('D' | '.' | '\\') W)*") - 1
		       : i;
}

/* The name of a class in C and C++, macros and attributes before it or behind;
 * a word before brackets is the name if no other is. */
static uint32_t
name_in_c(const struct declaration *decl, uint32_t i)
{
	uint32_t name = decl->nr;

	for (; i < decl->nr && !word_is(decl, i, "final"); i++) {
		if (type_is(decl, i, TOKEN_WORD) && name < decl->nr &&
		    group_is(decl, i + 1, '('))
			i++;
		else if (type_is(decl, i, TOKEN_WORD))
			name = i = last_of_name(decl, i);
		else if (!type_is(decl, i, TOKEN_GROUP))
			break;
	}
	return name;
}

/* Rust: impl Trait for Type, impl<T> Type<T>. */
static uint32_t
name_of_impl(const struct declaration *decl, uint32_t i)
{
	uint32_t name = decl->nr;
	uint32_t nest = 0;

	for (; i < decl->nr; i++) {
		nest = angles_behind(decl, i, nest);
		if (nest > 0)
			continue;
		if (word_is(decl, i, "for"))
			name = decl->nr;
		else if (word_is(decl, i, "where"))
			break;
		else if (type_is(decl, i, TOKEN_WORD) &&
			 (name == decl->nr ||
			  punct_is(decl, i - 1, PUNCT_SCOPE)))
			name = i;
	}
	return name;
}

/* The word before the first parentheses, or else the first word. */
static uint32_t
name_of_function(const struct declaration *decl, uint32_t i)
{
	uint32_t first = decl->nr;

	for (i = skip_angles(decl, i); i < decl->nr; i++) {
		bool is_open = type_is(decl, i, TOKEN_OPEN);

		if (punct_is(decl, i, '=') || punct_is(decl, i, ':'))
			break;
		if (is_open || (group_is(decl, i, '(') && first < decl->nr))
			return first < decl->nr &&
					       type_is(decl, i - 1, TOKEN_WORD)
				       ? i - 1
				       : first;
		if (type_is(decl, i, TOKEN_WORD) && first == decl->nr)
			first = i;
	}
	return first;
}

/* JavaScript: the word that stands for a name: default of export default class {
 * or function (, global of declare global {; UINT32_MAX: none does. */
static uint32_t
name_in_script(const struct declaration *decl, uint32_t definer)
{
	if (word_is(decl, definer, "global"))
		return definer > 0 && word_is(decl, definer - 1, "declare")
			       ? definer
			       : decl->nr;
	if (word_is(decl, 0, "export") && word_is(decl, 1, "default") &&
	    tokens_are(decl, definer + 1,
		       "'*'? (G | P | '<' | $ | [extends implements])"))
		return 1;
	return UINT32_MAX;
}

uint32_t
declaration_name(const struct declaration *decl, uint32_t definer, uint8_t kind)
{
	uint64_t traits = decl->walk->lang->traits;
	uint32_t i = definer + 1;

	if (traits & TRAIT_C)
		return name_in_c(decl, i);
	if (kind == LANG_KIND_IMPL && decl->walk->scan->lang == LANG_RUST)
		return name_of_impl(decl, i);
	/* the definer itself, or what stands before it, is all there is */
	if (word_in(decl, definer, "constructor init deinit subscript schema"))
		return definer;
	if (word_is(decl, definer - 1, "companion") &&
	    tokens_are(decl, definer, "object !W"))
		return definer - 1;
	if ((traits & TRAIT_METHODS) &&
	    name_in_script(decl, definer) != UINT32_MAX)
		return name_in_script(decl, definer);
	/* a function's name may be an operator */
	if (!(traits & TRAIT_METHODS) &&
	    (kind == LANG_KIND_FUNCTION || word_is(decl, definer, "delegate")))
		return type_is(decl, i, TOKEN_PUNCT) &&
				       tokens_are(decl, i, "'O' | N !W T")
			       ? i
			       : name_of_function(decl, i);
	while (type_is(decl, i, TOKEN_PUNCT) &&
	       strchr("*&!?@", decl->tokens[i].punct) != NULL)
		i++;
	i = skip_angles(decl, i);
	return type_is(decl, i, TOKEN_WORD) || type_is(decl, i, TOKEN_STRING)
		       ? last_of_name(decl, i)
		       : decl->nr;
}
