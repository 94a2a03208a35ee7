/* SPDX-License-Identifier: MIT */
/*
 * cmd_window_log.h - what happened to a window, kept until it is known to be
 *                    so, then told: to the log, and to the file of --events.
 *
 * Runs in: the supervisor, for window.
 */
#ifndef CLI_CMD_WINDOW_LOG_H
#define CLI_CMD_WINDOW_LOG_H

#include "cli/cmd_window_verbs.h"

/* Keeps one; arg: struct window_run. calls: the window */
void
window_log_keep(void *arg, const struct window_event *event);

/* What the window is, before anything happens: a line, --log-level info */
void
window_log_open(const struct window_run *run);

/*
 * shape:  all that happened, a line each, by --log-level; and in --events
 * errors: an exit code, and the error is logged
 * calls:  when the file has been written
 */
int
window_log_emit(struct window_run *run);

/* Lets go of what was not told. */
void
window_log_free(struct window_run *run);

#endif
