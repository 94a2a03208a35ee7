/* SPDX-License-Identifier: MIT */
/*
 * test_select_set.c - the set of fingerprints and the set of numbers, each
 *                     against a list.
 */
#include "tests/support/test_shm.h"

#include "stages/select/select_plan_parts.h"

#define PRINTS 3000

/* Twice as many slots, all free, that hold what the others hold. */
static void
grow(struct rank_set *set)
{
	struct rank_set wider = { 0 };

	wider.slot_nr = set->slot_nr == 0 ? 4 : set->slot_nr * 2;
	wider.slots = calloc(wider.slot_nr, FINGERPRINT_BYTES);
	ASSERT_TRUE(wider.slots != NULL);
	/* in two parts, as who has little memory does */
	rank_set_move(&wider, set, 0, set->slot_nr / 2);
	rank_set_move(&wider, set, set->slot_nr / 2,
		      set->slot_nr - set->slot_nr / 2);
	ASSERT_EQ(wider.nr, set->nr);
	free(set->slots);
	*set = wider;
}

/* verifies: FR-016-94, AC-016c-023, AC-016c-053 */
static void
test_set_says_new_as_a_list_does(void **state)
{
	static uint8_t list[PRINTS][FINGERPRINT_BYTES];
	uint64_t seed = 0x5eedc;

	/* few different first bytes: many that share a place */
	for (uint64_t places = 1; places <= 1000000; places *= 1000) {
		struct rank_set set = { 0 };
		size_t nr = 0;

		for (int i = 0; i < PRINTS; i++) {
			uint8_t print[FINGERPRINT_BYTES] = { 0 };
			uint64_t place = random_next(&seed) % places;
			size_t at = 0;
			bool got;

			memcpy(print, &place, sizeof(place));
			print[15] = (uint8_t)(random_next(&seed) % 8);
			print[14] = (uint8_t)(random_next(&seed) % 32);
			while (at < nr &&
			       memcmp(list[at], print, FINGERPRINT_BYTES) != 0)
				at++;
			if (rank_set_is_full(&set))
				grow(&set);
			ASSERT_EQ(rank_set_has(&set, print), at < nr);
			got = rank_set_add(&set, print);
			ASSERT_EQ(got, at == nr);
			if (at == nr)
				memcpy(list[nr++], print, FINGERPRINT_BYTES);
			ASSERT_EQ(set.nr, nr);
		}
		/* growing has lost none, that of zeros included */
		for (size_t at = 0; at < nr; at++)
			ASSERT_TRUE(rank_set_has(&set, list[at]));
		free(set.slots);
	}
}

static void
test_bits_are_those_of_a_list_however_it_grows(void **state)
{
	static bool list[200000];
	struct select_bits bits = { 0 };
	uint64_t seed = 0xb175;

	ASSERT_TRUE(!select_bits_has(&bits, 0));
	select_bits_clear(&bits, 0); /* of none */
	for (uint64_t most = 8; most <= ARRAY_LEN(list); most *= 5) {
		for (int i = 0; i < 300; i++) {
			uint64_t in = random_next(&seed) % most;
			uint64_t out = random_next(&seed) % most;

			ASSERT_EQ(select_bits_set(&bits, in), 0);
			list[in] = true;
			select_bits_clear(&bits, out);
			list[out] = false;
		}
		for (uint64_t i = 0; i < ARRAY_LEN(list); i++)
			ASSERT_EQ(select_bits_has(&bits, i), list[i]);
	}
	ASSERT_TRUE(bits.nr >= ARRAY_LEN(list) / 5);
	select_bits_free(&bits);
	ASSERT_TRUE(bits.nr == 0 && bits.bytes == NULL);
}

/* What lies behind the last of them is not theirs. */
static void
test_bits_end_at_their_number(void **state)
{
	uint8_t bytes[] = { 0x00, 0xff };
	struct select_bits bits = { .bytes = bytes, .nr = 8 };

	ASSERT_TRUE(!select_bits_has(&bits, 7));
	ASSERT_TRUE(!select_bits_has(&bits, 8));
	select_bits_clear(&bits, 8);
	ASSERT_EQ(bytes[1], 0xff);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set_says_new_as_a_list_does),
		cmocka_unit_test(
			test_bits_are_those_of_a_list_however_it_grows),
		cmocka_unit_test(test_bits_end_at_their_number),
	};

	return cmocka_run_group_tests_name("select/set", tests, NULL, NULL);
}
