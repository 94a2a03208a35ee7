/* SPDX-License-Identifier: MIT */
/*
 * bench_show.c - results for people.
 */
#include "cli/bench.h"

#include <string.h>

#include "base/clock.h"
#include "base/number_format.h"
#include "report/grid.h"

#define CELL_BYTES 48
#define MEGA 1000000.0
#define OTHERS_SHARE 20 /* of the processors: what may be neglected */

/* Of a stage that does not get quicker by more processors: what would help. */
static const char *const splits[STAGE_NR + 1] = {
	[STAGE_COLLECT] = "several collectors, each with a part of the tree",
	[STAGE_CHUNK] = "more lanes",
	[STAGE_COUNT] = "more lanes",
	[STAGE_DEDUP] = "fingerprints in parts",
	[STAGE_SELECT] = "ranking in parts that are merged",
	[STAGE_FORMAT] = "several writers, each with a part of the output",
	[BENCH_LIMIT_CPUS] = "more processors",
};

static double
per_second(uint64_t amount, uint64_t ns)
{
	return ns == 0 ? 0 : (double)amount * (double)NS_PER_S / (double)ns;
}

/* "412" MB/s; small ones with a decimal */
static const char *
rate_text(char out[static CELL_BYTES], uint64_t bytes, uint64_t ns)
{
	double rate = per_second(bytes, ns) / MEGA;

	snprintf(out, CELL_BYTES, rate < 99.95 ? "%.1f" : "%.0f", rate);
	return ns == 0 ? "-" : out;
}

#define RATE_TEXT(bytes, ns) rate_text((char[CELL_BYTES]){ 0 }, bytes, ns)

static const char *
tokens_text(char out[static CELL_BYTES], uint64_t tokens, uint64_t ns)
{
	return ns == 0 ? "-"
		       : figure_short(out, (uint64_t)per_second(tokens, ns));
}

#define TOKENS_TEXT(nr, ns) tokens_text((char[CELL_BYTES]){ 0 }, nr, ns)

/* Processor time a MB of content, in ms. */
static const char *
cost_text(char out[static CELL_BYTES], uint64_t ns, uint64_t bytes)
{
	if (bytes == 0)
		return "-";
	snprintf(out, CELL_BYTES, "%.2f",
		 (double)ns / (double)NS_PER_MS * MEGA / (double)bytes);
	return out;
}

#define COST_TEXT(ns, bytes) cost_text((char[CELL_BYTES]){ 0 }, ns, bytes)

/* From the least to the most, as a share of the median. */
static const char *
spread_text(char out[static CELL_BYTES], const struct bench_series *series)
{
	uint64_t median = bench_median(series);
	uint64_t least = UINT64_MAX;
	uint64_t most = 0;

	for (uint32_t i = 0; i < series->nr; i++) {
		least = min_u64(least, series->values[i]);
		most = max_u64(most, series->values[i]);
	}
	if (median == 0)
		return "-";
	snprintf(out, CELL_BYTES, "%+.0f..%+.0f %%",
		 ((double)least / (double)median - 1) * 100,
		 ((double)most / (double)median - 1) * 100);
	return out;
}

#define SPREAD_TEXT(series) spread_text((char[CELL_BYTES]){ 0 }, series)

static int
show_reads(const struct bench_result *result, FILE *out)
{
	static const char *const titles[] = { "Read", ">Time", ">Spread",
					      ">MB/s" };
	static const char *const names[] = { "files, past the page cache",
					     "files, from the page cache" };
	struct grid grid;

	if (result->read_nr == 0)
		return 0;
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (uint32_t i = 0; i < result->read_nr; i++) {
		const struct bench_read *it = &result->reads[i];
		uint64_t ns = bench_median(&it->wall_ns);
		const char *const cells[] = {
			names[i],
			ns == 0 ? "-" : DURATION_TEXT(ns),
			SPREAD_TEXT(&it->wall_ns),
			RATE_TEXT(it->bytes, ns),
		};

		grid_add(&grid, cells);
	}
	return grid_print(&grid, out);
}

