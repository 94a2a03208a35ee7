/* SPDX-License-Identifier: MIT */
/*
 * layout.h - everything that lies in the arena, drawn.
 *
 *   offset 0
 *   +--------+---------+-------+---------+-------+-------------+------------+
 *   | header | control | waits | workers | rings | token cache | slabs      |
 *   |        | a page  | a line| a block | one   | shared      | head room  |
 *   |        | a writer| each  | each    | each  |             | and body   |
 *   +--------+---------+-------+---------+-------+-------------+------------+
 *   who may write, once a worker has given up the rest (segment_protect()):
 *     nobody   its page  all     itself   its ends  who counts   collect all,
 *                                                                chunk those
 *                                                                of its lane
 *
 * Does: defines each structure in shared memory, and asserts its size.
 * Does not: access it. Handles: segment.h, ring.h, slab.h, wait.h, stats.h,
 *           diag.h and stages/worker.h.
 *
 * Invariants:
 * 1. Fixed-width types, offsets instead of pointers, explicit padding.
 * 2. Each field and each cache line has one writer process, named beside it.
 *    Different processes write different pages, except for waits.
 * 3. A death may leave any structure half-written: its crash note says what a
 *    reader may then see.
 */
#ifndef SHM_LAYOUT_H
#define SHM_LAYOUT_H

#include <assert.h>
#include <semaphore.h>
#include "shm/atomic.h"

#include "base/base.h"

#define LAYOUT_MAGIC 0x30656c6162 /* "bale0" */
#define LAYOUT_VERSION 1

#define LANES_MAX 64                    /* workers of one stage */
#define WORKERS_MAX (4 + 2 * LANES_MAX) /* of all stages */
#define RINGS_MAX (8 * LANES_MAX)
#define PORTS_MAX (2 * LANES_MAX + 4) /* rings of one worker */
#define EMITS_MAX 1024                /* entries of one step */
#define STATE_BYTES_MAX 20480         /* private state of a stage */

#define LAYOUT_PAGE_BYTES 4096 /* the unit of memory protection */

#define SLAB_HEAD_BYTES (64u << 10)  /* an earlier part of a chunk */
#define SLAB_BODY_BYTES (256u << 10) /* where collect reads files to */
#define SLAB_BYTES (SLAB_HEAD_BYTES + SLAB_BODY_BYTES)

/*
 * The header. Written once by the supervisor before the first fork.
 * Crash note: nobody attaches before it is complete.
 */
struct segment_shm {
	uint64_t magic;
	uint32_t version;
	uint32_t sizes; /* folded from the sizes of all structures */
	uint64_t bytes;
	uint64_t control_off;
	uint64_t waits_off;
	uint64_t workers_off;
	uint64_t cache_off;
	uint64_t slabs_off;
	uint64_t ring_off[RINGS_MAX]; /* from the start of the arena */
	uint32_t worker_nr;
	uint32_t ring_nr;
	uint32_t lane_nr;
	uint32_t slab_nr;
	uint64_t cache_bytes;
};

/* The size of the output of a pass; complete when its pass is stored. */
struct verdict_shm {
	uint64_t tokens;
	uint64_t bytes;        /* of all parts together */
	uint64_t part_nr;      /* number of parts; 0: not split */
	uint64_t line_cost_nr; /* of the last pass that measured */
	uint32_t no_part;      /* file + 1 of which no part can hold a piece */
	uint32_t pad;
};

/*
 * The state of the run that all processes follow. A page a writer.
 * Crash note: each field is one store; a pass is requested only after its plan
 * is complete, a verdict is given only after its fields are.
 */
struct control_shm {
	/* by the supervisor */
	_Atomic uint32_t cancel;        /* not 0: end at once */
	_Atomic uint32_t lanes_live;    /* the first so many have workers */
	_Atomic uint32_t lanes_settled; /* not 0: and no more will have */
	uint32_t pad0;
	_Atomic uint64_t pumped_bytes; /* written to stdout */
	uint8_t pad1[LAYOUT_PAGE_BYTES - 24];

