/* SPDX-License-Identifier: MIT */
/*
 * bpe_merge.h - merges a short piece pair by pair, or several of them in turn.
 *
 * Included by one file per instruction set, which defines unsigned
 * bpe_least(const uint32_t *pairs, size_t len) the index of the smallest of the
 * first len numbers, the leftmost of equal ones; pairs has VOCAB_NONE from len
 * on to the next multiple of 16.
 */
#ifndef TOKENIZER_BPE_MERGE_H
#define TOKENIZER_BPE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tokenizer/vocab.h"

/* Pieces up to here are merged pair by pair. */
#define BPE_SHORT_BYTES 128

/*
 * The parts of a short piece while it is merged: part i begins at byte i, and
 * pairs[i] is the id that it and the next one would merge into.
 */
struct bpe_parts {
	uint32_t pairs[BPE_SHORT_BYTES]; /* VOCAB_NONE behind the end */
	uint32_t ids[BPE_SHORT_BYTES];
	uint8_t next[BPE_SHORT_BYTES]; /* where the next part begins */
	uint8_t before[BPE_SHORT_BYTES + 1];
};

/* Merges completely; the number of parts that are left. */
static inline size_t
bpe_merge(const struct tokenizer *tok, struct bpe_parts *parts,
	  const uint8_t *text, size_t len)
{
	size_t nr = len, i;

	memset(parts->pairs + ((len - 1) & ~(size_t)15), 0xff,
	       16 * sizeof(parts->pairs[0]));
	for (i = 0; i < len; i++) {
		parts->ids[i] = vocab_byte_id(tok, text[i]);
		parts->next[i] = (uint8_t)(i + 1);
		parts->before[i + 1] = (uint8_t)i;
		if (i + 1 < len)
			parts->pairs[i] =
				vocab_byte_pair(tok, text[i], text[i + 1]);
	}
	parts->pairs[len - 1] = VOCAB_NONE;
	for (;;) {
		size_t left = bpe_least(parts->pairs, len), right, behind;
		uint32_t id = parts->pairs[left];

		if (id == VOCAB_NONE)
			return nr;
		nr--;
		right = parts->next[left];
		behind = parts->next[right];
		parts->ids[left] = id;
		parts->next[left] = (uint8_t)behind;
		parts->before[behind] = (uint8_t)left;
		parts->pairs[right] = VOCAB_NONE;
		parts->pairs[left] =
			behind == len ? VOCAB_NONE
				      : vocab_pair(tok, id, parts->ids[behind]);
		if (left > 0) {
			right = parts->before[left];
			parts->pairs[right] =
				vocab_pair(tok, parts->ids[right], id);
		}
	}
}

/*
 * The next merge needs an entry of a large table: each job prefetches it and
 * waits while the others take their steps.
 */

/* Pieces are merged in groups of this size. */
#define BPE_JOBS 16
#define BPE_JOB_BYTES 16

/* See struct bpe_parts; nothing is behind the 16th byte. */
struct bpe_job {
	uint32_t pairs[BPE_JOB_BYTES] __attribute__((aligned(64)));
	uint32_t ids[BPE_JOB_BYTES];
	uint8_t next[BPE_JOB_BYTES];
	uint8_t before[BPE_JOB_BYTES + 1];
	uint8_t len;
	uint8_t nr;   /* parts that are left */
	uint8_t made; /* the part that the last step made */
	bool has_made;
	struct vocab_key key; /* for the caller */
};

/* Begins to merge a short piece: its bytes are tokens. */
static inline void
bpe_job_begin(const struct tokenizer *tok, struct bpe_job *job,
	      const uint8_t *text, size_t len)
{
	size_t i;

	memset(job->pairs, 0xff, sizeof(job->pairs));
	for (i = 0; i < len; i++) {
		job->ids[i] = vocab_byte_id(tok, text[i]);
		job->next[i] = (uint8_t)(i + 1);
		job->before[i + 1] = (uint8_t)i;
		if (i + 1 < len)
			job->pairs[i] =
				vocab_byte_pair(tok, text[i], text[i + 1]);
	}
	job->len = (uint8_t)len;
	job->nr = (uint8_t)len;
	job->has_made = false;
}

/* Looks up the entry that the last step has prefetched. */
static inline void
bpe_job_answer(const struct tokenizer *tok, struct bpe_job *job)
{
	size_t at = job->made, behind, before;

	if (!job->has_made)
		return;
	behind = job->next[at];
	job->pairs[at] = behind == job->len ? VOCAB_NONE
					    : vocab_pair(tok, job->ids[at],
							 job->ids[behind]);
	if (at == 0)
		return;
	before = job->before[at];
	job->pairs[before] = vocab_pair(tok, job->ids[before], job->ids[at]);
}

/* One merge; false if there is none left. */
static inline bool
bpe_job_step(const struct tokenizer *tok, struct bpe_job *job)
{
	size_t left, right, behind;
	uint32_t id;

	bpe_job_answer(tok, job);
	left = bpe_least(job->pairs, BPE_JOB_BYTES);
	id = job->pairs[left];
	if (id == VOCAB_NONE)
		return false;
	right = job->next[left];
	behind = job->next[right];
	job->nr--;
	job->ids[left] = id;
	job->next[left] = (uint8_t)behind;
	job->before[behind] = (uint8_t)left;
	job->pairs[right] = VOCAB_NONE;
	job->made = (uint8_t)left;
	job->has_made = true;
	if (behind != job->len)
		vocab_pair_prefetch(tok, id, job->ids[behind]);
	if (left != 0)
		vocab_pair_prefetch(tok, job->ids[job->before[left]], id);
	return true;
}

#endif
