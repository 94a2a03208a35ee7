/* SPDX-License-Identifier: MIT */
/*
 * declaration_export.c - what statements that define no function or class make
 *                        known to others: constants, variables, lists of names.
 */
#include "lang/declaration.h"

#include <string.h>

#include "base/hash.h"
#include "lang/text.h"

/* The names in { a, b as c, d::{e, f}, }: those that a comma or bracket ends. */
static uint32_t
names_in(const struct walk *walk, size_t at, size_t end)
{
	uint32_t nr = 0;
	bool seen = false;

	while ((at = lang_skip_space(walk->text, at, end)) < end) {
		uint8_t c = walk->text[at++];

		if (c == ',' || c == '}' || c == ']') {
			nr += seen;
			seen = false;
		} else if (c == '{' || c == '[') {
			seen = false;
		} else if (is_word_byte(c) || c == '*') {
			seen = true;
		}
	}
	return nr;
}

/* The names of `a = 1, b: T, *c` from token i on. */
static uint32_t
declared_names(const struct declaration *decl, uint32_t i)
{
	uint32_t nr = type_is(decl, i, TOKEN_WORD);

	for (i++; i < decl->nr; i++)
		nr += punct_is(decl, i, ',') &&
		      tokens_are(decl, i + 1,
				 "'*'* W ($ | '=' | ':' | ',' | B)");
	return nr;
}

/* ---- JavaScript, TypeScript --------------------------------------------- */

static uint32_t
hash_of(const struct declaration *decl, uint32_t name)
{
	return hash32(HASH32_BEGIN, decl->walk->text + decl->tokens[name].at,
		      decl->tokens[name].bytes);
}

bool
declaration_is_exports(const struct declaration *decl, uint32_t name)
{
	uint32_t alias = decl->walk->scan->aux[AUX_ALIAS];

	return alias != 0 && type_is(decl, name, TOKEN_WORD) &&
	       hash_of(decl, name) == alias && walk_is_outer(decl->walk);
}

/* Whether a brace stands behind token i, which ends the statement. */
static bool
begins_list(const struct declaration *decl, uint32_t i)
{
	const struct walk *walk = decl->walk;
	size_t at = decl->tokens[i].at + decl->tokens[i].bytes;

	return decl->term == ';' &&
	       walk_byte(walk, walk_skip_space(walk, at)) == '{';
}

/* Lists a name that is nothing but a word. */
static void
list_word(const struct declaration *decl, uint32_t i)
{
	if (type_is(decl, i, TOKEN_WORD))
		walk_listed(decl->walk, decl->tokens[i].at,
			    decl->tokens[i].at + decl->tokens[i].bytes);
}

/* Where the names before `end` end, less blanks and the last comma. */
static size_t
list_end(const struct declaration *decl, size_t at, size_t end)
{
	while (end > at && (decl->walk->text[end - 1] <= ' ' ||
			    decl->walk->text[end - 1] == ','))
		end--;
	return end;
}

/* export { a, b as c }: what is in the braces. */
static uint32_t
script_list(const struct declaration *decl)
{
	const uint8_t *text = decl->walk->text;
	size_t at = decl->tokens[0].at;
	size_t end = decl->end;
	const uint8_t *open = memchr(text + at, '{', end - at);
	const uint8_t *shut = memrchr(text + at, '}', end - at);

	if (open != NULL && shut > open)
		walk_listed(decl->walk, (size_t)(open - text) + 1,
			    list_end(decl, (size_t)(open - text) + 1,
				     (size_t)(shut - text)));
	return names_in(decl->walk, at, end);
}

/* export ...; true: the names stand in the braces that follow. */
static bool
script_export(const struct declaration *decl, uint32_t *nr)
{
	const struct token *names;
	uint32_t i = 1;

	if (tokens_are(decl, i, "default | '=' | '*'")) {
		if (decl->nr == i + 2)
			list_word(decl, i + 1);
		*nr = 1;
		return false;
	}
	i += word_in(decl, i, "declare type");
	/* of a long list the tokens in the middle are lost */
	if (begins_list(decl, i - 1))
		*nr = script_list(decl);
	if (tokens_are(decl, i, "import | '*'"))
		*nr = 1;
	if (!word_in(decl, i, "const let var"))
		return false;
	if (++i == decl->nr)
		return decl->term == '{';
	names = &decl->tokens[i];
	*nr = group_is(decl, i, '[') ? names_in(decl->walk, names->at,
						names->at + names->bytes)
				     : declared_names(decl, i);
	return false;
}

