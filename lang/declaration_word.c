/* SPDX-License-Identifier: MIT */
/*
 * declaration_word.c - what a statement is: a definition, a block, an
 *                      expression.
 *
 * Does: definitions that begin with a word that says so.
 * Does not: functions that begin with a type (declaration_typed.c) or are
 *           values (declaration_script.c).
 */
#include "lang/declaration.h"

#include <string.h>

void
declaration_place(struct declaration *decl, uint8_t kind, uint32_t first,
		  uint32_t name)
{
	struct def_start *start = &decl->start;
	const struct token *tokens = decl->tokens;

	start->kind = kind;
	start->at = tokens[first].at;
	start->decl = tokens[0].at;
	start->lead = decl->lead != SIZE_MAX
			      ? decl->lead
			      : walk_line_start(decl->walk, tokens[0].at);
	start->body = decl->end;
	start->name = start->at;
	start->name_bytes = 0;
	if (name < decl->nr) {
		start->name = tokens[name].at;
		start->name_bytes = tokens[name].bytes;
	}
}

/* What is no class and has fields all the same. */
static bool
holds_fields(const struct declaration *decl, uint8_t kind)
{
	uint32_t lang = decl->walk->scan->lang;

	/* oneof */
	if (lang == LANG_PROTOBUF)
		return kind == LANG_KIND_SECTION;
	return kind == LANG_KIND_TYPE &&
	       ((decl->walk->lang->traits & TRAIT_TYPES) ||
		lang == LANG_GRAPHQL);
}

