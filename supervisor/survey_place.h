/* SPDX-License-Identifier: MIT */
/*
 * survey_place.h - which survey belongs to a run, and where it lies.
 *
 * Does: opens what an earlier run of the same settings over the same roots has
 *       kept (catalogue/survey.h), in $XDG_CACHE_HOME/bale or ~/.cache/bale.
 * Does not: fail a run: what cannot be read is left aside.
 * Runs in: the supervisor.
 * Limits: not with --query, sources, --rev, --pin, --force-include, --files-from
 *         or --budget all, nor for tokenizer.json.
 */
#ifndef SUPERVISOR_SURVEY_PLACE_H
#define SUPERVISOR_SURVEY_PLACE_H

#include "base/sha256.h"
#include "stages/run.h"

#define SURVEYS "surveys"    /* the directory of all */
#define SURVEY_NAME_BYTES 32 /* hexadecimal digits */

/*
 * shape:  the digests of all that the facts of files depend on besides their
 *         paths and content: of this program and its settings, and of the roots
 * errors: false: the survey of such a run is not kept
 */
bool
survey_key(const struct run *run, uint8_t key[SURVEY_KEY_BYTES]);

/* The same of what is known of past commits, which depends on the program and the
 * roots alone. */
bool
survey_past_key(const struct run *run, uint8_t key[SURVEY_KEY_BYTES]);

/* The part of a key that is of roots, as absolute_path() writes them. */
void
survey_key_of_roots(const char *const *roots, size_t nr,
		    uint8_t key[SURVEY_KEY_BYTES]);

/* What the survey of a key is called. */
void
survey_name(char out[SURVEY_NAME_BYTES + 1],
	    const uint8_t key[SURVEY_KEY_BYTES]);

/* The digest of this program: another one may find other facts. false: it is not
 * known. */
bool
survey_build(uint8_t out[SHA256_BYTES]);

/*
 * shape:  what a survey is of, for people: the settings that matter most, then
 *         the roots, each ended by a NUL
 * owner:  *out: free(), whatever is returned
 * errors: -ENOMEM
 */
int
survey_label(const struct run *run, char **out, size_t *bytes);

/* The label of what is known of past commits. */
int
survey_past_label(const struct run *run, char **out, size_t *bytes);

/*
 * shape:  where the survey of a key is, or will be
 * errors: -ENOENT: neither XDG_CACHE_HOME nor HOME is an absolute path;
 *         -ENAMETOOLONG
 */
int
survey_path(char *out, size_t size, const uint8_t key[SURVEY_KEY_BYTES]);

/* Opens the survey of an earlier run, if there is one. calls: once the catalogue
 * is made */
void
survey_use(struct run *run);

#endif
