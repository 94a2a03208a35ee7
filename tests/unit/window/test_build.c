/* SPDX-License-Identifier: MIT */
/*
 * The context that a window makes: what is in it, in which order, never over.
 */
#include "tests/support/test_window.h"

#include "tokenizer/tokenizer.h"

static uint64_t
count(const char *text, size_t bytes)
{
	const struct tokenizer *tok;

	assert_int_equal(tokenizer_open(&tok, "o200k_base"), 0);
	return tokenizer_count(tok, NULL, (const uint8_t *)text, bytes);
}

static struct window_built
build(struct window *window, const struct window_build_options *options)
{
	struct window_error error = { .text = "" };
	struct window_built built;

	if (window_build(window, options, &built, &error) != 0)
		fail_msg("window_build: %s", error.text);
	assert_int_equal(built.total_tokens,
			 count(built.content, built.content_bytes));
	return built;
}

/* verifies: WIN-08 */
static void
test_build_formats_messages_and_separates_items(void **state)
{
	struct window *window = window_of(4096);
	struct window_item item =
		item_of(WINDOW_USER_MESSAGE, "u", "Hi {role}");
	struct window_build_options options = window_build_defaults();
	struct window_built built;

	item.role = "user";
	window_add(window, &item, NULL, NULL);
	item = item_of(WINDOW_SYSTEM_PROMPT, "s", "Be kind.");
	window_add(window, &item, NULL, NULL);
	built = build(window, NULL);
	assert_string_equal(built.content,
			    "Be kind.\n\n---\n\n[user]: Hi {role}");
	window_built_free(&built);
	options.separator = "|";
	options.message_format = "<{role}>{content}</{role}>{x";
	built = build(window, &options);
	assert_string_equal(built.content, "Be kind.|<user>Hi {role}</user>{x");
	window_built_free(&built);
	window_destroy(window);
}

/* verifies: WIN-08 */
static void
test_build_switches_leave_kinds_out(void **state)
{
	struct window *window = window_of(4096);
	struct window_build_options options = window_build_defaults();
	struct window_built built;

	add_tokens(window, WINDOW_SYSTEM_PROMPT, "s", 50, 1);
	add_tokens(window, WINDOW_INSTRUCTION, "i", 50, 1);
	add_tokens(window, WINDOW_WORKING_MEMORY, "m", 50, 1);
	add_tokens(window, WINDOW_USER_MESSAGE, "u", 50, 1);
	add_tokens(window, WINDOW_TOOL_RESULT, "t", 50, 1);
	options.system_prompt = false;
	options.instructions = false;
	options.memory = false;
	options.history = false;
	built = build(window, &options);
	assert_int_equal(built.included_nr, 1);
	assert_string_equal(built.included[0], "t");
	assert_int_equal(built.excluded_nr, 0);
	window_built_free(&built);
	window_destroy(window);
}

/* verifies: WIN-08, WIN-09 */
static void
test_build_takes_the_newest_messages(void **state)
{
	struct window *window = window_of(4096);
	struct window_build_options options = window_build_defaults();
	struct window_built built;
	char id[16];

	for (int i = 0; i < 14; i++) {
		snprintf(id, sizeof(id), "m%02d", i);
		add_tokens(window,
			   i % 2 == 0 ? WINDOW_USER_MESSAGE
				      : WINDOW_ASSISTANT_MESSAGE,
			   id, 50, 1);
	}
	built = build(window, NULL);
	assert_int_equal(built.included_nr, 10);
	assert_string_equal(built.included[0], "m04");
	assert_int_equal(built.excluded_nr, 4);
	window_built_free(&built);
	window_set_pin(window, "m00", true);
	options.history_max = 2;
	built = build(window, &options);
	assert_int_equal(built.included_nr, 3);
	assert_string_equal(built.included[0], "m00");
	assert_string_equal(built.included[1], "m12");
	assert_string_equal(built.included[2], "m13");
	window_built_free(&built);
	window_destroy(window);
}

