/* SPDX-License-Identifier: MIT */
/*
 * test_config.c - what a tsconfig.json says of where modules are, and a
 * package.json of its package.
 */
#include "tests/support/test_shm.h"

#include "lang/facts.h"

/* All pieces of a text, a "|" behind each: static. */
static const char *
pieces(enum lang_config config, const char *text)
{
	static char out[512];
	size_t end = strlen(text);
	size_t bytes = 0;

	out[0] = '\0';
	for (size_t at = 0;; at += bytes) {
		at = lang_config_next(config, (const uint8_t *)text, at, end,
				      &bytes);
		if (at == end)
			return out;
		strncat(out, text + at, bytes);
		strcat(out, "|");
	}
}

static void
test_config_is_known_by_its_name(void **state)
{
	static const struct {
		const char *path;
		bool want;
	} cases[] = {
		{ "tsconfig.json", true },     { "a/jsconfig.json", true },
		{ "tsconfig.app.json", true }, { "a/tsconfig.json/b", false },
		{ "xtsconfig.json", false },   { "tsconfig.js", false },
		{ "tsconfig/a.json", false },  { "", false },
		{ "a/tsconfig.json5", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		ASSERT_EQ(lang_config_is((const uint8_t *)cases[i].path,
					 strlen(cases[i].path)),
			  cases[i].want);
}

static void
test_config_pieces_say_where_modules_are(void **state)
{
	static const char *const cases[][2] = {
		{ "{\"compilerOptions\":{\"baseUrl\":\"src\"}}",
		  "\"baseUrl\":\"src\"|" },
		{ "{\"extends\":\"./b\",\"compilerOptions\":{\"paths\":{"
		  "\"@/*\":[\"a/*\",\"b/*\"],\"c\":[\"d\"]}}}",
		  "\"extends\":\"./b\"|\"@/*\":[\"a/*\",\"b/*\"]|"
		  "\"c\":[\"d\"]|" },
		/* in another object than compilerOptions */
		{ "{\"x\":{\"baseUrl\":\"a\",\"paths\":{\"b\":[\"c\"]}},"
		  "\"compilerOptions\":[{\"baseUrl\":\"d\"}]}",
		  "" },
		/* in another object, in a list, in a text, in a comment */
		{ "{\"baseUrl\":\"a\",\"x\":{\"y\":{\"baseUrl\":\"b\"}},\"y\":["
		  "\"baseUrl\",\":\",\"c\"],\"z\":\"\\\"baseUrl\\\":\\\"d\\\""
		  "\",/*\"extends\":\"e\"*/ //\"extends\":\"f\"\n}",
		  "" },
		{ "", "" },
		{ "{\"compilerOptions\":", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(pieces(LANG_CONFIG_MODULES, cases[i][0]),
				    cases[i][1]);
}

static void
test_manifest_pieces_name_the_package(void **state)
{
	static const char *const cases[][2] = {
		{ "{\"version\":\"1\",\"name\":\"a\"}", "a|" },
		{ "{\"x\":{\"name\":\"no\"},\"name\" : \"@s/a\"}", "@s/a|" },
		{ "{\"imports\":{\"#a\":\"./a.js\",\"b\":\"./no\"},"
		  "\"name\":\"p\"}",
		  "\"#a\":\"./a.js\"|p|" },
		{ "[\"name\",\"a\"]", "" },
		/* and where it begins */
		{ "{\"main\":\"a.js\",\"bin\":{\"t\":\"t.js\"},\"x\":{\"main\":"
		  "\"no\"},\"exports\":{\".\":{\"import\":{\"default\":\"b.mjs\"},"
		  "\"require\":\"c.cjs\"},\"./d\":\"d.js\"},\"files\":[\"no\"]}",
		  "\"main\":\"a.js\"|\"t\":\"t.js\"|\"default\":\"b.mjs\"|"
		  "\"require\":\"c.cjs\"|\"./d\":\"d.js\"|" },
		{ "{\"name\":\"", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(pieces(LANG_CONFIG_PACKAGE, cases[i][0]),
				    cases[i][1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_config_is_known_by_its_name),
		cmocka_unit_test(test_config_pieces_say_where_modules_are),
		cmocka_unit_test(test_manifest_pieces_name_the_package),
	};

	return cmocka_run_group_tests_name("lang/config", tests, NULL, NULL);
}
