/* SPDX-License-Identifier: MIT */
/*
 * bench_chunk_split.c - what it costs to cut a text and to count its lines.
 *
 * Bytes a second of chunk_next(), lang_newlines() and chunk_tally_add(), for
 * source text, for one long line and for nothing but newlines. The best of
 * five. Fails if a megabyte takes longer than it may.
 *
 * verifies: NFR-016-08
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_clock.h"
#include "stages/chunk/chunk.h"

#define AIM_BYTES 6144
#define TEXT_BYTES (64u << 20)
#define ROUNDS 5
#define MEGABYTE_LIMIT_S 0.2

static uint64_t sink;

static void
cut(const uint8_t *text)
{
	for (size_t at = 0; at < TEXT_BYTES;) {
		at += chunk_next(text + at, TEXT_BYTES - at, true, AIM_BYTES);
		sink++;
	}
}

static void
count_newlines(const uint8_t *text)
{
	sink += lang_newlines(text, TEXT_BYTES);
}

static void
tally(const uint8_t *text)
{
	struct chunk_tally sum = { 0 };

	chunk_tally_add(&sum, text, TEXT_BYTES);
	sink += sum.mark_run;
}

static const struct {
	const char *name;
	void (*fn)(const uint8_t *text);
} pieces[] = { { "chunk_next", cut },
	       { "lang_newlines", count_newlines },
	       { "chunk_tally_add", tally } };

/* Lines of up to 80 bytes, some blank, some with backticks. */
static void
make_source(uint8_t *text)
{
	uint64_t seed = 1;

	for (size_t at = 0; at < TEXT_BYTES;) {
		size_t bytes;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		bytes = min_size((seed >> 33) % 80, TEXT_BYTES - at - 1);
		memset(text + at, seed >> 60 == 0 ? '`' : 'x', bytes);
		text[at + bytes] = '\n';
		at += bytes + 1;
	}
}

/* All pieces over one text; the seconds that a megabyte takes them all. */
static double
run(const char *name, const uint8_t *text)
{
	double sum = 0;

	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		double best = 1e9;

		for (int round = 0; round < ROUNDS; round++) {
			double begun = now_s();
			double took;

			pieces[i].fn(text);
			took = now_s() - begun;
			best = took < best ? took : best;
		}
		printf("%-16s %-16s %8.2f GB/s\n", pieces[i].name, name,
		       TEXT_BYTES / best * 1e-9);
		sum += best / (TEXT_BYTES * 1e-6);
	}
	return sum;
}

int
main(void)
{
	uint8_t *text = malloc(TEXT_BYTES);
	double worst = 0;
	double took;

	if (text == NULL)
		return 1;
	make_source(text);
	worst = run("source", text);
	memset(text, 'x', TEXT_BYTES);
	took = run("one line", text);
	worst = took > worst ? took : worst;
	memset(text, '\n', TEXT_BYTES);
	took = run("newlines", text);
	worst = took > worst ? took : worst;
	memset(text, '`', TEXT_BYTES);
	took = run("backticks", text);
	worst = took > worst ? took : worst;
	printf("a megabyte at most %.3f ms (%.0f allowed), %llu\n", worst * 1e3,
	       MEGABYTE_LIMIT_S * 1e3, (unsigned long long)(sink & 1));
	free(text);
	return worst < MEGABYTE_LIMIT_S ? 0 : 1;
}
