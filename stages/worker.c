/* SPDX-License-Identifier: MIT */
/*
 * worker.c - the loop that all workers share; protocol: worker.h.
 */
#include "stages/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "markup/markup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/fault.h"
#include "shm/wait.h"

#define SPINS 16 /* looks before a sleep: about what one costs */
/* Of a ring, what is taken before its writer is woken: with the rest free, no
 * step lacks room (test_stage_table.c). */
#define WAKE_PARTS 4

static int
attach_port(struct worker *worker, enum edge_id edge, uint32_t lane,
	    bool is_input)
{
	const struct run *run = worker->run;
	uint32_t idx = edge_ring_idx(edge, lane, run->lane_nr);
	struct ring_shm *shm = segment_ring(&run->segment, idx);
	struct port *port = &worker->ports[worker->port_nr];
	int error = ring_attach(&port->ring, shm);

	if (error != 0)
		return error;
	port->peer = segment_wait(&run->segment,
				  is_input ? shm->producer : shm->consumer);
	port->lane = lane;
	port->is_input = is_input;
	port->is_stream = edge_table[edge].is_stream;
	/* a producer wants to hear when a good part of the ring is free */
	port->wake_after =
		is_input
			? (uint32_t)max_u64(1, port->ring.entry_nr / WAKE_PARTS)
			: edge_table[edge].wake_after;
	port->wake_bytes = is_input || edge_table[edge].wake_bytes == 0
				   ? UINT64_MAX
				   : edge_table[edge].wake_bytes;
	/* one end is this worker: it stands still */
	ASSERT(ring_valid(&port->ring));
	worker->port_of[edge][lane] = (uint8_t)++worker->port_nr;
	return 0;
}

static int
attach_ports(struct worker *worker)
{
	for (int e = 0; e < EDGE_NR; e++) {
		enum edge_id edge = (enum edge_id)e;
		uint32_t nr = edge_ring_nr(edge, worker->run->lane_nr);
		bool ours = stage_table[worker->stage].per_lane;

		if (edge_table[e].from != worker->stage &&
		    edge_table[e].to != worker->stage)
			continue;
		for (uint32_t lane = 0; lane < nr; lane++) {
			int error;

			if (ours && lane != worker->lane)
				continue;
			error = attach_port(worker, edge, lane,
					    edge_table[e].to == worker->stage);
			if (error != 0)
				return error;
		}
	}
	return 0;
}

static struct port *
port_at(struct worker *worker, enum edge_id edge, uint32_t lane)
{
	ASSERT(lane < LANES_MAX && worker->port_of[edge][lane] != 0);
	return &worker->ports[worker->port_of[edge][lane] - 1];
}

/* Step 4: whatever of it has been done already is not done again. */
static void
publish(struct worker *worker, const struct step_shm *step)
{
	uint64_t left[PORTS_MAX] = { 0 };

	for (uint32_t i = 0; i < step->emit_nr; i++)
		left[step->emit_port[i]]++;
	for (uint32_t i = 0; i < step->emit_nr; i++) {
		uint8_t port = step->emit_port[i];
		uint64_t pos = step->pos[port] - left[port]--;

		ring_push_at(&worker->ports[port].ring, pos, &step->emit[i]);
		FAULT("publish");
	}
	for (uint32_t i = 0; i < worker->port_nr; i++) {
		struct port *port = &worker->ports[i];

		if (port->is_input)
			ring_pop_to(&port->ring, step->pos[i]);
		else if (port->is_stream && step->closed > 0)
			ring_close(&port->ring, step->closed);
	}
}

/* Whether a block that a dead one left can be one of this worker's steps. */
static bool
step_fits(const struct worker *worker, const struct step_shm *step)
{
	if (step->step != worker->committed || step->emit_nr > EMITS_MAX ||
	    step->state_bytes > stage_table[worker->stage].ops->state_bytes)
		return false;
	/* before the first step the block is all zero */
	if (worker->committed != 0 && step->port_nr != worker->port_nr)
		return false;
	for (uint32_t i = 0; i < step->emit_nr; i++)
		if (step->emit_port[i] >= worker->port_nr ||
		    worker->ports[step->emit_port[i]].is_input)
			return false;
	return true;
}

/* Passes that were over before there was need of this worker. */
static uint64_t
passes_without(const struct worker_shm *shm)
{
	/* acquire: set by the supervisor before this process was forked */
	return max_u64(load_acquire(&shm->first_pass), PASS_FIRST) - PASS_FIRST;
}

