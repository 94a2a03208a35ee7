/* SPDX-License-Identifier: MIT */
/*
 * priority.h - the relevance of a file without a query: first what it is, then
 * how much the last commits changed it, or else its weight, then its points, 0
 * to 100:
 *
 *   entry point 30, 3 for each importer up to 30, 2 for each export up to 20,
 *   1 for each commit up to 10, open markers 10, settings 15, boosted 20,
 *   tests -15; the sum no less than 0 and no more than 100
 *
 * Does not: find any of it out.
 */
#ifndef RANK_PRIORITY_H
#define RANK_PRIORITY_H

#include "catalogue/files.h"

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

/* What a file is; the greater, the better. */
enum rank_class {
	RANK_CLASS_ASIDE =
		0, /* examples, others' or programs' work, what changed */
	RANK_CLASS_TEST,
	RANK_CLASS_TEXT, /* texts, data, settings */
	RANK_CLASS_CODE,
	RANK_CLASS_NR
};

/* What decides on the relevance of a file. */
struct rank_standing {
	uint32_t class;    /* enum rank_class */
	uint32_t heat;     /* rank/heat.h */
	uint32_t heat_max; /* of all files of code; 0: there is no history */
	uint32_t weight;   /* rank_weight(), of a file of code; else 0 */
	uint32_t weight_max;
	uint32_t points; /* 0 to RANK_POINTS_MAX */
	bool is_boosted;
};

/* By its language, its marks and the kinds of its path: enum rank_kind. */
enum rank_class
rank_class_of_file(const struct file_record *file, uint32_t kinds);

/* shape: what its size and its importers say of how often it will be changed */
uint32_t
rank_weight(uint64_t bytes, uint32_t importers, bool is_entry);

/* shape: in millionths; of a better class always more */
uint32_t
rank_relevance(const struct rank_standing *standing);

/* shape: of a relevance of this kind, its part within its class, in millionths */
uint32_t
rank_relevance_share(uint32_t relevance);

/* shape: the points of each factor, and their sum, capped */
void
rank_priority(const struct rank_traits *traits, struct rank_points *out);

#endif
