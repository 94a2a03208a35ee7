/* SPDX-License-Identifier: MIT */
/*
 * test_source_build.c - ranges of all sources, merged.
 */
#include "tests/support/test_source_rig.h"

#include "sources/source_impl.h"

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
		CASE(test_build_ranges_that_touch_become_one),
		CASE(test_build_same_lines_are_asked_for_once),
		CASE(test_build_stdin_is_for_one_option),
	};

	return cmocka_run_group_tests_name("sources/source_build", tests, NULL,
					   NULL);
}
