/* SPDX-License-Identifier: MIT */
/*
 * test_config_file.c - settings as git-config(1) has them: sections, quotes,
 * comments, lines that go on, and what git refuses.
 */
#include "tests/support/test_shm.h"

#include "base/base.h"
#include "git/git.h"

static char got[4096];

/* All settings, one a line. */
static const char *
settings(const char *text)
{
	struct gitconfig config;
	size_t at = 0;
	int result;

	gitconfig_init(&config, text, strlen(text));
	got[0] = '\0';
	while ((result = gitconfig_next(&config)) == 1)
		at += (size_t)snprintf(got + at, sizeof(got) - at,
				       "%s.%s.%s%s%s\n", config.section,
				       config.part, config.key,
				       config.has_value ? "=" : "",
				       config.has_value ? config.value : "");
	if (result != 0)
		snprintf(got + at, sizeof(got) - at, "!");
	return got;
}

static const struct {
	const char *text;
	const char *want;
} cases[] = {
	{ "", "" },
	{ "[core]\n", "" },
	{ "[Core]\n\tIgnoreCase = true\n", "core..ignorecase=true\n" },
	{ "[a]\nkey\n", "a..key\n" },
	{ "[a]\nkey =\n", "a..key=\n" },
	{ "[a] key = v", "a..key=v\n" },
	{ "[a \"B c\"]\nk = 1\n", "a.B c.k=1\n" },
	{ "[a \"q\\\"\\\\\"]\nk = 1\n", "a.q\"\\.k=1\n" },
	{ "[a.B]\nk = 1\n", "a.b.k=1\n" },
	{ "# c\n; c\n[a] ; c\nk = v # c\nl = w;c\n", "a..k=v\na..l=w\n" },
	{ "[a]\nk = \"x # y\"z\n", "a..k=x # yz\n" },
	{ "[a]\nk = x  y  \n", "a..k=x  y\n" },
	{ "[a]\nk = \" x \"\n", "a..k= x \n" },
	{ "[a]\nk = x\\\n y\n", "a..k=x y\n" },
	{ "[a]\nk = x\\ty\\nz\\\\\n", "a..k=x\ty\nz\\\n" },
	{ "[a]\r\nk = v\r\nl = w\r\n", "a..k=v\na..l=w\n" },
	{ "\xef\xbb\xbf[a]\nk = v\n", "a..k=v\n" },
	{ "[a]\nk = v\n[b]\nk = w\n[a]\nl = x\n", "a..k=v\nb..k=w\na..l=x\n" },
	/* what git refuses */
	{ "[a]\nk = v\n[b\nl = w\n", "a..k=v\n!" },
	{ "[a]\n1k = v\n", "!" },
	{ "[a]\nk v\n", "!" },
	{ "[a]\nk = \"v\n", "!" },
	{ "[a]\nk = \\q\n", "!" },
	{ "[a \"b]\nk = v\n", "!" },
};

static void
test_config_file_settings_are_those_of_git(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (strcmp(settings(cases[i].text), cases[i].want) != 0)
			fail_msg("%s: got %s, want %s", cases[i].text, got,
				 cases[i].want);
}

static bool
is_true(const char *text)
{
	struct gitconfig config;

	gitconfig_init(&config, text, strlen(text));
	ASSERT_EQ(gitconfig_next(&config), 1);
	ASSERT_TRUE(gitconfig_is(&config, "core", "x"));
	ASSERT_TRUE(!gitconfig_is(&config, "core", "y"));
	ASSERT_TRUE(!gitconfig_is(&config, "cores", "x"));
	return gitconfig_true(&config);
}

static void
test_config_file_true_is_what_git_takes_for_it(void **state)
{
	ASSERT_TRUE(is_true("[core] x"));
	ASSERT_TRUE(is_true("[core] x = true"));
	ASSERT_TRUE(is_true("[core] x = YES"));
	ASSERT_TRUE(is_true("[core] x = On"));
	ASSERT_TRUE(is_true("[core] x = 1"));
	ASSERT_TRUE(!is_true("[core] x = false"));
	ASSERT_TRUE(!is_true("[core] x = off"));
	ASSERT_TRUE(!is_true("[core] x = 0"));
	ASSERT_TRUE(!is_true("[core] x ="));
}

/* Names and values that are longer than there is room for do not run over. */
static void
test_config_file_long_names_are_refused(void **state)
{
	static char text[3 * GITCONFIG_VALUE_BYTES];

	for (size_t bytes = GITCONFIG_NAME_BYTES - 2;
	     bytes <= GITCONFIG_NAME_BYTES + 1; bytes++) {
		struct gitconfig config;
		int nr = snprintf(text, sizeof(text), "[a]\n%0*d = v\n",
				  (int)bytes, 0);

		memset(text + 4, 'k', bytes);
		gitconfig_init(&config, text, (size_t)nr);
		ASSERT_EQ(gitconfig_next(&config),
			  bytes < GITCONFIG_NAME_BYTES ? 1 : -EINVAL);
	}
}

/* "section|part|key|value" of every setting, '-' for one without a value. */
static void
check_config(const char *text, const char *want, int want_end)
{
	struct gitconfig config;
	char settings[4096] = "";
	size_t bytes = 0;
	int end;

	gitconfig_init(&config, text, strlen(text));
	while ((end = gitconfig_next(&config)) == 1)
		bytes += (size_t)snprintf(
			settings + bytes, sizeof(settings) - bytes,
			"%s|%s|%s|%s\n", config.section, config.part,
			config.key, config.has_value ? config.value : "-");
	assert_string_equal(settings, want);
	assert_int_equal(end, want_end);
}

static void
test_gitconfig_syntax_is_git_s(void **state)
{
	check_config("[core]\n\tkey = value\n[Core] KEY=v2 ; no\n",
		     "core||key|value\ncore||key|v2\n", 0);
	check_config("[a \"B\\\"c\"]\nx\ny = \"q  \\\" ; # \"  z  # no\n",
		     "a|B\"c|x|-\na|B\"c|y|q  \" ; #   z\n", 0);
	check_config("[a.B]\nx = one\\\n two\\tthree\\\\\r\ny=\n",
		     "a|b|x|one two\tthree\\\na|b|y|\n", 0);
	check_config("# only\n; comments\n\n", "", 0);
	check_config("[a]\nx = \"open\ny = 1\n", "", -EINVAL);
	check_config("[a\n", "", -EINVAL);
	check_config("[a]\nx = \\q\n", "", -EINVAL);
	check_config("[a]\n9 = x\n", "", -EINVAL);
	check_config("\xef\xbb\xbf[a]b=c", "a||b|c\n", 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_config_file_settings_are_those_of_git),
		cmocka_unit_test(
			test_config_file_true_is_what_git_takes_for_it),
		cmocka_unit_test(test_config_file_long_names_are_refused),
		cmocka_unit_test(test_gitconfig_syntax_is_git_s),
	};

	return cmocka_run_group_tests_name("git/config_file", tests, NULL,
					   NULL);
}
