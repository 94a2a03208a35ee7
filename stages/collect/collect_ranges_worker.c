/* SPDX-License-Identifier: MIT */
/*
 * collect_ranges_worker.c - the planned chunks of one file, a slab at a time.
 *
 * Does: reads as many as fit; a file that is not what it was is left out.
 * Runs in: collect, in gather of a plan.
 */
#include "base/fault.h"
#include "shm/slab.h"
#include "stages/collect/collect_worker.h"
#include "catalogue/plan.h"

/* A chunk, or the part of it that is planned. */
const struct chunk_record *
collect_planned_chunk(const struct collect_ranges *ranges, uint64_t at)
{
	const struct catalogue *all = &ranges->worker->catalogue;

	return catalogue_planned(all, catalogue_plan(all, at));
}

bool
collect_is_of_file(const struct collect_ranges *ranges, uint64_t at)
{
	return at < ranges->plan_nr &&
	       collect_planned_chunk(ranges, at)->file_idx == ranges->file_idx;
}

/* Adds the next piece of the plan that fits; false: the slab is full. */
static bool
add_range(struct collect_ranges *ranges)
{
	struct worker *worker = ranges->worker;
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	const struct plan_entry *entry =
		catalogue_plan(&worker->catalogue, state->plan_next);
	const struct chunk_record *chunk =
		collect_planned_chunk(ranges, state->plan_next);
	uint64_t left = chunk->bytes - state->range_off;
	uint64_t bytes = min_u64(left, SLAB_BODY_BYTES - ranges->used);
	struct desc *range = &ranges->descs[ranges->nr];

	ASSERT(plan_entry_valid(entry));
	/* a chunk is parted only if no slab could hold it */
	if (bytes < left && ranges->used > 0)
		return false;
	*range = (struct desc){
		.kind = DESC_RANGE,
		.flags = DESC_EMIT,
		.file_idx = ranges->file_idx,
		.slab_idx = ranges->slab_idx,
		.slab_off = SLAB_HEAD_BYTES + ranges->used,
		.bytes = (uint32_t)bytes,
		.line_first = chunk->line_first,
		.line_nr = entry->kept_lines,
		.skip_lines = job_part_from(&worker->run->job,
					    &worker->catalogue, entry),
		.file_off = chunk->file_off + state->range_off,
	};
	scratch->reads[ranges->nr++] = (struct collect_read){
		.to = desc_content(&worker->run->segment.slabs, range),
		.off = range->file_off +
		       collect_base_off(&scratch->files,
					catalogue_file(&worker->catalogue,
						       ranges->file_idx)),
		.bytes = bytes,
		.fd = scratch->files.open_fd,
	};
	ranges->used += (uint32_t)bytes;
	if (bytes < left) {
		range->flags |= DESC_MORE;
		state->range_off += bytes;
	} else {
		state->range_off = 0;
		state->plan_next++;
	}
	return true;
}

/* The file of the plan's cursor cannot be had: on to the next. */
static void
pass_over(struct collect_ranges *ranges, uint8_t reason)
{
	struct worker *worker = ranges->worker;
	struct collect_state *state = worker->state;
	struct desc gone = {
		.kind = DESC_PART,
		.flags = DESC_EMIT | DESC_LAST,
		.reason = reason,
		.file_idx = ranges->file_idx,
		.slab_idx = SLAB_NONE,
	};

	if (state->plan_file == ranges->file_idx + 1)
		worker_emit(worker, EDGE_CONTENT, state->plan_lane, &gone);
	else
		collect_emit_left_out(worker, ranges->file_idx, reason);
	while (collect_is_of_file(ranges, state->plan_next))
		state->plan_next++;
	state->range_off = 0;
	state->plan_file = 0;
	state->turn_next++;
	collect_close(collect_files_of(worker));
}

static void
emit_ranges(struct collect_ranges *ranges)
{
	struct worker *worker = ranges->worker;
	struct collect_state *state = worker->state;
	bool is_last = !collect_is_of_file(ranges, state->plan_next);

	if (state->plan_file != ranges->file_idx + 1)
		collect_emit_turn(worker, ranges->file_idx, state->plan_lane);
	state->plan_file = is_last ? 0 : ranges->file_idx + 1;
	ranges->descs[ranges->nr - 1].flags |=
		(uint8_t)(DESC_RELEASE | (is_last ? DESC_LAST : 0));
	for (uint32_t i = 0; i < ranges->nr; i++)
		worker_emit(worker, EDGE_CONTENT, state->plan_lane,
			    &ranges->descs[i]);
	collect_use_slab(worker, ranges->slab_idx);
	state->turn_next += is_last;
	if (is_last)
		collect_close(collect_files_of(worker));
}

/* Opens the file and reads what fits: a reason if it cannot be had. */
static uint8_t
gather_file(struct collect_ranges *ranges)
{
	struct worker *worker = ranges->worker;
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	struct collect_files *files = &scratch->files;
	int error;

	worker_position(worker, ranges->file_idx);
	if (files->skip_file == ranges->file_idx + 1ull)
		return files->skip_reason;
	error = collect_reopen(files, ranges->file_idx);
	if (error != 0)
		return (uint8_t)collect_error_reason(error);
	while (ranges->nr < COLLECT_BATCH_MAX &&
	       collect_is_of_file(ranges, state->plan_next))
		if (!add_range(ranges))
			break;
	FAULT("gather");
	error = collect_read_ranges(files, scratch->reads, ranges->nr);
	return (uint8_t)collect_error_reason(error);
}

void
collect_gather_ranges(struct collect_ranges *ranges)
{
	struct collect_state *state = ranges->worker->state;
	uint64_t plan_next = state->plan_next;
	uint64_t range_off = state->range_off;
	uint8_t reason = gather_file(ranges);

	if (reason == REASON_NONE) {
		emit_ranges(ranges);
		return;
	}
	state->plan_next = plan_next;
	state->range_off = range_off;
	pass_over(ranges, reason);
}
