/* SPDX-License-Identifier: MIT */
/*
 * select_best_fit_worker.c - the end of a plan: what is left over is filled with
 * the set of chunks that fills it best.
 */
#include "stages/select/select_plan_worker.h"

#define TOP_TRIES 4
#define TOP_ITEMS_MIN 8    /* that a set is chosen from, and twice as many */
#define TOP_ROOM_AIM 3000  /* tokens, so many of them as to make this room */
#define TOP_FULL_PART 1000 /* no better set is looked for */
#define TOP_POOR_PART 200  /* more unused: what ranks better makes room */

/*
 * Gives chunks back, the last ones first, so that there is more room and more
 * to choose from, up to `aim`; nr of them were given back before. How many
 * there are now.
 */
static uint32_t
give_back(struct plan *plan, uint32_t nr, uint64_t aim)
{
	if (plan->keeps_all)
		return nr;
	for (size_t at = plan->last_nr; at > 0 && nr < TOP_GIVEN_BACK; at--) {
		const struct taken *taken = &plan->last[at - 1];

		/* the one that ranks best stays */
		if (plan_unused(plan) >= aim || plan->chunk_nr <= 1)
			break;
		if (!plan_may_give_back(plan, at - 1))
			continue;
		if (plan_unused(plan) + taken->cost > RANK_BEST_FIT_ROOM)
			break;
		plan->given_back[nr++] = taken->candidate;
		plan_give_back(plan, at - 1);
	}
	return nr;
}

/*
 * Takes them again, as they were, but for the first so many. What was within
 * its share counts as beyond it from now on: others that are asked for have
 * been tried in its place.
 */
static int
take_back(struct plan *plan, uint32_t given_back, uint32_t but)
{
	int error = 0;

	while (given_back > but && error == 0) {
		const struct rank_candidate *it =
			&plan->given_back[--given_back];

		error = plan_take(plan, it, plan_cost(plan, it, UINT64_MAX));
	}
	return error;
}

/* So many there have to be, or as many as there were. */
static uint64_t
least_nr(const struct plan *plan, uint32_t given_back)
{
	return min_u64(plan->worker->run->options.min_chunks,
		       plan->chunk_nr + given_back);
}

/*
 * As they were counted, or less: the head of a function may be there for
 * another one by now. A trial: their contents are not known afterwards.
 */
static int
take_chosen(struct plan *plan, uint32_t given_back, uint32_t nr, bool is_trial)
{
	for (uint32_t i = 0; i < nr; i++) {
		const struct rank_candidate *it =
			plan_item_at(plan, given_back, plan->places[i].item);
		uint64_t cost;
		int result = 0;

		if (plan->chosen[i] == 0)
			continue;
		cost = plan_cost(plan, it, UINT64_MAX);
		if (cost > rank_budget_left(&plan->budget, it->category))
			continue;
		if (!is_trial)
			result = plan_know(plan, it);
		if (result >= 0)
			result = plan_take(plan, it, cost);
		if (result != 0)
			return result;
	}
	return 0;
}

/*
 * Whether the chosen ones are as many as there have to be, and each category
 * has room for its own: what one has given back of its share is its own.
 */
static bool
may_take(const struct plan *plan, uint32_t given_back, uint32_t nr)
{
	struct rank_budget budget = plan->budget;
	size_t chunk_nr = plan->chunk_nr;

	for (uint32_t i = 0; i < nr; i++) {
		uint8_t category =
			plan_item_at(plan, given_back, plan->places[i].item)
				->category;

		if (plan->chosen[i] == 0)
			continue;
		if (!rank_budget_take(&budget, category, plan->chosen[i]))
			return false;
		chunk_nr++;
	}
	return chunk_nr >= least_nr(plan, given_back);
}

/* Chooses from the first nr items; how much they cost. */
static uint64_t
choose_first(struct plan *plan, uint32_t nr, const struct rank_room *room)
{
	plan_sort_items(plan, nr);
	return rank_best_fit(plan->items, nr, room, plan->top_words,
			     plan->chosen);
}

/*
 * Of items that cost so much at most: *left, what the best set leaves unused;
 * *nr, of the items it is chosen from, which are no more of those that rank
 * best than it takes. false: no set may be taken.
 */
