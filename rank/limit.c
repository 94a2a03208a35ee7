/* SPDX-License-Identifier: MIT */
/*
 * limit.c - steering towards a full budget that is never passed.
 *
 * Token counts of parts do not add up to the count of the whole, so the
 * output is made, counted as one text, and made again with another limit if
 * it is over, or if a good part of the budget is unused. Four ways to fill
 * it, one after the other: the greatest limit that fits is searched for; what
 * its output lacks is added to its plan; other limits are probed, as the
 * chunks that are taken of a lower one may fill it better; and a chunk that the
 * fullest of these plans has no room for is added to it up to a line.
 */
#include "rank/rank.h"

#define SEARCHES_MAX 12
#define ADDS_MAX 5
#define OUTPUTS_MAX 30  /* then it is the best of them */
#define GOOD_PART 250   /* unused at most one in so many: good enough */
#define FULL_PART 200   /* the same, before other limits are probed */
#define SLACK_PART 2000 /* less, each time it was over */
#define CLOSE_PART 2000 /* what fits and what does not: no limit between */
#define TRUNCATED_MAX 8 /* chunks that are tried with the same plan */
#define PARTS_MAX 96    /* outputs with one of them */
#define LOG_PART 50     /* unused at most, with part of a log, */
#define LOG_LINE 32     /* or so many tokens */
#define LESS_MAX 5      /* plans of a lower limit, */
#define LESS_PART 24    /* by one in so many each */
#define PARTS_GUESSED 5 /* of a chunk, before lines are halved */
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
rank_limit_init(struct rank_limit *limit, uint64_t available)
{
	*limit = (struct rank_limit){ .available = available,
				      .now.limit = available };
}

/* Whether an output fits, and leaves one in so many at most. */
static bool
is_full(const struct rank_limit *limit, uint64_t tokens, uint64_t part)
{
	return tokens <= limit->available &&
	       limit->available - tokens <= limit->available / part;
}

/* ---- the end ------------------------------------------------------------ */

/* The fullest one that there was: made once more, that is it. */
static void
settle(struct rank_limit *limit)
{
	limit->phase = RANK_LIMIT_SETTLED;
	limit->now = limit->best;
}

/* In the middle of what is full. */
static uint64_t
full_of(const struct rank_limit *limit)
{
	return limit->available - limit->available / FULL_PART / 2;
}

/* How far an output is from that. */
static uint64_t
distance(const struct rank_limit *limit, uint64_t tokens)
{
	uint64_t full = full_of(limit);

	return tokens > full ? tokens - full : full - tokens;
}

/* ---- parting ------------------------------------------------------------ */

static void
begin_part(struct rank_limit *limit)
{
	limit->tries = 0;
	limit->part_low = 0;
	limit->part_high = 0;
}

/* The plan that whole chunks make; by steps it is one of fewer chunks. */
static void
begin_whole(struct rank_limit *limit)
{
	uint64_t less = limit->whole_less * (limit->whole.limit / LESS_PART);

	limit->now = limit->whole;
	if (less > 0)
		limit->now = (struct plan_target){ .limit = limit->whole.limit -
							    less };
	limit->now.truncated.room = limit->whole_room + less;
	begin_part(limit);
}

/*
 * Whole chunks do not fill it: the fullest plan stays as it is, and of a chunk
 * that it lacks so many lines are added as its output leaves room for.
 */
static void
begin_truncating(struct rank_limit *limit)
{
	limit->phase = RANK_LIMIT_TRUNCATING;
	limit->outputs = 0;
	limit->whole = limit->best;
	limit->whole_room = limit->available - limit->best_tokens;
	limit->whole_less = 0;
	begin_whole(limit);
}

/*
 * Whether part of the best chunk that was left fills it, but for a line of
 * usual length, and says what came of a tool: lines that do not are not worth a
 * fuller budget.
 */
static bool
has_outcome(const struct rank_limit *limit)
{
	return limit->best_has_outcome && limit->best.truncated.room > 0 &&
	       limit->best.truncated.nth == 0 &&
	       limit->available - limit->best_tokens <=
		       max_u64(limit->available / LOG_PART, LOG_LINE);
}

/* The next chunk; or with a plan of fewer chunks the first one. */
static void
part_next(struct rank_limit *limit, const struct plan_result *made)
{
	if (has_outcome(limit))
		settle(limit);
	else if (made->kept_lines != 0 &&
		 ++limit->now.truncated.nth < TRUNCATED_MAX) {
		limit->now.truncated.lines = 0;
		begin_part(limit);
	} else if (limit->has_best && ++limit->whole_less <= LESS_MAX) {
		begin_whole(limit);
	} else {
		settle(limit);
	}
}

/* Between what fitted and what did not, by what the outputs were. */
static uint32_t
lines_between(const struct rank_limit *limit)
{
	uint32_t lines = limit->part_high - limit->part_low;
	uint64_t tokens = limit->part_high_tokens - limit->part_low_tokens;
	uint64_t wanted = full_of(limit);

	wanted -= min_u64(wanted, limit->part_low_tokens);
	return limit->part_low + (uint32_t)(lines * wanted / tokens);
}

