/* SPDX-License-Identifier: MIT */
/*
 * format_section_worker.c - a file's facts, for its header.
 */
#include "stages/format/format_section_worker.h"

#include "base/diag.h"
#include "stages/format/format_out_worker.h"
#include "catalogue/files.h"
#include "catalogue/plan.h"

static const char *
quote_path(struct worker *worker, char *out, uint32_t file_idx)
{
	const struct file_record *file =
		catalogue_file(&worker->catalogue, file_idx);

	return diag_quote(out, FORMAT_NAME_BYTES,
			  catalogue_path(&worker->catalogue, file),
			  file->path_bytes);
}

static void
set_same(struct worker *worker, struct markup_section *section,
	 uint32_t same_as)
{
	struct format_scratch *scratch = worker->scratch;
	const struct file_record *file =
		catalogue_file(&worker->catalogue, same_as);

	section->same_path = quote_path(worker, scratch->other, same_as);
	section->same_as = catalogue_path(&worker->catalogue, file);
	section->same_as_bytes = file->path_bytes;
}

/* Whether the signatures of a file are there up to a line. */
static bool
is_in_part(const struct worker *worker, uint32_t file_idx)
{
	const struct catalogue *catalogue = &worker->catalogue;
	const struct control_shm *control = worker->run->segment.control;
	/* relaxed: written before this pass was asked for */
	uint64_t nr =
		atomic_load_explicit(&control->plan_nr, memory_order_relaxed);

	return !worker->run->job.takes_all &&
	       catalogue_plan(catalogue,
			      catalogue_plan_first(catalogue, nr, file_idx))
			       ->kept_lines != 0;
}

struct markup_section
format_describe(struct worker *worker, uint32_t file_idx,
		const struct format_lines *lines)
{
	struct format_scratch *scratch = worker->scratch;
	const struct catalogue *catalogue = &worker->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct markup_section section = {
		.name = catalogue_path(catalogue, file),
		.name_bytes = file->path_bytes,
		.path = quote_path(worker, scratch->path, file_idx),
		.charset = charset_name(file),
		.is_repaired = (file->flags & MARK_REPAIRED) != 0,
		.hint = catalogue_hint(catalogue, file),
		.hint_bytes = file->hint_bytes,
		.line_first = lines->first,
		.line_last = lines->last,
		.line_nr = facts->line_nr,
		.mark_run = facts->mark_run,
		.dot_run = facts->dot_run,
		.traits = facts->traits,
		.empty = facts->bytes == 0,
		.no_newline =
			facts->no_newline && lines->last == facts->line_nr,
		.signatures = lines->signatures,
		.in_part = lines->signatures && is_in_part(worker, file_idx),
		.is_whole = lines->first == 1 && lines->last == facts->line_nr,
		.hash = facts->hash,
		.bytes = facts->bytes,
	};

	if (facts->same_as != FILE_NONE)
		set_same(worker, &section, facts->same_as);
	return section;
}
