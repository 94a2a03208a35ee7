/* SPDX-License-Identifier: MIT */
/*
 * Making room: four strategies, pins, the policy tier, summaries that fail.
 */
#include "tests/support/test_window.h"

static int
compact(struct window *window, enum window_strategy strategy, double target,
	const char *query, uint64_t *freed, struct window_error *error)
{
	const struct window_compact_options options = { .strategy = strategy,
							.target = target,
							.query = query };

	return window_compact(window, &options, freed, error);
}

/* Four items of 20 tokens in a window of 100; "old" is the oldest. */
static struct window *
four(const struct window_options *options)
{
	struct window_options own = *options;
	struct window *window;

	own.max_tokens = 100;
	own.threshold = 100;
	window = new_window(&own);
	add_tokens(window, WINDOW_OTHER, "old", 90, 20);
	add_tokens(window, WINDOW_OTHER, "low", 10, 20);
	add_tokens(window, WINDOW_OTHER, "mid", 50, 20);
	add_tokens(window, WINDOW_OTHER, "new", 40, 20);
	return window;
}

/* verifies: WIN-06 */
static void
test_room_oldest_first_goes_by_age(void **state)
{
	struct window_options options = window_defaults();
	struct window *window = four(&options);
	uint64_t freed;

	assert_int_equal(
		compact(window, WINDOW_REMOVE_OLDEST, 50, NULL, &freed, NULL),
		0);
	assert_int_equal(freed, 40);
	assert_string_equal(ids_of(window), "mid new");
	window_destroy(window);
}

/* verifies: WIN-06 */
static void
test_room_low_priority_first_goes_by_priority(void **state)
{
	struct window_options options = window_defaults();
	struct window *window = four(&options);
	uint64_t freed;

	assert_int_equal(compact(window, WINDOW_REMOVE_LOW_PRIORITY, 50, NULL,
				 &freed, NULL),
			 0);
	assert_int_equal(freed, 40);
	assert_string_equal(ids_of(window), "old mid");
	window_destroy(window);
}

/* verifies: WIN-06 */
static void
test_room_reaches_exactly_the_target_and_then_stops(void **state)
{
	struct window_options options = window_defaults();
	struct window *window = four(&options);
	uint64_t freed;

	assert_int_equal(compact(window, WINDOW_REMOVE_OLDEST,
				 WINDOW_TARGET_DEFAULT, NULL, &freed, NULL),
			 0);
	assert_int_equal(freed, 20); /* 80 to 60, under 70 */
	assert_int_equal(
		compact(window, WINDOW_REMOVE_OLDEST, 60, NULL, &freed, NULL),
		0);
	assert_int_equal(freed, 0);
	assert_int_equal(
		compact(window, WINDOW_REMOVE_OLDEST, 101, NULL, &freed, NULL),
		-EINVAL);
	window_destroy(window);
}

/* verifies: WIN-06 */
static void
test_room_passes_over_pinned_items(void **state)
{
	struct window_options options = window_defaults();
	struct window *window = four(&options);
	uint64_t freed;

	window_set_pin(window, "low", true);
	window_set_pin(window, "old", true);
	assert_int_equal(compact(window, WINDOW_REMOVE_LOW_PRIORITY, 0, NULL,
				 &freed, NULL),
			 0);
	assert_int_equal(freed, 40);
	assert_string_equal(ids_of(window), "old low");
	window_destroy(window);
}

/* verifies: WIN-06 */
static void
test_room_selective_keeps_what_the_query_is_about(void **state)
{
	struct window *window = window_of(60);
	struct window_error error;
	const struct window_item items[] = {
		item_of(WINDOW_OTHER, "http",
			"static int parseHttpHeader(struct request *request);"),
		item_of(WINDOW_OTHER, "cake",
			"Take four eggs and a pound of flour, and stir."),
		item_of(WINDOW_OTHER, "sort",
			"void quick_sort(int *numbers, size_t nr);"),
	};
	uint64_t freed;

	assert_int_equal(add_all(window, items, 3), 3);
	assert_int_equal(compact(window, WINDOW_SELECTIVE, 25,
				 "where is the http_header read?", &freed,
				 &error),
			 0);
	assert_string_equal(ids_of(window), "http");
	assert_int_equal(
		compact(window, WINDOW_SELECTIVE, 25, " ", &freed, &error),
		-EINVAL);
	assert_begins(error.text, "BALE-WIN-011 ");
	window_destroy(window);
}

