/* SPDX-License-Identifier: MIT */
/*
 * declaration_member.c - fields, constants, the constants of an enum: what a
 *                        statement declares that is no function and no class.
 *
 * Does: tells those that others can use from those that are private.
 * Does not: look at what is local to a function.
 */
#include "lang/declaration.h"

/* The sign behind which the value stands; nr: there is none. */
static uint32_t
value_sign(const struct declaration *decl)
{
	uint32_t lang = decl->walk->scan->lang;
	uint32_t nest = 0;

	for (uint32_t i = decl->first; i < decl->nr; i++) {
		nest = angles_behind(decl, i, nest);
		if (nest > 0)
			continue;
		/* name = number [options]: only these are long */
		if (lang == LANG_PROTOBUF && punct_is(decl, i, '=') &&
		    tokens_are(decl, i + 1, "'-'? W ('[' | '{' | B | O | $)"))
			return i + 1 + punct_is(decl, i + 1, '-');
		if (punct_is(decl, i, '=') ||
		    ((lang == LANG_CSHARP || lang == LANG_PERL) &&
		     punct_is(decl, i, PUNCT_ARROW)) ||
		    (lang == LANG_KOTLIN && word_is(decl, i, "by")))
			return i;
	}
	return decl->nr;
}

/* A word of the list stands before the value; not private(set), pub(crate). */
static bool
has_word(const struct declaration *decl, uint32_t sign, const char *list)
{
	for (uint32_t i = decl->first; i < sign; i++)
		if (word_in(decl, i, list) && !group_is(decl, i + 1, '('))
			return true;
	return false;
}

static bool
is_capital(const struct declaration *decl, uint32_t i)
{
	uint8_t c = type_is(decl, i, TOKEN_WORD)
			    ? decl->walk->text[decl->tokens[i].at]
			    : 0;

	return c >= 'A' && c <= 'Z';
}

/* Go: A, b int; *a.B - of what is embedded the last word is its name. */
static bool
is_go_member(const struct declaration *decl, uint8_t kind)
{
	uint32_t i = tokens_skip(decl, 0, "'*'? &W");

	if (kind == LANG_KIND_INTERFACE)
		return true;
	return is_capital(decl, punct_is(decl, i + 1, '.') ? i + 2 : i);
}

/* Rust: pub a: T, and all that a trait, or what is written for one, has. */
static bool
is_rust_member(const struct declaration *decl, const struct lang_frame *frame)
{
	uint32_t i = decl->first;
	bool is_open = word_is(decl, i, "pub");

	if (frame->kind == LANG_KIND_ENUM)
		return type_is(decl, i, TOKEN_WORD);
	if (is_open)
		i = tokens_skip(decl, i, "pub G?");
	else
		is_open = frame->kind == LANG_KIND_INTERFACE ||
			  (frame->kind == LANG_KIND_IMPL &&
			   (frame->flags & LANG_DEF_EXPORTED));
	return is_open && (frame->kind == LANG_KIND_STRUCT ||
			   word_in(decl, i, "const type"));
}

/* C: struct { ... } - without a name. */
static bool
is_nameless(const struct declaration *decl)
{
	return decl->term == '{' &&
	       tokens_are(decl, decl->first,
			  "M* [struct union enum] [class struct]? (':' T*)? $");
}

/* C: } name; } *name[2]; } __packed name; - the brace that ends a struct. At the
 * top, and before a macro, only if it is in the same line: a macro may stand
 * below the brace of a function, and a type in capitals below a method. */
