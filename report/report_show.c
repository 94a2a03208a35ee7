/* SPDX-License-Identifier: MIT */
/*
 * report_show.c - a run as tables: its budget, ranges, savings, cache.
 */
#include "report/report_show.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/number_format.h"
#include "report/grid.h"
#include "report/report_read.h"

#define TITLE_BYTES 64

/* A word that bale writes; in the report of a stranger it may be any text. */
#define WORD_TEXT(item, key) \
	(*report_text(item, key) == '\0' ? "" : QUOTED(report_text(item, key)))

static void
print_title(const json_t *report, FILE *out)
{
	const char *when = report_text(report, "started_at");
	int columns = fprintf(out, "Token Budget Report (run %.8s%s%s)",
			      WORD_TEXT(report, "correlation_id"),
			      *when == '\0' ? "" : ", ",
			      *when == '\0' ? "" : QUOTED(when));

	fputc('\n', out);
	for (int i = 0; i < columns; i++)
		fputs("═", out);
	fputs("\n\n", out);
}

/* "  Response Reserve: 8,000 tokens"; a budget of everything is no number */
static void
print_tokens(const json_t *report, FILE *out, const char *title,
	     const char *path)
{
	if (report_has(report, path))
		fprintf(out, "  %s: %s tokens\n", title,
			REPORT_COUNT(report, path));
	else
		fprintf(out, "  %s: everything\n", title);
}

static void
print_budget(const json_t *report, FILE *out)
{
	fputs("Budget Configuration:\n", out);
	print_tokens(report, out, "Total Context Window", "budget.total");
	print_tokens(report, out, "System Prompt Reserve",
		     "budget.system_reserve");
	print_tokens(report, out, "Response Reserve",
		     "budget.response_reserve");
	print_tokens(report, out, "Available for Content", "budget.available");
	fprintf(out, "  Encoding: %s%s\n", WORD_TEXT(report, "encoding"),
		report_is(report, "estimated") ? " (estimated)" : "");
}

/* "tool_results" to "Tool Results" */
static const char *
titled(char *out, const char *name)
{
	bool begins = true;
	size_t n = 0;

	for (; *name != '\0' && n < TITLE_BYTES - 1; name++, n++) {
		unsigned char c = (unsigned char)*name;

		out[n] = c == '_'      ? ' '
			 : !isprint(c) ? '?'
			 : begins      ? (char)toupper(c)
				       : (char)c;
		begins = out[n] == ' ';
	}
	out[n] = '\0';
	return out;
}

static void
add_category(struct grid *grid, const char *name, const json_t *allocated,
	     uint64_t used)
{
	bool is_share = json_is_integer(allocated);
	uint64_t of = (uint64_t)json_integer_value(allocated);
	const char *cells[] = {
		name,
		is_share ? COUNT_TEXT(of) : "all",
		COUNT_TEXT(used),
		is_share ? COUNT_TEXT(of - min_u64(of, used)) : "-",
		is_share ? SHARE_TEXT(used, of) : "-",
	};

	grid_add(grid, cells);
}

static int
print_categories(const json_t *report, FILE *out)
{
	static const char *const titles[] = { "Category", ">Allocated", ">Used",
					      ">Wasted", ">Fill %" };
	struct grid grid;
	json_t *list;
	size_t nr = report_list(report, "categories", &list);
	uint64_t used = report_u64(report, "budget.used");
	uint64_t sum = 0;

	fputs("\nCategory Allocation:\n", out);
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (size_t i = 0; i < nr; i++) {
		const json_t *category = json_array_get(list, i);
		char name[TITLE_BYTES];

		add_category(&grid, titled(name, report_text(category, "name")),
			     json_object_get(category, "allocated"),
			     report_u64(category, "used"));
		sum = add_sat_u64(sum, report_u64(category, "used"));
	}
	if (used > sum) {
		/* headers, fences and gap marks are of no category */
		const char *const cells[] = { "Around Them", "-",
					      COUNT_TEXT(used - sum), "-",
					      "-" };

		grid_add(&grid, cells);
	}
	grid_rule(&grid);
	add_category(
		&grid, "TOTAL",
		json_object_get(json_object_get(report, "budget"), "available"),
		used);
	return grid_print(&grid, out);
}

/* What overlaps saved, merged or not; units: tokens */
static uint64_t
report_overlap_tokens(const json_t *report)
{
	return add_sat_u64(report_u64(report, "dedup.overlap_tokens"),
			   report_u64(report, "dedup.unmerged_tokens"));
}

