/* SPDX-License-Identifier: MIT */
/*
 * cmd_window_verbs.h - the actions of `bale window`.
 */
#ifndef CLI_CMD_WINDOW_VERBS_H
#define CLI_CMD_WINDOW_VERBS_H

#include "cli/command_line.h"
#include "window/window.h"

/* One run of the command. */
struct window_run {
	const struct command_line *line;
	struct window_build_options build;
	struct window_options options;
	struct window_file *file;
	struct window *window;
	struct window_event *events; /* free() */
	size_t event_nr;
	size_t event_room;
	struct window_event compacted; /* the last one; items 0: none */
	bool is_changed;               /* the file has to be written */
	bool is_timed;                 /* or may be, with nothing but times */
	char *output; /* for stdout, once that is done: free() */
	size_t output_bytes;
};

/*
 * shape:  does it, in memory; what is to be printed is left in run->output
 * errors: an exit code, and an error is logged; EXIT_DEGRADED: done in part
 */
int
window_verb(struct window_run *run);

#endif
