/* SPDX-License-Identifier: MIT */
/*
 * audit.h - a log of what was taken and what was not.
 *
 * Does: adds JSON lines to a file: one for the run, one for each range or
 *       file that was selected or excluded, one for the end; each has the
 *       correlation id of the run. The same decisions to the log, on
 *       --log-level debug.
 * Does not: write content. Names are escaped: they cannot add lines.
 * Runs in: the supervisor.
 */
#ifndef REPORT_AUDIT_H
#define REPORT_AUDIT_H

#include "report/report.h"

/* Lines that are to be appended. */
struct audit {
	const char *path;    /* the caller's */
	int fd;              /* of the log, locked; -1: not open */
	int lines_fd;        /* a nameless file with the lines; -1: none */
	bool is_made;        /* the log was not there before */
	int64_t size_before; /* of the log, once they are appended; -1 */
};

#define AUDIT_NONE \
	((struct audit){ .fd = -1, .lines_fd = -1, .size_before = -1 })

/*
 * shape:  writes the decisions of a run, to be appended to the file at `path`;
 *         waits for others that append to it. What is no regular file gets
 *         them at once.
 * owner:  audit_close(), whatever is returned; `path` lives as long
 * errors: -errno
 * calls:  the supervisor, when the run is over
 */
int
audit_prepare(struct audit *audit, const struct report *report, int exit_code,
	      const char *path);

/*
 * shape:  appends them
 * errors: -errno, the log is as it was; -EINTR: a signal waits
 * calls:  with the signals blocked
 */
int
audit_append(struct audit *audit);

/* What is appended stays; without that audit_close() takes it away again. */
void
audit_keep(struct audit *audit);

/* Closes the log; what was added and not kept is taken away. */
void
audit_close(struct audit *audit);

/* Why nothing could be appended now; 0: it could, as far as can be told. */
int
audit_check(const char *path);

/* The decisions to the log, if it is as talkative as that. */
void
audit_log(const struct report *report);

#endif
