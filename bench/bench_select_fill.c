/* SPDX-License-Identifier: MIT */
/*
 * bench_select_fill.c - a plan out of ten million chunks, and the memory that
 * making it takes.
 *
 * A catalogue made up from a seed, a million files of ten chunks each; then
 * plans for budgets of several sizes. Prints the time of each and the greatest
 * Pss there was meanwhile; fails where that is more than 96 MiB.
 *
 * verifies: NFR-016-10, NFR-016c-18, AC-016c-054
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench_clock.h"
#include "stages/select/select.h"
#include "stages/select/select_plan.h"
#include "stages/worker.h"
#include "tokenizer/tokenizer.h"

#define FILES 1000000u
#define CHUNKS_PER_FILE 10u
#define PSS_LIMIT_KIB (96u << 10)

static struct run run;
static struct worker worker;
static atomic_ulong peak_kib;
static atomic_bool over;

static void
die(const char *what)
{
	fprintf(stderr, "bench_select_fill: %s: %s\n", what, strerror(errno));
	exit(1);
}

static unsigned long
pss_kib(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "re");
	unsigned long kib = 0;
	char line[256];

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "Pss: %lu", &kib) == 1)
			break;
	if (file != NULL)
		fclose(file);
	return kib;
}

static void *
watch(void *unused)
{
	while (!atomic_load(&over)) {
		unsigned long kib = pss_kib();

		if (kib > atomic_load(&peak_kib))
			atomic_store(&peak_kib, kib);
		usleep(2000);
	}
	return unused;
}

static uint64_t
next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 20 ^ *seed << 11;
}

static void
make_file(uint32_t i, uint64_t *seed)
{
	struct file_record *file = catalogue_file(&worker.catalogue, i);
	struct file_facts *facts = catalogue_facts(&worker.catalogue, i);
	char *path = (char *)worker.catalogue.paths.base + 32ull * i;

	*file = (struct file_record){
		.path_off = 32ull * i,
		.path_bytes = (uint32_t)snprintf(path, 32, "src/%03u/%06u.c",
						 i / 1000, i),
		.mtime_ns = (int64_t)(next(seed) % 1000000),
	};
	*facts = (struct file_facts){
		.chunk_first = (uint64_t)i * CHUNKS_PER_FILE,
		.chunk_nr = CHUNKS_PER_FILE,
		.same_as = FILE_NONE,
	};
	for (uint32_t c = 0; c < CHUNKS_PER_FILE; c++) {
		struct chunk_record *chunk = catalogue_chunk(
			&worker.catalogue, facts->chunk_first + c);

		*chunk = (struct chunk_record){
			.file_idx = i,
			.line_first = 1 + 30 * c,
			.line_nr = 30,
			.tokens = 20 + (uint32_t)(next(seed) % 1000),
		};
		for (size_t at = 0; at < FINGERPRINT_BYTES; at += 8)
			memcpy(chunk->fingerprint + at,
			       &(uint64_t){ next(seed) }, 8);
		facts->tokens += chunk->tokens;
		facts->bytes += 3 * chunk->tokens;
	}
	if (i % 4096 == 0)
		catalogue_trim(&worker.catalogue);
}

static void
make_catalogue(void)
{
	struct catalogue *c = &worker.catalogue;
	uint64_t seed = 5;

	if (table_reserve(&c->files, FILES * sizeof(struct file_record)) ||
	    table_reserve(&c->facts, FILES * sizeof(struct file_facts)) ||
	    table_reserve(&c->paths, FILES * 32ull) ||
	    table_reserve(&c->chunks, (uint64_t)FILES * CHUNKS_PER_FILE *
					      sizeof(struct chunk_record)))
		die("the catalogue");
	for (uint32_t i = 0; i < FILES; i++)
		make_file(i, &seed);
	catalogue_trim(c);
}

static void
plan(uint64_t limit)
{
	double begun = now_s();
	bool more_left;
	uint64_t nr;
	uint64_t tokens = 0;

	if (select_make_plan(&worker, limit, &more_left) != 0)
		die("the plan");
	/* relaxed: written by this thread */
	nr = atomic_load_explicit(&run.segment.control->plan_nr,
				  memory_order_relaxed);
	printf("%12llu tokens %9llu chunks %8.2f s", (unsigned long long)limit,
	       (unsigned long long)nr, now_s() - begun);
	for (uint64_t i = 0; i < nr; i++) {
		tokens +=
			catalogue_chunk(
				&worker.catalogue,
				catalogue_plan(&worker.catalogue, i)->chunk_idx)
				->tokens;
		if (i % 4096 == 0)
			catalogue_trim(&worker.catalogue);
	}
	catalogue_trim(&worker.catalogue);
	printf("   of chunks alone %6.2f %%\n",
	       100.0 * (double)tokens / (double)limit);
}

int
main(void)
{
	pthread_t watcher;
	const struct tokenizer *tokenizer = NULL;

	run.segment.control = calloc(1, sizeof(struct control_shm));
	worker.shm = calloc(1, sizeof(struct worker_shm));
	worker.run = &run;
	worker.scratch = calloc(SELECT_WINDOW, sizeof(struct select_candidate));
	if (run.segment.control == NULL || worker.shm == NULL ||
	    worker.scratch == NULL || tokenizer_open(&tokenizer, "o200k_base"))
		die("memory");
	run.tokenizer = tokenizer;
	run.options.min_chunks = 1;
	if (catalogue_create(&worker.catalogue) != 0)
		die("the catalogue");
	make_catalogue();
	atomic_store(&run.segment.control->files_seen, FILES);
	printf("%u chunks of %u files; Pss %lu KiB\n", FILES * CHUNKS_PER_FILE,
	       FILES, pss_kib());
	if (pthread_create(&watcher, NULL, watch, NULL) != 0)
		die("a thread");
	plan(32000);
	plan(1000000);
	plan(30000000);
	atomic_store(&over, true);
	pthread_join(watcher, NULL);
	printf("Pss at most %.1f MiB\n", (double)atomic_load(&peak_kib) / 1024);
	return atomic_load(&peak_kib) > PSS_LIMIT_KIB;
}
