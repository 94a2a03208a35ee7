/* SPDX-License-Identifier: MIT */
/*
 * headings.c - texts in sections, each of which ends where the next one
 *                    of its level begins: Markdown, reStructuredText, TOML,
 *                    INI, Dockerfile, Makefile, TeX.
 */
#include "lang/words.h"

#include <string.h>

#include "lang/text.h"

#define RST_LEVELS 4 /* kept apart; deeper ones count as the last */

/* A section of a level begins at `at`; those not above it end. */
static void
section(struct walk *walk, size_t at, size_t name, size_t end, uint32_t level)
{
	struct def_start start = { .kind = LANG_KIND_SECTION };

	/* blanks before it have been passed, and the CR of an empty one */
	name = min_size(name, end);
	end = walk_trim_blanks(walk, name, end);
	lines_dedent(walk, level);
	lines_place(walk, at, name, end - name, &start);
	start.flags = LANG_DEF_EXPORTED;
	if (walk_push(walk, FRAME_CLASS, &start))
		walk_frame(walk)->indent = level;
}

static void
note_code(struct walk *walk, const struct line *line)
{
	size_t end = walk_trim_blanks(walk, line->at, line->end);

	if (end > line->at)
		walk->scan->code_end = walk->off + end;
}

/* How often the first byte of a line is repeated. */
static size_t
run(const struct walk *walk, const struct line *line)
{
	size_t end = line->at;

	while (end < line->end && walk->text[end] == walk->text[line->at])
		end++;
	return end - line->at;
}

/* ------------------------------------------------------------- Markdown -- */

/* Whether the line is within, begins or ends a fence. */
static bool
in_fence(struct walk *walk, const struct line *line)
{
	uint32_t *fence = &walk->scan->aux[AUX_NEST];
	uint8_t c = walk_byte(walk, line->at);
	size_t nr = line->at < line->end ? run(walk, line) : 0;

	if (*fence != 0) {
		if (c == (*fence & 0xff) && nr >= (*fence >> 8) &&
		    walk_trim_blanks(walk, line->at, line->end) - line->at ==
			    nr)
			*fence = 0;
		return true;
	}
	if ((c == '`' || c == '~') && nr >= 3 && line->indent < 4) {
		*fence = (uint32_t)min_size(nr, 1u << 20) << 8 | c;
		return true;
	}
	return false;
}

/* A title under which a line of = or - stands began a line before. */
static bool
underlined(struct walk *walk, const struct line *line, uint32_t *level)
{
	uint8_t c = walk->text[line->at];

	*level = c == '=' ? 1 : 2;
	return (c == '=' || c == '-') && line->indent < 4 &&
	       walk_trim_blanks(walk, line->at, line->end) - line->at ==
		       run(walk, line) &&
	       walk->scan->aux[AUX_BEFORE] == 1;
}

static void
title_before(struct walk *walk, const struct line *line, uint32_t level)
{
	size_t from = walk_line_start(walk, line->begin - 1);

	/* what was the end of the section before is not this title */
	if (walk->scan->stmt_off < walk->off + from)
		walk->scan->code_end = walk->scan->stmt_off;
	section(walk, walk_skip_blanks(walk, from),
		walk_skip_blanks(walk, from), line->begin - 1, level);
}

/* Where the title ends that begins at `at`: before a closing sequence. */
static size_t
title_end(const struct walk *walk, const struct line *line, size_t at)
{
	size_t end = walk_trim_blanks(walk, at, line->end);
	size_t closing = end;

	while (closing > at && walk->text[closing - 1] == '#')
		closing--;
	return closing == at || is_blank_byte(walk->text[closing - 1]) ? closing
								       : end;
}

static void
markdown_line(struct walk *walk, const struct line *line)
{
	struct lang_scan *scan = walk->scan;
	size_t nr = line->at < line->end ? run(walk, line) : 0;
	uint64_t code = scan->code_end;
	size_t title = walk_skip_blanks(walk, line->at + nr);
	uint32_t level;

	if (in_fence(walk, line)) {
		note_code(walk, line);
		scan->aux[AUX_BEFORE] = 0;
		return;
	}
	if (line->at == line->end) {
		scan->aux[AUX_BEFORE] = 0;
		return;
	}
	if (walk->text[line->at] == '#' && nr <= 6 && line->indent < 4 &&
	    (line->at + nr == line->end ||
	     is_blank_byte(walk->text[line->at + nr]))) {
		section(walk, line->at, title, title_end(walk, line, title),
			(uint32_t)nr);
		scan->aux[AUX_BEFORE] = 0;
	} else if (line->begin > 0 && underlined(walk, line, &level)) {
		title_before(walk, line, level);
		scan->aux[AUX_BEFORE] = 0;
	} else {
		/* a paragraph of one line may turn out to be a title */
		if (scan->aux[AUX_BEFORE] == 0)
			scan->stmt_off = code;
		scan->aux[AUX_BEFORE] =
			scan->aux[AUX_BEFORE] == 0 &&
					strchr("-*+>|", walk->text[line->at]) ==
						NULL
				? 1
				: 2;
	}
	note_code(walk, line);
}

