/* SPDX-License-Identifier: MIT */
/*
 * main.c - the command line to a command.
 */
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fault.h"
#include "base/signals.h"
#include "base/unique.h"
#include "window/broker.h"
#include "cli/command_line.h"
#include "supervisor/sandbox.h"
#include "base/stream.h"
#include "supervisor/supervisor.h"
#include "report/warnings.h"

#define FILES_MIN 16       /* descriptors */
#define FILES_MIN_RUN 24   /* where there are workers, one of each stage */
#define FILES_WANTED 16384 /* each PATH is one */
#define STACK_MIN_KIB 256
#define LARGE_BYTES (1 << 20)

/*
 * A process may be born without 0, 1 or 2; then a file of ours would become
 * one of them and get what is meant for people. What stands in for them fails
 * to be read or written: an output that goes nowhere is not complete.
 */
static void
open_standard_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null",
				    fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* The limit that is in force is a low one for old programs; the one above it is
 * what may be had. */
static void
raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
	    limit.rlim_cur >= FILES_WANTED)
		return;
	limit.rlim_cur =
		limit.rlim_max < FILES_WANTED ? limit.rlim_max : FILES_WANTED;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

/* With fewer, one step or another of each command fails for want of one, and
 * few of them can tell that from what they fail for otherwise. */
static bool
has_descriptors(unsigned least)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= least)
		return true;
	diag_log(DIAG_ERROR,
		 "no more than %ju files may be open, the least is %u; raise "
		 "the limit (ulimit -n)",
		 limit.rlim_cur, least);
	return false;
}

/* Blocks of 64 KiB lie there, and JSON of 2,048 levels takes 192 KiB in its
 * parser; who overflows it can say nothing. */
static bool
has_stack(void)
{
	const rlim_t least = STACK_MIN_KIB << 10;
	struct rlimit limit;
	rlim_t was;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least)
		return true;
	was = limit.rlim_cur;
	limit.rlim_cur = least;
	if (limit.rlim_max >= least && setrlimit(RLIMIT_STACK, &limit) == 0)
		return true;
	diag_log(DIAG_ERROR,
		 "the stack may have no more than %ju KiB, the least is %d; "
		 "raise the limit (ulimit -s)",
		 was >> 10, STACK_MIN_KIB);
	return false;
}

/* Directories are counted by their files: that is what bale tree does. */
static void
follow_directories(struct command_line *line)
{
	struct options *run = &line->run;
	size_t nr = 0;
	struct stat st;

	if (line->command != COMMAND_COUNT || run->print_ids)
		return;
	while (nr < run->operands.nr &&
	       stat(run->operands.items[nr], &st) == 0 && S_ISDIR(st.st_mode))
		nr++;
	if (nr == 0 || nr < run->operands.nr)
		return;
	line->command = COMMAND_TREE;
	run->totals_only = true;
}

int
main(int argc, char **argv)
{
	static struct command_line line;
	const struct options *run = &line.run;
	char run_id[33]; /* names this run in all that it says */
	int code = EXIT_USAGE;
#ifdef BALE_DEBUG
	static _Atomic unsigned long fault_hits;

	fault_init("bale", &fault_hits);
#endif

	/* a large block goes back to the kernel as soon as it is free */
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	signals_init();
	open_standard_descriptors();
	stream_take_stdout();
	raise_descriptors();
	if (!has_descriptors(FILES_MIN) || !has_stack())
		return EXIT_RESOURCES;
	snprintf(run_id, sizeof(run_id), "%016jx%016jx", unique_u64(),
		 unique_u64());
	diag_init(STDERR_FILENO, DIAG_WARN, false, run_id);
	if (command_line_parse(argc, argv, &line) != 0) {
		diag_log(DIAG_ERROR, "%s", line.error);
		command_line_fini(&line);
		return EXIT_USAGE;
	}
	follow_directories(&line);
	diag_init(STDERR_FILENO, run->log_level, run->log_json, run_id);
	warnings_keep();
	code = EXIT_RESOURCES;
	if (option_is_of(line.command, OPTION_WORKERS) &&
	    !has_descriptors(FILES_MIN_RUN))
		goto out;
	code = command_line_run(&line);
out:
	FAULT("done");
	broker_end();
	command_line_fini(&line);
	return code;
}
