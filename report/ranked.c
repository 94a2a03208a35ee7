/* SPDX-License-Identifier: MIT */
/*
 * ranked.c - the items of a report in the order of their ranks.
 */
#include "report/render.h"

#include <stdlib.h>

/* Best first; ties by their source, then as they are in the trees. */
static int
compare_rank(const void *left, const void *right)
{
	const struct report_item *a = *(const struct report_item *const *)left;
	const struct report_item *b = *(const struct report_item *const *)right;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->category != b->category)
		return a->category < b->category ? -1 : 1;
	if (a->file_idx != b->file_idx)
		return a->file_idx < b->file_idx ? -1 : 1;
	return a->line_first < b->line_first ? -1
					     : a->line_first > b->line_first;
}

const struct report_item **
report_rank(const struct report *report, bool packed, size_t *nr)
{
	const struct report_item **list =
		calloc(report->item_nr + 1, sizeof(const struct report_item *));

	*nr = 0;
	for (uint64_t i = 0; list != NULL && i < report->item_nr; i++) {
		const struct report_item *item = report_item(report, i);

		if (item->is_packed == packed && (packed || item->has_score))
			list[(*nr)++] = item;
	}
	if (list != NULL)
		qsort(list, *nr, sizeof(*list), compare_rank);
	return list;
}
