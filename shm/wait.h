/* SPDX-License-Identifier: MIT */
/*
 * wait.h - lets a worker sleep until a peer has done something for it.
 *
 * Does: the semaphore; a short spin before it is the caller's.
 * Does not: know the reason of the wait; the caller checks again after a wake.
 *
 * Invariants:
 * 1. Every sleep is bounded (R6): a lost wake-up costs at most WAIT_BOUND_NS.
 * 2. Only one sleeper: the worker that owns the block.
 */
#ifndef SHM_WAIT_H
#define SHM_WAIT_H

#include "shm/layout.h"

#define WAIT_BOUND_NS 100000000 /* 100 ms: what a lost wake-up may cost */

/*
 * shape:  makes the semaphore, empty
 * errors: -errno of sem_init(3)
 * calls:  the supervisor, before the first fork and before a replacement
 */
int
wait_init(struct wait_shm *wait);

/*
 * shape:  announces a sleep; the caller then checks once more for work, and
 *         calls wait_sleep() or wait_cancel()
 * order:  sequentially consistent read-modify-write, so that either the
 *         caller sees what a peer published or the peer sees `sleeping`;
 *         partner: wait_wake()
 */
void
wait_prepare(struct wait_shm *wait);

/* Withdraws the announcement. */
void
wait_cancel(struct wait_shm *wait);

/*
 * shape:  sleeps until woken or bound_ns have passed
 * calls:  the owner, after wait_prepare()
 */
void
wait_sleep(struct wait_shm *wait, uint64_t bound_ns);

/*
 * shape:  wakes the owner if it sleeps; cheap if it does not
 * calls:  any peer, after it published
 */
void
wait_wake(struct wait_shm *wait);

#endif
