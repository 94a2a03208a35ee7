/* SPDX-License-Identifier: MIT */
/*
 * The report on runs made up by hand: sums, items, JSON; and on catalogues that
 * contradict themselves.
 */
#include "tests/support/test_report_rig.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <jansson.h>

#include "base/emit.h"
#include "catalogue/names.h"
#include "catalogue/plan.h"
#include "stages/job.h"
#include "stages/stage.h"

static void
test_report_collect_of_a_plan_sums_it_up(void **state)
{
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.files_seen, 7);
	assert_int_equal(report.files_full, 1);
	assert_int_equal(report.files_partial, 1);
	assert_int_equal(report_files_skipped(&report), 5);
	assert_int_equal(report.files_left_out[REASON_BINARY], 1);
	assert_int_equal(report.files_left_out[REASON_DUPLICATE], 1);
	assert_int_equal(report.files_left_out[REASON_BUDGET], 1);
	assert_int_equal(report.files_left_out[REASON_CHANGED], 1);
	assert_int_equal(report.files_left_out[REPORT_EMPTY], 1);
	assert_int_equal(report.chunks_seen, 8);
	assert_int_equal(report.chunks_packed, 4);
	assert_int_equal(report.duplicate_files, 1);
	assert_int_equal(report.duplicate_chunks, 1);
	assert_int_equal(report.duplicate_tokens, 310);
	assert_int_equal(report.used_tokens, 345);
	assert_int_equal(report.available_tokens, 900);
	assert_int_equal(report.output_bytes, 1234);
	assert_int_equal(report.content_bytes, 400 + 900 + 400 + 70 + 10);
	assert_true(report_is_degraded(&report));
	assert_false(report.estimated);
}

/* Files of any number of chunks, some of which are planned, and signatures. */
/* 345 and ten of a hundred more: no token less than there may be. */
static void
test_report_collect_for_a_model_adds_its_margin(void **state)
{
	run.job.margin_percent = 10;
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.used_tokens, 380);
	assert_true(report.estimated);
}

/* verifies: FR-016c-24, FR-016c-33, FR-016c-34 */
static void
test_report_collect_of_a_preview_sums_the_plan(void **state)
{
	run.job.plan_only = true;
	job_resolve(&run.job);
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	assert_true(report.estimated);
	assert_int_equal(report.used_tokens, 100 + 110 + 50 + 60);
	assert_int_equal(report.duplicate_tokens, 310);
}

static void
test_report_collect_of_everything_needs_no_plan(void **state)
{
	struct file_facts *facts;

	run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&run.job);
	facts = add_file("a", REASON_NONE, 100);
	facts->line_nr = 7;
	facts->tokens = 30;
	add_file("b", REASON_NONE, 0);
	facts = add_file("c", REASON_NONE, 100);
	facts->line_nr = 7;
	facts->tokens = 30;
	facts->same_as = 0;
	add_file("d", REASON_SYMLINK, 0);
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.files_full, 2);
	assert_int_equal(report.files_partial, 0);
	assert_int_equal(report.files_left_out[REASON_DUPLICATE], 1);
	assert_int_equal(report.files_left_out[REASON_SYMLINK], 1);
	assert_int_equal(report.duplicate_tokens, 30);
	assert_true(report.available_tokens == BUDGET_ALL);
	assert_false(report_is_degraded(&report));
}

static void
test_report_collect_of_nothing_is_nothing(void **state)
{
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.files_seen, 0);
	assert_int_equal(report_files_skipped(&report), 0);
}

static void
test_report_collect_adds_the_workers_of_a_stage(void **state)
{
	uint32_t nr = stage_worker_nr(LANES);

	for (uint32_t i = 0; i < nr; i++) {
		struct worker_shm *worker = segment_worker(&run.segment, i);

		atomic_store(&worker->incarnation, 1 + i % 2);
		store(&worker->busy_ns, 1000);
		store(&worker->wait_ns, i == 0 ? 2000 : 300);
		store(&worker->cpu_ns, 50);
		stat_add(worker, STAT_items, 5);
		stat_add(worker, STAT_cache_hits, 2);
	}
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.stages[STAGE_COLLECT].worker_nr, 1);
	assert_int_equal(report.stages[STAGE_COLLECT].busy_ns, 0);
	assert_int_equal(report.stages[STAGE_COUNT].worker_nr, LANES);
	assert_int_equal(report.stages[STAGE_COUNT].busy_ns, LANES * 700);
	assert_int_equal(report.stages[STAGE_COUNT].wait_ns, LANES * 300);
	assert_int_equal(report.stages[STAGE_COUNT].cpu_ns, LANES * 50);
	assert_int_equal(report.stages[STAGE_COUNT].stats[STAT_items],
			 LANES * 5);
	assert_int_equal(report.stats[STAT_cache_hits], nr * 2);
	/* a lane without work has none */
	atomic_store(&segment_worker(&run.segment,
				     stage_worker_idx(STAGE_COUNT, LANES - 1,
						      LANES))
			      ->incarnation,
		     0);
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.stages[STAGE_COUNT].worker_nr, LANES - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(report_collect_of_a_plan_sums_it_up),
		TEST(report_collect_for_a_model_adds_its_margin),
		TEST(report_collect_of_a_preview_sums_the_plan),
		TEST(report_collect_of_everything_needs_no_plan),
		TEST(report_collect_of_nothing_is_nothing),
		TEST(report_collect_adds_the_workers_of_a_stage),
	};

	return cmocka_run_group_tests_name("supervisor/report", tests, NULL,
					   NULL);
}