static bool
choose_of(struct plan *plan, uint32_t given_back, uint64_t largest,
	  uint64_t *left, uint32_t *nr)
{
	uint64_t unused = plan_unused(plan);
	uint32_t tokens = (uint32_t)min_u64(unused, RANK_BEST_FIT_ROOM);
	uint64_t few = plan_part(plan, TOP_FULL_PART);
	const struct rank_room room = {
		.tokens = tokens,
		.enough = tokens - (uint32_t)min_u64(tokens, few),
	};
	uint32_t item_nr = plan_find_items(plan, given_back, largest);
	bool is_found = false;
	uint32_t of = 0;

	*left = UINT64_MAX;
	do {
		uint64_t sum;

		of = (uint32_t)min_u64(item_nr, of * 2 + TOP_ITEMS_MIN);
		sum = choose_first(plan, of, &room);
		if (unused - sum >= *left || !may_take(plan, given_back, of))
			continue;
		is_found = true;
		*left = unused - sum;
		*nr = of;
	} while (*left > unused - room.enough && of < item_nr);
	if (is_found && *nr != of)
		choose_first(plan, *nr, &room);
	return is_found;
}

/*
 * The same of all items, or where they have to be so many, of smaller ones;
 * false: nothing may be taken.
 */
static bool
choose(struct plan *plan, uint32_t given_back, uint64_t *left, uint32_t *nr)
{
	uint64_t least = least_nr(plan, given_back);
	uint64_t missing = least - min_u64(least, plan->chunk_nr);
	uint64_t room = min_u64(RANK_BEST_FIT_ROOM, plan_unused(plan));
	uint64_t largest = room;

	do {
		if (choose_of(plan, given_back, largest, left, nr))
			return true;
		largest -= largest / 4;
	} while (missing > 1 && largest > 4 && largest * missing >= room);
	return false;
}

/* Gives back what was taken last. */
static void
give_back_last(struct plan *plan, size_t nr)
{
	while (nr-- > 0)
		plan_give_back(plan, plan->last_nr - 1);
}

/*
 * Takes the chosen ones, unless no more is used then than before: what ranks
 * better makes room for nothing less.
 */
static int
replace(struct plan *plan, uint32_t given_back, uint32_t nr, uint64_t before)
{
	uint64_t least = least_nr(plan, given_back);
	size_t chunk_nr = plan->chunk_nr;
	int error = take_chosen(plan, given_back, nr, true);
	bool is_worse;

	if (error != 0)
		return error;
	is_worse = plan->budget.used <= before || plan->chunk_nr < least;
	give_back_last(plan, plan->chunk_nr - chunk_nr);
	return is_worse ? take_back(plan, given_back, 0)
			: take_chosen(plan, given_back, nr, false);
}

/* How many to give back, so that what is chosen then leaves the least. */
struct top_best {
	uint64_t left;
	uint32_t given_back;
	enum reclaim_level reclaim_level;
	bool is_found; /* not: there is nothing that may be chosen */
};

/*
 * Gives back ever more, until what is chosen is good or there is no more to be
 * given back; then of what was found the best. How many there are.
 */
static uint32_t
find_best(struct plan *plan, struct top_best *best)
{
	uint64_t aim = min_u64(TOP_ROOM_AIM, plan->budget.available / 8);
	uint32_t given_back;
	uint32_t before;
	uint64_t left;
	uint32_t nr;

	*best = (struct top_best){ .left = UINT64_MAX };
	plan->reclaim_level = RECLAIM_SECTIONS;
	given_back = give_back(plan, 0, aim);
	do {
		if (choose(plan, given_back, &left, &nr) && left < best->left)
			*best = (struct top_best){ left, given_back,
						   plan->reclaim_level, true };
		if (best->left <= plan_part(plan, TOP_POOR_PART))
			break;
		/* a little more each time: what ranks better is to stay */
		aim = plan_unused(plan) * 5 / 4 + 1;
		before = given_back;
		given_back = give_back(plan, given_back, aim);
		while (given_back == before &&
		       plan->reclaim_level < RECLAIM_SHARES) {
			plan->reclaim_level++;
			given_back = give_back(plan, given_back, aim);
		}
	} while (given_back > before);
	return given_back;
}

/* *left: what it is to leave unused. */
static int
fill_once(struct plan *plan, uint64_t *left)
{
	uint64_t used = plan->budget.used;
	struct top_best best;
	uint32_t given_back = find_best(plan, &best);
	uint32_t nr;
	int error = take_back(plan, given_back, best.given_back);

	*left = best.left;
	if (error != 0 || !best.is_found)
		return error;
	plan->reclaim_level = best.reclaim_level;
	choose(plan, best.given_back, &best.left, &nr);
	return replace(plan, best.given_back, nr, used);
}

int
plan_fill_remainder(struct plan *plan)
{
	uint64_t left = 0;
	int error = 0;

	plan_clear_prices(plan);
	/* again, as long as less was used than was thought */
	for (int i = 0; i < TOP_TRIES && error == 0; i++) {
		if (!plan->more_left || !plan_has_room(plan) ||
		    plan_unused(plan) <= left)
			break;
		plan_remember_newest(plan);
		error = fill_once(plan, &left);
	}
	return error;
}
