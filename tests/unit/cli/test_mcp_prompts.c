/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_prompts.c - what users choose, and what models read then.
 */
#include "tests/support/test_command.h"

#include "cli/mcp.h"

/* The text of a prompt; or the code of the error, as text. */
static const char *
text_of(const char *params)
{
	static char text[1024];
	const json_t *message;
	const json_t *error;
	json_t *answer;
	json_t *id = json_integer(7);
	struct mcp_request request = {
		.id = id,
		.params = json_loads(params, 0, NULL),
	};

	answer = mcp_prompts_get(&request);
	error = json_object_get(answer, "error");
	message = json_array_get(
		json_object_get(json_object_get(answer, "result"), "messages"),
		0);
	snprintf(text, sizeof(text), "%s",
		 error != NULL ? "error"
			       : json_string_value(json_object_get(
					 json_object_get(message, "content"),
					 "text")));
	json_decref(answer);
	json_decref(id);
	json_decref((json_t *)(uintptr_t)request.params);
	return text;
}

static void
test_mcp_prompts_have_what_they_are_given(void **state)
{
	json_t *list = mcp_prompts_list(false);

	assert_int_equal(json_array_size(json_object_get(list, "prompts")), 2);
	json_decref(list);
	assert_ptr_equal(strstr(text_of("{\"name\":\"task\",\"arguments\":"
					"{\"task\":\"a %s b\"}}"),
				"a %s b\n"),
			 text_of("{\"name\":\"task\",\"arguments\":"
				 "{\"task\":\"a %s b\"}}"));
	assert_non_null(strstr(text_of("{\"name\":\"overview\"}"),
			       "without a query. Then"));
	assert_non_null(strstr(text_of("{\"name\":\"overview\",\"arguments\":"
				       "{\"path\":\"src\"}}"),
			       "with paths of only src. Then"));
}

static void
test_mcp_prompts_refuse_what_is_not_there(void **state)
{
	assert_string_equal(text_of("{\"name\":\"task\"}"), "error");
	assert_string_equal(text_of("{\"name\":\"none\"}"), "error");
	assert_string_equal(text_of("{}"), "error");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mcp_prompts_have_what_they_are_given),
		cmocka_unit_test(test_mcp_prompts_refuse_what_is_not_there),
	};

	return cmocka_run_group_tests_name("cli/mcp_prompts", tests, NULL,
					   NULL);
}
