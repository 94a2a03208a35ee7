/* SPDX-License-Identifier: MIT */
/*
 * job.h - the settings of a run, for the stages.
 *
 * Does: holds the settings that workers need, and values derived from them
 *       once.
 * Does not: know the command line (supervisor/options.h).
 * Invariants:
 * 1. Read-only after the first fork.
 */
#ifndef STAGES_JOB_H
#define STAGES_JOB_H

#include "catalogue/files.h"
#include "markup/markup.h"
#include "rank/query.h"
#include "secrets/secrets.h"
#include "sources/source.h"

#define BUDGET_ALL UINT64_MAX

/* A preamble would be a tenth of an output of so few tokens: it has none. */
#define PREAMBLE_LEAST_TOKENS 2000

#define EXCLUDES_NOTED_MAX \
	64 /* patterns of which a run notes whether they
				* left anything out */

#define REV_LAST "HEAD" /* the commit that the work tree is checked out from */

enum normalize {
	NORMALIZE_NONE = 0, /* byte by byte */
	/* CR LF is LF, blanks before it are not there, a last line ends */
	NORMALIZE_TRAILING,
	NORMALIZE_WHITESPACE /* words, with one blank between them */
};

/* What stands before the paths of a root. */
enum paths_mode {
	PATHS_CWD = 0, /* its path from the current directory */
	PATHS_ROOT,    /* nothing, or what tells several apart */
	PATHS_ABSOLUTE
};

enum io_kind { IO_AUTO = 0, IO_URING, IO_READ };

/* The treatment of invalid UTF-8. */
enum invalid_utf8 {
	INVALID_UTF8_REPLACE = 0, /* U+FFFD */
	INVALID_UTF8_KEEP
};

/* The reaction to a missing layer of the sandbox. */
enum sandbox_mode {
	SANDBOX_REQUIRE = 0, /* the run ends */
	SANDBOX_AUTO,        /* the run continues with the others */
	SANDBOX_OFF          /* none is put on in any case */
};

struct plan_entry;

#define SHARDS_MAX 100000

/* One part of so many; nr 0: there are no parts. */
struct shard {
	uint32_t idx; /* from 0 */
	uint32_t nr;
};

/* Whether what has this hash belongs to a part. */
static inline bool
shard_has(const struct shard *shard, uint64_t hash)
{
	return hash % shard->nr == shard->idx;
}

struct job {
	const char *const *roots;
	size_t root_nr;
	enum paths_mode paths;
	const char *const *files;    /* these alone, below the one root */
	size_t file_nr;              /* 0: all below the roots */
	const char *const *includes; /* globs */
	size_t include_nr;
	const char *const *excludes;
	size_t exclude_nr;
	const char *const *forced; /* of files that no rule leaves out */
	size_t forced_nr;
	const char *const *pins; /* of files that are taken in full, first */
	size_t pin_nr;
	const char *const *boosts; /* of files with more points */
	size_t boost_nr;
	const char *rev; /* a commit in place of what lies there; or NULL */
	bool no_ignore;
	bool default_excludes; /* node_modules, lock files and the like */
	bool hidden;
	bool history;            /* what past commits say of the files counts */
	uint64_t git_log_nr;     /* commits to be told of in the output */
	const char *git_diff;    /* and what the work tree has changed since
				  * this one; NULL: not wanted */
	bool names_commit;       /* the report says which commit it is of */
	bool tells_code;         /* complexity and calls of chunks */
	bool writes_late;        /* not before it is known how much it is */
	uint64_t max_file_bytes; /* UINT64_MAX: no limit */
	uint64_t budget_tokens;  /* BUDGET_ALL: everything */
	uint64_t response_reserve_tokens;
	uint64_t system_reserve_tokens;
	enum io_kind io;
	enum invalid_utf8 invalid_utf8;
	enum secrets_mode secrets;
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
	struct shard shard;   /* the survey alone, of the files of this part */
	bool keeps_survey;    /* for later runs, or for bale merge */
	bool enough;          /* stop where the query no longer says anything */
	bool exact_report;    /* what is left out is counted as well */
	bool whole_files;     /* a chunk a file, so that it is counted as one:
			       * bale tree */
	bool compress;        /* signatures instead of texts */
	bool whole_first; /* tiers: whole files by rank, whatever it is for */
	bool tiers; /* facts on signatures, so that select can choose them */
	bool wants_scores; /* also of what fits as a whole */
	bool places_only;  /* bale find: nobody asks for the points of files, or
			    * where what is left out stands */
	bool doc; /* signatures with the first line of comments before them */
	bool strip_comments;
	uint64_t chunk_max_tokens;
	uint64_t chunk_min_tokens;
	uint32_t chunk_lines;  /* of a chunk at most; 0: cut by structure */
	uint64_t split_tokens; /* of each part of the output; 0: it is one */
	bool by_rank;          /* the best file is written first, */
	bool by_path;          /* never; neither: in an overview */
	enum sandbox_mode sandbox;
	struct markup_options markup; /* how the output looks */

