/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_small.h - the vocabularies of tests/support/data/tokenizer_hf.json.
 */
#ifndef TESTS_SUPPORT_TEST_TOKENIZER_SMALL_H
#define TESTS_SUPPORT_TEST_TOKENIZER_SMALL_H

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tokenizer/tokenizer_hf.h"

/* The tokenizer of a variant in the file, NULL if it is refused. */
static inline struct tokenizer *
small_tokenizer(json_t *root, const char *name)
{
	json_t *made = json_deep_copy(json_object_get(root, "base"));
	json_t *of = json_object_get(json_object_get(root, "variants"), name);
	struct tokenizer *tok = NULL;
	const char *why;
	char *text;

	json_object_set(made, "pre_tokenizer",
			json_object_get(of, "pre_tokenizer"));
	json_object_set(made, "normalizer", json_object_get(of, "normalizer"));
	json_object_set(json_object_get(made, "model"), "ignore_merges",
			json_object_get(of, "ignore_merges"));
	text = json_dumps(made, JSON_COMPACT);
	if (tokenizer_hf_load(&tok, text, strlen(text), &why) != 0)
		tok = NULL;
	free(text);
	json_decref(made);
	return tok;
}

#endif
