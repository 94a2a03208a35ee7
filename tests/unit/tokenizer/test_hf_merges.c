/* SPDX-License-Identifier: MIT */
/*
 * test_hf_merges.c - the last merge of a token is the one that merging in the
 * order of the list, pair by pair, comes to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tokenizer/hf_merges.h"
#include "tokenizer/vocab.h"

#define MERGES_NR 60
#define LEN_MAX 12

static uint32_t byte_ids[256];
static uint64_t seed = 20261125;

static uint32_t
draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((seed >> 33) % below);
}

static uint32_t
place_of(const struct hf_merge *list, uint32_t nr, uint32_t left,
	 uint32_t right)
{
	uint32_t found = HF_MERGE_NONE, place;

	for (place = 0; place < nr; place++)
		if (list[place].left == left && list[place].right == right)
			found = place;
	return found;
}

/* By the definition. */
static uint32_t
last_of(const struct hf_merge *list, uint32_t merges_nr, const uint8_t *bytes,
	size_t len)
{
	uint32_t ids[VOCAB_TOKEN_BYTES];
	size_t nr = len, i;

	for (i = 0; i < len; i++)
		ids[i] = byte_ids[bytes[i]];
	for (;;) {
		uint32_t least = HF_MERGE_NONE;
		size_t at = 0;

		for (i = 0; i + 1 < nr; i++) {
			uint32_t place =
				place_of(list, merges_nr, ids[i], ids[i + 1]);

			if (place < least) {
				least = place;
				at = i;
			}
		}
		if (least == HF_MERGE_NONE || nr == 2)
			return least;
		ids[at] = list[least].made;
		nr--;
		for (i = at + 1; i < nr; i++)
			ids[i] = ids[i + 1];
	}
}

static int
setup(void **state)
{
	uint32_t i;

	/* ids of bytes are in no order in such files */
	for (i = 0; i < 256; i++)
		byte_ids[i] = 1000 + (i * 37) % 256;
	return 0;
}

static void
test_hf_merges_by_hand_end_as_they_should(void **state)
{
	const uint32_t a = byte_ids['a'], b = byte_ids['b'];
	const struct hf_merge list[] = {
		{ 2, b, 3 }, /* 0: aa b, listed before what makes aa */
		{ a, b, 1 }, /* 1: ab */
		{ a, a, 2 }, /* 2: aa */
		{ a, 1, 3 }, /* 3: a ab */
		{ 3, a, 4 }, /* 4: aab a */
		{ a, b, 5 }, /* 5: ab again: this one counts */
	};
	struct hf_merges merges;

	assert_int_equal(hf_merges_init(&merges, list, 6), 0);
	assert_int_equal(
		hf_merges_last(&merges, byte_ids, (const uint8_t *)"ab", 2), 5);
	assert_int_equal(
		hf_merges_last(&merges, byte_ids, (const uint8_t *)"aa", 2), 2);
	/* aa comes first now, and aa b ends it */
	assert_int_equal(
		hf_merges_last(&merges, byte_ids, (const uint8_t *)"aab", 3),
		0);
	assert_int_equal(
		hf_merges_last(&merges, byte_ids, (const uint8_t *)"aaba", 4),
		4);
	assert_int_equal(
		hf_merges_last(&merges, byte_ids, (const uint8_t *)"ba", 2),
		HF_MERGE_NONE);
	assert_int_equal(
		hf_merges_last(&merges, byte_ids, (const uint8_t *)"abb", 3),
		HF_MERGE_NONE);
	hf_merges_fini(&merges);
	hf_merges_fini(&merges);
}

static void
test_hf_merges_of_none_make_nothing(void **state)
{
	struct hf_merges merges;

	assert_int_equal(hf_merges_init(&merges, NULL, 0), 0);
	assert_int_equal(
		hf_merges_last(&merges, byte_ids, (const uint8_t *)"ab", 2),
		HF_MERGE_NONE);
	hf_merges_fini(&merges);
}

/* 8 and 9 merges, 16 and 17: the table grows; the longest token there is. */
static void
test_hf_merges_at_random_are_as_by_definition(void **state)
{
	int round, i;

	for (round = 0; round < 300; round++) {
		uint32_t nr = round < MERGES_NR ? (uint32_t)round : MERGES_NR;
		struct hf_merge list[MERGES_NR];
		struct hf_merges merges;
		uint8_t bytes[VOCAB_TOKEN_BYTES];
		uint32_t place;

		for (place = 0; place < nr; place++) {
			/* the ids of a, b, c, or what some merge makes */
			uint32_t ids[2];

			for (i = 0; i < 2; i++)
				ids[i] = draw(2) ? byte_ids['a' + draw(3)]
						 : draw(nr);
			list[place] =
				(struct hf_merge){ ids[0], ids[1], draw(nr) };
		}
		assert_int_equal(hf_merges_init(&merges, list, nr), 0);
		for (i = 0; i < 200; i++) {
			size_t len = i == 0 ? VOCAB_TOKEN_BYTES
					    : 2 + draw(LEN_MAX),
			       at;

			for (at = 0; at < len; at++)
				bytes[at] = (uint8_t)('a' + draw(3));
			assert_int_equal(
				hf_merges_last(&merges, byte_ids, bytes, len),
				last_of(list, nr, bytes, len));
		}
		hf_merges_fini(&merges);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hf_merges_by_hand_end_as_they_should),
		cmocka_unit_test(test_hf_merges_of_none_make_nothing),
		cmocka_unit_test(test_hf_merges_at_random_are_as_by_definition),
	};

	return cmocka_run_group_tests_name("tokenizer/hf_merges", tests, setup,
					   NULL);
}
