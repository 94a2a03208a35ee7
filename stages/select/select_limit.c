/* SPDX-License-Identifier: MIT */
/*
 * select_limit.c - steering towards a full budget that is never passed.
 *
 * Token counts of parts do not add up to the count of the whole, so the
 * output is made, counted as one text, and made again with another limit if
 * it is over, or if a good part of the budget is unused.
 */
#include "stages/select/select.h"

#define TRIES_MAX 8
#define GOOD_PART 250 /* unused at most one in so many: good enough */

void
select_limit_init(struct select_limit *limit, uint64_t available)
{
	*limit = (struct select_limit){ .available = available,
					.limit = available };
}

/* Between what fitted and what did not. */
static uint64_t
middle(const struct select_limit *limit)
{
	return limit->low + (limit->high - limit->low) / 2;
}

static bool
verdict_fits(struct select_limit *limit, uint64_t unused, bool more_left)
{
	uint64_t next = add_sat_u64(limit->limit, unused);

	if (limit->settled || !more_left || limit->tries >= TRIES_MAX ||
	    unused <= limit->available / GOOD_PART)
		return true;
	limit->has_low = 1;
	limit->low = max_u64(limit->low, limit->limit);
	if (limit->high != 0 && next >= limit->high)
		next = middle(limit);
	if (next <= limit->low)
		return true;
	limit->limit = next;
	return false;
}

static void
verdict_over(struct select_limit *limit, uint64_t over)
{
	uint64_t next = limit->limit - min_u64(limit->limit, over);

	limit->high = limit->limit;
	if (limit->has_low && limit->limit <= limit->low) {
		/* files have changed: what fitted does so no longer */
		limit->has_low = 0;
		limit->low = 0;
	}
	if (limit->has_low && next <= limit->low)
		next = middle(limit);
	if (limit->tries >= TRIES_MAX)
		next = limit->has_low ? limit->low : limit->limit / 2;
	/* back to what is known to fit: make it once more, that is it */
	limit->settled = limit->has_low && next == limit->low;
	limit->limit = next;
}

bool
select_limit_verdict(struct select_limit *limit, uint64_t tokens,
		     bool more_left)
{
	limit->tries++;
	if (tokens <= limit->available)
		return verdict_fits(limit, limit->available - tokens,
				    more_left);
	verdict_over(limit, tokens - limit->available);
	return false;
}

static void
sift_down(struct select_candidate *these, size_t at, size_t nr)
{
	for (;;) {
		size_t greatest = at;
		size_t child = 2 * at + 1;
		struct select_candidate t;

		for (size_t i = child; i < child + 2 && i < nr; i++)
			if (these[i].chunk_idx > these[greatest].chunk_idx)
				greatest = i;
		if (greatest == at)
			return;
		t = these[at];
		these[at] = these[greatest];
		these[greatest] = t;
		at = greatest;
	}
}

void
select_sort_place(struct select_candidate *these, size_t nr)
{
	for (size_t i = nr / 2; i-- > 0;)
		sift_down(these, i, nr);
	for (size_t left = nr; left > 1; left--) {
		struct select_candidate t = these[0];

		these[0] = these[left - 1];
		these[left - 1] = t;
		sift_down(these, 0, left - 1);
	}
}
