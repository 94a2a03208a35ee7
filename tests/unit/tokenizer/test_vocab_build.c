/* SPDX-License-Identifier: MIT */
/*
 * test_vocab_build.c - an image has what the list of tokens says, and no list
 * that breaks an invariant of vocab.h becomes one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>

#include "tests/support/test_tokenizer_made.h"
#include "tests/support/test_tokenizer_plain.h"

static struct made made;

static bool
is_refused(void)
{
	struct tokenizer *tok = made_image(&made);

	free(tok);
	return tok == NULL;
}

static void
test_vocab_build_of_tokens_finds_how_they_come_about(void **state)
{
	struct tokenizer *tok;
	uint32_t ids[8];

	made_init(&made);
	made_add(&made, "ab");     /* 256 */
	made_add(&made, "bc");     /* 257 */
	made_add(&made, "abc");    /* 258: ab c, for ab comes first */
	made_add(&made, "abcabc"); /* 259 */
	tok = made_image(&made);
	assert_non_null(tok);
	assert_true(vocab_valid(tok, vocab_build_bytes(&made.source)));
	assert_int_equal(tok->ids_nr, 260);
	assert_int_equal(tok->longest_bytes, 6);
	assert_string_equal(tok->name, "made");
	assert_int_equal(vocab_split(tok, 258), 2);
	assert_int_equal(vocab_split(tok, 259), 3);
	assert_int_equal(vocab_pair(tok, 256, 'c'), 258);
	assert_int_equal(vocab_pair(tok, 'a', 257), VOCAB_NONE);
	assert_int_equal(vocab_pair(tok, 258, 258), 259);
	assert_int_equal(vocab_byte_pair(tok, 'a', 'b'), 256);
	assert_int_equal(vocab_byte_pair(tok, 'b', 'a'), VOCAB_NONE);
	assert_int_equal(vocab_byte_id(tok, 'z'), 'z');
	/* the longest that ends so */
	assert_int_equal(vocab_reach(tok, 'b', 'c'), 6);
	assert_int_equal(vocab_reach(tok, 'a', 'b'), 2);
	assert_int_equal(vocab_reach(tok, 'x', 'y'), 1);
	assert_int_equal(vocab_time(tok, 259), 259);
	assert_int_equal(
		merge_by_definition(tok, (const uint8_t *)"abcabcb", 7, ids),
		2);
	assert_int_equal(ids[0], 259);
	free(tok);
}

/* Specials have bytes only; ids as the user sees them are others. */
static void
test_vocab_build_of_specials_and_outer_ids(void **state)
{
	static uint32_t outer[258];
	struct tokenizer *tok;
	size_t i;

	for (i = 0; i < 258; i++)
		outer[i] = (uint32_t)(1000 + i);
	made_init(&made);
	made_add(&made, "ab");
	made_add(&made, "<s>")->is_special = true;
	made.source.ranks_nr = 257;
	made.source.outer = outer;
	tok = made_image(&made);
	assert_non_null(tok);
	assert_int_equal(vocab_find(tok, (const uint8_t *)"<s>", 3),
			 VOCAB_NONE);
	assert_int_equal(vocab_starts(tok)[258] - vocab_starts(tok)[257], 3);
	assert_memory_equal(vocab_at(tok, tok->outer_off), outer,
			    sizeof(outer));
	free(tok);
}

static void
test_vocab_build_of_known_parts_times_the_late_ones(void **state)
{
	struct tokenizer *tok;
	struct vocab_token *token;

	made_init(&made);
	token = made_add(&made, "abc"); /* 256, of a part that is later */
	token->has_parts = true;
	token->left = 257;
	token->right = 'c';
	token = made_add(&made, "ab"); /* 257 */
	token->has_parts = true;
	token->left = 'a';
	token->right = 'b';
	tok = made_image(&made);
	assert_non_null(tok);
	assert_int_equal(vocab_time(tok, 256), 257);
	assert_int_equal(vocab_time(tok, 257), 257);
	assert_int_equal(vocab_time(tok, 'a'), 'a');
	assert_int_equal(vocab_pair(tok, 257, 'c'), 256);
	free(tok);
	/* parts that are not its bytes, or are none */
	made.ids[256].right = 257;
	assert_true(is_refused());
	made.ids[256].right = 300;
	assert_true(is_refused());
}

