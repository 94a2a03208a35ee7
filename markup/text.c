/* SPDX-License-Identifier: MIT */
/*
 * text.c - the table of formats, and what they have in common.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "markup/markup.h"
#include "base/unicode_invisible.h"
#include "base/utf8.h"

#define DOTS_MIN 3
#define SPECIAL_NAME_BYTES 64

const char *
markup_trait_name(unsigned bit)
{
	static const char *const names[] = { "control", "bidi", "zero-width" };

	return bit < ARRAY_LEN(names) ? names[bit] : NULL;
}

uint64_t
markup_fence(uint32_t mark_run, uint32_t least)
{
	return mark_run < least ? least : mark_run + 1ull;
}

uint32_t
markup_longest_run(const char *text, size_t nr, char c)
{
	uint32_t longest = 0;
	uint32_t run = 0;

	for (size_t i = 0; i < nr; i++) {
		run = text[i] == c ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

size_t
markup_special(const uint8_t *at, const uint8_t *end)
{
	size_t nr = 2;
	size_t left = (size_t)(end - at);

	if (left < 5 || at[0] != '<' || at[1] != '|')
		return 0;
	while (nr < left && nr - 2 < SPECIAL_NAME_BYTES && at[nr] < 0x80 &&
	       ascii_is_word(at[nr]))
		nr++;
	if (nr == 2 || left - nr < 2 || at[nr] != '|' || at[nr + 1] != '>')
		return 0;
	return nr + 2;
}

/* Dots of the gap marks in a section. */
static uint64_t
gap_dots(const struct markup_section *section)
{
	return markup_fence(section->dot_run, DOTS_MIN);
}

/* Room for some of it at least: how much, or 0 if there will be none. */
static size_t
make_room(struct markup_text *text, uint64_t nr)
{
	if (text->room == 0 && text->spill != NULL)
		text->spill(text);
	if (text->room == 0)
		text->short_of_room = true;
	return (size_t)min_u64(nr, text->room);
}

void
markup_add(struct markup_text *text, const void *bytes, size_t nr)
{
	const char *from = bytes;

	while (nr > 0) {
		size_t part = make_room(text, nr);

		if (part == 0)
			return;
		memcpy(text->at, from, part);
		text->at += part;
		text->room -= part;
		from += part;
		nr -= part;
	}
}

void
markup_add_string(struct markup_text *text, const char *string)
{
	markup_add(text, string, strlen(string));
}

void
markup_add_format(struct markup_text *text, const char *format, ...)
{
	char bytes[MARKUP_FORMAT_BYTES];
	va_list values;
	int nr;

	va_start(values, format);
	nr = vsnprintf(bytes, sizeof(bytes), format, values);
	va_end(values);
	ASSERT(nr >= 0 && (size_t)nr < sizeof(bytes));
	markup_add(text, bytes, (size_t)nr);
}

void
markup_add_run(struct markup_text *text, char c, uint64_t nr)
{
	while (nr > 0) {
		size_t part = make_room(text, nr);

		if (part == 0)
			return;
		memset(text->at, c, part);
		text->at += part;
		text->room -= part;
		nr -= part;
	}
}

void
markup_add_path(struct markup_text *text, const char *path)
{
	bool quote = path[0] != '"' && strstr(path, " (") != NULL;

	if (quote)
		markup_add_string(text, "\"");
	markup_add_string(text, path);
	if (quote)
		markup_add_string(text, "\"");
}

bool
markup_has_copies(const struct markup_section *section)
{
	return section->copies.nr > 0 && section->continued == MARKUP_STARTS;
}

size_t
markup_copies(char *to, const struct markup_copies *copies)
{
	struct markup_text text = { .at = to, .room = MARKUP_COPIES_BYTES };

	for (uint32_t i = 0; i < copies->nr; i++) {
		char path[DIAG_QUOTED_BYTES];
		const char *quote;

		diag_quote(path, sizeof(path), copies->names[i].bytes,
			   copies->names[i].nr);
		quote = path[0] != '"' && strpbrk(path, " ,()") != NULL ? "\""
									: "";
		if (i > 0)
			markup_add_string(&text, ", ");
		markup_add_string(&text, quote);
		markup_add_string(&text, path);
		markup_add_string(&text, quote);
	}
	if (copies->more)
		markup_add_string(&text, " and others");
	ASSERT(!text.short_of_room);
	return (size_t)(text.at - to);
}

