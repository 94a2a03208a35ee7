/* SPDX-License-Identifier: MIT */
/*
 * test_words.c - blocks that are made of words, in Lua, fish and CMake.
 */
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_lua_blocks_end_with_end),
		cmocka_unit_test(test_words_fish_and_cmake_have_their_own),
	};

	return cmocka_run_group_tests_name("lang/words", tests, NULL, NULL);
}
