/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_message.c - the lines that came with commits whose messages
 * match, of a repository as git makes it.
 */
#include "tests/support/test_past_rig.h"

static struct query query;

/* Ten lines; then one is changed, two are added and two more, a commit each. */
static void
make_lines(void)
{
	make_past(1);
	shell("cd r; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b "
	      "GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; "
	      "for i in 1 2 3 4 5 6 7 8 9; do echo \"int a$i;\"; done >a.c; "
	      "cp a.c test_b.c; git add .; git commit -qm 'all of it'; "
	      "sed -i 's/a4/b4/' a.c test_b.c; "
	      "git commit -qam 'the quokka of four'; "
	      "printf 'int c8;\\nint c9;\\n' >>a.c; git commit -qam three; "
	      "sed -i '1i int d0;' a.c; git commit -qam more; "
	      "echo 'int wombat;' >c.c; git add .; "
	      "git commit -qm 'burrows'");
}

static void
ask(const char *text)
{
	query_init(&query, (const uint8_t *)text, strlen(text));
	job.query = &query;
	job.counts_terms = true;
	job.reads_history = true;
	job.wants_message_lines = true;
}

static void
test_past_message_lines_are_those_of_its_commit(void **state)
{
	const struct history_lines *lines;
	uint32_t nr;

	make_lines();
	ask("quokka");
	assert_int_equal(read_past("r"), 0);
	assert_true(history_head_valid(catalogue_history(&rig_catalogue)));
	lines = catalogue_hot_lines(&rig_catalogue, file_of("r/a.c"), &nr);
	assert_non_null(lines);
	/* it changed two files, of which it says the same */
	assert_int_equal(history_hottest_between(lines, nr, 1, 4), 0);
	/* the line that it brought, and those beside it */
	for (uint32_t line = 4; line < 7; line++)
		assert_int_equal(
			history_hottest_between(lines, nr, line, line + 1),
			HISTORY_ONE);
	assert_int_equal(history_hottest_between(lines, nr, 7, 100), 0);
	/* only of code that is no test, and that it changed */
	assert_null(catalogue_hot_lines(&rig_catalogue, file_of("r/test_b.c"),
					&nr));
	assert_null(catalogue_hot_lines(&rig_catalogue, file_of("r/c.c"), &nr));
}

static void
test_past_message_lines_of_a_new_file_are_all(void **state)
{
	const struct history_lines *lines;
	uint32_t nr;

	make_lines();
	ask("burrow");
	assert_int_equal(read_past("r"), 0);
	lines = catalogue_hot_lines(&rig_catalogue, file_of("r/c.c"), &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(lines[0].first, 1);
	assert_int_equal(lines[0].nr, 1);
	assert_int_equal(lines[0].heat, HISTORY_ONE);
	assert_null(catalogue_hot_lines(&rig_catalogue, file_of("r/a.c"), &nr));
}

static void
test_past_message_lines_of_no_message_are_none(void **state)
{
	make_lines();
	ask("platypus");
	assert_int_equal(read_past("r"), 0);
	assert_int_equal(catalogue_history(&rig_catalogue)->hot_nr, 0);
	ask("quokka");
	job.wants_message_lines = false;
	rig_tear_down(state);
	job_set_up(state);
	make_lines();
	job.reads_history = true;
	assert_int_equal(read_past("r"), 0);
	assert_int_equal(catalogue_history(&rig_catalogue)->hot_nr, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_JOB(test_past_message_lines_are_those_of_its_commit),
		WITH_JOB(test_past_message_lines_of_a_new_file_are_all),
		WITH_JOB(test_past_message_lines_of_no_message_are_none),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_message", tests,
					   NULL, NULL);
}