void
markup_add_lines(struct markup_text *text, const char *lines, size_t nr)
{
	markup_add(text, lines, nr);
	if (nr > 0 && lines[nr - 1] != '\n')
		markup_add_string(text, "\n");
}

/* What names begin with most often, and nothing that an output consists of. */
static bool
is_of_name(uint8_t c)
{
	return (c < 0x80 && ascii_is_word(c)) || c == '.';
}

void
markup_add_directories(struct markup_text *text,
		       const struct markup_preamble *preamble)
{
	const char *at = preamble->directories;
	const char *end = at + preamble->directories_bytes;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *until = newline == NULL ? end : newline;

		if (*at != ' ' && !is_of_name((uint8_t)*at))
			markup_add_string(text, " ");
		markup_add_lines(text, at, (size_t)(until - at));
		if (until == at)
			markup_add_string(text, "\n");
		at = newline == NULL ? end : newline + 1;
	}
}

const char *const markup_extra_members[MARKUP_EXTRA_NR] = {
	[MARKUP_TREE] = "tree",
	[MARKUP_GIT_LOG] = "git_log",
	[MARKUP_GIT_DIFF] = "git_diff",
	[MARKUP_INSTRUCTIONS] = "instructions",
	[MARKUP_DIRECTORIES] = "directories",
};

void
markup_close(struct markup_text *text, const struct markup_format *format,
	     const struct markup_section *section, bool half_line)
{
	if (format->close != NULL)
		format->close(text, section, half_line);
	else
		markup_add_string(text, format->closes);
}

void
markup_end(struct markup_text *text, const struct markup_format *format)
{
	if (format->end != NULL)
		format->end(text);
	else if (format->ends != NULL)
		markup_add_string(text, format->ends);
}

void
markup_extra_open(struct markup_text *text, const struct markup_format *format,
		  enum markup_extra extra, uint32_t mark_run)
{
	if (format->extra_open != NULL)
		format->extra_open(text, extra, mark_run);
	else if (format->extra_names != NULL)
		markup_add_format(text, format->extra_opens,
				  format->extra_names[extra]);
}

void
markup_extra_close(struct markup_text *text, const struct markup_format *format,
		   enum markup_extra extra, uint32_t mark_run)
{
	if (format->extra_close != NULL)
		format->extra_close(text, extra, mark_run);
	else if (format->extra_names != NULL)
		markup_add_format(text, format->extra_closes,
				  format->extra_names[extra]);
}

static void
add_mark(struct markup_text *text, const struct markup_section *section)
{
	markup_add_string(text, "// ");
	markup_add_run(text, '.', gap_dots(section));
}

void
markup_add_gap(struct markup_text *text, const struct markup_section *section,
	       uint64_t line_first, uint64_t line_last)
{
	add_mark(text, section);
	markup_add_format(text, " (lines %ju-%ju)\n", line_first, line_last);
}

void
markup_add_broken(struct markup_text *text,
		  const struct markup_section *section, const char *reason)
{
	markup_add_string(text, "\n");
	add_mark(text, section);
	markup_add_string(text, " (the rest is left out: ");
	markup_add_string(text, reason);
	markup_add_string(text, ")\n");
}

void
markup_add_traits(struct markup_text *text, uint8_t traits, const char *before,
		  const char *between, const char *behind)
{
	bool is_any = false;

	for (unsigned bit = 0; markup_trait_name(bit) != NULL; bit++) {
		if ((traits >> bit & 1) == 0)
			continue;
		markup_add_string(text, is_any ? between : before);
		markup_add_string(text, markup_trait_name(bit));
		is_any = true;
	}
	if (is_any)
		markup_add_string(text, behind);
}

bool
markup_has_hash(const struct markup_options *options,
		const struct markup_section *section)
{
	return options->hashes && section->is_whole && !section->signatures &&
	       !section->is_repaired && section->continued == MARKUP_STARTS &&
	       (section->traits & MARKUP_IS_STRIPPED) == 0 &&
	       (options->unicode == MARKUP_UNICODE_MARK ||
		(section->traits & MARKUP_NAMED_TRAITS) == 0);
}

bool
markup_says_more(const struct markup_section *section)
{
	return !section->in_part || section->charset != NULL ||
	       section->dot_run >= DOTS_MIN ||
	       (section->traits & MARKUP_NAMED_TRAITS) != 0 ||
	       section->continued != MARKUP_STARTS || section->goes_on ||
	       markup_has_copies(section);
}

