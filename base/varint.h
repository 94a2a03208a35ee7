/* SPDX-License-Identifier: MIT */
/*
 * varint.h - small numbers in few bytes: seven bits a byte, the lowest first
 *            (LEB128).
 */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

#include "base/base.h"

#define VARINT_BYTES_MAX 10 /* of the largest number */

/* Writes a number, which takes up to VARINT_BYTES_MAX: where it ends. */
static inline uint8_t *
varint_put(uint8_t *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*to++ = (uint8_t)(value | 0x80);
	*to++ = (uint8_t)value;
	return to;
}

/* Reads a number: where it ends; NULL: not before `end`, or it is too large. */
static inline const uint8_t *
varint_get(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
		uint8_t byte = *at++;

		if (shift == 63 && byte > 1)
			return NULL;
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return at;
	}
	return NULL;
}

#endif
