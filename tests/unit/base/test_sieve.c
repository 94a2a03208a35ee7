/* SPDX-License-Identifier: MIT */
/*
 * test_sieve.c - where a text may begin, against looking at each place.
 */
#include "tests/support/test_shm.h"

#include "base/sieve.h"

static uint64_t seed = 20261126;

/* Whether bytes at a place are those that one group may have. */
static bool
may_begin(const struct sieve *sieve, const uint8_t *at)
{
	uint8_t groups = UINT8_MAX;

	for (unsigned place = 0; place < SIEVE_PLACES; place++)
		groups &= (uint8_t)(sieve->low[place][at[place] & 15] &
				    sieve->high[place][at[place] >> 4]);
	return groups != 0;
}

static void
test_sieve_lets_every_term_through(void **state)
{
	static const char *const terms[] = { "abc", "the", "zzz", "q1_" };
	struct sieve sieve = { 0 };

	for (uint32_t t = 0; t < ARRAY_LEN(terms); t++)
		for (uint32_t place = 0; place < SIEVE_PLACES; place++)
			sieve_add(&sieve, t, place,
					(uint8_t)terms[t][place]);
	for (uint32_t t = 0; t < ARRAY_LEN(terms); t++)
		ASSERT_TRUE(may_begin(&sieve, (const uint8_t *)terms[t]));
	/* of different groups no place is the others' */
	ASSERT_TRUE(!may_begin(&sieve, (const uint8_t *)"ahz"));
	sieve_add(&sieve, 7, 0, 'x');
	sieve_add_any(&sieve, 7, 1);
	sieve_add_any(&sieve, 7, 2);
	for (unsigned c = 0; c < 256; c++) {
		const uint8_t text[] = { 'x', (uint8_t)c, (uint8_t)(255 - c) };

		ASSERT_TRUE(may_begin(&sieve, text));
	}
}

static void
test_sieve_finds_the_first_block(void **state)
{
	uint8_t text[4 * SIEVE_BLOCK + SIEVE_PLACES];
	struct sieve sieve = { 0 };

	if (!sieve_has_avx2())
		skip();
	for (uint32_t place = 0; place < SIEVE_PLACES; place++) {
		sieve_add(&sieve, 0, place, (uint8_t) "abc"[place]);
		sieve_add(&sieve, 1, place, (uint8_t) "bca"[place]);
	}
	for (int round = 0; round < 2000; round++) {
		uint64_t want_mask = 0;
		uint64_t mask = 1;
		size_t want = 0;

		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = (uint8_t)("abcdefghijklmnop"
						    [random_next(&seed) % 16]);
		for (; want < 4; want++) {
			for (unsigned i = 0; i < SIEVE_BLOCK; i++)
				want_mask |=
					(uint64_t)may_begin(
						&sieve,
						text + want * SIEVE_BLOCK + i)
					<< i;
			if (want_mask != 0)
				break;
		}
		ASSERT_EQ(sieve_next_avx2(&sieve, text, 4, &mask), want);
		ASSERT_EQ(mask, want_mask);
	}
}

/* The same by whole bytes, of 16 groups. */
static bool
may_begin_whole(const struct sieve *sieve, const uint8_t *at)
{
	for (unsigned half = 0; half < SIEVE_HALVES; half++) {
		uint8_t groups = UINT8_MAX;

		for (unsigned place = 0; place < SIEVE_PLACES; place++)
			groups &= sieve->whole[half][place][at[place] & 127];
		if (groups != 0)
			return true;
	}
	return false;
}

/* Random terms of random groups, in random bytes: every term passes, and what
 * passes is what the tables say, and no more than by nibbles in ASCII. */
static void
test_sieve_by_whole_bytes_lets_less_through(void **state)
{
	uint8_t text[SIEVE_BLOCK + SIEVE_PLACES];
	uint8_t term[SIEVE_PLACES];
	size_t passed[2] = { 0 };

	if (!sieve_has_avx512())
		skip();
	for (int round = 0; round < 2000; round++) {
		struct sieve sieve = { 0 };
		uint64_t mask;

		for (uint32_t t = 0; t < 20; t++) {
			uint32_t group = (uint32_t)random_next(&seed) % 16;

			for (uint32_t place = 0; place < SIEVE_PLACES; place++) {
				term[place] = random_next(&seed) % 128;
				sieve_add(&sieve, group, place, term[place]);
			}
		}
		if (round % 10 == 0)
			sieve_add_any(&sieve, 15, 2);
		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = (uint8_t)random_next(&seed);
		memcpy(text + round % SIEVE_BLOCK, term, sizeof(term));
		ASSERT_EQ(sieve_next_avx512(&sieve, text, 1, &mask), 0);
		ASSERT_TRUE(mask >> round % SIEVE_BLOCK & 1);
		for (unsigned i = 0; i < SIEVE_BLOCK; i++) {
			bool is_ascii = ((text[i] | text[i + 1] |
					  text[i + 2]) & 128) == 0;

			ASSERT_EQ(mask >> i & 1,
				  may_begin_whole(&sieve, text + i));
			if (!is_ascii)
				continue;
			passed[0] += mask >> i & 1;
			passed[1] += may_begin(&sieve, text + i);
			if (mask >> i & 1)
				ASSERT_TRUE(may_begin(&sieve, text + i));
		}
	}
	ASSERT_TRUE(passed[0] < passed[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sieve_lets_every_term_through),
		cmocka_unit_test(test_sieve_finds_the_first_block),
		cmocka_unit_test(test_sieve_by_whole_bytes_lets_less_through),
	};

	return cmocka_run_group_tests_name("base/sieve", tests, NULL, NULL);
}
