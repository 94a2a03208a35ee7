/* SPDX-License-Identifier: MIT */
/*
 * test_chat_anthropic.c - what messages of the Anthropic interface are made of.
 */
#include "tests/support/test_chat.h"

/* What a tool of the interface's own gave back follows its call. */
static void
test_chat_tools_of_the_interface_have_calls_and_results(void **state)
{
#define OWN(kind, id)                                       \
	"{\"type\":\"" kind "_tool_use\",\"id\":\"" id      \
	"\",\"name\":\"f\",\"input\":{}},{\"type\":\"" kind \
	"_tool_result\",\"tool_use_id\":\"c\",\"content\":\"r\"}"
#define MESSAGE(blocks) "[{\"role\":\"assistant\",\"content\":[" blocks "]}]"
	static const char *const good[] = { MESSAGE(OWN("mcp", "c")),
					    MESSAGE(OWN("server", "c")) };
	static const char *const bad[] = { MESSAGE(OWN("mcp", "d")),
					   MESSAGE(OWN("server", "d")) };

	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_int_equal(format_of(good[i]), CHAT_ANTHROPIC);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_begins(refusal(bad[i], strlen(bad[i])),
			      "BALE-CMP-003 message 0: the tool call \"c\" ");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chat_tools_of_the_interface_have_calls_and_results),
	};

	return cmocka_run_group_tests_name("window/chat_anthropic", tests, NULL,
					   NULL);
}
