/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_count.c - the fast loops give what the plain one gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tokenizer/cache.h"
#include "tokenizer/count.h"
#include "tokenizer/cpu.h"
#include "tokenizer/pretoken.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/unicode.h"

#define TEXT_BYTES 4000
#define CACHE_LOG2 8 /* small, so that entries are pushed out */

typedef size_t
count_fn(const struct tokenizer *tok, struct tokenizer_cache *cache,
	 const struct count_text *text, uint64_t *tokens);

static const char *const pool[] = { "'s",
				    "'S",
				    "'re",
				    "'LL",
				    "'\xc5\xbf",
				    "'",
				    "it's's",
				    "\r",
				    "\n",
				    "\r\n",
				    " ",
				    " ",
				    " ",
				    "  ",
				    "\t",
				    "\n\t\t",
				    "\n    ",
				    " \n",
				    "\xc2\xa0",
				    "\xe3\x80\x80",
				    "/",
				    "//",
				    "*/\n\n/*",
				    "a",
				    "B",
				    "foo",
				    "Foo",
				    "FOO",
				    "The ",
				    "quick",
				    " brown",
				    "int x = ",
				    "1",
				    "1234",
				    "\xc2\xb2",
				    ".",
				    ",",
				    ";\n",
				    "(",
				    ")",
				    "->",
				    "_",
				    "=",
				    "\xc3\xa9",
				    "\xc3\x89",
				    "\xc7\x85",
				    "\xca\xb0",
				    "\xcc\x81",
				    "\xe4\xb8\xad",
				    "\xe6\x96\x87",
				    "\xe4\xbd\xbf\xe7\x94\xa8USB",
				    "\xe3\x80\x82",
				    "\xef\xbc\x8c",
				    "\xe3\x81\x82\xe3\x82\xab",
				    "\xf0\x9f\x98\x80",
				    "\xf0\x9f\x8f\xbd",
				    "\xef\xb8\x8f",
				    "!\xef\xb8\x8f",
				    "\xe2\x80\x99",
				    "<|endoftext|>",
				    "xxxxxxxxxxxxxxxxxxxxxxxx",
				    "----------------",
				    "                  " };

static uint64_t seed = 20261121;

static uint32_t
draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((seed >> 33) % below);
}

static size_t
draw_text(uint8_t *text)
{
	const uint32_t pool_nr = sizeof(pool) / sizeof(pool[0]);
	uint32_t kinds[24], kinds_nr = 2 + draw(22), i;
	size_t len = 0, want = 200 + draw(TEXT_BYTES - 300);

	for (i = 0; i < kinds_nr; i++)
		kinds[i] = draw(pool_nr);
	while (len < want) {
		const char *word = pool[kinds[draw(kinds_nr)]];
		uint32_t times = draw(60) ? 1 : 1 + draw(9);

		while (times-- > 0 && len + strlen(word) <= TEXT_BYTES) {
			memcpy(text + len, word, strlen(word));
			len += strlen(word);
		}
	}
	return len;
}

/* A vocabulary with the pattern of another one; the caller frees it. */
static struct tokenizer *
with_pattern(const char *encoding, uint32_t pattern)
{
	const struct tokenizer *tok;
	struct tokenizer *copy;

	assert_int_equal(tokenizer_open(&tok, encoding), 0);
	copy = malloc(tok->image_bytes);
	memcpy(copy, tok, tok->image_bytes);
	copy->pattern = pattern;
	return copy;
}

/* The same text but for its end, of any length, whole characters. */
static size_t
draw_prefix(const uint8_t *text, size_t len)
{
	size_t nr = 1 + draw(draw(4) ? 300 : (uint32_t)len);

	nr = nr < len ? nr : len;
	while (nr < len && (text[nr] & 0xc0) == 0x80)
		nr++;
	return nr;
}

struct checked {
	const struct tokenizer *tok;
	struct tokenizer_cache *cache;
	count_fn *fast;
	uint64_t bytes; /* that the fast loop went through */
};

