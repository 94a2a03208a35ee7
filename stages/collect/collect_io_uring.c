/* SPDX-License-Identifier: MIT */
/*
 * collect_io_uring.c - reads a batch of files: by io_uring, several in flight,
 *                      or by pread().
 *
 * Does: chooses the way, once; buffered reads on a ring that can do nothing
 *       else.
 * Does not: open or compare files (open_below.c). Use a kernel thread that polls: its opens would pass by Landlock.
 *           Read past the page cache: such a read of a process that died goes
 *           on writing into memory that others have.
 * Invariants:
 * 1. The ring is restricted to READ before it is enabled. The filter of
 *    system calls does not see what a ring does, so the ring itself must not
 *    be able to open anything.
 * 2. run() comes back only when no read is in flight.
 * 3. Both ways give the same bytes, and the same error where a file has one.
 * 4. Some sandboxes do not refuse io_uring but kill who asks for it: where
 *    there is a filter of system calls a child asks first.
 */
#include "stages/collect/collect_io.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define READER_DEPTH_MAX 4096
#define READ_BYTES_MAX (1u << 30) /* asked of the kernel at once */
#define READ_TRIES_MAX 64         /* that bring nothing, for one read */

/* Who is told of the read that the next wait is for. */
struct reader_watch {
	void (*waiting)(void *context, const struct collect_read *read);
	void *context;
};

/* One read with pread(), from where it stands to its end. */
static void
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

struct uring {
	struct io_uring ring;
	uint32_t depth;
	bool is_broken; /* what is queued must never be submitted */
};

/* Debian 12's library declares helpers for these two, but has them not. */
static int
restrict_to_reads(int ring_fd)
{
	struct io_uring_restriction only[1] = { {
		.opcode = IORING_RESTRICTION_SQE_OP,
		.sqe_op = IORING_OP_READ,
	} };
	int error = io_uring_register((unsigned)ring_fd,
				      IORING_REGISTER_RESTRICTIONS, only,
				      ARRAY_LEN(only));

	if (error >= 0)
		error = io_uring_register((unsigned)ring_fd,
					  IORING_REGISTER_ENABLE_RINGS, NULL,
					  0);
	return error < 0 ? error : 0;
}

static int
ring_open(struct io_uring *ring, uint32_t depth)
{
	struct io_uring_params params = { .flags = IORING_SETUP_R_DISABLED };
	int error = io_uring_queue_init_params(depth, ring, &params);

	if (error < 0)
		return error;
	error = restrict_to_reads(ring->ring_fd);
	if (error != 0)
		io_uring_queue_exit(ring);
	return error;
}

/* Whether a ring can be had, at the price of a child's life at most: without a
 * filter of system calls nobody is killed for asking. */
static int
ask_child(void)
{
	pid_t child;
	int status;

	if (prctl(PR_GET_SECCOMP) == 0)
		return 0;
	child = fork();
	if (child < 0)
		return -errno;
	if (child == 0) {
		struct io_uring ring;

		_exit(-ring_open(&ring, 1) & 0xff);
	}
	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	if (WIFEXITED(status))
		return -WEXITSTATUS(status);
	return -EPERM; /* killed for asking */
}

/* A ring of that depth. errors: -errno: io_uring is refused; -ENOMEM */
static int
uring_create(struct uring **out, uint32_t depth)
{
	struct uring *uring;
	int error = ask_child();

	if (error != 0)
		return error;
	uring = calloc(1, sizeof(*uring));
	if (uring == NULL)
		return -ENOMEM;
	uring->depth = depth;
	error = ring_open(&uring->ring, depth);
	if (error != 0) {
		free(uring);
		return error;
	}
	*out = uring;
	return 0;
}

static void
queue_read(struct uring *uring, struct collect_read *one)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&uring->ring);
	size_t want = min_size(one->bytes - one->got, READ_BYTES_MAX);

	ASSERT(sqe != NULL); /* never more in flight than depth */
	io_uring_prep_read(sqe, one->fd, (char *)one->to + one->got,
			   (unsigned)want, one->off + one->got);
	io_uring_sqe_set_data(sqe, one);
}