/* What is assigned to, up to its sign. */
struct target {
	uint32_t sign;   /* the sign; the statement's end if there is none */
	bool is_exports; /* exports, module.exports */
	bool is_of;      /* a name of them */
};

static struct target
target_at(const struct declaration *decl, uint32_t i)
{
	struct target target = { .sign = punct_from(decl, i, '=') };
	bool is_alias =
		punct_is(decl, i + 1, '.') && declaration_is_exports(decl, i);

	i = tokens_skip(decl, i, "module '.'");
	/* exports.a or exports["a"]; of exports.a.b only a is exported */
	target.is_exports = word_is(decl, i, "exports");
	target.is_of = (target.is_exports || is_alias) &&
		       (target.sign == i + 3 ||
			(target.sign == i + 2 && group_is(decl, i + 1, '[')));
	target.is_exports &= target.sign == i + 1;
	return target;
}

/* exports.a = b, module.exports = { a, b }, c = module.exports = {} */
static bool
script_assigned(const struct declaration *decl, uint32_t *nr)
{
	uint32_t i = word_in(decl, 0, "const let var");
	uint32_t *alias = &decl->walk->scan->aux[AUX_ALIAS];
	uint32_t other = decl->nr;
	uint32_t of = decl->nr;
	bool is_whole = false;
	struct target target;

	while ((target = target_at(decl, i)).sign < decl->nr) {
		is_whole |= target.is_exports;
		if (target.is_of)
			of = target.sign - 1;
		if (!target.is_exports && target.sign == i + 1 &&
		    type_is(decl, i, TOKEN_WORD))
			other = i;
		i = target.sign + 1;
	}
	/* what compilers begin with: exports.a = exports.b = void 0; */
	if (of < decl->nr && !word_is(decl, i, "void")) {
		list_word(decl, of);
		*nr = 1;
	}
	if (!is_whole)
		return false;
	if (i == decl->nr && decl->term == '{') {
		if (other < decl->nr)
			*alias = hash_of(decl, other);
		return true;
	}
	if (tokens_are(decl, i, "W $")) {
		list_word(decl, i);
		*alias = hash_of(decl, i);
	}
	*nr = 1;
	return false;
}

/* a, b: 1, c() {}, async d() {} of what is exported; but ...e */
static uint32_t
script_member(const struct declaration *decl)
{
	uint32_t i = tokens_skip(decl, 0, "[get set async]? '*'? &(W | S | B)");
	const struct token *name = &decl->tokens[i];

	if (decl->frame != FRAME_OBJECT) {
		/* export const { a, b: c } = d; */
		name = decl->tokens;
		walk_listed(decl->walk, name->at,
			    list_end(decl, name->at, decl->end));
		return declared_names(decl, 0);
	}
	if (name->type == TOKEN_PUNCT)
		return 0;
	walk_listed(decl->walk, name->at, name->at + name->bytes);
	return 1;
}

static bool
script_names(const struct declaration *decl, uint32_t *nr)
{
	const struct lang_frame *frame = walk_frame(decl->walk);

	if (frame != NULL && frame->kind == LANG_KIND_NONE &&
	    frame->flags & LANG_DEF_EXPORTED) {
		*nr = script_member(decl);
		return false;
	}
	if (decl->start.kind != LANG_KIND_NONE || !walk_is_outer(decl->walk))
		return false;
	if (word_is(decl, 0, "export"))
		return script_export(decl, nr);
	/* Vue: what a component lets others call */
	if (decl->walk->scan->script != LANG_NONE &&
	    tokens_are(decl, 0, "[defineExpose] P $"))
		return true;
	return decl->nr > 1 &&
	       (word_in(decl, 0, "exports module const let var") ||
		punct_is(decl, 1, '=') || declaration_is_exports(decl, 0)) &&
	       script_assigned(decl, nr);
}

