/* SPDX-License-Identifier: MIT */
/*
 * test_select_match.c - BM25 against the formula with the logarithm of libm;
 * pieces of a file against numbers worked by hand.
 */
#include "tests/support/test_shm.h"

#include <math.h>

#include "rank/match.h"

static void
assert_near(double got, double want, double within, const char *what)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%s: got %.9f, want %.9f", what, got, want);
}

/* verifies: FR-016-55, FR-016-69 */
static void
test_match_term_is_bm25(void **state)
{
	uint64_t seed = 3;

	for (int round = 0; round < 10000; round++) {
		struct match_set set = { 0 };
		double times;
		double idf;
		double tf;
		double bytes;
		double usual;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		set.nr = 1 + (seed >> 20) % 10000000;
		set.with[0] = (seed >> 8) % (set.nr + 1);
		set.length = set.nr * (1 + (seed >> 50));
		times = 0.5 * (double)(1 + seed % 9);
		tf = (double)(1 + (seed >> 30) % 255);
		bytes = (double)((seed >> 33) % 100000);
		match_weigh(&set, &times, 1);
		idf = log(1 + ((double)set.nr - (double)set.with[0] + 0.5) /
				      ((double)set.with[0] + 0.5));
		assert_near(set.weight[0], times * idf, 1e-6, "weight");
		usual = (double)set.length / (double)set.nr;
		assert_near(match_term(&set, 0, (uint32_t)tf, (uint64_t)bytes),
			    times * idf * tf * 2.2 /
				    (tf + 1.2 * (0.25 + 0.75 * bytes / usual)),
			    1e-5, "term");
	}
}

static void
test_match_cover_raises_what_has_more_of_the_query(void **state)
{
	struct match_set set = { .nr = 10, .with = { 5, 5 } };
	const double worth[] = { 1, 3 };

	match_weigh(&set, worth, 2);
	assert_near(match_cover(&set, 8, 0), 8, 1e-9, "nothing");
	assert_near(match_cover(&set, 8, set.weight[0]), 9, 1e-9, "a quarter");
	assert_near(match_cover(&set, 8, set.all), 12, 1e-9, "all");
}

static void
test_match_pieces_are_as_worked_by_hand(void **state)
{
	const struct match_file file = { .whole = 1, .kind = 1 };
	float share[4] = { 1, 0, 0.5f, 0 };
	uint64_t order[4];
	/* 1 + 2 * 0.2 + 2 * 0.1 + 0.3 + 0.2 + 0.2 + 0.4 + 1.2 */
	const double top = 3.9;

	assert_near(match_best(&file, share, 4), 1.35 / top, 1e-6, "the best");
	match_pieces(&file, &(struct match_spread){ .decay = 0.9 }, share,
		     order, 4);
	/* own, 0.2 of each neighbour, 0.1 of theirs, 0.3 of the file; in the
	 * best file half of the decay */
	assert_near((double)share[0], (1 + 0.05 + 0.3) / top, 1e-6, "0");
	assert_near((double)share[2], 0.95 * (0.5 + 0.1 + 0.3) / top, 1e-6,
		    "2");
	assert_near((double)share[1],
		    0.95 * 0.95 * (0.2 + 0.1 + 0.3) / top, 1e-6, "1");
	assert_near((double)share[3], 0.95 * 0.95 * 0.95 * (0.1 + 0.3) / top,
		    1e-6, "3");
}

/* A file that is half as good as the best: 0.85 of the decay, and 0.05 off all
 * but its best piece. */
static void
test_match_pieces_of_other_files_decay_more(void **state)
{
	const struct match_file file = { .whole = 1, .kind = 1 };
	float share[2] = { 1, 1 };
	uint64_t order[2];
	struct match_spread spread = { .decay = 0.9 };

	spread.best = 2 * match_best(&file, share, 2);
	match_pieces(&file, &spread, share, order, 2);
	assert_near((double)share[0], 1.5 / 3.9, 1e-6, "its best");
	assert_near((double)share[1], 0.95 * 0.915 * 1.5 / 3.9, 1e-6, "another");
}

/* Imports and constants are there: 0.4 of what the best piece has. */
static void
test_match_pieces_that_begin_a_file_have_a_share_of_the_best(void **state)
{
	struct match_file file = { .kind = 1, .begins = true };
	float share[4] = { 0, 0, 0, 1 };
	uint64_t order[4];

	assert_near(match_near(&file, share, 4, 0), 0.4, 1e-6, "the first");
	assert_near(match_near(&file, share, 4, 1), 0.1, 1e-6, "the second");
	file.begins = false;
	assert_near(match_near(&file, share, 4, 0), 0, 1e-6, "of a later part");
	file.begins = true;
	match_pieces(&file, &(struct match_spread){ .decay = 1 }, share, order,
		     4);
	assert_near((double)share[0], 0.4 / 3.9, 1e-6, "in the score");
}

