/* SPDX-License-Identifier: MIT */
/*
 * plan.h - the plan: what is packed, by select.
 *
 * plan [plan_entry ...]  chunks to be packed, by file, line; [plan_entry ...]
 * then what is left out: each entry stands for its chunk and those after it in
 * its file, up to the next entry
 */
#ifndef CATALOGUE_PLAN_H
#define CATALOGUE_PLAN_H

#include "catalogue/chunks.h"
#include "catalogue/facts.h"

/* In which form it is packed. */
enum tier {
	TIER_FULL = 0,
	TIER_SIGNATURES,     /* the signatures of its file */
	TIER_SIGNATURE_LINE, /* of a definition packed in part */
	TIER_NR
};

#define FACTOR_ONE 65535 /* a part of one in 16 bits */

/* The parts of a chunk's score; in millionths. */
struct plan_factors {
	uint32_t relevance;
	uint32_t recency;
	uint32_t source;
	/* with a query: the parts of relevance, in units of 1/FACTOR_ONE */
	uint16_t own;   /* words of the piece */
	uint16_t near;  /* of the neighbouring pieces, weighted */
	uint16_t whole; /* of all the file */
	uint16_t path;
	uint16_t history; /* of messages of commits that changed it */
	uint16_t message; /* of the best of them */
	uint16_t named;   /* by the query */
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
	bool is_pinned : 1;
	uint8_t confidence : 2; /* with a query: enum match_confidence */
};

static_assert(sizeof(struct plan_factors) == 40, "no holes");

#define CONFIDENCE_NR 3
#define SCORE_MAX 1000000u
#define SCORE_NONE UINT32_MAX /* all fits: nothing was ranked */

/*
 * A chunk; or the signatures of a file: then its first chunk stands for them,
 * before any that are there as they are, which are written among them; or a signature line: the chunk that it
 * is in stands for it.
 */
struct plan_entry {
	uint64_t chunk_idx;
	uint32_t score;          /* millionths: why it is here; SCORE_NONE */
	uint8_t category;        /* enum category */
	uint8_t tier;            /* enum tier */
	uint16_t signature_line; /* TIER_SIGNATURE_LINE: of its file */
	struct plan_factors factors;
	uint32_t kept_lines; /* of the chunk, so many are packed; 0: all;
				* KEPT_MEASURED */
	uint32_t turn; /* of the n-th entry: where the entries begin of the
			* n-th section to be read, if that is by rank */
};

/*
 * shape:  whether every field is in range
 * calls:  readers of a plan, which another process wrote
 */
static inline bool
plan_entry_valid(const struct plan_entry *entry)
{
	return entry->category < CATEGORY_NR && entry->tier < TIER_NR &&
	       (entry->signature_line == 0 ||
		entry->tier == TIER_SIGNATURE_LINE) &&
	       (entry->score <= SCORE_MAX || entry->score == SCORE_NONE) &&
	       entry->factors.confidence < CONFIDENCE_NR;
}

/* All lines, and format reports the cost of each: struct line_cost. */
#define KEPT_MEASURED UINT32_MAX

/* An entry of the plan, by its place in it. */
CATALOGUE_RECORDS(plan, plan_entry, 64, catalogue_plan);

/*
 * shape:  the first of a plan's entries that is about this file or a later one
 * calls:  in gather of a plan, where files come in any order
 */
uint64_t
catalogue_plan_first(const struct catalogue *catalogue, uint64_t plan_nr,
		     uint32_t file_idx);

/*
 * shape:  the entry of a plan by which a chunk is written; NULL: it is not
 * calls:  chunk, in gather of a plan
 */
const struct plan_entry *
catalogue_plan_chunk(const struct catalogue *catalogue, uint64_t plan_nr,
		     uint64_t chunk_idx);

/* The record written for an entry of a plan that is not signatures. */
static inline const struct chunk_record *
catalogue_planned(const struct catalogue *catalogue,
		  const struct plan_entry *entry)
{
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, entry->chunk_idx);

	if (entry->tier != TIER_SIGNATURE_LINE)
		return chunk;
	return catalogue_signature_line(
		catalogue, catalogue_facts(catalogue, chunk->file_idx)
					   ->signature_line_first +
				   (uint64_t)entry->signature_line);
}

/* The number of lines written for an entry of a plan that is not signatures. */
static inline uint64_t
catalogue_planned_lines(const struct catalogue *catalogue,
			const struct plan_entry *entry)
{
	uint64_t nr = max_u64(catalogue_planned(catalogue, entry)->line_nr, 1);

	return entry->kept_lines != 0 ? min_u64(entry->kept_lines, nr) : nr;
}

#endif