/* ---- others -------------------------------------------------------------- */

/* pub const A, pub static A, pub use a::{b, c} */
static uint32_t
rust_names(const struct declaration *decl)
{
	struct token_match match;

	if (!tokens_match(decl, 0, "('#' '!'? B?)* pub G? ~[use const static]",
			  &match))
		return 0;
	return word_is(decl, match.name, "use")
		       ? (uint32_t)max_u64(1,
					   names_in(decl->walk,
						    decl->tokens[match.name].at,
						    decl->end))
		       : 1;
}

/* A, b, C = 1, 2, 3: those in capitals. */
static uint32_t
go_names(const struct declaration *decl)
{
	uint32_t i = word_in(decl, 0, "const var");
	uint32_t nr = 0;

	if (i == 0 && decl->walk->scan->aux[AUX_GROUP] != GROUP_VALUES)
		return 0;
	for (; type_is(decl, i, TOKEN_WORD); i += 2) {
		uint8_t first = decl->walk->text[decl->tokens[i].at];

		nr += first >= 'A' && first <= 'Z';
		if (!punct_is(decl, i + 1, ','))
			break;
	}
	return nr;
}

/* PHP: const A = 1, B = 2; define('C', 3); */
static uint32_t
php_names(const struct declaration *decl)
{
	if (word_is(decl, 0, "const"))
		return declared_names(decl, 1);
	return tokens_are(decl, 0, "define G");
}

/* Dart: const a = 1; final List<int> b = []; String? c; - not _d. */
static uint32_t
dart_names(const struct declaration *decl)
{
	uint32_t sign = punct_from(decl, 0, '=');

	return sign > 1 && type_is(decl, sign - 1, TOKEN_WORD) &&
	       decl->walk->text[decl->tokens[sign - 1].at] != '_' &&
	       !word_in(decl, 0,
			"import export part library typedef class return") &&
	       tokens_are(decl, 0,
			  "[const final late var] T | "
			  "W ('.' W)? <>? '?'? W ('=' | $)");
}

/* Kotlin, Scala, Swift: val a, var b, let c at the top. */
static uint32_t
value_names(const struct declaration *decl)
{
	uint32_t i = 0;

	while (!word_in(decl, i, "val var let")) {
		if (word_in(decl, i,
			    "private fileprivate internal protected") ||
		    !tokens_are(decl, i, "W | '@' | G"))
			return 0;
		i++;
	}
	return type_is(decl, i + 1, TOKEN_WORD);
}

/* int a, *b[3] = ..., (*c)(int); a prototype has other round brackets, struct
 * d; no name. */
static uint32_t
c_names(const struct declaration *decl, enum lang_export *what)
{
	uint32_t first = decl->nr;
	uint32_t words = 0;
	uint32_t i = tokens_skip_template(decl, 0);

	if (decl->frame == FRAME_BODY)
		return 0;
	if (word_in(decl, i,
		    "typedef using friend template namespace return "
		    "public private protected static_assert")) {
		*what = LANG_EXPORT_DECLARED;
		return tokens_are(decl, i, "using T '='");
	}
	for (;
	     i < decl->nr && !punct_is(decl, i, '=') && !punct_is(decl, i, ',');
	     i++) {
		if (declaration_is_pointer(decl, i)) {
			i++;
			words++;
			continue;
		}
		if (type_is(decl, i, TOKEN_GROUP) && !group_is(decl, i, '['))
			return 0;
		if (word_in(decl, i, "extern static"))
			*what = LANG_EXPORT_DECLARED;
		else if (type_is(decl, i, TOKEN_WORD) && words++ == 0)
			first = i;
	}
	if (words < 2 ||
	    (words == 2 && word_in(decl, first, "struct union enum class")) ||
	    (decl->term == '{' && i == decl->nr &&
	     !declaration_is_braced(decl)))
		return 0;
	return declared_names(decl, i - 1) + !type_is(decl, i - 1, TOKEN_WORD);
}

/* C++: what a class template has has been declared in it. */
static bool
is_of_template(const struct declaration *decl)
{
	uint32_t i = tokens_skip_template(decl, 0);

	return i > 0 &&
	       tokens_are(decl, i, "(!'=' T)* '>' 'D' W (B | '=' | $)");
}

