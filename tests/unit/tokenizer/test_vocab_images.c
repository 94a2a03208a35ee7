/* SPDX-License-Identifier: MIT */
/*
 * test_vocab_images.c - the images of the program are whole and have names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tokenizer/pretoken.h"
#include "tokenizer/vocab.h"
#include "tokenizer/vocab_images.h"

/* Sizes are those of the published vocabularies, special tokens included. */
static const struct {
	const char *name;
	const char *image;
	uint32_t pattern;
	uint32_t ranks_nr;
} images[] = {
	{ "o200k_base", "o200k_base", PRETOKEN_O200K, 199998 },
	{ "o200k_harmony", "o200k_base", PRETOKEN_O200K, 199998 },
	{ "cl100k_base", "cl100k_base", PRETOKEN_CL100K, 100256 },
	{ "p50k_base", "p50k_base", PRETOKEN_GPT2, 50256 },
	{ "p50k_edit", "p50k_base", PRETOKEN_GPT2, 50256 },
	{ "r50k_base", "r50k_base", PRETOKEN_GPT2, 50256 },
	{ "gpt2", "r50k_base", PRETOKEN_GPT2, 50256 },
};

static void
test_vocab_images_are_whole(void **state)
{
	size_t i;

	for (i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
		size_t len = 0;
		const struct tokenizer *tok = vocab_image(images[i].name, &len);

		assert_non_null(tok);
		assert_true(vocab_valid(tok, len));
		assert_string_equal(tok->name, images[i].image);
		assert_int_equal(tok->pattern, images[i].pattern);
		assert_true(tok->ranks_nr >= images[i].ranks_nr);
		assert_true(tok->ranks_nr < images[i].ranks_nr + 100);
		assert_int_equal((uintptr_t)tok % 4096, 0);
	}
}

/* A stand-in has a name, and cuts nothing. */
static void
test_vocab_images_have_stand_ins(void **state)
{
	size_t i;

	for (i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
		const struct tokenizer *tok =
			vocab_image_stand_in(images[i].name);

		assert_non_null(tok);
		assert_string_equal(tok->name, images[i].image);
		assert_int_equal(tok->pattern, PRETOKEN_NONE);
		assert_int_equal(tok->image_bytes, 0);
	}
}

static void
test_vocab_images_of_other_names_are_none(void **state)
{
	static const char *const names[] = {
		"", "o200k", "o200k_base ", "O200K_BASE", "unicode", "nfc"
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = 7;

		assert_null(vocab_image(names[i], &len));
		assert_null(vocab_image_stand_in(names[i]));
		assert_int_equal(len, 7);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vocab_images_are_whole),
		cmocka_unit_test(test_vocab_images_have_stand_ins),
		cmocka_unit_test(test_vocab_images_of_other_names_are_none),
	};

	return cmocka_run_group_tests_name("tokenizer/vocab_images", tests,
					   NULL, NULL);
}
