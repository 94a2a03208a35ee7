/* SPDX-License-Identifier: MIT */
/*
 * test_collect_tasks_worker.c - past commits of the tree of a run, without one.
 */
#include "tests/support/test_history_repo.h"

#include "stages/collect/collect_worker.h"

static struct commit_tasks tasks;
static int confined;

static int
confine(const struct run *run, enum stage_id stage, const struct reach *reach)
{
	confined += stage == STAGE_COLLECT && reach->nr > 0;
	return confined > 1 ? -EPERM : 0;
}

static int
list(const char *root, const char *rev)
{
	const char *const roots[] = { root };
	const struct run run = {
		.job = { .roots = roots, .root_nr = 1, .rev = rev },
		.object_bytes = MEMORY_BYTES,
		.confine = confine,
	};

	memset(&tasks, 0, sizeof(tasks));
	tasks.wanted_nr = 5;
	return collect_list_commits(&run, &tasks);
}

/* In the sandbox, which can reach the repository; --rev is the last commit. */
static void
test_tasks_of_a_run_are_read_in_its_sandbox(void **state)
{
	make_past(20);
	assert_int_equal(list("r", NULL), 0);
	assert_int_equal(confined, 1);
	assert_int_equal(list("r", NULL), -EPERM);
	confined = 0;
	assert_int_equal(list("r", "nothing"), -ENOENT);
	assert_string_equal(tasks.why, "no such commit");
}

static void
test_tasks_need_a_directory_of_a_repository(void **state)
{
	scratch_file("alone.c", "\n");
	assert_int_equal(list(".", NULL), -ENOENT);
	assert_string_equal(tasks.why, "it is not in a git repository");
	assert_int_equal(list("alone.c", NULL), -ENOTDIR);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PAST(test_tasks_of_a_run_are_read_in_its_sandbox),
		PAST(test_tasks_need_a_directory_of_a_repository),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_tasks_worker",
					   tests, NULL, NULL);
}
