/* SPDX-License-Identifier: MIT */
/*
 * test_select_directories.c - the tree of directories of an overview.
 */
#include "tests/support/test_select_planner.h"

static char text[DIRECTORIES_ROOM];

static void
add(const char *path, uint64_t bytes)
{
	struct file_facts *facts = add_file(path, 0, REASON_NONE);

	add_chunk(10, file_nr + 1);
	facts->bytes = bytes;
}

static const char *
tree_of(uint64_t budget, uint32_t root_nr)
{
	size_t nr;

	rig.run.job.budget_tokens = budget;
	rig.run.job.root_nr = root_nr;
	plan_open(budget);
	nr = plan_write_directories(&plan, text, sizeof(text) - 1);
	text[nr] = '\0';
	return text;
}

static const char *
tree(uint64_t budget)
{
	return tree_of(budget, 1);
}

static void
test_directories_have_the_text_below_them(void **state)
{
	add("a.c", 400);
	add("b/c/d/x.c", 4000);
	add("b/c/y.c", 400);
	add("b/z.c", 4);
	add("c/c/x.c", 8000000);
	add_file("node_modules/", 0, REASON_DEPENDENCY);
	assert_string_equal(tree(100000), "b/ 1k\n  c/ 1k\nc/ 2.0M\n  c/ 2.0M\n");
}

/* A PATH within another one names files that come after all of the other's. */
static void
test_directories_that_come_back_are_one(void **state)
{
	add("b/c/x.c", 4000);
	add("c/c/x.c", 4000);
	add("b/a/x.c", 8000);
	add("b/c/y.c", 4000);
	add("c/x.c", 4000);
	assert_string_equal(tree(100000),
			    "b/ 4k\n  c/ 2k\n  a/ 2k\nc/ 2k\n  c/ 1k\n");
}

/* Small ones of the last level go first; then there is none. */
static void
test_directories_are_left_out_until_there_is_room(void **state)
{
	char path[32];

	for (int i = 0; i < 300; i++) {
		snprintf(path, sizeof(path), "a/d%03d/x.c", i);
		add(path, i < 290 ? 4000 : 400000);
	}
	assert_int_equal(strncmp(tree(3000), "a/ 1.2M\n  d290/ 100k\n", 21), 0);
	plan_close();
	assert_string_equal(tree(20), "");
}

static void
test_directories_of_several_roots_begin_with_them(void **state)
{
	static const char *const paths[] = { "/w/one/a/x.c", "/w/one/y.c",
					     "/w/two/b/z.c", "three/c/v.c" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		add(paths[i], 4000);
		/* "/w/one/" */
		catalogue_file(&rig.run.catalogue, i)->root_bytes =
			i == 3 ? 6 : 7;
	}
	assert_string_equal(tree_of(100000, 3),
			    "/w/one/ 2k\n  a/ 1k\n/w/two/ 1k\n  b/ 1k\n"
			    "three/ 1k\n  c/ 1k\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_directories_have_the_text_below_them),
		PLAN_CASE(test_directories_that_come_back_are_one),
		PLAN_CASE(test_directories_are_left_out_until_there_is_room),
		PLAN_CASE(test_directories_of_several_roots_begin_with_them),
	};

	return cmocka_run_group_tests_name("select/select_directories", tests,
					   NULL, NULL);
}
