/* SPDX-License-Identifier: MIT */
/*
 * preview.c - a line for every range and every file.
 */
#include "report/render.h"

#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/stream.h"

#define NAME_BYTES 8192

static int
print_item(const struct report *report, const struct report_item *item,
	   FILE *out)
{
	char name[NAME_BYTES];
	char lines[64] = "";
	const char *what = report_reason_text(item->reason);

	if (item->line_first != 0)
		snprintf(lines, sizeof(lines), ":%ju-%ju", item->line_first,
			 item->line_last);
	if (item->is_packed)
		what = item->tier == TIER_SIGNATURES ? "signatures"
		       : item->factors.is_pinned     ? "pinned"
						     : "packed";
	report_quote_path(report, item->file_idx, name, sizeof(name));
	return fprintf(out, "%ju\t%s\t%s%s\n", item->tokens, what, name,
		       lines) < 0
		       ? -errno
		       : 0;
}

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

typedef int
print_fn(const struct report *report, const struct report_item *item,
	 FILE *out);

/* What is packed, or what was ranked and is not: the best first. */
static int
each_ranked(const struct report *report, bool packed, print_fn *print,
	    FILE *out)
{
	const struct report_item **list =
		calloc(report->item_nr + 1, sizeof(const struct report_item *));
	size_t nr = 0;
	int error = 0;

	if (list == NULL)
		return -ENOMEM;
	for (uint64_t i = 0; i < report->item_nr; i++) {
		const struct report_item *item = report_item(report, i);

		if (item->is_packed == packed && (packed || item->has_score))
			list[nr++] = item;
	}
	qsort(list, nr, sizeof(*list), compare_rank);
	for (size_t i = 0; i < nr && error == 0; i++)
		error = print(report, list[i], out);
	free(list);
	return error;
}

/* A column of the table: millionths as 0.123. */
static void
print_part(FILE *out, uint32_t millionths)
{
	fprintf(out, " %5.3f", (double)millionths / 1e6);
}

static int
explain_item(const struct report *report, const struct report_item *item,
	     FILE *out)
{
	const struct plan_factors *factors = &item->factors;

	print_part(out, item->score);
	print_part(out, factors->relevance);
	print_part(out, factors->recency);
	print_part(out, factors->source);
	if (report->run->job.query != NULL) {
		const uint16_t parts[] = { factors->own,     factors->near,
					   factors->whole,   factors->path,
					   factors->history, factors->message,
					   factors->kind,    factors->decay };

		for (size_t i = 0; i < ARRAY_LEN(parts); i++)
			fprintf(out, " %5.3f", (double)parts[i] / FACTOR_ONE);
	}
	fprintf(out, " %4u %2u %2u %2u %2u %2u %2u %2u -%-2u ", factors->points,
		factors->entry, factors->importers, factors->exports,
		factors->commits, factors->markers, factors->config,
		factors->boost, factors->tests);
	return print_item(report, item, out);
}

int
preview_explain(const struct report *report, FILE *out)
{
	int error;

	if (report->run->job.takes_all)
		return fputs("nothing to explain: everything is packed\n",
			     out) < 0
			       ? -errno
			       : 0;
	fprintf(out,
		" score relev recen sourc%s prio en im ex gi ma co bo -te"
		" tokens\n",
		report->run->job.query != NULL
			? " match  near  file  path  past  best  kind decay"
			: "");
	error = each_ranked(report, true, explain_item, out);
	return error != 0 ? error
			  : each_ranked(report, false, explain_item, out);
}

int
preview_print(const struct report *report, bool by_rank, FILE *out)
{
	int error = by_rank ? each_ranked(report, true, print_item, out) : 0;

	for (uint64_t i = 0; i < report->item_nr && error == 0; i++) {
		const struct report_item *item = report_item(report, i);

		if (!by_rank || !item->is_packed)
			error = print_item(report, item, out);
	}
	return error == 0 ? stream_finish(out) : error;
}
