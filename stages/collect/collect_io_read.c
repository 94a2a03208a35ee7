/* SPDX-License-Identifier: MIT */
/*
 * collect_io_read.c - reads a batch of files; by pread(), or by io_uring.
 *
 * Does: chooses the way, once; the plain way.
 * Does not: open or compare files (open_below.c).
 * Invariants:
 * 1. Both ways give the same bytes, and the same error where a file has one.
 */
#include "stages/collect/collect_io_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

struct collect_reader {
	struct uring *uring; /* NULL: by pread() */
	int refusal;
	struct reader_watch watch;
};

void
reader_pread_one(struct collect_read *one)
{
	uint32_t tries = 0;

	while (one->got < one->bytes && one->error == 0) {
		size_t want = min_size(one->bytes - one->got, READ_BYTES_MAX);
		ssize_t got = pread(one->fd, (char *)one->to + one->got, want,
				    (off_t)(one->off + one->got));

		if (got == 0)
			break;
		if (got > 0)
			one->got += (size_t)got;
		else if (errno != EINTR || ++tries > READ_TRIES_MAX)
			one->error = -errno;
	}
}

static void
run_pread(struct collect_read *reads, uint32_t nr,
	  const struct reader_watch *watch)
{
	/*
	 * The disk may as well work on all of them while we wait for the
	 * first. Cold, that is worth a factor of two; a hint can fail.
	 */
	for (uint32_t i = 0; i < nr && nr > 1; i++)
		if (reads[i].got < reads[i].bytes)
			(void)posix_fadvise(reads[i].fd, (off_t)reads[i].off,
					    (off_t)reads[i].bytes,
					    POSIX_FADV_WILLNEED);
	for (uint32_t i = 0; i < nr; i++) {
		if (watch->waiting != NULL)
			watch->waiting(watch->context, &reads[i]);
		reader_pread_one(&reads[i]);
	}
}

int
collect_reader_create(struct collect_reader **out,
		      enum collect_reader_kind kind, uint32_t depth)
{
	struct collect_reader *reader;
	int error = 0;

	if (depth == 0 || depth > READER_DEPTH_MAX)
		return -EINVAL;
	reader = calloc(1, sizeof(*reader));
	if (reader == NULL)
		return -ENOMEM;
	if (kind != COLLECT_READER_READ)
		error = uring_create(&reader->uring, depth);
	if (error != 0 && kind == COLLECT_READER_AUTO) {
		reader->refusal = error;
		error = 0;
	}
	if (error != 0) {
		free(reader);
		return error;
	}
	*out = reader;
	return 0;
}

void
collect_reader_destroy(struct collect_reader *reader)
{
	if (reader == NULL)
		return;
	if (reader->uring != NULL)
		uring_destroy(reader->uring);
	free(reader);
}

enum collect_reader_kind
collect_reader_kind(const struct collect_reader *reader)
{
	return reader->uring != NULL ? COLLECT_READER_URING
				     : COLLECT_READER_READ;
}

int
collect_reader_refusal(const struct collect_reader *reader)
{
	return reader->refusal;
}

void
collect_reader_watch(struct collect_reader *reader,
		     void (*waiting)(void *context,
				     const struct collect_read *read),
		     void *context)
{
	reader->watch = (struct reader_watch){ waiting, context };
}

/*
 * What the page cache has is copied at once: no ring and no hint to the disk
 * makes that cheaper. What is left takes the long way. True: nothing is.
 */
static bool
read_what_is_there(struct collect_read *reads, uint32_t nr)
{
	bool is_all = true;

	for (uint32_t i = 0; i < nr; i++) {
		struct collect_read *one = &reads[i];
		struct iovec to = { one->to,
				    min_size(one->bytes, READ_BYTES_MAX) };
		ssize_t got = 0;

		if (one->error == 0 && one->bytes > 0)
			got = preadv2(one->fd, &to, 1, (off_t)one->off,
				      RWF_NOWAIT);
		if (got > 0)
			one->got = (size_t)got;
		is_all &= one->got == one->bytes || one->error != 0;
	}
	return is_all;
}

void
collect_reader_run(struct collect_reader *reader, struct collect_read *reads,
		   uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		reads[i].got = 0;
		reads[i].error = 0;
		if (reads[i].off > INT64_MAX - reads[i].bytes)
			reads[i].error = -EOVERFLOW;
	}
	if (read_what_is_there(reads, nr))
		return;
	if (reader->uring != NULL)
		uring_run(reader->uring, reads, nr, &reader->watch);
	else
		run_pread(reads, nr, &reader->watch);
}