static size_t
with_brace(const struct declaration *decl, size_t at)
{
	const uint8_t *text = decl->walk->text;
	size_t before = at;
	uint32_t i = 0;

	if ((decl->frame != FRAME_CLASS && decl->frame != FRAME_TOP) ||
	    !(decl->walk->lang->traits & TRAIT_C))
		return at;
	while (word_is_macro(decl, i) &&
	       tokens_are(decl, i + 1, "G? (W | '*')"))
		i += 1u + group_is(decl, i + 1, '(');
	if (!tokens_are(decl, i, "'*'* W B* ($ | '=' | ',')"))
		return at;
	while (before > 0 &&
	       (text[before - 1] == ' ' || (text[before - 1] < ' ' && i == 0 &&
					    decl->frame == FRAME_CLASS)))
		before--;
	return before > 0 && text[before - 1] == '}' ? before - 1 : at;
}

/* What follows the brace of a struct of C. */
static bool
is_behind_brace(const struct declaration *decl)
{
	size_t at = decl->tokens[decl->first].at;

	return with_brace(decl, at) != at;
}

/* MACRO(a), but not MACRO(int a; int b;), which holds members. */
static bool
is_call(const struct declaration *decl, uint32_t i)
{
	const struct token *group = &decl->tokens[i + 1];

	return tokens_are(decl, i, "W G $") &&
	       memchr(decl->walk->text + group->at, ';', group->bytes) == NULL;
}

/* C, C++: what no access word hides; macros that look like calls are none. */
static bool
is_c_member(const struct declaration *decl)
{
	uint32_t i = decl->first;

	if ((decl->walk->lang->traits & TRAIT_OBJC) && punct_is(decl, 0, '@'))
		return false;
	return is_nameless(decl) || is_behind_brace(decl) ||
	       (type_is(decl, i, TOKEN_WORD) &&
		!word_in(decl, i, "friend static_assert return if for") &&
		!is_call(decl, i));
}

/* JavaScript, TypeScript: a name, but not #name, and not static { */
static bool
is_script_member(const struct declaration *decl, uint8_t kind)
{
	if (kind == LANG_KIND_INTERFACE || kind == LANG_KIND_TYPE)
		return true;
	if (decl->term == '{' && tokens_are(decl, decl->first, "static $"))
		return false;
	return tokens_are(decl, decl->first, "M* '*'? (W | S | B)") &&
	       !tokens_are(decl, decl->first, "M* '#'");
}

/* Kotlin, Scala, Swift: val a, var b, let c, case d; E or E(...) of Kotlin. */
static bool
is_value(const struct declaration *decl)
{
	if (decl->frame == FRAME_ENUM &&
	    tokens_are(decl, decl->first, "W G? $"))
		return true;
	return tokens_are(decl, decl->first,
			  "(!['val' 'var'] (M | W) C?)* "
			  "[val var let case given associatedtype] T");
}

/* Zig: a: B = 1, in an enum a = 1, and pub const a = 1; */
static bool
is_zig_member(const struct declaration *decl)
{
	return tokens_are(decl, decl->first,
			  "comptime? W (':' T | '=' | G? $) | "
			  "pub M* [const var] W");
}

/* HCL: what a module takes, where another one is; all of locals, which
 * alone has no name. */
static bool
is_hcl_member(const struct declaration *decl, const struct lang_frame *frame)
{
	return tokens_are(decl, decl->first,
			  frame->name_bytes == strlen("locals")
				  ? "W '='"
				  : "[type default source version] '='");
}

/* Dart: whether the name before the sign is for the library alone. */
static bool
is_dart_private(const struct declaration *decl, uint32_t sign)
{
	return decl->walk->scan->lang == LANG_DART && sign > 0 &&
	       decl->walk->text[decl->tokens[sign - 1].at] == '_';
}

/* PHP: public string $a { get => ... }, use A, B { a as b; } */
static bool
has_hooks(const struct declaration *decl)
{
	uint32_t last = decl->nr - 1;

	return decl->walk->scan->lang == LANG_PHP &&
	       decl->frame == FRAME_CLASS &&
	       (word_is(decl, decl->first, "use") ||
		(type_is(decl, last, TOKEN_WORD) &&
		 decl->walk->text[decl->tokens[last].at] == '$'));
}

