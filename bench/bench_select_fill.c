/* SPDX-License-Identifier: MIT */
/*
 * bench_select_fill.c - a plan out of ten million chunks, and the memory that
 * making it takes.
 *
 * A catalogue made up from a seed, a million files of ten chunks each; then
 * plans for budgets of several sizes, by chunks and by tiers; the same where no
 * chunk is small enough for what is left over in the end. Prints the processor
 * time of each, what the catalogue takes on disk and what zstd would make of
 * that, and the greatest Pss there was meanwhile; fails where that is more than
 * 48 MiB.
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
#include <zstd.h>

#include "bench/bench_clock.h"
#include "rank/rank.h"
#include "catalogue/chunks.h"
#include "catalogue/plan.h"
#include "stages/select/select_plan.h"
#include "stages/run.h"
#include "tokenizer/tokenizer.h"

#define FILES 1000000u
#define CHUNKS_PER_FILE 10u
#define BLOCK_BYTES (1u << 20)
#define PSS_LIMIT_KIB (48u << 10)

static struct run run;
static struct planner *planner;
static uint32_t least_tokens;
static atomic_ulong peak_kib;
static atomic_bool over;
static atomic_bool planning;

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
		unsigned long kib = atomic_load(&planning) ? pss_kib() : 0;

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
	struct file_record *file = catalogue_file(&run.catalogue, i);
	struct file_facts *facts = catalogue_facts(&run.catalogue, i);
	char *path = table_at(&run.catalogue.paths, 32ull * i, 32);

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
		.duplicate_of = FILE_NONE,
		.outline_tokens = least_tokens * 3,
	};
	for (uint32_t c = 0; c < CHUNKS_PER_FILE; c++) {
		struct chunk_record *chunk =
			catalogue_chunk(&run.catalogue, facts->chunk_first + c);

		*chunk = (struct chunk_record){
			.file_idx = i,
			.line_first = 1 + 30 * c,
			.line_nr = 30,
			.tokens = least_tokens + (uint32_t)(next(seed) % 1000),
		};
		for (size_t at = 0; at < FINGERPRINT_BYTES; at += 8)
			memcpy(chunk->fingerprint + at,
			       &(uint64_t){ next(seed) }, 8);
		facts->tokens += chunk->tokens;
		facts->bytes += 3 * chunk->tokens;
	}
}

static void
make_catalogue(uint32_t least)
{
	struct catalogue *c = &run.catalogue;
	uint64_t seed = 5;

	least_tokens = least;

	if (table_reserve(&c->files, FILES * sizeof(struct file_record)) ||
	    table_reserve(&c->facts, FILES * sizeof(struct file_facts)) ||
	    table_reserve(&c->paths, FILES * 32ull) ||
	    table_reserve(&c->chunks, (uint64_t)FILES * CHUNKS_PER_FILE *
					      sizeof(struct chunk_record)))
		die("the catalogue");
	for (uint32_t i = 0; i < FILES; i++)
		make_file(i, &seed);
	if (select_find_traits(planner) != 0)
		die("the traits");
}

/* Of this thread: others may be busy, and one of ours looks on. */
static double
cpu_s(void)
{
	return clock_s(CLOCK_THREAD_CPUTIME_ID);
}

static double
mib(uint64_t bytes)
{
	return (double)bytes / (1 << 20);
}

/* What is on disk, and the chunks if blocks of them were compressed. */
static void
measure_disk(void)
{
	static uint8_t packed[ZSTD_COMPRESSBOUND(BLOCK_BYTES)];
	static uint8_t block[BLOCK_BYTES];
	const struct catalogue *c = &run.catalogue;
	uint64_t all =
		(uint64_t)FILES * CHUNKS_PER_FILE * sizeof(struct chunk_record);
	uint64_t bytes = 0;
	double pack_s = 0;
	double read_s = 0;

	for (uint64_t at = 0; at + BLOCK_BYTES <= all; at += BLOCK_BYTES) {
		double begun;
		size_t nr;

		memcpy(block, table_at(&c->chunks, at, BLOCK_BYTES),
		       BLOCK_BYTES);
		begun = cpu_s();
		nr = ZSTD_compress(packed, sizeof(packed), block, BLOCK_BYTES,
				   1);
		pack_s += cpu_s() - begun;
		begun = cpu_s();
		if (ZSTD_decompress(block, BLOCK_BYTES, packed, nr) !=
		    BLOCK_BYTES)
			die("zstd");
		read_s += cpu_s() - begun;
		bytes += nr;
	}
	printf("on disk: files %.0f, paths %.0f, facts %.0f, chunks %.0f MiB; "
	       "chunks by zstd -1: %.0f MiB, %.2f s to write, %.2f s for each "
	       "time they are read\n",
	       mib(FILES * sizeof(struct file_record)), mib(FILES * 32ull),
	       mib(FILES * sizeof(struct file_facts)), mib(all), mib(bytes),
	       pack_s, read_s);
}

