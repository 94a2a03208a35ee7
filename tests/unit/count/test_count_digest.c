/* SPDX-License-Identifier: MIT */
/*
 * test_count_digest.c - sums of normal forms: the same however a text comes in
 * parts, and of a text that is normal the sum of its bytes.
 */
#include "tests/support/test_shm.h"

#include "stages/count/count_normal.h"

/* Of "abc", as FIPS 180-2 has it. */
static const uint8_t sum_of_abc[SHA256_BYTES] = {
	0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
	0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
	0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
};

static void
test_digest_of_a_normal_text_is_that_of_its_bytes(void **state)
{
	uint8_t sum[SHA256_BYTES];

	count_normal_sha256(COUNT_NORMAL_NONE, (const uint8_t *)"abc", 3, sum);
	assert_memory_equal(sum, sum_of_abc, sizeof(sum));
}

static void
test_digest_does_not_depend_on_parts(void **state)
{
	static const char bytes[] = " \t\r\na\nb  \n";
	uint8_t text[3000];
	uint64_t seed = 20261126;

	for (int how = 0; how <= COUNT_NORMAL_WHITESPACE; how++)
		for (int round = 0; round < 30; round++) {
			size_t nr = random_next(&seed) % sizeof(text);
			struct count_digest digest;
			uint8_t want[SHA256_BYTES];
			uint8_t got[SHA256_BYTES];

			for (size_t i = 0; i < nr; i++)
				text[i] =
					(uint8_t)bytes[random_next(&seed) % 10];
			count_normal_sha256((enum count_normal)how, text, nr,
					    want);
			count_digest_init(&digest, (enum count_normal)how);
			for (size_t at = 0; at < nr;) {
				size_t part = min_size(
					1 + random_next(&seed) % 400, nr - at);

				count_digest_add(&digest, text + at, part);
				at += part;
			}
			count_digest_end(&digest, got);
			assert_memory_equal(got, want, sizeof(got));
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_digest_of_a_normal_text_is_that_of_its_bytes),
		cmocka_unit_test(test_digest_does_not_depend_on_parts),
	};

	return cmocka_run_group_tests_name("count/count_digest", tests, NULL,
					   NULL);
}
