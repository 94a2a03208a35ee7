/* SPDX-License-Identifier: MIT */
/*
 * format_worker.c - what select lets through into the output.
 *
 * Does: takes descriptors, gives slabs back, says what a pass came to.
 * Does not: know what becomes of them: format.h.
 * Runs in: format.
 * Invariants:
 * 1. `written_bytes` is published only for what is committed.
 * 2. So is the verdict: it lets the next plan be made, and a replacement that
 *    still has the end of this pass to do reads the plan of this one.
 */
#include "stages/worker.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fault.h"
#include "base/fd_io.h"
#include "stages/format/format.h"

#define AHEAD_BYTES_MAX (64u << 20) /* of what is written and not yet pumped */

/* A step has its first entry: the plan is that of its pass. */
static struct format *
begin(struct worker *worker)
{
	const struct control_shm *control = worker->run->segment.control;
	struct format *format = worker->scratch;

	format->fd = worker->run->output_fd;
	/* relaxed, both: what the pass needs of it was there before */
	format->plan_nr = load_relaxed(&control->plan_nr);
	format->file_nr = load_relaxed(&control->files_seen);
	format_out_begin(format);
	return format;
}

/* It ends: says what it has come to, besides its output. */
static int
end(struct worker *worker, int error)
{
	const struct format *format = worker->scratch;

	stat_add(worker->shm, STAT_bytes, format->written);
	if (format->no_room != 0)
		worker_say_no_room(format->no_room);
	return error;
}

/* The next entry, if its slab can go back. */
static bool
peek(struct worker *worker, struct desc *in)
{
	return worker_room(worker, EDGE_FORMAT_SLABS, 0) > 0 &&
	       worker_peek(worker, EDGE_SELECTED, 0, in);
}

/* The entry is done with, and its slab goes back. */
static void
take(struct worker *worker, const struct desc *in)
{
	struct desc slab = { .kind = DESC_SLAB,
			     .flags = DESC_RELEASE,
			     .slab_idx = in->slab_idx };

	if (in->flags & DESC_RELEASE)
		worker_emit(worker, EDGE_FORMAT_SLABS, 0, &slab);
	worker_take(worker, EDGE_SELECTED, 0);
}

/* stdout is slower than we are: let the supervisor catch up. */
static bool
is_far_ahead(const struct worker *worker)
{
	const struct format_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;
	/* relaxed: a hint on when to wait; the supervisor wakes us */
	uint64_t pumped = load_relaxed(&control->pumped_bytes);

	return worker->run->output_streams &&
	       state->offset - min_u64(pumped, state->offset) > AHEAD_BYTES_MAX;
}

/* What the pass came to, if that has not been said. */
static void
publish_verdict(struct worker *worker)
{
	const struct format_state *state = worker->state;
	struct control_shm *control = worker->run->segment.control;

	/* relaxed: written by this process, or by the one it replaces */
	if (load_relaxed(&control->verdict_pass) == state->verdict_pass)
		return;
	control->verdict = state->verdict;
	/* release: all about the pass is whole */
	store_release(&control->verdict_pass, state->verdict_pass);
	worker_wake_stage(worker, STAGE_SELECT);
}

/*
 * What the step before came to: it is committed. A replacement says it
 * again, with the same words.
 */
static void
publish_committed(struct worker *worker)
{
	const struct format_state *state = worker->state;

	if (worker->run->output_streams)
		/* release: the bytes are in the file */
		store_release(&worker->run->segment.control->written_bytes,
			      state->offset);
	publish_verdict(worker);
	FAULT("told");
}

static int
format_step(struct worker *worker)
{
	struct desc in;
	int taken = 0;

	publish_committed(worker);
	if (is_far_ahead(worker))
		return STEP_AGAIN;
	while (taken < FORMAT_ENTRIES_PER_STEP && peek(worker, &in)) {
		if (taken == 0)
			begin(worker);
		worker_position(worker, in.file_idx);
		format_take(worker->scratch, &in);
		take(worker, &in);
		taken++;
	}
	if (taken == 0)
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	return end(worker, format_out_end(worker->scratch));
}

/* What cannot be written is left out; its slab goes back all the same. */
static int
format_poison(struct worker *worker)
{
	struct desc in;

	publish_committed(worker);
	if (!peek(worker, &in))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	take(worker, &in);
	/* relaxed: read when all workers are gone */
	add_relaxed(&worker->run->segment.control->poisoned, 1);
	return STEP_DONE;
}

/* The pass is over: the verdict, and a fresh start if there is another. */
static int
format_flush(struct worker *worker)
{
	struct format_state *state = worker->state;

	if (worker->pass == PASS_FIRST && !worker->run->job.takes_all)
		return STEP_DONE;
	if (worker_only_counts(worker)) {
		state->verdict_pass = worker->pass;
		return STEP_DONE;
	}
	return end(worker, format_finish(begin(worker), worker->pass));
}

static int
format_init(struct worker *worker)
{
	const struct run *run = worker->run;
	struct format *format = worker->scratch = calloc(1, sizeof(*format));

	if (format == NULL)
		return -ENOMEM;
	format->job = &run->job;
	format->catalogue = &worker->catalogue;
	format->slabs = &run->segment.slabs;
	format->tokenizer = run->tokenizer;
	format->cache = run->segment.cache;
	format->state = worker->state;
	format->write = format_write_all;
	format->read = fd_pread_all;
	format->reserve = table_reserve;
	format->truncate = format_truncate;
	format->beat = worker_beat;
	format->worker = worker;
	format_out_init(format);
	return 0;
}

const struct stage_ops format_ops = {
	.init = format_init,
	.step = format_step,
	.flush = format_flush,
	.poison = format_poison,
	.state_bytes = sizeof(struct format_state),
};
