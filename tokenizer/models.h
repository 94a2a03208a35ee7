/* SPDX-License-Identifier: MIT */
/*
 * models.h - the encoding and the context window of a model.
 */
#ifndef TOKENIZER_MODELS_H
#define TOKENIZER_MODELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/nearest.h"

#define TOKENIZER_ENCODINGS                                              \
	"o200k_base, o200k_harmony, cl100k_base, p50k_base, p50k_edit, " \
	"r50k_base, gpt2"

enum model_tokenizer {
	MODEL_BUILT_IN = 0, /* its encoding is part of the program */
	MODEL_PUBLISHED,    /* a tokenizer.json is published */
	MODEL_CLOSED,       /* only its maker has it */
};

struct tokenizer_model {
	const char *name;
	const char *encoding;
	uint64_t window_tokens;
	uint32_t margin_percent; /* 0: the count is exact */
	enum model_tokenizer tokenizer;
};

/*
 * shape:  the model that a name stands for, NULL if none is known
 * owner:  a constant table
 */
const struct tokenizer_model *
tokenizer_model(const char *name);

/*
 * shape:  model number idx of the table, NULL behind the last one
 */
const struct tokenizer_model *
tokenizer_model_at(size_t idx);

/* The model that an unknown name probably means: nearest_hint(). */
const char *
tokenizer_model_hint(const char *name, char out[static HINT_BYTES]);

/* The same for an encoding. */
const char *
tokenizer_encoding_hint(const char *name, char out[static HINT_BYTES]);

#define TOKENIZER_ENCODING_HINT(name) \
	tokenizer_encoding_hint(name, (char[HINT_BYTES]){ 0 })

/* Whether it is one of TOKENIZER_ENCODINGS. */
bool
tokenizer_encoding_is_known(const char *name);

#endif
