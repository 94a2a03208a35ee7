/* SPDX-License-Identifier: MIT */
/*
 * stage.h - what a stage is, what runs it, and what a run is made of.
 *
 * Does: names stages, edges, the callbacks of a stage, the settings of a run.
 * Does not: know any one stage; the wiring is stage_table.c.
 */
#ifndef STAGES_STAGE_H
#define STAGES_STAGE_H

#include "markup/markup.h"
#include "catalogue/catalogue.h"
#include "shm/segment.h"
#include "rank/query.h"
#include "sources/source.h"
#include "catalogue/files.h"

struct tokenizer;
struct tokenizer_cache;
struct worker;

enum stage_id {
	STAGE_COLLECT = 0,
	STAGE_CHUNK,
	STAGE_COUNT,
	STAGE_DEDUP,
	STAGE_SELECT,
	STAGE_FORMAT,
	STAGE_NR
};

enum edge_id {
	EDGE_CONTENT = 0,  /* collect to chunk */
	EDGE_CHUNKS,       /* chunk to count */
	EDGE_COUNTED,      /* count to dedup */
	EDGE_ORDER,        /* collect to dedup */
	EDGE_UNIQUE,       /* dedup to select */
	EDGE_SELECTED,     /* select to format */
	EDGE_COUNT_SLABS,  /* count to collect */
	EDGE_FORMAT_SLABS, /* format to collect */
	EDGE_NR
};

/* What a step says to the loop; an errno, negative, ends the run. */
enum step_result {
	STEP_DONE = 0, /* commit what was taken and emitted, and go on */
	STEP_AGAIN,    /* nothing to take, or no room to give: wait */
	STEP_END       /* the pass is over: flush, close the outputs */
};

struct run;

/*
 * The callbacks of a stage. They see the world through worker.h alone.
 * `step` may fail only before it takes or emits anything; it never sleeps.
 */
struct stage_ops {
	/* after the fork: process-private things; state is loaded already */
	int (*init)(struct worker *worker);
	/* one entry, or a bounded piece of one */
	int (*step)(struct worker *worker);
	/* once at the end of each pass; 0 or -errno, or STEP_AGAIN */
	int (*flush)(struct worker *worker);
	/* instead of `step` when the entry at the head is poison */
	int (*poison)(struct worker *worker);
	/* collect: the names of all files that a walk would take, without a
	 * run; shuts the calling process in. 0, or -errno */
	int (*list)(const struct run *run, source_file_fn *fn, void *context);
	/* what the state holds at the very start is zero */
	size_t state_bytes;
};

/* What a stage has to do with content. */
enum slab_use {
	SLABS_NONE = 0,
	SLABS_READ,
	SLABS_WRITE_LANE, /* those of its lane */
	SLABS_WRITE
};

struct stage {
	const char *name;
	const struct stage_ops *ops;
	bool per_lane; /* a worker a lane, else one */
	const char *does;
	/* what it may write in memory that others read; segment_protect() */
	uint32_t tables; /* TABLE_BIT() of each */
	enum control_writer control;
	enum slab_use slabs;
	bool counts_tokens; /* shares the cache for it */
};

struct edge {
	enum stage_id from;
	enum stage_id to;
	uint32_t entry_nr;   /* of each of its rings */
	uint32_t wake_after; /* entries given before the peer is woken */
	bool is_stream;      /* is closed at the end of a pass */
	const char *carries;
};

extern const struct stage stage_table[STAGE_NR];
extern const struct edge edge_table[EDGE_NR];

/* Exit codes of a worker, for the supervisor. */
enum worker_exit {
	WORKER_EXIT_DONE = 0,
	WORKER_EXIT_CONFIG = 2,   /* do not replace: the run cannot work */
	WORKER_EXIT_OUTPUT = 4,   /* the output cannot be written */
	WORKER_EXIT_RESOURCE = 5, /* memory, disk, descriptors */
	WORKER_EXIT_SANDBOX = 6,  /* could not shut itself in */
	WORKER_EXIT_ORPHAN = 9    /* the supervisor is gone */
};

#define PASS_FIRST 1 /* the survey, or gather of everything */

#define BUDGET_ALL UINT64_MAX

#define REV_LAST "HEAD" /* the commit that the work tree is checked out from */

enum normalize {
	NORMALIZE_NONE = 0,
	NORMALIZE_TRAILING,  /* line ends, blanks at the ends of lines */
	NORMALIZE_WHITESPACE /* all white space is one blank */
};

enum io_kind { IO_AUTO = 0, IO_URING, IO_READ };

/* What becomes of bytes that are no UTF-8. */
enum invalid_utf8 {
	INVALID_UTF8_REPLACE = 0, /* U+FFFD */
	INVALID_UTF8_KEEP
};

/* What is done where a layer of the sandbox is missing. */
enum sandbox_mode {
	SANDBOX_REQUIRE = 0, /* the run ends */
	SANDBOX_AUTO,        /* it goes on with the others */
	SANDBOX_OFF          /* none is put on in any case */
};

