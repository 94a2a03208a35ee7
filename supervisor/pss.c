/* SPDX-License-Identifier: MIT */
/*
 * pss.c - how much memory the processes take.
 */
#include "supervisor/pss.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The line "KEY   123 kB" of a file; 0 if there is none. */
static uint64_t
figure_of(const char *path, const char *key)
{
	char text[2048];
	const char *line;
	ssize_t bytes;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	bytes = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (bytes <= 0)
		return 0;
	text[bytes] = '\0';
	line = strstr(text, key);
	return line == NULL ? 0 : strtoull(line + strlen(key), NULL, 10) * 1024;
}

static uint64_t
pss_of(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	return figure_of(path, "\nPss:");
}

uint64_t
rss_peak(void)
{
	return figure_of("/proc/self/status", "\nVmHWM:");
}

uint64_t
pss_now(const pid_t *pids, size_t nr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum = add_sat_u64(sum, pss_of(pids[i]));
	return sum;
}
