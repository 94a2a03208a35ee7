/* SPDX-License-Identifier: MIT */
/*
 * test_collect_history_worker.c - past commits are the same when they are read
 * ahead, and a replacement reads none ahead.
 */
#include "tests/support/test_collect_rig.h"

#include "catalogue/history.h"

#define COMMITS_NR 5

static void
make_past(void)
{
	char line[512];

	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("HOME", "/nonexistent", 1);
	assert_int_equal(system("git init -q . >/dev/null 2>&1"), 0);
	for (int i = 0; i < COMMITS_NR; i++) {
		snprintf(line, sizeof(line),
			 "echo %d >a; echo %d >b%d; git add . && git -c "
			 "user.name=a -c user.email=a@b commit -q -m %d",
			 i, i, i, i);
		assert_int_equal(system(line), 0);
	}
	rig.run.job.budget_tokens = 1000;
	rig.run.job.history = true;
	rig.run.object_bytes = (uint64_t)16 << 20;
}

static int
read_ahead(void)
{
	int nr = 0;

	while (stage_table[STAGE_COLLECT].ops->idle(&rig.worker))
		nr++;
	return nr;
}

static void
expect_history(void)
{
	const struct history_head *head =
		catalogue_history(&rig.run.catalogue);

	assert_true(history_head_valid(head) && head->is_read);
	assert_int_equal(head->commit_nr, COMMITS_NR);
	assert_int_equal(head->file_nr, 1 + COMMITS_NR);
	assert_int_equal(catalogue_history_of(&rig.run.catalogue, 0).commit_nr, COMMITS_NR);
	for (uint32_t i = 1; i <= COMMITS_NR; i++)
		assert_int_equal(catalogue_history_of(&rig.run.catalogue, i).commit_nr, 1);
}

static void
test_history_is_the_same_read_ahead_or_not(void **state)
{
	for (int ahead = 0; ahead < 2; ahead++) {
		if (ahead > 0) {
			collector_tear_down(state);
			collector_set_up(state);
		}
		make_past();
		collector_begin();
		/* what ends the repository is one more */
		if (ahead > 0)
			assert_in_range(read_ahead(), COMMITS_NR,
					COMMITS_NR + 2);
		assert_int_equal(load_relaxed(&rig.worker.shm->position), 0);
		collector_run_pass();
		expect_history();
		assert_int_equal(read_ahead(), 0);
	}
}

/* What was read ahead is lost with the process, and not read ahead again. */
static void
test_history_of_a_replacement_is_one_step(void **state)
{
	struct collect_scratch *scratch;

	make_past();
	collector_begin();
	assert_true(stage_table[STAGE_COLLECT].ops->idle(&rig.worker));
	scratch = rig.worker.scratch;
	collect_history_drop(&rig.worker);
	past_free(&scratch->past);
	store_release(&rig.worker.shm->retry, 1);
	collector_begin();
	assert_int_equal(read_ahead(), 0);
	collector_run_pass();
	expect_history();
}

static void
test_history_is_not_read_where_there_is_none(void **state)
{
	scratch_file("a", "1");
	rig.run.job.budget_tokens = 1000;
	rig.run.job.history = true;
	collector_begin();
	assert_int_equal(read_ahead(), 0);
	collector_run_pass();
	assert_string_equal(collector_names(), "a");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COLLECTOR(test_history_is_the_same_read_ahead_or_not),
		COLLECTOR(test_history_of_a_replacement_is_one_step),
		COLLECTOR(test_history_is_not_read_where_there_is_none),
	};

	return cmocka_run_group_tests_name("collect/collect_history_worker",
					   tests, NULL, NULL);
}