/* ----------------------------------------------------- reStructuredText -- */

static bool
is_rule(const struct walk *walk, const struct line *line)
{
	return line->indent == 0 && line->end > line->at + 2 &&
	       strchr("=-~^\"'`#*+.:_<>", walk->text[line->at]) != NULL &&
	       walk_trim_blanks(walk, line->at, line->end) - line->at ==
		       run(walk, line);
}

/* Levels are numbered in the order in which their signs are met. */
static uint32_t
rst_level(struct lang_scan *scan, uint8_t sign)
{
	for (uint32_t i = 0; i < RST_LEVELS; i++) {
		uint32_t shift = i * 8;
		uint8_t known = (uint8_t)(scan->aux[AUX_EXTRA] >> shift);

		if (known == 0)
			scan->aux[AUX_EXTRA] |= (uint32_t)sign << shift;
		if (known == 0 || known == sign)
			return i + 1;
	}
	return RST_LEVELS;
}

static void
rst_line(struct walk *walk, const struct line *line)
{
	struct lang_scan *scan = walk->scan;
	uint64_t code = scan->code_end;

	if (line->at == line->end) {
		scan->aux[AUX_BEFORE] = 0;
		return;
	}
	if (is_rule(walk, line) && scan->aux[AUX_BEFORE] == 1 &&
	    line->begin > 0) {
		size_t title = walk_line_start(walk, line->begin - 1);
		size_t end = walk_trim_blanks(walk, title, line->begin - 1);

		/* a rule may be no shorter than its title, nearly */
		if (line->end - line->at + 2 >= end - title) {
			title_before(walk, line,
				     rst_level(scan, walk->text[line->at]));
			scan->aux[AUX_BEFORE] = 0;
			note_code(walk, line);
			return;
		}
	}
	if (!is_rule(walk, line)) {
		if (scan->aux[AUX_BEFORE] == 0)
			scan->stmt_off = code;
		scan->aux[AUX_BEFORE] =
			scan->aux[AUX_BEFORE] == 0 && line->indent == 0 ? 1 : 2;
	}
	note_code(walk, line);
}

/* ------------------------------------------------------ TOML and others -- */

static void
bracket_line(struct walk *walk, const struct line *line)
{
	const uint8_t *close;
	size_t at = line->at;

	if (at < line->end && walk->text[at] == '[') {
		close = memrchr(walk->text + at, ']', line->end - at);
		at += walk_byte(walk, at + 1) == '[' ? 2 : 1;
		if (close != NULL && close > walk->text + at) {
			size_t end = (size_t)(close - walk->text);

			if (end > at && walk->text[end - 1] == ']')
				end--;
			section(walk, line->at, at, end, 1);
		}
	}
	note_code(walk, line);
}

static void
outline_line(struct walk *walk, const struct line *line, uint8_t sign)
{
	size_t nr = line->at < line->end ? run(walk, line) : 0;

	if (nr > 0 && line->indent == 0 && walk->text[line->at] == sign &&
	    line->at + nr < line->end &&
	    is_blank_byte(walk->text[line->at + nr]))
		section(walk, line->at, walk_skip_blanks(walk, line->at + nr),
			line->end, (uint32_t)nr);
	note_code(walk, line);
}

static void
from_line(struct walk *walk, const struct line *line)
{
	size_t bytes = lines_word(walk, line->at);

	if (bytes == 4 &&
	    lang_word_any_case("from", walk->text + line->at, bytes, NULL))
		section(walk, line->at, walk_skip_blanks(walk, line->at + 4),
			line->end, 1);
	note_code(walk, line);
}

static void
tex_line(struct walk *walk, const struct line *line)
{
	static const char *const words[] = { "part",          "chapter",
					     "section",       "subsection",
					     "subsubsection", "paragraph" };
	size_t at = line->at;

	for (uint32_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t bytes = strlen(words[i]);
		const uint8_t *open;
		const uint8_t *close;

		if (walk_byte(walk, at) != '\\' ||
		    lines_word(walk, at + 1) != bytes ||
		    memcmp(walk->text + at + 1, words[i], bytes) != 0)
			continue;
		open = memchr(walk->text + at, '{', line->end - at);
		close = memrchr(walk->text + at, '}', line->end - at);
		if (open != NULL && close > open)
			section(walk, at, (size_t)(open - walk->text) + 1,
				(size_t)(close - walk->text), i + 1);
	}
	note_code(walk, line);
}

/* --------------------------------------------------------------- make -- */

