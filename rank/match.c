/* SPDX-License-Identifier: MIT */
/*
 * match.c - BM25 and what is added to it.
 */
#include "rank/match.h"

#include <string.h>

#define K1 1.6    /* how soon more of the same adds nothing */
#define COVER 0.5 /* a text with all terms gains so much */
#define B 0.75    /* how much longer texts are held against them */

/* What the parts weigh beside the share of the piece itself, which is 1. */
#define NEAR 0.25   /* each neighbour */
#define NEXT 0.1    /* each neighbour's */
#define WHOLE 0.4   /* the whole file */
#define PATH 0.2    /* words of the path */
#define HISTORY 0.2 /* all commits that changed the file */
#define SAID 0.4    /* the best of those that lines of the piece came with */
#define NAMED 1.2   /* that the query names the piece, and its file */
#define ALONE 3.6   /* and that more, if it says nothing else */
/* Per cent of what the best piece has above the floor; the best of what there
 * can be, in millionths. */
#define HIGH_PERCENT 35
#define LOW_PERCENT 15
/* The pieces that reach the floor: one in so many of all, and its limits. */
#define FLOOR_PART 4
#define FLOOR_LEAST 100
#define FLOOR_MOST 2000
#define CONFIDENT_BEST 500000
#define NAMED_FILE (0.5 / NAMED)
/* What decay takes off, beside that of match_decay(): in the best file, and in
 * one that has nothing. */
#define DECAY_BEST 0.5
#define DECAY_LEAST 1.2
#define OTHERS_LESS 0.1 /* all but the best piece of the latter */
#define BEGIN 0.4 /* of the best piece of a file, for the one it begins with */
#define TOP (1 + 2 * NEAR + 2 * NEXT + WHOLE + PATH + HISTORY + SAID + NAMED)

/* Natural logarithm of x >= 1, within 1e-9: exponent and a series. */
static double
ln(double x)
{
	double halves = 0;
	double y;
	double y2;

	while (x > 1.5) {
		x /= 2;
		halves += 1;
	}
	/* ln x = 2 artanh((x - 1) / (x + 1)), |y| <= 1/5 */
	y = (x - 1) / (x + 1);
	y2 = y * y;
	return halves * 0.69314718055994530942 +
	       2 * y *
		       (1 + y2 * (1.0 / 3 +
				  y2 * (1.0 / 5 +
					y2 * (1.0 / 7 +
					      y2 * (1.0 / 9 + y2 / 11)))));
}

double
match_root(double x)
{
	double root = x > 1 ? x : 1;

	if (!(x > 0))
		return 0;
	/* Newton's steps from above fall until they cannot any more */
	for (;;) {
		double next = (root + x / root) / 2;

		if (next >= root)
			return root;
		root = next;
	}
}

void
match_weigh(struct match_set *set, const double *worth, uint32_t term_nr)
{
	set->all = 0;
	for (uint32_t i = 0; i < term_nr; i++) {
		double with = (double)set->with[i];
		double without = (double)set->nr - with;

		set->weight[i] =
			worth[i] * ln(1 + (without + 0.5) / (with + 0.5));
		set->all += set->weight[i];
	}
}

double
match_cover(const struct match_set *set, double score, double covered)
{
	return set->all > 0 ? score * (1 + COVER * covered / set->all) : 0;
}

double
match_term(const struct match_set *set, uint32_t term, uint32_t times,
	   uint64_t bytes)
{
	double usual = (double)set->length / (double)max_u64(set->nr, 1);
	double length = usual > 0 ? (double)bytes / usual : 1;
	double tf = (double)times;

	return set->weight[term] * tf * (K1 + 1) /
	       (tf + K1 * (1 - B + B * length));
}

double
match_share(const struct match_set *set, double score)
{
	return set->best > 0 ? score / set->best : 0;
}

double
match_kind_factor(uint32_t kinds)
{
	double factor = 1;

	if (kinds & MATCH_TEST)
		factor *= 0.3;
	if (kinds & MATCH_DOC)
		factor *= 0.3;
	if (kinds & MATCH_VENDORED)
		factor *= 0.5;
	if (kinds & MATCH_GENERATED)
		factor *= 0.3;
	return factor;
}

double
match_decay(uint64_t available_tokens)
{
	double small = 8000 / (double)max_u64(available_tokens, 8000);

	return 1 - 0.006 - 0.055 * small * small;
}

/* The share of piece i + by; 0 beyond the ends. */
static double
beside(const float *share, uint32_t nr, uint32_t i, int by)
{
	int64_t at = (int64_t)i + by;

	return at < 0 || at >= (int64_t)nr ? 0 : (double)share[at];
}

/* Puts each in its place among those that are `gap` apart. */
static void
sort_apart(uint64_t *order, uint32_t nr, uint32_t gap)
{
	for (uint32_t i = gap; i < nr; i++) {
		uint64_t it = order[i];
		uint32_t at = i;

		for (; at >= gap && order[at - gap] > it; at -= gap)
			order[at] = order[at - gap];
		order[at] = it;
	}
}

/* Indices of scores in the lower halves, the best first; ties in the order of
 * the text. No score is negative: their bits are in the order of the scores.
 * Shellsort: most files have few pieces, and most pieces score alike. */
static void
sort_best_first(const float *score, uint64_t *order, uint32_t nr)
{
	static const uint32_t gaps[] = { 4193, 1577, 701, 301, 132,
					 57,   23,   10,  4,   1 };

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t bits;

		memcpy(&bits, &score[i], sizeof(bits));
		order[i] = (uint64_t)~bits << 32 | i;
	}
	for (size_t i = 0; i < ARRAY_LEN(gaps); i++)
		sort_apart(order, nr, gaps[i]);
}

