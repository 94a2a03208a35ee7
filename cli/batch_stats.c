/* SPDX-License-Identifier: MIT */
/*
 * batch_stats.c - sums over a manifest, as datatrove writes and merges them: a
 *                 list of steps, of which a batch is one.
 */
#include "cli/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/new_file.h"

#define STATS "stats.json"

/* Keys of which the sum is taken. */
static const char *const summed[] = { "files_seen", "files", "tokens",
				      "bytes" };

static void
add_to(json_t *sums, const char *key, json_int_t more)
{
	json_int_t sum = json_integer_value(json_object_get(sums, key));

	json_object_set_new(sums, key, json_integer(sum + more));
}

/* Of all lines, one number each. */
struct range {
	double total;
	double least;
	double most;
	json_int_t nr;
};

struct sums {
	json_t *stats;
	struct range seconds;
	struct range peak_bytes;
};

static void
add_number(struct range *range, const json_t *number)
{
	double value = json_number_value(number);

	if (!json_is_number(number))
		return;
	range->total += value;
	range->least =
		range->nr == 0 || value < range->least ? value : range->least;
	range->most = value > range->most ? value : range->most;
	range->nr++;
}

static json_t *
range_json(const struct range *range)
{
	return json_pack("{s:f, s:I, s:f, s:f, s:f, s:s}", "total",
			 range->total, "n", range->nr, "mean",
			 range->nr == 0 ? 0 : range->total / (double)range->nr,
			 "min", range->least, "max", range->most, "unit",
			 "line");
}

static void
add_record(struct sums *sums, const json_t *record)
{
	json_t *stats = sums->stats;
	const char *reason;
	json_t *value;

	add_to(stats, "lines", 1);
	add_to(stats, json_string_value(json_object_get(record, "class")), 1);
	for (size_t i = 0; i < ARRAY_LEN(summed); i++)
		add_to(stats, summed[i],
		       json_integer_value(json_object_get(record, summed[i])));
	json_object_foreach(json_object_get(record, "left_out"), reason, value)
	{
		char key[64];

		snprintf(key, sizeof(key), "left_out_%s", reason);
		add_to(stats, key, json_integer_value(value));
	}
	add_number(&sums->seconds, json_object_get(record, "seconds"));
	add_number(&sums->peak_bytes, json_object_get(record, "peak_bytes"));
}

static json_t *
stats_of(const char *text, size_t bytes)
{
	struct sums sums = {
		.stats = json_pack("{s:i, s:i, s:i, s:i, s:i}", "lines", 0,
				   "done", 0, "degraded", 0, "failed", 0,
				   "retry", 0),
	};
	const char *end = text + bytes;
	const char *newline;

	for (size_t i = 0; i < ARRAY_LEN(summed); i++)
		add_to(sums.stats, summed[i], 0);
	for (; (newline = memchr(text, '\n', (size_t)(end - text))) != NULL;
	     text = newline + 1) {
		json_t *record =
			json_loadb(text, (size_t)(newline - text), 0, NULL);

		if (json_is_string(json_object_get(record, "class")))
			add_record(&sums, record);
		json_decref(record);
	}
	json_object_set_new(sums.stats, "peak_bytes",
			    range_json(&sums.peak_bytes));
	return json_pack("[{s:s, s:o, s:o}]", "name", "bale batch",
			 "time_stats", range_json(&sums.seconds), "stats",
			 sums.stats);
}

int
batch_stats_write(int dir_fd, const char *text, size_t bytes)
{
	json_t *stats = stats_of(text, bytes);
	char *json = json_dumps(stats, JSON_INDENT(2) | JSON_SORT_KEYS |
					       JSON_REAL_PRECISION(9));
	int home = fcntl(dir_fd, F_DUPFD_CLOEXEC, 0);
	struct new_file file = NEW_FILE_NONE;
	int error = home < 0 ? -errno : new_file_create_at(&file, home, STATS);

	json_decref(stats);
	if (error == 0 && json == NULL)
		error = -ENOMEM;
	if (error == 0)
		error = fd_write_all(file.fd, json, strlen(json));
	if (error == 0)
		error = fd_write_all(file.fd, "\n", 1);
	free(json);
	if (error == 0)
		return new_file_commit(&file, new_file_mode(), true);
	new_file_drop(&file);
	return error;
}
