/* SPDX-License-Identifier: MIT */
/*
 * tool_count.c - tokens of stdin, counted slowly and by the definition, for
 *                tests.
 *
 * Does: holds the whole text, cuts it into pieces from its beginning, and
 *       merges each pair by pair: of all pairs the least, the leftmost of
 *       equal ones. No cache, no parts, no spans.
 *
 *   tool_count ENCODING
 *
 * Limits: text in UTF-8; encodings whose ids are in the order of merges, such
 *         as o200k_base and cl100k_base; a piece takes the square of its
 *         length.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokenizer/bpe.h"
#include "tokenizer/pretoken.h"
#include "tokenizer/tokenizer.h"

#define TEXT_MAX (8u << 20)

static uint8_t text[TEXT_MAX];
static uint32_t ids[TEXT_MAX];

static uint64_t
merge(const struct tokenizer *tok, const uint8_t *piece, size_t nr)
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

int
main(int argc, char **argv)
{
	const struct tokenizer *tok;
	size_t nr = fread(text, 1, TEXT_MAX, stdin);
	uint64_t tokens = 0;

	if (argc != 2 || tokenizer_open(&tok, argv[1]) != 0 || nr == TEXT_MAX) {
		fprintf(stderr, "usage: tool_count ENCODING <TEXT\n");
		return 2;
	}
	for (size_t at = 0; at < nr;) {
		bool is_open;
		size_t bytes = pretoken_end(pretoken_rules(tok->pattern),
					    text + at, nr - at, &is_open);

		tokens += merge(tok, text + at, bytes);
		at += bytes;
	}
	printf("%llu\n", (unsigned long long)tokens);
	return 0;
}
