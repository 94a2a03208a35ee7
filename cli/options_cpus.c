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

static bool
read_line(const char *path, char *line, int size)
{
	FILE *file = fopen(path, "re");
	bool is_read;

	if (file == NULL)
		return false;
	is_read = fgets(line, size, file) != NULL;
	fclose(file);
	return is_read;
}

static uint32_t
round_up_quota(long long quota, long long period)
{
	if (quota <= 0 || period <= 0)
		return 0;
	return (uint32_t)min_u64((uint64_t)((quota - 1) / period + 1),
				 LANES_MAX);
}

/* The quota written in one directory of the control groups; 0: none. */
static uint32_t
quota_of(const char *dir)
{
	char path[PATH_BYTES];
	char line[64];
	long long quota;
	long long period;

	if (snprintf(path, sizeof(path), "%s/cpu.max", dir) <
		    (int)sizeof(path) &&
	    read_line(path, line, sizeof(line)))
		return sscanf(line, "%lld %lld", &quota, &period) == 2
			       ? round_up_quota(quota, period)
			       : 0; /* "max" */
	if (snprintf(path, sizeof(path), "%s/cpu.cfs_quota_us", dir) >=
		    (int)sizeof(path) ||
	    !read_line(path, line, sizeof(line)) ||
	    sscanf(line, "%lld", &quota) != 1)
		return 0;
	if (snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", dir) >=
		    (int)sizeof(path) ||
	    !read_line(path, line, sizeof(line)) ||
	    sscanf(line, "%lld", &period) != 1)
		return 0;
	return round_up_quota(quota, period);
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
	char *controllers = strchr(line, ':');
	char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');

	if (path == NULL)
		return 0;
	*path++ = '\0';
	path[strcspn(path, "\n")] = '\0';
	controllers++;
	if (*controllers == '\0')
		return cgroup_cpu_quota("/sys/fs/cgroup", path);
	for (char *word = controllers; word != NULL;) {
		char *next = strchr(word, ',');
		size_t bytes =
			next == NULL ? strlen(word) : (size_t)(next - word);

		if (bytes == 3 && memcmp(word, "cpu", 3) == 0)
			return cgroup_cpu_quota("/sys/fs/cgroup/cpu", path);
		word = next == NULL ? NULL : next + 1;
	}
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
