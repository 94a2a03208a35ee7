/* SPDX-License-Identifier: MIT */
/*
 * memory.c - where --memory goes.
 *
 * Does: slabs, token cache, objects of git, within the limit; fewer workers
 *       where it is too small for all.
 * Does not: measure what is used (process.c).
 */
#include "supervisor/supervisor.h"

#include <string.h>

#include "base/exit_code.h"
#include "base/diag.h"
#include "shm/table.h"
#include "tokenizer/tokenizer.h"

#define MIB (1ull << 20)
/* Entries of the token cache: 10 MiB; 5 where --memory is below the default. */
#define CACHE_LOG2 19
#define CACHE_SMALL_LOG2 18
#define CACHE_MIN (96 * MIB)

/*
 * Where --memory goes, besides slabs and rings; measured as Pss with the
 * kernel's sources and rounded up (docs/memory.md).
 */
#define FIXED_BYTES (24 * MIB) /* program, vocabulary, tables */
#define WORKER_BYTES (MIB)     /* each worker's own */
#define OBJECTS_SHARE 3        /* with --rev a third for objects of git */
#define OBJECTS_MIN (4 * MIB)  /* or less, but never less than this */
#define HISTORY_SHARE 8        /* an eighth for those of past commits, */
#define HISTORY_MAX (12 * MIB) /* but no more than this */
#define SLABS_MIN 4            /* a lane cannot do with fewer */
#define SLABS_USEFUL 24        /* a lane has no use for more */
/* What is still left keeps more of the tables mapped. Two look things up all
 * over them, dedup and select; who writes maps a page at a time, not a group. */
#define TABLE_PROCESSES 2
#define TABLE_USEFUL (20 * MIB) /* of each; the kernel's sources need no more */

/* What the places take that sources name is nobody else's. */
static uint64_t
beside_places(const struct run *run, uint64_t memory_bytes)
{
	return memory_bytes - min_u64(memory_bytes, run->place_bytes);
}

/* What all but the slabs takes. */
static uint64_t
without_slabs(uint32_t lane_nr, uint64_t cache_bytes, uint64_t object_bytes)
{
	struct segment_plan plan;

	stage_plan_segment(&plan, lane_nr, 0, cache_bytes);
	/* a step block is as large as it could be, not as it is */
	return FIXED_BYTES + segment_bytes(&plan) -
	       plan.worker_nr * sizeof(struct worker_shm) +
	       (plan.worker_nr + 1) * WORKER_BYTES + object_bytes;
}

/* How many slabs the limit leaves room for; 0: not enough. */
static uint32_t
slabs_within(uint64_t memory_bytes, uint32_t lane_nr, uint64_t cache_bytes,
	     uint64_t object_bytes)
{
	uint64_t used = without_slabs(lane_nr, cache_bytes, object_bytes);
	uint64_t slabs;

	if (used >= memory_bytes)
		return 0;
	slabs = (memory_bytes - used) / SLAB_BYTES;
	if (slabs < (uint64_t)SLABS_MIN * lane_nr)
		return 0;
	return (uint32_t)min_u64(slabs, (uint64_t)SLABS_USEFUL * lane_nr);
}

/* What each process may have mapped of the tables. */
static uint64_t
share_of_tables(const struct run *run, uint32_t slab_nr, uint64_t cache_bytes)
{
	uint64_t used =
		without_slabs(run->lane_nr, cache_bytes, run->object_bytes) +
		(uint64_t)slab_nr * SLAB_BYTES;

	return min_u64(TABLE_RESIDENT_BYTES +
			       (beside_places(run, run->memory_bytes) - used) /
				       TABLE_PROCESSES,
		       TABLE_USEFUL);
}

/* Whether objects of git are content, and not only what history is read of. */
static bool
packs_objects(const struct run *run)
{
	return run->job.rev != NULL || run->job.git_diff != NULL;
}

/* What objects of git may take of the memory; with `least`, at the least. */
static uint64_t
objects_share(const struct run *run, uint64_t memory_bytes, bool least)
{
	if (packs_objects(run))
		return least ? OBJECTS_MIN : memory_bytes / OBJECTS_SHARE;
	return run->job.reads_git
		       ? min_u64(memory_bytes / HISTORY_SHARE, HISTORY_MAX)
		       : 0;
}

/* Slabs and memory for objects of git, which take a third if they can. */
static uint32_t
share_with_objects(struct run *run, uint64_t cache_bytes)
{
	uint64_t memory_bytes = run->memory_bytes;
	uint64_t object_bytes = objects_share(run, memory_bytes, false);
	uint32_t slab_nr;

	do {
		slab_nr = slabs_within(beside_places(run, memory_bytes),
				       run->lane_nr, cache_bytes, object_bytes);
		run->object_bytes = object_bytes;
		object_bytes =
			object_bytes <= OBJECTS_MIN
				? 0
				: max_u64(OBJECTS_MIN, object_bytes * 3 / 4);
	} while (slab_nr == 0 && packs_objects(run) &&
		 object_bytes >= OBJECTS_MIN);
	return slab_nr;
}

/* The least --memory that one worker a stage can do with, in MiB. */
static uint64_t
least_mib(const struct run *run)
{
	uint64_t cache_bytes = tokenizer_cache_bytes(CACHE_SMALL_LOG2);
	uint64_t mib = 1;

	while (slabs_within(beside_places(run, mib * MIB), 1, cache_bytes,
			    objects_share(run, mib * MIB, true)) == 0)
		mib++;
	return mib;
}

static int
log_too_little(const struct run *run)
{
	return exit_with(
		EXIT_RESOURCES,
		"--memory: %llu MiB is too little; the least is %juM: the "
		"program, vocabulary and tables take %llu MiB, the rest is for "
		"worker processes, rings, caches and content",
		run->memory_bytes / MIB, least_mib(run), FIXED_BYTES / MIB);
}

int
memory_share(struct supervisor *supervisor)
{
	struct run *run = &supervisor->run;
	unsigned cache_log2 =
		run->memory_bytes < CACHE_MIN ? CACHE_SMALL_LOG2 : CACHE_LOG2;
	uint64_t cache_bytes = tokenizer_cache_bytes(cache_log2);
	struct segment_plan plan;
	uint32_t slab_nr;
	int error;

	while ((slab_nr = share_with_objects(run, cache_bytes)) == 0 &&
	       run->lane_nr > 1)
		run->lane_nr--;
	if (slab_nr == 0)
		return log_too_little(run);
	run->table_bytes = share_of_tables(run, slab_nr, cache_bytes);
	supervisor->worker_slot_nr = stage_worker_nr(run->lane_nr);
	stage_plan_segment(&plan, run->lane_nr, slab_nr, cache_bytes);
	error = segment_create(&run->segment, &plan);
	if (error != 0)
		return exit_with(
			EXIT_RESOURCES,
			"shared memory of %ju bytes: %s; a smaller --memory or "
			"a larger limit (ulimit -v) may help",
			segment_bytes(&plan), diag_errno(error));
	/* a new segment is all zeros; what is not touched costs no page */
	tokenizer_cache_init_zeroed(run->segment.cache, cache_log2);
	return 0;
}
