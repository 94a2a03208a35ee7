/* SPDX-License-Identifier: MIT */
/*
 * preview.c - a line for every range and every file.
 */
#include "supervisor/preview.h"

#include <errno.h>
#include <stdlib.h>

#include "shm/diag.h"
#include "supervisor/stream.h"

#define NAME_BYTES 8192

struct printing {
	const struct report *report;
	FILE *out;
	bool by_rank;
	struct report_item *kept; /* until all are known */
	size_t kept_nr;
	size_t kept_max;
};

static int
print_item(const struct printing *printing, const struct report_item *item)
{
	const uint8_t *path;
	size_t bytes;
	char name[NAME_BYTES];
	char lines[64] = "";
	const char *what = report_reason_text(item->reason);
	int error =
		report_path(printing->report, item->file_idx, &path, &bytes);

	if (error != 0)
		return error;
	diag_quote(name, sizeof(name), path, bytes);
	if (item->line_first != 0)
		snprintf(lines, sizeof(lines), ":%llu-%llu",
			 (unsigned long long)item->line_first,
			 (unsigned long long)item->line_last);
	if (item->is_packed)
		what = item->tier == TIER_SIGNATURES ? "signatures"
		       : item->factors.is_pinned     ? "pinned"
						     : "packed";
	if (fprintf(printing->out, "%llu\t%s\t%s%s\n",
		    (unsigned long long)item->tokens, what, name, lines) < 0)
		return -errno;
	return 0;
}

/* calls: report_each_packed() */
static int
keep_item(void *context, const struct report_item *item)
{
	struct printing *printing = context;

	if (printing->kept_nr == printing->kept_max) {
		size_t max = 2 * printing->kept_max + 256;
		struct report_item *kept =
			realloc(printing->kept, max * sizeof(*kept));

		if (kept == NULL)
			return -ENOMEM;
		printing->kept = kept;
		printing->kept_max = max;
	}
	printing->kept[printing->kept_nr++] = *item;
	return 0;
}

static int
print_rest(void *context, const struct report_item *item)
{
	const struct printing *printing = context;

	return item->is_packed && printing->by_rank
		       ? 0
		       : print_item(printing, item);
}

/* Best first; ties by their source, then as they are in the trees. */
static int
compare_rank(const void *left, const void *right)
{
	const struct report_item *a = left;
	const struct report_item *b = right;

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
print_fn(const struct printing *printing, const struct report_item *item);

/* What was kept of a walk, the best first. */
static int
print_kept(struct printing *printing, print_fn *print)
{
	int error = 0;

	if (printing->kept_nr > 0)
		qsort(printing->kept, printing->kept_nr,
		      sizeof(*printing->kept), compare_rank);
	for (size_t i = 0; i < printing->kept_nr && error == 0; i++)
		error = print(printing, &printing->kept[i]);
	free(printing->kept);
	printing->kept = NULL;
	printing->kept_nr = printing->kept_max = 0;
	return error;
}

/* What is packed, the best first. */
static int
each_packed(struct printing *printing, print_fn *print)
{
	int error = report_each_packed(printing->report, keep_item, printing);
	int print_error = print_kept(printing, print);

	return error != 0 ? error : print_error;
}

/* calls: report_each() */
static int
keep_left_out(void *context, const struct report_item *item)
{
	return item->is_packed || !item->has_score ? 0
						   : keep_item(context, item);
}

/* What was ranked and is not packed, the best first. */
static int
each_left_out(struct printing *printing, print_fn *print)
{
	int error = report_each(printing->report, keep_left_out, printing);
	int print_error = print_kept(printing, print);

	return error != 0 ? error : print_error;
}

/* A column of the table: millionths as 0.123. */
static void
print_part(FILE *out, uint32_t millionths)
{
	fprintf(out, " %5.3f", (double)millionths / 1e6);
}

static int
explain_item(const struct printing *printing, const struct report_item *item)
{
	const struct plan_factors *factors = &item->factors;
	FILE *out = printing->out;

	print_part(out, item->score);
	print_part(out, factors->relevance);
	print_part(out, factors->recency);
	print_part(out, factors->source);
	if (printing->report->run->options.query != NULL) {
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
	return print_item(printing, item);
}

int
preview_explain(const struct report *report, FILE *out)
{
	struct printing printing = { .report = report, .out = out };
	int error;

	if (run_takes_all(report->run))
		return fputs("nothing to explain: all is taken\n", out) < 0
			       ? -errno
			       : 0;
	fprintf(out,
		" score relev recen sourc%s prio en im ex gi ma co bo -te"
		" tokens\n",
		report->run->options.query != NULL
			? " match  near  file  path  past  best  kind decay"
			: "");
	error = each_packed(&printing, explain_item);
	return error != 0 ? error : each_left_out(&printing, explain_item);
}

int
preview_print(const struct report *report, bool by_rank, FILE *out)
{
	struct printing printing = { .report = report,
				     .out = out,
				     .by_rank = by_rank };
	int error = by_rank ? each_packed(&printing, print_item) : 0;

	if (error == 0)
		error = report_each(report, print_rest, &printing);
	return error == 0 ? stream_finish(out) : error;
}
