/* SPDX-License-Identifier: MIT */
/*
 * head_script.c - functions that are values, and methods without a
 *                       word before them: JavaScript and TypeScript.
 */
#include "lang/head.h"

#include <string.h>

/* Whether a type ends with the last token, or goes on in braces. */
static bool
type_goes_on(const struct head *head)
{
	const struct token *last = &head->tokens[head->nr - 1];

	return last->type == TOKEN_PUNCT && last->punct != PUNCT_ARROW &&
	       last->punct != '>' && last->punct != '?' && last->punct != '!';
}

/* Whether a function's value begins at i: async (...) =>, x =>, function. */
static bool
begins_function(struct walk *walk, const struct head *head, uint32_t i)
{
	if (i < head->nr && token_is(walk, &head->tokens[i], "async"))
		i++;
	if (i >= head->nr)
		return false;
	if (token_is(walk, &head->tokens[i], "function"))
		return true;
	if (token_punct(head, i, '<')) {
		while (i < head->nr && !token_group(head, i, '('))
			i++;
		if (i == head->nr)
			return false;
	}
	if (head->tokens[i].type == TOKEN_WORD)
		return token_punct(head, i + 1, PUNCT_ARROW);
	/* braces within parentheses: more is known behind them */
	if (head->tokens[i].type == TOKEN_OPEN)
		return head->tokens[i].punct == '(';
	if (!token_group(head, i, '('))
		return false;
	if (token_punct(head, i + 1, PUNCT_ARROW))
		return true;
	if (!token_punct(head, i + 1, ':'))
		return false;
	for (; i < head->nr; i++)
		if (token_punct(head, i, PUNCT_ARROW))
			return true;
	/* the arrow comes behind the braces of the type */
	return type_goes_on(head);
}

/* Where the last of several declared names begins: var a = 1, b = ... */
static uint32_t
last_declared(struct walk *walk, const struct head *head, uint32_t first)
{
	uint32_t i = first;

	if (token_is(walk, &head->tokens[first], "export"))
		i++;
	if (i >= head->nr ||
	    !token_in(walk, &head->tokens[i], "const let var", NULL))
		return first;
	/* a comma within brackets parts no names */
	for (i = first; i < head->nr && head->tokens[i].type != TOKEN_OPEN; i++)
		if (token_punct(head, i, ',') && i + 1 < head->nr &&
		    head->tokens[i + 1].type == TOKEN_WORD)
			first = i + 1;
	return first;
}

/* The sign behind which a function's value stands; nr: none. */
static uint32_t
find_assigned(struct walk *walk, const struct head *head, uint32_t first)
{
	bool is_pair = head->frame == FRAME_OBJECT;
	bool typed = false;

	for (uint32_t i = first + 1; i + 1 < head->nr; i++) {
		if (token_punct(head, i, '='))
			return begins_function(walk, head, i + 1) ? i
								  : head->nr;
		if (token_punct(head, i, ':') && is_pair && !typed)
			return i == first + 1 && begins_function(walk, head,
								 i + 1)
				       ? i
				       : head->nr;
		typed |= token_punct(head, i, ':');
		if (token_punct(head, i, PUNCT_ARROW) && !typed)
			return head->nr;
	}
	return head->nr;
}

/* The last word of what is assigned to: a.b.c = */
static uint32_t
assigned_name(struct walk *walk, const struct head *head, uint32_t first,
	      uint32_t sign)
{
	uint32_t name = first;

	if (token_in(walk, &head->tokens[first], "export", NULL) &&
	    first + 1 < sign)
		name = ++first;
	if (token_in(walk, &head->tokens[first], "const let var", NULL))
		return first + 1;
	for (uint32_t i = first; i < sign; i++) {
		if (token_punct(head, i, ':') && head->frame != FRAME_OBJECT)
			break;
		if (head->tokens[i].type == TOKEN_WORD ||
		    head->tokens[i].type == TOKEN_STRING)
			name = i;
	}
	return name;
}

