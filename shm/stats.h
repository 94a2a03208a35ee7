/* SPDX-License-Identifier: MIT */
/*
 * stats.h - counters of a worker, from one table.
 *
 * Invariants:
 * 1. A counter is written by its worker alone; anyone may read it at any
 *    time and sees some value it had.
 */
#ifndef SHM_STATS_H
#define SHM_STATS_H

#include "shm/layout.h"

enum stat_id {
#define STAT(name, metric, unit, help) STAT_##name,
#include "shm/stats.def"
#undef STAT
	STAT_NR
};

static_assert(STAT_NR <= STAT_NR_MAX, "the block has room for all counters");

/* order: relaxed; a counter says nothing about other memory */
static inline void
stat_add(struct worker_shm *worker, enum stat_id stat, uint64_t n)
{
	uint64_t old = load_relaxed(&worker->stats[stat]);

	store_relaxed(&worker->stats[stat], old + n);
}

/* The current value of a counter. */
static inline uint64_t
stat_get(const struct worker_shm *worker, enum stat_id stat)
{
	return load_relaxed(&worker->stats[stat]); /* as above */
}

/* A row of the table. */
struct stat_text {
	const char *name;   /* "items", "emitted", ...: a key of JSON */
	const char *metric; /* the end of the name of a metric */
	const char *unit;
	const char *help; /* a sentence */
};

extern const struct stat_text stat_texts[STAT_NR];

#endif
