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
};

/* The traits of a file, by its index. */
CATALOGUE_RECORDS(traits, file_traits, 16, catalogue_traits);

#endif
