/* SPDX-License-Identifier: MIT */
/*
 * metrics.c - a run as OpenMetrics text.
 */
#include "report/render.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/stream.h"
#include "base/version.h"

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

/* All but the histogram. */
static void
print_gauges(FILE *out, const struct report *r, int code)
{
	const char *family;

#define FAMILY(name, unit, help) \
	family = #name;          \
	print_head(out, family, "gauge", unit, help);
#define SAMPLE(label, text, value) \
	print_sample(out, family, label, text, (double)(value));
#define METRIC(name, unit, value, help) \
	FAMILY(name, unit, help)        \
	SAMPLE(NULL, NULL, value)
#define STAGES(metric, unit, value, help)                     \
	FAMILY(metric, unit, help)                            \
	for (int i = 0; i < STAGE_NR; i++) {                  \
		const struct report_stage *s = &r->stages[i]; \
                                                              \
		SAMPLE("stage", stage_table[i].name, value)   \
	}
#include "base/version.h"
#include "report/metrics.def"
#undef FAMILY
#undef SAMPLE
#undef METRIC
#undef STAGES
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
print_histogram(FILE *out, const struct report *report)
{
	static const char name[] = "bale_file_tokens";
	struct histogram histogram = { .is_begun = false };
	uint64_t so_far = 0;

	for (uint64_t i = 0; i < report->item_nr; i++)
		add_item(&histogram, report_item(report, i));
	finish_file(&histogram);
	print_head(out, name, "histogram", "tokens",
		   "Tokens of each file that was seen.");
	for (size_t i = 0; i < ARRAY_LEN(bounds); i++) {
		so_far += histogram.buckets[i];
		fprintf(out, "%s_bucket{le=\"%ju.0\"} %ju\n", name, bounds[i],
			so_far);
	}
	fprintf(out, "%s_bucket{le=\"+Inf\"} %ju\n", name, histogram.count);
	fprintf(out, "%s_sum %ju\n%s_count %ju\n", name, histogram.sum, name,
		histogram.count);
}

int
metrics_write(const struct report *report, int exit_code, int fd)
{
	struct stream stream;
	int error = stream_open(&stream, fd);

	if (error != 0)
		return error;
	print_head(stream.file, "bale_build_info", "gauge", "",
		   "Which bale it was and what it counted in.");
	fprintf(stream.file,
		"bale_build_info{version=\"%s\",encoding=\"%s\"} 1\n",
		BALE_VERSION,
		strchr(report->encoding, '/') != NULL ? "tokenizer.json"
						      : report->encoding);
	print_gauges(stream.file, report, exit_code);
	print_histogram(stream.file, report);
	fputs("# EOF\n", stream.file);
	return stream_close(&stream);
}
