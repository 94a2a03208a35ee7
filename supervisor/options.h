/* SPDX-License-Identifier: MIT */
/*
 * options.h - the options of a run.
 *
 * Does: holds the result of command line, environment and configuration.
 * Does not: know where a value came from (command_line.h).
 * Runs in: the supervisor, which passes the workers' part on.
 */
#ifndef SUPERVISOR_OPTIONS_H
#define SUPERVISOR_OPTIONS_H

#include <limits.h>

#include "base/diag.h"
#include "base/array.h"
#include "sources/source_list.h"
#include "stages/job.h"

/* The result that a run is for. */
enum job_kind {
	JOB_NONE = 0, /* it is none: another command */
	JOB_PACK,
	JOB_PREVIEW,
	JOB_FIND,
	JOB_TREE,
	JOB_SHARD /* the survey of a part of the tree */
};

#define RATIO_ONE 1000000 /* of a ratio: millionths */

enum tiers_mode { TIERS_AUTO = 0, TIERS_ON, TIERS_OFF };

enum hashes_mode { HASHES_AUTO = 0, HASHES_ON, HASHES_OFF };

enum order { ORDER_AUTO = 0, ORDER_RANK, ORDER_PATH };

enum progress_mode { PROGRESS_AUTO = 0, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct outcome; /* report/outcome.h */
struct hits;    /* report/hits.h */

/* What becomes of the survey of a run. */
enum survey_cache {
	SURVEY_CACHE_OFF = 0,
	SURVEY_CACHE_ON,
	SURVEY_CACHE_READ,   /* an earlier one is used, this one is not kept */
	SURVEY_CACHE_VERIFY, /* an earlier one is compared with what is found
			      * out, and this one is kept */
	SURVEY_CACHE_AUTO    /* as ON, but that of a small tree is not kept; of
			   * commands that make many runs as OFF */
};

/* The options of a run. Owner: struct command_line. */
struct options {
	enum job_kind kind;
	struct job pack;               /* its lists point into the ones below */
	const char *output_path;       /* NULL: stdout */
	const char *output_dir;        /* no input, all of it; NULL: none */
	const char *report_path;       /* NULL: none */
	const char *metrics_path;      /* NULL: none */
	const char *baseline_path;     /* of known secrets, to read; */
	const char *new_baseline_path; /* and to write; NULL: none */
	const char *audit_path;        /* NULL: none */
	const char *html_path;         /* NULL: none */
	struct outcome *outcome; /* what the run came to; NULL: none asks */
	struct hits *hits;       /* which lines it has; NULL: none asks */
	const char *encoding;
	const char *model;  /* NULL: none was named */
	uint64_t worker_nr; /* 1 to LANES_MAX */
	bool worker_nr_given;
	enum survey_cache cache;
	uint64_t cache_limit_bytes;
	const char *parts_path; /* of surveys that shards made; NULL: none */
	bool same_files;        /* those that they saw are the ones here */
	uint64_t memory_bytes;
	uint64_t max_output_bytes; /* 0: by what is read */
	uint64_t stage_timeout_s;
	enum progress_mode progress;
	int progress_fd; /* for struct progress_numbers; 0: nobody reads them */
	enum diag_level log_level;
	bool log_json;
	uint64_t places_nr; /* of bale find, at most; 0: all */
	bool strict;
	bool quiet;
	bool print_ids;
	bool by_nul;
	bool keeps_last; /* the report, for bale report --last */
	bool last;
	bool json;
	bool chunk_detail;
	bool selection_detail;
	bool dedup_detail;
	bool cache_stats;
	bool special_tokens;
	const char *lang_text;  /* "lines:40" */
	const char *query_text; /* or @ and the name of a file; NULL: none */
	enum tiers_mode tiers;
	enum order order;
	enum hashes_mode hashes;
	bool explain;
	const char *files_from; /* NULL: no list */
	const char *directory;  /* NULL: the current one */
	const char *against;    /* a report; NULL: none */
	bool force;
	const char *header;            /* a text, or @ and a path; NULL: none */
	const char *instructions_path; /* NULL: none */
	const char *template_path;     /* NULL: none */
	const char *categories; /* "tool_results=40,..."; NULL: the defaults */
	const char *priorities_text; /* "open_files=90,..."; NULL: none */
	uint32_t priorities[CATEGORY_NR];
	struct source_options sources;
	uint64_t budget_tokens; /* both as given; pack has what they come to */
	uint64_t window_tokens;
	bool is_window; /* the output may have what the reserves leave of it */
	uint64_t tree_threshold_tokens;
	uint64_t tree_depth_max;
	bool tree_files;           /* files as well as directories */
	bool totals_only;          /* a line for each PATH: bale count */
	uint64_t fail_over_tokens; /* 0: no such limit */
	bool spares_terminal;      /* the context is not written to one */
	const char *config_path;   /* NULL: that of the repository */
	bool no_config;
	bool verbose;            /* of COMMAND_VERSION */
	bool no_sandbox;         /* pack.sandbox is SANDBOX_OFF */
	unsigned sandbox_layers; /* by sandbox_begin() */
	struct text_list operands;
	struct text_list includes;
	struct text_list excludes;
	struct text_list forced;
	struct text_list pins;
	/* by the user, not by a configuration */
	bool includes_typed;
	bool excludes_typed;
	bool forced_typed;
	bool pins_typed;
	bool boosts_typed;
	struct text_list boosts;
};

/* A value of KIND_RATIO. */
static inline double
option_ratio(uint64_t millionths)
{
	return (double)millionths / RATIO_ONE;
}

/* For one of many runs: nothing is kept of it, unless --cache asks for that. */
static inline void
options_keep_nothing(struct options *options)
{
	options->keeps_last = false;
	if (options->cache == SURVEY_CACHE_AUTO)
		options->cache = SURVEY_CACHE_OFF;
}

/* Whether the survey of a run is kept. */
static inline bool
options_keep_survey(const struct options *options)
{
	return options->parts_path == NULL &&
	       options->cache != SURVEY_CACHE_OFF &&
	       options->cache != SURVEY_CACHE_READ;
}

#endif
