/* SPDX-License-Identifier: MIT */
/*
 * select_plan_worker.h - a plan in the making, for the files that make it.
 *
 *   select_plan_worker.c  the whole: which rounds there are
 *   select_candidates_worker.c the candidates of a round, by rank, window by window
 *   select_take_worker.c  what a candidate costs; taking it, giving it back
 *   select_min_chunks_worker.c the cheapest chunks, for --min-chunks
 *   select_duplicates_worker.c files of which only one is a candidate
 *   select_planned_set_worker.c the contents that are in it
 *   select_tier_worker.c  files in full, or by their signatures, or in part
 *   select_items_worker.c what the end is filled with, and what that costs
 *   select_best_fit_worker.c   the end: the set that fills what is left best
 *   select_prefix_worker.c one chunk more, up to a line
 *   select_write_worker.c the plan itself, in the catalogue
 *   select_rest_worker.c  behind it, where what is left out stands
 *
 * Runs in: select.
 */
#ifndef SELECT_SELECT_PLAN_WORKER_H
#define SELECT_SELECT_PLAN_WORKER_H

#include "rank/rank.h"
#include "rank/budget.h"
#include "stages/select/select_cost_worker.h"
#include "stages/select/select_sorted_runs_worker.h"
#include "stages/select/select_score_worker.h"
#include "rank/best_fit.h"
#include "stages/worker.h"

#define TOP_GIVEN_BACK 48 /* chunks, at most, to fill the end better */
#define LAST_MAX 2048     /* chunks that are known one by one, at most */

/* Which candidates a window is filled with. */
enum round {
	ROUND_PINS = 0, /* pinned files, as a whole */
	ROUND_SHARES,   /* those of sources, within their shares */
	ROUND_TREE,     /* those of the tree */
	ROUND_ALL,
	/* with tiers */
	ROUND_FILES,    /* files as a whole; chunks of those asked for */
	ROUND_SECTIONS, /* chunks of files that are not in full */
	ROUND_REST      /* chunks of large files of few points */
};

struct taken {
	struct rank_candidate candidate;
	uint64_t cost;  /* its file's header included, if it is the first */
	bool is_first;  /* of its section */
	bool pays_head; /* its head is in the plan for it */
	bool is_pinned;
	bool is_file;   /* by tiers: a file in full, or its signatures */
	bool is_shared; /* asked for, and within its share */
};

/* What makes room for others at the end: each as what is before it as well. */
enum reclaim_level {
	RECLAIM_SECTIONS = 0, /* by tiers: parts of files */
	RECLAIM_TREE, /* files in full, and signatures, that no source asks for */
	RECLAIM_REQUESTED, /* what is asked for, beyond its share */
	RECLAIM_SHARES     /* and within it, for others that are asked for */
};

/* An item of the end, and where it lies. */
struct top_place {
	uint64_t chunk_idx;
	uint32_t file_idx;
	uint32_t item;  /* in the window, or given back */
	uint32_t front; /* the first item of its section */
	uint8_t unit;   /* enum rank_unit */
	struct rank_item costs;
};

/* Tokens of what stands around an item, once they are counted; 0: not yet. */
struct top_price {
	uint32_t section;
	uint32_t mark;
};

/* Bits, as many as there are set ones to be kept. */
struct select_bits {
	uint8_t *bytes;
	uint64_t nr; /* that there is room for */
};

/*
 * What a plan leaves to the next one, which has another limit: most output is
 * planned two or three times.
 */
struct select_kept {
	struct rank_candidate window[RANK_CANDIDATES];
	struct select_scores scores;
	bool has_scores;
	bool knows_duplicates; /* files of the same content are told apart */
	/* a trial has found that there is more than even its limit holds */
	bool is_too_large;
	/* the window is the first one of ROUND_ALL, whatever the limit is as
	 * long as there is room for the largest of all candidates */
	bool has_window;
	size_t nr;
	uint64_t passed_over;
	uint32_t largest_tokens;
};

