/* SPDX-License-Identifier: MIT */
/*
 * lines.c - languages that go line by line.
 *
 * Does: comments, strings and brackets that hold lines together, the comments
 *       before a definition, the last byte of code; hands lines and words to
 *       the families.
 * Does not: know what a line means (layout.c, headings.c) or a
 *           word (words.c).
 */
#include "lang/lines.h"

#include <string.h>

#include "lang/text.h"

/* Whether words and brackets make the blocks, not lines alone. */
static bool
by_words(const struct walk *walk)
{
	switch (walk->lang->family) {
	case FAMILY_END:
	case FAMILY_SHELL:
	case FAMILY_SQL:
	case FAMILY_PARENS:
		return true;
	default:
		return false;
	}
}

static void
set_events(struct walk *walk)
{
	uint64_t traits = walk->lang->traits;
	uint8_t family = walk->lang->family;

	walk->events->is_made = true;
	walk_add_event(walk, '\n', EVENT_NEWLINE);
	if (family == FAMILY_KEYS ||
	    (family == FAMILY_HEADING && *walk->lang->quotes == '\0'))
		return;
	for (const char *c = "([{"; *c != '\0'; c++)
		walk_add_event(walk, (uint8_t)*c, EVENT_OPEN);
	for (const char *c = ")]}"; *c != '\0'; c++)
		walk_add_event(walk, (uint8_t)*c, EVENT_CLOSE);
	if (traits & TRAIT_HASH_COMMENTS)
		walk_add_event(walk, '#', EVENT_HASH);
	if (traits & TRAIT_PERCENT_COMMENTS)
		walk_add_event(walk, '%', EVENT_HASH);
	if (traits & TRAIT_SEMI_COMMENTS)
		walk_add_event(walk, ';', EVENT_HASH);
	if (traits & TRAIT_DASH_COMMENTS)
		walk_add_event(walk, '-', EVENT_DASH);
	if (traits & TRAIT_SLASHES || family == FAMILY_SQL)
		walk_add_event(walk, '/', EVENT_SLASH);
	if (family == FAMILY_PARENS)
		walk_add_event(walk, '#', EVENT_OTHER);
	if (family == FAMILY_LAYOUT)
		walk_add_event(walk, '\'', EVENT_OTHER);
	walk_add_event(walk, '\\', EVENT_BACKSLASH);
	lex_quotes(walk);
	words_set_events(walk);
}

size_t
lines_word(const struct walk *walk, size_t at)
{
	size_t end = at;

	while (is_word_byte(walk_byte(walk, end)))
		end++;
	return end - at;
}

size_t
lines_name(const struct walk *walk, size_t at)
{
	size_t end = at;

	while (is_word_byte(walk_byte(walk, end)) ||
	       (end > at && walk_byte(walk, end) == '\''))
		end++;
	return end - at;
}

size_t
lines_long_bracket(const struct walk *walk, size_t at,
		   char term[static LANG_TERM_BYTES + 1])
{
	size_t nr = 1;

	while (nr < LANG_TERM_BYTES - 1 && walk_byte(walk, at + nr) == '=')
		nr++;
	if (walk_byte(walk, at) != '[' || walk_byte(walk, at + nr) != '[')
		return 0;
	memset(term, '=', nr);
	term[0] = ']';
	term[nr] = ']';
	term[nr + 1] = '\0';
	return nr + 1;
}

/* By its name, or by a word that stands before it in its class. */
static bool
is_hidden(const struct walk *walk, size_t name, size_t bytes)
{
	const struct lang_frame *frame = walk_frame(walk);

	if (frame != NULL && frame->shut)
		return true;
	/* __init__ is for all */
	return walk_byte(walk, name) == '_' &&
	       !(bytes > 4 && walk_byte(walk, name + 1) == '_' &&
		 walk_byte(walk, name + bytes - 1) == '_' &&
		 walk_byte(walk, name + bytes - 2) == '_');
}

void
lines_place(struct walk *walk, size_t at, size_t name, size_t name_bytes,
	    struct def_start *start)
{
	struct lang_scan *scan = walk->scan;

	start->at = at;
	start->decl = at;
	start->name = name;
	start->name_bytes = name_bytes;
	start->lead = walk_line_start(walk, at);
	/* a comment within a statement is the lead of nothing */
	if (scan->has_lead && scan->lead_off >= walk->off &&
	    scan->lead_off < walk->off + at)
		start->lead = walk_index(walk, scan->lead_off);
	if (scan->has_lead && scan->attr_off >= walk->off &&
	    scan->attr_off < walk->off + at)
		start->decl = walk_index(walk, scan->attr_off);
	start->body = 0;
	scan->has_lead = 0;
	if (!is_hidden(walk, name, name_bytes))
		start->flags |= LANG_DEF_EXPORTED;
}

