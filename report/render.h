/* SPDX-License-Identifier: MIT */
/*
 * render.h - shows a run to users and tools, from the model in report.h.
 *
 *   summary.c  a dozen lines at the end of a run, and
 *              the plan: a line for each range or file, in canonical order,
 *                TOKENS<tab>packed<tab>PATH:FIRST-LAST
 *                TOKENS<tab>REASON<tab>PATH[:FIRST-LAST]
 *   find.c     the places that a query is about, the best first,
 *                PATH:LINE: DEFINITIONS  TOKENS  SCORE
 *   tree.c     tokens per directory, the heaviest first,
 *                403,662,613  100.0 %  linux/
 *                251,801,004   62.4 %    drivers/
 *
 * Does not: count anything, or show content.
 * Runs in: the supervisor, after the last worker is gone.
 * Limits: the directories of a tree are held in memory, 48 bytes each.
 */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include <stdio.h>

#include "report/report.h"

/*
 * shape:  writes the plan to `out`; by_rank: what is packed comes first, the
 *         best before all, or the files of an overview as it has them; else
 *         all in the order of the trees
 * errors: -errno of writing; -EPROTO of the report
 * calls:  supervisor_show_plan()
 */
int
preview_print(const struct report *report, bool by_rank, FILE *out);

/*
 * shape:  a table of the parts of each packed range's score, the best first;
 *         then the same for what is left out
 * errors: as above; -ENOMEM
 * calls:  supervisor_conclude(), for --explain
 */
int
preview_explain(const struct report *report, FILE *out);

/*
 * shape:  the items that are packed, or those that were ranked and are not: the
 *         best first; of equals the one that comes first in the trees
 * owner:  the caller: free(3); what is in it is the report's. NULL: no memory
 */
const struct report_item **
report_rank(const struct report *report, bool packed, size_t *nr);

/*
 * shape:  prints the first `limit` places of a run; 0: all
 * errors: -errno of writing, -ENOMEM, -EPROTO of the report
 * calls:  conclude.c, for `bale find`
 */
int
find_print(const struct report *report, uint64_t limit, FILE *out);

/* The same as JSON: docs/find.schema.json; errors: as find_print() */
int
find_print_json(const struct report *report, uint64_t limit, int fd);

struct query;

/*
 * shape:  which lines of a query were read as what, and the words, names and
 *         places in them, a line each
 * calls:  preview_explain()
 */
void
explain_query(const struct query *query, FILE *out);

struct tree_options {
	uint64_t threshold_tokens; /* directories with fewer are not shown */
	uint64_t depth_max;        /* directories below a root; 0: all */
	bool files;                /* as well as directories */
	bool totals;               /* only of each root: bale count */
};

/*
 * shape:  prints the tree of each root
 * errors: -errno of writing, -ENOMEM, -EPROTO of the report
 * calls:  conclude.c, for `bale tree`
 */
int
tree_print(const struct report *report, const struct tree_options *options,
	   FILE *out);

/* The tokens of all files. */
uint64_t
tree_tokens(const struct report *report);

/*
 * shape:  the same as JSON: docs/tree.schema.json
 * errors: as tree_print()
 */
int
tree_print_json(const struct report *report, const struct tree_options *options,
		int fd);

/* The summary, lines of plain ASCII that end with newlines. */
void
summary_print(const struct report *report, FILE *out);

/* Lines of the summary: how many secrets, by what was done and by rule. */
void
report_print_secrets(const struct report *report, FILE *out);

#endif
