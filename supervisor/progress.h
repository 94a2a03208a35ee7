/* SPDX-License-Identifier: MIT */
/*
 * progress.h - the progress of the run, on one line of stderr.
 *
 * Does: fits numbers into the width of the line; draws it, at most ten times a
 *       second, and removes it again.
 * Does not: count anything; know where the numbers come from.
 * Runs in: the supervisor.
 *
 * On a terminal the line is drawn over itself and the cursor is left at its
 * start, so that a log line overwrites it. Elsewhere (--progress always into a
 * file) it is a line of its own once a second. A pipe gets numbers instead of
 * a line, ten times a second; what it has no room for is not waited for.
 */
#ifndef SUPERVISOR_PROGRESS_H
#define SUPERVISOR_PROGRESS_H

#include "supervisor/options.h"

#define PROGRESS_COLUMNS_MAX 160 /* a wider terminal gets no longer line */

/* Current numbers; rates and the remaining time follow from them. */
struct progress {
	uint64_t files_seen;
	uint64_t files_done;
	bool files_total_known; /* files_seen will not grow any more */
	uint64_t bytes;
	uint64_t tokens;
	uint64_t elapsed_ns;
};

/*
 * shape:  the line, without a newline; parts that do not fit are left away,
 *         the least important first
 * units:  columns of plain ASCII; at most that many bytes and a NUL are
 *         written, and never more than `size`; the length is returned
 * calls:  progress_update(), tests
 */
size_t
progress_render(char *out, size_t size, const struct progress *progress,
		unsigned columns);

/* What a program that runs bale gets of it; as written to a pipe. */
struct progress_numbers {
	uint64_t files_done;
	uint64_t files_total; /* 0: not known yet */
};

struct progress_bar {
	int fd;         /* -1: say nothing */
	int numbers_fd; /* a pipe for progress_numbers; 0: none */
	bool is_terminal;
	bool is_drawn;
	uint64_t next_ns; /* of elapsed_ns: not before */
};

/*
 * shape:  a bar that draws on fd as the mode wants, or says nothing
 * owner:  the caller; fd stays his
 */
void
progress_open(struct progress_bar *bar, enum progress_mode mode, int fd);

/* Whether the bar draws anything: no need to count if not. */
bool
progress_is_on(const struct progress_bar *bar);

/* Draws, if the last time is long enough ago. Errors of writing are ignored. */
void
progress_update(struct progress_bar *bar, const struct progress *progress);

/* Removes the line; before anything else is written to the terminal. */
void
progress_clear(struct progress_bar *bar);

#endif
