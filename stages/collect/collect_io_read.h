/* SPDX-License-Identifier: MIT */
/*
 * collect_io_read.h - what reading by io_uring offers to collect_io_read.c.
 *
 * Runs in: the collector.
 */
#ifndef COLLECT_COLLECT_IO_READ_H
#define COLLECT_COLLECT_IO_READ_H

#include "stages/collect/collect_io.h"

#define READER_DEPTH_MAX 4096
#define READ_BYTES_MAX (1u << 30) /* asked of the kernel at once */
#define READ_TRIES_MAX 64         /* that bring nothing, for one read */

/* Who is told of the read that the next wait is for. */
struct reader_watch {
	void (*waiting)(void *context, const struct collect_read *read);
	void *context;
};

struct uring;

/* A ring of that depth. errors: -errno: io_uring is refused; -ENOMEM */
int
uring_create(struct uring **out, uint32_t depth);

/* Closes and frees it. */
void
uring_destroy(struct uring *uring);

/* Runs all reads that have not ended, as collect_reader_run(). */
void
uring_run(struct uring *uring, struct collect_read *reads, uint32_t nr,
	  const struct reader_watch *watch);

/* One read with pread(), from where it stands to its end. */
void
reader_pread_one(struct collect_read *one);

#endif
