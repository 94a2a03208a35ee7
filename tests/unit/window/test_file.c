/* SPDX-License-Identifier: MIT */
/*
 * test_file.c - a window in a file that several processes change.
 */
#include "tests/support/test_window_dir.h"

#include <sys/wait.h>
#include <unistd.h>

static int
add_in_child(int number)
{
	struct window_options options = window_defaults();

	options.wait_ms = 60000;
	for (int i = 0; i < 20; i++) {
		struct window_file *file;
		char id[32];
		struct window_item item;
		struct window_error error;

		snprintf(id, sizeof(id), "p%d-%d", number, i);
		item = item_of(WINDOW_OTHER, id, "x");
		if (window_file_open(&file, path_of("w"), &options, true,
				     &error) != 0)
			return 1;
		if (window_add(window_file_window(file), &item, NULL, &error) !=
		    0)
			return 2;
		if (window_file_commit(file, &error) != 0)
			return 3;
		window_file_close(file);
	}
	return 0;
}

/* verifies: WIN-14 */
static void
test_file_of_eight_processes_loses_nothing(void **state)
{
	struct window_options options = window_defaults();
	struct window_file *file;
	struct window_stats stats;
	struct window_error error = { .text = "" };
	pid_t children[8];

	for (int i = 0; i < 8; i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (children[i] == 0)
			_exit(add_in_child(i));
	}
	for (int i = 0; i < 8; i++) {
		int status;

		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	assert_int_equal(
		window_file_open(&file, path_of("w"), &options, false, &error),
		0);
	window_stats(window_file_window(file), &stats);
	assert_int_equal(stats.items, 160);
	window_file_close(file);
	assert_int_equal(entries_in_dir(), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_file_of_eight_processes_loses_nothing, set_up,
			tear_down),
	};

	return cmocka_run_group_tests_name("window/file", tests, NULL, NULL);
}
