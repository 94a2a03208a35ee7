/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_past_paths.c - which files the paths of commits are.
 */
#include "tests/support/test_past_rig.h"

/* The newest first, each with the files that it changed and are there. */
static void
test_past_commits_have_their_files(void **state)
{
	const struct history_commit *commit;
	const struct history_head *head;
	const uint32_t *files;

	make_past(1);
	shell("cd r; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b "
	      "GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; "
	      "echo 2 >a.txt; echo x >gone; git add .; git commit -qm one; "
	      "git rm -q gone; echo 3 >d/e/f.c; git commit -qam 'two.'");
	job.reads_history = true;
	assert_int_equal(read_past("r"), 0);
	head = catalogue_history(&rig_catalogue);
	assert_int_equal(head->commit_nr, 3);
	/* "two.\n", "one\n" and "first" */
	assert_int_equal(head->text_bytes, 5 + 4 + 5);
	commit = table_at(&rig_catalogue.history, head->commits_off,
			  sizeof(*commit) + 4);
	files = (const void *)(commit + 1);
	assert_int_equal(commit->text_bytes, 5);
	assert_int_equal(commit->changed_nr, 2);
	assert_int_equal(commit->file_nr, 1);
	assert_int_equal(commit->term_nr, 0);
	assert_int_equal(files[0], file_of("r/d/e/f.c"));
	commit = (const void *)(files + 1);
	assert_int_equal(commit->text_bytes, 4);
	assert_int_equal(commit->changed_nr, 2);
	assert_int_equal(commit->file_nr, 1);
	assert_int_equal(*(const uint32_t *)(commit + 1), file_of("r/a.txt"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_JOB(test_past_commits_have_their_files),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_past_paths", tests, NULL,
					   NULL);
}
