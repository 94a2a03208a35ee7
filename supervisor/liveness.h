/* SPDX-License-Identifier: MIT */
/*
 * liveness.h - whether a worker makes progress or is stuck.
 *
 * Does: counts, from one heartbeat of a worker to the next, the time that the
 *       worker could have used:
 *
 *         it computes, or waits for a processor   its processor time
 *         it sleeps, and was given pages          its processor time: it waits
 *                                                 for its tables, page by page
 *         it sleeps for one thing, or is stopped  the time of the watch
 *
 * Does not: kill, or read the clock.
 *
 * Invariants:
 * 1. A worker that is runnable and gets no processor is not stuck, however
 *    long the machine keeps it waiting, short of LIVENESS_PATIENCE.
 */
#ifndef SUPERVISOR_LIVENESS_H
#define SUPERVISOR_LIVENESS_H

#include "supervisor/process.h"

#define LIVENESS_PATIENCE 60 /* limits after which any worker is stuck */

struct liveness {
	uint64_t heartbeat;     /* when last looked at */
	uint64_t silent_ns;     /* of the watch's time, since it last grew */
	uint64_t used_ns;       /* the part that the worker could have used */
	struct process_use use; /* when last asked for */
	bool is_known;          /* `use` is */
};

/* Starts the count for a new incarnation of a worker. */
void
liveness_begin(struct liveness *liveness, uint64_t heartbeat);

/*
 * shape:  checks a worker, elapsed_ns of the watch after the last check
 * units:  elapsed_ns: the time that the watch meant to wait: if the machine
 *         made it wait longer, it made the worker wait, too
 */
void
liveness_look(struct liveness *liveness, uint64_t heartbeat,
	      uint64_t elapsed_ns, pid_t pid);

/* The same, with the kernel's figures; NULL: not asked for. */
void
liveness_count(struct liveness *liveness, uint64_t elapsed_ns,
	       const struct process_use *use);

/* Whether there was no sign of life for longer than that. */
bool
liveness_is_stuck(const struct liveness *liveness, uint64_t limit_ns);

#endif
