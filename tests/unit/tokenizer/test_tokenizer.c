/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_tokenizer.c - counts, ids and decoding against recorded ids.
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
#include "tests/support/test_growth.h"
#include "tests/support/test_tokenizer_ids.h"

#define CACHE_LOG2 12

/* One line of tests/support/data/tokenizer_vectors.txt. */
struct vector {
	char encoding[32];
	uint8_t *text;
	size_t len;
	uint32_t *ids;
	size_t ids_nr;
};

static struct tokenizer_cache *
make_cache(void)
{
	void *mem = aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2));

	assert_non_null(mem);
	return tokenizer_cache_init(mem, CACHE_LOG2);
}

static void
parse_vector(char *line, struct vector *vector)
{
	char *rest = line, *word = strsep(&rest, " \n");
	size_t i;

	snprintf(vector->encoding, sizeof(vector->encoding), "%s", word);
	word = strsep(&rest, " \n");
	vector->len = word[0] == '-' ? 0 : strlen(word) / 2;
	vector->text = malloc(vector->len + 1);
	for (i = 0; i < vector->len; i++) {
		unsigned byte;

		assert_int_equal(sscanf(word + 2 * i, "%2x", &byte), 1);
		vector->text[i] = (uint8_t)byte;
	}
	vector->ids = malloc((4 * vector->len + 1) * sizeof(uint32_t));
	vector->ids_nr = 0;
	while ((word = strsep(&rest, " \n")) != NULL)
		if (word[0] != '\0')
			vector->ids[vector->ids_nr++] =
				(uint32_t)strtoul(word, NULL, 10);
}

static void
check_vector(const struct tokenizer *tok, struct tokenizer_cache *cache,
	     const struct vector *want)
{
	uint32_t *ids = malloc((4 * want->len + 1) * sizeof(*ids));
	size_t nr = tokenizer_encode(tok, want->text, want->len, ids);

	assert_int_equal(nr, want->ids_nr);
	assert_memory_equal(ids, want->ids, nr * sizeof(*ids));
	assert_int_equal(tokenizer_count(tok, NULL, want->text, want->len), nr);
	assert_int_equal(tokenizer_count(tok, cache, want->text, want->len),
			 nr);
	free(ids);
}

/* verifies: FR-016-73, FR-016-74, FR-016c-01, FR-016c-02, NFR-016-21,
 * verifies: NFR-016-22, NFR-016c-04, AC-016c-001, AC-016c-002, AC-016c-004,
 * verifies: AC-016c-006 */
static void
test_tokenizer_recorded_texts_give_recorded_ids(void **state)
{
	FILE *file = fopen("tests/support/data/tokenizer_vectors.txt", "r");
	struct tokenizer_cache *cache = NULL;
	const struct tokenizer *tok = NULL;
	char *line = NULL;
	size_t cap = 0, seen = 0;

	assert_non_null(file);
	while (getline(&line, &cap, file) > 0) {
		struct vector vector;

		if (line[0] == '#')
			continue;
		parse_vector(line, &vector);
		if (tok == NULL ||
		    strcmp(tokenizer_name(tok), vector.encoding) != 0) {
			free(cache);
			cache = make_cache();
			assert_int_equal(tokenizer_open(&tok, vector.encoding),
					 0);
		}
		check_vector(tok, cache, &vector);
		free(vector.text);
		free(vector.ids);
		seen++;
	}
	assert_true(seen > 1000);
	free(line);
	free(cache);
	fclose(file);
}

static void
test_tokenizer_unknown_encoding_is_refused(void **state)
{
	const struct tokenizer *tok = NULL;

	assert_int_equal(tokenizer_open(&tok, "no_such_base"), -ENOENT);
	assert_null(tok);
}

static void
test_tokenizer_ids_give_the_text_back(void **state)
{
	static const char text[] = "int main(void) { return 0; }\n"
				   "\xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x98\x80";
	const struct tokenizer *tok;
	uint32_t ids[sizeof(text) * 4];
	uint8_t out[sizeof(text)];
	size_t nr, len;

	assert_int_equal(tokenizer_open(&tok, "cl100k_base"), 0);
	nr = tokenizer_encode(tok, (const uint8_t *)text, sizeof(text) - 1,
			      ids);
	assert_int_equal(tokenizer_decode(tok, ids, nr, out, sizeof(out), &len),
			 0);
	assert_int_equal(len, sizeof(text) - 1);
	assert_memory_equal(out, text, len);
}

