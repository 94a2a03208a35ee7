/* SPDX-License-Identifier: MIT */
/*
 * Items of a window: order, limits, pins, events, what is refused.
 */
#include "tests/support/test_window.h"

/* verifies: WIN-02 */
static void
test_window_order_is_type_then_priority_then_age(void **state)
{
	struct window *window = window_of(4096);

	add_tokens(window, WINDOW_USER_MESSAGE, "low", 30, 1);
	add_tokens(window, WINDOW_USER_MESSAGE, "high", 80, 1);
	add_tokens(window, WINDOW_SYSTEM_PROMPT, "system", 50, 1);
	add_tokens(window, WINDOW_USER_MESSAGE, "high-later", 80, 1);
	add_tokens(window, WINDOW_OTHER, "other", 100, 1);
	add_tokens(window, WINDOW_INSTRUCTION, "instruction", 0, 1);
	add_tokens(window, WINDOW_ASSISTANT_MESSAGE, "assistant", 100, 1);
	add_tokens(window, WINDOW_TOOL_RESULT, "tool", 1, 1);
	add_tokens(window, WINDOW_WORKING_MEMORY, "memory", 1, 1);
	add_tokens(window, WINDOW_RETRIEVED_DOCUMENT, "document", 1, 1);
	assert_string_equal(ids_of(window),
			    "system instruction document memory tool high "
			    "high-later low assistant other");
	window_destroy(window);
}

/* verifies: WIN-02 */
static void
test_window_order_of_given_ages_is_oldest_first(void **state)
{
	struct window *window = window_of(4096);
	struct window_item item = item_of(WINDOW_OTHER, "new", "x");

	item.added_ms = 2000;
	assert_int_equal(window_add(window, &item, NULL, NULL), 0);
	item.id = "old";
	item.added_ms = 1000;
	assert_int_equal(window_add(window, &item, NULL, NULL), 0);
	assert_string_equal(ids_of(window), "old new");
	window_destroy(window);
}

/* As after the clock was set back: what is said later stands later. */
static void
test_window_order_is_that_of_adding_whatever_the_clock_says(void **state)
{
	struct window *window = window_of(4096);
	struct window_item item = item_of(WINDOW_OTHER, "first", "x");

	item.added_ms = UINT64_C(1) << 50;
	assert_int_equal(window_add(window, &item, NULL, NULL), 0);
	item.id = "second";
	item.added_ms = 0;
	assert_int_equal(window_add(window, &item, NULL, NULL), 0);
	item.id = "third";
	assert_int_equal(window_add(window, &item, NULL, NULL), 0);
	assert_string_equal(ids_of(window), "first second third");
	window_destroy(window);
}

/* verifies: WIN-01, WIN-03 */
static void
test_window_add_keeps_every_field(void **state)
{
	struct window *window = window_of(4096);
	struct window_list list;
	char id[WINDOW_ID_BYTES];
	const struct window_item item = {
		.content = "Wie gro\xc3\x9f?",
		.content_bytes = 11,
		.type = WINDOW_TOOL_RESULT,
		.priority = 77,
		.pinned = true,
		.added_ms = 1234,
		.source_ref = "run 7",
		.role = "tool",
		.metadata = "{\"a\": [1]}",
	};

	assert_int_equal(window_add(window, &item, id, NULL), 0);
	assert_int_equal(strlen(id), 36); /* a UUID */
	assert_int_equal(window_list(window, NULL, &list), 0);
	assert_int_equal(list.nr, 1);
	assert_string_equal(list.items[0].id, id);
	assert_int_equal(list.items[0].content_bytes, 11);
	assert_memory_equal(list.items[0].content, item.content, 11);
	assert_int_equal(list.items[0].type, WINDOW_TOOL_RESULT);
	assert_int_equal(list.items[0].priority, 77);
	assert_true(list.items[0].pinned);
	assert_int_equal(list.items[0].added_ms, 1234);
	assert_string_equal(list.items[0].source_ref, "run 7");
	assert_string_equal(list.items[0].role, "tool");
	assert_string_equal(list.items[0].metadata, "{\"a\": [1]}");
	window_list_free(&list);
	window_destroy(window);
}

