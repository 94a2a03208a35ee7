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
			    times * idf * tf * 2.6 /
				    (tf + 1.6 * (0.25 + 0.75 * bytes / usual)),
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
	/* 1 + 2 * 0.25 + 2 * 0.1 + 0.4 + 0.2 + 0.2 + 0.4 + 1.2 */
	const double top = 4.1;
	struct match_tally tally = { .best = 0 };

	match_tally_add(&tally, &file, share, 4);
	assert_near(tally.best, 1.45 / top, 1e-6, "the best");
	/* 1.45, 0.775, 1, 0.525 of 4.1 */
	assert_true(tally.nr == 4 && tally.with[353] == 1 &&
		    tally.with[189] == 1 && tally.with[243] == 1 &&
		    tally.with[128] == 1);
	match_pieces(&file, &(struct match_spread){ .decay = 0.9 }, share,
		     order, 4);
	/* own, 0.25 of each neighbour, 0.1 of theirs, 0.4 of the file; in the
	 * best file half of the decay */
	assert_near((double)share[0], (1 + 0.05 + 0.4) / top, 1e-6, "0");
	assert_near((double)share[2], 0.95 * (0.5 + 0.1 + 0.4) / top, 1e-6,
		    "2");
	assert_near((double)share[1], 0.95 * 0.95 * (0.375 + 0.4) / top, 1e-6,
		    "1");
	assert_near((double)share[3], 0.95 * 0.95 * 0.95 * (0.125 + 0.4) / top,
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
	struct match_spread spread = { .decay = 0.9, .best = 2 * 1.65 / 4.1 };

	match_pieces(&file, &spread, share, order, 2);
	assert_near((double)share[0], 1.65 / 4.1, 1e-6, "its best");
	assert_near((double)share[1], 0.95 * 0.915 * 1.65 / 4.1, 1e-6,
		    "another");
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
	assert_near((double)share[0], 0.4 / 4.1, 1e-6, "in the score");
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
	assert_near((double)share[0], (1 + 0.25) / 4.1, 1e-6, "its file is");
	assert_near((double)share[1], (0.25 + 0.25 + 0.7) / 4.1, 1e-6, "it is");
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
	assert_near((double)share[0], (0.2 + 0.4 * 0.5) / 4.1, 1e-6, "it is");
	assert_near((double)share[1], 0.2 / 4.1, 1e-6, "its file is");
}

/* verifies: FR-016-67 */
static void
test_match_pieces_stay_between_0_and_1(void **state)
{
	float share[5] = { 1, 1, 1, 1, 1 };
	const float named[5] = { 1, 1, 1, 1, 1 };
	struct match_file best = { 1, 1, 1, 1, true, named, named, 1, true };
	const struct match_spread spread = { .decay = 1 };
	uint64_t order[5];

	match_pieces(&best, &spread, share, order, 5);
	assert_near((double)share[2], 1, 1e-6, "all of everything, and a name");
	for (int i = 0; i < 5; i++)
		share[i] = 1;
	best.is_name = false;
	match_pieces(&best, &spread, share, order, 5);
	assert_near((double)share[2], 1, 1e-6, "all of everything");
	for (int i = 0; i < 5; i++)
		assert_true(share[i] > 0 && share[i] <= 1.000001f);
	match_pieces(&best, &spread, share, order, 0);
}

