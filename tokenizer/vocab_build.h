/* SPDX-License-Identifier: MIT */
/*
 * vocab_build.h - makes the image of a vocabulary from a list of tokens.
 */
#ifndef TOKENIZER_VOCAB_BUILD_H
#define TOKENIZER_VOCAB_BUILD_H

#include <stddef.h>
#include <stdint.h>

#include "tokenizer/vocab.h"

struct vocab_token {
	const uint8_t *bytes;
	size_t len; /* 0: no token has this id */
	bool is_special;
};

struct vocab_source {
	const char *name;
	uint32_t pattern;
	uint32_t ids_nr;
	uint32_t ranks_nr;             /* ids from here on are special */
	const struct vocab_token *ids; /* [ids_nr] */
};

/*
 * shape:  the bytes that the image of a source takes
 * units:  bytes; 0 if the source cannot be made into an image
 */
size_t
vocab_build_bytes(const struct vocab_source *source);

/*
 * shape:  makes the image in the caller's memory
 * units:  mem has vocab_build_bytes(), all zero, aligned to 64
 * owner:  the caller
 * errors: -EINVAL if an invariant of vocab.h does not hold for the source
 */
int
vocab_build(void *mem, const struct vocab_source *source);

#endif
