/* SPDX-License-Identifier: MIT */
/*
 * sidecars.c - report, metrics (OpenMetrics text) and audit log of a run, with
 *              its output or not;
 *              and the report of the last run, in the user's state directory.
 */
#include "report/conclude.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/emit.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/hash.h"
#include "base/replace_file.h"
#include "base/signals.h"
#include "base/stream.h"
#include "base/user_file.h"
#include "base/version.h"
#include "report/baseline.h"
#include "report/report.h"

#define LAST_REPORT "last-report"
#define LAST_REPORTS 64 /* of directories, so that they do not pile up */

/* Upper bounds of the histogram of files by tokens; +Inf follows. */
static const uint64_t bounds[] = { 100, 1000, 10000, 100000, 1000000 };

struct histogram {
	uint64_t buckets[ARRAY_LEN(bounds) + 1]; /* each without the others */
	uint64_t count;
	uint64_t sum;
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
print_sample(FILE *out, const char *name, const char *label, const char *text,
	     double value)
{
	fputs(name, out);
	if (label != NULL)
		fprintf(out, "{%s=\"%s\"}", label, text);
	if (isinf(value))
		fputs(" +Inf\n", out);
	else
		fprintf(out, " %.15g\n", value);
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
add_file(struct histogram *histogram, uint64_t file_tokens)
{
	size_t i = 0;

	while (i < ARRAY_LEN(bounds) && file_tokens > bounds[i])
		i++;
	histogram->buckets[i]++;
	histogram->count++;
	histogram->sum = add_sat_u64(histogram->sum, file_tokens);
}

static void
print_histogram(FILE *out, const struct report *report)
{
	static const char name[] = "bale_file_tokens";
	struct histogram histogram = { .count = 0 };
	uint64_t so_far = 0;

	for (uint64_t i = 0; i < report->item_nr;) {
		uint64_t end = report_file_end(report, i);
		uint64_t file_tokens = 0;

		for (; i < end; i++)
			file_tokens = add_sat_u64(
				file_tokens, report_item(report, i)->tokens);
		add_file(&histogram, file_tokens);
	}
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

/*
 * shape:  the metrics of a run to a descriptor
 * units:  seconds, bytes, tokens and ratios, as the names say
 * errors: -errno
 * calls:  the supervisor, when the run is over
 */
static int
metrics_write(const struct report *report, int exit_code, int fd)
{
	struct stream stream;
	int error = stream_open(&stream, fd);

	if (error != 0)
		return error;
	print_head(stream.file, "bale_build_info", "gauge", "",
		   "The version of bale and the encoding of the counts.");
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

int
last_report_path(char *out, size_t size, const char *directory)
{
	char name[32] = LAST_REPORT ".json";

	if (directory != NULL)
		snprintf(name, sizeof(name), LAST_REPORT "-%02u.json",
			 hash32(HASH32_BEGIN, directory, strlen(directory)) %
				 LAST_REPORTS);
	return user_file_path(out, size, USER_FILE_STATE, name);
}

/* The report that was written is that of its directory, too. */
static int
link_last(const struct report *report, const char *path)
{
	char slot[PATH_MAX];
	int error = last_report_path(slot, sizeof(slot), report->directory);

	if (error != 0 || report->directory[0] == '\0')
		return error;
	unlink(slot);
	return link(path, slot) == 0 ? 0 : -errno;
}

int
last_report_keep(const struct report *report)
{
	struct report brief = *report;
	char path[PATH_MAX];
	struct stat before;
	mode_t mask;
	int error = last_report_path(path, sizeof(path), NULL);

	if (error == 0)
		error = user_file_make_parents(path);
	if (error != 0)
		return error;
	/* it is not the last one any more, should this one not be written. To
	 * replace it would have ext4 write the new one to the disk at once,
	 * which takes a third of a small run. */
	if (lstat(path, &before) == 0 && S_ISREG(before.st_mode))
		unlink(path);
	mask = umask(0077);
	/* two thirds of it would be why what is left out stands where it does */
	brief.is_brief = true;
	error = report_write(&brief, path);
	umask(mask);
	return error == 0 ? link_last(report, path) : error;
}

#define COPY_BYTES (64u << 10)

#define AUDIT_NONE \
	((struct audit){ .fd = -1, .lines_fd = -1, .size_before = -1 })

static void
begin_line(const struct report *report, struct emitter *out, const char *event)
{
	emit_begin(out, NULL, '{');
	emit_text(out, "event", event);
	emit_text(out, "correlation_id", report->correlation_id);
}

static void
end_line(struct emitter *out)
{
	emit_end(out, '}');
	emit_line(out);
}

static void
add_decision(const struct report *report, struct emitter *out,
	     const struct report_item *item)
{
	begin_line(report, out, item->is_packed ? "selected" : "excluded");
	report_emit_path(report, item->file_idx, "path", out);
	if (item->line_first > 0) {
		emit_u64(out, "start_line", item->line_first);
		emit_u64(out, "end_line", item->line_last);
	}
	emit_u64(out, "tokens", item->tokens);
	if (item->has_score)
		emit_millionths(out, "score", item->score);
	if (!item->is_packed)
		emit_text(out, "reason", report_reason_text(item->reason));
	end_line(out);
}

static int
append_to(const struct report *report, int exit_code, int fd)
{
	struct emitter out;

	emit_init(&out, fd);
	begin_line(report, &out, "run");
	report_emit_start(report, &out);
	emit_text(&out, "encoding", report->encoding);
	report_emit_budget(&out, "available", report->available_tokens);
	end_line(&out);
	for (uint64_t i = 0; i < report->item_nr && out.error == 0; i++)
		add_decision(report, &out, report_item(report, i));
	begin_line(report, &out, "end");
	emit_u64(&out, "tokens", report->used_tokens);
	emit_u64(&out, "exit_code", (uint64_t)exit_code);
	end_line(&out);
	return emit_finish(&out);
}

/*
 * Runs side by side do not mix their lines. Who gives a new log up takes its
 * name away: then there is none (-ENOENT), or another. A pipe, a device and
 * what others have open as well have no lock: it would be theirs, too.
 */
static int
open_log(struct audit *audit, int flags)
{
	for (;;) {
		struct stat st;

		audit->fd =
			fd_open_named(audit->path, flags | O_WRONLY | O_APPEND);
		if (audit->fd < 0)
			return audit->fd;
		if (fstat(audit->fd, &st) != 0)
			return -errno;
		if (!S_ISREG(st.st_mode) || fd_named(audit->path) >= 0)
			return 0;
		while (flock(audit->fd, LOCK_EX) != 0 && errno == EINTR)
			;
		if (fstat(audit->fd, &st) != 0)
			return -errno;
		if (st.st_nlink > 0)
			return 0;
		close(audit->fd);
	}
}

/* One that is not there is made. */
static int
open_or_make(struct audit *audit)
{
	int error;

	do {
		error = open_log(audit, O_CREAT | O_EXCL);
		audit->is_made = error == 0 && fd_named(audit->path) < 0;
		if (error == -EEXIST)
			error = open_log(audit, 0);
	} while (error == -ENOENT && access(audit->path, F_OK) == 0);
	return error;
}

/*
 * shape:  writes the decisions of a run, to be appended to the file at `path`;
 *         waits for others that append to it. What is no regular file gets
 *         them at once.
 * owner:  audit_close(), whatever is returned; `path` lives as long
 * errors: -errno
 * calls:  the supervisor, when the run is over
 */
static int
audit_prepare(struct audit *audit, const struct report *report, int exit_code,
	      const char *path)
{
	struct stat st;
	int error;

	*audit = AUDIT_NONE;
	audit->path = path;
	error = open_log(audit, 0);
	if (error == 0 && fstat(audit->fd, &st) != 0)
		error = -errno;
	if (error == 0 && !S_ISREG(st.st_mode))
		return append_to(report, exit_code, audit->fd);
	/* a log that is not there is made when it gets its first line */
	if (error != 0 && error != -ENOENT)
		return error;
	audit->lines_fd = temp_file_open();
	return audit->lines_fd < 0
		       ? audit->lines_fd
		       : append_to(report, exit_code, audit->lines_fd);
}

static int
copy_lines(const struct audit *audit)
{
	char bytes[COPY_BYTES];
	ssize_t got = lseek(audit->lines_fd, 0, SEEK_SET) == 0 ? 1 : -errno;
	int error = 0;

	while (error == 0 && got > 0) {
		got = fd_read_some(audit->lines_fd, bytes, sizeof(bytes));
		if (got > 0)
			error = fd_write_all(audit->fd, bytes, (size_t)got);
	}
	return error != 0 ? error : (int)got;
}

/*
 * shape:  appends them
 * errors: -errno, the log is as it was; -EINTR: a signal waits
 * calls:  with the signals blocked
 */
static int
audit_append(struct audit *audit)
{
	struct stat st;
	int error = 0;

	if (audit->lines_fd < 0)
		return 0;
	if (signals_is_pending())
		return -EINTR;
	if (audit->fd < 0)
		error = open_or_make(audit);
	if (error == 0 && fstat(audit->fd, &st) != 0)
		error = -errno;
	if (error != 0)
		return error;
	audit->size_before = st.st_size;
	return copy_lines(audit);
}

/* Closes the log; what was added and not kept is taken away. */
static void
audit_close(struct audit *audit)
{
	if (audit->size_before == 0 && audit->is_made)
		unlink(audit->path);
	else if (audit->size_before >= 0)
		(void)!ftruncate(audit->fd, audit->size_before);
	fd_close(audit->fd);
	fd_close(audit->lines_fd);
	*audit = AUDIT_NONE;
}

/* Whether a log could not be made, since a link has its name. */
static bool
is_dangling(const char *path)
{
	struct stat status;

	return stat(path, &status) != 0 && errno == ENOENT &&
	       lstat(path, &status) == 0;
}

/* Why nothing could be appended now; 0: it could, as far as can be told. */
static int
audit_check(const char *path)
{
	struct stat status;
	int fd;

	if (stat(path, &status) != 0)
		return errno == ENOENT ? replace_check(path) : -errno;
	if (!S_ISREG(status.st_mode))
		return S_ISDIR(status.st_mode) ? -EISDIR : 0;
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

void
audit_log(const struct report *report)
{
	if (!diag_is_on(DIAG_DEBUG))
		return;
	for (uint64_t i = 0; i < report->item_nr; i++) {
		const struct report_item *item = report_item(report, i);

		diag_log(DIAG_DEBUG, "%s %s:%ju-%ju, %s%ju tokens%s%s",
			 item->is_packed ? "selected" : "excluded",
			 QUOTED_PATH(report, item->file_idx), item->line_first,
			 item->line_last, item->is_estimated ? "about " : "",
			 item->tokens, item->is_packed ? "" : ": ",
			 item->is_packed ? ""
					 : report_reason_text(item->reason));
	}
}

struct measured {
	const struct report *report;
	int exit_code;
};

static int
write_json(void *context, int fd)
{
	const struct measured *measured = context;

	return report_write_fd(measured->report, fd);
}

static int
write_metrics(void *context, int fd)
{
	const struct measured *measured = context;

	return metrics_write(measured->report, measured->exit_code, fd);
}

static int
write_baseline(void *context, int fd)
{
	const struct measured *measured = context;

	return baseline_write(measured->report, fd);
}

int
sidecars_check(const struct options *options)
{
	const char *const paths[] = { options->report_path,
				      options->metrics_path,
				      options->new_baseline_path };
	int error = 0;

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		if (paths[i] != NULL)
			error = replace_check(paths[i]);
		if (error != 0)
			return exit_cannot_write(paths[i], error);
	}
	if (options->audit_path == NULL)
		return EXIT_COMPLETE;
	if (is_dangling(options->audit_path))
		return exit_with(EXIT_OUTPUT,
				 "cannot write %s: a symbolic link to what is "
				 "not there; create its target first",
				 QUOTED(options->audit_path));
	return exit_cannot_write(options->audit_path,
				 audit_check(options->audit_path));
}

int
sidecars_write(struct sidecars *sidecars, const struct options *options,
	       const struct report *report, int exit_code)
{
	static replace_write_fn *const writes[] = { write_json, write_metrics,
						    write_baseline };
	struct measured measured = { report, exit_code };
	int error = 0;

	*sidecars = (struct sidecars){
		.report = report,
		.paths = { options->report_path, options->metrics_path,
			   options->new_baseline_path, options->audit_path },
		.files = { REPLACEMENT_NONE, REPLACEMENT_NONE,
			   REPLACEMENT_NONE },
		.audit = AUDIT_NONE,
	};
	for (int i = 0; i < SIDECAR_AUDIT; i++) {
		const char *path = sidecars->paths[i];

		if (path != NULL)
			error = replace_prepare(&sidecars->files[i], path,
						writes[i], &measured);
		FAULT(i == SIDECAR_REPORT    ? "report_written"
		      : i == SIDECAR_METRICS ? "metrics_written"
					     : "baseline_written");
		if (error != 0)
			return exit_cannot_write(path, error);
	}
	if (options->audit_path != NULL)
		error = audit_prepare(&sidecars->audit, report, exit_code,
				      options->audit_path);
	FAULT("audit_written");
	return exit_cannot_write(options->audit_path, error);
}

/* A step with each file that is replaced: 0 or an exit code, said. */
static int
step_all(struct sidecars *sidecars, int (*step)(struct replacement *file))
{
	int code = 0;

	for (int i = 0; i < SIDECAR_AUDIT && code == 0; i++)
		code = exit_cannot_write(sidecars->paths[i],
					 step(&sidecars->files[i]));
	return code;
}

int
sidecars_ready(struct sidecars *sidecars)
{
	int code = step_all(sidecars, replace_ready);

	if (code == 0)
		code = exit_cannot_write(sidecars->paths[SIDECAR_AUDIT],
					 audit_append(&sidecars->audit));
	FAULT("audit_appended");
	return code;
}

int
sidecars_commit(struct sidecars *sidecars)
{
	int code = step_all(sidecars, replace_commit);

	sidecars->are_there = code == 0;
	return code;
}

void
sidecars_close(struct sidecars *sidecars, int failed)
{
	const char *metrics = sidecars->paths[SIDECAR_METRICS];
	struct measured measured = { sidecars->report, failed };

	if (sidecars->are_there && failed != 0 && metrics != NULL)
		/* it has been said already what could not be written */
		(void)replace_file(metrics, write_metrics, &measured);
	for (int i = 0; i < SIDECAR_AUDIT; i++)
		new_file_drop(&sidecars->files[i].file);
	if (sidecars->are_there && failed == 0)
		/* what is appended stays */
		sidecars->audit.size_before = -1;
	audit_close(&sidecars->audit);
}
