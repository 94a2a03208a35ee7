/* SPDX-License-Identifier: MIT */
/*
 * test_replace_file.c - a file is there whole, or as it was before.
 */
#include "tests/support/test_dir.h"

#include "base/replace_file.h"
#include "base/signals.h"

/* Writes a text, or fails after half of it. */
struct content {
	const char *text;
	int error;
};

static int
put(void *context, int fd)
{
	const struct content *content = context;
	size_t bytes = strlen(content->text);

	if (content->error != 0)
		bytes /= 2;
	return write(fd, content->text, bytes) == (ssize_t)bytes
		       ? content->error
		       : -EIO;
}

static mode_t
mode_of(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? status.st_mode & 07777 : 0;
}

static void
test_replace_file_takes_the_place_and_the_mode(void **state)
{
	struct content one = { .text = "one" };
	struct content two = { .text = "two" };

	ASSERT_EQ(replace_file("a", put, &one), 0);
	ASSERT_TEXT("a", "one");
	ASSERT_EQ(mode_of("a"), new_file_mode());
	ASSERT_EQ(chmod("a", 0601), 0);
	ASSERT_EQ(replace_file("a", put, &two), 0);
	ASSERT_TEXT("a", "two");
	ASSERT_EQ(mode_of("a"), 0601);
	ASSERT_NAMES(".", "a");
}

static void
test_replace_file_that_fails_leaves_the_old_one(void **state)
{
	struct content bad = { .text = "halfhalf", .error = -ENOSPC };

	dir_write("a", "old");
	ASSERT_EQ(replace_file("a", put, &bad), -ENOSPC);
	ASSERT_EQ(replace_file("b", put, &bad), -ENOSPC);
	ASSERT_EQ(replace_file("none/a", put, &bad), -ENOENT);
	ASSERT_TEXT("a", "old");
	ASSERT_NAMES(".", "a");
}

static void
test_replace_file_has_steps_that_can_be_given_up(void **state)
{
	struct content new = { .text = "new" };
	struct replacement replacement;

	dir_write("a", "old");
	for (int steps = 0; steps < 2; steps++) {
		ASSERT_EQ(replace_prepare(&replacement, "a", put, &new), 0);
		ASSERT_TEXT("a", "old");
		if (steps > 0)
			ASSERT_EQ(replace_ready(&replacement), 0);
		ASSERT_TEXT("a", "old");
		new_file_drop(&replacement.file);
		new_file_drop(&replacement.file);
		ASSERT_TEXT("a", "old");
		ASSERT_NAMES(".", "a");
	}
	ASSERT_EQ(replace_prepare(&replacement, "a", put, &new), 0);
	ASSERT_EQ(replace_ready(&replacement), 0);
	ASSERT_EQ(replace_commit(&replacement), 0);
	ASSERT_TEXT("a", "new");
	ASSERT_NAMES(".", "a");
	replacement = REPLACEMENT_NONE;
	ASSERT_EQ(replace_ready(&replacement), 0);
	ASSERT_EQ(replace_commit(&replacement), 0);
	new_file_drop(&replacement.file);
}

static void
test_replace_file_that_is_none_is_written_to(void **state)
{
	struct content text = { .text = "text" };
	struct content bad = { .text = "text", .error = -EPIPE };
	char got[8] = "";
	int fd;

	ASSERT_EQ(mkfifo("p", 0600), 0);
	fd = open("p", O_RDWR | O_CLOEXEC);
	ASSERT_TRUE(fd >= 0);
	ASSERT_EQ(replace_file("p", put, &text), 0);
	ASSERT_EQ(read(fd, got, sizeof(got)), 4);
	assert_string_equal(got, "text");
	ASSERT_EQ(replace_file("p", put, &bad), -EPIPE);
	ASSERT_EQ(replace_file(".", put, &text), -EISDIR);
	ASSERT_EQ(replace_file("/dev/null", put, &text), 0);
	close(fd);
	ASSERT_NAMES(".", "p");
}

static void
test_replace_file_can_be_told_beforehand(void **state)
{
	dir_write("a", "old");
	ASSERT_EQ(symlink("loop", "loop"), 0);
	ASSERT_EQ(replace_check("a"), 0);
	ASSERT_EQ(replace_check("new"), 0);
	ASSERT_EQ(replace_check("/dev/null"), 0);
	ASSERT_EQ(replace_check("."), -EISDIR);
	ASSERT_EQ(replace_check("none/a"), -ENOENT);
	ASSERT_EQ(replace_check("a/b"), -ENOTDIR);
	ASSERT_EQ(replace_check("loop"), -ELOOP);
	ASSERT_TEXT("a", "old");
	ASSERT_NAMES(".", "a loop");
}

/* The result stands: a signal that comes later does not change the code. */
static void
try_at_last(void *arg)
{
	struct content text = { .text = "text" };
	struct content bad = { .text = "text", .error = -EIO };

	signals_init();
	CHILD_CHECK(replace_file_at_last("a", put, &bad) == -EIO);
	CHILD_CHECK(!signals_is_committed());
	CHILD_CHECK(replace_file_at_last("a", put, &text) == 0);
	CHILD_CHECK(signals_is_committed());
	raise(SIGTERM);
	_exit(1);
}

static void
test_replace_file_at_last_is_the_result(void **state)
{
	ASSERT_EQ(run_child(try_at_last, NULL), 0);
	ASSERT_TEXT("a", "text");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_replace_file_takes_the_place_and_the_mode,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_replace_file_that_fails_leaves_the_old_one,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_replace_file_has_steps_that_can_be_given_up,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_replace_file_that_is_none_is_written_to,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_replace_file_can_be_told_beforehand, dir_set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_replace_file_at_last_is_the_result, dir_set_up,
			dir_tear_down),
	};

	return cmocka_run_group_tests_name("base/replace_file", tests, NULL,
					   NULL);
}
