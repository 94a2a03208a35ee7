/* SPDX-License-Identifier: MIT */
/*
 * models.c - the encoding and the context window of a model.
 */
#include "tokenizer/models.h"

#include <string.h>

static const struct tokenizer_model models[] = {
#define MODEL(name, encoding, window, margin, whose) \
	{ name, encoding, window, margin, MODEL_##whose },
#include "tokenizer/models.def"
#undef MODEL
};

#define MODELS_NR (sizeof(models) / sizeof(models[0]))

const struct tokenizer_model *
tokenizer_model_at(size_t idx)
{
	return idx < MODELS_NR ? &models[idx] : NULL;
}

const struct tokenizer_model *
tokenizer_model(const char *name)
{
	const struct tokenizer_model *best = NULL;
	size_t best_len = 0, i;

	for (i = 0; i < MODELS_NR; i++) {
		size_t len = strlen(models[i].name);

		if (len < best_len || strncmp(name, models[i].name, len) != 0)
			continue;
		if (name[len] != '\0' && strchr("-:@.", name[len]) == NULL)
			continue;
		best = &models[i];
		best_len = len;
	}
	return best;
}

const char *
tokenizer_model_hint(const char *name, char out[static HINT_BYTES])
{
	struct nearest nearest = { .word = name };

	for (size_t i = 0; i < MODELS_NR; i++)
		nearest_try(&nearest, models[i].name, 0);
	return nearest_hint(&nearest, "", out);
}

/* The first encoding of a list, and where the next one begins. */
static const char *
next_encoding(const char *at, size_t *bytes)
{
	*bytes = strcspn(at, ",");
	return at + *bytes + strspn(at + *bytes, ", ");
}

const char *
tokenizer_encoding_hint(const char *name, char out[static HINT_BYTES])
{
	struct nearest nearest = { .word = name };
	size_t bytes;

	for (const char *at = TOKENIZER_ENCODINGS; *at != '\0';) {
		const char *next = next_encoding(at, &bytes);

		nearest_try(&nearest, at, bytes);
		at = next;
	}
	return nearest_hint(&nearest, "", out);
}

bool
tokenizer_encoding_is_known(const char *name)
{
	size_t bytes;

	for (const char *at = TOKENIZER_ENCODINGS; *at != '\0';) {
		const char *next = next_encoding(at, &bytes);

		if (bytes_are(at, bytes, name))
			return true;
		at = next;
	}
	return false;
}