static double
neighbours(const float *own, uint32_t nr, uint32_t i)
{
	return NEAR * (beside(own, nr, i, -1) + beside(own, nr, i, 1)) +
	       NEXT * (beside(own, nr, i, -2) + beside(own, nr, i, 2));
}

/* What the first piece has at least: imports and constants are there, which
 * the best one uses. */
static double
of_begin(const float *own, uint32_t nr)
{
	double best = 0;

	for (uint32_t i = 0; i < nr; i++) {
		double sum = (double)own[i] + neighbours(own, nr, i);

		best = sum > best ? sum : best;
	}
	return BEGIN * best - (double)own[0];
}

double
match_near(const struct match_file *file, const float *own, uint32_t nr,
	   uint32_t i)
{
	double near = neighbours(own, nr, i);
	double begin = i == 0 && file->begins ? of_begin(own, nr) : 0;

	return begin > near ? begin : near;
}

double
match_named(const struct match_file *file, uint32_t i)
{
	double piece =
		file->named_pieces == NULL ? 0 : (double)file->named_pieces[i];

	return NAMED_FILE * file->named + (1 - NAMED_FILE) * piece;
}

double
match_sum(const struct match_file *file, uint32_t i, double own, double near)
{
	double said =
		file->said_pieces == NULL ? 0 : (double)file->said_pieces[i];
	double more = file->is_name ? ALONE : 0;
	double of_file = WHOLE * file->whole + PATH * file->path +
			 HISTORY * file->history + SAID * said +
			 (NAMED + more) * match_named(file, i);

	return (own + near + of_file) * (file->kind / (TOP + more));
}

void
match_tally_add(struct match_tally *tally, const struct match_file *file,
		const float *share, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		double sum = match_sum(file, i, (double)share[i],
				       neighbours(share, nr, i));
		uint32_t step = (uint32_t)(sum * MATCH_STEPS);

		tally->best = sum > tally->best ? sum : tally->best;
		tally->with[step < MATCH_STEPS ? step : MATCH_STEPS]++;
	}
	tally->nr += nr;
}

void
match_tally_none(struct match_tally *tally, uint32_t nr)
{
	tally->with[0] += nr;
	tally->nr += nr;
}

double
match_tally_floor(const struct match_tally *tally)
{
	uint64_t left = max_u64(min_u64(tally->nr / FLOOR_PART, FLOOR_MOST),
				FLOOR_LEAST);
	uint32_t step = MATCH_STEPS;

	while (step > 0 && tally->with[step] < left)
		left -= tally->with[step--];
	return (double)step / MATCH_STEPS;
}

/* In the best file there is more depth: its pieces decay less, and all but the
 * best one of the others are worth less. */
static void
decay_pieces(const struct match_spread *spread, float *share,
	     const uint64_t *order, uint32_t nr)
{
	double best = nr == 0 ? 0 : (double)share[(uint32_t)order[0]];
	double of_best = spread->best > best ? best / spread->best : 1;
	double by = DECAY_LEAST - (DECAY_LEAST - DECAY_BEST) * of_best;
	double decay = 1 - (1 - spread->decay) * by;
	double factor = 1 - OTHERS_LESS * (1 - of_best);

	for (uint32_t i = 1; i < nr; i++) {
		float *at = &share[(uint32_t)order[i]];

		factor *= decay;
		*at = (float)((double)*at * factor);
	}
}

void
match_pieces(const struct match_file *file, const struct match_spread *spread,
	     float *share, uint64_t *order, uint32_t nr)
{
	double first = nr == 0 ? 0 : match_near(file, share, nr, 0);
	double before[2] = { 0, 0 }; /* shares of the pieces just passed */

	for (uint32_t i = 0; i < nr; i++) {
		double own = (double)share[i];
		double near = before[0] + beside(share, nr, i, 1);
		double next = before[1] + beside(share, nr, i, 2);
		double sum = i == 0 ? first : NEAR * near + NEXT * next;

		before[1] = before[0];
		before[0] = own;
		share[i] = (float)match_sum(file, i, own, sum);
	}
	sort_best_first(share, order, nr);
	decay_pieces(spread, share, order, nr);
}

enum match_confidence
match_confidence(uint32_t relevance, uint32_t best, uint32_t floor)
{
	uint64_t above = relevance > floor ? 100ull * (relevance - floor) : 0;
	uint64_t most = best > floor ? best - floor : 0;

	if (relevance == 0)
		return MATCH_CONFIDENCE_NONE;
	if (relevance >= best || above >= HIGH_PERCENT * most)
		return MATCH_CONFIDENCE_HIGH;
	return above >= LOW_PERCENT * most ? MATCH_CONFIDENCE_LOW
					   : MATCH_CONFIDENCE_NONE;
}

enum match_confidence
match_confidence_best(uint32_t best)
{
	return best >= CONFIDENT_BEST ? MATCH_CONFIDENCE_HIGH
	       : best > 0             ? MATCH_CONFIDENCE_LOW
				      : MATCH_CONFIDENCE_NONE;
}

const char *
match_confidence_text(enum match_confidence confidence)
{
	static const char *const texts[] = {
		[MATCH_CONFIDENCE_NONE] = "none",
		[MATCH_CONFIDENCE_LOW] = "low",
		[MATCH_CONFIDENCE_HIGH] = "high",
	};

	return texts[confidence];
}
