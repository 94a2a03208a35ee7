/* SPDX-License-Identifier: MIT */
/*
 * count_entry.h - tokens and fingerprints for runs of chunks.
 *
 * Does: in scan, counts each chunk and takes its fingerprint, says which slab
 *       goes back; in emit, makes spans, so that format can count the whole
 *       output exactly without looking at all of it again.
 * Does not: know how tokens are counted (tokenizer/).
 * Invariants:
 * 1. The digest of a file is that of its bytes where everything is packed, and
 *    that of its normal form, wherever it is cut, where chunks are chosen.
 */
#ifndef COUNT_COUNT_ENTRY_H
#define COUNT_COUNT_ENTRY_H

#include "stages/count/count.h"
#include "stages/count/count_normal.h"
#include "stages/job.h"

#define COUNT_OUT_MAX 2 /* of an entry */

struct count_state {
	uint32_t file_idx;     /* of `file`; valid if file_open */
	uint32_t dead_file;    /* index + 1 of a file that is passed over */
	uint32_t file_open;    /* 1: `file` has been begun */
	uint32_t chunk_open;   /* 1: the chunk in work has had runs */
	uint32_t outline_open; /* 1: signatures have been seen, and go on */
	uint32_t pad;
	uint64_t outline_tokens;
	struct count_digest file;
	struct sha256 text; /* of `file` as it is, for its hash */
	struct sha256 signatures;
	struct count_digest chunk;
	struct markup_flow flow;    /* within a chunk, where it is escaped */
	struct token_stream stream; /* last: matters within a chunk only */
};

/* Everything for counting an entry. Owner: the worker, except its outputs. */
struct counting {
	const struct job *job;
	const struct tokenizer *tokenizer;
	struct tokenizer_cache *token_cache; /* NULL: none */
	const struct slabs *slabs;
	struct count_cache *cache;
	struct count_state *state;
	uint32_t estimated_from; /* file_is_estimated() */
	/* of the last entry */
	struct desc out[COUNT_OUT_MAX]; /* for dedup, in this order */
	uint32_t out_nr;
	uint32_t slab_back; /* for collect; SLAB_NONE */
	uint64_t tokens;    /* that were counted */
};

/* Whether an entry has content, or ends it: not a slab alone, terms or
 * names. */
static inline bool
count_can_leave_out(const struct desc *in)
{
	return in->kind != DESC_SLAB && in->kind != DESC_TERMS &&
	       in->kind != DESC_NAMES && in->kind != DESC_WORDS;
}

/* Whether the file of an entry is the current one. */
static inline bool
count_is_of_file(const struct desc *in)
{
	return count_can_leave_out(in) ||
	       (in->kind == DESC_SLAB && (in->flags & DESC_LAST));
}

/* Processes an entry; its outputs are in *counting. */
void
count_entry(struct counting *counting, const struct desc *in);

/* The same of an entry that ended its worker, and from now on of its file. */
void
count_leave_out(struct counting *counting, const struct desc *in);

/* The count, saturated at 32 bits. */
uint32_t
count_u32(uint64_t tokens);

/*
 * shape:  tokens of a whole chunk as it is written: what is escaped is counted
 *         so, and known by what it becomes, which may hang on its line
 */
uint32_t
count_written(struct counting *counting, const struct desc *in,
	      const uint8_t *text, const uint8_t *digest);

/* Goes on with a chunk that has several runs, as it is written. */
void
count_feed_written(struct counting *counting, const uint8_t *text,
		   size_t bytes);

/*
 * shape:  finds the middle of the written form of out->bytes of text, which can
 *         be joined with others, and its tokens
 */
void
count_set_span(struct counting *counting, struct desc *out,
	       const uint8_t *text);

#endif
