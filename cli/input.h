/* SPDX-License-Identifier: MIT */
/*
 * input.h - an output read again: mapped whole, decompressed if need be.
 *
 * Invariants:
 * 1. What is mapped is a copy that nobody else can cut short.
 * 2. The copy is no larger than it may be, and of what decompresses no more
 *    than that is ever written.
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "base/base.h"

/* What an input may come to. */
struct input_limits {
	uint64_t memory_bytes; /* for a window, or a copy in memory */
	uint64_t output_bytes; /* for what decompresses; 0: by its size */
};

struct input {
	const uint8_t *bytes;
	size_t nr;
	uint64_t read_nr; /* as they were, compressed or not */
	bool in_memory;   /* the copy lies there */
};

/*
 * shape:  the content of a file, or of stdin for "-"; frames of zstd are
 *         decompressed. The copy lies in a nameless file in $TMPDIR or, if
 *         that is not set, in /tmp or /var/tmp, whichever is on a disk
 * owner:  input_close()
 * errors: -errno; -EBADMSG: damaged zstd; -EFBIG: it decompresses to more
 *         than output_bytes; -ENOBUFS: its window, or a copy that can only
 *         lie in memory, would be larger than memory_bytes; -EDQUOT, -ENOSPC:
 *         no room for the copy
 */
int
input_open(struct input *input, const char *path,
	   const struct input_limits *limits);

/* What the errors of input_open() mean: says it, and gives an exit code. */
int
input_complain(const char *path, int error);

/*
 * shape:  what so much may decompress to, if nothing is said; and what may be
 *         written of it
 */
uint64_t
input_default_limit(uint64_t read_nr);

/* Unmaps what was read; accepts what holds nothing. */
void
input_close(struct input *input);

#endif
