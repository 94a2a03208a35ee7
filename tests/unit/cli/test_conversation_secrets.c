/* SPDX-License-Identifier: MIT */
/*
 * test_conversation_secrets.c - what a conversation gets has no secrets, in
 * JSON neither as it stands nor behind escapes; and it is the same JSON.
 */
#include "tests/support/test_secrets.h"

#include <jansson.h>

#include "base/exit_code.h"
#include "cli/conversation.h"

static uint64_t seed = 20261127;
static struct conversation_secrets secrets;

/* Cleans a text: what becomes of it, until the next call. */
static const char *
cleaned(enum secrets_mode mode, bool is_json, const char *text, int code)
{
	static char *copy;
	size_t bytes = strlen(text);

	free(copy);
	copy = strdup(text);
	secrets = (struct conversation_secrets){ .mode = mode,
						 .name = "stdin" };
	assert_int_equal(conversation_clean(&secrets, is_json, &copy, &bytes),
			 code);
	assert_int_equal(strlen(copy), bytes);
	return copy;
}

static char *
token(void)
{
	static char text[64];

	secret_add(stpcpy(text, "ghp_"), 36, &seed);
	return text;
}

static void
test_clean_by_mode(void **state)
{
	char text[256];

	snprintf(text, sizeof(text), "a\nb = \"%s\"\n", token());
	assert_string_equal(cleaned(SECRETS_REDACT, false, text, 0),
			    "a\nb = \"[REDACTED:github-pat]\"\n");
	assert_int_equal(secrets.found_nr, 1);
	assert_string_equal(cleaned(SECRETS_EXCLUDE, false, text, 0),
			    "a\nb = \"[REDACTED:github-pat]\"\n");
	assert_string_equal(cleaned(SECRETS_WARN, false, text, 0), text);
	assert_int_equal(secrets.found_nr, 1);
	assert_string_equal(cleaned(SECRETS_OFF, false, text, 0), text);
	assert_int_equal(secrets.found_nr, 0);
	cleaned(SECRETS_FAIL, false, text, EXIT_SECRET);
	assert_string_equal(cleaned(SECRETS_FAIL, false, "a\n", 0), "a\n");
	assert_string_equal(cleaned(SECRETS_REDACT, true, "", 0), "");
}

static void
test_clean_json_behind_escapes(void **state)
{
	/* arguments of a tool: JSON in a string, twice; and escapes that hide
	 * a token */
	static const char *const forms[] = {
		"{\"a\":\"{\\\"k\\\":\\\"%s\\\"}\"}",
		"{\"a\":\"\\\"{\\\\\\\"k\\\\\\\":\\\\\\\"%s\\\\\\\"}\\\"\"}",
		"[\"x\\n\\u0067%s\", 1, {}]",
		"{\"a\":\"\\\"\\\\\\\"\\\\\\\\u0067%s\\\\\\\" \\\" \"}",
		"{\"k\":\"%s\"}",
	};
	char text[512];

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		const char *secret = token() + (i == 2 || i == 3); /* the g is
								* escaped */
		const char *out;
		json_t *json;

		snprintf(text, sizeof(text), forms[i], secret);
		out = cleaned(SECRETS_REDACT, true, text, 0);
		assert_null(strstr(out, secret + 8));
		assert_non_null(strstr(out, "[REDACTED:github-pat]"));
		json = json_loads(out, JSON_REJECT_DUPLICATES, NULL);
		assert_non_null(json);
		json_decref(json);
	}
}

static void
test_clean_leaves_all_else(void **state)
{
	static const char *const same[] = {
		"{\"a\": \"\\u00e9\\/\\ud83d\\ude00\", \"b\" : [1.0, -0e3]}\n",
		"{\"a\":\"unfinished \\",
		"\"", "\\\"\\", "{\"a\":\"\\ud800 alone\"}", "\"\\q\"",
	};

	for (size_t i = 0; i < ARRAY_LEN(same); i++) {
		assert_string_equal(cleaned(SECRETS_REDACT, true, same[i], 0),
				    same[i]);
		assert_int_equal(secrets.found_nr, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean_by_mode),
		cmocka_unit_test(test_clean_json_behind_escapes),
		cmocka_unit_test(test_clean_leaves_all_else),
	};

	return cmocka_run_group_tests_name("cli/conversation_secrets", tests,
					   NULL, NULL);
}
