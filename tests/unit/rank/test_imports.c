/* SPDX-License-Identifier: MIT */
/*
 * test_select_imports.c - who imports whom, language by language; and names
 * made to cost time.
 *
 * tests/oracle/imports.py compares whole trees with other programs.
 */
#include "tests/support/test_shm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "shm/table.h"
#include "rank/imports.h"
#include "rank/imports_find.h"

#define FILES_MAX 40
#define LINES_MAX 24

/*
 * A tree and what is imported in it: "+path" is a file, "=name" a package of
 * the last one, ".name" a class that it defines. "path < text" imports,
 * "path # name" is a module of Rust, "path << text" stands in angle brackets.
 * What is wanted is the edges, "a b", in the order of importers, then paths.
 */
struct example {
	const char *what;
	const char *lines[LINES_MAX];
	const char *edges[LINES_MAX];
};

static const struct example examples[] = {
	{ "C: beside it, by its end, the nearest, none of two",
	  { "+arch/arm/include/asm/irq.h",
	    "+arch/x86/include/asm/irq.h",
	    "+arch/x86/mm.c",
	    "+drivers/a/core.c",
	    "+drivers/a/core.h",
	    "+drivers/b/core.h",
	    "+include/linux/list.h",
	    "+include/stdio.h",
	    "+kernel/own.h",
	    "+kernel/x.c",
	    "+tools/include/linux/list.h",
	    "+tools/perf/p.c",
	    "arch/x86/mm.c << asm/irq.h",
	    "drivers/a/core.c < core.h",
	    "kernel/x.c << linux/list.h",
	    "kernel/x.c << asm/irq.h",
	    "kernel/x.c << stdio.h",
	    "kernel/x.c < ../kernel/own.h",
	    "kernel/x.c << sys/none.h",
	    "tools/perf/p.c << linux/list.h" },
	  { "arch/x86/mm.c arch/x86/include/asm/irq.h",
	    "drivers/a/core.c drivers/a/core.h",
	    "kernel/x.c include/linux/list.h", "kernel/x.c kernel/own.h",
	    "tools/perf/p.c tools/include/linux/list.h" } },
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
	{ "Python: relative, absolute, submodules, roots",
	  { "+src/pkg/__init__.py", "+src/pkg/a.py", "+src/pkg/json.py",
	    "+src/pkg/sub/__init__.py", "+src/pkg/sub/b.py", "+tests/t.py",
	    "src/pkg/a.py < json", "src/pkg/a.py < .sub import b, c as d",
	    "src/pkg/sub/b.py < ..a import (f,  # one\n  g)",
	    "src/pkg/sub/b.py < . import b",
	    "src/pkg/sub/b.py < .. import json",
	    "tests/t.py < pkg.sub.b as z, pkg", "tests/t.py < os, sys" },
	  { "src/pkg/a.py src/pkg/sub/__init__.py",
	    "src/pkg/a.py src/pkg/sub/b.py", "src/pkg/sub/b.py src/pkg/a.py",
	    "src/pkg/sub/b.py src/pkg/json.py",
	    "tests/t.py src/pkg/__init__.py", "tests/t.py src/pkg/sub/b.py" } },
	{ "Go: packages below the module, vendored ones",
	  { "+a/go.mod", "=example.org/m", "+a/main.go", "+a/util/one.go",
	    "+a/util/one_test.go", "+a/util/two.go", "+util/three.go",
	    "+vendor/other.org/x/x.go", "a/main.go < example.org/m/util",
	    "a/main.go < fmt", "a/main.go < net/util",
	    "a/main.go < other.org/x" },
	  { "a/main.go a/util/one.go", "a/main.go a/util/two.go",
	    "a/main.go vendor/other.org/x/x.go" } },
	{ "Rust: modules, crate, super, trees, other crates",
	  { "+a/Cargo.toml", "=my-a", "+a/src/lib.rs", "+a/src/net/mod.rs",
	    "+a/src/net/tcp.rs", "+a/src/util.rs", "+b/Cargo.toml", "=b",
	    "+b/src/main.rs", "a/src/lib.rs # net", "a/src/lib.rs # none",
	    "a/src/net/mod.rs # tcp",
	    "a/src/net/tcp.rs < crate::{util::{self, f}, net::g as h}",
	    "a/src/net/tcp.rs < super::super::util",
	    "a/src/util.rs < std::net::tcp", "a/src/util.rs < crate::Thing",
	    "b/src/main.rs < my_a::net::tcp::Stream" },
	  { "a/src/lib.rs a/src/net/mod.rs",
	    "a/src/net/mod.rs a/src/net/tcp.rs",
	    "a/src/net/tcp.rs a/src/net/mod.rs",
	    "a/src/net/tcp.rs a/src/util.rs", "a/src/util.rs a/src/lib.rs",
	    "b/src/main.rs a/src/net/tcp.rs" } },
	{ "Java: classes, their members, packages",
	  { "+m/src/main/java/com/x/A.java",
	    "+m/src/main/java/com/x/util/B.java",
	    "+m/src/main/java/com/x/util/C.java",
	    "+m/src/test/java/com/x/T.java", "+n/src/main/java/com/x/A.java",
	    "m/src/main/java/com/x/A.java < com.x.util.B",
	    "m/src/main/java/com/x/A.java < java.util.List",
	    "m/src/main/java/com/x/util/B.java < static com.x.util.C.Inner.f",
	    "m/src/test/java/com/x/T.java < com.x.util.*",
	    "m/src/test/java/com/x/T.java < com.x.A" },
	  { "m/src/main/java/com/x/A.java m/src/main/java/com/x/util/B.java",
	    "m/src/main/java/com/x/util/B.java "
	    "m/src/main/java/com/x/util/C.java",
	    "m/src/test/java/com/x/T.java m/src/main/java/com/x/A.java",
	    "m/src/test/java/com/x/T.java m/src/main/java/com/x/util/B.java",
	    "m/src/test/java/com/x/T.java "
	    "m/src/main/java/com/x/util/C.java" } },
	{ "C#: namespaces",
	  { "+a/One.cs", "=My.Core", "+a/Two.cs", "=My.Core", "+b/P.cs",
	    "=My.App", "b/P.cs < My.Core", "b/P.cs < System",
	    "b/P.cs < global::My.Core", "a/One.cs < X = My.App.Thing" },
	  { "a/One.cs b/P.cs", "b/P.cs a/One.cs", "b/P.cs a/Two.cs" } },
	{ "Ruby: relative, below lib and test",
	  { "+bin/run.rb", "+lib/my/a.rb", "+lib/my/b.rb", "+lib/my.rb",
	    "+test/helper.rb", "+test/my_test.rb", "lib/my.rb < my/a",
	    "lib/my/a.rb < ./b", "bin/run.rb < ../lib/my",
	    "test/my_test.rb < my", "test/my_test.rb < helper",
	    "test/my_test.rb < json" },
	  { "bin/run.rb lib/my.rb", "lib/my.rb lib/my/a.rb",
	    "lib/my/a.rb lib/my/b.rb", "test/my_test.rb lib/my.rb",
	    "test/my_test.rb test/helper.rb" } },
	{ "PHP: classes of namespaces, in any case; files",
	  { "+app/Models/User.php", "=App\\Models", ".User",
	    "+app/Models/Role.php", "=App\\Models", ".Role",
	    "+app/Http/Page.php", "=App\\Http", ".Page", "+lib/old.php",
	    "app/Http/Page.php < App\\Models\\{User as U, Role}",
	    "app/Models/Role.php < \\app\\models\\user",
	    "app/Models/User.php < Other\\Models\\Role",
	    "app/Models/User.php < ../../lib/old.php" },
	  { "app/Http/Page.php app/Models/Role.php",
	    "app/Http/Page.php app/Models/User.php",
	    "app/Models/Role.php app/Models/User.php",
	    "app/Models/User.php lib/old.php" } },
	{ "others: paths, from the file or from the top",
	  { "+a/b.proto", "+a/c.proto", "+x.sh", "+y.sh", "a/b.proto < c.proto",
	    "a/c.proto < a/b.proto", "x.sh < ./y.sh", "x.sh < ../../y.sh" },
	  { "a/b.proto a/c.proto", "a/c.proto a/b.proto", "x.sh y.sh" } },
};

