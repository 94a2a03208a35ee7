/* SPDX-License-Identifier: MIT */
/*
 * select_limit.c - steering towards a full budget that is never passed.
 *
 * Token counts of parts do not add up to the count of the whole, so the
 * output is made, counted as one text, and made again with another limit if
 * it is over, or if a good part of the budget is unused. Three ways to fill
 * it, one after the other: the greatest limit that fits is searched for; what
 * its output lacks is added to its plan; and other limits are probed, as the
 * chunks that are taken of a lower one may fill it better.
 */
#include "stages/select/select.h"

#define SEARCHES_MAX 12
#define ADDS_MAX 5
#define OUTPUTS_MAX 30  /* then it is the best of them */
#define GOOD_PART 250   /* unused at most one in so many: good enough */
#define FULL_PART 200   /* the same, before other limits are probed */
#define SLACK_PART 2000 /* less, each time it was over */
#define CLOSE_PART 2000 /* what fits and what does not: no limit between */
#define PROBE_PART 1000 /* of the best limit: a step */
#define PROBE_FAR 20    /* of it: below that nothing is fuller */

/*
 * Steps from one limit that is probed to the next. Below the best one; 0: below
 * what the last plan came to, which makes another one for sure; above what did
 * not fit, as a greater plan may have a smaller output.
 */
static const signed char probes[] = {
	-1, -1, -2, -2, -3, -3, -4, -4, 0, 0, 2, 4, 7, 11, -5, -5, -6, -7, -8,
};

void
select_limit_init(struct select_limit *limit, uint64_t available)
{
	*limit = (struct select_limit){ .available = available,
					.limit = available };
}

/* Whether an output fits, and leaves one in so many at most. */
static bool
is_full(const struct select_limit *limit, uint64_t tokens, uint64_t part)
{
	return tokens <= limit->available &&
	       limit->available - tokens <= limit->available / part;
}

/* ---- the end ------------------------------------------------------------ */

/* The fullest one that there was: made once more, that is it. */
static void
settle(struct select_limit *limit)
{
	limit->phase = SELECT_LIMIT_SETTLED;
	limit->limit = limit->best;
	limit->extra = limit->best_extra;
	limit->is_exact = limit->best_is_exact;
}

/* ---- probing ------------------------------------------------------------ */

/* A limit to be probed; planned: what the last plan came to. */
static uint64_t
probed(const struct select_limit *limit, int by, uint64_t planned)
{
	uint64_t step = limit->plain / PROBE_PART + 1;
	uint64_t from = planned;

	if (by > 0 && limit->high != 0)
		return add_sat_u64(limit->high, (uint64_t)by * step);
	if (by < 0) {
		from = limit->plain;
		step *= (uint64_t)-by;
	}
	return from - min_u64(from, step);
}

/* The next limit, as probes[] says, but none that is far too low. */
static void
probe(struct select_limit *limit, uint64_t planned)
{
	uint64_t least = limit->plain - limit->plain / PROBE_FAR;

	do {
		if (limit->tries == ARRAY_LEN(probes) ||
		    limit->outputs >= OUTPUTS_MAX) {
			settle(limit);
			return;
		}
		/* by turns: the sets they find differ */
		limit->is_exact = limit->tries % 2;
		limit->limit = probed(limit, probes[limit->tries++], planned);
	} while (limit->limit < least);
}

static void
begin_probing(struct select_limit *limit)
{
	if (is_full(limit, limit->best_tokens, FULL_PART)) {
		settle(limit);
		return;
	}
	limit->phase = SELECT_LIMIT_PROBING;
	limit->tries = 0;
	limit->extra = 0;
	limit->limit = limit->plain;
	probe(limit, limit->plain_planned);
}

/* ---- adding ------------------------------------------------------------- */

/*
 * No limit is better, as a hair more is far too much. The best plan stays as
 * it is, and what its output lacks is added to it.
 */
static void
begin_adding(struct select_limit *limit)
{
	limit->phase = SELECT_LIMIT_ADDING;
	limit->tries = 0;
	limit->limit = limit->best;
	limit->extra = limit->available - limit->best_tokens;
	limit->plain_tokens = limit->best_tokens;
	limit->plain = limit->best;
	limit->plain_planned = limit->best_planned;
}