static void
test_tokenizer_special_tokens_have_bytes_but_are_never_counted(void **state)
{
	static const char text[] = "<|endoftext|>";
	const struct tokenizer *tok;
	const uint8_t *bytes;
	size_t len;

	assert_int_equal(tokenizer_open(&tok, "o200k_base"), 0);
	assert_int_equal(tokenizer_token(tok, 199999, &bytes, &len), 0);
	assert_int_equal(len, sizeof(text) - 1);
	assert_memory_equal(bytes, text, len);
	assert_int_equal(tokenizer_count(tok, NULL, (const uint8_t *)text,
					 sizeof(text) - 1),
			 7);
}

struct counted {
	const struct tokenizer *tokenizer;
	const uint8_t *text;
};

static double
count_seconds(const void *work, size_t len)
{
	const struct counted *counted = work;
	double begun = processor_seconds();

	tokenizer_count(counted->tokenizer, NULL, counted->text, len);
	return processor_seconds() - begun;
}

/* verifies: AC-016c-008 */
static void
test_tokenizer_long_runs_take_linear_time(void **state)
{
	static const char *const units[] = { "a",
					     " ",
					     "\n",
					     "\t",
					     "=",
					     "1",
					     "\xf0\x9f\x98\x80",
					     "<|endoftext|>",
					     "\xe4\xb8\xad",
					     "ab",
					     "\xe4\xb8\xad\x41",
					     "\xff",
					     "'",
					     "/\n" };
	static const char *const encodings[] = { "o200k_base", "cl100k_base",
						 "r50k_base" };
	const size_t small = 1 << 13, large = 1 << 16;
	uint8_t *text = malloc(large);
	size_t i, j, at;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		for (at = 0; at < large; at++)
			text[at] = (uint8_t)units[i][at % strlen(units[i])];
		for (j = 0; j < 3; j++) {
			struct counted counted = { .text = text };

			assert_int_equal(tokenizer_open(&counted.tokenizer,
							encodings[j]),
					 0);
			/* Eight times the text; quadratic would be 64. */
			if (!growth_is_within(
				    &(struct growth){ .seconds = count_seconds,
						      .work = &counted,
						      .small = small,
						      .large = large,
						      .times = 28,
						      .too_short = 0.001 }))
				fail_msg("%s: \"%s\"", encodings[j], units[i]);
		}
	}
	free(text);
}

/* The copy is the one that is used, and counts what the image counts. */
static void
test_tokenizer_that_was_moved_counts_the_same(void **state)
{
	static const uint8_t text[] =
		"for (size_t i = 0; i < nr; i++)\n\tput(i);";
	const struct tokenizer *image, *other, *moved;
	uint64_t tokens;
	size_t bytes;
	void *mem;

	assert_int_equal(tokenizer_image_bytes("no such encoding"), 0);
	assert_int_equal(tokenizer_open(&other, "cl100k_base"), 0);
	assert_int_equal(tokenizer_open(&image, "r50k_base"), 0);
	tokens = tokenizer_count(image, NULL, text, sizeof(text) - 1);
	bytes = tokenizer_image_bytes("r50k_base");
	assert_true(bytes > 0);
	mem = aligned_alloc(64, (bytes + 63) / 64 * 64);
	assert_non_null(mem);
	tokenizer_move(mem);
	assert_int_equal(tokenizer_open(&moved, "r50k_base"), 0);
	assert_ptr_equal(moved, mem);
	assert_memory_equal(moved, image, bytes);
	assert_int_equal(tokenizer_count(moved, NULL, text, sizeof(text) - 1),
			 tokens);
	/* another one is not it, and is checked by itself */
	assert_int_equal(tokenizer_open(&image, "cl100k_base"), 0);
	assert_ptr_equal(image, other);
	free(mem);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_tokenizer_recorded_texts_give_recorded_ids),
		cmocka_unit_test(test_tokenizer_unknown_encoding_is_refused),
		cmocka_unit_test(test_tokenizer_ids_give_the_text_back),
		cmocka_unit_test(
			test_tokenizer_special_tokens_have_bytes_but_are_never_counted),
		cmocka_unit_test(test_tokenizer_that_was_moved_counts_the_same),
		cmocka_unit_test(test_tokenizer_long_runs_take_linear_time),
	};

	return cmocka_run_group_tests_name("tokenizer/tokenizer", tests, NULL,
					   NULL);
}
