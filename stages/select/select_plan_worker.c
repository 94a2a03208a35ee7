/* SPDX-License-Identifier: MIT */
/*
 * select_plan_worker.c - all chunks of the catalogue, ranked into a plan.
 *
 *   1  each category by rank, within its share of the budget
 *   2  what they leave: to the categories by their shares (--balance), then
 *      by rank to all, the tree included
 *   3  what is then left: the set of chunks that fills it best
 *
 * Does: walks the catalogue, window after window of candidates; takes what
 *       fits; writes the plan.
 * Does not: score, sort, share or fill up (the logic files of this folder).
 * Runs in: select.
 * Invariants:
 * 1. A plan is a pure function of the catalogue and the limit: a replacement
 *    makes the same one.
 * 2. What does not fit is passed over for the next that does.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stages/select/select.h"
#include "stages/select/select_budget.h"
#include "stages/select/select_plan.h"
#include "stages/select/select_score_worker.h"
#include "stages/worker.h"
#include "tokenizer/tokenizer.h"

#define FILES_PER_BEAT 4096
#define TRIM_RECORDS 65536  /* in order: some 8 MiB */
#define RECORDS_PER_PAGE 16 /* in any order, each may be a page of its own */
#define LONG_RUN 16         /* of marks: from here on a fence costs tokens */
#define WORTH_PART 1000   /* less room than one in so many: no further search */
#define TOP_PART 400      /* no more unused than one in so many: full */
#define TOP_GIVEN_BACK 24 /* chunks, at most, to fill the end better */
#define TOP_ROOM_AIM 3000 /* tokens, so many of them as to make this room */

/* Which candidates a window is filled with. */
enum round {
	ROUND_SHARES = 0, /* those of sources, within their shares */
	ROUND_TREE,       /* those of the tree */
	ROUND_ALL
};

struct taken {
	struct select_candidate candidate;
	uint64_t cost; /* its file's header included, if it is the first */
	bool is_first; /* of its file */
};

/* A plan in the making. */
struct plan {
	struct worker *worker;
	struct select_window window;
	struct select_set taken;
	struct select_scores scores;
	struct select_budget budget;
	struct select_least least;
	uint8_t *file_taken;            /* a bit a file */
	uint8_t key[FINGERPRINT_BYTES]; /* of the last candidate */
	struct taken *chunks;
	size_t chunk_nr;
	size_t chunk_max;
	size_t shares_nr; /* of them, taken within the shares */
	uint64_t file_nr;
	uint64_t files_taken;
	enum round round;
	bool wants[CATEGORY_NR]; /* had something that its share did not hold */
	bool more_left;
	uint64_t looked_at; /* records since the last trim */
	/* of the end */
	uint32_t costs[SELECT_TOP_MAX];
	uint32_t items[SELECT_TOP_MAX]; /* in the window, or given back */
	bool chosen[SELECT_TOP_MAX];
	uint16_t reach[SELECT_TOP_ROOM + 1];
	struct select_candidate given_back[TOP_GIVEN_BACK];
};

/*
 * So many more records, or pages, have been looked at: what is mapped of the
 * catalogue is given back now and then, so that it never adds up.
 */
static void
looked_at(struct plan *plan, uint64_t records)
{
	plan->looked_at += records;
	if (plan->looked_at < TRIM_RECORDS)
		return;
	plan->looked_at = 0;
	catalogue_trim(&plan->worker->catalogue);
}

/* What has no tokens is never taken. */
static bool
is_of_round(const struct plan *plan, const struct select_candidate *candidate)
{
	bool of_tree = candidate->category == CATEGORY_TREE;

	if (candidate->tokens == 0)
		return false;
	if (plan->round == ROUND_SHARES)
		return !of_tree || plan->budget.percents[CATEGORY_TREE] > 0;
	return plan->round == ROUND_ALL || of_tree;
}

/* Whether files are taken by their signatures, all of them. */
static bool
by_signatures(const struct plan *plan)
{
	return plan->worker->run->options.compress;
}

