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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_anchor_matches_paths_by_their_ends),
	};

	return cmocka_run_group_tests_name("rank/anchor_match", tests, NULL,
					   NULL);
}
