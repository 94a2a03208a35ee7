/* SPDX-License-Identifier: MIT */
/*
 * match.h - scores how well a piece of a file matches a query.
 *
 * Does: BM25 from given counts, and the contributions of the file around a
 *       piece, its neighbours, its path and its history.
 * Does not: know words or where counts come from. No functions of libm, so
 *           that every machine ranks alike.
 * source: Robertson and Zaragoza, The Probabilistic Relevance Framework
 *         (2009), for BM25; the weights are ours: docs/ranking.md
 */
#ifndef RANK_MATCH_H
#define RANK_MATCH_H

#include "base/base.h"

#define MATCH_TERMS_MAX 160

/* Kinds of files with less weight, unless the query asks for them. */
enum match_kind {
	MATCH_TEST = 1 << 0,
	MATCH_DOC = 1 << 1, /* texts, data, settings */
	MATCH_VENDORED = 1 << 2,
	MATCH_GENERATED = 1 << 3
};

/* A set of texts: chunks, files, paths, messages. */
struct match_set {
	uint64_t nr;
	uint64_t length;                /* bytes of all */
	uint64_t with[MATCH_TERMS_MAX]; /* texts that have the term */
	double weight[MATCH_TERMS_MAX]; /* match_weigh() */
	double all;                     /* sum of the weights */
	double best;                    /* the greatest score seen */
};

/*
 * shape:  the weight of each term: its worth to the query, times its rarity in
 *         the set
 */
void
match_weigh(struct match_set *set, const double *worth, uint32_t term_nr);

/*
 * shape:  a score raised by the share of the query that a text covers
 * units:  covered: sum of the weights of the terms it has
 */
double
match_cover(const struct match_set *set, double score, double covered);

/*
 * shape:  the contribution of a term to the BM25 score of a text
 * units:  times: in the text; bytes: of the text, as in `length`
 */
double
match_term(const struct match_set *set, uint32_t term, uint32_t times,
	   uint64_t bytes);

/* Score over the best of its set; 0 if nothing has any. */
double
match_share(const struct match_set *set, double score);

/* The scores of a file, each 0 to 1 of the best of all files. */
struct match_file {
	double whole;   /* BM25 of all of it */
	double path;    /* of its path */
	double history; /* of the messages of commits that changed it */
	double named;   /* how strongly the query names it */
	bool is_name;   /* the query is a name, which the tree defines */
	const float *named_pieces; /* the same of each piece; NULL: of none */
	const float *said_pieces;  /* the best message of a commit that lines of
				    * each came with; likewise */
	double kind;               /* match_kind_factor() */
	bool begins;               /* its first piece is the first of these */
};

/* How the pieces of a plan are spread over files. */
struct match_spread {
	double decay; /* match_decay() */
	double best;  /* of all pieces; 0: not known */
};

/* The square root of x >= 0, within a few units of the last place. */
double
match_root(double x);

/* 1 for code; less for what the query does not ask for. */
double
match_kind_factor(uint32_t kinds);

/*
 * shape:  scores of the pieces of a file, side by side: 0 to 1, in place of
 *         the share of each
 * units:  share[i]: BM25 of piece i over the best of all pieces
 * owner:  order has room for nr, its content is lost
 */
void
match_pieces(const struct match_file *file, const struct match_spread *spread,
	     float *share, uint64_t *order, uint32_t nr);

#define MATCH_STEPS 1000

/* How the pieces of a tree score, before they decay; zeroed before use. */
struct match_tally {
	double best;
	uint64_t nr;                    /* pieces */
	uint64_t with[MATCH_STEPS + 1]; /* of these, by thousandths */
};

/* Adds the pieces of a file; share is left alone. */
void
match_tally_add(struct match_tally *tally, const struct match_file *file,
		const float *share, uint32_t nr);

/* The same of so many pieces that have nothing of the query. */
void
match_tally_none(struct match_tally *tally, uint32_t nr);

/* The score that a quarter of the pieces reach, 100 to 2,000 of them: what so
 * many have is no evidence. 0: there are fewer. */
double
match_tally_floor(const struct match_tally *tally);

/*
 * shape:  the contribution of the neighbours of piece i; of the piece that a
 *         file begins with, of all of the file
 * units:  weighted, as added to its own score
 */
double
match_near(const struct match_file *file, const float *own, uint32_t nr,
	   uint32_t i);

/* What it adds that the query names a piece, and its file: a share of the most
 * that it may add. */
double
match_named(const struct match_file *file, uint32_t i);

/* The score of piece i before the decay within its file. */
double
match_sum(const struct match_file *file, uint32_t i, double own, double near);

/*
 * shape:  decay for a budget: the smaller it is, the more files it is spread
 *         over
 */
double
match_decay(uint64_t available_tokens);

/* What a score says: docs/ranking.md, "Confidence". */
enum match_confidence {
	MATCH_CONFIDENCE_NONE = 0,
	MATCH_CONFIDENCE_LOW,
	MATCH_CONFIDENCE_HIGH
};

/*
 * shape:  that a piece is what is asked for
 * units:  its relevance, that of the best piece, and match_tally_floor():
 *         millionths
 */
enum match_confidence
match_confidence(uint32_t relevance, uint32_t best, uint32_t floor);

/* That the best piece is; none: nothing of the query was found. */
enum match_confidence
match_confidence_best(uint32_t best);

/* "high", "low", "none" */
const char *
match_confidence_text(enum match_confidence confidence);

#endif
