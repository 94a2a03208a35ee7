/* SPDX-License-Identifier: MIT */
/*
 * limits.h - the context window of a model, and how its tokens are counted.
 *
 * Does: reads the model table of the tokenizer; knows the beta features that
 *       enlarge a window.
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
 * shape:  the limits of a model; prefixes of providers ("openai/",
 *         "us.anthropic.") are skipped; model may be NULL
 * owner:  the encoding's name is part of the program
 * errors: none: see Limits
 */
struct model_limits
limits_find(const char *model, const char *const *betas, size_t beta_nr);

/* What to add to so many tokens, rounded up; no sum of the two wraps. */
uint64_t
limits_margin(const struct model_limits *limits, uint64_t tokens);

#endif