static void
print_savings(const json_t *report, FILE *out)
{
	uint64_t exact = report_u64(report, "dedup.exact_tokens");
	uint64_t merged = report_u64(report, "dedup.overlap_tokens");
	uint64_t unmerged = report_u64(report, "dedup.overlaps_unmerged");
	uint64_t used = report_u64(report, "budget.used");

	fputs("\nDeduplication Savings:\n", out);
	fprintf(out, "  Exact Duplicates Removed: %s (-%s tokens)\n",
		REPORT_COUNT(report, "dedup.exact_removed"), COUNT_TEXT(exact));
	fprintf(out, "  Overlapping Chunks Merged: %s (-%s tokens)\n",
		REPORT_COUNT(report, "dedup.overlaps_merged"),
		COUNT_TEXT(merged));
	if (unmerged > 0)
		fprintf(out,
			"  Overlapping Chunks Not Merged: %s (-%s tokens)\n",
			COUNT_TEXT(unmerged),
			REPORT_COUNT(report, "dedup.unmerged_tokens"));
	exact = add_sat_u64(exact, report_overlap_tokens(report));
	fprintf(out, "  Total Savings: %s tokens (%s of original)\n",
		COUNT_TEXT(exact), SHARE_TEXT(exact, add_sat_u64(exact, used)));
}

static void
print_selection(const json_t *report, FILE *out)
{
	uint64_t rejected = report_u64(report, "chunks.rejected");

	fputs("\nContent Selection:\n", out);
	fprintf(out, "  Files: %s seen, ", REPORT_COUNT(report, "files.seen"));
	fprintf(out, "%s packed\n", REPORT_COUNT(report, "files.packed"));
	fprintf(out, "  Chunks Considered: %s\n",
		REPORT_COUNT(report, "chunks.seen"));
	fprintf(out, "  Chunks Selected: %s\n",
		REPORT_COUNT(report, "chunks.packed"));
	fprintf(out, "  Chunks Rejected: %s%s\n", COUNT_TEXT(rejected),
		rejected > 0 ? " (insufficient budget)" : "");
	/* of a query; reports of other runs have none */
	if (!json_is_object(json_object_get(report, "evidence")))
		return;
	fprintf(out, "  Evidence: %s tokens ",
		REPORT_COUNT(report, "evidence.tokens"));
	fprintf(out, "(%s high, ", REPORT_COUNT(report, "evidence.high"));
	fprintf(out, "%s low)\n", REPORT_COUNT(report, "evidence.low"));
}

/* Text that looks like a special token; nothing where there is none. */
static void
print_specials(const json_t *report, FILE *out)
{
	json_t *list;
	size_t nr = report_list(report, "special_tokens", &list);
	uint64_t all = nr + report_u64(report, "special_tokens_left_out");
	uint64_t known = 0;

	for (size_t i = 0; i < nr; i++)
		known += report_is(json_array_get(list, i), "in_encoding");
	if (all > 0)
		fprintf(out,
			"\nText Like Special Tokens: %s (%s of them tokens of "
			"the encoding); see --special-tokens\n",
			COUNT_TEXT(all), COUNT_TEXT(known));
}

static int
print_stages(const json_t *report, FILE *out)
{
	static const char *const titles[] = { "Stage",  ">Workers", ">Busy",
					      ">Waits", ">Items",   ">Bytes",
					      ">Deaths" };
	struct grid grid;
	json_t *list;
	size_t nr = report_list(report, "stages", &list);

	fputs("\nPerformance:\n", out);
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (size_t i = 0; i < nr; i++) {
		const json_t *stage = json_array_get(list, i);
		char name[TITLE_BYTES];
		const char *const cells[] = {
			titled(name, report_text(stage, "name")),
			REPORT_COUNT(stage, "workers"),
			DURATION_TEXT(report_u64(stage, "busy_ns")),
			DURATION_TEXT(report_u64(stage, "wait_ns")),
			REPORT_COUNT(stage, "items"),
			BYTES_TEXT(report_u64(stage, "bytes")),
			REPORT_COUNT(stage, "deaths"),
		};

		grid_add(&grid, cells);
	}
	return grid_print(&grid, out);
}

