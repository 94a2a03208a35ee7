/* SPDX-License-Identifier: MIT */
/*
 * scan.h - where pieces begin in 64 bytes of text, found by bit algebra.
 *
 * A block of 64 bytes that begins where a piece begins is turned into masks,
 * one bit per byte and class (all bytes of a code point have its bits), and
 * the beginnings of all pieces come out of shifts, sums and ands over them.
 * Since a block begins with a piece, nothing is carried from one to the next;
 * what the end of a block leaves open is the beginning of the next block.
 *
 * Does: the patterns of cl100k and o200k. Where the masks cannot tell (an
 *       upper-case letter behind a Chinese one, blanks that are not ASCII),
 *       it says so by leaving the bits from there on out.
 * Invariants:
 *   1. Every bit in the result is a place where pretoken_end() would begin a
 *      piece, and there is no such place between two of them.
 *   2. Bit 0 is set. If it is the only one the caller has to go one piece
 *      ahead by pretoken_end().
 */
#ifndef TOKENIZER_SCAN_H
#define TOKENIZER_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "tokenizer/pretoken.h"
#include "tokenizer/unicode.h"

#define SCAN_BLOCK_BYTES 64
/* Bytes that have to be readable at the beginning of a block. */
#define SCAN_READ_BYTES 80

/* Bits of the class of a byte of ASCII. */
enum scan_class {
	SCAN_UPPER = 1 << 0,
	SCAN_LOWER = 1 << 1,
	SCAN_NUMBER = 1 << 2,
	SCAN_SPACE = 1 << 3, /* but for newlines */
	SCAN_NEWLINE = 1 << 4,
	SCAN_PUNCT = 1 << 5,
	SCAN_BLANK = 1 << 6,      /* the space itself, too */
	SCAN_APOSTROPHE = 1 << 7, /* punctuation, too */
};

/* Classes of the 128 bytes of ASCII, 16 a line. */
/* clang-format off */
#define SCAN_CLASS_TABLE { \
	32, 32, 32, 32, 32, 32, 32, 32, 32, 8, 16, 8, 8, 16, 32, 32, \
	32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, \
	72, 32, 32, 32, 32, 32, 32, 160, 32, 32, 32, 32, 32, 32, 32, 32, \
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 32, 32, 32, 32, 32, 32, \
	32, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 32, 32, 32, 32, 32, \
	32, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, \
	2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 32, 32, 32, 32, 32, \
}
/* clang-format on */

/* The number of the one bit of a class. */
#define SCAN_CLASS_NR(cls) ((unsigned)__builtin_ctz(cls))

/* The masks of a block; bit i is for byte i. */
struct scan_block {
	const uint8_t *text;
	uint64_t upper;
	uint64_t lower;
	uint64_t letter; /* letters without case, and in o200k marks */
	uint64_t number;
	uint64_t space;
	uint64_t newline;
	uint64_t punct;
	uint64_t blank;
	uint64_t apostrophe;
	uint64_t more; /* bytes of a code point but for its first */
	uint64_t hard; /* places that the masks cannot judge */
	uint64_t
		four; /* beginnings of four bytes, but for those behind ASCII */
};

#define SCAN_INLINE static inline __attribute__((always_inline))

/*
 * The patterns that blocks are cut by. These are constants where the functions
 * below are used, so that a loop has the code of its pattern only.
 */
SCAN_INLINE bool
scan_is_cased(uint32_t pattern)
{
	return pattern == PRETOKEN_O200K || pattern == PRETOKEN_TEKKEN;
}

/* Whether each digit is a piece of its own. */
SCAN_INLINE bool
scan_has_single_digits(uint32_t pattern)
{
	return pattern == PRETOKEN_QWEN || pattern == PRETOKEN_TEKKEN;
}

/* The bits below the lowest one of a mask that is not 0. */
SCAN_INLINE uint64_t
scan_below(uint64_t mask)
{
	return (mask & -mask) - 1;
}

/* Slashes behind newlines and contractions are no run of punctuation. */
SCAN_INLINE bool
scan_ends_run(uint8_t byte)
{
	return byte == '/' || byte == '\'';
}

/*
 * A run of punctuation takes marks along, if there are two code points of it
 * before them, or a blank and one; one alone goes with the marks, as with
 * letters.
 */
static __attribute__((noinline)) void
scan_marks(struct scan_block *b, uint64_t mark)
{
	uint64_t left = mark & (b->punct << 1);

	for (; left != 0; left &= left - 1) {
		unsigned at = (unsigned)__builtin_ctzll(left), before = at - 1;
		uint64_t first = left & -left;
		uint64_t bytes = first | (b->more & ~(b->more + (first << 1)));

		while (b->more >> before & 1)
			before--;
		if (before == 0)
			continue;
		if (scan_ends_run(b->text[before]) ||
		    scan_ends_run(b->text[before - 1])) {
			b->hard |= first;
			return;
		}
		if (((b->punct | b->blank) >> (before - 1) & 1) == 0)
			continue;
		b->punct |= bytes;
		b->letter &= ~bytes;
		left |= mark & (bytes << 1) & ~b->more;
	}
}

