/* SPDX-License-Identifier: MIT */
/*
 * test_julia.c - Julia: functions, modules and structs end with end.
 */
#include "tests/support/test_lang_out.h"
#include "tests/support/test_lang_told.h"

static void
test_julia_blocks_end_with_end(void **state)
{
	static const struct told_case cases[] = {
		{ "julia",
		  "module M\n"
		  "using A\n"
		  "import B: c\n"
		  "struct P{T}\n"
		  "  x::T\n"
		  "end\n"
		  "function f(x)\n"
		  "  for i in 1:x\n"
		  "  end\n"
		  "  x[end]\n"
		  "end\n"
		  "g(x) = x + 1\n"
		  "macro m(e) end\n"
		  "end\n",
		  "import A;import B;struct P 4-6;function f 7-11;function g 12-12;macro m 13-13;module M 1-14;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_julia_fields_constants_and_names_are_shown(void **state)
{
	static const char source[] = "module A\n"
				     "using B, C.D: e\n"
				     "import F\n"
				     "export g,\n"
				     "       H\n"
				     "const I = 1\n"
				     "abstract type J{T} <: Any end\n"
				     "struct K{T}\n"
				     "  l::T\n"
				     "  m # any\n"
				     "  K(n) = new(n)\n"
				     "end\n"
				     "Base.@kwdef mutable struct O\n"
				     "  p::Int = 1\n"
				     "  const q::String\n"
				     "end\n"
				     "@enum R s t\n"
				     "function g(u)\n"
				     "  const v = 1\n"
				     "  w = u\n"
				     "end\n"
				     "end\n";
	struct out out = { .nr = 0 };

	lang_outline(LANG_JULIA, (const uint8_t *)source, sizeof(source) - 1,
		     false, out_put, &out);
	assert_string_equal(out.text, "imports: B, C.D, F\n"
				      "exports: g, H\n"
				      "module A\n"
				      "const I = 1\n"
				      "abstract type J{T} <: Any end\n"
				      "struct K{T}\n"
				      " l::T\n"
				      " m\n"
				      " K(n)\n"
				      "Base.@kwdef mutable struct O\n"
				      " p::Int = 1\n"
				      " const q::String\n"
				      "@enum R s t\n"
				      "function g(u)\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_julia_blocks_end_with_end),
		cmocka_unit_test(
			test_julia_fields_constants_and_names_are_shown),
	};

	return cmocka_run_group_tests_name("lang/julia", tests, NULL, NULL);
}
