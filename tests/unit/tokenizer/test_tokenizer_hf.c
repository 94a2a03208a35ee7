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
#include "tests/support/test_tokenizer_ids.h"

#define JSON_BYTES 32768

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
 * A vocabulary of bytes (ids 10 to 265) and of ab, abc, bc, " ab", "zz" and
 * U+65E5 U+672C; no merge makes the last two.
 */
static char *
make_json_normal(const char *pre_tokenizer, const char *ignore_merges,
		 const char *normalizer)
{
	char *json = malloc(JSON_BYTES);
	size_t at = 0;
	unsigned byte;

	at += (size_t)snprintf(
		json + at, JSON_BYTES - at,
		"{\"normalizer\":%s,\"pre_tokenizer\":%s,"
		"\"added_tokens\":[{\"id\":300,\"content\":\"<end>\"}],"
		"\"model\":{\"type\":\"BPE\",%s\"merges\":[\"b c\",\"a b\","
		"[\"ab\",\"c\"],\"\\u0120 ab\"],\"vocab\":{\"bc\":1,\"ab\":2,"
		"\"abc\":3,\"\\u0120ab\":4,\"zz\":5,"
		"\"\u00e6\u0139\u00a5\u00e6\u013e\u00ac\":6",
		normalizer, pre_tokenizer, ignore_merges);
	for (byte = 0; byte < 256; byte++) {
		at += (size_t)snprintf(json + at, JSON_BYTES - at, ",\"");
		at += put_byte_char(json + at, JSON_BYTES - at, byte);
		at += (size_t)snprintf(json + at, JSON_BYTES - at, "\":%u",
				       byte + 10);
	}
	snprintf(json + at, JSON_BYTES - at, "}}}");
	return json;
}

static char *
make_json(const char *pre_tokenizer, const char *ignore_merges)
{
	return make_json_normal(pre_tokenizer, ignore_merges, "null");
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
	const char *why;
	const uint8_t *bytes;
	size_t len;

	assert_int_equal(tokenizer_hf_load(&tok, json, strlen(json), &why), 0);
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
	free(tok);
	free(json);
}

/*
 * The token of four comes about by a merge that stands before that of its
 * second half: by no other, though one more is listed. The file of Llama 3 has
 * many of these.
 */
static void
test_hf_merges_listed_before_those_of_their_parts_are_made(void **state)
{
	char *json = make_json(BYTE_LEVEL, ""), *from, *to;
	static const char merges[] =
		"\"x yzw\",\"x y\",\"xy zw\",\"z w\"],\"vocab\":{\"xy\":7,"
		"\"zw\":8,\"yzw\":300,\"xyzw\":9,";
	struct tokenizer *tok = NULL;
	uint8_t text[4 * 100];
	uint32_t ids[4 * sizeof(text)];
	const char *why;
	size_t i;

	/* In the place of all merges of make_json(). */
	from = strstr(json, "\"b c\"");
	to = strstr(from, "\"bc\":1");
	memmove(from + sizeof(merges) - 1, to, strlen(to) + 1);
	memcpy(from, merges, sizeof(merges) - 1);
	assert_int_equal(tokenizer_hf_load(&tok, json, strlen(json), &why), 0);
	check_ids(tok, "xyzw", (uint32_t[]){ 9 }, 1);
	check_ids(tok, "yzw", (uint32_t[]){ 'y' + 10, 8 }, 2);
	check_ids(tok, "xxyzwzw", (uint32_t[]){ 'x' + 10, 9, 8 }, 3);
	/* Longer than what is merged in one go. */
	for (i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t) "xyzw"[i % 4];
	assert_int_equal(tokenizer_encode(tok, text, sizeof(text), ids), 100);
	for (i = 0; i < 100; i++)
		assert_int_equal(ids[i], 9);
	free(tok);
	free(json);
}

static void
test_hf_ignore_merges_takes_whole_pieces_first(void **state)
{
	char *json = make_json(BYTE_LEVEL, "\"ignore_merges\":true,");
	struct tokenizer *tok = NULL;
	const char *why;

	assert_int_equal(tokenizer_hf_load(&tok, json, strlen(json), &why), 0);
	check_ids(tok, "zz", (uint32_t[]){ 5 }, 1);
	check_ids(tok, "abc", (uint32_t[]){ 3 }, 1);
	check_ids(tok, "zzz", (uint32_t[]){ 'z' + 10, 'z' + 10, 'z' + 10 }, 3);
	free(tok);
	free(json);
}