int
worker_attach(struct worker *worker, const struct run *run, enum stage_id stage,
	      uint32_t lane, void *state)
{
	const struct stage_ops *ops = stage_table[stage].ops;
	const struct step_shm *step;
	int error;

	memset(worker, 0, offsetof(struct worker, emit_port));
	worker->run = run;
	worker->catalogue = run->catalogue;
	worker->stage = stage;
	worker->lane = lane;
	worker->growth = markup_is_identity(&run->job.markup) ? DESC_GROWTH_NONE
							      : DESC_GROWTH_MAX;
	worker->idx = stage_worker_idx(stage, lane, run->lane_nr);
	worker->shm = segment_worker(&run->segment, worker->idx);
	worker->wait = segment_wait(&run->segment, worker->idx);
	error = attach_ports(worker);
	if (error != 0)
		return error;
	/* acquire: pairs with the release in worker_commit() of a dead one */
	worker->committed = load_acquire(&worker->shm->committed);
	step = &worker->shm->steps[worker->committed & 1];
	ASSERT(step_fits(worker, step));
	worker->state = state;
	memset(state, 0, ops->state_bytes);
	memcpy(state, step->state, step->state_bytes);
	worker->state_bytes = (uint32_t)ops->state_bytes;
	worker->closed = max_u64(step->closed, passes_without(worker->shm));
	worker->pass = worker->closed + 1;
	for (uint32_t i = 0; i < worker->port_nr; i++) {
		worker->ports[i].pos = step->pos[i];
		worker->ports[i].committed_pos = step->pos[i];
	}
	publish(worker, step);
	return 0;
}

/*
 * Wakes the peers of ports where enough has moved; with `all` also who reads
 * what was given here, however little. Who writes what was taken here is not
 * woken for little: it may sleep for want of entries of its own, and if it is
 * for want of room, what is in the ring comes to enough when it is taken.
 */
static void
wake_peers(struct worker *worker, bool all)
{
	for (uint32_t i = 0; i < worker->port_nr; i++) {
		struct port *port = &worker->ports[i];

		if (port->pending_wakes == 0 ||
		    (port->pending_wakes < port->wake_after &&
		     port->pending_bytes < port->wake_bytes &&
		     (!all || port->is_input)))
			continue;
		port->pending_wakes = 0;
		port->pending_bytes = 0;
		wait_wake(port->peer);
	}
}

static void
write_step(struct worker *worker, struct step_shm *step)
{
	step->step = worker->committed + 1;
	step->port_nr = worker->port_nr;
	step->emit_nr = worker->emit_nr;
	step->state_bytes = worker->state_bytes;
	step->closed = worker->pass - 1;
	for (uint32_t i = 0; i < worker->port_nr; i++)
		step->pos[i] = worker->ports[i].pos;
	memcpy(step->emit_port, worker->emit_port, worker->emit_nr);
	memcpy(step->emit, worker->emit, worker->emit_nr * sizeof(struct desc));
	memcpy(step->state, worker->state, worker->state_bytes);
}

void
worker_commit(struct worker *worker)
{
	uint64_t next = worker->committed + 1;
	struct step_shm *step = &worker->shm->steps[next & 1];

	FAULT("before_commit");
	write_step(worker, step);
	FAULT("step_written");
	/* release: the step is whole before it is the one that counts */
	store_release(&worker->shm->committed, next);
	FAULT("committed");
	publish(worker, step);
	FAULT("published");
	worker->committed = next;
	for (uint32_t i = 0; i < worker->port_nr; i++) {
		struct port *port = &worker->ports[i];
		uint64_t moved = port->pos - port->committed_pos;

		port->committed_pos = port->pos;
		port->pending_wakes += (uint32_t)moved;
		if (moved != 0)
			stat_add(worker->shm,
				 port->is_input ? STAT_items : STAT_emitted,
				 moved);
	}
	worker->emit_nr = 0;
	if (step->closed != worker->closed) {
		/* the end of a pass is news to all who read from us */
		worker->closed = step->closed;
		for (uint32_t i = 0; i < worker->port_nr; i++)
			worker->ports[i].pending_wakes +=
				!worker->ports[i].is_input;
		wake_peers(worker, true);
	}
	wake_peers(worker, false);
}

bool
worker_peek(struct worker *worker, enum edge_id edge, uint32_t lane,
	    struct desc *desc)
{
	struct port *port = port_at(worker, edge, lane);

	if (!ring_peek(&port->ring, port->pos - port->committed_pos, desc))
		return false;
	ASSERT(desc_valid(desc, worker->run->segment.slabs.nr, SLAB_BYTES,
			  worker->growth));
	return true;
}

void
worker_take(struct worker *worker, enum edge_id edge, uint32_t lane)
{
	port_at(worker, edge, lane)->pos++;
}

uint32_t
worker_lane_room(struct worker *worker, enum edge_id edge, uint32_t lane)
{
	struct port *port = port_at(worker, edge, lane);
	uint64_t pending = port->pos - port->committed_pos;
	uint64_t room = ring_room(&port->ring);

	ASSERT(pending <= room);
	return (uint32_t)(room - pending);
}

