/* SPDX-License-Identifier: MIT */
/*
 * select_plan_parts.h - a plan in the making, for the files that make it.
 *
 *   select_plan.c  the whole: which rounds there are
 *   select_candidates.c the candidates of a round, by rank, window by window
 *   select_take.c  what a candidate costs; taking it
 *   select_min_chunks.c the cheapest chunks, for --min-chunks
 *   select_duplicates.c files of which only one is a candidate
 *   select_planned_set.c the contents that are in it
 *   select_tier.c  files in full, or by their signatures, or in part
 *   select_overview.c  the same where nothing says what it is for
 *   select_edge.c  chunks that there was no room for, one up to a line
 *   select_write.c the plan itself, in the catalogue
 *   select_preamble.c what its output says of itself
 *   select_rest.c  behind it, where what is left out stands
 *
 * Runs in: select.
 */
#ifndef SELECT_SELECT_PLAN_PARTS_H
#define SELECT_SELECT_PLAN_PARTS_H

#include "rank/rank.h"
#include "rank/budget.h"
#include "stages/select/select_cost.h"
#include "stages/select/select_sorted_runs.h"
#include "stages/select/select_score.h"
#include "stages/select/select_planner.h"
#include "markup/preamble.h"
#include "catalogue/chunks.h"

/* The rounds of a plan: which candidates fill a batch. */
enum round {
	ROUND_PINS = 0, /* pinned files, as a whole */
	ROUND_SHARES,   /* those of sources, within their shares */
	ROUND_TREE,     /* those of the tree */
	ROUND_ALL,
	/* with tiers */
	ROUND_FILES,    /* files as a whole; chunks of those asked for */
	ROUND_SECTIONS, /* chunks of files that are not in full */
	ROUND_REST,     /* chunks of large files of few points */
	/* of an overview */
	ROUND_FRAME,   /* README and manifests */
	ROUND_BREADTH, /* files of code, by their signatures */
	ROUND_DEPTH,   /* chunks of them */
	ROUND_BEYOND   /* chunks of all others */
};

/* That a token has, most often: what a plan goes by, and says, where tokens may be
 * estimates. */
#define TOKEN_BYTES 4
#define DIRECTORIES_ROOM 16384 /* of their tree */

/* Bits, as many as there are set ones to be kept. */
struct select_bits {
	uint8_t *bytes;
	uint64_t nr; /* that there is room for */
};

/* Windows that are kept: of two rounds of an overview, and of any other. */
enum { KEPT_ANY = 0, KEPT_FRAME, KEPT_BREADTH, KEPT_WINDOWS };

/* The first window of a round. */
struct kept_window {
	struct rank_candidate candidates[RANK_CANDIDATES];
	size_t nr;
	uint64_t passed_over;
	enum round round;
	bool is_kept; /* the next plan begins with it */
};

/*
 * What is kept for the next plan, which has another limit: most outputs are
 * planned two or three times.
 */
struct select_kept {
	struct kept_window windows[KEPT_WINDOWS];
	struct select_scores scores;
	struct preamble_facts preamble; /* before there is a plan */
	char directories[DIRECTORIES_ROOM];
	uint32_t directories_bytes;
	bool has_preamble; /* these are known */
	bool has_scores;
	bool knows_duplicates; /* files of the same content are told apart */
	/* a trial has found that there is more than even its limit holds */
	bool is_too_large;
};

/*
 * The candidates of a round, by rank, window after window. Owner:
 * select_candidates.c, but for what a round is asked for.
 */
struct candidate_stream {
	struct rank_candidates window;
	enum round round;
	bool is_edge; /* the window is of what is left, whatever its size */
	bool is_kept; /* the window is that of a plan before */
	struct select_runs runs; /* the others, in order, if `is_sorting` */
	bool is_sorting;
	int error;               /* of these */
	bool wants[CATEGORY_NR]; /* had something that its share did not hold */
	bool more_left;
};

/* Fingerprints: open addressing, at most half full. */
struct content_set {
	uint8_t (*slots)[FINGERPRINT_BYTES]; /* all zeros: free */
	size_t slot_nr;                      /* power of two, or 0 */
	size_t nr;
	bool has_zeros; /* the fingerprint that is all zeros is in it */
};