void
lines_dedent(struct walk *walk, uint32_t indent)
{
	struct lang_scan *scan = walk->scan;

	while (scan->depth > 0 &&
	       scan->frames[scan->depth - 1].indent >= indent)
		walk_pop(walk, walk_index(walk, scan->code_end));
}

static struct line
line_at(const struct walk *walk, size_t at)
{
	struct line line = { .at = at, .begin = at };

	line.end = lang_line_end(walk->text, at, walk->bytes);
	if (line.end > at && walk->text[line.end - 1] == '\r')
		line.end--;
	if (walk->off + at == 0 && line.end >= 3 &&
	    memcmp(walk->text, "\xef\xbb\xbf", 3) == 0)
		line.at = 3;
	while (line.at < line.end && is_blank_byte(walk->text[line.at])) {
		if (walk->text[line.at] == '\t')
			line.indent = (line.indent | 7) + 1;
		else
			line.indent++;
		line.at++;
	}
	return line;
}

static bool
is_comment(const struct walk *walk, size_t at)
{
	uint8_t c = walk_byte(walk, at);
	uint64_t traits = walk->lang->traits;

	if (c == '#')
		return traits & TRAIT_HASH_COMMENTS;
	if (c == '%')
		return traits & TRAIT_PERCENT_COMMENTS;
	if (c == ';')
		return traits & TRAIT_SEMI_COMMENTS;
	if (c == '-')
		return (traits & TRAIT_DASH_COMMENTS) &&
		       walk_byte(walk, at + 1) == '-';
	if (c == '(')
		return (traits & TRAIT_ML_COMMENTS) &&
		       walk_byte(walk, at + 1) == '*';
	if (c == '/')
		return (traits & TRAIT_SLASHES) &&
		       walk_byte(walk, at + 1) == '/';
	if (c == '{')
		return (traits & TRAIT_DASH_COMMENTS) &&
		       walk_byte(walk, at + 1) == '-' &&
		       walk->lang->family == FAMILY_LAYOUT;
	return false;
}

/* Decorators, attributes, documentation in a string of its own. */
static bool
is_lead(const struct walk *walk, size_t at)
{
	uint8_t c = walk_byte(walk, at);

	switch (walk->lang->family) {
	case FAMILY_INDENT:
		return c == '@';
	case FAMILY_LAYOUT:
		return c == '[' && walk_byte(walk, at + 1) == '<';
	case FAMILY_CLAUSES:
		return c == '-' && walk_byte(walk, at + 1) == 's';
	case FAMILY_END:
		if (walk->lang->traits & TRAIT_ELIXIR)
			return c == '@';
		return c == '"' && (walk->lang->traits & TRAIT_JULIA);
	default:
		return false;
	}
}

/* @doc and its like are comments, whatever they look like. */
static bool
is_documentation(const struct walk *walk, size_t at)
{
	size_t bytes = lines_word(walk, at + 1);

	if (walk_byte(walk, at) != '@')
		return true;
	return (walk->lang->traits & TRAIT_ELIXIR) &&
	       walk->lang->family == FAMILY_END &&
	       lang_word("doc moduledoc typedoc", walk->text + at + 1, bytes,
			 NULL);
}

static void
note_lead(struct walk *walk, const struct line *line)
{
	struct lang_scan *scan = walk->scan;

	if (!scan->has_lead) {
		scan->has_lead = 1;
		scan->lead_off = walk->off + line->begin;
		scan->attr_off = UINT64_MAX;
		if (walk->lang->family == FAMILY_INDENT)
			scan->aux[AUX_INDENT] = line->indent;
	}
	if (scan->attr_off == UINT64_MAX && is_lead(walk, line->at) &&
	    (walk->lang->family != FAMILY_END ||
	     !is_documentation(walk, line->at)))
		scan->attr_off = walk->off + line->begin;
}

