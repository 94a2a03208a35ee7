/* SPDX-License-Identifier: MIT */
/*
 * test_io_find_repo.c - which repository a path is of, and which may not be read.
 */
#include "tests/support/test_git_repo.h"

static void
test_repo_is_found_from_wherever_it_is_named(void **state)
{
	need_git();
	shell("cd r; git worktree add -q ../tree side; cd ..; "
	      "git clone -q --bare r bare.git; git init -q super; cd super; "
	      "git -c protocol.file.allow=always submodule add ../r sub");
	expect_found("r", "");
	expect_found("r/src/in", "src/in/");
	expect_found("r/.git", "");
	expect_found("bare.git", "");
	expect_found("tree", "");
	expect_found("super/sub/src", "src/");
}

static void
test_repo_elsewhere_that_does_not_name_the_tree_is_refused(void **state)
{
	need_git();
	shell("mkdir thief link common; "
	      "printf 'gitdir: %s/r/.git\\n' $PWD > thief/.git; "
	      "ln -s $PWD/r/.git link/.git; mkdir -p common/.git; "
	      "cp r/.git/HEAD common/.git; "
	      "echo $PWD/r/.git > common/.git/commondir");
	expect_refused("thief", -EPERM, "does not name it as its work tree");
	expect_refused("link", -EPERM, "does not name it as its work tree");
	expect_refused("common", -EPERM, "does not name it as its work tree");
	expect_refused("/", -ENOENT, "not in a git repository");
}

static void
test_repo_that_borrows_objects_needs_their_owner_named(void **state)
{
	char why[REPO_WHY_BYTES];
	struct repo repo;

	need_git();
	shell("git clone -q -s r shared; git clone -q -s shared twice");
	expect_refused("shared", -EPERM, "borrows objects from");
	expect_refused("twice", -EPERM, "borrows objects from");
	assert_int_equal(find(&repo, "twice", ".", why), 0);
	repo_close(&repo);
	/* of a repository elsewhere that names the tree it is its owner's word */
	shell("mkdir away; mv shared/.git away/home; "
	      "git -C away/home config core.bare false; "
	      "git -C away/home config core.worktree $PWD/shared; "
	      "echo \"gitdir: $PWD/away/home\" >shared/.git");
	expect_found("shared", "");
	shell("rm shared/.git; mv away/home shared/.git; "
	      "git -C shared config --unset core.worktree");
	expect_refused("shared", -EPERM, "borrows objects from");
}

static void
test_repo_of_sha256_is_refused(void **state)
{
	need_git();
	shell("git init -q --object-format=sha256 long");
	expect_refused("long", -ENOTSUP, "not named by SHA-1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_repo_is_found_from_wherever_it_is_named),
		TEST(test_repo_elsewhere_that_does_not_name_the_tree_is_refused),
		TEST(test_repo_that_borrows_objects_needs_their_owner_named),
		TEST(test_repo_of_sha256_is_refused),
	};

	return cmocka_run_group_tests_name("git/io_find_repo", tests, NULL,
					   NULL);
}
