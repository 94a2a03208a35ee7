/* SPDX-License-Identifier: MIT */
/*
 * report_names.h - the names of a file, by their lines.
 *
 * Does: finds what a range of a file defines, has left to do and calls,
 *       without going through all names of the file for each of its ranges.
 * Does not: keep names of more than one file.
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_REPORT_NAMES_H
#define SUPERVISOR_REPORT_NAMES_H

#include "shm/catalogue.h"

#define REPORT_NAMES_MAX (NAMES_FILE_BYTES / sizeof(struct name_entry))

/* Entries lie in the catalogue one behind the other, in the order in which
 * they were told: their addresses tell which came first. */
struct report_names {
	uint32_t file_idx; /* FILE_NONE: of no file yet */
	uint32_t import_nr;
	uint32_t line_nr; /* entries that have a line: in by_line, ordered */
	uint32_t found_nr;
	const struct name_entry *imports[REPORT_NAMES_MAX];
	const struct name_entry *by_line[REPORT_NAMES_MAX];
	const struct name_entry *found[REPORT_NAMES_MAX];
};

/* owner: the caller's memory, some 50 KB */
void
report_names_init(struct report_names *names);

/*
 * shape:  found[] are the names of these lines of a file, in the order in
 *         which they were told; imports[] those of the whole file
 * units:  line_first and line_last are 1-based
 * calls:  for the ranges of a file one after the other: what is known of a
 *         file is made once
 */
void
report_names_find(struct report_names *names, const struct catalogue *catalogue,
		  uint32_t file_idx, const uint64_t lines[2]);

#endif
