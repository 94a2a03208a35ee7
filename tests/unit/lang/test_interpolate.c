/* SPDX-License-Identifier: MIT */
/*
 * test_interpolate.c - code within strings.
 */
#include "tests/support/test_lang_told.h"

static void
test_interpolated_strings_hide_braces(void **state)
{
	static const struct told_case cases[] = {
		{ "typescript",
		  "function f(w) {\n"
		  "  return `${w ? 'if (x) {' : ''}b${w ? \"}\" : ''}`;\n"
		  "}\n"
		  "function g(w) { return `${w ? `{ '` : w.a / 2}` + '`'; }\n"
		  "function h(w) { return `${w.replace(/'/g, \"{\")}`; }\n"
		  "function i(w) { return `${w.map(a => `<b>${a}</b>`)}`; }\n",
		  "function f 1-3;function g 4-4;function h 5-5;function i 6-6;" },
		{ "javascript",
		  "const a = `x ${b // it's } {\n"
		  "  } c`;\n"
		  "function d() { return `${/* ` } * { */ e}`; }\n"
		  "function f() { return `http://${g}/*`; }\n",
		  "function d 3-3;function f 4-4;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interpolated_strings_hide_braces),
	};

	return cmocka_run_group_tests_name("lang/interpolate", tests, NULL,
					   NULL);
}
