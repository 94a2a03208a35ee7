/* SPDX-License-Identifier: MIT */
/*
 * liveness.c - the time that a worker could have used; rules: liveness.h.
 */
#include "supervisor/liveness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/clock.h"
#include "shm/wait.h"

#define STAT_BYTES 1024

/* proc_pid_stat(5) */
enum {
	STATE_FIELD = 3,
	MINFLT_FIELD = 10,
	MAJFLT_FIELD = 12,
	UTIME_FIELD = 14,
	STIME_FIELD = 15
};

/* Idle workers beat whenever a sleep of theirs ends: they are not asked. */
#define ASK_AFTER_NS (2ull * WAIT_BOUND_NS)

/* Field `nr` of proc_pid_stat(5), of the text behind the name; 0: none. */
static uint64_t
field(const char *rest, int nr)
{
	for (int i = STATE_FIELD; i < nr && rest != NULL; i++)
		rest = strchr(rest + 1, ' ');
	return rest == NULL ? 0 : strtoull(rest, NULL, 10);
}

bool
process_use(pid_t pid, struct process_use *use)
{
	uint64_t tick_ns = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	char path[64];
	char text[STAT_BYTES];
	const char *rest;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got <= 0)
		return false;
	text[got] = '\0';
	/* a name may have blanks and brackets; nothing behind it has */
	rest = strrchr(text, ')');
	if (rest == NULL || rest[1] != ' ')
		return false;
	rest++;
	use->state = rest[1];
	use->faults = field(rest, MINFLT_FIELD) + field(rest, MAJFLT_FIELD);
	use->cpu_ns =
		(field(rest, UTIME_FIELD) + field(rest, STIME_FIELD)) * tick_ns;
	return true;
}

bool
process_is_in_kernel(pid_t pid)
{
	struct process_use use;

	return process_use(pid, &use) && (use.state == 'S' || use.state == 'D');
}

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
