/* SPDX-License-Identifier: MIT */
/*
 * metrics.c - a run as OpenMetrics text.
 */
#include "supervisor/metrics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "supervisor/help.h"
#include "supervisor/stream.h"

/* Upper bounds of the histogram of files by tokens; +Inf follows. */
static const uint64_t bounds[] = { 100, 1000, 10000, 100000, 1000000 };

struct histogram {
	uint64_t buckets[ARRAY_LEN(bounds) + 1]; /* each without the others */
	uint64_t count;
	uint64_t sum;
	uint32_t file_idx; /* whose ranges are being added up */
	uint64_t file_tokens;
	bool is_begun;
};

struct writing {
	FILE *out;
	const struct report *report;
	int exit_code;
};

static double
seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static double
tokens(uint64_t n)
{
	return n == BUDGET_ALL ? (double)INFINITY : (double)n;
}

static double
ratio(uint64_t part, uint64_t of)
{
	return of == 0 || of == BUDGET_ALL ? 0 : (double)part / (double)of;
}

static void
print_head(FILE *out, const char *name, const char *type, const char *unit,
	   const char *help)
{
	fprintf(out, "# TYPE %s %s\n", name, type);
	if (*unit != '\0')
		fprintf(out, "# UNIT %s %s\n", name, unit);
	fprintf(out, "# HELP %s %s\n", name, help);
}

static void
print_value(FILE *out, double value)
{
	if (isinf(value))
		fputs(" +Inf\n", out);
	else
		fprintf(out, " %.15g\n", value);
}

static void
print_sample(FILE *out, const char *name, const char *label, const char *text,
	     double value)
{
	fputs(name, out);
	if (label != NULL)
		fprintf(out, "{%s=\"%s\"}", label, text);
	print_value(out, value);
}

