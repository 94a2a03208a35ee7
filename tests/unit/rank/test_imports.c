/* SPDX-License-Identifier: MIT */
/*
 * test_imports.c - who imports whom, language by language; and names
 * made to cost time.
 *
 * tests/oracle/imports.py compares whole trees with other programs.
 */
#include "tests/support/test_growth.h"
#include "tests/support/test_imports_tree.h"

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
	{ "C: headers of the system, and others in directories of their names",
	  { "+include/arpa/inet.h", "+include/net/if.h",
	    "+include/netinet/tcp.h", "+include/sys/types.h",
	    "+include/net/tcp.h", "+include/system/types.h", "+a.c",
	    "a.c << arpa/inet.h", "a.c << net/if.h", "a.c << netinet/tcp.h",
	    "a.c << sys/types.h", "a.c << net/tcp.h", "a.c << system/types.h" },
	  { "a.c include/net/tcp.h", "a.c include/system/types.h" } },
	{ "Clojure, Haskell, Elm: modules by their parts",
	  { "+src/my_app/core.clj", "+src/my_app/util.clj", "+a/App/Util.hs",
	    "+a/Main.hs", "+b/App/Util.hs", "+e/Main.elm", "+e/src/Ui.elm",
	    "src/my_app/core.clj < my-app.util",
	    "src/my_app/core.clj < clojure.string", "a/Main.hs < App.Util",
	    "a/Main.hs < Data.Map", "e/Main.elm < Ui", "e/Main.elm < Util" },
	  { "a/Main.hs a/App/Util.hs", "e/Main.elm e/src/Ui.elm",
	    "src/my_app/core.clj src/my_app/util.clj" } },
	{ "C: a name is whole, and not the end of another",
	  { "+a/myinclude/linux/list.h", "+b/c.c",
	    "b/c.c << include/linux/list.h" },
	  { NULL } },
	{ "Go: packages below the module, vendored ones",
	  { "+a/go.mod", "=example.org/m", "+a/main.go", "+a/util/one.go",
	    "+a/util/one_test.go", "+a/util/two.go", "+util/three.go",
	    "+vendor/other.org/x/x.go", "a/main.go < example.org/m/util",
	    "a/main.go < fmt", "a/main.go < net/util",
	    "a/main.go < other.org/x" },
	  { "a/main.go a/util/one.go", "a/main.go a/util/two.go",
	    "a/main.go vendor/other.org/x/x.go" } },
	{ "Go, the package at the top",
	  { "+cmd/main.go", "+go.mod", "=example.org/m", "+m.go",
	    "cmd/main.go < example.org/m" },
	  { "cmd/main.go m.go" } },
	{ "Scala: names in braces",
	  { "+src/main/scala/com/x/A.scala", "+src/main/scala/com/x/b/C.scala",
	    "+src/main/scala/com/x/b/D.scala", "+src/main/scala/com/x/b/E.scala",
	    "src/main/scala/com/x/A.scala < com.x.b.{C, D => F,\n  G}" },
	  { "src/main/scala/com/x/A.scala src/main/scala/com/x/b/C.scala",
	    "src/main/scala/com/x/A.scala src/main/scala/com/x/b/D.scala" } },
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
	{ "C#: two namespaces in a file",
	  { "+a.cs", "=One", "=Two", "+b.cs", "=Three", "b.cs < Two" },
	  { "b.cs a.cs" } },
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

