/* SPDX-License-Identifier: MIT */
/*
 * test_outcome.c - the figures of a run made up by hand.
 */
#include "tests/support/test_report_rig.h"

#include "base/sha256.h"
#include "report/outcome.h"

static void
test_outcome_has_the_figures_of_the_report(void **state)
{
	static struct timeline timeline;
	struct outcome outcome;
	uint8_t want[SHA256_BYTES];
	FILE *file = tmpfile();
	struct history_head *head;

	assert_non_null(file);
	assert_int_equal(fputs("the output", file) < 0, 0);
	assert_int_equal(fflush(file), 0);
	sha256_of("the output", 10, want);
	make_run();
	head = table_at(&run.catalogue.history, 0, sizeof(*head));
	assert_int_equal(report_collect(&run, &report), 0);
	report.peak_pss_bytes = 5;
	report.content_bytes = 1234;
	report.stages[STAGE_COUNT].cpu_ns = 17;
	timeline.nr = 2;
	timeline.samples[0].stages[STAGE_COUNT].queued = 3;
	timeline.samples[1].stages[STAGE_COUNT].queued = 4;
	report.timeline = &timeline;
	assert_int_equal(outcome_take(&outcome, &report, fileno(file)), 0);
	assert_true(outcome.is_known && outcome.has_output);
	assert_int_equal(outcome.files_seen, 7);
	assert_int_equal(outcome.files_packed, 2);
	assert_int_equal(outcome.tokens, 345);
	assert_int_equal(outcome.files_left_out[REPORT_EMPTY], 1);
	assert_int_equal(outcome.peak_pss_bytes, 5);
	assert_int_equal(outcome.content_bytes, 1234);
	assert_int_equal(outcome.stages[STAGE_COUNT].cpu_ns, 17);
	assert_int_equal(outcome.stages[STAGE_COUNT].queued, 7);
	/* nothing streams into the first stage */
	assert_int_equal(outcome.stages[STAGE_COLLECT].room, 0);
	assert_int_equal(outcome.stages[STAGE_COUNT].room,
			 2 * (uint64_t)edge_table[EDGE_CHUNKS].entry_nr *
				 run.lane_nr);
	assert_int_equal(outcome.bytes, 10);
	assert_memory_equal(outcome.sha256, want, SHA256_BYTES);
	assert_false(outcome.was_short);
	fclose(file);
	head->is_short = 1;
	assert_int_equal(outcome_take(&outcome, &report, -1), 0);
	assert_true(outcome.is_known && !outcome.has_output);
	assert_true(outcome.was_short);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_outcome_has_the_figures_of_the_report, set_up,
			tear_down),
	};

	return cmocka_run_group_tests_name("report/outcome", tests, NULL, NULL);
}
