/* SPDX-License-Identifier: MIT */
/*
 * test_format_io_output.c - pieces to their place in the output, whole or with
 * the reason why not.
 */
#include "tests/support/test_shm.h"

#include "stages/format/format_io_output.h"

#define PIECES 100

static int fd = -1;

static int
setup(void **state)
{
	fd = memfd_create("output", MFD_CLOEXEC);
	return fd < 0;
}

static int
teardown(void **state)
{
	close(fd);
	return 0;
}

/* Pieces of all lengths, empty ones too; what they come to, joined. */
static size_t
make_pieces(struct iovec *pieces, uint8_t *joined)
{
	size_t bytes = 0;

	for (size_t i = 0; i < PIECES; i++) {
		size_t nr = i * 37 % 61;

		memset(joined + bytes, (int)(i + 1), nr);
		pieces[i] = (struct iovec){ joined + bytes, nr };
		bytes += nr;
	}
	return bytes;
}

static void
assert_file(off_t off, const uint8_t *want, size_t nr)
{
	uint8_t got[PIECES * 61];

	ASSERT_EQ(pread(fd, got, sizeof(got), off), nr);
	ASSERT_EQ(memcmp(got, want, nr), 0);
}

static void
test_output_pieces_lie_joined_at_their_offset(void **state)
{
	static uint8_t joined[PIECES * 61];
	struct iovec pieces[PIECES];
	size_t bytes = make_pieces(pieces, joined);

	ASSERT_EQ(format_write_all(fd, pieces, PIECES, 1000), 0);
	assert_file(1000, joined, bytes);
	/* the same again gives the same */
	make_pieces(pieces, joined);
	ASSERT_EQ(format_write_all(fd, pieces, PIECES, 1000), 0);
	assert_file(1000, joined, bytes);
	ASSERT_EQ(format_write_all(fd, pieces, 0, 0), 0);
	ASSERT_EQ(format_truncate(fd, 1010), 0);
	assert_file(1000, joined, 10);
}

/* The file may not grow further: first a short write, then an error. */
static void
child_writes_up_to_a_limit(void *arg)
{
	static uint8_t joined[PIECES * 61];
	struct iovec pieces[PIECES];
	const struct rlimit limit = { 1500, 1500 };
	size_t bytes = make_pieces(pieces, joined);

	CHILD_CHECK(bytes > 1500);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHILD_CHECK(format_write_all(fd, pieces, PIECES, 0) == -EFBIG);
	CHILD_CHECK(pread(fd, joined, sizeof(joined), 0) == 1500);
}

static void
test_output_that_cannot_grow_is_an_error(void **state)
{
	ASSERT_EQ(run_child(child_writes_up_to_a_limit, NULL), CHILD_OK);
}

static void
test_output_that_is_none_is_an_error(void **state)
{
	struct iovec piece = { (char[]){ 'x' }, 1 };
	int ends[2];

	ASSERT_EQ(format_write_all(-1, &piece, 1, 0), -EBADF);
	ASSERT_EQ(format_truncate(-1, 0), -EBADF);
	ASSERT_EQ(pipe(ends), 0);
	ASSERT_EQ(format_write_all(ends[1], &piece, 1, 0), -ESPIPE);
	close(ends[0]);
	close(ends[1]);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_output_pieces_lie_joined_at_their_offset),
		CASE(test_output_that_cannot_grow_is_an_error),
		CASE(test_output_that_is_none_is_an_error),
	};

	return cmocka_run_group_tests_name("format/io_output", tests, NULL,
					   NULL);
}
