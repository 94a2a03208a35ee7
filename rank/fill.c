/* SPDX-License-Identifier: MIT */
/*
 * fill.c - from the output of one plan to the next plan.
 *
 * Token counts of parts do not add up to the count of the whole, so what a plan
 * comes to is known when its output is made. Its output tells what signatures
 * cost, and what it has beside its parts. If it is not full,
 *
 *   1  an output that is over, or far below, is planned again with a limit in
 *      proportion
 *   2  of the best chunks that the plan has no room for, as many are added as are
 *      thought to fill it, and one up to a line
 *   3  if that is wrong again and again, all of them are added: that output is
 *      not the one, but what their lines come to in it is told by format
 *   4  of these, as many are taken as there is then room for, and one up to a
 *      line. Where no line fills it, the plan that this is added to is one of
 *      fewer chunks: what it leaves is for the part of a better one
 *
 * Does: says what is planned next; an output is made only of what may be the
 *       one.
 * Does not: make plans (select_plan.c).
 */
#include "rank/rank.h"

#define FAR_PART 50     /* less than was thought by one in so many: far below */
#define SLACK_PART 2000 /* less, each time it was over */
#define AIM_PART (4 * RANK_FULL_PART) /* of what is available, to be unused */
#define SEARCHES_MAX 12
#define GUESSES_MAX 3  /* outputs of an edge before its lines are measured */
#define CUTS_MAX 6     /* outputs of the same, a token more or less */
#define FREED_MAX 3    /* outputs with another part, of the same whole ones */
#define LESS_LEAST 500 /* tokens: of fewer, a line is more than is missing */
#define LESS_MAX 20    /* plans of fewer chunks, */
#define LESS_PART 96   /* by one in so many of what is available each, */
#define LESS_TRIED_MAX \
	4 /* outputs of which may show that they do not fill it */

void
rank_fill_init(struct rank_fill *fill, uint64_t available)
{
	*fill = (struct rank_fill){
		.available = available,
		.now = { .limit = available, .available = available },
	};
}

static bool
is_full(const struct rank_fill *fill, uint64_t tokens)
{
	return tokens <= fill->available &&
	       fill->available - tokens <= fill->available / RANK_FULL_PART;
}

uint32_t
rank_fill_lines(uint64_t (*costs)(void *chunk, uint32_t lines), void *chunk,
		uint32_t of, uint64_t room, uint64_t *cost)
{
	uint32_t low = 0; /* so many fit */
	uint32_t high = of;

	*cost = 0;
	while (high - low > 1) {
		uint32_t lines = low + (high - low) / 2;
		uint64_t tokens = costs(chunk, lines);

		if (tokens <= room) {
			low = lines;
			*cost = tokens;
		} else {
			high = lines;
		}
	}
	return low;
}

/* ---- whole chunks ------------------------------------------------------- */

/* The limit whose output would be full by a part of what may be unused, at the
 * rate of a plan that was thought to cost so much. */
static uint64_t
scaled(const struct rank_fill *fill, uint64_t thought, uint64_t tokens)
{
	uint64_t aim = fill->available - fill->available / AIM_PART;
	double at = (double)thought * (double)aim / (double)max_u64(tokens, 1);

	return at >= 9e18 ? (uint64_t)9e18 : (uint64_t)at;
}

/* A plan is filled to its limit or to what it was thought to cost, if that was
 * less: a hair less would be over again. */
static void
lower(struct rank_fill *fill, uint64_t thought, uint64_t tokens)
{
	uint64_t less = ++fill->overs * (fill->available / SLACK_PART);
	uint64_t over = tokens - fill->available;
	uint64_t limit = fill->now.limit;
	uint64_t next = min_u64(scaled(fill, min_u64(limit, thought), tokens),
				limit - min_u64(limit, over / 2));

	next -= min_u64(next, less);
	if (fill->overs >= SEARCHES_MAX)
		next = min_u64(next, limit / 2);
	fill->now.limit = min_u64(next, limit - (limit > 0));
}