/* Places to cut: where lines begin that are not within anything. */
static void
mark_line(struct walk *walk, const struct line *line)
{
	struct lang_scan *scan = walk->scan;
	const struct lang_frame *frame = walk_frame(walk);
	uint32_t level = scan->depth;
	bool blank = lang_is_blank_before(walk->text, line->begin);

	if (walk->lang->family <= FAMILY_CLAUSES &&
	    walk->lang->family != FAMILY_BRACE) {
		uint32_t base = frame == NULL ? 0 : frame->indent + 1;

		level += line->indent > base ? (line->indent - base) / 2 : 0;
	}
	walk_mark(walk, line->begin, blank ? LANG_MARK_BLANK : LANG_MARK_LINE,
		  level);
}

/* Python: a comment as far in as a block is of the block. The rest of its line
 * may not be there yet. */
static void
keep_in_block(struct walk *walk, const struct line *line)
{
	const struct lang_frame *frame = walk_frame(walk);

	if (walk->lang->family == FAMILY_INDENT && frame != NULL &&
	    line->indent > frame->indent)
		walk->scan->code_end = walk->off + line->at + 1;
}

/* Returns where to go on: the line's first byte, or its end. */
static size_t
begin_line(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	struct line line = line_at(walk, at);

	scan->at_line_start = 0;
	if (scan->brackets > 0 && walk->lang->family != FAMILY_SHELL &&
	    walk->lang->family != FAMILY_PARENS)
		return at;
	if (walk->lang->family == FAMILY_INDENT)
		scan->aux[AUX_ALL] = 0;
	if (line.at == line.end) {
		if (walk->lang->family == FAMILY_HEADING)
			heading_line(walk, &line);
		scan->has_lead = 0;
		return line.end;
	}
	if (walk->lang->family == FAMILY_HEADING) {
		if (is_comment(walk, line.at)) {
			note_lead(walk, &line);
			return line.at;
		}
		if (scan->brackets == 0 && heading_line(walk, &line))
			scan->has_lead = 0;
		return line.at;
	}
	if (walk->lang->family == FAMILY_END)
		words_line(walk, line.at);
	scan->is_lead = is_comment(walk, line.at) || is_lead(walk, line.at);
	if (scan->is_lead) {
		/* a decorator ends what stands before it */
		if (walk->lang->family == FAMILY_INDENT &&
		    walk->text[line.at] == '@')
			lines_dedent(walk, line.indent);
		if (!scan->has_lead)
			mark_line(walk, &line);
		note_lead(walk, &line);
		keep_in_block(walk, &line);
		return line.at;
	}
	if (!scan->has_lead)
		mark_line(walk, &line);
	if (walk->lang->family <= FAMILY_CLAUSES)
		layout_line(walk, &line);
	return line.at;
}

/* Code from `from` to `to`, without comments, strings and brackets. */
static void
between(struct walk *walk, size_t from, size_t to)
{
	size_t last = walk_trim_blanks(walk, from, to);

	if (last > from && walk->lang->family != FAMILY_HEADING) {
		walk->scan->code_end = walk->off + last;
		walk->scan->last_byte = walk->text[last - 1];
	}
	if (by_words(walk))
		words_between(walk, from, to);
}

static size_t
newline(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;

	scan->at_line_start = 1;
	if (scan->brackets == 0 &&
	    !(walk->lang->family == FAMILY_LAYOUT && layout_goes_on(walk, at)))
		walk_body(walk, at);
	if (by_words(walk))
		words_newline(walk, at);
	if (scan->pending[0].kind != MODE_CODE) {
		lex_code(walk, at + 1);
		/* no line begins where a here-document ends */
		scan->at_line_start = 0;
		scan->mode = scan->pending[0];
		memmove(scan->pending, scan->pending + 1,
			(LANG_PENDING - 1) * sizeof(scan->mode));
		scan->pending[LANG_PENDING - 1].kind = MODE_CODE;
		scan->mode.begun = 1;
		scan->mode_off = walk->off + at + 1;
	}
	return at + 1;
}

/* A # of the shell or of fish begins a comment only where a word begins. */
static bool
begins_word(uint8_t before)
{
	return is_blank_byte(before) || is_one_of("\n;(", before);
}

/* The same of those whose blocks end with a word. */
static size_t
end_hash(struct walk *walk, size_t at, uint8_t before)
{
	uint64_t traits = walk->lang->traits;
	char term[LANG_TERM_BYTES + 1];

	if ((traits & TRAIT_JULIA) && walk_byte(walk, at + 1) == '=')
		return lex_block_comment(walk, at, "=#");
	if ((traits & TRAIT_CMAKE) &&
	    lines_long_bracket(walk, at + 1, term) > 0)
		return lex_block_comment(walk, at, term);
	if (before == '?' || before == '$' ||
	    ((traits & TRAIT_FISH) && !begins_word(before)))
		return at + 1;
	return lex_line_comment(walk, at);
}

