/* SPDX-License-Identifier: MIT */
/*
 * batch_line.c - a line of a batch: what `bale pack` does, in a process of its
 *                own that is forked with all options parsed.
 */
#include "cli/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/new_file.h"
#include "cli/command_child.h"

/* The options that a line sets: 0 or an exit code, said. */
static int
set_options(struct command_line *line, const struct batch_item *item)
{
	char wanted[OPTION_WANTED_BYTES];

	for (size_t i = 0; i < item->setting_nr; i++) {
		const struct batch_setting *setting = &item->settings[i];
		const struct option_spec *spec = &option_table[setting->option];
		int error = option_set(line, spec, setting->text, wanted);

		if (error == -ENOMEM)
			return exit_out_of_memory();
		if (error != 0)
			return exit_with(
				EXIT_USAGE,
				"BALE-CLI-002 %s: invalid value %s: %s",
				spec->name, WORD_QUOTED(setting->text), wanted);
		line->from[setting->option] = FROM_COMMAND_LINE;
	}
	return EXIT_COMPLETE;
}

/* A line's own part of the options: 0 or an exit code, said. */
static int
complete(struct command_line *line, const struct batch_item *item,
	 const struct batch_scope *scope)
{
	struct options *run = &line->run;
	int code;

	line->command = COMMAND_PACK;
	run->operands = (struct text_list){ .nr = 0 };
	if (text_list_add(&run->operands, item->path) != 0)
		return exit_out_of_memory();
	run->memory_bytes = scope->memory_bytes;
	if (scope->worker_nr > 0 && !option_given(line, OPTION_WORKERS))
		run->worker_nr = scope->worker_nr;
	run->progress = PROGRESS_NEVER;
	run->quiet = true;
	options_keep_nothing(run);
	run->pack.split_tokens = 0;
	code = set_options(line, item);
	if (code == EXIT_COMPLETE && command_line_complete(line) != 0)
		code = exit_with(EXIT_USAGE, "%s", line->error);
	return code;
}

/* ---- files --------------------------------------------------------------- */

/* Most of the descriptors are for the lines. */
static void
open_temp_files(struct batch_run *run, const struct batch_scope *scope)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	    scope->run_nr * BATCH_TEMP_FILES > limit.rlim_cur / 2)
		return;
	while (run->temp_nr < BATCH_TEMP_FILES) {
		int fd = temp_file_open();

		if (fd < 0)
			return; /* a line makes its own, or says why not */
		run->temp_fds[run->temp_nr++] = fd;
	}
}

int
batch_run_open(struct batch_run *run)
{
	run->said_fd = memfd_create("bale-said", MFD_CLOEXEC);
	if (run->said_fd < 0)
		return -errno;
	run->outcome = helper_memory(sizeof(struct outcome));
	return run->outcome == NULL ? -ENOMEM : 0;
}

static void
close_temp_files(struct batch_run *run)
{
	while (run->temp_nr > 0)
		close(run->temp_fds[--run->temp_nr]);
}

/* Empty again. Of a run that did not end by itself a worker may live for a
 * moment, and write to what it has mapped. */
static void
clear_temp_files(struct batch_run *run, int status)
{
	struct stat st;

	for (size_t i = 0; i < run->temp_nr; i++)
		if (!WIFEXITED(status) || fstat(run->temp_fds[i], &st) != 0 ||
		    ((st.st_size > 0 || st.st_blocks > 0) &&
		     ftruncate(run->temp_fds[i], 0) != 0)) {
			close_temp_files(run);
			return;
		}
}

/* What other lines are made of is not this one's. */
static void
take_temp_files(const struct batch_run *run, const struct batch_scope *scope)
{
	for (size_t i = 0; i < scope->run_nr; i++)
		for (size_t k = 0; k < scope->runs[i].temp_nr; k++)
			if (&scope->runs[i] != run)
				close(scope->runs[i].temp_fds[k]);
	temp_file_lend(run->temp_fds, run->temp_nr);
}

