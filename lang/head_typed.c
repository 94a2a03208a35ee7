/* SPDX-License-Identifier: MIT */
/*
 * head_typed.c - functions that begin with a type: C, C++, Java, C#,
 *                      Dart and their like.
 *
 * Does: tells `static int f(int a)` from `struct f {`, `if (a)`, `x = {` and
 *       `NAME(a)`.
 */
#include "lang/head.h"

#include <string.h>

#include "base/hash.h"

/* Words before parentheses that are no function's name. */
const char head_not_names[] =
	"__attribute__ __attribute __declspec alignas _Alignas __aligned "
	"decltype typeof __typeof__ noexcept requires asm __asm__ explicit throw "
	"throws _Pragma __pragma __extension__ typename sizeof delegate";

bool
head_is_upper(const struct walk *walk, const struct token *token)
{
	bool letter = false;

	for (size_t i = 0; i < token->bytes; i++) {
		uint8_t c = walk->text[token->at + i];

		if (c >= 'a' && c <= 'z')
			return false;
		letter |= c >= 'A' && c <= 'Z';
	}
	return letter;
}

/* __printf(1, 2), DEPRECATED("x"): may stand before a function's type. */
static bool
looks_like_macro(const struct walk *walk, const struct token *token)
{
	return head_is_upper(walk, token) ||
	       (token->bytes > 2 && walk->text[token->at] == '_' &&
		walk->text[token->at + 1] == '_');
}

/* What ends the head of a function before its parentheses. */
static bool
ends_search(const struct head *head, uint32_t i)
{
	return token_punct(head, i, '=') || token_punct(head, i, ':') ||
	       token_punct(head, i, PUNCT_ARROW) ||
	       token_punct(head, i, PUNCT_RIGHT);
}

/* operator(), operator==, operator bool: the parentheses behind the name. */
static uint32_t
operator_pair(const struct head *head, uint32_t i)
{
	i++;
	while (i < head->nr && !token_group(head, i, '('))
		i++;
	return i + token_group(head, i + 1, '(');
}

/* Whether the parentheses at i stand behind a name, or behind Name<T>. */
static bool
is_pair(struct walk *walk, const struct head *head, uint32_t i)
{
	if (i == 0 || !token_group(head, i, '('))
		return false;
	if (token_punct(head, i - 1, '>'))
		return walk->lang->traits & (TRAIT_MEMBERS | TRAIT_CPP);
	return head->tokens[i - 1].type == TOKEN_WORD &&
	       !token_in(walk, &head->tokens[i - 1], head_not_names, NULL);
}

/* Index of the parentheses that stand behind a name; nr: none. */
static uint32_t
find_pair(struct walk *walk, const struct head *head, uint32_t i)
{
	bool has_operators = walk->lang->traits & (TRAIT_CPP | TRAIT_MEMBERS);
	uint32_t nest = 0;

	for (; i < head->nr; i++) {
		if (token_punct(head, i, '<'))
			nest++;
		else if (token_punct(head, i, '>') && nest > 0)
			nest--;
		if (nest == 0 && ends_search(head, i))
			return head->nr;
		if (has_operators &&
		    token_is(walk, &head->tokens[i], "operator"))
			return operator_pair(head, i);
		if (nest == 0 && is_pair(walk, head, i))
			return i;
	}
	return head->nr;
}

/* The name before parentheses; nr: not a name. */
static uint32_t
name_before(struct walk *walk, const struct head *head, uint32_t first,
	    uint32_t pair)
{
	uint32_t i = pair - 1;
	uint32_t nest = 0;

	for (uint32_t k = first; k < pair; k++)
		if (token_is(walk, &head->tokens[k], "operator"))
			return k;
	if (!token_punct(head, i, '>'))
		return i;
	for (; i > first; i--) {
		if (token_punct(head, i, '>'))
			nest++;
		else if (token_punct(head, i, '<') && --nest == 0)
			return head->tokens[i - 1].type == TOKEN_WORD
				       ? i - 1
				       : head->nr;
	}
	return head->nr;
}

/*
 * A macro with arguments may stand before a function's type: then the pair
 * that counts is the next one.
 */
static uint32_t
the_pair(struct walk *walk, const struct head *head, uint32_t first)
{
	uint32_t pair = find_pair(walk, head, first);

	if (!(walk->lang->traits & TRAIT_C))
		return pair;
	while (pair < head->nr &&
	       looks_like_macro(walk, &head->tokens[pair - 1])) {
		uint32_t next = find_pair(walk, head, pair + 1);

		if (next >= head->nr || next < pair + 2 ||
		    looks_like_macro(walk, &head->tokens[next - 1]))
			break;
		pair = next;
	}
	return pair;
}

