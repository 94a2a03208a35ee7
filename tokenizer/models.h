/* SPDX-License-Identifier: MIT */
/*
 * models.h - the encoding and the context window of a model.
 */
#ifndef TOKENIZER_MODELS_H
#define TOKENIZER_MODELS_H

#include <stddef.h>
#include <stdint.h>

enum model_tokenizer {
	MODEL_BUILT_IN = 0, /* its encoding is part of the program */
	MODEL_PUBLISHED,    /* there is a tokenizer.json that can be given */
	MODEL_CLOSED,       /* nobody but its maker has it */
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

/*
 * shape:  a count made greater by the margin of its model, rounded up
 * units:  tokens; sticks at UINT64_MAX
 */
uint64_t
tokenizer_model_estimate(const struct tokenizer_model *model, uint64_t tokens);

#endif
