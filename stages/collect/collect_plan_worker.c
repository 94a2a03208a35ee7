/* SPDX-License-Identifier: MIT */
/*
 * collect_plan_worker.c - the chunks that the plan names, file by file.
 *
 * Does: opens each planned file once, reads its planned chunks, as many as
 *       fit, into one slab; a file that is not what it was is left out. What
 *       chunk has to make a text of is read from end to end.
 * Runs in: collect, in gather of a plan.
 */
#include <errno.h>

#include "base/fault.h"
#include "shm/slab.h"
#include "stages/collect/collect_worker.h"
#include "catalogue/plan.h"

/* Ranges of one slab in the making. */
struct ranges {
	struct worker *worker;
	uint64_t plan_nr;
	uint32_t file_idx;
	uint32_t slab_idx;
	uint32_t used;
	uint32_t nr;
	struct desc descs[COLLECT_BATCH_MAX];
};

/* A chunk, or the part of it that is planned. */
static const struct chunk_record *
planned_chunk(const struct ranges *ranges, uint64_t at)
{
	const struct catalogue *catalogue = &ranges->worker->catalogue;

	return catalogue_planned(catalogue, catalogue_plan(catalogue, at));
}

static bool
is_of_file(const struct ranges *ranges, uint64_t at)
{
	return at < ranges->plan_nr &&
	       planned_chunk(ranges, at)->file_idx == ranges->file_idx;
}

/* Adds the next piece of the plan that fits; false: the slab is full. */
static bool
add_range(struct ranges *ranges)
{
	struct worker *worker = ranges->worker;
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	const struct plan_entry *entry =
		catalogue_plan(&worker->catalogue, state->plan_next);
	const struct chunk_record *chunk =
		planned_chunk(ranges, state->plan_next);
	uint64_t left = chunk->bytes - state->range_off;
	uint64_t room = SLAB_BODY_BYTES - ranges->used;
	uint64_t bytes = min_u64(left, room);
	struct desc *range = &ranges->descs[ranges->nr];

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
		.skip_lines = worker_part_from(worker, entry),
		.file_off = chunk->file_off + state->range_off,
	};
	scratch->reads[ranges->nr++] = (struct collect_read){
		.to = desc_content(&worker->run->segment.slabs, range),
		.off = range->file_off +
		       collect_base_off(worker,
					catalogue_file(&worker->catalogue,
						       ranges->file_idx)),
		.bytes = bytes,
		.fd = scratch->open_fd,
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

/* The same of a file that is converted to UTF-8: one after the other. */
static int
read_converted(struct ranges *ranges)
{
	struct worker *worker = ranges->worker;

	for (uint32_t i = 0; i < ranges->nr; i++) {
		struct desc *range = &ranges->descs[i];
		int64_t got = collect_converted_read(
			worker, ranges->file_idx, range->file_off,
			desc_content(&worker->run->segment.slabs, range),
			range->bytes);

		if (got < 0)
			return (int)got;
		if (got != range->bytes)
			return -ESTALE;
	}
	return 0;
}

static int
read_as_it_is(struct ranges *ranges)
{
	struct collect_scratch *scratch = ranges->worker->scratch;

	collect_run_reads(ranges->worker, scratch->reads, ranges->nr);
	for (uint32_t i = 0; i < ranges->nr; i++) {
		if (scratch->reads[i].error != 0)
			return scratch->reads[i].error;
		if (scratch->reads[i].got != scratch->reads[i].bytes)
			return -ESTALE;
	}
	return 0;
}

static uint8_t
read_ranges(struct ranges *ranges)
{
	const struct file_record *record =
		catalogue_file(&ranges->worker->catalogue, ranges->file_idx);
	int error = file_is_converted(record) ? read_converted(ranges)
					      : read_as_it_is(ranges);

	return error == 0 ? REASON_NONE : (uint8_t)collect_error_reason(error);
}

/* The file of the plan's cursor cannot be had: on to the next. */
static void
pass_over(struct ranges *ranges, uint8_t reason)
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
	while (is_of_file(ranges, state->plan_next))
		state->plan_next++;
	state->range_off = 0;
	state->plan_file = 0;
	state->turn_next++;
	collect_close(worker);
}

static void
emit_ranges(struct ranges *ranges)
{
	struct worker *worker = ranges->worker;
	struct collect_state *state = worker->state;
	bool is_last = !is_of_file(ranges, state->plan_next);

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
		collect_close(worker);
}

