/* SPDX-License-Identifier: MIT */
/*
 * worker.h - the skeleton that all workers share.
 *
 * Does: attaches the rings of a stage, runs its steps as transactions, sleeps,
 *       beats, closes passes, and resumes where a dead worker stopped.
 * Does not: know what a stage does.
 * Runs in: the worker processes.
 *
 * A step is a transaction with a redo log (struct step_shm):
 *
 *   1. read input entries (they stay in their rings), do the work, collect
 *      outputs and the new state in private memory
 *   2. write inputs' heads, outputs with their positions, and the state to
 *      the step block that is not in use
 *   3. store `committed`                      <- the step happens here
 *   4. push the outputs, pop the inputs
 *
 * Death before 3: nothing has happened; the replacement repeats the step.
 * Death after 3: the replacement repeats 4 from the block; a ring accepts no
 * position twice. So each output takes effect exactly once, whatever the step
 * depended on, and slabs return only after the outputs made from them are safe.
 *
 * Invariants:
 * 1. steps[committed & 1] is always complete.
 * 2. Outputs are pushed only into room that was seen before the commit; room
 *    only grows, as each ring has one producer.
 */
#ifndef STAGES_WORKER_H
#define STAGES_WORKER_H

#include "shm/ring.h"
#include "shm/stats.h"
#include "stages/run.h"
#include "catalogue/plan.h"

struct port {
	struct ring ring;
	struct wait_shm *peer; /* where the peer sleeps */
	uint64_t pos;          /* input: next entry; output: next position */
	uint64_t committed_pos;
	uint32_t pending_wakes; /* entries moved since the peer was woken */
	uint32_t wake_after;
	uint64_t pending_bytes; /* of content that was given, likewise */
	uint64_t wake_bytes;
	uint32_t lane;
	bool is_input;
	bool is_stream;
};

struct worker {
	const struct run *run;
	struct catalogue catalogue; /* this process's view of it */
	uint32_t idx;               /* among all workers */
	struct worker_shm *shm;
	struct wait_shm *wait;
	enum stage_id stage;
	uint32_t lane;
	uint32_t growth; /* of a byte of content, when it is written */
	uint32_t port_nr;
	uint8_t port_of[EDGE_NR][LANES_MAX]; /* 1-based; 0: not ours */
	struct port ports[PORTS_MAX];
	uint64_t committed; /* steps */
	uint64_t pass;      /* the pass being worked on */
	uint64_t closed;    /* the last pass that its outputs are closed for */
	uint32_t emit_nr;
	uint32_t state_bytes; /* of `state` that matter now */
	struct reach reach;   /* filled by a stage's init() */
	void *state;   /* stage_ops.state_bytes, zero at the very start */
	void *scratch; /* made by a stage's init(); lost with the process */
	uint8_t emit_port[EMITS_MAX]; /* of the first emit_nr, as those are */
	struct desc emit[EMITS_MAX];
};

/*
 * shape:  copies the next entry not taken
 * owner:  *desc is range-checked; a bad one is our own bug
 * calls:  step()
 */
bool
worker_peek(struct worker *worker, enum edge_id edge, uint32_t lane,
	    struct desc *desc);

/* Takes the next entry; it is popped when the step is committed. */
void
worker_take(struct worker *worker, enum edge_id edge, uint32_t lane);

/* How many descriptors step() can emit there now, the log's room included. */
uint32_t
worker_room(struct worker *worker, enum edge_id edge, uint32_t lane);

/* Entries free in that ring, whatever the log can hold. */
uint32_t
worker_lane_room(struct worker *worker, enum edge_id edge, uint32_t lane);

/* How many lanes have workers: the first ones. */
uint32_t
worker_lane_nr(const struct worker *worker);

/*
 * shape:  asks for as many lanes again, for this pass and those after it;
 *         nothing, if there will be no more, or they are awaited
 * calls:  collect, which ends no pass while they are awaited
 */
void
worker_ask_for_lanes(const struct worker *worker);

/* Whether it has asked for lanes and is not answered yet. */
bool
worker_awaits_lanes(const struct worker *worker);

/* Emits a descriptor; calling it without room is our own bug. */
void
worker_emit(struct worker *worker, enum edge_id edge, uint32_t lane,
	    const struct desc *desc);

/* Whether all streams into this worker are closed for the pass, and empty. */
bool
worker_drained(struct worker *worker);

/* Whether this pass only counts what is planned. relaxed: written before it was
 * asked for */
static inline bool
worker_only_counts(const struct worker *worker)
{
	return load_relaxed(&worker->run->segment.control->counting_pass) ==
	       worker->pass;
}

/* Wakes all workers of a stage: something in the control block changed. */
void
worker_wake_stage(const struct worker *worker, enum stage_id stage);

/* Sets the current file, for the supervisor; FILE_NONE for none. */
void
worker_position(struct worker *worker, uint32_t file_idx);

/*
 * shape:  the same during a walk to a file, by the number of directories
 *         entered since a place that a replacement finds again
 */
void
worker_set_walk_position(struct worker *worker, uint32_t file_idx,
			 uint32_t dir_nr);

/* Logs that a table cannot grow, and where it would. */
void
worker_say_no_room(int error);

/* A sign of life, for work that takes longer than a step should. */
void
worker_beat(struct worker *worker);

/*
 * shape:  prepares the worker: rings, log, state; pushes what a dead one had
 *         committed
 * errors: -errno
 * calls:  worker_run(), tests
 */
int
worker_attach(struct worker *worker, const struct run *run, enum stage_id stage,
	      uint32_t lane, void *state);

/* Steps 2 to 4 of the protocol. Calls: worker_run(), tests. */
void
worker_commit(struct worker *worker);

#endif
