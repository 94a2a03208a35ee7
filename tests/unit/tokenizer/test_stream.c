/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_stream.c - text in pieces and in spans counts as the whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/rounds.h"
#include "tokenizer/pretoken.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocab.h"

#define TEXT_BYTES 6000
#define CACHE_LOG2 10
#define LONG_TIMES 3

/* Vocabularies, each cut by every pattern that is known. */
static const struct {
	const char *name;
	uint32_t pattern;
} encodings[] = {
	{ "o200k_base", PRETOKEN_O200K },  { "cl100k_base", PRETOKEN_CL100K },
	{ "r50k_base", PRETOKEN_GPT2 },    { "cl100k_base", PRETOKEN_QWEN },
	{ "o200k_base", PRETOKEN_TEKKEN }, { "o200k_base", PRETOKEN_DEEPSEEK },
};

#define ENCODINGS_NR ((int)(sizeof(encodings) / sizeof(encodings[0])))

/* What texts are drawn from; the last ones are not valid UTF-8. */
static const char *const pool[] = { "'s",
				    "'S",
				    "'re",
				    "'LL",
				    "'\xc5\xbf",
				    "'",
				    "\r",
				    "\n",
				    "\r\n",
				    " ",
				    "  ",
				    "\t",
				    "\xc2\xa0",
				    "\xe3\x80\x80",
				    "\xc2\x85",
				    "/",
				    "//",
				    "a",
				    "B",
				    "foo",
				    "Foo",
				    "FOO",
				    "\xc3\xa9",
				    "\xc3\x89",
				    "\xc7\x85",
				    "\xca\xb0",
				    "\xe4\xb8\xad",
				    "\xcc\x81",
				    "1",
				    "1234",
				    "\xc2\xb2",
				    ".",
				    "(",
				    "->",
				    "_",
				    "\xf0\x9f\x98\x80",
				    "<|endoftext|>",
				    " the",
				    "        ",
				    "\xf0\x9d\x92\x9c",
				    "\xff",
				    "\xc0\x80",
				    "\xe2\x82",
				    "\xed\xa0\x80",
				    "\xf0\x9f\x98",
				    "\x80" };

struct fixture {
	struct tokenizer *tok[ENCODINGS_NR];
	struct tokenizer_cache *cache[ENCODINGS_NR];
	uint8_t text[TEXT_BYTES];
	size_t len;
	uint64_t seed;
};

static uint32_t
draw(struct fixture *f, uint32_t below)
{
	f->seed = f->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((f->seed >> 33) % below);
}

/* A long run of few kinds, in any order. */
static void
draw_mixed_run(struct fixture *f)
{
	static const char *const runs[][4] = {
		{ " ", "\n", "\t", "\r\n" },
		{ " ", " ", " ", "\xc2\xa0" },
		{ "A", "A", "A", "\xe3\x81\x82" },
		{ "A", "B", "b", "\xcc\x81" },
		{ "-", "\xf0\x9f\x98\x80", "/", "-" },
		{ "\n", "/", "\n", "\n" },
		{ "7", "7", "8", "9" },
		{ "\x01", "\x01", "\x02", "\x01" },
	};
	const char *const *run = runs[draw(f, 8)];
	uint32_t kinds = 1 + draw(f, 4), times = draw(f, 1500);

	while (times-- > 0 && f->len + 4 <= TEXT_BYTES) {
		const char *word = run[draw(f, kinds)];

		memcpy(f->text + f->len, word, strlen(word));
		f->len += strlen(word);
	}
}

static void
draw_text(struct fixture *f)
{
	uint32_t words = 1 + draw(f, 30);
	uint32_t known =
		draw(f, 2) ? 40 : (uint32_t)(sizeof(pool) / sizeof(*pool));

	f->len = 0;
	if (draw(f, 6) == 0)
		draw_mixed_run(f);
	while (words-- > 0) {
		const char *word = pool[draw(f, known)];
		uint32_t times = draw(f, 40) ? 1 : 1 + draw(f, 700);

		while (times-- > 0 && f->len + strlen(word) <= TEXT_BYTES) {
			memcpy(f->text + f->len, word, strlen(word));
			f->len += strlen(word);
		}
	}
}

/* Gives bytes without slack around them, so that a sanitizer sees overruns. */
static uint8_t *
exact_copy(const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	memcpy(copy, bytes, len);
	return copy;
}

static void
feed(struct fixture *f, int enc, struct token_stream *stream, size_t from,
     size_t to)
{
	uint8_t *part = exact_copy(f->text + from, to - from);

	token_stream_feed(f->tok[enc], f->cache[enc], stream, part, to - from);
	free(part);
}