/* Room for masks by the number of a class, which are emptied four at a time:
 * memset() of so few takes longer to begin. */
typedef uint64_t scan_four __attribute__((vector_size(32)));

union scan_classes {
	scan_four fours[4];
	uint64_t masks[16];
};

/*
 * The masks of the classes of the code points of more than one byte that begin
 * at `leads`. Not a part of the loop around it, which has so many variables
 * that these would be in memory.
 */
static __attribute__((noinline)) void
scan_runes(const uint8_t *text, uint64_t leads, union scan_classes *of)
{
	for (unsigned i = 0; i < 4; i++)
		of->fours[i] = (scan_four){ 0 };
	while (leads != 0) {
		unsigned at = (unsigned)__builtin_ctzll(leads);
		uint32_t code;
		size_t len = unicode_read(text + at, &code);

		of->masks[unicode_class_nr(code) & 15] |=
			((UINT64_C(1) << len) - 1) << at;
		leads &= leads - 1;
	}
}

/*
 * Adds the code points of more than one byte that begin at `leads` to the
 * masks of their classes.
 */
SCAN_INLINE void
scan_add_runes(struct scan_block *b, uint64_t leads, uint32_t pattern)
{
	union scan_classes of;
	const uint64_t *of_class = of.masks;

	scan_runes(b->text, leads, &of);
	b->upper |= of_class[SCAN_CLASS_NR(CLASS_UPPER)];
	b->lower |= of_class[SCAN_CLASS_NR(CLASS_LOWER)];
	b->letter |= of_class[SCAN_CLASS_NR(CLASS_LETTER)];
	b->punct |= of_class[SCAN_CLASS_NR(CLASS_PUNCT)] |
		    of_class[SCAN_CLASS_NR(CLASS_OTHER)];
	b->number |= of_class[SCAN_CLASS_NR(CLASS_NUMBER)];
	b->space |= of_class[SCAN_CLASS_NR(CLASS_SPACE)];
	b->hard |= of_class[SCAN_CLASS_NR(CLASS_NUMBER)] |
		   of_class[SCAN_CLASS_NR(CLASS_SPACE)];
	if (scan_is_cased(pattern)) {
		uint64_t mark = of_class[SCAN_CLASS_NR(CLASS_MARK)];

		b->letter |= mark;
		if (mark & (b->punct << 1))
			scan_marks(b, mark);
	} else {
		b->punct |= of_class[SCAN_CLASS_NR(CLASS_MARK)];
	}
}

/* Where groups of three digits begin. */
SCAN_INLINE uint64_t
scan_numbers(uint64_t number)
{
	uint64_t begin = number & ~(number << 1);
	uint64_t four = number & (number << 1) & (number << 2) & (number << 3);
	uint64_t next = (begin << 3) & four;

	while (next != 0) {
		begin |= next;
		next = (next << 3) & four;
	}
	return begin;
}

/*
 * White space that no punctuation has swallowed: pieces begin with a run, in
 * a run behind its last newline, and with its last blank.
 */
SCAN_INLINE uint64_t
scan_spaces(const struct scan_block *b, uint64_t newline)
{
	uint64_t white = b->space | newline;
	uint64_t begin = b->space & ~(b->space << 1);
	uint64_t behind = begin & (newline << 1);
	uint64_t not_last = (b->space + begin) & ~b->space & newline;

	/* Blanks between two newlines are not behind the last one. */
	while (not_last != 0) {
		uint64_t before = begin & scan_below(not_last);

		behind &= ~(UINT64_C(1) << (63 - __builtin_clzll(before)));
		not_last &= not_last - 1;
	}
	return (white & ~(white << 1)) | behind | (b->space & ~(white >> 1));
}

/* The bits of `begin` that more text cannot change. */
SCAN_INLINE uint64_t
scan_certain(const struct scan_block *b, uint64_t begin, uint64_t white)
{
	const uint64_t seen = (UINT64_C(1) << 61) - 1;
	uint64_t certain = seen;

	/* A run of white space that reaches the end: only its beginning. */
	if (white >> 63) {
		uint64_t other = ~white;

		certain &= other == 0 ? 1
				      : (UINT64_C(4)
					 << (63 - __builtin_clzll(other))) -
						1;
	}
	if (__builtin_expect(b->hard != 0, 0)) {
		uint64_t below = scan_below(b->hard);

		/* So with a run that has something hard in it. */
		if (white & (below + 1)) {
			uint64_t runs =
				white & ~(white << 1) & (below | (below + 1));

			below = (UINT64_C(2) << (63 - __builtin_clzll(runs))) -
				1;
		}
		certain &= below;
	}
	return (begin & certain) | 1;
}

