/* SPDX-License-Identifier: MIT */
/*
 * test_list_trees.c - the names that a walk gives, from another process, and
 * what becomes of one that does not end.
 */
#include "tests/support/test_dir.h"

#include "base/child_process.h"
#include "base/clock.h"
#include "supervisor/supervisor.h"

/* What the other process tells. */
static struct told {
	pid_t pid;
	uint32_t nr;
	char names[512];
	bool writes; /* to what is our stdout */
} * told;

static struct run run;

static int
set_up(void **state)
{
	static const char *const roots[] = { "t" };

	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(told != MAP_FAILED);
	ASSERT_EQ(dir_set_up(state), 0);
	ASSERT_EQ(mkdir("t", 0700), 0);
	ASSERT_EQ(mkdir("t/d", 0700), 0);
	dir_write("t/b.c", "b\n");
	dir_write("t/d/a.c", "a\n");
	run = (struct run){ .output_fd = -1, .lane_nr = 1 };
	run.job.roots = roots;
	run.job.root_nr = 1;
	run.job.max_file_bytes = UINT64_MAX;
	run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&run.job);
	return 0;
}

static int
tear_down(void **state)
{
	munmap(told, sizeof(*told));
	return dir_tear_down(state);
}

static uint64_t
in_ms(uint64_t ms)
{
	return clock_now_ns() + ms * NS_PER_MS;
}

static int
tell(void *context, uint32_t root, const char *path, size_t bytes)
{
	struct stat null;
	struct stat out;
	size_t at = strlen(told->names);

	if (context != &run || root != 0)
		return -EINVAL;
	told->pid = getpid();
	told->nr++;
	snprintf(told->names + at, sizeof(told->names) - at, "%.*s ",
		 (int)bytes, path);
	told->writes = fstat(STDOUT_FILENO, &out) != 0 ||
		       stat("/dev/null", &null) != 0 ||
		       out.st_rdev != null.st_rdev;
	return 0;
}

/* In order of paths; nothing is written, and the other process is gone. */
static void
test_list_trees_tells_what_a_run_would_find(void **state)
{
	ASSERT_EQ(list_trees(&run, in_ms(10000), tell, &run), 0);
	assert_string_equal(told->names, "b.c d/a.c ");
	ASSERT_TRUE(told->pid > 0 && told->pid != getpid());
	ASSERT_TRUE(!told->writes);
	ASSERT_EQ(waitpid(-1, NULL, WNOHANG), -1);
	ASSERT_EQ(errno, ECHILD);
}

static int
refuse(void *context, uint32_t root, const char *path, size_t bytes)
{
	told->nr++;
	return -E2BIG;
}

static int
die(void *context, uint32_t root, const char *path, size_t bytes)
{
	raise(SIGKILL);
	return 0;
}

static int
hang(void *context, uint32_t root, const char *path, size_t bytes)
{
	for (;;)
		pause();
	return 0;
}

static void
test_list_trees_ends_with_what_it_is_told(void **state)
{
	ASSERT_EQ(list_trees(&run, in_ms(10000), refuse, &run), -E2BIG);
	ASSERT_EQ(told->nr, 1);
	ASSERT_EQ(list_trees(&run, in_ms(10000), die, &run), -ECHILD);
	ASSERT_EQ(waitpid(-1, NULL, WNOHANG), -1);
}

/* One that hangs is killed at the deadline; at once if that is over. */
static void
test_list_trees_ends_at_its_deadline(void **state)
{
	uint64_t begun = clock_now_ns();

	ASSERT_EQ(list_trees(&run, in_ms(30), hang, &run), -ETIMEDOUT);
	ASSERT_TRUE(clock_now_ns() - begun >= 30 * NS_PER_MS);
	ASSERT_EQ(waitpid(-1, NULL, WNOHANG), -1);
	ASSERT_EQ(list_trees(&run, begun, hang, &run), -ETIMEDOUT);
	ASSERT_EQ(waitpid(-1, NULL, WNOHANG), -1);
}

/* The reason comes from the other process. */
static void
test_list_commits_needs_a_repository(void **state)
{
	struct commit_tasks *tasks = helper_memory(sizeof(*tasks));

	ASSERT_TRUE(tasks != NULL);
	ASSERT_EQ(list_commits(&run, in_ms(10000), tasks), -ENOENT);
	assert_string_equal(tasks->why, "it is not in a git repository");
	munmap(tasks, sizeof(*tasks));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_list_trees_tells_what_a_run_would_find),
		CASE(test_list_trees_ends_with_what_it_is_told),
		CASE(test_list_trees_ends_at_its_deadline),
		CASE(test_list_commits_needs_a_repository),
	};

	return cmocka_run_group_tests_name("supervisor/list_trees", tests, NULL,
					   NULL);
}
