/* SPDX-License-Identifier: MIT */
/*
 * The ranks of a run made up by hand.
 */
#include "tests/support/test_report_rig.h"

#include "report/render.h"

/* The file and the first line of each, as one number. */
static void
ranks(bool packed, const uint64_t *want, size_t want_nr)
{
	size_t nr;
	const struct report_item **list = report_rank(&report, packed, &nr);

	assert_non_null(list);
	assert_int_equal(nr, want_nr);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(list[i]->file_idx * 100 + list[i]->line_first,
				 want[i]);
	free(list);
}

static void
test_ranked_is_the_best_first_and_equals_as_in_the_trees(void **state)
{
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	give_scores((const uint32_t[]){ 1, 5, 2, 5, 5, 0, 9, 0, 0, 5, 7 }, 11);
	ranks(true, (const uint64_t[]){ 241, 11, 201, 1 }, 4);
	/* of what is left out, all that has a score */
	ranks(false, (const uint64_t[]){ 600, 211, 501, 100 }, 4);
}

static void
test_ranked_of_nothing_is_an_empty_list(void **state)
{
	assert_int_equal(report_collect(&run, &report), 0);
	ranks(true, NULL, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(ranked_is_the_best_first_and_equals_as_in_the_trees),
		TEST(ranked_of_nothing_is_an_empty_list),
	};

	return cmocka_run_group_tests_name("report/ranked", tests, NULL, NULL);
}
