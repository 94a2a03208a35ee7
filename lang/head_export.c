/* SPDX-License-Identifier: MIT */
/*
 * head_export.c - what statements that define no function or class make
 *                       known to others: constants, variables, lists of names.
 */
#include "lang/head.h"

#include <string.h>

#include "base/hash.h"

/* Where a statement is read: the next token, and what ends it. */
struct statement {
	struct walk *walk;
	const struct head *head;
	uint8_t term;
};

static bool
is_word(const struct head *head, uint32_t i)
{
	return i < head->nr && head->tokens[i].type == TOKEN_WORD;
}

static bool
word_is(const struct statement *in, uint32_t i, const char *word)
{
	return i < in->head->nr &&
	       token_is(in->walk, &in->head->tokens[i], word);
}

static bool
word_in(const struct statement *in, uint32_t i, const char *list)
{
	return i < in->head->nr &&
	       token_in(in->walk, &in->head->tokens[i], list, NULL);
}

/* The names in { a, b as c, d::{e, f}, }: those that a comma or bracket ends. */
static uint32_t
names_in(const struct walk *walk, size_t at, size_t end)
{
	uint32_t nr = 0;
	bool seen = false;

	for (; at < end; at++) {
		uint8_t c = walk->text[at];

		if (c == '/' && walk_byte(walk, at + 1) == '/') {
			while (at < end && walk->text[at] != '\n')
				at++;
		} else if (c == '/' && walk_byte(walk, at + 1) == '*') {
			for (at += 2; at + 1 < end; at++)
				if (walk->text[at] == '*' &&
				    walk->text[at + 1] == '/')
					break;
			at++;
		} else if (c == ',' || c == '}' || c == ']') {
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

/* The names of `a = 1, b: T, c` from token i on. */
static uint32_t
declared_names(const struct head *head, uint32_t i)
{
	uint32_t nr = is_word(head, i);

	for (i++; i + 1 < head->nr; i++)
		if (token_punct(head, i, ',') && is_word(head, i + 1) &&
		    (i + 2 == head->nr || token_punct(head, i + 2, '=') ||
		     token_punct(head, i + 2, ':') ||
		     token_punct(head, i + 2, ',') ||
		     token_group(head, i + 2, '[')))
			nr++;
	return nr;
}

/* ---- JavaScript, TypeScript --------------------------------------------- */

static uint32_t
hash_of(const struct walk *walk, const struct token *name)
{
	return hash32(HASH32_BEGIN, walk->text + name->at, name->bytes);
}

bool
head_is_exports(struct walk *walk, const struct token *name)
{
	return walk->scan->aux[AUX_ALIAS] != 0 && name->type == TOKEN_WORD &&
	       hash_of(walk, name) == walk->scan->aux[AUX_ALIAS] &&
	       walk_is_outer(walk);
}

/* Whether a brace stands behind token i. */
static bool
begins_list(const struct statement *in, uint32_t i)
{
	const struct token *token = &in->head->tokens[i];
	size_t at = token->at + token->bytes;

	while (is_blank_byte(walk_byte(in->walk, at)) ||
	       walk_byte(in->walk, at) == '\n')
		at++;
	return in->term == ';' && walk_byte(in->walk, at) == '{';
}

/* Lists a name that is nothing but a word. */
static void
list_word(const struct statement *in, uint32_t i)
{
	const struct token *name = &in->head->tokens[i];

	if (is_word(in->head, i))
		walk_listed(in->walk, name->at, name->at + name->bytes);
}

/* export { a, b as c }: what is in the braces. */
static uint32_t
script_list(const struct statement *in)
{
	const uint8_t *text = in->walk->text;
	size_t at = in->head->tokens[0].at;
	size_t end = in->head->end;
	const uint8_t *open = memchr(text + at, '{', end - at);
	const uint8_t *shut = memrchr(text + at, '}', end - at);

	while (open != NULL && shut > open &&
	       (shut[-1] <= ' ' || shut[-1] == ','))
		shut--;
	if (open != NULL && shut != NULL)
		walk_listed(in->walk, (size_t)(open - text) + 1,
			    (size_t)(shut - text));
	return names_in(in->walk, at, end);
}

/* export ...; true: the names stand in the braces that follow. */
static bool
script_export(const struct statement *in, uint32_t *nr)
{
	const struct head *head = in->head;
	uint32_t i = 1;

	if (word_is(in, i, "default") || token_punct(head, i, '=') ||
	    token_punct(head, i, '*')) {
		if (head->nr == i + 2)
			list_word(in, i + 1);
		*nr = 1;
		return false;
	}
	i += word_in(in, i, "declare type");
	if (token_punct(head, i, '*'))
		*nr = 1;
	/* of a long list the tokens in the middle are lost */
	if (begins_list(in, i - 1))
		*nr = script_list(in);
	if (word_is(in, i, "import"))
		*nr = 1;
	if (!word_in(in, i, "const let var"))
		return false;
	i++;
	if (i == head->nr)
		return in->term == '{';
	*nr = token_group(head, i, '[')
		      ? names_in(in->walk, head->tokens[i].at,
				 head->tokens[i].at + head->tokens[i].bytes)
		      : declared_names(head, i);
	return false;
}

/* What is assigned to, up to its sign. */
struct target {
	uint32_t sign;   /* the sign; the head's end if there is none */
	bool is_exports; /* exports, module.exports */
	bool is_of;      /* a name of them */
};

static struct target
target_at(const struct statement *in, uint32_t i)
{
	const struct head *head = in->head;
	struct target target = { .sign = i };
	bool is_alias = is_word(head, i) && token_punct(head, i + 1, '.') &&
			head_is_exports(in->walk, &head->tokens[i]);

	while (target.sign < head->nr && !token_punct(head, target.sign, '='))
		target.sign++;
	if (word_is(in, i, "module") && token_punct(head, i + 1, '.'))
		i += 2;
	/* exports.a or exports["a"]; of exports.a.b only a is exported */
	target.is_exports = word_is(in, i, "exports");
	target.is_of =
		(target.is_exports || is_alias) &&
		(target.sign == i + 3 ||
		 (target.sign == i + 2 && token_group(head, i + 1, '[')));
	target.is_exports &= target.sign == i + 1;
	return target;
}

/* exports.a = b, module.exports = { a, b }, c = module.exports = {} */
static bool
script_assigned(const struct statement *in, uint32_t *nr)
{
	const struct head *head = in->head;
	uint32_t i = word_in(in, 0, "const let var");
	const struct token *other = NULL;
	bool is_whole = false;
	uint32_t of_nr = 0;
	uint32_t of = 0;

	for (;;) {
		struct target target = target_at(in, i);

		if (target.sign == head->nr)
			break;
		is_whole |= target.is_exports;
		of_nr += target.is_of;
		of = target.is_of ? target.sign - 1 : of;
		if (!target.is_exports && target.sign == i + 1 &&
		    is_word(head, i))
			other = &head->tokens[i];
		i = target.sign + 1;
	}
	/* what compilers begin with: exports.a = exports.b = void 0; */
	if (of_nr > 0 && !word_is(in, i, "void")) {
		list_word(in, of);
		*nr = 1;
	}
	if (!is_whole)
		return false;
	if (i == head->nr && in->term == '{') {
		if (other != NULL)
			in->walk->scan->aux[AUX_ALIAS] =
				hash_of(in->walk, other);
		return true;
	}
	if (i + 1 == head->nr && is_word(head, i)) {
		list_word(in, i);
		in->walk->scan->aux[AUX_ALIAS] =
			hash_of(in->walk, &head->tokens[i]);
	}
	*nr = 1;
	return false;
}

/* a, b: 1, c() {} of what is exported; but ...d */
static uint32_t
script_member(const struct statement *in)
{
	const struct token *name = &in->head->tokens[0];

	if (in->head->frame != FRAME_OBJECT)
		return declared_names(in->head, 0);
	if (name->type == TOKEN_PUNCT)
		return 0;
	walk_listed(in->walk, name->at, name->at + name->bytes);
	return 1;
}

static bool
script_names(const struct statement *in, uint32_t *nr, bool is_def)
{
	const struct lang_frame *frame = walk_frame(in->walk);
	const struct head *head = in->head;

	if (frame != NULL && frame->kind == LANG_KIND_NONE &&
	    frame->flags & LANG_DEF_EXPORTED) {
		*nr = script_member(in);
		return false;
	}
	if (is_def)
		return false;
	if (word_is(in, 0, "export"))
		return walk_is_outer(in->walk) && script_export(in, nr);
	if (head->nr < 2 || !walk_is_outer(in->walk) ||
	    !(word_in(in, 0, "exports module const let var") ||
	      token_punct(head, 1, '=') ||
	      head_is_exports(in->walk, &head->tokens[0])))
		return false;
	return script_assigned(in, nr);
}

/* ---- others -------------------------------------------------------------- */

/* pub const A, pub static A, pub use a::{b, c} */
static uint32_t
rust_names(const struct statement *in)
{
	const struct head *head = in->head;
	uint32_t i = 0;

	while (token_punct(head, i, '#')) {
		i += 1u + token_punct(head, i + 1, '!');
		i += token_group(head, i, '[');
	}
	if (!word_is(in, i, "pub"))
		return 0;
	i++;
	i += token_group(head, i, '(');
	if (word_is(in, i, "use"))
		return (uint32_t)max_u64(
			1, names_in(in->walk, head->tokens[i].at, head->end));
	return word_in(in, i, "const static");
}

/* A, b, C = 1, 2, 3: those in capitals. */
static uint32_t
go_names(const struct statement *in)
{
	const struct head *head = in->head;
	uint32_t i = 0;
	uint32_t nr = 0;

	if (head->frame != FRAME_TOP)
		return 0;
	if (word_in(in, 0, "const var"))
		i++;
	else if (in->walk->scan->aux[AUX_GROUP] != GROUP_VALUES)
		return 0;
	for (; is_word(head, i); i += 2) {
		uint8_t first = in->walk->text[head->tokens[i].at];

		nr += first >= 'A' && first <= 'Z';
		if (!token_punct(head, i + 1, ','))
			break;
	}
	return nr;
}

/* PHP: const A = 1, B = 2; define('C', 3); */
static uint32_t
php_names(const struct statement *in)
{
	if (in->head->frame != FRAME_TOP)
		return 0;
	if (word_is(in, 0, "define"))
		return token_group(in->head, 1, '(');
	return word_is(in, 0, "const") ? declared_names(in->head, 1) : 0;
}

/* Kotlin, Scala, Swift: val a, var b, let c at the top. */
static uint32_t
value_names(const struct statement *in)
{
	const struct head *head = in->head;

	if (head->frame != FRAME_TOP)
		return 0;
	for (uint32_t i = 0; i + 1 < head->nr; i++) {
		if (word_in(in, i, "val var let"))
			return is_word(head, i + 1) &&
			       in->walk->text[head->tokens[i + 1].at] != '_';
		if (word_in(in, i, "private fileprivate internal protected") ||
		    !(is_word(head, i) || token_punct(head, i, '@') ||
		      token_group(head, i, '(')))
			return 0;
	}
	return 0;
}

/* int a, *b[3] = ...; a prototype has round brackets, struct c; no name. */
static uint32_t
c_names(const struct statement *in, enum lang_export *what)
{
	const struct head *head = in->head;
	uint32_t first = head->nr;
	uint32_t words = 0;
	uint32_t i = 0;

	*what = LANG_EXPORT_NAMES;
	if (word_is(in, 0, "using") && token_punct(head, 2, '=')) {
		*what = LANG_EXPORT_DECLARED;
		return 1;
	}
	if (word_in(in, 0,
		    "typedef using friend template namespace return "
		    "public private protected static_assert"))
		return 0;
	for (; i < head->nr && !token_punct(head, i, '=') &&
	       !token_punct(head, i, ',');
	     i++) {
		if (head->tokens[i].type == TOKEN_GROUP &&
		    head->tokens[i].punct != '[')
			return 0;
		if (word_is(in, i, "static"))
			return 0;
		if (word_is(in, i, "extern"))
			*what = LANG_EXPORT_DECLARED;
		else if (is_word(head, i) && words++ == 0)
			first = i;
	}
	if (words < 2 ||
	    (words == 2 && word_in(in, first, "struct union enum class")))
		return 0;
	if (in->term == '{' && i == head->nr)
		return 0;
	return declared_names(head, i - 1) + !is_word(head, i - 1);
}

bool
head_export(struct walk *walk, const struct head *head, uint8_t term,
	    bool is_def)
{
	const struct statement in = { walk, head, term };
	enum lang_export what = LANG_EXPORT_NAMES;
	uint32_t nr = 0;
	bool holds = false;

	if (walk->sink == NULL || head->nr == 0 ||
	    (walk->sink->exports == NULL && walk->sink->listed == NULL))
		return false;
	if (walk->lang->traits & TRAIT_METHODS) {
		holds = script_names(&in, &nr, is_def);
	} else if (!is_def) {
		switch (walk->scan->lang) {
		case LANG_RUST:
			nr = rust_names(&in);
			break;
		case LANG_GO:
			nr = go_names(&in);
			break;
		case LANG_PHP:
			nr = php_names(&in);
			break;
		case LANG_KOTLIN:
		case LANG_SCALA:
		case LANG_SWIFT:
			nr = value_names(&in);
			break;
		default:
			if ((walk->lang->traits & TRAIT_C) &&
			    head->frame != FRAME_BODY)
				nr = c_names(&in, &what);
			break;
		}
		nr = nr > 0 && walk_is_outer(walk) ? nr : 0;
	}
	if (nr > 0)
		walk_export(walk, what, nr);
	return holds;
}

bool
head_begins_group(const struct walk *walk, const struct head *head)
{
	uint32_t *group = &walk->scan->aux[AUX_GROUP];

	if (head->nr != 1 || walk->scan->lang != LANG_GO)
		return false;
	if (token_is(walk, &head->tokens[0], "type"))
		*group = GROUP_TYPES;
	else if (head->frame == FRAME_TOP &&
		 token_in(walk, &head->tokens[0], "const var", NULL))
		*group = GROUP_VALUES;
	else
		return false;
	return true;
}
