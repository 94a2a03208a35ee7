/* SPDX-License-Identifier: MIT */
/*
 * test_select_top.c - the set that fills a room best, against each set there
 * is.
 */
#include "tests/support/test_shm.h"

#include "rank/best_fit.h"

#define ITEMS_FEW 12

static uint64_t words[RANK_BEST_FIT_WORDS];

/*
 * What the items with a bit in `set` cost, by what each says that it pays where
 * others of its section are before it.
 */
static uint64_t
cost_of(const struct rank_item *items, uint32_t nr, uint32_t set)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < nr; i++) {
		bool has_before = false;

		if ((set >> i & 1) == 0)
			continue;
		for (uint32_t k = 0; k < i; k++)
			has_before |= (set >> k & 1) &&
				      items[k].section == items[i].section;
		if (!has_before)
			sum += items[i].first;
		else
			sum += set >> (i - 1) & 1 ? items[i].beside
						  : items[i].apart;
	}
	return sum;
}

/* Items of a few sections: marks and headers on top of what they are. */
static uint32_t
make_items(uint64_t *seed, struct rank_item *items)
{
	uint32_t nr = (uint32_t)(random_next(seed) % (ITEMS_FEW + 1));
	uint32_t sections = 1 + (uint32_t)(random_next(seed) % 5);
	uint32_t header = (uint32_t)(random_next(seed) % 40);
	uint32_t mark = (uint32_t)(random_next(seed) % 20);

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t cost = 1 + (uint32_t)(random_next(seed) % 150);

		items[i] = (struct rank_item){
			.section = i * sections / ITEMS_FEW,
			.first = cost + header,
			.apart = cost + mark,
			.beside =
				random_next(seed) % 3 == 0 ? cost : cost + mark,
		};
	}
	return nr;
}

/* verifies: FR-016c-32, AC-016c-044 */
static void
test_top_up_is_the_best_of_all_subsets(void **state)
{
	uint64_t seed = 0x70b0b;

	for (int round = 0; round < 600; round++) {
		struct rank_item items[ITEMS_FEW];
		uint32_t chosen[ITEMS_FEW];
		uint32_t nr = make_items(&seed, items);
		uint32_t tokens = (uint32_t)(random_next(&seed) % 700);
		const struct rank_room room = { tokens, tokens };
		uint64_t best = 0;
		uint32_t set = 0;
		uint64_t sum = 0;

		for (uint32_t s = 0; s < 1u << nr; s++) {
			uint64_t cost = cost_of(items, nr, s);

			if (cost <= tokens)
				best = max_u64(best, cost);
		}
		ASSERT_EQ(rank_best_fit(items, nr, &room, words, chosen), best);
		for (uint32_t i = 0; i < nr; i++) {
			set |= (uint32_t)(chosen[i] != 0) << i;
			sum += chosen[i];
		}
		ASSERT_EQ(sum, best);
		ASSERT_EQ(cost_of(items, nr, set), best);
	}
}

/* As many items and as much room as there may be: each sum, one by one. */
static void
test_top_up_of_much_room_is_what_each_sum_says(void **state)
{
	static bool is_sum[RANK_BEST_FIT_ROOM + 1];
	static struct rank_item items[RANK_BEST_FIT_MAX];
	static uint32_t chosen[RANK_BEST_FIT_MAX];
	static const struct {
		uint32_t nr;
		uint32_t tokens;
		uint32_t step; /* costs are multiples of it */
		uint32_t most;
	} cases[] = {
		{ RANK_BEST_FIT_MAX, RANK_BEST_FIT_ROOM, 1,
		  RANK_BEST_FIT_ROOM },
		{ RANK_BEST_FIT_MAX, RANK_BEST_FIT_ROOM - 1, 64, 40 },
		{ 200, RANK_BEST_FIT_ROOM, 1000, 5 },
		{ 60, 4095, 63, 30 },
		{ 3, RANK_BEST_FIT_ROOM, 1, RANK_BEST_FIT_ROOM },
		{ 0, 100, 1, 1 },
	};
	uint64_t seed = 0x70b0c;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct rank_room room = { cases[i].tokens,
						cases[i].tokens };
		uint32_t want = room.tokens;
		uint64_t sum = 0;

		memset(is_sum, 0, sizeof(is_sum));
		is_sum[0] = true;
		for (uint32_t c = 0; c < cases[i].nr; c++) {
			uint32_t cost = cases[i].step *
					(1 + (uint32_t)(random_next(&seed) %
							cases[i].most));

			items[c] = (struct rank_item){ c, cost, 1, 1 };
			for (uint32_t s = room.tokens; s >= cost; s--)
				is_sum[s] |= is_sum[s - cost];
		}
		while (!is_sum[want])
			want--;
		ASSERT_EQ(
			rank_best_fit(items, cases[i].nr, &room, words, chosen),
			want);
		for (uint32_t c = 0; c < cases[i].nr; c++) {
			ASSERT_TRUE(chosen[c] == 0 ||
				    chosen[c] == items[c].first);
			sum += chosen[c];
		}
		ASSERT_EQ(sum, want);
	}
}

/* What ranks better stays where less than all is enough. */
static void
test_top_up_of_enough_takes_the_front(void **state)
{
	static const struct rank_item items[] = {
		{ 0, 40, 1, 1 },  { 1, 30, 1, 1 }, { 2, 25, 1, 1 },
		{ 3, 100, 1, 1 }, { 4, 60, 1, 1 },
	};
	const struct rank_room full = { 100, 100 };
	const struct rank_room most = { 100, 93 };
	uint32_t chosen[ARRAY_LEN(items)];

	ASSERT_EQ(rank_best_fit(items, 5, &full, words, chosen), 100);
	ASSERT_TRUE(chosen[3]);
	ASSERT_EQ(rank_best_fit(items, 5, &most, words, chosen), 95);
	ASSERT_TRUE(chosen[0] && chosen[1] && chosen[2] && !chosen[3]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_top_up_is_the_best_of_all_subsets),
		cmocka_unit_test(
			test_top_up_of_much_room_is_what_each_sum_says),
		cmocka_unit_test(test_top_up_of_enough_takes_the_front),
	};

	return cmocka_run_group_tests_name("select/top", tests, NULL, NULL);
}
