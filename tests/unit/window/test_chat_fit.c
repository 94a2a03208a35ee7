/* SPDX-License-Identifier: MIT */
/*
 * test_chat_fit.c - messages of many requests as one that Anthropic takes.
 */
#include "tests/support/test_chat.h"

#include <jansson.h>

#include "window/chat_impl.h"

static void
expect(const char *messages, const char *want)
{
	json_t *got = json_loads(messages, 0, NULL);
	json_t *wanted = json_loads(want, 0, NULL);

	assert_non_null(got);
	assert_non_null(wanted);
	assert_int_equal(chat_fit_anthropic(NULL, got), 0);
	if (!json_equal(got, wanted))
		fail_msg("%s becomes %s", messages,
			 json_dumps(got, JSON_COMPACT));
	json_decref(got);
	json_decref(wanted);
}

static void
test_fit_gives_each_call_an_id_of_its_own(void **state)
{
	(void)state;
	expect("[" USE("c") "," USED("c") "]", "[" USE("c") "," USED("c") "]");
	expect("[" USE("c") "," USED("c") "," USE("c") "," USED("c") "," USE(
		       "c_2") "," USED("c_2") "," USE("c") "," USED("c") "]",
	       "[" USE("c") "," USED("c") "," USE("c_2") "," USED("c_2") "," USE(
		       "c_2_2") "," USED("c_2_2") "," USE("c_3") "," USED("c_3") "]");
}

static void
test_fit_has_only_characters_that_are_allowed(void **state)
{
	(void)state;
	expect("[" USE("functions.f:0") "," USED("functions.f:0") "]",
	       "[" USE("functions_f_0") "," USED("functions_f_0") "]");
	/* another one that becomes the same */
	expect("[" USE("a.b") "," USED("a.b") "," USE("a:b") "," USED(
		       "a:b") "]",
	       "[" USE("a_b") "," USED("a_b") "," USE("a_b_2") "," USED(
		       "a_b_2") "]");
}

/* A text of the user's, with a mark or without one. */
#define SAID(mark)                                                     \
	"{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":" \
	"\"x\"" mark "}]}"
#define MARK ",\"cache_control\":{\"type\":\"ephemeral\"}"

static void
test_fit_keeps_four_marks_of_the_cache(void **state)
{
	(void)state;
	expect("[" SAID(MARK) "," SAID(MARK) "," SAID("") "," SAID(
		       MARK) "," SAID(MARK) "]",
	       "[" SAID(MARK) "," SAID(MARK) "," SAID("") "," SAID(
		       MARK) "," SAID(MARK) "]");
	expect("[" SAID(MARK) "," SAID(MARK) "," SAID(MARK) "," SAID(
		       MARK) "," SAID("") "," SAID(MARK) "," SAID(MARK) "]",
	       "[" SAID("") "," SAID("") "," SAID(MARK) "," SAID(MARK) "," SAID(
		       "") "," SAID(MARK) "," SAID(MARK) "]");
}

/* Those of the system prompt are of what changes least. */
static void
test_fit_keeps_the_marks_of_the_system_prompt(void **state)
{
	json_t *system = json_loads("[{\"type\":\"text\",\"text\":\"s\"" MARK
				    "},{\"type\":\"text\",\"text\":\"t\"" MARK
				    "}]",
				    0, NULL);
	json_t *got = json_loads("[" SAID(MARK) "," SAID(MARK) "," SAID(
					 MARK) "]",
				 0, NULL);
	json_t *wanted = json_loads(
		"[" SAID("") "," SAID(MARK) "," SAID(MARK) "]", 0, NULL);

	assert_int_equal(chat_fit_anthropic(system, got), 0);
	assert_true(json_equal(got, wanted));
	for (size_t i = 0; i < 2; i++)
		assert_non_null(json_object_get(json_array_get(system, i),
						"cache_control"));
	json_decref(system);
	json_decref(got);
	json_decref(wanted);
}

#define ANSWER(text)                                                        \
	"{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":" \
	"\"" text "\"}]}"

static void
test_fit_ends_in_a_word_of_the_assistant(void **state)
{
	(void)state;
	expect("[" ANSWER("so: \\n") "," SAID("") "," ANSWER("a b \\n\\t") "]",
	       "[" ANSWER("so: \\n") "," SAID("") "," ANSWER("a b") "]");
	expect("[" USE("c") "]", "[" USE("c") "]");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fit_gives_each_call_an_id_of_its_own),
		cmocka_unit_test(test_fit_has_only_characters_that_are_allowed),
		cmocka_unit_test(test_fit_ends_in_a_word_of_the_assistant),
		cmocka_unit_test(test_fit_keeps_four_marks_of_the_cache),
		cmocka_unit_test(test_fit_keeps_the_marks_of_the_system_prompt),
	};

	return cmocka_run_group_tests_name("window/chat_fit", tests, NULL,
					   NULL);
}