/* What the query names: 0.5 for the file, 0.7 for the piece. */
static void
test_match_pieces_that_are_named_gain(void **state)
{
	const float named[2] = { 0, 1 };
	const struct match_file file = { .named = 0.5,
					 .kind = 1,
					 .named_pieces = named };
	float share[2] = { 1, 0 };
	uint64_t order[2];

	match_pieces(&file, &(struct match_spread){ .decay = 1 }, share, order,
		     2);
	assert_near((double)share[0], (1 + 0.25) / 3.9, 1e-6, "its file is");
	assert_near((double)share[1], (0.2 + 0.25 + 0.7) / 3.9, 1e-6, "it is");
	assert_near(match_named(&file, 1), 0.95 / 1.2, 1e-9, "a share");
}

/* Lines of it came with a commit whose message matches: 0.4. */
static void
test_match_pieces_that_messages_tell_of_gain(void **state)
{
	const float told[2] = { 0.5f, 0 };
	const struct match_file file = { .history = 1,
					 .kind = 1,
					 .said_pieces = told };
	float share[2] = { 0, 0 };
	uint64_t order[2];

	match_pieces(&file, &(struct match_spread){ .decay = 1 }, share, order,
		     2);
	assert_near((double)share[0], (0.2 + 0.4 * 0.5) / 3.9, 1e-6, "it is");
	assert_near((double)share[1], 0.2 / 3.9, 1e-6, "its file is");
}

/* verifies: FR-016-67 */
static void
test_match_pieces_stay_between_0_and_1(void **state)
{
	float share[5] = { 1, 1, 1, 1, 1 };
	const float named[5] = { 1, 1, 1, 1, 1 };
	const struct match_file best = { 1, 1, 1, 1, named, named, 1, true };
	const struct match_spread spread = { .decay = 1 };
	uint64_t order[5];

	match_pieces(&best, &spread, share, order, 5);
	assert_near((double)share[2], 1, 1e-6, "all of everything");
	for (int i = 0; i < 5; i++)
		assert_true(share[i] > 0 && share[i] <= 1.000001f);
	match_pieces(&best, &spread, share, order, 0);
}

static void
test_match_kinds_that_are_not_requested_for_count_less(void **state)
{
	assert_near(match_kind_factor(0), 1, 0, "code");
	assert_near(match_kind_factor(MATCH_TEST), 0.3, 1e-9, "tests");
	assert_near(match_kind_factor(MATCH_TEST | MATCH_VENDORED), 0.15, 1e-9,
		    "vendored tests");
}

static void
test_match_decay_spreads_small_budgets_wider(void **state)
{
	double before = 0;

	for (uint64_t budget = 8000; budget < 10000000; budget *= 2) {
		double decay = match_decay(budget);

		assert_true(decay > before && decay < 1);
		before = decay;
	}
	assert_near(match_decay(0), match_decay(8000), 0, "the least");
}

/* Of the best piece 45 and 25 per cent; the best of what there can be, a half. */
static void
test_match_confidence_is_of_the_best(void **state)
{
	assert_int_equal(match_confidence(450, 1000), MATCH_CONFIDENCE_HIGH);
	assert_int_equal(match_confidence(449, 1000), MATCH_CONFIDENCE_LOW);
	assert_int_equal(match_confidence(250, 1000), MATCH_CONFIDENCE_LOW);
	assert_int_equal(match_confidence(249, 1000), MATCH_CONFIDENCE_NONE);
	assert_int_equal(match_confidence(0, 0), MATCH_CONFIDENCE_NONE);
	assert_string_equal(
		match_confidence_text(match_confidence_best(500000)), "high");
	assert_string_equal(
		match_confidence_text(match_confidence_best(499999)), "low");
	assert_string_equal(match_confidence_text(match_confidence_best(0)),
			    "none");
}

static void
test_match_root_squared_is_what_it_is_of(void **state)
{
	assert_near(match_root(0), 0, 0, "of nothing");
	assert_near(match_root(-1), 0, 0, "of what has none");
	for (double x = 1e-12; x < 1e12; x *= 7.3)
		assert_near(match_root(x) * match_root(x) / x, 1, 1e-14,
			    "root");
	assert_near(match_root(4), 2, 1e-15, "of four");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match_term_is_bm25),
		cmocka_unit_test(
			test_match_cover_raises_what_has_more_of_the_query),
		cmocka_unit_test(test_match_pieces_are_as_worked_by_hand),
		cmocka_unit_test(test_match_pieces_of_other_files_decay_more),
		cmocka_unit_test(
			test_match_pieces_that_begin_a_file_have_a_share_of_the_best),
		cmocka_unit_test(test_match_pieces_that_are_named_gain),
		cmocka_unit_test(test_match_pieces_that_messages_tell_of_gain),
		cmocka_unit_test(test_match_pieces_stay_between_0_and_1),
		cmocka_unit_test(
			test_match_kinds_that_are_not_requested_for_count_less),
		cmocka_unit_test(test_match_confidence_is_of_the_best),
		cmocka_unit_test(test_match_decay_spreads_small_budgets_wider),
		cmocka_unit_test(test_match_root_squared_is_what_it_is_of),
	};

	return cmocka_run_group_tests_name("select/match", tests, NULL, NULL);
}
