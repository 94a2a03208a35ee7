/* SPDX-License-Identifier: MIT */
/*
 * unicode.h - UTF-8 and the classes of code points.
 *
 * Does: tell the class of a code point as the pre-tokenising patterns see it,
 *       read one code point, turn bytes into valid UTF-8.
 * Invariants:
 *   1. Only unicode_repair() looks at text that may be invalid; everything
 *      else is given valid UTF-8 that is not cut inside a code point.
 */
#ifndef TOKENIZER_UNICODE_H
#define TOKENIZER_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tokenizer/vocab_images.h"

/* Bits, so that a set of classes is a word. */
enum unicode_class {
	CLASS_OTHER = 1 << 0,   /* control, format, not assigned */
	CLASS_PUNCT = 1 << 1,   /* P and S */
	CLASS_UPPER = 1 << 2,   /* Lu and Lt */
	CLASS_LOWER = 1 << 3,   /* Ll */
	CLASS_LETTER = 1 << 4,  /* Lm and Lo */
	CLASS_MARK = 1 << 5,    /* M */
	CLASS_NUMBER = 1 << 6,  /* N */
	CLASS_SPACE = 1 << 7,   /* White_Space but for CR and LF */
	CLASS_NEWLINE = 1 << 8, /* CR and LF */
	CLASS_END = 1 << 9,     /* after the last byte */
	CLASS_DENSE = 1 << 10,  /* see struct pretoken_rules */
};

/*
 * The table: for each block of 128 code points where its classes begin.
 * Classes are bit numbers.
 */
#define UNICODE_BLOCKS 8704

struct unicode_table {
	char magic[8];
	uint32_t image_bytes;
	uint32_t checksum; /* see unicode_checksum() */
	uint16_t blocks[UNICODE_BLOCKS];
	uint8_t classes[];
};

struct rune {
	uint32_t cls; /* one of enum unicode_class */
	uint32_t len; /* bytes; 0 at the end */
};

/* Classes of ASCII, as bits. */
extern const uint16_t unicode_ascii[128];

/*
 * shape:  the class of a code point as the number of its bit
 */
static inline uint32_t
unicode_class_nr(uint32_t code)
{
	const struct unicode_table *table = &image_unicode;

	return table->classes[table->blocks[code >> 7] * UINT32_C(128) +
			      (code & 127)];
}

/*
 * shape:  reads the code point at text, returns its length
 * units:  bytes
 */
static inline size_t
unicode_read(const uint8_t *text, uint32_t *code)
{
	uint32_t first = text[0];

	if (first < 0x80) {
		*code = first;
		return 1;
	}
	if (first < 0xe0) {
		*code = (first & 0x1f) << 6 | (text[1] & 0x3f);
		return 2;
	}
	if (first < 0xf0) {
		*code = (first & 0x0f) << 12 | (uint32_t)(text[1] & 0x3f) << 6 |
			(text[2] & 0x3f);
		return 3;
	}
	*code = (first & 0x07) << 18 | (uint32_t)(text[1] & 0x3f) << 12 |
		(uint32_t)(text[2] & 0x3f) << 6 | (text[3] & 0x3f);
	return 4;
}

/*
 * shape:  the same as unicode_rune() for a code point of more than one byte
 */
static inline struct rune
unicode_long_rune(const uint8_t *text)
{
	struct rune rune;
	uint32_t code;

	rune.len = (uint32_t)unicode_read(text, &code);
	rune.cls = UINT32_C(1) << unicode_class_nr(code);
	return rune;
}

/*
 * shape:  the checksum of a table made at build time: of all but its first 16
 *         bytes
 * units:  len in bytes
 */
static inline uint32_t
unicode_checksum(const void *table, size_t len)
{
	const uint8_t *bytes = table;
	uint64_t sum = len, eight;
	size_t at;

	for (at = 16; at + 8 <= len; at += 8) {
		memcpy(&eight, bytes + at, sizeof(eight));
		sum = (sum ^ eight) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	for (; at < len; at++)
		sum = (sum ^ bytes[at]) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(sum ^ sum >> 32);
}

/*
 * shape:  whether the program's tables are what the build made of them
 */
bool
unicode_tables_valid(void);

/*
 * shape:  the class and the length of the code point at text
 * units:  len in bytes
 */
static inline struct rune
unicode_rune(const uint8_t *text, size_t len)
{
	struct rune rune = { CLASS_END, 0 };

	if (len == 0)
		return rune;
	if (text[0] >= 0x80)
		return unicode_long_rune(text);
	rune.cls = unicode_ascii[text[0]];
	rune.len = 1;
	return rune;
}

/*
 * shape:  how many bytes from the beginning are whole, valid code points
 * units:  bytes
 */
size_t
unicode_valid_len(const uint8_t *text, size_t len);

/*
 * shape:  turns text into valid UTF-8, U+FFFD for each bad part; stops before
 *         a code point cut off at the end, unless it is the end of the text
 * units:  out has 3 * len bytes; *out_len of them are written; returns the
 *         bytes of text that were taken
 */
size_t
unicode_repair(const uint8_t *text, size_t len, bool is_end, uint8_t *out,
	       size_t *out_len);

/*
 * shape:  how many bytes from the beginning are surely valid UTF-8; the next
 *         64 may be so, too
 */
size_t
unicode_valid_avx2(const uint8_t *text, size_t len);

#endif