/* The signatures of a file are as good as the best of its chunks. */
static void
keep_best(struct select_candidate *best,
	  const struct select_candidate *candidate)
{
	if (best->tokens != 0 && candidate->score <= best->score)
		return;
	best->score = candidate->score;
	best->category = candidate->category;
	best->tokens = 1;
}

/* All chunks of a file, as candidates; or the file, by its signatures. */
static void
add_file(struct plan *plan, uint32_t file_idx)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct select_candidate whole = { .file_idx = file_idx,
					  .chunk_idx = facts->chunk_first };

	select_scores_file(&plan->scores, file_idx);
	if (plan->scores.asked == NULL && plan->round == ROUND_SHARES &&
	    plan->budget.percents[CATEGORY_TREE] == 0)
		return;
	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		uint64_t idx = facts->chunk_first + c;
		struct select_candidate candidate = {
			.file_idx = file_idx,
			.chunk_idx = idx,
			.tokens = catalogue_chunk(catalogue, idx)->tokens,
		};

		candidate.score = select_scores_chunk(
			&plan->scores, c, &candidate.category, NULL);
		if (by_signatures(plan))
			keep_best(&whole, &candidate);
		else if (is_of_round(plan, &candidate))
			select_window_add(&plan->window, &candidate);
	}
	if (!by_signatures(plan))
		return;
	whole.tokens = facts->sign_tokens;
	if (is_of_round(plan, &whole))
		select_window_add(&plan->window, &whole);
}

static void
fill_window(struct plan *plan)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;

	select_window_next(&plan->window);
	select_scores_rewind(&plan->scores);
	for (uint64_t i = 0; i < plan->file_nr; i++) {
		const struct file_facts *facts = catalogue_facts(catalogue, i);

		if (i % FILES_PER_BEAT == 0) {
			worker_beat(plan->worker);
		}
		looked_at(plan, 1);
		if (!select_is_usable(facts))
			continue;
		add_file(plan, (uint32_t)i);
		looked_at(plan, facts->chunk_nr);
	}
	select_window_sort(&plan->window);
	catalogue_trim(catalogue);
}

/* What a file costs before its first line. */
static uint64_t
header_tokens(const struct plan *plan, uint32_t file_idx)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);

	const struct run *run = plan->worker->run;
	const struct markup_format *format =
		markup_table[run->options.markup.kind];
	uint32_t mark_run = catalogue_facts(catalogue, file_idx)->mark_run;

	/*
	 * Its path and the marks around it, two longer than any in it; a
	 * token of a vocabulary holds about two of them.
	 */
	return format->frame_tokens +
	       (format->mark != '\0' && mark_run > LONG_RUN ? mark_run : 0) +
	       tokenizer_count(run->tokenizer, NULL,
			       catalogue_path(catalogue, file),
			       file->path_bytes);
}

static bool
has_file(const struct plan *plan, uint32_t file_idx)
{
	return plan->file_taken[file_idx / 8] >> file_idx % 8 & 1;
}

/* Of what is written for a chunk. */
static const uint8_t *
fingerprint_at(const struct plan *plan, uint64_t chunk_idx)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, chunk_idx);

	return by_signatures(plan) ? catalogue_facts(catalogue, chunk->file_idx)
					     ->sign_fingerprint
				   : chunk->fingerprint;
}

/* What a chunk is known by: its content or, with --no-dedup, its place. */
static const uint8_t *
key_of(struct plan *plan, const struct select_candidate *candidate)
{
	uint64_t place[2] = { candidate->chunk_idx * 0x9e3779b97f4a7c15,
			      candidate->chunk_idx };

	static_assert(sizeof(place) == FINGERPRINT_BYTES, "one key");
	if (!plan->worker->run->options.no_dedup)
		return fingerprint_at(plan, candidate->chunk_idx);
	memcpy(plan->key, place, sizeof(plan->key));
	return plan->key;
}

/* Tokens that it would take; beyond `room` no more than that is said. */
static uint64_t
cost_of(const struct plan *plan, const struct select_candidate *candidate,
	uint64_t room)
{
	uint64_t cost = candidate->tokens;

	if (cost <= room && !has_file(plan, candidate->file_idx))
		cost += header_tokens(plan, candidate->file_idx);
	return cost;
}