/* Of what a plan leaves, the best is added: */
static void
add_edge(struct rank_fill *fill, enum rank_edges edges)
{
	fill->now.edges = (uint8_t)edges;
	fill->now.wrong = 0;
	fill->now.part_wrong = 0;
	fill->now.part = (struct plan_part){ 0 };
	fill->tries = 0;
}

/* as much as is thought to fill it, */
static void
guess(struct rank_fill *fill)
{
	add_edge(fill, RANK_EDGES_GUESSED);
}

/* or all of it, to be told what its lines cost. */
static void
measure(struct rank_fill *fill)
{
	add_edge(fill, RANK_EDGES_MEASURED);
}

/* Whether it came to so much less than was thought that a plan which takes that
 * into account may be full: far less, or for the first time less, of a plan that
 * was full. */
static bool
is_worth_another(struct rank_fill *fill, const struct plan_result *made,
		 uint64_t tokens)
{
	uint64_t less = made->planned - min_u64(made->planned, tokens);

	if (less > made->planned / FAR_PART)
		return ++fill->tries < SEARCHES_MAX;
	return less > made->planned / RANK_FULL_PART &&
	       made->planned + fill->available / RANK_FULL_PART >=
		       fill->now.limit &&
	       fill->tries++ == 0;
}

/* No less than nothing, and no more than there can be. */
static uint64_t
add_signed(uint64_t tokens, int64_t more)
{
	return more >= 0 ? add_sat_u64(tokens, (uint64_t)more)
			 : tokens - min_u64(tokens, (uint64_t)-more);
}

/* A plan of whole chunks that fits, or is thought to: then of no tokens. */
static void
set_whole(struct rank_fill *fill, uint64_t tokens)
{
	fill->has_whole = 1;
	fill->whole_limit = fill->now.limit;
	fill->whole_tokens = tokens;
}

static bool
judge_whole(struct rank_fill *fill, const struct plan_result *made,
	    uint64_t tokens)
{
	bool is_over = tokens > fill->available;
	bool is_worth = !is_over && fill->overs == 0 &&
			!is_full(fill, tokens) &&
			is_worth_another(fill, made, tokens);

	if (is_over && fill->has_whole) {
		fill->now.limit = fill->whole_limit;
		guess(fill);
		return false;
	}
	if (!is_over && (!made->more_left || is_full(fill, tokens)))
		return true;
	/* the next plan knows what these cost */
	fill->now.limit = add_signed(fill->now.limit, made->parts_off);
	fill->now.off =
		(int64_t)tokens - (int64_t)made->planned - made->parts_off;
	fill->has_off = 1;
	if (is_over) {
		lower(fill, add_signed(made->planned, made->parts_off), tokens);
		return false;
	}
	set_whole(fill, tokens);
	if (is_worth)
		fill->now.limit = max_u64(scaled(fill, fill->now.limit, tokens),
					  add_sat_u64(fill->now.limit, 1));
	else
		guess(fill);
	return false;
}

/* ---- and one up to a line ----------------------------------------------- */

/* Of the plans that fit the fullest one; whole chunks, if no other has been
 * made. */
static void
settle(struct rank_fill *fill)
{
	if (fill->fullest_tokens > 0 &&
	    (fill->keeps || fill->fullest_tokens >= fill->whole_tokens)) {
		fill->now = fill->fullest;
		fill->is_settled = 1;
	} else {
		fill->now.limit = fill->whole_limit;
		fill->now.edges = RANK_EDGES_NONE;
		fill->is_settled = 0;
	}
	fill->is_again = 1;
}

/* Any chunk may be the part again, and is thought to be as wrong. */
static void
free_part(struct rank_fill *fill)
{
	fill->now.wrong += fill->now.part_wrong;
	fill->now.part_wrong = 0;
	fill->now.part = (struct plan_part){ 0 };
	fill->has_cut = 0;
	fill->has_over = 0;
}

