/* SPDX-License-Identifier: MIT */
/*
 * test_git_repo.h - a repository that git has made, far from anybody's settings.
 */
#ifndef TESTS_SUPPORT_TEST_GIT_REPO_H
#define TESTS_SUPPORT_TEST_GIT_REPO_H

#include "tests/support/test_collect_scratch.h"

#include <errno.h>
#include <fcntl.h>

#include "git/io_libgit2_guard.h"
#include "git/io_repo.h"

#define MEMORY_BYTES ((size_t)32 << 20)

static int back = -1;

/* Runs a line of shell with git far from anybody's settings. */
static inline void
shell(const char *line)
{
	char whole[4096];

	snprintf(whole, sizeof(whole),
		 "set -e; export HOME=$PWD/home GIT_CONFIG_NOSYSTEM=1 "
		 "GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a "
		 "GIT_COMMITTER_EMAIL=a@b GIT_AUTHOR_DATE='1700000000 +0000' "
		 "GIT_COMMITTER_DATE='1700000000 +0000'; "
		 "exec >/dev/null 2>&1; %s",
		 line);
	if (system(whole) != 0)
		fail_msg("shell: %s", line);
}

/* What git says, a line. */
static inline void
ask_git(const char *line, char *out, int size)
{
	FILE *git = popen(line, "re");

	assert_non_null(git);
	if (fgets(out, size, git) == NULL)
		out[0] = '\0';
	out[strcspn(out, "\n")] = '\0';
	assert_int_equal(pclose(git), 0);
}

static inline int
set_up(void **state)
{
	if (system("git --version >/dev/null 2>&1") != 0)
		return 0;
	scratch_enter(&back);
	shell("git init -q -b main r; cd r; mkdir -p src/in; "
	      "echo one > a.txt; echo two > src/in/b.c; git add .; "
	      "git commit -qm first; echo three > a.txt; git commit -qam next; "
	      "git tag -a v1 -m v1; git branch side HEAD~1");
	assert_int_equal(gitlib_open(MEMORY_BYTES), 0);
	return 0;
}

static inline int
tear_down(void **state)
{
	int here;

	if (back < 0)
		return 0;
	here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	scratch_empty(here);
	close(here);
	assert_int_equal(fchdir(back), 0);
	close(back);
	back = -1;
	return 0;
}

static inline void
need_git(void)
{
	if (back < 0) {
		print_message("git is not installed\n");
		skip();
	}
}

static inline int
find(struct repo *repo, const char *path, const char *allowed,
     char why[REPO_WHY_BYTES])
{
	char real[4096];
	const char *paths[] = { real };
	struct repo_allowed list = { paths, 0 };
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error;

	assert_true(fd >= 0);
	if (allowed != NULL) {
		assert_non_null(realpath(allowed, real));
		list.nr = 1;
	}
	error = repo_find(repo, fd, &list, why);
	close(fd);
	return error;
}

static inline void
expect_found(const char *path, const char *prefix)
{
	char why[REPO_WHY_BYTES];
	struct repo repo;
	int error = find(&repo, path, NULL, why);

	if (error != 0)
		fail_msg("%s: %s (%s)", path, strerror(-error), why);
	assert_string_equal(repo.prefix, prefix);
	assert_int_equal(repo_open(&repo), 0);
	repo_close(&repo);
}

static inline void
expect_refused(const char *path, int want, const char *text)
{
	char why[REPO_WHY_BYTES];
	struct repo repo;
	int error = find(&repo, path, NULL, why);

	if (error != want || strstr(why, text) == NULL)
		fail_msg("%s: got %d (%s), want %d (... %s ...)", path, error,
			 why, want, text);
	repo_close(&repo);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
