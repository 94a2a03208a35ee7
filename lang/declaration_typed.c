/* SPDX-License-Identifier: MIT */
/*
 * declaration_typed.c - functions that begin with a type: C, C++, Java, C#,
 *                       Dart and their like.
 *
 * Does: tells `static int f(int a)` from `struct f {`, `if (a)`, `x = {` and
 *       `NAME(a)`.
 */
#include "lang/declaration.h"

#include <string.h>

#include "base/hash.h"
#include "lang/text.h"

/* (*name), (*const name[2]): what has its own arguments in there is a function
 * that returns a pointer. */
bool
declaration_is_pointer(const struct declaration *decl, uint32_t i)
{
	const uint8_t *text = decl->walk->text;
	size_t at;
	size_t end;

	if (i == 0 || !group_is(decl, i, '(') ||
	    !type_is(decl, i + 1, TOKEN_GROUP) ||
	    !(decl->walk->lang->traits & TRAIT_C))
		return false;
	end = decl->tokens[i].at + decl->tokens[i].bytes;
	at = lang_skip_space(text, decl->tokens[i].at + 1, end);
	return at < end && text[at] == '*' &&
	       memchr(text + at, '(', end - at) == NULL;
}

/* Whether the parentheses at i stand behind a name, or behind Name<T>. */
static bool
is_pair(const struct declaration *decl, uint32_t i)
{
	if (!group_is(decl, i, '(') || declaration_is_pointer(decl, i))
		return false;
	if (punct_is(decl, i - 1, '>'))
		return decl->walk->lang->traits & (TRAIT_MEMBERS | TRAIT_CPP);
	/* C#: public (int, string) Name() */
	if (decl->walk->scan->lang == LANG_CSHARP &&
	    word_in(decl, i - 1, decl->walk->lang->modifiers))
		return false;
	return type_is(decl, i - 1, TOKEN_WORD) &&
	       !word_in(decl, i - 1, lang_not_names) &&
	       (decl->walk->scan->lang != LANG_CSHARP ||
		!word_is(decl, i - 1, "delegate"));
}

/* Where the name is in the brackets at i: (name), (*name(int a)). */
static size_t
name_in_brackets(const struct declaration *decl, uint32_t i)
{
	const struct walk *walk = decl->walk;
	size_t at = walk_skip_blanks(walk, decl->tokens[i].at + 1);

	while (walk_byte(walk, at) == '*')
		at = walk_skip_blanks(walk, at + 1);
	return at;
}

/* C: (name)(...), whose parentheses keep a macro of that name away; those of
 * MACRO(name)(...) have its name right before them. Or what returns a pointer to
 * a function, (*name(...))(...): its own arguments stand behind its name. */
static bool
is_name_in_brackets(const struct declaration *decl, uint32_t i)
{
	const struct walk *walk = decl->walk;
	size_t at = decl->tokens[i].at;
	size_t name;
	size_t end;
	size_t behind;

	if (!group_is(decl, i, '(') || !group_is(decl, i + 1, '(') ||
	    i == decl->first || !(walk->lang->traits & TRAIT_C) ||
	    is_word_byte(walk->text[at - 1]))
		return false;
	name = name_in_brackets(decl, i);
	end = walk_word_end(walk, name);
	behind = walk_skip_blanks(walk, end);
	if (end == name)
		return false;
	return walk_byte(walk, walk_skip_blanks(walk, at + 1)) == '*'
		       ? walk_byte(walk, behind) == '('
		       : behind + 1 == at + decl->tokens[i].bytes;
}

/* Index of the parentheses that stand behind a name; nr: none. */
static uint32_t
find_pair(const struct declaration *decl, uint32_t i)
{
	bool has_operators =
		decl->walk->lang->traits & (TRAIT_CPP | TRAIT_MEMBERS);
	uint32_t nest = 0;

	for (; i < decl->nr; i++) {
		nest = angles_behind(decl, i, nest);
		/* operator(), operator==, operator bool: those behind it */
		if (has_operators && word_is(decl, i, "operator")) {
			i = tokens_skip(decl, i + 1, "(!G T)*");
			return i + group_is(decl, i + 1, '(');
		}
		if (nest > 0)
			continue;
		if (type_is(decl, i, TOKEN_PUNCT) &&
		    strchr("=:AR", decl->tokens[i].punct) != NULL)
			return decl->nr;
		if (is_name_in_brackets(decl, i))
			return i + 1;
		if (is_pair(decl, i))
			return i;
	}
	return decl->nr;
}

