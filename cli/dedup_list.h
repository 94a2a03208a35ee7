/* SPDX-License-Identifier: MIT */
/*
 * dedup_list.h - chunks of a list: duplicates found, overlaps merged.
 *
 * Does: exact duplicates by SHA-256 of the normal form of the content, the
 *       better rank kept; ranges of one file that overlap made one, with
 *       the text of both where it is known.
 * Does not: read or count.
 */
#ifndef CLI_DEDUP_LIST_H
#define CLI_DEDUP_LIST_H

#include <stdio.h>

#include "base/base.h"
#include "catalogue/desc.h"

#define DEDUP_TOKENS_NONE UINT64_MAX

enum dedup_fate {
	DEDUP_KEPT = 0,
	DEDUP_EXACT, /* the same content as `other` */
	DEDUP_MERGED /* merged into `other`, or worse than it */
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
	uint32_t place;  /* in the list as it was given */

	/* by dedup_list_run(), zeroed before it */
	enum dedup_fate fate;
	uint32_t other; /* index in the list */
	uint64_t merged_first;
	uint64_t merged_last;
	uint32_t merged_nr;     /* chunks merged into it */
	uint64_t merged_tokens; /* about, by lines; of all of them */
	uint64_t before_tokens; /* of it and those that went into it */
	uint64_t merged_until;  /* the last line that these are of, so far */
	char *joined; /* text of all of them; NULL: one of them has none, or of
		       * other lines than it says, or it is not merged */
	size_t joined_bytes;
	uint8_t digest[SHA256_BYTES];
};

struct dedup_settings {
	unsigned normalize; /* enum normalize */
	uint32_t threshold; /* millionths */
	bool merge;
};

/*
 * shape:  sorts the list by rank, the best first (then source: tool results,
 *         open files, search results, references, others by name; then path,
 *         line and place), and finds the fate of each
 * owner:  `joined` of each: free(), whatever is returned
 * errors: -ENOMEM
 * source: ours; n log n
 */
int
dedup_list_run(struct dedup_chunk *chunks, uint32_t nr,
	       const struct dedup_settings *settings);

/* Tokens of a text. */
typedef uint64_t
dedup_count_fn(const void *context, const char *text, size_t bytes);

struct dedup_part {
	size_t bytes;
	uint64_t lines;
	uint64_t tokens;
};

/*
 * shape:  the first part of a text: as many lines as have at most `max`
 *         tokens, but at least one
 */
struct dedup_part
dedup_next_part(const char *text, size_t bytes, uint64_t max,
		dedup_count_fn *count, const void *context);

/* ---- dedup_print.c: what came of it, for people and for programs -------- */

/* What dedup_list_run() made of a list. */
struct dedup_result {
	const struct dedup_chunk *chunks;
	uint32_t nr;
	struct dedup_settings settings;
	uint64_t max_tokens; /* of a merged chunk: more are parted */
	dedup_count_fn *count;
	const void *tokenizer; /* for `count` */
};

/* 0 or -errno, as stdio says; both. */
int
dedup_print_text(const struct dedup_result *result, FILE *out);
int
dedup_print_json(const struct dedup_result *result, int fd);

#endif
