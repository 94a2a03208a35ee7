/* SPDX-License-Identifier: MIT */
/*
 * preview.h - the plan of a run, for people and for line-based tools.
 *
 * Does: one line for each range that would be packed and for each file or
 *       range that would not, in canonical order:
 *
 *         TOKENS<tab>packed<tab>PATH:FIRST-LAST
 *         TOKENS<tab>REASON<tab>PATH[:FIRST-LAST]
 *
 * Does not: show content.
 * Runs in: the supervisor, after the last worker is gone.
 */
#ifndef REPORT_PREVIEW_H
#define REPORT_PREVIEW_H

#include <stdio.h>

#include "report/report.h"

/*
 * shape:  writes the plan to `out`; by_rank: what is packed comes first, in
 *         the order it was taken in; else all in the order of the trees
 * errors: -errno of writing; -EPROTO of the report
 * calls:  supervisor_show_plan()
 */
int
preview_print(const struct report *report, bool by_rank, FILE *out);

/*
 * shape:  a table of what the score of each packed range is made of, the best
 *         first; then the same of what is left out
 * errors: as above; -ENOMEM
 * calls:  supervisor_conclude(), for --explain
 */
int
preview_explain(const struct report *report, FILE *out);

#endif
