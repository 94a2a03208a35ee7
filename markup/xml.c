/* SPDX-License-Identifier: MIT */
/*
 * xml.c - XML, with content in CDATA sections.
 *
 *   <bale>
 *   <files>
 *   <file path="src/a.c" language="c" lines="1-50"><![CDATA[int a;
 *   ]]></file>
 *   </files>
 *   </bale>
 *
 * The text of a file element is the content, byte for byte, but for bytes
 * that XML has no way to say: these are <byte hex="1b"/>. What is left out is
 * <gap lines="5-6"/>.
 */
#include <stdio.h>
#include <string.h>

#include "markup/markup.h"
#include "base/unicode_invisible.h"
#include "base/utf8.h"

static const char *const elements[MARKUP_EXTRA_NR] = {
	[MARKUP_TREE] = "tree",
	[MARKUP_GIT_LOG] = "git-log",
	[MARKUP_GIT_DIFF] = "git-diff",
	[MARKUP_INSTRUCTIONS] = "instructions",
	[MARKUP_DIRECTORIES] = "directories",
};

/* An attribute's value; no control character comes here. */
static void
add_value(struct markup_text *text, const void *bytes, size_t nr)
{
	const uint8_t *at = bytes;
	const uint8_t *end = at + nr;

	while (at < end) {
		uint32_t c = 0;
		size_t taken = utf8_decode(at, (size_t)(end - at), &c);
		char escape[16];

		snprintf(escape, sizeof(escape), "&#x%x;", c);
		if (c == '&')
			markup_add_string(text, "&amp;");
		else if (c == '<')
			markup_add_string(text, "&lt;");
		else if (c == '"')
			markup_add_string(text, "&quot;");
		else if (is_invisible(c))
			markup_add_string(text, escape);
		else
			markup_add(text, at, taken);
		at += taken > 0 ? taken : 1;
	}
}

/* Whether XML can say a name as it is. */
static bool
can_say(const uint8_t *at, const uint8_t *end)
{
	while (at < end) {
		uint32_t c = 0;
		size_t taken = utf8_decode(at, (size_t)(end - at), &c);

		if (taken == 0 || c < 0x20 || c == 0xfffe || c == 0xffff)
			return false;
		at += taken;
	}
	return true;
}

/* ` path="a.c"`; one that XML cannot say is quoted as in C. */
static void
add_path(struct markup_text *text, const char *attribute, const uint8_t *name,
	 size_t nr, const char *path)
{
	bool plain = can_say(name, name + nr);

	markup_add_format(text, " %s%s=\"", attribute, plain ? "" : "-quoted");
	if (plain)
		add_value(text, name, nr);
	else
		add_value(text, path, strlen(path));
	markup_add_string(text, "\"");
}

static void
add_attribute(struct markup_text *text, const char *name, const void *value,
	      size_t nr)
{
	markup_add_format(text, " %s=\"", name);
	add_value(text, value, nr);
	markup_add_string(text, "\"");
}

static void
add_element(struct markup_text *text, const char *name, const char *content,
	    size_t nr)
{
	struct markup_rules rules;

	markup_rules_of_escape(&rules, MARKUP_ESCAPE_CDATA);
	markup_add_format(text, "<%s><![CDATA[", name);
	markup_add_escaped(text, &rules, content, nr);
	markup_add_format(text, "]]></%s>\n", name);
}

static void
add_preamble(struct markup_text *text)
{
	const struct markup_preamble *preamble = text->preamble;

	if (preamble == NULL)
		return;
	add_element(text, "preamble", preamble->text, preamble->text_bytes);
	if (preamble->directories_bytes > 0)
		add_element(text, elements[MARKUP_DIRECTORIES],
			    preamble->directories, preamble->directories_bytes);
}

static void
begin_xml(struct markup_text *text, const struct markup_options *options,
	  const struct markup_part *part)
{
	markup_add_string(text, "<bale");
	if (part != NULL)
		markup_add_format(text, " part=\"%ju\" of=\"%ju\"",
				  part->number, part->nr);
	markup_add_string(text, ">\n");
	if (options->header != NULL)
		add_element(text, "header", options->header,
			    options->header_bytes);
	add_preamble(text);
	markup_add_string(text, "<files>\n");
}

