/* SPDX-License-Identifier: MIT */
/*
 * test_dir.h - a directory for each test, and what lies in it.
 *
 *   dir_set_up, dir_tear_down   for cmocka: the working directory is a new one
 *   dir_write, dir_read         whole files
 *   dir_names                   what is there, sorted, as "a b c"
 */
#ifndef TESTS_SUPPORT_TEST_DIR_H
#define TESTS_SUPPORT_TEST_DIR_H

#include "tests/support/test_shm.h"

#include <sys/stat.h>

#define DIR_TEXT_BYTES 8192

static char dir_path[4096];
static int dir_back = -1;

static __attribute__((unused)) int
dir_set_up(void **state)
{
	const char *base = getenv("TMPDIR");

	snprintf(dir_path, sizeof(dir_path), "%s/bale-dirXXXXXX",
		 base != NULL ? base : "/tmp");
	dir_back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return mkdtemp(dir_path) == NULL || chdir(dir_path) != 0;
}

static __attribute__((unused)) int
dir_tear_down(void **state)
{
	char command[sizeof(dir_path) + 16];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir_path);
	if (fchdir(dir_back) != 0 || close(dir_back) != 0)
		return 1;
	return system(command);
}

static __attribute__((unused)) void
dir_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	/* in children as well, where nothing is asserted */
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

/* "" where there is none */
static __attribute__((unused)) const char *
dir_read(const char *path)
{
	static char text[DIR_TEXT_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[got < 0 ? 0 : got] = '\0';
	return text;
}

static __attribute__((unused)) int
dir_by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static __attribute__((unused)) const char *
dir_names(const char *path)
{
	static char text[DIR_TEXT_BYTES];
	struct dirent **entries;
	int nr = scandir(path, &entries, NULL, dir_by_name);
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; i < nr; i++) {
		const char *name = entries[i]->d_name;

		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			at += (size_t)snprintf(text + at, sizeof(text) - at,
					       "%s%s", at > 0 ? " " : "", name);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	return text;
}

#define ASSERT_NAMES(path, want) assert_string_equal(dir_names(path), want)
#define ASSERT_TEXT(path, want) assert_string_equal(dir_read(path), want)

/* For children. */
static __attribute__((unused)) void
dir_check(const char *got, const char *want, int line)
{
	if (strcmp(got, want) == 0)
		return;
	fprintf(stderr, "# in a child, line %d: got %s, want %s\n", line, got,
		want);
	_exit(1);
}

#define CHECK_NAMES(path, want) dir_check(dir_names(path), want, __LINE__)
#define CHECK_TEXT(path, want) dir_check(dir_read(path), want, __LINE__)

#endif