/* A function's value that is not whole yet: its arguments, its type, or an
 * expression behind its arrow have braces. */
static bool
judge_unfinished(const struct head *head, struct verdict *verdict)
{
	if (head_open(head) == 0)
		return false;
	verdict->frame = token_punct(head, head->nr - 1, PUNCT_ARROW) ||
					 token_group(head, head->nr - 1, '(')
				 ? FRAME_BODY
				 : FRAME_OBJECT;
	verdict->resume = true;
	return true;
}

/* const name: Type<{ ... - what is assigned comes behind. */
static bool
type_in_braces(struct walk *walk, const struct head *head, uint32_t first)
{
	uint32_t i = first + token_is(walk, &head->tokens[first], "export");

	if (!token_punct(head, i + 2, ':') ||
	    !(walk->lang->traits & TRAIT_TYPES))
		return false;
	for (i += 2; i < head->nr; i++)
		if (token_punct(head, i, '='))
			return false;
	return true;
}

/* Whether braces behind the head are those of a class without a name. */
static bool
opens_class(struct walk *walk, const struct head *head)
{
	for (uint32_t i = head_open(head); i < head->nr; i++)
		if (token_is(walk, &head->tokens[i], "class"))
			return true;
	return false;
}

/* Which of the statements around is a declaration: var a = ..., b = ... */
static uint8_t *
declares(struct walk *walk)
{
	struct lang_frame *frame = walk_frame(walk);

	return frame == NULL ? &walk->scan->declares : &frame->declares;
}

/* exports.a = ..., module.exports = ..., module.exports.a = ... */
static bool
is_of_exports(struct walk *walk, const struct head *head, uint32_t first,
	      uint32_t sign)
{
	const struct token *token = &head->tokens[first];

	if (first + 2 < sign && token_is(walk, token, "module"))
		token += 2; /* and a dot between them */
	return token_is(walk, token, "exports") ||
	       (first + 3 == sign && token_punct(head, first + 1, '.') &&
		head_is_exports(walk, token));
}

static bool
judge_assigned(struct walk *walk, const struct head *head, uint32_t first,
	       struct verdict *verdict)
{
	bool declared = token_in(walk, &head->tokens[first],
				 "const let var export", NULL);
	uint32_t sign;
	uint32_t name;

	if (token_punct(head, first, ',') && *declares(walk) &&
	    first + 2 < head->nr && head->tokens[first + 1].type == TOKEN_WORD)
		first++;
	else
		*declares(walk) = declared;
	first = last_declared(walk, head, first);
	sign = find_assigned(walk, head, first);
	if (sign >= head->nr && declared && type_in_braces(walk, head, first)) {
		verdict->frame = FRAME_EXPR;
		verdict->resume = true;
		return true;
	}
	if (sign >= head->nr)
		return false;
	if (judge_unfinished(head, verdict))
		return true;
	name = assigned_name(walk, head, first, sign);
	if (name >= head->nr || head->tokens[name].type == TOKEN_PUNCT)
		return false;
	if (type_goes_on(head) && walk_byte(walk, head->end) == '{') {
		/* a type in braces */
		verdict->frame = FRAME_EXPR;
		verdict->resume = true;
		return true;
	}
	head_place(walk, head, first, name, &verdict->start);
	if (token_punct(head, 0, ',')) {
		verdict->start.head = verdict->start.at;
		verdict->start.lead = walk_line_start(walk, verdict->start.at);
	}
	verdict->start.kind = LANG_KIND_FUNCTION;
	if (token_is(walk, &head->tokens[first], "export") ||
	    is_of_exports(walk, head, first, sign))
		verdict->start.flags = LANG_DEF_EXPORTED;
	/* Base => class extends Base { */
	verdict->frame = opens_class(walk, head) ? FRAME_CLASS : FRAME_BODY;
	return true;
}

