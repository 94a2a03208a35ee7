/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_input.c - an output is read as far as it may be: bombs of
 * zstd, damage, and what is no file.
 */
#include "tests/support/test_shm.h"

#include <linux/magic.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <zstd.h>

#include "cli/input.h"

#define BLOCK_MAX (128u << 10)
#define MIB (1ull << 20)

static char path[300];
static const struct input_limits usual = { .memory_bytes = 96 * MIB };

/* A file in the making. */
static uint8_t made[8u << 20];
static size_t made_nr;

static int
set_up(void **state)
{
	const char *tmp = getenv("TMPDIR");
	int fd;

	snprintf(path, sizeof(path), "%s/input.XXXXXX",
		 tmp == NULL ? "/tmp" : tmp);
	fd = mkstemp(path);
	made_nr = 0;
	return fd < 0 ? -1 : close(fd);
}

static int
tear_down(void **state)
{
	return unlink(path);
}

static void
add(const void *bytes, size_t nr)
{
	assert_true(nr <= sizeof(made) - made_nr);
	memcpy(made + made_nr, bytes, nr);
	made_nr += nr;
}

static void
add_le(uint64_t value, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint8_t byte = (uint8_t)(value >> 8 * i);

		add(&byte, 1);
	}
}

/* A frame by hand (RFC 8878): its window, as a power of two from 10 on. */
static void
begin_frame(unsigned window_log)
{
	add_le(0xfd2fb528, 4);
	add_le(0, 1); /* no size, no checksum, no dictionary */
	add_le((uint64_t)(window_log - 10) << 3, 1);
}

/* So many times the same byte: four bytes of the file. */
static void
add_run(uint32_t nr, bool last)
{
	add_le((uint64_t)nr << 3 | 1 << 1 | last, 3);
	add("x", 1);
}

/* What the input gives, if it can be opened: its length, or -errno. */
static int64_t
opened(const struct input_limits *limits)
{
	FILE *file = fopen(path, "w");
	struct input input;
	int error;

	assert_non_null(file);
	assert_int_equal(fwrite(made, 1, made_nr, file), made_nr);
	assert_int_equal(fclose(file), 0);
	error = input_open(&input, path, limits);
	if (error != 0)
		return error;
	made_nr = input.nr;
	input_close(&input);
	return (int64_t)made_nr;
}

static void
test_input_bomb_ends_at_its_limit(void **state)
{
	struct input_limits limits = usual;

	limits.output_bytes = 3 * MIB;
	begin_frame(20);
	/* 100 GB of 3.2 MB */
	for (int i = 0; i < 800000; i++)
		add_run(BLOCK_MAX, i == 799999);
	assert_int_equal(opened(&limits), -E2BIG);
}

static void
test_input_frame_that_says_too_much_is_not_begun(void **state)
{
	/* a frame of 100 GB by what it says, and nothing behind it */
	add_le(0xfd2fb528, 4);
	add_le(3 << 6, 1);
	add_le(10 << 3, 1);
	add_le(100ull << 30, 8);
	assert_int_equal(opened(&usual), -E2BIG);
}

static void
test_input_within_its_limit_is_whole(void **state)
{
	struct input_limits limits = usual;

	limits.output_bytes = 3 * 100000;
	/* blocks that do not end where a buffer does */
	begin_frame(20);
	add_run(100000, false);
	add_run(100000, false);
	add_run(100000, true);
	assert_int_equal(opened(&limits), 300000);
}

static void
test_input_large_window_needs_memory(void **state)
{
	struct input_limits limits = usual;

	begin_frame(30);
	add_run(10, true);
	assert_int_equal(opened(&usual), -ENOBUFS);
	made_nr = 0;
	begin_frame(25);
	add_run(10, true);
	assert_int_equal(opened(&usual), 10);
	limits.memory_bytes = 8 * MIB;
	made_nr = 0;
	begin_frame(25);
	add_run(10, true);
	assert_int_equal(opened(&limits), -ENOBUFS);
	/* what pack writes can be read with the least memory there is */
	made_nr = 0;
	begin_frame(22);
	add_run(10, true);
	assert_int_equal(opened(&limits), 10);
}

static void
test_input_many_frames_are_one_text(void **state)
{
	for (int i = 0; i < 100000; i++) {
		begin_frame(10);
		add_run((uint32_t)i % 2, true);
	}
	assert_int_equal(opened(&usual), 50000);
}

static void
test_input_skippable_frames_are_skipped(void **state)
{
	add_le(0x184d2a50, 4);
	add_le(5, 4);
	add("hello", 5);
	begin_frame(10);
	add_run(7, true);
	add_le(0x184d2a5f, 4);
	add_le(0, 4);
	assert_int_equal(opened(&usual), 7);
	made_nr = 0;
	/* that says it is of four gigabytes */
	add_le(0x184d2a50, 4);
	add_le(UINT32_MAX, 4);
	assert_int_equal(opened(&usual), -EBADMSG);
}