static const char *paths[FILES_MAX];
static uint32_t path_nr;

static const uint8_t *
path_of(const void *context, uint32_t file_idx, size_t *bytes)
{
	(void)context;
	*bytes = strlen(paths[file_idx]);
	return (const uint8_t *)paths[file_idx];
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static uint32_t
index_of(const char *path, size_t bytes)
{
	for (uint32_t i = 0; i < path_nr; i++)
		if (strlen(paths[i]) == bytes &&
		    memcmp(paths[i], path, bytes) == 0)
			return i;
	fail_msg("no such file: %.*s", (int)bytes, path);
	return 0;
}

static void
add_files(struct imports *imports, const struct example *example)
{
	const char *package = NULL;

	for (size_t i = 0; example->lines[i] != NULL; i++) {
		const char *line = example->lines[i];
		const uint8_t *name = (const uint8_t *)line + 1;

		if (*line == '+') {
			imports_file(imports,
				     index_of(line + 1, strlen(line + 1)));
			imports_add(imports);
		} else if (*line == '=') {
			package = line + 1;
			imports_add_package(imports, name, strlen(package));
		} else if (*line == '.' && package != NULL) {
			imports_add_class(imports, (const uint8_t *)package,
					  strlen(package), name,
					  strlen(line + 1));
		}
	}
}

static void
count_line(struct imports *imports, const char *line)
{
	const char *text = strchr(line, ' ') + 3;
	bool angled = text[-2] == '<' && text[-1] == '<';

	imports_file(imports, index_of(line, strcspn(line, " ")));
	text += angled;
	if (text[-2] == '#')
		imports_count_module(imports, (const uint8_t *)text,
				     strlen(text));
	else
		imports_count(imports, (const uint8_t *)text, strlen(text),
			      angled);
}

/* Whether the file in work was counted for another. */
static bool
is_hit(const struct imports *imports, uint32_t file_idx)
{
	uint32_t stamp = imports->file_idx + 1;

	if (imports->files[file_idx].stamp == stamp)
		return true;
	for (uint32_t i = 0; i < imports->member_nr; i++)
		if (imports->members[i].file_idx == file_idx &&
		    imports->groups[imports->members[i].group].stamp == stamp)
			return true;
	return false;
}

static void
check(const struct example *example)
{
	const struct imports_tree tree = { .path = path_of };
	struct imports_tree of = tree;
	struct imports imports;
	char *memory;
	char got[8192] = "";
	char want[8192] = "";
	size_t wanted[FILES_MAX] = { 0 };

	path_nr = 0;
	for (size_t i = 0; example->lines[i] != NULL; i++)
		if (example->lines[i][0] == '+')
			paths[path_nr++] = example->lines[i] + 1;
	qsort(paths, path_nr, sizeof(paths[0]), compare);
	of.file_nr = path_nr;
	memory = calloc(1, imports_bytes(path_nr));
	assert_non_null(memory);
	imports_init(&imports, &of, memory);
	add_files(&imports, example);
	for (uint32_t f = 0; f < path_nr; f++) {
		imports_file(&imports, f);
		for (size_t i = 0; example->lines[i] != NULL; i++) {
			const char *line = example->lines[i];

			if (strncmp(line, paths[f], strlen(paths[f])) == 0 &&
			    line[strlen(paths[f])] == ' ')
				count_line(&imports, line);
		}
		for (uint32_t i = 0; i < path_nr; i++)
			if (i != f && is_hit(&imports, i))
				sprintf(got + strlen(got), "%s %s\n", paths[f],
					paths[i]);
	}
	for (size_t i = 0; example->edges[i] != NULL; i++) {
		const char *to = strchr(example->edges[i], ' ') + 1;

		sprintf(want + strlen(want), "%s\n", example->edges[i]);
		wanted[index_of(to, strlen(to))]++;
	}
	if (strcmp(got, want) != 0)
		fail_msg("%s:\ngot\n%swant\n%s", example->what, got, want);
	imports_end(&imports);
	for (uint32_t i = 0; i < path_nr; i++)
		assert_int_equal(imports.files[i].importers, wanted[i]);
	free(memory);
}

/* verifies: CTX-02.2, CTX-02.10 */
static void
test_imports_are_resolved_as_each_language_has_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i]);
}

