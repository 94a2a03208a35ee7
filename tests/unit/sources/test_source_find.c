/* SPDX-License-Identifier: MIT */
/*
 * test_source_find.c - places of a log by the ends of their paths, in a tree
 * that is a list of names.
 */
#include "tests/support/test_source_rig.h"

/* What a walk of the trees gives. */
struct tree {
	const char *paths[16];
	int tries;
	int fails; /* so many walks, */
	int error; /* with this */
};

static int
walk(const void *trees, uint64_t deadline_ns, source_file_fn *fn, void *context)
{
	struct tree *tree = (struct tree *)(uintptr_t)trees;

	if (tree->tries++ < tree->fails)
		return tree->error;
	for (int i = 0; tree->paths[i] != NULL; i++) {
		int error = fn(context, 0, tree->paths[i],
			       strlen(tree->paths[i]));

		if (error != 0)
			return error;
	}
	return 0;
}

static const char *
find(const char *log, const struct tree *tree)
{
	dir_write("log", log);
	rig_scope.walk = walk;
	rig_scope.trees = tree;
	rig_options.tools.nr = 0;
	text_list_add(&rig_options.tools, "log");
	return rig_build();
}

/* The path that is the only one to end so, part by part; brute force. */
static const char *
only_end(const struct tree *tree, const char *name)
{
	const char *found = NULL;

	for (int i = 0; tree->paths[i] != NULL; i++) {
		size_t whole = strlen(tree->paths[i]);
		size_t bytes = strlen(name);

		if (bytes > whole ||
		    strcmp(tree->paths[i] + whole - bytes, name) != 0 ||
		    (bytes < whole && tree->paths[i][whole - bytes - 1] != '/'))
			continue;
		if (found != NULL)
			return NULL;
		found = tree->paths[i];
	}
	return found;
}

static void
test_find_takes_the_only_file_that_ends_so(void **state)
{
	struct tree tree = {
		.paths = { "lib/src/a.c", "lib/src/b.c", "lib/x.c", "x.c",
			   "tools/a.c", "tools/src/c.c", "xa.c" }
	};
	static const char *const names[] = { "src/a.c", "a.c",	   "x.c",
					     "b.c",	"c.c",	   "rc/a.c",
					     "lib/x.c", "src/b.c", "z/b.c",
					     "xa.c" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *want = only_end(&tree, names[i]);
		char log[64];
		char text[128] = "";

		snprintf(log, sizeof(log), "%s:7: error\n", names[i]);
		if (want != NULL)
			snprintf(text, sizeof(text), "%s 7-7 reference; ",
				 want);
		strcat(text, "@log all tool_result");
		assert_string_equal(find(log, &tree), text);
	}
}

/* On another machine the tree lay elsewhere, under its own name. */
static void
test_find_knows_the_name_of_the_tree(void **state)
{
	struct tree tree = { .paths = { "src/a.c", "b.c" } };
	const char *name = strrchr(dir_path, '/') + 1;
	char log[512];

	snprintf(log, sizeof(log),
		 "/srv/ci/%s/src/a.c:3: x\n/srv/%s/b.c:4: x\n"
		 "/srv/other/b.c:5: x\n/srv/%s/gone/b.c:6: x\n",
		 name, name, name);
	assert_string_equal(find(log, &tree), "b.c 4-4 reference; "
					      "src/a.c 3-3 reference; "
					      "@log all tool_result");
}

/* The directory that a tool was in comes first. */
static void
test_find_looks_below_the_directory_that_is_said(void **state)
{
	struct tree tree = { .paths = { "a/lib/x.c", "b/lib/x.c",
						     "b/y.c" } };

	assert_string_equal(
		find("make: Entering directory '/w/b/lib'\nx.c:1: e\n"
		     "make: Leaving directory '/w/b/lib'\nx.c:2: e\n"
		     "y.c:3: e\n",
		     &tree),
		"b/y.c 3-3 reference; @log all tool_result");
	assert_string_equal(find("make: Entering directory 'b/lib'\nx.c:1: e\n",
				 &tree),
			    "b/lib/x.c 1-1 reference; @log all tool_result");
}

static void
test_find_walks_again_where_the_process_ends(void **state)
{
	struct tree tree = { .paths = { "d/a.c" },
			     .fails = 2,
			     .error = -ECHILD };

	assert_string_equal(find("a.c:1: e\n", &tree),
			    "d/a.c 1-1 reference; @log all tool_result");
	ASSERT_EQ(tree.tries, 3);
	ASSERT_TRUE(!rig_list.is_degraded);
	tree.tries = 0;
	tree.fails = 3;
	assert_string_equal(find("a.c:1: e\n", &tree), "@log all tool_result");
	ASSERT_EQ(tree.tries, 3);
	ASSERT_TRUE(rig_list.is_degraded);
	/* time is not to be had a second time */
	tree.tries = 0;
	tree.error = -ETIMEDOUT;
	assert_string_equal(find("a.c:1: e\n", &tree), "@log all tool_result");
	ASSERT_EQ(tree.tries, 1);
	ASSERT_TRUE(rig_list.is_degraded);
}

/* What is there as it is written needs no walk. */
static void
test_find_does_not_walk_without_need(void **state)
{
	struct tree tree = { .paths = { "d/a.c" } };

	dir_write("a.c", "x\n");
	assert_string_equal(find("a.c:1: e\n", &tree),
			    "a.c 1-1 reference; @log all tool_result");
	ASSERT_EQ(tree.tries, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_find_takes_the_only_file_that_ends_so),
		CASE(test_find_knows_the_name_of_the_tree),
		CASE(test_find_looks_below_the_directory_that_is_said),
		CASE(test_find_walks_again_where_the_process_ends),
		CASE(test_find_does_not_walk_without_need),
	};

	return cmocka_run_group_tests_name("sources/source_find", tests, NULL,
					   NULL);
}
