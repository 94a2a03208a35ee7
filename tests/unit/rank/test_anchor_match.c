/* SPDX-License-Identifier: MIT */
/*
 * test_anchor_match.c - paths that places of a query are of.
 */
#include "tests/support/test_shm.h"

#include "rank/anchor.h"

static uint32_t
match(enum anchor_kind kind, const char *place, const char *path)
{
	struct anchor_place it = { .kind = (uint8_t)kind,
				   .bytes = (uint8_t)strlen(place) };

	memcpy(it.path, place, it.bytes);
	return anchor_match(&it, (const uint8_t *)path, strlen(path));
}

static void
test_anchor_matches_paths_by_their_ends(void **state)
{
	ASSERT_EQ(match(ANCHOR_PATH, "a.c", "src/a.c"), 1);
	ASSERT_EQ(match(ANCHOR_PATH, "a.c", "src/aa.c"), 0);
	ASSERT_EQ(match(ANCHOR_PATH, "other/a.c", "src/a.c"), 0);
	ASSERT_EQ(match(ANCHOR_PATH, "other/a.c", "a.c"), 1);
	ASSERT_EQ(match(ANCHOR_FRAME, "lib/x/b/a.c", "src/b/a.c"), 2);
	/* without an extension, but not of a word alone */
	ASSERT_EQ(match(ANCHOR_PATH, "b/a", "src/b/a.c"), 2);
	ASSERT_EQ(match(ANCHOR_PATH, "b/a.spec", "src/b/a.spec.ts"), 2);
	ASSERT_EQ(match(ANCHOR_PATH, "a", "src/b/a.c"), 0);
	ASSERT_EQ(match(ANCHOR_PATH, "b/a", "src/b/aa.c"), 0);
	ASSERT_EQ(match(ANCHOR_MODULE, "a/b/f", "src/a/b.py"), 2);
	ASSERT_EQ(match(ANCHOR_MODULE, "a/b/f", "src/a/b/__init__.py"), 2);
	ASSERT_EQ(match(ANCHOR_MODULE, "a/b/f", "a/c.py"), 0);
	ASSERT_EQ(match(ANCHOR_MODULE, "a/b/f", "src/a.py"), 1);
	ASSERT_EQ(match(ANCHOR_MODULE, "com/x/Foo/run",
			"src/main/java/com/x/Foo.java"),
		  3);
}

static void
test_anchor_match_tells_what_is_in_a_directory(void **state)
{
	static const struct {
		const char *directory;
		const char *path;
		uint32_t want;
	} cases[] = {
		{ "a", "a/x.c", 2 },     { "a", "b/a/x.c", 2 },
		{ "a", "a/b/x.c", 1 },   { "a", "aa/x.c", 0 },
		{ "a", "a", 0 },         { "a", "b/a", 0 },
		{ "a/b", "a/b/x.c", 2 }, { "a/b", "c/a/b/d/x.c", 1 },
		{ "a/b", "a/x/b", 0 },   { "a/b", "a/bb/x.c", 0 },
		{ "x.c", "a/x.c", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct anchor_place place = { .bytes = (uint8_t)strlen(
						      cases[i].directory) };
		const uint8_t *path = (const uint8_t *)cases[i].path;

		memcpy(place.path, cases[i].directory, place.bytes);
		if (anchor_in_directory(&place, path, strlen(cases[i].path)) !=
		    cases[i].want)
			fail_msg("%s %s", cases[i].directory, cases[i].path);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_anchor_match_tells_what_is_in_a_directory),
		cmocka_unit_test(test_anchor_matches_paths_by_their_ends),
	};

	return cmocka_run_group_tests_name("rank/anchor_match", tests, NULL,
					   NULL);
}
