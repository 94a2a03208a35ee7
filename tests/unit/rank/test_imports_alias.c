/* SPDX-License-Identifier: MIT */
/*
 * test_imports_alias.c - what configurations say that a name means.
 *
 * verifies: CTX-02.2, CTX-02.10
 */
#include "tests/support/test_imports_tree.h"

static const struct example examples[] = {
	{ "JavaScript: paths and baseUrl of the nearest tsconfig.json",
	  { "+app/jsconfig.json",
	    "=\"baseUrl\": \"./lib\"",
	    "+app/lib/util/x.js",
	    "+app/main.js",
	    "+shared/a.ts",
	    "+shared/long/b.ts",
	    "+src/c.ts",
	    "+src/ui/index.tsx",
	    "+src/z.ts",
	    "+tsconfig.json",
	    "=\"@shared/*\": [\"./none/*\", \"./shared/*\"",
	    "=\"@shared/long/*\": [\"./shared/long/*\"",
	    "=\"~*\": [\"src/*\"",
	    "=\"ui\": [\"${configDir}/src/ui\"",
	    "=\"*.mock\": [\"src/*\"",
	    "app/main.js < util/x",
	    "app/main.js < @shared/a",
	    "shared/a.ts < ~c",
	    "src/c.ts < @shared/long/b",
	    "src/c.ts < ui",
	    "src/c.ts < z.mock",
	    "src/z.ts < util/x",
	    "src/z.ts < @shared/none" },
	  { "app/main.js app/lib/util/x.js", "app/main.js shared/a.ts",
	    "shared/a.ts src/c.ts", "src/c.ts shared/long/b.ts",
	    "src/c.ts src/ui/index.tsx", "src/c.ts src/z.ts" } },
	{ "JavaScript: imports of a package.json",
	  { "+a/dir/x.ts", "+a/package.json", "=\"#types/*\": \"./t/*.d.ts\"",
	    "=a",
	    "=\"#dep\": {\"t\": \"./lib/none.js\", \"default\": \"./lib/dep.js\"}",
	    "+a/default/index.ts", "+a/lib/dep.js", "+a/t/one.d.ts", "+b/y.ts",
	    "a/dir/x.ts < #types/one", "a/dir/x.ts < #dep", "b/y.ts < #dep",
	    "b/y.ts < a" },
	  { "a/dir/x.ts a/lib/dep.js", "a/dir/x.ts a/t/one.d.ts" } },
	{ "JavaScript: a configuration that extends another",
	  { "+config/tsconfig.base.json", "=\"baseUrl\": \"..\"",
	    "=\"@lib/*\": [\"lib/*/src\"]", "+lib/one/src/index.ts",
	    "+lib/one/two.ts", "+packages/a/main.ts",
	    "+packages/a/tsconfig.json",
	    "=\"extends\": \"../../config/tsconfig.base\"",
	    "+packages/b/main.ts", "+packages/b/tsconfig.json",
	    "=\"extends\": [\"@tsconfig/x\", \"./tsconfig.json\"]",
	    "packages/a/main.ts < @lib/one", "packages/a/main.ts < lib/one/two",
	    "packages/b/main.ts < @lib/one", "packages/b/main.ts < ../a/main" },
	  { "packages/a/main.ts lib/one/src/index.ts",
	    "packages/a/main.ts lib/one/two.ts",
	    "packages/b/main.ts packages/a/main.ts" } },
};

static void
test_imports_by_aliases_are_resolved(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imports_by_aliases_are_resolved),
	};

	return cmocka_run_group_tests_name("rank/imports_alias", tests, NULL,
					   NULL);
}
