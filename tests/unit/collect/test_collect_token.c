/* SPDX-License-Identifier: MIT */
/*
 * test_collect_token.c - settings that hold a token, as npmrc(5) and Yarn have
 * them, and those that name where one is.
 */
#include "tests/support/test_shm.h"

#include "stages/collect/collect.h"

static void
test_settings_with_a_token_are_known(void **state)
{
	static const struct {
		const char *text;
		bool want;
	} cases[] = {
		{ "//registry.example/:_authToken=abc\n", true },
		{ "_auth = dTpw\n", true },
		{ "a=b\n  //h/:_password=\"cDE=\"", true },
		{ "npmAuthToken: abc\n", true },
		{ "npmScopes:\n  x:\n    npmAuthIdent: \"u:p\"\r\n", true },
		{ "npmAuthIdent: dTpwYXNz=\n", true },
		{ "\"//h/:_authToken\" \"abc\"\n", false },
		{ "", false },
		{ "registry=https://r/\nalways-auth=true\n", false },
		/* somebody else has the value */
		{ "//h/:_authToken=${NPM_TOKEN}\n", false },
		{ "npmAuthToken: \"${T}\"\n", false },
		{ "_authToken=\n", false },
		{ "_authToken= \"\" \r\n", false },
		{ "_authToken=${A}b\n", true },
		{ "_authToken=${}\n", true },
		/* comments, and names that end alike */
		{ "# _auth=abc\n; _auth=abc\n", false },
		{ "not_auth=abc\n", false },
		{ "x_authToken=abc\n", false },
		{ "_authTokens=abc\n", false },
		{ "_auth abc\n", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (collect_kind_has_token(cases[i].text,
					   strlen(cases[i].text)) !=
		    cases[i].want)
			fail_msg("%s: want %d", cases[i].text, cases[i].want);
}

/* What stands behind the text is not of it. */
static void
test_settings_end_where_they_do(void **state)
{
	static const char text[] = "_auth=a";

	ASSERT_TRUE(collect_kind_has_token(text, 7));
	ASSERT_TRUE(!collect_kind_has_token(text, 6));
	ASSERT_TRUE(!collect_kind_has_token(text, 5));
}

static void
test_token_is_a_value_and_not_the_name_of_one(void **state)
{
	static const struct {
		const char *text;
		bool want;
	} cases[] = {
		{ "//registry.example.org/:_authToken=npm_abc\n", true },
		{ "registry=https://example.org/\r\n_auth = c2VjcmV0\r\n",
		  true },
		{ "//host/:_password=\"eA==\"", true },
		{ "//host/:username=me\n//host/:_password=x", true },
		{ "npmAuthToken: abc\n", true },
		{ "npmRegistryServer: \"https://example.org\"\n"
		  "npmScopes:\n  a:\n    npmAuthToken: \"abc\"\n",
		  true },
		{ "", false },
		{ "_authToken", false },
		{ "//host/:_authToken=${NPM_TOKEN}\n", false },
		{ "//host/:_authToken=\"${NPM_TOKEN}\"\n", false },
		{ "//host/:_authToken=${A}b\n", true },
		{ "//host/:_authToken=\n", false },
		{ "# _auth=abc\n; _authToken=abc\n", false },
		{ "always-auth=true\nno_auth=x\n", false },
		{ "engine-strict=true\nsave-exact=true\n", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bool got = collect_kind_has_token(cases[i].text,
						  strlen(cases[i].text));

		if (got != cases[i].want)
			fail_msg("%s: got %d, want %d", cases[i].text, got,
				 cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settings_with_a_token_are_known),
		cmocka_unit_test(test_settings_end_where_they_do),
		cmocka_unit_test(test_token_is_a_value_and_not_the_name_of_one),
	};

	return cmocka_run_group_tests_name("collect/collect_token", tests, NULL,
					   NULL);
}
