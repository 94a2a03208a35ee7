/* SPDX-License-Identifier: MIT */
/*
 * survey_keep.h - the survey of a run, kept in a file for the next one.
 *
 * Does: opens what an earlier run of the same settings over the same roots has
 *       kept (catalogue/survey.h), and keeps what this one has found out, in
 *       $XDG_CACHE_HOME/bale or ~/.cache/bale, for the user alone.
 *
 *   survey_place.c  which one belongs to a run, and where it lies
 *   survey_keep.c   what of it is kept, and written
 *
 * Does not: fail a run: what cannot be read or written is left aside.
 * Runs in: the supervisor, before the first fork and after the last worker.
 * Limits: not with --query, sources, --rev, --pin, --force-include, --files-from
 *         or --budget all, nor for tokenizer.json; the files of all runs
 *         together take SURVEYS_BYTES, those unused for longest go first.
 */
#ifndef SUPERVISOR_SURVEY_KEEP_H
#define SUPERVISOR_SURVEY_KEEP_H

#include "base/sha256.h"
#include "stages/run.h"

#define SURVEYS_BYTES (1ull << 30) /* of all files of the directory */

/*
 * shape:  the digest of all that the facts of files depend on besides their
 *         paths and content: this program, its settings, the roots
 * errors: false: the survey of such a run is not kept
 */
bool
survey_key(const struct run *run, uint8_t key[SHA256_BYTES]);

/*
 * shape:  where the survey of a key is, or will be
 * errors: -ENOENT: neither XDG_CACHE_HOME nor HOME is an absolute path;
 *         -ENAMETOOLONG
 */
int
survey_path(char *out, size_t size, const uint8_t key[SHA256_BYTES]);

/* Opens the survey of an earlier run, if there is one. calls: once the catalogue
 * is made */
void
survey_use(struct run *run);

/* Removes those that are unused for longest beside a survey, until the rest has
 * room. */
void
survey_make_room(const char *path);

/*
 * shape:  keeps the survey, if enough of it is new
 * units:  begun_ns: nanoseconds since 1970 before the first file was looked at
 * errors: -errno: the one that was there stays
 * calls:  when all workers are gone and the run has succeeded
 */
int
survey_keep(const struct run *run, int64_t begun_ns);

#endif
