/* SPDX-License-Identifier: MIT */
/*
 * child_process.h - a child process that ends with its parent.
 *
 * Does: forks; a signal that ends the parent ends its helpers first, and waits
 *       for them; the death of the parent, however it dies, ends them, too.
 * Does not: say what a helper is for: sandbox.h, broker.h.
 * Runs in: commands, also those that are shut in: it takes no more than to
 *          close a descriptor.
 * Limits: the hook of base/signals.h is taken while there are helpers.
 */
#ifndef BASE_CHILD_PROCESS_H
#define BASE_CHILD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct helper {
	pid_t pid;
	int pidfd;
	int alarm; /* when it is closed, the helper gets a signal */
	struct helper *next;
};

/*
 * shape:  as fork(2): 0 in the child, which handles no signals
 * units:  has_names: the child is ended by a signal that it can handle, so that
 *         it removes its unfinished files
 * owner:  helper_wait(); *helper must not move until then
 * errors: -errno: there is no child
 */
pid_t
helper_fork(struct helper *helper, bool has_names);

/* Waits until the helper ends: 0 and *status as of waitpid(2), or -errno. */
int
helper_wait(struct helper *helper, int *status);

/* Zeros that children share, for munmap(2); NULL: no memory. Who does not touch
 * them takes none. */
void *
helper_memory(size_t bytes);

/*
 * shape:  no core dumps, since the arena holds other people's sources
 * errors: -errno of setrlimit(2)
 * calls:  each worker, at once after the fork
 * source: ours. A core limit of one byte is refused by the kernel both for a
 *         file and for a pipe to a crash reporter, which a limit of zero is
 *         not. The worker stays dumpable in the sense of PR_SET_DUMPABLE: a
 *         process that is not can be measured (smaps_rollup) by root alone.
 *         Nothing is done in debug builds.
 */
int
child_process_no_core(void);

#endif
