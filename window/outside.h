/* SPDX-License-Identifier: MIT */
/*
 * outside.h - who does what a confined process may not.
 */
#ifndef WINDOW_OUTSIDE_H
#define WINDOW_OUTSIDE_H

#include "window/window.h"

struct child_spec;
struct child_result;

/*
 * As the functions of store.h and those of child.h, without their files: a program
 * that enters a sandbox sets here who opens and replaces its file, and runs the
 * user's commands. The other process has both from the user.
 */
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