struct plan {
	struct worker *worker;
	struct select_kept *kept;
	struct rank_candidates window;
	uint32_t scan_nr;         /* windows of this round found by one each */
	uint64_t used_before;     /* of the budget, by the last window */
	struct select_runs *runs; /* the others, in order; NULL: not yet */
	int error;                /* of these */
	struct rank_set taken;
	struct select_scores scores;
	struct rank_budget budget;
	uint64_t extra;  /* added when all else is filled */
	uint64_t beyond; /* of the limit, more than is available: not shared */
	struct min_chunk_reserve least;
	struct select_cost cost;
	struct select_bits files; /* that have chunks in it */
	struct select_bits signs; /* that are in it by their signatures */
	struct select_bits chunk_bits;
	struct select_bits heads;       /* that chunks of it are within */
	struct select_bits pinned;      /* files that are in it in full */
	uint8_t key[FINGERPRINT_BYTES]; /* of the last candidate */
	size_t chunk_nr;                /* that are taken, and signatures */
	struct taken last[LAST_MAX];    /* the newest of them */
	size_t last_nr;
	uint64_t file_nr;
	enum round round;
	bool wants[CATEGORY_NR]; /* had something that its share did not hold */
	bool more_left;
	bool has_dropped;   /* of this round, some that there is no room for */
	bool is_topping;    /* the window is for the end of the plan */
	bool is_truncating; /* it is of chunks to be parted */
	bool rest_left;     /* there are files for the last round */
	bool outlines_left; /* so are files of one chunk, by their signatures */
	bool has_duplicates; /* all fits, but some of it is there twice */
	bool is_scored;      /* scores is ready */
	bool by_tiers;       /* files, not chunks, are what is chosen */
	bool is_trial;       /* it is to hold all, or nothing */
	bool keeps_all;      /* nothing is given back any more */
	enum rank_how how;
	struct {
		uint64_t chunk_idx;  /* of which only so many lines are taken */
		enum rank_unit unit; /* or of the signatures of its file */
		uint32_t lines;      /* 0: no chunk is */
		uint32_t of;         /* lines, and tokens, of the whole chunk */
		uint32_t tokens;
		bool has_outcome; /* of what a tool did */
	} truncated;
	uint32_t largest_tokens; /* of the candidates of a scan */
	/* of the end */
	enum reclaim_level reclaim_level;
	struct top_price prices[RANK_CANDIDATES];   /* of the window */
	struct top_place ranked[RANK_BEST_FIT_MAX]; /* all items, by rank */
	struct top_place places[RANK_BEST_FIT_MAX]; /* the first, by section */
	struct rank_item items[RANK_BEST_FIT_MAX];
	uint32_t chosen[RANK_BEST_FIT_MAX]; /* what for; 0: not */
	uint64_t top_words[RANK_BEST_FIT_WORDS];
	struct rank_candidate given_back[TOP_GIVEN_BACK];
	uint8_t item_slots[2 * RANK_BEST_FIT_MAX][FINGERPRINT_BYTES];
	struct rank_set of_items; /* their contents, in these slots */
};

/* Whether files are taken by their signatures, all of them. */
static inline bool
plan_by_signatures(const struct plan *plan)
{
	return plan->worker->run->options.compress;
}

#define TOP_PART 400    /* no more unused than one in so many: full */
#define EXACT_PART 2000 /* the same, of an exact plan */

/* Of a plan: one in so many, or, if it is an exact one, hardly any. */
static inline uint64_t
plan_part(const struct plan *plan, uint64_t part)
{
	return plan->budget.available /
	       (plan->how == RANK_BY_RANK ? part : EXACT_PART);
}

/* Whether so much is unused that more is looked for. */
static inline bool
plan_has_room(const struct plan *plan)
{
	return plan->budget.available - plan->budget.used >
	       plan_part(plan, TOP_PART);
}

/* Whether what no source asks for is taken as well. */
static inline bool
plan_takes_tree(const struct plan *plan)
{
	return !plan->worker->run->options.sources_only;
}

/* Whether what the shares leave is for this category, too. */
static inline bool
plan_may_have(const struct plan *plan, uint8_t category)
{
	return category == CATEGORY_TREE
		       ? plan_takes_tree(plan)
		       : !plan->worker->run->options.no_redistribute;
}

/* What the plan leaves of the tokens that there are. */
static inline uint64_t
plan_unused(const struct plan *plan)
{
	return plan->budget.available - plan->budget.used;
}

/* Scores, once for all plans, in worker->scratch; 0 or -ENOMEM. */
int
plan_make_scores(struct worker *worker, uint64_t file_nr);

/* ---- select_candidates_worker.c ---- */

/*
 * shape:  the next candidates of the round by rank, RANK_CANDIDATES at most, in
 *         plan->window
 * errors: -ENOMEM; -errno of the table of runs
 */
int
plan_fill_window(struct plan *plan);

/*
 * shape:  the round is over: no further windows
 * errors: -errno of the table of runs
 */
int
plan_end_windows(struct plan *plan);

/* There is no room for a candidate: it is left, if its content is not there. */
void
plan_leave(struct plan *plan, const struct rank_candidate *candidate);

/*
 * shape:  whether a candidate is dropped before it is ranked, since there is
 *         no room for it, whoever asks for it
 * units:  candidate->tokens: that it takes at least
 */
bool
plan_drops(struct plan *plan, const struct rank_candidate *candidate);

/*
 * shape:  puts a ranked candidate in the window, if it is among the best; what
 *         its category has no room for is dropped
 * units:  as above
 */
void
plan_offer(struct plan *plan, const struct rank_candidate *candidate);

/* ---- select_take_worker.c ---- */

/* Whether the bit is set. */
bool
select_bits_has(const struct select_bits *bits, uint64_t idx);

/* 0 or -ENOMEM. */
int
select_bits_set(struct select_bits *bits, uint64_t idx);

/* Takes the bit away. */
void
select_bits_clear(struct select_bits *bits, uint64_t idx);

/* All of them; owner: none is accepted */
void
select_bits_free(struct select_bits *bits);

/* Tokens that it would take; beyond `room` no more than that is said. */
uint64_t
plan_cost(struct plan *plan, const struct rank_candidate *candidate,
	  uint64_t room);

