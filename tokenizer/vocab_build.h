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
	size_t len;      /* 0: no token has this id */
	bool is_special; /* no text becomes this token */
	bool is_whole;   /* only a piece that equals it becomes it */
	bool has_parts;  /* its last merge is known: */
	uint32_t left;   /* ids, not of a token that is whole */
	uint32_t right;
};

struct vocab_source {
	const char *name;
	uint32_t pattern;
	uint32_t ids_nr;
	uint32_t ranks_nr;             /* ids from here on are special */
	const struct vocab_token *ids; /* [ids_nr] */
	const uint32_t *outer; /* [ids_nr] ids as the user sees them, or NULL */
	bool is_lenient; /* tokens may have equal bytes; parts are known */
	bool has_wholes; /* ... and are whole pieces instead */
	bool is_nfc;     /* text is brought to NFC first */
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
