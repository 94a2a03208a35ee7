/* SPDX-License-Identifier: MIT */
/*
 * select_cost.c - headers and marks, made and counted.
 */
#include "stages/select/select_cost.h"

#include <string.h>

#include "tokenizer/tokenizer.h"
#include "catalogue/facts.h"

#define MARKS_MAX 4096
#define FILES_MANY 1000000 /* a number of as many digits is known later */

static const struct markup_options *
options_of(const struct select_cost *cost)
{
	return &cost->planner->job->markup;
}

static const struct markup_format *
format_of(const struct select_cost *cost)
{
	return markup_table[options_of(cost)->kind];
}

static void
count_text(struct select_cost *cost)
{
	size_t nr = (size_t)(cost->text.at - cost->bytes);

	cost->tokens +=
		tokenizer_count(cost->planner->tokenizer, cost->planner->cache,
				(const uint8_t *)cost->bytes, nr);
	cost->text.at = cost->bytes;
	cost->text.room = sizeof(cost->bytes);
}

static void
spill(struct markup_text *text)
{
	count_text((struct select_cost *)(void *)text);
}

static void
begin(struct select_cost *cost)
{
	cost->tokens = 0;
	cost->text = (struct markup_text){ .at = cost->bytes,
					   .room = sizeof(cost->bytes),
					   .options = options_of(cost),
					   .spill = spill };
}

static uint64_t
end(struct select_cost *cost)
{
	count_text(cost);
	return cost->tokens;
}

void
select_cost_init(struct select_cost *cost, const struct planner *planner)
{
	cost->planner = planner;
	cost->preamble = (struct markup_preamble){ .text = NULL };
	begin(cost);
}

uint64_t
select_cost_frame(struct select_cost *cost)
{
	const struct markup_options *options = options_of(cost);
	const struct markup_format *format = format_of(cost);
	struct markup_rules rules;

	begin(cost);
	if (cost->preamble.text != NULL)
		cost->text.preamble = &cost->preamble;
	markup_rules_init_extra(&rules, options);
	format->begin(&cost->text, options, NULL);
	format->files_end(&cost->text, options, FILES_MANY);
	if (options->tree) {
		markup_extra_open(&cost->text, format, MARKUP_TREE, 0);
		markup_extra_close(&cost->text, format, MARKUP_TREE, 0);
	}
	if (options->instructions != NULL && !format->places_extras) {
		markup_extra_open(&cost->text, format, MARKUP_INSTRUCTIONS, 0);
		markup_add_escaped(&cost->text, &rules, options->instructions,
				   options->instructions_bytes);
		markup_extra_close(&cost->text, format, MARKUP_INSTRUCTIONS, 0);
	}
	markup_end(&cost->text, format);
	return end(cost);
}

/* No longer run of marks than can be made in no time. */
static uint32_t
few(uint32_t marks)
{
	return (uint32_t)min_u64(marks, MARKS_MAX);
}

/* As format will describe it, with fewer marks. */
static struct markup_section
describe(struct select_cost *cost, const struct select_part *part)
{
	struct markup_section section = job_describe_section(
		cost->planner->catalogue, part->file_idx, &part->lines,
		cost->path, sizeof(cost->path));

	section.mark_run = few(section.mark_run);
	section.dot_run = few(section.dot_run);
	section.empty = false;
	return section;
}

/* Marks that few() has left out, each taken for a token. */
static uint64_t
further_marks(const struct select_cost *cost, const struct select_part *part)
{
	const struct file_facts *facts =
		catalogue_facts(cost->planner->catalogue, part->file_idx);

	return 2ull * (facts->mark_run - few(facts->mark_run)) +
	       facts->dot_run - few(facts->dot_run);
}

uint64_t
select_cost_section(struct select_cost *cost, const struct select_part *part)
{
	const struct markup_section section = describe(cost, part);

	begin(cost);
	format_of(cost)->open(&cost->text, options_of(cost), &section);
	markup_close(&cost->text, format_of(cost), &section,
		     section.no_newline);
	if (options_of(cost)->tree) {
		const char *slash = strrchr(section.path, '/');

		markup_add_string(&cost->text,
				  slash == NULL ? section.path : slash);
		markup_add_string(&cost->text, "\n  ");
	}
	return further_marks(cost, part) + end(cost);
}

uint64_t
select_cost_gap(struct select_cost *cost, const struct select_part *part)
{
	struct markup_section section = describe(cost, part);
	uint64_t last = max_u64(part->lines.first, 2) - 1;

	section.gap_last = last;
	section.gap_first = last - last / 8;
	begin(cost);
	format_of(cost)->gap(&cost->text, &section, section.gap_first, last);
	return further_marks(cost, part) + end(cost);
}
