/* SPDX-License-Identifier: MIT */
/*
 * tool_cost.c - what promises of time are about, each in a function of its
 *               own, so that valgrind can tell what it costs.
 *
 * Does: packs a tree with the workers of all stages in one process, by turns,
 *       for valgrind knows too few system calls for bale itself; and the
 *       parts: counts texts, ranks, looks for duplicates, cuts and scans a
 *       megabyte of source text, hands entries on.
 * Does not: measure. tests/support/costs.sh does.
 *
 *   tool_cost pack OPTION... TREE   options of bale pack, an output among them
 *   tool_cost parts                 the parts
 *
 * Prints a line `NAME NUMBER` for each thing that there were so many of.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shm/ring.h"
#include "stages/chunk/chunk.h"
#include "stages/chunk/chunk_struct.h"
#include "stages/count/count.h"
#include "stages/dedup/dedup.h"
#include "rank/rank.h"
#include "stages/worker.h"
#include "cli/command_line.h"
#include "supervisor/supervisor.h"
#include "tokenizer/tokenizer.h"
#include "tests/support/test_cutter.h"

#define TEXTS 100
#define TEXT_BYTES 2000 /* some 1,000 tokens */
#define MEGABYTE 1000000
#define CACHE_LOG2 16
#define SPLIT_BYTES 6144
#define DIGESTS 10000
#define DIGEST_SLOTS (1u << 15)
#define RING_ENTRIES 64
#define RING_TURNS 100000
#define COST __attribute__((noinline)) static

static struct supervisor supervisor;
static uint8_t source[MEGABYTE];
static uint64_t sink;

static void
die(const char *what)
{
	fprintf(stderr, "tool_cost: %s\n", what);
	exit(1);
}

/* ---- what valgrind does not know ----------------------------------------- */

/*
 * The heads of tables are memory that is mapped at a second place, by mremap(2)
 * of no bytes, which valgrind refuses. Here they lie in files without names,
 * which can be mapped twice.
 */
#define AREAS_MAX 256

/* Memory of such a file, wherever it is mapped. */
static struct area {
	uint8_t *base;
	size_t bytes;
	int fd;
	off_t off;
} areas[AREAS_MAX];
static size_t area_nr;

static void *
map_area(void *at, struct area area, int flags)
{
	if (area_nr == AREAS_MAX)
		die("too many mappings");
	area.base = (void *)syscall(SYS_mmap, at, area.bytes,
				    PROT_READ | PROT_WRITE, flags, area.fd,
				    area.off);
	areas[area_nr++] = area;
	return area.base;
}

void *
mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t off)
{
	struct area area = { .bytes = bytes };

	if (flags != (MAP_SHARED | MAP_ANONYMOUS))
		return (void *)syscall(SYS_mmap, at, bytes, prot, flags, fd,
				       off);
	area.fd = memfd_create("head", MFD_CLOEXEC);
	if (ftruncate(area.fd, (off_t)bytes) != 0)
		die("no memory");
	return map_area(at, area, MAP_SHARED);
}

void *
mremap(void *old, size_t old_bytes, size_t bytes, int flags, ...)
{
	va_list args;
	void *at;

	va_start(args, flags);
	at = flags & MREMAP_FIXED ? va_arg(args, void *) : NULL;
	va_end(args);
	for (size_t i = 0; i < area_nr && old_bytes == 0; i++) {
		size_t in = (size_t)((uint8_t *)old - areas[i].base);
		struct area area = { .bytes = bytes,
				     .fd = areas[i].fd,
				     .off = areas[i].off + (off_t)in };

		if ((uint8_t *)old >= areas[i].base && in < areas[i].bytes)
			return map_area(at, area, MAP_SHARED | MAP_FIXED);
	}
	return (void *)syscall(SYS_mremap, old, old_bytes, bytes, flags, at);
}

/* ---- a whole run ------------------------------------------------------- */

static struct member_here {
	struct worker worker;
	_Alignas(64) uint8_t state[STATE_BYTES_MAX];
} members[STAGE_NR];

