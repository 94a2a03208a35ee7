/* SPDX-License-Identifier: MIT */
/*
 * collect_tree_worker.c - batches of files of the walk, a slab at a time.
 *
 * Does: reads as many files as fit into one slab, tells of each in turn.
 * Runs in: collect.
 * Invariants:
 * 1. A file is told of in the order of the walk, also one that is left out.
 */
#include "base/diag.h"
#include "shm/slab.h"
#include "stages/collect/collect_worker.h"

/* Whether a lane has it. */
static bool
is_for_lane(const struct collect_item *item)
{
	return item->reason == REASON_NONE && collect_is_read(item);
}

/*
 * The item that the slab goes back with: the last one that has bytes in it.
 * One without any is done with as soon as it is counted, before what else is
 * in the slab is written. item_nr: nothing of the batch is sent.
 */
static uint32_t
last_with_content(const struct collect_batch *batch)
{
	uint32_t last = batch->item_nr;

	for (uint32_t i = batch->item_nr; i-- > 0;) {
		if (!is_for_lane(&batch->items[i]))
			continue;
		if (batch->items[i].file.bytes > 0)
			return i;
		if (last == batch->item_nr)
			last = i;
	}
	return last;
}

static void
emit_batch(struct worker *worker, const struct collect_batch *batch,
	   uint32_t lane, uint32_t slab_idx)
{
	uint8_t kind = worker->run->job.takes_all ? DESC_EMIT : DESC_SCAN;
	uint32_t last = last_with_content(batch);

	if (worker->run->job.outlines)
		kind |= DESC_OUTLINE;
	for (uint32_t i = 0; i < batch->item_nr; i++) {
		const struct collect_item *item = &batch->items[i];
		struct desc whole = {
			.kind = DESC_WHOLE,
			.flags = (uint8_t)(kind | DESC_LAST |
					   (i == last ? DESC_RELEASE : 0)),
			.file_idx = item->file_idx,
			.slab_idx = slab_idx,
			.slab_off = item->slab_off,
			.bytes = (uint32_t)(item->surveyed == 0
						    ? item->file.bytes
						    : item->terms.bytes),
			.surveyed = item->surveyed,
			.file_off = item->terms.off,
		};

		if (item->reason != REASON_NONE) {
			collect_emit_passed(worker, item);
		} else if (is_for_lane(item)) {
			collect_emit_content_turn(worker, item, lane);
			worker_emit(worker, EDGE_CONTENT, lane, &whole);
		} else {
			collect_emit_surveyed(worker, item);
		}
	}
	if (last != batch->item_nr)
		collect_use_slab(worker, slab_idx);
}

/* Whether what comes next is read by itself, part by part. */
static bool
is_large_next(const struct worker *worker)
{
	const struct collect_scratch *scratch = worker->scratch;
	const struct collect_item *item =
		collect_queue_first(&scratch->files.queue);

	return item != NULL && item->reason == REASON_NONE &&
	       collect_is_read(item) &&
	       (item->file.bytes > worker->run->job.whole_bytes ||
		scratch->batch.alone_file == item->file_idx + 1ull);
}

/* The walk gives no more: again without rules, the history, or the end. */
static int
end_tree(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_files *files = collect_files_of(worker);
	struct collect_place *place = &state->place;

	place->counts = files->walk->counts;
	if (place->file_nr == 0 && !place->rules_off &&
	    collect_ignores_all(files->may_ignore_all, files->walk,
				&place->counts)) {
		place->rules_off = 1;
		place->walk_over = 0;
		collect_walk_rewind(files->walk, true);
		diag_log(DIAG_WARN,
			 "the ignore rules leave nothing of what was named, "
			 "outside of a git work tree: packing as with "
			 "--no-ignore");
		return STEP_DONE;
	}
	if (worker->run->job.reads_git && !state->history_known)
		return collect_step_history(worker);
	/* once: this is the last step until what it has written is flushed */
	if (!files->reported_git)
		collect_warn_of_git(files->walk, files->roots);
	files->reported_git = true;
	return STEP_END;
}

/* The next batch, read; 0 or -errno. */
static int
read_batch(struct worker *worker, uint32_t slab_idx)
{
	struct collect_scratch *scratch = worker->scratch;
	struct collect_files *files = &scratch->files;
	struct collect_batch *batch = &scratch->batch;
	/* acquire: set by the supervisor before this process was forked */
	bool retry = load_acquire(&worker->shm->retry);
	int error = files->is_rev ? collect_begin_rev(worker) : 0;

	collect_batch_begin(batch, retry ? 1 : batch->most);
	batch->room = worker->run->job.whole_bytes;
	batch->slab = slab_at(&worker->run->segment.slabs, slab_idx);
	if (error == 0)
		error = collect_find_place(files);
	if (error == 0 && !files->place->walk_over)
		error = collect_batch_fill(batch, files);
	if (error == 0)
		collect_batch_read(batch, files);
	return error;
}

int
collect_step_tree(struct worker *worker)
{
	struct collect_scratch *scratch = worker->scratch;
	struct collect_files *files = &scratch->files;
	const struct collect_batch *batch = &scratch->batch;
	uint32_t slab_idx;
	uint32_t lane;
	int error;

	if (worker_room(worker, EDGE_ORDER, 0) < COLLECT_TURN_ROOM)
		return STEP_AGAIN;
	if (files->at_place && is_large_next(worker))
		return collect_begin_large(worker);
	lane = collect_pick_lane(worker, COLLECT_BATCH_MAX, &slab_idx);
	if (lane == LANES_MAX)
		return STEP_AGAIN;
	error = read_batch(worker, slab_idx);
	if (error != 0)
		return error;
	if (batch->item_nr == 0 && collect_queue_first(&files->queue) == NULL)
		return end_tree(worker);
	/* what is taken again may be the first: with the next batch */
	if (batch->item_nr == 0)
		return is_large_next(worker) ? collect_begin_large(worker)
					     : STEP_DONE;
	emit_batch(worker, batch, lane, slab_idx);
	collect_pass_item(files, &batch->items[batch->item_nr - 1],
			  batch->item_nr);
	return STEP_DONE;
}
