/* SPDX-License-Identifier: MIT */
/*
 * test_shm_hash.c - hashes are those that the authors of FNV-1a give.
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hash_of_known_texts_is_known),
		cmocka_unit_test(test_hash_goes_on_where_it_ended),
	};

	return cmocka_run_group_tests_name("shm/hash", tests, NULL, NULL);
}
