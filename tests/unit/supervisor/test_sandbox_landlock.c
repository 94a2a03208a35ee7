/* SPDX-License-Identifier: MIT */
/*
 * test_sandbox_landlock.c - which files a stage may open, tried in a child each.
 */
#include "tests/support/test_sandbox_child.h"

static void
test_sandbox_open_without_a_right_fails(void **state)
{
	need(SANDBOX_SECCOMP);
	for (int s = STAGE_CHUNK; s < STAGE_NR; s++) {
		enum stage_id stage = (enum stage_id)s;

		expect(stage, child(stage, open_passwd), EPERM);
		expect(stage, child(stage, open_inside), EPERM);
	}
}

static int
read_inside(void)
{
	char text[8];
	int fd = open(inside, O_RDONLY | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0 ||
	    pread(fd, text, sizeof(text), 0) != 5)
		return errno;
	return close(fd) == 0 && memcmp(text, "text\n", 5) == 0 ? 0 : 1;
}

/* As the collector does it: beneath the root, no links. */
static int
open_beneath(void)
{
	struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
	};
	char entries[1024];
	int dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return errno;
	if (syscall(SYS_getdents64, dir, entries, sizeof(entries)) <= 0)
		return errno;
	return syscall(SYS_openat2, dir, "inside", &how, sizeof(how)) >= 0
		       ? 0
		       : errno;
}

static void
test_sandbox_collect_reads_below_its_reach_too(void **state)
{
	need(SANDBOX_LANDLOCK);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_outside), EACCES);
	reach.fds[0] = open(outside, O_PATH | O_CLOEXEC);
	reach.nr = 1;
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_outside), 0);
	expect(STAGE_CHUNK, child(STAGE_CHUNK, open_outside), EPERM);
	expect(STAGE_SELECT, child(STAGE_SELECT, open_outside), EPERM);
	close(reach.fds[0]);
	reach.nr = 0;
}

static void
test_sandbox_collect_below_the_root_reads(void **state)
{
	need(0);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, read_inside), 0);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_beneath), 0);
}

static int
open_above(void)
{
	char path[400];

	snprintf(path, sizeof(path), "%s/../outside", root);
	return try_open(path, O_RDONLY);
}

static int
open_link(void)
{
	return try_open(link_out, O_RDONLY);
}

static int
list_above(void)
{
	char path[400];

	snprintf(path, sizeof(path), "%s/..", root);
	return try_open(path, O_RDONLY | O_DIRECTORY);
}

static int
openat2_outside(void)
{
	struct open_how how = { .flags = O_RDONLY };

	return syscall(SYS_openat2, AT_FDCWD, outside, &how, sizeof(how)) >= 0
		       ? 0
		       : errno;
}

static void
test_sandbox_collect_outside_the_root_fails(void **state)
{
	static int (*const attempts[])(void) = {
		open_passwd, open_outside, open_above,
		open_link,   list_above,   openat2_outside,
	};

	need(SANDBOX_LANDLOCK);
	for (size_t i = 0; i < ARRAY_LEN(attempts); i++)
		expect(STAGE_COLLECT, child(STAGE_COLLECT, attempts[i]),
		       EACCES);
}

static int
open_to_write(void)
{
	return try_open(inside, O_WRONLY);
}

static int
openat2_to_write(void)
{
	struct open_how how = { .flags = O_RDWR };

	return syscall(SYS_openat2, AT_FDCWD, inside, &how, sizeof(how)) >= 0
		       ? 0
		       : errno;
}

static void
test_sandbox_collect_writing_below_the_root_fails(void **state)
{
	need(SANDBOX_LANDLOCK | SANDBOX_SECCOMP);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_to_write), EPERM);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, openat2_to_write), EACCES);
}

static void
test_sandbox_collect_with_a_file_as_root_reads_it_alone(void **state)
{
	const char *file_root[] = { inside };
	const char *const *roots = run.job.roots;

	need(SANDBOX_LANDLOCK);
	run.job.roots = file_root;
	expect(STAGE_COLLECT, child(STAGE_COLLECT, read_inside), 0);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_outside), EACCES);
	run.job.roots = roots;
}

static void
test_sandbox_root_that_is_not_there_gives_no_right(void **state)
{
	const char *no_root[] = { "/no/such/directory" };
	const char *const *roots = run.job.roots;

	need(SANDBOX_LANDLOCK);
	run.job.roots = no_root;
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_passwd), EACCES);
	run.job.roots = roots;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sandbox_open_without_a_right_fails),
		cmocka_unit_test(
			test_sandbox_collect_reads_below_its_reach_too),
		cmocka_unit_test(test_sandbox_collect_below_the_root_reads),
		cmocka_unit_test(test_sandbox_collect_outside_the_root_fails),
		cmocka_unit_test(
			test_sandbox_collect_writing_below_the_root_fails),
		cmocka_unit_test(
			test_sandbox_collect_with_a_file_as_root_reads_it_alone),
		cmocka_unit_test(
			test_sandbox_root_that_is_not_there_gives_no_right),
	};

	return cmocka_run_group_tests_name("supervisor/sandbox_landlock", tests,
					   set_up, tear_down);
}
