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
}

int
report_show_dedup(const json_t *report, FILE *out)
{
	uint64_t exact = report_u64(report, "dedup", "exact_tokens");
	uint64_t overlap = report_u64(report, "dedup", "overlap_tokens");
	uint64_t used = report_u64(report, "budget", "used");
	char text[FIGURE_BYTES];

	fputs("Deduplication Report\n════════════════════\n\n", out);
	print_duplicates(report, out);
	fprintf(out, "\nOverlapping Chunks Merged (%s): %llu tokens saved\n",
		figure_count(text,
			     report_u64(report, "dedup", "overlaps_merged")),
		(unsigned long long)overlap);
	exact = add_sat_u64(exact, overlap);
	fprintf(out, "\nTotal Savings: %s tokens", figure_count(text, exact));
	fprintf(out, " (%s reduction)\n",
		figure_share(text, exact, add_sat_u64(exact, used)));
	return 0;
}

int
report_show_cache(const json_t *report, FILE *out)
{
	uint64_t hits = report_u64(report, "count_cache", "hits");
	uint64_t misses = report_u64(report, "count_cache", "misses");
	uint64_t evictions = report_u64(report, "count_cache", "evictions");
	uint64_t requests = add_sat_u64(hits, misses);
	char a[FIGURE_BYTES];
	char b[FIGURE_BYTES];

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
	if (hits >= requests / 100 * HIT_RATE_GOOD)
		return 0;
	fprintf(out, "\nFewer than %d %% of the chunks were seen before%s.\n",
		HIT_RATE_GOOD,
		evictions > 0 ? "; a larger --count-cache may help"
			      : ": the content does not repeat");
	return 0;
}
