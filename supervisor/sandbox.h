/* SPDX-License-Identifier: MIT */
/*
 * sandbox.h - what a worker can still do once it has begun.
 *
 * Does: takes from a worker, for good, all that its stage has no use for:
 *       new privileges, the file system (Landlock), system calls (seccomp).
 * Does not: decide whether to; --no-sandbox is the supervisor's.
 * Runs in: each worker, after its init() and before the first byte of
 *          anybody's content; sandbox_probe() in the supervisor too.
 *
 *   stage            Landlock                 system calls beyond waiting
 *   collect          read below the roots,    open to read, read, list, stat,
 *                    and its reach            io_uring_enter; grow tables
 *   chunk, count     nothing                  none
 *   dedup, select    nothing                  grow tables
 *   format           nothing                  write, size, sync the output
 *
 * What is known to be a break-in (execve, socket, ptrace, fork, unlink ...)
 * ends the process with SIGSYS; all else that is not allowed fails with EPERM,
 * for libc tries many things. Lists: sandbox.def.
 *
 * Invariants:
 * 1. A layer that this kernel has is put on or the worker does not begin.
 * 2. What a layer cannot see another one must: seccomp does not see what
 *    io_uring opens nor what is in openat2's structure, Landlock does.
 *    Landlock does not see stat(2) or open descriptors, seccomp does.
 *
 * Limits: in builds with a sanitizer or coverage only no_new_privs is put on,
 *         since their reports need most of what is taken here. Without
 *         Landlock (before Linux 5.13, or turned off) the collector can open
 *         what its user can; all others still can open nothing.
 */
#ifndef SUPERVISOR_SANDBOX_H
#define SUPERVISOR_SANDBOX_H

#include "stages/stage.h"

enum sandbox_layer {
	SANDBOX_NO_NEW_PRIVS = 1 << 0,
	SANDBOX_LANDLOCK = 1 << 1,
	SANDBOX_SECCOMP = 1 << 2
};

#define SANDBOX_ALL (SANDBOX_NO_NEW_PRIVS | SANDBOX_LANDLOCK | SANDBOX_SECCOMP)
#define SANDBOX_TEXT_BYTES 128

/*
 * shape:  bits of enum sandbox_layer that can be put on here
 * calls:  the supervisor, to say once what is missing; sandbox_shut_in()
 */
unsigned
sandbox_probe(void);

/*
 * shape:  "no_new_privs landlock seccomp", and what of these is missing
 * owner:  written to `out`, cut to size
 */
const char *
sandbox_describe(char *out, size_t size, unsigned layers);

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
sandbox_worker_limits(void);

/*
 * shape:  shuts the calling worker in, in every layer there is
 * units:  reach: what its stage may read below besides the roots
 * errors: -errno: do not go on
 * calls:  worker_run() as run->shut_in, once
 * order:  after everything the stage opens for itself is open; log lines go
 *         to descriptor 2 from here on
 */
int
sandbox_shut_in(const struct run *run, enum stage_id stage,
		const struct reach *reach);

#endif
