/* SPDX-License-Identifier: MIT */
/*
 * test_select_rank.c - scores, their order, and windows of bounded memory
 * against a full sort.
 */
#include "tests/support/test_shm.h"

#include "rank/rank.h"

#define CANDIDATES (3 * RANK_CANDIDATES + 1234)

#define SECOND 1000000000ll
#define MONTH (30 * 86400 * SECOND)

static struct rank_candidate heap[RANK_CANDIDATES];
static struct rank_candidate all[CANDIDATES];
static struct rank_candidate sorted[CANDIDATES];

static const struct rank_weights standard = { 500000, 300000, 200000 };

/* Worked by hand: 0.5 relevance + 0.3 recency + 0.2 source. */
/* verifies: FR-016-55, FR-016-56, FR-016-57, FR-016-59, FR-016-60 */
/* verifies: FR-016-61 */
static void
test_score_examples_are_as_worked_by_hand(void **state)
{
	static const struct {
		struct rank_file file;
		int64_t newest;
		uint32_t want;
	} cases[] = {
		{ { 10, 1000000, 100, false }, 10, 1000000 },
		{ { 10, 500000, 100, false }, 10, 750000 },
		{ { 10, 0, 100, false }, 10, 500000 },
		{ { 10, 0, 80, false }, 10, 460000 },
		{ { 10, 0, 40, false }, 10, 380000 },
		{ { 0, 1000000, 100, false }, MONTH, 850000 },
		{ { 0, 1000000, 100, false }, 2 * MONTH, 800000 },
		{ { 20, 1000000, 100, false }, 10, 1000000 },
		{ { 0, 0, 0, false }, SECOND, 300000 },
		{ { 10, 500000, 100, true }, 10, 600000 },
		{ { 10, 0, 0, true }, 10, 0 },
		{ { INT64_MIN, 0, 0, false }, INT64_MAX, 42 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct rank_times times = { 0, cases[i].newest };
		uint32_t got =
			rank_score(&cases[i].file, &times, &standard, NULL);

		if (got != cases[i].want)
			fail_msg("case %zu: got %u, want %u", i, got,
				 cases[i].want);
	}
}

/* verifies: FR-016-58, FR-016-67 */
static void
test_score_weights_are_made_to_add_up(void **state)
{
	const struct rank_file file = { 0, 500000, 40, false };
	const struct rank_times times = { 0, MONTH / 3 };
	static const struct {
		struct rank_weights weights;
		uint32_t want; /* of 0.5, 0.75, 0.4 */
	} cases[] = {
		{ { 1, 0, 0 }, 500000 },
		{ { 0, 1000000, 0 }, 750000 },
		{ { 0, 0, 3 }, 400000 },
		{ { 1, 1, 0 }, 625000 },
		{ { 1000000, 1000000, 2000000 }, 512500 },
		{ { 0, 0, 0 }, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		ASSERT_EQ(rank_score(&file, &times, &cases[i].weights, NULL),
			  cases[i].want);
}

/* verifies: FR-016-67, FR-016-69, FR-016-70, NFR-016-28, NFR-016-29 */
static void
test_score_is_the_mean_of_the_factors_it_shows(void **state)
{
	uint64_t seed = 0x5eedb;

	for (int i = 0; i < 20000; i++) {
		const struct rank_file file = {
			.mtime_ns = (int64_t)(random_next(&seed) >> 2),
			.relevance = (uint32_t)(random_next(&seed) % 1000001),
			.priority = (uint32_t)(random_next(&seed) % 101),
			.is_matched = i % 2 != 0,
		};
		const struct rank_times times = {
			.newest_ns = (int64_t)(random_next(&seed) >> 2)
		};
		struct rank_factors shown;
		uint32_t score = rank_score(&file, &times, &standard, &shown);
		double mean = 0.5 * (double)shown.relevance +
			      0.3 * (double)shown.recency +
			      0.2 * (double)shown.source;

		ASSERT_TRUE(score <= 1000000 && shown.recency <= 1000000);
		ASSERT_TRUE((double)score > mean - 2 &&
			    (double)score < mean + 2);
		ASSERT_TRUE(score ==
			    rank_score(&file, &times, &standard, NULL));
	}
}

/* verifies: FR-016-68, CTX-02.9, 016c-AC-048 */
static void
test_order_of_equal_scores_is_by_source_then_place(void **state)
{
	struct rank_candidate a = { .score = 5, .chunk_idx = 7 };
	struct rank_candidate b = { .score = 5, .chunk_idx = 8 };

	ASSERT_TRUE(rank_is_before(&a, &b));
	ASSERT_TRUE(!rank_is_before(&b, &a));
	ASSERT_TRUE(!rank_is_before(&a, &a));
	/* the source comes before the place */
	a.category = CATEGORY_REFERENCE;
	b.category = CATEGORY_OPEN;
	ASSERT_TRUE(rank_is_before(&b, &a));
	ASSERT_TRUE(!rank_is_before(&a, &b));
	a.category = CATEGORY_TOOL;
	ASSERT_TRUE(rank_is_before(&a, &b));
	b.score = 6;
	ASSERT_TRUE(rank_is_before(&b, &a));
	ASSERT_TRUE(!rank_is_before(&a, &b));
}

/* An order is one of parts of a file; files are in the order of their chunks. */
static void
test_order_within_a_file_is_that_of_its_parts(void **state)
{
	struct rank_candidate a = { .chunk_idx = 9, .order = 0 };
	struct rank_candidate b = { .chunk_idx = 5, .order = 1 };

	ASSERT_TRUE(rank_is_before(&a, &b));
	ASSERT_TRUE(!rank_is_before(&b, &a));
	b.file_idx = 1;
	ASSERT_TRUE(!rank_is_before(&a, &b));
	ASSERT_TRUE(rank_is_before(&b, &a));
}

static int
compare(const void *left, const void *right)
{
	const struct rank_candidate *a = left;
	const struct rank_candidate *b = right;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return a->chunk_idx < b->chunk_idx ? -1 : a->chunk_idx > b->chunk_idx;
}

/* Windows one after the other are the full sort, cut into pieces. */
static void
assert_windows_are_sorted(size_t nr, uint32_t scores, uint64_t seed)
{
	struct rank_candidates window = { .heap = heap };
	size_t at = 0;

	for (size_t i = 0; i < nr; i++)
		all[i] = (struct rank_candidate){
			.score = (uint32_t)(random_next(&seed) % scores),
			.chunk_idx = i,
			.tokens = (uint32_t)(i * 3),
			.file_idx = (uint32_t)i,
		};
	memcpy(sorted, all, nr * sizeof(*all));
	qsort(sorted, nr, sizeof(*sorted), compare);
	do {
		size_t want =
			nr - at < RANK_CANDIDATES ? nr - at : RANK_CANDIDATES;

		rank_candidates_next(&window);
		for (size_t i = 0; i < nr; i++)
			rank_candidates_add(&window, &all[i]);
		rank_candidates_sort(&window);
		ASSERT_EQ(window.nr, want);
		ASSERT_EQ(window.passed_over, nr - at - want);
		if (memcmp(window.heap, sorted + at, want * sizeof(*sorted)) !=
		    0)
			fail_msg("%zu candidates of %u scores, window at %zu: "
				 "got another order than that of a full sort",
				 nr, scores, at);
		at += want;
	} while (window.passed_over > 0);
	ASSERT_EQ(at, nr);
}

/* verifies: FR-016-52, FR-016-54, FR-016-68, FR-016-69, FR-016-110 */
/* verifies: NFR-016-29, NFR-016c-18, FR-016c-53 */
static void
test_windows_of_any_number_are_the_full_sort(void **state)
{
	static const size_t numbers[] = { 0,
					  1,
					  2,
					  100,
					  RANK_CANDIDATES - 1,
					  RANK_CANDIDATES,
					  RANK_CANDIDATES + 1,
					  2 * RANK_CANDIDATES,
					  CANDIDATES };

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		assert_windows_are_sorted(numbers[i], 1000000, 17 + i);
		assert_windows_are_sorted(numbers[i], 3, 18 + i);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_score_examples_are_as_worked_by_hand),
		cmocka_unit_test(test_score_weights_are_made_to_add_up),
		cmocka_unit_test(
			test_score_is_the_mean_of_the_factors_it_shows),
		cmocka_unit_test(
			test_order_of_equal_scores_is_by_source_then_place),
		cmocka_unit_test(test_order_within_a_file_is_that_of_its_parts),
		cmocka_unit_test(test_windows_of_any_number_are_the_full_sort),
	};

	return cmocka_run_group_tests_name("select/rank", tests, NULL, NULL);
}
