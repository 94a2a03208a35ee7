/* SPDX-License-Identifier: MIT */
/*
 * summary.c - a line for every range and every file; and the lines at the end of
 *             a run.
 *
 *   files       1,234 seen, 1,100 packed (40 in part)
 *     left out  100 binary, 30 too-large
 *     ignored   3 files, 1 directory
 *   secrets     3 redacted in 2 files: 2 github-pat, 1 jwt
 *   chunks      5,678 seen, 900 packed
 *   duplicates  12 files, 34 chunks: 56,789 tokens saved
 *   tokens      99,123 of 100,000 (99.1 %)
 *   evidence    41,200 tokens (12,300 high, 28,900 low), confidence: high
 *   peak memory 61.2 MiB
 *   time        1.23 s, 105 MiB/s
 */
#include "report/render.h"

#include <errno.h>
#include <stdlib.h>

#include "base/number_format.h"
#include "base/sorted.h"
#include "base/stream.h"
#include "catalogue/plan.h"

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

typedef int
print_fn(const struct report *report, const struct report_item *item,
	 FILE *out);

/* What is packed, or what was ranked and is not: the best first. */
static int
each_ranked(const struct report *report, bool packed, print_fn *print,
	    FILE *out)
{
	size_t nr;
	const struct report_item **list = report_rank(report, packed, &nr);
	int error = list == NULL ? -ENOMEM : 0;

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
					   factors->named,   factors->kind,
					   factors->decay };

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
			? " match  near  file  path  past  best named  kind decay"
			: "");
	error = each_ranked(report, true, explain_item, out);
	return error != 0 ? error
			  : each_ranked(report, false, explain_item, out);
}

static bool
is_before_file(const void *item, const void *file_idx)
{
	return ((const struct report_item *)item)->file_idx <
	       *(const uint32_t *)file_idx;
}

/* What is packed of a file. */
static int
print_file(const struct report *report, uint32_t file_idx, FILE *out)
{
	uint64_t i = sorted_first(report_item(report, 0), report->item_nr,
				  sizeof(struct report_item), &file_idx,
				  is_before_file);
	int error = 0;

	for (; i < report->item_nr && error == 0; i++) {
		const struct report_item *item = report_item(report, i);

		if (item->file_idx != file_idx)
			break;
		if (item->is_packed)
			error = print_item(report, item, out);
	}
	return error;
}

/* The files of an overview as the output has them. */
static int
print_overview(const struct report *report, FILE *out)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	/* relaxed: its writer is dead, waitid() came in between */
	uint64_t nr = load_relaxed(&report->run->segment.control->section_nr);
	uint32_t last = FILE_NONE;
	int error = 0;

	for (uint64_t i = 0; i < nr && error == 0; i++) {
		const struct plan_entry *entry = catalogue_plan(
			catalogue, catalogue_plan(catalogue, i)->turn);
		uint32_t file_idx =
			catalogue_chunk(catalogue, entry->chunk_idx)->file_idx;

		/* the sections of a file follow each other */
		if (file_idx != last)
			error = print_file(report, file_idx, out);
		last = file_idx;
	}
	return error;
}

int
preview_print(const struct report *report, bool by_rank, FILE *out)
{
	int error = 0;

	if (by_rank && report->run->job.is_broad)
		error = print_overview(report, out);
	else if (by_rank)
		error = each_ranked(report, true, print_item, out);
	for (uint64_t i = 0; i < report->item_nr && error == 0; i++) {
		const struct report_item *item = report_item(report, i);

		if (!by_rank || !item->is_packed)
			error = print_item(report, item, out);
	}
	return error == 0 ? stream_finish(out) : error;
}

static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void
add_files(FILE *out, const struct report *report)
{
	uint64_t packed = report->files_full + report->files_partial +
			  report->files_signatures;
	const char *separator = "  left out  ";

	fprintf(out, "files       %s seen, %s packed",
		COUNT_TEXT(report->files_seen), COUNT_TEXT(packed));
	if (report->files_partial > 0)
		fprintf(out, " (%s in part)",
			COUNT_TEXT(report->files_partial));
	if (report->files_signatures > 0)
		fprintf(out, " (%s by signatures)",
			COUNT_TEXT(report->files_signatures));
	fprintf(out, "\n");
	for (unsigned i = 0; i < REPORT_REASON_NR; i++) {
		if (report->files_left_out[i] == 0)
			continue;
		fprintf(out, "%s%s %s", separator,
			COUNT_TEXT(report->files_left_out[i]),
			report_reason_text(i));
		separator = ", ";
	}
	if (report_files_skipped(report) > 0)
		fprintf(out, "\n");
	/* nothing was decided: no tiers, no ranks */
	if (report_is_all(report) && report->available_tokens != BUDGET_ALL)
		fprintf(out,
			"            all fits: all that was read is packed "
			"in full\n");
}

/* What each category has of its share, where there are shares. */
static void
add_categories(FILE *out, const struct report *report)
{
	if (report->run == NULL || report->run->job.sources.file_nr == 0)
		return;
	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		const struct report_category *it = &report->categories[i];

		if (it->chunks_packed == 0)
			continue;
		fprintf(out, "  %-14s %s tokens in %s chunk%s",
			category_name(i), COUNT_TEXT(it->used),
			COUNT_TEXT(it->chunks_packed),
			plural(it->chunks_packed));
		if (it->allocated != BUDGET_ALL && it->allocated > 0)
			fprintf(out, ", share %s", COUNT_TEXT(it->allocated));
		fprintf(out, "\n");
	}
}

