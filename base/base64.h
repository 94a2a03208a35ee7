/* SPDX-License-Identifier: MIT */
/*
 * base64.h - the six bits of a letter of base64, in both alphabets.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

/* 0 to 63; -1 for any other character, '=' included. */
static inline int
base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	return c == '/' || c == '_' ? 63 : -1;
}

#endif
