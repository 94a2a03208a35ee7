/* SPDX-License-Identifier: MIT */
/*
 * input.h - an output read again: mapped whole, decompressed if need be.
 */
#ifndef SUPERVISOR_INPUT_H
#define SUPERVISOR_INPUT_H

#include "shm/base.h"

struct input {
	const uint8_t *bytes;
	size_t nr;
};

/*
 * shape:  the content of a file, or of stdin for "-"; a frame of zstd is
 *         decompressed into a nameless file in $TMPDIR
 * owner:  input_close()
 * errors: -errno; -EBADMSG: damaged zstd
 */
int
input_open(struct input *input, const char *path);

void
input_close(struct input *input);

#endif