static void
files_end_xml(struct markup_text *text, const struct markup_options *options,
	      uint64_t section_nr)
{
	markup_add_string(text, "</files>\n");
	if (options->hashes)
		markup_add_format(text, "<end files=\"%ju\"/>\n", section_nr);
}

static const char *const before_traits[] = {
	[MARKUP_UNICODE_MARK] = " characters=\"",
	[MARKUP_UNICODE_ESCAPE] = " escaped=\"",
	[MARKUP_UNICODE_STRIP] = " removed=\"",
};

static void
open_xml(struct markup_text *text, const struct markup_options *options,
	 const struct markup_section *section)
{
	markup_add_string(text, "<file");
	add_path(text, "path", section->name, section->name_bytes,
		 section->path);
	if (section->same_path != NULL) {
		add_path(text, "same-as", section->same_as,
			 section->same_as_bytes, section->same_path);
		markup_add_string(text, "/>\n");
		return;
	}
	if (section->empty) {
		markup_add_string(text, " empty=\"yes\"/>\n");
		return;
	}
	if (section->hint_bytes > 0)
		add_attribute(text, "language", section->hint,
			      section->hint_bytes);
	markup_add_format(text, " lines=\"%ju-%ju\"", section->line_first,
			  section->line_last);
	if (section->line_first != 1 || section->line_last != section->line_nr)
		markup_add_format(text, " of=\"%ju\"", section->line_nr);
	if (section->signatures)
		markup_add_format(text, " signatures-of=\"%ju\"",
				  section->bytes);
	if (section->in_part)
		markup_add_string(text, " in-part=\"yes\"");
	if (!section->signatures && (section->traits & MARKUP_IS_STRIPPED))
		markup_add_string(text, " without=\"comments\"");
	if (section->charset != NULL)
		add_attribute(text, "from", section->charset,
			      strlen(section->charset));
	if (options->numbers)
		markup_add_string(text, " numbered=\"yes\"");
	markup_add_traits(text, section->traits,
			  before_traits[options->unicode], " ", "\"");
	if (section->continued != MARKUP_STARTS)
		markup_add_format(text, " continued=\"%s\"",
				  section->continued == MARKUP_CONTINUED
					  ? "yes"
					  : "within-line");
	if (section->goes_on)
		markup_add_string(text, " goes-on=\"yes\"");
	if (markup_has_hash(options, section))
		markup_add_format(text, " hash=\"%u\"", section->hash);
	if (markup_has_copies(section)) {
		char names[MARKUP_COPIES_BYTES];

		add_attribute(text, "also", names,
			      markup_copies(names, &section->copies));
	}
	markup_add_string(text, "><![CDATA[");
}

static void
gap_xml(struct markup_text *text, const struct markup_section *section,
	uint64_t line_first, uint64_t line_last)
{
	(void)section;
	markup_add_format(text, "]]><gap lines=\"%ju-%ju\"/><![CDATA[",
			  line_first, line_last);
}

static void
broken_xml(struct markup_text *text, const struct markup_section *section,
	   const char *reason)
{
	(void)section;
	markup_add_string(text, "]]><broken");
	add_attribute(text, "reason", reason, strlen(reason));
	markup_add_string(text, "/><![CDATA[");
}

const struct markup_format markup_xml = {
	.name = "xml",
	.escape = MARKUP_ESCAPE_CDATA,
	.says_file = "Each file element holds a file",
	.says_gap = "<gap lines=\"2-7\"/> stands for lines left out",
	.says_signatures = "signatures-of means definitions without their "
			   "bodies",
	.begin = begin_xml,
	.files_end = files_end_xml,
	.open = open_xml,
	.gap = gap_xml,
	.broken = broken_xml,
	.ends = "</bale>\n",
	.closes = "]]></file>\n",
	.extra_names = elements,
	.extra_opens = "<%s><![CDATA[",
	.extra_closes = "]]></%s>\n",
};
