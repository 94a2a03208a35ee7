/* SPDX-License-Identifier: MIT */
/*
 * rank.h - chooses the chunks to pack: rank, then greedy, within a budget.
 *
 * Does: scores files, keeps the best candidates of any number in bounded
 *       memory, fills a budget, corrects it by the outputs made.
 * Does not: know where facts come from; no floating-point functions beyond
 *           + - * /, so that every machine ranks alike.
 * Invariants:
 * 1. The order is total: score, then source, path, order in the file, line.
 * 2. What is taken never costs more than the limit.
 */
#ifndef RANK_RANK_H
#define RANK_RANK_H

#include "base/base.h"
#include "catalogue/desc.h"

#define RANK_CANDIDATES 32768 /* candidates of a batch */

/* The input of the score of a file, or of a range that a source requests. */
struct rank_file {
	int64_t mtime_ns;   /* the time that the source states, if any */
	uint32_t relevance; /* millionths: what the source said, or how it
			     * matches the query, or points over 100 */
	uint32_t priority;  /* of the source, 0 to 100 */
	bool is_matched; /* relevance is to a query: recency counts with it */
};

/* The span of times in the set. */
struct rank_times {
	int64_t oldest_ns;
	int64_t newest_ns;
};

/* The weights; of any size, since they are scaled to add up to 1. */
struct rank_weights {
	uint64_t relevance;
	uint64_t recency;
	uint64_t source;
};

/* Parts of a score, each in millionths of 1. */
struct rank_factors {
	uint32_t relevance;
	uint32_t recency;
	uint32_t source;
};

/*
 * shape:  the weighted mean of relevance, recency and source, in millionths
 *         of 1; recency: 1/2 for a month older than the newest of the set, 1/3
 *         for two months; so all files of a fresh checkout are equally new;
 *         source: its priority
 * errors: weights that are all 0 give 0
 * owner:  factors may be NULL
 */
uint32_t
rank_score(const struct rank_file *file, const struct rank_times *times,
	   const struct rank_weights *weights, struct rank_factors *factors);

/* The units that are taken as a whole or not at all. */
enum rank_unit {
	RANK_CHUNK = 0,
	RANK_SIGNATURES, /* of a file */
	RANK_FILE        /* in full, or else its signatures */
};

struct rank_candidate {
	uint32_t score;
	uint32_t file_idx;
	uint64_t chunk_idx; /* of a file: its first */
	uint32_t tokens;
	uint8_t category; /* enum category */
	uint8_t unit;     /* enum rank_unit */
	uint8_t order;    /* in its file, before its place in it */
	uint8_t pad;
};

/* true: a is to be taken before b. */
bool
rank_is_before(const struct rank_candidate *a, const struct rank_candidate *b);

/* The same as the order of a heap. */
bool
rank_comes_before(const void *context, const void *a, const void *b);

/* A part of 1. */
static inline uint32_t
rank_millionths(double part)
{
	return (uint32_t)(part * 1000000.0 + 0.5);
}

/*
 * The best candidates seen, at most RANK_CANDIDATES, of those that come after
 * `floor`: a heap with the worst on top.
 */
struct rank_candidates {
	struct rank_candidate *heap; /* room for RANK_CANDIDATES */
	size_t nr;
	bool has_floor;
	struct rank_candidate floor; /* the last one of the batch before */
	uint64_t passed_over;        /* came after the window's worst */
};

/* Empties it; the next candidates must come after the last one here. */
void
rank_candidates_next(struct rank_candidates *window);

/* Whether a candidate comes after those of the batches before. */
bool
rank_candidates_is_after(const struct rank_candidates *window,
			 const struct rank_candidate *candidate);

/*
 * Offers a candidate: it is kept if it is among the best that the window
 * holds.
 */
void
rank_candidates_add(struct rank_candidates *window,
		    const struct rank_candidate *candidate);

/* Puts the candidates in order, the best first. */
void
rank_candidates_sort(struct rank_candidates *window);

/*
 * The edge of a plan: the best chunks that it has no room for. They are added
 * to measure the cost of their lines in the output, or as many as there is room
 * for, and one of them up to a line.
 */
enum rank_edges {
	RANK_EDGES_NONE = 0,
	RANK_EDGES_GUESSED,  /* so many of them as are thought to fill it */
	RANK_EDGES_MEASURED, /* all of them */
	RANK_EDGES_CUT, /* so many as fill it, by what was told of their lines */
};