/* What is in the plan. Owner: select_take.c and select_planned_set.c. */
struct planned_set {
	struct content_set contents;
	uint8_t key[FINGERPRINT_BYTES]; /* of the last candidate */
	struct select_bits files;       /* that have chunks in it */
	struct select_bits signs;       /* that are in it by their signatures */
	struct select_bits chunks;
	struct select_bits signature_lines; /* that chunks of it are within */
	struct select_bits measured;        /* chunks whose lines are counted */
	struct select_bits pinned;          /* files that are in it in full */
	size_t nr; /* chunks that are taken, and signatures */
	struct {
		uint64_t chunk_idx;  /* of which only so many lines are taken */
		enum rank_unit unit; /* or of the signatures of its file */
		uint32_t lines;      /* 0: no chunk is */
	} truncated;
};

/* Tokens, and who may have them. Owner: select_plan.c shares them out. */
struct plan_tokens {
	struct rank_budget budget;
	uint64_t pinned; /* that are no longer in the budget */
	uint64_t beyond; /* of the limit, more than is available: not shared */
	struct min_chunk_reserve least;
};

#define OVERVIEW_HEADS 16 /* files of the frame that are there in part */

/* Of an overview. Owner: select_overview.c. */
struct plan_overview {
	uint64_t available; /* tokens of all of it */
	uint64_t breadth;   /* for signatures; 0: none are there in part */
	uint64_t signature_tokens; /* that they take, all of breadth or less */
	uint64_t file_most; /* tokens that a file may have by its chunks */
	uint32_t scale;     /* how generous they are */
	int64_t parts; /* tokens that signatures and heads are thought to cost */
	uint32_t *tokens; /* of each file, that it has so far */
	size_t tokens_nr;
	struct plan_head {
		uint64_t chunk_idx; /* of which only so many lines are taken, */
		uint32_t lines;
		uint32_t tokens; /* that are thought to cost these */
	} heads[OVERVIEW_HEADS];
	uint32_t head_nr;
};

/* One plan; what it comes to select_write.c puts into the catalogue. */
struct plan {
	struct planner *planner;
	struct select_kept *kept;
	struct candidate_stream stream;
	struct planned_set set;
	struct plan_tokens tokens;
	struct plan_overview overview;
	struct select_scores scores;
	struct select_cost cost;
	struct preamble_facts preamble;
	bool rest_left;     /* there are files for the last round */
	bool outlines_left; /* so are files of one chunk, by their signatures */
	bool has_duplicates; /* all fits, but some of it is there twice */
	bool is_scored;      /* scores is ready */
	bool by_tiers;       /* files, not chunks, are what is chosen */
	bool is_trial;       /* it must hold everything, or it is discarded */
};

/* Whether files are taken by their signatures, all of them. */
static inline bool
plan_by_signatures(const struct plan *plan)
{
	return plan->planner->job->compress;
}

#define ROOM_PART 400 /* no more unused than one in so many: full */

/* Whether enough is unused to look for more. */
static inline bool
plan_has_room(const struct plan *plan)
{
	return plan->tokens.budget.available - plan->tokens.budget.used >
	       plan->tokens.budget.available / ROOM_PART;
}

/* Whether content that no source requests is taken as well. */
static inline bool
plan_takes_tree(const struct plan *plan)
{
	return !plan->planner->job->sources_only;
}

/* Whether what the shares leave is for this category, too. */
static inline bool
plan_may_have(const struct plan *plan, uint8_t category)
{
	return category == CATEGORY_TREE ? plan_takes_tree(plan)
					 : !plan->planner->job->no_redistribute;
}

/* What the plan leaves of the tokens that there are. */
static inline uint64_t
plan_unused(const struct plan *plan)
{
	return plan->tokens.budget.available - plan->tokens.budget.used;
}

/* Scores, once for all plans; 0 or -ENOMEM. */
int
plan_make_scores(struct planner *planner);

/* ---- select_candidates.c ---- */

/* A round begins, and no candidate of it has been seen. */
void
plan_begin_windows(struct plan *plan, enum round round);

/*
 * shape:  the next candidates of the round by rank, RANK_CANDIDATES at most, in
 *         plan->stream.window
 * errors: -ENOMEM; -errno of the table of runs
 */
int
plan_fill_window(struct plan *plan);

/*
 * shape:  whether the first window of the round is the same for every plan: it
 *         has what is taken, and what there is no room for
 */
bool
plan_keeps_window(const struct plan *plan);

/* What is kept of windows is no longer true. */
void
plan_forget_windows(struct select_kept *kept);

