/* SPDX-License-Identifier: MIT */
/*
 * chunk_fit.h - cuts chunks within limits of tokens and lines.
 *
 * Does: counts a prospective chunk, and cuts it shorter or longer until it
 *       fits; cuts by lines or by tokens alone on request.
 * Does not: choose among places (chunk_struct.c).
 * Invariants:
 * 1. No chunk has more than max_tokens unless it is one line; with estimates,
 *    as far as a text has less than half as many again as is estimated.
 * 2. A chunk whose tokens are given has exactly these; with estimates nearly.
 * 3. The same text gives the same chunks, whatever parts it comes in.
 * 4. With keeps_whole, a definition of no more than max_tokens and
 *    CHUNK_WHOLE_BYTES lies in one chunk, with its comments or, if they make it
 *    larger, without them; except a section after a heading that would
 *    otherwise be alone.
 * 5. A chunk that stop_lines cuts off may be too small.
 */
#ifndef CHUNK_CHUNK_FIT_H
#define CHUNK_CHUNK_FIT_H

#include <assert.h>

#include "stages/chunk/chunk_struct.h"
#include "tokenizer/tokenizer.h"

/* Lines are joined up to this size, which can be carried from one slab to
 * the next. */
#define CHUNK_CARRY_BYTES 60000
#define CHUNK_MAX_TOKENS_LIMIT 19000
#define CHUNK_WHOLE_BYTES 48000
#define CHUNK_REACH_BYTES (CHUNK_CARRY_BYTES - CHUNK_SLACK_BYTES - 64)

static_assert(CHUNK_MAX_TOKENS_LIMIT * CHUNK_TOKEN_BYTES < CHUNK_CARRY_BYTES,
	      "the largest chunk can be carried");

struct chunk_fit {
	const struct tokenizer *tokenizer;
	struct tokenizer_cache *cache; /* NULL: none */
	struct chunk_limits limits;    /* where to begin to look */
	uint32_t max_tokens;
	uint32_t min_tokens;
	uint32_t max_lines;  /* cut by lines, this many; 0: by structure */
	bool keeps_whole;    /* definitions of max_tokens at most */
	bool estimates;      /* what is clear of both limits is not counted */
	uint64_t stop_lines; /* no chunk goes on behind so many; 0: it may */
};

/* The size of a chunk. */
struct chunk_size {
	uint32_t tokens; /* 0: not counted */
	bool is_over;    /* a line over the limit */
};

/*
 * shape:  bytes of the next chunk, which is taken; 0: its end cannot be told
 *         without more text, or there is none left
 * owner:  as chunk_cutter_find()
 * errors: none; never 0 while text.at_end and text is left
 * calls:  chunk worker
 */
size_t
chunk_fit_next(const struct chunk_fit *fit, struct chunk_cutter *cutter,
	       const struct lang_text *text, const struct lang_sink *sink,
	       struct chunk_size *size);

#endif
