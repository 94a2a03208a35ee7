/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_names.c - what stands before the paths of PATHs, of trees
 * that are there.
 */
#include "tests/support/test_dir.h"

#include "stages/collect/collect_io_names.h"

#define ROOTS_MAX 8

/* PATHs and their names, each with a blank between. */
static void
names_are(enum paths_mode mode, const char *typed, const char *want)
{
	char copy[512];
	char got[4096] = "";
	const char *roots[ROOTS_MAX];
	size_t nr = 0;
	char **names;

	snprintf(copy, sizeof(copy), "%s", typed);
	for (char *at = strtok(copy, " "); at != NULL; at = strtok(NULL, " "))
		roots[nr++] = at;
	ASSERT_EQ(collect_names(roots, nr, mode, &names), 0);
	for (size_t i = 0; i < nr; i++) {
		strcat(got, i > 0 ? " " : "");
		strcat(got, names[i]);
		free(names[i]);
	}
	free(names);
	if (strcmp(got, want) != 0)
		fail_msg("%s: got \"%s\", want \"%s\"", typed, got, want);
}

static int
make_trees(void **state)
{
	static const char *const dirs[] = { "a",     "a/src", "a/src/x", "b",
					    "b/src", "b/a",   "b/a/src", "a-b" };
	int result = dir_set_up(state);

	for (size_t i = 0; i < ARRAY_LEN(dirs) && result == 0; i++)
		result = mkdir(dirs[i], 0755);
	dir_write("a/f.c", "");
	dir_write("b/src/f.c", "");
	return result != 0 ? result : symlink("a", "link");
}

static void
test_collect_names_of_one_tree_are_none(void **state)
{
	names_are(PATHS_ROOT, "a", "");
	names_are(PATHS_ROOT, "./a//", "");
	names_are(PATHS_ROOT, "link", "");
	names_are(PATHS_ROOT, "/", "");
	names_are(PATHS_ROOT, "a a/src", " src/");
	names_are(PATHS_ROOT, "a/src/x a/src a", "src/x/ src/ ");
	names_are(PATHS_ROOT, "a link", " ");
	/* what is not there is said by whoever opens it */
	names_are(PATHS_ROOT, "a none/b", " ");
}

static void
test_collect_names_of_several_tell_them_apart(void **state)
{
	names_are(PATHS_ROOT, "a b", "a/ b/");
	names_are(PATHS_ROOT, "a-b a a/src", "a-b/ a/ a/src/");
	names_are(PATHS_ROOT, "a/src b/src", "a/src/ b/src/");
	names_are(PATHS_ROOT, "a/src b/a/src", "a/src/ b/a/src/");
	names_are(PATHS_ROOT, "a/src/x b/src", "x/ src/");
	/* no name is a directory of another one */
	names_are(PATHS_ROOT, "a/src b/a", "src/ a/");
	names_are(PATHS_ROOT, "a b/a/src b/src", "a/ b/a/src/ b/src/");
}

static void
test_collect_names_of_files_are_those_of_their_tree(void **state)
{
	names_are(PATHS_ROOT, "a/f.c", "a/");
	names_are(PATHS_ROOT, "a/f.c a", " ");
	names_are(PATHS_ROOT, "a/f.c b/src/f.c", "a/ b/src/");
	ASSERT_EQ(chdir("a/src"), 0);
	names_are(PATHS_ROOT, "../f.c", "");
	names_are(PATHS_ROOT, "../../b/src/f.c ../f.c", "src/ a/");
	names_are(PATHS_ROOT, "../../b/src/f.c .", "b/src/ a/src/");
}

static void
test_collect_names_by_place_are_paths(void **state)
{
	char absolute[3 * sizeof(dir_path)];
	char here[sizeof(dir_path)];

	ASSERT_TRUE(realpath(".", here) != NULL);
	names_are(PATHS_CWD, "a ./b/src/f.c . ..", "a/ b/src/  ../");
	ASSERT_EQ(chdir("a/src"), 0);
	names_are(PATHS_CWD, ".. ../../b/src/f.c x", "../ ../../b/src/ x/");
	snprintf(absolute, sizeof(absolute), "%s/a/ %s/b/src/ /", here, here);
	names_are(PATHS_ABSOLUTE, ".. ../../b/src/f.c /", absolute);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_collect_names_of_one_tree_are_none, make_trees,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_collect_names_of_several_tell_them_apart,
			make_trees, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_collect_names_of_files_are_those_of_their_tree,
			make_trees, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_collect_names_by_place_are_paths, make_trees,
			dir_tear_down),
	};

	return cmocka_run_group_tests_name("collect/names", tests, NULL, NULL);
}
