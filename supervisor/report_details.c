/* SPDX-License-Identifier: MIT */
/*
 * report_details.c - the ranges of a run, the savings, the cache.
 */
#include "supervisor/report_show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shm/diag.h"
#include "supervisor/figures.h"
#include "supervisor/grid.h"
#include "supervisor/report_read.h"

#define NAME_BYTES 8192
#define LINES_BYTES 48
#define NAMES_BYTES 512
#define NAMES_TOLD 6
#define SPECIAL_BYTES 256
#define HIT_RATE_GOOD 40 /* per cent; below, a larger cache may help */

static const char *
path_of(const json_t *item, const char *key, char out[static NAME_BYTES])
{
	const char *path = report_text(item, key);

	return diag_quote_text(out, NAME_BYTES, path);
}

static const char *
lines_of(const json_t *item, char out[static LINES_BYTES])
{
	if (!report_has(item, NULL, "start_line"))
		return strcpy(out, "-");
	snprintf(out, LINES_BYTES, "%llu-%llu",
		 (unsigned long long)report_u64(item, NULL, "start_line"),
		 (unsigned long long)report_u64(item, NULL, "end_line"));
	return out;
}

/* "87", of a score from 0 to 1; "-" where none was given */
static const char *
rank_of(const json_t *item, char out[static FIGURE_BYTES])
{
	const json_t *score = json_object_get(item, "score");

	if (!json_is_number(score))
		return strcpy(out, "-");
	snprintf(out, FIGURE_BYTES, "%.1f", 100 * json_number_value(score));
	return out;
}

/* "12"; "-" where it was not looked for */
static const char *
complexity_of(const json_t *item, char out[static FIGURE_BYTES])
{
	if (json_object_get(item, "complexity") == NULL)
		return strcpy(out, "-");
	return figure_count(out, report_u64(item, NULL, "complexity"));
}

/* "function open, class A, ..." */
static const char *
defines_of(const json_t *item, char out[static NAMES_BYTES])
{
	const json_t *list = json_object_get(item, "defines");
	size_t used = 0;

	*out = '\0';
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *def = json_array_get(list, i);
		const char *name = report_text(def, "name");
		char quoted[NAME_BYTES];
		int n;

		if (i == NAMES_TOLD || used > NAMES_BYTES / 2) {
			snprintf(out + used, NAMES_BYTES - used, ", ...");
			break;
		}
		diag_quote_text(quoted, sizeof(quoted), name);
		n = snprintf(out + used, NAMES_BYTES - used, "%s%s %.80s",
			     i > 0 ? ", " : "", report_text(def, "kind"),
			     quoted);
		used = min_size(used + (size_t)max_u64(0, (uint64_t)n),
				NAMES_BYTES - 8);
	}
	return out;
}

int
report_show_chunks(const json_t *report, FILE *out)
{
	static const char *const titles[] = { ">Rank",       "Path",
					      "Lines",       ">Tokens",
					      "Category",    "Tier",
					      ">Complexity", "Defines" };
	struct grid grid;
	json_t *list;
	size_t nr = report_list(report, "selected", &list);
	char name[NAME_BYTES];
	char lines[LINES_BYTES];
	char rank[FIGURE_BYTES];
	char text[FIGURE_BYTES];
	char branches[FIGURE_BYTES];
	char names[NAMES_BYTES];

	fprintf(out, "Selected Chunks (%s):\n", figure_count(text, nr));
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (size_t i = 0; i < nr; i++) {
		const json_t *item = json_array_get(list, i);
		const char *cells[] = {
			rank_of(item, rank),
			path_of(item, "path", name),
			lines_of(item, lines),
			figure_count(text, report_u64(item, NULL, "tokens")),
			report_text(item, "category"),
			report_text(item, "tier"),
			complexity_of(item, branches),
			defines_of(item, names),
		};

		grid_add(&grid, cells);
	}
	return grid_print(&grid, out);
}

/* A range and where it stands in the report: what decides between equals. */
struct ranked {
	const json_t *item;
	size_t place;
};

/* The highest score first; without scores the order of the report. */
static int
by_score(const void *a, const void *b)
{
	const struct ranked *one = a;
	const struct ranked *two = b;
	double left = json_number_value(json_object_get(one->item, "score"));
	double right = json_number_value(json_object_get(two->item, "score"));

	if (left != right)
		return left < right ? 1 : -1;
	return one->place < two->place ? -1 : 1;
}

