/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_made.h - a vocabulary of a few tokens behind the bytes.
 */
#ifndef TESTS_SUPPORT_TEST_TOKENIZER_MADE_H
#define TESTS_SUPPORT_TEST_TOKENIZER_MADE_H

#include <stdlib.h>
#include <string.h>

#include "tokenizer/pretoken.h"
#include "tokenizer/vocab_build.h"

#define MADE_IDS 300

struct made {
	uint8_t bytes[256];
	struct vocab_token ids[MADE_IDS];
	struct vocab_source source;
};

/* The bytes alone. */
static inline void
made_init(struct made *made)
{
	memset(made, 0, sizeof(*made));
	for (unsigned i = 0; i < 256; i++) {
		made->bytes[i] = (uint8_t)i;
		made->ids[i] = (struct vocab_token){ .bytes = made->bytes + i,
						     .len = 1 };
	}
	made->source = (struct vocab_source){ .name = "made",
					      .pattern = PRETOKEN_CL100K,
					      .ids_nr = 256,
					      .ranks_nr = 256,
					      .ids = made->ids };
}

/* One token more, which merges make. */
static inline struct vocab_token *
made_add(struct made *made, const char *text)
{
	struct vocab_token *token = &made->ids[made->source.ids_nr++];

	made->source.ranks_nr = made->source.ids_nr;
	*token = (struct vocab_token){ .bytes = (const uint8_t *)text,
				       .len = strlen(text) };
	return token;
}

/* Its image, to be freed; NULL: there is none. */
static inline struct tokenizer *
made_image(const struct made *made)
{
	size_t bytes = vocab_build_bytes(&made->source);
	void *mem = bytes == 0 ? NULL : aligned_alloc(64, bytes);

	if (mem == NULL)
		return NULL;
	memset(mem, 0, bytes);
	if (vocab_build(mem, &made->source) == 0)
		return mem;
	free(mem);
	return NULL;
}

#endif
