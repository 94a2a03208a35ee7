/* SPDX-License-Identifier: MIT */
/*
 * head_finish.c - statements that end without a brace: imports, what is
 *                       defined in one line, what C only declares.
 */
#include "lang/head.h"

#include <string.h>

#include "base/hash.h"

/* What stands between the quotes of a string. */
static void
import_string(struct walk *walk, const struct token *token)
{
	if (token->bytes > 2)
		walk_import(walk, token->at + 1, token->bytes - 2);
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
import_called(struct walk *walk, const struct head *head)
{
	for (uint32_t i = 1; i < head->nr; i++) {
		if (!token_group(head, i, '('))
			continue;
		if (token_is(walk, &head->tokens[i - 1], "require") ||
		    (i > 1 && token_is(walk, &head->tokens[i - 1], "import")))
			import_strings(walk, &head->tokens[i]);
		else if (walk->lang->traits & TRAIT_METHODS)
			import_within(walk, &head->tokens[i]);
	}
}

/* PHP: include "a"; require_once(__DIR__ . "/a"); wherever they stand. */
static bool
import_included(struct walk *walk, const struct head *head)
{
	for (uint32_t i = 0; i + 1 < head->nr; i++) {
		const struct token *name = NULL;
		size_t at = head->tokens[i].at;

		/* $a->include(), A::include(), $include */
		if (at > 0 && strchr(">:$", walk->text[at - 1]) != NULL)
			continue;
		if (!token_in(walk, &head->tokens[i],
			      "include include_once require require_once",
			      NULL))
			continue;
		for (uint32_t k = i + 1; k < head->nr; k++)
			if (head->tokens[k].type == TOKEN_STRING)
				name = &head->tokens[k];
		if (name != NULL)
			import_string(walk, name);
		else if (token_group(head, i + 1, '('))
			import_strings(walk, &head->tokens[i + 1]);
		return true;
	}
	return false;
}

/* Rust: use crate::a; in a function. */
static bool
uses_crate(struct walk *walk, const struct head *head)
{
	return walk->scan->lang == LANG_RUST && head->nr > 2 &&
	       token_is(walk, &head->tokens[0], "use") &&
	       token_is(walk, &head->tokens[1], "crate");
}

/* The word itself, without the mark of a byte order that begins a file. */
static struct token
bare(const struct walk *walk, struct token token)
{
	if (walk->off + token.at == 0 && token.bytes > 3 &&
	    memcmp(walk->text + token.at, "\xef\xbb\xbf", 3) == 0) {
		token.at += 3;
		token.bytes -= 3;
	}
	return token;
}

/* C# has imports in namespaces, too; Rust in functions. */
static bool
may_import(struct walk *walk, const struct head *head)
{
	return head->frame == FRAME_TOP || uses_crate(walk, head) ||
	       (head->frame == FRAME_CLASS &&
		token_is(walk, &head->tokens[0], "using"));
}

/* Behind pub, export, pub(crate) and the like. */
static uint32_t
skip_export(struct walk *walk, const struct head *head)
{
	if (!token_in(walk, &head->tokens[0], "pub export global", NULL))
		return 0;
	return head->nr > 2 && token_group(head, 1, '(') &&
			       token_is(walk, &head->tokens[0], "pub")
		       ? 2
		       : 1;
}

/* What the statement names behind its word, which is at i. */
static void
import_named(struct walk *walk, const struct head *head, uint32_t i,
	     const struct token *word)
{
	const struct token *last = &head->tokens[head->nr - 1];

	if (last->type == TOKEN_STRING) {
		import_string(walk, last);
	} else if (token_is(walk, word, "require")) {
		return; /* import_called() has told of it */
	} else if (token_group(head, i + 1, '(')) {
		import_strings(walk, &head->tokens[i + 1]);
	} else if (i + 1 < head->nr && !token_is(walk, word, "export")) {
		size_t from = head->tokens[i + 1].at;

		walk_import(walk, from, last->at + last->bytes - from);
	}
}

void
head_import(struct walk *walk, const struct head *head)
{
	const struct token *last = &head->tokens[head->nr - 1];
	struct token word;
	uint32_t i;

	if (walk->sink == NULL || walk->sink->import == NULL || head->nr < 2)
		return;
	if (walk->scan->lang == LANG_PHP && import_included(walk, head))
		return;
	import_called(walk, head);
	if (!may_import(walk, head))
		return;
	/* what follows the braces of: import { a } from "b" */
	if (token_is(walk, &head->tokens[0], "from") && head->nr == 2 &&
	    last->type == TOKEN_STRING) {
		import_string(walk, last);
		return;
	}
	i = skip_export(walk, head);
	word = bare(walk, head->tokens[i]);
	if (token_in(walk, &word, "import use using export require", NULL) ||
	    (i > 0 && last->type == TOKEN_STRING))
		import_named(walk, head, i, &word);
}

/* typedef int (*name)(void); typedef struct a name; - the last word that is
 * not within brackets, or the one behind a star. */
static void
declare_type(struct walk *walk, const struct head *head)
{
	struct def_start start = { .kind = LANG_KIND_TYPE,
				   .flags = LANG_DEF_EXPORTED };
	uint32_t name = head->nr;

	for (uint32_t i = 1; i < head->nr; i++)
		if (head->tokens[i].type == TOKEN_WORD)
			name = i;
	head_place(walk, head, 0, name, &start);
	walk_declare(walk, &start, head->end + 1);
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
has_type(struct walk *walk, const struct head *head,
	 const struct def_start *start)
{
	const struct lang_frame *frame = walk_frame(walk);

	for (uint32_t i = 0; i < head->nr; i++) {
		const struct token *token = &head->tokens[i];

		if (token->at >= start->name)
			break;
		if (token->type == TOKEN_WORD &&
		    !token_in(walk, token, walk->lang->modifiers, NULL))
			return true;
	}
	return (walk->lang->traits & TRAIT_CPP) && frame != NULL &&
	       frame->kind != LANG_KIND_MODULE;
}

/* Objective-C: @property (nonatomic) Type *name; */
static bool
declare_property(struct walk *walk, const struct head *head)
{
	struct def_start start = { .kind = LANG_KIND_PROPERTY,
				   .flags = LANG_DEF_EXPORTED };
	uint32_t i = 0;

	while (token_punct(head, i, '@') && i + 1 < head->nr &&
	       token_in(walk, &head->tokens[i + 1], "required optional", NULL))
		i += 2;
	if (!token_punct(head, i, '@') || i + 2 >= head->nr ||
	    !token_is(walk, &head->tokens[i + 1], "property"))
		return false;
	head_place(walk, head, i, head->nr - 1, &start);
	walk_declare(walk, &start, head->end + 1);
	return true;
}

void
head_declare(struct walk *walk, const struct head *head)
{
	struct verdict verdict = { .frame = FRAME_BODY };

	if (head->nr < 2 || head_open(head) != 0)
		return;
	if (token_is(walk, &head->tokens[0], "typedef")) {
		declare_type(walk, head);
		return;
	}
	if ((walk->lang->traits & TRAIT_OBJC) && declare_property(walk, head))
		return;
	walk->declaring = true;
	head_judge(walk, head, ';', &verdict);
	walk->declaring = false;
	head_export(walk, head, ';', verdict.start.kind != LANG_KIND_NONE);
	if (verdict.start.kind == LANG_KIND_METHOD)
		walk_declare(walk, &verdict.start, head->end + 1);
	if (verdict.start.kind == LANG_KIND_FUNCTION &&
	    !is_macro(walk, &verdict.start) &&
	    has_type(walk, head, &verdict.start))
		walk_declare(walk, &verdict.start, head->end + 1);
}

void
head_finish(struct walk *walk, const struct head *head)
{
	struct verdict verdict;
	const struct token *last;
	size_t end = head->end;

	if (head->nr == 0 || head_open(head) != 0)
		return;
	head_import(walk, head);
	head_judge(walk, head, ';', &verdict);
	head_export(walk, head, ';', verdict.start.kind != LANG_KIND_NONE);
	if (verdict.start.kind == LANG_KIND_NONE)
		return;
	last = &head->tokens[head->nr - 1];
	if (walk_byte(walk, end) == ';')
		end++;
	else
		end = last->at + last->bytes;
	verdict.start.flags |= LANG_DEF_DECLARED;
	verdict.start.body = end;
	walk_single(walk, &verdict.start, end);
}