	/* by select */
	_Atomic uint64_t pass; /* the pass that collect is to run */
	_Atomic uint32_t done; /* not 0: the run is over */
	uint32_t pad2;
	_Atomic uint64_t plan_nr;    /* entries of the plan of this pass */
	_Atomic uint64_t section_nr; /* of the plan, if read by rank */
	_Atomic uint64_t rest_nr;    /* entries after it: left out */
	_Atomic int64_t newest_ns;   /* with rest_nr: base of recency */
	/* the pass in which what is planned is only counted; 0: none */
	_Atomic uint64_t counting_pass;
	uint8_t pad3[LAYOUT_PAGE_BYTES - 56];

	/* by format */
	_Atomic uint64_t verdict_pass; /* the pass that the verdict is about */
	struct verdict_shm verdict;
	_Atomic uint64_t written_bytes; /* complete, safe to be pumped */
	_Atomic int32_t write_error;    /* errno of the output */
	uint32_t pad4;
	_Atomic uint64_t poisoned; /* entries that it could not write */
	uint8_t pad5[LAYOUT_PAGE_BYTES - 72];

	/* by collect */
	_Atomic uint64_t files_seen;
	_Atomic uint32_t walk_done;      /* files_seen is final */
	_Atomic uint32_t estimated_from; /* see file_is_estimated() */
	/* skipped without a record; a directory counts as one */
	_Atomic uint64_t ignored_files;
	_Atomic uint64_t ignored_dirs;
	_Atomic uint64_t hidden_dirs;
	_Atomic uint64_t excludes_met;      /* a bit for each pattern that left
					* something out */
	_Atomic uint64_t finding_nr;        /* secrets, in the catalogue, */
	_Atomic uint64_t findings_left_out; /* and more of which it has none */
	_Atomic uint64_t lanes_pass;        /* that needs more lanes, */
	_Atomic uint32_t lanes_wanted;      /* as many as this; 0: never yet */
	uint32_t pad6;
	uint8_t pad7[LAYOUT_PAGE_BYTES - 80];
};

/* The writer of each page, in the order of the pages. */
enum control_writer {
	CONTROL_SUPERVISOR = 0,
	CONTROL_SELECT,
	CONTROL_FORMAT,
	CONTROL_COLLECT,
	CONTROL_NR
};

static_assert(sizeof(struct control_shm) == CONTROL_NR * LAYOUT_PAGE_BYTES &&
		      offsetof(struct control_shm, pass) ==
			      CONTROL_SELECT * LAYOUT_PAGE_BYTES &&
		      offsetof(struct control_shm, verdict_pass) ==
			      CONTROL_FORMAT * LAYOUT_PAGE_BYTES &&
		      offsetof(struct control_shm, files_seen) ==
			      CONTROL_COLLECT * LAYOUT_PAGE_BYTES,
	      "a page a writer");

/* An entry of a ring: one cache line of arbitrary content. */
struct ring_entry {
	uint64_t words[8];
};

static_assert(sizeof(struct ring_entry) == 64, "a cache line");

/*
 * A ring: one producer, one consumer. Positions run free and never wrap in
 * practice; they are only subtracted.
 * Crash note: the tail is stored last, so an entry is in the ring or not. A
 * dead producer leaves the slot past the tail in any state; nobody reads it.
 */
struct ring_shm {
	uint32_t entry_nr; /* set by the supervisor: how many it holds */
	uint32_t slot_nr;  /* set by the supervisor: power of two >= entry_nr */
	uint32_t producer; /* set by the supervisor: index of the worker */
	uint32_t consumer; /* set by the supervisor: index of the worker */
	uint8_t pad0[CACHE_LINE_BYTES - 16];

	_Atomic uint64_t tail;   /* by the producer */
	_Atomic uint64_t closed; /* by the producer: last pass it finished */
	uint8_t pad1[CACHE_LINE_BYTES - 16];

	_Atomic uint64_t head; /* by the consumer */
	uint8_t pad2[CACHE_LINE_BYTES - 8];
	/* slots: struct ring_entry[slot_nr] */
};

