/* SPDX-License-Identifier: MIT */
/*
 * test_collect_list_worker.c - the files of a run without a run.
 */
#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_worker.h"

struct names {
	char text[1024];
	int most; /* then -ENOSPC */
};

static int
add(void *context, uint32_t root, const char *path, size_t bytes)
{
	struct names *names = context;

	if (names->most-- == 0)
		return -ENOSPC;
	snprintf(names->text + strlen(names->text),
		 sizeof(names->text) - strlen(names->text), "%u:%.*s ", root,
		 (int)bytes, path);
	return 0;
}

static int
list(const struct run *run, const char *want)
{
	struct names names = { .most = 100 };
	int error = collect_list(run, add, &names);

	if (want != NULL)
		assert_string_equal(names.text, want);
	return error;
}

static int confined;

static int
confine(const struct run *run, enum stage_id stage, const struct reach *reach)
{
	confined += stage == STAGE_COLLECT && reach->nr == 0;
	return confined > 1 ? -EPERM : 0;
}

static void
test_list_is_what_a_run_would_take(void **state)
{
	static const char *const roots[] = { "b", "." };
	static const char *const excludes[] = { "*.o" };
	struct run run = { .job = { .roots = roots, .root_nr = 2 } };
	struct names few = { .most = 1 };

	scratch_file("a.c", "\n");
	scratch_file("b/c.c", "\n");
	scratch_file("b/d.o", "\n");
	scratch_file("id_rsa", "\n");
	scratch_file("x.c", "\n");
	scratch_file(".ignore", "x.c\n");
	assert_int_equal(symlink("a.c", "link"), 0);
	/* by roots, paths below them; nothing of what is left out */
	assert_int_equal(list(&run, "0:c.c 0:d.o 1:.ignore 1:a.c "), 0);
	run.job.excludes = excludes;
	run.job.exclude_nr = 1;
	run.job.no_ignore = true;
	assert_int_equal(list(&run, "0:c.c 1:.ignore 1:a.c 1:x.c "), 0);
	assert_int_equal(collect_list(&run, add, &few), -ENOSPC);
	assert_string_equal(few.text, "0:c.c ");
}

/* The same exception as a run makes: outside of git, rules that leave nothing
 * are off. */
static void
test_list_without_rules_that_leave_nothing(void **state)
{
	static const char *const includes[] = { "*" };
	struct run run = { .job = { .roots = scratch_here, .root_nr = 1 } };

	scratch_file("a", "\n");
	scratch_file(".gitignore", "*\n");
	assert_int_equal(list(&run, "0:.gitignore 0:a "), 0);
	run.job.includes = includes;
	run.job.include_nr = 1;
	assert_int_equal(list(&run, ""), 0);
}

/* Roots are opened before the process shuts itself in, files after it. */
static void
test_list_is_made_confined(void **state)
{
	struct run run = { .job = { .roots = scratch_here, .root_nr = 1 },
			   .confine = confine };

	scratch_file("a", "\n");
	assert_int_equal(list(&run, "0:a "), 0);
	assert_int_equal(confined, 1);
	assert_int_equal(list(&run, ""), -EPERM);
	run.job.root_nr = 0;
	assert_int_equal(list(&run, ""), -EINVAL);
	assert_int_equal(confined, 2);
}

int
main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_list_is_what_a_run_would_take),
		TEST(test_list_without_rules_that_leave_nothing),
		TEST(test_list_is_made_confined),
	};

	return cmocka_run_group_tests_name("collect/collect_list_worker",
					   tests, NULL, NULL);
}
