/* SPDX-License-Identifier: MIT */
/*
 * declaration_finish.c - statements that end without a brace: imports, what is
 *                        defined in one line, what C only declares.
 */
#include "lang/declaration.h"

#include <string.h>

#include "base/hash.h"

/* What stands between the quotes of a string. */
static void
import_string(const struct declaration *decl, uint32_t i)
{
	const struct token *token = &decl->tokens[i];

	if (token->bytes > 2)
		walk_import(decl->walk, token->at + 1, token->bytes - 2);
}

/* Go: import ( "a" "b" ), JavaScript: require("a") */
static void
import_strings(struct walk *walk, const struct token *group)
{
	size_t end = group->at + group->bytes;
	size_t at = group->at;

	while (at < end) {
		uint8_t quote = walk->text[at++];
		size_t from = at;

		if (quote != '"' && quote != '\'')
			continue;
		while (at < end && walk->text[at] != quote &&
		       walk->text[at] != '\n')
			at++;
		walk_import(walk, from, at - from);
		at++;
	}
}

/* lazy(() => import("a")): the call within the brackets of another. */
static void
import_within(struct walk *walk, const struct token *group)
{
	static const char word[] = "import";
	size_t end = group->at + group->bytes;
	size_t at = group->at;
	const uint8_t *found;

	while ((found = memmem(walk->text + at, end - at, word,
			       sizeof(word) - 1)) != NULL) {
		size_t before = (size_t)(found - walk->text) - 1;
		struct token call;

		at = before + sizeof(word);
		/* a group begins with its bracket */
		if (at == end || walk->text[at] != '(' ||
		    strchr(" \t\n(>:,[{?=", walk->text[before]) == NULL)
			continue;
		call = (struct token){ .at = at };
		while (at < end && walk->text[at] != ')')
			at++;
		call.bytes = (uint32_t)(at - call.at);
		import_strings(walk, &call);
	}
}

/* require("a") and import("a"), wherever they stand in the statement. */
static void
import_called(const struct declaration *decl)
{
	for (uint32_t i = 1; i < decl->nr; i++) {
		if (!group_is(decl, i, '('))
			continue;
		if (word_is(decl, i - 1, "require") ||
		    (i > 1 && word_is(decl, i - 1, "import")))
			import_strings(decl->walk, &decl->tokens[i]);
		else if (decl->walk->lang->traits & TRAIT_METHODS)
			import_within(decl->walk, &decl->tokens[i]);
	}
}

/* PHP: include "a"; require_once(__DIR__ . "/a"); wherever they stand. */
static bool
import_included(const struct declaration *decl)
{
	struct walk *walk = decl->walk;

	for (uint32_t i = 0; i + 1 < decl->nr; i++) {
		uint32_t name = decl->nr;
		size_t at = decl->tokens[i].at;

		/* $a->include(), A::include(), $include */
		if ((at > 0 && strchr(">:$", walk->text[at - 1]) != NULL) ||
		    !word_in(decl, i,
			     "include include_once require require_once"))
			continue;
		for (uint32_t k = i + 1; k < decl->nr; k++)
			if (type_is(decl, k, TOKEN_STRING))
				name = k;
		if (name < decl->nr)
			import_string(decl, name);
		else if (group_is(decl, i + 1, '('))
			import_strings(walk, &decl->tokens[i + 1]);
		return true;
	}
	return false;
}

/* C# has imports in namespaces, too; Rust in functions. */
static bool
may_import(const struct declaration *decl)
{
	return decl->frame == FRAME_TOP ||
	       (decl->walk->scan->lang == LANG_RUST &&
		tokens_are(decl, 0, "use crate T")) ||
	       (decl->frame == FRAME_CLASS && word_is(decl, 0, "using"));
}

/* The last token, that of import a from "b" with { type: "json" } without the
 * attributes. */
static uint32_t
last_of_import(const struct declaration *decl)
{
	uint32_t nr = decl->nr;

	return nr > 3 && (decl->walk->lang->traits & TRAIT_METHODS) &&
			       tokens_are(decl, nr - 3, "S [with assert] C")
		       ? nr - 3
		       : nr - 1;
}

/* export { a } from "b"; Dart: export "b" - other strings are values. */
static bool
is_reexport(const struct declaration *decl, uint32_t i, uint32_t last)
{
	return i > 0 && type_is(decl, last, TOKEN_STRING) &&
	       (last == i || word_is(decl, last - 1, "from"));
}

/* Scala: import a.b, c.{d, e}: each of them. */
static void
import_each(const struct declaration *decl, uint32_t i, uint32_t last)
{
	const struct token *tokens = decl->tokens;

	for (uint32_t k = i; k <= last; k++) {
		size_t end = tokens[k].at + tokens[k].bytes;

		if (k < last && !punct_is(decl, k + 1, ','))
			continue;
		walk_import(decl->walk, tokens[i].at, end - tokens[i].at);
		k++;
		i = k + 1;
	}
}

/* TypeScript: import a = require("b"), import a = b.c; using a = b() */
static bool
is_alias(const struct declaration *decl, uint32_t i)
{
	return (decl->walk->lang->traits & TRAIT_METHODS) &&
	       tokens_are(decl, i + 1, "W '='");
}

