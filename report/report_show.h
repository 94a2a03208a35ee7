/* SPDX-License-Identifier: MIT */
/*
 * report_show.h - a report as tables, for people.
 *
 * Does: prints the budget, categories, savings, what was chosen, and how the
 *       stages did; or one of the five details.
 * Does not: read files. Names are quoted: they cannot move the cursor.
 * Runs in: the supervisor.
 *
 * All of these:
 *   shape:  writes to `out`
 *   errors: -ENOMEM, and the rest is not printed
 */
#ifndef REPORT_REPORT_SHOW_H
#define REPORT_REPORT_SHOW_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* What overlaps saved, merged or not; units: tokens */
uint64_t
report_overlap_tokens(const json_t *report);

/* What `bale report` says of each: 0 or -errno. */
int
report_show_budget(const json_t *report, FILE *out);
int
report_show_chunks(const json_t *report, FILE *out);
int
report_show_selection(const json_t *report, FILE *out);
int
report_show_dedup(const json_t *report, FILE *out);
int
report_show_specials(const json_t *report, FILE *out);
int
report_show_cache(const json_t *report, FILE *out);

#endif
