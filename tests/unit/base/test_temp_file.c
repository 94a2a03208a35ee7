/* SPDX-License-Identifier: MIT */
/*
 * test_temp_file.c - where a file without a name lies.
 */
#include "tests/support/test_dir.h"

#include "base/new_file.h"

/* In a child: the environment is changed. */
static void
try_in_tmpdir(void *arg)
{
	const char *dirs[TEMP_FILE_DIRS];
	struct stat dir, file;
	int fd;

	CHILD_CHECK(mkdir("t", 0700) == 0 && stat("t", &dir) == 0);
	CHILD_CHECK(setenv("TMPDIR", "t", 1) == 0);
	CHILD_CHECK(temp_file_dirs(dirs) == 1 && strcmp(dirs[0], "t") == 0);
	fd = temp_file_open();
	CHILD_CHECK(fd >= 0 && fstat(fd, &file) == 0);
	CHILD_CHECK(file.st_nlink == 0 && file.st_size == 0);
	CHILD_CHECK(file.st_dev == dir.st_dev);
	CHECK_NAMES("t", "");
	CHILD_CHECK(write(fd, "abc", 3) == 3);
	CHILD_CHECK(pread(fd, (char[3]){ 0 }, 3, 0) == 3);
	CHILD_CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);

	CHILD_CHECK(setenv("TMPDIR", "t/none", 1) == 0);
	CHILD_CHECK(temp_file_open() == -ENOENT);
}

static void
test_temp_file_lies_where_the_user_says(void **state)
{
	ASSERT_EQ(run_child(try_in_tmpdir, NULL), CHILD_OK);
}

static void
try_without_tmpdir(void *arg)
{
	const char *dirs[TEMP_FILE_DIRS];
	int fd;

	if (arg == NULL)
		CHILD_CHECK(unsetenv("TMPDIR") == 0);
	else
		CHILD_CHECK(setenv("TMPDIR", "", 1) == 0);
	CHILD_CHECK(temp_file_dirs(dirs) == 2);
	CHILD_CHECK(strcmp(dirs[0], "/tmp") == 0);
	CHILD_CHECK(strcmp(dirs[1], "/var/tmp") == 0);
	fd = temp_file_open();
	CHILD_CHECK(fd >= 0 || access("/tmp", W_OK) != 0);
}

static void
test_temp_file_has_two_places_otherwise(void **state)
{
	ASSERT_EQ(run_child(try_without_tmpdir, NULL), CHILD_OK);
	ASSERT_EQ(run_child(try_without_tmpdir, &(int){ 0 }), CHILD_OK);
}

/* Where /tmp is memory, the disk that /var/tmp is on is taken. */
static void
try_tmpfs(void *arg)
{
	struct stat at, file;
	int disk, fd;

	unsetenv("TMPDIR");
	disk = open("/var/tmp", O_TMPFILE | O_RDWR, 0600);
	if (disk < 0 || temp_file_is_in_memory(disk))
		_exit(CHILD_SKIP);
	child_mount_tmpfs("/tmp", "size=1m");
	fd = temp_file_open();
	CHILD_CHECK(fd >= 0 && !temp_file_is_in_memory(fd));
	CHILD_CHECK(stat("/var/tmp", &at) == 0 && fstat(fd, &file) == 0);
	CHILD_CHECK(at.st_dev == file.st_dev);
}

static void
test_temp_file_prefers_a_disk(void **state)
{
	run_child_or_skip(try_tmpfs, NULL);
}

static void
test_temp_file_knows_what_is_memory(void **state)
{
	int memory = memfd_create("x", MFD_CLOEXEC);
	int process = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);

	ASSERT_TRUE(memory >= 0 && process >= 0);
	ASSERT_TRUE(temp_file_is_in_memory(memory));
	ASSERT_TRUE(!temp_file_is_in_memory(process));
	ASSERT_TRUE(!temp_file_is_in_memory(-1));
	close(memory);
	close(process);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_temp_file_lies_where_the_user_says, dir_set_up,
			dir_tear_down),
		cmocka_unit_test(test_temp_file_has_two_places_otherwise),
		cmocka_unit_test(test_temp_file_prefers_a_disk),
		cmocka_unit_test(test_temp_file_knows_what_is_memory),
	};

	return cmocka_run_group_tests_name("base/temp_file", tests, NULL, NULL);
}
