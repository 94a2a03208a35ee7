/* SPDX-License-Identifier: MIT */
/*
 * select_rest.c - where what is left out stands.
 *
 * Does: when a plan is the one, writes behind its entries one for each stretch
 *       of chunks of a file that are not in it: its first one, with the score
 *       of the best.
 * Runs in: select, at the end of the run.
 * Invariants:
 * 1. What it writes is a function of the catalogue and the plan: a replacement
 *    writes the same.
 */
#include <string.h>

#include "stages/select/select_plan.h"
#include "stages/select/select_plan_parts.h"
#include "catalogue/traits.h"

#define ENTRIES_PER_RESERVE 4096

struct rest {
	struct planner *planner;
	struct select_scores *scores;
	uint64_t plan_next; /* the first entry of this chunk or a later one */
	uint64_t nr;        /* entries that are written */
	struct plan_entry stretch; /* the one that goes on; */
	bool is_open;              /* there is one */
};

static bool
is_packed(struct rest *rest, uint64_t chunk_idx)
{
	const struct catalogue *catalogue = rest->planner->catalogue;

	for (; rest->plan_next < rest->planner->plan_nr; rest->plan_next++) {
		const struct plan_entry *entry =
			catalogue_plan(catalogue, rest->plan_next);

		if (entry->chunk_idx > chunk_idx)
			return false;
		if (entry->chunk_idx == chunk_idx && entry->tier == TIER_FULL)
			return true;
	}
	return false;
}

/* The stretch is at its end. */
static int
put_stretch(struct rest *rest)
{
	const struct catalogue *catalogue = rest->planner->catalogue;
	uint64_t at = rest->planner->plan_nr + rest->nr;
	int error = 0;

	if (!rest->is_open)
		return 0;
	rest->is_open = false;
	if (rest->nr % ENTRIES_PER_RESERVE == 0)
		error = rest->planner->reserve(&catalogue->plan,
					       (at + ENTRIES_PER_RESERVE) *
						       sizeof(rest->stretch));
	if (error != 0)
		return error;
	*catalogue_plan(catalogue, at) = rest->stretch;
	rest->nr++;
	return 0;
}

/* One more chunk that is left out; sources may ask for what is beside it. */
static int
put(struct rest *rest, const struct plan_entry *entry)
{
	struct plan_entry *stretch = &rest->stretch;
	int error = 0;

	if (rest->is_open && stretch->category != entry->category)
		error = put_stretch(rest);
	if (!rest->is_open) {
		*stretch = *entry;
		rest->is_open = true;
	} else if (entry->score > stretch->score) {
		stretch->score = entry->score;
		stretch->factors = entry->factors;
	}
	return error;
}

/* Whether the plan has something of a file, be it signatures. */
static bool
is_planned(struct rest *rest, const struct file_facts *facts)
{
	const struct planner *planner = rest->planner;
	uint64_t idx = UINT64_MAX;

	for (; rest->plan_next < planner->plan_nr; rest->plan_next++) {
		idx = catalogue_plan(planner->catalogue, rest->plan_next)
			      ->chunk_idx;
		if (idx >= facts->chunk_first)
			break;
	}
	return rest->plan_next < planner->plan_nr &&
	       idx - facts->chunk_first < facts->chunk_nr;
}

/* A file of which nothing is there, if it is known what it is worth, and nobody
 * asks why. */
static bool
put_known(struct rest *rest, uint32_t file_idx, const struct file_facts *facts)
{
	const struct planner *planner = rest->planner;
	const struct file_traits *traits =
		catalogue_traits(planner->catalogue, file_idx);

	if (planner->job->wants_scores || traits->best == 0 ||
	    is_planned(rest, facts))
		return false;
	rest->stretch = (struct plan_entry){
		.chunk_idx = facts->chunk_first,
		.category = CATEGORY_TREE,
		.score = traits_best_score(traits),
		.factors.relevance = traits_best_relevance(traits),
	};
	rest->is_open = true;
	return true;
}

static int
put_file(struct rest *rest, uint32_t file_idx)
{
	const struct catalogue *catalogue = rest->planner->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct plan_entry entry = { .score = SCORE_NONE };
	int error = 0;

	if (!select_has_content(facts))
		return 0;
	if (put_known(rest, file_idx, facts))
		return put_stretch(rest);
	select_scores_file(rest->scores, file_idx);
	for (uint32_t c = 0; c < facts->chunk_nr && error == 0; c++) {
		entry.chunk_idx = facts->chunk_first + c;
		if (is_packed(rest, entry.chunk_idx)) {
			error = put_stretch(rest);
			continue;
		}
		/* without a query all chunks of a file have the same */
		if (entry.score == SCORE_NONE || rest->scores->query != NULL ||
		    rest->scores->requested != NULL)
			entry.score = select_scores_chunk(rest->scores, c,
							  &entry.category,
							  &entry.factors);
		error = put(rest, &entry);
	}
	return error == 0 ? put_stretch(rest) : error;
}

/* Whether the plan was made by rank, or nothing was ranked. */
static bool
is_ranked(const struct planner *planner)
{
	return !planner->job->takes_all &&
	       (planner->plan_nr == 0 ||
		catalogue_plan(planner->catalogue, 0)->score != SCORE_NONE);
}

int
select_write_rest(struct planner *planner)
{
	struct rest rest = { .planner = planner };
	int error;

	planner->rest_nr = 0;
	if (!is_ranked(planner))
		return 0;
	error = plan_make_scores(planner);
	if (error != 0)
		return error;
	rest.scores = &planner->kept->scores;
	planner->newest_ns = rest.scores->times.newest_ns;
	for (uint64_t i = 0; i < planner->file_nr && error == 0; i++)
		error = put_file(&rest, (uint32_t)i);
	if (error == 0)
		planner->rest_nr = rest.nr;
	return error;
}
