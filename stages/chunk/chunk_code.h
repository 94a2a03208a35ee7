/* SPDX-License-Identifier: MIT */
/*
 * chunk_code.h - branches, and brackets that may be those of calls.
 *
 * Does: finds both in code, 64 bytes at a time.
 * Does not: tell code from comments and strings; the scanner does.
 */
#ifndef CHUNK_CHUNK_CODE_H
#define CHUNK_CHUNK_CODE_H

#include "stages/chunk/chunk_find.h"
#include "stages/chunk/chunk_lang.h"

#define CODE_WORDS 16 /* that branch, of one language */

/* The words that branch: their first two letters, to know others at sight. */
struct chunk_code {
	const struct chunk_lang *lang;
	uint32_t nr; /* 0: of this language nothing is told */
	uint32_t pair_nr;
	bool avx2;                 /* this processor has it */
	uint8_t first[CODE_WORDS]; /* of each pair */
	uint8_t second[CODE_WORDS];
	uint8_t bytes[CODE_WORDS]; /* of each word */
	const char *words[CODE_WORDS];
	uint64_t known[8]; /* a bit for what its words have in common */
};

/* What is found in 64 bytes; bit 0 is the first. */
struct chunk_code_block {
	uint64_t branches;
	uint64_t brackets; /* opening, round */
};

/* The words of a language; lang may be NULL. */
void
chunk_code_init(struct chunk_code *code, const struct chunk_lang *lang);

/*
 * shape:  what is found at text[at], and the `nr` bytes from there on, 64 at
 *         most; words that begin there may end behind them
 */
struct chunk_code_block
chunk_code_find(const struct chunk_code *code, const uint8_t *text, size_t at,
		size_t nr, size_t bytes);

/*
 * shape:  the name before a bracket at text[at], its bytes; 0: no call
 * units:  *name is its offset
 */
size_t
chunk_code_call(const struct chunk_code *code, const uint8_t *text, size_t at,
		size_t *name);

/*
 * shape:  of 64 bytes and one more, where two letters stand that a word that
 *         branches begins with, where `(`, `&` and `|` stand;
 *         only where the processor has AVX2
 */
struct chunk_code_masks {
	uint64_t pairs;
	uint64_t brackets;
	uint64_t ands;
	uint64_t ors;
};

/* What 64 bytes hold of these; only where the processor has AVX2. */
struct chunk_code_masks
chunk_code64_avx2(const struct chunk_code *code, const uint8_t *bytes);

#endif
