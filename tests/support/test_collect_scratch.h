/* SPDX-License-Identifier: MIT */
/*
 * test_collect_scratch.h - trees for the tests of collect.
 *
 * Does: makes folders and files below a scratch folder of the test's own, and
 *       says what a walk over them gave, one line an entry.
 *
 *   "[reason] path" for what is left out, "path" for the rest
 */
#ifndef TESTS_SUPPORT_TEST_COLLECT_SCRATCH_H
#define TESTS_SUPPORT_TEST_COLLECT_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stages/collect/collect_io.h"

#define UNUSED __attribute__((unused))

/* Into a new folder; the folder before is in *back. */
static UNUSED void
scratch_enter(int *back)
{
	const char *base = getenv("TMPDIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/collectXXXXXX",
		 base != NULL ? base : "/tmp");
	*back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(*back >= 0);
	assert_non_null(mkdtemp(path));
	assert_int_equal(chdir(path), 0);
}

/* Removes all below a directory; of any depth, so by moving things up. */
static UNUSED void
scratch_empty(int dir_fd)
{
	DIR *dir;
	struct dirent *entry;
	int nr = 0;

	dir = fdopendir(openat(dir_fd, ".", O_RDONLY | O_DIRECTORY));
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		char aside[64];
		int fd;

		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0 ||
		    unlinkat(dir_fd, entry->d_name, 0) == 0 ||
		    unlinkat(dir_fd, entry->d_name, AT_REMOVEDIR) == 0)
			continue;
		if (fchmodat(dir_fd, entry->d_name, 0700, 0) != 0)
			continue;
		fd = openat(dir_fd, entry->d_name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
		if (fd < 0)
			continue;
		/* Its children become ours, and so on. */
		for (DIR *sub = fdopendir(fd); sub != NULL;) {
			struct dirent *child = readdir(sub);

			if (child == NULL) {
				closedir(sub);
				break;
			}
			snprintf(aside, sizeof(aside), "moved%d.%d", nr++,
				 (int)getpid());
			if (strcmp(child->d_name, ".") != 0 &&
			    strcmp(child->d_name, "..") != 0)
				renameat(dirfd(sub), child->d_name, dir_fd,
					 aside);
		}
		unlinkat(dir_fd, entry->d_name, AT_REMOVEDIR);
		rewinddir(dir);
	}
	if (dir != NULL)
		closedir(dir);
}

static UNUSED void
scratch_leave(int back)
{
	char path[4096];

	if (getcwd(path, sizeof(path)) != NULL &&
	    strstr(path, "/collect") != NULL) {
		int fd = open(".", O_RDONLY | O_DIRECTORY);

		scratch_empty(fd);
		close(fd);
	} else {
		path[0] = '\0';
	}
	assert_int_equal(fchdir(back), 0);
	close(back);
	if (path[0] != '\0')
		rmdir(path);
}

/* Each test in a folder of its own: for cmocka. */
static int scratch_back;

static UNUSED int
scratch_set_up(void **state)
{
	scratch_enter(&scratch_back);
	return 0;
}

static UNUSED int
scratch_tear_down(void **state)
{
	scratch_leave(scratch_back);
	return 0;
}

/* A file, and the folders before it. */
static UNUSED void
scratch_file(const char *path, const char *text)
{
	char part[4096];
	int fd;

	for (const char *at = strchr(path + 1, '/'); at != NULL;
	     at = strchr(at + 1, '/')) {
		memcpy(part, path, (size_t)(at - path));
		part[at - path] = '\0';
		mkdir(part, 0755);
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
}

struct scratch_log {
	char *text;
	size_t bytes;
};

static UNUSED void
scratch_add(struct scratch_log *log, const struct collect_entry *entry)
{
	const char *reason =
		entry->reason != REASON_NONE ? reason_text(entry->reason) : "";

	log->text = realloc(log->text, log->bytes + entry->path_bytes + 32);
	assert_non_null(log->text);
	if (*reason != '\0')
		log->bytes += (size_t)sprintf(log->text + log->bytes, "[%s] ",
					      reason);
	memcpy(log->text + log->bytes, entry->path, entry->path_bytes);
	log->bytes += entry->path_bytes;
	memcpy(log->text + log->bytes, "\n", 2);
	log->bytes++;
}

/* All that is left of a walk. owner: the caller's, for free() */
static UNUSED char *
scratch_rest(struct collect_walk *walk)
{
	struct scratch_log log = { .text = calloc(1, 1) };
	struct collect_entry entry;
	int got;

	while ((got = collect_walk_next(walk, &entry)) == 1)
		scratch_add(&log, &entry);
	assert_int_equal(got, 0);
	return log.text;
}

static UNUSED char *
scratch_walk(const struct collect_options *options)
{
	struct collect_walk *walk;
	uint32_t bad_root;
	char *text;

	assert_int_equal(collect_walk_create(&walk, options, &bad_root), 0);
	text = scratch_rest(walk);
	collect_walk_destroy(walk);
	return text;
}

/* The walk over "." with nothing special gives this text. */
static UNUSED void
scratch_expect(const struct collect_options *options, const char *want)
{
	char *got = scratch_walk(options);

	if (strcmp(got, want) != 0)
		fail_msg("got:\n%s\nwant:\n%s", got, want);
	free(got);
}

static const char *const scratch_here[] UNUSED = { "." };

#define SCRATCH_HERE .roots = scratch_here, .root_nr = 1

#endif