#define CL100K                                                                       \
	"{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Split\",\"pattern\":" \
	"{\"Regex\":\"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?"   \
	"\\\\p{L}+|\\\\p{N}{1,3}| ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|\\\\s*"    \
	"[\\\\r\\\\n]+|\\\\s+(?!\\\\S)|\\\\s+\"},\"behavior\":\"Isolated\","         \
	"\"invert\":false},{\"type\":\"ByteLevel\",\"add_prefix_space\":false,"      \
	"\"use_regex\":false}]}"

/*
 * U+65E5 U+672C is a token, but only as a piece of its own: the cache, which
 * takes clauses apart, has to know that.
 */
static void
test_hf_whole_pieces_are_never_parts_of_a_clause(void **state)
{
	char *json = make_json(CL100K, "\"ignore_merges\":true,");
	static const char clause[] = " \xe4\xb8\xad\xe6\x97\xa5\xe6\x9c\xac"
				     "\xe4\xb8\xad\xe6\x97\xa5\xe6\x9c\xac"
				     "\xe4\xb8\xad";
	struct tokenizer_cache *cache = tokenizer_cache_init(
		aligned_alloc(64, tokenizer_cache_bytes(8)), 8);
	struct tokenizer *tok = NULL;
	uint8_t text[(sizeof(clause) - 1) * 20];
	const char *why;
	size_t i;

	assert_int_equal(tokenizer_hf_load(&tok, json, strlen(json), &why), 0);
	check_ids(tok, "\xe6\x97\xa5\xe6\x9c\xac", (uint32_t[]){ 6 }, 1);
	for (i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)clause[i % (sizeof(clause) - 1)];
	assert_int_equal(tokenizer_count(tok, NULL, text, sizeof(text)),
			 tokenizer_count(tok, cache, text, sizeof(text)));
	free(tok);
	free(cache);
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
	const char *why;
	size_t i;

	for (i = 0; i < 4; i++) {
		char *json = make_json(not_supported[i], "");

		assert_int_equal(
			tokenizer_hf_load(&tok, json, strlen(json), &why),
			-ENOTSUP);
		free(json);
	}
	for (i = 0; i < 6; i++)
		assert_int_equal(tokenizer_hf_load(&tok, no_message[i],
						   strlen(no_message[i]), &why),
				 -EBADMSG);
	assert_null(tok);
	}

