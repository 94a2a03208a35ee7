/* SPDX-License-Identifier: MIT */
/*
 * fuzz_tokenizer_stream.c - text from a stranger, counted in all ways.
 *
 * Input: one byte for the vocabulary (four built-in ones, six of
 * tests/support/data/tokenizer_hf.json), two for the cuts, then text, in which the
 * bytes f9 N stand for N times the 8 bytes before them. Count, ids, streams
 * cut anywhere and spans agree; what is decoded from the ids is the repaired
 * text, where it is not brought to NFC.
 */
#include <jansson.h>

#include "tests/support/test_tokenizer_small.h"
#include "tests/support/test_tokenizer_ways.h"
#include "tokenizer/unicode.h"
#include "tests/support/test_tokenizer_ids.h"

#define TEXT_BYTES 8192
#define CACHE_LOG2 10
#define TOKENIZERS 10

struct target {
	const struct tokenizer *tok;
	struct tokenizer_cache *cache;
	bool is_nfc;
};

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static void
open_all(struct target *targets)
{
	static const char *const names[TOKENIZERS] = {
		"o200k_base", "cl100k_base", "p50k_base", "r50k_base",
		"gpt2",       "llama3",      "qwen",      "gptoss",
		"nemo",       "deepseek"
	};
	json_t *root =
		json_load_file("tests/support/data/tokenizer_hf.json", 0, NULL);
	size_t i;

	for (i = 0; i < TOKENIZERS; i++) {
		void *mem =
			aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2));

		if (mem == NULL ||
		    (i < 4 && tokenizer_open(&targets[i].tok, names[i]) != 0))
			abort();
		if (i >= 4)
			targets[i].tok = small_tokenizer(root, names[i]);
		if (targets[i].tok == NULL)
			abort();
		targets[i].is_nfc = i == 6 || i == 8;
		targets[i].cache = tokenizer_cache_init(mem, CACHE_LOG2);
	}
	json_decref(root);
}

static size_t
unpack(uint8_t *text, const uint8_t *bytes, size_t bytes_nr)
{
	size_t len = 0, i, times;

	for (i = 0; i < bytes_nr && len < TEXT_BYTES; i++) {
		if (bytes[i] != 0xf9 || i + 1 == bytes_nr || len < 8) {
			text[len++] = bytes[i];
			continue;
		}
		for (times = bytes[++i]; times > 0; times--) {
			if (len + 8 > TEXT_BYTES)
				break;
			memcpy(text + len, text + len - 8, 8);
			len += 8;
		}
	}
	return len;
}

static void
check_decoded(const struct target *target, const uint32_t *ids, size_t nr,
	      const uint8_t *text, size_t len)
{
	static uint8_t want[3 * TEXT_BYTES + 3], got[3 * TEXT_BYTES + 3];
	size_t want_len, got_len;

	unicode_repair(text, len, true, want, &want_len);
	if (tokenizer_decode(target->tok, ids, nr, got, sizeof(got),
			     &got_len) != 0 ||
	    got_len != want_len || memcmp(got, want, want_len) != 0)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	static struct target targets[TOKENIZERS];
	static uint8_t text[TEXT_BYTES];
	const struct target *target;
	size_t len, nr;
	uint32_t *ids;

	if (targets[0].tok == NULL)
		open_all(targets);
	if (bytes_nr < 3)
		return 0;
	target = &targets[bytes[0] % TOKENIZERS];
	len = unpack(text, bytes + 3, bytes_nr - 3);
	ids = ways_check(target->tok, target->cache, text, len,
			 bytes[1] * 256u + bytes[2], &nr);
	if (!target->is_nfc)
		check_decoded(target, ids, nr, text, len);
	free(ids);
	return 0;
}