	/* ---- by job_resolve() ---- */

	bool ranks_rest; /* it is told where what is left out stands */
	bool packs_all;  /* duplicate content is noted, not dropped */
	bool takes_all;  /* nothing to decide: one gather pass over all */
	bool drops_duplicates;
	bool is_filtered; /* some of what was named is not to be packed */
	bool writes_preamble;
	bool counts_terms; /* of the query, in the survey */
	bool keeps_words;  /* for queries of later runs */
	bool is_overview; /* nothing says what it is for: no query, no source */
	bool reads_history;       /* past commits, for the ranking */
	bool wants_hot_lines;     /* which lines they changed */
	bool wants_message_lines; /* which lines those changed that say what
				   * the query says */
	bool is_broad; /* an overview: signatures of many files, then chunks */
	bool writes_git; /* texts of the repositories are sections */
	bool reads_git;  /* anything of the repositories is looked at */
	bool strips;     /* chunks are of texts without their comments */
	bool keeps_signature_lines; /* of functions that chunks are within */
	bool outlines;   /* signatures are made when a file is first read */
	bool transforms; /* what is written may be made of what is read */
	/*
	 * Texts derived from content, beside it in its slab. None is longer
	 * than its source; a slab, with n of them:
	 *
	 *   | head room | files, together whole_bytes | derived | ... |
	 *   | carried   | part, part_bytes            | derived | ... |
	 */
	uint32_t whole_bytes; /* the largest file that is read as a whole */
	uint32_t part_bytes;  /* of each part of a larger one */
	/* for content: the budget less the reserves, and of it the share of
	 * each category, which without sources is all the tree's; BUDGET_ALL */
	uint64_t available_tokens;
	uint64_t allocated_tokens[CATEGORY_NR];
	/* more content than this cannot all be packed: behind it the survey
	 * estimates tokens; UINT64_MAX: it counts all */
	uint64_t counted_bytes;
};

/* A file by its root and its path. */
struct job_place {
	uint32_t root_idx;
	const uint8_t *path; /* as outputs have it */
	size_t path_bytes;
	size_t root_bytes; /* of these, before the path below the root */
};

/*
 * shape:  derives values from the settings
 * calls:  the supervisor, once all of them are known, before any fork
 */
void
job_resolve(struct job *job);

/* Whether a file of the catalogue is one to be taken in full. */
bool
job_pins(const struct job *job, const struct catalogue *catalogue,
	 const struct file_record *file);

/*
 * shape:  a file for messages, where a user finds it: what was named, and the
 *         path below that, quoted
 * units:  path: as outputs have it, root_bytes of it before the path below
 */
const char *
job_quote_place(const struct job *job, const struct job_place *place, char *out,
		size_t size);

/* The place of a file of the catalogue. */
struct job_place
job_place_of(const struct catalogue *catalogue, const struct file_record *file);

/* The requests of sources on a file; NULL: none. Binary search. */
const struct source_file *
job_requested_for(const struct job *job, const struct catalogue *catalogue,
		  uint32_t file_idx);

/*
 * shape:  lines of a planned chunk before those that are to be written
 * calls:  collect, select, format
 */
uint32_t
job_part_from(const struct job *job, const struct catalogue *catalogue,
	      const struct plan_entry *entry);

/* The lines of a file in a section of the output. */
struct section_lines {
	uint64_t first;
	uint64_t last;
	bool signatures; /* of it, not its lines */
	bool in_part;    /* these are not all */
};

/*
 * shape:  the header of a file's section, as far as the catalogue knows it
 * owner:  its path is made in `path`, all else is the catalogue's
 */
struct markup_section
job_describe_section(const struct catalogue *catalogue, uint32_t file_idx,
		     const struct section_lines *lines, char *path,
		     size_t path_room);

#endif