static_assert(sizeof(struct ring_shm) == 3 * CACHE_LINE_BYTES,
	      "settings, producer, consumer: a line each");

/*
 * Where a worker sleeps; a peer with work for it writes there as well.
 * Crash note: if a waker dies between taking `sleeping` and posting, the
 * sleeper wakes by its own time-out.
 */
struct wait_shm {
	sem_t sem;
	_Atomic uint32_t sleeping; /* set by the sleeper, taken by a waker */
	uint8_t pad[CACHE_LINE_BYTES - sizeof(sem_t) - 4];
};

static_assert(sizeof(struct wait_shm) == CACHE_LINE_BYTES, "one line");

/*
 * One complete step of a worker: its positions, its outputs, its new state. See
 * stages/worker.c for the protocol. There are two, used alternately, so the one
 * that `committed` names is never being written.
 */
struct step_shm {
	uint64_t step;
	uint32_t port_nr;
	uint32_t emit_nr;
	uint32_t state_bytes;
	uint32_t pad;
	uint64_t closed; /* last pass that all outputs are to be closed for */
	uint64_t pos[PORTS_MAX]; /* heads of inputs, tails of outputs, after */
	uint8_t emit_port[EMITS_MAX];
	struct ring_entry emit[EMITS_MAX];
	uint8_t state[STATE_BYTES_MAX];
};

static_assert(PORTS_MAX <= UINT8_MAX, "a port fits emit_port");

/* A position that belongs to no file: the history of all of them. */
#define POSITION_HISTORY UINT32_MAX

#define STAT_NR_MAX 32
#define PANIC_BYTES 192

/* A worker's block; a line or more for each writer. */
struct worker_shm {
	/* by the worker */
	_Atomic uint64_t heartbeat; /* grows while it lives */
	_Atomic uint64_t committed; /* steps done, the last in steps[n & 1] */
	_Atomic uint64_t position;  /* file in work + 1; 0: none. collect: in
				     * the upper half directories entered */
	_Atomic uint32_t waiting;   /* 1: has nothing to do */
	_Atomic uint32_t ready;     /* 1: sandbox entered, loop begun */
	_Atomic uint64_t busy_ns;
	_Atomic uint64_t wait_ns;
	_Atomic uint64_t cpu_ns; /* processor time, when it has ended */
	uint8_t pad0[2 * CACHE_LINE_BYTES - 56];

	/* by the supervisor */
	_Atomic uint64_t
		skip_step; /* step + 1 whose entry is poison; 0: none */
	_Atomic uint64_t skip_position; /* collect: position that is poison */
	_Atomic uint32_t incarnation;
	_Atomic uint32_t retry; /* 1: the same entry again, one at a time; 2:
				 * and there was no sign of life */
	_Atomic uint64_t first_pass; /* it has no part in those before; 0: in
				      * all */
	uint8_t pad1[CACHE_LINE_BYTES - 32];

	_Atomic uint64_t stats[STAT_NR_MAX]; /* by the worker: stats.def */
	char panic[PANIC_BYTES];             /* by the worker, its last words */
	_Atomic unsigned long fault_hits;    /* by the worker: see fault.h */
	uint8_t pad2[CACHE_LINE_BYTES - sizeof(unsigned long)];
	struct step_shm steps[2]; /* by the worker */
};

static_assert(offsetof(struct worker_shm, stats) % CACHE_LINE_BYTES == 0,
	      "lines kept apart");
static_assert(sizeof(_Atomic uint64_t) == 8, "lock-free words");

/* Folded into the header, so that two layouts never meet in one arena. */
static inline uint32_t
layout_sizes(void)
{
	const uint64_t sizes[] = {
		sizeof(struct segment_shm), sizeof(struct control_shm),
		sizeof(struct ring_shm),    sizeof(struct wait_shm),
		sizeof(struct step_shm),    sizeof(struct worker_shm),
		sizeof(struct ring_entry),  SLAB_BYTES,
	};
	uint64_t fold = LAYOUT_VERSION;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		fold = fold * 1000003 + sizes[i];
	return (uint32_t)(fold ^ (fold >> 32));
}

#endif