/* A plan of fewer chunks. */
static void
take_less(struct rank_fill *fill, uint64_t planned)
{
	uint64_t limit = min_u64(fill->now.limit, planned);
	uint64_t step = fill->available / LESS_PART + 1;

	fill->less++;
	free_part(fill);
	fill->freed = 0;
	fill->now.limit = limit - min_u64(limit, step);
	fill->now.is_part = true;
	fill->now.wrong = 0;
	fill->tries = 0;
}

/* A plan of fewer chunks, or else the fullest that there was. */
static void
next_less(struct rank_fill *fill, uint64_t planned)
{
	if (fill->less < LESS_MAX) {
		take_less(fill, planned);
		return;
	}
	if (fill->fullest_tokens > 0 || fill->best_tokens == 0) {
		settle(fill);
		return;
	}
	fill->is_settled = 1;
	fill->now = fill->best;
}

/* The best chunks that are left are thought not to fill it. */
static bool
plan_less(struct rank_fill *fill, const struct plan_result *made)
{
	uint64_t thought = made->planned + made->edge_tokens;

	if (!fill->has_whole || fill->available < LESS_LEAST)
		return true; /* no plan of fewer chunks */
	if (made->edge_nr > 0 &&
	    (made->keeps > fill->keeps ||
	     (made->keeps == fill->keeps && thought > fill->best_tokens))) {
		fill->best = fill->now;
		fill->best_tokens = thought;
		fill->keeps = made->keeps;
	}
	next_less(fill, made->planned);
	return false;
}

/* Whether whole chunks are thought not to fill it, by what the last output had
 * beside its parts. */
static bool
leaves_room(const struct rank_fill *fill, const struct plan_result *made)
{
	int64_t thought = (int64_t)made->planned + fill->now.off;

	return fill->has_off && !fill->is_again && made->more_left &&
	       thought >= 0 && (uint64_t)thought <= fill->available &&
	       !is_full(fill, (uint64_t)thought);
}

/* Of an edge whose lines are measured, or to be. */
static bool
planned_edge(struct rank_fill *fill, const struct plan_result *made)
{
	if (fill->now.part.chunk != 0 && !fill->is_settled) {
		if (made->part.chunk != 0)
			return true;
		free_part(fill);
		return false;
	}
	if (made->is_empty && fill->has_whole && !fill->is_again) {
		/* its part has no room after all, and there is nothing else */
		settle(fill);
		return false;
	}
	if (fill->is_settled || (made->fills && made->keeps >= fill->keeps) ||
	    (fill->now.edges == RANK_EDGES_MEASURED && made->edge_nr > 0))
		return true;
	return plan_less(fill, made);
}

bool
rank_fill_planned(struct rank_fill *fill, const struct plan_result *made)
{
	if (fill->now.edges == RANK_EDGES_NONE) {
		if (leaves_room(fill, made)) {
			if (!fill->has_whole)
				set_whole(fill, 0);
			guess(fill);
			return false;
		}
		if (!made->is_empty || !made->more_left || fill->is_again ||
		    made->planned >= fill->available)
			return true;
		fill->whole_limit = fill->now.limit;
		guess(fill);
		return false;
	}
	if (fill->now.edges == RANK_EDGES_GUESSED) {
		if (made->fills || made->keeps)
			return true;
		measure(fill);
		return false;
	}
	return planned_edge(fill, made);
}

/* The same chunks, and more or fewer lines of that which is a part. */
static void
set_wrong(struct rank_fill *fill, const struct plan_result *made, int64_t wrong)
{
	fill->now.part = made->part;
	if (made->part.chunk != 0)
		fill->now.part_wrong = wrong - fill->now.wrong;
	else
		fill->now.wrong = wrong;
}

/* There is nothing more to be had of these chunks: whether an output of others
 * is made. */
