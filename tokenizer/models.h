/* SPDX-License-Identifier: MIT */
/*
 * models.h - the encoding and the context window of a model.
 */
#ifndef TOKENIZER_MODELS_H
#define TOKENIZER_MODELS_H

#include <stddef.h>
#include <stdint.h>

struct tokenizer_model {
	const char *name;
	const char *encoding;
	uint64_t window_tokens;
	uint32_t margin_percent; /* 0: the count is exact */
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
