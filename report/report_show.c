/* SPDX-License-Identifier: MIT */
/*
 * report_show.c - the budget of a run, as tables.
 */
#include "report/report_show.h"

#include <ctype.h>
#include <string.h>

#include "base/diag.h"
#include "base/number_format.h"
#include "report/grid.h"
#include "report/report_read.h"

#define TITLE_BYTES 64

static void
print_title(const json_t *report, FILE *out)
{
	const char *when = report_text(report, "started_at");
	int columns = fprintf(out, "Token Budget Report (run %.8s%s%s)",
			      QUOTED(report_text(report, "correlation_id")),
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
	fprintf(out, "  Encoding: %s%s\n", report_text(report, "encoding"),
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

uint64_t
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