/* One turn of a worker's loop, as stages/worker.c has it; false: no work. */
static bool
turn(enum stage_id stage)
{
	struct worker *worker = &members[stage].worker;
	const struct stage_ops *ops = stage_table[stage].ops;
	int result = ops->step(worker);

	if (result == STEP_END) {
		result = ops->flush(worker);
		worker->pass += result == STEP_DONE;
	}
	if (result < 0)
		die(stage_table[stage].name);
	if (result == STEP_DONE)
		worker_commit(worker);
	return result == STEP_DONE;
}

/* As many turns as there is work for: a function a stage. */
#define COST_OF_STAGE(name, id)        \
	COST bool cost_##name(void)    \
	{                              \
		bool worked = false;   \
                                       \
		while (turn(id))       \
			worked = true; \
		return worked;         \
	}
COST_OF_STAGE(collect, STAGE_COLLECT)
COST_OF_STAGE(chunk, STAGE_CHUNK)
COST_OF_STAGE(count, STAGE_COUNT)
COST_OF_STAGE(dedup, STAGE_DEDUP)
COST_OF_STAGE(select, STAGE_SELECT)
COST_OF_STAGE(format, STAGE_FORMAT)

static bool (*const stages[STAGE_NR])(void) = {
	[STAGE_COLLECT] = cost_collect, [STAGE_CHUNK] = cost_chunk,
	[STAGE_COUNT] = cost_count,     [STAGE_DEDUP] = cost_dedup,
	[STAGE_SELECT] = cost_select,   [STAGE_FORMAT] = cost_format,
};

static bool
is_done(void)
{
	/* relaxed: one thread */
	return atomic_load_explicit(&supervisor.run.segment.control->done,
				    memory_order_relaxed);
}

COST void
cost_pack(void)
{
	if (supervisor_set_up(&supervisor) != 0)
		die("cannot set up");
	for (int i = 0; i < STAGE_NR; i++) {
		struct member_here *member = &members[i];

		if (worker_attach(&member->worker, &supervisor.run,
				  (enum stage_id)i, 0, member->state) != 0 ||
		    stage_table[i].ops->init(&member->worker) != 0)
			die("cannot begin");
	}
	/* relaxed: one thread */
	atomic_store_explicit(&supervisor.run.segment.control->pass, PASS_FIRST,
			      memory_order_relaxed);
	while (!is_done()) {
		bool worked = false;

		for (int i = 0; i < STAGE_NR; i++)
			worked |= stages[i]();
		if (!worked && !is_done())
			die("nobody has work");
	}
}

static uint64_t
read_control(const _Atomic uint64_t *word)
{
	/* relaxed: one thread */
	return atomic_load_explicit(word, memory_order_relaxed);
}

static void
emit_of_pack(void)
{
	const struct control_shm *control = supervisor.run.segment.control;
	uint64_t files = read_control(&control->files_seen);
	uint64_t chunks = 0;

	for (uint64_t i = 0; i < files; i++)
		chunks += catalogue_facts(
				  &members[STAGE_SELECT].worker.catalogue, i)
				  ->chunk_nr;
	printf("files %llu\nchunks %llu\nplanned %llu\ntokens %llu\n",
	       (unsigned long long)files, (unsigned long long)chunks,
	       (unsigned long long)read_control(&control->plan_nr),
	       (unsigned long long)control->verdict.tokens);
}

static void
pack(int argc, char **argv)
{
	static struct command_line line;

	if (command_line_parse(argc, argv, &line) != 0 ||
	    command_line_complete(&line) != 0)
		die(line.error);
	supervisor.options = &line.run;
	supervisor.run.job = line.run.pack;
	supervisor.run.lane_nr = 1;
	supervisor.run.memory_bytes = line.run.memory_bytes;
	supervisor.sources.text_fd = -1;
	supervisor.epoll_fd = -1;
	supervisor.output = OUTPUT_NONE;
	supervisor.parts = PART_SET_NONE;
	cost_pack();
	emit_of_pack();
}

/* ---- parts of it ------------------------------------------------------- */

