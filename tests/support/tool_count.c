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

#include "tests/support/test_tokenizer_plain.h"
#include "tokenizer/pretoken.h"
#include "tokenizer/tokenizer.h"

#define TEXT_MAX (8u << 20)

static uint8_t text[TEXT_MAX];
static uint32_t ids[TEXT_MAX];

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

		tokens += merge_by_definition(tok, text + at, bytes, ids);
		at += bytes;
	}
	printf("%llu\n", (unsigned long long)tokens);
	return 0;
}