/* Where a rule's colon is; SIZE_MAX: the line is no rule. */
static size_t
rule_colon(const struct walk *walk, const struct line *line)
{
	uint32_t nest = 0;

	for (size_t at = line->at; at < line->end; at++) {
		uint8_t c = walk->text[at];
		uint8_t next = walk_byte(walk, at + 1);

		if (c == '(' || c == '{')
			nest++;
		else if ((c == ')' || c == '}') && nest > 0)
			nest--;
		else if (nest == 0 && (c == '=' || c == '#'))
			return SIZE_MAX;
		else if (nest == 0 && c == ':')
			return next == '=' || (next == ':' &&
					       walk_byte(walk, at + 2) == '=')
				       ? SIZE_MAX
				       : at;
	}
	return SIZE_MAX;
}

/* include a.mk b.mk, -include a.mk: what is named. */
static void
make_include(struct walk *walk, const struct line *line)
{
	size_t at = line->at + (walk->text[line->at] == '-');
	size_t end = at + lines_word(walk, at);

	if (!lang_word("include sinclude", walk->text + at, end - at, NULL) ||
	    !is_blank_byte(walk_byte(walk, end)))
		return;
	for (at = end; at < line->end; at = end) {
		at = walk_skip_blanks(walk, at);
		end = at;
		while (end < line->end && !is_blank_byte(walk->text[end]))
			end++;
		if (end == at || strchr("#\\", walk->text[at]) != NULL)
			break;
		walk_import(walk, at, end - at);
	}
}

/* A = b, A := b, A ?= b, export A = b; A += b only adds to one. */
static void
make_variable(struct walk *walk, const struct line *line)
{
	const uint8_t *text = walk->text;
	const uint8_t *sign =
		memchr(text + line->at, '=', line->end - line->at);
	size_t end = line->end;
	size_t at;
	size_t name;

	if (sign == NULL)
		return;
	at = (size_t)(sign - text);
	name = at;
	if (name > line->at && is_one_of("?!", text[name - 1]))
		name--;
	while (name > line->at && text[name - 1] == ':')
		name--;
	name = walk_trim_blanks(walk, line->at, name);
	if (name == line->at || !is_word_byte(text[name - 1]))
		return;
	for (size_t i = line->at; i < name; i++)
		if (strchr("$(){}#'\"", text[i]) != NULL)
			return;
	for (size_t i = at; i < end; i++)
		if (text[i] == '#' && is_blank_byte(text[i - 1]))
			end = i;
	words_member(walk, line->at, at + 1,
		     walk_trim_blanks(walk, at + 1, end));
}

static void
make_line(struct walk *walk, const struct line *line)
{
	struct lang_scan *scan = walk->scan;
	size_t bytes = lines_word(walk, line->at);
	size_t colon;

	if (line->at == line->end)
		return;
	if (scan->aux[AUX_NEST] != 0) {
		/* define ... endef */
		note_code(walk, line);
		if (bytes == 5 &&
		    memcmp(walk->text + line->at, "endef", 5) == 0) {
			scan->aux[AUX_NEST] = 0;
			lines_dedent(walk, 1);
		}
		return;
	}
	if (walk->text[line->begin] == '\t' || scan->aux[AUX_BEFORE] == 1) {
		note_code(walk, line);
	} else if (walk_word_is(walk, line->at, bytes, "define")) {
		section(walk, line->at, walk_skip_blanks(walk, line->at + 6),
			line->end, 1);
		walk_frame(walk)->kind = LANG_KIND_MACRO;
		scan->aux[AUX_NEST] = 1;
		note_code(walk, line);
	} else {
		colon = rule_colon(walk, line);
		if (colon != SIZE_MAX)
			section(walk, line->at, line->at, colon, 1);
		else if (!lang_word("else endif ifeq ifneq ifdef ifndef",
				    walk->text + line->at, bytes, NULL))
			lines_dedent(walk, 1);
		make_include(walk, line);
		if (colon == SIZE_MAX)
			make_variable(walk, line);
		note_code(walk, line);
	}
	/* a backslash at the end: the next line belongs to this one */
	scan->aux[AUX_BEFORE] = walk->text[line->end - 1] == '\\';
}

bool
heading_line(struct walk *walk, const struct line *line)
{
	uint64_t traits = walk->lang->traits;
	uint64_t code = walk->scan->code_end;

	if (traits & TRAIT_MARKDOWN)
		markdown_line(walk, line);
	else if (traits & TRAIT_RST)
		rst_line(walk, line);
	else if (traits & TRAIT_BRACKETS)
		bracket_line(walk, line);
	else if (traits & TRAIT_MAKE)
		make_line(walk, line);
	else if (traits & TRAIT_FROM)
		from_line(walk, line);
	else if (traits & TRAIT_TEX)
		tex_line(walk, line);
	else
		outline_line(walk, line, traits & TRAIT_STARS ? '*' : '=');
	/* paragraphs are places to cut */
	if (line->at < line->end &&
	    lang_is_blank_before(walk->text, line->begin))
		walk_mark(walk, line->begin, LANG_MARK_BLANK,
			  walk->scan->depth);
	return walk->scan->code_end != code;
}