static void
make_source(void)
{
	size_t nr = 0;

	for (unsigned f = 0; nr < sizeof(source); f++) {
		char line[120];
		size_t bytes;

		if (f % 40 == 0)
			snprintf(
				line, sizeof(line),
				"%s/* Of %u. */\nstatic int\nfn_%u(int a)\n{\n",
				f == 0 ? "" : "\treturn a;\n}\n\n", f, f);
		else
			snprintf(line, sizeof(line),
				 "\tif (a == %u && \"%x\"[0] != '%c')\n"
				 "\t\ta += fn_%u(a * %u);\n",
				 f % 97, f, 'a' + f % 26, f / 80, f % 13);
		bytes = strlen(line);
		if (bytes > sizeof(source) - nr)
			bytes = sizeof(source) - nr;
		memcpy(source + nr, line, bytes);
		nr += bytes;
	}
}

/* Different texts, one after the other, as a list of them is counted. */
COST uint64_t
cost_texts(const struct tokenizer *tokenizer)
{
	uint64_t tokens = 0;

	for (size_t i = 0; i < TEXTS; i++)
		tokens += tokenizer_count(tokenizer, NULL,
					  source + i * TEXT_BYTES, TEXT_BYTES);
	return tokens;
}

static void
rank(uint64_t nr)
{
	static struct rank_candidate heap[RANK_CANDIDATES];
	const struct rank_times times = { 0, INT64_MAX };
	const struct rank_weights weights = { 5, 3, 2 };
	struct rank_candidates window = { .heap = heap };
	uint64_t seed = 1;

	rank_candidates_next(&window);
	for (uint64_t i = 0; i < nr; i++) {
		struct rank_file file;
		struct rank_candidate candidate = { .chunk_idx = i };

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		file = (struct rank_file){
			.mtime_ns = (int64_t)(seed >> 1),
			.relevance = (uint32_t)(seed >> 20) % 1000000,
			.priority = 40,
		};
		candidate.score = rank_score(&file, &times, &weights, NULL);
		candidate.tokens = (uint32_t)(seed >> 54);
		rank_candidates_add(&window, &candidate);
	}
	rank_candidates_sort(&window);
	sink += heap[0].score;
}

COST void
cost_rank_100(void)
{
	rank(100);
	sink++;
}

COST void
cost_rank_1000(void)
{
	rank(1000);
	sink++;
}

/* A hundred chunks: their digests, looked for, put in, and found again. */
COST uint64_t
cost_duplicates(void)
{
	static uint64_t slots[256];
	struct dedup_table table = { .slots = slots, .slot_nr = 256 };
	uint64_t found = 0;

	for (uint32_t i = 0; i < 2 * TEXTS; i++) {
		uint8_t digest[SHA256_BYTES];
		struct dedup_probe probe;
		uint32_t idx;
		bool is_there = false;

		sha256_of(source + i % TEXTS * TEXT_BYTES, TEXT_BYTES, digest);
		dedup_probe_init(&probe, &table, digest);
		while (!is_there && dedup_probe_next(&probe, &table, &idx))
			is_there = idx == i % TEXTS;
		if (!is_there)
			dedup_add(&probe, &table, i);
		found += is_there;
	}
	return found;
}

COST uint64_t
cost_megabyte(void)
{
	static struct chunk_cutter cutter;
	const struct lang_text text = { source, 0, sizeof(source), true };
	struct chunk_limits limits;
	uint64_t chunks = 0;

	chunk_limits_init(&limits, CHUNK_MAX_TOKENS, CHUNK_MIN_TOKENS);
	chunk_cutter_init(&cutter, LANG_C, &limits);
	while (chunk_cutter_next(&cutter, &text, &limits, NULL) > 0)
		chunks++;
	return chunks;
}

/* The count of a megabyte with an empty cache of pieces, and with a full one. */
COST uint64_t
cost_count_cold(const struct tokenizer *tokenizer,
		struct tokenizer_cache *cache)
{
	return tokenizer_count(tokenizer, cache, source, sizeof(source));
}

COST uint64_t
cost_count_warm(const struct tokenizer *tokenizer,
		struct tokenizer_cache *cache)
{
	return tokenizer_count(tokenizer, cache, source, sizeof(source));
}