/* What the user asked for; read-only after the first fork. */
struct pack_options {
	const char *const *roots;
	size_t root_nr;
	const char *const *files;    /* these alone, below the one root */
	size_t file_nr;              /* 0: all below the roots */
	const char *const *includes; /* globs */
	size_t include_nr;
	const char *const *excludes;
	size_t exclude_nr;
	const char *const *pins; /* of files that are taken in full, first */
	size_t pin_nr;
	const char *const *boosts; /* of files with more points */
	size_t boost_nr;
	const char *rev; /* a commit in place of what lies there; or NULL */
	bool no_ignore;
	bool hidden;
	bool history;            /* what past commits say of the files counts */
	uint64_t git_log_nr;     /* commits to be told of in the output */
	const char *git_diff;    /* and what the work tree has changed since
				  * this one; NULL: not wanted */
	bool names_commit;       /* the report says which commit it is of */
	bool tells_code;         /* complexity and calls of chunks */
	uint64_t max_file_bytes; /* UINT64_MAX: no limit */
	uint64_t budget_tokens;  /* BUDGET_ALL: everything */
	uint64_t response_reserve_tokens;
	uint64_t system_reserve_tokens;
	enum io_kind io;
	enum invalid_utf8 invalid_utf8;
	uint32_t
		margin_percent; /* counts are estimates, made so much greater */
	uint64_t count_cache_entries; /* of all count workers; 0: none */
	uint64_t relevance_weight;    /* of these three only the ratio counts */
	uint64_t recency_weight;
	uint64_t source_weight;
	const struct query *query;    /* what the context is for, or NULL */
	struct sources sources;       /* what is asked for besides the tree */
	uint32_t shares[CATEGORY_NR]; /* of the budget, in SHARE_ALL */
	enum normalize normalize;     /* before contents are compared */
	bool no_dedup;
	bool sources_only;    /* nothing of the tree but what they ask for */
	uint64_t min_chunks;  /* to be taken, if they fit together */
	bool balance;         /* what is left, by the shares, not by rank */
	bool no_redistribute; /* what a share leaves is for the tree alone */
	bool plan_only;       /* stop when the plan is made */
	bool whole_files;     /* a chunk a file, so that it is counted as one */
	bool compress;        /* signatures instead of texts */
	bool tiers; /* facts on signatures, so that select can choose them */
	bool wants_scores; /* also of what fits as a whole */
	bool doc; /* signatures with the first line of comments before them */
	bool strip_comments;
	uint64_t chunk_max_tokens;
	uint64_t chunk_min_tokens;
	uint32_t chunk_lines;  /* of a chunk at most; 0: cut by structure */
	uint64_t split_tokens; /* of each part of the output; 0: it is one */
	bool by_rank;          /* the best file is written first */
	enum sandbox_mode sandbox;
	struct markup_options markup; /* how the output looks */
};

#define REACH_MAX 64

/* Folders that a worker has opened and must be able to read below. */
struct reach {
	int fds[REACH_MAX];
	uint32_t nr;
};

/* All that a worker is born with. Owner: the supervisor, before any fork. */
struct run {
	struct segment segment;
	struct catalogue catalogue;
	struct pack_options options;
	const struct tokenizer *tokenizer;
	uint32_t lane_nr;
	int output_fd;       /* where format writes */
	bool output_streams; /* it is pumped to stdout while it grows */
	struct run_file {
		uint64_t dev;
		uint64_t ino;
	} * outputs; /* never packed: what this run writes */
	uint32_t output_nr;
	uint64_t memory_bytes;
	uint64_t object_bytes;   /* of these for objects of git */
	uint64_t table_bytes;    /* and mapped of the tables, by each process */
	uint64_t place_bytes;    /* and of the places that sources name */
	unsigned sandbox_layers; /* bits: those that workers put on */
	/* shuts the calling worker in: 0 or -errno; NULL: not wanted */
	int (*confine)(const struct run *run, enum stage_id stage,
		       const struct reach *reach);
};

/* Whether everything is packed: what is there twice, byte for byte, is told. */
static inline bool
run_packs_all(const struct run *run)
{
	const struct pack_options *options = &run->options;

	return options->budget_tokens == BUDGET_ALL &&
	       !(options->sources_only && options->sources.in_part);
}

/* Whether the run has nothing to decide: one gather pass over all. */
static inline bool
run_takes_all(const struct run *run)
{
	return run_packs_all(run) && !run->options.plan_only;
}

/* Whether of contents that are there twice one is left out. */
static inline bool
run_dedups(const struct run *run)
{
	return !run->options.no_dedup && !run_packs_all(run);
}

/* Whether words of a query are counted: in the survey alone. */
static inline bool
run_asks(const struct run *run)
{
	return run->options.query != NULL && !run_takes_all(run);
}

/* Whether past commits are looked at, for the ranking. */
static inline bool
run_looks_back(const struct run *run)
{
	return run->options.history && !run->options.whole_files &&
	       !run_takes_all(run);
}

/* Whether texts of the repositories are sections of the output. */
static inline bool
run_tells_git(const struct run *run)
{
	return run->options.git_log_nr > 0 || run->options.git_diff != NULL;
}

