/* SPDX-License-Identifier: MIT */
/*
 * line_costs.h - what each line of a measured chunk comes to, by format.
 */
#ifndef CATALOGUE_LINE_COSTS_H
#define CATALOGUE_LINE_COSTS_H

#include "catalogue/catalogue.h"

/* The tokens of the output up to the end of a line of a measured chunk;
 * first a record of its beginning. Lines of signatures count from 1. */
struct line_cost {
	uint64_t tokens;
	uint32_t file_idx;
	uint32_t line;
};

/* The record of a line, by its index. */
CATALOGUE_RECORDS(line_costs, line_cost, 16, catalogue_line_cost);

#endif
