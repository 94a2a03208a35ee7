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
	uint32_t exports;   /* definitions for others to use */
	uint32_t markers;   /* of open work */
	uint8_t kinds;      /* enum rank_kind; ENTRY also: defines main() */
	uint8_t is_pinned;
	uint8_t is_boosted;
	uint8_t class; /* enum rank_class */
	uint64_t best; /* traits_best() of its chunks; 0: not known */
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
CATALOGUE_RECORDS(traits, file_traits, 24, catalogue_traits);

#endif
