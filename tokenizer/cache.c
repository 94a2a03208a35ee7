/* SPDX-License-Identifier: MIT */
/*
 * cache.c - how many tokens a piece has, remembered.
 *
 * Nothing is ordered: a stale or torn entry is a miss, never a wrong hit (see
 * the crash note in cache.h).
 */
#include "tokenizer/cache.h"

typedef uint64_t words __attribute__((vector_size(16)));

#define GET(field) atomic_load_explicit(&(field), memory_order_relaxed)
#define PUT(field, value) \
	atomic_store_explicit(&(field), value, memory_order_relaxed)

static struct cache_short *
entry_at(struct tokenizer_cache *cache, uint64_t off)
{
	return (void *)((uintptr_t)cache->shorts + off);
}

static struct vocab_key
entry_get(const struct tokenizer_cache *cache, const struct cache_short *entry)
{
	struct vocab_key key;

	if (cache->seal == 0) {
		words both;

		__asm__("movdqa %1, %0" : "=x"(both) : "m"(*entry));
		key.lo = both[0];
		key.hi = both[1];
		return key;
	}
	key.hi = GET(entry->hi);
	key.lo = GET(entry->lo) ^ key.hi * cache->seal;
	return key;
}

static void
entry_put(struct tokenizer_cache *cache, struct cache_short *entry,
	  struct vocab_key key)
{
	if (cache->seal == 0) {
		words both = { key.lo, key.hi };

		__asm__("movdqa %1, %0" : "=m"(*entry) : "x"(both));
		return;
	}
	PUT(entry->lo, key.lo ^ key.hi * cache->seal);
	PUT(entry->hi, key.hi);
}

uint32_t
cache_get_short(struct tokenizer_cache *cache, struct vocab_key key)
{
	const uint64_t off = cache_off(cache, key);
	struct cache_short *first = entry_at(cache, off);
	uint64_t way;

	for (way = 0; way < CACHE_WAYS; way++) {
		struct cache_short *entry = entry_at(cache, off ^ way << 4);
		struct vocab_key found = entry_get(cache, entry);
		uint64_t tokens = (found.hi ^ key.hi) >> 56;

		if (found.lo != key.lo || (found.hi ^ key.hi) << 8 != 0 ||
		    tokens == 0 || tokens > CACHE_SHORT_BYTES)
			continue;
		/* It is wanted again: next time it is found at once. */
		if (way != 0) {
			entry_put(cache, entry, entry_get(cache, first));
			entry_put(cache, first, found);
		}
		return (uint32_t)tokens;
	}
	return 0;
}

/* Entries of the first half that belong into the second one go there. */
static void
move_shorts(struct tokenizer_cache *cache, uint64_t bytes)
{
	const struct vocab_key none = { 0, 0 };
	uint64_t off;

	for (off = 0; off < bytes; off += sizeof(struct cache_short)) {
		struct cache_short *entry = entry_at(cache, off);
		struct vocab_key all = entry_get(cache, entry);
		struct vocab_key key = { all.lo, all.hi << 8 >> 8 };

		if (all.hi >> 56 == 0 ||
		    (cache_hash(key) >> cache->short_shift & bytes) == 0)
			continue;
		entry_put(cache, entry_at(cache, off + bytes), all);
		entry_put(cache, entry, none);
	}
}

static void
move_longs(struct tokenizer_cache *cache, uint64_t nr)
{
	struct cache_long *longs = (void *)((uintptr_t)cache + cache->long_off);
	uint64_t i;
	size_t word;

	for (i = 0; i < nr; i++) {
		uint64_t head = GET(longs[i].head);

		if (((head >> CACHE_LONG_SHIFT) & nr) == 0)
			continue;
		for (word = 0; word < CACHE_LONG_WORDS; word++)
			PUT(longs[i + nr].words[word],
			    GET(longs[i].words[word]));
		PUT(longs[i + nr].head, head);
	}
}

