/* SPDX-License-Identifier: MIT */
/*
 * report_write.c - the report as JSON: docs/report.md.
 */
#include "supervisor/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "supervisor/report_json.h"

#define PATH_BYTES 4096

struct list {
	struct json *json;
	const struct report *report;
	bool packed; /* which half of the items is written */
};

/* A budget of everything has no number. */
static void
write_tokens(struct json *json, const char *key, uint64_t tokens)
{
	if (tokens == BUDGET_ALL)
		json_null(json, key);
	else
		json_u64(json, key, tokens);
}

static void
write_budget(struct json *json, const struct report *report)
{
	const struct pack_options *options = &report->run->options;

	json_begin(json, "budget", '{');
	write_tokens(json, "total", report->budget_tokens);
	json_u64(json, "response_reserve", options->response_reserve_tokens);
	json_u64(json, "system_reserve", options->system_reserve_tokens);
	write_tokens(json, "available", report->available_tokens);
	json_u64(json, "used", report->used_tokens);
	json_end(json, '}');
}

/* Null where nothing was written: a preview. */
static void
write_output(struct json *json, const struct report *report)
{
	if (report->run->options.plan_only) {
		json_null(json, "output");
		return;
	}
	json_begin(json, "output", '{');
	json_u64(json, "tokens", report->used_tokens);
	json_u64(json, "bytes", report->output_bytes);
	if (report->has_sha256)
		json_hex(json, "sha256", report->output_sha256, SHA256_BYTES);
	else
		json_null(json, "sha256");
	json_end(json, '}');
}

static void
write_categories(struct json *json, const struct report *report)
{
	bool is_open = report->available_tokens == BUDGET_ALL;

	json_begin(json, "categories", '[');
	json_begin(json, NULL, '{');
	json_text(json, "name", "tree");
	write_tokens(json, "allocated", report->available_tokens);
	json_u64(json, "used", report->used_tokens);
	json_ratio(json, "utilization", report->used_tokens,
		   is_open ? 0 : report->available_tokens);
	json_end(json, '}');
	json_end(json, ']');
}

static void
write_files(struct json *json, const struct report *report)
{
	json_begin(json, "files", '{');
	json_u64(json, "seen", report->files_seen);
	json_u64(json, "packed", report->files_full + report->files_partial);
	json_u64(json, "full", report->files_full);
	json_u64(json, "partial", report->files_partial);
	json_u64(json, "signatures", 0);
	json_u64(json, "skipped", report_files_skipped(report));
	json_begin(json, "skipped_by_reason", '{');
	for (unsigned i = 0; i < REPORT_REASON_NR; i++) {
		if (report->files_left_out[i] > 0)
			json_u64(json, report_reason_text(i),
				 report->files_left_out[i]);
	}
	json_end(json, '}');
	json_end(json, '}');
}

static int
write_path(const struct list *list, const char *key, const char *raw_key,
	   uint32_t file_idx)
{
	const uint8_t *path;
	size_t bytes;
	int error = report_path(list->report, file_idx, &path, &bytes);

	if (error != 0)
		return error;
	json_bytes(list->json, key, path, bytes);
	if (!json_is_utf8(path, bytes))
		json_base64(list->json, raw_key, path, bytes);
	return 0;
}

static int
write_item(void *context, const struct report_item *item)
{
	const struct list *list = context;
	struct json *json = list->json;
	int error;

	if (item->is_packed != list->packed)
		return 0;
	json_begin(json, NULL, '{');
	error = write_path(list, "path", "path_base64", item->file_idx);
	if (item->line_first > 0) {
		json_u64(json, "start_line", item->line_first);
		json_u64(json, "end_line", item->line_last);
	} else {
		json_null(json, "start_line");
		json_null(json, "end_line");
	}
	json_u64(json, "tokens", item->tokens);
	if (item->is_packed) {
		json_null(json, "score");
		json_text(json, "category", "tree");
		json_text(json, "tier", "full");
	} else {
		json_text(json, "reason", report_reason_text(item->reason));
	}
	if (item->same_as != FILE_NONE && error == 0)
		error = write_path(list, "same_as", "same_as_base64",
				   item->same_as);
	json_end(json, '}');
	return error != 0 ? error : json->error;
}

