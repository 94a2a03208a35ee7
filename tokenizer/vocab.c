/* SPDX-License-Identifier: MIT */
/*
 * vocab.c - finding a token in the image of a vocabulary.
 *
 * Does: hash the bytes of a token, look it up, check an image.
 * Does not: make images (vocab_build.c) or know which there are
 *           (vocab_images.c).
 */
#include "tokenizer/vocab.h"

uint64_t
vocab_hash(const uint8_t *text, size_t len)
{
	uint64_t hash = UINT64_C(0x2545f4914f6cdd1d);
	size_t at;

	if (len <= 16)
		return vocab_hash_key(vocab_key(text, len), len);
	for (at = 0; at + 16 < len; at += 16)
		hash = vocab_mix(hash ^ vocab_load64(text + at),
				 vocab_load64(text + at + 8) ^
					 UINT64_C(0x9e3779b97f4a7c15));
	/* The last 16 bytes, some of them for the second time. */
	return vocab_mix(hash ^ vocab_load64(text + len - 16),
			 vocab_load64(text + len - 8) ^
				 (UINT64_C(0xd6e8feb86659fd93) * len));
}

uint32_t
vocab_find_hashed(const struct tokenizer *tok, const uint8_t *text, size_t len,
		  uint64_t hash)
{
	const uint32_t *slots = vocab_slots(tok);
	const uint32_t *starts = vocab_starts(tok);
	const uint8_t *bytes = vocab_at(tok, tok->bytes_off);
	const uint32_t mask = (UINT32_C(1) << tok->slots_log2) - 1;
	const uint32_t tag = (uint32_t)(hash >> (64 - 14));
	uint32_t idx;

	for (idx = (uint32_t)hash & mask; slots[idx] != 0;
	     idx = (idx + 1) & mask) {
		uint32_t id = (slots[idx] & ((1u << VOCAB_ID_BITS) - 1)) - 1;

		if (slots[idx] >> VOCAB_ID_BITS != tag ||
		    starts[id + 1] - starts[id] != len)
			continue;
		if (memcmp(bytes + starts[id], text, len) == 0)
			return id;
	}
	return VOCAB_NONE;
}

uint32_t
vocab_find(const struct tokenizer *tok, const uint8_t *text, size_t len)
{
	if (len > tok->longest_bytes)
		return VOCAB_NONE;
	return vocab_find_hashed(tok, text, len, vocab_hash(text, len));
}

typedef uint64_t pair __attribute__((vector_size(16)));

#define CHECKSUM_CHAINS 8

static inline pair
sum_step(pair sum, const uint8_t *at)
{
	pair words;

	memcpy(&words, at, sizeof(words));
	sum += words;
	return sum << 13 | sum >> 51;
}

/*
 * Each step can be undone, so that one word of another value gives another sum.
 * It is taken whenever the program starts: without multiplications, of which a
 * processor has one at a time, it is nearly as fast as memory.
 */
uint64_t
vocab_checksum(const struct tokenizer *tok)
{
	const uint8_t *at = (const uint8_t *)tok + sizeof(*tok);
	const uint8_t *end = (const uint8_t *)tok + tok->image_bytes;
	pair sums[CHECKSUM_CHAINS] = { { 1, 2 } };
	pair all = { 0, 0 };

	for (; end - at >= (ptrdiff_t)sizeof(sums); at += sizeof(sums))
		for (unsigned i = 0; i < CHECKSUM_CHAINS; i++)
			sums[i] = sum_step(sums[i], at + i * sizeof(pair));
	/* images are whole multiples of 32 bytes */
	for (; at < end; at += sizeof(pair))
		sums[0] = sum_step(sums[0], at);
	for (unsigned i = 0; i < CHECKSUM_CHAINS; i++) {
		all ^= sums[i];
		all = all << 7 | all >> 57;
	}
	return vocab_mix(all[0], all[1]);
}

static bool
table_inside(const struct tokenizer *tok, uint32_t off, uint64_t bytes)
{
	return off >= sizeof(*tok) && off <= tok->image_bytes &&
	       bytes <= tok->image_bytes - off;
}

/* Whether the head is one of an image of that length. */
static bool
head_valid(const struct tokenizer *tok, size_t len)
{
	return len >= sizeof(*tok) && memcmp(tok->magic, VOCAB_MAGIC, 8) == 0 &&
	       tok->layout == VOCAB_LAYOUT && tok->image_bytes == len &&
	       len % 32 == 0;
}

/* Whether its numbers are such as a table can have. */
static bool
numbers_valid(const struct tokenizer *tok)
{
	return tok->slots_log2 <= VOCAB_ID_BITS + 1 && tok->pairs_log2 >= 2 &&
	       tok->pairs_log2 <= VOCAB_ID_BITS + 2 &&
	       tok->ids_nr <= VOCAB_NOBODY && tok->ranks_nr <= tok->ids_nr &&
	       tok->ranks_nr >= 256 &&
	       tok->longest_bytes <= VOCAB_TOKEN_BYTES &&
	       tok->name[sizeof(tok->name) - 1] == '\0';
}

void
vocab_tables(struct tokenizer *tok, uint64_t bytes,
	     struct vocab_table tables[static VOCAB_TABLES])
{
	const struct vocab_table all[] = {
		{ &tok->slots_off, UINT64_C(4) << tok->slots_log2, false },
		{ &tok->starts_off, 4 * ((uint64_t)tok->ids_nr + 1), false },
		{ &tok->splits_off, tok->ranks_nr, false },
		{ &tok->reach_off, 65536, false },
		{ &tok->pairs_off, UINT64_C(8) << tok->pairs_log2, false },
		{ &tok->joins_off, VOCAB_JOIN_BITS / 8, false },
		{ &tok->bytepairs_off, 4 * 65536, false },
		{ &tok->byteids_off, 4 * 256, false },
		{ &tok->outer_off, 4 * (uint64_t)tok->ids_nr, true },
		{ &tok->times_off, 4 * (uint64_t)tok->ranks_nr, true },
		{ &tok->bytes_off, bytes, false },
	};

	_Static_assert(sizeof(all) == VOCAB_TABLES * sizeof(all[0]), "all");
	memcpy(tables, all, sizeof(all));
}

/* Whether all tables of an image lie in it. */
static bool
tables_inside(const struct tokenizer *tok)
{
	struct tokenizer header = *tok;
	struct vocab_table tables[VOCAB_TABLES];

	vocab_tables(&header, 0, tables);
	for (size_t i = 0; i < VOCAB_TABLES; i++)
		if (!(tables[i].is_optional && *tables[i].off == 0) &&
		    !table_inside(tok, *tables[i].off, tables[i].bytes))
			return false;
	/* how many bytes there are is said by one of them */
	return table_inside(tok, tok->bytes_off,
			    vocab_starts(tok)[tok->ids_nr]);
}

bool
vocab_valid(const struct tokenizer *tok, size_t len)
{
	return head_valid(tok, len) && numbers_valid(tok) &&
	       tables_inside(tok) && vocab_checksum(tok) == tok->checksum;
}