static void
test_input_cut_at_every_byte_is_damaged(void **state)
{
	static const char text[] = "## File: a (empty)\n\n";
	char frame[256];
	size_t nr = ZSTD_compress(frame, sizeof(frame), text, strlen(text), 3);

	assert_false(ZSTD_isError(nr));
	for (size_t cut = 4; cut < nr; cut++) {
		made_nr = 0;
		add(frame, cut);
		if (opened(&usual) != -EBADMSG)
			fail_msg("%zu of %zu bytes are taken", cut, nr);
	}
	made_nr = 0;
	add(frame, nr);
	add("x", 1);
	assert_int_equal(opened(&usual), -EBADMSG);
}

static bool
is_in_memory(const char *dir)
{
	struct statfs fs;

	return statfs(dir, &fs) == 0 && (uint64_t)fs.f_type == TMPFS_MAGIC;
}

static void
test_input_copy_in_memory_is_bounded_by_it(void **state)
{
	const struct input_limits limits = { .memory_bytes = MIB };
	const char *tmp = getenv("TMPDIR");
	char kept[256] = "";

	if (tmp != NULL)
		snprintf(kept, sizeof(kept), "%s", tmp);
	made_nr = 2 * MIB;
	memset(made, 'x', made_nr);
	if (!is_in_memory(tmp == NULL ? "/tmp" : tmp))
		assert_int_equal(opened(&limits), 2 * MIB);
	if (!is_in_memory("/dev/shm"))
		skip();
	setenv("TMPDIR", "/dev/shm", 1);
	assert_int_equal(opened(&limits), -ENOBUFS);
	made_nr = MIB;
	assert_int_equal(opened(&limits), MIB);
	/* nowhere to lie but in memory */
	setenv("TMPDIR", "/nonexistent", 1);
	assert_int_equal(opened(&limits), MIB);
	made_nr = MIB + 1;
	assert_int_equal(opened(&limits), -ENOBUFS);
	if (tmp != NULL)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
}

static void
test_input_that_is_no_file(void **state)
{
	struct input input;
	pid_t child;

	assert_int_equal(input_open(&input, "/", &usual), -EISDIR);
	assert_int_equal(input_open(&input, "/nonexistent", &usual), -ENOENT);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	child = fork();
	if (child == 0) {
		int fd = open(path, O_WRONLY);

		_exit(fd < 0 || write(fd, "text", 4) != 4);
	}
	assert_int_equal(input_open(&input, path, &usual), 0);
	assert_int_equal(input.nr, 4);
	input_close(&input);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Writes what was made to the pipe, its first bytes one by one, the next only
 * when the one before is read: an exit code. */
static int
write_slowly(size_t single_nr)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	for (size_t i = 0; i < single_nr; i++) {
		int unread = 1;

		if (write(fd, made + i, 1) != 1)
			return 1;
		while (ioctl(fd, FIONREAD, &unread) == 0 && unread > 0)
			sched_yield();
		if (unread != 0)
			return 1;
	}
	return write(fd, made + single_nr, made_nr - single_nr) !=
	       (ssize_t)(made_nr - single_nr);
}

/* What a slow pipe gives: its length, or -errno. */
static int64_t
opened_slowly(size_t single_nr)
{
	struct input input;
	int status;
	int error;
	pid_t child;

	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	child = fork();
	if (child == 0)
		_exit(write_slowly(single_nr));
	error = input_open(&input, path, &usual);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	if (error != 0)
		return error;
	made_nr = input.nr;
	input_close(&input);
	return (int64_t)made_nr;
}

static void
test_input_slow_pipe_is_what_it_is(void **state)
{
	for (size_t single_nr = 0; single_nr <= 9; single_nr++) {
		made_nr = 0;
		begin_frame(10);
		add_run(1000, true);
		assert_int_equal(opened_slowly(single_nr), 1000);
		made_nr = 0;
		add_le(0x184d2a50, 4);
		add_le(0, 4);
		begin_frame(10);
		add_run(7, true);
		assert_int_equal(opened_slowly(single_nr), 7);
	}
	/* shorter than what would tell */
	for (size_t nr = 0; nr <= 3; nr++) {
		made_nr = 0;
		add_le(0xfd2fb528, nr);
		assert_int_equal(opened_slowly(nr), nr);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_input_bomb_ends_at_its_limit),
		TEST(test_input_frame_that_says_too_much_is_not_begun),
		TEST(test_input_within_its_limit_is_whole),
		TEST(test_input_large_window_needs_memory),
		TEST(test_input_many_frames_are_one_text),
		TEST(test_input_skippable_frames_are_skipped),
		TEST(test_input_cut_at_every_byte_is_damaged),
		TEST(test_input_copy_in_memory_is_bounded_by_it),
		TEST(test_input_that_is_no_file),
		TEST(test_input_slow_pipe_is_what_it_is),
	};

	return cmocka_run_group_tests_name("supervisor/input", tests, NULL,
					   NULL);
}
