/* SPDX-License-Identifier: MIT */
/*
 * cmd_bench.c - `bale bench`: which runs there are, in turn, round after round.
 */
#include "cli/bench.h"
#include "cli/bench_query.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/exit_code.h"
#include "base/stream.h"

static struct bench {
	struct command_line *line;
	struct bench_files *files; /* NULL: they cannot be read alone */
	struct bench_result result;
	struct bench_result *old; /* NULL: nothing to compare with */
} bench;

/* ---- which runs ---------------------------------------------------------- */

static void
add_case(uint32_t worker_nr, enum io_kind io, bool is_cold)
{
	struct bench_result *result = &bench.result;
	struct bench_case *it;

	if (result->case_nr == BENCH_CASES_MAX)
		return;
	it = &result->cases[result->case_nr++];
	it->worker_nr = worker_nr;
	it->io = io;
	it->is_cold = is_cold;
	snprintf(it->name, sizeof(it->name), "%s %s %u",
		 is_cold ? "cold" : "warm", io == IO_READ ? "read" : "uring",
		 worker_nr);
}

/* 1, 2, 4, ... workers; with the most of them all else, too. */
static void
add_cases(uint32_t most)
{
	for (uint32_t nr = 1; nr < most; nr *= 2)
		add_case(nr, IO_URING, false);
	add_case(most, IO_URING, false);
	add_case(most, IO_READ, false);
	if (bench.files == NULL)
		return;
	add_case(most, IO_URING, true);
	add_case(most, IO_READ, true);
}

static void
add_read(const char *name)
{
	struct bench_result *result = &bench.result;

	snprintf(result->reads[result->read_nr++].name, BENCH_NAME_BYTES, "%s",
		 name);
}

/* The name of the processor. */
static void
name_machine(char out[static BENCH_TEXT_BYTES])
{
	char text[256];
	FILE *file = fopen("/proc/cpuinfo", "re");

	snprintf(out, BENCH_TEXT_BYTES, "unknown");
	while (file != NULL && fgets(text, sizeof(text), file) != NULL) {
		const char *colon = strchr(text, ':');

		if (strncmp(text, "model name", 10) != 0 || colon == NULL)
			continue;
		snprintf(out, BENCH_TEXT_BYTES, "%.*s",
			 (int)strcspn(colon + 2, "\n"), colon + 2);
		break;
	}
	if (file != NULL)
		fclose(file);
}

/* The files by themselves, where they are files: a revision has none. */
static void
list_files(void)
{
	int error = -ENOTSUP;

	if (bench.line->run.pack.rev == NULL)
		error = bench_files_list(bench.line, &bench.files);
	if (error != 0)
		diag_log(DIAG_WARN,
			 "the files are not read by themselves, and no run is "
			 "cold: %s",
			 error == -ENOTSUP ? "--rev" : diag_errno(error));
}

/* ---- rounds -------------------------------------------------------------- */

static void
show_progress(uint32_t round, const char *name)
{
	if (!bench.line->run.quiet && isatty(STDERR_FILENO) == 1)
		fprintf(stderr, "\r\033[Kround %u of %u: %s", round + 1,
			bench.result.run_nr, name);
}

static void
end_progress(void)
{
	if (!bench.line->run.quiet && isatty(STDERR_FILENO) == 1)
		fputs("\r\033[K", stderr);
}

/* A read of all files; one that this file system does not have is left out. */
static void
read_files(uint32_t idx)
{
	struct bench_read *it = &bench.result.reads[idx];
	uint64_t bytes = 0;
	uint64_t ns = 0;
	int error;

	if (it->name[0] == '\0' || it->wall_ns.nr == BENCH_RUNS_MAX)
		return;
	error = bench_files_read(bench.files,
				 idx == 0 ? BENCH_DIRECT : BENCH_CACHED, &bytes,
				 &ns);
	if (error != 0) {
		diag_log(DIAG_WARN, "%s: %s", it->name, diag_errno(error));
		it->name[0] = '\0';
		return;
	}
	it->bytes = bytes;
	it->wall_ns.values[it->wall_ns.nr++] = ns;
}

static int
run_case(struct bench_case *it)
{
	uint64_t bytes;
	uint64_t ns;
	int error = 0;

	if (it->is_cold)
		error = bench_files_read(bench.files, BENCH_EVICT, &bytes, &ns);
	if (error != 0)
		return exit_with(EXIT_RESOURCES,
				 "cannot take files out of the page cache: %s",
				 diag_errno(error));
	return bench_run(bench.line, it, &bench.result);
}

static int
run_round(uint32_t round)
{
	int code = EXIT_COMPLETE;

	for (uint32_t i = 0; i < bench.result.read_nr; i++) {
		show_progress(round, bench.result.reads[i].name);
		read_files(i);
	}
	for (uint32_t i = 0; i < bench.result.case_nr; i++) {
		show_progress(round, bench.result.cases[i].name);
		if (code == EXIT_COMPLETE)
			code = run_case(&bench.result.cases[i]);
	}
	return code;
}

/* One that does not count fills the page cache, and says what is wrong. */
static int
run_all(void)
{
	static struct bench_case first;
	int code;

	first = bench.result.cases[0];
	code = bench_run(bench.line, &first, &bench.result);
	for (uint32_t i = 0; i < bench.result.run_nr; i++)
		if (code == EXIT_COMPLETE)
			code = run_round(i);
	end_progress();
	return code;
}

/* ---- result -------------------------------------------------------------- */

static int
print(void)
{
	int error =
		bench.line->run.json
			? bench_write(&bench.result, bench.old, STDOUT_FILENO)
			: bench_show(&bench.result, bench.old, stdout);

	if (error == 0 && !bench.line->run.json)
		error = stream_finish(stdout);
	return error == -EPIPE ? 128 + SIGPIPE : exit_cannot_write(NULL, error);
}

int
cmd_bench(struct command_line *line)
{
	const struct bench_args *args = &line->bench;
	int code = EXIT_COMPLETE;

	if (args->is_query)
		return bench_query(line);
	if (option_given(line, OPTION_BENCH_COMMITS))
		return exit_with(EXIT_USAGE,
				 "BALE-CLI-005 --commits needs --query");
	bench.line = line;
	if (args->old_path != NULL)
		code = bench_load(args->old_path, line->run.sandbox_layers,
				  &bench.old);
	if (code != EXIT_COMPLETE)
		return code;
	bench.result.cpu_nr = options_cpu_nr();
	bench.result.run_nr = (uint32_t)args->run_nr;
	name_machine(bench.result.machine);
	list_files();
	if (bench.files != NULL) {
		add_read("direct");
		add_read("cached");
	}
	add_cases((uint32_t)line->run.worker_nr);
	code = run_all();
	if (code == EXIT_COMPLETE)
		code = print();
	bench_files_free(bench.files);
	if (bench.old != NULL)
		munmap(bench.old, sizeof(*bench.old));
	return code;
}
