/* SPDX-License-Identifier: MIT */
/*
 * budget.h - how many tokens there are, and who may have them.
 *
 *   total - response reserve - system reserve = available
 *   available = a share for each category + nothing for the tree
 *   what a category does not use goes to whoever still wants some
 *
 * Does: shares, taking, giving back, redistribution; a least number of
 *       chunks.
 * Does not: know chunks or ranks: its caller asks in the order of the ranks.
 * Invariants:
 * 1. The sum of what is taken never exceeds what is available.
 * 2. Sums are of 64 bits; one that would not fit is refused.
 */
#ifndef RANK_BUDGET_H
#define RANK_BUDGET_H

#include "base/base.h"
#include "catalogue/desc.h"

/* Tokens for content: all of them less the reserves; 0: none are left. */
uint64_t
budget_available(uint64_t total, uint64_t response_reserve,
		 uint64_t system_reserve);

/*
 * shape:  the share of each category; what rounding leaves goes to the first
 *         that have one, a token each
 * units:  tokens; shares in SHARE_ALL
 */
void
budget_allocate(uint64_t available, const uint32_t shares[CATEGORY_NR],
		uint64_t allocated[CATEGORY_NR]);

/*
 * shape:  a count as the model is thought to have it: the count itself, or an
 *         estimate that is greater by the margin
 */
uint64_t
budget_model_tokens(uint64_t counted, uint64_t margin_percent);

/* The greatest count whose budget_model_tokens() are within these tokens;
 * UINT64_MAX stays: there is no limit. */
uint64_t
budget_counted_tokens(uint64_t tokens, uint64_t margin_percent);

struct rank_budget {
	uint64_t available;
	uint64_t used;
	uint64_t common; /* of `available`: anybody may have it */
	uint64_t allocated[CATEGORY_NR];
	uint64_t used_by[CATEGORY_NR];
	uint32_t shares[CATEGORY_NR];
};

/*
 * shape:  a budget of which nothing is taken; all of them zero: no shares,
 *         anybody may have all of it
 * units:  tokens; shares of what is available, which add to SHARE_ALL
 */
void
rank_budget_init(struct rank_budget *budget, uint64_t available,
		 const uint32_t shares[CATEGORY_NR]);

/* What a category could still take. */
uint64_t
rank_budget_left(const struct rank_budget *budget, uint8_t category);

/* false: it does not fit, and nothing has changed. */
bool
rank_budget_take(struct rank_budget *budget, uint8_t category, uint64_t tokens);

/* Takes back what was taken last, or before. */
void
rank_budget_give_back(struct rank_budget *budget, uint8_t category,
		      uint64_t tokens);

/* What a category has not used of its share becomes common. */
void
rank_budget_release(struct rank_budget *budget, uint8_t category);

/* There is more than was shared: anybody may have it. */
void
rank_budget_add(struct rank_budget *budget, uint64_t tokens);

/*
 * shape:  what is not used of any share becomes common
 * calls:  when no category can use more of its own
 */
void
rank_budget_redistribute(struct rank_budget *budget);

/*
 * shape:  what those leave that want no more is given to the shares of those
 *         that do, in proportion to their shares; false: there is nothing to
 *         give, or nobody to give it to
 */
bool
rank_budget_balance(struct rank_budget *budget, const bool wants[CATEGORY_NR]);

/* ---- a least number of chunks ------------------------------------------ */

#define MIN_CHUNK_RESERVE_MAX 1000

/* The cheapest chunks there are, cheapest first. */
struct min_chunk_reserve {
	struct rank_cheap {
		uint64_t cost;
		uint64_t chunk_idx;
	} cheapest[MIN_CHUNK_RESERVE_MAX];
	uint32_t nr;
	uint32_t wanted; /* chunks; at most MIN_CHUNK_RESERVE_MAX */
};

/* Offers a chunk: it is kept if it is among the cheapest. */
void
min_chunk_reserve_add(struct min_chunk_reserve *least, uint64_t cost,
		      uint64_t chunk_idx);

/* No more are wanted than there are, and fit into `room` together. */
void
min_chunk_reserve_fit(struct min_chunk_reserve *least, uint64_t room);

/* This one is taken: `wanted` is one less. */
void
min_chunk_reserve_taken(struct min_chunk_reserve *least, uint64_t chunk_idx);

/*
 * shape:  tokens to be kept for the others if this chunk is taken, so that
 *         there are `wanted` in the end
 */
uint64_t
min_chunk_reserve_reserve(const struct min_chunk_reserve *least,
			  uint64_t chunk_idx);

#endif
