/* SPDX-License-Identifier: MIT */
/*
 * test_io_rules.c - files of rules, chained from the inside out.
 */
#include "tests/support/test_git_tree.h"

static void
test_tree_rules_hold_from_every_place(void **state)
{
	scratch_file("home/.config/git/ignore", "user\n");
	scratch_file("w/user", "\n");
	scratch_file("w/exclude", "\n");
	scratch_file("w/a/top", "\n");
	scratch_file("w/a/sub", "\n");
	scratch_file("w/a/kept", "\n");
	scratch_file("w/a/b/kept", "\n");
	scratch_file("w/.gitignore", "top\nkept\n");
	scratch_file("w/a/.gitignore", "sub\n!/kept\n");
	setenv("HOME", "home", 1);
	run("git init -q w && echo exclude >w/.git/info/exclude");
	{
		char home[4096];
		const char *const roots[] = { "w", "w/a/b" };
		struct collect_options options = { .roots = roots,
						   .root_nr = 1 };

		assert_non_null(getcwd(home, sizeof(home) - 8));
		strcat(home, "/home");
		setenv("HOME", home, 1);
		scratch_expect(&options, "w/.gitignore\nw/a/.gitignore\n"
					 "w/a/kept\n");
		/* ancestors' rules hold for a root within the tree, too */
		options.roots = roots + 1;
		scratch_expect(&options, "");
		setenv("HOME", "/nonexistent", 1);
		options.roots = roots;
		scratch_expect(&options, "w/.gitignore\nw/a/.gitignore\n"
					 "w/a/kept\nw/user\n");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_tree_rules_hold_from_every_place),
	};

	return cmocka_run_group_tests_name("git/io_rules", tests, NULL, NULL);
}
