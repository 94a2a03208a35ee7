/* SPDX-License-Identifier: MIT */
/*
 * conclude.h - what a run came to, and where that goes.
 *
 *   conclude.c  the exit code, and which reports are due; what the run made
 *               goes to where it was asked for: by name, stream or parts
 *   sidecars.c  what is written about the run besides its output goes to its
 *               places, too: --report, --metrics (OpenMetrics
 *               text, metrics.def), --write-secrets-baseline, --audit-log; and the report for `bale
 *               report`, in $XDG_STATE_HOME/bale or ~/.local/state/bale, for
 *               the user alone: it names files and has none of their content
 *
 * Does: writes sidecars before the output gets its name, and gives them theirs
 *       just before that: an output that is new has all that was asked for
 *       with it, and if one of them cannot be had, all is as it was before.
 *       The audit log has a JSON line for the run, one for each range or file
 *       that was selected or excluded, and one for the end; each has the
 *       correlation id of the run. Names are escaped: they cannot add lines.
 * Runs in: the supervisor.
 * Limits: pipes and devices are written to at once. Should the very last step
 *         of one fail, rename(2), those before it are there, in the order of
 *         the above and the output last; the metrics say so.
 */
#ifndef REPORT_CONCLUDE_H
#define REPORT_CONCLUDE_H

#include "base/replace_file.h"
#include "report/report.h"
#include "supervisor/options.h"
#include "supervisor/supervisor.h"

/*
 * shape:  judges a finished run, writes its output and its reports: the exit
 *         code
 */
int
supervisor_conclude(struct supervisor *supervisor);

/* ---- sidecars.c ---- */

/* Lines that are to be appended. */
struct audit {
	const char *path;    /* the caller's */
	int fd;              /* of the log, locked; -1: not open */
	int lines_fd;        /* a nameless file with the lines; -1: none */
	bool is_made;        /* the log was not there before */
	int64_t size_before; /* of the log, once they are appended; -1 */
};

enum sidecar {
	SIDECAR_REPORT = 0,
	SIDECAR_METRICS,
	SIDECAR_BASELINE,
	SIDECAR_AUDIT, /* appended to; those before it are replaced */
	SIDECAR_NR
};

struct sidecars {
	const struct report *report;
	const char *paths[SIDECAR_NR]; /* NULL: it is not asked for */
	struct replacement files[SIDECAR_AUDIT];
	struct audit audit;
	bool are_there; /* they have their names */
};

/* Whether each could be written: 0 or an exit code. calls: at the start */
int
sidecars_check(const struct options *options);

/*
 * shape:  all of them, but not in their places: 0 or an exit code, said
 * owner:  sidecars_close(), in any case
 */
int
sidecars_write(struct sidecars *sidecars, const struct options *options,
	       const struct report *report, int exit_code);

/*
 * shape:  all but the last step, and the lines of the log: 0 or an exit code,
 *         logged, except for a waiting signal
 * calls:  with the signals blocked until sidecars_close()
 */
int
sidecars_ready(struct sidecars *sidecars);

/*
 * shape:  moves them to their places: 0 or an exit code, logged
 * calls:  when only the same remains to be done for the output
 */
int
sidecars_commit(struct sidecars *sidecars);

/* failed: the exit code of an output that could not be written; 0: it was. */
void
sidecars_close(struct sidecars *sidecars, int failed);

/* Logs the decisions, if the log level wants them. */
void
audit_log(const struct report *report);

/*
 * shape:  where the report of the last run in a directory is, or will be;
 *         NULL: of all runs. Two directories may share one.
 * errors: -ENOENT: neither XDG_STATE_HOME nor HOME is an absolute path;
 *         -ENAMETOOLONG
 */
int
last_report_path(char *out, size_t size, const char *directory);

/*
 * shape:  keeps the report in place of the one before, and as that of its
 *         directory
 * errors: -errno, and the one before stays; a run does not fail for it
 * calls:  the supervisor, when the run is over
 */
int
last_report_keep(const struct report *report);

#endif