uint32_t
worker_room(struct worker *worker, enum edge_id edge, uint32_t lane)
{
	return (uint32_t)min_u64(worker_lane_room(worker, edge, lane),
				 EMITS_MAX - worker->emit_nr);
}

void
worker_emit(struct worker *worker, enum edge_id edge, uint32_t lane,
	    const struct desc *desc)
{
	struct port *port = port_at(worker, edge, lane);

	ASSERT(worker->emit_nr < EMITS_MAX);
	worker->emit_port[worker->emit_nr] =
		(uint8_t)(worker->port_of[edge][lane] - 1);
	worker->emit[worker->emit_nr++] = *desc;
	port->pending_bytes += desc->bytes;
	port->pos++;
}

/*
 * Whether the lane of an input has workers; in a worker that belongs to a lane
 * its own has. The first lane has ended the pass by then, as its input is looked
 * at before, and collect ends no pass before it knows which lanes have workers.
 */
static bool
is_live(const struct worker *worker, const struct port *port)
{
	return stage_table[worker->stage].per_lane || port->lane == 0 ||
	       port->lane < worker_lane_nr(worker);
}

bool
worker_drained(struct worker *worker)
{
	for (uint32_t i = 0; i < worker->port_nr; i++) {
		struct port *port = &worker->ports[i];

		if (!port->is_input || !port->is_stream ||
		    !is_live(worker, port))
			continue;
		/* closed first, then empty: ring.h says why */
		if (!ring_is_closed(&port->ring, worker->pass) ||
		    ring_tail(&port->ring) != port->pos)
			return false;
	}
	return true;
}

void
worker_wake_stage(const struct worker *worker, enum stage_id stage)
{
	uint32_t lane_nr = worker->run->lane_nr;
	uint32_t nr = stage_table[stage].per_lane ? lane_nr : 1;

	for (uint32_t lane = 0; lane < nr; lane++)
		wait_wake(segment_wait(&worker->run->segment,
				       stage_worker_idx(stage, lane, lane_nr)));
}

void
worker_position(struct worker *worker, uint32_t file_idx)
{
	/* relaxed: read by the supervisor after this process is dead */
	store_relaxed(&worker->shm->position,
		      file_idx == FILE_NONE ? 0 : file_idx + 1ull);
}

void
worker_set_walk_position(struct worker *worker, uint32_t file_idx,
			 uint32_t dir_nr)
{
	/* relaxed: as in worker_position() */
	store_relaxed(&worker->shm->position,
		      (uint64_t)dir_nr << 32 | (file_idx + 1u));
}

void
worker_beat(struct worker *worker)
{
	/* relaxed: a sign of life, nothing else */
	add_relaxed(&worker->shm->heartbeat, 1);
}

/* A number that changes when there may be something to do. */
static uint64_t
observe(const struct worker *worker)
{
	const struct control_shm *control = worker->run->segment.control;
	/* acquire: what was published with these words is seen with them */
	uint64_t sum = load_acquire(&control->cancel) +
		       load_acquire(&control->done) +
		       load_acquire(&control->pass) +
		       load_acquire(&control->verdict_pass) +
		       load_acquire(&control->lanes_live) +
		       load_acquire(&control->lanes_settled) +
		       load_acquire(&control->pumped_bytes);

	for (uint32_t i = 0; i < worker->port_nr; i++) {
		const struct port *port = &worker->ports[i];

		if (port->is_input)
			sum += ring_tail(&port->ring) +
			       load_acquire(&port->ring.shm->closed);
		else
			sum += ring_head(&port->ring);
	}
	return sum;
}

static void
wait_for_change(struct worker *worker, uint64_t seen)
{
	uint64_t begun;

	wake_peers(worker, true);
	for (int i = 0; i < SPINS; i++) {
		if (observe(worker) != seen)
			return;
		__builtin_ia32_pause();
	}
	begun = clock_now_ns();
	/* relaxed: these words are for the supervisor's watch only */
	store_relaxed(&worker->shm->waiting, 1);
	wait_prepare(worker->wait);
	if (observe(worker) != seen)
		wait_cancel(worker->wait);
	else
		wait_sleep(worker->wait, WAIT_BOUND_NS);
	store_relaxed(&worker->shm->waiting, 0);
	add_relaxed(&worker->shm->wait_ns, clock_now_ns() - begun);
	stat_add(worker->shm, STAT_sleeps, 1);
}

/* One turn of the loop: a step_result or -errno. */
static int
turn(struct worker *worker, const struct stage_ops *ops)
{
	/* acquire: set by the supervisor before this process was forked */
	uint64_t skip = load_acquire(&worker->shm->skip_step);
	int result;

	FAULT("turn");
	if (skip == worker->committed + 1)
		result = ops->poison(worker);
	else
		result = ops->step(worker);
	if (result == STEP_END) {
		result = ops->flush(worker);
		if (result != STEP_DONE)
			return result;
		worker->pass++;
	}
	if (result == STEP_DONE)
		worker_commit(worker);
	return result;
}