/* The name before parentheses; nr: not a name. */
static uint32_t
name_before(const struct declaration *decl, uint32_t pair)
{
	uint32_t i = pair - 1;
	uint32_t nest = 0;

	for (uint32_t k = decl->first; k < pair; k++)
		if (word_is(decl, k, "operator"))
			return k;
	if (!punct_is(decl, i, '>'))
		return i;
	for (; i > decl->first; i--) {
		if (punct_is(decl, i, '>'))
			nest++;
		else if (punct_is(decl, i, '<') && --nest == 0)
			return type_is(decl, i - 1, TOKEN_WORD) ? i - 1
								: decl->nr;
	}
	return decl->nr;
}

/* Whether a type may stand before the name at i: more than modifiers, macros. */
static bool
has_type_before(const struct declaration *decl, uint32_t i)
{
	while (i-- > decl->first)
		if (type_is(decl, i, TOKEN_WORD) &&
		    !word_in(decl, i, decl->walk->lang->modifiers) &&
		    !word_is_macro(decl, i))
			return true;
	return false;
}

/*
 * A macro with arguments may stand before a function's type: then the pair
 * that counts is the next one.
 */
static uint32_t
the_pair(const struct declaration *decl)
{
	uint32_t pair = find_pair(decl, decl->first);

	if (!(decl->walk->lang->traits & TRAIT_C))
		return pair;
	while (pair < decl->nr && word_is_macro(decl, pair - 1)) {
		uint32_t next = find_pair(decl, pair + 1);

		if (next >= decl->nr || next < pair + 2 ||
		    (word_is_macro(decl, next - 1) &&
		     (next < pair + 3 || has_type_before(decl, pair - 1))))
			break;
		pair = next;
	}
	return pair;
}

/* What may stand between a function's parentheses and its body. */
static bool
tail_is_plain(const struct declaration *decl, uint32_t pair)
{
	uint64_t traits = decl->walk->lang->traits;

	for (uint32_t i = pair + 1; i < decl->nr; i++) {
		const struct token *token = &decl->tokens[i];

		if (token->type == TOKEN_OPEN)
			return false;
		if (token->type != TOKEN_PUNCT)
			continue;
		if (token->punct == PUNCT_ARROW)
			return decl->term == ';';
		if (token->punct == '=')
			return decl->walk->declaring && i + 2 == decl->nr &&
			       word_in(decl, i + 1, "0 default delete");
		if (token->punct == ':' &&
		    ((traits & TRAIT_CPP) ||
		     decl->walk->scan->lang == LANG_DART))
			return true;
		if (strchr("+/%|!?", token->punct) != NULL)
			return false;
	}
	return decl->term != '{' || decl->nr <= pair + 1 ||
	       !punct_is(decl, decl->nr - 1, ',') || (traits & TRAIT_CPP);
}

/* Whether functions that begin with a type can stand here. */
static bool
typed_allowed(const struct declaration *decl)
{
	const struct walk *walk = decl->walk;
	uint64_t traits = walk->lang->traits;

	if (decl->term == ';' && !(traits & TRAIT_DECLARED) && !walk->declaring)
		return false;
	if (decl->frame == FRAME_TOP)
		return !(traits & TRAIT_MEMBERS) ||
		       walk->scan->lang == LANG_DART ||
		       walk->scan->lang == LANG_GROOVY;
	return decl->frame == FRAME_CLASS || decl->frame == FRAME_ENUM;
}

/*
 * new X(...) { : a class without a name. Its braces hold members in Java, an
 * initializer elsewhere.
 */
static bool
judge_anonymous(struct declaration *decl)
{
	uint32_t lang = decl->walk->scan->lang;

	if (!(decl->walk->lang->traits & TRAIT_MEMBERS) ||
	    !group_is(decl, decl->nr - 1, '(') ||
	    !tokens_are(decl, 0,
			".. new (!(C | O | S | '=' | ';' | '!' | '&' | '|' |"
			" '+' | '-') T)* G $"))
		return false;
	decl->opens = lang == LANG_JAVA || lang == LANG_GROOVY ? FRAME_CLASS
							       : FRAME_EXPR;
	return true;
}

