/* SPDX-License-Identifier: MIT */
/*
 * utf8.h - UTF-8 byte by byte, as RFC 3629 has it.
 *
 * Does: tells well-formed sequences from others: no overlong ones, no
 *       surrogates, nothing above U+10FFFF.
 * Limits: the tokenizer reads whole blocks of text, and text that is known to be
 *         well-formed, in a way of its own.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <string.h>

#include "base/base.h"

/* The first byte that is not ASCII, or end. */
static inline const uint8_t *
utf8_skip_ascii(const uint8_t *at, const uint8_t *end)
{
	const uint64_t high = 0x8080808080808080u;

	while (end - at >= 32) {
		uint64_t words[4];

		memcpy(words, at, sizeof(words));
		if ((words[0] | words[1] | words[2] | words[3]) & high)
			break;
		at += sizeof(words);
	}
	while (at < end && *at < 0x80)
		at++;
	return at;
}

/* Bytes of the byte order mark that a text begins with; 0: with none. */
static inline size_t
utf8_mark_bytes(const void *text, size_t bytes)
{
	return bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* A lead byte's requirements: bytes of the sequence, range of the second. */
struct utf8_lead {
	uint8_t length; /* 0: cannot lead */
	uint8_t low;
	uint8_t high;
};

/* The requirements of this lead byte. */
static inline struct utf8_lead
utf8_lead(uint8_t c)
{
	struct utf8_lead lead = { c < 0x80, 0x80, 0xbf };

	if (c >= 0xc2 && c <= 0xdf)
		lead.length = 2;
	else if (c >= 0xe0 && c <= 0xef)
		lead.length = 3;
	else if (c >= 0xf0 && c <= 0xf4)
		lead.length = 4;
	if (c == 0xe0)
		lead.low = 0xa0;
	else if (c == 0xed)
		lead.high = 0x9f;
	else if (c == 0xf0)
		lead.low = 0x90;
	else if (c == 0xf4)
		lead.high = 0x8f;
	return lead;
}

/* How many bytes of a sequence are present and valid; at least 1. */
static inline size_t
utf8_right(const uint8_t *at, const uint8_t *end, struct utf8_lead lead)
{
	size_t right = 1;

	while (right < lead.length && at + right < end) {
		uint8_t c = at[right];

		if (right == 1 ? c < lead.low || c > lead.high
			       : (c & 0xc0) != 0x80)
			break;
		right++;
	}
	return right;
}

/* Bytes of the sequence at a byte; 0: malformed, or the end cuts it. */
static inline size_t
utf8_length(const uint8_t *at, const uint8_t *end)
{
	struct utf8_lead lead = utf8_lead(*at);

	if (lead.length == 0 || utf8_right(at, end, lead) < lead.length)
		return 0;
	return lead.length;
}

/* Whether the sequence at a byte is well-formed so far, and the end cuts it. */
static inline bool
utf8_is_cut(const uint8_t *at, const uint8_t *end)
{
	struct utf8_lead lead = utf8_lead(*at);
	size_t right = utf8_right(at, end, lead);

	return lead.length != 0 && right < lead.length && at + right == end;
}

/*
 * shape:  bytes of the character at p, 1 to 4, and which it is; 0: none begins
 *         there, or the end cuts it; *character is untouched
 * units:  nr: bytes from p on, at least one
 */
static inline size_t
utf8_decode(const uint8_t *p, size_t nr, uint32_t *character)
{
	size_t length = utf8_length(p, p + nr);
	uint32_t c = length == 1 ? p[0] : p[0] & (0x7fu >> length);

	if (length == 0)
		return 0;
	for (size_t i = 1; i < length; i++)
		c = c << 6 | (p[i] & 0x3fu);
	*character = c;
	return length;
}

/* Writes a character that is none of the surrogates; bytes written. */
static inline size_t
utf8_put(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/*
 * shape:  whether all of it is well-formed; *bad is the place of the first
 *         byte that is not, if bad is not NULL
 * units:  bytes
 */
static inline bool
utf8_is_valid(const void *bytes, size_t nr, size_t *bad)
{
	const uint8_t *begin = bytes;
	const uint8_t *end = begin + nr;
	const uint8_t *at = begin;

	while ((at = utf8_skip_ascii(at, end)) < end) {
		size_t length = utf8_length(at, end);

		if (length == 0) {
			if (bad != NULL)
				*bad = (size_t)(at - begin);
			return false;
		}
		at += length;
	}
	return true;
}

/* Characters (code points) of valid UTF-8. */
static inline size_t
utf8_chars(const char *bytes, size_t nr)
{
	size_t chars = 0;

	for (size_t i = 0; i < nr; i++)
		chars += ((uint8_t)bytes[i] & 0xc0) != 0x80;
	return chars;
}

/*
 * shape:  the place where character number `chars` begins; nr if there are
 *         fewer
 * units:  bytes
 */
static inline size_t
utf8_offset(const char *bytes, size_t nr, size_t chars)
{
	size_t i = 0;

	while (i < nr) {
		if (((uint8_t)bytes[i] & 0xc0) != 0x80 && chars-- == 0)
			return i;
		i++;
	}
	return nr;
}

#endif
