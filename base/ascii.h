/* SPDX-License-Identifier: MIT */
/*
 * ascii.h - what kind of byte that is, whatever the locale.
 */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>
#include <stdint.h>

/* A to Z. */
static inline bool
ascii_is_upper(uint8_t c)
{
	return c >= 'A' && c <= 'Z';
}

/* a to z. */
static inline bool
ascii_is_lower(uint8_t c)
{
	return c >= 'a' && c <= 'z';
}

/* A letter of either case. */
static inline bool
ascii_is_letter(uint8_t c)
{
	return ascii_is_lower(c) || ascii_is_upper(c);
}

/* 0 to 9. */
static inline bool
ascii_is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* A blank, or what ends a line. */
static inline bool
ascii_is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Characters of identifiers: letters, digits, '_', bytes beyond ASCII. */
static inline bool
ascii_is_word(uint8_t c)
{
	return ascii_is_letter(c) || ascii_is_digit(c) || c == '_' || c >= 0x80;
}

/* What stands between words: blanks, and ends of lines. */
static inline bool
ascii_is_space(uint8_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The lower case of a capital letter; any other byte unchanged. */
static inline uint8_t
ascii_lower(uint8_t c)
{
	return ascii_is_upper(c) ? c | 0x20 : c;
}

#endif
