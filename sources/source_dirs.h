/* SPDX-License-Identifier: MIT */
/*
 * source_dirs.h - the directories that a log says its tools are at work in.
 *
 * Does: follows what make, ninja, go test, cargo, npm and pytest say of it,
 *       line by line, and frames of a Java stack.
 * Does not: look at the file system: a place may be below any of them, or none.
 * Invariants:
 * 1. Directories are pieces of the log; each line is looked at a bounded number
 *    of times.
 */
#ifndef SOURCES_SOURCE_DIRS_H
#define SOURCES_SOURCE_DIRS_H

#include "sources/source_parse.h"

#define SOURCE_CRATES_MAX 64 /* that cargo says it compiles, the last ones */

#define SOURCE_PACKAGE_BYTES 256

struct source_dirs {
	const char *stop;
	/* make and ninja, the innermost one last */
	struct source_dir entered[SOURCE_DIRS_MAX];
	size_t entered_nr;
	size_t entered_over; /* entered, and no room for them */
	/* go test: the line that ends the output of a package */
	const char *package_line; /* NULL: none was looked for */
	struct source_dir packages[SOURCE_DIRS_MAX];
	size_t package_nr;
	/* cargo: what is compiled where, and where what runs comes from */
	struct source_dir crates[SOURCE_CRATES_MAX];     /* their names */
	struct source_dir crate_dirs[SOURCE_CRATES_MAX]; /* and directories */
	size_t crate_nr;
	struct source_dir crate; /* bytes 0: not known */
	struct source_dir npm;   /* the same */
	struct source_dir pytest;
	/* a frame of Java: the package of its class, as a directory */
	char package[SOURCE_PACKAGE_BYTES];
	struct source_dir package_dir;
	struct source_dir all[SOURCE_DIRS_MAX + 3]; /* of the last place */
};

/* units: stop: the end of the log */
void
source_dirs_init(struct source_dirs *dirs, const char *stop);

/* calls: at the beginning of each line, in their order */
void
source_dirs_line(struct source_dirs *dirs, const char *line);

/*
 * shape:  gives a place of the line in work the directories that it may be
 *         below, the most likely last
 * units:  text: the beginning of the log
 * owner:  they are valid until the next call
 */
void
source_dirs_set(struct source_dirs *dirs, struct source_place *place,
		const char *text);

#endif
