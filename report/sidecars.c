/* SPDX-License-Identifier: MIT */
/*
 * sidecars.c - report, metrics and audit log of a run, with its output or not.
 */
#include "report/sidecars.h"

#include "base/fault.h"
#include "report/metrics.h"
#include "supervisor/supervisor.h"

struct measured {
	const struct report *report;
	int exit_code;
};

static int
write_json(void *context, int fd)
{
	return report_write_fd(context, fd);
}

static int
write_metrics(void *context, int fd)
{
	const struct measured *measured = context;

	return metrics_write(measured->report, measured->exit_code, fd);
}

int
sidecars_check(const struct options *options)
{
	const char *const paths[] = { options->report_path,
				      options->metrics_path };
	int error = 0;

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		if (paths[i] != NULL)
			error = replace_check(paths[i]);
		if (error != 0)
			return exit_cannot_write(paths[i], error);
	}
	if (options->audit_path != NULL)
		error = audit_check(options->audit_path);
	return error == 0 ? 0 : exit_cannot_write(options->audit_path, error);
}

int
sidecars_write(struct sidecars *sidecars, const struct options *options,
	       const struct report *report, int exit_code)
{
	struct measured measured = { report, exit_code };
	const char *path = options->report_path;
	int error = 0;

	*sidecars = (struct sidecars){ .options = options,
				       .report = report,
				       .json = REPLACEMENT_NONE,
				       .metrics = REPLACEMENT_NONE,
				       .audit = AUDIT_NONE };
	if (path != NULL)
		error = replace_prepare(&sidecars->json, path, write_json,
					(void *)(uintptr_t)report);
	FAULT("report_written");
	if (error == 0 && options->metrics_path != NULL) {
		path = options->metrics_path;
		error = replace_prepare(&sidecars->metrics, path, write_metrics,
					&measured);
	}
	FAULT("metrics_written");
	if (error == 0 && options->audit_path != NULL) {
		path = options->audit_path;
		error = audit_prepare(&sidecars->audit, report, exit_code,
				      path);
	}
	FAULT("audit_written");
	return exit_cannot_write(path, error);
}

int
sidecars_ready(struct sidecars *sidecars)
{
	const char *path = sidecars->options->report_path;
	int error = replace_ready(&sidecars->json);

	if (error == 0) {
		path = sidecars->options->metrics_path;
		error = replace_ready(&sidecars->metrics);
	}
	if (error == 0) {
		path = sidecars->options->audit_path;
		error = audit_append(&sidecars->audit);
	}
	FAULT("audit_appended");
	return exit_cannot_write(path, error);
}

int
sidecars_commit(struct sidecars *sidecars)
{
	const char *path = sidecars->options->report_path;
	int error = replace_commit(&sidecars->json);

	if (error == 0) {
		path = sidecars->options->metrics_path;
		error = replace_commit(&sidecars->metrics);
	}
	sidecars->are_there = error == 0;
	return exit_cannot_write(path, error);
}

void
sidecars_close(struct sidecars *sidecars, int failed)
{
	const struct options *options = sidecars->options;
	struct measured measured = { sidecars->report, failed };

	if (sidecars->are_there && failed != 0 && options->metrics_path != NULL)
		/* it has been said already what could not be written */
		(void)replace_file(options->metrics_path, write_metrics,
				   &measured);
	replace_drop(&sidecars->json);
	replace_drop(&sidecars->metrics);
	if (sidecars->are_there && failed == 0)
		audit_keep(&sidecars->audit);
	audit_close(&sidecars->audit);
}
