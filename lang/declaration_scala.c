/* SPDX-License-Identifier: MIT */
/*
 * declaration_scala.c - Scala 3: bodies without braces, extensions, givens.
 *
 * Does: tells by their indentation which statements are in the body of a
 *       function or a value, where nothing is for others.
 * Does not: know where a class without braces ends: its members are like those
 *           of the file.
 */
#include "lang/declaration.h"

/* extension [T](a: A), given A: B with - their members are for others. */
static bool
judge_template(struct declaration *decl)
{
	struct token_match match;
	uint32_t i = decl->first;

	if (tokens_match(decl, i, "M* extension B? G+ (M B?)* def ~T",
			 &match)) {
		declaration_place(decl, LANG_KIND_FUNCTION, i, match.name);
		decl->is_expression = decl->term == '{' &&
				      punct_from(decl, i, '=') < decl->nr;
	} else if (tokens_match(decl, i,
				"M* ~extension B? G+ ':'? $ | "
				"(!given M)* given ~T (!'=' T)* [with ':'] $",
				&match)) {
		declaration_place(decl, LANG_KIND_IMPL, i, match.name);
		decl->opens = FRAME_CLASS;
	} else {
		return false;
	}
	decl->start.flags = LANG_DEF_EXPORTED;
	return true;
}

bool
declaration_judge_scala(struct declaration *decl)
{
	const struct walk *walk = decl->walk;
	uint32_t *local = &walk->scan->aux[AUX_LOCAL];
	size_t at = decl->tokens[0].at;

	if (decl->frame == FRAME_BODY || decl->frame == FRAME_EXPR)
		return false;
	if (walk_first_on_line(walk, at)) {
		size_t column = at - walk_line_start(decl->walk, at);

		decl->is_local = *local != 0 && column >= *local;
		if (decl->is_local)
			return true;
		*local = tokens_are(decl, decl->first,
				    "(extension B? G+)? (M B?)* [def val var]")
				 ? (uint32_t)column + 1
				 : 0;
	}
	return judge_template(decl);
}

bool
declaration_ends_template(const struct declaration *decl)
{
	uint32_t last = decl->nr - 1;
	uint32_t i = declaration_first(decl);

	return (punct_is(decl, last, ':') &&
		tokens_are(decl, i,
			   "(M B?)* [class object trait enum extension given "
			   "package]")) ||
	       (word_is(decl, last, "with") && word_is(decl, i, "given"));
}

bool
declaration_is_scala_case(const struct declaration *decl)
{
	return decl->walk->scan->lang == LANG_SCALA &&
	       (tokens_are(decl, decl->first, "(!given M)* given T") ||
		(tokens_are(decl, decl->first, "case W") &&
		 punct_from(decl, 0, PUNCT_ARROW) == decl->nr &&
		 punct_from(decl, 0, '@') == decl->nr));
}
