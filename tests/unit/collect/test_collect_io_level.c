/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_level.c - directories on the way: what they hold, and what is
 * given up and had again.
 */
#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_io_walk.h"

#define DEPTH 24

static uint32_t
open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	uint32_t nr = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		nr++;
	closedir(dir);
	return nr;
}

/* A file and an ignore file in each directory of a deep path. */
static void
make_deep_tree(void)
{
	char path[256] = "";

	for (int i = 0; i < DEPTH; i++) {
		char name[300];

		strcat(path, "d/");
		snprintf(name, sizeof(name), "%sa.c", path);
		scratch_file(name, "\n");
		snprintf(name, sizeof(name), "%sz.o", path);
		scratch_file(name, "\n");
		snprintf(name, sizeof(name), "%s.gitignore", path);
		scratch_file(name, i % 2 == 0 ? "*.o\n" : "*.o\n!z.o\n");
	}
}

static void
test_level_few_descriptors_are_held_and_all_memory_comes_back(void **state)
{
	for (uint32_t fds = 2; fds < 6; fds++) {
		struct collect_options options = { SCRATCH_HERE,
						   .fd_max = fds };
		uint32_t before = open_files();
		struct collect_walk *walk;
		struct collect_entry entry;
		uint32_t bad;
		size_t left;
		int nr = 0;

		if (fds == 2)
			make_deep_tree();
		assert_int_equal(collect_walk_create(&walk, &options, &bad), 0);
		left = walk->rules.left_bytes;
		while (collect_walk_next(walk, &entry) == 1) {
			nr++;
			assert_true(walk->open_nr <= fds);
			/* and the root's */
			assert_true(open_files() <= before + fds + 1);
		}
		/* a.c and .gitignore of each, and z.o of every second */
		assert_int_equal(nr, DEPTH * 2 + DEPTH / 2);
		assert_int_equal(walk->level_nr, 0);
		assert_int_equal(walk->open_nr, 0);
		assert_int_equal(walk->rules.left_bytes, left);
		collect_walk_destroy(walk);
		assert_int_equal(open_files(), before);
	}
}

/* A directory that was closed is opened again only if it is the same. */
static void
test_level_directory_that_was_swapped_is_not_gone_on_with(void **state)
{
	struct collect_options options = { SCRATCH_HERE, .fd_max = 2 };
	struct collect_walk *walk;
	struct collect_entry entry;
	uint32_t bad;
	char *rest;

	scratch_file("a/b/c/d/e/f", "\n");
	scratch_file("a/b/c/d/z", "\n");
	scratch_file("a/b/c/z", "\n");
	scratch_file("a/b/z", "\n");
	scratch_file("a/z", "\n");
	assert_int_equal(collect_walk_create(&walk, &options, &bad), 0);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	assert_string_equal(entry.name, "f");
	assert_int_equal(rename("a/b", "gone"), 0);
	scratch_file("a/b/z", "of another\n");
	rest = scratch_rest(walk);
	assert_string_equal(rest, "a/b/c/d/z\n[vanished] a/b/c/\n"
				  "[changed] a/b/\na/z\n");
	free(rest);
	collect_walk_destroy(walk);
}

/* A level is what it was behind one that could not be entered. */
static void
test_level_that_cannot_be_entered_leaves_the_walk_as_it_was(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	struct collect_walk *walk;
	struct collect_entry entry;
	enum reason reason = REASON_NONE;
	struct level like;
	uint32_t bad;
	int fd;

	scratch_file("a.c", "\n");
	scratch_file("b.c", "\n");
	assert_int_equal(collect_walk_create(&walk, &options, &bad), 0);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	like = *top_level(walk);
	/* what is no directory cannot be listed */
	fd = open("a.c", O_RDONLY | O_CLOEXEC);
	assert_int_equal(level_enter(walk, &like, fd, &reason), 0);
	assert_int_equal(reason, REASON_VANISHED); /* ENOTDIR */
	assert_int_equal(walk->level_nr, 1);
	assert_int_equal(walk->open_nr, 0);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	assert_string_equal(entry.name, "b.c");
	assert_true(is_shortage(-EMFILE) && is_shortage(-ENFILE) &&
		    is_shortage(-ENOMEM));
	assert_false(is_shortage(0) || is_shortage(-ENOENT));
	collect_walk_destroy(walk);
}

int
main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_level_few_descriptors_are_held_and_all_memory_comes_back),
		TEST(test_level_directory_that_was_swapped_is_not_gone_on_with),
		TEST(test_level_that_cannot_be_entered_leaves_the_walk_as_it_was),
	};

	return cmocka_run_group_tests_name("collect/collect_io_level", tests,
					   NULL, NULL);
}
