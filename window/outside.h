/* SPDX-License-Identifier: MIT */
/*
 * outside.h - what a process that is shut in has another one do.
 *
 * Does: stands between store.h and child.h and the system: a program that
 *       shuts itself in names here who opens and replaces its file, and runs
 *       the user's commands.
 * Does not: do any of it; let the one who is shut in say which file and which
 *           commands: who does it for him has them from the user.
 * Runs in: the program, before it is shut in.
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