/* The chunk of an edge that is taken up to a line. */
struct plan_part {
	uint64_t chunk; /* 1 + its index; 0: there is none */
	uint32_t unit;  /* enum rank_unit */
	uint32_t pad;
};

/* The target of a plan. */
struct plan_target {
	uint64_t limit;     /* tokens: what its parts are thought to cost */
	uint64_t available; /* tokens that its output may have */
	int64_t off;        /* that an output has beside what its parts cost */
	int64_t wrong;      /* that its edge has beside what was told; */
	int64_t part_wrong; /* more, that this part of it has: */
	struct plan_part part; /* no other is taken up to a line; none: any */
	uint8_t edges;         /* enum rank_edges */
	bool is_part;          /* of these no whole chunk is taken */
};

/* The result of a plan. */
struct plan_result {
	uint64_t planned;      /* tokens: what its parts are thought to cost */
	int64_t parts;         /* of that, parts of files in an overview */
	int64_t parts_off;     /* by its output: these cost so much more */
	uint64_t edge_tokens;  /* the same of its edge */
	uint32_t edge_nr;      /* chunks of the edge that are in it */
	struct plan_part part; /* that of these which ends at a line */
	bool fills;            /* with them it is thought to be full */
	bool keeps;            /* one of them is a part of a tool's output */
	bool is_empty;         /* nothing is in it */
	bool more_left;        /* some chunks have no room in it */
	bool is_all;           /* it is one of all that there is */
	bool has_estimates;    /* tokens of chunks in it are not counted */
};

#define RANK_FULL_PART 200 /* no more unused than one in so many: full */

/*
 * The search for the plan that fills a budget: the estimated costs of chunks,
 * and the counts of whole outputs.
 */
struct rank_fill {
	uint64_t available; /* never to be passed by the output */
	struct plan_target now;
	uint32_t outputs;    /* that were made, so far */
	uint32_t overs;      /* of whole chunks that were too large */
	uint32_t tries;      /* far below; then with an edge */
	uint32_t less;       /* steps that the whole chunks are fewer by; */
	uint32_t less_tried; /* so many of which were not filled */
	uint32_t freed;      /* parts that did not fill what whole ones left */
	uint32_t is_again;   /* 1: any that fits will do */
	uint32_t is_settled; /* 1: no fuller one is expected */
	/* the plan of whole chunks that is added to */
	uint64_t whole_limit;
	uint64_t whole_tokens; /* of its output; 0: it has none yet */
	uint32_t has_whole;
	uint32_t has_off;  /* 1: an output has told of now.off */
	uint32_t has_cut;  /* 1: with `cut_wrong` it fits, */
	uint32_t has_over; /* 1: and with `over_wrong` it does not */
	int64_t cut_wrong;
	int64_t over_wrong;
	uint64_t cut_tokens; /* of the edge that fits */
	/* the plan that is expected to be the fullest, with an edge */
	struct plan_target best;
	uint64_t best_tokens; /* 0: there is none */
	bool keeps;           /* as in plan_result */
	/* the plan with an edge whose output was the fullest */
	struct plan_target fullest;
	uint64_t fullest_tokens; /* 0: there is none */
};

/*
 * shape:  the most lines of a chunk, fewer than `of`, that cost no more than
 *         `room`; *cost: theirs; 0: not even one
 * units:  costs(of, n): tokens of n lines of it, no fewer than of n - 1
 */
uint32_t
rank_fill_lines(uint64_t (*costs)(void *chunk, uint32_t lines), void *chunk,
		uint32_t of, uint64_t room, uint64_t *cost);

/* The first limit is all that is available. */
void
rank_fill_init(struct rank_fill *fill, uint64_t available);

/*
 * shape:  whether to make the output of this plan; false: plan again by
 *         fill->now
 */
bool
rank_fill_planned(struct rank_fill *fill, const struct plan_result *made);

/*
 * shape:  whether the output of this plan is final; false: plan again by
 *         fill->now
 * units:  tokens: of the output
 */
bool
rank_fill_verdict(struct rank_fill *fill, const struct plan_result *made,
		  uint64_t tokens);

/* Files have changed: discards what was measured. */
void
rank_fill_again(struct rank_fill *fill);

#endif
