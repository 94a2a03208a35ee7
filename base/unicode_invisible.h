/* SPDX-License-Identifier: MIT */
/*
 * unicode_invisible.h - characters that are invisible or change the order in
 * which others are shown.
 */
#ifndef BASE_UNICODE_INVISIBLE_H
#define BASE_UNICODE_INVISIBLE_H

#include "base/base.h"

/* Controls, bidi and zero-width characters: what a terminal may act on. */
static inline bool
is_invisible(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
	       c == 0x180e || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
	       c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c >= 0xe0000 && c <= 0xe007f);
}

#endif
