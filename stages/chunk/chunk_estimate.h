/* SPDX-License-Identifier: MIT */
/*
 * chunk_estimate.h - how many tokens a text has, nearly, without counting.
 *
 * Does: counts words, marks and blanks 64 bytes at a time, and weighs them.
 * Does not: know an encoding. The weights are those of o200k_base on source
 *           text: of 5,600 pieces of files in 60 languages nine in ten come to
 *           0.86 to 1.11 of their count, 98 in a hundred to 0.76 to 1.17.
 */
#ifndef CHUNK_CHUNK_ESTIMATE_H
#define CHUNK_CHUNK_ESTIMATE_H

#include "base/base.h"

/*
 * shape:  the estimated tokens of a text; 0 only of no bytes
 * units:  bytes in, tokens out
 * calls:  chunk
 */
uint64_t
chunk_estimate(const uint8_t *text, size_t bytes);

/* The same byte by byte, as on processors without AVX2. */
uint64_t
chunk_estimate_portable(const uint8_t *text, size_t bytes);

/* The same; only where the processor has AVX2. */
uint64_t
chunk_estimate_avx2(const uint8_t *text, size_t bytes);

#endif