/* What stands behind a text is not of it. */
static void
test_imports_end_where_their_text_does(void **state)
{
	static const struct {
		const char *text;
		size_t bytes;
		bool hits[3]; /* A\\B, A\\D, lib/old.php */
	} cases[] = {
		{ "A\\{B},D}", 5, { true, false, false } },
		{ "A\\{B,D},D}", 5, { true, false, false } },
		{ "A\\{B,D}", 7, { true, true, false } },
		{ "A\\DE", 3, { false, true, false } },
		{ "A\\D", 2, { false, false, false } },
		{ "../lib/old.php", 14, { false, false, true } },
		{ "../lib/old.php", 13, { false, false, false } },
	};
	static const char *const names[] = { "B", "D" };
	const struct imports_tree tree = { .path = path_of, .file_nr = 4 };
	char *memory = calloc(1, imports_bytes(tree.file_nr));
	struct imports imports;

	(void)state;
	assert_non_null(memory);
	paths[0] = "a/B.php";
	paths[1] = "a/D.php";
	paths[2] = "lib/old.php";
	paths[3] = "u/x.php";
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		memset(memory, 0, imports_bytes(tree.file_nr));
		imports_init(&imports, &tree, memory);
		for (uint32_t f = 0; f < tree.file_nr; f++) {
			imports_file(&imports, f);
			imports_add(&imports);
			if (f < 2)
				imports_add_class(&imports,
						  (const uint8_t *)"A", 1,
						  (const uint8_t *)names[f], 1);
		}
		imports_file(&imports, 3);
		imports_count(&imports, (const uint8_t *)cases[i].text,
			      cases[i].bytes, false);
		for (uint32_t f = 0; f < 3; f++)
			if (is_hit(&imports, f) != cases[i].hits[f])
				fail_msg("%.*s: %s", (int)cases[i].bytes,
					 cases[i].text, paths[f]);
	}
	free(memory);
}

