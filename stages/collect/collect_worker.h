/* SPDX-License-Identifier: MIT */
/*
 * collect_worker.h - what the three ways of collect to fill slabs share.
 *
 *   collect_worker.c        passes
 *   collect_history_worker.c  what past commits say of the files
 *   collect_init_worker.c   the walk and the reader, made once a process
 *   collect_slab_worker.c   slabs and lanes
 *   collect_tree_worker.c   the survey: batches of files that fit a slab
 *   collect_large_worker.c  one file that does not, part by part
 *   collect_terms_worker.c  the same, if the kept survey has it
 *   collect_plan_worker.c   what the plan names, file by file
 *   collect_ranges_worker.c ranges of one file, a slab at a time
 *   collect_list_worker.c   their names alone, before a run
 */
#ifndef COLLECT_COLLECT_WORKER_H
#define COLLECT_COLLECT_WORKER_H

#include "stages/collect/collect_io_past.h"
#include "stages/collect/collect_io_record.h"
#include "stages/worker.h"
#include "stages/run.h"

#define COLLECT_SLABS_MAX 8192
#define COLLECT_TURN_ROOM (COLLECT_BATCH_MAX + 1)

static_assert(2 * COLLECT_TURN_ROOM <= EMITS_MAX, "a batch fits a step");

struct collect_state {
	struct collect_place place;
	uint64_t plan_next; /* entry of the plan */
	uint64_t turn_next; /* section of it, by rank */
	uint64_t range_off; /* of that entry, read already */
	uint32_t plan_file; /* index + 1 whose turn has been told; 0: none */
	uint32_t plan_lane;
	uint32_t history_known; /* 1: it is in the catalogue, or not */
	uint32_t pad;
	struct collect_large large;
	uint64_t in_flight[COLLECT_SLABS_MAX / 64]; /* a bit a slab */
};

/* What each process makes anew. */
struct collect_scratch {
	struct collect_files files;
	struct collect_batch batch;
	struct history *history; /* NULL: there is none */
	struct past_options past_options;
	struct history_ctx past; /* what was read of it */
	struct collect_read
		reads[COLLECT_BATCH_MAX]; /* of ranges of the plan */
};

/* The files of a worker. */
static inline struct collect_files *
collect_files_of(const struct worker *worker)
{
	return &((struct collect_scratch *)worker->scratch)->files;
}

/* A sign of life, where no worker is known. */
static inline void
collect_beat(void *worker)
{
	worker_beat(worker);
}

/* ---- collect_init_worker.c ---------------------------------------------- */

/* As stage_ops.init. */
int
collect_init(struct worker *worker);

/* ---- collect_list_worker.c: for stage_list_files() --------------- */

/* The options of a run's walk, except outputs and context. */
void
collect_walk_options(const struct run *run, struct collect_options *options);

/* Whether the ignore rules of a run may be off, should they leave nothing. */
bool
collect_may_ignore_all(const struct run *run);

/* Tells fn of each file that a run would find. */
int
collect_list(const struct run *run, source_file_fn *fn, void *context);

/* ---- collect_tasks_worker.c: for stage_list_commits() ------------ */

/* Past commits of the repository of the one root, as tasks. */
int
collect_list_commits(const struct run *run, struct commit_tasks *tasks);

/* ---- collect_slab_worker.c ----------------------------------------------- */

/* A slab of the lane that nobody uses; SLAB_NONE: all are in flight. */
uint32_t
collect_free_slab(struct worker *worker, uint32_t lane);

/* Marks a slab as in flight, from this step on. */
void
collect_use_slab(struct worker *worker, uint32_t slab_idx);

/* Takes back returned slabs: how many. */
uint32_t
collect_take_slabs_back(struct worker *worker);

/*
 * shape:  a lane with room for nr descriptors, the emptiest, and a free slab of
 *         it; LANES_MAX: none
 * units:  slab_idx: NULL: no slab is needed yet
 */
uint32_t
collect_pick_lane(struct worker *worker, uint32_t nr, uint32_t *slab_idx);

/* Says that the next file comes through this lane. */
void
collect_emit_turn(struct worker *worker, uint32_t file_idx, uint32_t lane);

/* The same of a file whose content the survey looks at: adds it up, and tells
 * from which file on tokens are estimated. */
void
collect_emit_content_turn(struct worker *worker,
			  const struct collect_item *item, uint32_t lane);

/* It turns out to be none that is packed: its bytes make nothing estimated. */
void
collect_withdraw_content(struct worker *worker, uint32_t file_idx);

/* The same of a file that the kept survey has: no lane has it. */
void
collect_emit_surveyed(struct worker *worker, const struct collect_item *item);

/* Says that a file is left out, in its turn. */
void
collect_emit_left_out(struct worker *worker, uint32_t file_idx, uint8_t reason);

/* The same of an item of the walk: what another shard has counts as content. */
void
collect_emit_passed(struct worker *worker, const struct collect_item *item);

/* ---- collect_ranges_worker.c --------------------------------------------- */

/* Ranges of one slab in the making. */
struct collect_ranges {
	struct worker *worker;
	uint64_t plan_nr;
	uint32_t file_idx;
	uint32_t slab_idx;
	uint32_t used;
	uint32_t nr;
	struct desc descs[COLLECT_BATCH_MAX];
};

/* The chunk of an entry of the plan, or the part of it that is planned. */
const struct chunk_record *
collect_planned_chunk(const struct collect_ranges *ranges, uint64_t at);

/* Whether an entry of the plan is of the file in work. */
bool
collect_is_of_file(const struct collect_ranges *ranges, uint64_t at);

/* Reads what fits of the file at the plan's cursor, and emits it; an
 * unreadable file is skipped. */
void
collect_gather_ranges(struct collect_ranges *ranges);

/* ---- collect_history_worker.c -------------------------------------------- */

/*
 * shape:  finds the repositories, and makes them readable for a process that
 *         is shut in
 * calls:  init, when the walk is there
 */
int
collect_history_init(struct worker *worker);

/* shape: finds the trees of --rev, if they are not; errors: said already */
int
collect_begin_rev(struct worker *worker);

/* Does without the history from now on. */
void
collect_history_drop(struct worker *worker);

/* As stage_ops.idle: one more commit is read. */
bool
collect_history_ahead(struct worker *worker);

/* As stage_ops.step, when the walk is over. */
int
collect_step_history(struct worker *worker);

/* ---- collect_*_worker.c --------------------------------------------------- */

/* One step each; as stage_ops.step. */
int
collect_step_tree(struct worker *worker);
int
collect_step_large(struct worker *worker);
int
collect_step_terms(struct worker *worker);
int
collect_step_plan(struct worker *worker);

/*
 * shape:  the next part of the large file, to be read into its slab; false:
 *         there is no slab, or no room for its descriptor
 * calls:  before anything of the step is done
 */
bool
collect_begin_part(struct worker *worker, struct desc *desc);

/* Passes a part on that has been read: desc->bytes from desc->file_off. */
void
collect_emit_part(struct worker *worker, const struct desc *desc);

/* The same: the turn of the next file of the walk begins, which is a large one. */
int
collect_begin_large(struct worker *worker);

/* It ends: all of it has been sent. */
void
collect_end_large(struct worker *worker);

/* The same: it cannot be had, or not as it was. What the step returns. */
int
collect_give_up_large(struct worker *worker, uint8_t reason);

#endif
