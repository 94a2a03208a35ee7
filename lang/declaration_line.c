/* SPDX-License-Identifier: MIT */
/*
 * declaration_line.c - whether a statement goes on in the next line.
 *
 * Does: tells by what ends a line, and by what the next one begins with, where
 *       lines may end statements.
 */
#include "lang/declaration.h"

#include <string.h>

size_t
declaration_plain_group(const struct walk *walk, size_t at)
{
	const uint8_t *text = walk->text;
	size_t to = min_size(walk->end, at + 512);
	uint32_t nest = 0;

	if (walk_byte(walk, at) != '(')
		return 0;
	for (size_t i = at; i < to; i++) {
		switch (text[i]) {
		case '(':
			nest++;
			break;
		case ')':
			if (--nest == 0)
				return i + 1 - at;
			break;
		case '"':
		case '\'':
		case '`':
		case '/':
		case '#':
		case '{':
			return 0;
		default:
			break;
		}
	}
	return 0;
}

/* Words that never begin a statement. */
static const char continues[] =
	"extends implements where with else catch finally throws is as in of "
	"from instanceof satisfies";

/* Of Kotlin and Scala: what an expression or a declaration lets hang. */
static bool
expression_goes_on(const struct declaration *decl, uint8_t c)
{
	const struct lang *lang = decl->walk->lang;
	uint32_t last = decl->nr - 1;

	if (!type_is(decl, last, TOKEN_GROUP))
		return false;
	if (word_in(decl, last - 1, "if while for"))
		return true;
	/* further lists of arguments */
	return c == '(' && punct_from(decl, 0, '=') == decl->nr &&
	       (word_in(decl, 0, lang->definers) ||
		word_in(decl, 0, lang->modifiers));
}

bool
declaration_ends_with_arrow(const struct declaration *decl)
{
	const struct lang *lang = decl->walk->lang;
	uint8_t arrow = decl->walk->scan->lang == LANG_SCALA ? PUNCT_ARROW
							     : PUNCT_RIGHT;

	return (lang->traits & TRAIT_EXPRESSION_BODY) &&
	       punct_is(decl, decl->nr - 1, arrow) && !decl->is_tail &&
	       !word_in(decl, 0, lang->definers) &&
	       (word_is(decl, 0, "case") ||
		!word_in(decl, 0, lang->modifiers)) &&
	       !word_in(decl, 0, "val var");
}

/* Whether a line that ends with that sign wants another; `?` ends types, ## is
 * a method of Scala. */
static bool
wants_more(const struct declaration *decl)
{
	uint32_t last = decl->nr - 1;

	if (!type_is(decl, last, TOKEN_PUNCT) || punct_is(decl, last, '>') ||
	    punct_is(decl, last, '!') ||
	    (last > 0 && tokens_are(decl, last - 1, "'#' '#'")))
		return false;
	return !punct_is(decl, last, '?') ||
	       (decl->walk->lang->traits & TRAIT_METHODS);
}

/* = value, and nothing else of the words that want more */
static bool
ends_with_value(const struct declaration *decl)
{
	uint32_t last = decl->nr - 1;

	return type_is(decl, last, TOKEN_WORD) &&
	       punct_is(decl, last - 1, '=') &&
	       !word_in(decl, last, continues) &&
	       (decl->walk->lang->traits & TRAIT_EXPRESSION_BODY);
}

/* Whether a line ends with a word that something has to follow. */
static bool
word_goes_on(const struct declaration *decl)
{
	const struct lang *lang = decl->walk->lang;
	uint32_t last = decl->nr - 1;

	/* as a name: import a as type, a.open */
	if (!type_is(decl, last, TOKEN_WORD) || word_is(decl, last, "throws") ||
	    word_is(decl, last - 1, "as") || punct_is(decl, last - 1, '.'))
		return false;
	/* as a value of JavaScript: exports.get = get */
	if (word_in(decl, last, lang->modifiers))
		return !((lang->traits & TRAIT_METHODS) &&
			 punct_is(decl, last - 1, '='));
	return word_in(decl, last, continues) ||
	       word_in(decl, last, lang->definers);
}

/* Whether a line that begins with c belongs to the one before it. */
static bool
byte_goes_on(const struct declaration *decl, uint8_t c)
{
	bool methods = decl->walk->lang->traits & TRAIT_METHODS;

	/* Go: only the end of the line before it counts */
	if (decl->walk->scan->lang == LANG_GO)
		return false;
	if (is_one_of(".?:,=&|+*/%>)]", c) && !(c == '*' && methods))
		return true;
	return (c == '(' || c == '[') && methods && decl->frame != FRAME_CLASS;
}

/* Kotlin: class A<T> - internal constructor( in the next line is of it. */
static bool
constructor_follows(const struct declaration *decl, size_t at)
{
	const struct walk *walk = decl->walk;

	if (walk->scan->lang != LANG_KOTLIN ||
	    !tokens_are(decl, 0, ".. class W <>? ('@' W G? | M)* $"))
		return false;
	for (;;) {
		size_t from = at + (walk_byte(walk, at) == '@');
		size_t end = walk_word_end(walk, from);

		if (walk_word_is(walk, from, end - from, "constructor"))
			return true;
		if (end == from ||
		    (from == at &&
		     word_letter_at(walk, from, end - from,
				    walk->lang->modifiers) == '\0'))
			return false;
		if (from > at) /* @Throws(IOException::class) */
			end += declaration_plain_group(walk, end);
		at = walk_skip_space(walk, end);
	}
}

/* Whether what stands at `at`, in the next line, begins no statement. */
static bool
continues_at(const struct declaration *decl, size_t at)
{
	const struct walk *walk = decl->walk;

	return is_word_byte(walk->text[at]) &&
	       word_letter_at(walk, at, walk_word_end(walk, at) - at,
			      continues) != '\0';
}

bool
declaration_goes_on(const struct declaration *decl, size_t at)
{
	const struct walk *walk = decl->walk;
	uint8_t c = walk->text[at];

	if (walk->scan->lang == LANG_SCALA && declaration_ends_template(decl))
		return false;
	/* import a.b.*, import a.=== */
	if (word_is(decl, 0, "import") &&
	    (punct_is(decl, decl->nr - 1, '*') ||
	     (walk->scan->lang == LANG_SCALA &&
	      tokens_are(decl, 1, ".. '.' ('O' | '=')+ $"))))
		return continues_at(decl, at);
	if (wants_more(decl))
		return true;
	if (ends_with_value(decl))
		return is_one_of(".?:,=&|+*/%>)]-", c) ||
		       continues_at(decl, at);
	if ((walk->lang->traits & TRAIT_EXPRESSION_BODY) &&
	    expression_goes_on(decl, c))
		return true;
	if (c == '-' && walk_byte(walk, at + 1) == '>')
		return true;
	/* annotations and decorators stand before what they are of */
	return word_goes_on(decl) || byte_goes_on(decl, c) ||
	       constructor_follows(decl, at) || continues_at(decl, at) ||
	       (punct_is(decl, 0, '@') &&
		tokens_are(decl, 0, "('@' W? (('.' | ':') W?)* G?)+ $"));
}