/* Borders within tokens of scripts without blanks: whole, and in the middle. */
static void
test_vocab_build_knows_what_joins(void **state)
{
	static const char zhong_wen[] = "\xe4\xb8\xad\xe6\x96\x87";
	static const char half[] = "\xad\xe6\x96";
	struct tokenizer *tok;

	made_init(&made);
	tok = made_image(&made);
	assert_non_null(tok);
	assert_false(vocab_joins(tok, (const uint8_t *)zhong_wen));
	free(tok);
	made_add(&made, "\xe6\x96");
	made_add(&made, half);
	tok = made_image(&made);
	assert_non_null(tok);
	/* the end of any, the beginning of any */
	assert_true(vocab_joins(tok, (const uint8_t *)zhong_wen));
	assert_true(
		vocab_joins(tok, (const uint8_t *)"\xe5\x80\xad\xe6\x96\x80"));
	assert_false(
		vocab_joins(tok, (const uint8_t *)"\xe6\x96\x87\xe4\xb8\xad"));
	free(tok);
}

/* A token may end with four bytes, or begin with them, but not have them behind
 * another code point. */
static void
test_vocab_build_knows_whether_four_bytes_are_apart(void **state)
{
	struct tokenizer *tok;

	made_init(&made);
	made_add(&made, "\xf0\x9f");
	made_add(&made, "!\xf0\x9f");
	made_add(&made, "\x80\xc3");
	tok = made_image(&made);
	assert_non_null(tok);
	assert_true(tok->is_apart);
	free(tok);
	made_add(&made, "\x80\xf0");
	tok = made_image(&made);
	assert_non_null(tok);
	assert_false(tok->is_apart);
	free(tok);
}

static void
test_vocab_build_refuses_what_breaks_an_invariant(void **state)
{
	static char name[64], text[160];

	made_init(&made);
	assert_false(is_refused());
	/* fewer ranks than bytes, more ranks than ids */
	made.source.ranks_nr = 255;
	assert_int_equal(vocab_build_bytes(&made.source), 0);
	made.source.ranks_nr = 257;
	assert_int_equal(vocab_build_bytes(&made.source), 0);
	/* a name that does not fit */
	made_init(&made);
	memset(name, 'n', 31);
	made.source.name = name;
	assert_false(is_refused());
	name[31] = 'n';
	assert_int_equal(vocab_build_bytes(&made.source), 0);
	/* a token that is too long; one that merges do not make */
	made_init(&made);
	memset(text, 'a', 129);
	made_add(&made, text)->is_whole = true;
	made.source.has_wholes = true;
	assert_int_equal(vocab_build_bytes(&made.source), 0);
	made.ids[256].len = 128;
	assert_false(is_refused());
	made_init(&made);
	made_add(&made, "xyz");
	assert_true(is_refused());
	/* two with the same bytes */
	made_init(&made);
	made_add(&made, "ab");
	made_add(&made, "ab");
	assert_true(is_refused());
	/* a byte that has two */
	made_init(&made);
	made.ids[7].len = 2;
	made.ids[7].bytes = (const uint8_t *)"ab";
	assert_true(is_refused());
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_vocab_build_of_tokens_finds_how_they_come_about),
		cmocka_unit_test(test_vocab_build_of_specials_and_outer_ids),
		cmocka_unit_test(
			test_vocab_build_of_known_parts_times_the_late_ones),
		cmocka_unit_test(test_vocab_build_knows_what_joins),
		cmocka_unit_test(
			test_vocab_build_knows_whether_four_bytes_are_apart),
		cmocka_unit_test(
			test_vocab_build_refuses_what_breaks_an_invariant),
	};

	return cmocka_run_group_tests_name("tokenizer/vocab_build", tests, NULL,
					   NULL);
}
