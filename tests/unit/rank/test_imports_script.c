/* SPDX-License-Identifier: MIT */
/*
 * test_imports_script.c - modules of scripts: endings, index files, packages.
 *
 * verifies: CTX-02.2, CTX-02.10
 */
#include "tests/support/test_imports_tree.h"

static const struct example examples[] = {
	{ "JavaScript: endings, index files, what is compiled, packages",
	  { "+package.json",
	    "=app",
	    "+packages/core/package.json",
	    "=@me/core",
	    "+packages/core/src/index.ts",
	    "+packages/core/src/deep.ts",
	    "+src/a.ts",
	    "+src/b.tsx",
	    "+src/c/index.js",
	    "+src/d.json",
	    "+src/e.vue",
	    "src/a.ts < ./b.js",
	    "src/a.ts < ./c",
	    "src/a.ts < ./d.json",
	    "src/a.ts < ./e.vue?raw",
	    "src/a.ts < react",
	    "src/a.ts < @me/core",
	    "src/a.ts < @me/core/deep",
	    "src/c/index.js < ../a",
	    "src/c/index.js < @/b",
	    "src/c/index.js < .." },
	  { "src/a.ts packages/core/src/deep.ts",
	    "src/a.ts packages/core/src/index.ts", "src/a.ts src/b.tsx",
	    "src/a.ts src/c/index.js", "src/a.ts src/d.json",
	    "src/a.ts src/e.vue", "src/c/index.js src/a.ts",
	    "src/c/index.js src/b.tsx" } },
	{ "JavaScript: a file of one letter beside its package.json",
	  { "+a.js", "+m/x.js", "+package.json", "=app", "m/x.js < app/a" },
	  { "m/x.js a.js" } },
	{ "Python: relative, absolute, submodules, roots",
	  { "+src/pkg/__init__.py", "+src/pkg/a.py", "+src/pkg/json.py",
	    "+src/pkg/sub/__init__.py", "+src/pkg/sub/b.py", "+tests/t.py",
	    "+tests/u.py", "tests/u.py < pkg.sub import b",
	    "src/pkg/a.py < json", "src/pkg/a.py < .sub import b, c as d",
	    "src/pkg/sub/b.py < ..a import (f,  # one\n  g)",
	    "src/pkg/sub/b.py < . import b",
	    "src/pkg/sub/b.py < .. import json",
	    "tests/t.py < pkg.sub.b as z, pkg", "tests/t.py < os, sys" },
	  { "src/pkg/a.py src/pkg/sub/__init__.py",
	    "src/pkg/a.py src/pkg/sub/b.py", "src/pkg/sub/b.py src/pkg/a.py",
	    "src/pkg/sub/b.py src/pkg/json.py",
	    "tests/t.py src/pkg/__init__.py", "tests/t.py src/pkg/sub/b.py",
	    "tests/u.py src/pkg/sub/b.py" } },
};

static void
test_imports_of_scripts_are_resolved(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imports_of_scripts_are_resolved),
	};

	return cmocka_run_group_tests_name("rank/imports_script", tests, NULL,
					   NULL);
}
