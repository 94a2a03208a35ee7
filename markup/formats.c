/* SPDX-License-Identifier: MIT */
/*
 * formats.c - all formats, by their kind, and what options make of one.
 */
#include "markup/markup.h"
#include "markup/templated.h"

const struct markup_format *const markup_table[MARKUP_KIND_NR] = {
	[MARKUP_MARKDOWN] = &markup_markdown,
	[MARKUP_XML] = &markup_xml,
	[MARKUP_JSON] = &markup_json,
	[MARKUP_JSONL] = &markup_jsonl,
	[MARKUP_PLAIN] = &markup_plain,
	[MARKUP_DOCUMENTS] = &markup_documents,
	[MARKUP_TEMPLATE] = &markup_templated,
};

/* What becomes of content; of a template, as it says. */
static enum markup_escape
escape_of(const struct markup_options *options)
{
	return options->kind == MARKUP_TEMPLATE
		       ? options->templated->content_escape
		       : markup_table[options->kind]->escape;
}

bool
markup_is_identity(const struct markup_options *options)
{
	return escape_of(options) == MARKUP_ESCAPE_NONE &&
	       options->unicode == MARKUP_UNICODE_MARK && !options->numbers;
}

void
markup_rules_init(struct markup_rules *rules,
		  const struct markup_options *options)
{
	markup_rules_set(rules, escape_of(options), options->unicode,
			 options->numbers);
}

void
markup_rules_init_extra(struct markup_rules *rules,
			const struct markup_options *options)
{
	markup_rules_of_escape(rules,
			       options->kind == MARKUP_TEMPLATE
				       ? options->templated->tree_escape
				       : markup_table[options->kind]->escape);
}
