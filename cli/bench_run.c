/* SPDX-License-Identifier: MIT */
/*
 * bench_run.c - one run of pack, whose output nobody keeps.
 */
#include "cli/bench.h"

#include <errno.h>
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

/* In a process of its own. */
static _Noreturn void
be_run(const struct command_line *from, bench_alter_fn *alter,
       const void *context, int said_fd)
{
	static struct command_line line;
	struct options *run = &line.run;
	int code;

	command_child_begin(-1, said_fd);
	line = *from;
	line.command = COMMAND_PACK;
	run->output_path = "/dev/null";
	run->progress = PROGRESS_NEVER;
	run->quiet = true;
	options_keep_nothing(run);
	code = alter(&line, context);
	command_child_end(code == EXIT_COMPLETE ? cmd_pack(&line) : code);
}

int
bench_pack(const struct command_line *line, bench_alter_fn *alter,
	   const void *context, char said[static BENCH_SAID_BYTES])
{
	struct helper helper;
	int said_fd = memfd_create("bale-said", MFD_CLOEXEC);
	int code = EXIT_RESOURCES;
	int status = 0;
	pid_t pid = said_fd < 0 ? -errno : helper_fork(&helper, true);

	if (pid == 0)
		be_run(line, alter, context, said_fd);
	if (pid > 0 && helper_wait(&helper, &status) == 0)
		code = WIFEXITED(status) ? WEXITSTATUS(status)
					 : 128 + WTERMSIG(status);
	*said = '\0';
	if (said_fd >= 0) {
		command_child_said(said_fd, said, BENCH_SAID_BYTES);
		close(said_fd);
	}
	if (*said == '\0')
		snprintf(said, BENCH_SAID_BYTES, "a run cannot be started");
	return code;
}

struct measuring {
	const struct bench_case *it;
	struct outcome *outcome;
};

/* All options are complete. */
static int
alter(struct command_line *line, const void *context)
{
	const struct measuring *measuring = context;
	struct options *run = &line->run;

	use_processors(measuring->it->worker_nr);
	run->outcome = measuring->outcome;
	run->worker_nr = measuring->it->worker_nr;
	run->worker_nr_given = true;
	run->pack.io = (enum io_kind)measuring->it->io;
	return EXIT_COMPLETE;
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

int
bench_run(const struct command_line *line, struct bench_case *it,
	  struct bench_result *result)
{
	const struct measuring measuring = { it, helper_memory(sizeof(
							 *measuring.outcome)) };
	const struct outcome *outcome = measuring.outcome;
	struct used before = used_by_children();
	uint64_t begun = clock_now_ns();
	char said[BENCH_SAID_BYTES];
	struct used after;
	uint64_t wall_ns;
	int code;

	if (outcome == NULL)
		return exit_with(EXIT_RESOURCES, "a run cannot be started");
	code = bench_pack(line, alter, &measuring, said);
	wall_ns = clock_now_ns() - begun;
	after = used_by_children();
	if (outcome->is_known && code != EXIT_NOTHING) {
		code = EXIT_COMPLETE; /* a file that changes is no matter */
		add_value(&it->wall_ns, wall_ns);
		add_used(it, &before, &after);
		add_outcome(it, result, outcome);
	}
	munmap(measuring.outcome, sizeof(*outcome));
	return code == EXIT_COMPLETE ? code : exit_with(code, "%s", said);
}