static uint64_t
count_megabyte(const struct tokenizer *tokenizer)
{
	static _Alignas(64) uint8_t memory[(20 << CACHE_LOG2) + 4096];
	struct tokenizer_cache *cache;

	if (tokenizer_cache_bytes(CACHE_LOG2) > sizeof(memory))
		die("no room for a cache");
	cache = tokenizer_cache_init(memory, CACHE_LOG2);
	return cost_count_cold(tokenizer, cache) -
	       cost_count_warm(tokenizer, cache);
}

/* Places to cut at, lines, and what a fence has to be longer than. */
COST uint64_t
cost_split(void)
{
	struct chunk_tally tally = { 0 };
	uint64_t chunks = 0;

	for (size_t at = 0; at < sizeof(source); chunks++)
		at += chunk_next(source + at, sizeof(source) - at, true,
				 SPLIT_BYTES);
	chunk_tally_add(&tally, source, sizeof(source));
	return chunks + lang_newlines(source, sizeof(source)) + tally.mark_run;
}

COST uint64_t
cost_scan(void)
{
	const struct lang_text text = { source, 0, sizeof(source), true };
	struct lang_scan scan;

	lang_scan_init(&scan, LANG_C, SPLIT_BYTES);
	lang_scan_feed(&scan, &text, UINT64_MAX, NULL);
	return scan.pos;
}

/* Ten thousand digests, put in and found, without making them. */
COST uint64_t
cost_table(void)
{
	static uint64_t slots[DIGEST_SLOTS];
	struct dedup_table table = { .slots = slots, .slot_nr = DIGEST_SLOTS };
	uint64_t found = 0;

	for (uint32_t i = 0; i < 2 * DIGESTS; i++) {
		uint64_t digest[SHA256_BYTES / sizeof(uint64_t)];
		struct dedup_probe probe;
		uint32_t idx;
		bool is_there = false;

		for (size_t k = 0; k < ARRAY_LEN(digest); k++)
			digest[k] = (i % DIGESTS + k + 1) * 0x9e3779b97f4a7c15u;
		dedup_probe_init(&probe, &table, (const uint8_t *)digest);
		while (!is_there && dedup_probe_next(&probe, &table, &idx))
			is_there = idx == i % DIGESTS;
		if (!is_there)
			dedup_add(&probe, &table, i);
		found += is_there;
	}
	return found;
}

/* Entries pushed and popped, eight at a time. */
COST uint64_t
cost_ring(void)
{
	static _Alignas(CACHE_LINE_BYTES) uint8_t memory[8192];
	struct ring_shm *shm = (struct ring_shm *)memory;
	struct ring ring;
	uint64_t sum = 0;

	if (ring_bytes(RING_ENTRIES) > sizeof(memory))
		die("no room for a ring");
	ring_init(shm, RING_ENTRIES, 0);
	if (ring_attach(&ring, shm) != 0)
		die("no ring");
	for (uint64_t at = 0; at < RING_TURNS; at += 8) {
		struct desc desc = { .kind = DESC_RUN };

		for (uint64_t i = 0; i < 8; i++) {
			desc.file_idx = (uint32_t)(at + i);
			ring_push_at(&ring, at + i, &desc);
		}
		for (uint64_t i = 0; i < 8 && ring_peek(&ring, i, &desc); i++)
			sum += desc.file_idx;
		ring_pop_to(&ring, at + 8);
	}
	return sum;
}

static void
emit(const char *name, uint64_t nr)
{
	printf("%s %llu\n", name, (unsigned long long)nr);
}

static void
parts(void)
{
	const struct tokenizer *tokenizer;

	make_source();
	if (tokenizer_open(&tokenizer, "o200k_base") != 0)
		die("no tokenizer");
	emit("counted", cost_texts(tokenizer));
	emit("differ", count_megabyte(tokenizer));
	cost_rank_100();
	cost_rank_1000();
	emit("duplicates", cost_duplicates());
	emit("digests", cost_table());
	emit("cut", cost_megabyte());
	emit("split", cost_split());
	emit("scanned", cost_scan());
	emit("handed", cost_ring());
}

int
main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "parts") == 0)
		parts();
	else
		pack(argc, argv);
	return 0;
}
