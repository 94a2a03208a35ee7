/* SPDX-License-Identifier: MIT */
/*
 * commit_tasks.h - past commits as tasks: the message says what is to be done,
 * and what the commit changed has to be found in the tree before it.
 *
 * Does: a struct without pointers, for memory that processes share; who does
 *       not fill it takes little.
 * Does not: rank anything.
 * Invariants:
 * 1. A task has one file at least, and each of its files one range.
 * Limits: COMMIT_TASKS_MAX tasks of COMMIT_FILES_MAX files each, with
 *         COMMIT_RANGES_MAX ranges and COMMIT_TEXT_BYTES of texts in all.
 */
#ifndef CATALOGUE_COMMIT_TASKS_H
#define CATALOGUE_COMMIT_TASKS_H

#include "base/base.h"

#define COMMIT_TASKS_MAX 1000u
#define COMMIT_FILES_MAX 6u
#define COMMIT_RANGES_MAX (1u << 18)
#define COMMIT_TEXT_BYTES (16u << 20)
#define COMMIT_MESSAGE_BYTES 4096u
#define COMMIT_OBJECT_BYTES 20
#define COMMIT_WHY_BYTES 512

/* Why a commit is no task. */
enum commit_reason {
	COMMIT_MERGE = 0,
	COMMIT_NO_PARENT, /* the first one, or what a shallow clone has */
	COMMIT_NO_CODE,   /* it changes no file of code that was there */
	COMMIT_MANY_FILES,
	COMMIT_SHORT, /* its message says next to nothing */
	COMMIT_LOST,  /* what it changed cannot be read, or kept */
	COMMIT_REASON_NR
};

/* Lines of the file before the commit. */
struct commit_range {
	uint32_t first;
	uint32_t last;
};

struct commit_file {
	uint32_t path_off; /* in the text; below the root, with a NUL */
	uint32_t range_first;
	uint32_t range_nr;
	uint32_t line_nr; /* of its ranges */
};

struct commit_task {
	uint8_t commit[COMMIT_OBJECT_BYTES];
	uint8_t parent[COMMIT_OBJECT_BYTES];
	uint32_t message_off; /* with a NUL; it never begins with '@' */
	uint32_t file_nr;
	struct commit_file files[COMMIT_FILES_MAX];
};

struct commit_tasks {
	uint32_t wanted_nr;
	uint32_t nr;
	uint32_t left_out[COMMIT_REASON_NR];
	char why[COMMIT_WHY_BYTES]; /* there are none: a sentence, or "" */
	uint32_t range_nr;
	uint32_t text_bytes;
	struct commit_task tasks[COMMIT_TASKS_MAX];
	struct commit_range ranges[COMMIT_RANGES_MAX];
	char text[COMMIT_TEXT_BYTES];
};

#endif
