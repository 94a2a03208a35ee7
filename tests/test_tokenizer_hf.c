/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_hf.c - tokenizers made of a tokenizer.json.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <cmocka.h>

#include "tokenizer/tokenizer.h"
#include "tokenizer/tokenizer_hf.h"

#define JSON_BYTES 16384

/* The character that stands for a byte, as JSON. */
static size_t
put_byte_char(char *out, size_t cap, unsigned byte)
{
	unsigned code = byte, below;

	if (!((byte >= 0x21 && byte <= 0x7e) ||
	      (byte >= 0xa1 && byte != 0xad))) {
		code = 0x100;
		for (below = 0; below < byte; below++)
			code += !((below >= 0x21 && below <= 0x7e) ||
				  (below >= 0xa1 && below != 0xad));
	}
	return (size_t)snprintf(out, cap, "\\u%04x", code);
}

/*
 * A vocabulary of bytes (ids 10 to 265) and of ab, abc, bc, " ab", "zz"; no
 * merge makes the last one.
 */
static char *
make_json(const char *pre_tokenizer, const char *ignore_merges)
{
	char *json = malloc(JSON_BYTES);
	size_t at = 0;
	unsigned byte;

	at += (size_t)snprintf(
		json + at, JSON_BYTES - at,
		"{\"normalizer\":null,\"pre_tokenizer\":%s,"
		"\"added_tokens\":[{\"id\":300,\"content\":\"<end>\"}],"
		"\"model\":{\"type\":\"BPE\",%s\"merges\":[\"b c\",\"a b\","
		"[\"ab\",\"c\"],\"\\u0120 ab\"],\"vocab\":{\"bc\":1,\"ab\":2,"
		"\"abc\":3,\"\\u0120ab\":4,\"zz\":5",
		pre_tokenizer, ignore_merges);
	for (byte = 0; byte < 256; byte++) {
		at += (size_t)snprintf(json + at, JSON_BYTES - at, ",\"");
		at += put_byte_char(json + at, JSON_BYTES - at, byte);
		at += (size_t)snprintf(json + at, JSON_BYTES - at, "\":%u",
				       byte + 10);
	}
	snprintf(json + at, JSON_BYTES - at, "}}}");
	return json;
}

#define BYTE_LEVEL "{\"type\":\"ByteLevel\",\"add_prefix_space\":false}"

static void
check_ids(const struct tokenizer *tok, const char *text, const uint32_t *want,
	  size_t want_nr)
{
	uint32_t ids[256];
	size_t len = strlen(text), nr;

	nr = tokenizer_encode(tok, (const uint8_t *)text, len, ids);
	assert_int_equal(nr, want_nr);
	assert_memory_equal(ids, want, nr * sizeof(ids[0]));
	assert_int_equal(tokenizer_count(tok, NULL, (const uint8_t *)text, len),
			 nr);
}

static void
test_hf_merges_are_made_in_their_order(void **state)
{
	char *json = make_json(BYTE_LEVEL, "");
	struct tokenizer *tok = NULL;
	const uint8_t *bytes;
	size_t len;

	assert_int_equal(tokenizer_hf_load(&tok, json, strlen(json)), 0);
	/* bc comes first, so that ab c is never there to become abc. */
	check_ids(tok, "abc", (uint32_t[]){ 'a' + 10, 1 }, 2);
	check_ids(tok, "ab ab", (uint32_t[]){ 2, 4 }, 2);
	check_ids(tok, "zz", (uint32_t[]){ 'z' + 10, 'z' + 10 }, 2);
	check_ids(tok, "<end>",
		  (uint32_t[]){ '<' + 10, 'e' + 10, 'n' + 10, 'd' + 10,
				'>' + 10 },
		  5);
	assert_int_equal(tokenizer_token(tok, 4, &bytes, &len), 0);
	assert_int_equal(len, 3);
	assert_memory_equal(bytes, " ab", 3);
	assert_int_equal(tokenizer_token(tok, 300, &bytes, &len), 0);
	assert_int_equal(len, 5);
	assert_int_equal(tokenizer_token(tok, 299, &bytes, &len), -EINVAL);
	assert_int_equal(tokenizer_token(tok, 301, &bytes, &len), -EINVAL);
	assert_false(tokenizer_hf_wants_nfc(tok));
	tokenizer_hf_free(tok);
	free(json);
}

static void
test_hf_ignore_merges_takes_whole_pieces_first(void **state)
{
	char *json = make_json(BYTE_LEVEL, "\"ignore_merges\":true,");
	struct tokenizer *tok = NULL;

	assert_int_equal(tokenizer_hf_load(&tok, json, strlen(json)), 0);
	check_ids(tok, "zz", (uint32_t[]){ 5 }, 1);
	check_ids(tok, "abc", (uint32_t[]){ 3 }, 1);
	check_ids(tok, "zzz", (uint32_t[]){ 'z' + 10, 'z' + 10, 'z' + 10 }, 3);
	tokenizer_hf_free(tok);
	free(json);
}

static void
test_hf_unknown_forms_are_refused(void **state)
{
	static const char *const not_supported[] = {
		"null", "{\"type\":\"Whitespace\"}",
		"{\"type\":\"ByteLevel\",\"add_prefix_space\":true}",
		"{\"type\":\"Split\",\"pattern\":{\"Regex\":\"x+\"}}"
	};
	static const char *const no_message[] = {
		"",
		"{",
		"[]",
		"{}",
		"{\"model\":{}}",
		"{\"model\":{\"vocab\":{},\"merges\":3}}"
	};
	struct tokenizer *tok = NULL;
	size_t i;

	for (i = 0; i < 4; i++) {
		char *json = make_json(not_supported[i], "");

		assert_int_equal(tokenizer_hf_load(&tok, json, strlen(json)),
				 -ENOTSUP);
		free(json);
	}
	for (i = 0; i < 6; i++)
		assert_int_equal(tokenizer_hf_load(&tok, no_message[i],
						   strlen(no_message[i])),
				 -EBADMSG);
	assert_null(tok);
	tokenizer_hf_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hf_merges_are_made_in_their_order),
		cmocka_unit_test(
			test_hf_ignore_merges_takes_whole_pieces_first),
		cmocka_unit_test(test_hf_unknown_forms_are_refused),
	};

	return cmocka_run_group_tests_name("tokenizer/hf", tests, NULL, NULL);
}
