/* SPDX-License-Identifier: MIT */
/*
 * test_query_find.c - classes of bytes against <ctype.h>.
 */
#include "tests/support/test_shm.h"

#include <ctype.h>

#include "rank/query_find.h"

static void
test_query_masks_are_the_classes_of_bytes(void **state)
{
	uint8_t bytes[QUERY_BLOCK];

	for (unsigned first = 0; first < 256; first++) {
		struct query_masks masks;

		for (unsigned i = 0; i < QUERY_BLOCK; i++)
			bytes[i] = (uint8_t)(first + i * 7);
		query_masks(bytes, &masks);
		for (unsigned i = 0; i < QUERY_BLOCK; i++) {
			int c = bytes[i];
			bool is_other = c >= 128;

			ASSERT_EQ(masks.lower >> i & 1,
				  is_other || islower(c) != 0);
			ASSERT_EQ(masks.upper >> i & 1,
				  !is_other && isupper(c) != 0);
			ASSERT_EQ(masks.digit >> i & 1,
				  !is_other && isdigit(c) != 0);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_query_masks_are_the_classes_of_bytes),
	};

	return cmocka_run_group_tests_name("rank/query_find", tests, NULL,
					   NULL);
}
