/* SPDX-License-Identifier: MIT */
/*
 * collect_io_read.h - what a way of reading offers to collect_io_read.c.
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

struct reader_ops {
	enum collect_reader_kind kind;
	int (*create)(void **state, uint32_t depth);
	void (*destroy)(void *state);
	void (*run)(void *state, struct collect_read *reads, uint32_t nr,
		    const struct reader_watch *watch);
};

extern const struct reader_ops reader_pread_ops;
extern const struct reader_ops reader_uring_ops;

/* One read with pread(), from where it stands to its end. */
void
reader_pread_one(struct collect_read *one);

#endif
