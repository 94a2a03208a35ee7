/* SPDX-License-Identifier: MIT */
/*
 * documents.c - a document a line, as pipelines over text read them.
 *
 *   {"id":"redis/src/a.c","source":"redis","metadata":{"path":"src/a.c",
 *    "language":"c","lines":[1,50]},"text":"int a;\n"}
 *
 * Does not: name files that have no text: empty ones, and those with the text
 *           of an earlier one; say that the output is bale's: each line is a
 *           document. It cannot be unpacked.
 */
#include <string.h>

#include "markup/markup.h"

/* What is not of a file is a document, too. */
#define OWN                                                        \
	"{\"id\":\"bale:%s\",\"source\":\"bale\",\"metadata\":{}," \
	"\"text\":\""

static void
add_value(struct markup_text *text, const char *before, const void *bytes,
	  size_t nr)
{
	markup_add_string(text, before);
	markup_add_json(text, bytes, nr);
}

/* A file in several parts is several documents. */
static void
add_id(struct markup_text *text, const char *source,
       const struct markup_section *section)
{
	markup_add_string(text, "{\"id\":\"");
	if (source != NULL) {
		markup_add_json_inside(text, source, strlen(source));
		markup_add_string(text, "/");
	}
	markup_add_json_inside(text, section->name, section->name_bytes);
	if (section->continued != MARKUP_STARTS)
		markup_add_format(text, "#%ju", section->line_first);
	markup_add_string(text, "\"");
}

static void
add_metadata(struct markup_text *text, const struct markup_section *section)
{
	add_value(text, ",\"metadata\":{\"path\":", section->name,
		  section->name_bytes);
	if (section->hint_bytes > 0)
		add_value(text, ",\"language\":", section->hint,
			  section->hint_bytes);
	markup_add_format(text, ",\"lines\":[%ju,%ju]", section->line_first,
			  section->line_last);
	if (section->line_first != 1 || section->line_last != section->line_nr)
		markup_add_format(text, ",\"of\":%ju", section->line_nr);
	if (section->signatures)
		markup_add_format(text, ",\"signatures_of\":%ju",
				  section->bytes);
	if (section->charset != NULL)
		add_value(text, ",\"from\":", section->charset,
			  strlen(section->charset));
	markup_add_string(text, "}");
}

static void
open_document(struct markup_text *text, const struct markup_options *options,
	      const struct markup_section *section)
{
	const char *source = options->source;

	if (section->same_path != NULL || section->empty)
		return;
	add_id(text, source, section);
	add_value(text, ",\"source\":", source == NULL ? "bale" : source,
		  source == NULL ? 4 : strlen(source));
	add_metadata(text, section);
	markup_add_string(text, ",\"text\":\"");
}

static void
add_gap(struct markup_text *text, const struct markup_section *section,
	uint64_t line_first, uint64_t line_last)
{
	(void)section;
	markup_add_format(text, "// ... (lines %ju-%ju)\\n", line_first,
			  line_last);
}

static void
add_broken(struct markup_text *text, const struct markup_section *section,
	   const char *reason)
{
	(void)section;
	markup_add_string(text, "\\n// ... (the rest is left out: ");
	markup_add_json_inside(text, reason, strlen(reason));
	markup_add_string(text, ")\\n");
}

static void
begin(struct markup_text *text, const struct markup_options *options,
      const struct markup_part *part)
{
	struct markup_rules rules;

	(void)part;
	if (options->header == NULL)
		return;
	markup_rules_of_escape(&rules, MARKUP_ESCAPE_JSON);
	markup_add_format(text, OWN, "header");
	markup_add_escaped(text, &rules, options->header,
			   options->header_bytes);
	markup_add_string(text, "\"}\n");
}

static void
files_end(struct markup_text *text, const struct markup_options *options,
	  uint64_t section_nr)
{
	(void)text;
	(void)options;
	(void)section_nr;
}

const struct markup_format markup_documents = {
	.name = "documents",
	.escape = MARKUP_ESCAPE_JSON,
	.begin = begin,
	.files_end = files_end,
	.open = open_document,
	.gap = add_gap,
	.broken = add_broken,
	.closes = "\"}\n",
	.extra_names = markup_extra_members,
	.extra_opens = OWN,
	.extra_closes = "\"}\n",
};
