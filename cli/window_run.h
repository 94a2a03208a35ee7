/* SPDX-License-Identifier: MIT */
/*
 * window_run.h - one run of `bale window`, between the files that make it up.
 *
 *   cmd_window.c   locks, acts, writes, tells
 *   window_add.c   what becomes of the content that is to be added
 *   window_restore.c   the same of a snapshot
 */
#ifndef CLI_WINDOW_RUN_H
#define CLI_WINDOW_RUN_H

#include <stdio.h>

#include "cli/command_line.h"
#include "cli/conversation.h"
#include "window/window.h"

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
	struct conversation_secrets secrets;
	bool has_secret; /* that ends the run, with --secrets=fail */
	bool is_changed; /* the file has to be written */
	bool is_timed;   /* or may be, with nothing but times */
	FILE *out;       /* for stdout, once that is done */
	char *output;    /* what it holds: free() */
	size_t output_bytes;
};

/*
 * shape:  all of the input: an exit code, and an error is logged
 * owner:  *text: free()
 */
int
window_run_read(const struct window_run *run, char **text, size_t *bytes);

/* The action add: an exit code, and an error is logged. */
int
window_run_add(struct window_run *run);

/* The action restore, likewise. */
int
window_run_restore(struct window_run *run);

#endif
