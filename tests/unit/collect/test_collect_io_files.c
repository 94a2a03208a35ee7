/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_files.c - a list of files in order, and their directories.
 */
#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_io_files.h"

static void
test_files_are_sorted_each_once(void **state)
{
	static const char *const typed[] = { "b",     "./a//x", "a/x",
					     "a-b",   "a/./y",  "a/x",
					     "b/",    "c/../b", "c/d/../../a/x",
					     "..z/w", "a/../a/v/../y" };
	static const char *const want[] = { "..z/w", "a-b", "a/x", "a/y", "b" };
	struct files files;
	uint32_t bad;

	assert_int_equal(files_init(&files, ".", typed, ARRAY_LEN(typed), &bad), 0);
	assert_int_equal(files.nr, ARRAY_LEN(want));
	for (size_t i = 0; i < files.nr; i++) {
		assert_string_equal(files.paths[i].text, want[i]);
		assert_int_equal(files.paths[i].bytes, strlen(want[i]));
	}
	files_free(&files, -1);
}

static void
test_files_that_cannot_be_below_are_named(void **state)
{
	static const char *const bad_paths[] = { "/x", "../x", "a/../../x",
						 "",   ".",    "./",
						 "a/..", "a/../.." };
	struct files files;

	for (size_t i = 0; i < ARRAY_LEN(bad_paths); i++) {
		const char *const paths[] = { "ok", "..ok/.ok", bad_paths[i] };
		uint32_t bad = 9;

		assert_int_equal(files_init(&files, ".", paths, 3, &bad), -EINVAL);
		assert_int_equal(bad, 2);
		files_free(&files, -1);
	}
}

/* Whole paths, as an editor has them: also through a link to the root. */
static void
test_files_whole_paths_are_those_below_the_root(void **state)
{
	char here[PATH_MAX];
	char through[PATH_MAX + 16];
	char real[PATH_MAX + 16];
	char beside[PATH_MAX + 16];
	struct files files;
	uint32_t bad;

	assert_int_equal(mkdir("tree", 0755), 0);
	assert_int_equal(symlink("tree", "link"), 0);
	assert_non_null(getcwd(here, sizeof(here)));
	snprintf(through, sizeof(through), "%s/link//a", here);
	snprintf(real, sizeof(real), "%s/tree/b", here);
	snprintf(beside, sizeof(beside), "%s/tree-b/c", here);
	{
		const char *const paths[] = { through, real, "c" };

		assert_int_equal(files_init(&files, "link", paths, 3, &bad), 0);
		assert_int_equal(files.nr, 3);
		assert_string_equal(files.paths[0].text, "a");
		assert_string_equal(files.paths[1].text, "b");
		files_free(&files, -1);
	}
	{
		const char *const paths[] = { "a", beside };

		assert_int_equal(files_init(&files, "tree/", paths, 2, &bad),
				 -EINVAL);
		assert_int_equal(bad, 1);
		files_free(&files, -1);
	}
}

/* The first that comes behind a path, by looking at all. */
static void
test_files_seek_is_as_looking_at_all(void **state)
{
	static const char *const names[] = { "a",   "a-b", "a/b", "a/b/c",
					     "a0",  "b",   "b/",  "",
					     "zzz", "a/",  "A" };
	static const char *const paths[] = { "a-b", "a/b", "a/c", "a0/x",
					     "b",   "c" };
	struct files files;
	uint32_t bad;

	assert_int_equal(files_init(&files, ".", paths, ARRAY_LEN(paths), &bad), 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		size_t want = 0;

		while (want < files.nr &&
		       strcmp(files.paths[want].text, names[i]) <= 0)
			want++;
		files_seek(&files, names[i], strlen(names[i]));
		if (files.pos != want)
			fail_msg("%s: got %zu, want %zu", names[i], files.pos,
				 want);
	}
	files_free(&files, -1);
}

/* The same directory is opened once; of the root its own descriptor serves. */
static void
test_files_directories_are_opened_one_after_the_other(void **state)
{
	static const char *const paths[] = { "a", "d/b", "d/c", "d/e/f",
					     "d/z", "gone/g", "link/b", "z" };
	static const int wants[] = { 0, 0, 0, 0, 0, -ENOENT, -ENOTDIR, 0 };
	int root_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct files files;
	uint32_t bad;
	int before = -1;

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (wants[i] == 0)
			scratch_file(paths[i], "\n");
	assert_int_equal(symlink("d", "link"), 0);
	assert_int_equal(files_init(&files, ".", paths, ARRAY_LEN(paths), &bad), 0);
	for (; files.pos < files.nr; files.pos++) {
		const char *path = files.paths[files.pos].text;
		const char *slash = strrchr(path, '/');
		const char *name = slash == NULL ? path : slash + 1;
		struct stat by_fd;
		struct stat by_path;
		int fd = -1;
		int error;

		error = files_open_dir(&files, root_fd, &fd);
		/* as the kernel says it of a link */
		if (error == -ELOOP)
			error = -ENOTDIR;
		assert_int_equal(error, wants[files.pos]);
		if (wants[files.pos] != 0)
			continue;
		assert_int_equal(fd == root_fd, slash == NULL);
		if (strcmp(path, "d/c") == 0)
			assert_int_equal(fd, before);
		before = fd;
		assert_int_equal(fstatat(fd, name, &by_fd, 0), 0);
		assert_int_equal(stat(path, &by_path), 0);
		assert_int_equal(by_fd.st_ino, by_path.st_ino);
	}
	files_free(&files, root_fd);
	/* which stays the walk's */
	assert_int_equal(fcntl(root_fd, F_GETFD), FD_CLOEXEC);
	close(root_fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files_are_sorted_each_once),
		cmocka_unit_test(test_files_that_cannot_be_below_are_named),
		cmocka_unit_test(test_files_seek_is_as_looking_at_all),
		cmocka_unit_test_setup_teardown(
			test_files_whole_paths_are_those_below_the_root,
			scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(
			test_files_directories_are_opened_one_after_the_other,
			scratch_set_up, scratch_tear_down),
	};

	return cmocka_run_group_tests_name("collect/collect_io_files", tests,
					   NULL, NULL);
}