/* C++: f() : a{1}, b{2} { - only the last brace is the body. */
static bool
is_member_brace(const struct head *head, uint32_t pair)
{
	const struct token *last = &head->tokens[head->nr - 1];
	bool colon = false;

	for (uint32_t i = pair + 1; i < head->nr; i++)
		colon |= token_punct(head, i, ':');
	return colon && (last->type == TOKEN_WORD ||
			 token_punct(head, head->nr - 1, '>') ||
			 token_punct(head, head->nr - 1, ','));
}

/* What may stand between a function's parentheses and its body. */
static bool
tail_is_plain(struct walk *walk, const struct head *head, uint32_t pair,
	      uint8_t term)
{
	uint64_t traits = walk->lang->traits;

	for (uint32_t i = pair + 1; i < head->nr; i++) {
		const struct token *token = &head->tokens[i];

		if (token->type == TOKEN_OPEN)
			return false;
		if (token->type != TOKEN_PUNCT)
			continue;
		if (token->punct == PUNCT_ARROW)
			return term == ';';
		if (token->punct == '=')
			return walk->declaring && i + 2 == head->nr &&
			       token_in(walk, token + 1, "0 default delete",
					NULL);
		if (token->punct == ':' &&
		    ((traits & TRAIT_CPP) || walk->scan->lang == LANG_DART))
			return true;
		if (strchr("+/%|!?", token->punct) != NULL)
			return false;
	}
	if (term == '{' && head->nr > pair + 1 &&
	    token_punct(head, head->nr - 1, ',') && !(traits & TRAIT_CPP))
		return false;
	return true;
}

/* Whether functions that begin with a type can stand here. */
static bool
typed_allowed(const struct walk *walk, const struct head *head, uint8_t term)
{
	uint64_t traits = walk->lang->traits;

	if (term == ';' && !(traits & TRAIT_DECLARED) && !walk->declaring)
		return false;
	switch (head->frame) {
	case FRAME_CLASS:
	case FRAME_ENUM:
		return true;
	case FRAME_TOP:
		if (!(traits & TRAIT_MEMBERS))
			return true;
		return walk->scan->lang == LANG_DART ||
		       walk->scan->lang == LANG_GROOVY;
	default:
		return false;
	}
}

/* new X(...) { : a class without a name. */
static bool
is_anonymous(struct walk *walk, const struct head *head)
{
	uint32_t i = head->nr;

	if (!(walk->lang->traits & TRAIT_MEMBERS) || i == 0 ||
	    !token_group(head, --i, '('))
		return false;
	while (i-- > 0) {
		const struct token *token = &head->tokens[i];

		if (token_is(walk, token, "new"))
			return true;
		if (token->type == TOKEN_GROUP || token->type == TOKEN_OPEN ||
		    token->type == TOKEN_STRING ||
		    (token->type == TOKEN_PUNCT &&
		     strchr("=;!&|+-", token->punct) != NULL))
			return false;
	}
	return false;
}

/* What its braces hold: members in Java, an initializer elsewhere. */
static uint8_t
new_frame(const struct walk *walk)
{
	return walk->scan->lang == LANG_JAVA || walk->scan->lang == LANG_GROOVY
		       ? FRAME_CLASS
		       : FRAME_EXPR;
}

/* A constant of an enum with a body of its own. */
static bool
is_constant(struct walk *walk, const struct head *head, uint32_t first,
	    uint32_t pair)
{
	const struct lang_frame *frame = walk_frame(walk);
	const struct token *name = &head->tokens[first];

	if (frame == NULL || frame->type != FRAME_ENUM || pair != first + 1 ||
	    name->type != TOKEN_WORD)
		return false;
	return hash32(HASH32_BEGIN, walk->text + name->at, name->bytes) !=
	       frame->name_hash;
}

/* C#: what nothing is said of is private, but for what an interface has. */
static uint8_t
sharp_flags(struct walk *walk, const struct head *head, uint32_t first,
	    uint32_t name)
{
	const struct lang_frame *frame = walk_frame(walk);

	for (uint32_t i = first; i < name && i < head->nr; i++)
		if (token_is(walk, &head->tokens[i], "public"))
			return LANG_DEF_EXPORTED;
	return frame != NULL && frame->kind == LANG_KIND_INTERFACE
		       ? LANG_DEF_EXPORTED
		       : 0;
}