static void
test_imports_path_holds_what_it_has_room_for(void **state)
{
	static char text[IMPORTS_PATH_BYTES + 2];
	struct imports_path path;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	for (size_t nr = IMPORTS_PATH_BYTES - 1; nr <= IMPORTS_PATH_BYTES + 1;
	     nr++) {
		memset(&path, 0, sizeof(path));
		imports_path_add(&path, text + sizeof(text) - 1 - nr);
		assert_int_equal(path.is_bad, nr > IMPORTS_PATH_BYTES);
		assert_int_equal(path.bytes, path.is_bad ? 0 : nr);
	}
}

/* ---- hostile ------------------------------------------------------------ */

#define MANY 30000

static const uint8_t *
many_path(const void *context, uint32_t file_idx, size_t *bytes)
{
	static char text[64];

	*bytes = (size_t)sprintf(
		text, context == NULL ? "d%u/x/same.h" : "d%u/same.cs",
		file_idx);
	return (const uint8_t *)text;
}

static double
count_many(bool namespaces)
{
	const struct imports_tree tree = { .path = many_path,
					   .context = namespaces ? &tree : NULL,
					   .file_nr = MANY };
	static const uint8_t name[] = "x/same.h";
	char *memory = calloc(1, imports_bytes(MANY));
	struct timespec begun;
	struct timespec ended;
	struct imports imports;

	assert_non_null(memory);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
	imports_init(&imports, &tree, memory);
	for (uint32_t i = 0; i < MANY; i++) {
		imports_file(&imports, i);
		imports_add(&imports);
		imports_add_package(&imports, name, 1);
	}
	for (uint32_t i = 0; i < MANY; i++) {
		imports_file(&imports, i);
		imports_count(&imports, name, namespaces ? 1 : sizeof(name) - 1,
			      true);
	}
	imports_end(&imports);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
	assert_int_equal(imports.files[MANY / 2].importers,
			 namespaces ? MANY : 0);
	free(memory);
	return (double)(ended.tv_sec - begun.tv_sec) +
	       (double)(ended.tv_nsec - begun.tv_nsec) / 1e9;
}

