/* SPDX-License-Identifier: MIT */
/*
 * past.h - what was found out about past commits, kept for the next run.
 *
 * Does: says how a record of it lies in its table: a memo of what objects of git
 *       say, by the names of these objects, so that it is true of them for ever.
 * Does not: hold texts: hashes of paths, names of objects, numbers of lines.
 *
 *   head | memos that an earlier run has kept | memos that this run has used
 *
 * The first are written by the supervisor before the first fork, the others by
 * collect, which reads both.
 */
#ifndef CATALOGUE_PAST_H
#define CATALOGUE_PAST_H

#include "catalogue/catalogue.h"

#define PAST_KEY_BYTES 20
#define PAST_OBJECT_BYTES 20       /* the name of an object of git */
#define PAST_BYTES_MAX (16u << 20) /* of the memos of a run */

struct past_head {
	uint64_t kept_bytes; /* of the memos that were kept */
	uint64_t used_bytes; /* behind them, of those that were used */
	uint32_t fresh_nr;   /* of these, not among those that were kept */
	uint32_t is_whole;   /* 1: all of the run are there */
};

enum past_kind {
	PAST_CHANGES = 1, /* what a commit changed */
	PAST_TOO_MANY,    /* more than is kept of any */
	PAST_LINES        /* struct history_lines: the lines of a file */
};

/* One of them; what it says follows, rounded up to eight bytes. */
struct past_memo {
	uint8_t key[PAST_KEY_BYTES]; /* past_key() */
	uint32_t kind;
	uint32_t bytes;        /* of what follows */
	uint32_t object_nr;    /* that had to be read for it, */
	uint64_t object_bytes; /* and their bytes: as if they were read again */
};

static_assert(sizeof(struct past_memo) == 40, "no holes");

/* What a commit did to a path. */
enum past_what {
	PAST_CHANGED = 0,
	PAST_MADE, /* it was not there before */
	PAST_GONE  /* it is not there any more */
};

/* A path that a commit changed. */
struct past_change {
	uint64_t path; /* hash64() of it, and of its repository's number */
	uint8_t blob[PAST_OBJECT_BYTES]; /* what it became; if gone, was */
	uint32_t what;                   /* enum past_what */
};

static_assert(sizeof(struct past_change) == 32, "no holes");

/* The whole of a memo. */
static inline uint64_t
past_memo_bytes(const struct past_memo *memo)
{
	return sizeof(*memo) + round_up_u64(memo->bytes, 8);
}

/* The head of the table. */
static inline struct past_head *
catalogue_past(const struct catalogue *catalogue)
{
	return table_at(&catalogue->past, 0, sizeof(struct past_head));
}

#endif
