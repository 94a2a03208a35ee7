/* SPDX-License-Identifier: MIT */
/*
 * test_outline_names.c - the lines of imports and exports.
 */
#include "tests/support/test_lang_out.h"

/* What a file imports says less than what it defines: where signatures stand in
 * for a file, the line is cut short. That of exports is not. */
static void
test_outline_of_many_imports_is_brief_where_it_may_be(void **state)
{
	static const char text[] =
		"import aaaaaaaaaaaaaaaaaaa\nimport bbbbbbbbbbbbbbbbbbb\n"
		"import cccccccccccccccccccccccc\nimport dd\n"
		"__all__ = ['eeeeeeeeeeeeeeeeeeeeeeeee', 'ffffffffffffffffffffff',"
		" 'ggggggggggggggggggg']\ndef f(a): pass\n";
	static const char long_name[] =
		"import a12345678901234567890123456789012345678901234567890"
		"1234567890123456789\nimport b\ndef f(): pass\n";
	static const char rest[] =
		"exports: eeeeeeeeeeeeeeeeeeeeeeeee, ffffffffffffffffffffff, "
		"ggggggggggggggggggg\ndef f(a):\n";
	struct lang_maker maker = { .lang = lang_find("python", 6) };
	struct out out = { .nr = 0 };
	char want[400];

	maker.context = &out;
	snprintf(want, sizeof(want),
		 "imports: aaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbb, "
		 "cccccccccccccccccccccccc, dd\n%s",
		 rest);
	lang_outline_of(maker, (const uint8_t *)text, strlen(text), out_put);
	assert_string_equal(out.text, want);
	out.nr = 0;
	maker.is_brief = true;
	snprintf(want, sizeof(want),
		 "imports: aaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbb, dd, ...\n%s",
		 rest);
	lang_outline_of(maker, (const uint8_t *)text, strlen(text), out_put);
	assert_string_equal(out.text, want);
	/* one is there, however long it is */
	out.nr = 0;
	lang_outline_of(maker, (const uint8_t *)long_name, strlen(long_name),
			out_put);
	assert_string_equal(out.text,
			    "imports: a1234567890123456789012345678901234567890"
			    "12345678901234567890123456789, ...\ndef f():\n");
}

/* Both lines are made of several: they have the number of the first of these, and
 * that is no part of what is to be brief. */
static void
test_outline_of_numbered_lines_has_the_first_of_each_kind(void **state)
{
	static const char text[] =
		"\ndef f(a): pass\n"
		"import (\n bbbbbbbbbbbbbbbbbbbbbbbbbb)\n"
		"import cccccccccccccccccccccc\nimport dd\n"
		"__all__ = [\n 'e',\n 'f']\n";
	struct out out = { .nr = 0 };
	struct lang_maker maker = {
		.lang = lang_find("python", 6),
		.context = &out,
		.is_brief = true,
		.numbers = true,
		.line.line = 1,
	};

	lang_outline_of(maker, (const uint8_t *)text, strlen(text), out_put);
	assert_string_equal(out.text,
			    "5: imports: cccccccccccccccccccccc, dd\n"
			    "8: exports: e, f\n2: def f(a):\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_outline_of_numbered_lines_has_the_first_of_each_kind),
		cmocka_unit_test(
			test_outline_of_many_imports_is_brief_where_it_may_be),
	};

	return cmocka_run_group_tests_name("lang/outline_names", tests, NULL,
					   NULL);
}
