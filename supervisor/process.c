/* SPDX-License-Identifier: MIT */
/*
 * process.c - files of /proc, of one process each.
 */
#include "supervisor/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define TEXT_BYTES 2048

/* proc_pid_stat(5) */
enum {
	STATE_FIELD = 3,
	MINFLT_FIELD = 10,
	MAJFLT_FIELD = 12,
	UTIME_FIELD = 14,
	STIME_FIELD = 15
};

/* A file of a process, as text; false: there is no such process, or file. */
static bool
read_text(pid_t pid, const char *name, char text[static TEXT_BYTES])
{
	char path[64];
	ssize_t bytes;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bytes = read(fd, text, TEXT_BYTES - 1);
	close(fd);
	if (bytes <= 0)
		return false;
	text[bytes] = '\0';
	return true;
}

/* The line "KEY   123 kB" of a file; 0 if there is none. */
static uint64_t
figure_of(pid_t pid, const char *name, const char *key)
{
	char text[TEXT_BYTES];
	const char *line = NULL;

	if (read_text(pid, name, text))
		line = strstr(text, key);
	return line == NULL ? 0 : strtoull(line + strlen(key), NULL, 10) * 1024;
}

uint64_t
rss_peak(void)
{
	return figure_of(getpid(), "status", "\nVmHWM:");
}

uint64_t
pss_now(const pid_t *pids, size_t nr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum = add_sat_u64(sum,
				  figure_of(pids[i], "smaps_rollup", "\nPss:"));
	return sum;
}

/* Field `nr` of proc_pid_stat(5), of the text behind the name; 0: none. */
static uint64_t
field(const char *rest, int nr)
{
	for (int i = STATE_FIELD; i < nr && rest != NULL; i++)
		rest = strchr(rest + 1, ' ');
	return rest == NULL ? 0 : strtoull(rest, NULL, 10);
}

bool
process_use(pid_t pid, struct process_use *use)
{
	uint64_t tick_ns = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	char text[TEXT_BYTES];
	const char *rest;

	if (!read_text(pid, "stat", text))
		return false;
	/* a name may have blanks and brackets; nothing behind it has */
	rest = strrchr(text, ')');
	if (rest == NULL || rest[1] != ' ')
		return false;
	rest++;
	use->state = rest[1];
	use->faults = field(rest, MINFLT_FIELD) + field(rest, MAJFLT_FIELD);
	use->cpu_ns =
		(field(rest, UTIME_FIELD) + field(rest, STIME_FIELD)) * tick_ns;
	return true;
}

bool
process_is_in_kernel(pid_t pid)
{
	struct process_use use;

	return process_use(pid, &use) && (use.state == 'S' || use.state == 'D');
}
