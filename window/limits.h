/* SPDX-License-Identifier: MIT */
/*
 * limits.h - how much a model takes, and what counts its tokens.
 *
 * Does: asks the model table of the tokenizer; knows the betas that make a
 *       window larger.
 * Limits: an unknown model has LIMITS_DEFAULT_TOKENS, counted in o200k_base,
 *         with a margin.
 */
#ifndef WINDOW_LIMITS_H
#define WINDOW_LIMITS_H

#include "base/base.h"

#define LIMITS_DEFAULT_TOKENS 128000
#define LIMITS_DEFAULT_ENCODING "o200k_base"
#define LIMITS_DEFAULT_MARGIN 10 /* per cent */

struct model_limits {
	const char *encoding;
	uint64_t context_tokens; /* input and output together */
	uint32_t margin_percent; /* 0: the encoding is the model's own */
	bool is_known;
};

/*
 * shape:  what is known of a model; names of providers in front ("openai/",
 *         "us.anthropic.") are passed over; model may be NULL
 * owner:  the encoding's name is part of the program
 * errors: none: see Limits
 */
struct model_limits
limits_find(const char *model, const char *const *betas, size_t beta_nr);

/* What to add to so many tokens, rounded up; no sum of the two wraps. */
uint64_t
limits_margin(const struct model_limits *limits, uint64_t tokens);

#endif
