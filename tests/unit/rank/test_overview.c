/* SPDX-License-Identifier: MIT */
/*
 * test_overview.c - shares of an overview.
 */
#include "tests/support/test_shm.h"

#include "rank/overview.h"

#define ONE 1000000u

static void
test_overview_shares_stay_within_the_whole(void **state)
{
	for (uint64_t all = 0; all < 2000000; all = all * 2 + 999) {
		uint64_t breadth;

		ASSERT_TRUE(overview_frame_tokens(all, false) <=
			    overview_frame_all(all));
		ASSERT_TRUE(overview_frame_tokens(all, true) <=
			    overview_frame_all(all));
		ASSERT_TRUE(overview_file_tokens(all) <= all / 6);
		ASSERT_TRUE(all < 60000 ||
			    overview_file_tokens(all) == all / 10);
		breadth = overview_breadth_tokens(all - overview_frame_all(all),
						  false);
		ASSERT_TRUE(breadth + overview_frame_all(all) <= all);
		/* what is hot is told from the rest: more of it in full */
		ASSERT_TRUE(
			overview_breadth_tokens(all - overview_frame_all(all),
						true) <= breadth);
	}
}

/* The better file has more, at any scale, in proportion but for what a file may
 * have at most; none has nothing. */
static void
test_overview_outlines_are_in_proportion(void **state)
{
	for (uint32_t scale = 0; scale < OVERVIEW_SCALES; scale++) {
		uint64_t best =
			overview_outline_tokens(20000, ONE, scale, true);
		uint64_t half =
			overview_outline_tokens(20000, ONE / 2, scale, true);

		ASSERT_TRUE(half == best / 2 ||
			    (best == 2600 && half > best / 2 && half < best));
		ASSERT_TRUE(overview_outline_tokens(20000, 0, scale, true) > 0);
		ASSERT_TRUE(scale == 0 ||
			    half > overview_outline_tokens(20000, ONE / 2,
							   scale - 1, true));
	}
}

/* Where their relevance is a guess, the best one has less. */
static void
test_overview_outlines_without_a_history_are_shorter(void **state)
{
	ASSERT_EQ(overview_outline_tokens(20000, ONE, 7, true), 1200);
	ASSERT_EQ(overview_outline_tokens(20000, ONE, 7, false), 860);
}

/* Of the signatures of files of that relevance, at a scale. */
static uint64_t
tokens_at(const struct overview_sums *sums, uint32_t scale)
{
	uint64_t tokens = 0;

	for (uint32_t i = 0; i < OVERVIEW_LEVELS; i++)
		tokens += sums->tokens[scale][i];
	return tokens;
}

/* As generous as there is room for. */
static void
test_overview_scale_is_the_largest_that_fits(void **state)
{
	struct overview_sums few = { 0 };
	uint32_t scale;

	for (uint32_t i = 0; i < 4; i++)
		overview_add(&few, 20000, ONE / (i + 1), 3000);
	scale = overview_scale(&few, 20000);
	ASSERT_EQ(scale, OVERVIEW_SCALES - 1);
	for (uint32_t i = 0; i < 4; i++)
		overview_add(&few, 20000, ONE / (i + 1), 3000);
	scale = overview_scale(&few, 20000);
	ASSERT_TRUE(scale > 0 && scale < OVERVIEW_SCALES - 1);
	ASSERT_TRUE(tokens_at(&few, scale) <= 20000);
	ASSERT_TRUE(tokens_at(&few, scale + 1) > 20000);
}

/* With a history at most three times a share of 60 thousandths, and 130 of the
 * breadth, which is no more than a tenth of the budget; where not even
 * one has room, so much that the best files are in, whatever else there is. */