static void
print_range(const json_t *item, FILE *out)
{
	const char *reason = report_text(item, "reason");
	const char *same_as = report_text(item, "same_as");
	char name[NAME_BYTES];
	char lines[LINES_BYTES];
	char rank[FIGURE_BYTES];
	char text[FIGURE_BYTES];

	fprintf(out, "  Rank %s: %s:%s (%s tokens)", rank_of(item, rank),
		path_of(item, "path", name), lines_of(item, lines),
		figure_count(text, report_u64(item, NULL, "tokens")));
	if (*reason != '\0')
		fprintf(out, " - %s", reason);
	if (*same_as != '\0')
		fprintf(out, " of %s", path_of(item, "same_as", name));
	fputc('\n', out);
}

static int
print_ranges(const json_t *report, const char *key, const char *title,
	     FILE *out)
{
	json_t *list;
	size_t nr = report_list(report, key, &list);
	struct ranked *ranked = calloc(nr + 1, sizeof(*ranked));
	char text[FIGURE_BYTES];

	if (ranked == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		ranked[i] = (struct ranked){ json_array_get(list, i), i };
	qsort(ranked, nr, sizeof(*ranked), by_score);
	fprintf(out, "%s (%s):\n", title, figure_count(text, nr));
	for (size_t i = 0; i < nr; i++)
		print_range(ranked[i].item, out);
	free(ranked);
	return 0;
}

int
report_show_selection(const json_t *report, FILE *out)
{
	int error = print_ranges(report, "selected", "Selected Chunks", out);

	if (error != 0)
		return error;
	fputc('\n', out);
	return print_ranges(report, "excluded", "Rejected Chunks", out);
}

/* "tool_results (rank 42.0)" */
static void
print_request(const json_t *request, FILE *out)
{
	char rank[FIGURE_BYTES];

	fprintf(out, "%s (rank %s)", report_text(request, "category"),
		rank_of(request, rank));
}

static bool
has_same_lines(const json_t *a, const json_t *b)
{
	return report_u64(a, NULL, "start_line") ==
		       report_u64(b, NULL, "start_line") &&
	       report_u64(a, NULL, "end_line") ==
		       report_u64(b, NULL, "end_line");
}

/* Whether all requests that a range was made of are of the same lines. */
static bool
is_repeated(const json_t *range)
{
	json_t *requests;
	size_t nr = report_list(range, "requests", &requests);

	for (size_t i = 0; i < nr; i++)
		if (!has_same_lines(range, json_array_get(requests, i)))
			return false;
	return true;
}

/* The same lines, asked for more than once. */
static void
print_repeated(const json_t *range, size_t n, FILE *out)
{
	json_t *requests;
	size_t nr = report_list(range, "requests", &requests);
	char name[NAME_BYTES];
	char lines[LINES_BYTES];
	char text[FIGURE_BYTES];

	fprintf(out, "  %zu. %s:%s\n     - Found in: ", n,
		path_of(range, "path", name), lines_of(range, lines));
	for (size_t i = 0; i < nr; i++) {
		fputs(i > 0 ? ", " : "", out);
		print_request(json_array_get(requests, i), out);
	}
	fprintf(out, "\n     - Kept: the one of %s\n",
		report_text(range, "category"));
	fprintf(out, "     - Saved: %s tokens\n",
		figure_count(text, report_u64(range, NULL, "saved_tokens")));
}

/* What was left out because it is there already. */
static void
print_duplicates(const json_t *report, FILE *out)
{
	json_t *list;
	size_t nr = report_list(report, "excluded", &list);
	size_t n = 0;
	char name[NAME_BYTES];
	char lines[LINES_BYTES];
	char text[FIGURE_BYTES];

	fprintf(out, "Exact Duplicates Removed (%s):\n",
		figure_count(text,
			     report_u64(report, "dedup", "exact_removed")));
	for (size_t i = 0; i < nr; i++) {
		const json_t *item = json_array_get(list, i);

		if (strcmp(report_text(item, "reason"), "duplicate") != 0)
			continue;
		fprintf(out, "  %zu. %s:%s\n", ++n, path_of(item, "path", name),
			lines_of(item, lines));
		if (*report_text(item, "same_as") != '\0')
			fprintf(out, "     - Kept: %s\n",
				path_of(item, "same_as", name));
		fprintf(out, "     - Saved: %s tokens\n",
			figure_count(text, report_u64(item, NULL, "tokens")));
	}
	nr = report_list(json_object_get(report, "dedup"), "merged", &list);
	for (size_t i = 0; i < nr; i++) {
		const json_t *range = json_array_get(list, i);

		if (is_repeated(range))
			print_repeated(range, ++n, out);
	}
}

/* "lines 1-75 (1,500 tokens, tool_results (rank 22.0))" */
static void
print_lines(const char *title, const json_t *range, FILE *out)
{
	char lines[LINES_BYTES];
	char text[FIGURE_BYTES];

	fprintf(out, "     - %s: lines %s (%s tokens, ", title,
		lines_of(range, lines),
		figure_count(text, report_u64(range, NULL, "tokens")));
	print_request(range, out);
	fputs(")\n", out);
}

/* How much of the shorter of two ranges the other one has, too. */
static void
print_overlap(const json_t *a, const json_t *b, FILE *out)
{
	uint64_t from = max_u64(report_u64(a, NULL, "start_line"),
				report_u64(b, NULL, "start_line"));
	uint64_t to = min_u64(report_u64(a, NULL, "end_line"),
			      report_u64(b, NULL, "end_line"));
	uint64_t lines = min_u64(report_u64(a, NULL, "end_line") -
					 report_u64(a, NULL, "start_line"),
				 report_u64(b, NULL, "end_line") -
					 report_u64(b, NULL, "start_line")) +
			 1;
	char share[FIGURE_BYTES];

	if (from <= to)
		fprintf(out,
			"     - Overlap: lines %llu-%llu (%s of the shorter one)\n",
			(unsigned long long)from, (unsigned long long)to,
			figure_share(share, to - from + 1, lines));
}

static void
print_merged(const json_t *range, size_t n, FILE *out)
{
	json_t *requests;
	size_t nr = report_list(range, "requests", &requests);
	char name[NAME_BYTES];
	char text[FIGURE_BYTES];

	fprintf(out, "  %zu. %s\n", n, path_of(range, "path", name));
	for (size_t i = 0; i < nr; i++) {
		char title[32];

		snprintf(title, sizeof(title), "Range %zu", i + 1);
		print_lines(title, json_array_get(requests, i), out);
	}
	if (nr == 2)
		print_overlap(json_array_get(requests, 0),
			      json_array_get(requests, 1), out);
	print_lines("Merged", range, out);
	fprintf(out, "     - Saved: %s tokens\n",
		figure_count(text, report_u64(range, NULL, "saved_tokens")));
}

static void
print_overlaps(const json_t *report, FILE *out)
{
	const json_t *dedup = json_object_get(report, "dedup");
	json_t *list;
	size_t nr = report_list(dedup, "merged", &list);
	size_t n = 0;
	char text[FIGURE_BYTES];
	char saved[FIGURE_BYTES];

	fprintf(out, "\nOverlapping Chunks Merged (%s): %s tokens saved\n",
		figure_count(text, report_u64(dedup, NULL, "overlaps_merged")),
		figure_count(saved, report_u64(dedup, NULL, "overlap_tokens")));
	for (size_t i = 0; i < nr; i++) {
		const json_t *range = json_array_get(list, i);

		if (!is_repeated(range))
			print_merged(range, ++n, out);
	}
	if (report_u64(dedup, NULL, "merged_left_out") > 0)
		fprintf(out, "  and %s more\n",
			figure_count(text, report_u64(dedup, NULL,
						      "merged_left_out")));
}

/* Ranges that overlap by less than the threshold: their lines are there once. */
static void
print_unmerged(const json_t *report, FILE *out)
{
	const json_t *dedup = json_object_get(report, "dedup");
	uint64_t all = report_u64(dedup, NULL, "overlaps_unmerged");
	json_t *list;
	size_t nr = report_list(dedup, "unmerged", &list);
	char text[FIGURE_BYTES];
	char saved[FIGURE_BYTES];
	char name[NAME_BYTES];

	if (all == 0)
		return;
	fprintf(out, "\nOverlapping Chunks Not Merged (%s): %s tokens saved\n",
		figure_count(text, all),
		figure_count(saved,
			     report_u64(dedup, NULL, "unmerged_tokens")));
	for (size_t i = 0; i < nr; i++) {
		const json_t *range = json_array_get(list, i);
		json_t *both;

		if (report_list(range, "requests", &both) != 2)
			continue;
		fprintf(out, "  %zu. %s\n", i + 1,
			path_of(range, "path", name));
		print_lines("Range 1", json_array_get(both, 0), out);
		print_lines("Range 2", json_array_get(both, 1), out);
		print_overlap(json_array_get(both, 0), json_array_get(both, 1),
			      out);
		fprintf(out, "     - Saved: %s tokens\n",
			figure_count(text,
				     report_u64(range, NULL, "saved_tokens")));
	}
	if (report_u64(dedup, NULL, "unmerged_left_out") > 0)
		fprintf(out, "  and %s more\n",
			figure_count(text, report_u64(dedup, NULL,
						      "unmerged_left_out")));
}

int
report_show_dedup(const json_t *report, FILE *out)
{
	uint64_t exact = report_u64(report, "dedup", "exact_tokens");
	uint64_t overlap = report_overlap_tokens(report);
	uint64_t used = report_u64(report, "budget", "used");
	char text[FIGURE_BYTES];

	fputs("Deduplication Report\n════════════════════\n\n", out);
	print_duplicates(report, out);
	print_overlaps(report, out);
	print_unmerged(report, out);
	exact = add_sat_u64(exact, overlap);
	fprintf(out, "\nTotal Savings: %s tokens", figure_count(text, exact));
	fprintf(out, " (%s reduction)\n",
		figure_share(text, exact, add_sat_u64(exact, used)));
	return 0;
}

/* "header", or the name of a file */
static const char *
place_of(const json_t *special, char out[static NAME_BYTES])
{
	const char *in = report_text(special, "in");

	if (*report_text(special, "path") == '\0')
		return strcpy(out, strcmp(in, "git-log") == 0    ? "(git log)"
				   : strcmp(in, "git-diff") == 0 ? "(git diff)"
				   : strcmp(in, "instructions") == 0
					   ? "(instructions)"
					   : "(header)");
	return path_of(special, "path", out);
}

int
report_show_specials(const json_t *report, FILE *out)
{
	static const char *const titles[] = { "Text", "In", ">Line", ">Times",
					      "Token of the encoding" };
	struct grid grid;
	json_t *list;
	size_t nr = report_list(report, "special_tokens", &list);
	uint64_t more = report_u64(report, NULL, "special_tokens_left_out");
	char name[NAME_BYTES];
	char text[SPECIAL_BYTES];
	char line[FIGURE_BYTES];
	char times[FIGURE_BYTES];
	int error;

	fprintf(out, "Text That Looks Like a Special Token (%s):\n",
		figure_count(times, nr + more));
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (size_t i = 0; i < nr; i++) {
		const json_t *special = json_array_get(list, i);
		bool has_line = report_has(special, NULL, "line");
		const char *cells[] = {
			diag_quote_text(text, sizeof(text),
					report_text(special, "token")),
			place_of(special, name),
			has_line ? figure_count(line, report_u64(special, NULL,
								 "line"))
				 : "name",
			figure_count(times, report_u64(special, NULL, "count")),
			json_is_true(json_object_get(special, "in_encoding"))
				? "yes"
				: "no",
		};

		grid_add(&grid, cells);
	}
	error = grid_print(&grid, out);
	if (error == 0 && more > 0)
		fprintf(out, "and %s more\n", figure_count(times, more));
	return error;
}

int
report_show_cache(const json_t *report, FILE *out)
{
	uint64_t hits = report_u64(report, "count_cache", "hits");
	uint64_t misses = report_u64(report, "count_cache", "misses");
	uint64_t evictions = report_u64(report, "count_cache", "evictions");
	uint64_t entries = report_u64(report, "count_cache", "entries");
	uint64_t capacity = report_u64(report, "count_cache", "capacity");
	uint64_t requests = add_sat_u64(hits, misses);
	char a[FIGURE_BYTES];
	char b[FIGURE_BYTES];
	char c[FIGURE_BYTES];

	fputs("Token Count Cache Statistics\n"
	      "════════════════════════════\n\n",
	      out);
	fprintf(out, "Total Requests: %s\n", figure_count(a, requests));
	fprintf(out, "Cache Hits: %s (%s)\n", figure_count(a, hits),
		figure_share(b, hits, requests));
	fprintf(out, "Cache Misses: %s (%s)\n", figure_count(a, misses),
		figure_share(b, misses, requests));
	fprintf(out, "Evictions: %s (%s of requests)\n",
		figure_count(a, evictions),
		figure_share(b, evictions, requests));
	fprintf(out, "Cache Size: %s / %s entries (%s full)\n",
		figure_count(a, entries), figure_count(b, capacity),
		figure_share(c, entries, capacity));
	if (requests == 0)
		return 0;
	fputs("\nRecommendation: ", out);
	if ((double)hits * 100 >= (double)requests * HIT_RATE_GOOD)
		fprintf(out,
			"none, the cache does well (at least %d %% of the "
			"chunks had been seen)\n",
			HIT_RATE_GOOD);
	else
		fprintf(out,
			"%s (fewer than %d %% of the chunks had been "
			"seen)\n",
			evictions > 0 ? "a larger --count-cache, to give up "
					"fewer counts"
				      : "none, the content does not repeat",
			HIT_RATE_GOOD);
	return 0;
}