/* What the fast loop says of a text, and the plain one of the rest. */
static void
check_text(struct checked *checked, const uint8_t *text, size_t len,
	   bool at_end)
{
	const struct tokenizer *tok = checked->tok;
	const struct count_text given = { text, len, at_end };
	uint64_t want = 0, got = 0;
	size_t at = checked->fast(tok, checked->cache, &given, &got);

	assert_true(at <= len);
	checked->bytes += at;
	assert_true(count_closed(tok, NULL, text, at, &want) <= at);
	want = tokenizer_count(tok, NULL, text, len);
	got += tokenizer_count(tok, NULL, text + at, len - at);
	assert_int_equal(got, want);
}

static void
check_loop(count_fn *fast, const char *encoding, uint32_t pattern)
{
	struct tokenizer_cache *cache = tokenizer_cache_init(
		aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2)),
		CACHE_LOG2);
	uint8_t *text = malloc(TEXT_BYTES);
	struct tokenizer *tok = with_pattern(encoding, pattern);
	struct checked open = { tok, cache, fast, 0 };
	struct checked whole = { tok, cache, fast, 0 };
	int round;

	for (round = 0; round < 750; round++) {
		size_t len = draw_text(text);
		uint8_t *prefix;
		int i;

		check_text(&open, text, len, false);
		/* where it ends, nothing can be read */
		for (i = 0; i < 4; i++) {
			size_t nr = draw_prefix(text, len);

			prefix = malloc(nr);
			memcpy(prefix, text, nr);
			check_text(&whole, prefix, nr, true);
			free(prefix);
		}
	}
	/* It is not that the fast loop leaves all to the plain one. */
	assert_true(open.bytes > UINT64_C(750) * 1000);
	assert_true(whole.bytes > UINT64_C(750) * 1000);
	free(text);
	free(cache);
	free(tok);
}

static void
check_patterns(count_fn *fast)
{
	check_loop(fast, "o200k_base", PRETOKEN_O200K);
	check_loop(fast, "cl100k_base", PRETOKEN_CL100K);
	check_loop(fast, "cl100k_base", PRETOKEN_QWEN);
	check_loop(fast, "o200k_base", PRETOKEN_TEKKEN);
	check_loop(fast, "r50k_base", PRETOKEN_GPT2);
}

static void
test_count_avx2_gives_the_plain_count(void **state)
{
	if (cpu_level() < CPU_AVX2)
		skip();
	check_patterns(count_avx2);
}

static void
test_count_avx512_gives_the_plain_count(void **state)
{
	if (cpu_level() < CPU_AVX512)
		skip();
	check_patterns(count_avx512);
}

/* Every sequence of up to four bytes that matter, in the middle of a block. */
static void
test_count_validation_agrees_with_the_plain_one(void **state)
{
	static const uint8_t bytes[] = { 0x41, 0x80, 0x8f, 0x90, 0x9f,
					 0xa0, 0xbf, 0xc0, 0xc1, 0xc2,
					 0xdf, 0xe0, 0xe1, 0xed, 0xef,
					 0xf0, 0xf1, 0xf4, 0xf5, 0xff };
	const uint32_t nr = sizeof(bytes);
	uint8_t text[160];
	uint32_t i, at;

	for (i = 0; i < nr * nr * nr * nr; i++) {
		size_t plain;

		at = 50 + i % 20;
		memset(text, 'x', sizeof(text));
		text[at] = bytes[i % nr];
		text[at + 1] = bytes[i / nr % nr];
		text[at + 2] = bytes[i / nr / nr % nr];
		text[at + 3] = bytes[i / nr / nr / nr];
		/* Below 64 bytes there is only the plain one. */
		plain = at + unicode_valid_len(text + at, 40);
		plain = plain == at + 40 ? sizeof(text) : plain;
		assert_int_equal(unicode_valid_len(text, sizeof(text)), plain);
		if (cpu_level() >= CPU_AVX2)
			assert_true(unicode_valid_avx2(text, sizeof(text)) <= plain);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_count_avx2_gives_the_plain_count),
		cmocka_unit_test(test_count_avx512_gives_the_plain_count),
		cmocka_unit_test(
			test_count_validation_agrees_with_the_plain_one),
	};

	return cmocka_run_group_tests_name("tokenizer/count", tests, NULL,
					   NULL);
}
