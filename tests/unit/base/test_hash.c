/* SPDX-License-Identifier: MIT */
/*
 * test_hash.c - hashes are those that the authors of FNV-1a give; sums find
 * damage.
 */
#include "tests/support/test_shm.h"

#include "base/hash.h"

static void
test_hash_of_known_texts_is_known(void **state)
{
	ASSERT_EQ(hash32(HASH32_BEGIN, "", 0), 0x811c9dc5);
	ASSERT_EQ(hash32(HASH32_BEGIN, "a", 1), 0xe40c292c);
	ASSERT_EQ(hash32(HASH32_BEGIN, "foobar", 6), 0xbf9cf968);
	ASSERT_EQ(hash64(HASH64_BEGIN, "", 0), 0xcbf29ce484222325);
	ASSERT_EQ(hash64(HASH64_BEGIN, "a", 1), 0xaf63dc4c8601ec8c);
	ASSERT_EQ(hash64(HASH64_BEGIN, "foobar", 6), 0x85944171f73967e8);
}

static void
test_hash_goes_on_where_it_ended(void **state)
{
	const char text[] = "\xff\x80 and more";

	for (size_t i = 0; i < sizeof(text); i++) {
		ASSERT_EQ(hash32(hash32(HASH32_BEGIN, text, i), text + i,
				 sizeof(text) - i),
			  hash32(HASH32_BEGIN, text, sizeof(text)));
		ASSERT_EQ(hash64(hash64(HASH64_BEGIN, text, i), text + i,
				 sizeof(text) - i),
			  hash64(HASH64_BEGIN, text, sizeof(text)));
	}
}

static uint64_t
sum_of(const uint8_t *text, size_t nr, size_t first)
{
	struct checksum sum = checksum_begin();

	checksum_add(&sum, text, first);
	checksum_add(&sum, text + first, nr - first);
	return checksum_end(&sum);
}

/* Any bit of it, wherever it stands. */
static void
test_checksum_finds_every_changed_bit(void **state)
{
	uint8_t text[100];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * 37);
	for (size_t nr = 0; nr <= sizeof(text); nr++) {
		uint64_t sum = sum_of(text, nr, 0);

		for (size_t bit = 0; bit < 8 * nr; bit++) {
			text[bit / 8] ^= (uint8_t)(1u << bit % 8);
			if (sum_of(text, nr, 0) == sum)
				fail_msg("bit %zu of %zu bytes", bit, nr);
			text[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
		ASSERT_EQ(sum_of(text, nr, 0), sum);
		/* in one piece or in two, where a word ends */
		for (size_t first = 0; first <= nr; first += 8)
			ASSERT_EQ(sum_of(text, nr, first), sum);
	}
	ASSERT_TRUE(sum_of(text, 64, 0) != sum_of(text + 1, 64, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hash_of_known_texts_is_known),
		cmocka_unit_test(test_hash_goes_on_where_it_ended),
		cmocka_unit_test(test_checksum_finds_every_changed_bit),
	};

	return cmocka_run_group_tests_name("base/hash", tests, NULL, NULL);
}
