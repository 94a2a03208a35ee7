/* SPDX-License-Identifier: MIT */
/*
 * declaration_script.c - functions that are values, and methods without a
 *                        word before them: JavaScript and TypeScript.
 */
#include "lang/declaration.h"

#include <string.h>

/* Whether a type ends with the last token, or goes on in braces. */
static bool
type_goes_on(const struct declaration *decl)
{
	const struct token *last = &decl->tokens[decl->nr - 1];

	/* f(a): a is { b: c } { */
	if (last->type == TOKEN_WORD)
		return word_is(decl, decl->nr - 1, "is");
	return last->type == TOKEN_PUNCT && last->punct != PUNCT_ARROW &&
	       last->punct != '>' && last->punct != '?' && last->punct != '!';
}

/* Whether a function's value begins at i: async (...) =>, x =>, function. */
static bool
begins_function(const struct declaration *decl, uint32_t i)
{
	struct token_match match;

	i += word_is(decl, i, "async");
	/* braces within parentheses: more is known behind them */
	if (word_is(decl, i, "function") || tokens_are(decl, i, "P"))
		return true;
	if (type_is(decl, i, TOKEN_WORD))
		return punct_is(decl, i + 1, PUNCT_ARROW);
	if (!tokens_match(decl, i, "('<' (!G T)*)? G", &match))
		return false;
	/* the arrow comes behind the type, whose braces may be open */
	return punct_is(decl, match.end, PUNCT_ARROW) ||
	       (punct_is(decl, match.end, ':') &&
		(tokens_are(decl, match.end, ".. 'A'") || type_goes_on(decl)));
}

/* Whether a < begins arguments of a type, and is no comparison: A<, = <. */
static bool
is_angle(const struct declaration *decl, uint32_t i)
{
	const struct token *before;

	if (!(decl->walk->lang->traits & TRAIT_TYPES) || i == 0 ||
	    !punct_is(decl, i, '<'))
		return false;
	before = &decl->tokens[i - 1];
	return before->type == TOKEN_PUNCT || word_is(decl, i - 1, "async") ||
	       before->at + before->bytes == decl->tokens[i].at;
}

/* Where the last of several declared names begins: var a = 1, b = ... */
static uint32_t
last_declared(const struct declaration *decl, uint32_t first)
{
	uint32_t i = first;
	uint32_t nest = 0;

	if (!word_in(decl, first + word_is(decl, first, "export"),
		     "const let var"))
		return first;
	/* a comma within brackets parts no names */
	for (; i < decl->nr && decl->tokens[i].type != TOKEN_OPEN; i++) {
		if (is_angle(decl, i) || punct_is(decl, i, '>'))
			nest = angles_behind(decl, i, nest);
		if (nest == 0 && punct_is(decl, i, ',') &&
		    type_is(decl, i + 1, TOKEN_WORD))
			first = i + 1;
	}
	return first;
}

/* The sign behind which a function's value stands; nr: none. */
static uint32_t
find_assigned(const struct declaration *decl, uint32_t first)
{
	bool is_pair = decl->frame == FRAME_OBJECT;
	bool typed = false;

	for (uint32_t i = first + 1; i + 1 < decl->nr; i++) {
		bool is_colon = punct_is(decl, i, ':');

		/* a.b = a.c = function */
		if (punct_is(decl, i, '=') && !is_pair &&
		    tokens_are(decl, i + 1, "W ('.' W | B)* '='"))
			continue;
		if (punct_is(decl, i, '=') || (is_colon && is_pair && !typed))
			return (!is_colon || i == first + 1) &&
					       begins_function(decl, i + 1)
				       ? i
				       : decl->nr;
		typed |= is_colon;
		if (punct_is(decl, i, PUNCT_ARROW) && !typed)
			return decl->nr;
	}
	return decl->nr;
}

/* The last word of what is assigned to: a.b.c = */
static uint32_t
assigned_name(const struct declaration *decl, uint32_t first, uint32_t sign)
{
	uint32_t name = first;

	if (word_is(decl, first, "export") && first + 1 < sign)
		name = ++first;
	if (word_in(decl, first, "const let var"))
		return first + 1;
	for (uint32_t i = first; i < sign; i++) {
		if (punct_is(decl, i, ':') && decl->frame != FRAME_OBJECT)
			break;
		if (type_is(decl, i, TOKEN_WORD) ||
		    type_is(decl, i, TOKEN_STRING))
			name = i;
	}
	return name;
}

/* Whether braces behind the statement are those of a class without a name. */
static bool
opens_class(const struct declaration *decl)
{
	for (uint32_t i = decl->open; i < decl->nr; i++)
		if (word_is(decl, i, "class"))
			return true;
	return false;
}

/* Which of the statements around is a declaration: var a = ..., b = ... */
static uint8_t *
declares(const struct walk *walk)
{
	struct lang_frame *frame = walk_frame(walk);

	return frame == NULL ? &walk->scan->declares : &frame->declares;
}

/* exports.a = ..., module.exports = ..., a.b = ... at the top: what others have
 * gets a method. */
static bool
is_of_exports(const struct declaration *decl, uint32_t first)
{
	return word_is(decl, first, "exports") ||
	       (tokens_are(decl, first, "W ('.' | B)") &&
		walk_is_outer(decl->walk));
}

/* static name = (...) => in a class */
static bool
is_open_field(const struct declaration *decl, uint32_t first, uint32_t name)
{
	for (uint32_t i = first; i < name; i++)
		if (word_is(decl, i, "private") || punct_is(decl, i, '#'))
			return false;
	return decl->frame == FRAME_CLASS;
}

