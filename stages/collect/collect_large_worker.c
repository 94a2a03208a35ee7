/* SPDX-License-Identifier: MIT */
/*
 * collect_large_worker.c - a file larger than a slab, part by part.
 *
 * Does: reads it once to be looked at and, in gather of everything, once more
 *       to be written; makes sure that it is the same file all the time.
 * Runs in: collect.
 */

#include "base/fault.h"
#include "shm/slab.h"
#include "stages/collect/collect_worker.h"

int
collect_begin_large(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_files *files = collect_files_of(worker);
	const struct collect_item *item = collect_queue_first(&files->queue);
	uint32_t lane = collect_pick_lane(worker, 1, NULL);
	/* of everything: when it is read again, to be written */
	bool signs = worker->run->job.outlines && !worker->run->job.takes_all;
	/* before the turn adds it up */
	bool is_kept = item->surveyed != 0 &&
		       collect_is_estimated_alike(files, item->surveyed,
						  state->place.content_bytes);

	if (lane == LANES_MAX)
		return STEP_AGAIN;
	collect_close(files);
	if (item->fd >= 0) {
		files->open_fd = item->fd;
		files->open_file = item->file_idx + 1;
	}
	files->queue.next++;
	collect_emit_content_turn(worker, item, lane);
	state->large = (struct collect_large){ .file = item->file_idx + 1,
					       .lane = lane,
					       .signs = signs };
	if (is_kept)
		state->large.surveyed = item->surveyed;
	collect_pass_item(files, item, 1);
	return STEP_DONE;
}

void
collect_end_large(struct worker *worker)
{
	struct collect_state *state = worker->state;

	collect_close(collect_files_of(worker));
	state->large = (struct collect_large){ 0 };
}

int
collect_give_up_large(struct worker *worker, uint8_t reason)
{
	struct collect_state *state = worker->state;
	struct desc part = {
		.kind = DESC_PART,
		.flags =
			(uint8_t)(DESC_LAST |
				  (state->large.emits ? DESC_EMIT : DESC_SCAN)),
		.reason = reason,
		.file_idx = state->large.file - 1,
		.slab_idx = SLAB_NONE,
		.file_off = state->large.off,
	};

	worker_emit(worker, EDGE_CONTENT, state->large.lane, &part);
	if (part.file_off == 0 && worker->pass == PASS_FIRST)
		collect_withdraw_content(worker, part.file_idx);
	collect_end_large(worker);
	return STEP_DONE;
}

/*
 * Bytes of a part at most: in gather of a plan a file comes as it came in the
 * survey, where a small one was read as a whole.
 */
static uint32_t
part_bytes(const struct worker *worker, uint32_t file_idx)
{
	const struct file_record *record =
		catalogue_file(&worker->catalogue, file_idx);
	uint32_t whole = worker->run->job.whole_bytes;

	if (worker->pass > PASS_FIRST && !file_is_converted(record) &&
	    record->size_bytes <= whole)
		return whole;
	return worker->run->job.part_bytes;
}

static uint8_t
part_flags(const struct worker *worker, bool is_last)
{
	const struct collect_state *state = worker->state;
	uint8_t flags = DESC_RELEASE;

	flags |= state->large.emits ? DESC_EMIT : DESC_SCAN;
	if (is_last)
		flags |= DESC_LAST;
	else if (state->large.emits)
		flags |= DESC_MORE;
	if (state->large.signs)
		flags |= DESC_OUTLINE;
	return flags;
}

/* After the last part: once more to be written, or the next file. */
static void
next_reading(struct worker *worker)
{
	struct collect_state *state = worker->state;

	if (worker->run->job.takes_all && !state->large.emits) {
		state->large.emits = 1;
		state->large.signs = worker->run->job.compress;
		state->large.off = 0;
		state->large.carried = 0;
		state->large.before_nr = 0;
	} else {
		collect_end_large(worker);
	}
}

bool
collect_begin_part(struct worker *worker, struct desc *desc)
{
	const struct collect_state *state = worker->state;
	const struct collect_large *large = &state->large;

	*desc = (struct desc){ .kind = DESC_PART,
			       .file_idx = large->file - 1,
			       .slab_idx =
				       collect_free_slab(worker, large->lane),
			       .slab_off = SLAB_HEAD_BYTES,
			       .file_off = large->off,
			       .surveyed = large->surveyed };
	if (desc->slab_idx == SLAB_NONE ||
	    worker_room(worker, EDGE_CONTENT, large->lane) < 1)
		return false;
	worker_position(worker, desc->file_idx);
	return true;
}

void
collect_emit_part(struct worker *worker, const struct desc *desc)
{
	struct collect_state *state = worker->state;

	stat_add(worker->shm, STAT_bytes, desc->bytes);
	collect_use_slab(worker, desc->slab_idx);
	worker_emit(worker, EDGE_CONTENT, state->large.lane, desc);
	state->large.off = desc->file_off + desc->bytes;
}

int
collect_step_large(struct worker *worker)
{
	struct collect_files *files = collect_files_of(worker);
	struct collect_state *state = worker->state;
	struct collect_large *large = &state->large;
	struct desc desc;
	struct collect_part part;
	uint8_t reason;
	bool is_again;
	int error;

	if (!collect_begin_part(worker, &desc))
		return STEP_AGAIN;
	if (files->skip_file == large->file)
		return collect_give_up_large(worker, files->skip_reason);
	part.head_room = SLAB_HEAD_BYTES;
	part.text = desc_content(&worker->run->segment.slabs, &desc);
	error = collect_reopen(files, desc.file_idx);
	if (error == 0)
		error = collect_part_read(files, large, &part,
					  part_bytes(worker, desc.file_idx));
	FAULT("read_part");
	if (error != 0)
		return collect_give_up_large(
			worker, (uint8_t)collect_error_reason(error));
	reason = collect_part_look_at(files, large, &part, &is_again);
	if (reason != REASON_NONE)
		return collect_give_up_large(worker, reason);
	if (is_again)
		return STEP_DONE; /* once more, as what it becomes */
	collect_note_content(files, large, &part);
	desc.flags = part_flags(worker, part.is_last);
	desc.bytes = (uint32_t)part.bytes;
	collect_emit_part(worker, &desc);
	if (part.is_last)
		next_reading(worker);
	return STEP_DONE;
}
