/* SPDX-License-Identifier: MIT */
/*
 * collect_terms_worker.c - a file larger than a slab that the kept survey has:
 * what of it may have words of the query.
 *
 * Runs in: collect, in the survey.
 */
#include "base/fault.h"
#include "shm/slab.h"
#include "stages/collect/collect_worker.h"

/* Reads a part of the file, which is open: 0 or -errno. */
static int
read_part(struct collect_files *files, const struct file_record *record,
	  const struct collect_span *span, uint8_t *to)
{
	struct collect_read read = { .to = to,
				     .off = span->off,
				     .bytes = span->bytes,
				     .fd = files->open_fd };
	int error = collect_run_reads(files, &read, 1);

	return error != 0 ? error : collect_still_same(files, record);
}

int
collect_step_terms(struct worker *worker)
{
	struct collect_files *files = collect_files_of(worker);
	struct collect_state *state = worker->state;
	struct collect_large *large = &state->large;
	struct collect_span span = { .off = large->off };
	struct collect_span rest;
	struct desc desc;
	int error;

	if (!collect_begin_part(worker, &desc))
		return STEP_AGAIN;
	if (files->skip_file == large->file)
		return collect_give_up_large(worker, files->skip_reason);
	if (!collect_terms_next(files, large->surveyed - 1, &span,
				files->part_bytes) ||
	    span.bytes > files->part_bytes)
		return collect_give_up_large(worker, REASON_CHANGED);
	error = collect_reopen(files, desc.file_idx);
	if (error == 0)
		error = read_part(
			files, catalogue_file(files->catalogue, desc.file_idx),
			&span,
			desc_content(&worker->run->segment.slabs, &desc));
	FAULT("read_part");
	if (error != 0)
		return collect_give_up_large(
			worker, (uint8_t)collect_error_reason(error));
	desc.kind = DESC_WHOLE;
	desc.flags = DESC_SCAN | DESC_RELEASE;
	desc.file_off = span.off;
	desc.bytes = (uint32_t)span.bytes;
	rest.off = span.off + span.bytes;
	if (!collect_terms_next(files, large->surveyed - 1, &rest,
				files->part_bytes))
		desc.flags |= DESC_LAST;
	collect_emit_part(worker, &desc);
	if (desc.flags & DESC_LAST)
		collect_end_large(worker);
	return STEP_DONE;
}
