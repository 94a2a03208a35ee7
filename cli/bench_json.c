/* SPDX-License-Identifier: MIT */
/*
 * bench_json.c - results as JSON: docs/bench.schema.json.
 */
#include "cli/bench.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/mman.h>

#include "base/emit.h"
#include "base/version.h"
#include "report/report_read.h"
#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"

#define BENCH_VERSION 1
#define WHY_BYTES 256

/* ---- writing ------------------------------------------------------------- */

static void
emit_series(struct emitter *out, const char *key,
	    const struct bench_series *series)
{
	emit_begin(out, key, '[');
	for (uint32_t i = 0; i < series->nr; i++)
		emit_u64(out, NULL, series->values[i]);
	emit_end(out, ']');
}

static void
emit_case(struct emitter *out, const struct bench_case *it)
{
	uint64_t runs = max_u64(it->wall_ns.nr, 1);

	emit_begin(out, NULL, '{');
	emit_text(out, "name", it->name);
	emit_u64(out, "workers", it->worker_nr);
	emit_text(out, "io", it->io == IO_READ ? "read" : "uring");
	emit_bool(out, "cold", it->is_cold);
	emit_series(out, "wall_ns", &it->wall_ns);
	emit_series(out, "cpu_ns", &it->cpu_ns);
	emit_series(out, "disk_bytes", &it->disk_bytes);
	emit_series(out, "other_ns", &it->other_ns);
	emit_u64(out, "peak_bytes", it->peak_bytes);
	emit_begin(out, "stages", '[');
	for (int i = 0; i < STAGE_NR; i++) {
		const struct outcome_stage *stage = &it->stages[i];

		emit_begin(out, NULL, '{');
		emit_text(out, "name", stage_table[i].name);
		emit_u64(out, "workers", stage->worker_nr);
		emit_u64(out, "cpu_ns", stage->cpu_ns / runs);
		emit_u64(out, "busy_ns", stage->busy_ns / runs);
		emit_u64(out, "wait_ns", stage->wait_ns / runs);
		emit_ratio(out, "ring_fill", stage->queued, stage->room);
		emit_end(out, '}');
	}
	emit_end(out, ']');
	emit_end(out, '}');
}

static void
emit_reads(struct emitter *out, const struct bench_result *result)
{
	emit_begin(out, "reads", '[');
	for (uint32_t i = 0; i < result->read_nr; i++) {
		const struct bench_read *it = &result->reads[i];

		if (it->name[0] == '\0')
			continue;
		emit_begin(out, NULL, '{');
		emit_text(out, "name", it->name);
		emit_u64(out, "bytes", it->bytes);
		emit_series(out, "wall_ns", &it->wall_ns);
		emit_end(out, '}');
	}
	emit_end(out, ']');
}

static void
emit_model(struct emitter *out, const struct bench_result *result)
{
	struct bench_costs costs;
	struct bench_forecast forecast;

	bench_costs_of(bench_case_of(result, 1), &costs);
	emit_begin(out, "model", '[');
	for (uint32_t nr = 1; nr <= LANES_MAX; nr *= 2) {
		bench_predict(&costs, nr, &forecast);
		emit_begin(out, NULL, '{');
		emit_u64(out, "processors", nr);
		emit_u64(out, "wall_ns", forecast.wall_ns);
		emit_text(out, "limit",
			  forecast.limit == BENCH_LIMIT_CPUS
				  ? "processors"
				  : stage_table[forecast.limit].name);
		emit_end(out, '}');
	}
	emit_end(out, ']');
}

static void
emit_comparison(struct emitter *out, const struct bench_result *result,
		const struct bench_result *old)
{
	emit_begin(out, "comparison", '[');
	for (uint32_t i = 0; i < result->case_nr; i++) {
		const struct bench_case *it = &result->cases[i];
		const struct bench_case *was = bench_case_named(old, it->name);

		if (was == NULL)
			continue;
		emit_begin(out, NULL, '{');
		emit_text(out, "name", it->name);
		emit_ratio(out, "wall", bench_median(&it->wall_ns),
			   bench_median(&was->wall_ns));
		emit_bool(out, "wall_differs",
			  bench_differs(&it->wall_ns, &was->wall_ns));
		emit_ratio(out, "cpu", bench_median(&it->cpu_ns),
			   bench_median(&was->cpu_ns));
		emit_bool(out, "cpu_differs",
			  bench_differs(&it->cpu_ns, &was->cpu_ns));
		emit_end(out, '}');
	}
	emit_end(out, ']');
}

