/* SPDX-License-Identifier: MIT */
/*
 * inflate.c - deflate backwards: codes of up to FAST_BITS by a table, longer
 *             ones bit by bit.
 *
 * Invariants:
 * 1. What is read beyond the end is zero bits, which are counted: they may be
 *    looked at, and not used.
 */
#include "git/inflate.h"

#include <errno.h>
#include <string.h>

#define FAST_BITS 10
#define CODE_BITS 15
#define MATCH_BITS (15 + 5 + 15 + 13) /* of the longest match */
#define LITERALS_NR 288
#define DISTANCES_NR 32
#define LENGTHS_NR 19
#define END_OF_BLOCK 256
#define ADLER_MODULO 65521
#define ADLER_BYTES 5552 /* so many do not overflow 32 bits */
#define NO_SYMBOL UINT32_MAX

struct reader {
	const uint8_t *at;
	const uint8_t *end;
	uint64_t bits;
	unsigned nr;
	unsigned beyond; /* bytes of nr that are not there */
};

struct writer {
	uint8_t *begin;
	uint8_t *at;
	uint8_t *end;
};

/* One code; a symbol of the table is symbol << 4 | bits, 0: longer or none. */
struct code {
	uint16_t fast[1 << FAST_BITS];
	uint16_t counts[CODE_BITS + 1];
	uint16_t symbols[LITERALS_NR];
};

/* ---- bits -------------------------------------------------------------- */

/* At least 56 bits. */
static inline void
refill(struct reader *in)
{
	if (in->end - in->at >= 8) {
		uint64_t word;

		memcpy(&word, in->at, sizeof(word));
		in->bits |= word << in->nr;
		in->at += (63 - in->nr) >> 3;
		in->nr |= 56;
		return;
	}
	for (; in->nr <= 56; in->nr += 8) {
		if (in->at < in->end)
			in->bits |= (uint64_t)*in->at++ << in->nr;
		else
			in->beyond++;
	}
}

static inline uint32_t
take(struct reader *in, unsigned nr)
{
	uint32_t value = (uint32_t)(in->bits & ((1ull << nr) - 1));

	in->bits >>= nr;
	in->nr -= nr;
	return value;
}

/* Whether bits were used that are not there. */
static bool
is_cut(const struct reader *in)
{
	return in->nr < 8 * in->beyond;
}

/* ---- codes ------------------------------------------------------------- */

/*
 * The table of codes that are no longer than FAST_BITS. The symbols are in the
 * order of their codes, whose bits come backwards: the next one is had by
 * setting the highest bit that is not set and clearing those above it. A table
 * for one bit more is the same table twice, and what is then found in its
 * upper half.
 */
static void
fill_fast(struct code *code)
{
	const uint16_t *symbol = code->symbols;
	uint32_t value = 0;

	memset(code->fast, 0, 2 * sizeof(code->fast[0]));
	for (unsigned bits = 1; bits <= FAST_BITS; bits++) {
		uint32_t size = 1u << bits;

		for (unsigned i = 0; i < code->counts[bits]; i++) {
			uint32_t unset = value ^ (size - 1);
			uint32_t bit;

			code->fast[value] =
				(uint16_t)(*symbol++ << 4 | (int)bits);
			/* the last of all codes is all ones */
			if (unset == 0)
				break;
			bit = 1u << (31 - __builtin_clz(unset));
			value = (value & (bit - 1)) | bit;
		}
		if (bits < FAST_BITS)
			memcpy(code->fast + size, code->fast,
			       size * sizeof(code->fast[0]));
	}
}

/* The code that lengths stand for; -EINVAL: there is none. */
static int
build(struct code *code, const uint8_t *lengths, unsigned nr)
{
	uint16_t places[CODE_BITS + 2] = { 0 };
	int left = 1;

	memset(code->counts, 0, sizeof(code->counts));
	for (unsigned i = 0; i < nr; i++)
		code->counts[lengths[i]]++;
	code->counts[0] = 0;
	for (unsigned bits = 1; bits <= CODE_BITS; bits++) {
		left = 2 * left - code->counts[bits];
		if (left < 0)
			return -EINVAL;
		places[bits + 1] =
			(uint16_t)(places[bits] + code->counts[bits]);
	}
	/* one symbol may have a bit of its own, and none may have any */
	if (left > 0 && places[CODE_BITS + 1] > code->counts[1])
		return -EINVAL;
	for (unsigned i = 0; i < nr; i++)
		if (lengths[i] != 0)
			code->symbols[places[lengths[i]]++] = (uint16_t)i;
	fill_fast(code);
	return 0;
}

/* What fast[] would have of a symbol of more than FAST_BITS; 0: there is none
 * of that code. */