static void
plan(uint64_t limit, bool tiers)
{
	double begun = cpu_s();
	struct plan_result made;
	uint64_t nr;
	uint64_t tokens = 0;

	run.job.tiers = tiers;
	job_resolve(&run.job);
	select_plan_forget(planner);
	atomic_store(&planning, true);
	if (select_make_plan(planner, &(struct plan_target){ .limit = limit },
			     0, &made) != 0)
		die("the plan");
	atomic_store(&planning, false);
	nr = planner->plan_nr;
	printf("%12llu tokens %s %9llu entries %8.2f s",
	       (unsigned long long)limit, tiers ? "by tiers " : "by chunks",
	       (unsigned long long)nr, cpu_s() - begun);
	for (uint64_t i = 0; i < nr; i++) {
		const struct plan_entry *entry =
			catalogue_plan(&run.catalogue, i);
		const struct chunk_record *chunk =
			catalogue_chunk(&run.catalogue, entry->chunk_idx);

		tokens += entry->tier == TIER_SIGNATURES
				  ? catalogue_facts(&run.catalogue,
						    chunk->file_idx)
					    ->outline_tokens
				  : chunk->tokens;
	}
	printf("   of chunks alone %6.2f %%\n",
	       100.0 * (double)tokens / (double)limit);
	/* a plan of hardly anything is made fast */
	if (tokens < limit / 10 * 9)
		die("to fill it: the catalogue is not what a plan expects");
}

int
main(void)
{
	pthread_t watcher;
	const struct tokenizer *tokenizer = NULL;
	struct outline_scale scale = { 0 };

	run.segment.control = calloc(1, sizeof(struct control_shm));
	planner = select_planner_create(
		&(struct planner){ .job = &run.job,
				   .catalogue = &run.catalogue,
				   .outline_scale = &scale,
				   .reserve = table_reserve,
				   .clear = table_clear,
				   .file_nr = FILES });
	table_set_resident(12u << 20);
	if (run.segment.control == NULL || planner == NULL ||
	    tokenizer_open(&tokenizer, "o200k_base"))
		die("memory");
	planner->tokenizer = tokenizer;
	run.job.min_chunks = 1;
	job_resolve(&run.job);
	if (catalogue_create(&run.catalogue) != 0)
		die("the catalogue");
	make_catalogue(20);
	atomic_store(&run.segment.control->files_seen, FILES);
	printf("%u chunks of %u files; Pss %lu KiB\n", FILES * CHUNKS_PER_FILE,
	       FILES, pss_kib());
	if (pthread_create(&watcher, NULL, watch, NULL) != 0)
		die("a thread");
	measure_disk();
	for (int tiers = 0; tiers < 2; tiers++) {
		plan(32000, tiers);
		plan(1000000, tiers);
		plan(30000000, tiers);
	}
	/* two million of them: window after window */
	plan(1000000000, 0);
	printf("candidates that were spilled for it: %.0f MiB of table\n",
	       mib(table_backed_bytes(&run.catalogue.runs)));
	make_catalogue(1000);
	printf("no chunk of less than 1,000 tokens:\n");
	for (int tiers = 0; tiers < 2; tiers++)
		plan(32000, tiers);
	atomic_store(&over, true);
	pthread_join(watcher, NULL);
	printf("Pss at most %.1f MiB\n", (double)atomic_load(&peak_kib) / 1024);
	return atomic_load(&peak_kib) > PSS_LIMIT_KIB;
}
