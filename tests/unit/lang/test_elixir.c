/* SPDX-License-Identifier: MIT */
/*
 * test_elixir.c - Elixir: blocks between do and end, and do: without one.
 */
#include "tests/support/test_lang_told.h"

static void
test_elixir_blocks_are_between_do_and_end(void **state)
{
	static const struct told_case cases[] = {
		{ "elixir",
		  "defmodule A.B do\n"
		  "  alias C.D\n"
		  "  def f(x) do\n"
		  "    if x, do: 1, else: 2\n"
		  "    fn y -> y end\n"
		  "  end\n"
		  "  defp g(x), do: x\n"
		  "  defmacro m(a) do\n"
		  "    a\n"
		  "  end\n"
		  "end\n",
		  "function f 3-6;function g 7-7;macro m 8-10;module A.B 1-11;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_elixir_blocks_are_between_do_and_end),
	};

	return cmocka_run_group_tests_name("lang/elixir", tests, NULL, NULL);
}
