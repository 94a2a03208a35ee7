/* SPDX-License-Identifier: MIT */
/*
 * format_io_output.h - bytes to their place in the output file.
 */
#ifndef FORMAT_FORMAT_IO_OUTPUT_H
#define FORMAT_FORMAT_IO_OUTPUT_H

#include <sys/uio.h>

#include "base/base.h"

/*
 * shape:  writes all pieces at this offset; the same again gives the same
 * owner:  the array is used up: its bases and lengths change
 * errors: -errno of pwritev(2), EINTR and short writes aside
 * calls:  format worker
 */
int
format_write_all(int fd, struct iovec *pieces, size_t nr, uint64_t offset);

/* Truncates the file: removes what an earlier pass wrote beyond this offset. */
int
format_truncate(int fd, uint64_t bytes);

#endif
