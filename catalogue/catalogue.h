/* SPDX-License-Identifier: MIT */
/*
 * catalogue.h - what is known of every file and every chunk: a header a table.
 *
 *   files, paths  by collect  files.h     plan     by select  plan.h
 *   facts         by dedup    facts.h     traits   by select  traits.h
 *   chunks        by dedup    chunks.h    history  by collect history.h
 *   signature_lines           by dedup: chunks.h
 *   terms         by dedup    terms.h     cuts, parts  by format  cuts.h
 *   kept          by dedup    kept.h
 *   names         by chunk    names.h     specials by format  specials.h
 *   taken  [fingerprints]     by select: contents that are in the plan
 *   runs   [blocks]           by select: candidates beyond a window, sorted
 *   preamble                  by select: preamble.h
 *   seen   [slots]            by dedup: hash table of fingerprints
 *   line_costs                by format: line_costs.h
 *   findings                  by collect: findings.h
 *   contents                  by collect: files.h
 *   survey  what an earlier run wrote down: survey.h; nobody writes it
 *
 * Does: opens, protects and closes the tables (table.h), so that the kernel
 *       can have the memory back: whoever asks for a record need not see to
 *       it.
 * Does not: publish: a reader learns of a record by a descriptor, or by the
 *           pass that it was made in being over.
 *
 * Invariants:
 * 1. A table has one writer; names has one for each extent.
 * 2. A record is written before the step is committed that tells of it, and
 *    written again, the same, if its writer died in between.
 */
#ifndef CATALOGUE_CATALOGUE_H
#define CATALOGUE_CATALOGUE_H

#include <assert.h>

#include "shm/table.h"

#define NAMES_LANE_BYTES (0xfffull << 20) /* of each lane, at most */
#define HISTORY_HEAD_BYTES 104            /* read even if nobody wrote it */

enum catalogue_table {
#define TABLE(name, NAME, of, file_span, off) TABLE_##NAME,
#include "catalogue/catalogue.def"
	TABLE_NR
};

/* A bit of a set of tables. */
#define TABLE_BIT(NAME) (1u << TABLE_##NAME)

#define SURVEY_KEY_BYTES 64

/* Where the parts of a kept survey are: offsets in its file. */
struct survey_head {
	uint8_t magic[8];
	uint8_t build[32]; /* the program that wrote it: survey_build() */
	uint8_t key[SURVEY_KEY_BYTES]; /* of what it depends on: survey_key() */
	uint64_t bytes;                /* of the file */
	uint64_t content_bytes;        /* of the files that it is of */
	uint64_t label_bytes;          /* behind the head: survey_label() */
	uint64_t entry_nr;
	uint64_t slot_nr;      /* a power of two */
	uint64_t flags;        /* SURVEY_IMPORTED */
	uint32_t shard_idx;    /* of the part of a tree that it is of, from 0 */
	uint32_t shard_nr;     /* parts of it; 0: it is of all */
	uint64_t slots_off;    /* by path */
	uint64_t contents_off; /* slots by content, as many */
	uint64_t entries_off;
	uint64_t paths_off;
	uint64_t chunks_off;
	uint64_t words_off;
	uint64_t past_off; /* what is known of past commits: past.h */
	uint64_t names_off;
	uint64_t past_sum;
	uint64_t label_sum;
	uint64_t sum; /* of all that stands before */
};

/* A survey that an earlier run has kept; no entries: there is none. */
struct survey {
	struct table table;
	struct survey_head head;
};

struct catalogue {
	struct survey survey;
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
 * shape:  makes all tables that are not in the set read-only for this process
 * errors: -errno of mprotect(2)
 * calls:  a worker, before it reads content; see segment_protect()
 */
int
catalogue_protect(const struct catalogue *catalogue, uint32_t writable);

/*
 * shape:  defines `function`: record idx of a table, of `size` bytes, to read
 *         or to write
 * errors: an index beyond the table is our own bug; the writer has called
 *         table_reserve() for it
 */
#define CATALOGUE_RECORDS(table, record, size, function)                  \
	static inline struct record *function(                            \
		const struct catalogue *catalogue, uint64_t idx)          \
	{                                                                 \
		return table_at(&catalogue->table, idx * (size), (size)); \
	}                                                                 \
	static_assert(sizeof(struct record) == (size), "no holes")

#endif
