/* SPDX-License-Identifier: MIT */
/*
 * valid.h - whether 64 bytes are valid UTF-8, by bit algebra.
 *
 * Included by one file per instruction set, which brings valid_classify(). A
 * block begins where a code point begins and the next one does, too, so that
 * nothing is carried over.
 */
#ifndef TOKENIZER_VALID_H
#define TOKENIZER_VALID_H

#include <stddef.h>
#include <stdint.h>

#define VALID_BLOCK_BYTES 64

/* Bit i is for byte i. */
struct valid_block {
	uint64_t high;  /* not ASCII */
	uint64_t more;  /* 0x80 to 0xbf */
	uint64_t two;   /* first of two or more: 0xc2 to 0xf4 */
	uint64_t three; /* first of three or more: 0xe0 to 0xf4 */
	uint64_t four;  /* first of four: 0xf0 to 0xf4 */
	uint64_t wrong; /* a second byte that its first does not allow */
};

/*
 * shape:  how many bytes of a block are whole, valid code points; 0 if there
 *         is anything invalid in it
 * units:  61 to 64, or 0
 */
static inline __attribute__((always_inline)) unsigned
valid_block_len(const struct valid_block *b)
{
	uint64_t want = b->two << 1 | b->three << 2 | b->four << 3;
	uint64_t cut = (b->two & UINT64_C(1) << 63) |
		       (b->three & UINT64_C(3) << 62) |
		       (b->four & UINT64_C(7) << 61);

	if ((b->high & ~b->more & ~b->two) != 0 || want != b->more ||
	    b->wrong != 0)
		return 0;
	return cut ? (unsigned)__builtin_ctzll(cut) : VALID_BLOCK_BYTES;
}

/* As far as whole blocks go and are valid. */
static inline __attribute__((always_inline)) size_t
valid_run(const uint8_t *text, size_t len)
{
	struct valid_block block;
	size_t at = 0;
	unsigned step;

	while (len - at >= VALID_BLOCK_BYTES) {
		if (valid_classify(&block, text + at) == 0) {
			at += VALID_BLOCK_BYTES;
			continue;
		}
		step = valid_block_len(&block);
		if (step == 0)
			break;
		at += step;
	}
	return at;
}

#endif
