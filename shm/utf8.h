/* SPDX-License-Identifier: MIT */
/*
 * utf8.h - the character at a place of a text of bytes.
 */
#ifndef SHM_UTF8_H
#define SHM_UTF8_H

#include "shm/base.h"

/*
 * shape:  bytes of the character at p, 1 to 4, and which it is; 0: none begins
 *         there: cut off, longer than need be, half of a pair, beyond U+10FFFF
 * units:  nr: bytes from p on, at least one
 */
static inline size_t
utf8_decode(const uint8_t *p, size_t nr, uint32_t *character)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = p[0] < 0x80             ? 1
			: (p[0] & 0xe0) == 0xc0 ? 2
			: (p[0] & 0xf0) == 0xe0 ? 3
			: (p[0] & 0xf8) == 0xf0 ? 4
						: 0;
	uint32_t c;

	if (length == 0 || length > nr)
		return 0;
	c = length == 1 ? p[0] : p[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3fu);
	}
	if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*character = c;
	return length;
}

#endif
