/* SPDX-License-Identifier: MIT */
/*
 * heredoc.c - here-documents of languages whose blocks lie between braces.
 *
 * Does: passes over <<<WORD of PHP, <<WORD of Perl and HCL, up to the line that
 *       is the word.
 * Does not: those of Ruby and the shell, of which several may begin on a line:
 *           words.c.
 */
#include "lang/walk.h"

#include <string.h>

/* Perl: the last here-document that begins on the line ends behind the others. */
static size_t
last_heredoc(const struct walk *walk, size_t at)
{
	size_t stop = min_size(walk->bytes, at + LANG_LOOK_BYTES);
	size_t last = at;

	for (size_t i = at + 2; i + 2 < stop && walk->text[i] != '\n'; i++)
		if (walk->text[i] == '<' && walk->text[i + 1] == '<' &&
		    (is_one_of("\"'~", walk->text[i + 2]) ||
		     ascii_is_upper(walk->text[i + 2])))
			last = i;
	return last;
}

size_t
lex_heredoc(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;
	size_t from;
	size_t i;

	if (walk_byte(walk, at + 1) != '<')
		return at + 1;
	i = (walk->scan->lang == LANG_PERL ? last_heredoc(walk, at) : at) + 2;
	if (walk_byte(walk, i) == '<')
		i++;
	else if (walk->lang->traits & TRAIT_EMBEDDED)
		return at + 2;
	while (walk_byte(walk, i) == '-' || walk_byte(walk, i) == '~')
		i++;
	if (walk->lang->traits & TRAIT_EMBEDDED)
		i = walk_skip_blanks(walk, i);
	if (walk_byte(walk, i) == '"' || walk_byte(walk, i) == '\'')
		i++;
	from = i;
	while (is_word_byte(walk_byte(walk, i)))
		i++;
	if (i == from || i - from > LANG_TERM_BYTES ||
	    (walk->text[from] >= '0' && walk->text[from] <= '9'))
		return at + 2;
	lex_code(walk, i);
	*mode = (struct lang_mode){
		.kind = MODE_HEREDOC,
		.flags = MODE_INDENTED,
		.term_bytes = (uint8_t)(i - from),
	};
	memcpy(mode->term, walk->text + from, i - from);
	return lex_resume(walk, i);
}
