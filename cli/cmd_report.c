/* SPDX-License-Identifier: MIT */
/*
 * cmd_report.c - what a run did, for people.
 *
 * Does: finds the report, reads it, prints what was asked for: the tables of
 *       the budget, or the details, one after the other. What reads it is shut
 *       in: with --html it is a child, and the parent gives the page its name.
 */
#include "cli/command_line.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "report/conclude.h"
#include "base/replace_file.h"
#include "report/report_show.h"
#include "report/report_read.h"
#include "supervisor/sandbox.h"
#include "base/stream.h"

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

/* One report, and where it goes. */
struct showing {
	const struct options *options;
	const char *path;
	const char *directory; /* this one; NULL: a file was named */
	int page_fd;           /* of the page that is written */
	int code;
};

/* Prints it all: 0 or an exit code. */
static int
show(const struct showing *showing, const json_t *report)
{
	const struct options *options = showing->options;
	int error = 0;

	if (options->html_path != NULL)
		return exit_cannot_write(
			options->html_path,
			report_html_write(report, showing->page_fd));
	if (options->json) {
		if (json_dumpf(report, stdout, JSON_INDENT(2)) != 0 &&
		    !ferror(stdout))
			error = -ENOMEM;
		putchar('\n');
	} else {
		error = show_tables(options, report);
	}
	if (error == 0)
		error = stream_finish(stdout);
	return error == -EPIPE ? 128 + SIGPIPE : exit_cannot_write(NULL, error);
}

static int
fail_to_read(const struct options *options, const char *path, int error,
	     const char *why)
{
	if (error == -ENOENT && options->operands.nr == 0)
		why = "there was no run yet, or it kept no report (--no-last)";
	else if (error != -EPROTO)
		why = diag_errno(error);
	return exit_with(EXIT_USAGE, "cannot read %s: %s", QUOTED(path), why);
}

/* The report of the last run in this directory; of all, if there was none, or
 * if that is asked for. */
static int
find_last(struct showing *showing, char *path, size_t size)
{
	if (showing->directory != NULL && !showing->options->last &&
	    last_report_path(path, size, showing->directory) == 0 &&
	    access(path, R_OK) == 0)
		return 0;
	return last_report_path(path, size, NULL);
}

/* Says whose the last report is, if not of a run in this directory. */
static void
name_directory(const struct showing *showing, const json_t *report)
{
	const char *directory = report_text(report, "directory");

	if (showing->directory != NULL && *directory != '\0' &&
	    strcmp(directory, showing->directory) != 0)
		fprintf(stderr, "the last run was in %s\n", QUOTED(directory));
}

/* calls: a process that is shut in */
static int
read_and_show(void *context)
{
	const struct showing *showing = context;
	char why[WHY_BYTES] = "";
	json_t *report = NULL;
	int error = report_read(showing->path, &report, why, sizeof(why));
	int code;

	if (error != 0)
		return fail_to_read(showing->options, showing->path, error,
				    why);
	name_directory(showing, report);
	code = show(showing, report);
	json_decref(report);
	return code;
}

/* A replace_write_fn: who gives the page its name has read nothing. */
static int
write_page(void *context, int fd)
{
	struct showing *showing = context;
	const struct sandbox_place report = { .path = showing->path };
	const struct sandbox_child child = {
		.active = showing->options->sandbox_layers,
		.what = showing->path,
		.places = &report,
		.place_nr = 1,
		.work = read_and_show,
		.context = showing,
	};

	showing->page_fd = fd;
	showing->code = sandbox_run_child(&child);
	return showing->code == EXIT_COMPLETE ? 0 : -ECANCELED;
}

static bool
are_one_file(const char *one, const char *other)
{
	struct stat a;
	struct stat b;

	return stat(one, &a) == 0 && stat(other, &b) == 0 &&
	       S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* The page as a file: an exit code. */
static int
replace_page(struct showing *showing)
{
	const char *path = showing->options->html_path;
	int error;

	if (are_one_file(path, showing->path))
		return exit_with(EXIT_USAGE,
				 "cannot write %s: it is the report to be read",
				 QUOTED(path));
	error = replace_file_at_last(path, write_page, showing);
	if (showing->code != EXIT_COMPLETE)
		return showing->code;
	return exit_cannot_write(path, error);
}

int
cmd_report(struct command_line *line)
{
	const struct options *options = &line->run;
	struct showing showing = { .options = options,
				   .page_fd = STDOUT_FILENO };
	struct sandbox_place report;
	char last[PATH_MAX];
	char directory[PATH_MAX];
	int code;

	if (options->operands.nr > 0 && options->last)
		return exit_with(
			EXIT_USAGE,
			"--last is the report of the last run: leave out "
			"--last or the file");
	showing.path = last;
	if (options->operands.nr == 0)
		showing.directory = getcwd(directory, sizeof(directory));
	if (options->operands.nr > 0)
		showing.path = options->operands.items[0];
	else if (find_last(&showing, last, sizeof(last)) != 0)
		return exit_with(
			EXIT_USAGE,
			"reports are kept below $XDG_STATE_HOME or $HOME, "
			"and neither is set; name a file");
	if (options->html_path != NULL && strcmp(options->html_path, "-") != 0)
		return replace_page(&showing);
	report = (struct sandbox_place){ .path = showing.path };
	code = sandbox_enter_command(options->sandbox_layers, &report, 1);
	return code == EXIT_COMPLETE ? read_and_show(&showing) : code;
}
