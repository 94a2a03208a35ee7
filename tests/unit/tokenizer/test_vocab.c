/* SPDX-License-Identifier: MIT */
/*
 * test_vocab.c - a token is found by its bytes, and a block of bytes that is no
 * image is not taken for one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/test_tokenizer_made.h"

static struct tokenizer *tok;

static const char *const words[] = { "ab", "abab", "ba", "cc", "ccc" };

static int
setup(void **state)
{
	static struct made made;
	size_t i;

	made_init(&made);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		made_add(&made, words[i]);
	tok = made_image(&made);
	return tok == NULL;
}

static int
teardown(void **state)
{
	free(tok);
	return 0;
}

/* All texts of up to five of four letters. */
static void
test_vocab_finds_tokens_and_nothing_else(void **state)
{
	uint32_t number, i;

	for (number = 1; number < 1u << 10; number++) {
		uint32_t want = VOCAB_NONE;
		char text[6] = "";
		size_t len = 0;

		for (i = number; i > 1; i >>= 2)
			text[len++] = (char)('a' + (i & 3));
		if (len == 0)
			continue;
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (strcmp(words[i], text) == 0)
				want = 256 + i;
		if (len == 1)
			want = (uint8_t)text[0];
		assert_int_equal(vocab_find(tok, (const uint8_t *)text, len),
				 want);
	}
}

/* Words are read from within the piece alone, at every length. */
static void
test_vocab_keys_and_hashes_tell_pieces_apart(void **state)
{
	uint8_t text[64];
	size_t len, i;

	for (i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i + 1);
	for (len = 1; len <= 16; len++) {
		uint8_t *piece = malloc(len);
		uint8_t bytes[16] = { 0 };
		struct vocab_key key;

		memcpy(piece, text, len);
		memcpy(bytes, text, len);
		key = vocab_key(piece, len);
		assert_memory_equal(&key.lo, bytes, 8);
		assert_memory_equal(&key.hi, bytes + 8, 8);
		free(piece);
	}
	for (len = 1; len <= sizeof(text); len++) {
		uint64_t hash = vocab_hash(text, len);

		for (i = 0; i < len; i++) {
			text[i] ^= 0x40;
			assert_true(vocab_hash(text, len) != hash);
			text[i] ^= 0x40;
		}
		if (len <= 16)
			assert_true(vocab_hash_key(vocab_key(text, len), len) ==
				    hash);
		assert_true(len == 1 || vocab_hash(text, len - 1) != hash);
	}
}

/* Dense: U+3040 to U+30FF, U+4000 to U+9FFF, of all that have three bytes. */
static void
test_vocab_dense_are_those_of_their_blocks(void **state)
{
	uint32_t c;

	for (c = 0x800; c < 0x10000; c++) {
		const uint8_t text[] = { (uint8_t)(0xe0 | c >> 12),
					 (uint8_t)(0x80 | (c >> 6 & 0x3f)),
					 (uint8_t)(0x80 | (c & 0x3f)) };

		assert_int_equal(vocab_is_dense(text),
				 (c >= 0x3040 && c <= 0x30ff) ||
					 (c >= 0x4000 && c <= 0x9fff));
	}
}

/* What becomes of a copy that is changed. */
static bool
is_valid_with(size_t at, const void *bytes, size_t nr)
{
	const size_t len = tok->image_bytes;
	uint8_t *copy = aligned_alloc(64, len);
	bool valid;

	assert_non_null(copy);
	memcpy(copy, tok, len);
	memcpy(copy + at, bytes, nr);
	valid = vocab_valid((const void *)copy, len);
	free(copy);
	return valid;
}

#define VALID_WITH(field, type, value)                                     \
	is_valid_with(offsetof(struct tokenizer, field), &(type){ value }, \
		      sizeof(type))

static void
test_vocab_image_that_is_none_is_not_valid(void **state)
{
	const size_t len = tok->image_bytes;
	const uint32_t end = (uint32_t)len;
	size_t at;

	assert_true(vocab_valid(tok, len));
	assert_false(vocab_valid(tok, len - 32));
	assert_false(vocab_valid(tok, sizeof(*tok) - 1));
	assert_false(vocab_valid(tok, 0));
	assert_true(VALID_WITH(ids_nr, uint32_t, tok->ids_nr));
	assert_false(VALID_WITH(magic, uint8_t, 'B'));
	assert_false(VALID_WITH(layout, uint32_t, VOCAB_LAYOUT + 1));
	assert_false(VALID_WITH(image_bytes, uint64_t, len + 32));
	assert_false(VALID_WITH(checksum, uint64_t, tok->checksum + 1));
	assert_false(VALID_WITH(ids_nr, uint32_t, VOCAB_NOBODY + 1));
	assert_false(VALID_WITH(ids_nr, uint32_t, tok->ranks_nr - 1));
	assert_false(VALID_WITH(ranks_nr, uint32_t, 255));
	assert_false(VALID_WITH(slots_log2, uint32_t, 32));
	assert_false(VALID_WITH(pairs_log2, uint32_t, 1));
	assert_false(VALID_WITH(longest_bytes, uint32_t, 129));
	assert_false(VALID_WITH(slots_off, uint32_t, end - 4));
	assert_false(VALID_WITH(starts_off, uint32_t, 0));
	assert_false(VALID_WITH(bytes_off, uint32_t, end + 1));
	assert_false(VALID_WITH(outer_off, uint32_t, end));
	assert_false(VALID_WITH(times_off, uint32_t, 64));
	assert_false(VALID_WITH(name[31], uint8_t, 'x'));
	for (at = sizeof(*tok); at < len; at += 997)
		assert_false(is_valid_with(
			at,
			&(uint8_t){ (uint8_t)(((uint8_t *)tok)[at] ^ 0x10) },
			1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vocab_finds_tokens_and_nothing_else),
		cmocka_unit_test(test_vocab_keys_and_hashes_tell_pieces_apart),
		cmocka_unit_test(test_vocab_dense_are_those_of_their_blocks),
		cmocka_unit_test(test_vocab_image_that_is_none_is_not_valid),
	};

	return cmocka_run_group_tests_name("tokenizer/vocab", tests, setup,
					   teardown);
}