/*
 * Doubles what is used of the tables. Whoever dies at it leaves the smaller
 * ones; what others put in meanwhile may not be found any more.
 */
static __attribute__((noinline)) void
grow(struct tokenizer_cache *cache, uint64_t at)
{
	uint64_t short_mask = GET(cache->short_mask);
	uint64_t long_mask = GET(cache->long_mask);
	uint64_t bytes = short_mask + sizeof(struct cache_short);

	if (!atomic_compare_exchange_strong(&cache->grow_at, &at, 2 * at) ||
	    short_mask >= cache->short_most)
		return;
	move_shorts(cache, bytes);
	move_longs(cache, long_mask + 1);
	PUT(cache->short_mask, short_mask | bytes);
	PUT(cache->long_mask, 2 * long_mask + 1);
}

void
cache_put_short(struct tokenizer_cache *cache, struct vocab_key key,
		uint32_t tokens)
{
	uint64_t puts = GET(cache->puts) + 1;
	uint64_t off;
	uint64_t way;

	/* of two at once one may not be counted */
	PUT(cache->puts, puts);
	if (puts >= GET(cache->grow_at))
		grow(cache, GET(cache->grow_at));
	off = cache_off(cache, key);
	key.hi |= (uint64_t)tokens << 56;
	for (way = 0; way < CACHE_WAYS && key.lo != 0; way++) {
		struct cache_short *entry = entry_at(cache, off ^ way << 4);
		struct vocab_key moved = entry_get(cache, entry);

		if (moved.lo == key.lo && moved.hi == key.hi)
			return;
		entry_put(cache, entry, key);
		key = moved;
	}
}

/* Word i of a piece, zero behind its end. */
static inline uint64_t
word_at(const uint8_t *piece, size_t len, size_t i)
{
	uint64_t word = 0;

	if (len >= 8 * i + 8)
		return vocab_load64(piece + 8 * i);
	if (len > 8 * i)
		memcpy(&word, piece + 8 * i, len - 8 * i);
	return word;
}

/* The length in the head of an entry that has the rest of a piece. */
#define REST_LEN 0xff

static bool
same_words(const struct cache_long *entry, const uint8_t *piece, size_t len)
{
	size_t i;

	for (i = 0; i < CACHE_LONG_WORDS && 8 * i < len; i++)
		if (GET(entry->words[i]) != word_at(piece, len, i))
			return false;
	return true;
}

uint32_t
cache_get_long(const struct tokenizer_cache *cache, const uint8_t *piece,
	       size_t len, uint64_t hash)
{
	struct cache_long *entry = cache_long(cache, hash);
	uint64_t head = GET(entry->head);

	if ((head & ~UINT64_C(0xff00)) != cache_long_head(hash, len) ||
	    !same_words(entry, piece, len))
		return 0;
	if (len > CACHE_PART_BYTES) {
		entry = cache_long(cache, cache_rest_hash(hash));
		if (GET(entry->head) != cache_long_head(hash, REST_LEN) ||
		    !same_words(entry, piece + CACHE_PART_BYTES,
				len - CACHE_PART_BYTES))
			return 0;
	}
	return (uint32_t)(head >> 8) & 0xff;
}

void
cache_put_long(struct tokenizer_cache *cache, const uint8_t *piece, size_t len,
	       uint64_t hash, uint32_t tokens)
{
	struct cache_long *entry = cache_long(cache, hash);
	size_t i;

	if (len > CACHE_PART_BYTES) {
		struct cache_long *rest =
			cache_long(cache, cache_rest_hash(hash));

		for (i = 0; i < CACHE_LONG_WORDS; i++)
			PUT(rest->words[i],
			    word_at(piece, len, i + CACHE_LONG_WORDS));
		PUT(rest->head, cache_long_head(hash, REST_LEN));
	}
	for (i = 0; i < CACHE_LONG_WORDS; i++)
		PUT(entry->words[i], word_at(piece, len, i));
	PUT(entry->head, cache_long_head(hash, len) | (uint64_t)tokens << 8);
}
