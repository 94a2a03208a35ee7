/* SPDX-License-Identifier: MIT */
/*
 * catalogue.h - what is known of every file and every chunk.
 *
 *   files  [file_record ...]   by collect: place and status, when dispatched
 *   paths  [bytes ...]         by collect: where file_record points
 *   facts  [file_facts ...]    by dedup: what came out of each file
 *   chunks [chunk_record ...]  by dedup, canonical order, grouped by file
 *   heads  [chunk_record ...]  by dedup: signatures of definitions that were cut,
 *                              with a query; grouped by file
 *   plan   [plan_entry ...]    by select: chunks to be packed, by file, line;
 *          [plan_entry ...]    then what is left out, each for itself and those
 *                              behind it in its file, up to the next one
 *   traits [file_traits ...]   by select: what files are worth without a query
 *   taken  [fingerprints]    by select: contents that are in the plan
 *   runs   [blocks]          by select: candidates beyond a window, sorted
 *   seen   [slots]             by dedup: hash table of fingerprints
 *   terms  [term_record ...]   by dedup: words of the query, by chunk; the
 *                              last one is of CHUNK_NONE
 *   names  [names, entries]    by chunk, extents of each lane by turns: what
 *                              files define, import and have left to do
 *   history [head, commits, counts]  by collect: what git knows of the files,
 *                              whole when the survey is over
 *   cuts   [cut_record ...]    by format, if it is to cut its output: where
 *          [part_record ...]   far behind it: the parts that it has cut it
 *                              into
 *   specials [special ...]     by format: what in its output looks like a
 *                              special token; the last one is of no file
 *
 * Does: names the records; tables (table.h) hold them, so that the kernel can
 *       have the memory back: whoever asks for a record here need not see to
 *       it.
 * Does not: publish: a reader learns of a record by a descriptor, or by the
 *           pass that it was made in being over.
 *
 * Invariants:
 * 1. A table has one writer; names has one for each extent.
 * 2. file_idx is the canonical order: root by root, then paths by bytes.
 * 3. A record is written before the step is committed that tells of it, and
 *    written again, the same, if its writer died in between.
 */
#ifndef CATALOGUE_CATALOGUE_H
#define CATALOGUE_CATALOGUE_H

#include "catalogue/desc.h"
#include "shm/table.h"

#define FILE_NONE UINT32_MAX

/* What a file was written in, where that is not UTF-8: it is converted. */
enum charset {
	CHARSET_UTF8 = 0,
	CHARSET_UTF16_LE, /* with a byte order mark */
	CHARSET_UTF16_BE,
	CHARSET_UNMARKED_LE, /* UTF-16, too */
	CHARSET_UNMARKED_BE,
	CHARSET_WESTERN, /* Latin-1 or Windows-1252 */
	CHARSET_NR
};

struct file_record {
	uint64_t path_off; /* in paths: root and path below it, no NUL; then
			    * the hint for code fences */
	uint32_t path_bytes;
	uint32_t root_bytes; /* of these the root's part */
	uint64_t size_bytes;
	int64_t mtime_ns;
	union {
		struct {
			int64_t ctime_ns;
			uint64_t ino;
			uint64_t dev;
		};
		uint8_t object[24]; /* with --rev: what it is named by */
	};
	uint16_t root_idx;
	uint16_t language;  /* index in the table of languages */
	uint8_t reason;     /* enum reason; left out before it was read */
	uint8_t charset;    /* enum charset */
	uint8_t flags;      /* enum mark */
	uint8_t hint_bytes; /* of the hint behind the path */
};

static_assert(sizeof(struct file_record) == 64, "a cache line");

