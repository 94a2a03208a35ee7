/* SPDX-License-Identifier: MIT */
/*
 * test_shm_fd_io.c - all bytes go through, whatever comes in between.
 */
#include "tests/support/test_shm.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

#include "base/base.h"
#include "base/base64.h"
#include "base/clock.h"
#include "base/fd_io.h"

#define TEXT_BYTES (8u << 20)

static uint8_t text[TEXT_BYTES];
static uint8_t got[TEXT_BYTES];
static atomic_int interruptions;

static void
interrupt(int signal)
{
	(void)signal;
	atomic_fetch_add(&interruptions, 1);
}

static void *
feed_pipe(void *fd)
{
	static int result;

	result = fd_write_all(*(int *)fd, text, TEXT_BYTES);
	close(*(int *)fd);
	return &result;
}

/* Both ends are interrupted all the time, and the pipe holds little. */
static void
test_fd_io_goes_on_after_signals(void **state)
{
	struct sigaction action = { .sa_handler = interrupt }; /* no restart */
	struct itimerval often = { { 0, 50 }, { 0, 50 } };
	struct itimerval never = { 0 };
	pthread_t writer;
	size_t nr = 0;
	ssize_t some;
	void *result;
	int fds[2];

	for (size_t i = 0; i < TEXT_BYTES; i++)
		text[i] = (uint8_t)(i * 2654435761u >> 13);
	ASSERT_EQ(pipe(fds), 0);
	fcntl(fds[1], F_SETPIPE_SZ, 4096);
	ASSERT_EQ(sigaction(SIGALRM, &action, NULL), 0);
	ASSERT_EQ(setitimer(ITIMER_REAL, &often, NULL), 0);
	ASSERT_EQ(pthread_create(&writer, NULL, feed_pipe, &fds[1]), 0);
	while ((some = fd_read_some(fds[0], got + nr, TEXT_BYTES - nr)) > 0)
		nr += (size_t)some;
	setitimer(ITIMER_REAL, &never, NULL);
	pthread_join(writer, &result);
	ASSERT_EQ(some, 0);
	ASSERT_EQ(*(int *)result, 0);
	ASSERT_EQ(nr, TEXT_BYTES);
	assert_memory_equal(got, text, TEXT_BYTES);
	ASSERT_TRUE(atomic_load(&interruptions) > 0);
	close(fds[0]);
}

static void
test_fd_io_says_what_failed(void **state)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ASSERT_EQ(fd_write_all(full, text, 1), -ENOSPC);
	ASSERT_EQ(fd_write_all(full, text, 0), 0);
	ASSERT_EQ(fd_write_all(null, text, 1), -EBADF);
	ASSERT_EQ(fd_read_some(null, got, 1), 0);
	ASSERT_EQ(fd_read_some(full, got, 1), -EBADF);
	close(full);
	close(null);
}

/* All of it, to the byte of the limit and no further. */
static void
test_fd_io_reads_all_or_says_that_it_is_too_much(void **state)
{
	static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, 1000000 };
	char *all;
	size_t nr;
	int fd;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		FILE *file = tmpfile();

		fd = fileno(file);
		ASSERT_EQ(fd_write_all(fd, text, sizes[i]), 0);
		lseek(fd, 0, SEEK_SET);
		ASSERT_EQ(fd_read_regular(fd, sizes[i], &all, &nr), 0);
		ASSERT_EQ(nr, sizes[i]);
		assert_memory_equal(all, text, nr);
		ASSERT_EQ(all[nr], 0);
		free(all);
		lseek(fd, 0, SEEK_SET);
		if (sizes[i] > 0) {
			ASSERT_EQ(fd_read_all(fd, sizes[i] - 1, &all, &nr),
				  -EFBIG);
			assert_null(all);
		}
		fclose(file);
	}
	ASSERT_EQ(file_read_all("/nowhere", 1, &all, &nr), -ENOENT);
	assert_null(all);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	ASSERT_EQ(fd_read_regular(fd, 1, &all, &nr), -EINVAL);
	close(fd);
}

static void
test_file_read_all_drops_the_byte_order_mark(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} cases[] = {
		{ "\xef\xbb\xbf"
		  "a\xef\xbb\xbf",
		  "a\xef\xbb\xbf" },
		{ "\xef\xbb\xbf", "" },
		{ "\xef\xbb", "\xef\xbb" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char name[32];
		FILE *file = tmpfile();
		char *all;
		size_t nr;

		ASSERT_TRUE(file != NULL);
		fputs(cases[i].text, file);
		fflush(file);
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fileno(file));
		ASSERT_EQ(file_read_all(name, 16, &all, &nr), 0);
		assert_string_equal(all, cases[i].want);
		ASSERT_EQ(nr, strlen(cases[i].want));
		free(all);
		fclose(file);
	}
}

static void
test_base64_values(void **state)
{
	static const char *const alphabets[] = {
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789+/",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789-_",
	};

	for (int c = 1; c < 256; c++) {
		int want = -1;

		for (size_t i = 0; i < ARRAY_LEN(alphabets); i++) {
			const char *at = strchr(alphabets[i], c);

			if (at != NULL)
				want = (int)(at - alphabets[i]);
		}
		ASSERT_EQ(base64_value((char)c), want);
	}
	ASSERT_EQ(base64_value('\0'), -1);
}

