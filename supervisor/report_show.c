/* SPDX-License-Identifier: MIT */
/*
 * report_show.c - the budget of a run, as tables.
 */
#include "supervisor/report_show.h"

#include <ctype.h>
#include <string.h>

#include "shm/diag.h"
#include "supervisor/figures.h"
#include "supervisor/grid.h"
#include "supervisor/report_read.h"

#define TITLE_BYTES 64

static void
print_title(const json_t *report, FILE *out)
{
	const char *id = report_text(report, "correlation_id");
	const char *when = report_text(report, "started_at");
	char quoted[2][64];
	int columns;

	diag_quote_text(quoted[0], sizeof(quoted[0]), id);
	diag_quote_text(quoted[1], sizeof(quoted[1]), when);
	columns = fprintf(out, "Token Budget Report (run %.8s%s%s)", quoted[0],
			  *when == '\0' ? "" : ", ", quoted[1]);
	fputc('\n', out);
	for (int i = 0; i < columns; i++)
		fputs("═", out);
	fputs("\n\n", out);
}

/* "  Response Reserve: 8,000 tokens"; a budget of everything is no number */
static void
print_tokens(const json_t *report, FILE *out, const char *title,
	     const char *key)
{
	char text[FIGURE_BYTES];

	if (report_has(report, "budget", key))
		fprintf(out, "  %s: %s tokens\n", title,
			figure_count(text, report_u64(report, "budget", key)));
	else
		fprintf(out, "  %s: everything\n", title);
}

