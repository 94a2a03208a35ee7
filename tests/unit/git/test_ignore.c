// SPDX-License-Identifier: MIT
/*
 * test_collect_ignore.c - rules and wild cards one by one.
 *
 * What git itself makes of thousands of them: tests/oracle/collect.py.
 */
#include "tests/support/test_collect_scratch.h"

#define I IGNORE_EXCLUDE
#define K IGNORE_KEEP
#define N IGNORE_NO_RULE

struct rule_case {
	const char *rules;
	const char *path; /* a directory's ends with '/' */
	enum ignore_verdict want;
};

static enum ignore_verdict
ask(const char *text, size_t text_bytes, const char *path, bool fold)
{
	size_t room_nr = ignore_rules_room(text, text_bytes);
	struct ignore_rule *room = calloc(room_nr, sizeof(*room));
	struct ignore_rules rules;
	size_t bytes = strlen(path);
	bool is_dir = path[bytes - 1] == '/';
	const char *slash;
	enum ignore_verdict verdict;

	assert_non_null(room);
	bytes -= is_dir;
	slash = memrchr(path, '/', bytes);
	ignore_rules_parse(&rules, room, text, text_bytes, fold);
	assert_true(rules.rule_nr <= room_nr);
	verdict = ignore_rules_match(
		&rules, path, bytes,
		slash == NULL ? 0 : (size_t)(slash - path) + 1, is_dir);
	free(room);
	return verdict;
}

static void
check(const struct rule_case *cases, size_t nr, bool fold)
{
	for (size_t i = 0; i < nr; i++) {
		enum ignore_verdict got =
			ask(cases[i].rules, strlen(cases[i].rules),
			    cases[i].path, fold);

		if (got != cases[i].want)
			fail_msg("rules \"%s\", path \"%s\": got %d, want %d",
				 cases[i].rules, cases[i].path, (int)got,
				 (int)cases[i].want);
	}
}

/* lint: long because it is a table */
static void
test_rules_syntax_is_git_s(void **state)
{
	static const struct rule_case cases[] = {
		/* names at every depth */
		{ "a", "a", I },
		{ "a", "x/y/a", I },
		{ "a", "ab", N },
		{ "*.o", "x/y.o", I },
		{ "*.o", ".o", I },
		{ "a*c", "abbc", I },
		{ "a?c", "abbc", N },
		/* anchored */
		{ "/a", "a", I },
		{ "/a", "x/a", N },
		{ "x/a", "x/a", I },
		{ "x/a", "y/x/a", N },
		{ "x/*", "x/a", I },
		{ "x/*", "x/a/b", N },
		/* directories alone */
		{ "a/", "a", N },
		{ "a/", "a/", I },
		{ "a/", "x/a/", I },
		{ "*/", "x", N },
		/* the last one wins, negation */
		{ "*.c\n!a.c\n", "a.c", K },
		{ "!a.c\n*.c\n", "a.c", I },
		{ "\\!a", "!a", I },
		{ "!", "!", N },
		/* two stars */
		{ "**/b", "b", I },
		{ "**/b", "x/y/b", I },
		{ "a/**", "a/x/y", I },
		{ "a/**", "a/", N },
		{ "a/**/b", "a/b", I },
		{ "a/**/b", "a/x/y/b", I },
		{ "a/**/b", "ab", N },
		{ "a**/b", "axx/b", I },
		{ "x/a**b", "x/ab", I },
		{ "x/a**b", "x/a/b", N },
		{ "/**", "a", I },
		{ "**", "a/b", I },
		{ "**/", "a/b/", I },
		/* "x/a" is cut off first, then "**" is at the beginning */
		{ "x/a**/b", "x/ac/d/b", I },
		/* classes */
		{ "[ab]", "b", I },
		{ "[!ab]", "b", N },
		{ "[^ab]", "c", I },
		{ "[]]", "]", I },
		{ "[a-c]x", "bx", I },
		{ "[a-]", "-", I },
		{ "[\\]]", "]", I },
		{ "[[:digit:]]", "7", I },
		{ "[[:digit:]]", "x", N },
		{ "[[:no:]]", "n", N },
		{ "[a", "[a", N },
		{ "x/[!a]b", "x//b", N },
		/* escapes */
		{ "\\a", "a", I },
		{ "a\\*b", "a*b", I },
		{ "a\\*b", "axb", N },
		{ "a\\", "a\\", N },
		{ "a\\", "a", N },
		/* comments, blanks */
		{ "#a", "#a", N },
		{ "\\#a", "#a", I },
		{ " #a", " #a", I },
		{ "a  ", "a", I },
		{ "a\\ ", "a ", I },
		{ "a\\  ", "a ", I },
		{ "a\t", "a", N },
		{ "a\t", "a\t", I },
		{ "   ", " ", N },
		/* line ends, byte order mark */
		{ "a\r\nb\r\n", "a", I },
		{ "a\r\nb", "b", I },
		{ "a\r", "a", I },
		{ "a\rb", "a\rb", I },
		{ "\r\n", "\r", N },
		{ "\xef\xbb\xbf"
		  "a",
		  "a", I },
		{ "x\n\xef\xbb\xbf"
		  "a",
		  "a", N },
		{ "", "a", N },
		{ "\n\n/\n//\n", "a", N },
	};

	check(cases, ARRAY_LEN(cases), false);
}

