/* SPDX-License-Identifier: MIT */
/*
 * bpe_merge.h - merging a short piece pair by pair.
 *
 * Included by one file per instruction set, which brings
 *   unsigned bpe_least(const uint32_t *pairs, size_t len)
 * where the smallest of the first len numbers is, the leftmost of equal ones;
 * pairs has VOCAB_NONE from len on to the next multiple of 16.
 */
#ifndef TOKENIZER_BPE_MERGE_H
#define TOKENIZER_BPE_MERGE_H

#include "tokenizer/bpe.h"

/* Returns the number of parts that are left. */
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

#endif
