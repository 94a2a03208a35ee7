/* SPDX-License-Identifier: MIT */
/*
 * test_select_rank.c - scores, their order, and windows of bounded memory
 * against a full sort.
 */
#include "tests/test_shm.h"

#include "stages/select/select.h"

#define CANDIDATES (3 * SELECT_WINDOW + 1234)

#define SECOND 1000000000ll
#define MONTH (30 * 86400 * SECOND)

static struct select_candidate heap[SELECT_WINDOW];
static struct select_candidate all[CANDIDATES];
static struct select_candidate sorted[CANDIDATES];

static uint32_t
score_of(uint64_t bytes, uint32_t depth, int64_t mtime, int64_t oldest,
	 int64_t newest)
{
	const struct select_file file = { .bytes = bytes,
					  .mtime_ns = mtime,
					  .depth = depth,
					  .relevance = SELECT_RELEVANCE_NONE,
					  .priority = 100 };
	const struct select_times times = { oldest, newest };

	return select_score(&file, &times);
}

/* Worked by hand: 0.25 size + 0.25 depth + 0.3 recency + 0.2. */
/* verifies: FR-016-55, FR-016-56, FR-016-59, FR-016-60, FR-016-61 */
static void
test_score_examples_are_as_worked_by_hand(void **state)
{
	static const struct {
		uint64_t bytes;
		uint32_t depth;
		int64_t mtime;
		int64_t oldest;
		int64_t newest;
		uint32_t want;
	} cases[] = {
		{ 0, 0, 10, 0, 10, 1000000 },      /* all of everything */
		{ 16384, 0, 10, 0, 10, 875000 },   /* half for its size */
		{ 0, 4, 10, 0, 10, 875000 },       /* half for its depth */
		{ 16384, 4, 10, 0, 10, 750000 },   /* both */
		{ 0, 0, 0, 0, MONTH, 850000 },     /* a month old */
		{ 0, 0, 0, 0, 2 * MONTH, 800000 }, /* two */
		{ 0, 0, 77, 77, 77, 1000000 },     /* one time only */
		{ 0, 0, 20, 0, 10, 1000000 },      /* newer than known */
		{ 0, 0, 0, 0, SECOND, 1000000 },   /* the same checkout */
		{ 49152, 12, 10, 0, 10, 625000 },  /* a quarter of both */
		{ UINT64_MAX, UINT32_MAX, 0, 0, 9 * MONTH, 230000 },
		{ 0, 0, INT64_MAX, INT64_MIN, INT64_MAX, 1000000 },
		{ 0, 0, INT64_MIN, INT64_MIN, INT64_MAX, 700042 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint32_t got =
			score_of(cases[i].bytes, cases[i].depth, cases[i].mtime,
				 cases[i].oldest, cases[i].newest);

		if (got != cases[i].want)
			fail_msg("case %zu: got %u, want %u", i, got,
				 cases[i].want);
	}
}

/* verifies: FR-016-67, FR-016-69, NFR-016-28, NFR-016-29 */
static void
test_score_lies_between_nothing_and_one_and_grows_as_told(void **state)
{
	uint64_t seed = 0x5eedb;

	for (int i = 0; i < 20000; i++) {
		uint64_t bytes = random_next(&seed) >> i % 64;
		uint32_t depth = (uint32_t)(random_next(&seed) % 60);
		int64_t a = (int64_t)(random_next(&seed) >> 2);
		int64_t b = (int64_t)(random_next(&seed) >> 2);
		int64_t oldest = a < b ? a : b;
		int64_t newest = a < b ? b : a;
		int64_t at = oldest + (newest - oldest) / 3;
		uint32_t score = score_of(bytes, depth, at, oldest, newest);

		ASSERT_TRUE(score <= 1000000);
		ASSERT_TRUE(score ==
			    score_of(bytes, depth, at, oldest, newest));
		ASSERT_TRUE(score >= score_of(add_sat_u64(bytes, bytes), depth,
					      at, oldest, newest));
		ASSERT_TRUE(score >
			    score_of(bytes, depth + 1, at, oldest, newest));
		ASSERT_TRUE(score <=
			    score_of(bytes, depth, newest, oldest, newest));
	}
}

/* verifies: FR-016-68, CTX-02.9 */
static void
test_order_of_equal_scores_is_by_place(void **state)
{
	struct select_candidate a = { .score = 5, .chunk_idx = 7 };
	struct select_candidate b = { .score = 5, .chunk_idx = 8 };

	ASSERT_TRUE(select_is_before(&a, &b));
	ASSERT_TRUE(!select_is_before(&b, &a));
	ASSERT_TRUE(!select_is_before(&a, &a));
	b.score = 6;
	ASSERT_TRUE(select_is_before(&b, &a));
	ASSERT_TRUE(!select_is_before(&a, &b));
}

static int
compare(const void *left, const void *right)
{
	const struct select_candidate *a = left;
	const struct select_candidate *b = right;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return a->chunk_idx < b->chunk_idx ? -1 : a->chunk_idx > b->chunk_idx;
}

/* Windows one after the other are the full sort, cut into pieces. */
static void
assert_windows_are_sorted(size_t nr, uint32_t scores, uint64_t seed)
{
	struct select_window window = { .heap = heap };
	size_t at = 0;

	for (size_t i = 0; i < nr; i++)
		all[i] = (struct select_candidate){
			.score = (uint32_t)(random_next(&seed) % scores),
			.chunk_idx = i,
			.tokens = (uint32_t)(i * 3),
			.file_idx = (uint32_t)i,
		};
	memcpy(sorted, all, nr * sizeof(*all));
	qsort(sorted, nr, sizeof(*sorted), compare);
	do {
		size_t want = nr - at < SELECT_WINDOW ? nr - at : SELECT_WINDOW;

		select_window_next(&window);
		for (size_t i = 0; i < nr; i++)
			select_window_add(&window, &all[i]);
		select_window_sort(&window);
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
					  SELECT_WINDOW - 1,
					  SELECT_WINDOW,
					  SELECT_WINDOW + 1,
					  2 * SELECT_WINDOW,
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
		cmocka_unit_test(
			test_score_lies_between_nothing_and_one_and_grows_as_told),
		cmocka_unit_test(test_order_of_equal_scores_is_by_place),
		cmocka_unit_test(test_windows_of_any_number_are_the_full_sort),
	};

	return cmocka_run_group_tests_name("select/rank", tests, NULL, NULL);
}
