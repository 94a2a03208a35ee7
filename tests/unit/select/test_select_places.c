/* SPDX-License-Identifier: MIT */
/*
 * test_select_places.c - files of the paths that a query names.
 */
#include "tests/support/test_select_planner.h"

#include "stages/select/select_places.h"

static struct anchors anchors;
static struct select_places places;
static struct select_anchors found;

static void
meet_all(const char *text)
{
	static const char *const paths[] = { "a/one.py", "a/two.py",
					     "b/one.py", "c/one.py",
					     "d/one.py", "lib/x/three.rb" };

	places.anchors = &anchors;
	anchors_read(&anchors, (const uint8_t *)text, strlen(text));
	for (uint32_t i = 0; i < ARRAY_LEN(paths); i++) {
		add_file(paths[i], 0, REASON_NONE);
		select_places_meet(&places, &rig.run.catalogue, i);
	}
	select_places_add(&places, &found);
	select_anchors_sort(&found);
}

/* The longest match counts; what may be more files than three is none. */
static void
test_select_places_are_files_that_match_best(void **state)
{
	meet_all("see two.py, and b/one.py");
	ASSERT_TRUE(!select_anchors_has(&found, 0));
	assert_float_equal(select_anchors_file(&found, 1), 0.5, 1e-6);
	assert_float_equal(select_anchors_file(&found, 2), 0.8, 1e-6);
	ASSERT_TRUE(select_places_has(&places, 0, 1));
	ASSERT_TRUE(!select_places_has(&places, 0, 2));
	ASSERT_TRUE(!select_places_are_all(&places));
}

static void
test_select_places_that_are_many_files_are_none(void **state)
{
	meet_all("see one.py");
	ASSERT_EQ(found.nr, 0);
	ASSERT_TRUE(!select_places_has(&places, 0, 0));
}

static void
test_select_places_may_be_all(void **state)
{
	meet_all("x/three.rb");
	ASSERT_TRUE(select_places_are_all(&places));
	assert_float_equal(select_anchors_file(&found, 5), 1, 1e-6);
}

/* All files of a directory; those in it before those below. */
static void
test_select_places_may_be_a_directory(void **state)
{
	meet_all("the lib directory");
	ASSERT_EQ(found.nr, 0);
	ASSERT_TRUE(select_places_add_directory(&places, &found));
	ASSERT_EQ(found.nr, 1);
	assert_float_equal(select_anchors_file(&found, 5), 0.8, 1e-6);
}

/* The innermost frame counts most: the last one of Python, the first of Ruby. */
static void
test_select_places_of_frames_count_by_their_depth(void **state)
{
	anchors_add_frame(&anchors, "a/two.py", 8, 3);
	anchors_add_frame(&anchors, "b/one.py", 8, 5);
	anchors_add_frame(&anchors, "not/there.py", 12, 7);
	meet_all("it fails");
	assert_float_equal(select_places_depth(&places, 1), 1, 1e-6);
	assert_float_equal(select_places_depth(&places, 0), 0.9, 1e-6);
	assert_float_equal(select_anchors_file(&found, 2), 0.8, 1e-6);
	assert_float_equal(select_anchors_file(&found, 1), 0.72, 1e-6);
	anchors.innermost_first = true;
	assert_float_equal(select_places_depth(&places, 1), 0.9, 1e-6);
	assert_float_equal(select_places_depth(&places, 0), 1, 1e-6);
}

static int
setup_places(void **state)
{
	memset(&anchors, 0, sizeof(anchors));
	memset(&places, 0, sizeof(places));
	memset(&found, 0, sizeof(found));
	return setup_plan(state);
}

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, setup_places, teardown_plan)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_select_places_are_files_that_match_best),
		TEST(test_select_places_that_are_many_files_are_none),
		TEST(test_select_places_may_be_all),
		TEST(test_select_places_may_be_a_directory),
		TEST(test_select_places_of_frames_count_by_their_depth),
	};

	return cmocka_run_group_tests_name("select/places", tests, NULL, NULL);
}