static void
add(struct select_limit *limit, uint64_t tokens)
{
	uint64_t next;

	if (tokens == limit->plain_tokens) {
		/* nothing is small enough */
		limit->extra_low = limit->extra;
		next = limit->extra;
	} else if (tokens <= limit->available) {
		limit->extra_low = limit->extra;
		next = add_sat_u64(limit->extra, limit->available - tokens);
	} else {
		limit->extra_high = limit->extra;
		next = limit->extra_low;
	}
	if (limit->extra_high != 0 &&
	    (next >= limit->extra_high || next == limit->extra_low))
		next = limit->extra_low +
		       (limit->extra_high - limit->extra_low) / 2;
	if (++limit->tries >= ADDS_MAX || next == limit->extra_low)
		begin_probing(limit);
	else
		limit->extra = next;
}

/* ---- searching ---------------------------------------------------------- */

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

static uint64_t
next_above(struct select_limit *limit, uint64_t tokens)
{
	uint64_t unused = limit->available - tokens;
	uint64_t next = max_u64(scaled(limit, tokens),
				add_sat_u64(limit->limit, unused / 2));

	limit->has_low = 1;
	limit->low = max_u64(limit->low, limit->limit);
	return next;
}

static uint64_t
next_below(struct select_limit *limit, uint64_t tokens)
{
	uint64_t over = tokens - limit->available;
	uint64_t less = ++limit->overs * (limit->available / SLACK_PART);
	uint64_t next = min_u64(scaled(limit, tokens),
				limit->limit - min_u64(limit->limit, over / 2));

	/* a plan is filled to its limit: a hair less would be over again */
	next -= min_u64(next, less);
	if (limit->tries >= SEARCHES_MAX)
		next = min_u64(next, limit->limit / 2);
	limit->high = limit->limit;
	if (limit->has_low && limit->limit <= limit->low) {
		/* files have changed: what fitted does so no longer */
		limit->has_low = 0;
		limit->low = 0;
	}
	return min_u64(next, limit->limit - (limit->limit > 0));
}

static void
search(struct select_limit *limit, uint64_t tokens)
{
	uint64_t next = tokens <= limit->available ? next_above(limit, tokens)
						   : next_below(limit, tokens);

	limit->tries++;
	if (limit->has_low && limit->high != 0 &&
	    (next <= limit->low || next >= limit->high))
		next = middle(limit);
	if (limit->has_low &&
	    (limit->tries >= SEARCHES_MAX || next <= limit->low ||
	     (limit->high != 0 &&
	      limit->high - limit->low <= limit->available / CLOSE_PART)))
		begin_adding(limit);
	else
		limit->limit = next;
}

/* ---- all of it ---------------------------------------------------------- */

/* Files have changed: what was found out is true no more, and is not again. */
static void
search_again(struct select_limit *limit)
{
	limit->phase = SELECT_LIMIT_SEARCHING;
	limit->extra = 0;
	limit->is_exact = 0;
	limit->best_tokens = 0;
	limit->has_low = 0;
	limit->low = 0;
	limit->tries = 0;
	limit->is_again = 1;
}

bool
select_limit_verdict(struct select_limit *limit, uint64_t planned,
		     uint64_t tokens, bool more_left)
{
	bool fits = tokens <= limit->available;
	bool is_good = is_full(
		limit, tokens,
		limit->phase == SELECT_LIMIT_PROBING ? FULL_PART : GOOD_PART);

	limit->outputs++;
	if (fits && (is_good || !more_left || limit->is_again ||
		     limit->phase == SELECT_LIMIT_SETTLED))
		return true;
	if (limit->phase == SELECT_LIMIT_SETTLED)
		search_again(limit);
	if (fits && (tokens > limit->best_tokens || !limit->has_best)) {
		limit->has_best = 1;
		limit->best = limit->limit;
		limit->best_extra = limit->extra;
		limit->best_is_exact = limit->is_exact;
		limit->best_tokens = tokens;
		limit->best_planned = planned;
	}
	switch (limit->phase) {
	case SELECT_LIMIT_ADDING:
		add(limit, tokens);
		break;
	case SELECT_LIMIT_PROBING:
		probe(limit, planned);
		break;
	default:
		search(limit, tokens);
	}
	return false;
}
