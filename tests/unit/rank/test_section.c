/* SPDX-License-Identifier: MIT */
/*
 * test_select_section.c - which chunks of a large file are taken first.
 *
 * verifies: CTX-03.3
 */
#include "tests/support/test_shm.h"

#include "rank/section.h"

#define PLAIN RANK_ORDER_REST /* nothing of interest stands before */

/* Each is taken before the next one. */
static const struct rank_section sections[] = {
	{ .def_nr = 1, .export_nr = 1 },
	{ .def_nr = 1, .branch_nr = 300 },
	{ .branch_nr = 11 },
	{ .def_nr = 30, .branch_nr = 10 },
	{ .def_nr = 1, .branch_nr = 9, .marker_nr = 1 },
	{ .def_nr = 1, .branch_nr = 9 },
	{ .branch_nr = 8 },
	{ .def_nr = 7, .branch_nr = 1 },
	{ .def_nr = 1 },
	{ 0 },
};

static void
test_section_order_is_exported_complex_marked_rest(void **state)
{
	for (size_t i = 1; i < ARRAY_LEN(sections); i++)
		ASSERT_TRUE(rank_section_order(&sections[i - 1], PLAIN) <
			    rank_section_order(&sections[i], PLAIN));
}

static void
test_section_order_of_a_marker_is_not_that_of_what_it_is_in(void **state)
{
	struct rank_section section = { .marker_nr = 1 };

	ASSERT_EQ(rank_section_order(&section, PLAIN), RANK_ORDER_MARKED);
	section.def_nr = 5;
	ASSERT_EQ(rank_section_order(&section, PLAIN), RANK_ORDER_MARKED);
	section.branch_nr = RANK_COMPLEX_BRANCHES;
	ASSERT_TRUE(rank_section_order(&section, PLAIN) < RANK_ORDER_MARKED);
}

static void
test_section_order_goes_on_with_what_is_exported(void **state)
{
	struct rank_section section = { 0 };

	ASSERT_EQ(rank_section_order(&section, RANK_ORDER_EXPORTED),
		  RANK_ORDER_EXPORTED);
	ASSERT_EQ(rank_section_order(&section, RANK_ORDER_COMPLEX),
		  RANK_ORDER_REST);
	section.def_nr = 1;
	ASSERT_TRUE(rank_section_order(&section, RANK_ORDER_EXPORTED) >
		    RANK_ORDER_MARKED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_section_order_is_exported_complex_marked_rest),
		cmocka_unit_test(
			test_section_order_of_a_marker_is_not_that_of_what_it_is_in),
		cmocka_unit_test(
			test_section_order_goes_on_with_what_is_exported),
	};

	return cmocka_run_group_tests_name("select/section", tests, NULL, NULL);
}
