/* SPDX-License-Identifier: MIT */
/*
 * select_items_worker.c - what the end of a plan is filled with, and what each
 * of it costs by what else is chosen.
 */
#include <stdlib.h>
#include <string.h>

#include "stages/select/select_plan_worker.h"

const struct rank_candidate *
plan_item_at(const struct plan *plan, uint32_t given_back, uint32_t item)
{
	return item < given_back ? &plan->given_back[given_back - 1 - item]
				 : &plan->window.heap[item - given_back];
}

/* Whether a candidate is one of the items, as far as its kind goes. */
static bool
may_be_item(const struct plan *plan, const struct rank_candidate *candidate,
	    bool is_given_back)
{
	if (candidate->unit == RANK_FILE)
		return false;
	return is_given_back || plan->reclaim_level != RECLAIM_SHARES ||
	       candidate->category != CATEGORY_TREE;
}

void
plan_clear_prices(struct plan *plan)
{
	memset(plan->prices, 0, plan->window.nr * sizeof(plan->prices[0]));
}

uint32_t
plan_find_items(struct plan *plan, uint32_t given_back, uint64_t largest)
{
	uint32_t end = given_back + (uint32_t)plan->window.nr;
	uint32_t nr = 0;

	plan_clear_items(plan);
	for (uint32_t i = 0; i < end && nr < RANK_BEST_FIT_MAX; i++) {
		const struct rank_candidate *it =
			plan_item_at(plan, given_back, i);
		uint64_t room = min_u64(
			largest, rank_budget_left(&plan->budget, it->category));
		struct top_place place = { .chunk_idx = it->chunk_idx,
					   .file_idx = it->file_idx,
					   .item = i,
					   .unit = it->unit };
		struct top_price price = { 0 };

		if (!may_be_item(plan, it, i < given_back))
			continue;
		/* the same content twice in the window: the better one */
		if (!plan_item_costs(plan, it, room,
				     i < given_back
					     ? &price
					     : &plan->prices[i - given_back],
				     &place.costs) ||
		    (i >= given_back && plan_has(plan, it)) ||
		    !plan_know_item(plan, it))
			continue;
		plan->ranked[nr++] = place;
	}
	return nr;
}

static bool
is_same_section(const struct top_place *a, const struct top_place *b)
{
	return a->file_idx == b->file_idx && a->unit == b->unit;
}

static int
compare_places(const void *left, const void *right)
{
	const struct top_place *a = left;
	const struct top_place *b = right;

	if (a->file_idx != b->file_idx)
		return a->file_idx < b->file_idx ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->chunk_idx < b->chunk_idx ? -1 : a->chunk_idx > b->chunk_idx;
}

static int
compare_fronts(const void *left, const void *right)
{
	const struct top_place *a = left;
	const struct top_place *b = right;

	if (a->front != b->front)
		return a->front < b->front ? -1 : 1;
	return a->chunk_idx < b->chunk_idx ? -1 : a->chunk_idx > b->chunk_idx;
}

/* The first ones: those of a section side by side, the best section first. */
static void
sort_by_section(struct plan *plan, uint32_t nr)
{
	struct top_place *places = plan->places;

	memcpy(places, plan->ranked, nr * sizeof(*places));
	qsort(places, nr, sizeof(*places), compare_places);
	for (uint32_t i = 0, end; i < nr; i = end) {
		uint32_t front = places[i].item;

		for (end = i + 1;
		     end < nr && is_same_section(&places[i], &places[end]);
		     end++)
			front = places[end].item < front ? places[end].item
							 : front;
		for (uint32_t k = i; k < end; k++)
			places[k].front = front;
	}
	qsort(places, nr, sizeof(*places), compare_fronts);
}

static void
set_costs(struct plan *plan, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		const struct top_place *place = &plan->places[i];
		struct rank_item *item = &plan->items[i];

		*item = place->costs;
		item->section = place->front;
		if (i == 0 || place[-1].front != place->front ||
		    place[-1].chunk_idx + 1 != place->chunk_idx)
			item->beside = item->apart;
	}
}

void
plan_sort_items(struct plan *plan, uint32_t nr)
{
	sort_by_section(plan, nr);
	set_costs(plan, nr);
}