static void
judge_function(struct walk *walk, const struct head *head, uint32_t first,
	       uint32_t pair, struct verdict *verdict)
{
	uint32_t name = name_before(walk, head, first, pair);
	struct def_start *start = &verdict->start;

	if (name >= head->nr ||
	    (head->tokens[first].type == TOKEN_PUNCT &&
	     strchr("~<@D*&", head->tokens[first].punct) == NULL))
		return;
	head_place(walk, head, first, name, start);
	if (name > first && token_punct(head, name - 1, '~')) {
		start->name--;
		start->name_bytes++;
	}
	if (token_is(walk, &head->tokens[name], "operator"))
		start->name_bytes = head->tokens[pair - 1].at +
				    head->tokens[pair - 1].bytes - start->name;
	start->kind = LANG_KIND_FUNCTION;
	verdict->frame = FRAME_BODY;
	start->flags = LANG_DEF_EXPORTED;
	for (uint32_t i = first; i < name && walk->sink != NULL; i++) {
		if (token_in(walk, &head->tokens[i],
			     "static private protected internal", NULL) &&
		    !(token_is(walk, &head->tokens[i], "static") &&
		      ((walk->lang->traits & TRAIT_MEMBERS) ||
		       head->frame == FRAME_CLASS)))
			start->flags = 0;
	}
	if (walk_frame(walk) != NULL && walk_frame(walk)->shut)
		start->flags = 0;
	if (walk->scan->lang == LANG_CSHARP && walk->sink != NULL)
		start->flags = sharp_flags(walk, head, first, name);
}

/* C#: Type Name { get; set; } */
static bool
judge_property(struct walk *walk, const struct head *head, uint32_t first,
	       struct verdict *verdict)
{
	const struct token *last = &head->tokens[head->nr - 1];

	if (walk->scan->lang != LANG_CSHARP || head->frame != FRAME_CLASS ||
	    head->nr < first + 2)
		return false;
	if (last->type != TOKEN_WORD &&
	    !(last->type == TOKEN_GROUP && last->punct == '['))
		return false;
	for (uint32_t i = first; i < head->nr; i++)
		if (token_punct(head, i, '=') ||
		    token_punct(head, i, PUNCT_ARROW) ||
		    head->tokens[i].type == TOKEN_OPEN ||
		    token_in(walk, &head->tokens[i],
			     "class struct interface enum record namespace "
			     "get set add remove init",
			     NULL))
			return false;
	head_place(walk, head, first,
		   last->type == TOKEN_WORD ? head->nr - 1 : head->nr - 2,
		   &verdict->start);
	verdict->start.kind = LANG_KIND_PROPERTY;
	verdict->start.flags = sharp_flags(walk, head, first, head->nr);
	verdict->frame = FRAME_BODY;
	return true;
}

/* An initializer, whose braces hold nothing that can be found. */
static void
judge_expression(struct walk *walk, const struct head *head,
		 struct verdict *verdict)
{
	const struct token *last = &head->tokens[head->nr - 1];

	if (is_anonymous(walk, head)) {
		verdict->frame = new_frame(walk);
		return;
	}
	for (uint32_t i = 0; i < head->nr; i++)
		if (token_punct(head, i, '=') &&
		    !token_punct(head, head->nr - 1, PUNCT_RIGHT) &&
		    !token_punct(head, head->nr - 1, PUNCT_ARROW) &&
		    !token_group(head, head->nr - 1, '('))
			verdict->frame = FRAME_EXPR;
	if (last->type == TOKEN_OPEN || last->type == TOKEN_PUNCT)
		if (walk->lang->traits & TRAIT_C)
			verdict->frame = FRAME_EXPR;
}

static bool
is_class_head(struct walk *walk, const struct head *head, uint32_t first,
	      uint32_t pair)
{
	const struct lang *lang = walk->lang;

	for (uint32_t i = first; i < pair && i < head->nr; i++) {
		char letter;

		if (!token_in(walk, &head->tokens[i], lang->definers, &letter))
			continue;
		if (letter == 'f')
			continue;
		/* struct x *f(...) is a function, class MACRO(a) x is not, and
		 * record Name(...) is not */
		if (!(lang->traits & TRAIT_C))
			return true;
		if (i + 2 == pair && pair + 1 < head->nr &&
		    head->tokens[pair + 1].type == TOKEN_WORD &&
		    head_is_upper(walk, &head->tokens[pair - 1]))
			return true;
	}
	return false;
}

/* Objective-C: - (type)name:(type)argument, + (type)name */
static bool
judge_message(struct walk *walk, const struct head *head, uint32_t first,
	      struct verdict *verdict)
{
	uint32_t i = first;

	if (!(walk->lang->traits & TRAIT_OBJC) || head->frame != FRAME_CLASS)
		return false;
	/* macros may stand before it, in lines of their own */
	while (i < head->nr &&
	       !((token_punct(head, i, '-') || token_punct(head, i, '+')) &&
		 (i == first || head->tokens[i].newline)))
		i++;
	first = i++;
	i += token_group(head, i, '(');
	if (i >= head->nr || head->tokens[i].type != TOKEN_WORD)
		return false;
	head_place(walk, head, first, i, &verdict->start);
	verdict->start.kind = LANG_KIND_METHOD;
	verdict->start.flags = LANG_DEF_EXPORTED;
	return true;
}

