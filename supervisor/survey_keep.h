/* SPDX-License-Identifier: MIT */
/*
 * survey_keep.h - the survey of a run, kept in a file for the next one.
 *
 * Does: keeps what a run has found out, for the user alone; compares it with
 *       what was kept before, if it is to.
 *
 *   survey_place.h  which one belongs to a run, where it lies, and its use
 *   survey_parts.h  those of shards, merged
 *   survey_dir.h    all that are kept
 *
 * Does not: fail a run: what cannot be read or written is left aside.
 * Runs in: the supervisor, after the last worker.
 */
#ifndef SUPERVISOR_SURVEY_KEEP_H
#define SUPERVISOR_SURVEY_KEEP_H

#include "stages/run.h"

/* Reading a tree of so much text again takes as long as keeping what is known of
 * it. */
#define SURVEY_WORTH_BYTES (64u << 10)

/* How a survey is kept. */
struct survey_keeping {
	int64_t begun_ns; /* since 1970, before the first file was looked at */
	uint64_t limit_bytes; /* of all that are kept */
	uint64_t least_bytes; /* of less text a survey is not worth it */
	bool verifies; /* nothing that was kept is used: it is compared with
			* what was found out, and written anew */
};

/*
 * shape:  keeps the survey, if enough of it is new
 * errors: -errno: the one that was there stays; -EFBIG: it is larger than all
 *         may be
 * calls:  when all workers are gone and the run has succeeded
 */
int
survey_keep(const struct run *run, const struct survey_keeping *how);

/* The survey of a shard. */
struct survey_part {
	const char *path;
	int64_t begun_ns; /* as of a survey that is kept */
	uint64_t files;   /* of how many it is: survey_write_part() */
};

/*
 * shape:  writes the survey of a shard into a file, atomically
 * errors: -errno: the file that was there stays
 * calls:  as survey_keep()
 */
int
survey_write_part(const struct run *run, struct survey_part *part);

#endif