static __attribute__((noinline)) uint32_t
find_long(uint64_t from, const struct code *code)
{
	int32_t value = 0;
	int32_t first = 0;
	int32_t place = 0;

	for (unsigned bits = 1; bits <= CODE_BITS; bits++) {
		int32_t count = code->counts[bits];

		value |= (int32_t)(from >> (bits - 1) & 1);
		if (value - count < first)
			return (uint32_t)code->symbols[place + value - first]
				       << 4 |
			       bits;
		place += count;
		first = (first + count) << 1;
		value <<= 1;
	}
	return 0;
}

/* There are CODE_BITS of bits; NO_SYMBOL. */
static inline uint32_t
decode(struct reader *in, const struct code *code)
{
	uint32_t found = code->fast[in->bits & ((1u << FAST_BITS) - 1)];

	if (__builtin_expect(found == 0, 0)) {
		found = find_long(in->bits, code);
		if (found == 0)
			return NO_SYMBOL;
	}
	take(in, found & 15);
	return found >> 4;
}

/* ---- blocks ------------------------------------------------------------ */

static inline bool
copy_back(struct writer *out, size_t distance, size_t nr)
{
	size_t left = (size_t)(out->end - out->at);
	const uint8_t *from;

	if (distance > (size_t)(out->at - out->begin) || nr > left)
		return false;
	from = out->at - distance;
	if (distance >= 8 && left - nr >= 8) {
		for (size_t i = 0; i < nr; i += 8)
			memcpy(out->at + i, from + i, 8);
	} else {
		for (size_t i = 0; i < nr; i++)
			out->at[i] = from[i];
	}
	out->at += nr;
	return true;
}

/* A length and a distance, of which the symbol of the length is taken. */
static inline bool
copy_match(struct reader *in, struct writer *out, const struct code *distances,
	   uint32_t symbol)
{
	static const uint16_t length_base[29] = {
		3,  4,  5,  6,   7,   8,   9,   10,  11,  13,
		15, 17, 19, 23,  27,  31,  35,  43,  51,  59,
		67, 83, 99, 115, 131, 163, 195, 227, 258,
	};
	static const uint8_t length_bits[29] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
						 1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
						 4, 4, 4, 4, 5, 5, 5, 5, 0 };
	static const uint16_t distance_base[30] = {
		1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
		33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
		1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
	};
	uint32_t length;
	uint32_t distance;

	if (symbol >= ARRAY_LEN(length_base))
		return false;
	length = length_base[symbol] + take(in, length_bits[symbol]);
	symbol = decode(in, distances);
	if (symbol >= ARRAY_LEN(distance_base))
		return false;
	distance = distance_base[symbol] +
		   take(in, symbol < 4 ? 0 : symbol / 2 - 1);
	return copy_back(out, distance, length);
}

static int
run_codes(struct reader *reader, struct writer *writer,
	  const struct code *literals, const struct code *distances)
{
	/* here and not in memory, which bytes that are written could change */
	struct reader in = *reader;
	struct writer out = *writer;
	uint32_t symbol;

	for (;;) {
		if (in.nr < MATCH_BITS)
			refill(&in);
		symbol = decode(&in, literals);
		if (symbol < END_OF_BLOCK && out.at < out.end)
			*out.at++ = (uint8_t)symbol;
		else if (symbol <= END_OF_BLOCK ||
			 !copy_match(&in, &out, distances,
				     symbol - END_OF_BLOCK - 1))
			break;
	}
	*reader = in;
	*writer = out;
	return symbol == END_OF_BLOCK ? 0 : -EINVAL;
}

static int
run_stored(struct reader *in, struct writer *out)
{
	uint32_t nr;

	take(in, in->nr % 8);
	refill(in);
	nr = take(in, 16);
	if (take(in, 16) != (nr ^ 0xffff) || is_cut(in))
		return -EINVAL;
	/* back to bytes */
	in->at -= in->nr / 8 - in->beyond;
	in->bits = 0;
	in->nr = 0;
	in->beyond = 0;
	if (nr > (size_t)(in->end - in->at) ||
	    nr > (size_t)(out->end - out->at))
		return -EINVAL;
	memcpy(out->at, in->at, nr);
	in->at += nr;
	out->at += nr;
	return 0;
}

static int
run_fixed(struct reader *in, struct writer *out)
{
	static struct code literals;
	static struct code distances;
	static bool is_built;
	uint8_t lengths[LITERALS_NR];

	if (!is_built) {
		memset(lengths, 8, 144);
		memset(lengths + 144, 9, 112);
		memset(lengths + 256, 7, 24);
		memset(lengths + 280, 8, 8);
		build(&literals, lengths, LITERALS_NR);
		memset(lengths, 5, DISTANCES_NR);
		build(&distances, lengths, DISTANCES_NR);
		is_built = true;
	}
	return run_codes(in, out, &literals, &distances);
}

