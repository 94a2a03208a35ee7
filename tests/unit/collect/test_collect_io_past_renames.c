/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_past_renames.c - commits of files that had another path, of
 * repositories as git makes them.
 */
#include "tests/support/test_past_rig.h"

#define COMMITTER                                        \
	"export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b " \
	"GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; "

/* A repository "r" of commits a minute apart: commit MESSAGE. */
static void
make_repo(const char *line)
{
	char whole[3000];

	snprintf(
		whole, sizeof(whole),
		"git init -q r; cd r; clock=1700000000; " COMMITTER
		"commit() { clock=$((clock + 60)); git add -A .; "
		"GIT_AUTHOR_DATE=\"$clock +0000\" "
		"GIT_COMMITTER_DATE=\"$clock +0000\" git commit -qm \"$1\"; }; "
		"%s",
		line);
	shell(whole);
}

static uint32_t
commits_of(const char *path)
{
	return catalogue_history_of(&rig_catalogue, file_of(path)).commit_nr;
}

/* As many as `git log --follow` names. */
static void
test_renames_are_followed_as_by_git(void **state)
{
	static const char *const paths[] = { "sub/third.c", "other.c", "x.c" };

	make_repo("seq 1 40 >first.c; echo o >other.c; commit one; "
		  "echo a >>first.c; commit two; echo p >>other.c; commit 3; "
		  "git mv first.c second.c; commit four; "
		  "echo b >>second.c; commit five; mkdir sub; "
		  "git mv second.c sub/third.c; echo q >>other.c; commit six; "
		  "echo c >>sub/third.c; commit seven; "
		  "seq 50 90 >x.c; commit eight");
	job.reads_history = true;
	assert_int_equal(read_past("r"), 0);
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		char line[200];
		char path[100];

		snprintf(line, sizeof(line),
			 "git -C r log --follow -M100%% --format=%%%%h -- %s | "
			 "wc -l",
			 paths[i]);
		snprintf(path, sizeof(path), "r/%s", paths[i]);
		assert_int_equal(commits_of(path), atoi(said(line)));
	}
	assert_int_equal(commits_of("r/sub/third.c"), 6);
}

/* What was renamed is the older of two files that had the same path. */
static void
test_renames_leave_a_path_that_is_used_again(void **state)
{
	make_repo("seq 1 9 >a.c; commit one; echo x >>a.c; commit two; "
		  "git mv a.c b.c; commit three; "
		  "echo other >a.c; commit four; echo more >>a.c; commit five");
	job.reads_history = true;
	assert_int_equal(read_past("r"), 0);
	assert_int_equal(commits_of("r/b.c"), 3);
	/* and the one that took the path away */
	assert_int_equal(commits_of("r/a.c"), 3);
}

/* Of two with the same content nobody knows which is which. */
static void
test_renames_that_are_not_certain_are_none(void **state)
{
	make_repo("mkdir a b; echo >a/init; echo >b/init; echo c >c; commit 1; "
		  "git mv a d; git mv b e; cp c copy; commit two; "
		  "git mv c changed; echo d >>changed; commit three");
	job.reads_history = true;
	assert_int_equal(read_past("r"), 0);
	assert_int_equal(commits_of("r/d/init"), 1);
	assert_int_equal(commits_of("r/e/init"), 1);
	assert_int_equal(commits_of("r/copy"), 1);
	assert_int_equal(commits_of("r/changed"), 1);
}

/* Lines that came before and after it are known; the rename brought none. */
static void
test_renames_keep_the_lines_that_were_changed(void **state)
{
	const struct history_lines *lines;
	uint32_t nr;

	make_repo(
		"for i in 1 2 3 4 5 6 7 8 9; do echo \"int a$i;\"; done >a.c; "
		"commit one; sed -i s/a2/b2/ a.c; commit two; "
		"git mv a.c b.c; commit three; sed -i s/a8/b8/ b.c; "
		"commit four");
	job.reads_history = true;
	job.wants_hot_lines = true;
	assert_int_equal(read_past("r"), 0);
	lines = catalogue_hot_lines(&rig_catalogue, file_of("r/b.c"), &nr);
	/* each with the lines beside it */
	assert_true(history_heat_between(lines, nr, 1, 4) > 0);
	assert_int_equal(history_heat_between(lines, nr, 4, 7), 0);
	assert_true(history_heat_between(lines, nr, 7, 10) > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_JOB(test_renames_are_followed_as_by_git),
		WITH_JOB(test_renames_leave_a_path_that_is_used_again),
		WITH_JOB(test_renames_that_are_not_certain_are_none),
		WITH_JOB(test_renames_keep_the_lines_that_were_changed),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_past_renames",
					   tests, NULL, NULL);
}
