/* SPDX-License-Identifier: MIT */
/*
 * test_source_read.c - a source is read whole, in time, and no further than it
 * may go.
 */
#include "tests/support/test_dir.h"

#include "base/clock.h"
#include "sources/source.h"
#include "sources/source_read.h"

static uint64_t
later(void)
{
	return clock_now_ns() + 600 * NS_PER_S;
}

static void
test_source_read_of_a_file_is_all_of_it(void **state)
{
	static char text[200000];
	struct source_text out;
	struct stat status;

	for (size_t bytes = 0; bytes < sizeof(text); bytes += 65535) {
		memset(text, 'x', sizeof(text));
		text[bytes] = '\0';
		dir_write("a", text);
		ASSERT_EQ(source_read("a", later(), UINT64_MAX, &out), 0);
		ASSERT_EQ(out.nr, bytes);
		assert_string_equal(out.bytes, text);
		ASSERT_EQ(stat("a", &status), 0);
		ASSERT_EQ(out.mtime_ns,
			  (int64_t)status.st_mtim.tv_sec * 1000000000 +
				  status.st_mtim.tv_nsec);
		free(out.bytes);
	}
}

static void
test_source_read_ends_where_it_may_go_no_further(void **state)
{
	struct source_text out;

	dir_write("a", "12345");
	ASSERT_EQ(source_read("a", later(), 5, &out), 0);
	free(out.bytes);
	ASSERT_EQ(source_read("a", later(), 4, &out), -EFBIG);
	assert_null(out.bytes);
}

static void
test_source_read_of_what_is_none_is_an_error(void **state)
{
	struct source_text out;
	int before = open_fds();

	ASSERT_EQ(source_read("none", later(), 100, &out), -ENOENT);
	ASSERT_EQ(source_read(".", later(), 100, &out), -EISDIR);
	assert_null(out.bytes);
	ASSERT_EQ(open_fds(), before);
}

static void
test_source_read_of_a_pipe_that_does_not_end_is_in_time(void **state)
{
	struct source_text out;
	int fd;

	ASSERT_EQ(mkfifo("p", 0600), 0);
	fd = open("p", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(write(fd, "text", 4), 4);
	ASSERT_EQ(source_read("p", clock_now_ns() + NS_PER_MS, 100, &out),
		  -ETIMEDOUT);
	close(fd);
}

/* A pipe has no time of its own. */
static void
try_stdin(void *arg)
{
	struct source_text out;
	int ends[2];

	CHILD_CHECK(pipe(ends) == 0 && write(ends[1], "text", 4) == 4);
	CHILD_CHECK(close(ends[1]) == 0 && dup2(ends[0], 0) == 0);
	CHILD_CHECK(source_read("-", later(), 100, &out) == 0);
	CHILD_CHECK(out.nr == 4 && strcmp(out.bytes, "text") == 0);
	CHILD_CHECK(out.mtime_ns == SOURCE_TIME_NONE);
	CHILD_CHECK(fcntl(0, F_GETFD) >= 0);
	free(out.bytes);
}

static void
test_source_read_of_stdin_leaves_it_open(void **state)
{
	ASSERT_EQ(run_child(try_stdin, NULL), CHILD_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_source_read_of_a_file_is_all_of_it, dir_set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_source_read_ends_where_it_may_go_no_further,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_source_read_of_what_is_none_is_an_error,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_source_read_of_a_pipe_that_does_not_end_is_in_time,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_source_read_of_stdin_leaves_it_open, dir_set_up,
			dir_tear_down),
	};

	return cmocka_run_group_tests_name("sources/source_read", tests, NULL,
					   NULL);
}
