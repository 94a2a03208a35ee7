/* SPDX-License-Identifier: MIT */
/*
 * test_glob.c - wild cards: cases of git's own tests (t3070-wildmatch), and all
 * short patterns against all short texts as a recursion of a few lines has it.
 * Compared with git itself in tests/oracle/collect.py.
 */
#include "tests/support/test_shm.h"

#include "base/glob.h"

static bool
match(const char *pattern, const char *text, unsigned flags)
{
	return glob_match(pattern, strlen(pattern), text, strlen(text), flags);
}

static const struct {
	bool want;
	const char *text;
	const char *pattern;
} cases[] = {
	{ true, "foo", "foo" },
	{ false, "foo", "bar" },
	{ true, "", "" },
	{ false, "", "?" },
	{ true, "", "*" },
	{ true, "foo", "???" },
	{ false, "foo", "??" },
	{ false, "foo", "*f" },
	{ true, "foo", "*foo*" },
	{ true, "foobar", "*ob*a*r*" },
	{ true, "aaaaaaabababab", "*ab" },
	{ true, "foo*", "foo\\*" },
	{ false, "foobar", "foo\\*bar" },
	{ true, "f\\oo", "f\\\\oo" },
	{ false, "foo", "foo\\" },
	{ true, "ball", "*[al]?" },
	{ false, "ten", "[ten]" },
	{ false, "ten", "**[!ten]" },
	{ true, "ten", "t[a-g]n" },
	{ false, "ten", "t[!a-g]n" },
	{ true, "ton", "t[^a-g]n" },
	{ true, "a]b", "a[]]b" },
	{ true, "a-b", "a[]-]b" },
	{ false, "aab", "a[]-]b" },
	{ true, "aab", "a[]a-]b" },
	{ true, "]", "]" },
	{ false, "a", "[a" },
	{ false, "a", "[" },
	{ true, "-", "[,-.]" },
	{ false, "+", "[,-.]" },
	{ true, "[", "[[]" },
	{ true, "a1B", "[[:alpha:]][[:digit:]][[:upper:]]" },
	{ false, "a", "[[:digit:][:upper:][:space:]]" },
	{ true, "A", "[[:digit:][:upper:][:space:]]" },
	{ false, "a", "[[:digit:][:upper:][:spaci:]]" },
	{ false, "A", "[[:digit:][:upper:][:spaci:]]" },
	{ true, "f", "[[:xdigit:]]" },
	{ false, "g", "[[:xdigit:]]" },
	{ true, ".", "[^[:alnum:][:blank:][:cntrl:]]" },
};

static void
test_glob_within_a_name_is_as_git_has_it(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (match(cases[i].pattern, cases[i].text, WILD_PATH) !=
			    cases[i].want ||
		    match(cases[i].pattern, cases[i].text, 0) != cases[i].want)
			fail_msg("%s on %s", cases[i].pattern, cases[i].text);
}

static const struct {
	bool want;
	const char *text;
	const char *pattern;
} paths[] = {
	{ false, "foo/baz/bar", "foo*bar" },
	{ false, "foo/baz/bar", "foo**bar" },
	{ true, "foobazbar", "foo**bar" },
	{ true, "foo/baz/bar", "foo/**/bar" },
	{ true, "foo/baz/bar", "foo/**/**/bar" },
	{ true, "foo/b/a/z/bar", "foo/**/bar" },
	{ true, "foo/bar", "foo/**/bar" },
	{ false, "foo/bar", "foo?bar" },
	{ false, "foo/bar", "foo[/]bar" },
	{ false, "foo/bar", "foo[^a-z]bar" },
	{ true, "foo", "**/foo" },
	{ true, "bar/baz/foo", "**/foo" },
	{ false, "bar/baz/foo", "*/foo" },
	{ false, "foo/bar/baz", "**/bar*" },
	{ true, "deep/foo/bar/baz", "**/bar/*" },
	{ false, "deep/foo/bar/baz/", "**/bar/*" },
	{ true, "deep/foo/bar/baz/", "**/bar/**" },
	{ false, "deep/foo/bar", "**/bar/*" },
	{ false, "foo/bar/baz", "**/bar**" },
	{ true, "foo/bar/baz/x", "*/bar/**" },
	{ false, "deep/foo/bar/baz/x", "*/bar/**" },
	{ true, "deep/foo/bar/baz/x", "**/bar/*/*" },
};

