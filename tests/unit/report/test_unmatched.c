/* SPDX-License-Identifier: MIT */
/*
 * test_unmatched.c - what is near a pattern that matched nothing.
 */
#include "tests/support/test_shm.h"

#include <string.h>

#include "report/unmatched.h"

static const char *const paths[] = {
	"README.md", "docs/guide.md",  "src/main.c", "src/main.h",
	"src/net/socket.c", "web/app/page.tsx", "web/index.html",
};

static const struct {
	const char *pattern;
	const char *want; /* NULL: nothing is near */
	bool is_left_out;
} cases[] = {
	{ "*.tsx", "web/app/page.tsx", true },
	{ "src/net", "src/net/socket.c", true },
	{ "*.tsc", "*.tsx", false },
	{ "*.markdown", NULL, false },
	{ "scr/*.c", "src/*.c", false },
	{ "src/*.cc", "src/*.c", false },
	{ "src/nett/*.c", "src/net/*.c", false },
	{ "READM.md", "README.md", false },
	{ "main.c.", "src/main.c", false },
	{ "source/main.c", "src/main.c", false },
	{ "page.ts", "web/app/page.tsx", false },
	{ "nothing_like_it.txt", NULL, false },
	{ "*", "README.md", true },
	{ "s?c/*.d", "s?c/*.c", false },
	{ "web/*.tzx", "web/**/*.tsx", false },
	{ "web/*.tsx", "web/**/*.tsx", false },
	{ "wbe/**/*.tsx", "web/**/*.tsx", false },
	{ "src/*/*.cc", "src/*/*.c", false },
	{ "src/n*.h", NULL, false },
	{ "src/mian.c", "src/main.c", false },
	{ "elsewhere/mian.c", NULL, false },
	{ "docs/", "docs/guide.md", true },
	{ "dogs/", NULL, false },
};

static void
test_unmatched_has_the_nearest_path_or_pattern(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct unmatched it = { .pattern = cases[i].pattern };

		for (size_t j = 0; j < ARRAY_LEN(paths); j++)
			unmatched_try(&it, 0, paths[j], strlen(paths[j]));
		if (it.has_path != (cases[i].want != NULL) ||
		    it.is_left_out != cases[i].is_left_out ||
		    (it.has_path && strcmp(it.path, cases[i].want) != 0))
			fail_msg("%s: got %s, want %s", cases[i].pattern,
				 it.has_path ? it.path : "nothing",
				 cases[i].want);
	}
}

/* A listed path names one file, whatever a pattern of its letters would. */
static void
test_unmatched_listed_path_is_no_pattern(void **state)
{
	static const char *const listed[][2] = {
		{ "socket.c", "src/net/socket.c" },
		{ "src/net", NULL },
		{ "src/main.x", "src/main.c" },
	};

	for (size_t i = 0; i < ARRAY_LEN(listed); i++) {
		struct unmatched it = { .pattern = listed[i][0],
					.is_listed = true };

		for (size_t j = 0; j < ARRAY_LEN(paths); j++)
			unmatched_try(&it, 0, paths[j], strlen(paths[j]));
		ASSERT_TRUE(!it.is_left_out);
		ASSERT_EQ(it.has_path, listed[i][1] != NULL);
		if (it.has_path && strcmp(it.path, listed[i][1]) != 0)
			fail_msg("%s: got %s", listed[i][0], it.path);
	}
}

/* A path that is longer than what there is room for is cut. */
static void
test_unmatched_takes_paths_of_any_length(void **state)
{
	struct unmatched it = { .pattern = "*.c" };
	char path[4096];

	memset(path, 'd', sizeof(path));
	memcpy(path + sizeof(path) - 3, "/.c", 3);
	unmatched_try(&it, 0, path, sizeof(path));
	ASSERT_TRUE(it.is_left_out);
	ASSERT_EQ(strlen(it.path), sizeof(it.path) - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_unmatched_has_the_nearest_path_or_pattern),
		cmocka_unit_test(test_unmatched_listed_path_is_no_pattern),
		cmocka_unit_test(test_unmatched_takes_paths_of_any_length),
	};

	return cmocka_run_group_tests_name("report/unmatched", tests, NULL,
					   NULL);
}