static int
grow(struct plan *plan)
{
	size_t max = plan->chunk_max == 0 ? 1024 : plan->chunk_max * 2;
	struct taken *chunks;

	if (plan->chunk_nr < plan->chunk_max)
		return 0;
	chunks = realloc(plan->chunks, max * sizeof(*chunks));
	if (chunks == NULL)
		return -ENOMEM;
	plan->chunks = chunks;
	plan->chunk_max = max;
	return 0;
}

/* There is room for it, and it is new: 0 or -errno. */
static int
take(struct plan *plan, const struct select_candidate *candidate, uint64_t cost)
{
	bool is_first = !has_file(plan, candidate->file_idx);
	int error = grow(plan);

	if (error != 0)
		return error;
	ASSERT(select_budget_take(&plan->budget, candidate->category, cost));
	select_least_taken(&plan->least, candidate->chunk_idx);
	plan->files_taken += is_first;
	plan->file_taken[candidate->file_idx / 8] |=
		(uint8_t)(1u << candidate->file_idx % 8);
	plan->chunks[plan->chunk_nr++] = (struct taken){
		.candidate = *candidate,
		.cost = cost,
		.is_first = is_first,
	};
	return 0;
}

/* Takes a candidate if there is room and it is new; 0 or -errno. */
static int
consider(struct plan *plan, const struct select_candidate *candidate)
{
	uint64_t room = select_budget_left(&plan->budget, candidate->category);
	uint64_t cost = cost_of(plan, candidate, room);
	uint64_t kept =
		select_least_reserve(&plan->least, candidate->chunk_idx);
	int result;

	if (cost > room || add_sat_u64(cost, kept) >
				   plan->budget.available - plan->budget.used) {
		if (!select_set_has(&plan->taken, key_of(plan, candidate))) {
			plan->more_left = true;
			plan->wants[candidate->category] = true;
		}
		return 0;
	}
	result = select_set_add(&plan->taken, key_of(plan, candidate));
	return result <= 0 ? result : take(plan, candidate, cost);
}

static uint64_t
unused(const struct plan *plan)
{
	return plan->budget.available - plan->budget.used;
}

/* All candidates of a round, window after window, by rank. */
static int
fill_round(struct plan *plan, enum round round)
{
	plan->window = (struct select_window){ .heap = plan->window.heap };
	plan->round = round;
	plan->more_left = false;
	memset(plan->wants, 0, sizeof(plan->wants));
	do {
		fill_window(plan);
		for (size_t i = 0; i < plan->window.nr; i++) {
			int error = consider(plan, &plan->window.heap[i]);

			looked_at(plan, RECORDS_PER_PAGE);
			if (error != 0)
				return error;
		}
	} while (plan->window.passed_over > 0 &&
		 unused(plan) > plan->budget.available / WORTH_PART);
	plan->more_left |= plan->window.passed_over > 0;
	return 0;
}

/* ---- the end ----------------------------------------------------------- */

/*
 * Gives the last chunks back, so that there is more room and more to choose
 * from. How many there are now.
 */
static uint32_t
give_back_last(struct plan *plan)
{
	uint64_t aim = min_u64(TOP_ROOM_AIM, plan->budget.available / 8);
	uint32_t nr = 0;

	if (plan->worker->run->options.min_chunks > 1)
		return 0;
	while (nr < TOP_GIVEN_BACK && unused(plan) < aim &&
	       plan->chunk_nr > plan->shares_nr + 1) {
		const struct taken *last = &plan->chunks[plan->chunk_nr - 1];

		if (unused(plan) + last->cost > SELECT_TOP_ROOM)
			break;
		plan->given_back[nr++] = last->candidate;
		select_budget_give_back(&plan->budget, last->candidate.category,
					last->cost);
		if (last->is_first) {
			uint32_t file_idx = last->candidate.file_idx;

			plan->file_taken[file_idx / 8] &=
				(uint8_t) ~(1u << file_idx % 8);
			plan->files_taken--;
		}
		plan->chunk_nr--;
	}
	return nr;
}

