/* SPDX-License-Identifier: MIT */
/*
 * vocab.h - the image of a vocabulary and how a token is found in it.
 *
 * An image is one block of bytes without pointers, made once by vocab_build()
 * and used in place from then on:
 *
 *   +--------------------+ 0
 *   | struct tokenizer   |   sizes, and the offsets of all that follows
 *   +--------------------+ slots_off      uint32_t[1 << slots_log2]
 *   | hash slots         |   tag (14 bits) and id + 1 (18 bits); 0 is free;
 *   |                    |   linear probing
 *   +--------------------+ starts_off     uint32_t[ids_nr + 1]
 *   | starts             |   where the bytes of an id begin
 *   +--------------------+ splits_off     uint8_t[ranks_nr]
 *   | splits             |   length of the left part in a token's last merge
 *   +--------------------+ reach_off      uint8_t[65536]
 *   | reach              |   the longest token that ends with these two bytes
 *   +--------------------+ pairs_off      uint64_t[1 << pairs_log2]
 *   | pairs              |   left id + 1, right id, id they merge into (18
 *   |                    |   bits each); 0 is free; buckets of four, filled in
 *   |                    |   order, a pair goes to the next if one is full
 *   +--------------------+ joins_off      uint64_t[VOCAB_JOIN_BITS / 64]
 *   | joins              |   a bit by the hash of two East Asian code points
 *   |                    |   that lie side by side in a token, see vocab_joins()
 *   +--------------------+ bytepairs_off  uint32_t[65536]
 *   | byte pairs         |   the same for two bytes, VOCAB_NONE for none
 *   +--------------------+ byteids_off    uint32_t[256]
 *   | byte ids           |   the id of a byte
 *   +--------------------+ outer_off      uint32_t[ids_nr], if not 0
 *   | outer ids          |   the id that the user sees, VOCAB_NONE for none
 *   +--------------------+ times_off      uint32_t[ranks_nr], if not 0
 *   | times              |   the greatest id among those of a token, of its
 *   |                    |   parts, their parts and so on
 *   +--------------------+ bytes_off
 *   | bytes              |   all tokens, one after the other
 *   +--------------------+ image_bytes
 *
 * Invariants:
 *   1. The rank of a token is its (inner) id: of two merges the one with the smaller
 *      id is made first. Ids 0 to 255 are the single bytes.
 *   2. Merging the bytes of any token alone gives that token; but for those
 *      with a split of 0 (and more than one byte), which only a piece that is
 *      all of it becomes.
 *   3. Of all ways to put a token together from two, only the one that merging
 *      comes to is in pairs. Two tokens that make a third in another way are
 *      never side by side while merging goes on.
 *   4. Special tokens have bytes but no slot: no text is ever turned into
 *      them. All ids of ranks_nr and above are special.
 */
#ifndef TOKENIZER_VOCAB_H
#define TOKENIZER_VOCAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VOCAB_MAGIC "balevoc"
#define VOCAB_LAYOUT 8u
#define VOCAB_ID_BITS 18
#define VOCAB_TOKEN_BYTES 128
#define VOCAB_NONE UINT32_MAX
/* An id that no token has, and that merges with none. */
#define VOCAB_NOBODY ((UINT32_C(1) << VOCAB_ID_BITS) - 2)
#define VOCAB_PAIR_WAYS 4 /* pairs of a bucket */
#define VOCAB_JOIN_BITS (UINT32_C(1) << 20)

struct tokenizer {
	char magic[8];
	uint32_t layout;
	uint32_t pattern; /* enum pretoken_pattern */
	uint64_t image_bytes;
	uint64_t checksum; /* of the bytes behind this struct */
	uint32_t ids_nr;
	uint32_t ranks_nr;
	uint32_t slots_log2;
	uint32_t longest_bytes;
	uint32_t slots_off;
	uint32_t starts_off;
	uint32_t splits_off;
	uint32_t reach_off;
	uint32_t pairs_off;
	uint32_t pairs_log2;
	uint32_t bytepairs_off;
	uint32_t byteids_off;
	uint32_t bytes_off;
	uint32_t joins_off;
	char name[32];
	uint32_t outer_off;
	uint32_t is_nfc;    /* text is brought to NFC first: 0 or 1 */
	uint32_t times_off; /* 0: all tokens come about in the order of ids */
	uint32_t is_apart;  /* no token reaches from a code point into one of
			     * four bytes behind it: 0 or 1 */
	uint8_t reserved[56];
};

_Static_assert(sizeof(struct tokenizer) == 192, "the header is 192 bytes");