/* Java and the others: words, of which the last ones are a type and a name. */
static bool
is_typed_member(const struct declaration *decl, const struct lang_frame *frame,
		uint32_t sign)
{
	if (decl->walk->scan->lang == LANG_PHP)
		return word_in(decl, decl->first,
			       decl->walk->lang->modifiers) ||
		       word_in(decl, decl->first, "const case use");
	if (decl->walk->scan->lang == LANG_CSHARP &&
	    frame->kind != LANG_KIND_INTERFACE && frame->kind != LANG_KIND_ENUM)
		return has_word(decl, sign, "public protected");
	return type_is(decl, decl->first, TOKEN_WORD) &&
	       !is_dart_private(decl, sign) &&
	       (decl->frame == FRAME_ENUM ||
		tokens_are(decl, decl->first, "W (W | '<' | '.' | B | '?')"));
}

/* Whether a word before it, or in the class around, says that it is private; or
 * the statement is none that declares. */
static bool
is_shut(const struct declaration *decl, const struct lang_frame *frame,
	uint32_t sign)
{
	return frame->shut ||
	       (!(decl->walk->lang->traits & TRAIT_C) &&
		has_word(decl, sign, "private fileprivate")) ||
	       (word_in(decl, decl->first, decl->walk->lang->control) &&
		!word_in(decl, decl->first, "case using use") &&
		frame->kind != LANG_KIND_INTERFACE &&
		frame->kind != LANG_KIND_TYPE);
}

/* Whether the statement is a member of the class around that others can use. */
static bool
is_open_member(const struct declaration *decl, const struct lang_frame *frame,
	       uint32_t sign)
{
	if (decl->walk->scan->lang == LANG_GRAPHQL)
		return tokens_are(decl, decl->first, "W G? (':' T | '@' | $)");
	if (decl->walk->scan->lang == LANG_PROTOBUF)
		return is_typed_member(decl, frame, sign);
	if (is_shut(decl, frame, sign))
		return false;
	switch (decl->walk->scan->lang) {
	case LANG_GO:
		return is_go_member(decl, frame->kind);
	case LANG_RUST:
		return is_rust_member(decl, frame);
	case LANG_ZIG:
		return is_zig_member(decl);
	case LANG_HCL:
		return is_hcl_member(decl, frame);
	case LANG_KOTLIN:
	case LANG_SCALA:
	case LANG_SWIFT:
		return !has_word(decl, sign, "internal") && is_value(decl);
	default:
		break;
	}
	if (decl->walk->lang->traits & TRAIT_C)
		return is_c_member(decl);
	if (decl->walk->lang->traits & TRAIT_METHODS)
		return is_script_member(decl, frame->kind);
	return (decl->walk->lang->traits & TRAIT_DECLARED) &&
	       is_typed_member(decl, frame, sign);
}

bool
declaration_is_braced(const struct declaration *decl)
{
	uint32_t first = decl->first;
	uint32_t last = decl->nr - 1;
	uint32_t nest = 0;

	if (!(decl->walk->lang->traits & TRAIT_CPP) || decl->term != '{' ||
	    decl->open != 0)
		return false;
	last -= group_is(decl, last, '[');
	if (last <= first || last >= decl->nr ||
	    word_in(decl, first, "export template") ||
	    !tokens_are(decl, last - 1, "(W | '>' | '*' | '&' | 'D') W") ||
	    word_in(decl, last, decl->walk->lang->modifiers) ||
	    word_in(decl, last, decl->walk->lang->control))
		return false;
	for (uint32_t i = first; i <= last; i++) {
		nest = angles_behind(decl, i, nest);
		if (nest == 0 &&
		    (word_in(decl, i, decl->walk->lang->definers) ||
		     word_in(decl, i, decl->walk->lang->control) ||
		     (group_is(decl, i, '(') &&
		      !word_is(decl, i - 1, "alignas"))))
			return false;
	}
	return true;
}

/* C++: behind a value in braces and its semicolon, if they end soon in the
 * line; 0: they do not. */
