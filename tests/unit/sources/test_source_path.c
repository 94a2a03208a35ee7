/* SPDX-License-Identifier: MIT */
/*
 * test_source_path.c - paths below roots by their names.
 */
#include "tests/support/test_source_rig.h"

#include "sources/source_impl.h"

static void
test_path_absolute_paths_have_no_dots(void **state)
{
	static const char *const rows[][3] = {
		{ "/w", "a.c", "/w/a.c" },
		{ "/w", "/x/a.c", "/x/a.c" },
		{ "/w/v", "../a.c", "/w/a.c" },
		{ "/w", "./a//b/./c/", "/w/a/b/c" },
		{ "/w", "../../../a", "/a" },
		{ "/", "a", "/a" },
		{ "/w", "..", "/" },
		{ "/w/", "...", "/w/..." },
		{ "", "x/../y", "/y" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *got = source_absolute(rows[i][0], rows[i][1],
					    strlen(rows[i][1]));

		assert_string_equal(got, rows[i][2]);
		free(got);
	}
}

/* What a path is of several roots, the deepest first; a link is not followed. */
static void
test_path_is_of_the_deepest_root(void **state)
{
	static const char *const roots[] = { ".", "sub", "sub/one.c" };
	static const char *const opens[] = { "sub/a.c",	  "sub/one.c",
					     "top.c",	  "sub/../top.c",
					     "sub/out.c", "a.c" };

	mkdir("sub", 0755);
	dir_write("top.c", "x\n");
	dir_write("sub/a.c", "x\n");
	dir_write("sub/one.c", "x\n");
	assert_int_equal(symlink("/etc/passwd", "sub/out.c"), 0);
	rig_scope.roots = roots;
	rig_scope.root_nr = 3;
	for (size_t i = 0; i < ARRAY_LEN(opens); i++)
		text_list_add(&rig_options.opens, opens[i]);
	/* "a.c" is where a tool was that ran in the second root */
	ASSERT_BUILT("top.c all open_file; 1:a.c all open_file; "
		     "1:out.c all open_file; 2:one.c all open_file");
	ASSERT_EQ(rig_list.statuses[4].refused, 1); /* and said to be a link */
	ASSERT_EQ(rig_list.statuses[0].refused, 0);
}

static void
test_path_what_is_elsewhere_is_refused(void **state)
{
	static const char *const opens[] = { "../x", "/etc/passwd", "gone.c",
					     ".", "/" };

	for (size_t i = 0; i < ARRAY_LEN(opens); i++)
		text_list_add(&rig_options.opens, opens[i]);
	ASSERT_BUILT("");
	for (size_t i = 0; i < ARRAY_LEN(opens); i++)
		ASSERT_EQ(rig_list.statuses[i].refused, 1);
	ASSERT_TRUE(rig_list.is_degraded);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path_absolute_paths_have_no_dots),
		CASE(test_path_is_of_the_deepest_root),
		CASE(test_path_what_is_elsewhere_is_refused),
	};

	return cmocka_run_group_tests_name("sources/source_path", tests, NULL,
					   NULL);
}
