/* SPDX-License-Identifier: MIT */
/*
 * stage.h - the definition of a stage, and how it is run.
 *
 * Does: names stages, edges, the callbacks of a stage.
 * Does not: know any one stage; the wiring is stage_table.c.
 */
#ifndef STAGES_STAGE_H
#define STAGES_STAGE_H

#include "shm/segment.h"
#include "catalogue/catalogue.h"

struct run;
struct worker;

enum stage_id {
	STAGE_COLLECT = 0,
	STAGE_CHUNK,
	STAGE_COUNT,
	STAGE_DEDUP,
	STAGE_SELECT,
	STAGE_FORMAT,
	STAGE_NR
};

enum edge_id {
	EDGE_CONTENT = 0,  /* collect to chunk */
	EDGE_CHUNKS,       /* chunk to count */
	EDGE_COUNTED,      /* count to dedup */
	EDGE_ORDER,        /* collect to dedup */
	EDGE_UNIQUE,       /* dedup to select */
	EDGE_SELECTED,     /* select to format */
	EDGE_COUNT_SLABS,  /* count to collect */
	EDGE_FORMAT_SLABS, /* format to collect */
	EDGE_NR
};

/* The result of a step; a negative errno ends the run. */
enum step_result {
	STEP_DONE = 0, /* commit what was taken and emitted, and continue */
	STEP_AGAIN,    /* no input, or no room for output: wait */
	STEP_END       /* the pass is over: flush, close the outputs */
};

/*
 * The callbacks of a stage. They use worker.h alone. `step` may fail only
 * before it takes or emits anything; it never sleeps.
 */
struct stage_ops {
	/* after the fork: process-private things; state is loaded already */
	int (*init)(struct worker *worker);
	/* one entry, or a bounded piece of one */
	int (*step)(struct worker *worker);
	/* once at the end of each pass; 0 or -errno, or STEP_AGAIN */
	int (*flush)(struct worker *worker);
	/* instead of `step` when the entry at the head is poison */
	int (*poison)(struct worker *worker);
	/* in place of a wait, a little that needs no input and changes no state:
	 * whether anything was done; NULL: there is nothing of that kind */
	bool (*idle)(struct worker *worker);
	/* bytes of the state, zero at the very start */
	size_t state_bytes;
};

/* Of each stage, in the folder of its name: STAGE_worker.c. */
extern const struct stage_ops collect_ops, chunk_ops, count_ops, dedup_ops,
	select_ops, format_ops;

/* The access of a stage to content. */
enum slab_use {
	SLABS_NONE = 0,
	SLABS_READ,
	SLABS_WRITE_LANE, /* those of its lane */
	SLABS_WRITE
};

struct stage {
	const char *name;
	const struct stage_ops *ops;
	bool per_lane; /* a worker a lane, else one */
	const char *does;
	/* what it may write in memory that others read; segment_protect() */
	uint32_t tables; /* TABLE_BIT() of each */
	enum control_writer control;
	enum slab_use slabs;
	bool counts_tokens; /* shares the cache for it */
};

struct edge {
	enum stage_id from;
	enum stage_id to;
	uint32_t entry_nr;   /* of each of its rings */
	uint32_t wake_after; /* entries given before the peer is woken, */
	uint32_t wake_bytes; /* or so much content; 0: however much */
	bool is_stream;      /* is closed at the end of a pass */
	const char *carries;
};

extern const struct stage stage_table[STAGE_NR];
extern const struct edge edge_table[EDGE_NR];

/* Exit codes of a worker, for the supervisor. */
enum worker_exit {
	WORKER_EXIT_DONE = 0,
	WORKER_EXIT_CONFIG = 2,   /* do not replace: the run cannot work */
	WORKER_EXIT_OUTPUT = 4,   /* the output cannot be written */
	WORKER_EXIT_RESOURCE = 5, /* memory, disk, descriptors */
	WORKER_EXIT_SANDBOX = 6,  /* could not enter its sandbox */
	WORKER_EXIT_SURVEY = 7,   /* the kept survey is gone, or damaged */
	WORKER_EXIT_ORPHAN = 9    /* the supervisor is gone */
};

#define PASS_FIRST 1 /* the survey, or gather of everything */

/* Index of a worker among all; lane is 0 where a stage has one worker. */
uint32_t
stage_worker_idx(enum stage_id stage, uint32_t lane, uint32_t lane_nr);

/* How many workers all stages have together. */
uint32_t
stage_worker_nr(uint32_t lane_nr);

/* The reverse of stage_worker_idx(). */
void
stage_of_worker(uint32_t worker_idx, uint32_t lane_nr, enum stage_id *stage,
		uint32_t *lane);

/* Rings of an edge: one, or one a lane. */
uint32_t
edge_ring_nr(enum edge_id edge, uint32_t lane_nr);

/* Index of a ring among all. */
uint32_t
edge_ring_idx(enum edge_id edge, uint32_t lane, uint32_t lane_nr);

/*
 * shape:  the plan of an arena for this many lanes, slabs and cache bytes
 * calls:  the supervisor
 */
void
stage_plan_segment(struct segment_plan *plan, uint32_t lane_nr,
		   uint32_t slab_nr, uint64_t cache_bytes);

/*
 * shape:  runs the loop of a worker to its end; the process's exit code
 * calls:  a forked child, through supervisor/spawn.c
 */
int
worker_run(const struct run *run, enum stage_id stage, uint32_t lane);

#endif
