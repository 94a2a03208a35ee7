/* SPDX-License-Identifier: MIT */
/*
 * test_stream.c - what is written arrives, and the first error is remembered.
 */
#include "tests/support/test_dir.h"

#include "base/exit_code.h"
#include "base/stream.h"

static void
test_stream_writes_all_and_leaves_the_descriptor(void **state)
{
	int fd = open("a", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	struct stream stream;
	struct stat status;

	ASSERT_EQ(stream_open(&stream, fd), 0);
	for (int i = 0; i < 10000; i++)
		fprintf(stream.file, "%04d\n", i);
	ASSERT_EQ(stream_finish(stream.file), 0);
	ASSERT_EQ(fstat(fd, &status), 0);
	ASSERT_EQ(status.st_size, 50000);
	fputs("last", stream.file);
	ASSERT_EQ(stream_close(&stream), 0);
	ASSERT_EQ(write(fd, "!", 1), 1);
	close(fd);
	assert_memory_equal(dir_read("a"), "0000\n0001\n", 10);
}

static void
test_stream_remembers_the_first_error(void **state)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	int only_read = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct stream stream;

	ASSERT_EQ(stream_open(&stream, fd), 0);
	fputs("text", stream.file);
	fflush(stream.file);
	/* what comes after is of no interest */
	ASSERT_EQ(dup2(only_read, fd), fd);
	fputs("text", stream.file);
	fflush(stream.file);
	errno = EINVAL;
	ASSERT_EQ(stream_close(&stream), -ENOSPC);
	close(fd);
	close(only_read);
}

static void
test_stream_that_fails_only_at_the_end_fails(void **state)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct stream stream;

	ASSERT_EQ(stream_open(&stream, fd), 0);
	fputs("text", stream.file);
	ASSERT_EQ(stream_close(&stream), -ENOSPC);
	close(fd);
}

/* For a child: stdout is that file. */
static void
take(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	int log = open("log", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CHILD_CHECK(fd >= 0 && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
	diag_init(log, DIAG_WARN, false, "");
	stream_take_stdout();
}

static void
try_good(void *arg)
{
	take("a");
	printf("printed\n");
	CHILD_CHECK(stream_finish_stdout() == 0);
	CHECK_TEXT("a", "printed\n");
	CHECK_TEXT("log", "");
}

static void
try_full(void *arg)
{
	take("/dev/full");
	printf("printed\n");
	CHILD_CHECK(fflush(stdout) != 0);
	errno = 0;
	CHILD_CHECK(stream_finish(stdout) == -ENOSPC);
	CHILD_CHECK(stream_finish_stdout() == EXIT_OUTPUT);
	CHILD_CHECK(strstr(dir_read("log"),
			   "cannot write stdout: No space left") != NULL);
	_exit(CHILD_OK); /* stdio would try again */
}

static void
test_stream_of_stdout_says_why_it_failed(void **state)
{
	ASSERT_EQ(run_child(try_good, NULL), CHILD_OK);
	ASSERT_EQ(run_child(try_full, NULL), CHILD_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_stream_writes_all_and_leaves_the_descriptor,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_stream_remembers_the_first_error, dir_set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_stream_that_fails_only_at_the_end_fails,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_stream_of_stdout_says_why_it_failed, dir_set_up,
			dir_tear_down),
	};

	return cmocka_run_group_tests_name("base/stream", tests, NULL, NULL);
}
