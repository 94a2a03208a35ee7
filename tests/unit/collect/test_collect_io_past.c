/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_past.c - past commits and changes of a work tree, read.
 */
#include "tests/support/test_past_rig.h"

/* How often a message has the words of a query. */
static void
test_past_messages_have_words_of_the_query(void **state)
{
	const struct history_head *head;
	const struct history_commit *commit;
	const struct history_term *terms;
	static struct query query;

	make_past(1);
	shell("cd r; echo 2 >a.txt; git -c user.name=a -c user.email=a@b "
	      "commit -qam 'cache of caches: the cache'");
	query_init(&query, (const uint8_t *)"cache", 5);
	job.reads_history = true;
	job.counts_terms = true;
	job.query = &query;
	assert_int_equal(read_past("r"), 0);
	head = catalogue_history(&rig_catalogue);
	commit = table_at(&rig_catalogue.history, head->commits_off, 1);
	assert_int_equal(commit->file_nr, 1);
	assert_int_equal(commit->term_nr, 2); /* an even number */
	terms = (const void *)((const uint32_t *)(commit + 1) + 1);
	assert_int_equal(terms[0].term, 0);
	assert_in_range(terms[0].times, 2, 3); /* its plural may be one, too */
	assert_int_equal(terms[1].times, 0);
}

static void
test_past_diff_says_whether_the_tree_is_clean(void **state)
{
	const struct history_head *head;

	make_past(3);
	job.git_diff = REV_LAST;
	assert_int_equal(read_past("r"), 0);
	head = catalogue_history(&rig_catalogue);
	assert_int_equal(head->dirty, HISTORY_DIRTY_NO);
	assert_int_equal(head->diff_bytes, 0);
	shell("printf 'a\\377\\n' >r/a.txt");
	assert_int_equal(read_past("r"), 0);
	head = catalogue_history(&rig_catalogue);
	assert_int_equal(head->dirty, HISTORY_DIRTY_YES);
	/* as UTF-8 */
	assert_non_null(memmem(table_at(&rig_catalogue.history, head->diff_off,
					head->diff_bytes),
			       head->diff_bytes, "+a\xef\xbf\xbd\n", 6));
	/* of another commit it says nothing; one that is none ends the run */
	job.git_diff = "HEAD~1";
	assert_int_equal(read_past("r"), 0);
	head = catalogue_history(&rig_catalogue);
	assert_int_equal(head->dirty, HISTORY_DIRTY_UNKNOWN);
	assert_true(head->diff_bytes > 0);
	job.git_diff = "nosuch";
	assert_int_equal(read_past("r"), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_JOB(test_past_messages_have_words_of_the_query),
		WITH_JOB(test_past_diff_says_whether_the_tree_is_clean),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_past", tests, NULL, NULL);
}
