/* SPDX-License-Identifier: MIT */
/*
 * limits.c - the model table, and what betas add to it.
 */
#include "window/limits.h"

#include <string.h>

#include "tokenizer/models.h"

struct beta {
	const char *model;
	const char *name;
	uint64_t context_tokens;
};

/* Betas that make the window of a model larger; the model is as in
 * tokenizer/models.def, and stands for all names that go on behind it with "-"
 * or "@". */
static const struct beta beta_table[] = {
	{ "claude-sonnet-4", "context-1m-2025-08-07", 1000000 },
	{ "claude-opus-4-6", "context-1m-2025-08-07", 1000000 },
};

/* A provider's name ends with a slash, or with "anthropic." */
static const char *
skip_provider(const char *model)
{
	const char *vendor;

	model = basename(model);
	vendor = strstr(model, "anthropic.");
	return vendor != NULL ? vendor + strlen("anthropic.") : model;
}

static bool
is_version_of(const char *model, const char *name)
{
	size_t bytes = strlen(name);

	return strncmp(model, name, bytes) == 0 &&
	       (model[bytes] == '\0' || strchr("-@:", model[bytes]) != NULL);
}

struct model_limits
limits_find(const char *model, const char *const *betas, size_t beta_nr)
{
	struct model_limits limits = {
		.encoding = LIMITS_DEFAULT_ENCODING,
		.context_tokens = LIMITS_DEFAULT_TOKENS,
		.margin_percent = LIMITS_DEFAULT_MARGIN,
	};
	const struct tokenizer_model *known;

	if (model == NULL)
		return limits;
	model = skip_provider(model);
	known = tokenizer_model(model);
	if (known == NULL)
		return limits;
	limits.encoding = known->encoding;
	limits.context_tokens = known->window_tokens;
	limits.margin_percent = known->margin_percent;
	limits.is_known = true;
	for (size_t b = 0; b < ARRAY_LEN(beta_table); b++) {
		for (size_t i = 0; i < beta_nr; i++) {
			if (strcmp(betas[i], beta_table[b].name) == 0 &&
			    is_version_of(model, beta_table[b].model))
				limits.context_tokens =
					beta_table[b].context_tokens;
		}
	}
	return limits;
}

uint64_t
limits_margin(const struct model_limits *limits, uint64_t tokens)
{
	uint64_t percent = limits->margin_percent;

	if (tokens > UINT64_MAX / 128)
		return UINT64_MAX / 2;
	return tokens / 100 * percent + (tokens % 100 * percent + 99) / 100;
}
