/* SPDX-License-Identifier: MIT */
/*
 * liveness.c - the time that a worker could have used; rules: liveness.h.
 */
#include "supervisor/liveness.h"

#include "shm/wait.h"

/* Idle workers beat whenever a sleep of theirs ends: they are not asked. */
#define ASK_AFTER_NS (2ull * WAIT_BOUND_NS)

void
liveness_begin(struct liveness *liveness, uint64_t heartbeat)
{
	*liveness = (struct liveness){ .heartbeat = heartbeat };
}

/* Whether it sleeps for one thing, or is stopped, since the last look. */
static bool
is_still(const struct process_use *before, const struct process_use *now)
{
	return now->state != 'R' && now->faults == before->faults;
}

void
liveness_count(struct liveness *liveness, uint64_t elapsed_ns,
	       const struct process_use *use)
{
	liveness->silent_ns = add_sat_u64(liveness->silent_ns, elapsed_ns);
	/* what it did before it was asked about is not known: as if it slept */
	if (use != NULL && liveness->is_known && !is_still(&liveness->use, use))
		elapsed_ns = max_u64(use->cpu_ns, liveness->use.cpu_ns) -
			     liveness->use.cpu_ns;
	liveness->used_ns = add_sat_u64(liveness->used_ns, elapsed_ns);
	liveness->is_known = use != NULL;
	if (use != NULL)
		liveness->use = *use;
}

void
liveness_look(struct liveness *liveness, uint64_t heartbeat,
	      uint64_t elapsed_ns, pid_t pid)
{
	struct process_use use;
	bool known;

	if (heartbeat != liveness->heartbeat) {
		liveness_begin(liveness, heartbeat);
		return;
	}
	known = liveness->silent_ns >= ASK_AFTER_NS && process_use(pid, &use);
	liveness_count(liveness, elapsed_ns, known ? &use : NULL);
}

bool
liveness_is_stuck(const struct liveness *liveness, uint64_t limit_ns)
{
	return liveness->used_ns > limit_ns ||
	       liveness->silent_ns / LIVENESS_PATIENCE > limit_ns;
}
