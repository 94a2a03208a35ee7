/* SPDX-License-Identifier: MIT */
/*
 * outside.h - redirects work that a confined process may not do to another one.
 *
 * Does: stands between store.h and child.h and the system: a program that
 *       enters a sandbox sets here who opens and replaces its file, and runs
 *       the user's commands.
 * Does not: do any of it; let the confined process choose the file or the
 *           commands: the other process has them from the user.
 * Runs in: the program, before it is confined.
 */
#ifndef WINDOW_OUTSIDE_H
#define WINDOW_OUTSIDE_H

#include "window/window.h"

struct child_spec;
struct child_result;

/* As the functions of store.h and child.h without their files. */
struct outside {
	int (*open)(const char *initial, uint64_t wait_ms,
		    struct window_error *error);
	int (*read)(char **text, size_t *bytes, struct window_error *error);
	int (*replace)(const char *text, size_t bytes,
		       struct window_error *error);
	void (*close)(void);
	void (*run)(const struct child_spec *spec, struct child_result *out);
};

/* NULL: store.h and child.h do it themselves. */
extern const struct outside *outside;

#endif
