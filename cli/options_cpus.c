/* SPDX-License-Identifier: MIT */
/*
 * options_cpus.c - how many processors we may use.
 *
 * Does: asks the affinity mask and the control group, version 2 or 1.
 * Limits: a quota of one and a half processors counts as two.
 */
#include "cli/command_line.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#define PATH_BYTES 4096

static uint32_t
round_up_quota(long long quota, long long period)
{
	if (quota <= 0 || period <= 0)
		return 0;
	return (uint32_t)min_u64((uint64_t)((quota - 1) / period + 1),
				 LANES_MAX);
}

/* Reads up to two numbers that a file of a directory begins with: how many. */
static int
read_numbers(const char *dir, const char *name, long long *first,
	     long long *second)
{
	char path[PATH_BYTES];
	FILE *file = NULL;
	int nr = 0;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) <
	    (int)sizeof(path))
		file = fopen(path, "re");
	if (file == NULL)
		return 0;
	nr = fscanf(file, "%lld %lld", first, second);
	fclose(file);
	return nr;
}

/* The quota written in one directory of the control groups; 0: none. */
static uint32_t
quota_of(const char *dir)
{
	long long quota = 0;
	long long period = 0;
	long long rest;

	/* version 2, or 1; of "max" no number is read */
	if (read_numbers(dir, "cpu.max", &quota, &period) == 2 ||
	    (read_numbers(dir, "cpu.cfs_quota_us", &quota, &rest) > 0 &&
	     read_numbers(dir, "cpu.cfs_period_us", &period, &rest) > 0))
		return round_up_quota(quota, period);
	return 0;
}

uint32_t
cgroup_cpu_quota(const char *mount, const char *path)
{
	char dir[PATH_BYTES];
	size_t mount_bytes = strlen(mount);
	uint32_t least = 0;

	if (snprintf(dir, sizeof(dir), "%s%s", mount, path) >= (int)sizeof(dir))
		return 0;
	for (;;) {
		uint32_t quota = quota_of(dir);
		char *slash;

		if (quota != 0 && (least == 0 || quota < least))
			least = quota;
		slash = strrchr(dir + mount_bytes, '/');
		if (slash == NULL)
			return least;
		*slash = '\0';
	}
}

/* A line of /proc/self/cgroup: id:controllers:path. */
static uint32_t
quota_of_line(char *line)
{
	char *path = line;
	char *controllers;
	const char *word;

	path[strcspn(path, "\n")] = '\0';
	strsep(&path, ":");
	controllers = strsep(&path, ":");
	if (path == NULL)
		return 0;
	while ((word = strsep(&controllers, ",")) != NULL)
		if (*word == '\0')
			return cgroup_cpu_quota("/sys/fs/cgroup", path);
		else if (strcmp(word, "cpu") == 0)
			return cgroup_cpu_quota("/sys/fs/cgroup/cpu", path);
	return 0;
}

static uint32_t
cgroup_quota(void)
{
	char line[PATH_BYTES];
	FILE *file = fopen("/proc/self/cgroup", "re");
	uint32_t least = 0;

	if (file == NULL)
		return 0;
	while (fgets(line, sizeof(line), file) != NULL) {
		uint32_t quota = quota_of_line(line);

		if (quota != 0 && (least == 0 || quota < least))
			least = quota;
	}
	fclose(file);
	return least;
}

uint32_t
options_cpu_nr(void)
{
	cpu_set_t set;
	uint32_t nr = 1;
	uint32_t quota = cgroup_quota();

	/* fails on machines of more than 1024 processors: more than we use */
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		nr = LANES_MAX;
	else if (CPU_COUNT(&set) > 0)
		nr = (uint32_t)min_u64((uint64_t)CPU_COUNT(&set), LANES_MAX);
	return quota != 0 && quota < nr ? quota : nr;
}
