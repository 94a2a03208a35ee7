/* SPDX-License-Identifier: MIT */
/*
 * test_source_take.c - each option that names a source, into requests.
 */
#include "tests/support/test_source_rig.h"

/* No file of the trees is elsewhere. */
static int
walk_nothing(const void *trees, uint64_t deadline_ns, source_file_fn *fn,
	     void *context)
{
	return 0;
}

static int
set_up(void **state)
{
	int error = rig_set_up(state);

	rig_scope.walk = walk_nothing;
	dir_write("a.c", "1\n2\n3\n");
	dir_write("b c.h", "1\n");
	mkdir("d", 0755);
	dir_write("d/e.c", "1\n");
	return error;
}

/* verifies: FR-016-16 */
static void
test_take_options_have_their_categories(void **state)
{
	dir_write("hits", "a.c:2:x\nd/e.c:1:y\n");
	dir_write("log", "d/e.c:9: error\n");
	text_list_add(&rig_options.opens, "a.c");
	text_list_add(&rig_options.references, "d/e.c:3-4");
	text_list_add(&rig_options.searches, "hits");
	text_list_add(&rig_options.tools, "log");
	rig_scope.no_dedup = true;
	ASSERT_BUILT("a.c all open_file; a.c 2-2 search_result; "
		     "d/e.c 1-1 search_result; d/e.c 3-4! reference; "
		     "d/e.c 9-9 reference; @log all tool_result");
	ASSERT_EQ(rig_list.status_nr, 4);
	for (size_t i = 0; i < 4; i++)
		ASSERT_EQ(rig_list.statuses[i].error, 0);
}

/* Lines around a hit are these lines and no others, and none before the
 * first. */
static void
test_take_search_has_lines_around_it(void **state)
{
	dir_write("hits", "a.c:2:x\nd/e.c:40:y\n");
	text_list_add(&rig_options.searches, "hits");
	rig_options.search_context = 3;
	ASSERT_BUILT("a.c 1-5! search_result; d/e.c 37-43! search_result");
}

/* Names with blanks, with numbers between colons and of Windows. */
static void
test_take_names_are_found_however_a_tool_writes_them(void **state)
{
	dir_write("x:7", "1\n");
	dir_write("log",
		  "In b c.h:5: error\nx:7:8: note\nd\\e.c(6): error\n"
		  "see http://a.c:80/ and gone.c:4: too\n");
	text_list_add(&rig_options.tools, "log");
	ASSERT_BUILT("b c.h 5-5 reference; d/e.c 6-6 reference; "
		     "@log all tool_result");
	/* the colons are of a search's own form */
	dir_write("hits", "x:7:8:text\nb c.h:1:y\n");
	rig_options.tools.nr = 0;
	text_list_add(&rig_options.searches, "hits");
	ASSERT_BUILT("b c.h 1-1 search_result; x:7 8-8 search_result");
}

static void
test_take_texts_of_one_name_are_told_apart(void **state)
{
	static const char lines[] =
		"{\"type\":\"tool_result\",\"name\":\"n\",\"content\":\"one\"}\n"
		"{\"type\":\"open_file\",\"name\":\"n\",\"content\":\"two2\"}\n"
		"\n{\"type\":\"reference\",\"content\":\"three\"}\n"
		"{\"type\":\"tool_result\",\"name\":\"n (2)\","
		"\"content\":\"4\"}\n";
	const struct sources *sources = &rig_list.sources;
	char text[32] = "";

	dir_write("j", lines);
	text_list_add(&rig_options.source_files, "j");
	ASSERT_BUILT("@n all tool_result; @n (2) all open_file; "
		     "@n (2) (2) all tool_result; @reference all reference");
	/* one behind the other in the file of texts, in the order of lines */
	ASSERT_EQ(pread(rig_list.text_fd, text, sizeof(text) - 1, 0), 13);
	assert_string_equal(text, "onetwo2three4");
	ASSERT_EQ(sources->files[0].text_off, 0);
	ASSERT_EQ(sources->files[0].text_bytes, 3);
	ASSERT_EQ(sources->files[1].text_off, 3);
	ASSERT_EQ(sources->files[1].text_bytes, 4);
	ASSERT_EQ(sources->files[2].text_off, 12);
	ASSERT_EQ(sources->files[3].text_off, 7);
}

/* A log's lines that say what went wrong, and how many lines there are. */
static void
test_take_log_keeps_its_errors(void **state)
{
	dir_write("one", "ok\nerror: x\nok\n");
	dir_write("two", "fatal\nok\nfailed\nok\n");
	text_list_add(&rig_options.tools, "one");
	text_list_add(&rig_options.tools, "two");
	ASSERT_BUILT("@one all tool_result; @two all tool_result");
	ASSERT_EQ(rig_list.files[0].line_nr, 3);
	ASSERT_EQ(rig_list.files[0].error_nr, 1);
	ASSERT_EQ(rig_list.errors[rig_list.files[0].error_first], 2);
	ASSERT_EQ(rig_list.files[1].line_nr, 4);
	ASSERT_EQ(rig_list.files[1].error_nr, 2);
	ASSERT_EQ(rig_list.errors[rig_list.files[1].error_first], 1);
	ASSERT_EQ(rig_list.errors[rig_list.files[1].error_first + 1], 3);
}

/* One that fails is told of, and the others go on. */
/* verifies: FR-016-25 */
static void
test_take_goes_on_behind_what_fails(void **state)
{
	dir_write("j", "{broken\n"
		       "{\"type\":\"reference\",\"path\":\"a.c\"}\n"
		       "{\"type\":\"reference\",\"path\":\"gone.c\"}\n"
		       "{\"type\":\"tool_result\",\"path\":\"nolog\"}\n");
	text_list_add(&rig_options.tools, "nowhere");
	text_list_add(&rig_options.tools, "d");
	text_list_add(&rig_options.source_files, "j");
	ASSERT_BUILT("a.c all reference");
	ASSERT_EQ(rig_list.statuses[0].error, -ENOENT);
	ASSERT_EQ(rig_list.statuses[1].error, -EISDIR);
	ASSERT_EQ(rig_list.statuses[2].error, 0);
	ASSERT_EQ(rig_list.statuses[2].refused, 3);
	ASSERT_EQ(rig_list.statuses[2].places, 1);
	ASSERT_TRUE(rig_list.is_degraded);
}

#define TAKE(name) \
	cmocka_unit_test_setup_teardown(name, set_up, rig_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TAKE(test_take_options_have_their_categories),
		TAKE(test_take_search_has_lines_around_it),
		TAKE(test_take_names_are_found_however_a_tool_writes_them),
		TAKE(test_take_texts_of_one_name_are_told_apart),
		TAKE(test_take_log_keeps_its_errors),
		TAKE(test_take_goes_on_behind_what_fails),
	};

	return cmocka_run_group_tests_name("sources/source_take", tests, NULL,
					   NULL);
}
