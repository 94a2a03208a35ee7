/* SPDX-License-Identifier: MIT */
/*
 * chunk_head_kind.c - what a head is: a definition, a block, an expression.
 *
 * Does: heads whose definitions begin with a word that says so.
 * Does not: functions that begin with a type (chunk_head_typed.c) or are
 *           values (chunk_head_script.c).
 */
#include "stages/chunk/chunk_head.h"

#include <string.h>

void
head_place(struct walk *walk, const struct head *head, uint32_t first,
	   uint32_t name, struct def_start *start)
{
	const struct token *token = &head->tokens[first];

	start->at = token->at;
	start->head = head->lost ? token->at : head->tokens[0].at;
	start->lead = head->lead != SIZE_MAX && !head->lost
			      ? head->lead
			      : walk_line_start(walk, head->tokens[0].at);
	start->body = head->end;
	start->name = token->at;
	start->name_bytes = 0;
	if (name < head->nr) {
		start->name = head->tokens[name].at;
		start->name_bytes = head->tokens[name].bytes;
	}
}

static uint8_t
frame_of(uint8_t kind)
{
	switch (kind) {
	case CHUNK_KIND_CLASS:
	case CHUNK_KIND_STRUCT:
	case CHUNK_KIND_INTERFACE:
	case CHUNK_KIND_IMPL:
	case CHUNK_KIND_OBJECT:
	case CHUNK_KIND_MODULE:
		return FRAME_CLASS;
	case CHUNK_KIND_ENUM:
		return FRAME_ENUM;
	case CHUNK_KIND_TYPE:
	case CHUNK_KIND_MACRO:
		return FRAME_EXPR;
	default:
		return FRAME_BODY;
	}
}

/* Behind < ... >, or i if there is none. */
static uint32_t
behind_angles(const struct head *head, uint32_t i)
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

/*
 * Behind macros in lines of their own, NAME or NAME(...), that stand before
 * what begins with a word of the language; a type may look the same.
 */
static uint32_t
behind_macros(struct walk *walk, const struct head *head)
{
	const struct chunk_lang *lang = walk->lang;
	uint32_t i = 0;

	while (i + 1 < head->nr && head->tokens[i].type == TOKEN_WORD &&
	       head_is_upper(walk, &head->tokens[i])) {
		i++;
		i += token_group(head, i, '(');
		if (i >= head->nr || !head->tokens[i].newline)
			return 0;
	}
	if (i == 0 || i >= head->nr ||
	    !(token_in(walk, &head->tokens[i], lang->definers, NULL) ||
	      token_in(walk, &head->tokens[i], lang->modifiers, NULL) ||
	      token_is(walk, &head->tokens[i], "template")))
		return 0;
	return i;
}

/* Behind attributes, annotations, decorators, templates. */
static uint32_t
behind_attributes(struct walk *walk, const struct head *head)
{
	uint32_t traits = walk->lang->traits;
	uint32_t i = traits & TRAIT_C ? behind_macros(walk, head) : 0;

	for (;;) {
		uint32_t before = i;

		if (token_punct(head, i, '@') && i + 1 < head->nr &&
		    !token_is(walk, &head->tokens[i + 1], "interface")) {
			i += 2;
			while (token_punct(head, i, '.') ||
			       token_punct(head, i, ':'))
				i += 2;
			i = behind_angles(head, i);
			if (!(i < head->nr && head->tokens[i].newline))
				i += token_group(head, i, '(');
		} else if ((traits & TRAIT_HASH_ATTRIBUTES) &&
			   token_punct(head, i, '#')) {
			i += 1 + token_punct(head, i + 1, '!');
			i += token_group(head, i, '[');
		} else if ((traits & (TRAIT_BRACKET_ATTRIBUTES | TRAIT_CPP)) &&
			   token_group(head, i, '[')) {
			i++;
		} else if ((traits & TRAIT_CPP) && i < head->nr &&
			   token_is(walk, &head->tokens[i], "template")) {
			/* part of the definition, but for its own words */
			break;
		}
		if (i == before || i >= head->nr)
			return i < head->nr ? i : head->nr;
	}
	return i;
}