struct file_facts {
	/* of its bytes where everything is packed, or of its normal form */
	uint8_t sha256[SHA256_BYTES];
	uint64_t bytes;
	uint64_t tokens; /* sum over its chunks; of the file: an estimate */
	uint64_t chunk_first; /* in chunks */
	uint32_t chunk_nr;
	uint32_t line_nr;
	uint32_t mark_run;  /* the longest run of the format's mark */
	uint32_t same_as;   /* the file that is kept in its place; FILE_NONE */
	uint8_t reason;     /* enum reason: what came of it */
	uint8_t no_newline; /* 1: does not end with one */
	uint8_t traits;     /* enum markup_trait */
	uint8_t has_duplicates; /* 1: there are files of which it is duplicate_of */
	uint32_t dot_run;       /* of dots where a gap mark has them */
	uint32_t outline_tokens; /* of its signatures, if they were made */
	uint32_t head_first;     /* in heads */
	uint32_t outline_bytes;  /* 0: they were not */
	uint32_t hash; /* of its text, for its header, if that has one */
	uint8_t outline_fingerprint[FINGERPRINT_BYTES];
	uint64_t names_off;    /* 1 + where they begin; 0: there are none */
	uint32_t duplicate_of; /* the first file of this content; FILE_NONE */
	uint32_t
		duplicate_rank; /* among its twins; of the first: the best rank */
};

static_assert(sizeof(struct file_facts) == 128, "two cache lines");

struct chunk_record {
	uint64_t file_off;
	uint64_t bytes;
	uint32_t file_idx;
	uint32_t line_first; /* 1-based */
	uint32_t line_nr;
	uint32_t tokens;
	uint8_t fingerprint[FINGERPRINT_BYTES];
	/* of a chunk that begins within a definition: 1 + its head, of those of
	 * the file; 0: none. Of a head: the chunk of the file it begins in */
	uint32_t head;
	uint8_t branches; /* with tiers, of its code; 255 of more */
	uint8_t pad[3];
};

static_assert(sizeof(struct chunk_record) == 56, "seven words");

/* How much of it is packed. */
enum tier {
	TIER_FULL = 0,
	TIER_SIGNATURES, /* what its file defines, no more */
	TIER_HEAD,       /* where a definition begins of which more is there */
	TIER_NR
};

#define FACTOR_ONE 65535 /* a part of one in 16 bits */

/* Why a chunk stands where it does; parts of one in millionths. */
struct plan_factors {
	uint32_t relevance;
	uint32_t recency;
	uint32_t source;
	/* with a query: what relevance is made of, in parts of FACTOR_ONE */
	uint16_t own;   /* words of the piece */
	uint16_t near;  /* of those beside it, as they count */
	uint16_t whole; /* of all the file */
	uint16_t path;
	uint16_t history; /* of messages of commits that changed it */
	uint16_t message; /* of the best of them */
	uint16_t kind;    /* less than 1 for tests and the like */
	uint16_t decay;   /* less than 1 behind a better piece of the file */
	/* without: points of the file, 0 to 100 */
	uint8_t entry;
	uint8_t importers;
	uint8_t exports;
	uint8_t commits;
	uint8_t markers;
	uint8_t config;
	uint8_t boost;
	uint8_t tests; /* taken off */
	uint8_t points;
	uint8_t is_pinned;
	uint8_t pad[2];
};

static_assert(sizeof(struct plan_factors) == 40, "no holes");

#define SCORE_NONE UINT32_MAX /* all fits: nothing was ranked */

/*
 * A chunk; or the signatures of a file: then its first chunk stands for them,
 * before any that are there as they are; or a head, for which the chunk stands
 * that it begins in.
 */
struct plan_entry {
	uint64_t chunk_idx;
	uint32_t score;   /* millionths: why it is here; SCORE_NONE */
	uint8_t category; /* enum category */
	uint8_t tier;     /* enum tier */
	uint16_t head;    /* TIER_HEAD: which one of its file */
	struct plan_factors factors;
	uint32_t kept_lines; /* of the chunk, so many are packed; 0: all;
				* KEPT_MEASURED */
	uint32_t turn; /* of the n-th entry: where the entries begin of the
			* n-th section to be read, if that is by rank */
};

static_assert(sizeof(struct plan_entry) == 64, "no holes");

/* All of them, and format tells what each comes to: struct line_cost. */
#define KEPT_MEASURED UINT32_MAX

