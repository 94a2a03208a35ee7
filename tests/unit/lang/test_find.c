/* SPDX-License-Identifier: MIT */
/*
 * test_find.c - the next byte of a set, as looking at each byte finds it; with
 * AVX2 and without.
 */
#include "tests/support/test_shm.h"

#include "lang/find.h"

#define TEXT_BYTES 200

static uint8_t text[TEXT_BYTES];
static uint64_t seed = 20261125;

static size_t
naive(const char *set, size_t from, size_t bytes)
{
	while (from < bytes &&
	       (text[from] == 0 || strchr(set, text[from]) == NULL))
		from++;
	return from < bytes ? from : bytes;
}

static void
check(const char *bytes_of_set, bool may_avx2)
{
	struct lang_set set = { { 0 } };
	size_t bytes = random_next(&seed) % (TEXT_BYTES + 1);
	struct lang_finder finder;
	size_t from = 0;

	for (const char *at = bytes_of_set; *at != '\0'; at++)
		lang_set_add(&set, (uint8_t)*at);
	for (size_t i = 0; i < bytes; i++)
		text[i] = (uint8_t)(random_next(&seed) >> 17);
	lang_finder_init(&finder, &set, text, bytes);
	finder.avx2 = finder.avx2 && may_avx2;
	while (from <= bytes) {
		size_t want = naive(bytes_of_set, from, bytes);

		ASSERT_EQ(lang_finder_next(&finder, from), want);
		from = want + 1 + random_next(&seed) % 3;
	}
}

static void
test_find_next_is_the_first_of_the_set(void **state)
{
	static const char *const sets[] = { "", "a", "{}\n", "\x7f\x01 Az09" };

	for (int i = 0; i < 4000; i++)
		check(sets[i % 4], i / 4 % 2 == 0);
}

static void
test_find_mask_has_a_bit_for_each_byte(void **state)
{
	struct lang_set set = { { 0 } };
	uint8_t block[FIND_BLOCK];

	lang_set_add(&set, '{');
	lang_set_add(&set, 0);
	lang_set_add(&set, 0x7f);
	for (unsigned byte = 0; byte < 256; byte++) {
		bool in = byte == '{' || byte == 0 || byte == 0x7f;

		for (size_t i = 0; i < FIND_BLOCK; i++) {
			memset(block, 'x', sizeof(block));
			block[i] = (uint8_t)byte;
			ASSERT_TRUE(lang_mask64(&set, block) == (uint64_t)in
									<< i);
			if (lang_has_avx2())
				ASSERT_TRUE(lang_mask64_avx2(&set, block) ==
					    (uint64_t)in << i);
		}
	}
}

/* The mask by vectors is the mask by bytes, for any set and any text. */
static void
test_chunk_find_masks_are_alike(void **state)
{
	uint64_t random = 20261121;
	uint8_t block[FIND_BLOCK];

	if (!lang_has_avx2())
		skip();
	for (int round = 0; round < 2000; round++) {
		struct lang_set set = { 0 };

		for (size_t i = 0; i < FIND_BLOCK; i++) {
			random = random * 6364136223846793005u +
				 1442695040888963407u;
			block[i] = (uint8_t)(random >> 56);
			if (i % 9 == 0)
				lang_set_add(&set,
					     (uint8_t)(random >> 40) & 127);
		}
		assert_true(lang_mask64(&set, block) ==
			    lang_mask64_avx2(&set, block));
	}
}

static void
test_chunk_find_next_gives_each_byte_of_the_set(void **state)
{
	uint8_t block[300];
	struct lang_finder finder;
	struct lang_set set = { 0 };
	size_t at = 0;

	memset(block, 'a', sizeof(block));
	lang_set_add(&set, '{');
	block[0] = block[63] = block[64] = block[299] = '{';
	block[100] = '{' | 0x80;
	lang_finder_init(&finder, &set, block, sizeof(block));
	ASSERT_EQ(at = lang_finder_next(&finder, at), 0);
	ASSERT_EQ(at = lang_finder_next(&finder, at + 1), 63);
	ASSERT_EQ(at = lang_finder_next(&finder, at + 1), 64);
	ASSERT_EQ(at = lang_finder_next(&finder, at + 1), 299);
	ASSERT_EQ(lang_finder_next(&finder, at + 1), 300);
	ASSERT_EQ(lang_finder_next(&finder, 1), 63);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find_next_is_the_first_of_the_set),
		cmocka_unit_test(test_find_mask_has_a_bit_for_each_byte),
		cmocka_unit_test(test_chunk_find_masks_are_alike),
		cmocka_unit_test(
			test_chunk_find_next_gives_each_byte_of_the_set),
	};

	return cmocka_run_group_tests_name("lang/find", tests, NULL, NULL);
}
