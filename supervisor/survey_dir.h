/* SPDX-License-Identifier: MIT */
/*
 * survey_dir.h - the surveys that are kept, all of a user.
 *
 * Does: lists them, checks them, removes those that are unused for longest.
 * Does not: look at files in the directory that have another name than a survey
 *           has.
 * Runs in: the supervisor, after the last worker; bale cache.
 */
#ifndef SUPERVISOR_SURVEY_DIR_H
#define SUPERVISOR_SURVEY_DIR_H

#include <stddef.h>
#include <stdint.h>

#include "catalogue/catalogue.h"
#include "supervisor/survey_place.h"
#include "supervisor/survey_write.h"

enum survey_state {
	SURVEY_WHOLE = 0,
	SURVEY_DAMAGED,    /* or none at all, or not read so far */
	SURVEY_OTHER_BUILD /* of another program: it cannot be used by this */
};

/* A survey as it lies in the directory. */
struct survey_file {
	char name[SURVEY_NAME_BYTES + 1];
	uint64_t bytes; /* of the disk */
	int64_t used_ns;
	enum survey_state state;
	struct survey_head head; /* if it is whole, as far as known */
	char *label;             /* survey_label(); NULL: not known */
	uint64_t damaged_nr;     /* entries; survey_file_check() */
};

struct survey_dir {
	int fd;
	struct survey_file *files; /* the one that was used last is first */
	size_t nr;
};

/* None, for survey_dir_close(). */
#define SURVEY_DIR_NONE ((struct survey_dir){ .fd = -1 })

/*
 * shape:  the directory of all surveys
 * errors: as survey_path()
 */
int
survey_dir_path(char *out, size_t size);

/*
 * shape:  opens a directory and lists what is there, by names alone
 * owner:  survey_dir_close()
 * errors: -ENOENT: there is none; -errno
 */
int
survey_dir_open(struct survey_dir *dir, const char *path);

/* Reads the heads and labels of all: their states. */
void
survey_dir_read(struct survey_dir *dir);

/* owner: SURVEY_DIR_NONE is accepted */
void
survey_dir_close(struct survey_dir *dir);

/*
 * shape:  opens a survey that is whole, as far as known
 * owner:  survey->table: table_close()
 * errors: -errno; -EINVAL: another one is there now
 */
int
survey_file_open(const struct survey_dir *dir, const struct survey_file *file,
		 struct survey *survey);

/*
 * shape:  compares every sum of a survey: its state and damaged_nr
 * errors: -errno: it cannot be read
 */
int
survey_file_check(const struct survey_dir *dir, struct survey_file *file);

/* The settings of a survey, and root i: NULL: there are no more. */
const char *
survey_file_settings(const struct survey_file *file);
const char *
survey_file_root(const struct survey_file *file, size_t i);

/* Whether a root of it is a path as absolute_path() writes it, or lies below. */
bool
survey_file_is_of(const struct survey_file *file, const char *path);

/* Removes those that are unused for longest from a directory, until the rest
 * has no more than so many bytes. */
void
survey_dir_make_room(const char *path, uint64_t limit_bytes);

/*
 * shape:  replaces the survey of its key, if all that is kept may be as large, and
 *         makes room
 * units:  limit_bytes: of all
 * errors: -errno: the one that was there stays; -EFBIG
 */
int
survey_place(struct survey_writer *writer, uint64_t limit_bytes);

#endif
