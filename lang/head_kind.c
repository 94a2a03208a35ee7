/* SPDX-License-Identifier: MIT */
/*
 * head_kind.c - what a head is: a definition, a block, an expression.
 *
 * Does: heads whose definitions begin with a word that says so.
 * Does not: functions that begin with a type (head_typed.c) or are
 *           values (head_script.c).
 */
#include "lang/head.h"

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
	case LANG_KIND_CLASS:
	case LANG_KIND_STRUCT:
	case LANG_KIND_INTERFACE:
	case LANG_KIND_IMPL:
	case LANG_KIND_OBJECT:
	case LANG_KIND_MODULE:
		return FRAME_CLASS;
	case LANG_KIND_ENUM:
		return FRAME_ENUM;
	case LANG_KIND_TYPE:
	case LANG_KIND_MACRO:
		return FRAME_EXPR;
	default:
		return FRAME_BODY;
	}
}

/*
 * Behind macros in lines of their own, NAME or NAME(...), that stand before
 * what begins with a word of the language; a type may look the same.
 */
static uint32_t
skip_macros(struct walk *walk, const struct head *head)
{
	const struct lang *lang = walk->lang;
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

/* Behind an annotation or a decorator at i, and its arguments. */
static uint32_t
skip_annotation(const struct head *head, uint32_t i)
{
	i += 2;
	while (token_punct(head, i, '.') || token_punct(head, i, ':'))
		i += 2;
	i = skip_angles(head, i);
	if (!(i < head->nr && head->tokens[i].newline))
		i += token_group(head, i, '(');
	return i;
}

/* Whether an annotation is at i, and no definition of one. */
static bool
is_annotation(const struct walk *walk, const struct head *head, uint32_t i)
{
	return token_punct(head, i, '@') && i + 1 < head->nr &&
	       !token_is(walk, &head->tokens[i + 1], "interface");
}

/* Behind one attribute at i, or i if there is none. */
static uint32_t
skip_attribute(const struct walk *walk, const struct head *head, uint32_t i)
{
	uint64_t traits = walk->lang->traits;

	if (is_annotation(walk, head, i))
		return skip_annotation(head, i);
	if ((traits & TRAIT_HASH_ATTRIBUTES) && token_punct(head, i, '#')) {
		i += 1 + token_punct(head, i + 1, '!');
		return i + token_group(head, i, '[');
	}
	if ((traits & (TRAIT_BRACKET_ATTRIBUTES | TRAIT_CPP)) &&
	    token_group(head, i, '['))
		return i + 1;
	return i;
}

/* Behind attributes, annotations, decorators. */
static uint32_t
skip_attributes(struct walk *walk, const struct head *head)
{
	uint32_t i = walk->lang->traits & TRAIT_C ? skip_macros(walk, head) : 0;
	uint32_t before;

	do {
		before = i;
		i = skip_attribute(walk, head, i);
	} while (i != before && i < head->nr);
	return i < head->nr ? i : head->nr;
}

/* Behind template <...>; a template that requires is not looked into. */
static uint32_t
skip_template(const struct walk *walk, const struct head *head, uint32_t i)
{
	i = skip_angles(head, i + 1);
	return token_word(walk, head, i, "requires") ? head->nr : i;
}

/* Whether a word that is a modifier and a definer is the former at i. */
static bool
modifies(const struct walk *walk, const struct head *head, uint32_t i)
{
	const struct lang *lang = walk->lang;
	const struct token *next = &head->tokens[i + 1];

	return i + 1 < head->nr &&
	       (token_in(walk, next, lang->definers, NULL) ||
		token_in(walk, next, lang->modifiers, NULL) ||
		token_in(walk, next, "var let", NULL));
}

/* Behind words that may stand before a definer, and what belongs to them. */
static uint32_t
skip_modifiers(struct walk *walk, const struct head *head, uint32_t i)
{
	const struct lang *lang = walk->lang;

	while (i < head->nr) {
		const struct token *token = &head->tokens[i];

		if ((lang->traits & TRAIT_CPP) &&
		    token_is(walk, token, "template")) {
			i = skip_template(walk, head, i);
			continue;
		}
		if (is_annotation(walk, head, i)) {
			i += 2;
			i += token_group(head, i, '(');
			continue;
		}
		if (!token_in(walk, token, lang->modifiers, NULL) ||
		    (token_in(walk, token, lang->definers, NULL) &&
		     !modifies(walk, head, i)))
			break;
		i++;
		i += token_group(head, i, '(') || token_group(head, i, '[') ||
		     token_type(head, i, TOKEN_STRING);
	}
	return i;
}

static uint8_t
go_type(struct walk *walk, const struct head *head, uint32_t name)
{
	const struct token *last = &head->tokens[head->nr - 1];

	if (name + 1 < head->nr && token_is(walk, last, "struct"))
		return LANG_KIND_STRUCT;
	if (name + 1 < head->nr && token_is(walk, last, "interface"))
		return LANG_KIND_INTERFACE;
	return LANG_KIND_TYPE;
}

/* What a trait has, or what is written to have it, has no word of its own. */
static bool
is_of_trait(const struct walk *walk)
{
	const struct lang_frame *frame = walk_frame(walk);

	return frame != NULL && (frame->kind == LANG_KIND_INTERFACE ||
				 (frame->kind == LANG_KIND_IMPL &&
				  (frame->flags & LANG_DEF_EXPORTED)));
}

/* A word before the definition that says who may use it. */
enum said { SAID_NOTHING = 0, SAID_OPEN, SAID_SHUT };

static enum said
said_of_export(const struct walk *walk, const struct head *head,
	       uint32_t definer)
{
	static const char open[] = "pub public export open";
	static const char shut[] = "private fileprivate protected internal "
				   "local my defp defmacrop";
	enum said said = SAID_NOTHING;

	for (uint32_t i = 0; i <= definer && i < head->nr; i++) {
		if (token_in(walk, &head->tokens[i], open, NULL))
			said = SAID_OPEN;
		else if (said == SAID_NOTHING &&
			 (token_in(walk, &head->tokens[i], shut, NULL) ||
			  ((walk->lang->traits & TRAIT_C) &&
			   token_is(walk, &head->tokens[i], "static"))))
			return SAID_SHUT;
	}
	return said;
}

/* Rust: impl Trait for Type */
static bool
implements(const struct walk *walk, const struct head *head, uint32_t definer)
{
	if (!token_word(walk, head, definer, "impl"))
		return false;
	for (uint32_t i = definer; i < head->nr; i++)
		if (token_is(walk, &head->tokens[i], "for"))
			return true;
	return false;
}

static bool
is_exported(struct walk *walk, const struct head *head, uint32_t definer,
	    const struct def_start *start)
{
	uint64_t traits = walk->lang->traits;
	uint8_t first = walk_byte(walk, start->name);
	enum said said;

	/* nobody asks */
	if (walk->sink == NULL)
		return false;
	said = said_of_export(walk, head, definer);
	if (said == SAID_SHUT)
		return false;
	if (traits & TRAIT_EXPORTS_CAPITALS)
		return first >= 'A' && first <= 'Z';
	if (traits & TRAIT_EXPORTS_ALL)
		return true;
	if (!(traits & TRAIT_EXPORTS_WORD))
		return first != '_';
	return said == SAID_OPEN ||
	       (walk->scan->lang == LANG_RUST &&
		(implements(walk, head, definer) || is_of_trait(walk)));
}

static bool
has_outline(const struct head *head)
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

/* Go: func() T is a value's type */
static bool
go_defines(const struct head *head, uint32_t name, uint8_t kind)
{
	return kind != LANG_KIND_FUNCTION || token_group(head, name + 1, '(') ||
	       token_group(head, name + 1, '[') ||
	       token_type(head, name + 1, TOKEN_OPEN);
}

/* Whether a value of that name is meant: class.name, type = x, object: y. */
static bool
is_value(const struct head *head, uint32_t definer, uint32_t name)
{
	return token_punct(head, definer + 1, '.') ||
	       token_punct(head, definer + 1, '=') ||
	       (token_punct(head, definer + 1, ':') && name >= definer);
}

/* Whether what follows a definer lets it be one. */
static bool
may_define(struct walk *walk, const struct head *head, uint32_t definer,
	   uint32_t name, uint8_t kind, uint8_t term)
{
	uint32_t lang = walk->scan->lang;

	if (lang == LANG_RUST) {
		if (kind == LANG_KIND_MACRO || kind == LANG_KIND_IMPL)
			return true;
		/* type Name; in a trait is a place for one */
		if (kind == LANG_KIND_TYPE && !has_outline(head))
			return false;
	} else if (kind == LANG_KIND_MODULE && term == ';') {
		return false;
	}
	if (name >= head->nr || token_word(walk, head, name, "in") ||
	    is_value(head, definer, name))
		return false;
	if (lang == LANG_GO && !go_defines(head, name, kind))
		return false;
	return term == '{' || !(walk->lang->traits & TRAIT_C);
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
	if (walk->scan->lang == LANG_GO &&
	    (kind == LANG_KIND_FUNCTION || kind == LANG_KIND_METHOD) &&
	    token_in(walk, last, "struct interface", NULL))
		return true;
	if (kind != LANG_KIND_FUNCTION || last->type != TOKEN_PUNCT)
		return false;
	return (walk->lang->traits & TRAIT_TYPES) &&
	       strchr(":|&=A<,", last->punct) != NULL;
}

/* The definer behind modifiers that counts, and its letter; nr: none. */
static uint32_t
find_definer(struct walk *walk, const struct head *head, uint32_t first,
	     char *letter)
{
	uint32_t i = skip_modifiers(walk, head, first);

	i += token_punct(head, i, '@'); /* @interface */
	if (i >= head->nr ||
	    !token_in(walk, &head->tokens[i], walk->lang->definers, letter))
		return head->nr;
	/* enum class, record struct */
	if (i + 1 < head->nr && head->tokens[i].type == TOKEN_WORD &&
	    *letter != 'f' && *letter != 't' &&
	    token_in(walk, &head->tokens[i + 1], "class struct", NULL))
		i++;
	/* fun interface */
	if (*letter == 'f' && token_word(walk, head, i + 1, "interface")) {
		i++;
		*letter = 'i';
	}
	return i;
}

/* Braces without a name: namespace {, typedef struct { */
static bool
judge_nameless(struct walk *walk, const struct head *head, uint32_t first,
	       uint8_t kind, struct verdict *verdict)
{
	verdict->frame = frame_of(kind);
	if (token_is(walk, &head->tokens[first], "typedef")) {
		head_place(walk, head, first, head->nr, &verdict->start);
		verdict->start.kind = LANG_KIND_TYPE;
	}
	return true;
}

/* Go tells by what follows the word. */
static uint8_t
go_kind(struct walk *walk, const struct head *head, uint32_t definer,
	uint32_t name, uint8_t kind)
{
	if (walk->scan->lang != LANG_GO)
		return kind;
	if (kind == LANG_KIND_TYPE)
		return go_type(walk, head, name);
	return token_group(head, definer + 1, '(') ? LANG_KIND_METHOD : kind;
}

/* PowerShell: a name has what is no blank, as in Verb-Noun. */
static void
extend_name(const struct walk *walk, const struct head *head,
	    struct def_start *start)
{
	size_t end = start->name + start->name_bytes;

	if (!(walk->lang->traits & TRAIT_ANY_CASE))
		return;
	while (end < head->end && strchr(" \t\r\n(", walk->text[end]) == NULL)
		end++;
	start->name_bytes = end - start->name;
}

/* What the brace behind a definition opens. */
static void
judge_brace(struct walk *walk, const struct head *head, uint32_t definer,
	    struct verdict *verdict)
{
	uint8_t kind = verdict->start.kind;

	verdict->is_expression = kind == LANG_KIND_FUNCTION &&
				 (walk->lang->traits & TRAIT_EXPRESSION_BODY) &&
				 has_outline(head);
	if (!body_comes_later(walk, head, definer, kind))
		return;
	verdict->start.kind = LANG_KIND_NONE;
	verdict->is_expression = false;
	verdict->frame =
		head_open(head) > definer && walk->scan->lang != LANG_GO
			? FRAME_BODY
			: FRAME_EXPR;
	verdict->resume = true;
}

static bool
judge_defined(struct walk *walk, const struct head *head, uint32_t first,
	      uint8_t term, struct verdict *verdict)
{
	char letter;
	uint32_t definer = find_definer(walk, head, first, &letter);
	uint32_t name;
	uint8_t kind;

	if (definer >= head->nr)
		return false;
	/* struct name variable = { */
	if ((walk->lang->traits & TRAIT_C) && has_outline(head))
		return false;
	kind = walk_kind(letter);
	name = head_name_behind(walk, head, definer, kind);
	if (!may_define(walk, head, definer, name, kind, term))
		return term == '{' && kind != LANG_KIND_FUNCTION &&
		       definer + 1 >= head->nr &&
		       judge_nameless(walk, head, first, kind, verdict);
	kind = go_kind(walk, head, definer, name, kind);
	head_place(walk, head, first, name, &verdict->start);
	verdict->start.kind = kind;
	extend_name(walk, head, &verdict->start);
	if (is_exported(walk, head, definer, &verdict->start))
		verdict->start.flags |= LANG_DEF_EXPORTED;
	verdict->frame = frame_of(kind);
	if (term == '{')
		judge_brace(walk, head, definer, verdict);
	if ((walk->lang->traits & TRAIT_TYPES) &&
	    verdict->start.kind == LANG_KIND_INTERFACE)
		verdict->frame = FRAME_EXPR;
	return true;
}

/* Go's `type ( A struct {`: a name and a type, no word before them. */
static bool
judge_go_group(struct walk *walk, const struct head *head,
	       struct verdict *verdict)
{
	if (walk->scan->lang != LANG_GO ||
	    walk->scan->aux[AUX_GROUP] != GROUP_TYPES ||
	    head->frame == FRAME_CLASS || head_open(head) != 0 ||
	    head->nr < 2 || head->tokens[0].type != TOKEN_WORD)
		return false;
	head_place(walk, head, 0, 0, &verdict->start);
	verdict->start.kind = go_type(walk, head, 0);
	verdict->frame = frame_of(verdict->start.kind);
	if (is_exported(walk, head, 0, &verdict->start))
		verdict->start.flags |= LANG_DEF_EXPORTED;
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
		verdict->start.kind = LANG_KIND_FUNCTION;
		verdict->start.flags = LANG_DEF_EXPORTED;
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

	if (walk->scan->lang == LANG_ZIG) {
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
		verdict->start.flags = i > 0 ? LANG_DEF_EXPORTED : 0;
		verdict->frame = FRAME_CLASS;
		return true;
	}
	if (walk->scan->lang == LANG_POWERSHELL) {
		if (head->frame != FRAME_CLASS || nr < 2 ||
		    !token_group(head, nr - 1, '(') ||
		    head->tokens[nr - 2].type != TOKEN_WORD)
			return false;
		head_place(walk, head, 0, nr - 2, &verdict->start);
		verdict->start.kind = LANG_KIND_METHOD;
		verdict->start.flags = LANG_DEF_EXPORTED;
		return true;
	}
	if ((walk->lang->traits & TRAIT_SECTIONS) && head->frame == FRAME_TOP &&
	    head->tokens[0].type == TOKEN_WORD && !token_punct(head, 1, '=')) {
		head_place(walk, head, 0, 0, &verdict->start);
		verdict->start.kind = LANG_KIND_SECTION;
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

	if (walk->scan->lang != LANG_RUST || head->nr == 0)
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
	if (walk->scan->lang == LANG_RUST) {
		i = skip_attributes(walk, head);
		if (i < head->nr && token_is(walk, &head->tokens[i], "pub"))
			i += 1u + token_group(head, i + 1, '(');
		return i < head->nr && token_is(walk, &head->tokens[i], "use");
	}
	if (walk->scan->lang == LANG_PHP)
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

/* In languages where a word says what begins, or braces open something odd. */
static bool
judge_worded(struct walk *walk, const struct head *head, uint32_t first,
	     uint8_t term, struct verdict *verdict)
{
	if (!(walk->lang->traits & TRAIT_ASSIGNED) &&
	    judge_defined(walk, head, first, term, verdict))
		return true;
	return judge_go_group(walk, head, verdict) ||
	       judge_assigned(walk, head, verdict) ||
	       judge_odd(walk, head, verdict);
}

/* A class without a name, as in new class {, object : X { */
static bool
is_anonymous(const struct walk *walk, const struct head *head)
{
	if (walk->lang->traits & (TRAIT_C | TRAIT_TYPED))
		return false;
	for (uint32_t i = head_open(head); i < head->nr; i++)
		if (token_in(walk, &head->tokens[i], "class object", NULL) &&
		    !(i > 0 && token_punct(head, i - 1, '.')))
			return true;
	return false;
}

void
head_judge(struct walk *walk, const struct head *head, uint8_t term,
	   struct verdict *verdict)
{
	uint32_t first = skip_attributes(walk, head);
	uint64_t traits = walk->lang->traits;

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
		if (verdict->start.kind != LANG_KIND_NONE || verdict->resume)
			return;
	}
	if (is_macro_call(walk, head))
		verdict->frame = FRAME_EXPR;
	else if (!judge_worded(walk, head, first, term, verdict) &&
		 is_anonymous(walk, head))
		verdict->frame = FRAME_CLASS;
}
