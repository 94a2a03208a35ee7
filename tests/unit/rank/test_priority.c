/* SPDX-License-Identifier: MIT */
/*
 * test_select_priority.c - points of files, worked by hand.
 */
#include "tests/support/test_shm.h"

#include "lang/lang.h"
#include "rank/heat.h"
#include "rank/kind.h"
#include "rank/priority.h"

#define E RANK_KIND_ENTRY
#define C RANK_KIND_CONFIG
#define T RANK_KIND_TEST
#define H (100u * HEAT_ONE)

/* verifies: CTX-02.1, CTX-02.2, CTX-02.3, CTX-02.4, CTX-02.5, CTX-02.6 */
/* verifies: CTX-02.7, CTX-02.8 */
static void
test_priority_examples_are_as_worked_by_hand(void **state)
{
	static const struct {
		struct rank_traits traits;
		uint8_t want;
	} cases[] = {
		{ { 0 }, 0 },
		{ { .kinds = E }, 30 },
		{ { .importers = 1 }, 3 },
		{ { .importers = 10 }, 30 },
		{ { .importers = 11 }, 30 },
		{ { .importers = UINT32_MAX }, 30 },
		{ { .exports = 1 }, 2 },
		{ { .exports = 10 }, 20 },
		{ { .exports = 500 }, 20 },
		{ { .commits = 7 }, 7 },
		{ { .commits = 11 }, 10 },
		{ { .markers = 1 }, 10 },
		{ { .markers = 9 }, 10 },
		{ { .kinds = C }, 15 },
		{ { .kinds = T }, 0 },
		{ { .kinds = T, .exports = 10 }, 5 },
		{ { .kinds = T | E }, 15 },
		{ { .is_boosted = true }, 20 },
		{ { .kinds = T, .is_boosted = true }, 5 },
		/* 30 + 30 + 20 + 10 + 10 + 15 are 115 */
		{ { E | C, 10, 10, 10, 1, false }, 100 },
		{ { E | C | T, 10, 10, 10, 1, false }, 100 },
		{ { E, 4, 3, 2, 0, false }, 30 + 12 + 6 + 2 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct rank_points got;

		rank_priority(&cases[i].traits, &got);
		if (got.sum != cases[i].want)
			fail_msg("case %zu: got %u, want %u", i, got.sum,
				 cases[i].want);
	}
}

static void
test_priority_shows_what_it_is_made_of(void **state)
{
	const struct rank_traits traits = { E | C | T, 2, 3, 4, 5, true };
	struct rank_points got;

	rank_priority(&traits, &got);
	assert_int_equal(got.entry, 30);
	assert_int_equal(got.importers, 6);
	assert_int_equal(got.exports, 6);
	assert_int_equal(got.commits, 4);
	assert_int_equal(got.markers, 10);
	assert_int_equal(got.config, 15);
	assert_int_equal(got.boost, 20);
	assert_int_equal(got.tests, 15);
	assert_int_equal(got.sum, 76);
}

/* What a file is decides first; then heat, weight, points; --boost as ever. */
static void
test_priority_relevance_is_of_class_heat_and_points(void **state)
{
	static const struct rank_standing order[] = {
		{ RANK_CLASS_ASIDE, 0, H, 0, 900, 0, false },
		{ RANK_CLASS_ASIDE, H, H, 0, 900, 100, false },
		{ RANK_CLASS_TEST, 0, H, 0, 900, 0, false },
		{ RANK_CLASS_TEST, H, H, 0, 900, 100, true },
		{ RANK_CLASS_TEXT, 0, H, 0, 900, 0, false },
		{ RANK_CLASS_TEXT, H, H, 0, 900, 100, true },
		{ RANK_CLASS_CODE, 0, H, 0, 900, 0, false },
		{ RANK_CLASS_CODE, 0, H, 0, 900, 99, false },
		{ RANK_CLASS_CODE, 0, H, 900, 900, 0, false },
		{ RANK_CLASS_CODE, H / 10, H, 0, 900, 0, false },
		{ RANK_CLASS_CODE, H / 10, H, 0, 900, 100, false },
		{ RANK_CLASS_CODE, H / 10, H, 0, 900, 100, true },
		{ RANK_CLASS_CODE, H, H, 900, 900, 100, false },
	};

	for (size_t i = 1; i < ARRAY_LEN(order); i++)
		if (rank_relevance(&order[i - 1]) >= rank_relevance(&order[i]))
			fail_msg("%zu: %u, then %u", i,
				 rank_relevance(&order[i - 1]),
				 rank_relevance(&order[i]));
	ASSERT_TRUE(rank_relevance(&order[12]) <= 1000000);
	ASSERT_TRUE(rank_relevance_share(rank_relevance(&order[12])) > 999900);
	ASSERT_EQ(rank_relevance_share(rank_relevance(&order[6])), 0);
}

/* Without a history the weight decides, then points; with a short one, each. */
static void
test_priority_relevance_without_a_history_is_of_weight(void **state)
{
	struct rank_standing file = { .class = RANK_CLASS_CODE,
				      .weight = 450,
				      .weight_max = 900 };
	struct rank_standing other = file;
	uint32_t half = rank_relevance(&file);

	ASSERT_TRUE(rank_relevance_share(half) / 10000 == 49);
	file.points = 50;
	ASSERT_TRUE(rank_relevance(&file) > half);
	other.weight = 480;
	ASSERT_TRUE(rank_relevance(&other) > rank_relevance(&file));
	/* a history of so little is worth an eighth of all */
	file.points = 0;
	file.heat_max = other.heat_max = HEAT_ONE / 8;
	ASSERT_TRUE(rank_relevance(&other) > rank_relevance(&file));
	file.heat = HEAT_ONE / 8;
	ASSERT_TRUE(rank_relevance(&other) < rank_relevance(&file));
	other.weight = 900;
	ASSERT_TRUE(rank_relevance(&other) > rank_relevance(&file));
}

/* More bytes and more importers, each less than the one before. */
static void
test_priority_weight_grows_slowly(void **state)
{
	ASSERT_EQ(rank_weight(0, 0, false), 0);
	ASSERT_EQ(rank_weight(200, 0, false), 1024);
	ASSERT_EQ(rank_weight(0, 0, true), 1024);
	ASSERT_EQ(rank_weight(600, 3, false), 64 * 1024);
	ASSERT_TRUE(rank_weight(500, 0, false) > rank_weight(300, 0, false));
	ASSERT_TRUE(rank_weight(90000, 4, false) <
		    rank_weight(90000, 5, false));
	ASSERT_TRUE(rank_weight(90000, 4, false) <
		    100 * rank_weight(900, 4, false));
	ASSERT_TRUE(rank_weight(UINT64_MAX, UINT32_MAX, true) >
		    rank_weight(UINT32_MAX / 2, UINT32_MAX / 4, true));
}

static void
test_priority_class_is_what_a_file_is(void **state)
{
	static const struct {
		uint32_t kinds;
		uint8_t language;
		uint8_t flags;
		enum rank_class want;
	} cases[] = {
		{ 0, LANG_C, 0, RANK_CLASS_CODE },
		{ RANK_KIND_ENTRY, LANG_C, 0, RANK_CLASS_CODE },
		{ 0, LANG_NONE, 0, RANK_CLASS_TEXT },
		{ RANK_KIND_DOC, LANG_C, 0, RANK_CLASS_TEXT },
		{ RANK_KIND_CONFIG, LANG_C, 0, RANK_CLASS_TEXT },
		{ RANK_KIND_TEST, LANG_C, 0, RANK_CLASS_TEST },
		{ RANK_KIND_TEST | RANK_KIND_VENDORED, LANG_C, 0,
		  RANK_CLASS_ASIDE },
		{ RANK_KIND_VENDORED, LANG_C, 0, RANK_CLASS_ASIDE },
		{ RANK_KIND_GENERATED, LANG_C, 0, RANK_CLASS_ASIDE },
		{ RANK_KIND_ASIDE, LANG_C, 0, RANK_CLASS_ASIDE },
		{ 0, LANG_C, MARK_GENERATED, RANK_CLASS_ASIDE },
		{ 0, LANG_C, MARK_MINIFIED, RANK_CLASS_ASIDE },
		{ 0, LANG_C, MARK_REPAIRED, RANK_CLASS_CODE },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct file_record file = {
			.language = cases[i].language,
			.flags = cases[i].flags,
		};

		ASSERT_EQ(rank_class_of_file(&file, cases[i].kinds),
			  cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_priority_examples_are_as_worked_by_hand),
		cmocka_unit_test(
			test_priority_relevance_is_of_class_heat_and_points),
		cmocka_unit_test(
			test_priority_relevance_without_a_history_is_of_weight),
		cmocka_unit_test(test_priority_weight_grows_slowly),
		cmocka_unit_test(test_priority_class_is_what_a_file_is),
		cmocka_unit_test(test_priority_shows_what_it_is_made_of),
	};

	return cmocka_run_group_tests_name("select/priority", tests, NULL,
					   NULL);
}
