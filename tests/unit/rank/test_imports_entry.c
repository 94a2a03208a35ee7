/* SPDX-License-Identifier: MIT */
/*
 * test_imports_entry.c - the files that manifests say something begins with.
 */
#include "tests/support/test_imports_tree.h"

static const char *const tree[] = {
	"Cargo.toml",		 "app/__init__.py",  "app/cli.py",
	"bin/tool.js",		 "index.js",	     "js/lib/index.js",
	"js/package.json",	 "js/src/node/a.ts", "js/src/server.ts",
	"lib/main.ts",		 "package.json",     "py/pyproject.toml",
	"py/src/kit/__init__.py", "py/src/kit/run.py", "rust/first.rs",
	"setup.cfg",		 "setup.py",
};

/* A manifest, a line of it, and the file that it means; NULL: none. */
static const char *const cases[][3] = {
	{ "package.json", "\"main\": \"./lib/main.js\"", "lib/main.ts" },
	{ "package.json", "\"tool\": \"bin/tool.js\"", "bin/tool.js" },
	{ "package.json", "\"main\": \"index\"", "index.js" },
	{ "package.json", "\"#x\": \"./index.js\"", NULL },
	{ "package.json", "\"./*\": \"./lib/*.js\"", NULL },
	{ "package.json", "name", NULL },
	{ "package.json", "\"main\": \"../../index.js\"", NULL },
	{ "package.json", "\"", NULL },
	{ "package.json", "\"main\": \"\"", NULL },
	{ "js/package.json", "\"main\": \"./lib\"", "js/lib/index.js" },
	/* what is built lies elsewhere, and is not there */
	{ "js/package.json", "\"import\": \"./dist/server.mjs\"",
	  "js/src/server.ts" },
	{ "js/package.json", "\"import\":\"dist/esm/node/a.js\"",
	  "js/src/node/a.ts" },
	{ "js/package.json", "\"types\": \"./dist/none.d.ts\"", NULL },
	{ "Cargo.toml", "path = \"rust/first.rs\"", "rust/first.rs" },
	{ "Cargo.toml", "path = \"first.rs\"", NULL },
	{ "Cargo.toml", "name", NULL },
	{ "py/pyproject.toml", "name = \"Kit\"", "py/src/kit/__init__.py" },
	{ "py/pyproject.toml", "k = \"kit.run:main\" # comment",
	  "py/src/kit/run.py" },
	{ "py/pyproject.toml", "k = 'kit.none'", NULL },
	{ "py/pyproject.toml", "k = \"", NULL },
	{ "setup.cfg", "app = app.cli:main", "app/cli.py" },
	{ "setup.cfg", "name =", NULL },
	{ "setup.py", "'app = app.cli:main'", "app/cli.py" },
	{ "setup.py", "name=\"App\", version=\"1\"", "app/__init__.py" },
	{ "setup.py", "version = v:none", NULL },
	{ "index.js", "path = \"lib/main.ts\"", NULL },
};

static void
test_imports_entry_is_the_file_that_a_manifest_means(void **state)
{
	const struct imports_tree of = { .path = path_of,
					 .file_nr = ARRAY_LEN(tree) };

	path_nr = ARRAY_LEN(tree);
	memcpy(paths, tree, sizeof(tree));
	qsort(paths, path_nr, sizeof(paths[0]), compare);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *line = cases[i][1];
		char *memory = calloc(1, imports_bytes(path_nr));
		struct imports imports;
		bool found;

		assert_non_null(memory);
		imports_init(&imports, &of, memory);
		for (uint32_t f = 0; f < path_nr; f++) {
			imports_file(&imports, f);
			imports_add(&imports);
		}
		imports_file(&imports,
			     index_of(cases[i][0], strlen(cases[i][0])));
		found = imports_entry(&imports, (const uint8_t *)line,
				      strlen(line));
		if (found != (cases[i][2] != NULL))
			fail_msg("%s of %s", line, cases[i][0]);
		for (uint32_t f = 0; f < path_nr; f++)
			if (imports.files[f].is_entry !=
			    (found && strcmp(paths[f], cases[i][2]) == 0))
				fail_msg("%s of %s: %s", line, cases[i][0],
					 paths[f]);
		free(memory);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_imports_entry_is_the_file_that_a_manifest_means),
	};

	return cmocka_run_group_tests_name("rank/imports_entry", tests, NULL,
					   NULL);
}
