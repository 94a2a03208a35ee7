/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_past_table.c - past commits as a table of the catalogue,
 * against git log.
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_JOB(test_past_counts_are_those_of_git_log),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_past_table", tests, NULL, NULL);
}
