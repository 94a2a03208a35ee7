/* SPDX-License-Identifier: MIT */
/*
 * select_cost.h - the tokens of an output besides contents: headers, gap marks,
 * and the text around the files.
 *
 * Does: has the format write them, and counts them.
 * Does not: know the contents: their cost as written is what count has found in
 *           the survey.
 * Runs in: select.
 * Limits: parts are counted by themselves, so a sum of them is an estimate; of
 *         a run of marks beyond MARKS_MAX each counts as a token.
 */
#ifndef SELECT_SELECT_COST_H
#define SELECT_SELECT_COST_H

#include "markup/preamble.h"
#include "stages/select/select_planner.h"

#define COST_TEXT_BYTES 16384
#define COST_NAME_BYTES (16u << 10)

/* Room for making and counting; one a process. */
struct select_cost {
	struct markup_text text; /* first: spill() comes back from it */
	const struct planner *planner;
	uint64_t tokens;                 /* of what had no more room */
	struct markup_preamble preamble; /* text NULL: there is none */
	char preamble_text[PREAMBLE_TEXT_BYTES];
	char bytes[COST_TEXT_BYTES];
	char path[COST_NAME_BYTES];
};

/* Begins a text that is counted while it is written. */
void
select_cost_init(struct select_cost *cost, const struct planner *planner);

/* Tokens of what stands before the first file and behind the last. */
uint64_t
select_cost_frame(struct select_cost *cost);

/* The part of a file in a section of its own. */
struct select_part {
	uint32_t file_idx;
	struct section_lines lines;
};

/* Of the header and the end of a section, and of its line in the tree. */
uint64_t
select_cost_section(struct select_cost *cost, const struct select_part *part);

/* Of the mark in a section where the lines before the part are left out. */
uint64_t
select_cost_gap(struct select_cost *cost, const struct select_part *part);

#endif
