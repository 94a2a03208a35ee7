/* SPDX-License-Identifier: MIT */
/*
 * bench_run.c - one run of pack, whose output nobody keeps.
 */
#include "cli/bench.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/exit_code.h"
#include "cli/command_child.h"

#define SAID_BYTES 512
#define BLOCK_BYTES 512 /* what ru_inblock counts */

/* To the first so many of the processors that it may use. */
static void
use_processors(uint32_t nr)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		if (nr == 0)
			CPU_CLR(cpu, &set);
		else
			nr--;
	}
	sched_setaffinity(0, sizeof(set), &set);
}

/* In a process of its own, with all options complete. */
static _Noreturn void
be_run(const struct command_line *from, const struct bench_case *it,
       struct outcome *outcome, int said_fd)
{
	static struct command_line line;
	struct options *run = &line.run;

	command_child_begin(-1, said_fd);
	use_processors(it->worker_nr);
	line = *from;
	line.command = COMMAND_PACK;
	run->output_path = "/dev/null";
	run->outcome = outcome;
	run->worker_nr = it->worker_nr;
	run->worker_nr_given = true;
	run->pack.io = (enum io_kind)it->io;
	run->progress = PROGRESS_NEVER;
	run->quiet = true;
	options_keep_nothing(run);
	command_child_end(cmd_pack(&line));
}

/* Of all children that have been waited for, and of theirs. */
struct used {
	uint64_t cpu_ns;
	uint64_t disk_bytes;
	uint64_t machine_ns; /* processor time of all programs; 0: unknown */
};

/* What all processors have done since the machine was started, by its first
 * line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
static uint64_t
used_by_machine(void)
{
	uint64_t ticks[8] = { 0 };
	long hertz = sysconf(_SC_CLK_TCK);
	FILE *file = fopen("/proc/stat", "re");

	if (file == NULL)
		return 0;
	if (fscanf(file, "cpu %ju %ju %ju %ju %ju %ju %ju %ju", &ticks[0],
		   &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5],
		   &ticks[6], &ticks[7]) != 8)
		hertz = 0;
	fclose(file);
	return hertz <= 0 ? 0
			  : (ticks[0] + ticks[1] + ticks[2] + ticks[5] +
			     ticks[6] + ticks[7]) *
				    (NS_PER_S / (uint64_t)hertz);
}

static uint64_t
time_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S +
	       (uint64_t)time->tv_usec * 1000;
}

static struct used
used_by_children(void)
{
	struct rusage usage = { .ru_inblock = 0 };

	getrusage(RUSAGE_CHILDREN, &usage);
	return (struct used){
		.cpu_ns = time_ns(&usage.ru_utime) + time_ns(&usage.ru_stime),
		.disk_bytes = (uint64_t)usage.ru_inblock * BLOCK_BYTES,
		.machine_ns = used_by_machine(),
	};
}

static void
add_value(struct bench_series *series, uint64_t value)
{
	if (series->nr < BENCH_RUNS_MAX)
		series->values[series->nr++] = value;
}

static void
add_used(struct bench_case *it, const struct used *before,
	 const struct used *after)
{
	uint64_t cpu_ns = after->cpu_ns - before->cpu_ns;
	uint64_t all_ns = after->machine_ns - before->machine_ns;

	add_value(&it->cpu_ns, cpu_ns);
	add_value(&it->disk_bytes, after->disk_bytes - before->disk_bytes);
	add_value(&it->other_ns, all_ns - min_u64(cpu_ns, all_ns));
}

static void
add_outcome(struct bench_case *it, struct bench_result *result,
	    const struct outcome *outcome)
{
	it->peak_bytes = max_u64(it->peak_bytes, outcome->peak_pss_bytes);
	for (int i = 0; i < STAGE_NR; i++) {
		const struct outcome_stage *from = &outcome->stages[i];
		struct outcome_stage *to = &it->stages[i];

		to->worker_nr = from->worker_nr;
		to->cpu_ns += from->cpu_ns;
		to->busy_ns += from->busy_ns;
		to->wait_ns += from->wait_ns;
		to->queued += from->queued;
		to->room += from->room;
	}
	result->files = outcome->files_seen;
	result->bytes = outcome->content_bytes;
	result->tokens = outcome->tokens;
}

/* Starts it and waits: an exit code, and what it said. */
static int
run_once(const struct command_line *line, const struct bench_case *it,
	 struct outcome *outcome, int said_fd)
{
	struct helper helper;
	int status = 0;
	pid_t pid = helper_fork(&helper, true);

	if (pid == 0)
		be_run(line, it, outcome, said_fd);
	if (pid < 0 || helper_wait(&helper, &status) != 0)
		return EXIT_RESOURCES;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int
bench_run(const struct command_line *line, struct bench_case *it,
	  struct bench_result *result)
{
	struct outcome *outcome = helper_memory(sizeof(*outcome));
	int said_fd = memfd_create("bale-said", MFD_CLOEXEC);
	struct used before = used_by_children();
	uint64_t begun = clock_now_ns();
	char said[SAID_BYTES] = "";
	struct used after;
	uint64_t wall_ns;
	int code = EXIT_RESOURCES;

	if (outcome != NULL && said_fd >= 0)
		code = run_once(line, it, outcome, said_fd);
	wall_ns = clock_now_ns() - begun;
	after = used_by_children();
	if (said_fd >= 0) {
		command_child_said(said_fd, said, sizeof(said));
		close(said_fd);
	}
	if (outcome != NULL && outcome->is_known && code != EXIT_NOTHING) {
		code = EXIT_COMPLETE; /* a file that changes is no matter */
		add_value(&it->wall_ns, wall_ns);
		add_used(it, &before, &after);
		add_outcome(it, result, outcome);
	}
	if (outcome != NULL)
		munmap(outcome, sizeof(*outcome));
	if (code != EXIT_COMPLETE)
		return exit_with(code, "%s",
				 *said != '\0' ? said
					       : "a run cannot be started");
	return code;
}
