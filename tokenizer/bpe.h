/* SPDX-License-Identifier: MIT */
/*
 * bpe.h - byte-pair merging of one piece of text.
 *
 * Short pieces are merged pair by pair. Pieces of any length are counted byte
 * by byte: the merged form of a prefix is the merged form of a shorter prefix
 * and one more token, and that token is the only one that ends there and would
 * stay separate from the token before it. So only the last token of each of the
 * last VOCAB_TOKEN_BYTES prefixes must be known. Where these repeat and the
 * text continues as before, so do the tokens: repetitive text is skipped a
 * period at a time.
 *
 * source: Berglund and van der Merwe, "Formalizing BPE Tokenization" (2023),
 *         for the locality of merges; the linear algorithm was described by
 *         GitHub engineering in "So many tokens, so little time" (2024)
 */
#ifndef TOKENIZER_BPE_H
#define TOKENIZER_BPE_H

#include <stddef.h>
#include <stdint.h>

#include "tokenizer/vocab.h"

/*
 * The merged form of all prefixes of a piece that arrives byte by byte. Plain
 * data: it may be copied and kept in shared memory.
 */
struct bpe_prefix {
	uint64_t bytes;  /* given so far */
	uint64_t tokens; /* of all that was given */
	uint32_t
		counts[VOCAB_TOKEN_BYTES]; /* tokens of prefix n, low 32 bits */
	uint32_t ids[VOCAB_TOKEN_BYTES]; /* last token of prefix n: [n % 128] */
	uint8_t lens[VOCAB_TOKEN_BYTES]; /* its length */
	uint8_t text[4 * VOCAB_TOKEN_BYTES]; /* the last bytes of the piece */
	uint32_t text_len;
	/* The last `same_nr` prefixes ended as those `period` bytes before. */
	uint32_t period; /* 0: none is known; up to VOCAB_TOKEN_BYTES */
	uint32_t period_tokens;
	uint32_t same_nr;
	/* The same for VOCAB_TOKEN_BYTES bytes before. */
	uint32_t wrap_nr;
	uint32_t wrap_tokens;
};

/*
 * shape:  merges a piece completely: if two parts are left, the length of the
 *         left one, and their ids; 0: more parts are left, or fewer
 * units:  len in bytes, 1 to VOCAB_TOKEN_BYTES
 */
size_t
bpe_split(const struct tokenizer *tok, const uint8_t *piece, size_t len,
	  uint32_t *left, uint32_t *right);

/*
 * shape:  the number of tokens of one piece
 * units:  len in bytes, 1 or more
 */
uint64_t
bpe_count(const struct tokenizer *tok, const uint8_t *piece, size_t len);

/*
 * shape:  writes the ids of one piece, returns how many
 * units:  len in bytes; ids has room for len, all of it may be written to
 */
size_t
bpe_encode(const struct tokenizer *tok, const uint8_t *piece, size_t len,
	   uint32_t *ids);

/* Begins an empty piece. */
void
bpe_prefix_init(struct bpe_prefix *prefix);

/*
 * shape:  makes the piece longer by some bytes
 * units:  len in bytes
 */
void
bpe_prefix_add(const struct tokenizer *tok, struct bpe_prefix *prefix,
	       const uint8_t *text, size_t len);

#endif