/* verifies: WIN-08 */
static void
test_build_query_selects_memory(void **state)
{
	struct window *window = window_of(4096);
	struct window_build_options options = window_build_defaults();
	const struct window_item items[] = {
		item_of(WINDOW_WORKING_MEMORY, "ports",
			"The server listens on port 8080."),
		item_of(WINDOW_WORKING_MEMORY, "cats", "Cats sleep a lot."),
	};
	struct window_built built;

	assert_int_equal(add_all(window, items, 2), 2);
	options.memory_query = "which port?";
	built = build(window, &options);
	assert_int_equal(built.included_nr, 1);
	assert_string_equal(built.included[0], "ports");
	assert_string_equal(built.excluded[0], "cats");
	window_built_free(&built);
	window_destroy(window);
}

/* verifies: WIN-08, WIN-09 */
static void
test_build_respects_the_budget_of_a_window_that_is_over(void **state)
{
	struct window *window = window_of(2000);
	struct window_build_options options = window_build_defaults();
	struct window_built built;
	char id[16];

	for (int i = 0; i < 10; i++) {
		snprintf(id, sizeof(id), "p%d", i);
		add_tokens(window, WINDOW_OTHER, id, (uint32_t)(10 * i), 150);
	}
	assert_int_equal(tokens_in(window), 1500);
	window_set_limits(window, 1000, 85, WINDOW_REMOVE_LOW_PRIORITY, NULL);
	options.reserve_tokens = 200;
	built = build(window, &options);
	assert_true(built.total_tokens <= 800);
	assert_true(built.was_compacted);
	assert_true(built.freed_tokens >= 800);
	/* 70 per cent hold four of them, those of the highest priority */
	assert_int_equal(built.included_nr, 4);
	assert_string_equal(built.included[0], "p9");
	assert_string_equal(built.included[3], "p6");
	assert_int_equal(built.excluded_nr, 6);
	window_built_free(&built);
	window_destroy(window);
}

/* verifies: WIN-08 */
static void
test_build_chooses_pinned_items_first(void **state)
{
	struct window *window = window_of(1000);
	struct window_build_options options = window_build_defaults();
	struct window_error error;
	struct window_built built;

	window_set_limits(window, 1000, 100, WINDOW_REMOVE_LOW_PRIORITY, NULL);
	add_tokens(window, WINDOW_SYSTEM_PROMPT, "s", 50, 300);
	add_tokens(window, WINDOW_OTHER, "o", 0, 300);
	window_set_pin(window, "o", true);
	options.reserve_tokens = 600;
	built = build(window, &options);
	assert_int_equal(built.included_nr, 1);
	assert_string_equal(built.included[0], "o");
	assert_string_equal(built.excluded[0], "s");
	window_built_free(&built);
	options.reserve_tokens = 800;
	assert_int_equal(window_build(window, &options, &built, &error),
			 -E2BIG);
	assert_begins(error.text, "BALE-WIN-013 ");
	options.reserve_tokens = 1000;
	assert_int_equal(window_build(window, &options, &built, &error),
			 -EINVAL);
	window_destroy(window);
}

/*
 * Words that grow together at the joints, and separators that count, too: the
 * sum over items is not the count of the text.
 *
 * verifies: WIN-08
 */
static void
test_build_is_never_over_whatever_the_budget(void **state)
{
	static const char *const words[] = {
		"in", "ter", "nation", "al", "ization", " 12", "34", "\n\n"
	};
	struct window *window = window_of(100000);
	struct window_build_options options = window_build_defaults();
	char text[64];

	for (int i = 0; i < 60; i++) {
		struct window_item item;

		snprintf(text, sizeof(text), "%s%s%sx", words[i % 8],
			 words[i / 8 % 8], words[i * 5 % 8]);
		item = item_of(WINDOW_OTHER, NULL, text);
		item.role = i % 3 == 0 ? "r" : NULL;
		window_add(window, &item, NULL, NULL);
	}
	options.separator = "";
	for (uint64_t budget = 1; budget < 300; budget++) {
		struct window_built built;

		options.reserve_tokens = 100000 - budget;
		/* above it the window itself would be compacted */
		if (tokens_in(window) > budget)
			window_set_limits(window, 100000, 85,
					  WINDOW_REMOVE_LOW_PRIORITY, NULL);
		built = build(window, &options);
		assert_true(built.total_tokens <= budget);
		window_built_free(&built);
	}
	window_destroy(window);
}