/* An item of the end: one that was given back, or one of the window. */
static const struct select_candidate *
top_item(const struct plan *plan, uint32_t given_back, uint32_t item)
{
	return item < given_back ? &plan->given_back[given_back - 1 - item]
				 : &plan->window.heap[item - given_back];
}

static uint32_t
find_items(struct plan *plan, uint32_t given_back)
{
	uint32_t end = given_back + (uint32_t)plan->window.nr;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < end && nr < SELECT_TOP_MAX; i++) {
		const struct select_candidate *it =
			top_item(plan, given_back, i);
		uint64_t room = min_u64(
			SELECT_TOP_ROOM,
			select_budget_left(&plan->budget, it->category));
		uint64_t cost;

		looked_at(plan, RECORDS_PER_PAGE);
		cost = cost_of(plan, it, room);

		if (cost > room ||
		    (i >= given_back &&
		     select_set_has(&plan->taken, key_of(plan, it))))
			continue;
		plan->items[nr] = i;
		plan->costs[nr++] = (uint32_t)cost;
	}
	return nr;
}

/* The best set of what is left over for the room that is left over. */
static int
top_up(struct plan *plan)
{
	uint32_t given_back;
	uint32_t nr;

	if (!plan->more_left ||
	    unused(plan) <= plan->budget.available / TOP_PART)
		return 0;
	given_back = give_back_last(plan);
	nr = find_items(plan, given_back);
	select_top_up(plan->costs, nr,
		      (uint32_t)min_u64(unused(plan), SELECT_TOP_ROOM),
		      plan->reach, plan->chosen);
	for (uint32_t i = 0; i < nr; i++) {
		const struct select_candidate *it =
			top_item(plan, given_back, plan->items[i]);
		int result;

		if (!plan->chosen[i])
			continue;
		result = select_set_add(&plan->taken, key_of(plan, it));
		if (result < 0)
			return result;
		/* the same content twice in the window: the better one */
		if (result == 0 && plan->items[i] >= given_back)
			continue;
		result = take(plan, it, cost_of(plan, it, UINT64_MAX));
		if (result != 0)
			return result;
	}
	return 0;
}

/* ---- the whole --------------------------------------------------------- */

/* The cheapest chunks, for --min-chunks; contents that differ. */
static void
find_least(struct plan *plan)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;
	struct select_least *least = &plan->least;

	least->wanted = (uint32_t)plan->worker->run->options.min_chunks;
	if (least->wanted <= 1)
		return;
	for (uint64_t f = 0; f < plan->file_nr; f++) {
		const struct file_facts *facts = catalogue_facts(catalogue, f);
		uint64_t header = 0;

		looked_at(plan, 1);
		if (!select_is_usable(facts))
			continue;
		looked_at(plan, facts->chunk_nr);
		for (uint32_t c = 0; c < facts->chunk_nr; c++) {
			uint64_t idx = facts->chunk_first + c;
			uint32_t tokens =
				by_signatures(plan)
					? facts->sign_tokens
					: catalogue_chunk(catalogue, idx)
						  ->tokens;
			uint32_t same = 0;

			if (tokens == 0 || (by_signatures(plan) && c > 0) ||
			    (least->nr == least->wanted &&
			     least->cheapest[least->nr - 1].cost <= tokens))
				continue;
			while (same < least->nr &&
			       memcmp(fingerprint_at(plan, idx),
				      fingerprint_at(
					      plan,
					      least->cheapest[same].chunk_idx),
				      FINGERPRINT_BYTES) != 0)
				same++;
			if (same < least->nr)
				continue;
			if (header == 0)
				header = header_tokens(plan, (uint32_t)f);
			select_least_add(least, tokens + header, idx);
		}
	}
}