#define HEADS_MAX UINT16_MAX /* of a file; further ones are not kept */

#define CHUNK_NONE ((1ull << 48) - 1)

/* How often a chunk has a word of the query. One chunk may have a term in
 * several of them: then they add up. */
struct term_record {
	uint32_t chunk_low;
	uint16_t chunk_high;
	uint8_t term; /* index in the query */
	uint8_t times;
};

static_assert(sizeof(struct term_record) == 8, "a word");

/* A record of how often a chunk has a term. */
static inline struct term_record
term_record(uint64_t chunk_idx, uint8_t term, uint8_t times)
{
	return (struct term_record){ .chunk_low = (uint32_t)chunk_idx,
				     .chunk_high = (uint16_t)(chunk_idx >> 32),
				     .term = term,
				     .times = times };
}

/* The index of its chunk. */
static inline uint64_t
term_chunk(const struct term_record *record)
{
	return record->chunk_low | (uint64_t)record->chunk_high << 32;
}

#define NAMES_LANE_BYTES (1ull << 30)   /* of each lane, at most */
#define NAMES_EXTENT_BYTES (1ull << 20) /* of a lane, side by side */
#define NAMES_FILE_BYTES (16u << 10)    /* of a file's entries, at most */

/* Where byte `off` of a lane's names lies: the lanes take turns by extents, so
 * that the table is no longer than what they hold. */
static inline uint64_t
names_place(uint32_t lane, uint32_t lane_nr, uint64_t off)
{
	return (off / NAMES_EXTENT_BYTES * lane_nr + lane) *
		       NAMES_EXTENT_BYTES +
	       off % NAMES_EXTENT_BYTES;
}

/* What is known of a file by names; its entries follow, in its order. */
struct names {
	uint32_t bytes; /* of the entries */
	uint32_t def_nr;
	uint32_t export_nr; /* names for others to use; not all are of these */
	uint32_t import_nr;
	uint32_t marker_nr; /* words of what is left to do, in comments */
	uint32_t left_nr;   /* counted above, or a chunk; no room for it */
	uint32_t package_nr;
	uint32_t chunk_nr; /* of which something is told */
	/* of its signatures, those that are of what is public */
	uint32_t public_lines;
	uint32_t pad;
};

static_assert(sizeof(struct names) == 40, "five words");

enum name_type {
	NAME_DEF = 0, /* the name of a definition */
	NAME_IMPORT,  /* what an import names, as it is written */
	NAME_MARKER,
	NAME_PACKAGE, /* what the file is of, or a manifest names: no line */
	NAME_CHUNK,   /* of no name: what it calls, a blank between two */
	NAME_TYPE_NR
};

/* Of name_entry.flags. */
#define NAME_EXPORTED 1
#define NAME_ANGLED 2 /* an import between < and > */
#define NAME_MEMBER 4 /* a definition that is part of a class */

/* Its bytes follow it, and then up to the next multiple of four nothing. */
struct name_entry {
	uint32_t line; /* 1-based, by it the chunk; of imports: 0 */
	uint8_t type;  /* enum name_type */
	uint8_t kind;  /* of a definition: by def_kind.def, from 1 */
	uint8_t flags; /* of a chunk, both: its branches (name_branches()) */
	uint8_t bytes; /* of the name, cut off where it is longer */
};

static_assert(sizeof(struct name_entry) == 8, "a word");

/* Of a NAME_CHUNK: words and signs that branch, 65,535 of more. */
static inline uint32_t
name_branches(const struct name_entry *entry)
{
	return entry->kind | (uint32_t)entry->flags << 8;
}

/*
 * What git knows of the files:
 *
 *   | history_head | counts | history_commit, its files, its terms | ...
 *   | log | diff |
 *
 * counts has a byte a file: how many commits changed it, 255 of more. The
 * newest commit comes first.
 */