static int
write_list(struct json *json, const struct report *report, const char *key,
	   bool packed)
{
	struct list list = { json, report, packed };
	int error;

	json_begin(json, key, '[');
	error = report_each(report, write_item, &list);
	json_end(json, ']');
	return error;
}

static void
write_dedup(struct json *json, const struct report *report)
{
	json_begin(json, "dedup", '{');
	json_u64(json, "exact_removed",
		 report->duplicate_files + report->duplicate_chunks);
	json_u64(json, "exact_files", report->duplicate_files);
	json_u64(json, "exact_chunks", report->duplicate_chunks);
	json_u64(json, "exact_tokens", report->duplicate_tokens);
	json_u64(json, "overlaps_merged", 0);
	json_u64(json, "overlap_tokens", 0);
	json_end(json, '}');
}

static void
write_stages(struct json *json, const struct report *report)
{
	json_begin(json, "stages", '[');
	for (int i = 0; i < STAGE_NR; i++) {
		const struct report_stage *stage = &report->stages[i];

		json_begin(json, NULL, '{');
		json_text(json, "name", stage_table[i].name);
		json_u64(json, "workers", stage->worker_nr);
		json_u64(json, "busy_ns", stage->busy_ns);
		json_u64(json, "wait_ns", stage->wait_ns);
		json_u64(json, "items", stage->items);
		json_u64(json, "bytes", stage->bytes);
		json_u64(json, "deaths", stage->death_nr);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void
write_end(struct json *json, const struct report *report)
{
	json_begin(json, "memory", '{');
	if (report->peak_pss_bytes > 0)
		json_u64(json, "peak_pss_bytes", report->peak_pss_bytes);
	else
		json_null(json, "peak_pss_bytes");
	json_end(json, '}');
	json_u64(json, "wall_ns", report->wall_ns);
	json_begin(json, "warnings", '[');
	for (size_t i = 0; i < report->warning_nr; i++)
		json_text(json, NULL, report->warnings[i]);
	json_end(json, ']');
}

int
report_write_fd(const struct report *report, int fd)
{
	struct json json;
	int error;

	json_init(&json, fd);
	json_begin(&json, NULL, '{');
	json_u64(&json, "version", REPORT_VERSION);
	json_text(&json, "correlation_id", report->correlation_id);
	json_text(&json, "encoding",
		  report->encoding == NULL ? "" : report->encoding);
	json_bool(&json, "estimated", report->estimated);
	write_budget(&json, report);
	write_output(&json, report);
	write_categories(&json, report);
	write_files(&json, report);
	error = write_list(&json, report, "selected", true);
	if (error == 0)
		error = write_list(&json, report, "excluded", false);
	write_dedup(&json, report);
	write_stages(&json, report);
	write_end(&json, report);
	json_end(&json, '}');
	json_end(&json, '\n');
	return error != 0 ? error : json_finish(&json);
}

/* A file beside the target, so that rename(2) can take its place. */
static int
open_beside(const char *target, char path[static PATH_BYTES])
{
	const char *slash = strrchr(target, '/');
	int dir_bytes = slash == NULL ? 0 : (int)(slash - target) + 1;
	mode_t mask;
	int fd;

	if (snprintf(path, PATH_BYTES, "%.*s.%s.XXXXXX.tmp", dir_bytes, target,
		     target + dir_bytes) >= PATH_BYTES)
		return -ENAMETOOLONG;
	fd = mkostemps(path, 4, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	mask = umask(0);
	umask(mask);
	if (fchmod(fd, 0666 & ~mask) != 0) {
		int error = errno;

		close(fd);
		unlink(path);
		return -error;
	}
	return fd;
}

static int
write_beside(const struct report *report, const char *target)
{
	char path[PATH_BYTES];
	int fd = open_beside(target, path);
	int error;

	if (fd < 0)
		return fd;
	error = report_write_fd(report, fd);
	if (close(fd) != 0 && error == 0)
		error = -errno;
	if (error == 0 && rename(path, target) != 0)
		error = -errno;
	if (error != 0)
		unlink(path);
	return error;
}

int
report_write(const struct report *report, const char *path)
{
	struct stat status;
	int error;
	int fd;

	if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
		return write_beside(report, path);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	error = report_write_fd(report, fd);
	if (close(fd) != 0 && error == 0)
		error = -errno;
	return error;
}
