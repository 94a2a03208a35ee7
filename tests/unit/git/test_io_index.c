/* SPDX-License-Identifier: MIT */
/*
 * test_io_index.c - what is tracked, from an index of any version.
 */
#include "tests/support/test_git_tree.h"

static void
test_tree_index_of_every_version_is_read(void **state)
{
	static const char *const formats[] = { "sha1", "sha256" };
	char command[512];

	for (int version = 2; version <= 4; version++) {
		for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
			char *got;

			snprintf(command, sizeof(command),
				 "rm -rf w && git init -q "
				 "--object-format=%s w && cd w && "
				 "mkdir -p long/path/of/names && "
				 "for i in `seq 300`; do "
				 "echo >long/path/of/names/file$i.o; done && "
				 "echo '*' >.gitignore && "
				 "git add -f long/path/of/names/*3.o && "
				 "git update-index --index-version %d",
				 formats[i], version);
			run(command);
			got = git_lists("w");
			assert_int_equal(chdir("w"), 0);
			scratch_expect(
				&(struct collect_options){ SCRATCH_HERE }, got);
			assert_int_equal(chdir(".."), 0);
			free(got);
		}
	}
}

static void
test_tree_broken_index_is_counted(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	struct collect_walk *walk;
	uint32_t bad_root;
	char *rest;

	scratch_file("a.o", "\n");
	scratch_file("b", "\n");
	scratch_file(".gitignore", "*.o\n");
	run("git init -q && git add -f a.o && echo junk >.git/index");
	assert_int_equal(collect_walk_create(&walk, &options, &bad_root), 0);
	rest = scratch_rest(walk);
	assert_string_equal(rest, ".gitignore\nb\n");
	assert_true(git_tree_lost_index(&walk->roots[0].tree));
	free(rest);
	collect_walk_destroy(walk);
}

/* It is read along with the walk: where it breaks off is seen when it is asked. */
static void
test_tree_index_that_breaks_off_is_told(void **state)
{
	static const uint32_t sizes[] = { 100, 12, 0 };
	struct collect_options options = { SCRATCH_HERE };
	struct collect_walk *walk;
	char command[128];
	uint32_t bad_root;
	char *rest;

	run("git init -q && for i in 1 2 3 4 5; do echo >a$i.o; done && echo "
	    "'*.o' >.gitignore && git add -f . && cp .git/index whole");
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		snprintf(command, sizeof(command),
			 "cp whole .git/index && [ %u = 0 ] || "
			 "truncate -s %u .git/index",
			 sizes[i], sizes[i]);
		run(command);
		assert_int_equal(
			collect_walk_create(&walk, &options, &bad_root), 0);
		rest = scratch_rest(walk);
		assert_int_equal(git_tree_lost_index(&walk->roots[0].tree),
				 sizes[i] != 0);
		assert_int_equal(strstr(rest, "a5.o") != NULL, sizes[i] == 0);
		free(rest);
		collect_walk_destroy(walk);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_tree_index_of_every_version_is_read),
		TEST(test_tree_broken_index_is_counted),
		TEST(test_tree_index_that_breaks_off_is_told),
	};

	return cmocka_run_group_tests_name("git/io_index", tests, NULL, NULL);
}
