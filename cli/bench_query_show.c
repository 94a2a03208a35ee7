/* SPDX-License-Identifier: MIT */
/*
 * bench_query_show.c - what queries find, for people and as JSON:
 * docs/bench-query.schema.json.
 */
#include "cli/bench_query.h"

#include <string.h>

#include "base/emit.h"
#include "base/number_format.h"
#include "base/stream.h"
#include "base/version.h"
#include "report/grid.h"

#define QUERY_BENCH_VERSION 1
#define CELL_BYTES 16

/* By enum commit_reason: the key, and what one and several of them are. */
static const struct {
	const char *key;
	const char *text;
} reasons[COMMIT_REASON_NR] = {
	[COMMIT_MERGE] = { "merge", "merges" },
	[COMMIT_NO_PARENT] = { "no_parent", "without a parent here" },
	[COMMIT_NO_CODE] = { "no_code",
			     "changed no file of code that was there" },
	[COMMIT_MANY_FILES] = { "many_files", "changed too many files" },
	[COMMIT_SHORT] = { "short_message", "with too short a message" },
	[COMMIT_LOST] = { "lost", "changed no lines that can be compared" },
};

/* ---- figures ------------------------------------------------------------- */

static void
add_task(const struct commit_task *task, const struct hits_of_file *hits,
	 struct bench_query_figures *out)
{
	uint32_t file_nr = 0;
	uint32_t spot_nr = 0;
	uint64_t line_nr = 0;
	uint64_t all_nr = 0;

	for (uint32_t i = 0; i < task->file_nr; i++) {
		file_nr += hits[i].is_packed;
		spot_nr += hits[i].line_nr > 0;
		line_nr += hits[i].line_nr;
		all_nr += task->files[i].line_nr;
	}
	out->files += (double)file_nr / task->file_nr;
	out->spots += (double)spot_nr / task->file_nr;
	out->lines += (double)line_nr / (double)all_nr;
}

void
bench_query_figures(const struct bench_query *result, uint32_t budget,
		    struct bench_query_figures *out)
{
	uint32_t nr = result->tasks->nr;

	*out = (struct bench_query_figures){ .files = 0 };
	for (uint32_t i = 0; i < nr; i++)
		add_task(&result->tasks->tasks[i], result->hits[i][budget],
			 out);
	if (nr == 0)
		return;
	out->files /= nr;
	out->spots /= nr;
	out->lines /= nr;
}

/* ---- for people ---------------------------------------------------------- */

static const char *
percent_text(char out[static CELL_BYTES], double part)
{
	snprintf(out, CELL_BYTES, "%.1f %%", part * 100);
	return out;
}

#define PERCENT_TEXT(part) percent_text((char[CELL_BYTES]){ 0 }, part)

static void
show_commits(const struct commit_tasks *tasks, FILE *out)
{
	uint64_t nr = 0;
	const char *before = ": ";

	for (int i = 0; i < COMMIT_REASON_NR; i++)
		nr += tasks->left_out[i];
	fprintf(out, "%s past commit%s; left out %s", COUNT_TEXT(tasks->nr),
		tasks->nr == 1 ? "" : "s", COUNT_TEXT(nr));
	for (int i = 0; i < COMMIT_REASON_NR; i++) {
		if (tasks->left_out[i] == 0)
			continue;
		fprintf(out, "%s%s %s", before, COUNT_TEXT(tasks->left_out[i]),
			reasons[i].text);
		before = ", ";
	}
	fputs("\n\n", out);
}