int
bench_write(const struct bench_result *result, const struct bench_result *old,
	    int fd)
{
	static struct emitter out;

	emit_init(&out, fd);
	emit_begin(&out, NULL, '{');
	emit_u64(&out, "version", BENCH_VERSION);
	emit_text(&out, "bale", BALE_VERSION);
	emit_text(&out, "machine", result->machine);
	emit_u64(&out, "processors", result->cpu_nr);
	emit_u64(&out, "runs", result->run_nr);
	emit_u64(&out, "files", result->files);
	emit_u64(&out, "bytes", result->bytes);
	emit_u64(&out, "tokens", result->tokens);
	emit_reads(&out, result);
	emit_begin(&out, "cases", '[');
	for (uint32_t i = 0; i < result->case_nr; i++)
		emit_case(&out, &result->cases[i]);
	emit_end(&out, ']');
	emit_model(&out, result);
	if (old != NULL)
		emit_comparison(&out, result, old);
	emit_end(&out, '}');
	emit_line(&out);
	return emit_finish(&out);
}

/* ---- reading ------------------------------------------------------------- */

struct loading {
	const char *path;
	struct bench_result *out; /* what two processes share */
};

/* false: it is not as many numbers as there can be */
static bool
read_series(const json_t *from, const char *key, struct bench_series *out)
{
	const json_t *list = json_object_get(from, key);
	size_t nr = json_array_size(list);

	if (nr == 0 || nr > BENCH_RUNS_MAX)
		return false;
	for (size_t i = 0; i < nr; i++) {
		const json_t *value = json_array_get(list, i);

		if (!json_is_integer(value) || json_integer_value(value) < 0)
			return false;
		out->values[i] = (uint64_t)json_integer_value(value);
	}
	out->nr = (uint32_t)nr;
	return true;
}

static bool
read_case(const json_t *from, struct bench_case *out)
{
	snprintf(out->name, sizeof(out->name), "%s", report_text(from, "name"));
	return read_series(from, "wall_ns", &out->wall_ns) &&
	       read_series(from, "cpu_ns", &out->cpu_ns) &&
	       read_series(from, "other_ns", &out->other_ns);
}

/* What a comparison needs of it. */
static bool
read_result(const json_t *root, struct bench_result *out)
{
	json_t *list;
	size_t nr = report_list(root, "cases", &list);

	if (report_u64(root, "version") != BENCH_VERSION || nr == 0 ||
	    nr > BENCH_CASES_MAX)
		return false;
	snprintf(out->machine, sizeof(out->machine), "%s",
		 report_text(root, "machine"));
	out->cpu_nr = (uint32_t)report_u64(root, "processors");
	out->files = report_u64(root, "files");
	out->bytes = report_u64(root, "bytes");
	for (size_t i = 0; i < nr; i++)
		if (!read_case(json_array_get(list, i), &out->cases[i]))
			return false;
	out->case_nr = (uint32_t)nr;
	return true;
}

/* calls: a process that is shut in */
static int
load(void *context)
{
	const struct loading *loading = context;
	char why[WHY_BYTES] = "it is no result of bale bench --json";
	FILE *file = fopen(loading->path, "re");
	json_t *root = NULL;
	int error = file == NULL ? -errno
				 : report_load(file, &root, why, sizeof(why));
	bool is_result = error == 0 && read_result(root, loading->out);

	if (file != NULL)
		fclose(file);
	json_decref(root);
	if (is_result)
		return EXIT_COMPLETE;
	return exit_with(
		EXIT_USAGE, "cannot read %s: %s", QUOTED(loading->path),
		error == 0 || error == -EPROTO ? why : strerror(-error));
}

int
bench_load(const char *path, unsigned sandbox_layers, struct bench_result **out)
{
	struct loading loading = {
		.path = path,
		.out = helper_memory(sizeof(**out)),
	};
	const struct sandbox_place place = { .path = path };
	const struct sandbox_child child = {
		.active = sandbox_layers,
		.what = path,
		.places = &place,
		.place_nr = 1,
		.work = load,
		.context = &loading,
	};
	int code;

	if (loading.out == NULL)
		return exit_out_of_memory();
	code = sandbox_run_child(&child);
	if (code == EXIT_COMPLETE)
		*out = loading.out;
	else
		munmap(loading.out, sizeof(*loading.out));
	return code;
}
