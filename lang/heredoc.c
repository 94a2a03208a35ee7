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

/* Behind the word at `i`: Perl's may be anything that its quotes hold. */
static size_t
word_end(const struct walk *walk, size_t i, uint8_t quote)
{
	size_t end = i;

	if (quote == 0 || walk->scan->lang != LANG_PERL)
		return walk_word_end(walk, i);
	while (end - i < LANG_TERM_BYTES && end < walk->bytes &&
	       walk->text[end] != quote && walk->text[end] != '\n')
		end++;
	return end;
}

size_t
lex_heredoc(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;
	bool is_perl = walk->scan->lang == LANG_PERL;
	bool is_indented = !is_perl;
	uint8_t quote = 0;
	size_t from;
	size_t i;

	if (walk_byte(walk, at + 1) != '<')
		return at + 1;
	i = (is_perl ? last_heredoc(walk, at) : at) + 2;
	/* << "A B" */
	if (is_perl &&
	    is_one_of("\"'", walk_byte(walk, walk_skip_blanks(walk, i))))
		i = walk_skip_blanks(walk, i);
	if (walk_byte(walk, i) == '<')
		i++;
	else if (walk->lang->traits & TRAIT_EMBEDDED)
		return at + 2;
	for (; is_one_of("-~", walk_byte(walk, i)); i++)
		is_indented = true;
	if (walk->lang->traits & TRAIT_EMBEDDED)
		i = walk_skip_blanks(walk, i);
	if (is_one_of("\"'", walk_byte(walk, i)))
		quote = walk->text[i++];
	from = i;
	i = word_end(walk, from, quote);
	if (i == from || i - from > LANG_TERM_BYTES ||
	    (walk->text[from] >= '0' && walk->text[from] <= '9'))
		return at + 2;
	if (is_perl)
		mode = walk->scan->pending;
	else
		lex_code(walk, i);
	*mode = (struct lang_mode){
		.kind = MODE_HEREDOC,
		.flags = is_indented ? MODE_INDENTED : 0,
		.term_bytes = (uint8_t)(i - from),
	};
	memcpy(mode->term, walk->text + from, i - from);
	return is_perl ? i + (quote != 0) : lex_resume(walk, i);
}

size_t
lex_heredoc_begin(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	size_t i;

	if (scan->pending[0].kind == MODE_CODE)
		return at + 1;
	i = walk_skip_blanks(walk, walk_index(walk, scan->stmt_off));
	lex_code(walk, at + 1);
	scan->mode = scan->pending[0];
	scan->pending[0].kind = MODE_CODE;
	scan->mode.begun = 1;
	scan->mode_off = walk->off + at + 1;
	/* print <<A; # b - what follows begins a statement */
	scan->mode.nest = i == at || walk_byte(walk, i) == '#';
	return lex_resume(walk, at + 1);
}