/*
 * shape:  what it would cost by what else of its section is chosen; false: it
 *         costs more than `room`
 * owner:  price is its own, all zero at first; item->section is the caller's;
 *         so is whether there is an item just before it: if not, `beside` is
 *         of no use
 */
bool
plan_item_costs(struct plan *plan, const struct rank_candidate *candidate,
		uint64_t room, struct top_price *price, struct rank_item *item);

/* Puts in what there is room for: 0 or -ENOMEM. */
int
plan_take(struct plan *plan, const struct rank_candidate *candidate,
	  uint64_t cost);

/* Makes room for as many as are chosen at the end: they can be given back. */
void
plan_remember_newest(struct plan *plan);

/* Whether one of the newest, plan->last[at], may be given back now. */
bool
plan_may_give_back(const struct plan *plan, size_t at);

/* Takes it back; its content stays known. calls: when it may be */
void
plan_give_back(struct plan *plan, size_t at);

/*
 * shape:  the head that a candidate is to have before it, in *idx; NULL: it
 *         has none, or the chunk is in the plan that it begins in
 */
const struct chunk_record *
plan_head(const struct plan *plan, const struct rank_candidate *candidate,
	  uint64_t *idx);

/* Takes a candidate if there is room and it is new; 0 or -errno. */
int
plan_consider(struct plan *plan, const struct rank_candidate *candidate);

/* ---- select_min_chunks_worker.c ---- */

/* What sources ask for of a file, if only that is packed; or NULL. */
const struct source_file *
plan_requested_of(const struct plan *plan, uint32_t file_idx);

/* Whether only what is asked for is packed, and this is not; asked: as above */
bool
plan_is_not_requested(const struct plan *plan,
		      const struct source_file *requested,
		      const struct chunk_record *chunk);

/* The cheapest chunks that differ, in plan->least; calls: once a plan */
void
plan_find_min_chunks(struct plan *plan);

/* ---- select_planned_set_worker.c ---- */

/* What of it is written: its fingerprint. */
const uint8_t *
plan_fingerprint(const struct plan *plan,
		 const struct rank_candidate *candidate);

/* Whether its content is in the plan already. */
bool
plan_has(struct plan *plan, const struct rank_candidate *candidate);

/* Its content is in the plan from now on: 1, 0: it was; -errno of the table. */
int
plan_know(struct plan *plan, const struct rank_candidate *candidate);

/* The contents that are in the plan, and no others: what was given back is
 * not known from now on. 0; -errno of the table */
int
plan_know_taken(struct plan *plan);

/* No contents are those of items, as yet. */
void
plan_clear_items(struct plan *plan);

/* Its content is one of an item from now on; false: it was. */
bool
plan_know_item(struct plan *plan, const struct rank_candidate *candidate);

/* ---- select_tier_worker.c ---- */

/* Candidates of a file, in the rounds of the tiers; its score is loaded. */
void
plan_add_tiers(struct plan *plan, uint32_t file_idx);

/*
 * shape:  takes signatures back of files that are there in full as well; how
 *         many
 */
size_t
plan_drop_needless(struct plan *plan);

/* A pinned file, as a candidate; its score is loaded. */
void
plan_add_pin(struct plan *plan, uint32_t file_idx);

/* A pinned file: in full if there is room for all of it; 0 or -errno. */
int
plan_consider_pin(struct plan *plan, const struct rank_candidate *file);

/* A file: in full, or else by its signatures, or not at all; 0 or -errno. */
int
plan_consider_file(struct plan *plan, const struct rank_candidate *file);

/* ---- select_items_worker.c ---- */

/* An item of the end: one that was given back, or one of the window. */
const struct rank_candidate *
plan_item_at(const struct plan *plan, uint32_t given_back, uint32_t item);

/* The window is another one: nothing in it has a price. */
void
plan_clear_prices(struct plan *plan);

/*
 * shape:  how many items there are, in plan->ranked: by rank, those that were
 *         given back first
 * units:  largest: tokens that one may cost
 */
uint32_t
plan_find_items(struct plan *plan, uint32_t given_back, uint64_t largest);

/*
 * shape:  the first nr of them in plan->places, those of a section side by
 *         side, the section with the best one first; what they cost in
 *         plan->items
 * calls:  after plan_find_items(), and before anything else is taken
 */
void
plan_sort_items(struct plan *plan, uint32_t nr);

/* ---- select_best_fit_worker.c ---- */

/* The best set of what is left over for the room that is left over. */
int
plan_fill_remainder(struct plan *plan);

/* ---- select_prefix_worker.c ---- */

/*
 * shape:  takes the chunk that is asked for as well, up to a line, whatever
 *         the limit; plan->parted says which one: none, if there is none such
 * errors: -ENOMEM; -errno of a table
 * calls:  when all else of the plan is taken
 */
int
plan_take_prefix(struct plan *plan, const struct select_truncated *truncated);

/* ---- select_write_worker.c ---- */

/*
 * shape:  writes what is taken into the catalogue, and how much it is
 * errors: -ENOMEM; -errno of the table
 */
int
plan_write(struct plan *plan);

#endif