static void
print_cost(const json_t *report, FILE *out)
{
	json_t *list;
	size_t nr = report_list(report, "warnings", &list);

	fprintf(out, "  Total: %s\n",
		DURATION_TEXT(report_u64(report, "wall_ns")));
	if (report_has(report, "memory.peak_pss_bytes"))
		fprintf(out, "  Peak memory: %s\n",
			BYTES_TEXT(
				report_u64(report, "memory.peak_pss_bytes")));
	for (size_t i = 0; i < nr; i++) {
		const char *warning =
			json_string_value(json_array_get(list, i));

		if (warning != NULL)
			fprintf(out, "Warning: %s\n", QUOTED(warning));
	}
}

/* What the figures say about the next run. */
static void
print_advice(const json_t *report, FILE *out)
{
	uint64_t available = report_u64(report, "budget.available");
	uint64_t used = report_u64(report, "budget.used");
	uint64_t rejected = report_u64(report, "chunks.rejected");

	if (report_has(report, "budget.available") && used > available)
		fprintf(out, "\nBudget exceeded by %s tokens.\n",
			COUNT_TEXT(used - available));
	if (rejected == 0 || used / 99 < available / 100)
		return;
	fprintf(out,
		"\n%s chunks omitted due to budget constraints. A larger "
		"--budget, or a --query, or\nfewer paths would keep what "
		"matters.\n",
		COUNT_TEXT(rejected));
}

int
report_show_budget(const json_t *report, FILE *out)
{
	int error;

	print_title(report, out);
	print_budget(report, out);
	error = print_categories(report, out);
	if (error != 0)
		return error;
	print_savings(report, out);
	print_selection(report, out);
	print_specials(report, out);
	error = print_stages(report, out);
	if (error != 0)
		return error;
	print_cost(report, out);
	print_advice(report, out);
	return 0;
}

#define NAME_BYTES 8192
#define LINES_BYTES 48
#define WORD_BYTES 84
#define NAMES_BYTES 512
#define NAMES_TOLD 6
#define SPECIAL_BYTES 256
#define HIT_RATE_GOOD 40 /* per cent; below, a larger cache may help */

#define LINES_TEXT(item) lines_of(item, (char[LINES_BYTES]){ 0 })
#define RANK_TEXT(item) rank_of(item, (char[FIGURE_BYTES]){ 0 })

static const char *
path_of(const json_t *item, const char *key, char out[static NAME_BYTES])
{
	const char *path = report_text(item, key);

	return diag_quote_text(out, NAME_BYTES, path);
}