/* So many more or fewer of the last number of lines, at its mean. */
static uint32_t
lines_scaled(const struct rank_limit *limit, const struct plan_result *made,
	     uint64_t tokens)
{
	uint64_t wanted = full_of(limit);
	uint64_t lines = distance(limit, tokens) * made->truncated_of /
			 max_u64(made->truncated_tokens, 1);

	if (tokens > wanted)
		return made->kept_lines -
		       (uint32_t)min_u64(lines, made->kept_lines);
	return (uint32_t)min_u64(made->kept_lines + lines, made->truncated_of);
}

/* What is taken of the chunk next; 0: there is nothing between. */
static uint32_t
next_lines(const struct rank_limit *limit, const struct plan_result *made,
	   uint64_t tokens)
{
	uint32_t low = limit->part_low;
	uint32_t high =
		limit->part_high != 0 ? limit->part_high : made->truncated_of;
	uint32_t lines;

	if (high - low <= 1)
		return 0;
	if (limit->tries > PARTS_GUESSED)
		return low + (high - low) / 2;
	lines = low != 0 && limit->part_high != 0
			? lines_between(limit)
			: lines_scaled(limit, made, tokens);
	return (uint32_t)min_u64(max_u64(lines, low + 1), high - 1);
}

static void
part(struct rank_limit *limit, const struct plan_result *made, uint64_t tokens)
{
	if (limit->outputs >= PARTS_MAX) {
		settle(limit);
		return;
	}
	if (made->kept_lines == 0) {
		part_next(limit, made);
		return;
	}
	if (tokens <= limit->available) {
		limit->part_low = made->kept_lines;
		limit->part_low_tokens = tokens;
	} else {
		limit->part_high = made->kept_lines;
		limit->part_high_tokens = tokens;
	}
	limit->tries++;
	limit->now.truncated.lines = next_lines(limit, made, tokens);
	if (limit->now.truncated.lines == 0)
		part_next(limit, made);
}

/* ---- probing ------------------------------------------------------------ */

/* The limit of an exact plan whose output would be that. */
static uint64_t
aim(const struct rank_limit *limit)
{
	uint64_t sum = add_sat_u64(full_of(limit), limit->aim_planned);

	return sum - min_u64(limit->aim_tokens, sum);
}

/* A limit to be probed; planned: what the last plan came to. */
static uint64_t
probed(const struct rank_limit *limit, uint32_t idx, uint64_t planned)
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

static enum rank_how
how_of(uint32_t idx)
{
	return probes[idx].from == FROM_AIM       ? RANK_EXACT
	       : probes[idx].from == FROM_AIM_ALL ? RANK_EXACT_ALL
						  : RANK_BY_RANK;
}

/*
 * Whether a limit is known to be of no use: it is far too low, or between what
 * an exact plan came to and its limit, where it is the same one again.
 */
static bool
is_in_vain(const struct rank_limit *limit, bool rest_left)
{
	if (limit->now.limit < limit->plain - limit->plain / PROBE_FAR ||
	    (limit->now.how == RANK_EXACT_ALL && !rest_left))
		return true;
	for (uint32_t i = 0; i < limit->exact_nr; i++)
		if (limit->now.how == limit->exact[i].how &&
		    limit->now.limit >= limit->exact[i].planned &&
		    limit->now.limit <= limit->exact[i].limit)
			return true;
	return false;
}

/* The next limit of probes[] that is worth an output. */
static void
probe_next(struct rank_limit *limit, const struct plan_result *made)
{
	do {
		if (limit->tries == ARRAY_LEN(probes) ||
		    limit->outputs >= OUTPUTS_MAX) {
			begin_truncating(limit);
			return;
		}
		limit->now.how = how_of(limit->tries);
		limit->now.limit = probed(limit, limit->tries++, made->planned);
	} while (is_in_vain(limit, made->rest_left));
}