static void
print_budget(const json_t *report, FILE *out)
{
	fputs("Budget Configuration:\n", out);
	print_tokens(report, out, "Total Context Window", "total");
	print_tokens(report, out, "System Prompt Reserve", "system_reserve");
	print_tokens(report, out, "Response Reserve", "response_reserve");
	print_tokens(report, out, "Available for Content", "available");
	fprintf(out, "  Encoding: %s%s\n", report_text(report, "encoding"),
		json_is_true(json_object_get(report, "estimated"))
			? " (estimated)"
			: "");
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
	char texts[4][FIGURE_BYTES] = { "all", "", "-", "-" };
	const char *cells[] = { name, texts[0], texts[1], texts[2], texts[3] };

	figure_count(texts[1], used);
	if (json_is_integer(allocated)) {
		uint64_t of = (uint64_t)json_integer_value(allocated);

		figure_count(texts[0], of);
		figure_count(texts[2], of - min_u64(of, used));
		figure_share(texts[3], used, of);
	}
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
	uint64_t used = report_u64(report, "budget", "used");
	uint64_t sum = 0;

	fputs("\nCategory Allocation:\n", out);
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (size_t i = 0; i < nr; i++) {
		const json_t *category = json_array_get(list, i);
		char name[TITLE_BYTES];

		add_category(&grid, titled(name, report_text(category, "name")),
			     json_object_get(category, "allocated"),
			     report_u64(category, NULL, "used"));
		sum = add_sat_u64(sum, report_u64(category, NULL, "used"));
	}
	if (used > sum) {
		/* headers, fences and gap marks are of no category */
		char text[FIGURE_BYTES];
		const char *const cells[] = { "Around Them", "-",
					      figure_count(text, used - sum),
					      "-", "-" };

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
	return add_sat_u64(report_u64(report, "dedup", "overlap_tokens"),
			   report_u64(report, "dedup", "unmerged_tokens"));
}

static void
print_savings(const json_t *report, FILE *out)
{
	uint64_t exact = report_u64(report, "dedup", "exact_tokens");
	uint64_t merged = report_u64(report, "dedup", "overlap_tokens");
	uint64_t unmerged = report_u64(report, "dedup", "overlaps_unmerged");
	uint64_t used = report_u64(report, "budget", "used");
	char a[FIGURE_BYTES];
	char b[FIGURE_BYTES];

	fputs("\nDeduplication Savings:\n", out);
	fprintf(out, "  Exact Duplicates Removed: %s (-%s tokens)\n",
		figure_count(a, report_u64(report, "dedup", "exact_removed")),
		figure_count(b, exact));
	fprintf(out, "  Overlapping Chunks Merged: %s (-%s tokens)\n",
		figure_count(a, report_u64(report, "dedup", "overlaps_merged")),
		figure_count(b, merged));
	if (unmerged > 0)
		fprintf(out,
			"  Overlapping Chunks Not Merged: %s (-%s tokens)\n",
			figure_count(a, unmerged),
			figure_count(b, report_u64(report, "dedup",
						   "unmerged_tokens")));
	exact = add_sat_u64(exact, report_overlap_tokens(report));
	fprintf(out, "  Total Savings: %s tokens (%s of original)\n",
		figure_count(a, exact),
		figure_share(b, exact, add_sat_u64(exact, used)));
}

static void
print_selection(const json_t *report, FILE *out)
{
	uint64_t rejected = report_u64(report, "chunks", "rejected");
	char text[FIGURE_BYTES];

	fputs("\nContent Selection:\n", out);
	fprintf(out, "  Files: %s seen, ",
		figure_count(text, report_u64(report, "files", "seen")));
	fprintf(out, "%s packed\n",
		figure_count(text, report_u64(report, "files", "packed")));
	fprintf(out, "  Chunks Considered: %s\n",
		figure_count(text, report_u64(report, "chunks", "seen")));
	fprintf(out, "  Chunks Selected: %s\n",
		figure_count(text, report_u64(report, "chunks", "packed")));
	fprintf(out, "  Chunks Rejected: %s%s\n", figure_count(text, rejected),
		rejected > 0 ? " (insufficient budget)" : "");
}

/* Text that looks like a special token; nothing where there is none. */
static void
print_specials(const json_t *report, FILE *out)
{
	json_t *list;
	size_t nr = report_list(report, "special_tokens", &list);
	uint64_t all = nr + report_u64(report, NULL, "special_tokens_left_out");
	uint64_t known = 0;
	char a[FIGURE_BYTES];
	char b[FIGURE_BYTES];

	for (size_t i = 0; i < nr; i++)
		known += json_is_true(json_object_get(json_array_get(list, i),
						      "in_encoding"));
	if (all > 0)
		fprintf(out,
			"\nText Like Special Tokens: %s (%s of them tokens of "
			"the encoding); see --special-tokens\n",
			figure_count(a, all), figure_count(b, known));
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
	char texts[7][FIGURE_BYTES];
	const char *cells[7];

	fputs("\nPerformance:\n", out);
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (size_t i = 0; i < nr; i++) {
		const json_t *stage = json_array_get(list, i);
		char name[TITLE_BYTES];

		cells[0] = titled(name, report_text(stage, "name"));
		cells[1] = figure_count(texts[1],
					report_u64(stage, NULL, "workers"));
		cells[2] = figure_duration(texts[2],
					   report_u64(stage, NULL, "busy_ns"));
		cells[3] = figure_duration(texts[3],
					   report_u64(stage, NULL, "wait_ns"));
		cells[4] = figure_count(texts[4],
					report_u64(stage, NULL, "items"));
		cells[5] = figure_bytes(texts[5],
					report_u64(stage, NULL, "bytes"));
		cells[6] = figure_count(texts[6],
					report_u64(stage, NULL, "deaths"));
		grid_add(&grid, cells);
	}
	return grid_print(&grid, out);
}

static void
print_cost(const json_t *report, FILE *out)
{
	char text[FIGURE_BYTES];
	json_t *list;
	size_t nr = report_list(report, "warnings", &list);

	fprintf(out, "  Total: %s\n",
		figure_duration(text, report_u64(report, NULL, "wall_ns")));
	if (report_has(report, "memory", "peak_pss_bytes"))
		fprintf(out, "  Memory: %s at most\n",
			figure_bytes(text, report_u64(report, "memory",
						      "peak_pss_bytes")));
	for (size_t i = 0; i < nr; i++) {
		const char *warning =
			json_string_value(json_array_get(list, i));
		char quoted[1024];

		if (warning != NULL)
			fprintf(out, "Warning: %s\n",
				diag_quote_text(quoted, sizeof(quoted),
						warning));
	}
}

/* What the figures say about the next run. */
static void
print_advice(const json_t *report, FILE *out)
{
	uint64_t available = report_u64(report, "budget", "available");
	uint64_t used = report_u64(report, "budget", "used");
	uint64_t rejected = report_u64(report, "chunks", "rejected");
	char text[FIGURE_BYTES];

	if (report_has(report, "budget", "available") && used > available)
		fprintf(out, "\nBudget exceeded by %s tokens.\n",
			figure_count(text, used - available));
	if (rejected == 0 || used / 99 < available / 100)
		return;
	fprintf(out,
		"\n%s chunks omitted due to budget constraints. A larger "
		"--budget, or a --query, or\nfewer paths would keep what "
		"matters.\n",
		figure_count(text, rejected));
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