/* A table of an image. */
struct vocab_table {
	uint32_t *off; /* in the header */
	uint64_t bytes;
	bool is_optional; /* its offset may be 0: it is not there */
};

#define VOCAB_TABLES 11

/*
 * shape:  the tables of an image in their order, by the numbers in its header;
 *         the last one has all tokens, `bytes` long
 */
void
vocab_tables(struct tokenizer *tok, uint64_t bytes,
	     struct vocab_table tables[static VOCAB_TABLES]);

/* Up to 16 bytes of text as two words, zero behind the end. */
struct vocab_key {
	uint64_t lo;
	uint64_t hi;
};

/* Loads eight bytes from any address. */
static inline uint64_t
vocab_load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Loads four bytes from any address. */
static inline uint32_t
vocab_load32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Reads nothing outside of [p, p + len); len is 1 to 16. */
static inline struct vocab_key
vocab_key(const uint8_t *p, size_t len)
{
	struct vocab_key key = { 0, 0 };

	if (len > 8) {
		key.lo = vocab_load64(p);
		key.hi = vocab_load64(p + len - 8) >> (8 * (16 - len));
	} else if (len == 8) {
		key.lo = vocab_load64(p);
	} else if (len >= 4) {
		key.lo = vocab_load32(p) | (uint64_t)vocab_load32(p + len - 4)
						   << (8 * (len - 4));
	} else {
		key.lo = (uint64_t)p[0] |
			 (uint64_t)p[len / 2] << (8 * (len / 2)) |
			 (uint64_t)p[len - 1] << (8 * (len - 1));
	}
	return key;
}

/* The two halves of a 128-bit product, folded: every bit reaches every bit. */
static inline uint64_t
vocab_mix(uint64_t a, uint64_t b)
{
	__extension__ typedef unsigned __int128 wide;
	wide product = (wide)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* What the length adds to the hash. */
#define VOCAB_SALT(len) (UINT64_C(0xd6e8feb86659fd93) * (len))

/* The hash of a key; the salt tells lengths apart. */
static inline uint64_t
vocab_hash_salted(struct vocab_key key, uint64_t salt)
{
	return vocab_mix(key.lo ^ UINT64_C(0x9e3779b97f4a7c15), key.hi ^ salt);
}

/* The hash of a key of that many bytes. */
static inline uint64_t
vocab_hash_key(struct vocab_key key, size_t len)
{
	return vocab_hash_salted(key, VOCAB_SALT(len));
}

/*
 * shape:  the hash of the bytes of a token or of what may be one
 * units:  len in bytes, 1 or more
 */
uint64_t
vocab_hash(const uint8_t *text, size_t len);

/*
 * shape:  the id of the token that has exactly these bytes, or VOCAB_NONE
 * units:  len in bytes, 1 or more
 */
uint32_t
vocab_find(const struct tokenizer *tok, const uint8_t *text, size_t len);

/*
 * The same with the hash of the bytes.
 */
uint32_t
vocab_find_hashed(const struct tokenizer *tok, const uint8_t *text, size_t len,
		  uint64_t hash);

/*
 * shape:  the checksum over the body of an image
 */
uint64_t
vocab_checksum(const struct tokenizer *tok);

/*
 * shape:  whether a block of bytes is an image that can be used as it is;
 *         checks the header, the checksum and that all tables lie inside
 * units:  len in bytes
 */
bool
vocab_valid(const struct tokenizer *tok, size_t len);

/* A table of the image, by its offset. */
static inline const uint8_t *
vocab_at(const struct tokenizer *tok, uint32_t off)
{
	return (const uint8_t *)tok + off;
}

/* Slots of the hash table of tokens. */
static inline const uint32_t *
vocab_slots(const struct tokenizer *tok)
{
	return (const void *)vocab_at(tok, tok->slots_off);
}

/* Where the bytes of each token begin, and where the last end. */
static inline const uint32_t *
vocab_starts(const struct tokenizer *tok)
{
	return (const void *)vocab_at(tok, tok->starts_off);
}

/* Prefetches the slot of a hash. */
static inline void
vocab_prefetch(const struct tokenizer *tok, uint64_t hash)
{
	const uint64_t mask = (UINT64_C(1) << tok->slots_log2) - 1;

	__builtin_prefetch(&vocab_slots(tok)[hash & mask]);
}

/* What two bytes merge into. */
static inline uint32_t
vocab_byte_pair(const struct tokenizer *tok, uint8_t left, uint8_t right)
{
	const uint32_t *pairs = (const void *)vocab_at(tok, tok->bytepairs_off);

	return pairs[left << 8 | right];
}

/* The token of a single byte. */
static inline uint32_t
vocab_byte_id(const struct tokenizer *tok, uint8_t byte)
{
	const uint32_t *ids = (const void *)vocab_at(tok, tok->byteids_off);

	return ids[byte];
}

/* A pair of tokens as one word, with room for what they make; never 0. */
static inline uint64_t
vocab_pair_key(uint32_t left, uint32_t right)
{
	return ((uint64_t)left + 1) << (2 * VOCAB_ID_BITS) |
	       (uint64_t)right << VOCAB_ID_BITS;
}

/* The first of the bucket that a pair is looked for in first. */
static inline uint64_t
vocab_pair_hash(const struct tokenizer *tok, uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - tok->pairs_log2) &
	       ~(uint64_t)(VOCAB_PAIR_WAYS - 1);
}