/*
 * Contractions, whose apostrophes are at these places. gpt2: one is a piece, and
 * the apostrophe is no prefix of words. cl100k: one is a piece, and a word may
 * follow at once. o200k: it belongs to the word before it.
 */
SCAN_INLINE uint64_t
scan_contractions(struct scan_block *b, uint64_t begin, uint64_t at_mask,
		  uint64_t word, uint32_t pattern)
{
	const struct pretoken_rules *rules = pretoken_rules(pattern);

	for (; at_mask != 0; at_mask &= at_mask - 1) {
		unsigned at = (unsigned)__builtin_ctzll(at_mask);
		bool is_open;
		size_t more = pretoken_contraction(rules, b->text + at + 1, 8,
						   &is_open);
		uint64_t behind;

		if (more == 0 || at > 60)
			continue;
		behind = UINT64_C(1) << (at + 1 + more);
		if (pattern == PRETOKEN_GPT2)
			begin &= ~(UINT64_C(2) << at);
		if (pattern == PRETOKEN_O200K)
			begin &= ~((behind - 1) & ~((UINT64_C(1) << at) - 1));
		begin |= word & behind;
		/* An apostrophe behind it ends no word. */
		if (pattern == PRETOKEN_O200K && (b->apostrophe & behind)) {
			b->hard |= behind << 1;
			break;
		}
	}
	return begin;
}

/*
 * gpt2: a run of one class is a piece and takes the space before it along. Of
 * white space the last one is a piece of its own or goes with what follows.
 */
SCAN_INLINE uint64_t
scan_begins_gpt2(struct scan_block *b)
{
	uint64_t word = b->upper | b->lower | b->letter;
	uint64_t white = b->space | b->newline;
	uint64_t begin, joined;

	begin = word & ~(word << 1);
	begin |= b->number & ~(b->number << 1);
	begin |= b->punct & ~(b->punct << 1);
	begin &= ~(b->blank << 1);
	begin |= white & ~(white << 1 & white >> 1);
	joined = b->apostrophe & begin & word >> 1;
	if (joined != 0)
		begin = scan_contractions(b, begin, joined, word,
					  PRETOKEN_GPT2);
	return scan_certain(b, begin, white);
}

/*
 * shape:  the places where pieces begin, as far as they are certain
 */
SCAN_INLINE uint64_t
scan_begins(struct scan_block *b, uint32_t pattern)
{
	uint64_t word = b->upper | b->lower | b->letter;
	uint64_t tail = b->newline & (b->punct << 1);
	uint64_t punct, newline, begin, alone, behind, white;

	if (pattern == PRETOKEN_GPT2)
		return scan_begins_gpt2(b);
	newline = b->newline;
	punct = b->punct;
	if (tail != 0) {
		/* Newlines behind punctuation, and slashes behind those. */
		uint64_t run = newline;

		if (scan_is_cased(pattern) && (punct & (newline << 1)) != 0) {
			uint64_t maybe = punct;

			for (; maybe != 0; maybe &= maybe - 1)
				if (b->text[__builtin_ctzll(maybe)] == '/')
					run |= maybe & -maybe;
		}
		tail |= run & ~(run + tail);
		newline &= ~tail;
		punct &= ~tail;
	}
	white = b->space | newline;
	begin = punct & ~(punct << 1) & ~(b->blank << 1);
	/* One code point of punctuation goes with the word behind it. */
	behind = ((begin << 1) + b->more) & ~b->more & word;
	alone = word & ~(word << 1) & ~(b->space << 1) & ~behind;
	begin |= alone | scan_spaces(b, newline);
	begin |= scan_has_single_digits(pattern) ? b->number
						 : scan_numbers(b->number);
	if (scan_is_cased(pattern)) {
		uint64_t joined = b->apostrophe & (word << 1) & (word >> 1);

		begin |= b->upper & (b->lower << 1);
		b->hard |= b->upper & (b->letter << 1);
		if (pattern == PRETOKEN_O200K && joined != 0)
			begin = scan_contractions(b, begin, joined, word,
						  PRETOKEN_O200K);
	} else {
		uint64_t joined = b->apostrophe & begin & (behind >> 1);

		if (joined != 0)
			begin = scan_contractions(b, begin, joined, word,
						  PRETOKEN_CL100K);
	}
	return scan_certain(b, begin, white);
}

#endif