/* A count by other rules would be no count, so nothing is passed over. */
static void
test_hf_other_normalisers_and_models_are_refused_with_a_reason(void **state)
{
	static const struct {
		const char *normalizer;
		const char *model; /* fields in front of the merges */
		const char *pre_tokenizer;
		const char *why; /* NULL: it is taken */
	} rows[] = {
		{ "null", "", BYTE_LEVEL, NULL },
		{ "{\"type\":\"NFC\"}", "", BYTE_LEVEL, NULL },
		{ "{\"type\":\"Sequence\",\"normalizers\":[]}", "", BYTE_LEVEL,
		  NULL },
		{ "{\"type\":\"Sequence\",\"normalizers\":[{\"type\":"
		  "\"NFC\"}]}",
		  "", BYTE_LEVEL, NULL },
		{ "{\"type\":\"Sequence\",\"normalizers\":[{\"type\":"
		  "\"NFC\"},{\"type\":\"Lowercase\"}]}",
		  "", BYTE_LEVEL, "normalizer" },
		{ "{\"type\":\"NFKC\"}", "", BYTE_LEVEL, "normalizer" },
		{ "{\"type\":\"Prepend\",\"prepend\":\"x\"}", "", BYTE_LEVEL,
		  "normalizer" },
		{ "{\"type\":\"Replace\"}", "", BYTE_LEVEL, "normalizer" },
		{ "null", "\"byte_fallback\":true,", BYTE_LEVEL,
		  "byte_fallback" },
		{ "null", "\"dropout\":0.1,", BYTE_LEVEL, "dropout" },
		{ "null", "\"dropout\":null,\"end_of_word_suffix\":\"\",",
		  BYTE_LEVEL, NULL },
		{ "null", "\"end_of_word_suffix\":\"</w>\",", BYTE_LEVEL,
		  "suffix" },
		{ "null", "",
		  "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"x+\"},"
		  "\"behavior\":\"Removed\"}",
		  "pre_tokenizer" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *json =
			make_json_normal(rows[i].pre_tokenizer, rows[i].model,
					 rows[i].normalizer);
		struct tokenizer *tok = NULL;
		const char *why = NULL;
		int rc = tokenizer_hf_load(&tok, json, strlen(json), &why);

		if (rows[i].why == NULL) {
			assert_int_equal(rc, 0);
			assert_null(why);
		} else {
			assert_int_equal(rc, -ENOTSUP);
			assert_non_null(strstr(why, rows[i].why));
		}
		free(tok);
		free(json);
	}
}

#define SPLIT                                                      \
	"{\"type\":\"Split\",\"pattern\":{\"Regex\":\"'s|'t|'re|'ve|'m|'ll" \
	"|'d| ?\\\\p{L}+| ?\\\\p{N}+| ?[^\\\\s\\\\p{L}\\\\p{N}]+|\\\\s+"        \
	"(?!\\\\S)|\\\\s+\"},\"behavior\":\"Isolated\",\"invert\":false}"
#define BYTES_ONLY                                                     \
	"{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"use_regex\":" \
	"false}"
#define STEPS(list) "{\"type\":\"Sequence\",\"pretokenizers\":[" list "]}"

/* Hugging Face tokenizers splits the characters that stand for bytes, or finds
 * none of them in the vocabulary, where that is not the last step. */
static void
test_hf_bytes_become_characters_at_the_end_and_once(void **state)
{
	static const struct {
		const char *steps;
		int rc;
	} rows[] = {
		{ STEPS(SPLIT "," BYTES_ONLY), 0 },
		{ STEPS(BYTE_LEVEL), 0 },
		{ STEPS(BYTES_ONLY "," SPLIT), -ENOTSUP },
		{ STEPS(SPLIT "," BYTES_ONLY "," BYTES_ONLY), -ENOTSUP },
		{ STEPS(SPLIT), -ENOTSUP },
		{ SPLIT, -ENOTSUP },
		{ BYTES_ONLY, -ENOTSUP },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *json = make_json(rows[i].steps, "");
		struct tokenizer *tok = NULL;
		const char *why = NULL;

		assert_int_equal(
			tokenizer_hf_load(&tok, json, strlen(json), &why),
			rows[i].rc);
		free(tok);
		free(json);
	}
}

/* GPT-NeoX adds runs of blanks, as in indented code, CodeGen runs of tabs. */
static void
test_hf_added_tokens_that_files_are_full_of_are_refused(void **state)
{
	static const struct {
		const char *added;
		int rc;
	} rows[] = {
		{ "{\"id\":301,\"special\":false,\"content\":\"<think>\"}", 0 },
		{ "{\"id\":301,\"special\":false,\"content\":\"</tool>\"}", 0 },
		{ "{\"id\":301,\"special\":false,\"content\":\"[INST]\"}", 0 },
		{ "{\"id\":301,\"special\":false,\"content\":\"|||PHONE|||\"}",
		  0 },
		{ "{\"id\":301,\"special\":true,\"content\":\"word\"}", 0 },
		{ "{\"id\":301,\"special\":false,\"content\":\"    \"}",
		  -ENOTSUP },
		{ "{\"id\":301,\"special\":false,\"content\":\"\\t\\t\"}",
		  -ENOTSUP },
		{ "{\"id\":301,\"special\":false,\"content\":\"word\"}",
		  -ENOTSUP },
		{ "{\"id\":301,\"content\":\"word\"}", -ENOTSUP },
		{ "{\"id\":301,\"special\":false,\"content\":\"<a b>\"}",
		  -ENOTSUP },
		{ "{\"id\":301,\"special\":false,\"content\":\"===\"}",
		  -ENOTSUP },
		/* of the vocabulary, too */
		{ "{\"id\":2,\"special\":false,\"content\":\"ab\"}", -ENOTSUP },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *made = make_json(BYTE_LEVEL, "");
		char *at = strstr(made, "{\"id\":300");
		struct tokenizer *tok = NULL;
		const char *why = NULL;
		char *json = NULL;

		assert_true(asprintf(&json, "%.*s%s,%s", (int)(at - made), made,
				     rows[i].added, at) > 0);
		assert_int_equal(
			tokenizer_hf_load(&tok, json, strlen(json), &why),
			rows[i].rc);
		if (rows[i].rc != 0)
			assert_non_null(strstr(why, "added tokens"));
		free(tok);
		free(json);
		free(made);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hf_merges_are_made_in_their_order),
		cmocka_unit_test(
			test_hf_merges_listed_before_those_of_their_parts_are_made),
		cmocka_unit_test(
			test_hf_ignore_merges_takes_whole_pieces_first),
		cmocka_unit_test(
			test_hf_whole_pieces_are_never_parts_of_a_clause),
		cmocka_unit_test(
			test_hf_bytes_become_characters_at_the_end_and_once),
		cmocka_unit_test(
			test_hf_added_tokens_that_files_are_full_of_are_refused),
		cmocka_unit_test(test_hf_unknown_forms_are_refused),
		cmocka_unit_test(
			test_hf_other_normalisers_and_models_are_refused_with_a_reason),
	};

	return cmocka_run_group_tests_name("tokenizer/hf", tests, NULL, NULL);
}