static size_t
hash(struct walk *walk, size_t at)
{
	uint8_t before = at > 0 ? walk->text[at - 1] : '\n';
	uint8_t next = walk_byte(walk, at + 1);

	switch (walk->lang->family) {
	case FAMILY_SHELL:
		if (!begins_word(before))
			return at + 1;
		break;
	case FAMILY_END:
		return end_hash(walk, at, before);
	case FAMILY_INDENT:
		if (walk->scan->lang == LANG_NIM && next == '[')
			return lex_block_comment(walk, at, "]#");
		break;
	case FAMILY_PARENS:
		/* Emacs Lisp: ?; is a character */
		if (before == '\\' ||
		    (before == '?' && walk->scan->lang == LANG_EMACS_LISP))
			return at + 1;
		break;
	case FAMILY_CLAUSES:
		if (before == '$')
			return at + 1;
		break;
	default:
		break;
	}
	return lex_line_comment(walk, at);
}

/* Haskell: --> and |-- are operators; the end of the dashes, or `at`. */
static size_t
dashes_of_operator(const struct walk *walk, size_t at)
{
	static const char symbols[] = "!#$%&*+./<=>?@\\^|~:";
	size_t end = at;

	if (walk->lang->family != FAMILY_LAYOUT || walk->scan->lang == LANG_ELM)
		return at;
	while (walk_byte(walk, end) == '-')
		end++;
	return is_one_of(symbols, walk_byte(walk, end)) ||
			       (at > 0 &&
				is_one_of(symbols, walk->text[at - 1]))
		       ? end
		       : at;
}

static size_t
dash(struct walk *walk, size_t at)
{
	char term[LANG_TERM_BYTES + 1];
	size_t end;

	if (walk_byte(walk, at + 1) != '-')
		return at + 1;
	end = dashes_of_operator(walk, at);
	if (end > at)
		return end;
	if ((walk->lang->traits & TRAIT_LUA) &&
	    lines_long_bracket(walk, at + 2, term) > 0)
		return lex_block_comment(walk, at, term);
	return lex_line_comment(walk, at);
}

static size_t
slash(struct walk *walk, size_t at)
{
	uint8_t next = walk_byte(walk, at + 1);

	if (next == '*' && walk->lang->family == FAMILY_SQL)
		return lex_block_comment(walk, at, "*/");
	if (next == '/' && (walk->lang->traits & TRAIT_SLASHES))
		return lex_line_comment(walk, at);
	return words_event(walk, at);
}

/* OCaml: {id|...|id}; SIZE_MAX: another bracket. */
static size_t
quoted_string(struct walk *walk, size_t at)
{
	uint8_t term[LANG_TERM_BYTES] = { '|' };
	size_t bytes = lines_word(walk, at + 1);

	if (walk_byte(walk, at + 1 + bytes) != '|' ||
	    bytes + 2 > LANG_TERM_BYTES)
		return SIZE_MAX;
	memcpy(term + 1, walk->text + at + 1, bytes);
	term[bytes + 1] = '}';
	at = lex_term(walk, at + 2 + bytes, term, bytes + 2);
	if (walk->scan->mode.kind == MODE_CODE)
		walk->scan->code_end = walk->off + at;
	return at;
}

static size_t
open_bracket(struct walk *walk, size_t at)
{
	uint8_t c = walk->text[at];
	uint8_t next = walk_byte(walk, at + 1);

	if (c == '(' && next == '*' &&
	    (walk->lang->traits & TRAIT_ML_COMMENTS) &&
	    walk->lang->family == FAMILY_LAYOUT &&
	    walk_byte(walk, at + 2) != ')')
		return lex_block_comment(walk, at, "*)");
	if (c == '{' && next == '-' && walk->lang->family == FAMILY_LAYOUT &&
	    (walk->lang->traits & TRAIT_DASH_COMMENTS))
		return walk_byte(walk, at + 2) == '#'
			       ? lex_term(walk, at + 3, (const uint8_t *)"#-}",
					  3)
			       : lex_block_comment(walk, at, "-}");
	if (c == '{' && walk->scan->lang == LANG_OCAML &&
	    (next == '|' || is_word_byte(next))) {
		size_t end = quoted_string(walk, at);

		if (end != SIZE_MAX)
			return end;
	}
	walk->scan->code_end = walk->off + at + 1;
	walk->scan->last_byte = c;
	if (by_words(walk))
		return words_event(walk, at);
	walk->scan->brackets++;
	return at + 1;
}

