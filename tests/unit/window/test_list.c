/* SPDX-License-Identifier: MIT */
/*
 * test_list.c - what is in a window, as copies, sums and words.
 */
#include "tests/support/test_window.h"

/* verifies: WIN-03 */
static void
test_window_list_and_clear_by_type_and_pin(void **state)
{
	struct window *window = window_of(1000);
	struct window_filter filter = { .by_type = true,
					.type = WINDOW_TOOL_RESULT };
	struct window_list list;

	add_tokens(window, WINDOW_TOOL_RESULT, "t1", 50, 1);
	add_tokens(window, WINDOW_TOOL_RESULT, "t2", 50, 1);
	add_tokens(window, WINDOW_OTHER, "o", 50, 1);
	window_set_pin(window, "t2", true);
	assert_int_equal(window_list(window, &filter, &list), 0);
	assert_int_equal(list.nr, 2);
	window_list_free(&list);
	filter = (struct window_filter){ .pinned_only = true };
	assert_int_equal(window_list(window, &filter, &list), 0);
	assert_int_equal(list.nr, 1);
	assert_string_equal(list.items[0].id, "t2");
	window_list_free(&list);
	assert_int_equal(window_clear(window, false), 2);
	assert_string_equal(ids_of(window), "t2");
	assert_int_equal(window_clear(window, true), 1);
	assert_int_equal(tokens_in(window), 0);
	window_destroy(window);
}

/* verifies: WIN-11, WIN-15 */
static void
test_window_stats_and_metrics_add_up(void **state)
{
	struct window *window = window_of(1000);
	struct window_built built;
	struct window_stats stats;
	char *metrics;

	add_tokens(window, WINDOW_TOOL_RESULT, "a", 50, 10);
	add_tokens(window, WINDOW_TOOL_RESULT, "b", 50, 20);
	add_tokens(window, WINDOW_USER_MESSAGE, "c", 50, 30);
	window_set_pin(window, "c", true);
	window_set_limits(window, 1000, 85, WINDOW_REMOVE_OLDEST, NULL);
	assert_int_equal(window_build(window,
				      &(struct window_build_options){
					      .history = true,
					      .history_max = 1,
					      .separator = "",
					      .message_format = "{content}" },
				      &built, NULL),
			 0);
	window_built_free(&built);
	window_stats(window, &stats);
	assert_int_equal(stats.items, 3);
	assert_int_equal(stats.pinned, 1);
	assert_int_equal(stats.items_by_type[WINDOW_TOOL_RESULT], 2);
	assert_int_equal(stats.tokens_by_type[WINDOW_TOOL_RESULT], 30);
	assert_int_equal(stats.tokens_by_type[WINDOW_USER_MESSAGE], 30);
	assert_int_equal(stats.add.nr, 3);
	assert_int_equal(stats.build.nr, 1);
	assert_true(window_latency_p95_us(&stats.add) > 0);
	metrics = window_metrics(window);
	assert_contains(metrics, "bale_window_items 3\n");
	assert_contains(metrics, "bale_window_tokens 60\n");
	assert_contains(metrics, "bale_window_usage_percent 6.000\n");
	assert_contains(metrics, "bale_window_add_seconds_count 3\n");
	assert_contains(metrics, "bale_window_build_seconds_count 1\n");
	assert_contains(metrics, "bale_window_compactions_total 0\n");
	assert_contains(metrics, "bale_window_tokens_freed_total 0\n");
	free(metrics);
	window_destroy(window);
}

struct seen {
	char text[4096];
	size_t at;
};

static void
see(void *arg, const struct window_event *event)
{
	struct seen *seen = arg;
	char *line = window_event_json(event);
	char *from = strstr(line, "\"time_ms\":");

	assert_non_null(from);
	/* all but the time */
	seen->at += (size_t)snprintf(
		seen->text + seen->at, sizeof(seen->text) - seen->at, "%.*s%s",
		(int)(from - line), line, strchr(from, ',') + 1);
	free(line);
}

/* verifies: WIN-12 */
static void
test_window_events_tell_all_with_figures(void **state)
{
	struct seen seen = { .at = 0 };
	struct window_options options = window_defaults();
	struct window *window;

	options.max_tokens = 100;
	options.on_event = see;
	options.arg = &seen;
	window = new_window(&options);
	add_tokens(window, WINDOW_OTHER, "a", 10, 75);
	add_tokens(window, WINDOW_OTHER, "b", 50, 20);
	window_remove(window, "b");
	window_clear(window, true);
	assert_string_equal(
		seen.text,
		"{\"event\":\"item_added\",\"id\":\"a\",\"type\":\"other\","
		"\"tokens\":75,\"total_tokens\":75}\n"
		"{\"event\":\"item_removed\",\"id\":\"a\",\"type\":\"other\","
		"\"tokens\":75,\"total_tokens\":0,\"reason\":\"compaction\"}\n"
		"{\"event\":\"compacted\",\"strategy\":\"remove_low_priority\","
		"\"fell_back\":false,\"items_removed\":1,\"tokens_freed\":75,"
		"\"total_tokens\":0,\"usage_before\":75.0,\"usage_after\":0.0}"
		"\n"
		"{\"event\":\"item_added\",\"id\":\"b\",\"type\":\"other\","
		"\"tokens\":20,\"total_tokens\":20}\n"
		"{\"event\":\"item_removed\",\"id\":\"b\",\"type\":\"other\","
		"\"tokens\":20,\"total_tokens\":0,\"reason\":\"manual\"}\n"
		"{\"event\":\"cleared\",\"items_cleared\":0,"
		"\"tokens_cleared\":0,\"total_tokens\":0,"
		"\"included_pinned\":true}\n");
	window_destroy(window);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window_list_and_clear_by_type_and_pin),
		cmocka_unit_test(test_window_stats_and_metrics_add_up),
		cmocka_unit_test(test_window_events_tell_all_with_figures),
	};

	return cmocka_run_group_tests_name("window/list", tests, NULL, NULL);
}