void
markup_add_about(struct markup_text *text, const struct markup_options *options,
		 const struct markup_section *section)
{
	static const char *const between_traits[] = {
		[MARKUP_UNICODE_MARK] = " characters, ",
		[MARKUP_UNICODE_ESCAPE] = " characters escaped, ",
		[MARKUP_UNICODE_STRIP] = " characters removed, ",
	};
	static const char *const behind_traits[] = {
		[MARKUP_UNICODE_MARK] = " characters",
		[MARKUP_UNICODE_ESCAPE] = " characters escaped",
		[MARKUP_UNICODE_STRIP] = " characters removed",
	};

	/* short: of small files they cost as much as the signatures */
	if (section->signatures)
		markup_add_string(text, section->in_part ? " (signatures"
							 : " (signatures, all");
	else
		markup_add_format(text, " (lines %ju-%ju", section->line_first,
				  section->line_last);
	if (!section->signatures && (section->line_first != 1 ||
				     section->line_last != section->line_nr))
		markup_add_format(text, " of %ju", section->line_nr);
	if (!section->signatures && (section->traits & MARKUP_IS_STRIPPED))
		markup_add_string(text, ", without comments");
	if (section->charset != NULL)
		markup_add_format(text, ", from %s", section->charset);
	if (options->numbers)
		markup_add_string(text, ", numbered");
	if (section->dot_run >= DOTS_MIN) {
		markup_add_string(text, ", gap mark ");
		markup_add_run(text, '.', gap_dots(section));
	}
	markup_add_traits(text, section->traits, ", ",
			  between_traits[options->unicode],
			  behind_traits[options->unicode]);
	if (section->continued != MARKUP_STARTS)
		markup_add_format(text, ", continued%s",
				  section->continued == MARKUP_CONTINUED_MID
					  ? " within a line"
					  : "");
	if (section->goes_on)
		markup_add_string(text, ", goes on");
	if (section->no_newline && !section->signatures)
		markup_add_string(text, ", no newline at end");
	if (markup_has_hash(options, section))
		markup_add_format(text, ", hash %u", section->hash);
	/* at the end: what reads them back goes over the rest of the line */
	if (markup_has_copies(section)) {
		char names[MARKUP_COPIES_BYTES];

		markup_add_string(text, ", also ");
		markup_add(text, names, markup_copies(names, &section->copies));
	}
	markup_add_string(text, ")");
}

void
markup_add_escaped(struct markup_text *text, const struct markup_rules *rules,
		   const void *bytes, size_t nr)
{
	struct markup_rest rest = { bytes, (const uint8_t *)bytes + nr };
	struct markup_flow flow = markup_flow_at(1);
	uint8_t part[1024];

	while (rest.at < rest.end)
		markup_add(text, part,
			   markup_escape_run(rules, &flow, &rest, part,
					     sizeof(part)));
	markup_add(text, part, markup_escape_end(rules, &flow, part));
}

/* One character of a name: what would not be seen is written as numbers. */
static void
add_json_character(struct markup_text *text, const uint8_t *at, size_t nr,
		   uint32_t c)
{
	char escape[16];

	if (nr == 0) {
		snprintf(escape, sizeof(escape), "\\udc%02x", *at);
	} else if (c == '"' || c == '\\') {
		snprintf(escape, sizeof(escape), "\\%c", (int)c);
	} else if (is_invisible(c) && c > 0xffff) {
		snprintf(escape, sizeof(escape), "\\u%04x\\u%04x",
			 0xd800 + ((c - 0x10000) >> 10 & 0x3ff),
			 0xdc00 + (c & 0x3ff));
	} else if (is_invisible(c)) {
		snprintf(escape, sizeof(escape), "\\u%04x", c & 0xffff);
	} else {
		markup_add(text, at, nr);
		return;
	}
	markup_add_string(text, escape);
}

void
markup_add_json_inside(struct markup_text *text, const void *bytes, size_t nr)
{
	const uint8_t *at = bytes;
	const uint8_t *end = at + nr;

	while (at < end) {
		uint32_t c = 0;
		size_t taken = utf8_decode(at, (size_t)(end - at), &c);

		add_json_character(text, at, taken, c);
		at += taken > 0 ? taken : 1;
	}
}

void
markup_add_json(struct markup_text *text, const void *bytes, size_t nr)
{
	markup_add_string(text, "\"");
	markup_add_json_inside(text, bytes, nr);
	markup_add_string(text, "\"");
}