static size_t
close_bracket(struct walk *walk, size_t at)
{
	walk->scan->code_end = walk->off + at + 1;
	walk->scan->last_byte = walk->text[at];
	if (by_words(walk))
		return words_event(walk, at);
	if (walk->scan->brackets > 0)
		walk->scan->brackets--;
	return at + 1;
}

static size_t
quote(struct walk *walk, size_t at)
{
	/* Haskell and OCaml: a tick is part of a name, or a character */
	size_t end = lex_quote(walk, at);

	if (walk->lang->family == FAMILY_INDENT &&
	    walk->scan->aux[AUX_ALL] != 0) {
		walk_export(walk, LANG_EXPORT_ALL, 1);
		if (end > at + 1)
			walk_listed(walk, at + 1, end - 1);
	}
	walk->scan->code_end = walk->off + end;
	walk->scan->last_byte = '"';
	walk->scan->aux[AUX_BEFORE] =
		by_words(walk) ? BEFORE_OPERAND : walk->scan->aux[AUX_BEFORE];
	return end;
}

/* A tick is part of a name, begins that of a type, or a character: '"'. */
static size_t
tick(const struct walk *walk, size_t at)
{
	if (at > 0 && is_word_byte(walk->text[at - 1]))
		return at + 1;
	if (walk_byte(walk, at + 1) == '\\') {
		for (size_t i = at + 3; i < at + 12; i++)
			if (walk_byte(walk, i) == '\'')
				return i + 1;
		return at + 1;
	}
	return walk_byte(walk, at + 2) == '\'' ? at + 3 : at + 1;
}

static size_t
one_event(struct walk *walk, size_t at)
{
	switch (walk->events->event[walk->text[at]]) {
	case EVENT_NEWLINE:
		return newline(walk, at);
	case EVENT_OPEN:
		return open_bracket(walk, at);
	case EVENT_CLOSE:
		return close_bracket(walk, at);
	case EVENT_HASH:
		return hash(walk, at);
	case EVENT_DASH:
		return dash(walk, at);
	case EVENT_SLASH:
		return slash(walk, at);
	case EVENT_QUOTE:
		return quote(walk, at);
	case EVENT_BACKSLASH:
		/* psql: \echo and the like, to the end of the line */
		if (walk->lang->family == FAMILY_SQL &&
		    walk_first_on_line(walk, at))
			return lang_line_end(walk->text, at, walk->bytes);
		/* a newline after it is still a newline for the line count,
		 * but ends nothing */
		return at + 2;
	default:
		return walk->lang->family == FAMILY_LAYOUT
			       ? tick(walk, at)
			       : words_event(walk, at);
	}
}

void
scan_lines(struct walk *walk)
{
	struct lang_scan *scan = walk->scan;

	if (!walk->events->is_made)
		set_events(walk);
	lang_finder_init(&walk->finder, &walk->events->set, walk->text,
			 walk->end);
	while (walk->at < walk->until) {
		size_t next;

		if (scan->mode.kind != MODE_CODE) {
			walk->at = lex_resume(walk, walk->at);
			if (scan->mode.kind == MODE_CODE)
				scan->code_end = walk->off + walk->at;
			continue;
		}
		if (scan->at_line_start)
			walk->at = begin_line(walk, walk->at);
		if (walk->at >= walk->end)
			break;
		next = lang_finder_next(&walk->finder, walk->at);
		if (next > walk->at) {
			size_t from = walk->at;

			/* a word may take more than lies between */
			walk->at = next;
			between(walk, from, next);
			if (walk->at != next || scan->mode.kind != MODE_CODE)
				continue;
		}
		if (next < walk->end)
			walk->at = one_event(walk, next);
	}
}

void
scan_lines_end(struct walk *walk)
{
	struct lang_scan *scan = walk->scan;
	bool by_code = walk->lang->family <= FAMILY_CLAUSES ||
		       walk->lang->family == FAMILY_HEADING;

	if (walk->at > walk->bytes)
		walk->at = walk->bytes;
	if (by_words(walk))
		words_newline(walk, walk->bytes);
	walk_body(walk, walk->bytes);
	while (scan->depth > 0)
		walk_pop(walk, by_code ? walk_index(walk, scan->code_end)
				       : walk->bytes);
}
