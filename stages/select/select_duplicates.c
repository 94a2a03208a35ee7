/* SPDX-License-Identifier: MIT */
/*
 * select_duplicates.c - of files of the same content one is kept.
 *
 * The first of them, in path order, holds what is known of all until the end:
 * in same_as the best so far, if it is another, and in duplicate_rank its rank.
 * Then those that are left out are linked to the one that is kept, for the
 * header of its section: next_copy.
 *
 * Does not: compare contents (dedup), or chunks (select_planned_set.c).
 * Runs in: select.
 * Invariants:
 * 1. A requested file is kept.
 * 2. A repetition gives the same result.
 */
#include "stages/select/select_score.h"

#include "base/fault.h"
#include "catalogue/files.h"

#define RANK_NONE 0 /* nothing of it can be packed */
#define RANK_ASKED UINT32_MAX

static_assert(FILE_NONE == UINT32_MAX, "no file has this index");

bool
select_has_duplicates(struct planner *planner)
{
	bool any = false;

	for (uint64_t i = 0; i < planner->file_nr; i++) {
		struct file_facts *facts =
			catalogue_facts(planner->catalogue, i);

		if (!facts->has_duplicates && facts->duplicate_of == FILE_NONE)
			continue;
		facts->same_as = FILE_NONE;
		any = true;
	}
	return any;
}

/* Whether a source or a pin wants this very file. */
static bool
is_requested_for(struct planner *planner, uint32_t file_idx)
{
	const struct catalogue *catalogue = planner->catalogue;

	return planner_requested_for(planner, file_idx) != NULL ||
	       job_pins(planner->job, catalogue,
			catalogue_file(catalogue, file_idx));
}

/* That of its best chunk, above RANK_NONE. */
static uint32_t
rank_of(struct select_scores *scores, uint32_t file_idx)
{
	struct planner *planner = scores->planner;
	const struct file_facts *facts =
		catalogue_facts(planner->catalogue, file_idx);
	uint32_t best = 0;

	if (!select_has_content(facts))
		return RANK_NONE;
	if (is_requested_for(planner, file_idx))
		return RANK_ASKED;
	select_scores_file(scores, file_idx);
	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		uint8_t category;
		uint32_t score =
			select_scores_chunk(scores, c, &category, NULL);

		if (score > best)
			best = score;
	}
	return best + 1;
}

/* Compares a file with the best of its twins before it. */
static void
rank_duplicate(struct select_scores *scores, uint32_t file_idx)
{
	const struct catalogue *catalogue = scores->planner->catalogue;
	struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct file_facts *first;

	facts->duplicate_rank = rank_of(scores, file_idx);
	if (facts->duplicate_of == FILE_NONE)
		return;
	first = catalogue_facts(catalogue, facts->duplicate_of);
	if (facts->duplicate_rank > first->duplicate_rank) {
		first->same_as = file_idx;
		first->duplicate_rank = facts->duplicate_rank;
	}
}

/* What its twins come to is known. */
static void
settle_duplicate(const struct catalogue *catalogue, uint32_t file_idx)
{
	struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	uint32_t kept =
		catalogue_facts(catalogue, facts->duplicate_of)->same_as;

	if (kept == FILE_NONE)
		kept = facts->duplicate_of;
	if (kept != file_idx && facts->duplicate_rank != RANK_ASKED)
		facts->same_as = kept;
}

static bool
is_repeated(const struct file_facts *facts)
{
	return facts->has_duplicates || facts->duplicate_of != FILE_NONE;
}

void
select_find_duplicates(struct select_scores *scores)
{
	struct planner *planner = scores->planner;
	const struct catalogue *catalogue = planner->catalogue;

	for (uint64_t i = 0; i < planner->file_nr; i++)
		if (is_repeated(catalogue_facts(catalogue, i)))
			rank_duplicate(scores, (uint32_t)i);
	FAULT("twins_ranked");
	for (uint64_t i = 0; i < planner->file_nr; i++) {
		if (catalogue_facts(catalogue, i)->duplicate_of != FILE_NONE)
			settle_duplicate(catalogue, (uint32_t)i);
	}
}

void
select_link_copies(const struct planner *planner)
{
	const struct catalogue *catalogue = planner->catalogue;

	for (uint64_t i = 0; i < planner->file_nr; i++) {
		struct file_facts *facts = catalogue_facts(catalogue, i);

		if (is_repeated(facts))
			facts->next_copy = FILE_NONE;
	}
	for (uint64_t i = planner->file_nr; i-- > 0;) {
		struct file_facts *facts = catalogue_facts(catalogue, i);
		struct file_facts *kept;

		/* one that has changed since is no copy any more */
		if (!is_repeated(facts) || facts->same_as == FILE_NONE ||
		    !select_has_content(facts))
			continue;
		kept = catalogue_facts(catalogue, facts->same_as);
		facts->next_copy = kept->next_copy;
		kept->next_copy = (uint32_t)i;
	}
}
