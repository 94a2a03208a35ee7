/* SPDX-License-Identifier: MIT */
/*
 * timeline.h - samples of a run over time.
 *
 * Does: records what each stage has done, how long it has waited, and how much
 *       waits for it, at even intervals.
 * Does not: read the clock; the supervisor's watch calls it.
 * Runs in: the supervisor.
 *
 * Invariants:
 * 1. Samples are in order of time and never more than TIMELINE_SAMPLES: when
 *    all places are taken, every other one is dropped and the interval
 *    doubled, so that a run of any length fits.
 */
#ifndef SUPERVISOR_TIMELINE_H
#define SUPERVISOR_TIMELINE_H

#include "stages/stage.h"
#include "base/emit.h"
#include "stages/run.h"

#define TIMELINE_SAMPLES 256

/* Sums since the start of the run, over the workers of a stage. */
struct timeline_stage {
	uint64_t items;
	uint64_t bytes;
	uint64_t wait_ns;
	uint64_t queued; /* entries in its input rings, now */
};

struct timeline_sample {
	uint64_t at_ns; /* since the start of the run */
	uint64_t pass;
	uint64_t pss_bytes; /* as last measured; 0: not yet */
	struct timeline_stage stages[STAGE_NR];
};

struct timeline {
	uint64_t interval_ns;
	uint64_t next_ns;
	size_t nr;
	struct timeline_sample samples[TIMELINE_SAMPLES];
};

/* Begins a timeline with a sample so often. */
void
timeline_init(struct timeline *timeline, uint64_t interval_ns);

/*
 * shape:  takes a sample if it is time for one, or `is_last`
 * units:  at_ns since the start of the run
 * calls:  supervisor_watch(), at each tick and at the end
 * order:  relaxed: numbers to look at
 */
void
timeline_take(struct timeline *timeline, const struct run *run, uint64_t at_ns,
	      uint64_t pss_bytes, bool is_last);

/*
 * shape:  the place for a sample at that time; makes room where there is none
 * calls:  timeline_take(), tests
 */
struct timeline_sample *
timeline_next(struct timeline *timeline, uint64_t at_ns);

/* shape:  the samples as JSON: an object under the key "timeline" */
void
timeline_emit(const struct timeline *timeline, struct emitter *out);

#endif