static int
show_cases(const struct bench_result *result, FILE *out)
{
	static const char *const titles[] = { "Pack",         ">Time",
					      ">Spread",      ">MB/s",
					      ">Tokens/s",    ">ms CPU a MB",
					      ">Peak memory", ">From disk" };
	struct grid grid;

	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (uint32_t i = 0; i < result->case_nr; i++) {
		const struct bench_case *it = &result->cases[i];
		uint64_t ns = bench_median(&it->wall_ns);
		const char *const cells[] = {
			it->name,
			DURATION_TEXT(ns),
			SPREAD_TEXT(&it->wall_ns),
			RATE_TEXT(result->bytes, ns),
			TOKENS_TEXT(result->tokens, ns),
			COST_TEXT(bench_median(&it->cpu_ns), result->bytes),
			BYTES_TEXT(it->peak_bytes),
			BYTES_TEXT(bench_median(&it->disk_bytes)),
		};

		grid_add(&grid, cells);
	}
	return grid_print(&grid, out);
}

/* Cold runs that were none: the page cache could not be emptied. */
static void
warn_of_cache(const struct bench_result *result, FILE *out)
{
	for (uint32_t i = 0; i < result->case_nr; i++) {
		const struct bench_case *it = &result->cases[i];

		if (it->is_cold &&
		    bench_median(&it->disk_bytes) < result->bytes / 2)
			fprintf(out,
				"%s: not cold: less than half of the content "
				"came from the disk.\n",
				it->name);
	}
}

/* What else the machine had to do, as a share of what it could. */
static void
warn_of_others(const struct bench_result *result, const char *when, FILE *out)
{
	uint64_t others = 0;
	uint64_t all = 0;

	for (uint32_t i = 0; i < result->case_nr; i++) {
		others += bench_median(&result->cases[i].other_ns);
		all += bench_median(&result->cases[i].wall_ns) * result->cpu_nr;
	}
	if (all > 0 && others > all / OTHERS_SHARE)
		fprintf(out,
			"Other programs took %s of the processors %s: times "
			"say little, processor time (CPU) does.\n",
			SHARE_TEXT(others, all), when);
}

static int
show_stages(const struct bench_result *result, const struct bench_case *it,
	    FILE *out)
{
	static const char *const titles[] = { "Stage",           ">Workers",
					      ">ms CPU a MB",    ">MB/s alone",
					      ">Tokens/s alone", ">Computes",
					      ">Waits",          ">Ring full" };
	uint64_t runs = max_u64(it->wall_ns.nr, 1);
	struct grid grid;

	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (int i = 0; i < STAGE_NR; i++) {
		const struct outcome_stage *stage = &it->stages[i];
		uint64_t ns = stage->cpu_ns / runs;
		uint64_t lived = stage->busy_ns + stage->wait_ns;
		const char *const cells[] = {
			stage_table[i].name,
			COUNT_TEXT(stage->worker_nr),
			COST_TEXT(ns, result->bytes),
			RATE_TEXT(result->bytes, ns),
			TOKENS_TEXT(result->tokens, ns),
			SHARE_TEXT(stage->cpu_ns, lived),
			SHARE_TEXT(stage->wait_ns, lived),
			SHARE_TEXT(stage->queued, stage->room),
		};

		grid_add(&grid, cells);
	}
	return grid_print(&grid, out);
}

/* Beside the forecast, what was measured with as many processors. */
static void
add_forecast(struct grid *grid, const struct bench_result *result,
	     const struct bench_costs *costs, uint32_t nr)
{
	const struct bench_case *it = bench_case_of(result, nr);
	uint64_t measured = it == NULL ? 0 : bench_median(&it->wall_ns);
	struct bench_forecast forecast;
	char error[CELL_BYTES] = "-";

	bench_predict(costs, nr, &forecast);
	if (measured > 0)
		snprintf(error, sizeof(error), "%+.1f %%",
			 ((double)forecast.wall_ns / (double)measured - 1) *
				 100);
	{
		const char *const cells[] = {
			COUNT_TEXT(nr),
			DURATION_TEXT(forecast.wall_ns),
			RATE_TEXT(result->bytes, forecast.wall_ns),
			measured == 0 ? "-" : DURATION_TEXT(measured),
			error,
			forecast.limit == BENCH_LIMIT_CPUS
				? "processors"
				: stage_table[forecast.limit].name,
		};

		grid_add(grid, cells);
	}
}

