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
keep_count(struct dedup *dedup, const struct plan_entry *entry, uint64_t tokens)
{
	struct chunk_record *chunk =
		catalogue_chunk(dedup->catalogue, entry->chunk_idx);

	if (entry->tier != TIER_FULL || !chunk->is_estimated ||
	    (entry->kept_lines != 0 && entry->kept_lines != KEPT_MEASURED))
		return;
	chunk->tokens = (uint32_t)min_u64(tokens, UINT32_MAX);
	chunk->is_estimated = 0;
}

/* Where the entry of a run is in the plan: that of its signatures, which chunks
 * may stand between, or the one under the cursor. */
static uint64_t
entry_of(const struct dedup_state *state, const struct desc *run)
{
	return (run->flags & DESC_OUTLINE) && state->signs
		       ? state->outline_entry
		       : state->plan_next;
}

/* An entry is over, of which so many tokens are written. */
static void
end_entry(struct dedup *dedup, uint64_t at, const struct desc *run,
	  uint64_t tokens)
{
	const struct plan_entry *entry = catalogue_plan(dedup->catalogue, at);

	if (entry->kept_lines != 0 || entry->tier == TIER_SIGNATURES)
		catalogue_kept(dedup->catalogue, at)->tokens = tokens;
	keep_count(dedup, entry, tokens);
	if (is_as_planned(dedup, entry, run))
		return;
	catalogue_facts(dedup->catalogue, run->file_idx)->reason =
		REASON_CHANGED;
	dedup->state->drop = 1;
}

/* A run that is planned: the cursor goes on where a chunk ends. */
static void
take_planned(struct dedup *dedup, const struct desc *run)
{
	struct dedup_state *state = dedup->state;
	uint64_t at = entry_of(state, run);
	bool signs = at != state->plan_next;
	uint64_t *tokens = signs ? &state->outline_tokens : &state->tokens;

	*tokens = add_sat_u64(*tokens, run->tokens_alone);
	if (run->flags & DESC_MORE)
		return;
	end_entry(dedup, at, run, *tokens);
	*tokens = 0;
	state->plan_next += !signs;
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
			catalogue_plan(dedup->catalogue, entry_of(state, run))
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

/* The cursor to the entry that this turn begins with, or NULL. */
static const struct plan_entry *
find_planned(struct dedup *dedup, uint32_t file_idx)
{
	struct dedup_state *state = dedup->state;

	if (!dedup_is_gather(dedup))
		return NULL;
	if (dedup->job->by_rank)
		state->plan_next = catalogue_plan_first(
			dedup->catalogue, dedup->plan_nr, file_idx);
	return planned_of(dedup, file_idx);
}

/* Room for what this pass keeps of planned chunks: 0 or -errno of the table. */
static int
reserve_kept(struct dedup *dedup)
{
	if (!dedup_is_gather(dedup))
		return 0;
	return dedup->reserve(&dedup->catalogue->kept,
			      dedup->plan_nr * sizeof(struct kept_part));
}

int
dedup_begin_turn(struct dedup *dedup, const struct desc *in)
{
	struct dedup_state *state = dedup->state;
	const struct plan_entry *entry = find_planned(dedup, in->file_idx);
	int error = reserve_kept(dedup);

	if (error != 0)
		return error;
	state->signs = entry != NULL && entry->tier == TIER_SIGNATURES;
	state->outline_entry = state->plan_next;
	state->plan_next += state->signs;
	/* until they come: all of them may be in chunks of the file */
	if (state->signs)
		catalogue_kept(dedup->catalogue, state->outline_entry)->tokens =
			0;
	state->in_turn = 1;
	state->lane = in->lane;
	state->file_idx = in->file_idx;
	state->drop = 0;
	state->poison = 0;
	state->chunk_first = state->chunk_next;
	state->term_first = state->term_next;
	state->word_first = state->word_next;
	state->has_long = 0;
	state->signature_line_first = state->signature_line_next;
	state->bytes = 0;
	state->tokens = 0;
	state->chain_bytes = 0;
	state->names_off = 0;
	state->signatures_bytes = 0;
	state->outline_tokens = 0;
	return 0;
}

void
dedup_end_turn(struct dedup *dedup)
{
	struct dedup_state *state = dedup->state;

	state->in_turn = 0;
	if (!dedup_is_gather(dedup))
		return;
	/* what a spoilt file left of the plan */
	while (planned_of(dedup, state->file_idx) != NULL)
		state->plan_next++;
}

int
dedup_take(struct dedup *dedup, const struct desc *in)
{
	int error = 0;

	if (in->kind == DESC_FILE)
		error = dedup_take_file(dedup, in);
	else if (in->kind == DESC_SURVEYED)
		error = dedup_take_surveyed(dedup, in);
	else if (in->kind == DESC_SLAB)
		dedup->forward(dedup->context, in);
	else if (in->kind == DESC_NAMES)
		dedup_take_names(dedup, in);
	else if (in->kind == DESC_TERMS)
		error = dedup->is_survey ? dedup_take_terms(dedup, in) : 0;
	else if (in->kind == DESC_WORDS)
		error = dedup->is_survey ? dedup_take_words(dedup, in) : 0;
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