/* Dart: int get name => value; */
static bool
judge_getter(struct walk *walk, const struct head *head, uint32_t first,
	     struct verdict *verdict)
{
	uint32_t i = first;

	if (walk->scan->lang != LANG_DART ||
	    (head->frame != FRAME_CLASS && head->frame != FRAME_TOP &&
	     head->frame != FRAME_ENUM))
		return false;
	while (i + 1 < head->nr && !token_is(walk, &head->tokens[i], "get"))
		if (token_punct(head, i++, '='))
			return false;
	if (i + 1 >= head->nr || head->tokens[i + 1].type != TOKEN_WORD ||
	    (i + 2 < head->nr && !token_punct(head, i + 2, PUNCT_ARROW) &&
	     head->tokens[i + 2].type != TOKEN_WORD))
		return false;
	head_place(walk, head, first, i + 1, &verdict->start);
	verdict->start.kind = LANG_KIND_METHOD;
	if (walk_byte(walk, verdict->start.name) != '_')
		verdict->start.flags = LANG_DEF_EXPORTED;
	return true;
}

/* Dart: f(int a, { - what is named among the arguments of a head. */
static bool
takes_named(const struct walk *walk, const struct head *head, uint32_t first)
{
	uint32_t open = head_open(head);

	if (walk->scan->lang != LANG_DART || open <= first + 1 ||
	    (head->frame != FRAME_CLASS && head->frame != FRAME_TOP &&
	     head->frame != FRAME_ENUM))
		return false;
	for (uint32_t i = first; i + 1 < open; i++)
		if (token_punct(head, i, '=') ||
		    token_punct(head, i, PUNCT_ARROW))
			return false;
	return true;
}

/* Words of the language before a statement, which is no function then. */
static bool
judge_control(struct walk *walk, const struct head *head, uint32_t first,
	      struct verdict *verdict)
{
	const struct token *token = &head->tokens[first];

	if (token_in(walk, token, walk->lang->control, NULL) &&
	    !token_in(walk, token, "new get set lock", NULL)) {
		if (is_anonymous(walk, head))
			verdict->frame = new_frame(walk);
		return true;
	}
	/* extern "C" { */
	if ((walk->lang->traits & TRAIT_C) && head->nr == first + 2 &&
	    token_is(walk, token, "extern")) {
		verdict->frame = FRAME_CLASS;
		return true;
	}
	return false;
}

/* What has parentheses behind a name, where functions can stand. */
static bool
judge_pair(struct walk *walk, const struct head *head, uint32_t first,
	   uint8_t term, struct verdict *verdict)
{
	uint64_t traits = walk->lang->traits;
	uint32_t pair = the_pair(walk, head, first);

	if (pair >= head->nr || !typed_allowed(walk, head, term) ||
	    is_class_head(walk, head, first, pair))
		return false;
	if (is_constant(walk, head, first, pair)) {
		verdict->frame = FRAME_CLASS;
		return true;
	}
	if ((traits & TRAIT_CPP) && term == '{' &&
	    is_member_brace(head, pair)) {
		verdict->frame = FRAME_EXPR;
		verdict->resume = true;
		return true;
	}
	if (tail_is_plain(walk, head, pair, term)) {
		judge_function(walk, head, first, pair, verdict);
		return true;
	}
	/* a body behind an arrow, braces within it */
	verdict->resume = term == '{' && (traits & TRAIT_DECLARED);
	return false;
}

void
head_judge_typed(struct walk *walk, const struct head *head, uint32_t first,
		 uint8_t term, struct verdict *verdict)
{
	if (judge_message(walk, head, first, verdict) ||
	    judge_getter(walk, head, first, verdict) ||
	    judge_control(walk, head, first, verdict))
		return;
	if (term == '{' && takes_named(walk, head, first)) {
		verdict->frame = FRAME_EXPR;
		verdict->resume = true;
		return;
	}
	if (judge_pair(walk, head, first, term, verdict) || term != '{')
		return;
	if (head->frame == FRAME_ENUM && head->nr == first + 1) {
		verdict->frame = FRAME_CLASS;
		return;
	}
	if (judge_property(walk, head, first, verdict))
		return;
	/* annotations with braces before what they are of */
	if (token_punct(head, 0, '@') && head_open(head) != 0)
		verdict->resume = true;
	judge_expression(walk, head, verdict);
}
