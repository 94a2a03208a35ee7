/* SPDX-License-Identifier: MIT */
/*
 * test_grid.c - tables for people: as drawn by hand.
 */
#include "tests/support/test_shm.h"

#include "report/grid.h"

static char *
printed(struct grid *grid)
{
	char *out = NULL;
	size_t bytes;
	FILE *file = open_memstream(&out, &bytes);

	ASSERT_TRUE(file != NULL);
	ASSERT_EQ(grid_print(grid, file), 0);
	fclose(file);
	return out;
}

static void
test_grid_columns_are_as_wide_as_their_widest_cell(void **state)
{
	static const char *const titles[] = { "Name", ">Tokens" };
	struct grid grid;
	char *out;

	grid_init(&grid, titles, 2);
	grid_add(&grid, (const char *const[]){ "a.c", "12" });
	/* characters, not bytes */
	grid_add(&grid, (const char *const[]){ "größe", "1234567" });
	grid_rule(&grid);
	grid_add(&grid, (const char *const[]){ "", "0" });
	out = printed(&grid);
	assert_string_equal(out, "┌───────┬─────────┐\n"
				 "│ Name  │  Tokens │\n"
				 "├───────┼─────────┤\n"
				 "│ a.c   │      12 │\n"
				 "│ größe │ 1234567 │\n"
				 "├───────┼─────────┤\n"
				 "│       │       0 │\n"
				 "└───────┴─────────┘\n");
	free(out);
}

static void
test_grid_without_rows_has_its_titles(void **state)
{
	static const char *const titles[] = { "A" };
	struct grid grid;
	char *out;

	grid_init(&grid, titles, 1);
	out = printed(&grid);
	assert_string_equal(out, "┌───┐\n│ A │\n├───┤\n└───┘\n");
	free(out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_grid_columns_are_as_wide_as_their_widest_cell),
		cmocka_unit_test(test_grid_without_rows_has_its_titles),
	};

	return cmocka_run_group_tests_name("report/grid", tests, NULL, NULL);
}