/* Whether anything of the repositories is looked at. */
static inline bool
run_reads_git(const struct run *run)
{
	return run_looks_back(run) || run_tells_git(run) ||
	       run->options.names_commit;
}

/* Whether chunks are made of texts without their comments. */
static inline bool
run_strips(const struct run *run)
{
	return run->options.strip_comments && !run->options.compress;
}

/*
 * Whether chunks within a function have its head with them: with a query, if
 * what is written is what was read, and no signatures.
 */
static inline bool
run_keeps_heads(const struct run *run)
{
	return run_asks(run) && !run_strips(run) && !run->options.tiers &&
	       !run->options.compress;
}

/* Whether the signatures of files are made when they are first read. */
static inline bool
job_outlines(const struct run *run)
{
	return run->options.compress ||
	       (run->options.tiers && !run_takes_all(run));
}

/* Whether what is written may be made of what is read, instead of it. */
static inline bool
job_transforms(const struct run *run)
{
	return run->options.compress || run->options.strip_comments;
}

/* Made by the supervisor, shared by all; NULL if there is no room for it. */
static inline struct tokenizer_cache *
run_token_cache(const struct run *run)
{
	return run->segment.cache_bytes == 0 ? NULL
					     : (void *)run->segment.cache;
}

/*
 * Texts that are made of what is read, beside it in its slab. No made text is
 * longer than what it is made of; a slab, with n of them:
 *
 *   | head room | files, together run_whole_bytes() | made | ... |
 *   | carried   | part, run_part_bytes()            | made | ... |
 */
static inline uint32_t
job_derived_nr(const struct run *run)
{
	return (uint32_t)run_strips(run) + (uint32_t)job_outlines(run);
}

/* Bytes of a file at most that is read as a whole. */
static inline uint32_t
run_whole_bytes(const struct run *run)
{
	return SLAB_BODY_BYTES / (1 + job_derived_nr(run)) / 4096 * 4096;
}

/* Bytes of each part of a larger one. */
static inline uint32_t
run_part_bytes(const struct run *run)
{
	uint32_t made_nr = job_derived_nr(run);

	return (SLAB_BODY_BYTES - made_nr * SLAB_HEAD_BYTES) / (1 + made_nr) /
	       4096 * 4096;
}

/*
 * shape:  whether one of the patterns names the file
 * units:  path below its root; patterns as in a line of .gitignore
 */
bool
pack_globs_name(const char *const *globs, size_t nr, const uint8_t *path,
		size_t bytes);

/* Whether a file of the catalogue is one to be taken in full. */
bool
pack_is_pinned(const struct pack_options *options,
	       const struct catalogue *catalogue,
	       const struct file_record *file);

/*
 * shape:  tokens for content: the window less the reserves; BUDGET_ALL: there
 *         is no limit
 */
uint64_t
pack_available_tokens(const struct pack_options *options);

/*
 * shape:  of these, the share of a category; BUDGET_ALL: there is no limit to
 *         what it may have
 * units:  with sources their shares, what rounding leaves to the first;
 *         without, all of it is the tree's
 */
uint64_t
pack_allocated_tokens(const struct pack_options *options, uint8_t category);

/*
 * shape:  the same as if there were sources
 * calls:  pack_allocated_tokens(); who checks a configuration
 */
uint64_t
pack_share_tokens(const struct pack_options *options, uint8_t category);

/*
 * shape:  a count as the model is thought to have it: the count itself, or an
 *         estimate that is greater by the margin
 */
uint64_t
pack_model_tokens(const struct pack_options *options, uint64_t counted);

/* The greatest count whose pack_model_tokens() are within these tokens. */
uint64_t
pack_counted_tokens(const struct pack_options *options, uint64_t tokens);

/* Index of a worker among all; lane is 0 where a stage has one worker. */
uint32_t
stage_worker_idx(enum stage_id stage, uint32_t lane, uint32_t lane_nr);

/* How many workers all stages have together. */
uint32_t
stage_worker_nr(uint32_t lane_nr);

/* The reverse of stage_worker_idx(). */
void
stage_of_worker(uint32_t worker_idx, uint32_t lane_nr, enum stage_id *stage,
		uint32_t *lane);

/* Rings of an edge: one, or one a lane. */
uint32_t
edge_ring_nr(enum edge_id edge, uint32_t lane_nr);

/* Index of a ring among all. */
uint32_t
edge_ring_idx(enum edge_id edge, uint32_t lane, uint32_t lane_nr);

/*
 * shape:  the plan of an arena for this many lanes, slabs and cache bytes
 * calls:  the supervisor
 */
void
stage_plan_segment(struct segment_plan *plan, uint32_t lane_nr,
		   uint32_t slab_nr, uint64_t cache_bytes);

/*
 * shape:  runs the loop of a worker to its end; the process's exit code
 * calls:  a forked child, through supervisor/spawn.c
 */
int
worker_run(const struct run *run, enum stage_id stage, uint32_t lane);

#endif