static bool
try_others(struct rank_fill *fill, const struct plan_result *made)
{
	if (fill->now.part.chunk != 0 && fill->freed < FREED_MAX) {
		fill->freed++;
		if (fill->has_cut)
			fill->now.part_wrong =
				fill->cut_wrong - fill->now.wrong;
		free_part(fill);
		fill->tries = 0;
		return true;
	}
	if (!fill->has_whole || fill->available < LESS_LEAST || made->keeps ||
	    fill->less >= LESS_MAX || fill->less_tried >= LESS_TRIED_MAX)
		return false;
	fill->less_tried++;
	take_less(fill, made->planned);
	return true;
}

/* It was more than there is room for, or less by that error. */
static void
try_lines(struct rank_fill *fill, const struct plan_result *made, int64_t error)
{
	int64_t more = fill->cut_wrong - fill->over_wrong;

	if (fill->has_cut && fill->has_over && more <= 1)
		fill->tries = CUTS_MAX;
	if (fill->tries < CUTS_MAX)
		set_wrong(fill, made,
			  fill->has_cut && fill->has_over
				  ? fill->over_wrong + more / 2
				  : error);
	else if (!try_others(fill, made))
		settle(fill);
}

/* Tokens that an output with an edge has more than was thought. */
static int64_t
error_of(const struct rank_fill *fill, const struct plan_result *made,
	 uint64_t tokens)
{
	return (int64_t)tokens - (int64_t)(made->planned + made->edge_tokens) -
	       fill->now.off;
}

/* The same lines for as much less, or more, or their costs are to be told. */
static bool
judge_guess(struct rank_fill *fill, const struct plan_result *made,
	    uint64_t tokens)
{
	int64_t error = error_of(fill, made, tokens);
	int64_t over = (int64_t)tokens - (int64_t)fill->available;
	int64_t wrong = fill->now.wrong + fill->now.part_wrong;

	if (is_full(fill, tokens))
		return true;
	if (over > 0 && error < wrong + over)
		error = wrong + over;
	if (++fill->tries < GUESSES_MAX)
		set_wrong(fill, made, error);
	else
		measure(fill);
	return false;
}

/* What it was wrong by is taken off, or added. */
static bool
judge_cut(struct rank_fill *fill, const struct plan_result *made,
	  uint64_t tokens)
{
	int64_t error = error_of(fill, made, tokens);
	int64_t wrong = fill->now.wrong + fill->now.part_wrong;

	fill->tries++;
	if (tokens > fill->available) {
		fill->has_over = 1;
		fill->over_wrong = wrong;
		try_lines(fill, made, error > wrong ? error : wrong + 1);
		return false;
	}
	if (is_full(fill, tokens))
		return true;
	if (tokens > fill->fullest_tokens) {
		fill->fullest = fill->now;
		fill->fullest_tokens = tokens;
	}
	if (error >= wrong ||
	    (fill->has_cut && made->edge_tokens == fill->cut_tokens)) {
		/* there is nothing more to be had of it */
		fill->tries = CUTS_MAX;
	}
	fill->has_cut = 1;
	fill->cut_tokens = made->edge_tokens;
	fill->cut_wrong = wrong;
	try_lines(fill, made, error);
	return fill->is_settled && fill->is_again &&
	       tokens == fill->fullest_tokens;
}

/* ---- all of it ---------------------------------------------------------- */

void
rank_fill_again(struct rank_fill *fill)
{
	uint64_t limit = fill->now.limit;
	uint32_t outputs = fill->outputs;

	rank_fill_init(fill, fill->available);
	fill->outputs = outputs;
	fill->now.limit = limit;
}

bool
rank_fill_verdict(struct rank_fill *fill, const struct plan_result *made,
		  uint64_t tokens)
{
	fill->outputs++;
	if (tokens <= fill->available && fill->is_again)
		return true;
	if (fill->is_again)
		rank_fill_again(fill); /* files have changed */
	if (fill->now.edges == RANK_EDGES_NONE)
		return judge_whole(fill, made, tokens);
	if (fill->now.edges == RANK_EDGES_GUESSED)
		return judge_guess(fill, made, tokens);
	if (fill->now.edges == RANK_EDGES_CUT)
		return judge_cut(fill, made, tokens);
	fill->now.edges = RANK_EDGES_CUT;
	return false;
}
