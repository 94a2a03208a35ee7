/* SPDX-License-Identifier: MIT */
/*
 * test_io_settings.c - settings of the user and of a repository.
 */
#include "tests/support/test_git_tree.h"

/* Who made the tree made its settings: they may not name files outside. */
static void
test_tree_own_settings_do_not_lead_out(void **state)
{
	scratch_file("outside", "a\n");
	scratch_file("w/inside", "b\n");
	scratch_file("w/a", "\n");
	scratch_file("w/b", "\n");
	run("git init -q w && cd w && "
	    "git config core.excludesFile \"$(dirname $PWD)/outside\" && "
	    "git config include.path ../../outside");
	{
		const char *const roots[] = { "w" };
		struct collect_options options = { .roots = roots,
						   .root_nr = 1 };

		scratch_expect(&options, "w/a\nw/b\nw/inside\n");
		run("git -C w config core.excludesFile inside");
		scratch_expect(&options, "w/a\nw/inside\n");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_tree_own_settings_do_not_lead_out),
	};

	return cmocka_run_group_tests_name("git/io_settings", tests, NULL,
					   NULL);
}
