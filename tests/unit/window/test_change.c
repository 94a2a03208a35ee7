/* SPDX-License-Identifier: MIT */
/*
 * test_change.c - items added where there is room and where there is none,
 * removed and changed.
 */
#include "tests/support/test_window.h"

/* verifies: WIN-13 */
static void
test_window_add_ends_at_a_thousand_items(void **state)
{
	struct window *window = window_of(1000000);
	struct window_item item = item_of(WINDOW_OTHER, NULL, "x");
	struct window_error error;

	for (int i = 0; i < WINDOW_ITEMS_MAX; i++)
		assert_int_equal(window_add(window, &item, NULL, &error), 0);
	assert_int_equal(window_add(window, &item, NULL, &error), -E2BIG);
	assert_begins(error.text, "BALE-WIN-005 ");
	window_destroy(window);
}

/* verifies: WIN-05 */
static void
test_window_add_beyond_the_threshold_compacts_first(void **state)
{
	struct window *window = window_of(1000);
	struct window_stats stats;

	for (int i = 0; i < 84; i++)
		assert_int_equal(add_tokens(window, WINDOW_OTHER, NULL, 50, 10),
				 0);
	window_stats(window, &stats);
	assert_true(stats.usage > 83.9 && stats.compactions == 0);
	assert_int_equal(add_tokens(window, WINDOW_OTHER, "new", 50, 60), 0);
	window_stats(window, &stats);
	assert_int_equal(stats.compactions, 1);
	/* down to 85 - 15 per cent, then the new one */
	assert_int_equal(stats.tokens, 700 + 60);
	assert_int_equal(stats.freed_tokens, 140);
	window_destroy(window);
}

/* verifies: WIN-05 */
static void
test_window_add_without_room_says_how_much_and_changes_nothing(void **state)
{
	struct window *window = window_of(1000);
	struct window_error error = { .text = "" };
	char *text = text_of_tokens(600);
	struct window_item item = item_of(WINDOW_OTHER, "new", text);

	add_tokens(window, WINDOW_OTHER, "free", 50, 100);
	add_tokens(window, WINDOW_OTHER, "pinned", 50, 500);
	assert_int_equal(window_set_pin(window, "pinned", true), 0);
	assert_int_equal(window_add(window, &item, NULL, &error), -E2BIG);
	assert_begins(error.text, "BALE-WIN-004 the window is full: 600 of "
				  "1000 tokens in use, 600 requested, ");
	assert_string_equal(ids_of(window), "free pinned");
	free(text);
	window_destroy(window);
}

/* verifies: WIN-03 */
static void
test_window_changes_by_id_find_it_or_say_so(void **state)
{
	struct window *window = window_of(1000);

	add_tokens(window, WINDOW_OTHER, "a", 50, 5);
	add_tokens(window, WINDOW_OTHER, "b", 50, 7);
	assert_int_equal(window_set_priority(window, "b", 90), 0);
	assert_string_equal(ids_of(window), "b a");
	assert_int_equal(window_set_priority(window, "b", 101), -EINVAL);
	assert_int_equal(window_set_priority(window, "c", 1), -ENOENT);
	assert_int_equal(window_set_pin(window, "c", true), -ENOENT);
	assert_int_equal(window_set_pin(window, "c", false), -ENOENT);
	assert_int_equal(window_remove(window, "c"), -ENOENT);
	assert_int_equal(window_remove(window, "b"), 0);
	assert_string_equal(ids_of(window), "a");
	assert_int_equal(tokens_in(window), 5);
	window_destroy(window);
}

/* verifies: WIN-03 */
static void
test_window_add_after_one_that_failed_goes_on(void **state)
{
	struct window *window = window_of(1000);
	const struct window_item items[] = {
		item_of(WINDOW_OTHER, "a", "x"),
		item_of(WINDOW_OTHER, "b", ""),
		item_of(WINDOW_OTHER, "a", "twice"),
		item_of(WINDOW_OTHER, "c", "y"),
	};

	assert_int_equal(add_all(window, items, 4), 2);
	assert_string_equal(ids_of(window), "a c");
	window_destroy(window);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window_add_ends_at_a_thousand_items),
		cmocka_unit_test(
			test_window_add_beyond_the_threshold_compacts_first),
		cmocka_unit_test(
			test_window_add_without_room_says_how_much_and_changes_nothing),
		cmocka_unit_test(test_window_changes_by_id_find_it_or_say_so),
		cmocka_unit_test(test_window_add_after_one_that_failed_goes_on),
	};

	return cmocka_run_group_tests_name("window/change", tests, NULL, NULL);
}
