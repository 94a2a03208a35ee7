/* SPDX-License-Identifier: MIT */
/*
 * test_source_build.c - paths below roots by their names, ranges merged.
 */
#include "tests/support/test_source_rig.h"

#include "sources/source_impl.h"

static void
test_build_absolute_paths_have_no_dots(void **state)
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
test_build_path_is_of_the_deepest_root(void **state)
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
test_build_what_is_elsewhere_is_refused(void **state)
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

#define LINES 400
#define RANGES 60

/* All lines that were asked for are in one range each, and no other line is;
 * chunks begin where a range does, and behind its end. */
static void
test_build_ranges_that_touch_become_one(void **state)
{
	uint64_t seed = 0xb01d;

	dir_write("a.c", "x\n");
	for (int round = 0; round < 30; round++) {
		static char names[RANGES][32];
		bool wanted[LINES + 2] = { false };
		bool joined[LINES + 2] = { false }; /* to the line before */
		const struct source_file *file;
		uint32_t at = 0;
		uint32_t boundary = 0;

		rig_options.references.nr = 0;
		rig_options.overlap_threshold = 0;
		for (int i = 0; i < RANGES; i++) {
			uint64_t first = 1 + random_next(&seed) % (LINES - 8);
			uint64_t last = first + random_next(&seed) % 8;

			snprintf(names[i], sizeof(names[i]), "a.c:%llu-%llu",
				 (unsigned long long)first,
				 (unsigned long long)last);
			text_list_add(&rig_options.references, names[i]);
			for (uint64_t line = first; line <= last; line++) {
				wanted[line] = true;
				joined[line] |= line > first;
			}
		}
		rig_build();
		ASSERT_EQ(rig_list.sources.file_nr, 1);
		file = rig_list.sources.files;
		for (uint64_t line = 1; line <= LINES; line++) {
			const struct source_request *request =
				&rig_list.sources.requests[at];
			uint64_t last = line;

			if (!wanted[line])
				continue;
			while (joined[last + 1])
				last++;
			ASSERT_TRUE(at < file->request_nr);
			ASSERT_EQ(request->line_first, line);
			ASSERT_EQ(request->line_last, last);
			ASSERT_EQ(request->reach, last);
			ASSERT_EQ(rig_list.boundaries[boundary++], line);
			if (!wanted[last + 1])
				ASSERT_EQ(rig_list.boundaries[boundary++],
					  last + 1);
			at++;
			line = last;
		}
		ASSERT_EQ(at, file->request_nr);
		ASSERT_EQ(boundary, file->boundary_nr);
	}
}

/* Of the same lines the request stays that is worth most; with a time, the
 * older ones only if they are worth more. */
static void
test_build_same_lines_are_asked_for_once(void **state)
{
	dir_write("a.c", "x\n");
	dir_write("s", "a.c:5:x\na.c:5:x\na.c:7:x\n");
	text_list_add(&rig_options.references, "a.c:5");
	text_list_add(&rig_options.searches, "s");
	ASSERT_BUILT("a.c 5-5 search_result; a.c 7-7 search_result");
	/* they overlap, and of what is then the same one is left */
	ASSERT_EQ(rig_list.overlaps_merged, 2);
	dir_write("j",
		  "{\"type\":\"reference\",\"path\":\"a.c\",\"lines\":5,"
		  "\"timestamp\":100}\n"
		  "{\"type\":\"reference\",\"path\":\"a.c\",\"lines\":5,"
		  "\"timestamp\":50}\n"
		  "{\"type\":\"open_file\",\"path\":\"a.c\",\"lines\":5,"
		  "\"timestamp\":10}\n");
	rig_options.references.nr = 0;
	rig_options.searches.nr = 0;
	rig_scope.no_dedup = true;
	text_list_add(&rig_options.source_files, "j");
	/* the best by rank comes last */
	rig_build();
	ASSERT_EQ(rig_list.sources.request_nr, 2);
	ASSERT_EQ(rig_list.newest_ns, 100000000000);
	for (int i = 0; i < 2; i++)
		ASSERT_TRUE(rig_list.requests[i].time_ns != 50000000000);
}

static void
test_build_stdin_is_for_one_option(void **state)
{
	text_list_add(&rig_options.tools, "-");
	text_list_add(&rig_options.searches, "-");
	ASSERT_EQ(source_list_build(&rig_list, &rig_options, &rig_scope),
		  -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_build_absolute_paths_have_no_dots),
		CASE(test_build_path_is_of_the_deepest_root),
		CASE(test_build_what_is_elsewhere_is_refused),
		CASE(test_build_ranges_that_touch_become_one),
		CASE(test_build_same_lines_are_asked_for_once),
		CASE(test_build_stdin_is_for_one_option),
	};

	return cmocka_run_group_tests_name("sources/source_build", tests, NULL,
					   NULL);
}
