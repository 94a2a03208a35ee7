// SPDX-License-Identifier: MIT
/*
 * test_collect_read.c - both ways of reading, and when there is only one.
 */
#include "tests/support/test_collect_scratch.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define FILES_NR 100

/* NULL, and the test is skipped, where io_uring cannot be had. */
static struct collect_reader *
create(enum io_kind kind, uint32_t depth)
{
	struct collect_reader *reader = NULL;
	int error = collect_reader_create(&reader, kind, depth);

	if (kind == IO_URING && error != 0) {
		print_message("no io_uring here: %s\n", strerror(-error));
		skip();
	}
	assert_int_equal(error, 0);
	assert_int_equal(collect_reader_refusal(reader), 0);
	return reader;
}

static size_t
size_of(int i)
{
	return (size_t)(i * i * 37) % 300000;
}

static uint8_t
byte_of(int i, size_t at)
{
	return (uint8_t)((size_t)i * 31 + at * 7 + (at >> 8));
}

static void
make_files(int fds[FILES_NR])
{
	uint8_t *bytes = malloc(300000);

	assert_non_null(bytes);
	for (int i = 0; i < FILES_NR; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%d", i);
		for (size_t at = 0; at < size_of(i); at++)
			bytes[at] = byte_of(i, at);
		fds[i] = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
		assert_true(fds[i] >= 0);
		assert_int_equal(write(fds[i], bytes, size_of(i)), size_of(i));
	}
	free(bytes);
}

/* Every file from its 5th byte on, 1000 bytes more than it has. */
static void
check_batch(struct collect_reader *reader)
{
	struct collect_read reads[FILES_NR] = { 0 };
	int fds[FILES_NR];

	make_files(fds);
	for (int i = 0; i < FILES_NR; i++) {
		reads[i].fd = fds[i];
		reads[i].off = 5;
		reads[i].bytes = size_of(i) + 1000;
		reads[i].to = malloc(reads[i].bytes);
		assert_non_null(reads[i].to);
	}
	collect_reader_run(reader, reads, FILES_NR);
	for (int i = 0; i < FILES_NR; i++) {
		size_t want = size_of(i) > 5 ? size_of(i) - 5 : 0;
		const uint8_t *got = reads[i].to;

		assert_int_equal(reads[i].error, 0);
		assert_int_equal(reads[i].got, want);
		for (size_t at = 0; at < want; at++) {
			if (got[at] != byte_of(i, at + 5))
				fail_msg("file %d differs at %zu", i, at);
		}
		free(reads[i].to);
		close(fds[i]);
	}
	collect_reader_destroy(reader);
}

static void
test_read_batch_by_pread_gives_every_byte(void **state)
{
	check_batch(create(IO_READ, 1));
}

static void
test_read_batch_by_uring_gives_every_byte(void **state)
{
	check_batch(create(IO_URING, 64));
}

/* More reads than may be in flight. */
static void
test_read_batch_by_shallow_uring_gives_every_byte(void **state)
{
	check_batch(create(IO_URING, 3));
}

static void
check_errors(struct collect_reader *reader)
{
	char bytes[64];
	struct collect_read reads[] = {
		{ .fd = -1, .to = bytes, .bytes = 8 },
		{ .fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		  .to = bytes,
		  .bytes = 8 },
		{ .fd = open("f", O_RDONLY | O_CLOEXEC), .to = bytes },
		{ .to = bytes, .bytes = 8, .off = UINT64_MAX - 4 },
		{ .to = bytes, .bytes = 8, .off = 1 },
	};

	reads[3].fd = reads[2].fd;
	reads[4].fd = reads[2].fd;
	collect_reader_run(reader, reads, ARRAY_LEN(reads));
	assert_int_equal(reads[0].error, -EBADF);
	assert_int_equal(reads[1].error, -EISDIR);
	assert_int_equal(reads[2].error, 0);
	assert_int_equal(reads[2].got, 0);
	assert_int_equal(reads[3].error, -EOVERFLOW);
	assert_int_equal(reads[4].error, 0);
	assert_int_equal(reads[4].got, 3);
	assert_memory_equal(bytes, "bcd", 3);
	close(reads[1].fd);
	close(reads[2].fd);
	collect_reader_destroy(reader);
}