/* The ids of a build, separated by blanks. */
static const char *
text_order(struct window *window, enum window_order order, uint64_t reserve,
       char *ids, size_t bytes)
{
	struct window_build_options options = window_build_defaults();
	struct window_built built;
	size_t at = 0;

	options.order = order;
	options.reserve_tokens = reserve;
	built = build(window, &options);
	ids[0] = '\0';
	for (size_t i = 0; i < built.included_nr; i++)
		at += (size_t)snprintf(ids + at, bytes - at, "%s ",
				       built.included[i]);
	window_built_free(&built);
	return ids;
}

/* verifies: WIN-02, WIN-08 */
static void
test_build_writes_the_conversation_as_it_went(void **state)
{
	static const struct {
		const char *id;
		enum window_type type;
		uint32_t priority;
	} items[] = {
		{ "u1", WINDOW_USER_MESSAGE, 50 },
		{ "memory", WINDOW_WORKING_MEMORY, 50 },
		{ "a1", WINDOW_ASSISTANT_MESSAGE, 50 },
		{ "t1", WINDOW_TOOL_RESULT, 30 },
		{ "a2", WINDOW_ASSISTANT_MESSAGE, 60 },
		{ "system", WINDOW_SYSTEM_PROMPT, 50 },
		{ "u2", WINDOW_USER_MESSAGE, 90 },
		{ "other", WINDOW_OTHER, 50 },
		{ "rule", WINDOW_OTHER, 50 },
		{ "task", WINDOW_USER_MESSAGE, 10 },
		{ "rules", WINDOW_INSTRUCTION, 50 },
	};
	struct window *window = window_of(4096);
	char ids[256];

	for (size_t i = 0; i < ARRAY_LEN(items); i++) {
		struct window_item item =
			item_of(items[i].type, items[i].id, items[i].id);

		item.priority = items[i].priority;
		assert_int_equal(window_add(window, &item, NULL, NULL), 0);
	}
	window_set_pin(window, "rule", true);
	window_set_pin(window, "task", true);
	assert_string_equal(
		text_order(window, WINDOW_ORDER_TIME, 0, ids, sizeof(ids)),
		"system rules rule task memory other u1 a1 t1 a2 u2 ");
	assert_string_equal(
		text_order(window, WINDOW_ORDER_PRIORITY, 0, ids, sizeof(ids)),
		"system rules memory t1 u2 u1 task a2 a1 other rule ");
	window_destroy(window);
}

static int
compare_words(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The same items, whatever the order and the room. */
static void
test_build_order_does_not_decide_what_stays(void **state)
{
	static const enum window_type types[] = { WINDOW_USER_MESSAGE,
						  WINDOW_ASSISTANT_MESSAGE,
						  WINDOW_TOOL_RESULT,
						  WINDOW_WORKING_MEMORY };
	struct window *window = window_of(2000);

	for (unsigned i = 0; i < 20; i++) {
		char id[16];

		snprintf(id, sizeof(id), "i%02u", i);
		add_tokens(window, types[i % 4], id, i * 37 % 100, 60);
	}
	for (uint64_t reserve = 0; reserve < 2000; reserve += 60) {
		char texts[2][256];
		char *words[2][20];
		size_t nr[2] = { 0, 0 };

		for (int order = 0; order < 2; order++) {
			char *save = NULL;

			text_order(window, (enum window_order)order, reserve,
			       texts[order], sizeof(texts[order]));
			for (char *word = strtok_r(texts[order], " ", &save);
			     word != NULL; word = strtok_r(NULL, " ", &save))
				words[order][nr[order]++] = word;
			qsort(words[order], nr[order], sizeof(char *),
			      compare_words);
		}
		assert_int_equal(nr[0], nr[1]);
		for (size_t i = 0; i < nr[0]; i++)
			assert_string_equal(words[0][i], words[1][i]);
	}
	window_destroy(window);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_build_formats_messages_and_separates_items),
		cmocka_unit_test(test_build_switches_leave_kinds_out),
		cmocka_unit_test(test_build_takes_the_newest_messages),
		cmocka_unit_test(test_build_writes_the_conversation_as_it_went),
		cmocka_unit_test(test_build_order_does_not_decide_what_stays),
		cmocka_unit_test(test_build_query_selects_memory),
		cmocka_unit_test(
			test_build_respects_the_budget_of_a_window_that_is_over),
		cmocka_unit_test(test_build_chooses_pinned_items_first),
		cmocka_unit_test(test_build_is_never_over_whatever_the_budget),
	};

	return cmocka_run_group_tests_name("window/build", tests, NULL, NULL);
}
