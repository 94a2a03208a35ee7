/* SPDX-License-Identifier: MIT */
/*
 * windows1252.h - what Windows-1252 has where Latin-1 has control characters.
 */
#ifndef BASE_WINDOWS1252_H
#define BASE_WINDOWS1252_H

#include "base/base.h"

/* From 0x80; 0: not assigned, the control character itself. */
static const uint16_t western_high[32] = {
	0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
	0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017d, 0,
	0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
	0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

#endif
