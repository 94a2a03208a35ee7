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

/* What a limit that is probed is so many steps from. */
enum probe_from {
	FROM_BEST = 0, /* the best limit */
	FROM_HIGH,     /* what did not fit: a greater plan may have a smaller
			* output */
	FROM_PLANNED,  /* what the last plan came to: below it is another one */
	FROM_AIM,      /* what would fill the budget if the output differed from
			* an exact plan by as much as the best one so far */
	FROM_AIM_ALL   /* the same, of all that there is */
};

static const struct {
	uint8_t from;
	int8_t by;
} probes[] = {
	{ FROM_AIM, 0 },      { FROM_BEST, -1 },    { FROM_AIM, 0 },
	{ FROM_BEST, -2 },    { FROM_AIM, -2 },     { FROM_BEST, -3 },
	{ FROM_AIM, 2 },      { FROM_HIGH, 2 },     { FROM_AIM_ALL, 0 },
	{ FROM_PLANNED, 0 },  { FROM_AIM_ALL, 0 },  { FROM_BEST, -4 },
	{ FROM_AIM, -1 },     { FROM_AIM, 1 },      { FROM_AIM_ALL, -2 },
	{ FROM_AIM_ALL, 2 },  { FROM_HIGH, 4 },     { FROM_AIM, -4 },
	{ FROM_AIM, 4 },      { FROM_AIM_ALL, -1 }, { FROM_AIM_ALL, 1 },
	{ FROM_HIGH, 7 },     { FROM_AIM, -7 },     { FROM_AIM, 7 },
	{ FROM_AIM_ALL, -4 }, { FROM_AIM_ALL, 4 },  { FROM_BEST, -5 },
	{ FROM_AIM, -11 },    { FROM_AIM, 11 },     { FROM_HIGH, 11 },
	{ FROM_BEST, -6 },    { FROM_BEST, -8 },
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
	limit->how = limit->best_how;
}

/* ---- probing ------------------------------------------------------------ */

/* In the middle of what is full. */
static uint64_t
full_of(const struct select_limit *limit)
{
	return limit->available - limit->available / FULL_PART / 2;
}

/* The limit of an exact plan whose output would be that. */
static uint64_t
aim(const struct select_limit *limit)
{
	uint64_t sum = add_sat_u64(full_of(limit), limit->aim_planned);

	return sum - min_u64(limit->aim_tokens, sum);
}

/* A limit to be probed; planned: what the last plan came to. */
static uint64_t
probed(const struct select_limit *limit, uint32_t idx, uint64_t planned)
{
	uint64_t step = limit->plain / PROBE_PART + 1;
	int by = probes[idx].by;
	uint64_t from;

	switch (probes[idx].from) {
	case FROM_AIM:
	case FROM_AIM_ALL:
		from = aim(limit);
		break;
	case FROM_PLANNED:
		from = planned - min_u64(planned, step);
		break;
	case FROM_HIGH:
		from = limit->high != 0 ? limit->high : limit->plain;
		break;
	default:
		from = limit->plain;
	}
	if (by >= 0)
		return add_sat_u64(from, (uint64_t)by * step);
	return from - min_u64(from, (uint64_t)-by * step);
}

static enum select_how
how_of(uint32_t idx)
{
	return probes[idx].from == FROM_AIM       ? SELECT_EXACT
	       : probes[idx].from == FROM_AIM_ALL ? SELECT_EXACT_ALL
						  : SELECT_BY_RANK;
}

/*
 * Whether a limit is known to be of no use: it is far too low, or between what
 * an exact plan came to and its limit, where it is the same one again.
 */
static bool
is_in_vain(const struct select_limit *limit, bool rest_left)
{
	if (limit->limit < limit->plain - limit->plain / PROBE_FAR ||
	    (limit->how == SELECT_EXACT_ALL && !rest_left))
		return true;
	for (uint32_t i = 0; i < limit->exact_nr; i++)
		if (limit->how == limit->exact[i].how &&
		    limit->limit >= limit->exact[i].planned &&
		    limit->limit <= limit->exact[i].limit)
			return true;
	return false;
}

/* The next limit of probes[] that is worth an output. */
static void
probe_next(struct select_limit *limit, const struct select_made *made)
{
	do {
		if (limit->tries == ARRAY_LEN(probes) ||
		    limit->outputs >= OUTPUTS_MAX) {
			settle(limit);
			return;
		}
		limit->how = how_of(limit->tries);
		limit->limit = probed(limit, limit->tries++, made->planned);
	} while (is_in_vain(limit, made->rest_left));
}

/* How far an output is from what is aimed at. */
static uint64_t
distance(const struct select_limit *limit, uint64_t tokens)
{
	uint64_t full = full_of(limit);

	return tokens > full ? tokens - full : full - tokens;
}

static void
probe(struct select_limit *limit, const struct select_made *made,
      uint64_t tokens)
{
	if (limit->how != SELECT_BY_RANK) {
		ASSERT(limit->exact_nr < ARRAY_LEN(limit->exact));
		limit->exact[limit->exact_nr].planned = made->planned;
		limit->exact[limit->exact_nr].limit = limit->limit;
		limit->exact[limit->exact_nr++].how = limit->how;
		/* of one like it the difference is most likely the same */
		if (distance(limit, tokens) <
		    distance(limit, limit->aim_tokens)) {
			limit->aim_planned = made->planned;
			limit->aim_tokens = tokens;
		}
	}
	probe_next(limit, made);
}

static void
begin_probing(struct select_limit *limit, const struct select_made *made)
{
	if (is_full(limit, limit->best_tokens, FULL_PART)) {
		settle(limit);
		return;
	}
	limit->phase = SELECT_LIMIT_PROBING;
	limit->tries = 0;
	limit->extra = 0;
	limit->limit = limit->plain;
	limit->aim_planned = limit->best_planned;
	limit->aim_tokens = limit->best_tokens;
	limit->exact_nr = 0;
	probe_next(limit, made);
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
}

static void
add(struct select_limit *limit, const struct select_made *made, uint64_t tokens)
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
		begin_probing(limit, made);
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
	limit->how = SELECT_BY_RANK;
	limit->best_tokens = 0;
	limit->has_low = 0;
	limit->low = 0;
	limit->tries = 0;
	limit->is_again = 1;
}

bool
select_limit_verdict(struct select_limit *limit, const struct select_made *made,
		     uint64_t tokens)
{
	bool fits = tokens <= limit->available;
	bool is_good = is_full(
		limit, tokens,
		limit->phase == SELECT_LIMIT_PROBING ? FULL_PART : GOOD_PART);

	limit->outputs++;
	if (fits && (is_good || !made->more_left || limit->is_again ||
		     limit->phase == SELECT_LIMIT_SETTLED))
		return true;
	if (limit->phase == SELECT_LIMIT_SETTLED)
		search_again(limit);
	/* what is left for the end is for a full budget, not a fuller one */
	if (fits && limit->how != SELECT_EXACT_ALL &&
	    (tokens > limit->best_tokens || !limit->has_best)) {
		limit->has_best = 1;
		limit->best = limit->limit;
		limit->best_extra = limit->extra;
		limit->best_how = limit->how;
		limit->best_tokens = tokens;
		limit->best_planned = made->planned;
	}
	switch (limit->phase) {
	case SELECT_LIMIT_ADDING:
		add(limit, made, tokens);
		break;
	case SELECT_LIMIT_PROBING:
		probe(limit, made, tokens);
		break;
	default:
		search(limit, tokens);
	}
	return false;
}
