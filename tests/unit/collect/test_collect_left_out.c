/* SPDX-License-Identifier: MIT */
/*
 * test_collect_left_out.c - directories that are left out by default.
 */
#include "tests/support/test_shm.h"

#include <string.h>

#include "catalogue/facts.h"
#include "stages/collect/collect.h"

static unsigned
marker(const char *name)
{
	return collect_marker(name, strlen(name));
}

static void
test_collect_left_out_knows_markers_by_their_whole_name(void **state)
{
	ASSERT_EQ(marker("package.json"), HAS_PACKAGE_JSON);
	ASSERT_EQ(marker("CACHEDIR.TAG"), HAS_CACHEDIR_TAG);
	ASSERT_EQ(marker("package.jso"), 0);
	ASSERT_EQ(marker("package.json5"), 0);
	ASSERT_EQ(marker("cargo.toml"), 0);
	ASSERT_EQ(marker("x"), 0);
}

static void
test_collect_left_out_directories_by_name_and_neighbours(void **state)
{
	static const struct {
		const char *name;
		unsigned beside;
		uint8_t reason;
		bool even_tracked;
	} cases[] = {
		{ "node_modules", 0, REASON_DEPENDENCY, true },
		{ "node_module", 0, REASON_NONE, false },
		{ ".venv", 0, REASON_DEPENDENCY, true },
		{ "__pycache__", HAS_SETUP_PY, REASON_CACHE, true },
		{ "__snapshots__", 0, REASON_SNAPSHOT, true },
		{ "build", 0, REASON_NONE, false },
		/* scripts of a build are sources */
		{ "build", HAS_PACKAGE_JSON, REASON_NONE, false },
		{ "build", HAS_BUILD_GRADLE, REASON_BUILD_OUTPUT, false },
		{ "dist", 0, REASON_NONE, false },
		{ "dist", HAS_PACKAGE_JSON, REASON_BUILD_OUTPUT, true },
		{ "dist", HAS_PYPROJECT_TOML, REASON_BUILD_OUTPUT, false },
		{ "target", HAS_PYPROJECT_TOML, REASON_NONE, false },
		{ "target", HAS_CARGO_TOML | HAS_SETUP_PY, REASON_BUILD_OUTPUT,
		  false },
		{ "src", ~0u, REASON_NONE, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct collect_left_out got = collect_left_out_dir(
			cases[i].name, strlen(cases[i].name), cases[i].beside);

		if (got.reason != cases[i].reason ||
		    got.even_tracked != cases[i].even_tracked)
			fail_msg("%s beside %#x: got %u, want %u",
				 cases[i].name, cases[i].beside, got.reason,
				 cases[i].reason);
	}
}

static void
test_collect_left_out_directories_by_what_they_hold(void **state)
{
	ASSERT_EQ(collect_left_out_with(0), REASON_NONE);
	ASSERT_EQ(collect_left_out_with(HAS_CACHEDIR_TAG), REASON_CACHE);
	ASSERT_EQ(collect_left_out_with(HAS_PYVENV_CFG), REASON_DEPENDENCY);
	ASSERT_EQ(collect_left_out_with(HAS_CMAKE_CACHE), REASON_BUILD_OUTPUT);
	/* a build within the sources */
	ASSERT_EQ(collect_left_out_with(HAS_CMAKE_CACHE | HAS_CMAKE_LISTS),
		  REASON_NONE);
	ASSERT_EQ(collect_left_out_with(HAS_CARGO_TOML | HAS_PACKAGE_JSON),
		  REASON_NONE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_collect_left_out_knows_markers_by_their_whole_name),
		cmocka_unit_test(
			test_collect_left_out_directories_by_name_and_neighbours),
		cmocka_unit_test(
			test_collect_left_out_directories_by_what_they_hold),
	};

	return cmocka_run_group_tests_name("collect/left_out", tests, NULL,
					   NULL);
}