/* What the statement names from the word at i up to the token at `last`. */
static void
import_named(const struct declaration *decl, uint32_t i, uint32_t last)
{
	const struct token *tokens = decl->tokens;

	if (type_is(decl, last, TOKEN_STRING))
		import_string(decl, last);
	else if (word_is(decl, i, "require") || is_alias(decl, i))
		return; /* import_called() has told of it */
	else if (group_is(decl, i + 1, '('))
		import_strings(decl->walk, &tokens[i + 1]);
	else if (decl->walk->scan->lang == LANG_SCALA)
		import_each(decl, i + 1, last);
	else if (i < last && !word_is(decl, i, "export"))
		walk_import(decl->walk, tokens[i + 1].at,
			    tokens[last].at + tokens[last].bytes -
				    tokens[i + 1].at);
}

void
declaration_import(const struct declaration *decl)
{
	const struct walk *walk = decl->walk;
	uint32_t last;
	uint32_t i;

	if (walk->sink == NULL || walk->sink->import == NULL || decl->nr < 2 ||
	    (walk->scan->lang == LANG_PHP && import_included(decl)) ||
	    /* require(), using A for B */
	    (walk->scan->lang == LANG_SOLIDITY &&
	     !word_in(decl, 0, "import from")))
		return;
	import_called(decl);
	if (!may_import(decl))
		return;
	/* what follows the braces of: import { a } from "b" */
	last = last_of_import(decl);
	if (last == 1 && tokens_are(decl, 0, "from S")) {
		import_string(decl, 1);
		return;
	}
	i = word_in(decl, 0, "pub export global");
	if (word_is(decl, 0, "pub"))
		i = tokens_skip(decl, 1, "G &T");
	if (word_in(decl, i, "import use using export require") ||
	    is_reexport(decl, i, last))
		import_named(decl, i, last);
}

/* typedef int (*name)(void); typedef struct a name; - the last word that is
 * not within brackets, or the one behind a star. */
static void
declare_type(struct declaration *decl)
{
	uint32_t name = decl->nr;

	for (uint32_t i = 1; i < decl->nr; i++)
		if (type_is(decl, i, TOKEN_WORD))
			name = i;
	declaration_place(decl, LANG_KIND_TYPE, 0, name);
	decl->start.flags = LANG_DEF_EXPORTED;
}

/* In capitals, as macros are, but for what makes an object of the class. */
static bool
is_macro(const struct walk *walk, const struct def_start *start)
{
	const struct lang_frame *frame = walk_frame(walk);
	const uint8_t *name = walk->text + start->name;

	for (size_t i = 0; i < start->name_bytes; i++)
		if (name[i] >= 'a')
			return false;
	return frame == NULL || frame->name_hash != hash32(HASH32_BEGIN, name,
							   start->name_bytes);
}

/* Whether a function that is declared there may be one: it has a type, or it
 * makes or ends an object of the class around. */
static bool
has_type(const struct declaration *decl)
{
	const struct walk *walk = decl->walk;
	const struct lang_frame *frame = walk_frame(walk);

	for (uint32_t i = 0; i < decl->nr; i++) {
		if (decl->tokens[i].at >= decl->start.name)
			break;
		if (type_is(decl, i, TOKEN_WORD) &&
		    !word_in(decl, i, walk->lang->modifiers))
			return true;
	}
	return (walk->lang->traits & TRAIT_CPP) && frame != NULL &&
	       frame->kind != LANG_KIND_MODULE;
}

/* Objective-C: @property (nonatomic) Type *name; */
static bool
declare_property(struct declaration *decl)
{
	uint32_t i;

	if (!(decl->walk->lang->traits & TRAIT_OBJC))
		return false;
	i = tokens_skip(decl, 0, "('@' [required optional])*");
	if (!tokens_are(decl, i, "'@' property T"))
		return false;
	declaration_place(decl, LANG_KIND_PROPERTY, i, decl->nr - 1);
	decl->start.flags = LANG_DEF_EXPORTED;
	return true;
}

void
declaration_declare(struct declaration *decl)
{
	struct walk *walk = decl->walk;

	if (decl->nr == 0 || decl->open != 0)
		return;
	decl->start = (struct def_start){ 0 };
	if (word_is(decl, 0, "typedef")) {
		declare_type(decl);
	} else if (!declare_property(decl)) {
		walk->declaring = true;
		declaration_judge(decl, ';');
		walk->declaring = false;
		/* a concept is all there */
		if (decl->start.kind == LANG_KIND_TYPE) {
			decl->start.body = decl->end + 1;
			walk_single(walk, &decl->start, decl->end + 1);
			return;
		}
		if (decl->start.kind != LANG_KIND_METHOD &&
		    (decl->start.kind != LANG_KIND_FUNCTION ||
		     is_macro(walk, &decl->start) || !has_type(decl)))
			decl->start.kind = LANG_KIND_NONE;
		declaration_export(decl);
		if (decl->start.kind == LANG_KIND_NONE)
			return;
	}
	walk_declare(walk, &decl->start, decl->end + 1);
}

void
declaration_finish(struct declaration *decl)
{
	struct walk *walk = decl->walk;
	const struct token *last;
	size_t end = decl->end;

	if (decl->nr == 0 || decl->open != 0)
		return;
	declaration_import(decl);
	declaration_judge(decl, ';');
	declaration_export(decl);
	if (decl->start.kind == LANG_KIND_NONE)
		return;
	last = &decl->tokens[decl->nr - 1];
	if (walk_byte(walk, end) == ';')
		end++;
	else
		end = last->at + last->bytes;
	decl->start.flags |= LANG_DEF_DECLARED;
	decl->start.body = end;
	walk_single(walk, &decl->start, end);
}
