/* SPDX-License-Identifier: MIT */
/*
 * bench_query.c - past commits, and for each a run of pack with its message as
 *                 the query.
 */
#include "cli/bench_query.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/exit_code.h"
#include "base/number_format.h"
#include "cli/bench.h"
#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"

#define LIST_NS (3600 * NS_PER_S)
#define OBJECTS_SHARE 3 /* of the memory, for objects of git */
#define HEX_BYTES (2 * COMMIT_OBJECT_BYTES + 1)

static struct bench_query result;

/* ---- what is asked for --------------------------------------------------- */

/* What says nothing here: 0 or an exit code, said. */
static int
check(const struct command_line *line)
{
	if (option_given(line, OPTION_BENCH_RUNS) ||
	    line->bench.old_path != NULL)
		return exit_with(EXIT_USAGE,
				 "BALE-CLI-005 --query cannot be given with "
				 "--runs or --compare: the same commits always "
				 "give the same figures");
	if (option_given(line, OPTION_BUDGET) &&
	    line->run.budget_tokens == BUDGET_ALL)
		return exit_with(EXIT_USAGE,
				 "BALE-CLI-005 --query cannot be given with "
				 "--budget all: nothing is ranked then");
	if (line->run.operands.nr > 1)
		return exit_with(EXIT_USAGE,
				 "BALE-CLI-005 --query takes one PATH: a "
				 "directory in a git repository");
	return EXIT_COMPLETE;
}

static void
take_budgets(const struct command_line *line)
{
	static const uint64_t usual[] = { 8000, 32000, 128000 };

	memcpy(result.budgets, usual, sizeof(usual));
	result.budget_nr = ARRAY_LEN(usual);
	if (!option_given(line, OPTION_BUDGET))
		return;
	result.budgets[0] = line->run.budget_tokens;
	result.budget_nr = 1;
}

/* The past commits: an exit code, said. */
static int
list_tasks(const struct command_line *line, struct commit_tasks *tasks)
{
	const struct options *options = &line->run;
	const char *root = options->operands.items[0];
	static struct run run;
	int error;

	run.job = options->pack;
	run.memory_bytes = options->memory_bytes;
	run.object_bytes = options->memory_bytes / OBJECTS_SHARE;
	run.sandbox_layers = options->sandbox_layers;
	run.confine = sandbox_enter;
	tasks->wanted_nr = (uint32_t)line->bench.commit_nr;
	error = list_commits(&run, clock_now_ns() + LIST_NS, tasks);
	if (error == 0 && tasks->nr > 0)
		return EXIT_COMPLETE;
	if (error == 0)
		return exit_with(EXIT_NOTHING,
				 "%s: no commit changed existing code and has "
				 "a message of five words",
				 QUOTED(root));
	tasks->why[sizeof(tasks->why) - 1] = '\0';
	return exit_with(error == -ENOMEM ? EXIT_RESOURCES : EXIT_USAGE,
			 "%s: its commits cannot be read: %s", QUOTED(root),
			 tasks->why[0] != '\0' ? tasks->why
					       : diag_errno(error));
}

/* ---- a run --------------------------------------------------------------- */

struct run_task {
	struct hits *hits;
	uint64_t budget;
};

/* All options again, for this task. */
static int
alter(struct command_line *line, const void *context)
{
	static char parent[HEX_BYTES];
	const struct run_task *task = context;
	struct hits *hits = task->hits;
	struct options *run = &line->run;

	figure_hex(parent, hits->task->parent, COMMIT_OBJECT_BYTES);
	run->pack.rev = parent;
	run->query_text = hits->tasks->text + hits->task->message_off;
	run->budget_tokens = task->budget;
	line->from[OPTION_BUDGET] = FROM_COMMAND_LINE;
	line->from[OPTION_TOTAL] = FROM_DEFAULT;
	run->hits = hits;
	return command_line_complete(line) == 0
		       ? EXIT_COMPLETE
		       : exit_with(EXIT_USAGE, "%s", line->error);
}

/* A task with one budget: an exit code, said. */
static int
run_task(const struct command_line *line, struct hits *hits, uint64_t budget)
{
	const struct run_task task = { hits, budget };
	char said[BENCH_SAID_BYTES];
	int code;

	hits->is_known = false;
	memset(hits->files, 0, sizeof(hits->files));
	code = bench_pack(line, alter, &task, said);
	/* a tree with nothing in it that is packed is a miss */
	if (hits->is_known || code == EXIT_NOTHING)
		return EXIT_COMPLETE;
	return exit_with(code, "%s", said);
}

/* ---- all of them --------------------------------------------------------- */

static void
show_progress(const struct command_line *line, uint32_t task)
{
	if (line->run.quiet || isatty(STDERR_FILENO) != 1)
		return;
	if (task < result.tasks->nr)
		fprintf(stderr, "\r\033[Kcommit %u of %u", task + 1,
			result.tasks->nr);
	else
		fputs("\r\033[K", stderr);
}

static int
run_all(const struct command_line *line, struct hits *hits)
{
	const struct commit_tasks *tasks = result.tasks;
	int code = EXIT_COMPLETE;

	hits->tasks = tasks;
	for (uint32_t i = 0; i < tasks->nr && code == EXIT_COMPLETE; i++) {
		show_progress(line, i);
		hits->task = &tasks->tasks[i];
		for (uint32_t k = 0;
		     k < result.budget_nr && code == EXIT_COMPLETE; k++) {
			code = run_task(line, hits, result.budgets[k]);
			memcpy(result.hits[i][k], hits->files,
			       sizeof(hits->files));
		}
	}
	show_progress(line, tasks->nr);
	return code;
}

static int
print(const struct command_line *line)
{
	int error = line->run.json ? bench_query_write(&result, STDOUT_FILENO)
				   : bench_query_show(&result, stdout);

	return error == -EPIPE ? 128 + SIGPIPE : exit_cannot_write(NULL, error);
}

int
bench_query(struct command_line *line)
{
	struct commit_tasks *tasks = helper_memory(sizeof(*tasks));
	struct hits *hits = helper_memory(sizeof(*hits));
	int code = check(line);

	if (code == EXIT_COMPLETE && (tasks == NULL || hits == NULL))
		code = exit_out_of_memory();
	result.tasks = tasks;
	take_budgets(line);
	if (code == EXIT_COMPLETE)
		code = list_tasks(line, tasks);
	if (code == EXIT_COMPLETE)
		code = run_all(line, hits);
	if (code == EXIT_COMPLETE)
		code = print(line);
	if (tasks != NULL)
		munmap(tasks, sizeof(*tasks));
	if (hits != NULL)
		munmap(hits, sizeof(*hits));
	return code;
}
