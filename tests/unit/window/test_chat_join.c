/* SPDX-License-Identifier: MIT */
/*
 * test_chat_join.c - two messages of one role in one.
 */
#include "tests/support/test_compact.h"

#include "window/chat_impl.h"

static void
test_join_makes_one_message(void **state)
{
	static const struct {
		const char *first;
		const char *second;
		const char *want;
	} cases[] = {
		{ "{\"content\":\"a\"}", "{\"content\":\"b\"}",
		  "{\"content\":\"a\\n\\nb\"}" },
		{ "{\"content\":\" \"}", "{\"content\":\"b\"}",
		  "{\"content\":\"b\"}" },
		{ "{\"content\":\"a\"}", "{\"content\":null}",
		  "{\"content\":\"a\"}" },
		{ "{\"role\":\"assistant\"}", "{\"content\":null}",
		  "{\"role\":\"assistant\",\"content\":null}" },
		{ "{\"content\":\"a\"}", "{\"content\":[{\"type\":\"x\"}]}",
		  "{\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
		  "{\"type\":\"x\"}]}" },
		{ "{\"content\":[{\"type\":\"x\"}]}", "{\"content\":\"b\"}",
		  "{\"content\":[{\"type\":\"x\"},"
		  "{\"type\":\"text\",\"text\":\"b\"}]}" },
		{ "{\"content\":\"a\",\"tool_calls\":[1],\"name\":\"n\"}",
		  "{\"content\":null,\"tool_calls\":[2],\"name\":\"m\","
		  "\"k\":3}",
		  "{\"content\":\"a\",\"tool_calls\":[1,2],\"name\":\"n\","
		  "\"k\":3}" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		json_t *first = load(cases[i].first);
		json_t *second = load(cases[i].second);
		json_t *again = json_deep_copy(second);
		json_t *want = load(cases[i].want);

		assert_int_equal(chat_join(&openai_ops, first, second), 0);
		if (!json_equal(first, want))
			fail_msg("case %zu: %s", i, json_dumps(first, 0));
		assert_true(json_equal(second, again));
		json_decref(first);
		json_decref(second);
		json_decref(again);
		json_decref(want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_join_makes_one_message),
	};

	return cmocka_run_group_tests_name("window/chat_join", tests, NULL,
					   NULL);
}
