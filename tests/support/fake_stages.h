/* SPDX-License-Identifier: MIT */
/*
 * fake_stages.h - a pipeline of the real shape with stages of a test's own.
 *
 * Does: takes the place of stages/stage_table.c (the test's stage_table is
 *       linked instead of the one in the archive), with rings so small that
 *       they are full and empty all the time; makes and destroys a run.
 *
 * A test includes this after it has declared fake_ops[STAGE_NR].
 */
#ifndef TESTS_SUPPORT_FAKE_STAGES_H
#define TESTS_SUPPORT_FAKE_STAGES_H

#include "stages/worker.h"
#include "tests/support/test_ring.h"

#ifndef FAKE_ENTRIES
#define FAKE_ENTRIES 3
#endif
#ifndef FAKE_CHUNKS
#define FAKE_CHUNKS FAKE_ENTRIES /* of the rings from chunk to count */
#endif
#define FAKE_WAKE_BYTES 100 /* from count to dedup */

/* Each may write what the one of its name may. */
#define FAKE_STAGE(NAME, name, per_lane, tables, control)            \
	{                                                            \
		name, &fake_ops[STAGE_##NAME], per_lane, "", tables, \
			CONTROL_##control, SLABS_WRITE, true         \
	}

const struct stage stage_table[STAGE_NR] = {
	FAKE_STAGE(COLLECT, "collect", false, TABLE_BIT(FILES), COLLECT),
	FAKE_STAGE(CHUNK, "chunk", true, TABLE_BIT(NAMES), NR),
	FAKE_STAGE(COUNT, "count", true, 0, NR),
	FAKE_STAGE(DEDUP, "dedup", false, TABLE_BIT(FACTS), NR),
	FAKE_STAGE(SELECT, "select", false, TABLE_BIT(PLAN), SELECT),
	FAKE_STAGE(FORMAT, "format", false, TABLE_BIT(CUTS), FORMAT),
};

const struct edge edge_table[EDGE_NR] = {
	{ STAGE_COLLECT, STAGE_CHUNK, FAKE_ENTRIES, 1, 0, true, "" },
	{ STAGE_CHUNK, STAGE_COUNT, FAKE_CHUNKS, 1, 0, true, "" },
	{ STAGE_COUNT, STAGE_DEDUP, FAKE_ENTRIES, 2, FAKE_WAKE_BYTES, true,
	  "" },
	{ STAGE_COLLECT, STAGE_DEDUP, FAKE_ENTRIES, 2, 0, true, "" },
	{ STAGE_DEDUP, STAGE_SELECT, FAKE_ENTRIES, 1, 0, true, "" },
	{ STAGE_SELECT, STAGE_FORMAT, FAKE_ENTRIES, 1, 0, true, "" },
	{ STAGE_COUNT, STAGE_COLLECT, FAKE_ENTRIES, 1, 0, false, "" },
	{ STAGE_FORMAT, STAGE_COLLECT, FAKE_ENTRIES, 1, 0, false, "" },
};

static inline int
fake_run_create(struct run *run, uint32_t lane_nr, uint32_t slab_nr)
{
	struct segment_plan plan;

	memset(run, 0, sizeof(*run));
	run->lane_nr = lane_nr;
	run->output_fd = -1;
	stage_plan_segment(&plan, lane_nr, slab_nr, 0);
	return segment_create(&run->segment, &plan);
}

static inline void
fake_run_destroy(struct run *run)
{
	segment_destroy(&run->segment);
}

/* A handle on a ring for the test itself, which plays the other end. */
static inline struct ring
fake_ring(const struct run *run, enum edge_id edge, uint32_t lane)
{
	struct ring ring;

	if (ring_attach(&ring, segment_ring(&run->segment,
					    edge_ring_idx(edge, lane,
							  run->lane_nr))) != 0)
		abort();
	return ring;
}

/* Plays the worker before: `nr` runs of the first lane, and the end. */
static inline void
fake_give(const struct run *run, uint32_t nr)
{
	struct ring ring = fake_ring(run, EDGE_CHUNKS, 0);

	for (uint32_t i = 0; i < nr; i++) {
		const struct desc desc = { .kind = DESC_RUN,
					   .slab_idx = SLAB_NONE,
					   .file_idx = i };

		while (!ring_push(&ring, &desc))
			sched_yield();
	}
	ring_close(&ring, 1);
}

static inline struct worker_shm *
fake_worker_shm(const struct run *run, enum stage_id stage, uint32_t lane)
{
	return segment_worker(&run->segment,
			      stage_worker_idx(stage, lane, run->lane_nr));
}

/* What the last step of a worker says; it is whole, always. */
static inline const struct step_shm *
fake_last_step(const struct worker_shm *worker)
{
	return &worker->steps[atomic_load(&worker->committed) & 1];
}

static inline bool
fake_rings_valid(const struct run *run)
{
	for (uint32_t i = 0; i < run->segment.header->ring_nr; i++) {
		struct ring ring;

		if (ring_attach(&ring, segment_ring(&run->segment, i)) != 0 ||
		    !ring_valid(&ring))
			return false;
	}
	return true;
}

/*
 * Positions that start just below the wrap, in rings and in the logs, as if
 * 2^64 entries had gone through before.
 */
static inline void
fake_run_start_at(const struct run *run, uint64_t start)
{
	const struct segment *segment = &run->segment;

	for (uint32_t i = 0; i < segment->header->ring_nr; i++) {
		struct ring_shm *ring = segment_ring(segment, i);

		ring_init(ring, ring->entry_nr, start);
	}
	for (uint32_t i = 0; i < segment->header->worker_nr; i++)
		for (int port = 0; port < PORTS_MAX; port++)
			segment_worker(segment, i)->steps[0].pos[port] = start;
}

#endif
