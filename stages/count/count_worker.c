/* SPDX-License-Identifier: MIT */
/*
 * count_worker.c - entries to be counted, and what became of them.
 *
 * Does: moves descriptors; what becomes of one: count_entry.h.
 * Runs in: count, one worker a lane.
 */
#include "stages/worker.h"

#include <errno.h>

#include "base/fault.h"
#include "stages/count/count_entry.h"
#include "stages/run.h"

/* Within a chunk the whole state matters, else only what comes before. */
static void
set_state_bytes(struct worker *worker)
{
	struct count_state *state = worker->state;

	worker->state_bytes =
		state->chunk_open
			? (uint32_t)sizeof(*state)
			: (uint32_t)offsetof(struct count_state, chunk);
}

static bool
has_room(struct worker *worker)
{
	return worker_room(worker, EDGE_COUNTED, worker->lane) >=
		       COUNT_OUT_MAX &&
	       worker_room(worker, EDGE_COUNT_SLABS, worker->lane) >=
		       COUNT_OUT_MAX;
}

/* What there is to count with. */
static struct counting
counting_of(const struct worker *worker)
{
	return (struct counting){
		.job = &worker->run->job,
		.tokenizer = worker->run->tokenizer,
		.token_cache = worker->run->segment.cache,
		.slabs = &worker->run->segment.slabs,
		.cache = worker->scratch,
		.state = worker->state,
	};
}

static void
emit(struct worker *worker, const struct counting *counting)
{
	const struct desc slab = { .kind = DESC_SLAB,
				   .flags = DESC_RELEASE,
				   .slab_idx = counting->slab_back };

	for (uint32_t i = 0; i < counting->out_nr; i++)
		worker_emit(worker, EDGE_COUNTED, worker->lane,
			    &counting->out[i]);
	if (counting->slab_back != SLAB_NONE)
		worker_emit(worker, EDGE_COUNT_SLABS, worker->lane, &slab);
}

/* The next entry counted, or left out, if there is room for what it becomes. */
static int
take_entry(struct worker *worker, bool is_poison)
{
	struct counting counting = counting_of(worker);
	const struct count_cache before = *counting.cache;
	struct desc in;

	if (!worker_peek(worker, EDGE_CHUNKS, worker->lane, &in))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (!has_room(worker))
		return STEP_AGAIN;
	/* relaxed: written before the entry was */
	counting.estimated_from =
		load_relaxed(&worker->run->segment.control->estimated_from);
	if (is_poison && count_can_leave_out(&in)) {
		count_leave_out(&counting, &in);
	} else {
		if (count_is_of_file(&in)) {
			worker_position(worker, in.file_idx);
			stat_add(worker->shm, STAT_bytes, in.bytes);
		}
		count_entry(&counting, &in);
	}
	emit(worker, &counting);
	stat_add(worker->shm, STAT_tokens, counting.tokens);
	stat_add(worker->shm, STAT_cache_hits,
		 counting.cache->hits - before.hits);
	stat_add(worker->shm, STAT_cache_misses,
		 counting.cache->misses - before.misses);
	stat_add(worker->shm, STAT_cache_evictions,
		 counting.cache->evictions - before.evictions);
	/* what leaves poison out is not to fail again */
	if (!is_poison)
		FAULT("counted");
	worker_take(worker, EDGE_CHUNKS, worker->lane);
	set_state_bytes(worker);
	return STEP_DONE;
}

static int
count_step(struct worker *worker)
{
	return take_entry(worker, false);
}

static int
count_poison(struct worker *worker)
{
	return take_entry(worker, true);
}

/* Of what all count workers keep together, the part of this one. */
static uint32_t
cache_entries(const struct worker *worker)
{
	uint64_t all = worker->run->job.count_cache_entries;
	uint32_t lanes = worker->run->lane_nr;

	return (uint32_t)(all / lanes + (worker->lane < all % lanes));
}

static int
count_init(struct worker *worker)
{
	worker->scratch = count_cache_create(cache_entries(worker));
	return worker->scratch == NULL ? -ENOMEM : 0;
}

static int
count_flush(struct worker *worker)
{
	struct count_state *state = worker->state;

	state->dead_file = 0;
	state->file_open = 0;
	state->chunk_open = 0;
	state->outline_open = 0;
	set_state_bytes(worker);
	return STEP_DONE;
}

const struct stage_ops count_ops = {
	.init = count_init,
	.step = count_step,
	.flush = count_flush,
	.poison = count_poison,
	.state_bytes = sizeof(struct count_state),
};