/* The round is over: no further windows. */
void
plan_end_windows(struct plan *plan);

/* Leaves a candidate without room out, unless its content is in the plan. */
void
plan_leave(struct plan *plan, const struct rank_candidate *candidate);

/*
 * shape:  whether a candidate is dropped before it is ranked, since there is
 *         no room for it, whoever asks for it
 * units:  candidate->tokens: that it takes at least
 */
bool
plan_drops(struct plan *plan, const struct rank_candidate *candidate);

/*
 * shape:  puts a ranked candidate in the window, if it is among the best; what
 *         its category has no room for is dropped
 * units:  as above
 */
void
plan_offer(struct plan *plan, const struct rank_candidate *candidate);

/* ---- select_take.c ---- */

/* Whether the bit is set. */
bool
select_bits_has(const struct select_bits *bits, uint64_t idx);

/* 0 or -ENOMEM. */
int
select_bits_set(struct select_bits *bits, uint64_t idx);

/* Clears the bit. */
void
select_bits_clear(struct select_bits *bits, uint64_t idx);

/* All of them; owner: none is accepted */
void
select_bits_free(struct select_bits *bits);

/* The cost of a candidate; any value above `room` only means that. */
uint64_t
plan_cost(struct plan *plan, const struct rank_candidate *candidate,
	  uint64_t room);

/*
 * shape:  what a chunk saves of the signatures of its file, that are there as well:
 *         those that it has in full, by its size; of picked ones half, as others take
 *         their place
 * units:  tokens
 * calls:  the score of the file is loaded
 */
uint64_t
plan_needless_signatures(const struct plan *plan, uint64_t chunk_idx);

/* So many lines of a chunk, or of signatures, those before `from` left out. */
struct select_lines {
	uint32_t from;
	uint32_t nr;
	bool is_all;
};

/* What some lines of a candidate would cost beside their own tokens. */
uint64_t
plan_cost_around(struct plan *plan, const struct rank_candidate *candidate,
		 const struct select_lines *lines);

/* Puts in what there is room for: 0 or -ENOMEM. */
int
plan_take(struct plan *plan, const struct rank_candidate *candidate,
	  uint64_t cost);

/* The same of what the output has room for, whatever the budget. */
int
plan_put(struct plan *plan, const struct rank_candidate *candidate);

/*
 * shape:  the signature line that a candidate is to have before it, in *idx;
 *         NULL: it has none, or the chunk that the line is in is in the plan
 */
const struct chunk_record *
plan_signature_line(const struct plan *plan,
		    const struct rank_candidate *candidate, uint64_t *idx);

/* Takes a candidate if there is room and it is new; 0 or -errno. */
int
plan_consider(struct plan *plan, const struct rank_candidate *candidate);

/* ---- select_min_chunks.c ---- */

/* What sources ask for of a file, if only that is packed; or NULL. */
const struct source_file *
plan_requested_of(const struct plan *plan, uint32_t file_idx);

/* Whether only requests are packed, and this is none; requested: as above */
bool
plan_is_not_requested(const struct plan *plan,
		      const struct source_file *requested,
		      const struct chunk_record *chunk);

/* The cheapest chunks that differ, in plan->tokens.least; calls: once a plan */
void
plan_find_min_chunks(struct plan *plan);

/* ---- select_planned_set.c ---- */

/* The fingerprint of its content. */
const uint8_t *
plan_fingerprint(const struct plan *plan,
		 const struct rank_candidate *candidate);

/* Whether its content is in the plan already. */
bool
plan_has(struct plan *plan, const struct rank_candidate *candidate);

/* Its content is in the plan from now on: 1, 0: it was; -errno of the table. */
int
plan_know(struct plan *plan, const struct rank_candidate *candidate);

/* ---- select_tier.c ---- */

/* Candidates of a file, in the rounds of the tiers and of pins; its score is
 * loaded. */
void
plan_add_tiers(struct plan *plan, uint32_t file_idx);

/*
 * shape:  takes signatures back of files that are there in full as well; how
 *         many
 */
size_t
plan_drop_needless(struct plan *plan);

/* A pinned file: in full if there is room for all of it; 0 or -errno. */
int
plan_consider_pin(struct plan *plan, const struct rank_candidate *file);

/* A file: in full, or else by its signatures, or not at all; 0 or -errno. */
int
plan_consider_file(struct plan *plan, const struct rank_candidate *file);