static void
test_overview_scale_of_a_history_has_limits(void **state)
{
	struct overview_sums few = { .has_history = true };
	struct overview_sums many = { .has_history = true };

	overview_add(&few, 20000, ONE, 9000);
	ASSERT_EQ(overview_outline_tokens(20000, ONE,
					  overview_scale(&few, 20000), true),
		  2600);
	ASSERT_EQ(overview_outline_tokens(20000, ONE / 2,
					  overview_scale(&few, 20000), true),
		  3 * 600);
	ASSERT_TRUE(
		overview_outline_tokens(overview_breadth_tokens(90000, false),
					ONE, overview_scale(&few, 20000),
					true) < overview_file_tokens(100000));
	for (uint32_t i = 0; i < 30; i++)
		overview_add(&many, 20000, ONE, 800);
	for (uint32_t i = 0; i < 1000; i++)
		overview_add(&many, 20000, 1, 3000);
	ASSERT_EQ(overview_outline_tokens(20000, ONE,
					  overview_scale(&many, 20000), true),
		  1200 * 8 / 16);
}

/* Many files of much the same relevance: less of each for more of them. */
static void
test_overview_scale_is_less_where_that_shows_more(void **state)
{
	struct overview_sums alike = { .has_history = true };
	struct overview_sums steep = { .has_history = true };
	uint32_t scale;

	for (uint32_t i = 0; i < 200; i++) {
		overview_add(&alike, 20000, ONE, 4000);
		overview_add(&steep, 20000, ONE >> min_u64(i / 2, 19), 1200);
	}
	scale = overview_scale(&alike, 20000);
	ASSERT_TRUE(tokens_at(&alike, scale) < 2 * 20000);
	ASSERT_TRUE(overview_outline_tokens(20000, ONE, scale, true) <
		    1200 / 4);
	/* and more lines that are there */
	ASSERT_EQ(overview_breadth_at(20000, scale, true), 20000 / 100 * 88);
	ASSERT_EQ(overview_breadth_at(20000, scale, false), 20000);
	scale = overview_scale(&steep, 20000);
	ASSERT_EQ(overview_outline_tokens(20000, ONE, scale, true), 1200);
	ASSERT_EQ(overview_breadth_at(20000, scale, true), 20000);
}

static void
test_overview_depth_prefers_heat_then_order(void **state)
{
	const struct overview_chunk hot = { .heat = 1, .bytes = 10000 };
	const struct overview_chunk hotter = { .heat = 60000, .bytes = 100 };
	const struct overview_chunk same = { .heat = 60000, .bytes = 400 };
	const struct overview_chunk cold = { .relevance = ONE, .bytes = 1 };
	const struct overview_chunk part = { .relevance = ONE, .bytes = 2000 };
	const struct overview_chunk later = { .relevance = ONE,
					      .bytes = 1,
					      .order = 200 };

	ASSERT_TRUE(overview_depth(&hotter) > overview_depth(&same));
	ASSERT_TRUE(overview_depth(&same) > overview_depth(&hot));
	ASSERT_TRUE(overview_depth(&hot) > overview_depth(&cold));
	ASSERT_TRUE(overview_depth(&cold) > overview_depth(&later));
	/* a short end is worth as much as what is before it */
	ASSERT_EQ(overview_depth(&part), overview_depth(&cold));
}

/* By that files are left aside. */
static void
test_overview_depth_of_no_bytes_is_the_best_of_a_cold_file(void **state)
{
	srand(1);
	for (int i = 0; i < 100000; i++) {
		const struct overview_chunk chunk = {
			.relevance = (uint32_t)rand() % (ONE + 1),
			.bytes = (uint64_t)rand() % 10000,
			.order = (uint8_t)rand(),
		};
		const struct overview_chunk best = { .relevance =
							     chunk.relevance };

		ASSERT_TRUE(overview_depth(&chunk) <= overview_depth(&best));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overview_shares_stay_within_the_whole),
		cmocka_unit_test(test_overview_outlines_are_in_proportion),
		cmocka_unit_test(
			test_overview_outlines_without_a_history_are_shorter),
		cmocka_unit_test(test_overview_scale_is_the_largest_that_fits),
		cmocka_unit_test(test_overview_scale_of_a_history_has_limits),
		cmocka_unit_test(
			test_overview_scale_is_less_where_that_shows_more),
		cmocka_unit_test(test_overview_depth_prefers_heat_then_order),
		cmocka_unit_test(
			test_overview_depth_of_no_bytes_is_the_best_of_a_cold_file),
	};

	return cmocka_run_group_tests_name("rank/overview", tests, NULL, NULL);
}
