/* SPDX-License-Identifier: MIT */
/*
 * bench_tokenizer_count.c - how fast tokens are counted on one core.
 *
 * usage: bench_tokenizer_count [-e ENCODING] [FILE...]
 *
 * Prints a line per encoding and file: megabytes per second of processor time
 * with an empty cache and, as the median of five, with the cache as the run
 * before left it. BENCH_TOKENIZER_CACHE_LOG2 is the size of the cache (19, as
 * `bale pack` has it). Without files it takes kernel.txt, english.txt and
 * chinese.txt in the folder BENCH_TOKENIZER_DIR, which
 * bench_tokenizer_corpora.py makes; without these, texts that are on every
 * Debian machine, repeated, so that the figures are better than those of real
 * text. Runs of ten million bytes that repeat themselves come last.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/bench_clock.h"
#include "tokenizer/tokenizer.h"

#define RUNS 5
#define HUGE_BYTES (2u << 20)
#define REPEAT_BYTES (8u << 20)
#define RUN_BYTES 10000000u

static uint8_t *
read_text(const char *path, size_t at_least, size_t *len)
{
	FILE *file = fopen(path, "rb");
	uint8_t *text = NULL;
	size_t once = 0, cap = 1 << 16, got;

	if (file == NULL)
		return NULL;
	do {
		cap *= 2;
		text = realloc(text, cap);
		if (text == NULL)
			exit(1);
		got = fread(text + once, 1, cap - once, file);
		once += got;
	} while (got != 0);
	fclose(file);
	*len = once;
	if (once == 0 || once >= at_least)
		return text;
	text = realloc(text, at_least + once);
	if (text == NULL)
		exit(1);
	for (; *len < at_least; *len += once)
		memcpy(text + *len, text, once);
	return text;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static const char *const all_encodings[] = { "o200k_base", "cl100k_base",
					     "r50k_base" };

static void
bench_text(const char *encoding, const char *name, const uint8_t *text,
	   size_t len)
{
	const char *log2_text = getenv("BENCH_TOKENIZER_CACHE_LOG2");
	unsigned log2 = log2_text ? (unsigned)atoi(log2_text) : 19;
	size_t bytes = tokenizer_cache_bytes(log2);
	void *mem = aligned_alloc(HUGE_BYTES, (bytes + HUGE_BYTES - 1) /
						      HUGE_BYTES * HUGE_BYTES);
	const struct tokenizer *tok;
	struct tokenizer_cache *cache;
	double times[RUNS + 1], from;
	uint64_t tokens = 0;
	int run;

	if (mem == NULL || tokenizer_open(&tok, encoding) != 0) {
		fprintf(stderr, "bench_tokenizer_count: %s: no such encoding\n",
			encoding);
		exit(1);
	}
	/* Asked for before the first touch. */
	madvise(mem, bytes, MADV_HUGEPAGE);
	cache = tokenizer_cache_init(mem, log2);
	for (run = 0; run <= RUNS; run++) {
		from = clock_s(CLOCK_PROCESS_CPUTIME_ID);
		tokens = tokenizer_count(tok, cache, text, len);
		times[run] = clock_s(CLOCK_PROCESS_CPUTIME_ID) - from;
	}
	qsort(times + 1, RUNS, sizeof(times[0]), by_value);
	printf("%-12s %7.1f %7.1f  %10zu %10lu  %s\n", encoding,
	       1e-6 * (double)len / times[0],
	       1e-6 * (double)len / times[1 + RUNS / 2], len,
	       (unsigned long)tokens, name);
	free(mem);
}

/* Each encoding, or the one that was asked for. */
static void
bench_encodings(const char *only, const char *name, const uint8_t *text,
		size_t len)
{
	size_t i;

	if (only != NULL) {
		bench_text(only, name, text, len);
		return;
	}
	for (i = 0; i < sizeof(all_encodings) / sizeof(all_encodings[0]); i++)
		bench_text(all_encodings[i], name, text, len);
}

static bool
bench_file(const char *only, const char *path, size_t at_least)
{
	size_t len = 0;
	uint8_t *text = read_text(path, at_least, &len);

	if (text != NULL && len > 0)
		bench_encodings(only, path, text, len);
	free(text);
	return text != NULL;
}

/* Texts that could be slow, all of one piece or of few. */
static void
bench_runs(const char *only)
{
	static const struct {
		const char *name;
		const char *what;
	} runs[] = {
		{ "(run of a letter)", "a" },
		{ "(run of blanks)", " " },
		{ "(run of newlines)", "\n" },
		{ "(run of an emoji)", "\xf0\x9f\x98\x80" },
		{ "(run of <|endoftext|>)", "<|endoftext|>" },
	};
	uint8_t *text = malloc(RUN_BYTES);
	size_t i, at;

	if (text == NULL)
		exit(1);
	for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		size_t once = strlen(runs[i].what);

		for (at = 0; at + once <= RUN_BYTES; at += once)
			memcpy(text + at, runs[i].what, once);
		bench_encodings(only, runs[i].name, text, at);
	}
	free(text);
}

/* The texts of the folder; false if there is none. */
static bool
bench_folder(const char *only, const char *folder)
{
	static const char *const names[] = { "kernel", "english", "chinese" };
	char path[4096];
	bool found = false;
	size_t i;

	for (i = 0; folder != NULL && i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s.txt", folder, names[i]);
		found |= bench_file(only, path, 0);
	}
	return found;
}

int
main(int argc, char **argv)
{
	const char *only = NULL;
	int i = 1;

	if (argc > 2 && strcmp(argv[1], "-e") == 0) {
		only = argv[2];
		i = 3;
	}
	printf("%-12s %7s %7s  %10s %10s  %s\n", "encoding", "cold", "warm",
	       "bytes", "tokens", "file (MB/s on one core)");
	if (i < argc) {
		for (; i < argc; i++)
			bench_file(only, argv[i], 0);
		return 0;
	}
	if (!bench_folder(only, getenv("BENCH_TOKENIZER_DIR"))) {
		bench_file(only, "tokenizer/bpe.c", REPEAT_BYTES);
		bench_file(only, "/usr/share/common-licenses/GPL-3",
			   REPEAT_BYTES);
	}
	bench_runs(only);
	return 0;
}
