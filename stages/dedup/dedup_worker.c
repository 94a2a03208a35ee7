/* SPDX-License-Identifier: MIT */
/*
 * dedup_worker.c - counted runs of all lanes into canonical order.
 *
 * Does: takes files turn by turn, as collect dispatched them; writes down
 *       facts and chunks; marks files that repeat an earlier one, and planned
 *       chunks that are not what was surveyed.
 * Does not: hold anything back: a lane's ring is its own queue. End the run
 *           for want of a table to compare contents by: those that come then
 *           are taken for new ones.
 * Runs in: dedup.
 * Invariants:
 * 1. After this stage everything is in canonical order, since turns are.
 * 2. The chunks of one file lie side by side in the catalogue.
 */
#include "stages/dedup/dedup_worker.h"

#include <string.h>

#include "base/diag.h"
#include "base/fault.h"
#include "shm/stats.h"
#include "stages/dedup/dedup.h"
#include "catalogue/files.h"
#include "catalogue/names.h"
#include "catalogue/plan.h"
#include "catalogue/terms.h"

#define ENTRIES_PER_STEP 48
#define SLOTS_MIN (1u << 12)

struct dedup_state {
	uint64_t chunk_next; /* first free record */
	uint64_t plan_next;  /* entry of the plan, in gather */
	uint64_t seen_slots; /* slots of the table; 0: none yet */
	uint64_t seen_files; /* entries in it */
	uint32_t seen_lost;  /* 1: it could not grow: nothing is compared */
	uint32_t pad;
	uint32_t in_turn; /* 1: the rest is about a file in work */
	uint32_t lane;
	uint32_t file_idx;
	uint32_t drop;   /* 1: its runs are not to be written */
	uint32_t poison; /* 1: it has ended this stage too often */
	uint32_t signs;  /* 1: its signatures are planned, in gather */
	uint64_t chunk_first;
	uint64_t term_next;  /* first free record of a term */
	uint64_t term_first; /* of the file in work */
	uint64_t bytes;
	uint64_t tokens;
	uint64_t chain_off; /* the chunk in work, if it came in runs */
	uint64_t chain_bytes;
	uint32_t chain_line;
	uint32_t chain_lines;
	uint64_t names_off;     /* as in file_facts */
	uint32_t outline_bytes; /* 0: no signatures were made */
	uint32_t outline_tokens;
	uint32_t head_next;  /* first free record of a head */
	uint32_t head_first; /* of the file in work */
	uint32_t chain_head;
	uint64_t truncated_tokens; /* of the planned chunk in work */
	uint8_t outline_fingerprint[FINGERPRINT_BYTES];
};

static void
forward(struct worker *worker, const struct desc *desc)
{
	worker_emit(worker, EDGE_UNIQUE, 0, desc);
}

/* The table of n slots lies n slots into its file: no two sizes overlap. */
static struct dedup_table
seen_table(struct worker *worker, uint64_t slot_nr)
{
	uint64_t bytes = slot_nr * sizeof(uint64_t);

	return (struct dedup_table){
		.slots = table_at(&worker->catalogue.seen, bytes, bytes),
		.slot_nr = slot_nr,
	};
}

/*
 * Whether two files are one: of everything that is packed, bytes like bytes,
 * written in the same charset; or else by their normal forms.
 */
