/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_plain.h - a piece merged slowly, as the definition says.
 */
#ifndef TESTS_SUPPORT_TEST_TOKENIZER_PLAIN_H
#define TESTS_SUPPORT_TEST_TOKENIZER_PLAIN_H

#include <string.h>

#include "tokenizer/tokenizer.h"
#include "tokenizer/vocab.h"

/*
 * shape:  tokens of a piece: of all pairs the least is merged, the leftmost of
 *         equal ones, as long as there is one
 * owner:  ids has room for nr
 */
static inline uint64_t
merge_by_definition(const struct tokenizer *tok, const uint8_t *piece,
		    size_t nr, uint32_t *ids)
{
	for (size_t i = 0; i < nr; i++)
		ids[i] = vocab_byte_id(tok, piece[i]);
	for (;;) {
		uint32_t least = VOCAB_NONE;
		size_t at = 0;

		for (size_t i = 0; i + 1 < nr; i++) {
			uint32_t id = vocab_pair(tok, ids[i], ids[i + 1]);

			if (id < least) {
				least = id;
				at = i;
			}
		}
		if (least == VOCAB_NONE)
			return nr;
		ids[at] = least;
		nr--;
		memmove(ids + at + 1, ids + at + 2,
			(nr - at - 1) * sizeof(ids[0]));
	}
}

#endif
