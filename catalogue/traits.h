/* SPDX-License-Identifier: MIT */
/*
 * traits.h - the properties that files have points for, each found once: written
 * by select at the end of the survey.
 */
#ifndef CATALOGUE_TRAITS_H
#define CATALOGUE_TRAITS_H

#include "catalogue/catalogue.h"

struct file_traits {
	uint32_t importers; /* files that import it */
	uint16_t exports;   /* definitions for others to use; 65,535: or more */
	uint16_t markers;   /* of open work, likewise */
	uint8_t kinds;      /* enum rank_kind; ENTRY also: defines main() */
	uint8_t is_pinned;
	uint8_t is_boosted;
	uint8_t class; /* enum rank_class */
	/* of its signatures in an overview: what its chunks in the plan are thought
	 * to save */
	uint32_t saved_tokens;
	uint64_t best; /* traits_best() of its chunks; 0: not known */
	/* 1 + what its signatures, or else its first lines, came to in the last
	 * output of an overview, and what was saved of them, 0: none had them; how
	 * many lines were to be there, 0: all */
	uint32_t part_tokens;
	uint32_t part_lines;
};

/* What the best of the chunks of a file is worth and its relevance, in millionths:
 * one word, which whoever dies leaves whole. */
static inline uint64_t
traits_best(uint32_t score, uint32_t relevance)
{
	return (uint64_t)score << 32 | (uint64_t)relevance << 1 | 1;
}

/* Its score. */
static inline uint32_t
traits_best_score(const struct file_traits *traits)
{
	return (uint32_t)(traits->best >> 32);
}

/* Its relevance. */
static inline uint32_t
traits_best_relevance(const struct file_traits *traits)
{
	return (uint32_t)traits->best >> 1;
}

/* The traits of a file, by its index. */
CATALOGUE_RECORDS(traits, file_traits, 32, catalogue_traits);

#endif
