/* SPDX-License-Identifier: MIT */
/*
 * priority.h - the points of a file without a query: 0 to 100.
 *
 *   entry point 30, 3 for each importer up to 30, 2 for each export up to 20,
 *   1 for each commit up to 10, open markers 10, settings 15, boosted 20,
 *   tests -15; the sum no less than 0 and no more than 100
 *
 * Does not: find any of it out.
 */
#ifndef RANK_PRIORITY_H
#define RANK_PRIORITY_H

#include "base/base.h"

#define RANK_POINTS_MAX 100

/* The properties of a file; zero: unknown. */
struct rank_traits {
	uint32_t kinds;     /* bits of enum rank_kind */
	uint32_t importers; /* files that import it */
	uint32_t exports;   /* definitions for others to use */
	uint32_t commits;   /* that touched it, within the window */
	uint32_t markers;   /* of open work, in comments */
	bool is_boosted;    /* by the configuration */
};

struct rank_points {
	uint8_t entry;
	uint8_t importers;
	uint8_t exports;
	uint8_t commits;
	uint8_t markers;
	uint8_t config;
	uint8_t boost;
	uint8_t tests; /* taken off */
	uint8_t sum;
};

/* shape: the points of each factor, and their sum, capped */
void
rank_priority(const struct rank_traits *traits, struct rank_points *out);

#endif