static void
feed_span(struct fixture *f, int enc, struct token_stream *stream, size_t from,
	  size_t to)
{
	uint8_t *part = exact_copy(f->text + from, to - from);
	struct token_span span;

	tokenizer_span(f->tok[enc], f->cache[enc], part, to - from, &span);
	assert_true(span.head_len <= span.tail_off);
	assert_true(span.tail_off <= to - from);
	token_stream_feed_span(f->tok[enc], stream, part, to - from, &span);
	free(part);
}

static int
setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	int i;

	f->seed = 20261121;
	for (i = 0; i < ENCODINGS_NR; i++) {
		const struct tokenizer *tok;
		void *mem =
			aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2));

		f->cache[i] = tokenizer_cache_init(mem, CACHE_LOG2);
		if (tokenizer_open(&tok, encodings[i].name) != 0)
			return -1;
		f->tok[i] = malloc(tok->image_bytes);
		memcpy(f->tok[i], tok, tok->image_bytes);
		f->tok[i]->pattern = encodings[i].pattern;
	}
	*state = f;
	return 0;
}

static int
teardown(void **state)
{
	struct fixture *f = *state;
	int i;

	for (i = 0; i < ENCODINGS_NR; i++) {
		free(f->cache[i]);
		free(f->tok[i]);
	}
	free(f);
	return 0;
}

static void
test_stream_any_single_cut_counts_as_the_whole(void **state)
{
	struct fixture *f = *state;
	int nr = (int)(ROUNDS(30) * times_long(LONG_TIMES));
	int round, enc;

	for (round = 0; round < nr; round++) {
		draw_text(f);
		if (f->len > 400)
			f->len = 400;
		for (enc = 0; enc < ENCODINGS_NR; enc++) {
			uint64_t want = tokenizer_count(f->tok[enc], NULL,
							f->text, f->len);
			size_t cut;

			for (cut = 0; cut <= f->len; cut++) {
				struct token_stream stream;

				token_stream_init(&stream);
				feed(f, enc, &stream, 0, cut);
				feed(f, enc, &stream, cut, f->len);
				assert_int_equal(token_stream_count(f->tok[enc],
								    &stream),
						 want);
			}
		}
	}
}

static void
test_stream_byte_by_byte_counts_every_prefix(void **state)
{
	struct fixture *f = *state;
	int nr = (int)(ROUNDS(8) * times_long(LONG_TIMES));
	int round, enc;

	for (round = 0; round < nr; round++) {
		draw_text(f);
		if (f->len > 300)
			f->len = 300;
		for (enc = 0; enc < ENCODINGS_NR; enc++) {
			struct token_stream stream;
			size_t at;

			token_stream_init(&stream);
			for (at = 0; at < f->len; at++) {
				feed(f, enc, &stream, at, at + 1);
				assert_int_equal(token_stream_count(f->tok[enc],
								    &stream),
						 tokenizer_count(f->tok[enc],
								 NULL, f->text,
								 at + 1));
			}
		}
	}
}

static void
test_stream_random_cuts_and_spans_count_as_the_whole(void **state)
{
	struct fixture *f = *state;
	int nr = (int)(ROUNDS(500) * times_long(LONG_TIMES));
	int round, enc;

	for (round = 0; round < nr; round++) {
		draw_text(f);
		for (enc = 0; enc < ENCODINGS_NR; enc++) {
			uint64_t want = tokenizer_count(
				f->tok[enc], f->cache[enc], f->text, f->len);
			struct token_stream stream, moved;
			size_t at = 0;

			token_stream_init(&stream);
			while (at < f->len) {
				size_t to = at + 1 +
					    draw(f, (uint32_t)(f->len - at));

				if (draw(f, 3))
					feed_span(f, enc, &stream, at, to);
				else
					feed(f, enc, &stream, at, to);
				at = to;
				/* As a checkpoint would be taken over. */
				moved = stream;
				memset(&stream, 0xa5, sizeof(stream));
				stream = moved;
			}
			assert_int_equal(
				token_stream_count(f->tok[enc], &stream), want);
		}
	}
}

static void
test_stream_nothing_fed_counts_nothing(void **state)
{
	struct fixture *f = *state;
	struct token_stream stream;

	token_stream_init(&stream);
	assert_int_equal(token_stream_count(f->tok[0], &stream), 0);
	token_stream_feed(f->tok[0], NULL, &stream, f->text, 0);
	assert_int_equal(token_stream_count(f->tok[0], &stream), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_stream_any_single_cut_counts_as_the_whole),
		cmocka_unit_test(test_stream_byte_by_byte_counts_every_prefix),
		cmocka_unit_test(
			test_stream_random_cuts_and_spans_count_as_the_whole),
		cmocka_unit_test(test_stream_nothing_fed_counts_nothing),
	};

	return cmocka_run_group_tests_name("tokenizer/stream", tests, setup,
					   teardown);
}
