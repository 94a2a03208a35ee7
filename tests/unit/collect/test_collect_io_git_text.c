/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_git_text.c - the text of the log, against git log.
 */
#include "tests/support/test_past_rig.h"

/* Of a merge without its paths. */
static void
test_past_log_is_that_of_git(void **state)
{
	const struct history_head *head;
	const char *want;

	make_past(20);
	job.git_log_nr = 12;
	assert_int_equal(read_past("r"), 0);
	head = catalogue_history(&rig_catalogue);
	want = said("cd r; git log -n 12 --name-only "
		    "--format='@%H %aI %an%n@    %s' | "
		    "sed '/^$/d; s/^@//; t; s/^/      /'");
	assert_int_equal(head->log_bytes, strlen(want));
	assert_memory_equal(table_at(&rig_catalogue.history, head->log_off,
				     head->log_bytes),
			    want, strlen(want));
	assert_int_equal(head->commit_nr, 0); /* nobody ranks by them */
	assert_true(head->has_commit);
}

/* A subject with signs that end lines, or are no text, takes one line. */
static void
test_past_log_quotes_what_people_wrote(void **state)
{
	const struct history_head *head;
	const char *log;

	make_past(1);
	shell("cd r; printf 'x\\033[31m\\rred' >../m; echo 2 >a.txt; "
	      "git -c user.name=a -c user.email=a@b commit -qaF ../m");
	job.git_log_nr = 1;
	assert_int_equal(read_past("r"), 0);
	head = catalogue_history(&rig_catalogue);
	log = table_at(&rig_catalogue.history, head->log_off, head->log_bytes);
	assert_null(memchr(log, '\033', head->log_bytes));
	assert_null(memchr(log, '\r', head->log_bytes));
	assert_non_null(memmem(log, head->log_bytes, "red", 3));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_JOB(test_past_log_is_that_of_git),
		WITH_JOB(test_past_log_quotes_what_people_wrote),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_git_text", tests, NULL, NULL);
}
