/* SPDX-License-Identifier: MIT */
/*
 * select_planned_set.c - which contents are in the plan.
 *
 * Does: keeps their fingerprints, which are random already, in a table, so that
 *       a plan of any number of chunks takes no more memory.
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
	return catalogue_chunk(plan->planner->catalogue, candidate->chunk_idx)
		->fingerprint;
}

/* What it is known by: its content, or its place if nothing is compared, as
 * signatures are not: files that differ may have the same. */
static const uint8_t *
key_of(struct plan *plan, const struct rank_candidate *candidate)
{
	uint64_t place[2] = { candidate->chunk_idx * 0x9e3779b97f4a7c15,
			      candidate->chunk_idx * 4 + candidate->unit };

	static_assert(sizeof(place) == FINGERPRINT_BYTES, "one key");
	/* it is looked for where nothing near it was */
	if (plan->set.contents.slot_nr > 0)
		table_touched(&plan->planner->catalogue->taken, GROUPS_PER_KEY);
	if (plan->planner->job->drops_duplicates &&
	    candidate->unit != RANK_SIGNATURES)
		return plan_fingerprint(plan, candidate);
	memcpy(plan->set.key, place, sizeof(plan->set.key));
	return plan->set.key;
}

/* ---- the set ------------------------------------------------------------ */

static const uint8_t zeros[FINGERPRINT_BYTES];

static bool
is_zeros(const uint8_t *fingerprint)
{
	return memcmp(fingerprint, zeros, sizeof(zeros)) == 0;
}

/* Where it is, or where it belongs. */
static uint8_t *
slot_of(const struct content_set *set, const uint8_t *fingerprint)
{
	size_t at;

	memcpy(&at, fingerprint, sizeof(at));
	for (at &= set->slot_nr - 1; !is_zeros(set->slots[at]);
	     at = (at + 1) & (set->slot_nr - 1))
		if (memcmp(set->slots[at], fingerprint, FINGERPRINT_BYTES) == 0)
			break;
	return set->slots[at];
}

static bool
has(const struct content_set *set, const uint8_t *fingerprint)
{
	if (set->nr == 0)
		return false;
	return is_zeros(fingerprint) ? set->has_zeros
				     : !is_zeros(slot_of(set, fingerprint));
}

/* One that is not in it, which is not full. */
static void
add(struct content_set *set, const uint8_t *fingerprint)
{
	ASSERT(set->nr * 2 < set->slot_nr);
	set->nr++;
	if (is_zeros(fingerprint))
		set->has_zeros = true;
	else
		memcpy(slot_of(set, fingerprint), fingerprint,
		       FINGERPRINT_BYTES);
}

/* The set of n slots lies n slots into its table: no two sizes overlap. */
static struct content_set
set_of(const struct table *table, size_t slot_nr)
{
	return (struct content_set){
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
	const struct content_set *old = &plan->set.contents;
	size_t slot_nr = max_u64(old->slot_nr * 2, SLOTS_MIN);
	struct content_set wider;
	int error =
		plan->planner->reserve(table, 2 * slot_nr * FINGERPRINT_BYTES);

	if (error != 0)
		return error;
	wider = set_of(table, slot_nr);
	plan->planner->clear(table, slot_nr * FINGERPRINT_BYTES,
			     slot_nr * FINGERPRINT_BYTES);
	if (old->has_zeros)
		add(&wider, zeros);
	for (size_t at = 0; at < old->slot_nr; at++) {
		if (at % SLOTS_MOVED == 0)
			table_touched(table, 1 + SLOTS_MOVED);
		if (!is_zeros(old->slots[at]))
			add(&wider, old->slots[at]);
	}
	plan->set.contents = wider;
	return 0;
}

bool
plan_has(struct plan *plan, const struct rank_candidate *candidate)
{
	return has(&plan->set.contents, key_of(plan, candidate));
}

int
plan_know(struct plan *plan, const struct rank_candidate *candidate)
{
	struct content_set *set = &plan->set.contents;
	int error = set->nr * 2 >= set->slot_nr ? grow(plan) : 0;
	const uint8_t *key;

	if (error != 0)
		return error;
	key = key_of(plan, candidate);
	if (has(set, key))
		return 0;
	add(set, key);
	return 1;
}
