/* SPDX-License-Identifier: MIT */
/*
 * inflate.h - what zlib has compressed, at once.
 *
 * Does: the zlib format around deflate, with its checksum.
 * Does not: go on with a part; dictionaries.
 * Runs in: the collector; tests.
 * source: RFC 1950, RFC 1951
 */
#ifndef GIT_INFLATE_H
#define GIT_INFLATE_H

#include "base/base.h"

/*
 * shape:  a stream that becomes exactly out_nr bytes; what is behind it is not
 *         looked at
 * errors: -EINVAL: it becomes more or less, is cut short or damaged
 */
int
inflate_exactly(const uint8_t *in, size_t in_nr, uint8_t *out, size_t out_nr);

#endif
