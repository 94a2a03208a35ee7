/* SPDX-License-Identifier: MIT */
/*
 * select_top_worker.c - the end of a plan: what is left over is filled with
 * the set of chunks that fills it best.
 */
#include "stages/select/select_plan_worker.h"

#define TOP_ROOM_AIM 3000  /* tokens, so many of them as to make this room */
#define TOP_FULL_PART 1000 /* no better set is looked for */
#define TOP_GOOD_PART 200  /* unused one in so many: more is given back */

/*
 * Gives the last chunks back, so that there is more room and more to choose
 * from, up to `aim`; nr of them were given back before. How many there are
 * now.
 */
static uint32_t
give_back(struct plan *plan, uint32_t nr, uint64_t aim)
{
	/* as many as there have to be stay, whatever is chosen */
	uint64_t least = max_u64(plan->shares_nr + 1,
				 plan->worker->run->options.min_chunks);

	if (plan->keeps_all)
		return nr;
	while (nr < TOP_GIVEN_BACK && plan_unused(plan) < aim &&
	       plan->last_nr > 0 && plan->chunk_nr > least) {
		const struct taken *last = &plan->last[plan->last_nr - 1];

		if (plan_unused(plan) + last->cost > SELECT_TOP_ROOM)
			break;
		plan->given_back[nr++] = last->candidate;
		plan_give_back_last(plan);
	}
	return nr;
}

/* An item of the end: one that was given back, or one of the window. */
static const struct select_candidate *
item_at(const struct plan *plan, uint32_t given_back, uint32_t item)
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
			item_at(plan, given_back, i);
		uint64_t room = min_u64(
			SELECT_TOP_ROOM,
			select_budget_left(&plan->budget, it->category));
		uint64_t cost;

		if (it->unit == SELECT_FILE)
			continue;
		plan_looked_at(plan, RECORDS_PER_PAGE);
		cost = plan_cost(plan, it, room);
		if (cost > room || (i >= given_back && plan_has(plan, it)))
			continue;
		plan->items[nr] = i;
		plan->costs[nr++] = (uint32_t)cost;
	}
	return nr;
}

/* Others of its file may be in by now: then it has no header. */
static int
take_chosen(struct plan *plan, uint32_t given_back, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		const struct select_candidate *it =
			item_at(plan, given_back, plan->items[i]);
		uint64_t cost;
		int result;

		if (!plan->chosen[i])
			continue;
		cost = plan_cost(plan, it, UINT64_MAX);
		if (cost > select_budget_left(&plan->budget, it->category))
			continue;
		result = plan_know(plan, it);
		if (result < 0)
			return result;
		/* the same content twice in the window: the better one */
		if (result == 0 && plan->items[i] >= given_back)
			continue;
		result = plan_take(plan, it, cost);
		if (result != 0)
			return result;
	}
	return 0;
}

/* What the best set leaves unused; nr: of the items it is chosen from. */
static uint64_t
choose(struct plan *plan, uint32_t given_back, uint32_t *nr)
{
	uint64_t unused = plan_unused(plan);
	uint32_t tokens = (uint32_t)min_u64(unused, SELECT_TOP_ROOM);
	uint64_t few = plan->budget.available / TOP_FULL_PART;
	const struct select_room room = {
		.tokens = tokens,
		.enough = tokens - (uint32_t)min_u64(tokens, few),
	};

	*nr = find_items(plan, given_back);
	return unused - select_top_up(plan->costs, *nr, &room, plan->reach,
				      plan->chosen);
}

int
plan_top_up(struct plan *plan)
{
	uint64_t aim = min_u64(TOP_ROOM_AIM, plan->budget.available / 8);
	uint32_t given_back;
	uint32_t nr;

	if (!plan->more_left || !plan_has_room(plan))
		return 0;
	given_back = give_back(plan, 0, aim);
	while (choose(plan, given_back, &nr) >
	       plan->budget.available / TOP_GOOD_PART) {
		uint32_t before = given_back;

		/* a little more: what ranks better is to stay */
		aim = plan_unused(plan) * 5 / 4 + 1;
		given_back = give_back(plan, given_back, aim);
		if (given_back == before)
			break;
	}
	return take_chosen(plan, given_back, nr);
}