/* Behind a method's modifiers; *is_open: it is for others to use. */
static uint32_t
skip_modifiers(struct walk *walk, const struct head *head, uint32_t i,
	       bool *is_open)
{
	*is_open = true;
	while (i + 1 < head->nr &&
	       token_in(walk, &head->tokens[i], walk->lang->modifiers, NULL) &&
	       head->tokens[i + 1].punct != '(' &&
	       !token_punct(head, i + 1, '<')) {
		*is_open &= !token_in(walk, &head->tokens[i],
				      "private protected", NULL);
		i++;
	}
	while (token_punct(head, i, '*') || token_punct(head, i, '#'))
		i++;
	return i;
}

/* Whether a method may be named so: name, "name", [name]. */
static bool
is_method_name(struct walk *walk, const struct head *head, uint32_t i)
{
	if (!token_type(head, i, TOKEN_WORD) &&
	    !token_type(head, i, TOKEN_STRING) && !token_group(head, i, '['))
		return false;
	return head->frame != FRAME_OBJECT ||
	       !token_in(walk, &head->tokens[i], walk->lang->control, NULL);
}

/* Where a method's parentheses are to be: behind name?<T>. */
static uint32_t
skip_method_name(const struct head *head, uint32_t i)
{
	i++;
	i += token_punct(head, i, '?');
	if (token_punct(head, i, '<'))
		while (i < head->nr && head->tokens[i].punct != '(')
			i++;
	return i;
}

static bool
judge_method(struct walk *walk, const struct head *head, uint32_t first,
	     struct verdict *verdict)
{
	const struct token *last = &head->tokens[head->nr - 1];
	bool is_open;
	uint32_t name;
	uint32_t i;

	if (head->frame != FRAME_CLASS && head->frame != FRAME_OBJECT)
		return false;
	name = skip_modifiers(walk, head, first, &is_open);
	if (!is_method_name(walk, head, name))
		return false;
	i = skip_method_name(head, name);
	if (token_type(head, i, TOKEN_OPEN) && head->tokens[i].punct == '(') {
		/* its arguments have braces */
		verdict->frame = FRAME_OBJECT;
		verdict->resume = true;
		return true;
	}
	if (!token_group(head, i, '(') ||
	    (i + 1 < head->nr && !token_punct(head, i + 1, ':')))
		return false;
	if (last->type == TOKEN_OPEN || type_goes_on(head)) {
		verdict->frame = FRAME_EXPR;
		verdict->resume = true;
		return true;
	}
	head_place(walk, head, first, name, &verdict->start);
	verdict->start.kind = LANG_KIND_METHOD;
	verdict->start.flags = is_open ? LANG_DEF_EXPORTED : 0;
	verdict->frame = FRAME_BODY;
	return true;
}

/* What braces that define nothing hold. */
static uint8_t
plain_frame(struct walk *walk, const struct head *head)
{
	const struct token *last = &head->tokens[head->nr - 1];

	if (opens_class(walk, head))
		return FRAME_CLASS;
	if (last->type == TOKEN_OPEN)
		return FRAME_OBJECT;
	if (last->type == TOKEN_PUNCT)
		return last->punct == PUNCT_ARROW ? FRAME_BODY : FRAME_OBJECT;
	if (token_in(walk, last, "return default in of typeof", NULL))
		return FRAME_OBJECT;
	return FRAME_BODY;
}

void
head_judge_script(struct walk *walk, const struct head *head, uint32_t first,
		  struct verdict *verdict)
{
	bool braced = walk_byte(walk, head->end) == '{';

	/* a type's braces hold no definitions */
	if ((walk->lang->traits & TRAIT_TYPES) &&
	    token_in(walk, &head->tokens[first], "type", NULL) && braced) {
		verdict->frame = FRAME_EXPR;
		return;
	}
	if (judge_assigned(walk, head, first, verdict))
		return;
	if (braced && judge_method(walk, head, first, verdict))
		return;
	if (head->nr > 0)
		verdict->frame = plain_frame(walk, head);
}
