/* SPDX-License-Identifier: MIT */
/*
 * test_import.c - what an import takes of a module, and what package a file is of.
 */
#include "tests/support/test_shm.h"

#include "lang/facts.h"

/* An import with what follows it; a file and what it says it is of. */
static void
test_chunk_imports_take_what_they_name_of_a_module(void **state)
{
	static const struct {
		const char *text;
		size_t at;
		size_t bytes;
		const char *want;
	} cases[] = {
		{ "from .a import b, c as d\nx", 5, 2, ".a import b, c as d" },
		{ "from a import (b,\n  c)\nx", 5, 1, "a import (b,\n  c)" },
		{ "from a import b; import c # d", 5, 1, "a import b" },
		{ "from a \\\n  import b # c\n", 5, 1, "a \\\n  import b " },
		{ "import a, b.c as d\nx", 7, 1, "a" },
		{ "import a\nimport b\n", 7, 1, "a" },
		{ "from a import b, \\\n  c\nx", 5, 1, "a import b, \\\n  c" },
		{ "from a import b, \\\r\n  c\r\nx", 5, 1,
		  "a import b, \\\r\n  c\r" },
		{ "use a::{b, c::{d}};\n", 4, 3, "a::{b, c::{d}}" },
		{ "use A\\{B, C};\n", 4, 2, "A\\{B, C}" },
		{ "import a.B;\nclass C {", 7, 3, "a.B" },
		{ "use a::{b, c", 4, 3, "a::{b, c" },
		{ "from a importb", 5, 1, "a" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t *bytes = (const uint8_t *)cases[i].text;
		size_t got =
			lang_import_extent(bytes, cases[i].at, cases[i].bytes,
					   strlen(cases[i].text));

		ASSERT_EQ(got, strlen(cases[i].want));
		assert_memory_equal(bytes + cases[i].at, cases[i].want, got);
	}
}

static void
test_chunk_packages_are_those_that_a_file_says_it_is_of(void **state)
{
	static const struct {
		const char *path;
		const char *text;
		const char *want; /* each with a blank behind it */
	} cases[] = {
		{ "a/x.cs", "\xef\xbb\xbfnamespace A.B;\n", "A.B " },
		{ "x.cs", "using X;\r\n namespace A {\n}\nnamespace C{}\n",
		  "A C " },
		{ "x.php", "<?php\n\nnamespace App\\Models;\n",
		  "App\\Models " },
		{ "a/go.mod", "// x\nmodule example.org/m/v2\n\ngo 1.22\n",
		  "example.org/m/v2 " },
		{ "package.json",
		  "{\n  \"name\": \"@me/core\",\n"
		  "  \"author\": {\n\"name\": \"x\"}}",
		  "@me/core " },
		{ "Cargo.toml",
		  "[workspace]\nname = \"w\"\n[package]\n"
		  "name = \"my-a\"\n",
		  "my-a " },
		{ "x.c", "namespace A;\n", "" },
		{ "a/tsconfig.app.json",
		  "// as it is\n{ /* { */ \"extends\": \"./b.json\",\n"
		  "\"baseUrl\": \"no\", \"compilerOptions\": {\n"
		  "\"outDir\": \"baseUrl\", \"lib\": [\"paths\"],\n"
		  "\"paths\": { // \"x\": [\"y\"]\n\"@/*\": [\"./s/*\", ],\n"
		  "\"q\\\"\": [],},\"baseUrl\" : \".\"\n, \"x\": {"
		  "\"baseUrl\": \"z\", \"y\": [\"z\"]}}}",
		  "\"extends\": \"./b.json\" \"@/*\": [\"./s/*\", ] "
		  "\"q\\\"\": [] \"baseUrl\" : \".\" " },
		{ "jsconfig.json",
		  "{\"compilerOptions\":{\"paths\":{\"a\":[\"b",
		  "\"a\":[\"b " },
		{ "tsconfig.json", "{\"compilerOptions\":{\"paths\":{\"a\"",
		  "" },
		{ "tsconfig.json", "}}}]]:::\"", "" },
		{ "xtsconfig.json", "{\"extends\": \"./a\"}", "" },
		{ "go.mod", "module\n", "" },
		{ "package.json", "{\"name\":", "" },
		{ "package.json", "{ \"name\": \"@me/kit\" }", "@me/kit " },
		{ "package.json",
		  "\xef\xbb\xbf{\"author\": {\n\"name\": \"A B\"}, \"files\": [\n"
		  "\"name\", \"x\"], \"name\"\n: \"k\", \"name\": \"z\"}",
		  "k " },
		{ "package.json", "{\"name\": \"\", \"name\": 7}", "" },
		{ "package.json",
		  "{\"imports\": {\"#a/*\": \"./x/*\", \"b\": \"c\", \"#d\": {"
		  "\"types\": {\"x\": \"./t\"}}, \"#e\": null}, \"name\": \"k\","
		  "\"exports\": {\"#f\": \"g\"}}",
		  "\"#a/*\": \"./x/*\" "
		  "\"#d\": {\"types\": {\"x\": \"./t\"}} k " },
		{ "x.php", "", "" },
		{ "Cargo.toml", "[package]\nname=\"a\"\n[lib]\npath=\"b\"\n",
		  "a path=\"b\" " },
		{ "Cargo.toml", "[[bin]]\npath=\"b\"\n", "path=\"b\" " },
		{ "pyproject.toml", "[project]\nname=\"a\"", "name=\"a\" " },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t *bytes = (const uint8_t *)cases[i].text;
		size_t end = strlen(cases[i].text);
		char got[200] = "";
		const struct lang_package *package = lang_package_of(
			(const uint8_t *)cases[i].path, strlen(cases[i].path));
		size_t nr = 0;
		size_t at = 0;

		for (; package != NULL; at += nr) {
			at = lang_package_next(package, bytes, at, end, &nr);
			if (at == end)
				break;
			strncat(got, cases[i].text + at, nr);
			strcat(got, " ");
		}
		assert_string_equal(got, cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_imports_take_what_they_name_of_a_module),
		cmocka_unit_test(
			test_chunk_packages_are_those_that_a_file_says_it_is_of),
	};

	return cmocka_run_group_tests_name("lang/import", tests, NULL, NULL);
}