/* verifies: WIN-04 */
static void
test_window_add_counts_what_is_not_given(void **state)
{
	struct window *window = window_of(1000);
	struct window_item item = item_of(WINDOW_OTHER, "given", "one two");
	struct window_stats stats;

	assert_int_equal(add_tokens(window, WINDOW_OTHER, "c", 50, 120), 0);
	item.tokens = 80;
	assert_int_equal(window_add(window, &item, NULL, NULL), 0);
	window_stats(window, &stats);
	assert_int_equal(stats.tokens, 200);
	assert_int_equal(stats.available, 800);
	assert_true(stats.usage > 19.99 && stats.usage < 20.01);
	window_destroy(window);
}

/* Version 4, variant 1: the digits that are not random. */
static void
test_window_ids_are_random_uuids(void **state)
{
	struct window *window = window_of(1000);
	struct window_item item = item_of(WINDOW_OTHER, NULL, "a");
	char before[WINDOW_ID_BYTES] = "";

	for (int i = 0; i < 32; i++) {
		char id[WINDOW_ID_BYTES];

		assert_int_equal(window_add(window, &item, id, NULL), 0);
		assert_int_equal(strlen(id), 36);
		assert_int_equal(strspn(id, "0123456789abcdef-"), 36);
		assert_true(id[8] == '-' && id[13] == '-' && id[18] == '-' &&
			    id[23] == '-');
		assert_int_equal(id[14], '4');
		assert_non_null(strchr("89ab", id[19]));
		assert_string_not_equal(id, before);
		memcpy(before, id, sizeof(id));
	}
	window_destroy(window);
}

/* verifies: WIN-13 */
static void
test_window_add_refuses_what_is_no_item(void **state)
{
	struct window *window = window_of(1000);
	struct window_item item = item_of(WINDOW_OTHER, "x", " \n\t");
	struct window_error error;

	assert_int_equal(window_add(window, &item, NULL, &error), -EINVAL);
	assert_begins(error.text, "BALE-WIN-001 ");
	item = item_of(WINDOW_OTHER, "x", "x");
	item.priority = 101;
	assert_int_equal(window_add(window, &item, NULL, &error), -EINVAL);
	assert_begins(error.text, "BALE-WIN-002 ");
	item = item_of((enum window_type)99, "x", "x");
	assert_int_equal(window_add(window, &item, NULL, &error), -EINVAL);
	assert_begins(error.text, "BALE-WIN-003 ");
	item = item_of(WINDOW_OTHER, "x", "ab\xff");
	assert_int_equal(window_add(window, &item, NULL, &error), -EINVAL);
	assert_contains(error.text, "at byte 2");
	item = item_of(WINDOW_OTHER, "x", "x");
	item.metadata = "[1]";
	assert_int_equal(window_add(window, &item, NULL, &error), -EINVAL);
	assert_begins(error.text, "BALE-WIN-008 ");
	item.metadata = NULL;
	assert_int_equal(window_add(window, &item, NULL, &error), 0);
	assert_int_equal(window_add(window, &item, NULL, &error), -EEXIST);
	assert_begins(error.text, "BALE-WIN-007 ");
	assert_string_equal(ids_of(window), "x");
	window_destroy(window);
}

static void
test_window_create_refuses_limits_that_make_no_sense(void **state)
{
	struct window_options options = window_defaults();
	struct window_error error;
	struct window *window;

	options.encoding = "no_such_encoding";
	assert_int_equal(window_create(&window, &options, &error), -ENOENT);
	assert_begins(error.text, "BALE-WIN-009 ");
	options = window_defaults();
	options.threshold = 101;
	assert_int_equal(window_create(&window, &options, &error), -EINVAL);
	options = window_defaults();
	options.max_tokens = UINT64_MAX;
	assert_int_equal(window_create(&window, &options, &error), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_window_order_is_type_then_priority_then_age),
		cmocka_unit_test(
			test_window_order_is_that_of_adding_whatever_the_clock_says),
		cmocka_unit_test(
			test_window_order_of_given_ages_is_oldest_first),
		cmocka_unit_test(test_window_add_keeps_every_field),
		cmocka_unit_test(test_window_add_counts_what_is_not_given),
		cmocka_unit_test(test_window_ids_are_random_uuids),
		cmocka_unit_test(test_window_add_refuses_what_is_no_item),
		cmocka_unit_test(
			test_window_create_refuses_limits_that_make_no_sense),
	};

	return cmocka_run_group_tests_name("window/window", tests, NULL, NULL);
}
