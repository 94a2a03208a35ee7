/* SPDX-License-Identifier: MIT */
/*
 * select_planner.h - the inputs of plans, and where plans are written.
 *
 * Does: combines the job and the facts of the catalogue, so that planning knows
 *       no process.
 * Runs in: select.
 */
#ifndef SELECT_SELECT_PLANNER_H
#define SELECT_SELECT_PLANNER_H

#include "catalogue/facts.h"
#include "rank/rank.h"
#include "catalogue/catalogue.h"
#include "stages/job.h"

struct select_kept;
struct tokenizer;
struct tokenizer_cache;

/* How generous the signatures of an overview are: in all plans as in the first,
 * by a replacement as well. */
struct outline_scale {
	uint32_t scale;
	uint32_t is_known; /* 1: there was a plan that is no trial */
};

struct planner {
	const struct job *job;
	const struct tokenizer *tokenizer;
	struct tokenizer_cache *cache; /* of headers; NULL: none */
	const struct catalogue *catalogue;
	/* table_reserve() and table_clear(), for the tables that are its own */
	int (*reserve)(const struct table *table, uint64_t bytes);
	void (*clear)(const struct table *table, uint64_t off, uint64_t bytes);
	struct select_kept *kept;            /* by one plan for the next one, */
	struct outline_scale *outline_scale; /* for a replacement's, too */
	uint64_t file_nr;                    /* in the catalogue */
	uint64_t line_cost_nr;               /* likewise, of the last output */
	/* what was written */
	uint64_t plan_nr;
	uint64_t section_nr;
	uint64_t rest_nr;
	int64_t newest_ns; /* of the files */
};

/* What sources ask for of a file; NULL: nothing. */
static inline const struct source_file *
planner_requested_for(const struct planner *planner, uint32_t file_idx)
{
	return job_requested_for(planner->job, planner->catalogue, file_idx);
}

/* Whether a file has content that can be packed. */
static inline bool
select_has_content(const struct file_facts *facts)
{
	return facts->reason == REASON_NONE && facts->chunk_nr > 0;
}

/* Whether a file is a candidate: no other file is kept instead. */
static inline bool
select_is_usable(const struct file_facts *facts)
{
	return select_has_content(facts) && facts->same_as == FILE_NONE;
}

#endif
