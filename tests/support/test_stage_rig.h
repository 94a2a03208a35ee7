/* SPDX-License-Identifier: MIT */
/*
 * test_stage_rig.h - one worker of one stage, alone in a process.
 *
 * Does: makes a real segment and catalogue, lets a test play all the peers
 *       of a worker: pushes descriptors into its inputs, takes them from its
 *       outputs, closes passes; takes its steps one by one, and drops the
 *       process's state before a commit, as a death there would.
 * Does not: sleep or fork.
 */
#ifndef TESTS_SUPPORT_TEST_STAGE_RIG_H
#define TESTS_SUPPORT_TEST_STAGE_RIG_H

#include "tests/support/test_shm.h"

#include "base/fault.h"
#include "stages/worker.h"
#include "tokenizer/tokenizer.h"
#include "tests/support/test_ring.h"

#define RIG_SLABS_MAX 64
#define RIG_FILES_MAX 8192

struct rig {
	struct run run;
	struct worker worker;
	enum stage_id stage;
	uint32_t lane;
	bool attached;
	_Alignas(64) uint8_t state[STATE_BYTES_MAX];
	uint32_t released[RIG_SLABS_MAX]; /* times */
	uint64_t path_next;
};

/* Everything but a worker; budget BUDGET_ALL until a test says otherwise. */
static inline void
rig_open(struct rig *rig, uint32_t lane_nr, uint32_t slab_nr)
{
	static struct segment_plan plan;

	memset(rig, 0, sizeof(*rig));
	ASSERT_TRUE(slab_nr <= RIG_SLABS_MAX);
	stage_plan_segment(&plan, lane_nr, slab_nr, 0);
	ASSERT_EQ(segment_create(&rig->run.segment, &plan), 0);
	ASSERT_EQ(catalogue_create(&rig->run.catalogue), 0);
	/* records of zeros, as collect would have written some */
	ASSERT_EQ(table_reserve(&rig->run.catalogue.files,
				RIG_FILES_MAX * sizeof(struct file_record)),
		  0);
	ASSERT_EQ(tokenizer_open(&rig->run.tokenizer, "o200k_base"), 0);
	rig->run.lane_nr = lane_nr;
	rig->run.output_fd = -1;
	rig->run.job.budget_tokens = BUDGET_ALL;
	rig->run.job.relevance_weight = 500000;
	rig->run.job.recency_weight = 300000;
	rig->run.job.source_weight = 200000;
	rig->run.job.chunk_max_tokens = 2000;
	rig->run.job.chunk_min_tokens = 100;
}

static inline void
rig_detach(struct rig *rig)
{
	if (!rig->attached)
		return;
	free(rig->worker.scratch);
	/* what this process knew is gone */
	memset(&rig->worker, 0xdd, sizeof(rig->worker));
	memset(rig->state, 0xdd, sizeof(rig->state));
	rig->attached = false;
}

static inline void
rig_close(struct rig *rig)
{
	rig_detach(rig);
	segment_destroy(&rig->run.segment);
	catalogue_close(&rig->run.catalogue);
}

/* A worker is born, or another one takes the place of a dead one. */
static inline void
rig_attach(struct rig *rig, enum stage_id stage, uint32_t lane)
{
	rig_detach(rig);
	rig->stage = stage;
	rig->lane = lane;
	job_resolve(&rig->run.job);
	ASSERT_EQ(
		worker_attach(&rig->worker, &rig->run, stage, lane, rig->state),
		0);
	ASSERT_EQ(stage_table[stage].ops->init(&rig->worker), 0);
	rig->attached = true;
}

static inline void
rig_die(struct rig *rig)
{
	rig_attach(rig, rig->stage, rig->lane);
}

static inline struct ring
rig_ring(const struct rig *rig, enum edge_id edge, uint32_t lane)
{
	struct ring ring;
	uint32_t idx = edge_ring_idx(edge, lane, rig->run.lane_nr);

	ASSERT_EQ(ring_attach(&ring, segment_ring(&rig->run.segment, idx)), 0);
	return ring;
}

static inline void
rig_push(const struct rig *rig, enum edge_id edge, uint32_t lane,
	 const void *desc)
{
	struct ring ring = rig_ring(rig, edge, lane);

	ASSERT_TRUE(ring_push(&ring, desc));
}

/* Takes the next entry of an output; false: there is none. */
static inline bool
rig_pop(const struct rig *rig, enum edge_id edge, uint32_t lane, void *desc)
{
	struct ring ring = rig_ring(rig, edge, lane);

	if (!ring_peek(&ring, 0, desc))
		return false;
	ring_pop_to(&ring, ring_head(&ring) + 1);
	return true;
}

static inline uint64_t
rig_used(const struct rig *rig, enum edge_id edge, uint32_t lane)
{
	struct ring ring = rig_ring(rig, edge, lane);

	return ring_tail(&ring) - ring_head(&ring);
}

/* All streams into the worker's stage end here for this pass. */
static inline void
rig_close_inputs(const struct rig *rig, uint64_t pass)
{
	for (int e = 0; e < EDGE_NR; e++) {
		enum edge_id edge = (enum edge_id)e;

		if (edge_table[e].to != rig->stage || !edge_table[e].is_stream)
			continue;
		for (uint32_t lane = 0;
		     lane < edge_ring_nr(edge, rig->run.lane_nr); lane++) {
			struct ring ring = rig_ring(rig, edge, lane);

			ring_close(&ring, pass);
		}
	}
}

