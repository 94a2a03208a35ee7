/* SPDX-License-Identifier: MIT */
/*
 * survey_write.h - a survey, written into a file (catalogue/survey.h).
 *
 * Does: lays out what it is given, file by file, and writes it atomically.
 * Does not: know where it comes from: a run, or other surveys.
 * Runs in: the supervisor, after the last worker; bale cache.
 */
#ifndef SUPERVISOR_SURVEY_WRITE_H
#define SUPERVISOR_SURVEY_WRITE_H

#include "catalogue/survey.h"

/* A file that is written: its entry, and where what belongs to it lies. */
struct survey_item {
	struct survey_entry entry;
	struct surveyed surveyed;    /* path and names of it */
	const struct survey *survey; /* that has its chunks, or NULL: */
	const struct catalogue *catalogue;
	uint64_t chunk_first;          /* there */
	uint32_t signature_line_first; /* in the catalogue */
};

/*
 * shape:  the next file: its entry is as it will be written, but for the places
 *         of what belongs to it; false: there are no more
 * units:  *at: 0 for the first file, then as it was left
 */
typedef bool
survey_next_fn(const void *context, uint64_t *at, struct survey_item *item);

/* What a survey is made of. Each pass over the files gives the same. */
struct survey_writer {
	struct survey_head head; /* of it build, key and flags */
	const char *label;
	size_t label_bytes;
	survey_next_fn *next;
	const void *context;
	const void *past;    /* memos of past commits (catalogue/past.h), */
	uint64_t past_bytes; /* a multiple of eight */
	/* places behind the files before */
	uint64_t at;
	uint64_t paths_bytes;
	uint64_t chunk_nr;
	uint64_t word_nr;
	uint64_t names_bytes; /* each rounded up to eight */
};

/* The files of one survey or several. */
struct survey_list {
	const struct survey *surveys;
	size_t nr;
};

/* A survey_next_fn: all files of a struct survey_list, one survey after the
 * other. */
bool
survey_next_of_list(const void *context, uint64_t *at,
		    struct survey_item *item);

/*
 * shape:  the sum of an item, with the places in the file that it is given
 * calls:  when it is compared with an entry
 */
uint64_t
survey_item_sum(const struct survey_item *item);

/*
 * shape:  looks through all files: the head, up to its sum
 * errors: -EFBIG: there is more than a survey can have; -ENAMETOOLONG: of its
 *         label
 * calls:  first
 */
int
survey_measure(struct survey_writer *writer);

/*
 * shape:  writes the survey to a descriptor of an empty file; `writer` is a
 *         struct survey_writer
 * errors: -errno
 */
int
survey_write_fd(void *writer, int fd);

/*
 * shape:  replaces a file by the survey
 * errors: -errno: the file that was there stays
 */
int
survey_write(struct survey_writer *writer, const char *path);

#endif