/* ---- hostile ------------------------------------------------------------ */

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
count_many(const void *work, size_t nr)
{
	const bool *namespaces = work;
	const struct imports_tree tree = { .path = many_path,
					   .context =
						   *namespaces ? &tree : NULL,
					   .file_nr = (uint32_t)nr };
	static const uint8_t name[] = "x/same.h";
	char *memory = calloc(1, imports_bytes(tree.file_nr));
	struct imports imports;
	double begun;

	assert_non_null(memory);
	begun = processor_seconds();
	imports_init(&imports, &tree, memory);
	for (uint32_t i = 0; i < nr; i++) {
		imports_file(&imports, i);
		imports_add(&imports);
		imports_add_package(&imports, name, 1);
	}
	for (uint32_t i = 0; i < nr; i++) {
		imports_file(&imports, i);
		imports_count(&imports, name,
			      *namespaces ? 1 : sizeof(name) - 1, true);
	}
	imports_end(&imports);
	begun = processor_seconds() - begun;
	assert_int_equal(imports.files[nr / 2].importers, *namespaces ? nr : 0);
	free(memory);
	return begun;
}

/* Eight times as many: looking at each of them would take 64 times as long. */
static void
test_imports_of_what_all_files_are_called_take_linear_time(void **state)
{
	static const bool namespaces[] = { false, true };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(namespaces); i++)
		assert_true(growth_is_within(
			&(struct growth){ .seconds = count_many,
					  .work = &namespaces[i],
					  .small = 4000,
					  .large = 32000,
					  .times = 28 }));
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

/* Who includes the header of a source file uses that file. */
static void
test_imports_of_a_header_count_for_its_source(void **state)
{
	static const char *const files[] = { "a.c",    "b.c",     "d.c",
					     "e.h",    "inc/a.h", "inc/b.h",
					     "inc/e.h" };
	static const uint32_t want[] = { 2, 0, 0, 0, 3, 1, 1 };
	const struct imports_tree tree = { .path = path_of,
					   .file_nr = ARRAY_LEN(files) };
	struct imports imports;
	char *memory = calloc(1, imports_bytes(tree.file_nr));

	(void)state;
	assert_non_null(memory);
	memcpy(paths, files, sizeof(files));
	imports_init(&imports, &tree, memory);
	for (uint32_t i = 0; i < tree.file_nr; i++) {
		imports_file(&imports, i);
		imports_add(&imports);
	}
	for (uint32_t i = 0; i < 3; i++) {
		imports_file(&imports, i);
		imports_count(&imports, (const uint8_t *)"inc/a.h", 7, false);
	}
	/* by itself alone; and a header is no source of another one */
	imports_file(&imports, 1);
	imports_count(&imports, (const uint8_t *)"b.h", 3, true);
	imports_file(&imports, 3);
	imports_count(&imports, (const uint8_t *)"inc/e.h", 7, false);
	imports_end(&imports);
	for (uint32_t i = 0; i < tree.file_nr; i++)
		assert_int_equal(imports.files[i].importers, want[i]);
	free(memory);
}

/* A name without a byte is none, whatever stands behind it. */
static void
test_imports_of_a_package_without_a_name_is_no_configuration(void **state)
{
	static const struct imports_tree tree = { .path = path_of,
						  .file_nr = 1 };
	struct imports imports;
	char *memory = calloc(1, imports_bytes(1));

	(void)state;
	assert_non_null(memory);
	paths[0] = "package.json";
	imports_init(&imports, &tree, memory);
	imports_file(&imports, 0);
	imports_add_package(&imports, (const uint8_t *)"\"#a\":\"./b\"", 0);
	assert_int_equal(imports.config_nr, 0);
	imports_add_package(&imports, (const uint8_t *)"\"#a\":\"./b\"", 10);
	assert_int_equal(imports.config_nr, 1);
	free(memory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imports_end_where_their_text_does),
		cmocka_unit_test(
			test_imports_are_resolved_as_each_language_has_them),
		cmocka_unit_test(
			test_imports_of_what_all_files_are_called_take_linear_time),
		cmocka_unit_test(test_imports_of_any_text_end),
		cmocka_unit_test(test_imports_of_a_header_count_for_its_source),
		cmocka_unit_test(
			test_imports_of_a_package_without_a_name_is_no_configuration),
	};

	return cmocka_run_group_tests_name("rank/imports", tests, NULL, NULL);
}
