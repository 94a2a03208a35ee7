/* SPDX-License-Identifier: MIT */
/*
 * test_stream_run.c - a piece that is longer than what is held is counted as it
 * comes, and ends where it would have ended whole. Cuts anywhere: test_stream.c.
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
#include "tokenizer/stream.h"
#include "tokenizer/vocab.h"

#define TEXT_BYTES 4096

/* The run of a part that repeats itself, and its kind. */
static const struct {
	const char *name;
	uint32_t pattern;
	const char *first;
	const char *part;
	uint32_t kind;
} runs[] = {
	{ "cl100k_base", PRETOKEN_CL100K, "", "ab", PIECE_WORD },
	{ "o200k_base", PRETOKEN_O200K, "", "ab", PIECE_WORD },
	{ "o200k_base", PRETOKEN_O200K, " ", "AB", PIECE_CASED },
	{ "o200k_base", PRETOKEN_O200K, "", "A\xe4\xb8\xad", PIECE_CASED },
	{ "r50k_base", PRETOKEN_GPT2, " ", "17", PIECE_NUMBER },
	{ "o200k_base", PRETOKEN_O200K, " ", "-=", PIECE_PUNCT },
	{ "o200k_base", PRETOKEN_O200K, "--", "\n/", PIECE_PUNCT_NEWLINE },
	{ "cl100k_base", PRETOKEN_CL100K, "--", "\r\n", PIECE_PUNCT_NEWLINE },
	{ "o200k_base", PRETOKEN_O200K, "", " ", PIECE_SPACE },
	{ "o200k_base", PRETOKEN_O200K, "", " \n", PIECE_SPACE },
	{ "r50k_base", PRETOKEN_GPT2, "", "\t ", PIECE_SPACE },
	{ "o200k_base", PRETOKEN_DEEPSEEK, "", "\xe4\xb8\xad", PIECE_DENSE },
	{ "o200k_base", PRETOKEN_DEEPSEEK, ".", "ab", PIECE_ASCII_WORD },
	{ "o200k_base", PRETOKEN_DEEPSEEK, "", "\x01", PIECE_OTHER },
};

/* What follows, and ends most of them. */
static const char *const tails[] = {
	"",
	"a",
	"B",
	"Bc",
	"'s x",
	"'",
	"'re",
	"1",
	" ",
	" x",
	"\n",
	"\n/x",
	"/",
	"-",
	".",
	"\xcc\x81",
	"\x01",
	"\t\n y",
	"\xe4\xb8\xad\xe6\x96\x87 z",
};

/* A vocabulary that is cut by another pattern. */
static struct tokenizer *
cut_by(const char *name, uint32_t pattern)
{
	const struct tokenizer *tok;
	struct tokenizer *copy;

	assert_int_equal(tokenizer_open(&tok, name), 0);
	copy = malloc(tok->image_bytes);
	assert_non_null(copy);
	memcpy(copy, tok, tok->image_bytes);
	copy->pattern = pattern;
	return copy;
}

static size_t
add(uint8_t *text, size_t len, const char *word)
{
	memcpy(text + len, word, strlen(word));
	return len + strlen(word);
}

static void
check_tails(const struct tokenizer *tok, uint8_t *text, size_t len,
	    const struct token_stream *run)
{
	size_t i, at;

	for (i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		size_t end = add(text, len, tails[i]);
		uint64_t want = tokenizer_count(tok, NULL, text, end);
		struct token_stream at_once = *run, by_byte = *run;

		token_stream_feed(tok, NULL, &at_once, text + len, end - len);
		assert_int_equal(token_stream_count(tok, &at_once), want);
		for (at = len; at < end; at++)
			token_stream_feed(tok, NULL, &by_byte, text + at, 1);
		assert_int_equal(token_stream_count(tok, &by_byte), want);
	}
}

static void
test_stream_run_ends_as_the_whole_piece_would(void **state)
{
	size_t i;

	for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct tokenizer *tok = cut_by(runs[i].name, runs[i].pattern);
		struct token_stream stream;
		struct stream *inside = (struct stream *)stream.opaque;
		uint8_t text[TEXT_BYTES];
		size_t len = add(text, 0, runs[i].first), from = len;

		token_stream_init(&stream);
		token_stream_feed(tok, NULL, &stream, text, len);
		while (len < 3 * STREAM_HOLD_BYTES) {
			from = len;
			len = add(text, len, runs[i].part);
			token_stream_feed(tok, NULL, &stream, text + from,
					  len - from);
			/* it is held as long as it fits */
			if (len <= STREAM_HOLD_BYTES)
				assert_int_equal(inside->run, 0);
			if (len % 64 < 3)
				check_tails(tok, text, len, &stream);
		}
		if (inside->run != runs[i].kind)
			fail_msg("run %zu: kind %u", i, inside->run);
		free(tok);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stream_run_ends_as_the_whole_piece_would),
	};

	return cmocka_run_group_tests_name("tokenizer/stream_run", tests, NULL,
					   NULL);
}
