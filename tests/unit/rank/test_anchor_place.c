/* SPDX-License-Identifier: MIT */
/*
 * test_anchor_place.c - paths of a query, as they are kept.
 */
#include "tests/support/test_shm.h"

#include "rank/anchor.h"

static struct anchors anchors;

static void
add(enum anchor_kind kind, const char *path, uint32_t line)
{
	anchors_add_place(&anchors, kind, path, strlen(path), line);
}

static const char *
path_of(uint32_t i)
{
	static char text[ANCHOR_PATH_BYTES + 1];

	snprintf(text, sizeof(text), "%.*s", anchors.places[i].bytes,
		 anchors.places[i].path);
	return text;
}

static void
test_anchor_places_have_no_dots_before_them(void **state)
{
	memset(&anchors, 0, sizeof(anchors));
	add(ANCHOR_PATH, "../../a/b.c", 0);
	add(ANCHOR_PATH, "./a\\c.c", 0);
	add(ANCHOR_PATH, "a/b.c", 0);
	add(ANCHOR_PATH, "./", 0);
	ASSERT_EQ(anchors.place_nr, 2);
	assert_string_equal(path_of(0), "a/b.c");
	assert_string_equal(path_of(1), "a/c.c");
}

/* Of a long path the end, from a component on. */
static void
test_anchor_places_are_the_ends_of_long_paths(void **state)
{
	char path[3 * ANCHOR_PATH_BYTES] = "";

	memset(&anchors, 0, sizeof(anchors));
	while (strlen(path) < 2 * ANCHOR_PATH_BYTES)
		strcat(path, "component/");
	strcat(path, "a.c");
	add(ANCHOR_PATH, path, 0);
	ASSERT_TRUE(anchors.places[0].bytes <= ANCHOR_PATH_BYTES);
	assert_string_equal(path_of(0),
			    path + strlen(path) - anchors.places[0].bytes);
	ASSERT_TRUE(strncmp(path_of(0), "component/", 10) == 0);
	memset(path, 'a', sizeof(path) - 1);
	add(ANCHOR_PATH, path, 0);
	ASSERT_EQ(anchors.place_nr, 1);
}

/* Frames come first; of both the first and the last ones are kept. */
static void
test_anchor_places_keep_both_ends(void **state)
{
	char path[16];

	memset(&anchors, 0, sizeof(anchors));
	for (uint32_t i = 1; i <= 3 * ANCHOR_PLACES_MAX; i++)
		add(ANCHOR_FRAME, "a.c", i);
	for (uint32_t i = 1; i <= 3 * ANCHOR_PLACES_MAX; i++) {
		snprintf(path, sizeof(path), "b/%u.c", i);
		add(ANCHOR_PATH, path, 0);
	}
	ASSERT_EQ(anchors.place_nr, ANCHOR_PLACES_MAX);
	ASSERT_EQ(anchors.frame_nr, ANCHOR_FRAMES_MAX);
	ASSERT_EQ(anchors.places[0].line, 1);
	ASSERT_EQ(anchors.places[ANCHOR_FRAMES_MAX - 1].line,
		  3 * ANCHOR_PLACES_MAX);
	assert_string_equal(path_of(ANCHOR_FRAMES_MAX), "b/1.c");
	assert_string_equal(path_of(ANCHOR_PLACES_MAX - 1), path);
}

static void
test_anchor_directories_have_no_slash_behind_them(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} cases[] = {
		{ "a/b/", "a/b" }, { "./a", "a" }, { "a", "a" },
		{ "/", "" },       { "", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		memset(&anchors, 0, sizeof(anchors));
		anchors_set_directory(&anchors, (const uint8_t *)cases[i].text,
				      strlen(cases[i].text));
		ASSERT_EQ(anchors.directory.bytes, strlen(cases[i].want));
		assert_memory_equal(anchors.directory.path, cases[i].want,
				    strlen(cases[i].want));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_anchor_places_have_no_dots_before_them),
		cmocka_unit_test(test_anchor_places_are_the_ends_of_long_paths),
		cmocka_unit_test(test_anchor_places_keep_both_ends),
		cmocka_unit_test(
			test_anchor_directories_have_no_slash_behind_them),
	};

	return cmocka_run_group_tests_name("rank/anchor_place", tests, NULL,
					   NULL);
}
