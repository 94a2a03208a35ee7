/* SPDX-License-Identifier: MIT */
/*
 * test_cache.c - what is remembered of a piece is right or is not there,
 * whatever lies in the table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tokenizer/cache.h"
#include "tokenizer/tokenizer.h"

#define CACHE_LOG2 8 /* small, so that entries are pushed out */

static uint64_t seed = 20261122;

static uint32_t
draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((seed >> 33) % below);
}

static struct vocab_key
draw_key(void)
{
	uint8_t piece[CACHE_SHORT_BYTES];
	size_t len = 1 + draw(CACHE_SHORT_BYTES), i;

	for (i = 0; i < len; i++)
		piece[i] = (uint8_t)draw(2);
	return cache_key(piece, len);
}

/* Any function of the key that is 1 to 15. */
static uint32_t
tokens_of(struct vocab_key key)
{
	return 1 + (uint32_t)((key.lo ^ key.lo >> 13 ^ key.hi) % 15);
}

/*
 * What writers at work, dead or hostile may leave behind: entries that belong
 * elsewhere, noise, and, where entries are not written at once, halves.
 */
static void
check_foreign_entries(uint64_t seal)
{
	const size_t words_nr = (size_t)2 << CACHE_LOG2;
	const size_t step = seal == 0 ? 2 : 1;
	uint8_t *mem = aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2));
	struct tokenizer_cache *cache = tokenizer_cache_init(mem, CACHE_LOG2);
	uint64_t *words = (uint64_t *)(void *)(mem + sizeof(*cache));
	uint32_t round, found = 0;
	size_t i;

	cache->seal = seal;
	for (round = 0; round < 400000; round++) {
		struct vocab_key key = draw_key();
		uint32_t got = cache_get_short(cache, key);

		assert_true(got == 0 || got == tokens_of(key));
		found += got != 0;
		if (draw(2))
			cache_put_short(cache, key, tokens_of(key));
		if (draw(40) != 0)
			continue;
		i = draw((uint32_t)words_nr) & ~(step - 1);
		if (draw(4) == 0)
			words[i] = seed * seed;
		else
			memcpy(words + i, words + (i ^ 2u << draw(5)),
			       8 * step);
	}
	assert_true(found > 1000);
	free(mem);
}

static void
test_cache_with_foreign_entries_gives_no_wrong_tokens(void **state)
{
	check_foreign_entries(CACHE_SEAL);
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx"))
		check_foreign_entries(0);
#endif
}

/* A piece of so many bytes, other than all others of the length. */
static void
make_piece(uint8_t *piece, size_t len, size_t number)
{
	memset(piece, 'a', len);
	piece[len - 1] = (uint8_t)('A' + number);
}

/* All lengths, both tables: empty, the first byte of a line, the last word. */
static void
test_cache_gives_back_what_was_put(void **state)
{
	uint8_t *mem = aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2));
	struct tokenizer_cache *cache = tokenizer_cache_init(mem, CACHE_LOG2);
	uint8_t piece[CACHE_LONG_BYTES], other[CACHE_LONG_BYTES];
	size_t len;

	for (len = 1; len <= CACHE_LONG_BYTES; len++) {
		uint64_t hash;

		make_piece(piece, len, 0);
		make_piece(other, len, 1);
		hash = vocab_hash(piece, len);
		assert_int_equal(cache_get_long(cache, piece, len, hash), 0);
		cache_put_long(cache, piece, len, hash, (uint32_t)len);
		assert_int_equal(cache_get_long(cache, piece, len, hash), len);
		/* another piece of that hash, at either end, is another */
		assert_int_equal(cache_get_long(cache, other, len, hash), 0);
		memcpy(other, piece, len);
		other[0] ^= 1;
		assert_int_equal(cache_get_long(cache, other, len, hash), 0);
		if (len > 1)
			assert_int_equal(
				cache_get_long(cache, piece, len - 1, hash), 0);
		if (len > CACHE_SHORT_BYTES)
			continue;
		assert_int_equal(cache_get_short(cache, cache_key(piece, len)),
				 0);
		cache_put_short(cache, cache_key(piece, len), (uint32_t)len);
		assert_int_equal(cache_get_short(cache, cache_key(piece, len)),
				 len);
		assert_int_equal(cache_get_short(cache, cache_key(other, len)),
				 0);
	}
	free(mem);
}

