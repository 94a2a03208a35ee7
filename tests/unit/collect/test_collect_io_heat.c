/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_heat.c - the lines that the last commits changed, of a
 * repository as git makes it.
 */
#include "tests/support/test_past_rig.h"

/* Ten lines, then more of them, each in a commit. */
static void
make_lines(void)
{
	make_past(1);
	shell("cd r; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b "
	      "GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; "
	      "for i in 1 2 3 4 5 6 7 8 9; do echo \"int a$i;\"; done >a.c; "
	      "cp a.c test_b.c; git add .; git commit -qm one; "
	      "sed -i 's/a4/b4/' a.c test_b.c; git commit -qam two; "
	      "printf 'int c8;\\nint c9;\\n' >>a.c; git commit -qam three");
}

static void
test_past_hot_lines_are_those_of_the_last_commits(void **state)
{
	const struct history_lines *lines;
	uint32_t nr;

	make_lines();
	job.reads_history = true;
	job.wants_hot_lines = true;
	assert_int_equal(read_past("r"), 0);
	assert_true(history_head_valid(catalogue_history(&rig_catalogue)));
	lines = catalogue_hot_lines(&rig_catalogue, file_of("r/a.c"), &nr);
	assert_int_equal(nr, 2);
	/* each with the lines beside it */
	assert_int_equal(lines[0].first, 3);
	assert_int_equal(lines[0].nr, 3);
	assert_int_equal(lines[1].first, 9);
	assert_int_equal(lines[1].nr, 3);
	assert_true(lines[0].heat > 0 && lines[1].heat > 0);
	assert_int_equal(history_heat_between(lines, nr, 5, 10),
			 lines[0].heat + lines[1].heat);
	assert_int_equal(history_heat_between(lines, nr, 6, 9), 0);
	/* only of code that is no test */
	assert_null(catalogue_hot_lines(&rig_catalogue, file_of("r/test_b.c"),
					&nr));
	assert_null(
		catalogue_hot_lines(&rig_catalogue, file_of("r/a.txt"), &nr));
}

static void
test_past_hot_lines_are_not_looked_for_unless_wanted(void **state)
{
	uint32_t nr;

	make_lines();
	job.reads_history = true;
	assert_int_equal(read_past("r"), 0);
	assert_int_equal(catalogue_history(&rig_catalogue)->hot_nr, 0);
	assert_null(catalogue_hot_lines(&rig_catalogue, file_of("r/a.c"), &nr));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_JOB(test_past_hot_lines_are_those_of_the_last_commits),
		WITH_JOB(test_past_hot_lines_are_not_looked_for_unless_wanted),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_heat", tests,
					   NULL, NULL);
}