/* Of a statement that defines nothing, in other languages than JavaScript. */
static uint32_t
other_names(const struct declaration *decl, enum lang_export *what)
{
	uint32_t lang = decl->walk->scan->lang;

	if (lang == LANG_RUST)
		return rust_names(decl);
	if (decl->walk->lang->traits & TRAIT_C)
		return is_of_template(decl) ? 0 : c_names(decl, what);
	if (decl->frame != FRAME_TOP)
		return 0;
	if (lang == LANG_GO)
		return go_names(decl);
	if (lang == LANG_PHP)
		return php_names(decl);
	if (lang == LANG_DART)
		return dart_names(decl);
	if (lang == LANG_ZIG)
		return tokens_are(decl, 0, "pub M* [const var] W");
	return declaration_has_words(decl) ? value_names(decl) : 0;
}

/* Of JavaScript's exports only export const a = 1 says more than a name. */
static bool
is_constant(const struct declaration *decl)
{
	return !(decl->walk->lang->traits & TRAIT_METHODS) ||
	       tokens_are(decl, 0, "export declare? [const let var]");
}

/* namespace A.B; of C#, namespace A\B; of PHP: they are of all that follows. */
static bool
is_namespace(const struct declaration *decl)
{
	uint32_t lang = decl->walk->scan->lang;

	return (lang == LANG_CSHARP || lang == LANG_PHP) &&
	       decl->frame == FRAME_TOP && decl->term == ';' &&
	       tokens_are(decl, 0, "namespace W");
}

/* Perl: package A; our $b = c; use parent "D"; has e => (...); - but the names of
 * our @EXPORT = qw(f g); are listed. */
static bool
is_of_package(const struct declaration *decl)
{
	const struct token *names = &decl->tokens[decl->nr - 1];

	if (decl->walk->scan->lang != LANG_PERL ||
	    !word_in(decl, 0, DECLARATION_PERL) ||
	    tokens_are(decl, 0, "use ![parent base constant] T"))
		return false;
	if (!tokens_are(decl, 0, "our N [EXPORT EXPORT_OK] '=' qw C $"))
		return true;
	walk_listed(decl->walk, names->at + 1, names->at + names->bytes - 1);
	return false;
}

bool
declaration_export(const struct declaration *decl)
{
	struct walk *walk = decl->walk;
	const struct lang_sink *sink = walk->sink;
	enum lang_export what = LANG_EXPORT_NAMES;
	uint32_t nr = 0;
	bool holds = false;

	if (sink == NULL || decl->nr == 0 || decl->is_local ||
	    (sink->exports == NULL && sink->listed == NULL &&
	     sink->member == NULL))
		return false;
	if (walk->lang->traits & TRAIT_METHODS)
		holds = script_names(decl, &nr);
	else if (decl->start.kind == LANG_KIND_NONE)
		nr = other_names(decl, &what);
	if (nr > 0 &&
	    ((walk->lang->traits & TRAIT_METHODS) || walk_is_outer(walk)))
		walk_export(walk, what, nr);
	if (decl->start.kind == LANG_KIND_NONE)
		declaration_member(decl,
				   (nr > 0 && is_constant(decl)) ||
					   is_namespace(decl) ||
					   is_of_package(decl) ||
					   declaration_is_scala_case(decl),
				   what == LANG_EXPORT_DECLARED);
	return holds;
}

bool
declaration_begins_group(const struct declaration *decl)
{
	uint32_t *group = &decl->walk->scan->aux[AUX_GROUP];
	uint64_t off;

	if (decl->nr != 1 || decl->walk->scan->lang != LANG_GO)
		return false;
	if (word_is(decl, 0, "type"))
		*group = GROUP_TYPES;
	else if (decl->frame == FRAME_TOP && word_in(decl, 0, "const var"))
		*group = GROUP_VALUES;
	else
		return false;
	off = decl->walk->off + decl->tokens[0].at + 1;
	decl->walk->scan->aux[AUX_GROUP_OFF] = (uint32_t)off;
	decl->walk->scan->aux[AUX_GROUP_UPPER] = (uint32_t)(off >> 32);
	return true;
}