static size_t
braces_end(const struct declaration *decl)
{
	const uint8_t *text = decl->walk->text + decl->end;
	size_t most = min_size(decl->walk->bytes - decl->end, LOOKAHEAD / 2);

	for (size_t i = 1; i + 1 < most; i++) {
		if (text[i] == '}')
			return text[i + 1] == ';' ? decl->end + i + 2 : 0;
		if (is_one_of("\n{\"'", text[i]))
			break;
	}
	return 0;
}

/* Java, Kotlin: a constant of an enum: where what it is made with begins; 0: it is
 * none, or has nothing of that kind. */
static size_t
arguments_of_constant(const struct declaration *decl)
{
	const struct lang_scan *scan = decl->walk->scan;
	uint32_t i = decl->first;

	if (decl->frame != FRAME_ENUM ||
	    (!(decl->walk->lang->traits & TRAIT_MEMBERS) &&
	     scan->lang != LANG_KOTLIN) ||
	    !tokens_are(decl, i, "W G $"))
		return 0;
	return decl->tokens[i + 1].at;
}

static void
report(const struct declaration *decl, uint32_t sign, uint8_t flags)
{
	const struct token *tokens = decl->tokens;
	const struct token *last = &tokens[decl->nr - 1];
	size_t at = with_brace(decl, tokens[decl->first].at);
	struct def_start start = {
		.lead = decl->lead != SIZE_MAX
				? decl->lead
				: walk_line_start(decl->walk, tokens[0].at),
		.decl = min_size(at, tokens[0].at),
		.at = at,
		.name = at,
		.flags = flags,
	};
	size_t end = last->at + last->bytes;
	uint8_t next = walk_byte(decl->walk, end);

	if (declaration_is_braced(decl) && braces_end(decl) != 0)
		end = braces_end(decl);
	else if (decl->term == '{' &&
		 (sign < decl->nr || declaration_is_braced(decl)))
		start.flags |= LANG_DEF_CUT;
	else if (decl->term == '{' && is_nameless(decl))
		end = decl->end + 1;
	else if (next == ',' || next == ';')
		end++;
	start.body =
		sign < decl->nr ? tokens[sign].at + tokens[sign].bytes : end;
	if (arguments_of_constant(decl) != 0)
		start.body = arguments_of_constant(decl);
	walk_member(decl->walk, &start, end);
}

void
declaration_member_group(const struct declaration *decl)
{
	struct walk *walk = decl->walk;
	uint32_t *aux = walk->scan->aux;
	uint64_t off =
		(uint64_t)aux[AUX_GROUP_UPPER] << 32 | aux[AUX_GROUP_OFF];
	struct def_start start = { .flags = LANG_DEF_EXPORTED };

	if (walk->scan->lang != LANG_GO || off == 0 ||
	    aux[AUX_GROUP] == GROUP_NONE)
		return;
	aux[AUX_GROUP_OFF] = aux[AUX_GROUP_UPPER] = 0;
	if (off - 1 < walk->off)
		return;
	start.at = walk_index(walk, off - 1);
	start.lead = start.decl = start.at;
	start.body = walk_skip_blanks(walk, walk_word_end(walk, start.at)) + 1;
	walk_member(walk, &start, start.body);
}

/* Whether braces behind the statement hold what it is, and not its value. */
static bool
opens_body(const struct declaration *decl, uint32_t sign)
{
	uint64_t traits = decl->walk->lang->traits;

	if (decl->term != '{' || sign < decl->nr || has_hooks(decl))
		return false;
	if (traits & TRAIT_C)
		return !is_nameless(decl) && !declaration_is_braced(decl);
	return decl->frame != FRAME_ENUM && (traits & TRAIT_DECLARED);
}

/* Vue: export default { props: ..., emits: ... */
static bool
is_option(const struct declaration *decl)
{
	const struct lang_scan *scan = decl->walk->scan;

	return decl->frame == FRAME_OBJECT && scan->depth == scan->floor + 1 &&
	       tokens_are(decl, decl->first, "[props emits] ':'");
}