/* Takes one result in; whether the read has to go on. */
static bool
goes_on(struct collect_read *one, int result)
{
	if (result > 0) {
		one->got += (size_t)result;
		return one->got < one->bytes;
	}
	if (result == -EINTR || result == -EAGAIN || result == -ECANCELED) {
		/* The plain way is sure to end. */
		reader_pread_one(one);
		return false;
	}
	one->error = result;
	return false;
}

/* Results that are there; how many reads they end. */
static uint32_t
take_results(struct uring *uring)
{
	struct io_uring_cqe *cqe;
	uint32_t ended = 0;

	while (io_uring_peek_cqe(&uring->ring, &cqe) == 0) {
		struct collect_read *one = io_uring_cqe_get_data(cqe);
		int result = cqe->res;

		io_uring_cqe_seen(&uring->ring, cqe);
		if (goes_on(one, result))
			queue_read(uring, one);
		else
			ended++;
	}
	return ended;
}

/*
 * The ring failed: waits for what the kernel has taken, which ends by itself,
 * and reads the rest the plain way, this time and from now on.
 */
static void
finish_without_ring(struct uring *uring, uint32_t in_flight,
		    struct collect_read *reads, uint32_t nr)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	uint32_t waiting = in_flight - io_uring_sq_ready(&uring->ring);
	struct io_uring_cqe *cqe;

	uring->is_broken = true;
	while (waiting > 0) {
		while (io_uring_peek_cqe(&uring->ring, &cqe) == 0) {
			goes_on(io_uring_cqe_get_data(cqe), cqe->res);
			io_uring_cqe_seen(&uring->ring, cqe);
			waiting--;
		}
		nanosleep(&pause, NULL);
	}
	for (uint32_t i = 0; i < nr; i++)
		reader_pread_one(&reads[i]);
}

/* One that was shorter than wanted counts as if it had not; no harm. */
static bool
has_ended(const struct collect_read *one)
{
	return one->got == one->bytes || one->error != 0;
}

/* Runs all reads that have not ended, as collect_reader_run(). */
static void
uring_run(struct uring *uring, struct collect_read *reads, uint32_t nr,
	  const struct reader_watch *watch)
{
	uint32_t next = 0;
	uint32_t in_flight = 0;
	uint32_t first = 0; /* that has not ended */

	if (uring->is_broken) {
		finish_without_ring(uring, io_uring_sq_ready(&uring->ring),
				    reads, nr);
		return;
	}
	while (next < nr || in_flight > 0) {
		int error;

		for (; next < nr && in_flight < uring->depth; next++) {
			if (has_ended(&reads[next]))
				continue;
			queue_read(uring, &reads[next]);
			in_flight++;
		}
		if (in_flight == 0)
			break;
		while (first + 1 < next && has_ended(&reads[first]))
			first++;
		if (watch->waiting != NULL)
			watch->waiting(watch->context, &reads[first]);
		error = io_uring_submit_and_wait(&uring->ring, 1);
		if (error < 0 && error != -EINTR && error != -EAGAIN &&
		    error != -EBUSY) {
			finish_without_ring(uring, in_flight, reads, nr);
			return;
		}
		in_flight -= take_results(uring);
	}
}

/* ---- either way ---------------------------------------------------------- */

struct collect_reader {
	struct uring *uring; /* NULL: by pread() */
	int refusal;
	struct reader_watch watch;
};

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
collect_reader_create(struct collect_reader **out, enum io_kind kind,
		      uint32_t depth)
{
	struct collect_reader *reader;
	int error = 0;

	if (depth == 0 || depth > READER_DEPTH_MAX)
		return -EINVAL;
	reader = calloc(1, sizeof(*reader));
	if (reader == NULL)
		return -ENOMEM;
	if (kind != IO_READ)
		error = uring_create(&reader->uring, depth);
	if (error != 0 && kind == IO_AUTO) {
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
		io_uring_queue_exit(&reader->uring->ring);
	free(reader->uring);
	free(reader);
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