static void
probe(struct rank_limit *limit, const struct plan_result *made, uint64_t tokens)
{
	if (limit->now.how != RANK_BY_RANK) {
		ASSERT(limit->exact_nr < ARRAY_LEN(limit->exact));
		limit->exact[limit->exact_nr].planned = made->planned;
		limit->exact[limit->exact_nr].limit = limit->now.limit;
		limit->exact[limit->exact_nr++].how = limit->now.how;
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
begin_probing(struct rank_limit *limit, const struct plan_result *made)
{
	if (is_full(limit, limit->best_tokens, FULL_PART)) {
		settle(limit);
		return;
	}
	limit->phase = RANK_LIMIT_PROBING;
	limit->tries = 0;
	limit->now.extra = 0;
	limit->now.limit = limit->plain;
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
begin_adding(struct rank_limit *limit)
{
	limit->phase = RANK_LIMIT_ADDING;
	limit->tries = 0;
	limit->now.limit = limit->best.limit;
	limit->now.extra = limit->available - limit->best_tokens;
	limit->plain_tokens = limit->best_tokens;
	limit->plain = limit->best.limit;
}

static void
add(struct rank_limit *limit, const struct plan_result *made, uint64_t tokens)
{
	uint64_t next;

	if (tokens == limit->plain_tokens) {
		/* nothing is small enough */
		limit->extra_low = limit->now.extra;
		next = limit->now.extra;
	} else if (tokens <= limit->available) {
		limit->extra_low = limit->now.extra;
		next = add_sat_u64(limit->now.extra, limit->available - tokens);
	} else {
		limit->extra_high = limit->now.extra;
		next = limit->extra_low;
	}
	if (limit->extra_high != 0 &&
	    (next >= limit->extra_high || next == limit->extra_low))
		next = limit->extra_low +
		       (limit->extra_high - limit->extra_low) / 2;
	if (++limit->tries >= ADDS_MAX || next == limit->extra_low)
		begin_probing(limit, made);
	else
		limit->now.extra = next;
}

/* ---- searching ---------------------------------------------------------- */

/* Between what fitted and what did not. */
static uint64_t
middle(const struct rank_limit *limit)
{
	return limit->low + (limit->high - limit->low) / 2;
}

/* The limit whose output would be what is available, at this rate. */
static uint64_t
scaled(const struct rank_limit *limit, uint64_t tokens)
{
	double at = (double)limit->now.limit * (double)limit->available /
		    (double)max_u64(tokens, 1);

	return at >= 9e18 ? (uint64_t)9e18 : (uint64_t)at;
}

static uint64_t
next_above(struct rank_limit *limit, uint64_t tokens)
{
	uint64_t unused = limit->available - tokens;
	uint64_t next = max_u64(scaled(limit, tokens),
				add_sat_u64(limit->now.limit, unused / 2));

	limit->has_low = 1;
	limit->low = max_u64(limit->low, limit->now.limit);
	return next;
}

static uint64_t
next_below(struct rank_limit *limit, uint64_t tokens)
{
	uint64_t over = tokens - limit->available;
	uint64_t less = ++limit->overs * (limit->available / SLACK_PART);
	uint64_t next =
		min_u64(scaled(limit, tokens),
			limit->now.limit - min_u64(limit->now.limit, over / 2));

	/* a plan is filled to its limit: a hair less would be over again */
	next -= min_u64(next, less);
	if (limit->tries >= SEARCHES_MAX)
		next = min_u64(next, limit->now.limit / 2);
	limit->high = limit->now.limit;
	if (limit->has_low && limit->now.limit <= limit->low) {
		/* files have changed: what fitted does so no longer */
		limit->has_low = 0;
		limit->low = 0;
	}
	return min_u64(next, limit->now.limit - (limit->now.limit > 0));
}

static void
search(struct rank_limit *limit, uint64_t tokens)
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
		limit->now.limit = next;
}

/* ---- all of it ---------------------------------------------------------- */

/* Files have changed: what was found out is true no more, and is not again. */
static void
search_again(struct rank_limit *limit)
{
	limit->phase = RANK_LIMIT_SEARCHING;
	limit->now = (struct plan_target){ .limit = limit->now.limit };
	limit->best_tokens = 0;
	limit->has_low = 0;
	limit->low = 0;
	limit->tries = 0;
	limit->is_again = 1;
}

bool
rank_limit_part(struct rank_limit *limit)
{
	if (limit->has_best || limit->phase >= RANK_LIMIT_TRUNCATING)
		return false;
	limit->best = limit->now;
	begin_truncating(limit);
	return true;
}

bool
rank_limit_verdict(struct rank_limit *limit, const struct plan_result *made,
		   uint64_t tokens)
{
	bool fits = tokens <= limit->available;
	bool is_searched = limit->phase < RANK_LIMIT_PROBING;
	bool is_good =
		is_full(limit, tokens, is_searched ? GOOD_PART : FULL_PART);

	limit->outputs++;
	if (fits && (is_good || !made->more_left || limit->is_again ||
		     limit->phase == RANK_LIMIT_SETTLED))
		return true;
	if (limit->phase == RANK_LIMIT_SETTLED)
		search_again(limit);
	/* what is left for the end is for a full budget, not a fuller one; so is
	 * part of a chunk in the place of a whole one */
	if (fits && limit->now.how != RANK_EXACT_ALL &&
	    !(limit->phase == RANK_LIMIT_TRUNCATING && limit->whole_less > 0) &&
	    (tokens > limit->best_tokens || !limit->has_best)) {
		limit->has_best = 1;
		limit->best_has_outcome = made->truncated_has_outcome;
		limit->best = limit->now;
		limit->best_tokens = tokens;
		limit->best_planned = made->planned;
	}
	switch (limit->phase) {
	case RANK_LIMIT_ADDING:
		add(limit, made, tokens);
		break;
	case RANK_LIMIT_PROBING:
		probe(limit, made, tokens);
		break;
	case RANK_LIMIT_TRUNCATING:
		part(limit, made, tokens);
		break;
	default:
		search(limit, tokens);
	}
	return false;
}
