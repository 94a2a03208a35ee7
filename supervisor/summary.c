/* SPDX-License-Identifier: MIT */
/*
 * summary.c - the lines at the end of a run.
 *
 *   files       1,234 seen, 1,100 packed (40 in part)
 *     left out  100 binary, 30 too-large
 *     ignored   3 files, 1 directory
 *   chunks      5,678 seen, 900 packed
 *   duplicates  12 files, 34 chunks: 56,789 tokens saved
 *   tokens      99,123 of 100,000 (99.1 %)
 *   memory      61.2 MiB at most
 *   time        1.23 s, 105 MiB/s
 */
#include "supervisor/summary.h"

#include <stdarg.h>
#include <stdio.h>

#include "supervisor/figures.h"

struct text {
	char *out;
	size_t size;
	size_t used;
};

static void
add(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void
add(struct text *text, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text->out + text->used, text->size - text->used, format,
		      args);
	va_end(args);
	if (n > 0)
		text->used = min_size(text->used + (size_t)n, text->size - 1);
}

static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void
add_files(struct text *text, const struct report *report)
{
	uint64_t packed = report->files_full + report->files_partial +
			  report->files_signatures;
	const char *separator = "  left out  ";
	char a[FIGURE_BYTES];
	char b[FIGURE_BYTES];

	add(text, "files       %s seen, %s packed",
	    figure_count(a, report->files_seen), figure_count(b, packed));
	if (report->files_partial > 0)
		add(text, " (%s in part)",
		    figure_count(a, report->files_partial));
	if (report->files_signatures > 0)
		add(text, " (%s by signatures)",
		    figure_count(a, report->files_signatures));
	add(text, "\n");
	for (unsigned i = 0; i < REPORT_REASON_NR; i++) {
		if (report->files_left_out[i] == 0)
			continue;
		add(text, "%s%s %s", separator,
		    figure_count(a, report->files_left_out[i]),
		    report_reason_text(i));
		separator = ", ";
	}
	if (report_files_skipped(report) > 0)
		add(text, "\n");
	/* nothing was decided: no tiers, no ranks */
	if (report_is_all(report) && report->available_tokens != BUDGET_ALL)
		add(text, "            all fits: all that was read is packed "
			  "in full\n");
}

/* What each category has of its share, where there are shares. */
static void
add_categories(struct text *text, const struct report *report)
{
	char a[FIGURE_BYTES];
	char b[FIGURE_BYTES];
	char c[FIGURE_BYTES];

	if (report->run == NULL || report->run->options.sources.file_nr == 0)
		return;
	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		const struct report_category *it = &report->categories[i];

		if (it->chunks_packed == 0)
			continue;
		add(text, "  %-14s %s tokens in %s chunk%s", category_name(i),
		    figure_count(a, it->used),
		    figure_count(b, it->chunks_packed),
		    plural(it->chunks_packed));
		if (it->allocated != BUDGET_ALL && it->allocated > 0)
			add(text, ", share %s", figure_count(c, it->allocated));
		add(text, "\n");
	}
}

/* "3 files and 1 directory", of one kind of what was passed over */
static void
add_passed_over(struct text *text, const char *what, uint64_t files,
		uint64_t dirs)
{
	char a[FIGURE_BYTES];
	char b[FIGURE_BYTES];

	if (files + dirs == 0)
		return;
	add(text, "  %-8s  %s file%s, %s director%s\n", what,
	    figure_count(a, files), plural(files), figure_count(b, dirs),
	    dirs == 1 ? "y" : "ies");
}

static void
add_chunks(struct text *text, const struct report *report)
{
	char a[FIGURE_BYTES];
	char b[FIGURE_BYTES];

	if (report->chunks_seen > 0)
		add(text, "chunks      %s seen, %s packed\n",
		    figure_count(a, report->chunks_seen),
		    figure_count(b, report->chunks_packed));
	if (report->stats[STAT_long_lines] > 0)
		add(text,
		    "            %s of one line that has more tokens than "
		    "a chunk may\n",
		    figure_count(a, report->stats[STAT_long_lines]));
	if (report->stats[STAT_short_signatures] > 0)
		add(text,
		    "            %s definition%s of large files left out of "
		    "their signatures\n",
		    figure_count(a, report->stats[STAT_short_signatures]),
		    plural(report->stats[STAT_short_signatures]));
	if (report->overlaps_merged > 0)
		add(text,
		    "merged      %s range%s that overlap, about %s "
		    "tokens saved\n",
		    figure_count(a, report->overlaps_merged),
		    plural(report->overlaps_merged),
		    figure_count(b, report->overlap_tokens));
	if (report->overlaps_unmerged > 0)
		add(text,
		    "shared      %s range%s with lines of another, about %s "
		    "tokens saved\n",
		    figure_count(a, report->overlaps_unmerged),
		    plural(report->overlaps_unmerged),
		    figure_count(b, report->unmerged_tokens));
	if (report->duplicate_files + report->duplicate_chunks == 0)
		return;
	add(text, "duplicates  %s file%s, %s chunk%s: ",
	    figure_count(a, report->duplicate_files),
	    plural(report->duplicate_files),
	    figure_count(b, report->duplicate_chunks),
	    plural(report->duplicate_chunks));
	add(text, "%s tokens saved\n",
	    figure_count(a, report->duplicate_tokens));
}

static void
add_tokens(struct text *text, const struct report *report)
{
	char a[FIGURE_BYTES];
	char b[FIGURE_BYTES];
	char c[FIGURE_BYTES];

	add(text, "tokens      %s%s", report->estimated ? "about " : "",
	    figure_count(a, report->used_tokens));
	if (report->available_tokens != BUDGET_ALL)
		add(text, " of %s available (%s)",
		    figure_count(b, report->available_tokens),
		    figure_share(c, report->used_tokens,
				 report->available_tokens));
	if (report->available_tokens != BUDGET_ALL &&
	    report->available_tokens != report->budget_tokens)
		add(text, ", budget %s",
		    figure_count(a, report->budget_tokens));
	add(text, "\n");
	if (report->chunks_rejected > 0 &&
	    report->available_tokens != BUDGET_ALL)
		add(text,
		    "            %s chunk%s omitted, %s tokens: content "
		    "exceeds the budget\n",
		    figure_count(a, report->chunks_rejected),
		    plural(report->chunks_rejected),
		    figure_count(b, report->rejected_tokens));
	if (report->output_bytes > 0)
		add(text, "output      %s\n",
		    figure_bytes(a, report->output_bytes));
}

size_t
summary_render(char *out, size_t size, const struct report *report)
{
	struct text text = { .out = out, .size = size };
	char a[FIGURE_BYTES];

	ASSERT(size > 0);
	*out = '\0';
	add_files(&text, report);
	add_passed_over(&text, "ignored", report->ignored_files,
			report->ignored_dirs);
	add_passed_over(&text, "hidden", 0, report->hidden_dirs);
	add_chunks(&text, report);
	add_tokens(&text, report);
	add_categories(&text, report);
	if (report->peak_pss_bytes > 0)
		add(&text, "memory      %s at most\n",
		    figure_bytes(a, report->peak_pss_bytes));
	if (report->wall_ns > 0) {
		double seconds = (double)report->wall_ns / 1e9;

		add(&text, "time        %s",
		    figure_duration(a, report->wall_ns));
		add(&text, ", %s/s\n",
		    figure_bytes(a, (uint64_t)((double)report->content_bytes /
					       seconds)));
	}
	return text.used;
}