/* One turn of the loop, all but its commit: a step_result. */
static inline int
rig_step_uncommitted(struct rig *rig, bool poison)
{
	const struct stage_ops *ops = stage_table[rig->stage].ops;
	int result =
		poison ? ops->poison(&rig->worker) : ops->step(&rig->worker);

	if (result == STEP_END) {
		result = ops->flush(&rig->worker);
		if (result == STEP_DONE)
			rig->worker.pass++;
	}
	return result;
}

static inline int
rig_step(struct rig *rig)
{
	int result = rig_step_uncommitted(rig, false);

	if (result == STEP_DONE)
		worker_commit(&rig->worker);
	return result;
}

/* The same, but the first try dies before its commit. */
static inline int
rig_step_twice(struct rig *rig)
{
	if (rig_step_uncommitted(rig, false) == STEP_DONE)
		rig_die(rig);
	return rig_step(rig);
}

static inline void
rig_poison(struct rig *rig)
{
	ASSERT_EQ(rig_step_uncommitted(rig, true), STEP_DONE);
	worker_commit(&rig->worker);
}

/* Steps until there is nothing to do; how many there were. */
static inline int
rig_run(struct rig *rig)
{
	int steps = 0;
	int result;

	while ((result = rig_step(rig)) == STEP_DONE)
		steps++;
	ASSERT_EQ(result, STEP_AGAIN);
	return steps;
}

/* Puts content into a slab. */
static inline void
rig_fill(const struct rig *rig, uint32_t slab_idx, uint32_t off,
	 const void *text, size_t bytes)
{
	ASSERT_TRUE(bytes <= SLAB_BYTES - off);
	memcpy(slab_at(&rig->run.segment.slabs, slab_idx) + off, text, bytes);
}

/* Takes a slab back: it holds rubbish from now on. */
static inline void
rig_release(struct rig *rig, const struct desc *desc)
{
	ASSERT_EQ(desc->kind, DESC_SLAB);
	ASSERT_TRUE(desc->flags & DESC_RELEASE);
	ASSERT_TRUE(desc->slab_idx < rig->run.segment.slabs.nr);
	rig->released[desc->slab_idx]++;
	memset(slab_at(&rig->run.segment.slabs, desc->slab_idx), 0xdb,
	       SLAB_BYTES);
}

/* Takes all that is given back on that edge; how many. */
static inline uint32_t
rig_release_all(struct rig *rig, enum edge_id edge)
{
	struct desc desc;
	uint32_t nr = 0;

	while (rig_pop(rig, edge, 0, &desc)) {
		rig_release(rig, &desc);
		nr++;
	}
	return nr;
}

/* Each of the first `nr` slabs has been given back `times` times. */
static inline void
rig_assert_released(const struct rig *rig, uint32_t nr, uint32_t times)
{
	for (uint32_t i = 0; i < RIG_SLABS_MAX; i++)
		if (rig->released[i] != (i < nr ? times : 0))
			fail_msg("slab %u released: got %u times, want %u", i,
				 rig->released[i], i < nr ? times : 0);
}

/* A file of the catalogue, as collect writes it. */
static inline struct file_record *
rig_add_file(struct rig *rig, uint32_t file_idx, const char *path,
	     const char *hint)
{
	struct catalogue *catalogue = &rig->run.catalogue;
	size_t path_bytes = strlen(path);
	size_t hint_bytes = strlen(hint);
	struct file_record *file;

	ASSERT_EQ(table_reserve(&catalogue->files,
				(file_idx + 1ull) * sizeof(*file)),
		  0);
	ASSERT_EQ(table_reserve(&catalogue->paths,
				rig->path_next + path_bytes + hint_bytes),
		  0);
	file = catalogue_file(catalogue, file_idx);
	*file = (struct file_record){
		.path_off = rig->path_next,
		.path_bytes = (uint32_t)path_bytes,
		.hint_bytes = (uint8_t)hint_bytes,
	};
	memcpy(table_at(&catalogue->paths, file->path_off, path_bytes), path,
	       path_bytes);
	memcpy(table_at(&catalogue->paths, file->path_off + path_bytes,
			hint_bytes),
	       hint, hint_bytes);
	rig->path_next += path_bytes + hint_bytes;
	return file;
}

static inline struct file_facts *
rig_facts(struct rig *rig, uint32_t file_idx)
{
	ASSERT_EQ(table_reserve(&rig->run.catalogue.facts,
				(file_idx + 1ull) * sizeof(struct file_facts)),
		  0);
	return catalogue_facts(&rig->run.catalogue, file_idx);
}

static inline struct chunk_record *
rig_chunk(struct rig *rig, uint64_t idx)
{
	ASSERT_EQ(table_reserve(&rig->run.catalogue.chunks,
				(idx + 1) * sizeof(struct chunk_record)),
		  0);
	return catalogue_chunk(&rig->run.catalogue, idx);
}

static inline void
rig_set_plan(struct rig *rig, const uint64_t *chunks, size_t nr)
{
	struct control_shm *control = rig->run.segment.control;

	ASSERT_EQ(table_reserve(&rig->run.catalogue.plan,
				(nr + 1) * sizeof(struct plan_entry)),
		  0);
	for (size_t i = 0; i < nr; i++)
		catalogue_plan(&rig->run.catalogue, i)->chunk_idx = chunks[i];
	/* relaxed: one process */
	atomic_store_explicit(&control->plan_nr, nr, memory_order_relaxed);
}

#endif
