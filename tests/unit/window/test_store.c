/* SPDX-License-Identifier: MIT */
/*
 * test_store.c - a file that is replaced whole, under a lock.
 */
#include "tests/support/test_window_dir.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "window/store.h"

static void
test_store_replaces_whole_files_and_keeps_mode_and_links(void **state)
{
	struct window_error error;
	struct store store;
	struct stat info;
	char link[SCRATCH_BYTES + 32];
	char *text;
	size_t bytes;

	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(symlink("real", link), 0);
	assert_int_equal(
		store_open(&store, path_of("real"), "old", 1000, &error), 0);
	assert_int_equal(store_replace(&store, "old", 3, &error), 0);
	store_close(&store);
	assert_int_equal(chmod(path_of("real"), 0640), 0);
	assert_int_equal(store_open(&store, link, NULL, 1000, &error), 0);
	assert_int_equal(store_read(&store, &text, &bytes, &error), 0);
	assert_string_equal(text, "old");
	free(text);
	assert_int_equal(store_replace(&store, "new text", 8, &error), 0);
	store_close(&store);
	assert_int_equal(lstat(link, &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_equal(stat(path_of("real"), &info), 0);
	assert_int_equal(info.st_mode & 0777, 0640);
	assert_int_equal(info.st_size, 8);
	assert_int_equal(entries_in_dir(), 2); /* nothing else is left */
}

static void
test_store_that_was_made_for_nothing_goes_again(void **state)
{
	struct window_error error;
	struct store store;

	assert_int_equal(store_open(&store, path_of("w"), "x", 1000, &error),
			 0);
	assert_int_equal(entries_in_dir(), 1);
	store_close(&store);
	assert_int_equal(entries_in_dir(), 0);
	assert_int_equal(store_open(&store, path_of("w"), NULL, 1000, &error),
			 -ENOENT);
	assert_begins(error.text, "BALE-WIN-015 ");
	assert_int_equal(store_open(&store, dir, NULL, 1000, &error), -EINVAL);
	assert_non_null(strstr(error.text, ": is not a regular file; "));
	assert_int_equal(store_open(&store, path_of("no/w"), "x", 1000, &error),
			 -ENOTDIR);
	assert_non_null(strstr(error.text, ": its directory does not exist; "));
}

static int
open_descriptors(void)
{
	int nr = 0;

	for (int fd = 0; fd < 1024; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	return nr;
}

/* However often: no descriptor, and no place among what goes at a signal. */
static void
test_store_keeps_nothing_open(void **state)
{
	struct window_error error;
	struct store store;
	int before = open_descriptors();

	for (int i = 0; i < 300; i++) {
		assert_int_equal(
			store_open(&store, path_of("many"), "x", 1000, &error),
			0);
		assert_true(store.listed >= 0 && store.dir_fd >= 0);
		store_close(&store);
	}
	assert_int_equal(open_descriptors(), before);
}

static void
test_store_waits_for_the_lock_and_no_longer(void **state)
{
	struct window_error error;
	struct store first;
	struct store second;

	assert_int_equal(store_open(&first, path_of("w"), "x", 1000, &error),
			 0);
	assert_int_equal(store_open(&second, path_of("w"), "x", 50, &error),
			 -ETIMEDOUT);
	assert_begins(error.text, "BALE-WIN-016 ");
	store_close(&first);
}

#define COUNTERS 4

#define COUNTS 100

/* Adds one to the number in a file, again and again. */
static void *
count_up(void *arg)
{
	char path[SCRATCH_BYTES + 32];

	snprintf(path, sizeof(path), "%s/n", dir);
	for (int i = 0; i < COUNTS; i++) {
		struct window_error error;
		struct store store;
		char number[16];
		char *text;
		size_t bytes;

		if (store_open(&store, path, "0", 60000, &error) != 0)
			return arg;
		if (store_read(&store, &text, &bytes, &error) != 0)
			return arg;
		snprintf(number, sizeof(number), "%d", atoi(text) + 1);
		free(text);
		if (store_replace(&store, number, strlen(number), &error) != 0)
			return arg;
		store_close(&store);
	}
	return NULL;
}

/* A lock on a file that has been replaced meanwhile is none. */
static void
test_store_loses_no_change_between_open_and_lock(void **state)
{
	pthread_t threads[COUNTERS];
	struct window_error error;
	struct store store;
	char *text;
	size_t bytes;

	for (int i = 0; i < COUNTERS; i++)
		assert_int_equal(
			pthread_create(&threads[i], NULL, count_up, dir), 0);
	for (int i = 0; i < COUNTERS; i++) {
		void *failed;

		pthread_join(threads[i], &failed);
		assert_null(failed);
	}
	assert_int_equal(store_open(&store, path_of("n"), NULL, 1000, &error),
			 0);
	assert_int_equal(store_read(&store, &text, &bytes, &error), 0);
	assert_int_equal(atoi(text), COUNTERS * COUNTS);
	free(text);
	store_close(&store);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_store_replaces_whole_files_and_keeps_mode_and_links,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_store_that_was_made_for_nothing_goes_again, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_store_keeps_nothing_open,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_store_waits_for_the_lock_and_no_longer, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			test_store_loses_no_change_between_open_and_lock,
			set_up, tear_down),
	};

	return cmocka_run_group_tests_name("window/store", tests, NULL, NULL);
}