/* The chunks of a file that are not in the plan, as candidates. */
void
plan_add_sections(struct plan *plan, uint32_t file_idx,
		  const struct file_facts *facts);

/* A chunk of a file that is a candidate. */
struct rank_candidate
plan_chunk_of(const struct plan *plan, const struct rank_candidate *file,
	      uint32_t ordinal);

/* Whether there is room for all of a file; and all of it: 0 or -errno. */
bool
plan_takes_in_full(struct plan *plan, const struct rank_candidate *file);
int
plan_take_in_full(struct plan *plan, const struct rank_candidate *file);

/* ---- select_overview.c ---- */

/* Whether a file may have candidates in a round of an overview: nothing else has to
 * be known of those that may not. */
bool
plan_is_in_overview(const struct plan *plan, uint32_t file_idx);

/* Candidates of a file, in the rounds of an overview; its score is loaded. */
void
plan_add_overview(struct plan *plan, uint32_t file_idx);

/* Of an overview, README is 2, a manifest beside it 1, all others 0. */
uint32_t
plan_frame_place(const struct plan *plan, uint32_t file_idx);

/* Whether with this chunk its file has more of an overview than a file may. */
bool
plan_is_over_share(const struct plan *plan, const struct rank_candidate *chunk);

/* What a chunk that is offered ranks by; `score`: elsewhere. */
uint32_t
plan_section_score(const struct plan *plan, const struct rank_candidate *chunk,
		   uint32_t score);

/* A file of the frame; a file by its signatures; a chunk: 0 or -errno. */
int
plan_consider_frame(struct plan *plan, const struct rank_candidate *file);
int
plan_consider_breadth(struct plan *plan, const struct rank_candidate *file);
int
plan_consider_depth(struct plan *plan, const struct rank_candidate *chunk);

/* All rounds of an overview. */
int
plan_fill_overview(struct plan *plan);

/* The signatures of a file. */
struct plan_signatures {
	uint32_t lines;   /* that it has of them; 0: all */
	uint32_t thought; /* tokens, before any output had them */
	uint32_t tokens;  /* as the last output had them, or as thought */
};

/* calls:  its score is loaded */
struct plan_signatures
plan_signatures(const struct plan *plan, uint32_t file_idx);

/* The head that is taken of a chunk of the frame; NULL: none, or all of it. */
const struct plan_head *
plan_find_head(const struct plan *plan, uint64_t chunk_idx);

/* ---- select_directories.c ---- */

/*
 * shape:  the name of the directory number `depth` that a file is in, counted
 *         from the root; with several roots these are the first ones, as much
 *         of each as a path has, or all of it; false: there is none
 */
bool
plan_directory_at(const struct plan *plan, const struct file_record *file,
		  uint32_t depth, const uint8_t **name, uint32_t *bytes);

/* The tree of directories of an overview; how many bytes, `room` at most. */
size_t
plan_write_directories(const struct plan *plan, char *to, size_t room);

/* ---- select_plan.c ---- */

/*
 * shape:  all candidates of a round, window after window, by rank: of each what
 *         there is room for
 * errors: -ENOMEM; -errno of a table
 */
int
plan_fill_round(struct plan *plan, enum round round);

/* The same of sections of files; where all of one are in, its signatures make
 * room. */
int
plan_fill_sections(struct plan *plan, enum round round);

/* ---- select_edge.c ---- */

/*
 * shape:  adds what the aim wants of the best chunks that are left, whatever
 *         the limit; what of them is in it is in *made, and in plan->set.measured
 *         or plan->set.truncated
 * errors: -ENOMEM; -errno of a table
 * calls:  when all else of the plan is taken
 */
int
plan_take_edge(struct plan *plan, const struct plan_target *aim,
	       struct plan_result *made);

/* ---- select_preamble.c ---- */

/* What the output may say of itself, for its cost: not yet how much is packed. */
void
plan_begin_preamble(struct plan *plan);

/*
 * shape:  writes what the output of the plan says of itself
 * errors: -errno of the table
 * calls:  when the plan is written
 */
int
plan_write_preamble(struct plan *plan);

/* ---- select_write.c ---- */

/*
 * shape:  writes what is taken into the catalogue, and how much it is
 * errors: -ENOMEM; -errno of the table
 */
int
plan_write(struct plan *plan);

#endif
