/* SPDX-License-Identifier: MIT */
/*
 * test_tree_roots.c - tokens of roots that lie within each other.
 */
#include "tests/support/test_shm.h"

#include "report/tree_roots.h"

#define ROOTS 4

/* A file below root 0 and one below root 1, of 1 and 10 tokens. */
static void
count(const char *const *names, size_t nr, const char *first,
      const char *second, uint64_t *tokens)
{
	const struct job job = { .roots = names, .root_nr = nr };
	const char *const paths[] = { first, second };
	struct tree_roots roots;

	memset(tokens, 0, ROOTS * sizeof(*tokens));
	ASSERT_EQ(tree_roots_init(&roots, &job), 0);
	for (uint16_t i = 0; i < 2; i++) {
		/* as below the prefix that tells the roots apart */
		char path[64];
		const struct file_record file = {
			.root_idx = i,
			.root_bytes = 2,
			.path_bytes = (uint32_t)snprintf(
				path, sizeof(path), "%u/%s", i, paths[i]),
		};

		tree_roots_add(&roots, &file, (const uint8_t *)path,
			       i == 0 ? 1 : 10, tokens);
	}
	tree_roots_fini(&roots);
}

static void
test_tree_roots_hold_what_lies_below_them(void **state)
{
	static const struct {
		const char *roots[ROOTS];
		const char *first;
		const char *second;
		uint64_t want[ROOTS];
	} rows[] = {
		/* side by side */
		{ { "/a", "/b" }, "x", "x", { 1, 10 } },
		{ { "/a", "/a-b", "/ab" }, "x", "x", { 1, 10, 0 } },
		/* one in the other, in any order */
		{ { "/a", "/a/b" }, "x", "x", { 11, 10 } },
		{ { "/a/b", "/a" }, "x", "x", { 1, 11 } },
		{ { "/a", "/a-", "/a/b" }, "b/x", "x", { 1, 10, 1 } },
		{ { "/a", "/b", "/a/b" }, "bx", "b/x", { 1, 10, 0 } },
		/* a file, by itself as well */
		{ { "/a", "/b", "/a/x" }, "x", "x", { 1, 10, 1 } },
		/* the same twice */
		{ { "/a", "/b", "/a/", "/./a" }, "x", "x", { 1, 10, 1, 1 } },
		{ { "/", "/b", "/c" }, "c/x", "x", { 11, 10, 1 } },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t tokens[ROOTS];
		size_t nr = 0;

		while (nr < ROOTS && rows[i].roots[nr] != NULL)
			nr++;
		count(rows[i].roots, nr, rows[i].first, rows[i].second, tokens);
		for (size_t j = 0; j < nr; j++)
			if (tokens[j] != rows[i].want[j])
				fail_msg("row %zu, root %s: got %ju", i,
					 rows[i].roots[j], tokens[j]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree_roots_hold_what_lies_below_them),
	};

	return cmocka_run_group_tests_name("report/tree_roots", tests, NULL,
					   NULL);
}
