/* SPDX-License-Identifier: MIT */
/*
 * test_sorted.c - the first element that is not before, of any number.
 */
#include "tests/support/test_shm.h"

#include "base/sorted.h"

#define NR_MAX 40

struct element {
	char rest[5];
	uint16_t key;
};

static bool
is_less(const void *element, const void *key)
{
	const struct element *it = element;

	return it->key < *(const uint16_t *)key;
}

static void
test_sorted_first_of_equals_or_where_it_would_be(void **state)
{
	struct element elements[NR_MAX];

	/* 2 2 2 4 4 4 6 ... */
	for (size_t i = 0; i < NR_MAX; i++)
		elements[i].key = (uint16_t)(i / 3 * 2 + 2);
	for (size_t nr = 0; nr <= NR_MAX; nr++) {
		for (uint16_t key = 0; key < NR_MAX; key++) {
			size_t want = 0;

			while (want < nr && elements[want].key < key)
				want++;
			ASSERT_EQ(sorted_first(elements, nr,
					       sizeof(elements[0]), &key,
					       is_less),
				  want);
		}
	}
}

static void
test_sorted_nothing_is_looked_at_in_nothing(void **state)
{
	uint16_t key = 0;

	ASSERT_EQ(sorted_first(NULL, 0, sizeof(key), &key, is_less), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_sorted_first_of_equals_or_where_it_would_be),
		cmocka_unit_test(test_sorted_nothing_is_looked_at_in_nothing),
	};

	return cmocka_run_group_tests_name("base/sorted", tests, NULL, NULL);
}