static const char *
lines_of(const json_t *item, char out[static LINES_BYTES])
{
	if (!report_has(item, "start_line"))
		return strcpy(out, "-");
	snprintf(out, LINES_BYTES, "%ju-%ju", report_u64(item, "start_line"),
		 report_u64(item, "end_line"));
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

/* "function open, class A, ..." */
static const char *
defines_of(const json_t *item, char out[static NAMES_BYTES])
{
	const json_t *list = json_object_get(item, "defines");
	size_t used = 0;

	*out = '\0';
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *def = json_array_get(list, i);
		char kind[WORD_BYTES];
		char name[WORD_BYTES];

		if (i == NAMES_TOLD || used > NAMES_BYTES / 2) {
			strcpy(out + used, ", ...");
			break;
		}
		used += (size_t)sprintf(
			out + used, "%s%s %s", i > 0 ? ", " : "",
			diag_quote_text(kind, sizeof(kind),
					report_text(def, "kind")),
			diag_quote_text(name, sizeof(name),
					report_text(def, "name")));
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
	char names[NAMES_BYTES];

	fprintf(out, "Selected Chunks (%s):\n", COUNT_TEXT(nr));
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (size_t i = 0; i < nr; i++) {
		const json_t *item = json_array_get(list, i);
		const char *cells[] = {
			RANK_TEXT(item),
			path_of(item, "path", name),
			LINES_TEXT(item),
			REPORT_COUNT(item, "tokens"),
			WORD_TEXT(item, "category"),
			WORD_TEXT(item, "tier"),
			report_has(item, "complexity")
				? REPORT_COUNT(item, "complexity")
				: "-",
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
	char name[NAME_BYTES];

	fprintf(out, "  Rank %s: %s:%s (%s%s tokens)", RANK_TEXT(item),
		path_of(item, "path", name), LINES_TEXT(item),
		report_is(item, "estimated") ? "about " : "",
		REPORT_COUNT(item, "tokens"));
	if (*reason != '\0')
		fprintf(out, " - %s", QUOTED(reason));
	if (*report_text(item, "same_as") != '\0')
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

	if (ranked == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		ranked[i] = (struct ranked){ json_array_get(list, i), i };
	qsort(ranked, nr, sizeof(*ranked), by_score);
	fprintf(out, "%s (%s):\n", title, COUNT_TEXT(nr));
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

static bool
has_same_lines(const json_t *a, const json_t *b)
{
	return report_u64(a, "start_line") == report_u64(b, "start_line") &&
	       report_u64(a, "end_line") == report_u64(b, "end_line");
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

static void
print_saved(const json_t *range, const char *key, FILE *out)
{
	fprintf(out, "     - Saved: %s tokens\n", REPORT_COUNT(range, key));
}

/* The same lines, asked for more than once. */
static void
print_repeated(const json_t *range, size_t n, FILE *out)
{
	json_t *requests;
	size_t nr = report_list(range, "requests", &requests);
	char name[NAME_BYTES];

	fprintf(out, "  %zu. %s:%s\n     - Found in: ", n,
		path_of(range, "path", name), LINES_TEXT(range));
	for (size_t i = 0; i < nr; i++) {
		const json_t *request = json_array_get(requests, i);

		fprintf(out, "%s%s (rank %s)", i > 0 ? ", " : "",
			WORD_TEXT(request, "category"), RANK_TEXT(request));
	}
	fprintf(out, "\n     - Kept: the one of %s\n",
		WORD_TEXT(range, "category"));
	print_saved(range, "saved_tokens", out);
}

/* What was left out because it is there already. */
static void
print_duplicates(const json_t *report, FILE *out)
{
	json_t *list;
	size_t nr = report_list(report, "excluded", &list);
	size_t n = 0;
	char name[NAME_BYTES];

	fprintf(out, "Exact Duplicates Removed (%s):\n",
		REPORT_COUNT(report, "dedup.exact_removed"));
	for (size_t i = 0; i < nr; i++) {
		const json_t *item = json_array_get(list, i);

		if (strcmp(report_text(item, "reason"), "duplicate") != 0)
			continue;
		fprintf(out, "  %zu. %s:%s\n", ++n, path_of(item, "path", name),
			LINES_TEXT(item));
		if (*report_text(item, "same_as") != '\0')
			fprintf(out, "     - Kept: %s\n",
				path_of(item, "same_as", name));
		print_saved(item, "tokens", out);
	}
	nr = report_list(report, "dedup.merged", &list);
	for (size_t i = 0; i < nr; i++)
		if (is_repeated(json_array_get(list, i)))
			print_repeated(json_array_get(list, i), ++n, out);
}

/* "lines 1-75 (1,500 tokens, tool_results (rank 22.0))" */
static void
print_lines(const char *title, const json_t *range, FILE *out)
{
	fprintf(out, "     - %s: lines %s (%s tokens, %s (rank %s))\n", title,
		LINES_TEXT(range), REPORT_COUNT(range, "tokens"),
		WORD_TEXT(range, "category"), RANK_TEXT(range));
}

/* How much of the shorter of two ranges the other one has, too. */
static void
print_overlap(const json_t *a, const json_t *b, FILE *out)
{
	uint64_t starts[] = { report_u64(a, "start_line"),
			      report_u64(b, "start_line") };
	uint64_t ends[] = { report_u64(a, "end_line"),
			    report_u64(b, "end_line") };
	uint64_t from = max_u64(starts[0], starts[1]);
	uint64_t to = min_u64(ends[0], ends[1]);
	uint64_t lines = min_u64(ends[0] - starts[0], ends[1] - starts[1]) + 1;

	if (from <= to)
		fprintf(out,
			"     - Overlap: lines %ju-%ju (%s of the shorter one)\n",
			from, to, SHARE_TEXT(to - from + 1, lines));
}

/* A range that requests became, or that is not merged with another. */
static void
print_requests(const json_t *range, size_t n, FILE *out)
{
	json_t *requests;
	size_t nr = report_list(range, "requests", &requests);
	char name[NAME_BYTES];

	fprintf(out, "  %zu. %s\n", n, path_of(range, "path", name));
	for (size_t i = 0; i < nr; i++) {
		char title[32];

		snprintf(title, sizeof(title), "Range %zu", i + 1);
		print_lines(title, json_array_get(requests, i), out);
	}
	if (nr == 2)
		print_overlap(json_array_get(requests, 0),
			      json_array_get(requests, 1), out);
	if (json_object_get(range, "category") != NULL)
		print_lines("Merged", range, out);
	print_saved(range, "saved_tokens", out);
}

static void
print_more(uint64_t nr, FILE *out)
{
	if (nr > 0)
		fprintf(out, "  and %s more\n", COUNT_TEXT(nr));
}

static void
print_overlaps(const json_t *report, FILE *out)
{
	json_t *list;
	size_t nr = report_list(report, "dedup.merged", &list);
	size_t n = 0;

	fprintf(out, "\nOverlapping Chunks Merged (%s): %s tokens saved\n",
		REPORT_COUNT(report, "dedup.overlaps_merged"),
		REPORT_COUNT(report, "dedup.overlap_tokens"));
	for (size_t i = 0; i < nr; i++)
		if (!is_repeated(json_array_get(list, i)))
			print_requests(json_array_get(list, i), ++n, out);
	print_more(report_u64(report, "dedup.merged_left_out"), out);
}

/* Ranges that overlap by less than the threshold: their lines are there once. */
static void
print_unmerged(const json_t *report, FILE *out)
{
	json_t *list;
	size_t nr = report_list(report, "dedup.unmerged", &list);

	if (report_u64(report, "dedup.overlaps_unmerged") == 0)
		return;
	fprintf(out, "\nOverlapping Chunks Not Merged (%s): %s tokens saved\n",
		REPORT_COUNT(report, "dedup.overlaps_unmerged"),
		REPORT_COUNT(report, "dedup.unmerged_tokens"));
	for (size_t i = 0; i < nr; i++)
		print_requests(json_array_get(list, i), i + 1, out);
	print_more(report_u64(report, "dedup.unmerged_left_out"), out);
}

int
report_show_dedup(const json_t *report, FILE *out)
{
	uint64_t exact = report_u64(report, "dedup.exact_tokens");
	uint64_t overlap = report_overlap_tokens(report);
	uint64_t used = report_u64(report, "budget.used");

	fputs("Deduplication Report\n════════════════════\n\n", out);
	print_duplicates(report, out);
	print_overlaps(report, out);
	print_unmerged(report, out);
	exact = add_sat_u64(exact, overlap);
	fprintf(out, "\nTotal Savings: %s tokens", COUNT_TEXT(exact));
	fprintf(out, " (%s reduction)\n",
		SHARE_TEXT(exact, add_sat_u64(exact, used)));
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
	uint64_t more = report_u64(report, "special_tokens_left_out");
	char name[NAME_BYTES];
	char text[SPECIAL_BYTES];
	int error;

	fprintf(out, "Text That Looks Like a Special Token (%s):\n",
		COUNT_TEXT(nr + more));
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (size_t i = 0; i < nr; i++) {
		const json_t *special = json_array_get(list, i);
		const char *cells[] = {
			diag_quote_text(text, sizeof(text),
					report_text(special, "token")),
			place_of(special, name),
			report_has(special, "line")
				? REPORT_COUNT(special, "line")
				: "name",
			REPORT_COUNT(special, "count"),
			report_is(special, "in_encoding") ? "yes" : "no",
		};

		grid_add(&grid, cells);
	}
	error = grid_print(&grid, out);
	if (error == 0 && more > 0)
		fprintf(out, "and %s more\n", COUNT_TEXT(more));
	return error;
}

int
report_show_cache(const json_t *report, FILE *out)
{
	uint64_t hits = report_u64(report, "count_cache.hits");
	uint64_t misses = report_u64(report, "count_cache.misses");
	uint64_t evictions = report_u64(report, "count_cache.evictions");
	uint64_t entries = report_u64(report, "count_cache.entries");
	uint64_t capacity = report_u64(report, "count_cache.capacity");
	uint64_t requests = add_sat_u64(hits, misses);

	fputs("Token Count Cache Statistics\n"
	      "════════════════════════════\n\n",
	      out);
	fprintf(out, "Total Requests: %s\n", COUNT_TEXT(requests));
	fprintf(out, "Cache Hits: %s (%s)\n", COUNT_TEXT(hits),
		SHARE_TEXT(hits, requests));
	fprintf(out, "Cache Misses: %s (%s)\n", COUNT_TEXT(misses),
		SHARE_TEXT(misses, requests));
	fprintf(out, "Evictions: %s (%s of requests)\n", COUNT_TEXT(evictions),
		SHARE_TEXT(evictions, requests));
	fprintf(out, "Cache Size: %s / %s entries (%s full)\n",
		COUNT_TEXT(entries), COUNT_TEXT(capacity),
		SHARE_TEXT(entries, capacity));
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
