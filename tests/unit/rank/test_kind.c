/* SPDX-License-Identifier: MIT */
/*
 * test_select_kind.c - what paths say of files.
 */
#include "tests/support/test_shm.h"

#include "rank/kind.h"

#define T RANK_KIND_TEST
#define A RANK_KIND_ASIDE
#define F RANK_KIND_FRAME
#define D RANK_KIND_DOC
#define V RANK_KIND_VENDORED
#define G RANK_KIND_GENERATED
#define E RANK_KIND_ENTRY
#define C RANK_KIND_CONFIG

/* One path after the other, each as if it were the only one. */
static void
test_kinds_of_neighbours(void **state)
{
	char deep[RANK_DIRECTORY_BYTES + 32];
	const char *const paths[] = {
		"",           "tests/ring.c",    "tests/data/ring.c",
		deep,         "tests/README.md", "test/a",
		"docs/a/b.c", "docs/a/zh.md",    "docs/ab",
		"docs/b/c.c", "docs/b/test.c",   "a.c",
		deep + 1,
	};
	struct rank_directory last = { 0 };

	memset(deep, 'a', sizeof(deep));
	memcpy(deep + 1, "/tests/", 7);
	memcpy(deep + sizeof(deep) - 6, "/zh.c", 6);
	for (size_t i = 0; i < 2 * ARRAY_LEN(paths); i++) {
		/* each of a directory, then all as they come */
		const char *path = paths[i / 2 % ARRAY_LEN(paths)];

		if (i >= ARRAY_LEN(paths))
			path = paths[i * 5 % ARRAY_LEN(paths)];
		ASSERT_EQ(rank_kinds_next(&last, (const uint8_t *)path,
					  strlen(path)),
			  rank_kinds((const uint8_t *)path, strlen(path)));
	}
}

/* verifies: CTX-02.1, CTX-02.6, CTX-02.8 */
static void
test_kinds_of_paths(void **state)
{
	static const struct {
		const char *path;
		uint32_t want;
	} cases[] = {
		{ "src/ring.c", 0 },
		{ "src/latest.c", 0 },
		{ "src/latest/ring.c", 0 },
		{ "src/jvmTest/kotlin/Ring.kt", T },
		{ "ring-tests/src/ring.java", T },
		{ "requirements/ring.py", 0 },
		{ "lib/attest/contest.rb", 0 },
		{ "tests/ring.c", T },
		{ "src/Test/ring.c", T },
		{ "src/ring_test.go", T },
		{ "test_ring.py", T },
		{ "src/ring.spec.ts", T },
		{ "src/FooTest.java", T },
		{ "src/LATEST.java", 0 },
		{ "docs/ring.c", D },
		{ "README.md", D | F },
		{ "docs/readme.de.md", D | F | A },
		{ "docs/zh-cn/guide.md", D | A },
		{ "docs/how-it-works.md", D },
		{ "src/de/ring.c", 0 },
		{ "examples/a.c", D | A },
		{ "CHANGELOG", D | A },
		{ "COPYING", D },
		{ "deps/lua/src/lapi.c", V },
		{ "include/fmt/bundled/format.h", V },
		{ "node_modules/x/index.js", V | E },
		{ "api/v1/x.pb.go", G },
		{ "web/app.min.js", G },
		{ "web/app.js", 0 },
		{ "src/index.tsx", E },
		{ "src/index.c", 0 },
		{ "main.go", 0 },
				{ "pkg/__init__.py", E },
		{ "src/lib.rs", E },
		{ "remains.go", 0 },
		{ "package.json", C | D | F },
		{ "web/.eslintrc.cjs", C },
		{ ".env.example", C },
		{ ".prettierrc", C },
		{ "environment.c", 0 },
		{ "net/Kconfig.debug", D },
		{ "Makefile", C | F },
		{ "vite.config.ts", C },
		{ "requirements-dev.txt", C | D },
		{ "a.b/.gitignore", 0 },
		{ "", 0 },
		{ "/", 0 },
		{ ".", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint32_t got = rank_kinds((const uint8_t *)cases[i].path,
					  strlen(cases[i].path));

		if (got != cases[i].want)
			fail_msg("%s: got %#x, want %#x", cases[i].path, got,
				 cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds_of_paths),
		cmocka_unit_test(test_kinds_of_neighbours),
	};

	return cmocka_run_group_tests_name("select/kind", tests, NULL, NULL);
}