/* A pipe whose writer is late, does not end, or ends. */
static void
test_fd_io_waits_up_to_a_moment(void **state)
{
	uint64_t begin = clock_now_ns();
	char *all;
	size_t nr;
	int fds[2];

	ASSERT_EQ(pipe2(fds, O_NONBLOCK), 0);
	ASSERT_EQ(fd_wait(fds[0], begin + 20 * NS_PER_MS), -ETIMEDOUT);
	ASSERT_TRUE(clock_now_ns() - begin >= 20 * NS_PER_MS);
	ASSERT_EQ(fd_wait(fds[0], 0), -ETIMEDOUT);
	ASSERT_EQ(write(fds[1], "abc", 3), 3);
	/* even if the moment is over */
	ASSERT_EQ(fd_wait(fds[0], 0), 0);
	ASSERT_EQ(fd_read_until(fds[0], clock_now_ns() + 20 * NS_PER_MS, 9,
				&all, &nr),
		  -ETIMEDOUT);
	ASSERT_TRUE(all == NULL);
	ASSERT_EQ(write(fds[1], "defg", 4), 4);
	close(fds[1]);
	ASSERT_EQ(
		fd_read_until(fds[0], clock_now_ns() + NS_PER_S, 4, &all, &nr),
		0);
	ASSERT_EQ(nr, 4);
	assert_string_equal(all, "defg");
	free(all);
	close(fds[0]);
	ASSERT_EQ(pipe(fds), 0);
	ASSERT_EQ(write(fds[1], "defg", 4), 4);
	ASSERT_EQ(
		fd_read_until(fds[0], clock_now_ns() + NS_PER_S, 3, &all, &nr),
		-EFBIG);
	close(fds[0]);
	close(fds[1]);
	ASSERT_EQ(fd_wait(-2, 0), -ETIMEDOUT); /* as poll(2) has it */
}

/* From where it is told, all of it, and the place of the file stays. */
static void
test_fd_io_reads_from_an_offset(void **state)
{
	int fd = memfd_create("file", MFD_CLOEXEC);
	char bytes[8] = "";

	(void)state;
	ASSERT_EQ(write(fd, "0123456789", 10), 10);
	ASSERT_EQ(fd_pread_all(fd, bytes, 4, 3), 0);
	assert_string_equal(bytes, "3456");
	ASSERT_EQ(fd_pread_all(fd, bytes, 3, 7), 0);
	assert_memory_equal(bytes, "789", 3);
	ASSERT_EQ(fd_pread_all(fd, bytes, 4, 7), -EIO);
	ASSERT_EQ(fd_pread_all(fd, bytes, 0, 100), 0);
	ASSERT_EQ(lseek(fd, 0, SEEK_CUR), 10);
	close(fd);
	ASSERT_EQ(fd_pread_all(fd, bytes, 1, 0), -EBADF);
}

/* What was given to the process, and nothing that it has opened itself. */
static void
test_fd_io_knows_what_a_path_stands_for(void **state)
{
	int given = memfd_create("given", 0);
	int own = memfd_create("own", MFD_CLOEXEC);
	char path[32];
	int fd;

	(void)state;
	ASSERT_EQ(fd_named("/dev/stdout"), STDOUT_FILENO);
	ASSERT_EQ(fd_named("/dev/null"), -ENOENT);
	ASSERT_EQ(fd_named("/dev/fd/"), -ENOENT);
	ASSERT_EQ(fd_named("/dev/fd/1x"), -ENOENT);
	ASSERT_EQ(fd_named("/dev/fd/99999999999999999999"), -EBADF);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", own);
	ASSERT_EQ(fd_named(path), -EBADF);
	ASSERT_EQ(fd_open_named(path, O_WRONLY), -EBADF);
	snprintf(path, sizeof(path), "/dev/fd/%d", given);
	ASSERT_EQ(fd_named(path), given);
	ASSERT_EQ(write(given, "abc", 3), 3);
	fd = fd_open_named(path, O_WRONLY);
	assert_true(fd > given && fd_named(path) == given);
	ASSERT_EQ(write(fd, "d", 1), 1);
	ASSERT_EQ(lseek(given, 0, SEEK_CUR), 4);
	close(fd);
	close(given);
	close(own);
	ASSERT_EQ(fd_named(path), -EBADF);
}

static void
test_fd_io_closes_what_is_open(void **state)
{
	int fds[2];

	ASSERT_EQ(pipe(fds), 0);
	fd_close(-1);
	fd_close(fds[0]);
	ASSERT_EQ(fcntl(fds[0], F_GETFD), -1);
	fd_drop(&fds[1]);
	ASSERT_EQ(fds[1], -1);
	fd_drop(&fds[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fd_io_closes_what_is_open),
		cmocka_unit_test(test_fd_io_goes_on_after_signals),
		cmocka_unit_test(test_fd_io_says_what_failed),
		cmocka_unit_test(
			test_fd_io_reads_all_or_says_that_it_is_too_much),
		cmocka_unit_test(test_fd_io_reads_from_an_offset),
		cmocka_unit_test(test_fd_io_knows_what_a_path_stands_for),
		cmocka_unit_test(test_file_read_all_drops_the_byte_order_mark),
		cmocka_unit_test(test_base64_values),
		cmocka_unit_test(test_fd_io_waits_up_to_a_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
