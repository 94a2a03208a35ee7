/* SPDX-License-Identifier: MIT */
/*
 * wait.c - sleeping on a process-shared semaphore, always with a bound.
 */
#include "shm/wait.h"

#include <errno.h>
#include <time.h>

#include "base/clock.h"

int
wait_init(struct wait_shm *wait)
{
	/* relaxed: nobody else looks at it yet */
	store_relaxed(&wait->sleeping, 0);
	return sem_init(&wait->sem, 1, 0) == 0 ? 0 : -errno;
}

void
wait_prepare(struct wait_shm *wait)
{
	/* seq_cst: ordered before the caller's second look at the rings */
	atomic_exchange_explicit(&wait->sleeping, 1, memory_order_seq_cst);
}

void
wait_cancel(struct wait_shm *wait)
{
	/*
	 * seq_cst, like the other two: a waker that comes too late leaves one
	 * post, which costs a look; none is lost.
	 */
	atomic_exchange_explicit(&wait->sleeping, 0, memory_order_seq_cst);
}

void
wait_sleep(struct wait_shm *wait, uint64_t bound_ns)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += (time_t)(bound_ns / NS_PER_S);
	until.tv_nsec += (long)(bound_ns % NS_PER_S);
	if (until.tv_nsec >= (long)NS_PER_S) {
		until.tv_nsec -= (long)NS_PER_S;
		until.tv_sec++;
	}
	/* a time-out, a signal and a post all mean: look again */
	(void)sem_clockwait(&wait->sem, CLOCK_MONOTONIC, &until);
	wait_cancel(wait);
}

void
wait_wake(struct wait_shm *wait)
{
	/*
	 * The read-modify-write always runs: a plain load in front could be
	 * ordered before the caller's publishing store and miss a sleeper.
	 */
	if (atomic_exchange_explicit(&wait->sleeping, 0,
				     memory_order_seq_cst) == 1)
		sem_post(&wait->sem);
}
