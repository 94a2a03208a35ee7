/* SPDX-License-Identifier: MIT */
/*
 * unicode_avx2.c - whether text is valid UTF-8, for processors with AVX2.
 */
#include "tokenizer/avx2.h"
#include "tokenizer/unicode.h"

/*
 * Whether 64 bytes are valid UTF-8. A block begins where a code point begins
 * and the next one does, too, so that nothing is carried over.
 */
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
static inline unsigned
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

/* Fills in the block and returns b->high; the rest only if that is not 0. */
static inline uint64_t
valid_classify(struct valid_block *b, const uint8_t *text)
{
	__m256i v0 = _mm256_loadu_si256((const void *)text);
	__m256i v1 = _mm256_loadu_si256((const void *)(text + 32));
	uint64_t first_e0, first_ed, first_f0, first_f4, low, mid;

	b->high = mask_of(v0, v1);
	if (b->high == 0)
		return 0;
	b->two = mask_of(in_range(v0, 0xc2, 0x33), in_range(v1, 0xc2, 0x33));
	b->three = mask_of(in_range(v0, 0xe0, 0x15), in_range(v1, 0xe0, 0x15));
	b->four = mask_of(in_range(v0, 0xf0, 5), in_range(v1, 0xf0, 5));
	b->more = mask_of(in_range(v0, 0x80, 0x40), in_range(v1, 0x80, 0x40));
	first_e0 = mask_of(equals(v0, 0xe0), equals(v1, 0xe0));
	first_ed = mask_of(equals(v0, 0xed), equals(v1, 0xed));
	first_f0 = mask_of(equals(v0, 0xf0), equals(v1, 0xf0));
	first_f4 = mask_of(equals(v0, 0xf4), equals(v1, 0xf4));
	low = mask_of(in_range(v0, 0x80, 0x10), in_range(v1, 0x80, 0x10));
	mid = mask_of(in_range(v0, 0x80, 0x20), in_range(v1, 0x80, 0x20));
	b->wrong = ((first_e0 << 1) & mid) | ((first_ed << 1) & ~mid) |
		   ((first_f0 << 1) & low) | ((first_f4 << 1) & ~low);
	return b->high;
}

size_t
unicode_valid_avx2(const uint8_t *text, size_t len)
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
