/* SPDX-License-Identifier: MIT */
/*
 * test_collect_heat.c - lines that came with the last versions.
 */
#include "tests/support/test_shm.h"

#include "stages/collect/collect_heat.h"

#define TEXT(text) (const uint8_t *)(text), sizeof(text) - 1

static struct collect_heat heat;

static void
test_collect_heat_tells_lines_by_their_version(void **state)
{
	const struct heat_span newest = { .heat = 800, .commit_nr = 1 };
	const struct heat_span older = { .heat = 600, .commit_nr = 2 };
	struct history_lines lines[8];
	uint32_t nr;

	collect_heat_begin(&heat, TEXT("old\nnew 1\nnew 2\n\tmid\nold 2\nnew 3"
				       "\nnew 4"));
	/* what is indented otherwise is the same; order does not matter */
	collect_heat_version(&heat, TEXT("old 2\n  mid\nold\n"), &newest);
	collect_heat_version(&heat, TEXT("old\nold 2"), &older);
	nr = collect_heat_lines(&heat, lines, ARRAY_LEN(lines));
	ASSERT_EQ(nr, 3);
	ASSERT_EQ(lines[0].first, 2);
	ASSERT_EQ(lines[0].nr, 2);
	ASSERT_EQ(lines[0].heat, 800 / 2); /* four lines of one commit */
	ASSERT_EQ(lines[1].first, 4);
	ASSERT_EQ(lines[1].nr, 1);
	ASSERT_EQ(lines[1].heat, 600); /* one of two */
	ASSERT_EQ(lines[2].first, 6);
	ASSERT_EQ(lines[2].nr, 2);
	ASSERT_EQ(collect_heat_lines(&heat, lines, 2), 2);
}

static void
test_collect_heat_of_what_is_empty_or_the_same_is_none(void **state)
{
	const struct heat_span span = { .heat = 800, .commit_nr = 1 };
	struct history_lines lines[1];

	collect_heat_begin(&heat, TEXT(""));
	collect_heat_version(&heat, TEXT("a\n"), &span);
	ASSERT_EQ(collect_heat_lines(&heat, lines, 1), 0);
	collect_heat_begin(&heat, TEXT("a\nb\n"));
	ASSERT_EQ(collect_heat_lines(&heat, lines, 1), 0);
	for (int i = 0; i < COLLECT_HEAT_VERSIONS; i++)
		collect_heat_version(&heat, TEXT("a\nb\n"), &span);
	/* no more than so many */
	collect_heat_version(&heat, TEXT(""), &span);
	ASSERT_EQ(collect_heat_lines(&heat, lines, 1), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_collect_heat_tells_lines_by_their_version),
		cmocka_unit_test(
			test_collect_heat_of_what_is_empty_or_the_same_is_none),
	};

	return cmocka_run_group_tests_name("collect/collect_heat", tests, NULL,
					   NULL);
}
