/* SPDX-License-Identifier: MIT */
/*
 * test_command_child.c - what a command in a process of its own reads and says.
 */
#include "tests/support/test_dir.h"

#include <sys/wait.h>

#include "base/array.h"
#include "cli/command_child.h"

/* The code of a child that prints and reads as a command would. */
static int
end_of_child(int out, int err)
{
	int status = 0;
	pid_t pid = fork();

	ASSERT_TRUE(pid >= 0);
	if (pid == 0) {
		command_child_begin(out, err);
		printf("out");
		fprintf(stderr, "bale: first line\nsecond\n");
		command_child_end(getchar() == EOF ? 7 : 1);
	}
	ASSERT_EQ(waitpid(pid, &status, 0), pid);
	ASSERT_TRUE(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
test_command_child_prints_where_it_is_told(void **state)
{
	int out = open("out", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int err = open("err", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	char said[64];
	char cut[6];

	ASSERT_EQ(end_of_child(out, err), 7);
	assert_string_equal(dir_read("out"), "out");
	assert_string_equal(dir_read("err"), "bale: first line\nsecond\n");
	command_child_said(err, said, sizeof(said));
	assert_string_equal(said, "first line");
	command_child_said(err, cut, sizeof(cut));
	assert_string_equal(cut, "first");
	ASSERT_EQ(ftruncate(err, 0), 0);
	command_child_said(err, said, sizeof(said));
	assert_string_equal(said, "");
	ASSERT_EQ(end_of_child(-1, -1), 7);
	assert_string_equal(dir_read("err"), "");
	close(out);
	close(err);
}

static void
test_command_child_says_an_error_rather_than_a_warning(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} cases[] = {
		{ "bale: warning: a\nbale: collect: warning: b\nbale: c\nd\n",
		  "c" },
		{ "bale: warning: a\nbale: find: no warning: b\n",
		  "find: no warning: b" },
		{ "bale: warning: a\nbale: warning: b\n", "warning: a" },
		{ "bale: warning: a\nbale: b", "b" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		int err = open("err", O_RDWR | O_CREAT | O_TRUNC, 0600);
		size_t bytes = strlen(cases[i].text);
		char said[64];

		ASSERT_EQ(write(err, cases[i].text, bytes), (ssize_t)bytes);
		command_child_said(err, said, sizeof(said));
		assert_string_equal(said, cases[i].want);
		close(err);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_command_child_prints_where_it_is_told, dir_set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_command_child_says_an_error_rather_than_a_warning,
			dir_set_up, dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/command_child", tests, NULL,
					   NULL);
}
