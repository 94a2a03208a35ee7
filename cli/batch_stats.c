/* SPDX-License-Identifier: MIT */
/*
 * batch_stats.c - sums over a manifest.
 */
#include "cli/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
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

static void
add_record(json_t *stats, const json_t *record)
{
	json_t *left_out = json_object_get(stats, "left_out");
	json_int_t peak =
		json_integer_value(json_object_get(record, "peak_bytes"));
	const char *key;
	json_t *value;

	add_to(stats, "lines", 1);
	add_to(stats, json_string_value(json_object_get(record, "class")), 1);
	for (size_t i = 0; i < ARRAY_LEN(summed); i++)
		add_to(stats, summed[i],
		       json_integer_value(json_object_get(record, summed[i])));
	json_object_foreach(json_object_get(record, "left_out"), key, value)
		add_to(left_out, key, json_integer_value(value));
	json_object_set_new(
		stats, "seconds",
		json_real(
			json_number_value(json_object_get(stats, "seconds")) +
			json_number_value(json_object_get(record, "seconds"))));
	if (peak > json_integer_value(json_object_get(stats, "peak_bytes")))
		json_object_set_new(stats, "peak_bytes", json_integer(peak));
}

static json_t *
stats_of(const char *text, size_t bytes)
{
	json_t *stats = json_pack(
		"{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:{}, s:f, s:i}",
		"lines", 0, "done", 0, "degraded", 0, "failed", 0, "retry", 0,
		"files_seen", 0, "files", 0, "tokens", 0, "bytes", 0,
		"left_out", "seconds", 0.0, "peak_bytes", 0);
	const char *end = text + bytes;
	const char *newline;

	for (; (newline = memchr(text, '\n', (size_t)(end - text))) != NULL;
	     text = newline + 1) {
		json_t *record =
			json_loadb(text, (size_t)(newline - text), 0, NULL);

		if (json_is_string(json_object_get(record, "class")))
			add_record(stats, record);
		json_decref(record);
	}
	return stats;
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
