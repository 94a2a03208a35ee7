/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_roots.c - what the user named, opened and shown.
 */
#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_io_walk.h"

static struct collect_walk *
create(const char *const *roots, uint32_t nr)
{
	struct collect_options options = { .roots = roots, .root_nr = nr };
	struct collect_walk *walk;
	uint32_t bad;

	assert_int_equal(collect_walk_create(&walk, &options, &bad), 0);
	return walk;
}

static void
test_roots_are_shown_from_here(void **state)
{
	static const struct {
		const char *typed;
		const char *show;
		const char *name; /* of a file */
	} rows[] = {
		{ ".", "", NULL },	    { "./", "", NULL },
		{ "./d", "d/", NULL },	    { ".//d///", "d/", NULL },
		{ "d/../d", "d/", NULL }, 
		{ "d/f", "d/", "f" },	    { "./d/f", "d/", "f" },
		{ "top", "", "top" },	    { "./top", "", "top" },
		{ "to-d", "d/", NULL },  { "to-f", "", "to-f" },
		{ "nowhere", "", "nowhere" },
	};

	scratch_file("d/f", "\n");
	scratch_file("top", "\n");
	/* a link to a directory was named; one to a file is a file of the tree */
	assert_int_equal(symlink("d", "to-d"), 0);
	assert_int_equal(symlink("top", "to-f"), 0);
	assert_int_equal(symlink("gone", "nowhere"), 0);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct collect_walk *walk = create(&rows[i].typed, 1);
		const struct walk_root *root = &walk->roots[0];

		if (root->show_bytes != strlen(rows[i].show) ||
		    memcmp(root->show, rows[i].show, root->show_bytes) != 0)
			fail_msg("%s: shown as %.*s", rows[i].typed,
				 (int)root->show_bytes, root->show);
		if (rows[i].name == NULL)
			assert_null(root->name);
		else
			assert_string_equal(root->name, rows[i].name);
		collect_walk_destroy(walk);
	}
}

static void
test_roots_named_twice_are_known(void **state)
{
	static const char *const roots[] = { "d",   "d/f", "./d/", "d/f",
					     "d/g", "to",  "." };
	static const bool wants[] = { false, false, true, true,
				      false, true,  false };
	const struct file_identity *identity;
	struct collect_walk *walk;

	scratch_file("d/f", "\n");
	scratch_file("d/g", "\n");
	assert_int_equal(symlink("d", "to"), 0);
	walk = create(roots, ARRAY_LEN(roots));
	for (size_t i = 0; i < ARRAY_LEN(roots); i++)
		assert_int_equal(walk->roots[i].is_double, wants[i]);
	identity = &walk->roots[0].identity;
	assert_true(walk_is_root(walk, identity));
	assert_true(walk_is_root_file(walk, identity, "f"));
	assert_false(walk_is_root_file(walk, identity, "h"));
	assert_false(walk_is_root_file(walk, &walk->roots[6].identity, "f"));
	assert_false(walk_is_root(
		walk, &(struct file_identity){ identity->dev,
					       identity->ino + 1000000 }));
	collect_walk_destroy(walk);
}

static void
test_roots_file_is_opened_again_by_its_path_below(void **state)
{
	static const char *const roots[] = { "d", "." };
	struct collect_walk *walk;
	struct file_state file;
	char text[8] = "";
	int fd;

	scratch_file("d/e/f", "text");
	assert_int_equal(symlink("/etc/passwd", "d/out"), 0);
	walk = create(roots, 2);
	fd = collect_file_reopen(walk, 0, "d/e/f", 5, &file);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text)), 4);
	assert_string_equal(text, "text");
	assert_int_equal(file.bytes, 4);
	close(fd);
	fd = collect_file_reopen(walk, 1, "d/e/f", 5, &file);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(collect_file_reopen(walk, 0, "d/gone", 6, &file),
			 -ENOENT);
	assert_int_equal(collect_file_reopen(walk, 0, "d/out", 5, &file),
			 -ELOOP);
	assert_int_equal(collect_file_reopen(walk, 0, "d/e", 3, &file),
			 -EISDIR);
	/* no entry of that root */
	assert_int_equal(collect_file_reopen(walk, 0, "x/e/f", 5, &file),
			 -EINVAL);
	assert_int_equal(collect_file_reopen(walk, 0, "d/", 2, &file), -EINVAL);
	assert_int_equal(collect_file_reopen(walk, 2, "d/e/f", 5, &file),
			 -EINVAL);
	collect_walk_destroy(walk);
}

static void
test_roots_keep_their_options_and_outputs(void **state)
{
	static const char *const exclude[] = { "#x", "*.o" };
	struct file_identity outputs[] = { { 1, 2 }, { 3, 4 } };
	struct collect_options options = { SCRATCH_HERE,
					   .exclude = exclude,
					   .exclude_nr = 2,
					   .outputs = outputs,
					   .output_nr = 2,
					   .fd_max = 1 };
	struct collect_walk *walk;
	uint32_t bad;

	assert_int_equal(collect_walk_create(&walk, &options, &bad), 0);
	memset(outputs, 0, sizeof(outputs));
	assert_int_equal(walk->options.depth_max, 256);
	assert_int_equal(walk->options.fd_max, 2);
	assert_int_equal(walk->options.listing_bytes_max, 8 << 20);
	assert_null(walk->include);
	assert_true(rule_chain_names(walk->exclude, "#x", 2));
	assert_true(rule_chain_names(walk->exclude, "d/a.o", 5));
	assert_false(rule_chain_names(walk->exclude, "x", 1));
	assert_true(collect_walk_is_output(walk,
					   &(struct file_identity){ 3, 4 }));
	assert_false(collect_walk_is_output(walk,
					    &(struct file_identity){ 1, 4 }));
	assert_true(collect_walk_is_outside_git(walk));
	collect_walk_destroy(walk);
	/* in a work tree, also below its top */
	scratch_file(".git/HEAD", "ref: refs/heads/main\n");
	mkdir(".git/objects", 0755);
	mkdir(".git/refs", 0755);
	mkdir("d", 0755);
	assert_int_equal(chdir("d"), 0);
	assert_int_equal(collect_walk_create(&walk, &options, &bad), 0);
	assert_false(collect_walk_is_outside_git(walk));
	collect_walk_destroy(walk);
	assert_int_equal(chdir(".."), 0);
}

static void
test_roots_path_grows_as_it_must(void **state)
{
	struct path path = { 0 };
	char want[3000];

	for (int i = 0; i < 1000; i++) {
		char part[8];

		snprintf(part, sizeof(part), "%03d", i);
		memcpy(want + 3 * i, part, 3);
		assert_int_equal(path_append(&path, part, 3), 0);
	}
	assert_int_equal(path_append(&path, "", 0), 0);
	assert_int_equal(path.bytes, sizeof(want));
	assert_memory_equal(path.text, want, sizeof(want));
	free(path.text);
}

int
main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_roots_are_shown_from_here),
		TEST(test_roots_named_twice_are_known),
		TEST(test_roots_file_is_opened_again_by_its_path_below),
		TEST(test_roots_keep_their_options_and_outputs),
		TEST(test_roots_path_grows_as_it_must),
	};

	return cmocka_run_group_tests_name("collect/collect_io_roots", tests,
					   NULL, NULL);
}
