/* SPDX-License-Identifier: MIT */
/*
 * test_io_work_tree.c - work trees, with git at hand to make and list them.
 *
 * The tests that need git are skipped where there is none.
 */
#include "tests/support/test_git_tree.h"

static void
test_tree_tracked_files_are_kept_although_ignored(void **state)
{
	scratch_file("a.o", "\n");
	scratch_file("b.o", "\n");
	scratch_file("out/x/kept", "\n");
	scratch_file("out/x/other", "\n");
	scratch_file("out/y", "\n");
	scratch_file(".gitignore", "*.o\nout/\n");
	run("git init -q && git add -f a.o out/x/kept");
	expect_as_git(".gitignore\na.o\nout/x/kept\n");
}

static void
test_tree_other_repositories_are_not_entered(void **state)
{
	struct collect_options options = { SCRATCH_HERE };

	scratch_file("a", "\n");
	scratch_file("nested/f", "\n");
	scratch_file("module/f", "\n");
	scratch_file("broken/.git/x", "\n");
	scratch_file("broken/f", "\n");
	run("git init -q && git init -q nested && git init -q module && "
	    "git -C module commit -q --allow-empty -m x && "
	    "git add module 2>/dev/null && rm -r module/.git");
	scratch_expect(&options, "a\nbroken/f\n[repository] module/\n"
				 "[repository] nested/\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_tree_tracked_files_are_kept_although_ignored),
		TEST(test_tree_other_repositories_are_not_entered),
	};

	return cmocka_run_group_tests_name("git/io_work_tree", tests, NULL,
					   NULL);
}