/* ---- a line -------------------------------------------------------------- */

/* In a process of its own. */
static _Noreturn void
be_line(const struct batch_run *run, const struct batch_item *item,
	const struct batch_scope *scope)
{
	static struct command_line line;
	static char output[PATH_MAX];
	int code;

	command_child_begin(-1, run->said_fd);
	take_temp_files(run, scope);
	line = *scope->line;
	snprintf(output, sizeof(output), "%s/%s", scope->dir, item->name);
	line.run.output_path = output;
	line.run.output_dir = scope->dir;
	line.run.outcome = run->outcome;
	code = complete(&line, item, scope);
	line.run.pack.names_commit = line.run.pack.history;
	if (code == EXIT_COMPLETE)
		code = cmd_pack(&line);
	command_child_end(code);
}

int
batch_run_begin(struct batch_run *run, struct batch_item *item,
		const struct batch_scope *scope)
{
	pid_t pid;

	memset(run->outcome, 0, sizeof(*run->outcome));
	if (ftruncate(run->said_fd, 0) != 0 ||
	    lseek(run->said_fd, 0, SEEK_SET) != 0)
		return -errno;
	open_temp_files(run, scope);
	run->begun_ns = clock_now_ns();
	pid = helper_fork(&run->helper, true);
	if (pid == 0)
		be_line(run, item, scope);
	if (pid < 0)
		return pid;
	run->item = item;
	return 0;
}

enum batch_class
batch_class_of(int exit_code, bool has_output)
{
	switch (exit_code) {
	case EXIT_COMPLETE:
		return BATCH_DONE;
	case EXIT_DEGRADED:
		return has_output ? BATCH_DEGRADED : BATCH_FAILED;
	case EXIT_USAGE:
	case EXIT_SECRET:
	case EXIT_FRAME:
	case EXIT_NOTHING:
		return BATCH_FAILED;
	default: /* the disk, memory, somebody's signal */
		return BATCH_RETRY;
	}
}

const char *
batch_code_of(const char *said, char out[static BATCH_CODE_BYTES])
{
	static const char form[] = "aaaa-aaa-000";
	size_t i = 0;

	while (form[i] != '\0' &&
	       (form[i] == 'a'   ? ascii_is_upper((uint8_t)said[i])
		: form[i] == '0' ? ascii_is_digit((uint8_t)said[i])
				 : said[i] == form[i]))
		i++;
	snprintf(out, BATCH_CODE_BYTES, "%.*s", form[i] == '\0' ? (int)i : 0,
		 said);
	return out;
}

void
batch_run_end(struct batch_run *run, struct batch_result *result)
{
	int status = 0;

	*result = (struct batch_result){ .exit_code = 128 + SIGKILL };
	if (helper_wait(&run->helper, &status) == 0)
		result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status)
						      : 128 + WTERMSIG(status);
	clear_temp_files(run, status);
	result->wall_ns = clock_now_ns() - run->begun_ns;
	result->outcome = *run->outcome;
	command_child_said(run->said_fd, result->said, sizeof(result->said));
	batch_code_of(result->said, result->code);
	result->class =
		batch_class_of(result->exit_code, result->outcome.has_output);
	run->item = NULL;
}

int
batch_check_options(const struct batch_scope *scope)
{
	static const struct batch_item any = { .path = "." };
	struct helper helper;
	int status = 0;
	pid_t pid = helper_fork(&helper, false);

	if (pid == 0) {
		static struct command_line line;

		line = *scope->line;
		line.run.output_path = "/dev/null";
		command_child_end(complete(&line, &any, scope));
	}
	if (pid < 0 || helper_wait(&helper, &status) != 0 || !WIFEXITED(status))
		return exit_with(EXIT_RESOURCES, "cannot start a process");
	return WEXITSTATUS(status);
}