/* Behind words that may stand before a definer, and what belongs to them. */
static uint32_t
behind_modifiers(struct walk *walk, const struct head *head, uint32_t i)
{
	const struct chunk_lang *lang = walk->lang;

	while (i < head->nr) {
		const struct token *token = &head->tokens[i];
		char letter;

		if (token_is(walk, token, "template") &&
		    (lang->traits & TRAIT_CPP)) {
			i = behind_angles(head, i + 1);
			if (i < head->nr &&
			    token_is(walk, &head->tokens[i], "requires"))
				i = head->nr;
			continue;
		}
		if (!token_in(walk, token, lang->modifiers, NULL)) {
			if (token->type == TOKEN_PUNCT && token->punct == '@' &&
			    i + 1 < head->nr &&
			    !token_is(walk, &head->tokens[i + 1],
				      "interface")) {
				i += 2;
				i += token_group(head, i, '(');
				continue;
			}
			break;
		}
		/* a word that is both stands before another definer */
		if (token_in(walk, token, lang->definers, &letter) &&
		    !(i + 1 < head->nr &&
		      (token_in(walk, token + 1, lang->definers, NULL) ||
		       token_in(walk, token + 1, lang->modifiers, NULL) ||
		       token_in(walk, token + 1, "var let", NULL))))
			break;
		i++;
		if (token_group(head, i, '(') || token_group(head, i, '['))
			i++;
		else if (i < head->nr && head->tokens[i].type == TOKEN_STRING)
			i++;
	}
	return i;
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
name_in_c(struct walk *walk, const struct head *head, uint32_t i)
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
name_of_impl(struct walk *walk, const struct head *head, uint32_t i)
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

	i = behind_angles(head, i);
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

static uint32_t
name_behind(struct walk *walk, const struct head *head, uint32_t definer,
	    uint8_t kind)
{
	uint32_t i = definer + 1;

	if (walk->lang->traits & TRAIT_C)
		return name_in_c(walk, head, i);
	if (kind == CHUNK_KIND_IMPL && walk->scan->lang == CHUNK_LANG_RUST)
		return name_of_impl(walk, head, i);
	if (token_in(walk, &head->tokens[definer],
		     "constructor init deinit subscript", NULL))
		return definer;
	/* companion object { */
	if (definer > 0 && token_is(walk, &head->tokens[definer], "object") &&
	    token_is(walk, &head->tokens[definer - 1], "companion") &&
	    !(i < head->nr && head->tokens[i].type == TOKEN_WORD))
		return definer - 1;
	if ((kind == CHUNK_KIND_FUNCTION ||
	     token_is(walk, &head->tokens[definer], "delegate")) &&
	    !(walk->lang->traits & TRAIT_METHODS)) {
		/* an operator */
		if (token_punct(head, i, PUNCT_OTHER) ||
		    (i + 1 < head->nr && head->tokens[i].type == TOKEN_PUNCT &&
		     head->tokens[i + 1].type != TOKEN_WORD))
			return i;
		return name_of_function(head, i);
	}
	while (i < head->nr && head->tokens[i].type == TOKEN_PUNCT &&
	       strchr("*&!?", head->tokens[i].punct) != NULL)
		i++;
	i = behind_angles(head, i);
	if (i < head->nr && (head->tokens[i].type == TOKEN_WORD ||
			     head->tokens[i].type == TOKEN_STRING))
		return last_of_name(head, i);
	return head->nr;
}

static uint8_t
go_type(struct walk *walk, const struct head *head, uint32_t name)
{
	const struct token *last = &head->tokens[head->nr - 1];

	if (name + 1 < head->nr && token_is(walk, last, "struct"))
		return CHUNK_KIND_STRUCT;
	if (name + 1 < head->nr && token_is(walk, last, "interface"))
		return CHUNK_KIND_INTERFACE;
	return CHUNK_KIND_TYPE;
}

/* What a trait has, or what is written to have it, has no word of its own. */
static bool
is_of_trait(const struct walk *walk)
{
	const struct chunk_frame *frame = walk_frame(walk);

	return frame != NULL && (frame->kind == CHUNK_KIND_INTERFACE ||
				 (frame->kind == CHUNK_KIND_IMPL &&
				  (frame->flags & CHUNK_DEF_EXPORTED)));
}

static bool
is_exported(struct walk *walk, const struct head *head, uint32_t definer,
	    const struct def_start *start)
{
	static const char open[] = "pub public export open";
	static const char shut[] = "private fileprivate protected internal "
				   "local my defp defmacrop";
	uint8_t first = walk_byte(walk, start->name);
	bool is_open = false;

	/* nobody asks */
	if (walk->sink == NULL)
		return false;
	for (uint32_t i = 0; i <= definer && i < head->nr; i++) {
		if (token_in(walk, &head->tokens[i], open, NULL))
			is_open = true;
		else if (!is_open &&
			 (token_in(walk, &head->tokens[i], shut, NULL) ||
			  ((walk->lang->traits & TRAIT_C) &&
			   token_is(walk, &head->tokens[i], "static"))))
			return false;
	}
	switch (walk->scan->lang) {
	case CHUNK_LANG_GO:
		return first >= 'A' && first <= 'Z';
	case CHUNK_LANG_PHP:
		return true;
	case CHUNK_LANG_RUST:
		if (token_is(walk, &head->tokens[definer], "impl"))
			for (uint32_t i = definer; i < head->nr; i++)
				is_open |=
					token_is(walk, &head->tokens[i], "for");
		return is_open || is_of_trait(walk);
	case CHUNK_LANG_ZIG:
	case CHUNK_LANG_JAVA:
	case CHUNK_LANG_CSHARP:
	case CHUNK_LANG_JAVASCRIPT:
	case CHUNK_LANG_TYPESCRIPT:
	case CHUNK_LANG_JSX:
	case CHUNK_LANG_TSX:
		return is_open;
	default:
		return first != '_';
	}
}

static bool
has_sign(const struct head *head)
{
	uint32_t nest = 0;

	for (uint32_t i = 0; i < head->nr; i++) {
		if (token_punct(head, i, '<'))
			nest++;
		else if (token_punct(head, i, '>') && nest > 0)
			nest--;
		else if (nest == 0 && token_punct(head, i, '='))
			return true;
	}
	return false;
}

/* Whether what follows a definer lets it be one. */
static bool
may_define(struct walk *walk, const struct head *head, uint32_t definer,
	   uint32_t name, uint8_t kind, uint8_t term)
{
	uint32_t traits = walk->lang->traits;

	if (walk->scan->lang == CHUNK_LANG_RUST) {
		if (kind == CHUNK_KIND_MACRO || kind == CHUNK_KIND_IMPL)
			return true;
		/* type Name; in a trait is a place for one */
		if (kind == CHUNK_KIND_TYPE && !has_sign(head))
			return false;
	}
	if (kind == CHUNK_KIND_MODULE && term == ';' &&
	    walk->scan->lang != CHUNK_LANG_RUST)
		return false;
	if (name >= head->nr || token_is(walk, &head->tokens[name], "in"))
		return false;
	/* Go: func() T is a value's type */
	if (walk->scan->lang == CHUNK_LANG_GO && kind == CHUNK_KIND_FUNCTION &&
	    !(name + 1 < head->nr &&
	      (token_group(head, name + 1, '(') ||
	       token_group(head, name + 1, '[') ||
	       head->tokens[name + 1].type == TOKEN_OPEN)))
		return false;
	if (token_punct(head, definer + 1, '.') ||
	    token_punct(head, definer + 1, '=') ||
	    (token_punct(head, definer + 1, ':') && name >= definer))
		return false;
	if (term == '{')
		return true;
	if (traits & TRAIT_C)
		return false;
	return true;
}

/* Whether a list of types is still open where the head ends. */
static bool
in_angles(const struct head *head, uint32_t i)
{
	uint32_t nest = 0;

	for (; i < head->nr; i++) {
		if (token_punct(head, i, '<'))
			nest++;
		else if (token_punct(head, i, '>') && nest > 0)
			nest--;
	}
	return nest > 0;
}

/*
 * Whether the braces behind are not the body: an argument's type, a lambda's.
 */
static bool
body_comes_later(struct walk *walk, const struct head *head, uint32_t definer,
		 uint8_t kind)
{
	const struct token *last = &head->tokens[head->nr - 1];

	if (head_open(head) > definer)
		return true;
	/* class C<T extends { */
	if ((walk->lang->traits & TRAIT_TYPES) && in_angles(head, definer))
		return true;
	/* Go: func f() struct{} { */
	if (walk->scan->lang == CHUNK_LANG_GO &&
	    (kind == CHUNK_KIND_FUNCTION || kind == CHUNK_KIND_METHOD) &&
	    token_in(walk, last, "struct interface", NULL))
		return true;
	if (kind != CHUNK_KIND_FUNCTION || last->type != TOKEN_PUNCT)
		return false;
	return (walk->lang->traits & TRAIT_TYPES) &&
	       strchr(":|&=A<,", last->punct) != NULL;
}

static bool
judge_defined(struct walk *walk, const struct head *head, uint32_t first,
	      uint8_t term, struct verdict *verdict)
{
	uint32_t definer = behind_modifiers(walk, head, first);
	char letter;
	uint32_t name;
	uint8_t kind;

	/* @interface */
	if (token_punct(head, definer, '@'))
		definer++;
	if (definer >= head->nr || !token_in(walk, &head->tokens[definer],
					     walk->lang->definers, &letter))
		return false;
	/* struct name variable = { */
	if ((walk->lang->traits & TRAIT_C) && has_sign(head))
		return false;
	/* enum class, fun interface, record struct */
	if (definer + 1 < head->nr &&
	    head->tokens[definer].type == TOKEN_WORD && letter != 'f' &&
	    letter != 't' &&
	    token_in(walk, &head->tokens[definer + 1], "class struct", NULL))
		definer++;
	if (definer + 1 < head->nr && letter == 'f' &&
	    token_is(walk, &head->tokens[definer + 1], "interface")) {
		definer++;
		letter = 'i';
	}
	kind = walk_kind(letter);
	name = name_behind(walk, head, definer, kind);
	if (!may_define(walk, head, definer, name, kind, term)) {
		if (term != '{' || kind == CHUNK_KIND_FUNCTION ||
		    definer + 1 < head->nr)
			return false;
		/* without a name: namespace {, typedef struct { */
		verdict->frame = frame_of(kind);
		if (token_is(walk, &head->tokens[first], "typedef")) {
			head_place(walk, head, first, head->nr,
				   &verdict->start);
			verdict->start.kind = CHUNK_KIND_TYPE;
		}
		return true;
	}
	if (walk->scan->lang == CHUNK_LANG_GO) {
		if (kind == CHUNK_KIND_TYPE)
			kind = go_type(walk, head, name);
		else if (token_group(head, definer + 1, '('))
			kind = CHUNK_KIND_METHOD;
	}
	head_place(walk, head, first, name, &verdict->start);
	verdict->start.kind = kind;
	/* Verb-Noun */
	if (walk->lang->traits & TRAIT_ANY_CASE)
		while (verdict->start.name + verdict->start.name_bytes <
			       head->end &&
		       strchr(" \t\r\n(",
			      walk->text[verdict->start.name +
					 verdict->start.name_bytes]) == NULL)
			verdict->start.name_bytes++;
	if (is_exported(walk, head, definer, &verdict->start))
		verdict->start.flags |= CHUNK_DEF_EXPORTED;
	verdict->frame = frame_of(kind);
	verdict->is_expression = term == '{' && kind == CHUNK_KIND_FUNCTION &&
				 (walk->lang->traits & TRAIT_EXPRESSION_BODY) &&
				 has_sign(head);
	if (term == '{' && body_comes_later(walk, head, definer, kind)) {
		verdict->start.kind = CHUNK_KIND_NONE;
		verdict->is_expression = false;
		verdict->frame =
			head_open(head) > definer &&
					walk->scan->lang != CHUNK_LANG_GO
				? FRAME_BODY
				: FRAME_EXPR;
		verdict->resume = true;
	}
	if ((walk->lang->traits & TRAIT_TYPES) &&
	    verdict->start.kind == CHUNK_KIND_INTERFACE)
		verdict->frame = FRAME_EXPR;
	return true;
}

/* Go's `type ( A struct {`: a name and a type, no word before them. */
static bool
judge_go_group(struct walk *walk, const struct head *head,
	       struct verdict *verdict)
{
	if (walk->scan->lang != CHUNK_LANG_GO ||
	    walk->scan->aux[AUX_GROUP] != GROUP_TYPES ||
	    head->frame == FRAME_CLASS || head_open(head) != 0 ||
	    head->nr < 2 || head->tokens[0].type != TOKEN_WORD)
		return false;
	head_place(walk, head, 0, 0, &verdict->start);
	verdict->start.kind = go_type(walk, head, 0);
	verdict->frame = frame_of(verdict->start.kind);
	if (is_exported(walk, head, 0, &verdict->start))
		verdict->start.flags |= CHUNK_DEF_EXPORTED;
	return true;
}

/* R and its like: name <- function(...) { */
static bool
judge_assigned(struct walk *walk, const struct head *head,
	       struct verdict *verdict)
{
	if (!(walk->lang->traits & TRAIT_ASSIGNED) || head->nr < 3 ||
	    (head->tokens[0].type == TOKEN_PUNCT &&
	     head->tokens[0].punct != '.'))
		return false;
	for (uint32_t i = 1; i + 1 < head->nr; i++) {
		if (head->tokens[i].type == TOKEN_OPEN)
			return false;
		if (!token_punct(head, i, PUNCT_OTHER) &&
		    !token_punct(head, i, '='))
			continue;
		if (!token_is(walk, &head->tokens[i + 1], "function") &&
		    !token_punct(head, i + 1, '\\'))
			return false;
		head_place(walk, head, 0, i - 1, &verdict->start);
		verdict->start.name = head->tokens[0].at;
		verdict->start.name_bytes = head->tokens[i - 1].at +
					    head->tokens[i - 1].bytes -
					    head->tokens[0].at;
		verdict->start.kind = CHUNK_KIND_FUNCTION;
		verdict->start.flags = CHUNK_DEF_EXPORTED;
		verdict->frame = FRAME_BODY;
		return true;
	}
	return false;
}

/* Zig: const Name = struct {, and blocks that are sections by themselves. */
static bool
judge_odd(struct walk *walk, const struct head *head, struct verdict *verdict)
{
	uint32_t nr = head->nr;

	if (walk->scan->lang == CHUNK_LANG_ZIG) {
		uint32_t i = token_is(walk, &head->tokens[0], "pub");
		static const char kinds[] = "struct=s enum=e union=s";
		char letter;
		uint32_t last = nr - 1;

		while (last > 0 && head->tokens[last].type == TOKEN_GROUP)
			last--;
		if (nr < i + 4 || !token_is(walk, &head->tokens[i], "const") ||
		    !token_punct(head, i + 2, '=') ||
		    !token_in(walk, &head->tokens[last], kinds, &letter))
			return false;
		head_place(walk, head, 0, i + 1, &verdict->start);
		verdict->start.kind = walk_kind(letter);
		verdict->start.flags = i > 0 ? CHUNK_DEF_EXPORTED : 0;
		verdict->frame = FRAME_CLASS;
		return true;
	}
	if (walk->scan->lang == CHUNK_LANG_POWERSHELL) {
		if (head->frame != FRAME_CLASS || nr < 2 ||
		    !token_group(head, nr - 1, '(') ||
		    head->tokens[nr - 2].type != TOKEN_WORD)
			return false;
		head_place(walk, head, 0, nr - 2, &verdict->start);
		verdict->start.kind = CHUNK_KIND_METHOD;
		verdict->start.flags = CHUNK_DEF_EXPORTED;
		return true;
	}
	if ((walk->lang->traits & TRAIT_SECTIONS) && head->frame == FRAME_TOP &&
	    head->tokens[0].type == TOKEN_WORD && !token_punct(head, 1, '=')) {
		head_place(walk, head, 0, 0, &verdict->start);
		verdict->start.kind = CHUNK_KIND_SECTION;
		verdict->start.name_bytes = head->tokens[nr - 1].at +
					    head->tokens[nr - 1].bytes -
					    head->tokens[0].at;
		verdict->frame = FRAME_EXPR;
		return true;
	}
	return false;
}

/* Inside a macro's braces nothing is defined that can be seen. */
static bool
is_macro_call(const struct walk *walk, const struct head *head)
{
	uint32_t open = head_open(head);

	if (walk->scan->lang != CHUNK_LANG_RUST || head->nr == 0)
		return false;
	if (token_punct(head, head->nr - 1, '!'))
		return head->nr > 1 &&
		       head->tokens[head->nr - 2].type == TOKEN_WORD;
	return open > 1 && token_punct(head, open - 2, '!');
}

/* import { a, b } from "c"; use a::{b, c}; - the braces hold names. */
static bool
names_imports(struct walk *walk, const struct head *head)
{
	uint32_t i = 0;

	if (head->nr == 0)
		return false;
	if (walk->scan->lang == CHUNK_LANG_RUST) {
		i = behind_attributes(walk, head);
		if (i < head->nr && token_is(walk, &head->tokens[i], "pub"))
			i += 1u + token_group(head, i + 1, '(');
		return i < head->nr && token_is(walk, &head->tokens[i], "use");
	}
	if (walk->scan->lang == CHUNK_LANG_PHP)
		return token_is(walk, &head->tokens[0], "use") &&
		       token_punct(head, head->nr - 1, '\\');
	if (!(walk->lang->traits & TRAIT_METHODS))
		return false;
	if (token_is(walk, &head->tokens[0], "import"))
		return !token_group(head, 1, '(') &&
		       !(head->nr > 1 && head->tokens[1].type == TOKEN_OPEN) &&
		       !token_punct(head, 1, '.');
	return token_is(walk, &head->tokens[0], "export") &&
	       (head->nr == 1 ||
		(head->nr == 2 && token_is(walk, &head->tokens[1], "type")));
}

void
head_judge(struct walk *walk, const struct head *head, uint8_t term,
	   struct verdict *verdict)
{
	uint32_t first = behind_attributes(walk, head);
	uint32_t traits = walk->lang->traits;

	memset(verdict, 0, sizeof(*verdict));
	verdict->frame = FRAME_BODY;
	if (term == '{' && names_imports(walk, head)) {
		verdict->frame = FRAME_EXPR;
		verdict->resume = true;
		return;
	}
	if (first >= head->nr) {
		/* annotations alone, or nothing: @A({...}) goes on */
		verdict->resume = head->nr > 0 && token_punct(head, 0, '@');
		return;
	}
	if (traits & TRAIT_METHODS) {
		if (!judge_defined(walk, head, first, term, verdict))
			head_judge_script(walk, head, first, verdict);
		return;
	}
	if (traits & TRAIT_TYPED) {
		head_judge_typed(walk, head, first, term, verdict);
		if (verdict->start.kind != CHUNK_KIND_NONE || verdict->resume)
			return;
	}
	if (is_macro_call(walk, head)) {
		verdict->frame = FRAME_EXPR;
		return;
	}
	if ((!(traits & TRAIT_ASSIGNED) &&
	     judge_defined(walk, head, first, term, verdict)) ||
	    judge_go_group(walk, head, verdict) ||
	    judge_assigned(walk, head, verdict) ||
	    judge_odd(walk, head, verdict))
		return;
	if (traits & (TRAIT_C | TRAIT_TYPED))
		return;
	/* an anonymous class, as in new class {, object : X { */
	for (uint32_t i = head_open(head); i < head->nr; i++)
		if (token_in(walk, &head->tokens[i], "class object", NULL) &&
		    !(i > 0 && token_punct(head, i - 1, '.')))
			verdict->frame = FRAME_CLASS;
}