/* A constant of an enum with a body of its own. */
static bool
is_constant(const struct declaration *decl, uint32_t pair)
{
	const struct lang_frame *frame = walk_frame(decl->walk);
	const struct token *name = &decl->tokens[decl->first];

	return frame != NULL && frame->type == FRAME_ENUM &&
	       pair == decl->first + 1 && name->type == TOKEN_WORD &&
	       hash32(HASH32_BEGIN, decl->walk->text + name->at, name->bytes) !=
		       frame->name_hash;
}

/* C#: what nothing is said of is private, but for what an interface has. */
static uint8_t
sharp_flags(const struct declaration *decl, uint32_t name)
{
	const struct lang_frame *frame = walk_frame(decl->walk);

	for (uint32_t i = decl->first; i < name; i++)
		if (word_in(decl, i, "public protected"))
			return LANG_DEF_EXPORTED;
	return frame != NULL && frame->kind == LANG_KIND_INTERFACE
		       ? LANG_DEF_EXPORTED
		       : 0;
}

/* Whether a function is for others to use: no word before it says that it is
 * not, and none before it in the class. */
static uint8_t
function_flags(const struct declaration *decl, uint32_t name)
{
	const struct walk *walk = decl->walk;
	bool is_member = (walk->lang->traits & TRAIT_MEMBERS) ||
			 decl->frame == FRAME_CLASS;

	if (walk->scan->lang == LANG_CSHARP && walk->sink != NULL)
		return sharp_flags(decl, name);
	if (walk_frame(walk) != NULL && walk_frame(walk)->shut)
		return 0;
	/* Dart: what is for the library alone */
	if (walk->scan->lang == LANG_DART &&
	    walk->text[decl->tokens[name].at] == '_')
		return 0;
	for (uint32_t i = decl->first; i < name && walk->sink != NULL; i++)
		if (word_in(decl, i, "private internal") ||
		    (!is_member && word_is(decl, i, "static")))
			return 0;
	return LANG_DEF_EXPORTED;
}

static void
judge_function(struct declaration *decl, uint32_t pair)
{
	uint32_t name = name_before(decl, pair);
	const struct token *first = &decl->tokens[decl->first];
	const struct token *last = &decl->tokens[pair - 1];
	struct def_start *start = &decl->start;

	if (name >= decl->nr || (first->type == TOKEN_PUNCT &&
				 strchr("~<@D*&", first->punct) == NULL))
		return;
	declaration_place(decl, LANG_KIND_FUNCTION, decl->first, name);
	if (name > decl->first && punct_is(decl, name - 1, '~')) {
		start->name--;
		start->name_bytes++;
	}
	if (group_is(decl, name, '(')) {
		start->name = name_in_brackets(decl, name);
		start->name_bytes =
			walk_word_end(decl->walk, start->name) - start->name;
	}
	if (word_is(decl, name, "operator"))
		start->name_bytes = last->at + last->bytes - start->name;
	start->flags = function_flags(decl, name);
	decl->opens = FRAME_BODY;
}

/* C#: Type Name { get; set; } */
static bool
judge_property(struct declaration *decl)
{
	uint32_t last = decl->nr - 1;
	bool is_index = group_is(decl, last, '[');

	if (decl->walk->scan->lang != LANG_CSHARP ||
	    decl->frame != FRAME_CLASS || last <= decl->first ||
	    (!is_index && !type_is(decl, last, TOKEN_WORD)))
		return false;
	for (uint32_t i = decl->first; i < decl->nr; i++)
		if (punct_is(decl, i, '=') || punct_is(decl, i, PUNCT_ARROW) ||
		    type_is(decl, i, TOKEN_OPEN) ||
		    word_in(decl, i,
			    "class struct interface enum record namespace "
			    "get set add remove init"))
			return false;
	declaration_place(decl, LANG_KIND_PROPERTY, decl->first,
			  last - is_index);
	decl->start.flags = sharp_flags(decl, decl->nr);
	decl->opens = FRAME_BODY;
	return true;
}

/* An initializer, whose braces hold nothing that can be found. */
static void
judge_expression(struct declaration *decl)
{
	const struct token *last = &decl->tokens[decl->nr - 1];

	if (judge_anonymous(decl))
		return;
	if (punct_from(decl, 0, '=') < decl->nr &&
	    !tokens_are(decl, decl->nr - 1, "'R' | 'A' | G"))
		decl->opens = FRAME_EXPR;
	if ((last->type == TOKEN_OPEN || last->type == TOKEN_PUNCT) &&
	    (decl->walk->lang->traits & TRAIT_C))
		decl->opens = FRAME_EXPR;
}

