/* SPDX-License-Identifier: MIT */
/*
 * charset.h - characters of sets that are not Unicode.
 *
 * Does: East Asian sets of one or two bytes a character, Windows-1251.
 * Does not: tell sets apart, or know the four bytes of GB18030.
 */
#ifndef BASE_CHARSET_H
#define BASE_CHARSET_H

#include "base/base.h"

enum charset_pairs {
	CHARSET_PAIRS_GB18030 = 0, /* and GBK and GB 2312 within it */
	CHARSET_PAIRS_SHIFT_JIS,   /* as Windows has it, code page 932 */
	CHARSET_PAIRS_EUC_KR,      /* the same, code page 949 */
	CHARSET_PAIRS_NR
};

#define CHARSET_LEAD_MIN 0x81 /* to 0xfe */
#define CHARSET_LEAD_NR 126
#define CHARSET_TRAIL_MIN 0x40 /* to 0xfe */
#define CHARSET_TRAIL_NR 191

/* The character that two bytes are; 0: none. */
uint32_t
charset_pair(enum charset_pairs set, uint8_t lead, uint8_t trail);

/* The character that one byte is, ASCII included; 0: it begins a pair, or is
 * none. (NUL is in no text.) */
uint32_t
charset_single(enum charset_pairs set, uint8_t byte);

/*
 * shape:  the bytes of a character, in `out`: how many, 0: the set does not
 *         have it; of several pairs the first
 * calls:  one thread at a time: the way back is made for the set asked for
 */
size_t
charset_bytes(enum charset_pairs set, uint32_t c, uint8_t out[static 2]);

/* The character that a byte of Windows-1251 is; 0: none. */
uint32_t
charset_cyrillic(uint8_t byte);

/* And back; 0: it has no such character. */
uint8_t
charset_cyrillic_byte(uint32_t c);

#endif
