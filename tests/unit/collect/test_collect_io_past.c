/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_past.c - past commits as a table of the catalogue, and the
 * text of the log, against git log.
 */
#include "tests/support/test_past_rig.h"

/* How many commits changed each file that is there, in a few commands. */
static void
test_past_counts_are_those_of_git_log(void **state)
{
	const struct history_head *head;
	char *lines;
	uint32_t seen = 0;
	char *rest;
	char *line;

	make_past(50);
	job.reads_history = true;
	assert_int_equal(read_past("r"), 0);
	head = catalogue_history(&rig_catalogue);
	assert_true(history_head_valid(head));
	assert_true(head->is_read && !head->is_partial);
	assert_int_equal(head->file_nr, rig_place.file_nr);
	assert_int_equal(head->commit_nr,
			 atoi(said("git -C r rev-list --no-merges --count "
				   "HEAD")));
	rest = lines = strdup(said("git -C r log --no-merges --format= "
				   "--name-only | sort | uniq -c"));
	while ((line = strsep(&rest, "\n")) != NULL && *line != '\0') {
		char path[256];
		int nr;
		uint32_t file;

		assert_int_equal(sscanf(line, "%d %200s", &nr, path + 2), 2);
		memcpy(path, "r/", 2);
		file = file_of(path);
		if (file == FILE_NONE)
			continue; /* gone since */
		assert_int_equal(
			catalogue_history_of(&rig_catalogue, file).commit_nr,
			nr);
		seen++;
	}
	assert_int_equal(seen, rig_place.file_nr);
	free(lines);
}

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

static int
set_up(void **state)
{
	memset(&job, 0, sizeof(job));
	return past_set_up(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, rig_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_past_counts_are_those_of_git_log),
		TEST(test_past_commits_have_their_files),
		TEST(test_past_messages_have_words_of_the_query),
		TEST(test_past_log_is_that_of_git),
		TEST(test_past_log_quotes_what_people_wrote),
		TEST(test_past_diff_says_whether_the_tree_is_clean),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_past", tests,
					   NULL, NULL);
}
