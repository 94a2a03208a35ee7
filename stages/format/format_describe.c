/* SPDX-License-Identifier: MIT */
/*
 * format_describe.c - what an output says of itself, and of a file.
 *
 * Runs in: format.
 */
#include "stages/format/format.h"

#include "base/diag.h"
#include "catalogue/files.h"
#include "catalogue/history.h"
#include "catalogue/plan.h"
#include "markup/preamble.h"

/* All that an output of everything can say of itself when it begins. */
static void
describe_all(struct format *format)
{
	const struct history_head *head = catalogue_history(format->catalogue);
	const struct job *job = format->job;
	const struct preamble_facts facts = {
		.kind = job->markup.kind,
		.is_whole = true,
		.is_filtered = job->is_filtered,
		.signatures = job->compress,
		.short_headers = job->markup.short_headers,
		.commit = head->has_commit && job->root_nr == 1 ? head->commit
								: NULL,
	};

	format->preamble = (struct markup_preamble){
		.text = format->preamble_text,
		.text_bytes = preamble_text(format->preamble_text, &facts),
	};
}

void
format_describe_all(struct format *format)
{
	if (format->job->writes_preamble && format->job->takes_all &&
	    format->preamble.text == NULL)
		describe_all(format);
}

/* Whether the signatures of a file are there up to a line. */
static bool
is_in_part(const struct format *format, uint32_t file_idx)
{
	const struct catalogue *catalogue = format->catalogue;

	return !format->job->takes_all &&
	       catalogue_plan(catalogue,
			      catalogue_plan_first(catalogue, format->plan_nr,
						   file_idx))
			       ->kept_lines != 0;
}

struct markup_section
format_describe(struct format *format, uint32_t file_idx,
		const struct section_lines *of)
{
	const struct catalogue *catalogue = format->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct section_lines lines = *of;
	struct markup_section section;

	lines.in_part = lines.signatures && is_in_part(format, file_idx);
	section = job_describe_section(catalogue, file_idx, &lines,
				       format->path, FORMAT_NAME_BYTES);
	if (facts->same_as != FILE_NONE) {
		const struct file_record *same =
			catalogue_file(catalogue, facts->same_as);

		section.same_as = catalogue_path(catalogue, same);
		section.same_as_bytes = same->path_bytes;
		section.same_path =
			diag_quote(format->other, FORMAT_NAME_BYTES,
				   section.same_as, same->path_bytes);
	}
	return section;
}