/* Whether brackets hold what a macro is given, 16 or "mutex" or default, and
 * not the arguments of a function. */
static bool
has_macro_values(const struct declaration *decl, uint32_t i)
{
	const struct walk *walk = decl->walk;
	size_t end = decl->tokens[i].at + decl->tokens[i].bytes - 1;
	size_t at = walk_skip_space(walk, decl->tokens[i].at + 1);
	size_t word = walk_word_end(walk, at);

	if (at >= end || walk_word_is(walk, at, word - at, "void"))
		return false;
	while (at < end) {
		word = walk_word_end(walk, at);
		if (word == at) {
			at++;
			continue;
		}
		/* int a, T *b */
		at = walk_skip_space(walk, word);
		if (is_word_byte(walk_byte(walk, at)) ||
		    is_one_of("*&", walk_byte(walk, at)))
			return false;
	}
	return true;
}

/* C: namespace std MACRO(default) {, struct A MACRO(16) {, but a function that
 * returns a struct has arguments. */
static bool
is_class_with_macro(const struct declaration *decl, uint32_t definer,
		    uint32_t pair)
{
	if (decl->term != '{')
		return false;
	if (word_is(decl, definer, "namespace"))
		return true;
	for (uint32_t i = definer + 1; i < pair; i++)
		if (type_is(decl, i, TOKEN_PUNCT) &&
		    !punct_is(decl, i, PUNCT_SCOPE))
			return false;
	return word_is_upper(decl, pair - 1) && has_macro_values(decl, pair) &&
	       tokens_are(decl, pair + 1, "$ | ':' | W | G");
}

static bool
is_class(const struct declaration *decl, uint32_t pair)
{
	const struct lang *lang = decl->walk->lang;

	for (uint32_t i = decl->first; i < pair; i++) {
		char letter = word_letter(decl, i, lang->definers);

		if (letter == '\0' || letter == 'f')
			continue;
		/* struct x *f(...) is a function, class MACRO(a) x is not, and
		 * record Name(...) is not, but Type record(...) is */
		if (i > decl->first && i + 1 == pair)
			return false;
		if (!(lang->traits & TRAIT_C) ||
		    (i + 2 == pair && type_is(decl, pair + 1, TOKEN_WORD) &&
		     word_is_upper(decl, pair - 1)) ||
		    is_class_with_macro(decl, i, pair))
			return true;
	}
	return false;
}

/* Objective-C: - (type)name:(type)argument, + (type)name */
static bool
judge_message(struct declaration *decl)
{
	uint32_t first = decl->first;

	if (!(decl->walk->lang->traits & TRAIT_OBJC) ||
	    decl->frame != FRAME_CLASS)
		return false;
	/* macros may stand before it, in lines of their own */
	if (!tokens_are(decl, first, "'-' | '+'"))
		first = tokens_skip(decl, first, "T (!(^ ('-' | '+')) T)*");
	if (!tokens_are(decl, first, "T G? W"))
		return false;
	declaration_place(decl, LANG_KIND_METHOD, first,
			  first + 1 + group_is(decl, first + 1, '('));
	decl->start.flags = LANG_DEF_EXPORTED;
	return true;
}

/* Dart: where functions can stand. */
static bool
is_dart(const struct declaration *decl)
{
	return decl->walk->scan->lang == LANG_DART &&
	       (decl->frame == FRAME_CLASS || decl->frame == FRAME_TOP ||
		decl->frame == FRAME_ENUM);
}

/* Dart: int get name => value; */
static bool
judge_getter(struct declaration *decl)
{
	struct token_match match;

	if (!is_dart(decl) ||
	    !tokens_match(decl, decl->first,
			  "(!get !'=' T)* get ~W ($ | 'A' | W)", &match))
		return false;
	declaration_place(decl, LANG_KIND_METHOD, decl->first, match.name);
	if (walk_byte(decl->walk, decl->start.name) != '_')
		decl->start.flags = LANG_DEF_EXPORTED;
	return true;
}

