/* SPDX-License-Identifier: MIT */
/*
 * markdown.c - Markdown and plain text: a header line, and content between
 * marks that are longer than any run of them inside.
 */
#include <string.h>

#include "markup/markup.h"
#include "markup/preamble.h"

#define FENCE_MIN 3
#define BAR_MIN 8

static const char file_word[] = "File: ";
static const char signatures_word[] = "### ";
static const char part_word[] = "Part ";
static const char part_of[] = " of ";

bool
markup_begins_file(enum markup_kind kind, const char *line, size_t nr)
{
	const char mark = kind == MARKUP_MARKDOWN ? '#' : '=';
	const size_t word = sizeof(file_word) - 1;
	size_t at = 0;

	while (at < nr && line[at] == mark)
		at++;
	if (kind == MARKUP_MARKDOWN ? at != 2 : at < BAR_MIN)
		return false;
	return nr - at > word && line[at] == ' ' &&
	       memcmp(line + at + 1, file_word, word) == 0;
}

bool
markup_begins_signatures(enum markup_kind kind, const char *line, size_t nr)
{
	const size_t word = sizeof(signatures_word) - 1;

	return kind == MARKUP_MARKDOWN && nr > word &&
	       memcmp(line, signatures_word, word) == 0;
}

static size_t
digits(const char *line, size_t nr)
{
	size_t at = 0;

	while (at < nr && line[at] >= '0' && line[at] <= '9')
		at++;
	return at;
}

bool
markup_begins_part(const char *line, size_t nr)
{
	const size_t word = sizeof(part_word) - 1;
	const size_t of = sizeof(part_of) - 1;
	size_t number;

	if (nr <= word || memcmp(line, part_word, word) != 0)
		return false;
	line += word;
	nr -= word;
	number = digits(line, nr);
	if (number == 0 || nr - number <= of ||
	    memcmp(line + number, part_of, of) != 0)
		return false;
	line += number + of;
	nr -= number + of;
	return digits(line, nr) == nr;
}

static const char *const titles[MARKUP_EXTRA_NR] = {
	[MARKUP_TREE] = "Directory tree",
	[MARKUP_GIT_LOG] = "Git log",
	[MARKUP_GIT_DIFF] = "Git diff",
	[MARKUP_INSTRUCTIONS] = "Instructions",
	[MARKUP_DIRECTORIES] = "Directories",
};

static void
add_preamble(struct markup_text *text, const struct markup_options *options)
{
	const struct markup_preamble *preamble = text->preamble;
	const struct markup_format *format = options->kind == MARKUP_PLAIN
						     ? &markup_plain
						     : &markup_markdown;
	uint32_t run;

	if (preamble == NULL)
		return;
	markup_add(text, preamble->text, preamble->text_bytes);
	markup_add_string(text, "\n");
	if (preamble->directories_bytes == 0)
		return;
	run = markup_longest_run(preamble->directories,
				 preamble->directories_bytes, format->mark);
	markup_extra_open(text, format, MARKUP_DIRECTORIES, run);
	markup_add_directories(text, preamble);
	markup_extra_close(text, format, MARKUP_DIRECTORIES, run);
}

static void
add_begin(struct markup_text *text, const struct markup_options *options,
	  const struct markup_part *part)
{
	if (part != NULL)
		markup_add_format(text, "%s%ju%s%ju\n\n", part_word,
				  part->number, part_of, part->nr);
	if (options->header != NULL) {
		markup_add_lines(text, options->header, options->header_bytes);
		markup_add_string(text, "\n");
	}
	add_preamble(text, options);
}

/* What is cut off behind a file would not be missed without it. */
static void
files_end(struct markup_text *text, const struct markup_options *options,
	  uint64_t section_nr)
{
	if (!options->hashes)
		return;
	markup_add_string(text,
			  options->kind == MARKUP_PLAIN ? "========" : "##");
	markup_add_format(text, MARKUP_END_WORD "%ju\n\n", section_nr);
}

/* "a.c (lines 1-50)"; whether content follows. */
static bool
add_header(struct markup_text *text, const struct markup_options *options,
	   const struct markup_section *section)
{
	markup_add_string(text, file_word);
	markup_add_path(text, section->path);
	if (section->same_path != NULL) {
		markup_add_string(text, " (same as ");
		markup_add_path(text, section->same_path);
		markup_add_string(text, ")\n\n");
		return false;
	}
	if (section->empty) {
		markup_add_string(text, " (empty)\n\n");
		return false;
	}
	markup_add_about(text, options, section);
	markup_add_string(text, "\n");
	return true;
}