/* Lengths of codes, by a code of their own; -EINVAL. */
static int
read_lengths(struct reader *in, const struct code *code, uint8_t *lengths,
	     unsigned nr)
{
	unsigned at = 0;

	while (at < nr) {
		uint32_t symbol;
		unsigned times = 1;
		uint8_t length = 0;

		refill(in);
		symbol = decode(in, code);
		if (symbol < 16) {
			length = (uint8_t)symbol;
		} else if (symbol == 16) {
			if (at == 0)
				return -EINVAL;
			length = lengths[at - 1];
			times = 3 + take(in, 2);
		} else if (symbol == 17) {
			times = 3 + take(in, 3);
		} else if (symbol == 18) {
			times = 11 + take(in, 7);
		} else {
			return -EINVAL;
		}
		if (times > nr - at)
			return -EINVAL;
		memset(lengths + at, length, times);
		at += times;
	}
	return 0;
}

static int
run_dynamic(struct reader *in, struct writer *out)
{
	static const uint8_t order[LENGTHS_NR] = { 16, 17, 18, 0,  8, 7,  9,
						   6,  10, 5,  11, 4, 12, 3,
						   13, 2,  14, 1,  15 };
	uint8_t lengths[LITERALS_NR + DISTANCES_NR] = { 0 };
	struct code literals;
	struct code distances;
	unsigned literal_nr = 257 + take(in, 5);
	unsigned distance_nr = 1 + take(in, 5);
	unsigned length_nr = 4 + take(in, 4);

	if (literal_nr > 286 || distance_nr > 30)
		return -EINVAL;
	for (unsigned i = 0; i < length_nr; i++) {
		refill(in);
		lengths[order[i]] = (uint8_t)take(in, 3);
	}
	if (build(&literals, lengths, LENGTHS_NR) != 0)
		return -EINVAL;
	/* the code of the lengths is in the place of the literals' until then */
	if (read_lengths(in, &literals, lengths, literal_nr + distance_nr) !=
		    0 ||
	    lengths[END_OF_BLOCK] == 0 ||
	    build(&distances, lengths + literal_nr, distance_nr) != 0 ||
	    build(&literals, lengths, literal_nr) != 0)
		return -EINVAL;
	return run_codes(in, out, &literals, &distances);
}

static int
run_blocks(struct reader *in, struct writer *out)
{
	bool is_last = false;
	int error = 0;

	while (!is_last && error == 0) {
		refill(in);
		is_last = take(in, 1) != 0;
		switch (take(in, 2)) {
		case 0:
			error = run_stored(in, out);
			break;
		case 1:
			error = run_fixed(in, out);
			break;
		case 2:
			error = run_dynamic(in, out);
			break;
		default:
			error = -EINVAL;
		}
		if (is_cut(in))
			error = -EINVAL;
	}
	return error;
}

static uint32_t
adler(const uint8_t *bytes, size_t nr)
{
	uint32_t a = 1;
	uint32_t b = 0;

	while (nr > 0) {
		size_t part = min_size(nr, ADLER_BYTES);

		size_t i = 0;

		/* four at once, of which each waits for none of the others */
		for (; i + 4 <= part; i += 4) {
			const uint8_t *at = bytes + i;

			b += 4 * (a + at[0]) + 3u * at[1] + 2u * at[2] + at[3];
			a += (uint32_t)(at[0] + at[1] + at[2] + at[3]);
		}
		for (; i < part; i++) {
			a += bytes[i];
			b += a;
		}
		a %= ADLER_MODULO;
		b %= ADLER_MODULO;
		bytes += part;
		nr -= part;
	}
	return b << 16 | a;
}

int
inflate_exactly(const uint8_t *in, size_t in_nr, uint8_t *out, size_t out_nr)
{
	struct reader reader = { .at = in + 2, .end = in + in_nr };
	struct writer writer = { out, out, out + out_nr };
	uint32_t sum;

	/* deflate, and no dictionary */
	if (in_nr < 2 || (in[0] & 15) != 8 || (in[0] << 8 | in[1]) % 31 != 0 ||
	    (in[1] & 32) != 0)
		return -EINVAL;
	if (run_blocks(&reader, &writer) != 0 || writer.at != writer.end)
		return -EINVAL;
	take(&reader, reader.nr % 8);
	refill(&reader);
	sum = __builtin_bswap32(take(&reader, 32));
	return is_cut(&reader) || sum != adler(out, out_nr) ? -EINVAL : 0;
}
