/* SPDX-License-Identifier: MIT */
/*
 * select_limit.c - steering towards a full budget that is never passed.
 *
 * Token counts of parts do not add up to the count of the whole, so the
 * output is made, counted as one text, and made again with another limit if
 * it is over, or if a good part of the budget is unused.
 */
#include "stages/select/select.h"

#define TRIES_MAX 12
#define GOOD_PART 250   /* unused at most one in so many: good enough */
#define SLACK_PART 2000 /* less, each time it was over */
#define ADDS_MAX 5

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

/* The limit whose output would be what is available, at this rate. */
static uint64_t
scaled(const struct select_limit *limit, uint64_t tokens)
{
	double at = (double)limit->limit * (double)limit->available /
		    (double)max_u64(tokens, 1);

	return at >= 9e18 ? (uint64_t)9e18 : (uint64_t)at;
}

/* Back to the best one that there was: made once more, that is it. */
static bool
settle(struct select_limit *limit)
{
	limit->settled = 1;
	if (limit->limit == limit->best && limit->extra == limit->best_extra)
		return true;
	limit->limit = limit->best;
	limit->extra = limit->best_extra;
	return false;
}

/*
 * No limit is better, as a hair more is far too much. The best plan stays as
 * it is, and what its output lacks is added to it.
 */
static bool
begin_adding(struct select_limit *limit)
{
	uint64_t unused = limit->available - limit->best_tokens;

	if (limit->is_adding || unused <= limit->available / GOOD_PART)
		return settle(limit);
	limit->is_adding = 1;
	limit->limit = limit->best;
	limit->extra = unused;
	return false;
}

static bool
verdict_added(struct select_limit *limit, uint64_t tokens, bool more_left)
{
	uint64_t next;

	limit->adds++;
	if (tokens <= limit->available) {
		uint64_t unused = limit->available - tokens;

		if (!more_left || unused <= limit->available / GOOD_PART ||
		    tokens == limit->best_tokens)
			return true; /* the last: there is nothing to add */
		if (tokens > limit->best_tokens) {
			limit->best_tokens = tokens;
			limit->best_extra = limit->extra;
		}
		limit->extra_low = limit->extra;
		next = add_sat_u64(limit->extra, unused);
	} else {
		limit->extra_high = limit->extra;
		next = limit->extra_low;
	}
	if (limit->extra_high != 0 &&
	    (next >= limit->extra_high || next == limit->extra_low))
		next = limit->extra_low +
		       (limit->extra_high - limit->extra_low) / 2;
	if (limit->adds >= ADDS_MAX || next == limit->extra_low)
		return settle(limit);
	limit->extra = next;
	return false;
}

static bool
verdict_fits(struct select_limit *limit, uint64_t tokens, bool more_left)
{
	uint64_t unused = limit->available - tokens;
	uint64_t next = max_u64(scaled(limit, tokens),
				add_sat_u64(limit->limit, unused / 2));

	if (limit->settled || !more_left ||
	    unused <= limit->available / GOOD_PART)
		return true;
	if (!limit->has_low || tokens >= limit->best_tokens) {
		limit->best = limit->limit;
		limit->best_tokens = tokens;
	}
	limit->has_low = 1;
	limit->low = max_u64(limit->low, limit->limit);
	if (limit->tries >= TRIES_MAX)
		return begin_adding(limit);
	if (limit->high != 0 && next >= limit->high)
		next = middle(limit);
	if (next <= limit->low)
		return begin_adding(limit);
	limit->limit = next;
	return false;
}

static void
verdict_over(struct select_limit *limit, uint64_t tokens)
{
	uint64_t over = tokens - limit->available;
	uint64_t less = ++limit->overs * (limit->available / SLACK_PART);
	uint64_t next = min_u64(scaled(limit, tokens),
				limit->limit - min_u64(limit->limit, over / 2));

	/* a plan is filled to its limit: a hair less would be over again */
	next -= min_u64(next, less);

	limit->high = limit->limit;
	limit->settled = 0;
	if (limit->has_low && limit->limit <= limit->low) {
		/* files have changed: what fitted does so no longer */
		limit->has_low = 0;
		limit->low = 0;
	}
	if (limit->has_low && next <= limit->low)
		next = middle(limit);
	if (!limit->has_low && limit->tries >= TRIES_MAX)
		next = limit->limit / 2;
	if (limit->has_low &&
	    (limit->tries >= TRIES_MAX || next <= limit->low)) {
		begin_adding(limit);
		return;
	}
	limit->limit = min_u64(next, limit->limit - (limit->limit > 0));
}

bool
select_limit_verdict(struct select_limit *limit, uint64_t tokens,
		     bool more_left)
{
	if (limit->is_adding && !limit->settled && limit->adds < ADDS_MAX)
		return verdict_added(limit, tokens, more_left);
	if (limit->is_adding && tokens > limit->available) {
		/* files have changed: nothing is added any more */
		limit->extra = 0;
		limit->best_extra = 0;
		limit->adds = ADDS_MAX;
	}
	limit->tries++;
	if (tokens <= limit->available)
		return verdict_fits(limit, tokens, more_left);
	verdict_over(limit, tokens);
	return false;
}
