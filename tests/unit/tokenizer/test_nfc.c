/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_nfc.c - texts brought to NFC, whole and in pieces.
 *
 * The texts and what becomes of them are recorded from Python's unicodedata,
 * and the ids of tests/support/data/tokenizer_hf.json from Hugging Face tokenizers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "tests/support/test_tokenizer_small.h"
#include "tokenizer/nfc.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/tokenizer_hf.h"

#define CACHE_LOG2 10

struct bytes {
	uint8_t *at;
	size_t len;
};

static void
put(void *to, const uint8_t *text, size_t len)
{
	struct bytes *bytes = to;

	memcpy(bytes->at + bytes->len, text, len);
	bytes->len += len;
}

static struct bytes
from_hex(const char *hex)
{
	struct bytes bytes = { malloc(strlen(hex) / 2 + 1), strlen(hex) / 2 };
	size_t i;

	for (i = 0; i < bytes.len; i++) {
		unsigned byte;

		assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
		bytes.at[i] = (uint8_t)byte;
	}
	return bytes;
}

/* Of a text given in two pieces, or in pieces of one code point each. */
static void
check_cut(const struct bytes *text, const struct bytes *want, size_t cut,
	  bool one_by_one)
{
	struct bytes got = { malloc(3 * text->len + 1), 0 };
	struct nfc nfc;
	size_t at = cut;

	nfc_init(&nfc);
	nfc_feed(&nfc, text->at, cut, put, &got);
	while (one_by_one && at < text->len) {
		uint32_t code;
		size_t len = unicode_read(text->at + at, &code);

		nfc_feed(&nfc, text->at + at, len, put, &got);
		at += len;
	}
	nfc_feed(&nfc, text->at + at, text->len - at, put, &got);
	nfc_end(&nfc, put, &got);
	assert_int_equal(got.len, want->len);
	assert_memory_equal(got.at, want->at, want->len);
	free(got.at);
}

static int
setup(void **state)
{
	*state =
		json_load_file("tests/support/data/tokenizer_hf.json", 0, NULL);
	return *state == NULL ? -1 : 0;
}

static int
teardown(void **state)
{
	json_decref(*state);
	return 0;
}

static void
test_nfc_recorded_texts_come_out_as_recorded(void **state)
{
	const json_t *pairs = json_object_get(*state, "nfc"), *pair;
	size_t i, cut;

	assert_true(json_array_size(pairs) > 1000);
	json_array_foreach(pairs, i, pair)
	{
		struct bytes text =
			from_hex(json_string_value(json_array_get(pair, 0)));
		struct bytes want =
			from_hex(json_string_value(json_array_get(pair, 1)));

		for (cut = 0; cut <= text.len; cut++)
			if (cut == text.len || (text.at[cut] & 0xc0) != 0x80)
				check_cut(&text, &want, cut, cut % 3 == 0);
		if (nfc_is_normal(text.at, text.len)) {
			assert_int_equal(text.len, want.len);
			assert_memory_equal(text.at, want.at, want.len);
		}
		assert_true(
			nfc_is_normal((const uint8_t *)"plain \xc3\xa9", 8));
		free(text.at);
		free(want.at);
	}
}

/* More marks than are kept behind one character, in one order and another. */
static void
test_nfc_more_marks_than_fit_do_not_depend_on_cuts(void **state)
{
	static const char *const marks[] = { "\xcc\x81", "\xcc\xa7", "\xcc\x88",
					     "\xcd\x85" };
	struct bytes text = { malloc(8000), 0 }, want = { malloc(24000), 0 };
	struct nfc nfc;
	size_t i, cut;

	put(&text, (const uint8_t *)"xa", 2);
	for (i = 0; i < 1500; i++)
		put(&text, (const uint8_t *)marks[i % 7 % 4], 2);
	nfc_init(&nfc);
	nfc_feed(&nfc, text.at, text.len, put, &want);
	nfc_end(&nfc, put, &want);
	for (cut = 0; cut <= text.len; cut += 10)
		check_cut(&text, &want, cut, cut % 300 == 0);
	free(text.at);
	free(want.at);
}

static void
check_ids(const struct tokenizer *tok, struct tokenizer_cache *cache,
	  const struct bytes *text, const json_t *want)
{
	uint32_t *ids = malloc((4 * text->len + 1) * sizeof(*ids));
	size_t nr = tokenizer_encode(tok, text->at, text->len, ids), i;

	assert_int_equal(nr, json_array_size(want));
	for (i = 0; i < nr; i++)
		assert_int_equal(ids[i],
				 json_integer_value(json_array_get(want, i)));
	assert_int_equal(tokenizer_count(tok, NULL, text->at, text->len), nr);
	assert_int_equal(tokenizer_count(tok, cache, text->at, text->len), nr);
	free(ids);
}

/* The same count with a cut anywhere, with and without spans. */
static void
check_cuts(const struct tokenizer *tok, struct tokenizer_cache *cache,
	   const struct bytes *text, uint64_t want)
{
	size_t cut;

	for (cut = 0; cut <= text->len; cut++) {
		struct token_stream stream;
		struct token_span span;

		token_stream_init(&stream);
		token_stream_feed(tok, cache, &stream, text->at, cut);
		token_stream_feed(tok, cache, &stream, text->at + cut,
				  text->len - cut);
		assert_int_equal(token_stream_count(tok, &stream), want);
		token_stream_init(&stream);
		tokenizer_span(tok, cache, text->at, cut, &span);
		token_stream_feed_span(tok, &stream, text->at, cut,
				       &span);
		tokenizer_span(tok, cache, text->at + cut, text->len - cut,
			       &span);
		token_stream_feed_span(tok, &stream, text->at + cut,
				       text->len - cut, &span);
		assert_int_equal(token_stream_count(tok, &stream), want);
	}
}

static void
test_hf_recorded_texts_give_recorded_ids(void **state)
{
	json_t *all = json_object_get(*state, "ids"), *ids;
	const json_t *texts = json_object_get(*state, "texts");
	const char *name;

	json_object_foreach(all, name, ids)
	{
		struct tokenizer *tok = small_tokenizer(*state, name);
		struct tokenizer_cache *cache = tokenizer_cache_init(
			aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2)),
			CACHE_LOG2);
		size_t i;

		assert_non_null(tok);
		for (i = 0; i < json_array_size(texts); i++) {
			struct bytes text = from_hex(
				json_string_value(json_array_get(texts, i)));
			const json_t *want = json_array_get(ids, i);

			check_ids(tok, cache, &text, want);
			check_cuts(tok, cache, &text, json_array_size(want));
			free(text.at);
		}
		free(tok);
		free(cache);
	}
	assert_int_equal(json_object_size(all), 6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nfc_recorded_texts_come_out_as_recorded),
		cmocka_unit_test(
			test_nfc_more_marks_than_fit_do_not_depend_on_cuts),
		cmocka_unit_test(test_hf_recorded_texts_give_recorded_ids),
	};

	return cmocka_run_group_tests_name("tokenizer/nfc", tests, setup,
					   teardown);
}
