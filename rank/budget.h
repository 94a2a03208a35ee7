/* SPDX-License-Identifier: MIT */
/*
 * budget.h - divides the budget among the categories.
 *
 *   total - response reserve - system reserve = available
 *   available = a share for each category + nothing for the tree
 *   what a category does not use goes to categories that still want some
 *
 * Does: shares, taking, giving back, redistribution; a least number of
 *       chunks.
 * Does not: know chunks or ranks: its caller asks in the order of the ranks.
 * Invariants:
 * 1. The sum taken never exceeds what is available.
 * 2. Sums have 64 bits; one that would overflow is refused.
 */
#ifndef RANK_BUDGET_H
#define RANK_BUDGET_H

#include "base/base.h"
#include "catalogue/desc.h"

/* Tokens for content: the total less the reserves; 0: nothing is left. */
uint64_t
budget_available(uint64_t total, uint64_t response_reserve,
		 uint64_t system_reserve);

/*
 * shape:  the share of each category; the remainder of rounding goes to the
 *         first that have one, a token each
 * units:  tokens; shares in SHARE_ALL
 */
void
budget_allocate(uint64_t available, const uint32_t shares[CATEGORY_NR],
		uint64_t allocated[CATEGORY_NR]);

/*
 * shape:  the count that the model is assumed to have: the count itself, or an
 *         estimate increased by the margin
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
	uint64_t common; /* of `available`: open to all categories */
	uint64_t allocated[CATEGORY_NR];
	uint64_t used_by[CATEGORY_NR];
	uint32_t shares[CATEGORY_NR];
};

/*
 * shape:  a budget of which nothing is taken; all shares zero: everything is
 *         common
 * units:  tokens; shares of what is available, which add to SHARE_ALL
 */
void
rank_budget_init(struct rank_budget *budget, uint64_t available,
		 const uint32_t shares[CATEGORY_NR]);

/* The tokens that a category could still take. */
uint64_t
rank_budget_left(const struct rank_budget *budget, uint8_t category);

/* false: it does not fit, and nothing has changed. */
bool
rank_budget_take(struct rank_budget *budget, uint8_t category, uint64_t tokens);

/* Returns tokens that were taken. */
void
rank_budget_give_back(struct rank_budget *budget, uint8_t category,
		      uint64_t tokens);

/* Makes the unused rest of a category's share common. */
void
rank_budget_release(struct rank_budget *budget, uint8_t category);

/* Takes common tokens that nobody has used away, until they are added. */
void
rank_budget_hold(struct rank_budget *budget, uint64_t tokens);

/* Adds common tokens. */
void
rank_budget_add(struct rank_budget *budget, uint64_t tokens);

/*
 * shape:  makes the unused rest of all shares common
 * calls:  when no category can use more of its own
 */
void
rank_budget_redistribute(struct rank_budget *budget);

/*
 * shape:  gives the rest of categories that want no more to the shares of those
 *         that do, in proportion to their shares; false: nothing to give, or
 *         nobody to give it to
 */
bool
rank_budget_balance(struct rank_budget *budget, const bool wants[CATEGORY_NR]);

/* ---- a least number of chunks ------------------------------------------ */

#define MIN_CHUNK_RESERVE_MAX 1000

/* The cheapest chunks, cheapest first. */
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

/* Limits `wanted` to the chunks that exist and fit into `room` together. */
void
min_chunk_reserve_fit(struct min_chunk_reserve *least, uint64_t room);

/* Records that this chunk is taken: `wanted` decreases by one. */
void
min_chunk_reserve_taken(struct min_chunk_reserve *least, uint64_t chunk_idx);

/*
 * shape:  tokens to be kept for others if this chunk is taken, so that there
 *         are `wanted` in the end
 */
uint64_t
min_chunk_reserve_reserve(const struct min_chunk_reserve *least,
			  uint64_t chunk_idx);

#endif
