/* SPDX-License-Identifier: MIT */
/*
 * dedup_seen.c - which files have the same content.
 */
#include "stages/dedup/dedup_turn.h"

#include <string.h>

#include "catalogue/files.h"
#include "stages/dedup/dedup.h"

#define SLOTS_MIN (1u << 12)

/* The table of n slots lies n slots into its file: no two sizes overlap. */
static struct dedup_table
seen_table(struct dedup *dedup, uint64_t slot_nr)
{
	uint64_t bytes = slot_nr * sizeof(uint64_t);

	return (struct dedup_table){
		.slots = table_at(&dedup->catalogue->seen, bytes, bytes),
		.slot_nr = slot_nr,
	};
}

/*
 * Whether two files are one: of everything that is packed, bytes like bytes,
 * written in the same charset; or else by their normal forms.
 */
static bool
is_same(const struct dedup *dedup, uint32_t a_idx, uint32_t b_idx)
{
	const struct catalogue *catalogue = dedup->catalogue;
	const struct file_facts *a = catalogue_facts(catalogue, a_idx);
	const struct file_facts *b = catalogue_facts(catalogue, b_idx);

	if (a->reason != REASON_NONE ||
	    memcmp(a->sha256, b->sha256, SHA256_BYTES) != 0)
		return false;
	return !dedup->job->packs_all ||
	       (a->bytes == b->bytes &&
		catalogue_file(catalogue, a_idx)->charset ==
			catalogue_file(catalogue, b_idx)->charset);
}

/*
 * Finds the first file of the same content, or puts this one in. Where bytes
 * like bytes are asked for, a file is like no other if its text is not enough
 * to tell what its bytes were.
 */
static uint32_t
find_or_add(struct dedup *dedup, struct dedup_table *table, uint32_t file_idx)
{
	const struct catalogue *catalogue = dedup->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct dedup_probe probe;
	uint32_t other;

	if (dedup->job->packs_all &&
	    (catalogue_file(catalogue, file_idx)->flags & MARK_REPAIRED))
		return FILE_NONE;
	dedup_probe_init(&probe, table, facts->sha256);
	/* it is looked for where nothing near it was */
	table_at(&catalogue->seen,
		 (table->slot_nr + probe.at) * sizeof(uint64_t),
		 sizeof(uint64_t));
	while (dedup_probe_next(&probe, table, &other)) {
		if (other == file_idx)
			return FILE_NONE; /* a step done again */
		if (other < file_idx && is_same(dedup, other, file_idx))
			return other;
	}
	dedup_add(&probe, table, file_idx);
	return FILE_NONE;
}

/* Twice the slots, filled again from the facts. */
static int
grow_seen(struct dedup *dedup)
{
	struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	uint64_t slot_nr = max_u64(state->seen_slots * 2, SLOTS_MIN);
	struct dedup_table table;
	int error = dedup->reserve(&catalogue->seen,
				   slot_nr * 2 * sizeof(uint64_t));

	if (error != 0)
		return error;
	table = seen_table(dedup, slot_nr);
	dedup->clear(&catalogue->seen, slot_nr * sizeof(uint64_t),
		     slot_nr * sizeof(uint64_t));
	for (uint32_t i = 0; i < state->file_idx; i++) {
		const struct file_facts *facts = catalogue_facts(catalogue, i);

		if (facts->reason == REASON_NONE && facts->bytes > 0 &&
		    facts->duplicate_of == FILE_NONE)
			find_or_add(dedup, &table, i);
	}
	state->seen_slots = slot_nr;
	return 0;
}

/* Whether there is a table to compare a file by. */
static bool
can_compare(struct dedup *dedup)
{
	struct dedup_state *state = dedup->state;
	int error = 0;

	if (state->seen_lost == 0 && state->seen_files * 2 >= state->seen_slots)
		error = grow_seen(dedup);
	if (error != 0) {
		dedup->seen_error = error;
		state->seen_lost = 1;
	}
	dedup->not_compared += state->seen_lost;
	return state->seen_lost == 0;
}

/* Where everything is packed the first file is the one that is kept; or else
 * that is for their ranks to say, which are not known yet. */
void
dedup_find_duplicate(struct dedup *dedup, uint32_t file_idx)
{
	struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct dedup_table table;

	if (!can_compare(dedup))
		return;
	table = seen_table(dedup, state->seen_slots);
	facts->duplicate_of = find_or_add(dedup, &table, file_idx);
	if (dedup->job->packs_all)
		facts->same_as = facts->duplicate_of;
	if (facts->duplicate_of == FILE_NONE)
		state->seen_files++; /* or it was there, done again */
	else
		catalogue_facts(catalogue, facts->duplicate_of)
			->has_duplicates = 1;
}
