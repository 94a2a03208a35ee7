/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_command.c - paths of calls.
 */
#include "tests/support/test_command.h"

#include "cli/mcp.h"

static char root[PATH_MAX];
static const char *roots[2];
static struct mcp_scope scope;

static int
set_up(void **state)
{
	int error = command_set_up(state);

	if (error != 0 || mkdir("in", 0755) != 0 ||
	    mkdir("in/deep", 0755) != 0 || mkdir("inner", 0755) != 0 ||
	    realpath("in", root) == NULL)
		return 1;
	dir_write("in/deep/a.c", "int a;\n");
	dir_write("inner/secret", "x\n");
	roots[0] = root;
	scope = (struct mcp_scope){ .roots = roots, .root_nr = 1 };
	return symlink("../inner", "in/out") != 0 ||
	       symlink("deep", "in/way") != 0 ||
	       symlink("../inner/secret", "in/file") != 0;
}

/* The path below the root; NULL: it is refused. */
static const char *
below(const char *path)
{
	static char found[PATH_MAX];
	char why[256];
	char *real = mcp_path_below(&scope, path, why, sizeof(why));

	if (real == NULL) {
		assert_non_null(strstr(why, "there is no such path below"));
		return NULL;
	}
	snprintf(found, sizeof(found), "%s", real + strlen(root));
	free(real);
	return found;
}

static void
test_mcp_command_takes_paths_below_the_roots_alone(void **state)
{
	char absolute[PATH_MAX + 16];

	assert_string_equal(below("deep/a.c"), "/deep/a.c");
	assert_string_equal(below("."), "");
	assert_string_equal(below("deep/../deep/./a.c"), "/deep/a.c");
	assert_string_equal(below("way/a.c"), "/deep/a.c");
	/* pack follows no link to a file */
	assert_string_equal(below("file"), "/file");
	snprintf(absolute, sizeof(absolute), "%s/deep", root);
	assert_string_equal(below(absolute), "/deep");
	assert_null(below(".."));
	assert_null(below("../inner"));
	assert_null(below("../inner/secret"));
	assert_null(below("out"));
	assert_null(below("out/secret"));
	assert_null(below("/"));
	assert_null(below("nowhere"));
}

/* Why a path is refused. */
static const char *
why_not(const char *path)
{
	static char why[256];

	assert_null(mcp_path_below(&scope, path, why, sizeof(why)));
	return why;
}

static void
test_mcp_command_says_what_a_path_should_have_been(void **state)
{
	static const struct {
		const char *path;
		const char *hint;
	} cases[] = {
		{ "a/deep/a.c", "; did you mean deep/a.c?" },
		{ "/workspace/in/deep/a.c", "; did you mean deep/a.c?" },
		{ "deeep", "; did you mean deep?" },
		{ "deep/*.c", "; include takes patterns" },
		{ "nowhere/b.c", "; find finds a file by its name" },
		/* what lies elsewhere does not exist */
		{ "a/../../inner/secret", "; find finds a file by its name" },
		{ "a/out/secret", "; find finds a file by its name" },
		{ "a/", "; find finds a file by its name" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (strstr(why_not(cases[i].path), cases[i].hint) == NULL)
			fail_msg("%s", why_not(cases[i].path));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_mcp_command_takes_paths_below_the_roots_alone,
			set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_mcp_command_says_what_a_path_should_have_been,
			set_up, dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/mcp_command", tests, NULL,
					   NULL);
}