static int
show_model(const struct bench_result *result, FILE *out)
{
	static const char *const titles[] = { ">Processors", ">Model",
					      ">MB/s",       ">Measured",
					      ">Model is",   "Limit" };
	struct bench_costs costs;
	struct bench_forecast forecast;
	struct grid grid;
	uint32_t nr;
	int error;

	bench_costs_of(bench_case_of(result, 1), &costs);
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (nr = 1; nr <= LANES_MAX; nr *= 2)
		add_forecast(&grid, result, &costs, nr);
	error = grid_print(&grid, out);
	nr = bench_saturates_at(&costs);
	bench_predict(&costs, nr, &forecast);
	if (error == 0)
		fprintf(out,
			"From %u processors on %s is the limit; going further "
			"needs %s.\n",
			nr,
			forecast.limit == BENCH_LIMIT_CPUS
				? "nothing else"
				: stage_table[forecast.limit].name,
			splits[forecast.limit]);
	return error;
}

/* "-3.1 %", or that it means nothing */
static const char *
change_text(char out[static CELL_BYTES], const struct bench_series *now,
	    const struct bench_series *was)
{
	uint64_t before = bench_median(was);

	if (before == 0)
		return "-";
	snprintf(out, CELL_BYTES, "%+.1f %%%s",
		 ((double)bench_median(now) / (double)before - 1) * 100,
		 bench_differs(now, was) ? "" : " (noise)");
	return out;
}

#define CHANGE_TEXT(now, was) change_text((char[CELL_BYTES]){ 0 }, now, was)

static int
show_comparison(const struct bench_result *result,
		const struct bench_result *old, FILE *out)
{
	static const char *const titles[] = { "Pack", ">Time before", ">Now",
					      ">Time", ">CPU" };
	struct grid grid;

	fputc('\n', out);
	if (strcmp(old->machine, result->machine) != 0)
		fprintf(out, "The other machine: %s.\n", QUOTED(old->machine));
	if (old->bytes != result->bytes || old->files != result->files)
		fputs("The other results are of another tree, or of other "
		      "options: the differences mean nothing.\n",
		      out);
	warn_of_others(old, "before", out);
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (uint32_t i = 0; i < result->case_nr; i++) {
		const struct bench_case *it = &result->cases[i];
		const struct bench_case *was = bench_case_named(old, it->name);

		if (was == NULL)
			continue;
		{
			const char *const cells[] = {
				it->name,
				DURATION_TEXT(bench_median(&was->wall_ns)),
				DURATION_TEXT(bench_median(&it->wall_ns)),
				CHANGE_TEXT(&it->wall_ns, &was->wall_ns),
				CHANGE_TEXT(&it->cpu_ns, &was->cpu_ns),
			};

			grid_add(&grid, cells);
		}
	}
	return grid_print(&grid, out);
}

int
bench_show(const struct bench_result *result, const struct bench_result *old,
	   FILE *out)
{
	const struct bench_case *one = bench_case_of(result, 1);
	const struct bench_case *most = one;
	int error;

	for (uint32_t i = 0; i < result->case_nr; i++)
		if (!result->cases[i].is_cold && result->cases[i].io != IO_READ)
			most = &result->cases[i];
	fprintf(out,
		"%s files, %s, %s tokens; %s, %u processors; medians of "
		"%u run%s\n\n",
		COUNT_TEXT(result->files), BYTES_TEXT(result->bytes),
		COUNT_TEXT(result->tokens), result->machine, result->cpu_nr,
		result->run_nr, result->run_nr == 1 ? "" : "s");
	error = show_reads(result, out);
	if (error == 0)
		error = show_cases(result, out);
	warn_of_cache(result, out);
	warn_of_others(result, "meanwhile", out);
	if (error == 0) {
		fprintf(out, "\nThe stages of %s:\n", most->name);
		error = show_stages(result, most, out);
	}
	if (error == 0) {
		fprintf(out, "\nThe model, by the costs of %s:\n", one->name);
		error = show_model(result, out);
	}
	if (error == 0 && old != NULL)
		error = show_comparison(result, old, out);
	return error;
}