static void
test_read_errors_are_the_same_both_ways(void **state)
{
	scratch_file("f", "abcd");
	check_errors(create(IO_READ, 4));
	check_errors(create(IO_URING, 4));
}

static void
test_reader_create_refuses_no_depth(void **state)
{
	struct collect_reader *reader;

	assert_int_equal(collect_reader_create(&reader, IO_AUTO, 0), -EINVAL);
	assert_int_equal(collect_reader_create(&reader, IO_AUTO, 100000),
			 -EINVAL);
	collect_reader_destroy(NULL);
}

/* A child takes longer than a small file; its faults would be counted. Where
 * this runs within a filter, as in a container, there has to be one. */
static void
test_reader_asks_a_child_only_within_a_filter(void **state)
{
	struct collect_reader *reader;
	struct rusage before;
	struct rusage after;

	assert_int_equal(getrusage(RUSAGE_CHILDREN, &before), 0);
	assert_int_equal(collect_reader_create(&reader, IO_AUTO, 8), 0);
	assert_int_equal(getrusage(RUSAGE_CHILDREN, &after), 0);
	assert_int_equal(after.ru_minflt > before.ru_minflt,
			 prctl(PR_GET_SECCOMP) != 0);
	collect_reader_destroy(reader);
}

/* Answers io_uring_setup() with this from now on. */
static int
refuse_uring(uint32_t answer)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, answer),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = ARRAY_LEN(filter),
		.filter = filter,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* 0: AUTO took READ for this reason, and it reads. */
static int
read_refused(uint32_t answer, int want)
{
	char bytes[8];
	struct collect_read one = { .to = bytes, .bytes = 8 };
	struct collect_reader *reader;

	if (refuse_uring(answer) != 0)
		return 77;
	if (collect_reader_create(&reader, IO_URING, 8) != want)
		return 1;
	if (collect_reader_create(&reader, IO_AUTO, 8) != 0)
		return 2;
	if (collect_reader_refusal(reader) != want)
		return 3;
	one.fd = open("f", O_RDONLY | O_CLOEXEC);
	collect_reader_run(reader, &one, 1);
	return one.got == 4 ? 0 : 4;
}

static void
test_reader_auto_takes_pread_where_uring_is_refused(void **state)
{
	static const struct {
		uint32_t answer;
		int want;
	} cases[] = {
		{ SECCOMP_RET_ERRNO | EPERM, -EPERM },
		{ SECCOMP_RET_ERRNO | ENOSYS, -ENOSYS },
		{ SECCOMP_RET_ERRNO | ENOMEM, -ENOMEM },
		{ SECCOMP_RET_KILL_PROCESS, -EPERM },
	};

	scratch_file("f", "abcd");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		int status;
		pid_t child = fork();

		if (child == 0)
			_exit(read_refused(cases[i].answer, cases[i].want));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) == 77) {
			print_message("no filters of system calls here\n");
			skip();
		}
		if (WEXITSTATUS(status) != 0)
			fail_msg("case %zu failed at %d", i,
				 WEXITSTATUS(status));
	}
}

int
main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_read_batch_by_pread_gives_every_byte),
		TEST(test_read_batch_by_uring_gives_every_byte),
		TEST(test_read_batch_by_shallow_uring_gives_every_byte),
		TEST(test_read_errors_are_the_same_both_ways),
		TEST(test_reader_create_refuses_no_depth),
		TEST(test_reader_asks_a_child_only_within_a_filter),
		TEST(test_reader_auto_takes_pread_where_uring_is_refused),
	};

	return cmocka_run_group_tests_name("collect/read", tests, NULL, NULL);
}
