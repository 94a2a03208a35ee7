/* SPDX-License-Identifier: MIT */
/*
 * rank.h - which chunks are packed: rank, then greedy, within a budget.
 *
 * Does: scores files, keeps the best candidates of any number in bounded
 *       memory, fills a budget, steers the budget by what came out.
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

#define RANK_CANDIDATES 32768 /* candidates looked at together */

/* What a file is scored by, or a range of it that a source asks for. */
struct rank_file {
	int64_t mtime_ns;   /* what the source said, if it did */
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

/* What each counts; of any size, for they are made to add up to 1. */
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
 *         of 1; recency: a half for what is a month older than the newest of
 *         the set, a third for two months; so all files of a fresh checkout
 *         are equally new; source: its priority
 * errors: weights that are all 0 give 0
 * owner:  factors may be NULL
 */
uint32_t
rank_score(const struct rank_file *file, const struct rank_times *times,
	   const struct rank_weights *weights, struct rank_factors *factors);

/* What is taken or not, as one. */
enum rank_unit {
	RANK_CHUNK = 0,
	RANK_SIGNATURES, /* of a file */
	RANK_HEAD,       /* of a function, for chunks within it */
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

/*
 * The best candidates seen, at most RANK_CANDIDATES, of those that come after
 * `floor`: a heap with the worst on top.
 */
struct rank_candidates {
	struct rank_candidate *heap; /* room for RANK_CANDIDATES */
	size_t nr;
	bool has_floor;
	struct rank_candidate floor; /* the last one of the window before */
	uint64_t passed_over;        /* came after the window's worst */
};

/* Empties it; the next candidates must come after the last one here. */
void
rank_candidates_next(struct rank_candidates *window);

/* Whether a candidate comes after those of the windows before. */
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

#define RANK_LIMIT_EXACT 24 /* probed plans that come to their limit */

/* How a plan comes to its limit. */
enum rank_how {
	RANK_BY_RANK = 0, /* as nearly as it does with the best */
	RANK_EXACT,       /* nearly to the token */
	RANK_EXACT_ALL    /* also with what is left for the end */
};

/*
 * One chunk more than a plan has room for, up to a line: the output of the plan
 * leaves so much that part of it fits.
 */
struct select_truncated {
	uint64_t room;  /* tokens that the output leaves; 0: none is parted */
	uint32_t nth;   /* which one of those that are left, by rank */
	uint32_t lines; /* of it, the first ones; 0: what is thought to fit */
};

/* What a plan is to hold. */
struct plan_target {
	uint64_t limit; /* tokens: what its parts are thought to cost */
	uint64_t extra; /* added when the plan for the limit is made */
	enum rank_how how;
	struct select_truncated truncated;
};

/* What a plan has come to. */
struct plan_result {
	uint64_t planned; /* tokens: what its parts are thought to cost */
	bool more_left;   /* there are chunks that it has no room for */
	bool rest_left;   /* some of them are left for the end */
	bool is_all;      /* it is one of all that there is */
	/* of the chunk that is parted */
	uint32_t kept_lines;       /* that are taken; 0: there is none such */
	uint32_t truncated_of;     /* lines that it has */
	uint32_t truncated_tokens; /* of all of these */
	bool truncated_has_outcome; /* of what a tool did: source_has_outcome() */
};

/* Ways to fill a budget, one after the other. */
enum rank_limit_phase {
	RANK_LIMIT_SEARCHING = 0, /* for the greatest limit that fits */
	RANK_LIMIT_ADDING,        /* to the plan of the best one */
	RANK_LIMIT_PROBING,       /* limits about it */
	RANK_LIMIT_TRUNCATING,    /* chunks that the best one has no room for */
	RANK_LIMIT_SETTLED        /* the best of them all is made again */
};

/*
 * Finding a limit by trial: what the chunks were thought to cost, and what
 * the whole output came to.
 */
struct rank_limit {
	uint64_t available; /* never to be passed by the output */
	struct plan_target now;
	uint32_t phase;    /* enum rank_limit_phase */
	uint32_t tries;    /* in this phase */
	uint32_t outputs;  /* that were made, so far */
	uint32_t overs;    /* outputs of the search that were too large */
	uint32_t is_again; /* 1: files have changed, any that fits will do */
	/* of the outputs that fitted, the fullest */
	struct plan_target best;
	uint64_t best_planned; /* what its plan was thought to cost */
	uint64_t best_tokens;
	uint16_t has_best;
	uint16_t best_has_outcome; /* 1: of what a tool did, in part */
	/* of the search */
	uint32_t has_low; /* 1: `low` holds one */
	uint64_t low;     /* the greatest limit whose output fitted */
	uint64_t high;    /* the least whose output did not; 0: none */
	/* of the plan that is added to: the best of the search */
	uint64_t plain; /* its limit */
	uint64_t plain_tokens;
	uint64_t extra_low;  /* the greatest that fitted */
	uint64_t extra_high; /* the least that did not; 0: none */
	/* of probing: the plan whose output is next to full, and that output */
	uint64_t aim_planned;
	uint64_t aim_tokens;
	uint32_t exact_nr;
	struct {
		uint64_t planned; /* any limit from here */
		uint64_t limit;   /* to here makes the same plan */
		uint32_t how;
	} exact[RANK_LIMIT_EXACT];
	/* of parting: the plan that is added to, and what its output leaves */
	struct plan_target whole;
	uint64_t whole_room;
	uint32_t whole_less; /* steps that its limit is lower by, now */
	/* lines of the chunk in work, and what the output was */
	uint32_t part_low;  /* most that fitted; 0: none did yet */
	uint32_t part_high; /* fewest that did not; 0: none was too many yet */
	uint64_t part_low_tokens;
	uint64_t part_high_tokens;
};

/* The first limit is all that is available. */
void
rank_limit_init(struct rank_limit *limit, uint64_t available);

/*
 * shape:  true: the output of this limit is the one; false: make it again,
 *         with limit->now
 * units:  made: its plan; tokens: of the output
 */
bool
rank_limit_verdict(struct rank_limit *limit, const struct plan_result *made,
		   uint64_t tokens);

/*
 * shape:  nothing fits that is whole: true, and limit->now asks for part of a
 *         chunk alone; false: that was tried
 */
bool
rank_limit_part(struct rank_limit *limit);

/*
 * A set of fingerprints: open addressing, at most half full. A slot of zeros
 * is free.
 * owner: the slots are the caller's, who sees to it that they are zeros, and
 *        moves the set into more of them before it is more than half full
 */
struct rank_set {
	uint8_t (*slots)[FINGERPRINT_BYTES];
	size_t slot_nr; /* power of two, or 0 */
	size_t nr;
	bool has_zeros; /* the fingerprint that is all zeros is in it */
};

/* Whether rank_set_add() needs more slots. */
bool
rank_set_is_full(const struct rank_set *set);

/*
 * shape:  puts one in; true: it is new
 * calls:  when the set is not full
 */
bool
rank_set_add(struct rank_set *set, const uint8_t *fingerprint);

/* Whether the fingerprint is in the set. */
bool
rank_set_has(const struct rank_set *set, const uint8_t *fingerprint);

/* Puts in what lies in slots [from, from + nr) of another. */
void
rank_set_move(struct rank_set *to, const struct rank_set *of, size_t from,
	      size_t nr);

#endif
