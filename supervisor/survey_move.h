/* SPDX-License-Identifier: MIT */
/*
 * survey_move.h - surveys to other machines, and from them.
 *
 * Does: writes a kept survey into a file; takes over such a file as the survey
 *       of a tree.
 * Does not: believe what it takes over about a file that has not been read: it
 *           is marked SURVEY_IMPORTED.
 * Runs in: bale cache.
 */
#ifndef SUPERVISOR_SURVEY_MOVE_H
#define SUPERVISOR_SURVEY_MOVE_H

#include "base/array.h"
#include "supervisor/survey_dir.h"

/* The survey that was used last of these roots, of this program; NULL: none. */
const struct survey_file *
survey_find_of_roots(const struct survey_dir *dir,
		     const struct text_list *roots);

/*
 * shape:  writes a survey into a file, atomically
 * errors: -errno; -EINVAL: the survey is damaged
 */
int
survey_export(const struct survey_dir *dir, const struct survey_file *file,
	      const char *path);

/*
 * shape:  takes over an open file as the survey of these roots, in a directory,
 *         without the entries that say what cannot be; *files: how many are left
 * errors: -errno; -EINVAL: it is none, or damaged; -EPROTO: of another build;
 *         -EDOM: of another number of roots
 */
int
survey_import(int fd, const struct text_list *roots, const char *directory,
	      uint64_t *files);

/* The roots of a label. */
size_t
survey_count_roots(const char *label, size_t bytes);

#endif