bool
declaration_is_component(const struct declaration *decl)
{
	if (decl->walk->scan->script == LANG_NONE)
		return false;
	return is_option(decl) ||
	       (decl->frame == FRAME_TOP &&
		tokens_are(decl, decl->first,
			   "([const let var] (!'=' T)+ '=')? "
			   "([withDefaults defineProps defineEmits defineModel "
			   "defineSlots] (G | P | '<') | "
			   "[$props] G | [Astro] '.' props)"));
}

/* Whether what stands there may be told of: somebody asks, and it is local to
 * no function, no object, no type. */
static bool
may_be_member(const struct declaration *decl)
{
	const struct lang_sink *sink = decl->walk->sink;

	return sink != NULL && sink->member != NULL && decl->first < decl->nr &&
	       (decl->frame == FRAME_TOP || decl->frame == FRAME_CLASS ||
		decl->frame == FRAME_ENUM || declaration_is_component(decl));
}

/* What is told of at the top though it exports no name: declare const a and
 * declare module "b"; in TypeScript, enum { in C. */
static bool
is_open_top(const struct declaration *decl)
{
	if (declaration_is_component(decl))
		return true;
	if (decl->frame != FRAME_TOP)
		return false;
	if (decl->walk->lang->traits & TRAIT_TYPES)
		return tokens_are(decl, 0,
				  "declare ([const let var] | module S $)");
	return (decl->walk->lang->traits & TRAIT_C) &&
	       (is_nameless(decl) || is_behind_brace(decl));
}

void
declaration_member(const struct declaration *decl, bool is_exported,
		   bool is_declared)
{
	const struct walk *walk = decl->walk;
	const struct lang_frame *frame = walk_frame(walk);
	uint8_t flags = LANG_DEF_EXPORTED;
	uint32_t sign;

	if (!may_be_member(decl))
		return;
	/* what a component takes stands in what it is set to */
	sign = declaration_is_component(decl) ? decl->nr : value_sign(decl);
	if ((decl->open != 0 && decl->open <= sign) || opens_body(decl, sign))
		return;
	if (frame != NULL &&
	    (decl->frame == FRAME_ENUM || !walk_is_outer(walk))) {
		if (!is_open_member(decl, frame, sign))
			return;
	} else {
		if (!is_exported && !is_open_top(decl))
			return;
		/* what the braces of a type hold is told of, too */
		flags |= is_declared && !is_nameless(decl) ? LANG_DEF_DECLARED
							   : 0;
	}
	if (decl->walk->scan->aux[AUX_GROUP] == GROUP_VALUES)
		declaration_member_group(decl);
	report(decl, sign, flags);
}

/* { a: string, b: number } of TypeScript */
static bool
is_of_type(const struct declaration *decl)
{
	const struct lang_frame *frame = walk_frame(decl->walk);

	return decl->frame == FRAME_CLASS &&
	       (decl->walk->lang->traits & TRAIT_TYPES) &&
	       (frame->kind == LANG_KIND_INTERFACE ||
		frame->kind == LANG_KIND_TYPE);
}

bool
declaration_comma_ends(const struct declaration *decl)
{
	uint32_t nest = 0;

	if (decl->frame == FRAME_OBJECT)
		return true;
	if (decl->walk->scan->lang == LANG_GRAPHQL)
		return decl->frame == FRAME_CLASS || decl->frame == FRAME_ENUM;
	if (decl->frame != FRAME_ENUM && !is_of_type(decl))
		return false;
	/* Map<A, B>, but a constant of C may be compared */
	if (decl->walk->lang->traits & TRAIT_C)
		return true;
	for (uint32_t i = 0; i < decl->nr && !punct_is(decl, i, '='); i++)
		nest = angles_behind(decl, i, nest);
	return nest == 0;
}