/* Shares first, if anything is asked for; then what they leave. */
static int
fill_plan(struct plan *plan)
{
	const struct pack_options *options = &plan->worker->run->options;
	bool has_sources = options->sources.file_nr > 0;
	int error = 0;

	find_least(plan);
	if (has_sources)
		error = fill_round(plan, ROUND_SHARES);
	while (error == 0 && has_sources && options->balance &&
	       !options->no_redistribute &&
	       select_budget_balance(&plan->budget, plan->wants))
		error = fill_round(plan, ROUND_SHARES);
	if (error != 0)
		return error;
	plan->shares_nr = plan->chunk_nr;
	select_budget_redistribute(&plan->budget);
	error = fill_round(plan, has_sources && options->no_redistribute
					 ? ROUND_TREE
					 : ROUND_ALL);
	return error != 0 ? error : top_up(plan);
}

/* The factors of what is taken, worked out once more: it is in order now. */
static void
explain_plan(struct plan *plan)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;
	uint32_t file_idx = FILE_NONE;

	select_scores_rewind(&plan->scores);
	for (size_t i = 0; i < plan->chunk_nr; i++) {
		struct plan_entry *entry = catalogue_plan(catalogue, i);
		uint32_t of =
			catalogue_chunk(catalogue, entry->chunk_idx)->file_idx;
		uint8_t category;

		if (of != file_idx)
			select_scores_file(&plan->scores, of);
		file_idx = of;
		select_scores_chunk(
			&plan->scores,
			(uint32_t)(entry->chunk_idx -
				   catalogue_facts(catalogue, of)->chunk_first),
			&category, &entry->factors);
	}
}

static int
write_plan(struct plan *plan)
{
	struct catalogue *catalogue = &plan->worker->catalogue;
	struct control_shm *control = plan->worker->run->segment.control;
	struct select_candidate *order =
		calloc(plan->chunk_nr + 1, sizeof(*order));
	int error = table_reserve(&catalogue->plan,
				  plan->chunk_nr * sizeof(struct plan_entry));

	if (order == NULL)
		error = -ENOMEM;
	if (error != 0) {
		free(order);
		return error;
	}
	for (size_t i = 0; i < plan->chunk_nr; i++)
		order[i] = plan->chunks[i].candidate;
	select_sort_place(order, plan->chunk_nr);
	for (size_t i = 0; i < plan->chunk_nr; i++)
		*catalogue_plan(catalogue, i) = (struct plan_entry){
			.chunk_idx = order[i].chunk_idx,
			.score = order[i].score,
			.category = order[i].category,
			.tier = by_signatures(plan) ? TIER_SIGNATURES
						    : TIER_FULL,
		};
	explain_plan(plan);
	free(order);
	/* relaxed: the store of `pass` or `done` publishes them */
	atomic_store_explicit(&control->plan_nr, plan->chunk_nr,
			      memory_order_relaxed);
	atomic_store_explicit(&control->plan_files, plan->files_taken,
			      memory_order_relaxed);
	return 0;
}

/* A limit of nothing holds nothing. */
static int
share_out(struct plan *plan, uint64_t limit)
{
	static const uint32_t none[CATEGORY_NR] = { 0 };
	const struct pack_options *options = &plan->worker->run->options;

	if (limit == 0)
		return 0;
	return select_budget_init(
		&plan->budget, limit, 0, 0,
		options->sources.file_nr > 0 ? options->percents : none);
}

int
select_make_plan(struct worker *worker, uint64_t limit, bool *more_left)
{
	const struct control_shm *control = worker->run->segment.control;
	struct plan *plan = calloc(1, sizeof(*plan));
	int error = -ENOMEM;

	if (plan == NULL)
		return -ENOMEM;
	plan->worker = worker;
	plan->window.heap = worker->scratch;
	/* acquire: the records of these files are whole */
	plan->file_nr = atomic_load_explicit(&control->files_seen,
					     memory_order_acquire);
	plan->file_taken = calloc(plan->file_nr / 8 + 1, 1);
	if (plan->file_taken != NULL)
		error = share_out(plan, limit);
	if (error == 0)
		error = select_scores_init(&plan->scores, worker,
					   plan->file_nr);
	if (error == 0)
		error = fill_plan(plan);
	if (error == 0)
		error = write_plan(plan);
	*more_left = plan->more_left;
	select_set_free(&plan->taken);
	free(plan->file_taken);
	free(plan->chunks);
	select_scores_fini(&plan->scores);
	free(plan);
	return error;
}
