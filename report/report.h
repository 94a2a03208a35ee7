/* SPDX-License-Identifier: MIT */
/*
 * report.h - the result of a run: sums, and every file with its fate.
 *
 * Does: reads the catalogue after the run: one model of everything that was
 *       packed and left out; writes it as JSON (docs/report.md).
 * Does not: change anything; decide on exit codes.
 * Runs in: the supervisor, after the last worker is gone.
 *
 * Invariants:
 * 1. Every file record is visited: a file that is not packed has a reason.
 * 2. Nothing in the catalogue is trusted: records beyond the written ones,
 *    chunks and paths out of range are an error (-EPROTO), not a crash.
 * 3. The catalogue is walked once, in order, and its pages are given back on
 *    the way; the items lie in a table too, so that a report takes hardly any
 *    memory. Everything that renders a run uses these items.
 *
 * Limits: files that an ignore rule leaves out have no record; they are
 *         counted, and a directory that is not entered counts as one.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <limits.h>

#include "base/array.h"

#include <sys/types.h>

#include "base/diag.h"
#include "shm/stats.h"
#include "stages/stage.h"
#include "sources/source_list.h"
#include "supervisor/timeline.h"
#include "rank/match.h"
#include "catalogue/plan.h"
#include "stages/run.h"

#define REPORT_VERSION 1
#define REPORT_ID_BYTES 33 /* 32 hexadecimal digits and a NUL */

/* Empty files have no chunks, so that no plan can take them. */
#define REPORT_EMPTY REASON_NR
#define REPORT_REASON_NR (REASON_NR + 1)

struct report_stage {
	uint32_t worker_nr;
	uint32_t death_nr; /* by the caller */
	uint64_t busy_ns;  /* of all its workers, less what they waited */
	uint64_t wait_ns;
	uint64_t cpu_ns; /* processor time of those that ended by themselves */
	uint64_t stats[STAT_NR];
};

struct report {
	/* by the caller, after report_collect() */
	char correlation_id[REPORT_ID_BYTES];
	const char *encoding;
	uint8_t output_sha256[SHA256_BYTES]; /* of all parts together */
	uint8_t *part_sha256; /* of each; report_fini() frees it, or NULL */
	bool has_sha256;
	const char *output_path; /* that parts are named after; NULL: none is */
	uint64_t peak_pss_bytes; /* 0: not known */
	uint64_t wall_ns;
	int64_t started_s;             /* seconds since 1970; 0: not known */
	char directory[PATH_MAX];      /* that it ran in; "": not known */
	const char *command;           /* pack, preview, tree; NULL */
	const struct text_list *roots; /* that were named; NULL */
	const struct source_list *source_list; /* what was asked for besides */
	const struct text_list *known;         /* baseline_read(); NULL: none */
	bool is_refused; /* nothing is written, be there an output or not */
	const char *const *warnings;
	size_t warning_nr;
	const struct timeline *timeline; /* NULL: none was kept */
	bool is_brief; /* of what is left out the score, not its factors */

	/* by report_collect() */
	const struct run *run;
	bool estimated; /* not counted as one text, or not as the model does */
	uint64_t budget_tokens; /* BUDGET_ALL: none */
	uint64_t available_tokens;
	uint64_t used_tokens;
	uint64_t output_bytes;
	bool has_output;     /* some was made, be it that of a preview */
	uint64_t output_off; /* where in the output file they begin */
	uint64_t part_nr;    /* 0: it is not in parts */
	uint64_t files_seen;
	uint64_t files_full;
	uint64_t files_partial;
	uint64_t files_signatures; /* of these: nothing but signatures */
	uint64_t files_left_out[REPORT_REASON_NR];
	uint64_t finding_nr; /* secrets, in the catalogue */
	uint64_t findings_left_out;
	uint64_t ignored_files; /* by a rule or an option; without a record */
	uint64_t ignored_dirs;  /* the same, with all that is below them */
	uint64_t hidden_dirs;
	uint64_t poisoned;      /* parts that format could not write */
	bool git_is_partial;    /* --git-log or --git-diff is not all there */
	uint64_t content_bytes; /* of all files that were read */
	uint64_t chunks_seen;
	uint64_t chunks_packed;
	uint64_t chunks_rejected; /* for the budget */
	uint64_t rejected_tokens;
	bool has_estimates; /* of what is left out, tokens that are no counts */
	uint64_t larger_nr; /* of them, larger than their category may use */
	uint64_t duplicate_files;
	uint64_t duplicate_chunks; /* of files that are not duplicates */
	uint64_t duplicate_tokens; /* of both */
	struct report_category {
		uint64_t allocated; /* BUDGET_ALL: no share, no limit */
		uint64_t used;      /* of its chunks, without headers */
		uint64_t chunks_packed;
	} categories[CATEGORY_NR];
	/* what the query gives evidence for, of what is packed */
	struct report_evidence {
		bool is_known; /* there is a query, and it ranked */
		uint32_t best; /* relevance, in millionths */
		uint64_t high_tokens;
		uint64_t low_tokens;
	} evidence;
	uint64_t requests_same; /* the same lines, asked for again */
	uint64_t requests_same_tokens;
	uint64_t requests_beyond; /* the end of their files */
	bool all_beyond;          /* there were no others */
	uint64_t overlaps_merged;
	uint64_t overlap_tokens; /* about: by lines of chunks */
	/* ranges that share lines with another and stay: those are there once */
	uint64_t overlaps_unmerged;
	uint64_t unmerged_tokens;
	uint64_t stats[STAT_NR]; /* of all workers */
	struct report_stage stages[STAGE_NR];

	/* every packed range and every left-out file or range, in canonical
	 * order; neighbouring chunks left out for the same reason are one */
	uint64_t item_nr;