/* C++: template <...> concept name = */
static bool
judge_concept(struct declaration *decl)
{
	struct token_match match;

	if (!(decl->walk->lang->traits & TRAIT_CPP) ||
	    !word_is(decl, decl->first, "template") ||
	    !tokens_match(decl, decl->first, "template <> concept ~W '='",
			  &match))
		return false;
	declaration_place(decl, LANG_KIND_TYPE, decl->first, match.name);
	decl->start.flags = LANG_DEF_EXPORTED;
	decl->opens = FRAME_EXPR;
	return true;
}

/* C++: requires requires(T a) { a.b(); } - behind braces of an expression, what
 * is declared goes on. Those behind f() requires (a<T>) are the body. */
static bool
judge_requires(struct declaration *decl)
{
	uint32_t i = decl->nr - 1;

	i -= i > 0 && group_is(decl, i, '(');
	if (!(decl->walk->lang->traits & TRAIT_CPP) || decl->term != '{' ||
	    decl->frame == FRAME_BODY || i == 0 ||
	    !word_is(decl, i, "requires") ||
	    !tokens_are(decl, i - 1, "requires | '&' | '|' | '=' | '!' | O"))
		return false;
	return declaration_resume(decl, FRAME_EXPR);
}

/* C++: f(A a = A{}, B b = {}, C c); - the arguments go on behind the braces. */
static bool
judge_argument(struct declaration *decl)
{
	if (!(decl->walk->lang->traits & TRAIT_CPP) || decl->term != '{' ||
	    decl->frame == FRAME_BODY || decl->open == 0 ||
	    decl->tokens[decl->open - 1].punct != '(' ||
	    !tokens_are(decl, decl->open, ".. '=' (W | 'D' | <>)* $"))
		return false;
	return declaration_resume(decl, FRAME_EXPR);
}

/* Words of the language before a statement, which is no function then. */
static bool
judge_control(struct declaration *decl)
{
	const struct lang *lang = decl->walk->lang;

	if (word_in(decl, decl->first, lang->control) &&
	    !word_in(decl, decl->first, "new get set lock")) {
		judge_anonymous(decl);
		return true;
	}
	/* extern "C" { */
	if (!(lang->traits & TRAIT_C) || decl->nr != decl->first + 2 ||
	    !word_is(decl, decl->first, "extern"))
		return false;
	decl->opens = FRAME_CLASS;
	return true;
}

/* What has parentheses behind a name, where functions can stand. */
static bool
judge_pair(struct declaration *decl)
{
	uint64_t traits = decl->walk->lang->traits;
	uint32_t pair = the_pair(decl);

	if (pair >= decl->nr || !typed_allowed(decl) || is_class(decl, pair))
		return false;
	if (is_constant(decl, pair)) {
		decl->opens = FRAME_CLASS;
		return true;
	}
	/* C++: f() : a{1}, b{2} { - only the last brace is the body */
	if ((traits & TRAIT_CPP) && decl->term == '{' &&
	    tokens_are(decl, pair + 1, ".. ':' .. (W | '>' | ',') $"))
		return declaration_resume(decl, FRAME_EXPR);
	if (tail_is_plain(decl, pair)) {
		judge_function(decl, pair);
		return true;
	}
	/* a body behind an arrow, braces within it */
	decl->resume = decl->term == '{' && (traits & TRAIT_DECLARED);
	return false;
}

void
declaration_judge_typed(struct declaration *decl)
{
	if (judge_message(decl) || judge_getter(decl) || judge_concept(decl) ||
	    judge_requires(decl) || judge_argument(decl) || judge_control(decl))
		return;
	/* Dart: f(int a, { - what is named among its arguments */
	if (decl->term == '{' && is_dart(decl) &&
	    decl->open > decl->first + 1 &&
	    tokens_skip(decl, decl->first, "(!('=' | 'A') T)*") + 1 >=
		    decl->open) {
		declaration_resume(decl, FRAME_EXPR);
		return;
	}
	if (judge_pair(decl) || decl->term != '{')
		return;
	if (decl->frame == FRAME_ENUM && decl->nr == decl->first + 1) {
		decl->opens = FRAME_CLASS;
		return;
	}
	if (judge_property(decl))
		return;
	/* annotations with braces before what they are of */
	if (punct_is(decl, 0, '@') && decl->open != 0)
		decl->resume = true;
	judge_expression(decl);
}