static void
test_imports_of_what_all_files_are_called_take_linear_time(void **state)
{
	(void)state;
	/* looking at each of them would take a thousand million steps */
	assert_true(count_many(false) < 20);
	assert_true(count_many(true) < 5);
}

static void
test_imports_of_any_text_end(void **state)
{
	static const char *const ends[] = { "a.c",   "a.ts",   "a.py",  "a.go",
					    "a.rs",  "a.java", "a.cs",  "a.rb",
					    "a.php", "a.sh",   "b/a.rs" };
	static const uint8_t bytes[] = "./\\:{},*()=@~ as;import\"_\n\0a\xff";
	struct imports_tree tree = { .path = path_of,
				     .file_nr = ARRAY_LEN(ends) };
	uint64_t seed = 7;
	struct imports imports;
	char *memory = calloc(1, imports_bytes(tree.file_nr));

	(void)state;
	assert_non_null(memory);
	memcpy(paths, ends, sizeof(ends));
	imports_init(&imports, &tree, memory);
	for (uint32_t i = 0; i < tree.file_nr; i++) {
		imports_file(&imports, i);
		imports_add(&imports);
	}
	for (uint32_t round = 0; round < 200000; round++) {
		uint8_t text[255];
		size_t nr;

		imports_file(&imports, round % tree.file_nr);
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		nr = seed >> 33 & 31;
		for (size_t i = 0; i < nr; i++) {
			seed = seed * 6364136223846793005u +
			       1442695040888963407u;
			text[i] = bytes[(seed >> 33) % (sizeof(bytes) - 1)];
		}
		imports_count(&imports, text, nr, round % 3 == 0);
		imports_count_module(&imports, text, nr);
	}
	imports_end(&imports);
	for (uint32_t i = 0; i < tree.file_nr; i++)
		assert_true(imports.files[i].importers < tree.file_nr);
	free(memory);
}

#define TREE_FILES 200000u

static const uint8_t *
path_of_many(const void *context, uint32_t file_idx, size_t *bytes)
{
	static char path[32];

	(void)context;
	*bytes = (size_t)snprintf(path, sizeof(path), "d%03u/f%u.c",
				  file_idx / 500, file_idx);
	return (const uint8_t *)path;
}

static uint64_t
faults_now(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

/*
 * In a table whose pages are given back, as in select: a fault for each of
 * the three names of a file would be 600,000 of them.
 */
static void
test_imports_of_many_files_are_kept_with_few_faults(void **state)
{
	const struct imports_tree tree = { .path = path_of_many,
					   .file_nr = TREE_FILES };
	uint64_t bytes = imports_bytes(TREE_FILES);
	struct imports imports;
	struct table table;
	uint64_t faults;

	(void)state;
	assert_int_equal(table_create(&table, NULL, bytes), 0);
	assert_int_equal(table_reserve(&table, bytes), 0);
	imports_init(&imports, &tree, table_at(&table, 0, bytes));
	faults = faults_now();
	for (uint32_t i = 0; i < TREE_FILES; i++) {
		imports_file(&imports, i);
		imports_add(&imports);
		table_touched(&table, 4);
	}
	faults = faults_now() - faults;
	if (!IS_SANITIZED)
		assert_in_range(faults, 1, TREE_FILES / 2);
	/* each is found, by its path and by its name */
	for (uint32_t i = 0; i + 1 < TREE_FILES; i += 97) {
		char name[32];
		int nr = snprintf(name, sizeof(name), "f%u.c", i + 1);

		imports_file(&imports, i);
		imports_count(&imports, (const uint8_t *)name, (size_t)nr,
			      i % 2 == 0);
		assert_int_equal(imports.files[i + 1].importers, 1);
		table_touched(&table, 4);
	}
	table_close(&table);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imports_end_where_their_text_does),
		cmocka_unit_test(test_imports_path_holds_what_it_has_room_for),
		cmocka_unit_test(
			test_imports_are_resolved_as_each_language_has_them),
		cmocka_unit_test(
			test_imports_of_what_all_files_are_called_take_linear_time),
		cmocka_unit_test(test_imports_of_any_text_end),
		cmocka_unit_test(
			test_imports_of_many_files_are_kept_with_few_faults),
	};

	return cmocka_run_group_tests_name("select/imports", tests, NULL, NULL);
}
