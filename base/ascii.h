/* SPDX-License-Identifier: MIT */
/*
 * ascii.h - what kind of byte that is, whatever the locale.
 */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>
#include <stdint.h>

/* A capital of the 26. */
static inline bool
ascii_is_upper(uint8_t c)
{
	return c >= 'A' && c <= 'Z';
}

/* A small letter of the 26. */
static inline bool
ascii_is_lower(uint8_t c)
{
	return c >= 'a' && c <= 'z';
}

/* Either. */
static inline bool
ascii_is_letter(uint8_t c)
{
	return ascii_is_lower(c) || ascii_is_upper(c);
}

/* One of ten. */
static inline bool
ascii_is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* What words of code are made of; all of other scripts, too. */
static inline bool
ascii_is_word(uint8_t c)
{
	return ascii_is_letter(c) || ascii_is_digit(c) || c == '_' || c >= 0x80;
}

/* A capital as a small letter, anything else as it is. */
static inline uint8_t
ascii_lower(uint8_t c)
{
	return ascii_is_upper(c) ? c | 0x20 : c;
}

#endif