/* Of pieces with one line, as many as it has entries are known: the last. */
static void
test_cache_line_keeps_the_last_ones(void **state)
{
	uint8_t *mem = aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2));
	struct tokenizer_cache *cache = tokenizer_cache_init(mem, CACHE_LOG2);
	struct vocab_key keys[2 * CACHE_WAYS];
	uint32_t nr = 0, i;

	for (i = 0; nr < 2 * CACHE_WAYS; i++) {
		uint8_t piece[8];

		snprintf((char *)piece, sizeof(piece), "%07u", i);
		keys[nr] = cache_key(piece, 7);
		if (cache_off(cache, keys[nr]) == cache_off(cache, keys[0]))
			nr++;
	}
	for (i = 0; i < nr; i++)
		cache_put_short(cache, keys[i], 1 + i);
	for (i = 0; i < nr; i++)
		assert_int_equal(cache_get_short(cache, keys[i]),
				 i < CACHE_WAYS ? 0 : 1 + i);
	/* twice the same takes no second entry */
	cache_put_short(cache, keys[nr - 1], nr);
	for (i = CACHE_WAYS; i < nr; i++)
		assert_int_equal(cache_get_short(cache, keys[i]), 1 + i);
	/* one that is asked for stays longer than those that are not */
	for (i = 0; i <= CACHE_WAYS; i++) {
		cache_put_short(cache, keys[i], 1 + i);
		assert_int_equal(cache_get_short(cache, keys[0]), 1);
	}
	free(mem);
}

/* A few thousand pieces take what so many need of a cache for many more, and
 * are found when the tables have doubled. */
static void
test_cache_grows_with_what_is_put_in(void **state)
{
	enum { MOST_LOG2 = 16, PUT_NR = 6000 };
	size_t bytes = tokenizer_cache_bytes(MOST_LOG2);
	uint8_t *mem = aligned_alloc(64, bytes);
	struct tokenizer_cache *cache;
	uint64_t used;
	uint32_t shorts = 0, longs = 0, i;

	memset(mem, 0, bytes);
	cache = tokenizer_cache_init_zeroed(mem, MOST_LOG2);
	used = cache->short_mask;
	for (i = 0; i < 2 * PUT_NR; i++) {
		uint32_t at = i % PUT_NR;
		uint8_t piece[80];
		uint64_t hash;

		snprintf((char *)piece, sizeof(piece), "%079u", at);
		hash = vocab_hash(piece, 79);
		shorts += cache_get_short(cache, cache_key(piece + 72, 7)) ==
			  1 + at % 7;
		longs += cache_get_long(cache, piece, 79, hash) == 1 + at % 60;
		if (i >= PUT_NR)
			continue;
		cache_put_short(cache, cache_key(piece + 72, 7), 1 + at % 7);
		if (at % 100 == 0)
			cache_put_long(cache, piece, 79, hash, 1 + at % 60);
	}
	assert_true(cache->short_mask > used &&
		    cache->short_mask < cache->short_most);
	assert_true(shorts > PUT_NR * 99 / 100);
	assert_true(longs > PUT_NR / 100 * 70 / 100);
	for (i = 0; i < cache->short_most - cache->short_mask; i++)
		assert_int_equal(((uint8_t *)cache->shorts)[cache->short_mask +
							    16 + i],
				 0);
	free(mem);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cache_gives_back_what_was_put),
		cmocka_unit_test(test_cache_line_keeps_the_last_ones),
		cmocka_unit_test(test_cache_grows_with_what_is_put_in),
		cmocka_unit_test(
			test_cache_with_foreign_entries_gives_no_wrong_tokens),
	};

	return cmocka_run_group_tests_name("tokenizer/cache", tests, NULL,
					   NULL);
}