struct history_head {
	uint64_t text_bytes; /* of all messages */
	uint64_t counts_off; /* both from the start of the table */
	uint64_t commits_off;
	uint64_t log_off; /* text of --git-log */
	uint64_t log_bytes;
	uint64_t diff_off; /* text of --git-diff */
	uint64_t diff_bytes;
	uint32_t commit_nr;
	uint32_t file_nr;   /* that counts has */
	uint8_t commit[20]; /* HEAD of the first repository, or of --rev */
	uint8_t has_commit; /* 1: it is known */
	uint8_t dirty;      /* enum history_dirty */
	uint8_t is_read;    /* 1: it was not given up */
	uint8_t is_partial; /* 1: something of it could not be read */
};

static_assert(sizeof(struct history_head) == 88, "eleven words");

/* Whether the work tree is what its commit says. */
enum history_dirty {
	HISTORY_DIRTY_UNKNOWN = 0,
	HISTORY_DIRTY_NO,
	HISTORY_DIRTY_YES
};

struct history_commit {
	uint32_t text_bytes; /* of its message */
	uint32_t changed_nr; /* paths that it changed, there or not */
	uint32_t file_nr;    /* of these in the catalogue; uint32_t each */
	uint32_t term_nr;    /* struct history_term each, an even number */
};

static_assert(sizeof(struct history_commit) == 16, "two words");

/* How often a message has a word of the query. */
struct history_term {
	uint8_t term;
	uint8_t times; /* 0: it fills up */
};

#define SPECIAL_TEXT_BYTES 47

/* What looks like a special token, in a run of content. */
struct special {
	uint32_t file_idx; /* FILE_NONE: no more of them */
	uint32_t line;     /* of the first one */
	uint32_t times;
	uint32_t left_out; /* with FILE_NONE: more that there was no room for */
	uint8_t bytes;     /* of the text, cut off where it is longer */
	char text[SPECIAL_TEXT_BYTES];
};

static_assert(sizeof(struct special) == 64, "a cache line");

/* What an output has come to where a line of a measured chunk ends; the line
 * before its first one: where it begins. Lines of signatures count from 1. */
struct line_cost {
	uint64_t tokens;
	uint32_t file_idx;
	uint32_t line;
};

static_assert(sizeof(struct line_cost) == 16, "two words");

enum cut_kind {
	CUT_FILE = 0, /* a file's section begins */
	CUT_CHUNK,    /* of that file another chunk */
	CUT_END       /* its content ends */
};

/* A place of the output where it may be cut. */
struct cut_record {
	uint64_t off;         /* where what stands before it ends */
	uint64_t content_off; /* where what follows begins: behind a header, a
			       * gap mark, a closing fence */
	uint32_t file_idx;
	uint32_t line_first;  /* of what follows */
	uint32_t line_before; /* the last one before it, of this file */
	uint32_t line_last;   /* of the section */
	uint64_t end_cut;     /* of a CUT_FILE: its CUT_END */
	uint8_t kind;         /* enum cut_kind */
	uint8_t signatures;   /* 1: lines are not what they are elsewhere */
	uint8_t half_line;    /* CUT_END: the content ends without a newline */
	uint8_t pad[5];
};

static_assert(sizeof(struct cut_record) == 48, "six words");

/* Where in the cuts a part begins; it ends where the next one begins. */
struct cut_place {
	uint64_t cut;      /* the last one before it, or the one it is at */
	uint64_t file_cut; /* the CUT_FILE of its section */
	uint64_t off;      /* in the uncut output */
	uint32_t line;
	uint32_t mid_line; /* 1: within that line */
};

struct part_record {
	struct cut_place from;
	struct cut_place until;
	uint64_t off; /* of the part, in the output file */
	uint64_t bytes;
	uint64_t tokens;
};

static_assert(sizeof(struct part_record) == 88, "eleven words");

/* What a file's points are made of, beside its path. */
struct file_traits {
	uint32_t importers; /* files that import it */
	uint32_t exports;   /* definitions for others to use */
	uint32_t markers;   /* of open work */
	uint8_t has_main;   /* 1: defines where a program begins */
	uint8_t is_pinned;
	uint8_t is_boosted;
	uint8_t pad;
};

