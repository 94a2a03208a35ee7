/* SPDX-License-Identifier: MIT */
/*
 * rounds.h - what one round of an analysis passes to the next, and what all of
 *            them cost.
 *
 * Does: takes modules, findings, relationships and open questions from the JSON
 *       of a round and writes them as a block under a token limit; records the
 *       tokens of each round.
 * Does not: ask a model. The same input gives the same block.
 */
#ifndef WINDOW_ROUNDS_H
#define WINDOW_ROUNDS_H

#include "window/window.h"

#define ROUNDS_FINDINGS_PERCENT 80
#define ROUNDS_WARN_PERCENT 85
#define ROUNDS_BYTES_MAX (64ull << 20)

enum rounds_part {
	ROUNDS_MODULES = 0,
	ROUNDS_FINDINGS,
	ROUNDS_RELATIONSHIPS,
	ROUNDS_QUESTIONS,
	ROUNDS_PART_NR
};

/* How long a block may be. */
struct rounds_limit {
	const char *encoding; /* NULL: o200k_base */
	uint64_t max_tokens;  /* of that encoding */
};

struct rounds_block {
	char *text; /* no newline after the last line */
	size_t text_bytes;
	uint64_t tokens; /* of the text */
	bool estimated;  /* the vocabulary in the program is damaged */
	uint64_t round;  /* 0: not said */
	size_t kept[ROUNDS_PART_NR];
	size_t left_out[ROUNDS_PART_NR];
};

/*
 * shape:  the block of a round: modules first, then findings up to 80 per
 *         cent of the limit, then relationships and open questions
 * owner:  rounds_block_free()
 * errors: -EBADMSG, -ENOENT (encoding), -ENOMEM; a sentence in *error
 */
int
rounds_compress(const char *json, size_t bytes,
		const struct rounds_limit *limit, struct rounds_block *out,
		struct window_error *error);

/*
 * shape:  whether it is a window, messages of a conversation, or the text of an
 *         answer, of which rounds_find() gives the round
 */
bool
rounds_is_conversation(const char *json, size_t bytes);

/*
 * shape:  the JSON of the newest answer of the assistant's that has a round
 * owner:  *out: free()
 * errors: -EBADMSG, also where there is none; -EFBIG, -ENOMEM; a sentence in
 *         *error
 */
int
rounds_find(const char *json, size_t bytes, char **out,
	    struct window_error *error);

/* Frees what was made of it. */
void
rounds_block_free(struct rounds_block *block);

/* The block and what was left out, as JSON: free(); NULL: no memory. */
char *
rounds_block_json(const struct rounds_block *block, uint64_t max_tokens);

struct rounds_usage {
	uint64_t round;
	uint64_t input_tokens;
	uint64_t output_tokens;
	uint64_t context_tokens; /* of the input, from rounds before */
	uint64_t file_tokens;    /* of the input, content of files */
	uint64_t budget_tokens;
};

/* Whether a round has nearly used up its budget. */
bool
rounds_is_near_limit(const struct rounds_usage *usage);

/*
 * shape:  records a round in the file at `path`, which is created if need be,
 *         in place of an earlier record of this round
 * errors: -errno with a sentence; the file is unchanged
 */
int
rounds_record(const char *path, const struct rounds_usage *usage,
	      struct window_error *error);

enum rounds_form {
	ROUNDS_TABLE, /* a line a round, with its end */
	ROUNDS_JSON   /* without an end of line */
};

/*
 * shape:  the records with sums and shares
 * owner:  *text: free()
 * errors: -errno with a sentence
 */
int
rounds_report(const char *path, enum rounds_form form, char **text,
	      struct window_error *error);

#endif