/* The id that two tokens merge into, VOCAB_NONE if they do not. */
static inline uint32_t
vocab_pair(const struct tokenizer *tok, uint32_t left, uint32_t right)
{
	const uint64_t *pairs = (const void *)vocab_at(tok, tok->pairs_off);
	const uint64_t mask = (UINT64_C(1) << tok->pairs_log2) - 1;
	const uint64_t key = vocab_pair_key(left, right);
	uint64_t idx = vocab_pair_hash(tok, key);

	for (;;) {
		const uint64_t *bucket = pairs + idx;
		uint64_t least = bucket[0] ^ key;
		int i;

		/* Of the pair itself nothing is left but the id: no branch
		 * depends on which one it is, or whether it is there. */
		for (i = 1; i < VOCAB_PAIR_WAYS; i++)
			least = (bucket[i] ^ key) < least ? bucket[i] ^ key
							  : least;
		if (bucket[VOCAB_PAIR_WAYS - 1] == 0 ||
		    least >> VOCAB_ID_BITS == 0)
			return least >> VOCAB_ID_BITS == 0 ? (uint32_t)least
							   : VOCAB_NONE;
		idx = (idx + VOCAB_PAIR_WAYS) & mask;
	}
}

/* Prefetches the entry of a pair. */
static inline void
vocab_pair_prefetch(const struct tokenizer *tok, uint32_t left, uint32_t right)
{
	const uint64_t *pairs = (const void *)vocab_at(tok, tok->pairs_off);

	__builtin_prefetch(
		&pairs[vocab_pair_hash(tok, vocab_pair_key(left, right))]);
}

/*
 * Whether the three bytes at p are a code point of the scripts that are
 * written without blanks: U+3040 to U+30FF, U+4000 to U+9FFF.
 */
static inline bool
vocab_is_dense(const uint8_t *p)
{
	return (uint8_t)(p[0] - 0xe4) < 6 ||
	       (p[0] == 0xe3 && (uint8_t)(p[1] - 0x81) < 3);
}

/* The bit of the table for the six bytes at p. */
static inline uint32_t
vocab_join_bit(const uint8_t *p)
{
	uint64_t both = (uint64_t)p[0] << 40 | (uint64_t)p[1] << 32 |
			(uint64_t)p[2] << 24 | (uint64_t)p[3] << 16 |
			(uint64_t)p[4] << 8 | p[5];

	return (uint32_t)(both * UINT64_C(0x9e3779b97f4a7c15) >> (64 - 20));
}

/*
 * Whether some token may reach over the border between two dense code points
 * that lie at p. If not, merging never joins them, and what is on the two
 * sides can be merged by itself.
 */
static inline bool
vocab_joins(const struct tokenizer *tok, const uint8_t *p)
{
	const uint64_t *joins = (const void *)vocab_at(tok, tok->joins_off);
	uint32_t bit = vocab_join_bit(p);

	return joins[bit / 64] >> (bit % 64) & 1;
}

/*
 * When a token comes about: at its own turn, or where a part of it has a later
 * one, right after that.
 */
static inline uint32_t
vocab_time(const struct tokenizer *tok, uint32_t id)
{
	const uint32_t *times = (const void *)vocab_at(tok, tok->times_off);

	return tok->times_off != 0 ? times[id] : id;
}

/* The length of the left part in the last merge of a token. */
static inline size_t
vocab_split(const struct tokenizer *tok, uint32_t id)
{
	return vocab_at(tok, tok->splits_off)[id];
}

/* No token that ends with these two bytes is longer than this. */
static inline size_t
vocab_reach(const struct tokenizer *tok, uint8_t before, uint8_t last)
{
	return vocab_at(tok, tok->reach_off)[before << 8 | last];
}

#endif
