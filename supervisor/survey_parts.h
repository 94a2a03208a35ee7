/* SPDX-License-Identifier: MIT */
/*
 * survey_parts.h - the surveys that shards of a tree have made, as one.
 *
 * Does: merges them into a nameless file that a run uses as it uses a survey
 *       that was kept; says which are missing, and how many files were looked
 *       at in spite of them.
 * Does not: believe a part about a file that has not been read, unless the user
 *           says that the shards saw the very same files: the merged survey is
 *           marked SURVEY_IMPORTED, or else SURVEY_SHARED.
 * Runs in: the supervisor; parts are parsed by a process that can open nothing
 *          but them.
 */
#ifndef SUPERVISOR_SURVEY_PARTS_H
#define SUPERVISOR_SURVEY_PARTS_H

#include "stages/run.h"

/* How parts are used. */
struct survey_parts_use {
	bool needs_all;  /* none may be missing or damaged; else that is a
			  * warning */
	bool same_files; /* as the user says */
};

/*
 * shape:  opens what the parts in a directory, or one of them, say as the survey
 *         of the run: 0 or an exit code, said
 * errors: EXIT_USAGE: none can be used, or one is of other settings or of
 *         another build; EXIT_DEGRADED: one is missing or damaged, and
 *         must not be; EXIT_RESOURCES
 * calls:  once the catalogue is made
 */
int
survey_use_parts(struct run *run, const char *path,
		 const struct survey_parts_use *use);

/*
 * shape:  the files of the run that a survey could have had, and that were cut
 *         and counted all the same
 * calls:  when all workers are gone
 */
uint64_t
survey_new_files(const struct run *run);

#endif
