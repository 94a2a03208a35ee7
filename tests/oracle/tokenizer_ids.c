/* SPDX-License-Identifier: MIT */
/*
 * tokenizer_ids.c - texts in, ids out, for comparing with the reference.
 *
 * usage: tokenizer_ids ENCODING|FILE.json <texts >ids
 *
 * Input: for each text its length (32 bits, of the machine) and its bytes; a
 * length of all ones asks for the answers up to here.
 * Output: for each text how many ids it has and the ids, 32 bits each; all
 * ones where the input has them. Each
 * text is counted as well, by all ways there are; a difference ends the
 * program with code 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokenizer/tokenizer.h"
#include "tokenizer/tokenizer_hf.h"

#define CACHE_LOG2 14

static void
check_counts(const struct tokenizer *tok, struct tokenizer_cache *cache,
	     const uint8_t *text, size_t len, uint64_t want)
{
	struct token_stream stream;
	struct token_span span;
	size_t cut = len / 3;
	uint64_t got[4];

	got[0] = tokenizer_count(tok, NULL, text, len);
	got[1] = tokenizer_count(tok, cache, text, len);
	token_stream_init(&stream);
	token_stream_feed(tok, cache, &stream, text, cut);
	token_stream_feed(tok, cache, &stream, text + cut, len - cut);
	got[2] = token_stream_count(tok, &stream);
	token_stream_init(&stream);
	tokenizer_span(tok, cache, text, cut, &span);
	token_stream_feed_span(tok, &stream, text, cut, &span);
	tokenizer_span(tok, cache, text + cut, len - cut, &span);
	token_stream_feed_span(tok, &stream, text + cut, len - cut, &span);
	got[3] = token_stream_count(tok, &stream);
	if (got[0] == want && got[1] == want && got[2] == want &&
	    got[3] == want)
		return;
	fprintf(stderr, "tokenizer_ids: %lu ids, counts %lu %lu %lu %lu: ",
		(unsigned long)want, (unsigned long)got[0],
		(unsigned long)got[1], (unsigned long)got[2],
		(unsigned long)got[3]);
	for (cut = 0; cut < len && cut < 2000; cut++)
		fprintf(stderr, "%02x", text[cut]);
	fputc('\n', stderr);
	exit(1);
}

static int
open_any(const struct tokenizer **tok, const char *name)
{
	FILE *file = strstr(name, ".json") ? fopen(name, "rb") : NULL;
	struct tokenizer *own = NULL;
	const char *why;
	char *json;
	size_t len;
	int rc;

	if (file == NULL)
		return tokenizer_open(tok, name);
	json = malloc(64u << 20);
	if (json == NULL)
		return -1;
	len = fread(json, 1, 64u << 20, file);
	fclose(file);
	rc = tokenizer_hf_load(&own, json, len, &why);
	free(json);
	*tok = own;
	return rc;
}

/* Reads a text, writes its ids. */
static void
check_text(const struct tokenizer *tok, struct tokenizer_cache *cache,
	   uint32_t len)
{
	uint8_t *text = malloc(len + 1u);
	uint32_t *ids =
		malloc((tokenizer_encode_bound(len) + 1) * sizeof(*ids));
	uint32_t nr;

	if (text == NULL || ids == NULL || fread(text, 1, len, stdin) != len)
		exit(2);
	nr = (uint32_t)tokenizer_encode(tok, text, len, ids);
	check_counts(tok, cache, text, len, nr);
	fwrite(&nr, sizeof(nr), 1, stdout);
	fwrite(ids, sizeof(*ids), nr, stdout);
	free(text);
	free(ids);
}

int
main(int argc, char **argv)
{
	struct tokenizer_cache *cache = tokenizer_cache_init(
		aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2)),
		CACHE_LOG2);
	const struct tokenizer *tok;
	uint32_t len;

	if (argc != 2 || open_any(&tok, argv[1]) != 0) {
		fputs("usage: tokenizer_ids ENCODING\n", stderr);
		return 2;
	}
	while (fread(&len, sizeof(len), 1, stdin) == 1) {
		if (len == UINT32_MAX) {
			fwrite(&len, sizeof(len), 1, stdout);
			fflush(stdout);
			continue;
		}
		check_text(tok, cache, len);
	}
	free(cache);
	return 0;
}
