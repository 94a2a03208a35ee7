/* SPDX-License-Identifier: MIT */
/*
 * json.c - one JSON document, or a JSON object a line.
 *
 *   {"bale":1,"files":[
 *   {"path":"src/a.c","language":"c","lines":[1,50],"chunks":[
 *   {"line":1,"text":"int a;\n"}]}
 *   ]}
 *
 * The texts of a file's chunks, joined, are the content; bytes that are no
 * UTF-8 are the lone surrogates U+DC80 to U+DCFF. Lines that are left out are
 * {"gap":[5,6]} among the chunks. In JSON lines a file stands in one line.
 */
#include <string.h>

#include "markup/markup.h"

static void
add_part(struct markup_text *text, const struct markup_part *part)
{
	markup_add_string(text, "{\"bale\":1");
	if (part != NULL)
		markup_add_format(text, ",\"part\":%ju,\"of\":%ju",
				  part->number, part->nr);
}

static void
add_member(struct markup_text *text, const char *name, const char *value,
	   size_t nr)
{
	struct markup_rules rules;

	markup_rules_of_escape(&rules, MARKUP_ESCAPE_JSON);
	markup_add_format(text, ",\"%s\":\"", name);
	markup_add_escaped(text, &rules, value, nr);
	markup_add_string(text, "\"");
}

static void
add_texts(struct markup_text *text, const struct markup_options *options)
{
	const struct markup_preamble *preamble = text->preamble;

	if (options->header != NULL)
		add_member(text, "header", options->header,
			   options->header_bytes);
	if (preamble == NULL)
		return;
	add_member(text, "preamble", preamble->text, preamble->text_bytes);
	if (preamble->directories_bytes > 0)
		add_member(text, markup_extra_members[MARKUP_DIRECTORIES],
			   preamble->directories, preamble->directories_bytes);
}

/* JSON lines have an object of their own for it, if there is anything to say.
 */
static void
begin(struct markup_text *text, const struct markup_options *options,
      const struct markup_part *part)
{
	bool is_lines = options->kind == MARKUP_JSONL;

	if (is_lines && part == NULL && options->header == NULL &&
	    text->preamble == NULL)
		return;
	add_part(text, part);
	add_texts(text, options);
	markup_add_string(text, is_lines ? "}\n" : ",\"files\":[\n");
}

static void
files_end(struct markup_text *text, const struct markup_options *options,
	  uint64_t section_nr)
{
	bool is_lines = options->kind == MARKUP_JSONL;

	if (!is_lines)
		markup_add_string(text, "]");
	if (options->hashes)
		markup_add_format(text,
				  is_lines ? "{\"end\":%ju}\n" : ",\"end\":%ju",
				  section_nr);
}

static const char *const before_traits[] = {
	[MARKUP_UNICODE_MARK] = ",\"characters\":[\"",
	[MARKUP_UNICODE_ESCAPE] = ",\"escaped\":[\"",
	[MARKUP_UNICODE_STRIP] = ",\"removed\":[\"",
};

static void
add_copies(struct markup_text *text, const struct markup_copies *copies)
{
	for (uint32_t i = 0; i < copies->nr; i++) {
		markup_add_string(text, i == 0 ? ",\"also\":[" : ",");
		markup_add_json(text, copies->names[i].bytes,
				copies->names[i].nr);
	}
	markup_add_format(text, "]%s",
			  copies->more ? ",\"also_others\":true" : "");
}