/* verifies: WIN-07 */
static void
test_room_tiers_gate_the_two_advanced_strategies(void **state)
{
	static const enum window_tier closed[] = { WINDOW_TIER_CORE,
						   WINDOW_TIER_WRITERPRO,
						   WINDOW_TIER_PLAIN };
	static const enum window_tier open[] = { WINDOW_TIER_UNRESTRICTED,
						 WINDOW_TIER_TEAMS,
						 WINDOW_TIER_ENTERPRISE,
						 WINDOW_TIER_ALL };
	struct window_options options = window_defaults();
	struct window *window;
	struct window_error error;

	for (size_t i = 0; i < ARRAY_LEN(closed); i++) {
		options.tier = closed[i];
		window = four(&options);
		assert_int_equal(compact(window, WINDOW_SELECTIVE, 10, "q",
					 NULL, &error),
				 -EPERM);
		assert_begins(error.text, "BALE-WIN-010 ");
		assert_contains(error.text, "remove_oldest");
		assert_int_equal(compact(window, WINDOW_SUMMARIZE, 10, NULL,
					 NULL, &error),
				 -EPERM);
		assert_string_equal(ids_of(window), "old mid new low");
		assert_int_equal(compact(window, WINDOW_REMOVE_OLDEST, 90, NULL,
					 NULL, &error),
				 0);
		window_destroy(window);
	}
	for (size_t i = 0; i < ARRAY_LEN(open); i++) {
		options.tier = open[i];
		window = four(&options);
		assert_int_equal(compact(window, WINDOW_SELECTIVE, 90, "q",
					 NULL, &error),
				 0);
		window_destroy(window);
	}
}

/* The window of four, with a summariser. */
static struct window *
four_with(const char *summarizer)
{
	struct window_options options = window_defaults();

	options.commands = (struct window_commands){ .summarizer = summarizer };
	return four(&options);
}

static void
see(void *arg, const struct window_event *event)
{
	*(bool *)arg |= event->fell_back;
}

/* verifies: WIN-06 */
static void
test_room_summary_takes_the_place_of_low_priority(void **state)
{
	/* which answers only if it is shown what goes */
	struct window *window = four_with(
		"input=$(cat); case $input in *'at most '*' tokens.'*'[other]\n"
		" a a'*) echo It was about a.;; esac");
	struct window_list list;
	uint64_t freed;

	assert_int_equal(
		compact(window, WINDOW_SUMMARIZE, 60, NULL, &freed, NULL), 0);
	/* room for a summary has to be made, too: two go */
	assert_int_equal(window_list(window, NULL, &list), 0);
	assert_int_equal(list.nr, 3);
	assert_int_equal(list.items[0].type, WINDOW_WORKING_MEMORY);
	assert_string_equal(list.items[0].content, "It was about a.");
	assert_string_equal(list.items[0].source_ref, "summary");
	assert_string_equal(list.items[0].metadata, "{\"items\": 2}");
	assert_int_equal(freed, 40 - list.items[0].tokens);
	assert_int_equal(tokens_in(window), 40 + list.items[0].tokens);
	window_list_free(&list);
	window_destroy(window);
}

/* verifies: WIN-06 */
static void
test_room_summary_that_fails_leaves_everything(void **state)
{
	static const char *const bad[] = {
		"exit 1",
		"true",
		"printf ' a%.0s' $(seq 51)",
		"printf '\\377'",
	};
	struct window_error error;
	struct window *window;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		window = four_with(bad[i]);
		assert_int_not_equal(compact(window, WINDOW_SUMMARIZE, 60, NULL,
					     NULL, &error),
				     0);
		assert_string_equal(ids_of(window), "old mid new low");
		assert_int_equal(tokens_in(window), 80);
		window_destroy(window);
	}
	window = four_with(NULL);
	assert_int_equal(
		compact(window, WINDOW_SUMMARIZE, 60, NULL, NULL, &error),
		-ENOTSUP);
	assert_begins(error.text, "BALE-WIN-011 ");
	window_destroy(window);
}

/* verifies: WIN-05 */
static void
test_room_for_an_add_falls_back_and_says_so(void **state)
{
	struct window_options options = window_defaults();
	bool fell_back = false;
	struct window *window;

	options.commands.summarizer = "exit 1";
	options.on_event = see;
	options.arg = &fell_back;
	options.strategy = WINDOW_SUMMARIZE;
	options.max_tokens = 100;
	window = new_window(&options);
	add_tokens(window, WINDOW_OTHER, "a", 10, 40);
	add_tokens(window, WINDOW_OTHER, "b", 50, 40);
	assert_int_equal(add_tokens(window, WINDOW_OTHER, "c", 50, 10), 0);
	assert_string_equal(ids_of(window), "b c");
	assert_true(fell_back);
	window_destroy(window);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room_oldest_first_goes_by_age),
		cmocka_unit_test(test_room_low_priority_first_goes_by_priority),
		cmocka_unit_test(
			test_room_reaches_exactly_the_target_and_then_stops),
		cmocka_unit_test(test_room_passes_over_pinned_items),
		cmocka_unit_test(
			test_room_selective_keeps_what_the_query_is_about),
		cmocka_unit_test(
			test_room_tiers_gate_the_two_advanced_strategies),
		cmocka_unit_test(
			test_room_summary_takes_the_place_of_low_priority),
		cmocka_unit_test(
			test_room_summary_that_fails_leaves_everything),
		cmocka_unit_test(test_room_for_an_add_falls_back_and_says_so),
	};

	return cmocka_run_group_tests_name("window/room", tests, NULL, NULL);
}
