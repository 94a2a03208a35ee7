/* SPDX-License-Identifier: MIT */
/*
 * test_imports_module.c - modules of scripts: endings, index files.
 *
 * verifies: CTX-02.2
 */
#include "tests/support/test_imports_tree.h"

static const struct example examples[] = {
	{ "JavaScript: endings before the index of a directory",
	  { "+a.js", "+a/index.js", "+a.ts", "+b.d.ts", "+b/index.tsx",
	    "+c/index.mjs", "+m.js", "m.js < ./a", "m.js < ./b", "m.js < ./c",
	    "m.js < ./none" },
	  { "m.js a.ts", "m.js b.d.ts", "m.js c/index.mjs" } },
	{ "JavaScript: what is compiled to it, where it is not there itself",
	  { "+a.js", "+a.ts", "+b.ts", "+c.tsx", "+d.mts", "+e.tsx", "+m.js",
	    "m.js < ./a.js", "m.js < ./b.js", "m.js < ./c.jsx",
	    "m.js < ./d.mjs", "m.js < ./e.js" },
	  { "m.js a.js", "m.js b.ts", "m.js c.tsx", "m.js d.mts",
	    "m.js e.tsx" } },
};

static void
test_imports_modules_are_found_as_bundlers_do(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imports_modules_are_found_as_bundlers_do),
	};

	return cmocka_run_group_tests_name("rank/imports_module", tests, NULL,
					   NULL);
}
