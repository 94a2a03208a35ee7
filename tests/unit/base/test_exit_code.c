/* SPDX-License-Identifier: MIT */
/*
 * test_exit_code.c - what any command may end with is said once, and is a code.
 */
#include "tests/support/test_dir.h"

#include "base/exit_code.h"

/* The log of what a call said. */
static int log_fd = -1;

static int
begin(void **state)
{
	int error = dir_set_up(state);

	if (error != 0)
		return error;
	log_fd = open("log", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	diag_init(log_fd, DIAG_WARN, false, "");
	diag_set_name("bale");
	return log_fd < 0;
}

static int
end(void **state)
{
	diag_init(STDERR_FILENO, DIAG_WARN, false, "");
	close(log_fd);
	return dir_tear_down(state);
}

/* What was said since this was asked last. */
static const char *
said(void)
{
	const char *text = dir_read("log");

	assert_int_equal(ftruncate(log_fd, 0), 0);
	return text;
}

#define ASSERT_SAID(want)                                         \
	do {                                                      \
		const char *text_ = said();                       \
                                                                  \
		if (strstr(text_, want) == NULL)                  \
			fail_msg("got %s, want %s", text_, want); \
		ASSERT_TRUE(strchr(text_, '\n')[1] == '\0');      \
	} while (0)

static void
test_exit_code_without_an_error_is_complete(void **state)
{
	ASSERT_EQ(exit_cannot_write("a", 0), EXIT_COMPLETE);
	ASSERT_EQ(exit_cannot_write(NULL, 0), EXIT_COMPLETE);
	assert_string_equal(said(), "");
}

static void
test_exit_code_of_a_signal_that_waits_is_said_by_nobody(void **state)
{
	ASSERT_EQ(exit_cannot_write("a", -EINTR), EXIT_OUTPUT);
	assert_string_equal(said(), "");
}

static void
test_exit_code_of_an_output_names_it_and_why(void **state)
{
	ASSERT_EQ(exit_cannot_write("out.md", -ENOSPC), EXIT_OUTPUT);
	ASSERT_SAID("cannot write out.md: No space left on device\n");
	ASSERT_EQ(exit_cannot_write(NULL, -EPIPE), EXIT_OUTPUT);
	ASSERT_SAID("cannot write stdout: Broken pipe\n");
	ASSERT_EQ(exit_cannot_write("a\nb", -EIO), EXIT_OUTPUT);
	ASSERT_SAID("a\\nb");
	ASSERT_EQ(exit_cannot_write("a", -EBUSY), EXIT_OUTPUT);
	ASSERT_SAID("is it a mount point? use > instead\n");
	ASSERT_EQ(exit_cannot_write("a", -EMFILE), EXIT_OUTPUT);
	ASSERT_SAID("cannot write a: Too many open files");
	ASSERT_EQ(exit_cannot_write("a", -EEXIST), EXIT_OUTPUT);
	ASSERT_SAID("move it away\n");
}

static void
test_exit_code_of_no_memory_is_that_of_resources(void **state)
{
	ASSERT_EQ(exit_out_of_memory(), EXIT_RESOURCES);
	ASSERT_SAID("out of memory\n");
	ASSERT_EQ(exit_with(EXIT_USAGE, "no %s", "such thing"), EXIT_USAGE);
	ASSERT_SAID("no such thing\n");
}

/* docs/exit-codes.md promises these numbers to scripts. */
static void
test_exit_code_numbers_are_those_of_the_docs(void **state)
{
	ASSERT_EQ(EXIT_COMPLETE, 0);
	ASSERT_EQ(EXIT_USAGE, 2);
	ASSERT_EQ(EXIT_DEGRADED, 3);
	ASSERT_EQ(EXIT_OUTPUT, 4);
	ASSERT_EQ(EXIT_RESOURCES, 5);
	ASSERT_EQ(EXIT_INTERNAL, 6);
	ASSERT_EQ(EXIT_SECRET, 7);
	ASSERT_EQ(EXIT_FRAME, 8);
	ASSERT_EQ(EXIT_NOTHING, 9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_exit_code_without_an_error_is_complete, begin,
			end),
		cmocka_unit_test_setup_teardown(
			test_exit_code_of_a_signal_that_waits_is_said_by_nobody,
			begin, end),
		cmocka_unit_test_setup_teardown(
			test_exit_code_of_an_output_names_it_and_why, begin,
			end),
		cmocka_unit_test_setup_teardown(
			test_exit_code_of_no_memory_is_that_of_resources, begin,
			end),
		cmocka_unit_test(test_exit_code_numbers_are_those_of_the_docs),
	};

	return cmocka_run_group_tests_name("base/exit_code", tests, NULL, NULL);
}
