/* SPDX-License-Identifier: MIT */
/*
 * bench_tokenizer_count.c - how fast tokens are counted on one core.
 *
 * usage: bench_tokenizer_count [FILE...]
 *
 * Prints a line per encoding and file: megabytes per second of processor time
 * with an empty cache and, as the median of five, with the cache as the run
 * before left it. BENCH_TOKENIZER_CACHE_LOG2 is the size of the cache (18).
 * Without files it takes texts that are on every Debian machine, repeated, so
 * that the figures are better than those of real text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "tokenizer/tokenizer.h"

#define RUNS 5
#define HUGE_BYTES (2u << 20)
#define REPEAT_BYTES (8u << 20)

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

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

static void
bench_file(const char *path, const uint8_t *text, size_t len)
{
	static const char *const encodings[] = { "o200k_base", "cl100k_base",
						 "r50k_base" };
	const char *log2_text = getenv("BENCH_TOKENIZER_CACHE_LOG2");
	unsigned log2 = log2_text ? (unsigned)atoi(log2_text) : 18;
	size_t i, bytes = tokenizer_cache_bytes(log2);
	void *mem = aligned_alloc(HUGE_BYTES, (bytes + HUGE_BYTES - 1) /
						      HUGE_BYTES * HUGE_BYTES);

	/* Asked for before the first touch. */
	if (mem != NULL)
		madvise(mem, bytes, MADV_HUGEPAGE);
	for (i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
		const struct tokenizer *tok;
		struct tokenizer_cache *cache;
		double times[RUNS + 1], from;
		uint64_t tokens = 0;
		int run;

		if (mem == NULL || tokenizer_open(&tok, encodings[i]) != 0)
			exit(1);
		cache = tokenizer_cache_init(mem, log2);
		for (run = 0; run <= RUNS; run++) {
			from = seconds();
			tokens = tokenizer_count(tok, cache, text, len);
			times[run] = seconds() - from;
		}
		qsort(times + 1, RUNS, sizeof(times[0]), by_value);
		printf("%-12s %7.1f %7.1f  %10zu %10lu  %s\n", encodings[i],
		       1e-6 * (double)len / times[0],
		       1e-6 * (double)len / times[1 + RUNS / 2], len,
		       (unsigned long)tokens, path);
	}
	free(mem);
}

int
main(int argc, char **argv)
{
	static const char *const usual[] = {
		"tokenizer/bpe.c", "/usr/share/common-licenses/GPL-3"
	};
	int i, nr = argc > 1 ? argc - 1 : 2;

	printf("%-12s %7s %7s  %10s %10s  %s\n", "encoding", "cold", "warm",
	       "bytes", "tokens", "file (MB/s on one core)");
	for (i = 0; i < nr; i++) {
		const char *path = argc > 1 ? argv[i + 1] : usual[i];
		size_t len = 0;
		uint8_t *text =
			read_text(path, argc > 1 ? 0 : REPEAT_BYTES, &len);

		if (text != NULL && len > 0)
			bench_file(path, text, len);
		free(text);
	}
	return 0;
}