static bool
is_short(const struct markup_options *options,
	 const struct markup_section *section)
{
	return options->short_headers && section->signatures &&
	       !section->empty && section->same_path == NULL;
}

static void
add_short_header(struct markup_text *text, const struct markup_options *options,
		 const struct markup_section *section)
{
	markup_add_string(text, signatures_word);
	markup_add_path(text, section->path);
	if (markup_says_more(section))
		markup_add_about(text, options, section);
	markup_add_string(text, "\n");
}

static void
open_markdown(struct markup_text *text, const struct markup_options *options,
	      const struct markup_section *section)
{
	if (is_short(options, section)) {
		add_short_header(text, options, section);
	} else {
		markup_add_string(text, "## ");
		if (!add_header(text, options, section))
			return;
	}
	markup_add_run(text, '`', markup_fence(section->mark_run, FENCE_MIN));
	markup_add(text, section->hint, section->hint_bytes);
	markup_add_string(text, "\n");
}

static void
close_markdown(struct markup_text *text, const struct markup_section *section,
	       bool half_line)
{
	if (half_line)
		markup_add_string(text, "\n");
	markup_add_run(text, '`', markup_fence(section->mark_run, FENCE_MIN));
	markup_add_string(text, "\n\n");
}

static void
open_plain(struct markup_text *text, const struct markup_options *options,
	   const struct markup_section *section)
{
	markup_add_run(text, '=', markup_fence(section->mark_run, BAR_MIN));
	markup_add_string(text, " ");
	add_header(text, options, section);
}

static void
close_plain(struct markup_text *text, const struct markup_section *section,
	    bool half_line)
{
	if (half_line)
		markup_add_string(text, "\n");
	markup_add_run(text, '=', markup_fence(section->mark_run, BAR_MIN));
	markup_add_string(text, "\n\n");
}

/* The tree is drawn, so between fences; instructions are read as they are. */
static void
extra_open_markdown(struct markup_text *text, enum markup_extra extra,
		    uint32_t mark_run)
{
	markup_add_format(text, "## %s\n\n", titles[extra]);
	if (extra == MARKUP_INSTRUCTIONS)
		return;
	markup_add_run(text, '`', markup_fence(mark_run, FENCE_MIN));
	markup_add_string(text, "\n");
}

static void
extra_close_markdown(struct markup_text *text, enum markup_extra extra,
		     uint32_t mark_run)
{
	if (extra != MARKUP_INSTRUCTIONS) {
		markup_add_run(text, '`', markup_fence(mark_run, FENCE_MIN));
		markup_add_string(text, "\n");
	}
	markup_add_string(text, "\n");
}

static void
extra_open_plain(struct markup_text *text, enum markup_extra extra,
		 uint32_t mark_run)
{
	markup_add_run(text, '=', markup_fence(mark_run, BAR_MIN));
	markup_add_format(text, " %s\n", titles[extra]);
}

static void
extra_close_plain(struct markup_text *text, enum markup_extra extra,
		  uint32_t mark_run)
{
	(void)extra;
	markup_add_run(text, '=', markup_fence(mark_run, BAR_MIN));
	markup_add_string(text, "\n\n");
}

const struct markup_format markup_markdown = {
	.name = "markdown",
	.escape = MARKUP_ESCAPE_NONE,
	.mark = '`',
	.says_file = PREAMBLE_MARKS "`## File: path (lines)`",
	.says_gap = "`// ... (lines 2-7)` stands for lines left out",
	.says_signatures = "`signatures` in it means definitions without "
			   "their bodies, `all` that none is left out",
	.says_short = "`### path` begins signatures instead, definitions "
		      "without their bodies; `all` that none is left out",
	.begin = add_begin,
	.files_end = files_end,
	.open = open_markdown,
	.close = close_markdown,
	.gap = markup_add_gap,
	.broken = markup_add_broken,
	.extra_open = extra_open_markdown,
	.extra_close = extra_close_markdown,
};

const struct markup_format markup_plain = {
	.name = "plain",
	.escape = MARKUP_ESCAPE_NONE,
	.mark = '=',
	.says_file = PREAMBLE_MARKS "\"======== File: path "
				    "(lines)\"",
	.says_gap = "\"// ... (lines 2-7)\" stands for lines left out",
	.says_signatures = "\"signatures\" in it means definitions without "
			   "their bodies, \"all\" that none is left out",
	.begin = add_begin,
	.files_end = files_end,
	.open = open_plain,
	.close = close_plain,
	.gap = markup_add_gap,
	.broken = markup_add_broken,
	.extra_open = extra_open_plain,
	.extra_close = extra_close_plain,
};
