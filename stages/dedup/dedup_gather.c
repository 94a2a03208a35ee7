/* SPDX-License-Identifier: MIT */
/*
 * dedup_gather.c - planned chunks against what was surveyed; turns.
 */
#include "stages/dedup/dedup_turn.h"

#include <string.h>

#include "catalogue/chunks.h"
#include "catalogue/facts.h"
#include "catalogue/kept.h"
#include "catalogue/plan.h"

/* What is written of a chunk up to a line, or of signatures: what it comes to.
 * It may come in runs. */
static void
count_truncated(struct dedup *dedup, const struct desc *run)
{
	struct dedup_state *state = dedup->state;

	state->truncated_tokens =
		add_sat_u64(state->truncated_tokens, run->tokens_alone);
	if (run->flags & DESC_MORE)
		return;
	catalogue_kept(dedup->catalogue, state->plan_next)->tokens =
		state->truncated_tokens;
	state->truncated_tokens = 0;
}

/* Whether a run of the plan, the last of its entry, is what was surveyed. */
static bool
is_as_planned(const struct dedup *dedup, const struct plan_entry *entry,
	      const struct desc *run)
{
	const struct catalogue *catalogue = dedup->catalogue;
	const struct chunk_record *chunk = catalogue_planned(catalogue, entry);
	const uint8_t *fingerprint = chunk->fingerprint;

	if (entry->tier == TIER_SIGNATURES)
		fingerprint = catalogue_facts(catalogue, run->file_idx)
				      ->outline_fingerprint;
	return chunk->file_idx == run->file_idx &&
	       memcmp(fingerprint, run->fingerprint, FINGERPRINT_BYTES) == 0;
}

/* A chunk whose tokens were estimated has been counted. Absolute, not added to:
 * the step may be done again. */
static void
keep_count(struct dedup *dedup, const struct plan_entry *entry)
{
	struct chunk_record *chunk =
		catalogue_chunk(dedup->catalogue, entry->chunk_idx);

	if (entry->tier != TIER_FULL || !chunk->is_estimated ||
	    (entry->kept_lines != 0 && entry->kept_lines != KEPT_MEASURED))
		return;
	chunk->tokens = (uint32_t)min_u64(dedup->state->tokens, UINT32_MAX);
	chunk->is_estimated = 0;
}

/* A run that is planned: the cursor goes on where its entry ends. */
static void
take_planned(struct dedup *dedup, const struct desc *run)
{
	struct dedup_state *state = dedup->state;
	const struct plan_entry *entry =
		catalogue_plan(dedup->catalogue, state->plan_next);

	if (entry->kept_lines != 0)
		count_truncated(dedup, run);
	state->tokens = add_sat_u64(state->tokens, run->tokens_alone);
	if (run->flags & DESC_MORE)
		return;
	keep_count(dedup, entry);
	state->tokens = 0;
	state->plan_next++;
	if (!is_as_planned(dedup, entry, run)) {
		catalogue_facts(dedup->catalogue, run->file_idx)->reason =
			REASON_CHANGED;
		state->drop = 1;
	}
}

void
dedup_pass_on(struct dedup *dedup, const struct desc *run)
{
	struct dedup_state *state = dedup->state;
	struct desc out = *run;

	if (dedup->job->takes_all) {
		struct file_facts *facts =
			catalogue_facts(dedup->catalogue, run->file_idx);

		/* absolute, not added to: the step may be done again */
		state->tokens = add_sat_u64(state->tokens, run->tokens_alone);
		facts->tokens = state->tokens;
	} else {
		out.is_measured =
			catalogue_plan(dedup->catalogue, state->plan_next)
				->kept_lines == KEPT_MEASURED;
		take_planned(dedup, run);
	}
	if (state->drop || dedup->only_counts) {
		/* only the slab matters now */
		if (!(run->flags & DESC_RELEASE))
			return;
		out = (struct desc){ .kind = DESC_SLAB,
				     .flags = DESC_RELEASE,
				     .file_idx = run->file_idx,
				     .slab_idx = run->slab_idx };
	}
	dedup->forward(dedup->context, &out);
}

/* Whether there is an entry of the plan under the cursor, of this file. */
static const struct plan_entry *
planned_of(const struct dedup *dedup, uint32_t file_idx)
{
	const struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	const struct plan_entry *entry;

	if (state->plan_next >= dedup->plan_nr)
		return NULL;
	entry = catalogue_plan(catalogue, state->plan_next);
	ASSERT(plan_entry_valid(entry));
	return catalogue_chunk(catalogue, entry->chunk_idx)->file_idx ==
			       file_idx
		       ? entry
		       : NULL;
}

/*
 * The cursor to the entry that this turn begins with, or NULL. By rank a file
 * is looked for once: its lines go on where its signatures end.
 */
static const struct plan_entry *
find_planned(struct dedup *dedup, uint32_t file_idx)
{
	struct dedup_state *state = dedup->state;

	if (!dedup_is_gather(dedup))
		return NULL;
	if (dedup->job->by_rank &&
	    (state->plan_next == 0 || state->file_idx != file_idx))
		state->plan_next = catalogue_plan_first(
			dedup->catalogue, dedup->plan_nr, file_idx);
	return planned_of(dedup, file_idx);
}

int
dedup_reserve_kept(struct dedup *dedup)
{
	if (!dedup_is_gather(dedup))
		return 0;
	return dedup->reserve(&dedup->catalogue->kept,
			      dedup->plan_nr * sizeof(struct kept_part));
}

void
dedup_begin_turn(struct dedup *dedup, const struct desc *in)
{
	struct dedup_state *state = dedup->state;
	const struct plan_entry *entry = find_planned(dedup, in->file_idx);

	state->signs = entry != NULL && entry->tier == TIER_SIGNATURES;
	state->in_turn = 1;
	state->lane = in->lane;
	state->file_idx = in->file_idx;
	state->drop = 0;
	state->poison = 0;
	state->chunk_first = state->chunk_next;
	state->term_first = state->term_next;
	state->signature_line_first = state->signature_line_next;
	state->bytes = 0;
	state->tokens = 0;
	state->chain_bytes = 0;
	state->truncated_tokens = 0;
	state->names_off = 0;
	state->outline_tokens = 0;
}

void
dedup_end_turn(struct dedup *dedup)
{
	struct dedup_state *state = dedup->state;
	const struct plan_entry *entry;

	state->in_turn = 0;
	if (!dedup_is_gather(dedup))
		return;
	/* what a spoilt file left of this part of the plan */
	while ((entry = planned_of(dedup, state->file_idx)) != NULL &&
	       (entry->tier == TIER_SIGNATURES) == (state->signs != 0))
		state->plan_next++;
}

int
dedup_take(struct dedup *dedup, const struct desc *in)
{
	int error = 0;

	if (in->kind == DESC_FILE)
		error = dedup_take_file(dedup, in);
	else if (in->kind == DESC_SLAB)
		dedup->forward(dedup->context, in);
	else if (in->kind == DESC_NAMES)
		dedup_take_names(dedup, in);
	else if (in->kind == DESC_TERMS)
		error = dedup->is_survey ? dedup_take_terms(dedup, in) : 0;
	else if (in->flags & DESC_SCAN)
		error = dedup_take_scanned(dedup, in);
	else
		dedup_pass_on(dedup, in);
	if (!(in->flags & DESC_LAST))
		return error;
	if (dedup->state->poison && in->kind != DESC_FILE)
		error = dedup_poison_file(dedup, in->file_idx);
	dedup_end_turn(dedup);
	return error;
}
