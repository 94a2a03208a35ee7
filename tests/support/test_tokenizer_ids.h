/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_ids.h - the text of ids, to compare what was encoded with.
 */
#ifndef TESTS_SUPPORT_TEST_TOKENIZER_IDS_H
#define TESTS_SUPPORT_TEST_TOKENIZER_IDS_H

#include <errno.h>

#include "tokenizer/vocab.h"

/* The bytes of one id, special tokens included; -EINVAL: there is none. */
static inline int
tokenizer_token(const struct tokenizer *tok, uint32_t id, const uint8_t **bytes,
		size_t *len)
{
	const uint32_t *outer = (const void *)vocab_at(tok, tok->outer_off);
	const uint32_t *starts = vocab_starts(tok);
	uint32_t inner = id;

	if (tok->outer_off != 0)
		for (inner = 0; inner < tok->ids_nr; inner++)
			if (outer[inner] == id)
				break;
	if (inner >= tok->ids_nr || starts[inner] == starts[inner + 1])
		return -EINVAL;
	*bytes = vocab_at(tok, tok->bytes_off) + starts[inner];
	*len = starts[inner + 1] - starts[inner];
	return 0;
}

/* The bytes of ids, which have to fit. */
static inline int
tokenizer_decode(const struct tokenizer *tok, const uint32_t *ids,
		 size_t ids_nr, uint8_t *out, size_t out_cap, size_t *out_len)
{
	size_t i;

	for (*out_len = 0, i = 0; i < ids_nr; i++) {
		const uint8_t *bytes;
		size_t len;

		if (tokenizer_token(tok, ids[i], &bytes, &len) != 0 ||
		    len > out_cap - *out_len)
			return -EINVAL;
		memcpy(out + *out_len, bytes, len);
		*out_len += len;
	}
	return 0;
}

#endif