/* What defines the name that is asked for comes before all that uses it. */
static void
test_match_pieces_that_are_named_come_first(void **state)
{
	const float named[2] = { 0, 1 };
	const struct match_file uses = { .whole = 1,
					 .path = 1,
					 .history = 1,
					 .is_name = true,
					 .kind = 1 };
	const struct match_file defines = { .is_name = true,
					    .named_pieces = named,
					    .kind = 1 };
	double used = match_sum(&uses, 0, 1, 0.5);

	ASSERT_TRUE(match_sum(&defines, 1, 0.1, 0) > used);
	ASSERT_TRUE(match_sum(&defines, 0, 0.1, 0) < used);
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

/* Of what the best piece has above the floor 35 and 15 per cent; the best of
 * what there can be, a half. */
static void
test_match_confidence_is_of_the_best_and_the_floor(void **state)
{
	static const uint32_t floors[] = { 0, 1000, 20000 };

	for (size_t i = 0; i < ARRAY_LEN(floors); i++) {
		uint32_t floor = floors[i];
		uint32_t best = floor + 1000;

		assert_int_equal(match_confidence(floor + 350, best, floor),
				 MATCH_CONFIDENCE_HIGH);
		assert_int_equal(match_confidence(floor + 349, best, floor),
				 MATCH_CONFIDENCE_LOW);
		assert_int_equal(match_confidence(floor + 150, best, floor),
				 MATCH_CONFIDENCE_LOW);
		assert_int_equal(match_confidence(floor + 149, best, floor),
				 MATCH_CONFIDENCE_NONE);
	}
	assert_int_equal(match_confidence(0, 0, 0), MATCH_CONFIDENCE_NONE);
	/* all pieces are alike */
	assert_int_equal(match_confidence(700, 700, 700),
			 MATCH_CONFIDENCE_HIGH);
	assert_int_equal(match_confidence(0, 700, 0), MATCH_CONFIDENCE_NONE);
	assert_string_equal(
		match_confidence_text(match_confidence_best(500000)), "high");
	assert_string_equal(
		match_confidence_text(match_confidence_best(499999)), "low");
	assert_string_equal(match_confidence_text(match_confidence_best(0)),
			    "none");
}

/* A quarter of all pieces, 100 to 2,000: the score of the last of these. */
static void
test_match_floor_is_what_many_pieces_reach(void **state)
{
	static const struct {
		uint32_t nr;
		uint32_t reach;
	} cases[] = { { 0, 0 },       { 99, 0 },       { 100, 100 },
		      { 400, 100 },   { 1200, 300 },   { 8000, 2000 },
		      { 9000, 2000 }, { 100000, 2000 } };
	const struct match_file file = { .kind = 1 };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct match_tally tally = { .best = 0 };
		uint32_t nr = cases[i].nr;
		uint32_t above = 0;
		double floor;

		/* each piece by itself: no neighbours */
		for (uint32_t piece = 0; piece < nr; piece++) {
			float share = (float)(piece + 1) / (float)nr;

			match_tally_add(&tally, &file, &share, 1);
		}
		floor = match_tally_floor(&tally);
		for (uint32_t piece = 0; piece < nr; piece++)
			above += (double)(piece + 1) / nr / 4.1 >= floor;
		if (cases[i].reach == 0) {
			assert_near(floor, 0, 0, "there are fewer");
			continue;
		}
		/* a thousandth of the score is a step: 4.1 in a thousand */
		if (above < cases[i].reach ||
		    above > cases[i].reach + nr * 5 / 1000 + 1)
			fail_msg("of %u pieces %u reach the floor %f", nr,
				 above, floor);
	}
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

/* What has nothing needs not be looked at: all of it comes to nothing. */
static void
test_match_of_nothing_is_nothing(void **state)
{
	const struct match_file file = { .kind = match_kind_factor(0),
					 .begins = true };
	const struct match_spread spread = { .best = 0.5, .decay = 0.9 };
	struct match_tally tally = { .best = 0.25, .nr = 7, .with = { 3 } };
	struct match_tally same = tally;
	float share[5] = { 0 };
	uint64_t order[ARRAY_LEN(share)];

	match_tally_add(&tally, &file, share, ARRAY_LEN(share));
	match_tally_none(&same, ARRAY_LEN(share));
	assert_memory_equal(&tally, &same, sizeof(tally));
	match_pieces(&file, &spread, share, order, ARRAY_LEN(share));
	for (size_t i = 0; i < ARRAY_LEN(share); i++)
		assert_true(!(share[i] > 0) && !(share[i] < 0));
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
		cmocka_unit_test(test_match_pieces_that_are_named_come_first),
		cmocka_unit_test(
			test_match_kinds_that_are_not_requested_for_count_less),
		cmocka_unit_test(
			test_match_confidence_is_of_the_best_and_the_floor),
		cmocka_unit_test(test_match_floor_is_what_many_pieces_reach),
		cmocka_unit_test(test_match_decay_spreads_small_budgets_wider),
		cmocka_unit_test(test_match_root_squared_is_what_it_is_of),
		cmocka_unit_test(test_match_of_nothing_is_nothing),
	};

	return cmocka_run_group_tests_name("select/match", tests, NULL, NULL);
}
