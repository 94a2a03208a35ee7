/* SPDX-License-Identifier: MIT */
/*
 * test_format_cost.c - what lines come to, against counting the output up to
 * each of them.
 */
#include "tests/support/test_format_rig.h"

#include "catalogue/line_costs.h"

static void
measure(uint32_t line, const char *text, uint8_t flags)
{
	struct desc run = make_run(0, line, text, flags);

	format_out_begin(format);
	run.is_measured = 1;
	format_take(format, &run);
	ASSERT_EQ(format_out_end(format), 0);
}

static void
test_cost_of_each_line_is_the_output_up_to_it(void **unused)
{
	const char *text = "int a;\n\n\tint long_name = 5;\nend\n";
	const char *header = "## File: a.c (lines 1-4)\n```\n";
	size_t off = strlen(header);
	uint32_t nr = 0;

	format_begin();
	add_file(0, "a.c", text);
	measure(1, text, 0);
	ASSERT_EQ(state.verdict.line_cost_nr, 5);
	for (;; off++) {
		const struct line_cost *cost;

		if (off > strlen(header) && out[off - 1] != '\n')
			continue;
		cost = catalogue_line_cost(&facts_of_all, nr);
		ASSERT_EQ(cost->line, nr);
		ASSERT_EQ(cost->tokens, count(out, off));
		if (++nr == 5)
			break;
	}
	ASSERT_EQ(off, out_bytes);
}

/* A line in two runs is one; what a pass measures takes the place of what the
 * one before did. */
static void
test_cost_of_a_line_in_two_runs(void **unused)
{
	format_begin();
	add_file(0, "a.c", "one two\nthree\n");
	state.verdict.line_cost_nr = 77;
	measure(1, "one", DESC_MORE);
	ASSERT_EQ(state.verdict.line_cost_nr, 1);
	measure(1, " two\nthree\n", DESC_LAST);
	ASSERT_EQ(state.verdict.line_cost_nr, 3);
	ASSERT_EQ(catalogue_line_cost(&facts_of_all, 1)->line, 1);
	ASSERT_EQ(catalogue_line_cost(&facts_of_all, 2)->line, 2);
}

#define CASE(test) \
	cmocka_unit_test_setup_teardown(test, format_setup, format_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_cost_of_each_line_is_the_output_up_to_it),
		CASE(test_cost_of_a_line_in_two_runs),
	};

	return cmocka_run_group_tests_name("format/cost", tests, NULL, NULL);
}