static void
test_rules_case_counts_unless_folded(void **state)
{
	static const struct rule_case exact[] = {
		{ "Makefile", "makefile", N },
		{ "*.C", "a.c", N },
		{ "X/y", "x/y", N },
	};
	static const struct rule_case folded[] = {
		{ "Makefile", "makefile", I },
		{ "*.C", "a.c", I },
		{ "X/y", "x/Y", I },
		{ "[a-c]", "B", I },
		{ "[A-C]", "b", I },
		{ "[[:upper:]]", "b", I },
		{ "*B", "aab", I },
	};

	check(exact, ARRAY_LEN(exact), false);
	check(folded, ARRAY_LEN(folded), true);
}

/* For git a line ends at a NUL. */
static void
test_rules_nul_ends_a_line(void **state)
{
	static const char text[] = "a\0b\nc\n";

	assert_int_equal(ask(text, sizeof(text) - 1, "a", false), I);
	assert_int_equal(ask(text, sizeof(text) - 1, "c", false), I);
	assert_int_equal(ask(text, sizeof(text) - 1, "b", false), N);
}

static void
test_rules_line_of_a_megabyte_is_harmless(void **state)
{
	size_t bytes = IGNORE_RULES_BYTES_MAX + 100;
	char *text = malloc(bytes);

	assert_non_null(text);
	memset(text, '*', bytes);
	memcpy(text, "a\n", 2);
	assert_int_equal(ask(text, bytes, "a", false), I);
	assert_int_equal(ask(text, bytes, "b", false), I);
	free(text);
}

/*
 * Exponential in a matcher that tries every star again: git's takes years for
 * this. Here it is a matter of milliseconds, or the time limit ends the test.
 */
static void
test_wild_many_stars_take_no_time(void **state)
{
	char pattern[200];
	char text[251];
	size_t bytes = 0;

	for (int i = 0; i < 30; i++) {
		memcpy(pattern + bytes, "**/*a", 5);
		bytes += 5;
		pattern[bytes++] = '/';
	}
	pattern[bytes++] = 'b';
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 3 == 2 ? '/' : 'a';
	for (int i = 0; i < 1000; i++)
		assert_false(glob_match(pattern, bytes, text, sizeof(text),
					WILD_PATH));
	memset(text, 'a', sizeof(text));
	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = i % 2 == 0 ? '*' : 'a';
	pattern[sizeof(pattern) - 1] = 'b';
	for (int i = 0; i < 1000; i++)
		assert_false(glob_match(pattern, sizeof(pattern), text,
					sizeof(text), 0));
}

/* What a walk with whole paths and memcmp() would do. */
static int
compare_whole(const struct collect_name *a, const struct collect_name *b,
	      const char *text)
{
	char left[64];
	char right[64];

	snprintf(left, sizeof(left), "%.*s%s", a->bytes, text + a->off,
		 a->type == COLLECT_DIR ? "/" : "");
	snprintf(right, sizeof(right), "%.*s%s", b->bytes, text + b->off,
		 b->type == COLLECT_DIR ? "/" : "");
	return strcmp(left, right);
}

static void
test_order_sort_is_byte_order_of_paths(void **state)
{
	enum { NR = 3000 };
	static struct collect_name names[NR];
	
	static char text[NR * 16];
	uint32_t off = 0;
	uint32_t seed = 1;

	for (size_t i = 0; i < NR; i++) {
		uint16_t bytes;
		bool is_dir;

		seed = seed * 1664525 + 1013904223;
		bytes = (uint16_t)(1 + (seed >> 24) % 12);
		is_dir = (seed >> 20 & 1) != 0;
		for (uint16_t j = 0; j < bytes; j++) {
			seed = seed * 1664525 + 1013904223;
			text[off + j] = "ab-.0/\xff"[(seed >> 24) % 5];
		}
		names[i] = (struct collect_name){
			.key = collect_order_key(text + off, bytes, is_dir),
			.off = off,
			.bytes = bytes,
			.type = is_dir ? COLLECT_DIR : COLLECT_FILE,
		};
		off += bytes;
	}
	for (size_t nr = 0; nr <= NR; nr += nr < 40 ? 1 : 740) {
		collect_order_sort(names, nr, text);
		for (size_t i = 1; i < nr; i++)
			assert_true(compare_whole(&names[i - 1], &names[i],
						  text) <= 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules_syntax_is_git_s),
		cmocka_unit_test(test_rules_case_counts_unless_folded),
		cmocka_unit_test(test_rules_nul_ends_a_line),
		cmocka_unit_test(test_rules_line_of_a_megabyte_is_harmless),
		cmocka_unit_test(test_wild_many_stars_take_no_time),
		cmocka_unit_test(test_order_sort_is_byte_order_of_paths),
	};

	return cmocka_run_group_tests_name("collect/ignore", tests, NULL, NULL);
}
