/* SPDX-License-Identifier: MIT */
/*
 * cmd_report.c - what a run did, for people.
 *
 * Does: finds the report, reads it, prints what was asked for: the tables of
 *       the budget, or the details, one after the other.
 */
#include "supervisor/cmd_report.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "shm/diag.h"
#include "supervisor/last_report.h"
#include "supervisor/report_html.h"
#include "supervisor/report_read.h"
#include "supervisor/report_show.h"
#include "supervisor/supervisor.h"

#define NAME_BYTES 512
#define WHY_BYTES 256

typedef int
show_fn(const json_t *report, FILE *out);

/* The tables that were asked for, from the second on after an empty line. */
static int
show_tables(const struct options *options, const json_t *report)
{
	const struct {
		bool is_wanted;
		show_fn *show;
	} details[] = {
		{ options->chunk_detail, report_show_chunks },
		{ options->selection_detail, report_show_selection },
		{ options->dedup_detail, report_show_dedup },
		{ options->special_tokens, report_show_specials },
		{ options->cache_stats, report_show_cache },
	};
	bool is_first = true;
	int error = 0;

	for (size_t i = 0; i < ARRAY_LEN(details) && error == 0; i++) {
		if (!details[i].is_wanted)
			continue;
		if (!is_first)
			putchar('\n');
		is_first = false;
		error = details[i].show(report, stdout);
	}
	return is_first ? report_show_budget(report, stdout) : error;
}

static int
fail(const char *what, const char *path, const char *why, int code)
{
	char name[NAME_BYTES];

	diag_log(DIAG_ERROR, "cannot %s %s: %s", what,
		 diag_quote_text(name, sizeof(name), path), why);
	return code;
}

static int
fail_stdout(int error)
{
	if (error == -EPIPE)
		return 128 + SIGPIPE;
	return fail("write", "stdout", strerror(-error), EXIT_OUTPUT);
}

/* Prints it all: 0 or an exit code. */
static int
show(const struct options *options, const json_t *report)
{
	int error = 0;

	if (options->html_path != NULL) {
		error = report_html_write(report, options->html_path);
		if (error != 0)
			return fail("write", options->html_path,
				    strerror(-error), EXIT_OUTPUT);
		return EXIT_COMPLETE;
	}
	errno = 0;
	if (options->json) {
		if (json_dumpf(report, stdout, JSON_INDENT(2)) != 0)
			error = errno != 0 ? -errno : -EIO;
		putchar('\n');
	} else {
		error = show_tables(options, report);
	}
	if (error == 0 && (fflush(stdout) != 0 || ferror(stdout)))
		error = errno != 0 ? -errno : -EIO;
	return error == 0 ? EXIT_COMPLETE : fail_stdout(error);
}

static int
fail_to_read(const struct options *options, const char *path, int error,
	     const char *why)
{
	if (error == -EPROTO)
		return fail("read", path, why, EXIT_USAGE);
	if (error == -ENOENT && options->operands.nr == 0)
		why = "there was no run yet, or it kept no report (--no-last)";
	else
		why = strerror(-error);
	return fail("read", path, why, EXIT_USAGE);
}

int
cmd_report(const struct options *options)
{
	char last[PATH_MAX];
	char why[WHY_BYTES] = "";
	const char *path = last;
	json_t *report = NULL;
	int error;
	int code;

	if (options->operands.nr > 0 && options->last) {
		diag_log(DIAG_ERROR,
			 "--last is the report of the last run: leave out "
			 "--last or the file");
		return EXIT_USAGE;
	}
	if (options->operands.nr > 0) {
		path = options->operands.items[0];
	} else if (last_report_path(last, sizeof(last)) != 0) {
		diag_log(DIAG_ERROR,
			 "reports are kept below $XDG_STATE_HOME or $HOME, "
			 "and neither is set; name a file");
		return EXIT_USAGE;
	}
	error = report_read(path, &report, why, sizeof(why));
	if (error != 0)
		return fail_to_read(options, path, error, why);
	code = show(options, report);
	json_decref(report);
	return code;
}
