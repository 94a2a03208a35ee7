/* SPDX-License-Identifier: MIT */
/*
 * test_elixir.c - Elixir: blocks between do and end, and do: without one.
 */
#include "tests/support/test_lang_out.h"
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
		  "import C.D;function f 3-6;function g 7-7;macro m 8-10;"
		  "module A.B 1-11;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_elixir_types_structs_and_imports_are_shown(void **state)
{
	static const char source[] = "defmodule A do\n"
				     "  use B, c: 1\n"
				     "  alias D.{E, F}\n"
				     "  @type t :: %__MODULE__{g: integer}\n"
				     "          | nil\n"
				     "  @typep h :: atom\n"
				     "  @callback i(j :: t) ::\n"
				     "              :ok\n"
				     "  @timeout 5\n"
				     "  defstruct [:k,\n"
				     "             l: 1]\n"
				     "  @doc false\n"
				     "  @spec m(t) :: t\n"
				     "  def m(n) do\n"
				     "    import O\n"
				     "    n\n"
				     "  end\n"
				     "end\n";
	struct out out = { .nr = 0 };

	lang_outline(LANG_ELIXIR, (const uint8_t *)source, sizeof(source) - 1,
		     false, out_put, &out);
	assert_string_equal(out.text, "imports: B, D.{E, F}, O\n"
				      "defmodule A\n"
				      " @type t :: %__MODULE__{g: integer}\n"
				      "  | nil\n"
				      " @callback i(j :: t) ::\n"
				      "  :ok\n"
				      " defstruct [:k,\n"
				      "  l: 1]\n"
				      " @spec m(t) :: t\n"
				      " def m(n)\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_elixir_blocks_are_between_do_and_end),
		cmocka_unit_test(
			test_elixir_types_structs_and_imports_are_shown),
	};

	return cmocka_run_group_tests_name("lang/elixir", tests, NULL, NULL);
}
