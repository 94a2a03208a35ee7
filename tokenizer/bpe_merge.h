/* SPDX-License-Identifier: MIT */
/*
 * bpe_merge.h - merges a short piece pair by pair, or several of them in turn.
 *
 * Included by one file per instruction set, which defines uint32_t
 * bpe_least(const uint32_t *pairs, size_t len): the smallest of the first len
 * numbers; what follows up to the next multiple of 16 is UINT32_MAX.
 */
#ifndef TOKENIZER_BPE_MERGE_H
#define TOKENIZER_BPE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tokenizer/vocab.h"

/* Pieces up to here are merged pair by pair. */
#define BPE_SHORT_BYTES 128
#define BPE_PLACE_BITS 7

/*
 * A short piece while it is merged: part i begins at byte i. pairs[i] is the id
 * that it and the next one would merge into, and i, so that the smallest number
 * is the next merge, the leftmost of equal ones. A part that merges with nothing
 * stands on both sides of the piece: no merge has to ask where it is.
 */
struct bpe_job {
	uint32_t pairs[BPE_SHORT_BYTES + 16] __attribute__((aligned(64)));
	uint32_t ids[BPE_SHORT_BYTES + 1];
	uint8_t next[BPE_SHORT_BYTES + 1]; /* where the next part begins */
	uint8_t before[BPE_SHORT_BYTES + 1];
	uint8_t len;
	uint8_t nr;   /* parts that are left */
	uint8_t made; /* the part that the last step made */
	/* for the caller */
	struct vocab_key key;
	const uint8_t *piece;
	uint64_t hash;
};

/* Notes what part `at` and the next one would merge into. */
static inline void
bpe_job_set(struct bpe_job *job, size_t at, uint32_t id)
{
	job->pairs[at] = id << BPE_PLACE_BITS | (uint32_t)at;
}

/* Begins to merge a piece of 1 to BPE_SHORT_BYTES: its bytes are tokens. */
static inline void
bpe_job_begin(const struct tokenizer *tok, struct bpe_job *job,
	      const uint8_t *text, size_t len)
{
	size_t i;

	memset(job->pairs + ((len - 1) & ~(size_t)15), 0xff,
	       16 * sizeof(job->pairs[0]));
	for (i = 0; i < len; i++) {
		job->ids[i] = vocab_byte_id(tok, text[i]);
		job->next[i] = (uint8_t)(i + 1);
		job->before[i + 1] = (uint8_t)i;
		if (i + 1 < len)
			bpe_job_set(job, i,
				    vocab_byte_pair(tok, text[i], text[i + 1]));
	}
	job->ids[len] = VOCAB_NOBODY;
	job->ids[BPE_SHORT_BYTES] = VOCAB_NOBODY;
	job->before[0] = BPE_SHORT_BYTES;
	job->len = (uint8_t)len;
	job->nr = (uint8_t)len;
}

/* One merge; false if there is none left. Asks for what comes of it. */
static inline bool
bpe_job_step(const struct tokenizer *tok, struct bpe_job *job)
{
	const uint32_t least = bpe_least(job->pairs, job->len);
	const uint32_t id = least >> BPE_PLACE_BITS;
	const size_t left = least & ((1u << BPE_PLACE_BITS) - 1);
	size_t right, behind;

	if (id == VOCAB_NONE >> BPE_PLACE_BITS)
		return false;
	right = job->next[left];
	behind = job->next[right];
	job->nr--;
	job->ids[left] = id;
	job->next[left] = (uint8_t)behind;
	job->before[behind] = (uint8_t)left;
	job->pairs[right] = VOCAB_NONE;
	job->made = (uint8_t)left;
	vocab_pair_prefetch(tok, id, job->ids[behind]);
	vocab_pair_prefetch(tok, job->ids[job->before[left]], id);
	return true;
}

/* What the part that the last step made merges into, with either side. */
static inline void
bpe_job_answer(const struct tokenizer *tok, struct bpe_job *job)
{
	const size_t at = job->made;
	const size_t before = job->before[at];
	const uint32_t id = job->ids[at];

	bpe_job_set(job, at, vocab_pair(tok, id, job->ids[job->next[at]]));
	bpe_job_set(job, before, vocab_pair(tok, job->ids[before], id));
}

/* Merges completely; the number of parts that are left. */
static inline size_t
bpe_merge(const struct tokenizer *tok, struct bpe_job *job, const uint8_t *text,
	  size_t len)
{
	bpe_job_begin(tok, job, text, len);
	while (bpe_job_step(tok, job))
		bpe_job_answer(tok, job);
	return job->nr;
}

/*
 * The next merge needs entries of a large table: each job prefetches them and
 * waits while the others take their steps.
 */
#define BPE_JOBS 16

/* The same for up to BPE_JOBS that have begun. */
static inline void
bpe_merge_all(const struct tokenizer *tok, struct bpe_job *jobs, uint32_t nr)
{
	uint8_t open[BPE_JOBS];
	uint32_t open_nr, i;

	for (i = 0; i < nr; i++)
		open[i] = (uint8_t)i;
	while (nr != 0) {
		for (open_nr = 0, i = 0; i < nr; i++) {
			open[open_nr] = open[i];
			open_nr += bpe_job_step(tok, &jobs[open[i]]);
		}
		nr = open_nr;
		/* not at once: steps read in one piece what is stored here */
		for (i = 0; i < nr; i++)
			bpe_job_answer(tok, &jobs[open[i]]);
	}
}

#endif