static bool
is_same(const struct worker *worker, uint32_t a_idx, uint32_t b_idx)
{
	const struct catalogue *catalogue = &worker->catalogue;
	const struct file_facts *a = catalogue_facts(catalogue, a_idx);
	const struct file_facts *b = catalogue_facts(catalogue, b_idx);

	if (a->reason != REASON_NONE ||
	    memcmp(a->sha256, b->sha256, SHA256_BYTES) != 0)
		return false;
	return !worker->run->job.packs_all ||
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
find_or_add(struct worker *worker, struct dedup_table *table, uint32_t file_idx)
{
	struct catalogue *catalogue = &worker->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct dedup_probe probe;
	uint32_t other;

	if (worker->run->job.packs_all &&
	    (catalogue_file(catalogue, file_idx)->flags & MARK_REPAIRED))
		return FILE_NONE;
	/* it is looked for where nothing near it was */
	table_touched(&catalogue->seen, 1);
	dedup_probe_init(&probe, table, facts->sha256);
	while (dedup_probe_next(&probe, table, &other)) {
		if (other == file_idx)
			return FILE_NONE; /* a step done again */
		if (other < file_idx && is_same(worker, other, file_idx))
			return other;
	}
	dedup_add(&probe, table, file_idx);
	return FILE_NONE;
}

/* Twice the slots, filled again from the facts. */
static int
grow_seen(struct worker *worker)
{
	struct dedup_state *state = worker->state;
	struct catalogue *catalogue = &worker->catalogue;
	uint64_t slot_nr = max_u64(state->seen_slots * 2, SLOTS_MIN);
	struct dedup_table table;
	int error =
		table_reserve(&catalogue->seen, slot_nr * 2 * sizeof(uint64_t));

	if (error != 0)
		return error;
	table = seen_table(worker, slot_nr);
	table_clear(&catalogue->seen, slot_nr * sizeof(uint64_t),
		    slot_nr * sizeof(uint64_t));
	for (uint32_t i = 0; i < state->file_idx; i++) {
		const struct file_facts *facts = catalogue_facts(catalogue, i);

		if (facts->reason == REASON_NONE && facts->bytes > 0 &&
		    facts->duplicate_of == FILE_NONE)
			find_or_add(worker, &table, i);
	}
	state->seen_slots = slot_nr;
	return 0;
}

/* Whether there is a table to compare a file by. */
static bool
can_compare(struct worker *worker)
{
	struct dedup_state *state = worker->state;
	int error = 0;

	if (state->seen_lost == 0 && state->seen_files * 2 >= state->seen_slots)
		error = grow_seen(worker);
	if (error != 0) {
		diag_log(DIAG_ERROR,
			 "no room for more files to compare (%s): going on "
			 "without looking for duplicates",
			 diag_errno(error));
		state->seen_lost = 1;
	}
	if (state->seen_lost != 0)
		stat_add(worker->shm, STAT_not_compared, 1);
	return state->seen_lost == 0;
}

/* Where everything is packed the first file is the one that is kept; or else
 * that is for their ranks to say, which are not known yet. */
static void
find_duplicate(struct worker *worker, uint32_t file_idx)
{
	struct dedup_state *state = worker->state;
	struct catalogue *catalogue = &worker->catalogue;
	struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct dedup_table table = seen_table(worker, state->seen_slots);

	facts->duplicate_of = find_or_add(worker, &table, file_idx);
	if (worker->run->job.packs_all)
		facts->same_as = facts->duplicate_of;
	if (facts->duplicate_of == FILE_NONE)
		state->seen_files++; /* or it was there, done again */
	else
		catalogue_facts(catalogue, facts->duplicate_of)
			->has_duplicates = 1;
}

static int
write_facts(struct worker *worker, const struct desc_file *file)
{
	struct dedup_state *state = worker->state;
	struct catalogue *catalogue = &worker->catalogue;
	struct file_facts *facts;
	int error = table_reserve(&catalogue->facts,
				  (file->file_idx + 1ull) * sizeof(*facts));

	if (error != 0)
		return error;
	facts = catalogue_facts(catalogue, file->file_idx);
	*facts = (struct file_facts){
		.bytes = state->bytes,
		.tokens = state->tokens,
		.chunk_first = state->chunk_first,
		.chunk_nr = (uint32_t)(state->chunk_next - state->chunk_first),
		.line_nr = file->line_nr,
		.mark_run = file->mark_run,
		.dot_run = file->dot_run,
		.traits = file->traits,
		.same_as = FILE_NONE,
		.duplicate_of = FILE_NONE,
		.reason = file->reason,
		.no_newline = (file->flags & DESC_NO_NEWLINE) != 0,
	};
	memcpy(facts->sha256, file->sha256, SHA256_BYTES);
	facts->hash = file->hash;
	facts->names_off = state->names_off;
	facts->outline_bytes = state->outline_bytes;
	facts->outline_tokens = state->outline_tokens;
	facts->head_first = state->head_first;
	memcpy(facts->outline_fingerprint, state->outline_fingerprint,
	       FINGERPRINT_BYTES);
	if (file->reason != REASON_NONE || facts->bytes == 0)
		return 0;
	if (!worker->run->job.no_dedup && can_compare(worker))
		find_duplicate(worker, file->file_idx);
	return 0;
}

/* The file leaves no chunks behind: left out, or told as another. */
static void
drop_chunks(struct worker *worker, uint32_t file_idx)
{
	struct dedup_state *state = worker->state;

	catalogue_facts(&worker->catalogue, file_idx)->chunk_nr = 0;
	state->chunk_next = state->chunk_first;
	state->term_next = state->term_first;
	state->head_next = state->head_first;
}

/* A planned file that can no longer be had as it was surveyed. */
static void
invalidate_planned(struct worker *worker, uint32_t file_idx, uint8_t reason)
{
	catalogue_facts(&worker->catalogue, file_idx)->reason = reason;
}

static bool
is_survey(const struct worker *worker)
{
	return !worker->run->job.takes_all && worker->pass == PASS_FIRST;
}

static int
take_file(struct worker *worker, const struct desc *in)
{
	struct dedup_state *state = worker->state;
	struct desc_file file;
	int error;

	memcpy(&file, in, sizeof(file));
	if (state->poison)
		file.reason = REASON_POISON;
	if (!is_survey(worker) && !worker->run->job.takes_all) {
		invalidate_planned(worker, file.file_idx, file.reason);
		state->drop = 1;
		return 0;
	}
	if (file.kind == DESC_FILE && file.bytes > 0)
		state->bytes = file.bytes;
	error = write_facts(worker, &file);
	if (error != 0)
		return error;
	state->drop =
		file.reason != REASON_NONE ||
		catalogue_facts(&worker->catalogue, file.file_idx)->same_as !=
			FILE_NONE;
	if (state->drop)
		drop_chunks(worker, file.file_idx);
	if (worker->run->job.takes_all) {
		file.flags |= DESC_EMIT;
		forward(worker, (const struct desc *)(const void *)&file);
	}
	return 0;
}

static int
write_chunk(struct worker *worker, const struct desc *run)
{
	struct dedup_state *state = worker->state;
	struct catalogue *catalogue = &worker->catalogue;
	struct chunk_record *chunk;
	int error = table_reserve(&catalogue->chunks,
				  (state->chunk_next + 1) * sizeof(*chunk));

	if (error != 0)
		return error;
	chunk = catalogue_chunk(catalogue, state->chunk_next);
	*chunk = (struct chunk_record){
		.file_off = state->chain_off,
		.bytes = state->chain_bytes,
		.file_idx = run->file_idx,
		.line_first = state->chain_line,
		.line_nr = state->chain_lines,
		.tokens = run->tokens,
		.head = state->chain_head,
		.branches = run->branches,
	};
	memcpy(chunk->fingerprint, run->fingerprint, FINGERPRINT_BYTES);
	state->chunk_next++;
	state->tokens = add_sat_u64(state->tokens, run->tokens);
	return 0;
}

/* Of the chunk that was written last. */
static int
write_head(struct worker *worker, const struct desc *run)
{
	struct dedup_state *state = worker->state;
	struct catalogue *catalogue = &worker->catalogue;
	struct chunk_record *head;
	int error;

	if (state->head_next == UINT32_MAX ||
	    state->chunk_next == state->chunk_first)
		return 0;
	error = table_reserve(&catalogue->heads,
			      (state->head_next + 1ull) * sizeof(*head));
	if (error != 0)
		return error;
	head = catalogue_head(catalogue, state->head_next++);
	*head = (struct chunk_record){
		.file_off = run->file_off,
		.bytes = run->bytes,
		.file_idx = run->file_idx,
		.line_first = run->line_first,
		.line_nr = run->line_nr,
		.tokens = run->tokens,
		.head = (uint32_t)(state->chunk_next - 1 - state->chunk_first),
	};
	memcpy(head->fingerprint, run->fingerprint, FINGERPRINT_BYTES);
	return 0;
}

static int
take_scanned(struct worker *worker, const struct desc *run)
{
	struct dedup_state *state = worker->state;
	uint64_t bytes = (uint64_t)run->bytes + run->left_bytes;
	int error = 0;

	if (run->flags & DESC_OUTLINE) {
		state->outline_bytes = run->bytes;
		state->outline_tokens = run->tokens;
		memcpy(state->outline_fingerprint, run->fingerprint,
		       FINGERPRINT_BYTES);
		return 0;
	}
	if (run->flags & DESC_HEAD)
		return is_survey(worker) ? write_head(worker, run) : 0;
	state->bytes += bytes;
	if (state->chain_bytes == 0) {
		state->chain_head = run->head;
		state->chain_off = run->file_off;
		state->chain_line = run->line_first;
		state->chain_lines = 0;
	}
	state->chain_bytes += bytes;
	state->chain_lines += run->line_nr;
	if (run->flags & DESC_MORE) {
		/* a run that is not the last ends within its last line */
		state->chain_lines -= run->line_nr > 0;
		return 0;
	}
	if (is_survey(worker))
		error = write_chunk(worker, run);
	state->chain_bytes = 0;
	return error;
}

/* What the chunk in work, or the one just written, has of the query. */
static int
take_terms(struct worker *worker, const struct desc *in)
{
	struct dedup_state *state = worker->state;
	struct catalogue *catalogue = &worker->catalogue;
	bool is_open = in->flags & DESC_MORE;
	struct desc_terms terms;
	int error;

	memcpy(&terms, in, sizeof(terms));
	if (terms.nr > TERMS_OF_RUN || (!is_open && state->chunk_next == 0))
		return 0;
	error = table_reserve(&catalogue->terms,
			      (state->term_next + terms.nr) *
				      sizeof(struct term_record));
	if (error != 0)
		return error;
	for (uint32_t i = 0; i < terms.nr; i++)
		*catalogue_term(catalogue, state->term_next++) =
			term_record(state->chunk_next - !is_open,
				    terms.found[i].term, terms.found[i].times);
	return 0;
}

/* Behind the last of them, for whoever reads them until now. */
static int
end_terms(struct worker *worker)
{
	const struct dedup_state *state = worker->state;
	struct catalogue *catalogue = &worker->catalogue;
	int error = table_reserve(&catalogue->terms,
				  (state->term_next + 1) *
					  sizeof(struct term_record));

	if (error == 0)
		*catalogue_term(catalogue, state->term_next) =
			term_record(CHUNK_NONE, 0, 0);
	return error;
}

/* What is written of a chunk up to a line, or of signatures: what it comes to.
 * It may come in runs. */
static void
count_truncated(struct worker *worker, const struct desc *run)
{
	struct dedup_state *state = worker->state;

	state->truncated_tokens =
		add_sat_u64(state->truncated_tokens, run->tokens_alone);
	if (run->flags & DESC_MORE)
		return;
	/* relaxed: read when all workers are gone */
	atomic_store_explicit(&worker->run->segment.control->truncated_tokens,
			      state->truncated_tokens, memory_order_relaxed);
	state->truncated_tokens = 0;
}

/* Whether a run of the plan, the last of its entry, is what was surveyed. */
static bool
is_as_planned(const struct worker *worker, const struct plan_entry *entry,
	      const struct desc *run)
{
	const struct catalogue *catalogue = &worker->catalogue;
	const struct chunk_record *chunk = catalogue_planned(catalogue, entry);
	const uint8_t *fingerprint = chunk->fingerprint;

	if (entry->tier == TIER_SIGNATURES)
		fingerprint = catalogue_facts(catalogue, run->file_idx)
				      ->outline_fingerprint;
	return chunk->file_idx == run->file_idx &&
	       memcmp(fingerprint, run->fingerprint, FINGERPRINT_BYTES) == 0;
}

/* A run that is planned: the cursor goes on where its entry ends. */
static void
take_planned(struct worker *worker, const struct desc *run)
{
	struct dedup_state *state = worker->state;
	const struct plan_entry *entry =
		catalogue_plan(&worker->catalogue, state->plan_next);

	if (entry->kept_lines != 0)
		count_truncated(worker, run);
	if (run->flags & DESC_MORE)
		return;
	state->plan_next++;
	if (!is_as_planned(worker, entry, run)) {
		invalidate_planned(worker, run->file_idx, REASON_CHANGED);
		state->drop = 1;
	}
}

static void
pass_on(struct worker *worker, const struct desc *run)
{
	struct dedup_state *state = worker->state;
	struct desc out = *run;

	if (worker->run->job.takes_all) {
		struct file_facts *facts =
			catalogue_facts(&worker->catalogue, run->file_idx);

		/* absolute, not added to: the step may be done again */
		state->tokens = add_sat_u64(state->tokens, run->tokens_alone);
		facts->tokens = state->tokens;
	} else {
		out.is_measured =
			catalogue_plan(&worker->catalogue, state->plan_next)
				->kept_lines == KEPT_MEASURED;
		take_planned(worker, run);
	}
	if (state->drop) {
		/* only the slab matters now */
		if (!(run->flags & DESC_RELEASE))
			return;
		out = (struct desc){ .kind = DESC_SLAB,
				     .flags = DESC_RELEASE,
				     .file_idx = run->file_idx,
				     .slab_idx = run->slab_idx };
	}
	forward(worker, &out);
}

/* Whether there is an entry of the plan under the cursor, of this file. */
static const struct plan_entry *
planned_of(const struct worker *worker, uint32_t file_idx)
{
	const struct dedup_state *state = worker->state;
	const struct catalogue *catalogue = &worker->catalogue;
	const struct control_shm *control = worker->run->segment.control;
	const struct plan_entry *entry;

	/* relaxed: written before this pass was asked for */
	if (state->plan_next >=
	    atomic_load_explicit(&control->plan_nr, memory_order_relaxed))
		return NULL;
	entry = catalogue_plan(catalogue, state->plan_next);
	return catalogue_chunk(catalogue, entry->chunk_idx)->file_idx ==
			       file_idx
		       ? entry
		       : NULL;
}

static bool
is_gather(const struct worker *worker)
{
	return !is_survey(worker) && !worker->run->job.takes_all;
}

/*
 * The cursor to the entry that this turn begins with, or NULL. By rank a file
 * is looked for once: its lines go on where its signatures end.
 */
static const struct plan_entry *
find_planned(struct worker *worker, uint32_t file_idx)
{
	struct dedup_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;

	if (!is_gather(worker))
		return NULL;
	if (worker->run->job.by_rank &&
	    (state->plan_next == 0 || state->file_idx != file_idx))
		state->plan_next = catalogue_plan_first(
			&worker->catalogue,
			/* relaxed: written before this pass was asked for */
			atomic_load_explicit(&control->plan_nr,
					     memory_order_relaxed),
			file_idx);
	return planned_of(worker, file_idx);
}

static void
begin_turn(struct worker *worker, const struct desc *in)
{
	struct dedup_state *state = worker->state;
	const struct plan_entry *entry = find_planned(worker, in->file_idx);

	state->signs = entry != NULL && entry->tier == TIER_SIGNATURES;
	state->in_turn = 1;
	state->lane = in->lane;
	state->file_idx = in->file_idx;
	state->drop = 0;
	state->poison = 0;
	state->chunk_first = state->chunk_next;
	state->term_first = state->term_next;
	state->head_first = state->head_next;
	state->bytes = 0;
	state->tokens = 0;
	state->chain_bytes = 0;
	state->truncated_tokens = 0;
	state->names_off = 0;
	state->outline_bytes = 0;
	state->outline_tokens = 0;
}

static void
end_turn(struct worker *worker)
{
	struct dedup_state *state = worker->state;
	const struct plan_entry *entry;

	state->in_turn = 0;
	if (!is_gather(worker))
		return;
	/* what a spoilt file left of this part of the plan */
	while ((entry = planned_of(worker, state->file_idx)) != NULL &&
	       (entry->tier == TIER_SIGNATURES) == (state->signs != 0))
		state->plan_next++;
}

/* What it came to, when it has ended this stage too often. */
static int
poison_file(struct worker *worker, uint32_t file_idx)
{
	struct desc_file file = {
		.kind = DESC_FILE,
		.flags = DESC_LAST,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
	};

	return take_file(worker, (const struct desc *)(const void *)&file);
}

/* The next entry of the turns: 1 taken, 0 none there, or -errno. */
static int
take_turn(struct worker *worker)
{
	struct desc in;
	int error = 0;

	if (!worker_peek(worker, EDGE_ORDER, 0, 0, &in))
		return 0;
	worker_position(worker, in.file_idx);
	begin_turn(worker, &in);
	if (in.kind == DESC_FILE) {
		error = take_file(worker, &in);
		end_turn(worker);
	}
	worker_take(worker, EDGE_ORDER, 0);
	return error != 0 ? error : 1;
}

/* Where the names of the file begin. */
static void
take_names(struct worker *worker, const struct desc *in)
{
	struct dedup_state *state = worker->state;

	/* R7: of another process */
	ASSERT(in->bytes < NAMES_LANE_BYTES);
	state->names_off =
		names_place(state->lane, worker->run->lane_nr, in->bytes) + 1;
}

/* The next entry of the lane whose turn it is: likewise. */
static int
take_counted(struct worker *worker)
{
	struct dedup_state *state = worker->state;
	struct desc in;
	int error = 0;

	if (!worker_peek(worker, EDGE_COUNTED, state->lane, 0, &in))
		return 0;
	ASSERT(in.file_idx == state->file_idx);
	/* one that died may have been further on */
	worker_position(worker, in.file_idx);
	if (in.kind == DESC_FILE)
		error = take_file(worker, &in);
	else if (in.kind == DESC_SLAB)
		forward(worker, &in);
	else if (in.kind == DESC_NAMES)
		take_names(worker, &in);
	else if (in.kind == DESC_TERMS)
		error = is_survey(worker) ? take_terms(worker, &in) : 0;
	else if (in.flags & DESC_SCAN)
		error = take_scanned(worker, &in);
	else
		pass_on(worker, &in);
	if (in.flags & DESC_LAST) {
		if (state->poison && in.kind != DESC_FILE)
			error = poison_file(worker, in.file_idx);
		end_turn(worker);
	}
	worker_take(worker, EDGE_COUNTED, state->lane);
	return error != 0 ? error : 1;
}

static int
dedup_step(struct worker *worker)
{
	struct dedup_state *state = worker->state;
	/* acquire: set by the supervisor before this process was forked */
	int limit =
		atomic_load_explicit(&worker->shm->retry, memory_order_acquire)
			? 1
			: ENTRIES_PER_STEP;
	int taken = 0;

	while (taken < limit && worker_room(worker, EDGE_UNIQUE, 0) > 1) {
		int result = state->in_turn ? take_counted(worker)
					    : take_turn(worker);

		if (result < 0)
			return result;
		if (result == 0)
			break;
		taken++;
	}
	FAULT("deduped");
	if (taken > 0)
		return STEP_DONE;
	return !state->in_turn && worker_drained(worker) ? STEP_END
							 : STEP_AGAIN;
}

/* The entry at the head ends this stage each time: its file is left out. */
static int
dedup_poison(struct worker *worker)
{
	struct dedup_state *state = worker->state;
	struct desc in;
	int error = 0;

	if (worker_room(worker, EDGE_UNIQUE, 0) < 2)
		return STEP_AGAIN;
	if (!state->in_turn) {
		if (!worker_peek(worker, EDGE_ORDER, 0, 0, &in))
			return worker_drained(worker) ? STEP_END : STEP_AGAIN;
		worker_take(worker, EDGE_ORDER, 0);
		begin_turn(worker, &in);
	} else {
		if (!worker_peek(worker, EDGE_COUNTED, state->lane, 0, &in))
			return STEP_AGAIN;
		worker_take(worker, EDGE_COUNTED, state->lane);
	}
	/* what is still to come of it only gives its slabs back */
	state->poison = 1;
	state->drop = 1;
	if (in.kind == DESC_SLAB)
		forward(worker, &in);
	if (in.kind == DESC_RUN && !(in.flags & DESC_SCAN))
		pass_on(worker, &in);
	if (in.kind == DESC_FILE || (in.flags & DESC_LAST))
		error = poison_file(worker, in.file_idx);
	if (in.flags & DESC_LAST)
		end_turn(worker);
	return error != 0 ? error : STEP_DONE;
}

static int
dedup_init(struct worker *worker)
{
	(void)worker;
	return 0;
}

static int
dedup_flush(struct worker *worker)
{
	struct dedup_state *state = worker->state;

	state->plan_next = 0;
	if (is_survey(worker) && worker->run->job.counts_terms)
		return end_terms(worker);
	return STEP_DONE;
}

const struct stage_ops dedup_ops = {
	.init = dedup_init,
	.step = dedup_step,
	.flush = dedup_flush,
	.poison = dedup_poison,
	.state_bytes = sizeof(struct dedup_state),
};
