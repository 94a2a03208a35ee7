/* SPDX-License-Identifier: MIT */
/*
 * audit.c - a log of what was taken and what was not.
 */
#include "supervisor/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "shm/diag.h"
#include "supervisor/report_emit.h"

#define NAME_BYTES 1024

struct auditing {
	const struct report *report;
	struct emitter out;
};

static void
begin_line(struct auditing *auditing, const char *event)
{
	emit_begin(&auditing->out, NULL, '{');
	emit_text(&auditing->out, "event", event);
	emit_text(&auditing->out, "correlation_id",
		  auditing->report->correlation_id);
}

static void
end_line(struct auditing *auditing)
{
	emit_end(&auditing->out, '}');
	emit_line(&auditing->out);
}

static int
add_decision(void *context, const struct report_item *item)
{
	struct auditing *auditing = context;
	struct emitter *out = &auditing->out;
	const uint8_t *path;
	size_t bytes;
	int error =
		report_path(auditing->report, item->file_idx, &path, &bytes);

	if (error != 0)
		return error;
	begin_line(auditing, item->is_packed ? "selected" : "excluded");
	emit_path(out, "path", "path_base64", path, bytes);
	if (item->line_first > 0) {
		emit_u64(out, "start_line", item->line_first);
		emit_u64(out, "end_line", item->line_last);
	}
	emit_u64(out, "tokens", item->tokens);
	if (!item->is_packed)
		emit_text(out, "reason", report_reason_text(item->reason));
	end_line(auditing);
	return out->error;
}

static void
add_tokens(struct emitter *out, const char *key, uint64_t tokens)
{
	if (tokens == BUDGET_ALL)
		emit_null(out, key);
	else
		emit_u64(out, key, tokens);
}

static int
append_to(const struct report *report, int exit_code, int fd)
{
	struct auditing auditing = { .report = report };
	struct emitter *out = &auditing.out;
	int error;

	emit_init(out, fd);
	begin_line(&auditing, "run");
	report_emit_start(report, out);
	emit_text(out, "encoding", report->encoding);
	add_tokens(out, "available", report->available_tokens);
	end_line(&auditing);
	error = report_each(report, add_decision, &auditing);
	begin_line(&auditing, "end");
	emit_u64(out, "tokens", report->used_tokens);
	emit_u64(out, "exit_code", (uint64_t)exit_code);
	end_line(&auditing);
	return error != 0 ? error : emit_finish(out);
}

int
audit_append(const struct report *report, int exit_code, const char *path)
{
	int fd =
		open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY,
		     0666);
	int error;

	if (fd < 0)
		return -errno;
	/* runs side by side do not mix their lines; a pipe has no lock */
	while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
		;
	error = append_to(report, exit_code, fd);
	if (close(fd) != 0 && error == 0)
		error = -errno;
	return error;
}

static int
log_decision(void *context, const struct report_item *item)
{
	const struct report *report = context;
	const uint8_t *path;
	size_t bytes;
	char name[NAME_BYTES];
	int error = report_path(report, item->file_idx, &path, &bytes);

	if (error != 0)
		return error;
	diag_log(DIAG_DEBUG, "%s %s:%llu-%llu, %llu tokens%s%s",
		 item->is_packed ? "selected" : "excluded",
		 diag_quote(name, sizeof(name), path, bytes),
		 (unsigned long long)item->line_first,
		 (unsigned long long)item->line_last,
		 (unsigned long long)item->tokens, item->is_packed ? "" : ": ",
		 item->is_packed ? "" : report_reason_text(item->reason));
	return 0;
}

int
audit_log(const struct report *report)
{
	if (!diag_is_on(DIAG_DEBUG))
		return 0;
	return report_each(report, log_decision, (void *)(uintptr_t)report);
}
