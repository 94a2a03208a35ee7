/* SPDX-License-Identifier: MIT */
/*
 * dedup_list.h - chunks of a list: duplicates found, overlaps merged.
 *
 * Does: exact duplicates by SHA-256 of the normal form of the content, the
 *       better rank kept; ranges of one file that overlap made one.
 * Does not: read or print.
 */
#ifndef SUPERVISOR_DEDUP_LIST_H
#define SUPERVISOR_DEDUP_LIST_H

#include "shm/base.h"
#include "shm/desc.h"

#define DEDUP_TOKENS_NONE UINT64_MAX

enum dedup_fate {
	DEDUP_KEPT = 0,
	DEDUP_EXACT, /* the same content as `other` */
	DEDUP_MERGED /* part of `other` now, or less good than it */
};

struct dedup_chunk {
	/* by the caller */
	const char *path;
	const char *source;  /* "" for none */
	const char *content; /* NULL: not known */
	size_t content_bytes;
	uint64_t first; /* lines, 1-based, both included */
	uint64_t last;
	double rank;     /* the greater, the better */
	uint64_t tokens; /* DEDUP_TOKENS_NONE: not known */

	/* by dedup_list_run() */
	enum dedup_fate fate;
	uint32_t other; /* index in the list */
	uint64_t merged_first;
	uint64_t merged_last;
	uint32_t merged_nr;     /* others that went into it */
	uint64_t merged_tokens; /* about, by lines; of all of them */
	uint8_t digest[SHA256_BYTES];
};

struct dedup_settings {
	unsigned normalize; /* enum normalize */
	uint32_t threshold; /* millionths */
	bool merge;
};

/*
 * shape:  sorts the list by rank, the best first (then source, path, line),
 *         and finds the fate of each
 * errors: -ENOMEM
 * source: ours; n log n
 */
int
dedup_list_run(struct dedup_chunk *chunks, uint32_t nr,
	       const struct dedup_settings *settings);

#endif