/* Whether something was done that would have to be done later. */
static bool
work_ahead(struct worker *worker, const struct stage_ops *ops)
{
	if (ops->idle == NULL)
		return false;
	/* others wait for what was done so far */
	wake_peers(worker, true);
	return ops->idle(worker);
}

static bool
is_over(const struct worker *worker)
{
	const struct control_shm *control = worker->run->segment.control;

	/* acquire: what led to the end is seen with it */
	return load_acquire(&control->done) || load_acquire(&control->cancel);
}

static int
loop(struct worker *worker, const struct stage_ops *ops)
{
	while (!is_over(worker)) {
		uint64_t seen = observe(worker);
		int result;

		worker_beat(worker);
		result = turn(worker, ops);
		if (result < 0)
			return result;
		if (result != STEP_DONE && !work_ahead(worker, ops))
			wait_for_change(worker, seen);
	}
	wake_peers(worker, true);
	return 0;
}

void
worker_say_no_room(int error)
{
	diag_log(DIAG_ERROR, "%s%s", diag_errno(error),
		 error == -ENOSPC
			 ? ": what is known of the files is kept in $TMPDIR or "
			   "/tmp; set TMPDIR to where there is room"
			 : "");
}

static int
exit_code(const struct worker *worker, int error)
{
	if (error == 0)
		return WORKER_EXIT_DONE;
	if (worker->stage == STAGE_FORMAT && error != -ENOMEM &&
	    error != -ENOBUFS) {
		/* the supervisor knows what the output is called; relaxed:
		 * read when this process is dead */
		store_relaxed(&worker->run->segment.control->write_error,
			      -error);
		return WORKER_EXIT_OUTPUT;
	}
	/* what is wrong with the settings the stage has said itself */
	if (error == -EINVAL)
		return WORKER_EXIT_CONFIG;
	/* it goes on without the survey that is damaged */
	if (error == -ESTALE)
		return WORKER_EXIT_SURVEY;
	/* and what there is no room for */
	if (error == -ENOBUFS)
		return WORKER_EXIT_RESOURCE;
	worker_say_no_room(error);
	return WORKER_EXIT_RESOURCE;
}

/* What this worker only reads it can no longer write: 0 or -errno. */
static int
protect(const struct worker *worker)
{
	const struct stage *stage = &stage_table[worker->stage];
	const struct segment *segment = &worker->run->segment;
	struct segment_rights rights = {
		.worker_idx = worker->idx,
		.control = stage->control,
		.uses_cache = stage->counts_tokens,
		.reads_slabs = stage->slabs != SLABS_NONE,
	};
	int error;

	if (stage->slabs == SLABS_WRITE)
		rights.slab_end = segment->slabs.nr;
	else if (stage->slabs == SLABS_WRITE_LANE)
		slabs_of_lane(&segment->slabs, worker->lane,
			      worker->run->lane_nr, &rights.slab_first,
			      &rights.slab_end);
	error = segment_protect(segment, &rights);
	return error != 0
		       ? error
		       : catalogue_protect(&worker->catalogue, stage->tables);
}

int
worker_run(const struct run *run, enum stage_id stage, uint32_t lane)
{
	const struct stage_ops *ops = stage_table[stage].ops;
	static struct worker worker;
	uint64_t begun = clock_now_ns();
	void *state = calloc(1, ops->state_bytes);
	int error;

	ASSERT(ops->state_bytes <= STATE_BYTES_MAX);
	if (state == NULL)
		return WORKER_EXIT_RESOURCE;
	table_end_with(WORKER_EXIT_RESOURCE);
	table_lost_with(WORKER_EXIT_SURVEY);
	table_set_resident(run->table_bytes);
	error = worker_attach(&worker, run, stage, lane, state);
	if (error == 0)
		error = ops->init(&worker);
	if (error == 0)
		error = protect(&worker);
	table_beat(&worker.shm->heartbeat);
	if (error == 0 && run->confine != NULL &&
	    run->confine(run, stage, &worker.reach) != 0)
		return WORKER_EXIT_SANDBOX;
	/* relaxed: for the supervisor's watch only */
	store_relaxed(&worker.shm->ready, 1);
	if (error == 0)
		error = loop(&worker, ops);
	add_relaxed(&worker.shm->busy_ns, clock_now_ns() - begun);
	add_relaxed(&worker.shm->cpu_ns,
		    clock_read_ns(CLOCK_PROCESS_CPUTIME_ID));
	return exit_code(&worker, error);
}