static void
test_glob_stops_at_slashes_as_git_does(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (match(paths[i].pattern, paths[i].text, WILD_PATH) !=
		    paths[i].want)
			fail_msg("%s on %s", paths[i].pattern, paths[i].text);
	ASSERT_TRUE(match("foo*bar", "foo/baz/bar", 0));
	ASSERT_TRUE(match("foo[/]bar", "foo/bar", 0));
}

static void
test_glob_folds_case_only_when_asked(void **state)
{
	ASSERT_TRUE(!match("Ab", "aB", 0));
	ASSERT_TRUE(match("Ab", "aB", WILD_FOLD));
	ASSERT_TRUE(match("[A-C]", "b", WILD_FOLD));
	ASSERT_TRUE(match("[a-c]", "B", WILD_FOLD));
	ASSERT_TRUE(match("[[:upper:]]", "b", WILD_FOLD));
	ASSERT_TRUE(!match("[[:upper:]]", "b", 0));
	ASSERT_TRUE(!match("\xc3\x84", "\xc3\xa4", WILD_FOLD));
}

/* Whether stars may match slashes; `rest` is what is behind them. */
static bool
is_deep(const char *begin, const char *p, const char *rest)
{
	return rest - p > 1 && (p == begin || p[-1] == '/') &&
	       (*rest == '\0' || *rest == '/');
}

/* By trying everything; there are no classes and no escapes in it. */
static bool
naive(const char *begin, const char *p, const char *t, bool path)
{
	const char *rest = p + strspn(p, "*");
	bool deep = !path || is_deep(begin, p, rest);

	if (*p == '\0' || (*t == '\0' && rest == p))
		return *p == *t;
	if (*p == '?')
		return (!path || *t != '/') && naive(begin, p + 1, t + 1, path);
	if (rest == p)
		return *p == *t && naive(begin, p + 1, t + 1, path);
	if (path && deep && *rest == '/' && naive(begin, rest + 1, t, path))
		return true;
	for (;; t++) {
		if (naive(begin, rest, t, path))
			return true;
		if (*t == '\0' || (!deep && *t == '/'))
			return false;
	}
}

/* The next text over an alphabet, shorter ones first; false: all were. */
static bool
next_text(char *text, const char *alphabet, size_t max)
{
	size_t nr = strlen(text);

	for (size_t i = 0; i < nr; i++) {
		const char *at = strchr(alphabet, text[i]);

		text[i] = at[1] == '\0' ? alphabet[0] : at[1];
		if (at[1] != '\0')
			return true;
	}
	if (nr == max)
		return false;
	text[nr] = alphabet[0];
	text[nr + 1] = '\0';
	return true;
}

static void
test_glob_of_all_short_patterns_is_as_by_trying(void **state)
{
	char pattern[8] = "";

	do {
		char text[8] = "";

		do {
			for (unsigned flags = 0; flags <= WILD_PATH; flags++)
				if (match(pattern, text, flags) !=
				    naive(pattern, pattern, text, flags != 0))
					fail_msg("%s on %s, flags %u", pattern,
						 text, flags);
		} while (next_text(text, "ab/", 4));
	} while (next_text(pattern, "a/*?", 6));
}

/* A recursion that tries everything would not end. */
static void
test_glob_of_many_stars_ends(void **state)
{
	char pattern[256];
	char text[4096];

	for (size_t i = 0; i + 1 < sizeof(pattern); i++)
		pattern[i] = i % 2 == 0 ? '*' : 'a';
	memcpy(pattern + sizeof(pattern) - 2, "b", 2);
	memset(text, 'a', sizeof(text));
	ASSERT_TRUE(!glob_match(pattern, strlen(pattern), text, sizeof(text),
				WILD_PATH));
	text[sizeof(text) - 1] = 'b';
	ASSERT_TRUE(glob_match(pattern, strlen(pattern), text, sizeof(text),
			       WILD_PATH));
}

