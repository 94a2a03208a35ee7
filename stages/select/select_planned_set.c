/* SPDX-License-Identifier: MIT */
/*
 * select_planned_set.c - which contents are in the plan.
 *
 * Does: keeps their fingerprints in a table, so that a plan of any number of
 *       chunks takes no more memory.
 * Runs in: select.
 */
#include <string.h>

#include "stages/select/select_plan_parts.h"

#define SLOTS_MIN 256
#define SLOTS_MOVED 16 /* each to anywhere */
#define GROUPS_PER_KEY 2

const uint8_t *
plan_fingerprint(const struct plan *plan,
		 const struct rank_candidate *candidate)
{
	const struct catalogue *catalogue = plan->planner->catalogue;

	if (candidate->unit == RANK_SIGNATURES)
		return catalogue_facts(catalogue, candidate->file_idx)
			->outline_fingerprint;
	return catalogue_chunk(catalogue, candidate->chunk_idx)->fingerprint;
}

/* What it is known by: its content, or its place if nothing is compared. */
static const uint8_t *
key_of(struct plan *plan, const struct rank_candidate *candidate)
{
	uint64_t place[2] = { candidate->chunk_idx * 0x9e3779b97f4a7c15,
			      candidate->chunk_idx * 4 + candidate->unit };

	static_assert(sizeof(place) == FINGERPRINT_BYTES, "one key");
	/* it is looked for where nothing near it was */
	if (plan->set.contents.slot_nr > 0)
		table_touched(&plan->planner->catalogue->taken, GROUPS_PER_KEY);
	if (plan->planner->job->drops_duplicates)
		return plan_fingerprint(plan, candidate);
	memcpy(plan->set.key, place, sizeof(plan->set.key));
	return plan->set.key;
}

/* The set of n slots lies n slots into its table: no two sizes overlap. */
static struct rank_set
set_of(const struct table *table, size_t slot_nr)
{
	return (struct rank_set){
		.slots = table_at(table, slot_nr * FINGERPRINT_BYTES,
				  slot_nr * FINGERPRINT_BYTES),
		.slot_nr = slot_nr,
	};
}

/* Twice the slots; those of an earlier plan may not be free. */
static int
grow(struct plan *plan)
{
	const struct table *table = &plan->planner->catalogue->taken;
	const struct rank_set *old = &plan->set.contents;
	size_t slot_nr = max_u64(old->slot_nr * 2, SLOTS_MIN);
	struct rank_set wider;
	int error =
		plan->planner->reserve(table, 2 * slot_nr * FINGERPRINT_BYTES);

	if (error != 0)
		return error;
	wider = set_of(table, slot_nr);
	plan->planner->clear(table, slot_nr * FINGERPRINT_BYTES,
			     slot_nr * FINGERPRINT_BYTES);
	for (size_t at = 0; at < old->slot_nr; at += SLOTS_MOVED) {
		rank_set_move(&wider, old, at,
			      min_u64(old->slot_nr - at, SLOTS_MOVED));
		table_touched(table, 1 + SLOTS_MOVED);
	}
	plan->set.contents = wider;
	return 0;
}

bool
plan_has(struct plan *plan, const struct rank_candidate *candidate)
{
	return rank_set_has(&plan->set.contents, key_of(plan, candidate));
}

int
plan_know(struct plan *plan, const struct rank_candidate *candidate)
{
	int error = rank_set_is_full(&plan->set.contents) ? grow(plan) : 0;

	if (error != 0)
		return error;
	return rank_set_add(&plan->set.contents, key_of(plan, candidate));
}