/* Opens the file and reads what fits: a reason if it cannot be had. */
static uint8_t
gather_file(struct ranges *ranges)
{
	struct worker *worker = ranges->worker;
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	int error;

	worker_position(worker, ranges->file_idx);
	if (scratch->skip_file == ranges->file_idx + 1ull)
		return scratch->skip_reason;
	error = collect_reopen(worker, ranges->file_idx);
	if (error != 0)
		return (uint8_t)collect_error_reason(error);
	while (ranges->nr < COLLECT_BATCH_MAX &&
	       is_of_file(ranges, state->plan_next))
		if (!add_range(ranges))
			break;
	FAULT("gather");
	return read_ranges(ranges);
}

/*
 * Whether chunk has to see all of the file that the plan's cursor is at, as
 * it did in the survey.
 */
static bool
is_made(const struct ranges *ranges, uint64_t at)
{
	const struct worker *worker = ranges->worker;

	return catalogue_plan(&worker->catalogue, at)->tier ==
		       TIER_SIGNATURES ||
	       run_strips(worker->run);
}

/*
 * Begins to read a planned file from end to end: for its signatures, which
 * are a section of their own, or for all that is planned of it.
 */
static int
begin_made(struct ranges *ranges)
{
	struct worker *worker = ranges->worker;
	struct collect_state *state = worker->state;
	bool signs =
		catalogue_plan(&worker->catalogue, state->plan_next)->tier ==
		TIER_SIGNATURES;
	uint32_t lane = collect_pick_lane(worker, 1, NULL);

	if (lane == LANES_MAX || worker_room(worker, EDGE_ORDER, 0) < 1)
		return STEP_AGAIN;
	ranges->file_idx = planned_chunk(ranges, state->plan_next)->file_idx;
	state->large = (struct collect_large){
		.file = ranges->file_idx + 1,
		.lane = lane,
		.emits = 1,
		.signs = signs,
		.converts = file_is_converted(
			catalogue_file(&worker->catalogue, ranges->file_idx)),
	};
	collect_emit_turn(worker, ranges->file_idx, lane);
	do {
		state->plan_next++;
	} while (!signs && is_of_file(ranges, state->plan_next));
	state->turn_next++;
	return STEP_DONE;
}

/* The cursor of the plan to the next section by rank; false: none is left. */
static bool
find_turn(struct worker *worker)
{
	struct collect_state *state = worker->state;
	/* relaxed: published with the pass */
	uint64_t nr =
		atomic_load_explicit(&worker->run->segment.control->section_nr,
				     memory_order_relaxed);

	if (state->turn_next == nr)
		return false;
	state->plan_next =
		catalogue_plan(&worker->catalogue, state->turn_next)->turn;
	return true;
}

int
collect_step_plan(struct worker *worker)
{
	struct collect_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;
	struct ranges ranges = {
		.worker = worker,
		/* relaxed: published with the pass */
		.plan_nr = atomic_load_explicit(&control->plan_nr,
						memory_order_relaxed),
	};
	bool is_new = state->plan_file == 0 && state->range_off == 0;
	uint64_t range_off = state->range_off;
	uint64_t plan_next;
	uint32_t lane;
	uint8_t reason;

	if (state->large.file != 0)
		return collect_step_large(worker);
	if (is_new && worker->run->options.by_rank && !find_turn(worker))
		return STEP_END;
	if (state->plan_next == ranges.plan_nr)
		return STEP_END;
	plan_next = state->plan_next;
	if (is_new && is_made(&ranges, state->plan_next))
		return begin_made(&ranges);
	if (state->plan_file != 0) {
		lane = state->plan_lane;
		ranges.slab_idx = collect_free_slab(worker, lane);
	} else {
		lane = collect_pick_lane(worker, COLLECT_BATCH_MAX,
					 &ranges.slab_idx);
	}
	if (lane == LANES_MAX || ranges.slab_idx == SLAB_NONE ||
	    worker_room(worker, EDGE_ORDER, 0) < 2 ||
	    worker_lane_room(worker, EDGE_CONTENT, lane) < COLLECT_BATCH_MAX)
		return STEP_AGAIN;
	state->plan_lane = lane;
	ranges.file_idx = planned_chunk(&ranges, plan_next)->file_idx;
	reason = gather_file(&ranges);
	if (reason == REASON_NONE) {
		emit_ranges(&ranges);
	} else {
		state->plan_next = plan_next;
		state->range_off = range_off;
		pass_over(&ranges, reason);
	}
	return STEP_DONE;
}
