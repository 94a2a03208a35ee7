/* SPDX-License-Identifier: MIT */
/*
 * tree.h - tokens per directory, the heaviest first.
 *
 *   403,662,613  100.0 %  linux/
 *   251,801,004   62.4 %    drivers/
 *    90,012,345   22.3 %      gpu/
 *
 * Does: sums the tokens of the files of a run up to their directories.
 * Does not: count; each file was counted as one text.
 * Runs in: the supervisor, after the last worker is gone.
 * Limits: the directories are held in memory, 48 bytes each.
 */
#ifndef REPORT_TREE_H
#define REPORT_TREE_H

#include <stdio.h>

#include "report/report.h"

struct tree_options {
	uint64_t threshold_tokens; /* directories with fewer are not shown */
	uint64_t depth_max;        /* directories below a root; 0: all */
};

/*
 * shape:  prints the tree of each root
 * errors: -errno of writing, -ENOMEM, -EPROTO of the report
 * calls:  pack.c, for `bale tree`
 */
int
tree_print(const struct report *report, const struct tree_options *options,
	   FILE *out);

/*
 * shape:  the same as JSON: docs/tree.schema.json
 * errors: as tree_print()
 */
int
tree_print_json(const struct report *report, const struct tree_options *options,
		int fd);

#endif
