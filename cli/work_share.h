/* SPDX-License-Identifier: MIT */
/*
 * work_share.h - numbered items, each worked on by one of several processes.
 *
 * Does: forks helpers; they and the caller take the numbers in their order, and
 *       put down a number for each. The caller reads these in their order.
 * Does not: work on an item a second time: one whose helper was killed has an
 *           error in the place of a result.
 * Runs in: a command, which forks before it is confined; its helpers confine
 *          themselves.
 * Invariants:
 * 1. An item is taken by one process; its result is written once, by that
 *    process, or by the caller when that process has ended.
 * 2. A helper ends with the caller (base/child_process.h).
 */
#ifndef CLI_WORK_SHARE_H
#define CLI_WORK_SHARE_H

#include "base/child_process.h"
#include "shm/atomic.h"
#include "shm/layout.h"

/* A result: killed by signal n while at work on the item is -(4096 + n). */
#define WORK_KILLED 4096

struct work {
	uint64_t item_nr;
	uint32_t helper_nr; /* below LANES_MAX */
	/* in each helper, first: confines it; false: it does not help */
	bool (*begin)(void *context);
	/* the result, at least 0; or -errno */
	int64_t (*item)(void *context, uint64_t idx);
	void *context;
};

struct work_share_shm {
	_Alignas(CACHE_LINE_BYTES) _Atomic uint64_t next; /* to be taken */
	/* the number of the item that each helper took last and one, or 0 */
	_Alignas(CACHE_LINE_BYTES) _Atomic uint64_t taken[LANES_MAX];
	_Atomic int64_t results[]; /* 0: none; or 1 more, or an error */
};

struct work_share {
	struct work work;
	struct work_share_shm *shm;
	struct helper helpers[LANES_MAX];
	uint32_t helper_nr; /* that were forked, and not waited for */
};

/*
 * shape:  forks the helpers, or as many as there can be; they do not return
 * owner:  *share must not move until work_share_end()
 * errors: false: no memory, and there is no share
 */
bool
work_share_begin(struct work_share *share, const struct work *work);

/*
 * shape:  the result of an item; until it is there the caller works on others,
 *         and when there are none left waits for the helpers
 */
int64_t
work_share_result(struct work_share *share, uint64_t idx);

/* Waits for the helpers, which end with the items; accepts what never began. */
void
work_share_end(struct work_share *share);

#endif
