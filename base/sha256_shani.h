/* SPDX-License-Identifier: MIT */
/*
 * sha256_shani.h - blocks of two messages at once, with the SHA instructions.
 *
 * Each round of a block waits for the one before it, so one message leaves the
 * processor half idle.
 */
#ifndef BASE_SHA256_SHANI_H
#define BASE_SHA256_SHANI_H

#include "base/base.h"

#define SHA256_BLOCK_BYTES 64

/*
 * shape:  goes on with two states by the next blocks of their messages
 * calls:  sha256_add_and_of(), only where the processor has the instructions
 * source: FIPS 180-4, section 6.2.2
 */
void
sha256_shani_pair(uint32_t one[static 8], const uint8_t *of_one,
		  uint32_t two[static 8], const uint8_t *of_two, size_t blocks);

#endif
