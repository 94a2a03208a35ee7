/* SPDX-License-Identifier: MIT */
/*
 * test_options_cpus.c - how many processors there are to use.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/command_line.h"

static void
write_file(const char *dir, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void
test_cgroup_quota_is_the_least_on_the_way_up(void **state)
{
	const char *scratch = getenv("TMPDIR");
	char dir[256];
	char group[512];

	snprintf(dir, sizeof(dir), "%s/bale-cgroup.XXXXXX",
		 scratch == NULL ? "/tmp" : scratch);
	assert_non_null(mkdtemp(dir));
	assert_int_equal(cgroup_cpu_quota(dir, "/a/b"), 0);
	snprintf(group, sizeof(group), "%s/a", dir);
	assert_int_equal(mkdir(group, 0755), 0);
	write_file(dir, "a/cpu.max", "150000 100000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a/gone"), 2);
	assert_int_equal(cgroup_cpu_quota(dir, "/"), 0);
	write_file(dir, "cpu.max", "50000 100000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a"), 1);
	write_file(dir, "cpu.max", "max 100000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a"), 2);
	write_file(dir, "a/cpu.max", "1000000000 1000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a"), LANES_MAX);
	snprintf(group, sizeof(group), "%s/a/cpu.max", dir);
	unlink(group);
	write_file(dir, "a/cpu.cfs_quota_us", "-1\n");
	write_file(dir, "a/cpu.cfs_period_us", "100000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a"), 0);
	write_file(dir, "a/cpu.cfs_quota_us", "300000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a"), 3);
	snprintf(group, sizeof(group), "%s/a/cpu.cfs_quota_us", dir);
	unlink(group);
	snprintf(group, sizeof(group), "%s/a/cpu.cfs_period_us", dir);
	unlink(group);
	snprintf(group, sizeof(group), "%s/cpu.max", dir);
	unlink(group);
	snprintf(group, sizeof(group), "%s/a", dir);
	rmdir(group);
	rmdir(dir);
}

static void
test_options_cpu_nr_is_a_sensible_number(void **state)
{
	assert_in_range(options_cpu_nr(), 1, LANES_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cgroup_quota_is_the_least_on_the_way_up),
		cmocka_unit_test(test_options_cpu_nr_is_a_sensible_number),
	};

	return cmocka_run_group_tests_name("cli/options_cpus", tests, NULL,
					   NULL);
}
