/* SPDX-License-Identifier: MIT */
/*
 * wait.h - how a worker sleeps until a peer has done something for it.
 *
 * Does: a short spin is the caller's; this is the semaphore behind it.
 * Does not: know what is waited for; the caller looks again after each wake.
 *
 * Invariants:
 * 1. Every sleep is bounded (R6): a lost wake-up costs WAIT_BOUND_NS at most.
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
 * shape:  says "I am about to sleep"; the caller then looks once more for
 *         work, and calls wait_sleep() or wait_cancel()
 * order:  sequentially consistent read-modify-write, so that either the
 *         caller sees what a peer published or the peer sees `sleeping`;
 *         partner: wait_wake()
 */
void
wait_prepare(struct wait_shm *wait);

/* Not sleeping after all. */
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