static void
add_about(struct markup_text *text, const struct markup_options *options,
	  const struct markup_section *section)
{
	if (section->hint_bytes > 0) {
		markup_add_string(text, ",\"language\":");
		markup_add_json(text, section->hint, section->hint_bytes);
	}
	markup_add_format(text, ",\"lines\":[%ju,%ju]", section->line_first,
			  section->line_last);
	if (section->line_first != 1 || section->line_last != section->line_nr)
		markup_add_format(text, ",\"of\":%ju", section->line_nr);
	if (section->signatures)
		markup_add_format(text, ",\"signatures_of\":%ju%s",
				  section->bytes,
				  section->in_part ? ",\"in_part\":true" : "");
	else if (section->traits & MARKUP_IS_STRIPPED)
		markup_add_string(text, ",\"without\":\"comments\"");
	if (section->charset != NULL) {
		markup_add_string(text, ",\"from\":");
		markup_add_json(text, section->charset,
				strlen(section->charset));
	}
	if (options->numbers)
		markup_add_string(text, ",\"numbered\":true");
	markup_add_traits(text, section->traits,
			  before_traits[options->unicode], "\",\"", "\"]");
	if (section->continued != MARKUP_STARTS)
		markup_add_format(text, ",\"continued\":%s",
				  section->continued == MARKUP_CONTINUED
					  ? "true"
					  : "\"within-line\"");
	if (section->goes_on)
		markup_add_string(text, ",\"goes_on\":true");
	if (markup_has_hash(options, section))
		markup_add_format(text, ",\"hash\":%u", section->hash);
	if (markup_has_copies(section))
		add_copies(text, &section->copies);
}

/* true: content follows, between the quotes of a string. */
static bool
open_object(struct markup_text *text, const struct markup_options *options,
	    const struct markup_section *section)
{
	markup_add_string(text, "{\"path\":");
	markup_add_json(text, section->name, section->name_bytes);
	if (section->same_path != NULL) {
		markup_add_string(text, ",\"same_as\":");
		markup_add_json(text, section->same_as, section->same_as_bytes);
		markup_add_string(text, "}\n");
		return false;
	}
	if (section->empty) {
		markup_add_string(text, ",\"empty\":true}\n");
		return false;
	}
	add_about(text, options, section);
	markup_add_string(text, ",\"chunks\":[");
	return true;
}

static void
add_chunk(struct markup_text *text, uint64_t line)
{
	markup_add_format(text, "{\"line\":%ju,\"text\":\"", line);
}

static void
open(struct markup_text *text, const struct markup_options *options,
     const struct markup_section *section)
{
	bool is_lines = options->kind == MARKUP_JSONL;

	if (!is_lines && !section->is_first)
		markup_add_string(text, ",");
	if (!open_object(text, options, section))
		return;
	if (!is_lines)
		markup_add_string(text, "\n");
	add_chunk(text, section->line_first);
}

static void
gap_any(struct markup_text *text, const struct markup_section *section,
	uint64_t line_first, uint64_t line_last)
{
	(void)section;
	markup_add_format(text, "\"},{\"gap\":[%ju,%ju]},", line_first,
			  line_last);
	add_chunk(text, line_last + 1);
}

static void
broken_any(struct markup_text *text, const struct markup_section *section,
	   const char *reason)
{
	(void)section;
	markup_add_string(text, "\"},{\"broken\":");
	markup_add_json(text, reason, strlen(reason));
	markup_add_string(text, ",\"text\":\"");
}

static const char says_file[] = "Each object with a path is a file";
static const char says_gap[] = "gap stands for lines left out";
static const char says_signatures[] =
	"signatures_of means definitions without their bodies";

const struct markup_format markup_json = {
	.name = "json",
	.escape = MARKUP_ESCAPE_JSON,
	.says_file = says_file,
	.says_gap = says_gap,
	.says_signatures = says_signatures,
	.begin = begin,
	.files_end = files_end,
	.open = open,
	.gap = gap_any,
	.broken = broken_any,
	.ends = "}\n",
	.closes = "\"}]}\n",
	.extra_names = markup_extra_members,
	.extra_opens = ",\n\"%s\":\"",
	.extra_closes = "\"",
};

const struct markup_format markup_jsonl = {
	.name = "jsonl",
	.escape = MARKUP_ESCAPE_JSON,
	.says_file = says_file,
	.says_gap = says_gap,
	.says_signatures = says_signatures,
	.begin = begin,
	.files_end = files_end,
	.open = open,
	.gap = gap_any,
	.broken = broken_any,
	.closes = "\"}]}\n",
	.extra_names = markup_extra_members,
	.extra_opens = "{\"%s\":\"",
	.extra_closes = "\"}\n",
};