static uint8_t
frame_of(const struct declaration *decl, uint8_t kind)
{
	uint32_t lang = decl->walk->scan->lang;

	/* commas end what they hold */
	if ((kind == LANG_KIND_STRUCT && lang == LANG_RUST) ||
	    (kind == LANG_KIND_CLASS && lang == LANG_KOTLIN &&
	     tokens_are(decl, decl->first, "(!class T)* enum class")))
		return FRAME_ENUM;
	if (holds_fields(decl, kind))
		return FRAME_CLASS;
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
 * C: behind macros in lines of their own, NAME or NAME(...), if what follows
 * begins with a word of the language, because a type may look the same; behind
 * one on the line of a struct; and behind the bracket of PACK(struct a {
 */
static uint32_t
skip_macros(const struct declaration *decl)
{
	uint32_t i = word_is_upper(decl, 0)
			     ? tokens_skip(decl, 0,
					   "(U G? ^)+ !U &(F | M | template)")
			     : 0;

	return i > 0 ? i
		     : tokens_skip(decl, 0,
				   "W G? &[struct union enum class] | "
				   "U P &([struct union enum] W? W? $)");
}

/* Behind attributes, annotations, decorators, macros. */
uint32_t
declaration_first(const struct declaration *decl)
{
	uint64_t traits = decl->walk->lang->traits;
	uint32_t i = 0;
	uint32_t before;

	if ((traits & TRAIT_C) && word_is_macro(decl, 0))
		i = skip_macros(decl);
	do {
		before = i;
		if (punct_is(decl, i, '@'))
			i = tokens_skip(decl, i,
					"'@' !interface T (('.' | ':') T?)* "
					"<>? (!^ G)?");
		else if ((traits & TRAIT_HASH_ATTRIBUTES) &&
			 punct_is(decl, i, '#'))
			i = tokens_skip(decl, i, "'#' '!'? B?");
		else if (traits & (TRAIT_BRACKET_ATTRIBUTES | TRAIT_CPP))
			i += group_is(decl, i, '[');
	} while (i != before && i < decl->nr);
	return i;
}

/*
 * Behind words that may stand before a definer, and what belongs to them. A
 * word that is a definer as well is a modifier before another of the two.
 */
static uint32_t
skip_modifiers(const struct declaration *decl, uint32_t i)
{
	const struct lang *lang = decl->walk->lang;
	uint32_t before;

	do {
		before = i;
		if ((lang->traits & TRAIT_CPP) && word_is(decl, i, "template"))
			i = tokens_skip_template(decl, i);
		else if (punct_is(decl, i, '@'))
			i = tokens_skip(decl, i, "'@' !interface T G?");
		else if (word_in(decl, i, lang->modifiers) &&
			 (!word_in(decl, i, lang->definers) ||
			  tokens_are(decl, i + 1, "F | M | var | let")))
			i += 1u + (group_is(decl, i + 1, '(') ||
				   group_is(decl, i + 1, '[') ||
				   type_is(decl, i + 1, TOKEN_STRING));
	} while (i != before);
	return i;
}

static uint8_t
go_type(const struct declaration *decl, uint32_t name)
{
	if (name + 1 < decl->nr && word_is(decl, decl->nr - 1, "struct"))
		return LANG_KIND_STRUCT;
	if (name + 1 < decl->nr && word_is(decl, decl->nr - 1, "interface"))
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

/* By words before the definition that say who may use it, and by its name. */
static void
set_exported(struct declaration *decl, uint32_t definer)
{
	static const char open[] = "pub public export open";
	static const char shut[] = "private fileprivate internal local my "
				   "defp defmacrop";
	const struct walk *walk = decl->walk;
	uint64_t traits = walk->lang->traits;
	uint8_t first = walk_byte(walk, decl->start.name);
	bool is_open = false;
	bool is_exported;

	/* nobody asks */
	if (walk->sink == NULL)
		return;
	for (uint32_t i = 0; i <= definer && i < decl->nr; i++) {
		is_open |= word_in(decl, i, open);
		if (!is_open &&
		    (word_in(decl, i, shut) ||
		     ((traits & TRAIT_C) && word_is(decl, i, "static"))))
			return;
	}
	if (traits & TRAIT_EXPORTS_CAPITALS)
		is_exported = first >= 'A' && first <= 'Z';
	else if (traits & TRAIT_EXPORTS_ALL)
		is_exported = true;
	else if (!(traits & TRAIT_EXPORTS_WORD))
		is_exported = first != '_' || declaration_has_words(decl);
	else
		/* Rust: impl Trait for Type */
		is_exported =
			is_open || (walk->scan->lang == LANG_RUST &&
				    (tokens_are(decl, definer, "impl .. for") ||
				     is_of_trait(walk)));
	if (is_exported)
		decl->start.flags |= LANG_DEF_EXPORTED;
}

/* Whether a value is assigned, outside of < >. */
static bool
has_value(const struct declaration *decl)
{
	uint32_t nest = 0;

	for (uint32_t i = 0; i < decl->nr; i++) {
		if (nest == 0 && punct_is(decl, i, '='))
			return true;
		nest = angles_behind(decl, i, nest);
	}
	return false;
}

/* Whether what follows a definer lets it be one. */
static bool
may_define(const struct declaration *decl, uint32_t definer, uint32_t name,
	   uint8_t kind)
{
	uint32_t lang = decl->walk->scan->lang;

	if (lang == LANG_RUST) {
		if (kind == LANG_KIND_MACRO || kind == LANG_KIND_IMPL)
			return true;
		/* type Name; in a trait is a place for one */
		if (kind == LANG_KIND_TYPE && !has_value(decl))
			return false;
	} else if (kind == LANG_KIND_MODULE && decl->term == ';') {
		return false;
	}
	/* a value of that name: class.name, type = x, object: y */
	if (name >= decl->nr || word_is(decl, name, "in") ||
	    punct_is(decl, definer + 1, '.') ||
	    punct_is(decl, definer + 1, '=') ||
	    (punct_is(decl, definer + 1, ':') && name >= definer))
		return false;
	/* Go: func() T is a value's type */
	if (lang == LANG_GO && kind == LANG_KIND_FUNCTION &&
	    !tokens_are(decl, name + 1, "G | B | O"))
		return false;
	return decl->term == '{' || !(decl->walk->lang->traits & TRAIT_C);
}

/* Whether a list of types is still open where the statement ends. */
static bool
in_angles(const struct declaration *decl, uint32_t i)
{
	uint32_t nest = 0;

	for (; i < decl->nr; i++)
		nest = angles_behind(decl, i, nest);
	return nest > 0;
}

/* TypeScript: type A = | {, type A = B extends C ? { - but those right behind
 * the sign, or behind B &, hold the members of the type, as do those of one that
 * has very many. */
static bool
is_part_of_type(const struct declaration *decl, uint32_t definer)
{
	uint32_t sign = definer;
	uint32_t nest = 0;

	/* behind type A<B = C> */
	while (sign < decl->nr && (nest > 0 || !punct_is(decl, sign, '=')))
		nest = angles_behind(decl, sign++, nest);
	if (sign + 1 >= decl->nr ||
	    decl->walk->scan->resumes + 1 >= RESUMES_MAX)
		return false;
	return !punct_is(decl, decl->nr - 1, '&') ||
	       punct_from(decl, sign, '|') < decl->nr;
}

/*
 * Whether the braces behind are not the body: an argument's type, a lambda's.
 */
static bool
body_comes_later(const struct declaration *decl, uint32_t definer, uint8_t kind)
{
	const struct token *last = &decl->tokens[decl->nr - 1];
	bool has_types = decl->walk->lang->traits & TRAIT_TYPES;

	if (decl->open > definer)
		return true;
	/* class C<T extends { */
	if (has_types && in_angles(decl, definer))
		return true;
	/* Go: func f() struct{} { */
	if (decl->walk->scan->lang == LANG_GO &&
	    (kind == LANG_KIND_FUNCTION || kind == LANG_KIND_METHOD) &&
	    word_in(decl, decl->nr - 1, "struct interface"))
		return true;
	if (has_types && kind == LANG_KIND_TYPE)
		return is_part_of_type(decl, definer);
	/* f(a): a is { b: c } { */
	if (has_types && kind == LANG_KIND_FUNCTION &&
	    word_is(decl, decl->nr - 1, "is"))
		return true;
	return has_types && kind == LANG_KIND_FUNCTION &&
	       last->type == TOKEN_PUNCT &&
	       strchr(":|&=A<,", last->punct) != NULL;
}

/* The definer behind modifiers that counts, and its letter; nr: none. */
static uint32_t
find_definer(const struct declaration *decl, char *letter)
{
	uint32_t i = skip_modifiers(decl, decl->first);

	i += punct_is(decl, i, '@'); /* @interface */
	*letter = word_letter(decl, i, decl->walk->lang->definers);
	if (*letter == '\0')
		return decl->nr;
	/* enum class, record struct */
	if (*letter != 'f' && *letter != 't' &&
	    word_in(decl, i + 1, "class struct"))
		i++;
	/* fun interface */
	if (*letter == 'f' && word_is(decl, i + 1, "interface")) {
		i++;
		*letter = 'i';
	}
	return i;
}

/* Braces without a name: namespace {, typedef struct { */
static bool
judge_nameless(struct declaration *decl, uint32_t definer, uint8_t kind)
{
	if (decl->term != '{' || kind == LANG_KIND_FUNCTION ||
	    definer + 1 < decl->nr)
		return false;
	decl->opens = frame_of(decl, kind);
	if (word_is(decl, decl->first, "typedef"))
		declaration_place(decl, LANG_KIND_TYPE, decl->first, decl->nr);
	return true;
}

/* PowerShell: a name has what is no blank, as in Verb-Noun. */
static void
extend_name(struct declaration *decl)
{
	struct def_start *start = &decl->start;
	const uint8_t *text = decl->walk->text;
	size_t end = start->name + start->name_bytes;

	if (!(decl->walk->lang->traits & TRAIT_ANY_CASE))
		return;
	while (end < decl->end && strchr(" \t\r\n(", text[end]) == NULL)
		end++;
	start->name_bytes = end - start->name;
}

/* What the brace behind a definition opens. */
static void
judge_brace(struct declaration *decl, uint32_t definer)
{
	uint8_t kind = decl->start.kind;

	if (body_comes_later(decl, definer, kind)) {
		decl->start.kind = LANG_KIND_NONE;
		declaration_resume(
			decl, decl->open > definer &&
					      decl->walk->scan->lang != LANG_GO
				      ? FRAME_BODY
				      : FRAME_EXPR);
		return;
	}
	decl->is_expression =
		kind == LANG_KIND_FUNCTION &&
		(decl->walk->lang->traits & TRAIT_EXPRESSION_BODY) &&
		has_value(decl);
}

/* Zig: fn A(comptime T: type) type {, which returns a struct. */
static bool
makes_type(const struct declaration *decl, uint8_t kind)
{
	return decl->walk->scan->lang == LANG_ZIG &&
	       kind == LANG_KIND_FUNCTION && decl->nr > 2 &&
	       tokens_are(decl, decl->nr - 2, "G type $");
}

static bool
judge_defined(struct declaration *decl)
{
	uint64_t traits = decl->walk->lang->traits;
	char letter;
	uint32_t definer = find_definer(decl, &letter);
	uint32_t name;
	uint8_t kind;

	/* struct name variable = { */
	if (definer >= decl->nr || ((traits & TRAIT_C) && has_value(decl)))
		return false;
	kind = walk_kind(letter);
	name = declaration_name(decl, definer, kind);
	if (!may_define(decl, definer, name, kind))
		return judge_nameless(decl, definer, kind);
	/* Go tells by what follows the word */
	if (decl->walk->scan->lang == LANG_GO) {
		if (kind == LANG_KIND_TYPE)
			kind = go_type(decl, name);
		else if (group_is(decl, definer + 1, '('))
			kind = LANG_KIND_METHOD;
	}
	declaration_place(decl, kind, decl->first, name);
	extend_name(decl);
	set_exported(decl, definer);
	decl->opens = frame_of(decl, kind);
	if (makes_type(decl, kind))
		decl->start.kind = LANG_KIND_STRUCT;
	if (decl->term == '{')
		judge_brace(decl, definer);
	return true;
}

/* Go's `type ( A struct {`: a name and a type, no word before them. */
static bool
judge_go_group(struct declaration *decl)
{
	if (decl->walk->scan->lang != LANG_GO ||
	    decl->walk->scan->aux[AUX_GROUP] != GROUP_TYPES ||
	    decl->frame == FRAME_CLASS || decl->open != 0 ||
	    !tokens_are(decl, 0, "W T"))
		return false;
	declaration_member_group(decl);
	declaration_place(decl, go_type(decl, 0), 0, 0);
	decl->opens = frame_of(decl, decl->start.kind);
	set_exported(decl, 0);
	return true;
}

/* Names the definition by all from the first token up to one. */
static void
name_up_to(struct declaration *decl, uint32_t last)
{
	const struct token *token = &decl->tokens[last];

	decl->start.name = decl->tokens[0].at;
	decl->start.name_bytes = token->at + token->bytes - decl->start.name;
}

/*
 * Declarations of one language that begin with none of its definers: R's
 * name <- function(...) {, Zig's const Name = struct {, methods of PowerShell,
 * and blocks that are sections by themselves.
 */
static bool
judge_odd(struct declaration *decl)
{
	uint32_t lang = decl->walk->scan->lang;
	uint64_t traits = decl->walk->lang->traits;
	struct token_match match;

	if (traits & TRAIT_ASSIGNED) {
		if (!tokens_match(decl, 0,
				  "('.' | !N T) (!('=' | 'O' | O) T)* "
				  "~('=' | 'O') (function | '\\')",
				  &match))
			return false;
		declaration_place(decl, LANG_KIND_FUNCTION, 0, 0);
		name_up_to(decl, match.name - 1);
		decl->start.flags = LANG_DEF_EXPORTED;
	} else if (lang == LANG_ZIG &&
		   tokens_are(decl, 0,
			      "return W? [struct enum union opaque] C* $")) {
		/* of a function that makes a type */
		decl->opens = FRAME_ENUM;
	} else if (lang == LANG_ZIG) {
		if (!tokens_match(decl, 0,
				  "pub? const ~T '=' .. "
				  "[struct enum union opaque] C* $",
				  &match))
			return false;
		declaration_place(decl, LANG_KIND_STRUCT, 0, match.name);
		if (tokens_are(decl, 0, ".. enum C* $"))
			decl->start.kind = LANG_KIND_ENUM;
		decl->start.flags = match.name > 1 ? LANG_DEF_EXPORTED : 0;
		/* commas end fields */
		decl->opens = FRAME_ENUM;
	} else if (lang == LANG_POWERSHELL) {
		if (decl->frame != FRAME_CLASS ||
		    !tokens_match(decl, 0, ".. ~W G $", &match))
			return false;
		declaration_place(decl, LANG_KIND_METHOD, 0, match.name);
		decl->start.flags = LANG_DEF_EXPORTED;
	} else {
		if (!(traits & TRAIT_SECTIONS) || decl->frame != FRAME_TOP ||
		    !tokens_are(decl, 0, "W !'='"))
			return false;
		declaration_place(decl, LANG_KIND_SECTION, 0, 0);
		name_up_to(decl, decl->nr - 1);
		/* HCL: what modules take and use */
		decl->opens = word_in(decl, 0, "variable module locals")
				      ? FRAME_CLASS
				      : FRAME_EXPR;
	}
	return true;
}

/* Rust: what a macro is given where items stand are items as a rule: pin_project!
 * { pub struct A { } }, cfg_a! { pub fn b() { } } */
static bool
is_macro_of_items(const struct declaration *decl)
{
	return (decl->frame == FRAME_TOP || decl->frame == FRAME_CLASS) &&
	       tokens_are(decl, decl->first, "W ('D' W)* '!' $");
}

/* Inside a macro's braces elsewhere nothing is defined that can be seen. */
static bool
is_macro_call(const struct declaration *decl)
{
	if (decl->walk->scan->lang != LANG_RUST)
		return false;
	if (punct_is(decl, decl->nr - 1, '!'))
		return type_is(decl, decl->nr - 2, TOKEN_WORD);
	return decl->open > 1 && punct_is(decl, decl->open - 2, '!');
}

/* import { a, b } from "c"; use a::{b, c}; import a.{b, c} - the braces hold
 * names. */
static bool
names_imports(const struct declaration *decl)
{
	uint32_t lang = decl->walk->scan->lang;

	/* use constant { */
	if (lang == LANG_PERL)
		return word_is(decl, 0, "use");
	if (lang == LANG_RUST)
		return word_is(decl, decl->first, "use") ||
		       (word_is(decl, decl->first, "pub") &&
			tokens_are(decl, decl->first + 1, "G? use"));
	if (lang == LANG_SCALA)
		return word_is(decl, 0, "import") &&
		       punct_is(decl, decl->nr - 1, '.');
	if (lang == LANG_PHP)
		return word_is(decl, 0, "use") &&
		       punct_is(decl, decl->nr - 1, '\\');
	if (!(decl->walk->lang->traits & TRAIT_METHODS))
		return false;
	/* import a from "b" with { type: "json" } */
	if (decl->nr > 2 && tokens_are(decl, decl->nr - 2, "S [with assert] $"))
		return true;
	/* const a = require("a"), { b } = require("b") */
	return word_is(decl, 0, "import")
		       ? !tokens_are(decl, 1, "G | O | '.'")
		       : tokens_are(decl, 0,
				    "export type? $ | "
				    "[const let var] .. '=' .. ',' $");
}

/* A class without a name, as in new class {, object : X { */
static bool
is_anonymous(const struct declaration *decl)
{
	if (decl->walk->lang->traits & (TRAIT_C | TRAIT_TYPED))
		return false;
	for (uint32_t i = decl->open; i < decl->nr; i++)
		if (word_in(decl, i, "class object") &&
		    !punct_is(decl, i - 1, '.'))
			return true;
	return false;
}

/* In languages where a word says what begins, or braces open something odd. */
static void
judge_worded(struct declaration *decl)
{
	if (is_macro_call(decl)) {
		decl->opens =
			is_macro_of_items(decl) ? decl->frame : FRAME_EXPR;
		return;
	}
	/* Zig: a = error{ B }; fn c() error{ B }!void { */
	if (decl->walk->scan->lang == LANG_ZIG && decl->term == '{' &&
	    decl->frame != FRAME_BODY && word_is(decl, decl->nr - 1, "error")) {
		declaration_resume(decl, FRAME_EXPR);
		return;
	}
	if (!(decl->walk->lang->traits & TRAIT_ASSIGNED) && judge_defined(decl))
		return;
	if (!judge_go_group(decl) && !judge_odd(decl) && is_anonymous(decl))
		decl->opens = FRAME_CLASS;
}

/*
 * Members of what holds nothing but types: interfaces and types of TypeScript,
 * structs and interfaces of Go, enums of Rust. Their braces belong to types.
 */
static bool
is_of_types(const struct declaration *decl)
{
	const struct lang_frame *frame = walk_frame(decl->walk);

	if (frame == NULL ||
	    (decl->frame != FRAME_CLASS && decl->frame != FRAME_ENUM))
		return false;
	switch (frame->kind) {
	case LANG_KIND_INTERFACE:
	case LANG_KIND_TYPE:
		return (decl->walk->lang->traits & TRAIT_TYPES) ||
		       decl->walk->scan->lang == LANG_GO ||
		       decl->walk->scan->lang == LANG_GRAPHQL;
	case LANG_KIND_STRUCT:
		return decl->walk->scan->lang == LANG_GO;
	case LANG_KIND_ENUM:
		return decl->walk->scan->lang == LANG_RUST ||
		       decl->walk->scan->lang == LANG_GRAPHQL;
	default:
		return false;
	}
}

/* Java, Kotlin: A(new byte[] { 1 }), A({ 1 }) - constants of an enum. */
static bool
is_made_with_braces(const struct declaration *decl)
{
	return decl->term == '{' && decl->frame == FRAME_ENUM &&
	       ((decl->walk->lang->traits & TRAIT_MEMBERS) ||
		decl->walk->scan->lang == LANG_KOTLIN) &&
	       tokens_are(decl, decl->first, "W P") &&
	       decl->open == decl->first + 2;
}

void
declaration_judge(struct declaration *decl, uint8_t term)
{
	uint64_t traits = decl->walk->lang->traits;

	decl->start = (struct def_start){ 0 };
	decl->opens = FRAME_BODY;
	decl->resume = false;
	decl->is_expression = false;
	decl->is_local = false;
	decl->term = term;
	decl->first = declaration_first(decl);
	if (is_of_types(decl)) {
		if (term == '{')
			declaration_resume(decl, FRAME_EXPR);
		return;
	}
	if (term == '{' && names_imports(decl)) {
		declaration_resume(decl, FRAME_EXPR);
		return;
	}
	if (decl->first >= decl->nr) {
		/* annotations alone, or nothing: @A({...}) goes on */
		decl->resume = punct_is(decl, 0, '@');
		return;
	}
	if (is_made_with_braces(decl)) {
		declaration_resume(decl, FRAME_EXPR);
		return;
	}
	if (decl->walk->scan->lang == LANG_SCALA &&
	    declaration_judge_scala(decl))
		return;
	if (traits & TRAIT_METHODS) {
		if (!judge_defined(decl))
			declaration_judge_script(decl);
		return;
	}
	if (traits & TRAIT_TYPED) {
		declaration_judge_typed(decl);
		if (decl->start.kind != LANG_KIND_NONE || decl->resume)
			return;
	}
	judge_worded(decl);
}
