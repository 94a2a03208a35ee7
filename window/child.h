/* SPDX-License-Identifier: MIT */
/*
 * child.h - runs a command of the user's: text in, text out.
 *
 * Does: gives a command line to /bin/sh -c, feeds its stdin, takes its
 *       stdout, within a time and a size; ends it and what it started when
 *       it goes beyond.
 * Does not: build command lines. The only command that is ever run is one
 *       that the user wrote as an option of his own; nothing of a
 *       conversation gets into it but by stdin.
 * Runs in: the program that calls it; may be called by several threads.
 * Invariants:
 *   1. The command has descriptors 0, 1 and 2 and no other.
 *   2. It runs in a process group of its own, and none of that group is left
 *      when child_run() returns.
 *   3. A command that does not read its input is no error and no SIGPIPE.
 *   4. A signal that would end us (SIGINT, SIGTERM, SIGHUP) ends the command
 *      first.
 *   5. A process that is shut in has it done by another one (store.h).
 * Limits: a grandchild that makes a session of its own is not followed.
 */
#ifndef WINDOW_CHILD_H
#define WINDOW_CHILD_H

#include "base/base.h"

struct child_spec {
	const char *command; /* for /bin/sh -c */
	const char *input;
	size_t input_bytes;
	uint64_t time_limit_ms;
	size_t output_max_bytes;
	int cancel_fd; /* its end is that of the command; 0: there is none */
};

enum child_end {
	CHILD_DONE = 0, /* exit code 0 */
	CHILD_EXITED,   /* another exit code: detail */
	CHILD_SIGNALED, /* detail: the signal */
	CHILD_TIMEOUT,
	CHILD_TOO_MUCH, /* more output than asked for */
	CHILD_ENDED,    /* ended because we are to end */
	CHILD_NOT_RUN   /* detail: errno */
};

struct child_result {
	enum child_end end;
	int detail;
	char *output; /* NULL unless CHILD_DONE; NUL behind it */
	size_t output_bytes;
};

/*
 * shape:  runs the command and waits for its end
 * owner:  out->output is the caller's: free()
 * errors: in out->end
 * calls:  any thread; blocks for time_limit_ms at most
 */
void
child_run(const struct child_spec *spec, struct child_result *out);

/*
 * shape:  "ended with exit code 1", "ran longer than 60 s", ...
 * owner:  written to `out`, cut to size
 */
const char *
child_explain(char *out, size_t size, const struct child_spec *spec,
	      const struct child_result *result);

#endif