static_assert(sizeof(struct file_traits) == 16, "two words");

enum catalogue_table {
#define TABLE(name, NAME, of, file_span, off) TABLE_##NAME,
#include "catalogue/catalogue.def"
	TABLE_NR
};

/* A set of tables, of these. */
#define TABLE_BIT(NAME) (1u << TABLE_##NAME)

struct catalogue {
	union {
		struct {
#define TABLE(name, NAME, of, file_span, off) struct table name;
#include "catalogue/catalogue.def"
		};
		struct table tables[TABLE_NR];
	};
};

/*
 * shape:  all tables, empty
 * errors: -errno, nothing left behind
 * calls:  the supervisor before the first fork
 */
int
catalogue_create(struct catalogue *catalogue);

/* Closes all tables. */
void
catalogue_close(struct catalogue *catalogue);

/*
 * shape:  this process can no longer write in tables that are not in the set
 * errors: -errno of mprotect(2)
 * calls:  a worker, before it looks at content; see segment_protect()
 */
int
catalogue_protect(const struct catalogue *catalogue, uint32_t writable);

/*
 * shape:  the first of a plan's entries that is about this file or a later one
 * calls:  in gather of a plan, where files come in any order
 */
uint64_t
catalogue_plan_first(const struct catalogue *catalogue, uint64_t plan_nr,
		     uint32_t file_idx);

/*
 * shape:  entry idx of a table, to read or to write
 * errors: beyond what lies in the table is our own bug; the writer has called
 *         table_reserve() for it
 */
static inline struct file_record *
catalogue_file(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->files, idx * sizeof(struct file_record),
			sizeof(struct file_record));
}

/* The facts of a file, by its index. */
static inline struct file_facts *
catalogue_facts(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->facts, idx * sizeof(struct file_facts),
			sizeof(struct file_facts));
}

/* A chunk, by its index among all. */
static inline struct chunk_record *
catalogue_chunk(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->chunks, idx * sizeof(struct chunk_record),
			sizeof(struct chunk_record));
}

/* A record of the heads, by its index. */
static inline struct chunk_record *
catalogue_head(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->heads, idx * sizeof(struct chunk_record),
			sizeof(struct chunk_record));
}

/* An entry of the plan, by its place in it. */
static inline struct plan_entry *
catalogue_plan(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->plan, idx * sizeof(struct plan_entry),
			sizeof(struct plan_entry));
}

/* What is written for an entry of a plan that is no signatures. */
static inline const struct chunk_record *
catalogue_planned(const struct catalogue *catalogue,
		  const struct plan_entry *entry)
{
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, entry->chunk_idx);

	if (entry->tier != TIER_HEAD)
		return chunk;
	return catalogue_head(
		catalogue,
		catalogue_facts(catalogue, chunk->file_idx)->head_first +
			(uint64_t)entry->head);
}

/* Lines that are written for an entry of a plan that is no signatures. */
static inline uint64_t
catalogue_planned_lines(const struct catalogue *catalogue,
			const struct plan_entry *entry)
{
	uint64_t nr = max_u64(catalogue_planned(catalogue, entry)->line_nr, 1);

	return entry->kept_lines != 0 ? min_u64(entry->kept_lines, nr) : nr;
}

/* A record of a term, by its index. */
static inline struct term_record *
catalogue_term(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->terms, idx * sizeof(struct term_record),
			sizeof(struct term_record));
}

/* A cut, by its index. */
static inline struct cut_record *
catalogue_cut(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->cuts, idx * sizeof(struct cut_record),
			sizeof(struct cut_record));
}

/* What the output has come to at a line, by its index. */
static inline struct line_cost *
catalogue_line_cost(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->line_costs, idx * sizeof(struct line_cost),
			sizeof(struct line_cost));
}

/* A part of the output, by its index. */
static inline struct part_record *
catalogue_part(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->parts, idx * sizeof(struct part_record),
			sizeof(struct part_record));
}