int
bench_query_show(const struct bench_query *result, FILE *out)
{
	static const char *const titles[] = { ">Tokens", ">File", ">Spot",
					      ">Line" };
	struct grid grid;
	int error;

	show_commits(result->tasks, out);
	grid_init(&grid, titles, ARRAY_LEN(titles));
	for (uint32_t i = 0; i < result->budget_nr; i++) {
		struct bench_query_figures figures;

		bench_query_figures(result, i, &figures);
		{
			const char *const cells[] = {
				COUNT_TEXT(result->budgets[i]),
				PERCENT_TEXT(figures.files),
				PERCENT_TEXT(figures.spots),
				PERCENT_TEXT(figures.lines),
			};

			grid_add(&grid, cells);
		}
	}
	error = grid_print(&grid, out);
	fputs("The message is the query. File: of the changed files, those "
	      "with a line packed.\nSpot: those with a changed line packed. "
	      "Line: of the changed lines, those packed.\n",
	      out);
	return error == 0 ? stream_finish(out) : error;
}

/* ---- JSON ---------------------------------------------------------------- */

static void
emit_file(struct emitter *out, const struct bench_query *result, uint32_t task,
	  uint32_t idx)
{
	const struct commit_file *file = &result->tasks->tasks[task].files[idx];
	const char *path = result->tasks->text + file->path_off;

	emit_begin(out, NULL, '{');
	emit_path(out, "path", (const uint8_t *)path, strlen(path));
	emit_u64(out, "lines", file->line_nr);
	emit_begin(out, "ranges", '[');
	for (uint32_t i = 0; i < file->range_nr; i++) {
		const struct commit_range *range =
			&result->tasks->ranges[file->range_first + i];

		emit_begin(out, NULL, '[');
		emit_u64(out, NULL, range->first);
		emit_u64(out, NULL, range->last);
		emit_end(out, ']');
	}
	emit_end(out, ']');
	emit_begin(out, "hits", '[');
	for (uint32_t i = 0; i < result->budget_nr; i++) {
		const struct hits_of_file *hit = &result->hits[task][i][idx];

		emit_begin(out, NULL, '{');
		emit_bool(out, "packed", hit->is_packed);
		emit_u64(out, "lines", hit->line_nr);
		emit_end(out, '}');
	}
	emit_end(out, ']');
	emit_end(out, '}');
}

static void
emit_tasks(struct emitter *out, const struct bench_query *result)
{
	emit_begin(out, "tasks", '[');
	for (uint32_t i = 0; i < result->tasks->nr; i++) {
		const struct commit_task *task = &result->tasks->tasks[i];

		emit_begin(out, NULL, '{');
		emit_hex(out, "commit", task->commit, sizeof(task->commit));
		emit_hex(out, "parent", task->parent, sizeof(task->parent));
		emit_begin(out, "files", '[');
		for (uint32_t k = 0; k < task->file_nr; k++)
			emit_file(out, result, i, k);
		emit_end(out, ']');
		emit_end(out, '}');
	}
	emit_end(out, ']');
}

static void
emit_budgets(struct emitter *out, const struct bench_query *result)
{
	emit_begin(out, "budgets", '[');
	for (uint32_t i = 0; i < result->budget_nr; i++) {
		struct bench_query_figures figures;

		bench_query_figures(result, i, &figures);
		emit_begin(out, NULL, '{');
		emit_u64(out, "tokens", result->budgets[i]);
		emit_double(out, "file", figures.files);
		emit_double(out, "spot", figures.spots);
		emit_double(out, "line", figures.lines);
		emit_end(out, '}');
	}
	emit_end(out, ']');
}

int
bench_query_write(const struct bench_query *result, int fd)
{
	static struct emitter out;

	emit_init(&out, fd);
	emit_begin(&out, NULL, '{');
	emit_u64(&out, "version", QUERY_BENCH_VERSION);
	emit_text(&out, "bale", BALE_VERSION);
	emit_u64(&out, "commits", result->tasks->nr);
	emit_begin(&out, "left_out", '{');
	for (int i = 0; i < COMMIT_REASON_NR; i++)
		emit_u64(&out, reasons[i].key, result->tasks->left_out[i]);
	emit_end(&out, '}');
	emit_budgets(&out, result);
	emit_tasks(&out, result);
	emit_end(&out, '}');
	emit_line(&out);
	return emit_finish(&out);
}