/* "3 files and 1 directory", of one kind of what was passed over */
static void
add_passed_over(FILE *out, const char *what, uint64_t files, uint64_t dirs)
{
	if (files + dirs == 0)
		return;
	fprintf(out, "  %-8s  %s file%s, %s director%s\n", what,
		COUNT_TEXT(files), plural(files), COUNT_TEXT(dirs),
		dirs == 1 ? "y" : "ies");
}

/* Before a sum of what is left out. */
static const char *
about(const struct report *report)
{
	return report->has_estimates ? "about " : "";
}

static void
add_ranges(FILE *out, const char *format, uint64_t nr, uint64_t tokens)
{
	if (nr == 0)
		return;
	fprintf(out, format, COUNT_TEXT(nr), plural(nr));
	fprintf(out, ", about %s tokens saved\n", COUNT_TEXT(tokens));
}

static void
add_chunks(FILE *out, const struct report *report)
{
	if (report->chunks_seen > 0)
		fprintf(out, "chunks      %s seen, %s packed\n",
			COUNT_TEXT(report->chunks_seen),
			COUNT_TEXT(report->chunks_packed));
	if (report->stats[STAT_long_lines] > 0)
		fprintf(out,
			"            %s single-line chunk%s the chunk limit\n",
			COUNT_TEXT(report->stats[STAT_long_lines]),
			report->stats[STAT_long_lines] == 1 ? " exceeds"
							    : "s exceed");
	if (report->stats[STAT_short_signatures] > 0)
		fprintf(out,
			"            %s definition%s of large files left out of "
			"their signatures\n",
			COUNT_TEXT(report->stats[STAT_short_signatures]),
			plural(report->stats[STAT_short_signatures]));
	add_ranges(out, "merged      %s range%s that overlap",
		   report->overlaps_merged, report->overlap_tokens);
	add_ranges(out, "shared      %s range%s with lines of another",
		   report->overlaps_unmerged, report->unmerged_tokens);
	if (report->duplicate_files + report->duplicate_chunks == 0)
		return;
	fprintf(out, "duplicates  %s file%s, %s chunk%s: ",
		COUNT_TEXT(report->duplicate_files),
		plural(report->duplicate_files),
		COUNT_TEXT(report->duplicate_chunks),
		plural(report->duplicate_chunks));
	fprintf(out, "%s%s tokens saved\n", about(report),
		COUNT_TEXT(report->duplicate_tokens));
}

/* How much of it the query says something of; what is behind it fills up. */
static void
add_evidence(FILE *out, const struct report *report)
{
	const struct report_evidence *evidence = &report->evidence;

	if (!evidence->is_known)
		return;
	fprintf(out,
		"evidence    %s tokens (%s high, %s low), confidence: %s\n",
		COUNT_TEXT(evidence->high_tokens + evidence->low_tokens),
		COUNT_TEXT(evidence->high_tokens),
		COUNT_TEXT(evidence->low_tokens),
		match_confidence_text(match_confidence_best(evidence->best)));
}

/* Why chunks are left out. */
static const char *
why(const struct report *report)
{
	return report->run != NULL && report->run->job.enough
		       ? "no evidence, or content exceeds the budget"
		       : "content exceeds the budget";
}

static void
add_tokens(FILE *out, const struct report *report)
{
	fprintf(out, "tokens      %s%s", report->estimated ? "about " : "",
		COUNT_TEXT(report->used_tokens));
	if (report->available_tokens != BUDGET_ALL)
		fprintf(out, " of %s available (%s)",
			COUNT_TEXT(report->available_tokens),
			SHARE_TEXT(report->used_tokens,
				   report->available_tokens));
	if (report->available_tokens != BUDGET_ALL &&
	    report->available_tokens != report->budget_tokens)
		fprintf(out, ", budget %s", COUNT_TEXT(report->budget_tokens));
	fprintf(out, "\n");
	if (report->chunks_rejected > 0 &&
	    report->available_tokens != BUDGET_ALL)
		fprintf(out,
			"            %s chunk%s omitted, %s%s tokens: %s\n",
			COUNT_TEXT(report->chunks_rejected),
			plural(report->chunks_rejected), about(report),
			COUNT_TEXT(report->rejected_tokens), why(report));
	add_evidence(out, report);
	if (report->output_bytes > 0 && !report->is_refused)
		fprintf(out, "output      %s\n",
			BYTES_TEXT(report->output_bytes));
}

void
summary_print(const struct report *report, FILE *out)
{
	add_files(out, report);
	add_passed_over(out, "ignored", report->ignored_files,
			report->ignored_dirs);
	add_passed_over(out, "hidden", 0, report->hidden_dirs);
	report_print_secrets(report, out);
	add_chunks(out, report);
	add_tokens(out, report);
	add_categories(out, report);
	if (report->peak_pss_bytes > 0)
		fprintf(out, "peak memory %s\n",
			BYTES_TEXT(report->peak_pss_bytes));
	if (report->wall_ns > 0)
		fprintf(out, "time        %s, %s/s\n",
			DURATION_TEXT(report->wall_ns),
			BYTES_TEXT((uint64_t)((double)report->content_bytes /
					      (double)report->wall_ns * 1e9)));
}
