/* SPDX-License-Identifier: MIT */
/*
 * base64.h - what base64 stands for, in both alphabets.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stddef.h>
#include <stdint.h>

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

/*
 * shape:  the bytes that a text stands for, at most `room`, ends of lines not
 *         counted; how many. *end is where it stopped: at another character,
 *         or at the end
 */
static inline size_t
base64_decode(const char *text, size_t nr, uint8_t *out, size_t room,
	      const char **end)
{
	uint32_t bits = 0;
	unsigned have = 0;
	size_t bytes = 0;

	for (*end = text; *end < text + nr && bytes < room; ++*end) {
		int value = base64_value(**end);

		if (value < 0 && (**end == '\n' || **end == '\r'))
			continue;
		if (value < 0)
			break;
		bits = bits << 6 | (uint32_t)value;
		have += 6;
		if (have >= 8) {
			have -= 8;
			out[bytes++] = (uint8_t)(bits >> have);
		}
	}
	return bytes;
}

#endif