/* A function's value behind the sign. */
static bool
judge_value(struct declaration *decl, uint32_t first, uint32_t sign)
{
	struct def_start *start = &decl->start;
	uint32_t last = decl->nr - 1;
	uint32_t name;

	/* not whole yet: its arguments, its type, or an expression behind its
	 * arrow have braces */
	if (decl->open != 0)
		return declaration_resume(
			decl, tokens_are(decl, last, "'A' | G") ? FRAME_BODY
								: FRAME_OBJECT);
	name = assigned_name(decl, first, sign);
	if (name >= decl->nr || type_is(decl, name, TOKEN_PUNCT))
		return false;
	/* a type in braces */
	if (type_goes_on(decl) && walk_byte(decl->walk, decl->end) == '{')
		return declaration_resume(decl, FRAME_EXPR);
	declaration_place(decl, LANG_KIND_FUNCTION, first, name);
	if (punct_is(decl, 0, ',')) {
		start->decl = start->at;
		start->lead = walk_line_start(decl->walk, start->at);
	}
	if (word_is(decl, first, "export") || is_of_exports(decl, first) ||
	    is_open_field(decl, first, name))
		start->flags = LANG_DEF_EXPORTED;
	/* Base => class extends Base { */
	decl->opens = opens_class(decl) ? FRAME_CLASS : FRAME_BODY;
	return true;
}

static bool
judge_assigned(struct declaration *decl)
{
	uint8_t *are_names = declares(decl->walk);
	uint32_t first = decl->first;
	bool declared = word_in(decl, first, "const let var export");
	uint32_t sign;

	if (*are_names && tokens_are(decl, first, "',' W T"))
		first++;
	else
		*are_names = declared;
	first = last_declared(decl, first);
	sign = find_assigned(decl, first);
	if (sign < decl->nr)
		return judge_value(decl, first, sign);
	/* const name: Type<{ ... - what is assigned comes behind */
	return declared && (decl->walk->lang->traits & TRAIT_TYPES) &&
	       tokens_are(decl, first, "export? T T ':' (!'=' T)* $") &&
	       declaration_resume(decl, FRAME_EXPR);
}

/* name(...) { in a class or an object; name, "name" or [name] */
static bool
judge_method(struct declaration *decl)
{
	const struct lang *lang = decl->walk->lang;
	struct token_match match;
	uint32_t i;

	if ((decl->frame != FRAME_CLASS && decl->frame != FRAME_OBJECT) ||
	    !tokens_match(decl, decl->first,
			  "(M !(G | P | '<') &T)* ('*' | '#')* ~(W | S | B)",
			  &match) ||
	    (decl->frame == FRAME_OBJECT &&
	     word_in(decl, match.name, lang->control)))
		return false;
	i = tokens_skip(decl, match.end, "'?'? ('<' (!(G | P) T)*)?");
	/* its arguments have braces */
	if (tokens_are(decl, i, "P"))
		return declaration_resume(decl, FRAME_OBJECT);
	if (!tokens_are(decl, i, "G ($ | ':')"))
		return false;
	if (type_is(decl, decl->nr - 1, TOKEN_OPEN) || type_goes_on(decl))
		return declaration_resume(decl, FRAME_EXPR);
	declaration_place(decl, LANG_KIND_METHOD, decl->first, match.name);
	decl->start.flags = LANG_DEF_EXPORTED;
	for (i = decl->first; i < match.name; i++)
		if (word_is(decl, i, "private") || punct_is(decl, i, '#'))
			decl->start.flags = 0;
	decl->opens = FRAME_BODY;
	return true;
}

/* What braces that define nothing hold. */
static uint8_t
plain_frame(const struct declaration *decl)
{
	uint32_t last = decl->nr - 1;

	if (opens_class(decl))
		return FRAME_CLASS;
	if (punct_is(decl, last, PUNCT_ARROW))
		return FRAME_BODY;
	return type_is(decl, last, TOKEN_OPEN) ||
			       type_is(decl, last, TOKEN_PUNCT) ||
			       word_in(decl, last,
				       "return default in of typeof")
		       ? FRAME_OBJECT
		       : FRAME_BODY;
}

/* TypeScript: a: Array<{, b?: { in a class, whose values come later, if at all */
static bool
is_in_type_of_field(const struct declaration *decl)
{
	return decl->frame == FRAME_CLASS &&
	       (decl->walk->lang->traits & TRAIT_TYPES) &&
	       tokens_are(decl, decl->first,
			  "(M !(':' | '?' | '!') &T)* '#'? (W | S | B)"
			  " ('?' | '!')? ':' (!'=' T)* $");
}

/* Of a component: defineProps<{, and let { a, which may be $props(). */
static bool
is_component_part(const struct declaration *decl)
{
	return decl->walk->scan->script != LANG_NONE &&
	       (declaration_is_component(decl) ||
		(decl->frame == FRAME_TOP &&
		 tokens_are(decl, decl->first,
			    "[const let var] (C ':' (!'=' T)*)? $")));
}

void
declaration_judge_script(struct declaration *decl)
{
	bool braced = walk_byte(decl->walk, decl->end) == '{';

	/* a type's braces hold no definitions */
	if (braced && (decl->walk->lang->traits & TRAIT_TYPES) &&
	    word_is(decl, decl->first, "type"))
		decl->opens = FRAME_EXPR;
	else if (braced && is_in_type_of_field(decl))
		declaration_resume(decl, FRAME_EXPR);
	/* arguments of a decorator: what it is of comes behind them */
	else if (braced && punct_is(decl, 0, '@') &&
		 type_is(decl, decl->first, TOKEN_OPEN))
		declaration_resume(decl, plain_frame(decl));
	else if (braced && is_component_part(decl))
		declaration_resume(decl, FRAME_EXPR);
	else if (!judge_assigned(decl) && !(braced && judge_method(decl)))
		decl->opens = plain_frame(decl);
}
