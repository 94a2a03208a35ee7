/* SPDX-License-Identifier: MIT */
/*
 * source_read.h - the text of a source, whole and in time.
 */
#ifndef SOURCES_SOURCE_READ_H
#define SOURCES_SOURCE_READ_H

#include "base/base.h"

#define SOURCE_BYTES_MAX (64ull << 20)
/* Of --memory, before there are workers: a text, and one whose lines may be JSON,
 * of which a parser holds two copies more. */
#define SOURCE_SHARE(bytes) ((bytes) / 3 * 2)
#define SOURCE_JSON_SHARE(bytes) ((bytes) / 5)
/* The memory for places: half of what there is beyond the least --memory. */
#define SOURCE_LEAST (45ull << 20)
#define SOURCE_PLACES_SHARE(bytes) \
	((bytes) > SOURCE_LEAST ? ((bytes)-SOURCE_LEAST) / 2 : 1ull << 20)

struct source_text {
	char *bytes; /* a NUL behind them */
	size_t nr;
	int64_t mtime_ns; /* of a regular file; else SOURCE_TIME_NONE */
};

/*
 * shape:  all of a file, or of stdin for "-", up to a moment
 * units:  deadline_ns as of clock_now_ns(); bytes_max: that it may be,
 *         and no more than SOURCE_BYTES_MAX
 * owner:  out->bytes is the caller's, for free()
 * errors: -ETIMEDOUT; -EFBIG: more than that; -EISDIR; -errno
 * calls:  the supervisor, before any fork
 */
int
source_read(const char *path, uint64_t deadline_ns, uint64_t bytes_max,
	    struct source_text *out);

#endif
