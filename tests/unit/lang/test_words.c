/* SPDX-License-Identifier: MIT */
/*
 * test_words.c - blocks that are made of words, in Lua, fish and CMake.
 */
#include "tests/support/test_lang_out.h"
#include "tests/support/test_lang_told.h"

static void
test_words_lua_blocks_end_with_end(void **state)
{
	static const struct told_case cases[] = {
		{ "lua",
		  "function f(a)\n"
		  "  if a then\n"
		  "    return 1\n"
		  "  end\n"
		  "end\n"
		  "local function g() end\n"
		  "function M.h() end\n",
		  "function f 1-5;function g 6-6;function M.h 7-7;" },
		{ "lua",
		  "local t = { f = function() return 1 end }\n"
		  "function g()\n"
		  "  repeat x() until y\n"
		  "  while z do w() end\n"
		  "end\n",
		  "function f 1-1;function g 2-5;" },
		/* of any level, which only the same ends */
		{ "lua",
		  "s = [==[\nfunction no()\n]] ]=] ]===]\n]==]\n"
		  "--[=[ function no()\n]] --]=] function f()\n"
		  "  t[ [[ end ]] ] = [[ end ]]\n"
		  "end\n",
		  "function f 6-8;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_words_fish_and_cmake_have_their_own(void **state)
{
	static const struct told_case cases[] = {
		{ "fish",
		  "function f\n"
		  "  if true\n"
		  "    echo end\n"
		  "  end\n"
		  "end\n"
		  "function g; end\n",
		  "function f 1-5;function g 6-6;" },
		{ "cmake",
		  "function(f a)\n"
		  "  if(a)\n"
		  "  endif()\n"
		  "endfunction()\n"
		  "macro(m)\n"
		  "endmacro()\n",
		  "function f 1-4;macro m 5-6;" },
		{ "cmake",
		  "#[=[\nfunction(no)\n]] ]=]\nfunction(f)\nendfunction()\n",
		  "function f 4-5;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_cmake_targets_and_options_are_shown(void **state)
{
	static const char source[] = "project(A VERSION 1.2)\n"
				     "option(B \"Build (all)\" ON)\n"
				     "set(C a.c)\n"
				     "if(B)\n"
				     "  add_library(D STATIC\n"
				     "    a.c\n"
				     "    b.c)\n"
				     "endif()\n"
				     "function(E f)\n"
				     "  add_executable(no a.c)\n"
				     "endfunction()\n"
				     "add_executable(G ${C})\n";
	struct out out = { .nr = 0 };

	lang_outline(LANG_CMAKE, (const uint8_t *)source, sizeof(source) - 1,
		     false, out_put, &out);
	assert_string_equal(out.text, "project(A VERSION 1.2)\n"
				      "option(B \"Build (all)\" ON)\n"
				      " add_library(D ...\n"
				      "function(E f)\n"
				      "add_executable(G ${C})\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_lua_blocks_end_with_end),
		cmocka_unit_test(test_words_fish_and_cmake_have_their_own),
		cmocka_unit_test(test_cmake_targets_and_options_are_shown),
	};

	return cmocka_run_group_tests_name("lang/words", tests, NULL, NULL);
}
