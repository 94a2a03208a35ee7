/* SPDX-License-Identifier: MIT */
/*
 * test_io_git_dir.c - what .git leads to.
 */
#include "tests/support/test_git_tree.h"

static void
test_tree_worktree_and_gitdir_files_are_followed(void **state)
{
	const char *const roots[] = { "other" };
	struct collect_options options = { .roots = roots, .root_nr = 1 };

	scratch_file("main/a.o", "\n");
	scratch_file("main/.gitignore", "*.o\n");
	run("git init -q main && cd main && git add -f . && "
	    "git commit -q -m x && git worktree add -q ../other && "
	    "echo x >.git/info/exclude");
	scratch_file("other/x", "\n");
	scratch_file("other/b.o", "\n");
	scratch_file("other/y", "\n");
	scratch_expect(&options, "other/.gitignore\nother/a.o\nother/y\n");
}

/* A folder of several repositories: each is listed as git would. */
static void
test_tree_below_a_root_without_git_begins_there(void **state)
{
	struct collect_options options = { SCRATCH_HERE };

	scratch_file(".gitignore", "kept\n");
	scratch_file("kept", "\n");
	scratch_file("one/kept", "\n");
	scratch_file("one/.hidden", "\n");
	scratch_file("one/x", "\n");
	scratch_file("one/y/z.o", "\n");
	scratch_file("two/kept", "\n");
	run("git init -q one && echo x >one/.git/info/exclude && "
	    "echo '*.o' >one/.gitignore && git -C one add -f y/z.o");
	scratch_expect(&options, ".gitignore\none/.gitignore\none/.hidden\n"
				 "one/kept\none/y/z.o\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_tree_worktree_and_gitdir_files_are_followed),
		TEST(test_tree_below_a_root_without_git_begins_there),
	};

	return cmocka_run_group_tests_name("git/io_git_dir", tests, NULL,
					   NULL);
}
