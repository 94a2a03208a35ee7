/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_bpe.c - long pieces have the tokens that merging pair by pair
 * gives, those that repeat themselves among them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/rounds.h"
#include "tests/support/test_tokenizer_plain.h"
#include "tokenizer/bpe.h"
#include "tokenizer/tokenizer.h"

#define PIECE_BYTES 1600

static uint64_t seed = 20261122;
static uint32_t ids[PIECE_BYTES];

static uint32_t
draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((seed >> 33) % below);
}

/* Parts that repeat themselves, with something else between some of them. */
static size_t
draw_piece(uint8_t *piece)
{
	static const char letters[] = "aaAb -=\n\t\xf0\x9f\x98\x80\xe4\xb8";
	static const uint32_t periods[] = { 1,   2,   3,   4,   6,  12,
					    100, 127, 128, 129, 140 };
	uint32_t letters_nr = 1 + draw(sizeof(letters) - 1);
	size_t len = 0, i;

	while (len < PIECE_BYTES / 2) {
		uint32_t period =
			periods[draw(sizeof(periods) / sizeof(periods[0]))];
		size_t want = 1 + draw(PIECE_BYTES / 2);
		size_t from = len;

		for (i = 0; i < want && len < PIECE_BYTES; i++, len++)
			piece[len] =
				i < period ? (uint8_t)letters[draw(letters_nr)]
					   : piece[from + i - period];
	}
	return len;
}

static void
check_pieces(const char *encoding, int rounds)
{
	const struct tokenizer *tok;
	uint8_t piece[PIECE_BYTES];

	assert_int_equal(tokenizer_open(&tok, encoding), 0);
	while (rounds-- > 0) {
		size_t len = draw_piece(piece), at = 0;
		uint64_t want = merge_by_definition(tok, piece, len, ids);
		struct bpe_prefix prefix;

		assert_int_equal(bpe_count(tok, piece, len), want);
		bpe_prefix_init(&prefix);
		while (at < len) {
			size_t some = 1 + draw(draw(2) ? 9 : PIECE_BYTES);

			if (some > len - at)
				some = len - at;
			bpe_prefix_add(tok, &prefix, piece + at, some);
			at += some;
		}
		assert_int_equal(prefix.tokens, want);
	}
}

static void
test_bpe_pieces_that_repeat_themselves_are_exact(void **state)
{
	check_pieces("o200k_base", ROUNDS(60));
	check_pieces("cl100k_base", ROUNDS(60));
	check_pieces("r50k_base", ROUNDS(60));
}

static void
test_bpe_run_of_one_byte_counts_by_its_length(void **state)
{
	const struct tokenizer *tok;
	uint8_t run[PIECE_BYTES];
	int byte;

	assert_int_equal(tokenizer_open(&tok, "o200k_base"), 0);
	for (byte = 0; byte < 256; byte += 4 / ROUNDS(4)) {
		size_t len = 600 + draw(PIECE_BYTES - 600);

		memset(run, byte, len);
		assert_int_equal(bpe_count(tok, run, len),
				 merge_by_definition(tok, run, len, ids));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_bpe_pieces_that_repeat_themselves_are_exact),
		cmocka_unit_test(test_bpe_run_of_one_byte_counts_by_its_length),
	};

	return cmocka_run_group_tests_name("tokenizer/bpe", tests, NULL, NULL);
}