static void
print_singles(const struct writing *writing)
{
	FILE *out = writing->out;
	const struct report *r = writing->report;
	int code = writing->exit_code;

#define METRIC(name, unit, value, help)              \
	print_head(out, #name, "gauge", unit, help); \
	print_sample(out, #name, NULL, NULL, value);
#include "supervisor/metrics.def"
#undef METRIC
}

static void
print_files(const struct writing *writing)
{
	static const char name[] = "bale_files";
	const struct report *report = writing->report;
	FILE *out = writing->out;

	print_head(out, name, "gauge", "",
		   "Files, by what happened: packed, in part, or the reason.");
	print_sample(out, name, "outcome", "full", (double)report->files_full);
	print_sample(out, name, "outcome", "partial",
		     (double)report->files_partial);
	for (unsigned i = 1; i < REPORT_REASON_NR; i++)
		print_sample(out, name, "outcome", report_reason_text(i),
			     (double)report->files_left_out[i]);
}

static void
print_chunks(const struct writing *writing)
{
	static const char name[] = "bale_chunks";
	const struct report *report = writing->report;
	FILE *out = writing->out;

	print_head(out, name, "gauge", "", "Chunks, by what happened.");
	print_sample(out, name, "outcome", "seen", (double)report->chunks_seen);
	print_sample(out, name, "outcome", "packed",
		     (double)report->chunks_packed);
	print_sample(out, name, "outcome", "rejected",
		     (double)report->chunks_rejected);
	print_sample(out, name, "outcome", "duplicate",
		     (double)report->duplicate_chunks);
}

static void
print_cache(const struct writing *writing)
{
	static const char name[] = "bale_count_cache_chunks";
	const struct report *report = writing->report;
	FILE *out = writing->out;

	print_head(out, name, "gauge", "chunks",
		   "Chunks, by how their count was found.");
	print_sample(out, name, "result", "hit", (double)report->cache_hits);
	print_sample(out, name, "result", "miss", (double)report->cache_misses);
	print_sample(out, name, "result", "eviction",
		     (double)report->cache_evictions);
}

/* One metric with a sample a stage; `of` gives its value. */
static void
print_stages(const struct writing *writing, const char *name, const char *unit,
	     const char *help, double (*of)(const struct report_stage *))
{
	print_head(writing->out, name, "gauge", unit, help);
	for (int i = 0; i < STAGE_NR; i++)
		print_sample(writing->out, name, "stage", stage_table[i].name,
			     of(&writing->report->stages[i]));
}

static double
busy_of(const struct report_stage *stage)
{
	return seconds(stage->busy_ns);
}

static double
wait_of(const struct report_stage *stage)
{
	return seconds(stage->wait_ns);
}

static double
bytes_of(const struct report_stage *stage)
{
	return (double)stage->bytes;
}

static double
items_of(const struct report_stage *stage)
{
	return (double)stage->items;
}

static double
workers_of(const struct report_stage *stage)
{
	return (double)stage->worker_nr;
}

static double
deaths_of(const struct report_stage *stage)
{
	return (double)stage->death_nr;
}

static void
print_all_stages(const struct writing *writing)
{
	print_stages(writing, "bale_stage_busy_seconds", "seconds",
		     "Time that the workers of a stage worked.", busy_of);
	print_stages(writing, "bale_stage_wait_seconds", "seconds",
		     "Time that they waited for a peer.", wait_of);
	print_stages(writing, "bale_stage_content_bytes", "bytes",
		     "Content that they looked at.", bytes_of);
	print_stages(writing, "bale_stage_items", "items",
		     "Descriptors that they took.", items_of);
	print_stages(writing, "bale_stage_workers", "workers",
		     "How many there were.", workers_of);
	print_stages(writing, "bale_stage_deaths", "deaths",
		     "How often one died and was replaced.", deaths_of);
}

static void
finish_file(struct histogram *histogram)
{
	size_t i = 0;

	if (!histogram->is_begun)
		return;
	while (i < ARRAY_LEN(bounds) && histogram->file_tokens > bounds[i])
		i++;
	histogram->buckets[i]++;
	histogram->count++;
	histogram->sum = add_sat_u64(histogram->sum, histogram->file_tokens);
}

static void
add_item(struct histogram *histogram, const struct report_item *item)
{
	if (!histogram->is_begun || item->file_idx != histogram->file_idx) {
		finish_file(histogram);
		histogram->is_begun = true;
		histogram->file_idx = item->file_idx;
		histogram->file_tokens = 0;
	}
	histogram->file_tokens =
		add_sat_u64(histogram->file_tokens, item->tokens);
}

static void
print_histogram(const struct writing *writing)
{
	static const char name[] = "bale_file_tokens";
	struct histogram histogram = { .is_begun = false };
	FILE *out = writing->out;
	uint64_t so_far = 0;

	for (uint64_t i = 0; i < writing->report->item_nr; i++)
		add_item(&histogram, report_item(writing->report, i));
	finish_file(&histogram);
	print_head(out, name, "histogram", "tokens",
		   "Tokens of each file that was seen.");
	for (size_t i = 0; i < ARRAY_LEN(bounds); i++) {
		so_far += histogram.buckets[i];
		fprintf(out, "%s_bucket{le=\"%llu.0\"} %llu\n", name,
			(unsigned long long)bounds[i],
			(unsigned long long)so_far);
	}
	fprintf(out, "%s_bucket{le=\"+Inf\"} %llu\n", name,
		(unsigned long long)histogram.count);
	fprintf(out, "%s_sum %llu\n%s_count %llu\n", name,
		(unsigned long long)histogram.sum, name,
		(unsigned long long)histogram.count);
}

static void
print_all(const struct writing *writing)
{
	print_head(writing->out, "bale_build_info", "gauge", "",
		   "Which bale it was and what it counted in.");
	fprintf(writing->out,
		"bale_build_info{version=\"%s\",encoding=\"%s\"} 1\n",
		BALE_VERSION,
		strchr(writing->report->encoding, '/') != NULL
			? "tokenizer.json"
			: writing->report->encoding);
	print_singles(writing);
	print_files(writing);
	print_chunks(writing);
	print_cache(writing);
	print_all_stages(writing);
	print_histogram(writing);
	fputs("# EOF\n", writing->out);
}

int
metrics_write(const struct report *report, int exit_code, int fd)
{
	struct writing writing = { NULL, report, exit_code };
	struct stream stream;
	int error = stream_open(&stream, fd);

	if (error != 0)
		return error;
	writing.out = stream.file;
	print_all(&writing);
	return stream_close(&stream);
}