static const struct {
	bool want;
	const char *pattern;
	const char *path;
} lines[] = {
	{ true, "a.c", "a.c" },
	{ true, "a.c", "d/a.c" },
	{ false, "a.c", "d/ba.c" },
	{ true, "d", "d/a.c" },
	{ true, "d", "x/d/y/a.c" },
	{ true, "d/", "x/d/a.c" },
	{ false, "d/", "x/d" },
	{ true, "/d", "d/a.c" },
	{ false, "/d", "x/d/a.c" },
	{ true, "/d/", "d/a.c" },
	{ false, "/d/", "d" },
	{ true, "/*.c", "a.c" },
	{ false, "/*.c", "d/a.c" },
	{ true, "x/d", "x/d/a.c" },
	{ false, "x/d", "y/x/d/a.c" },
	{ true, "**/x/d", "y/x/d/a.c" },
	{ true, "x/*/a.c", "x/d/a.c" },
	{ false, "x/*/a.c", "x/d/e/a.c" },
	{ false, "", "a" },
	{ false, "/", "a" },
	{ true, "[id].c", "i.c" },
	{ true, "[id].c", "[id].c" },
	{ true, "app/(a b)/[id]/*.c", "app/(a b)/[id]/x.c" },
	{ true, "a[", "a[" },
	{ true, "\\[id\\].c", "x/[id].c" },
	{ false, "\\[id\\].c", "i.c" },
};

static void
test_glob_names_what_a_line_of_gitignore_would(void **state)
{
	const char *const both[] = { "*.h", "d/" };

	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		if (glob_names_path(lines[i].pattern, lines[i].path,
				    strlen(lines[i].path)) != lines[i].want)
			fail_msg("%s on %s", lines[i].pattern, lines[i].path);
	ASSERT_TRUE(globs_name_path(both, 2, (const uint8_t *)"a.h", 3));
	ASSERT_TRUE(globs_name_path(both, 2, (const uint8_t *)"d/a", 3));
	ASSERT_TRUE(!globs_name_path(both, 2, (const uint8_t *)"a.c", 3));
	ASSERT_TRUE(!globs_name_path(both, 0, (const uint8_t *)"a.h", 3));
}

static void
test_glob_reaches_below_directories_of_its_files(void **state)
{
	static const struct {
		bool want;
		const char *pattern;
		const char *dir;
	} reaches[] = {
		{ true, "*.c", "a/b" },	    { true, "a/", "b" },
		{ true, "a/x.c", "a" },	    { false, "a/x.c", "b" },
		{ true, "a/*/x.c", "a/b" }, { false, "a/*/x.c", "a/b/c" },
		{ true, "a/**", "a/b/c" },  { true, "**/x", "a/b" },
		{ false, "/x", "x" },	    { true, "/a/x", "a" },
		{ false, "a/x", "a/x" },    { true, "[id]/x/y", "[id]/x" },
	};

	for (size_t i = 0; i < ARRAY_LEN(reaches); i++)
		if (globs_reach_below(&reaches[i].pattern, 1, reaches[i].dir,
				      strlen(reaches[i].dir)) != reaches[i].want)
			fail_msg("%s below %s", reaches[i].pattern, reaches[i].dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_glob_within_a_name_is_as_git_has_it),
		cmocka_unit_test(test_glob_stops_at_slashes_as_git_does),
		cmocka_unit_test(test_glob_folds_case_only_when_asked),
		cmocka_unit_test(
			test_glob_of_all_short_patterns_is_as_by_trying),
		cmocka_unit_test(test_glob_of_many_stars_ends),
		cmocka_unit_test(
			test_glob_names_what_a_line_of_gitignore_would),
		cmocka_unit_test(
			test_glob_reaches_below_directories_of_its_files),
	};

	return cmocka_run_group_tests_name("base/glob", tests, NULL, NULL);
}