/* What was found of a special token, by its index. */
static inline struct special *
catalogue_special(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->specials, idx * sizeof(struct special),
			sizeof(struct special));
}

/* What is known of a file by names; NULL: nothing. */
static inline const struct names *
catalogue_names(const struct catalogue *catalogue,
		const struct file_facts *facts)
{
	if (facts->names_off == 0)
		return NULL;
	return table_at(&catalogue->names, facts->names_off - 1,
			sizeof(struct names) + NAMES_FILE_BYTES);
}

/*
 * shape:  the entry at *at, which goes on to the next; NULL: no more
 * units:  *at in bytes, 0 for the first; the name is what follows the entry
 */
static inline const struct name_entry *
names_next(const struct names *names, uint32_t *at)
{
	const struct name_entry *entry;

	if (*at >= names->bytes || names->bytes > NAMES_FILE_BYTES)
		return NULL;
	entry = (const void *)((const uint8_t *)(names + 1) + *at);
	*at += (uint32_t)sizeof(*entry) + (entry->bytes + 3u) / 4 * 4;
	return entry;
}

/* What the table of past commits begins with. */
static inline const struct history_head *
catalogue_history(const struct catalogue *catalogue)
{
	return table_at(&catalogue->history, 0, sizeof(struct history_head));
}

/* How many commits changed a file, as far as they were looked at. */
static inline uint32_t
catalogue_commits(const struct catalogue *catalogue, uint32_t file_idx)
{
	const struct history_head *head = catalogue_history(catalogue);

	if (file_idx >= head->file_nr)
		return 0;
	return *(const uint8_t *)table_at(&catalogue->history,
					  head->counts_off + file_idx, 1);
}

/*
 * shape:  the commit at *off of the history, its files and its terms; *off
 *         goes on to the next
 * units:  *off from the start of the table; commits_off first
 */
static inline const struct history_commit *
history_commit(const struct catalogue *catalogue, uint64_t *off,
	       const uint32_t **files, const struct history_term **terms)
{
	const struct history_commit *commit =
		table_at(&catalogue->history, *off, sizeof(*commit));
	uint64_t files_bytes = commit->file_nr * sizeof(uint32_t);
	uint64_t bytes = sizeof(*commit) + files_bytes +
			 commit->term_nr * sizeof(struct history_term);

	commit = table_at(&catalogue->history, *off, bytes);
	*files = (const void *)(commit + 1);
	*terms = (const void *)((const uint8_t *)*files + files_bytes);
	*off += bytes;
	return commit;
}

/* Written by select at the end of the survey; else not there. */
static inline struct file_traits *
catalogue_traits(const struct catalogue *catalogue, uint64_t idx)
{
	return table_at(&catalogue->traits, idx * sizeof(struct file_traits),
			sizeof(struct file_traits));
}

/* The path of a file, and behind it its hint. */
static inline const uint8_t *
catalogue_path(const struct catalogue *catalogue,
	       const struct file_record *file)
{
	return table_at(&catalogue->paths, file->path_off,
			(uint64_t)file->path_bytes + file->hint_bytes);
}

/* "function", of name_entry.kind; "none" out of range. Constant text. */
const char *
def_kind_text(uint8_t kind);

/*
 * What a file was converted from: "UTF-16LE", "invalid UTF-8"; NULL: it was
 * UTF-8. Constant text.
 */
const char *
charset_name(const struct file_record *file);

/* The same of a set; is_repaired: not all of a file in it was characters. */
const char *
charset_text(enum charset charset, bool is_repaired);

/* Whether a file is read as something else than the bytes that it has. */
static inline bool
file_is_converted(const struct file_record *file)
{
	return file->charset != CHARSET_UTF8 || (file->flags & MARK_REPAIRED);
}

/* The language as code fences name it ("c"), hint_bytes of it. */
static inline const char *
catalogue_hint(const struct catalogue *catalogue,
	       const struct file_record *file)
{
	return (const char *)catalogue_path(catalogue, file) + file->path_bytes;
}

#endif