	/* private */
	struct table items;
	struct table seen; /* fingerprints of what was packed */
	uint64_t seen_slots;
};

/*
 * shape:  collects all sums of a finished run
 * owner:  *out points to the run until report_fini(), which is to be called
 *         whatever is returned
 * errors: -EPROTO: the catalogue contradicts itself; -errno of the table of
 *         fingerprints
 * calls:  the supervisor, once, after the workers are gone
 */
int
report_collect(const struct run *run, struct report *out);

/* The items, by one walk over the catalogue; calls: report_collect() alone */
int
report_walk(struct report *report);

/* Frees what was gathered. */
void
report_fini(struct report *report);

/*
 * shape:  records what merging the requests of sources saved, and their results
 * owner:  the list's names stay the list's
 * calls:  the supervisor, after report_collect()
 */
void
report_take_sources(struct report *report, const struct source_list *list);

/* Whether all that was read is packed, in full. */
bool
report_is_all(const struct report *report);

/* Files that are not packed, whatever the reason. */
uint64_t
report_files_skipped(const struct report *report);

/* Whether something is missing for a reason that makes the run degraded. */
bool
report_is_degraded(const struct report *report);

/* The word for a reason, REPORT_EMPTY included. */
const char *
report_reason_text(unsigned reason);

/* A range of lines, or a whole file, and its fate. */
struct report_item {
	uint32_t file_idx;
	bool is_packed;
	bool is_whole;       /* the file, not a range of it */
	bool is_truncated;   /* a chunk up to a line: the rest had no room */
	bool is_estimated;   /* its tokens were not counted */
	unsigned reason;     /* enum reason or REPORT_EMPTY; NONE: packed */
	uint32_t same_as;    /* file whose content it has; FILE_NONE */
	uint64_t line_first; /* 0: lines are not known */
	uint64_t line_last;
	uint64_t tokens;
	uint64_t chunk_nr;
	uint64_t larger_nr; /* of these, left out and larger than they may be */
	uint32_t score;     /* millionths, with has_score */
	bool has_score;
	uint8_t category;            /* enum category */
	uint8_t tier;                /* enum tier */
	struct plan_factors factors; /* with has_score */
};

/* What the query says of a range that is packed. */
enum match_confidence
report_confidence(const struct report_item *item);

/* One of item_nr; owner: the report. */
const struct report_item *
report_item(const struct report *report, uint64_t i);

/* Where the items of another file begin, behind item i: they stand together. */
uint64_t
report_file_end(const struct report *report, uint64_t i);

/* The tokens of the text of a file, be it packed or not; those of the model. */
uint64_t
report_file_tokens(const struct report *report, uint64_t file_idx);

/*
 * shape:  the most tokens that a category may use, of those available
 * units:  tokens; its share, if the rest of others is not open to it, else all
 */
uint64_t
report_most_of(const struct report *report, uint8_t category);

/*
 * shape:  the path of a file as outputs have it
 * owner:  the catalogue's, `*bytes` long, no NUL
 */
const uint8_t *
report_path(const struct report *report, uint32_t file_idx, size_t *bytes);

/* The file for a message: where the user finds it, as diag_quote() has it. */
const char *
report_quote_place(const struct report *report, uint32_t file_idx, char *out,
		   size_t size);

/* The path for a line of text, as diag_quote() has it. */
const char *
report_quote_path(const struct report *report, uint32_t file_idx, char *out,
		  size_t size);

#define QUOTED_PATH(report, file_idx)                                       \
	report_quote_path(report, file_idx, (char[DIAG_QUOTED_BYTES]){ 0 }, \
			  DIAG_QUOTED_BYTES)

/* The same as a value of JSON. */
void
report_emit_path(const struct report *report, uint32_t file_idx,
		 const char *key, struct emitter *out);

/*
 * shape:  writes the report as JSON to `path`, atomically; directly if it is
 *         not a regular file (/dev/stderr, a pipe)
 * errors: -errno: no file, or the old one
 */
int
report_write(const struct report *report, const char *path);

/* Tokens of a budget, for which "all" is no number. */
void
report_emit_budget(struct emitter *out, const char *key, uint64_t tokens);

/* When the run began, as RFC 3339 has it, under the key "started_at". */
void
report_emit_start(const struct report *report, struct emitter *out);

/* The same to a descriptor. */
int
report_write_fd(const struct report *report, int fd);

/* An element of the keys `selected` and `excluded` of a report. */
void
report_emit_item(const struct report *report, struct emitter *out,
		 const struct report_item *item);

/*
 * shape:  the keys `merged` and `unmerged` of a report: ranges that sources ask
 *         for more than once, in whole or in part, and those that they became;
 *         ranges that stay and share lines
 * errors: -ENOMEM
 * calls:  report_write_fd(), after report_take_sources()
 */
int
report_emit_merged(const struct report *report, struct emitter *out);

/*
 * shape:  the keys special_tokens and special_tokens_left_out: what in files,
 *         in their names and in the texts beside them looks like one
 */
void
report_emit_specials(const struct report *report, struct emitter *out);

struct finding;

/* A secret that was found; NULL: its file is not known to the report. */
const struct finding *
report_finding(const struct report *report, uint64_t idx);

/* Where a secret is, if not in a file; NULL. */
const char *
report_finding_in(const struct finding *finding);

/* The keys secrets and secrets_left_out: where they are, by which rule. */
void
report_emit_secrets(const struct report *report, struct emitter *out);

/*
 * shape:  logs the secrets that stay in the output; whether they end the run
 * calls:  supervisor_conclude()
 */
bool
report_secrets_fail(const struct report *report);

#endif
