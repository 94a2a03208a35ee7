/* SPDX-License-Identifier: MIT */
/*
 * budget.c - shares of a budget, taken and given back.
 */
#include "rank/budget.h"

#include <string.h>

uint64_t
budget_available(uint64_t total, uint64_t response_reserve,
		 uint64_t system_reserve)
{
	return total -
	       min_u64(total, add_sat_u64(response_reserve, system_reserve));
}

void
budget_allocate(uint64_t available, const uint32_t shares[CATEGORY_NR],
		uint64_t allocated[CATEGORY_NR])
{
	uint64_t left = available;

	for (int i = 0; i < CATEGORY_NR; i++) {
		allocated[i] = scale_u64(available, shares[i], SHARE_ALL);
		left -= allocated[i];
	}
	for (int i = 0; i < CATEGORY_NR && left > 0; i++) {
		if (shares[i] == 0)
			continue;
		allocated[i]++;
		left--;
	}
}

uint64_t
budget_model_tokens(uint64_t counted, uint64_t margin_percent)
{
	/* in two parts, so that nothing wraps; rounded up */
	return add_sat_u64(add_sat_u64(counted, counted / 100 * margin_percent),
			   (counted % 100 * margin_percent + 99) / 100);
}

uint64_t
budget_counted_tokens(uint64_t tokens, uint64_t margin_percent)
{
	return tokens == UINT64_MAX
		       ? tokens
		       : scale_u64(tokens, 100, 100 + margin_percent);
}

void
rank_budget_init(struct rank_budget *budget, uint64_t available,
		 const uint32_t shares[CATEGORY_NR])
{
	uint64_t sum = 0;

	for (int i = 0; i < CATEGORY_NR; i++)
		sum += shares[i];
	ASSERT(sum == 0 || sum == SHARE_ALL);
	*budget = (struct rank_budget){
		.available = available,
		.common = sum == 0 ? available : 0,
	};
	memcpy(budget->shares, shares, sizeof(budget->shares));
	if (sum != 0)
		budget_allocate(available, shares, budget->allocated);
}

/* Of a category's own share. */
static uint64_t
own_left(const struct rank_budget *budget, uint8_t category)
{
	uint64_t allocated = budget->allocated[category];

	return allocated - min_u64(budget->used_by[category], allocated);
}

/* Taken from what is common: what was used beyond the shares. */
static uint64_t
common_left(const struct rank_budget *budget)
{
	uint64_t left = budget->common;

	for (int i = 0; i < CATEGORY_NR; i++) {
		uint64_t beyond =
			budget->used_by[i] -
			min_u64(budget->used_by[i], budget->allocated[i]);

		left -= min_u64(left, beyond);
	}
	return left;
}

uint64_t
rank_budget_left(const struct rank_budget *budget, uint8_t category)
{
	ASSERT(category < CATEGORY_NR);
	return own_left(budget, category) + common_left(budget);
}

bool
rank_budget_take(struct rank_budget *budget, uint8_t category, uint64_t tokens)
{
	if (tokens > rank_budget_left(budget, category))
		return false;
	budget->used_by[category] += tokens;
	budget->used += tokens;
	ASSERT(budget->used <= budget->available);
	return true;
}

void
rank_budget_give_back(struct rank_budget *budget, uint8_t category,
		      uint64_t tokens)
{
	ASSERT(category < CATEGORY_NR && tokens <= budget->used_by[category]);
	budget->used_by[category] -= tokens;
	budget->used -= tokens;
}

void
rank_budget_release(struct rank_budget *budget, uint8_t category)
{
	uint64_t left = own_left(budget, category);

	budget->allocated[category] -= left;
	budget->common += left;
}

void
rank_budget_hold(struct rank_budget *budget, uint64_t tokens)
{
	ASSERT(tokens <= common_left(budget));
	budget->available -= tokens;
	budget->common -= tokens;
}

void
rank_budget_add(struct rank_budget *budget, uint64_t tokens)
{
	budget->available += tokens;
	budget->common += tokens;
}

void
rank_budget_redistribute(struct rank_budget *budget)
{
	for (uint8_t i = 0; i < CATEGORY_NR; i++)
		rank_budget_release(budget, i);
}

bool
rank_budget_balance(struct rank_budget *budget, const bool wants[CATEGORY_NR])
{
	uint64_t common_before = common_left(budget);
	uint64_t spare = common_before;
	uint64_t wanted = 0;
	uint64_t given = 0;

	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		if (wants[i])
			wanted += budget->shares[i];
		else
			spare += own_left(budget, i);
	}
	if (wanted == 0 || spare == 0)
		return false;
	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		uint64_t more;

		if (!wants[i]) {
			budget->allocated[i] -= own_left(budget, i);
			continue;
		}
		more = scale_u64(spare, budget->shares[i], wanted);
		budget->allocated[i] += more;
		given += more;
	}
	/* what rounding leaves is anybody's */
	budget->common = budget->common - common_before + spare - given;
	return given > 0;
}

/* ---- a least number of chunks ------------------------------------------ */

void
min_chunk_reserve_add(struct min_chunk_reserve *least, uint64_t cost,
		      uint64_t chunk_idx)
{
	uint32_t max = least->wanted;
	uint32_t at = least->nr;

	if (max == 0 || (at == max && least->cheapest[at - 1].cost <= cost))
		return;
	if (at == max)
		at--;
	else
		least->nr++;
	for (; at > 0 && least->cheapest[at - 1].cost > cost; at--)
		least->cheapest[at] = least->cheapest[at - 1];
	least->cheapest[at] = (struct rank_cheap){ cost, chunk_idx };
}

void
min_chunk_reserve_fit(struct min_chunk_reserve *least, uint64_t room)
{
	uint64_t sum = 0;
	uint32_t nr = 0;

	while (nr < least->nr) {
		sum = add_sat_u64(sum, least->cheapest[nr].cost);
		if (sum > room)
			break;
		nr++;
	}
	least->wanted = (uint32_t)min_u64(least->wanted, nr);
}

void
min_chunk_reserve_taken(struct min_chunk_reserve *least, uint64_t chunk_idx)
{
	if (least->wanted == 0)
		return;
	least->wanted--;
	for (uint32_t i = 0; i < least->nr; i++) {
		if (least->cheapest[i].chunk_idx != chunk_idx)
			continue;
		memmove(&least->cheapest[i], &least->cheapest[i + 1],
			(least->nr - i - 1) * sizeof(least->cheapest[0]));
		least->nr--;
		return;
	}
}

uint64_t
min_chunk_reserve_reserve(const struct min_chunk_reserve *least,
			  uint64_t chunk_idx)
{
	uint32_t others = least->wanted == 0 ? 0 : least->wanted - 1;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < least->nr && others > 0; i++) {
		if (least->cheapest[i].chunk_idx == chunk_idx)
			continue;
		sum = add_sat_u64(sum, least->cheapest[i].cost);
		others--;
	}
	return sum;
}
