/* SPDX-License-Identifier: MIT */
/*
 * test_select_set.c - the set of fingerprints and the sort of indices,
 * against a list and against qsort(3).
 */
#include "tests/test_shm.h"

#include "stages/select/select.h"

#define PRINTS 3000
#define VALUES 5000

/* verifies: FR-016-94, AC-016c-023, AC-016c-053 */
static void
test_set_says_new_as_a_list_does(void **state)
{
	static uint8_t list[PRINTS][FINGERPRINT_BYTES];
	uint64_t seed = 0x5eedc;

	/* few different first bytes: many that share a place */
	for (uint64_t places = 1; places <= 1000000; places *= 1000) {
		struct select_set set = { 0 };
		size_t nr = 0;

		for (int i = 0; i < PRINTS; i++) {
			uint8_t print[FINGERPRINT_BYTES] = { 0 };
			uint64_t place = random_next(&seed) % places;
			size_t at = 0;
			int got;

			memcpy(print, &place, sizeof(place));
			print[15] = (uint8_t)(random_next(&seed) % 8);
			print[14] = (uint8_t)(random_next(&seed) % 32);
			while (at < nr &&
			       memcmp(list[at], print, FINGERPRINT_BYTES) != 0)
				at++;
			got = select_set_add(&set, print);
			ASSERT_EQ(got, at == nr);
			if (at == nr)
				memcpy(list[nr++], print, FINGERPRINT_BYTES);
			ASSERT_EQ(set.nr, nr);
			ASSERT_TRUE(set.nr * 2 <= set.slot_nr + 1);
		}
		/* growing has lost none */
		for (size_t at = 0; at < nr; at++)
			ASSERT_EQ(select_set_add(&set, list[at]), 0);
		select_set_free(&set);
		ASSERT_EQ(set.nr, 0);
		select_set_free(&set); /* nothing: allowed */
	}
}

static int
compare(const void *left, const void *right)
{
	const struct select_candidate *a = left;
	const struct select_candidate *b = right;

	return a->chunk_idx < b->chunk_idx ? -1 : a->chunk_idx > b->chunk_idx;
}

static void
test_sort_by_place_is_that_of_qsort(void **state)
{
	static struct select_candidate got[VALUES];
	static struct select_candidate want[VALUES];
	uint64_t seed = 0x5eedd;

	for (size_t nr = 0; nr < VALUES; nr += 1 + nr / 3) {
		for (uint64_t range = 1; range != 0; range <<= 21) {
			for (size_t i = 0; i < nr; i++)
				got[i].chunk_idx = random_next(&seed) % range;
			memcpy(want, got, sizeof(got));
			qsort(want, nr, sizeof(*want), compare);
			select_sort_place(got, nr);
			ASSERT_EQ(memcmp(got, want, nr * sizeof(*got)), 0);
			/* and again, sorted already */
			select_sort_place(got, nr);
			ASSERT_EQ(memcmp(got, want, nr * sizeof(*got)), 0);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set_says_new_as_a_list_does),
		cmocka_unit_test(test_sort_by_place_is_that_of_qsort),
	};

	return cmocka_run_group_tests_name("select/set", tests, NULL, NULL);
}
