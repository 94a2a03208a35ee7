/* SPDX-License-Identifier: MIT */
/*
 * memory.c - where --memory goes.
 */
#include "supervisor/memory.h"

#include <string.h>

#include "shm/diag.h"
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

/* How many slabs the limit leaves room for; 0: not enough. */
static uint32_t
share_memory(uint64_t memory_bytes, uint32_t lane_nr, uint64_t cache_bytes,
	     uint64_t object_bytes)
{
	struct segment_plan plan;
	uint64_t used;
	uint64_t slabs;

	stage_plan_segment(&plan, lane_nr, 0, cache_bytes);
	used = FIXED_BYTES + segment_bytes(&plan) +
	       (plan.worker_nr + 1) * WORKER_BYTES;
	/* a step block is as large as it could be, not as it is */
	used -= plan.worker_nr * sizeof(struct worker_shm);
	used += object_bytes;
	if (used >= memory_bytes)
		return 0;
	slabs = (memory_bytes - used) / SLAB_BYTES;
	if (slabs < (uint64_t)SLABS_MIN * lane_nr)
		return 0;
	return (uint32_t)min_u64(slabs, (uint64_t)SLABS_USEFUL * lane_nr);
}

/* Slabs and memory for objects of git, which take a third if they can. */
static uint32_t
share_with_objects(struct supervisor *supervisor, uint64_t cache_bytes)
{
	struct run *run = &supervisor->run;
	uint64_t memory_bytes = supervisor->options->memory_bytes;
	uint64_t object_bytes = memory_bytes / OBJECTS_SHARE;
	uint32_t slab_nr = 0;

	if (run->options.rev == NULL && run->options.git_diff == NULL) {
		run->object_bytes =
			run_reads_git(run)
				? min_u64(memory_bytes / HISTORY_SHARE,
					  HISTORY_MAX)
				: 0;
		return share_memory(memory_bytes, run->lane_nr, cache_bytes,
				    run->object_bytes);
	}
	while (slab_nr == 0 && object_bytes >= OBJECTS_MIN) {
		slab_nr = share_memory(memory_bytes, run->lane_nr, cache_bytes,
				       object_bytes);
		run->object_bytes = object_bytes;
		object_bytes -= object_bytes / 4;
	}
	return slab_nr;
}

int
memory_share(struct supervisor *supervisor)
{
	const struct options *options = supervisor->options;
	unsigned cache_log2 = options->memory_bytes < CACHE_MIN
				      ? CACHE_SMALL_LOG2
				      : CACHE_LOG2;
	uint64_t cache_bytes = tokenizer_cache_bytes(cache_log2);
	struct run *run = &supervisor->run;
	struct segment_plan plan;
	uint32_t slab_nr;
	int error;

	slab_nr = share_with_objects(supervisor, cache_bytes);

	/* a default gives way to a limit; what was asked for does not */
	while (slab_nr == 0 && run->lane_nr > 1 &&
	       !options->given[OPTION_WORKERS]) {
		run->lane_nr--;
		slab_nr = share_with_objects(supervisor, cache_bytes);
	}
	supervisor->member_nr = stage_worker_nr(run->lane_nr);

	if (slab_nr == 0) {
		diag_log(DIAG_ERROR,
			 "--memory: too little for %u workers a stage; give "
			 "more, or fewer --workers",
			 run->lane_nr);
		return EXIT_RESOURCES;
	}
	stage_plan_segment(&plan, run->lane_nr, slab_nr, cache_bytes);
	error = segment_create(&supervisor->run.segment, &plan);
	if (error != 0) {
		diag_log(DIAG_ERROR,
			 "shared memory of %llu bytes: %s; a smaller --memory "
			 "or a larger /dev/shm may help",
			 (unsigned long long)segment_bytes(&plan),
			 strerror(-error));
		return EXIT_RESOURCES;
	}
	/* a new segment is all zeros; what is not touched costs no page */
	tokenizer_cache_init_zeroed(supervisor->run.segment.cache, cache_log2);
	return 0;
}
