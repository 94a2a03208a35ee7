/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_names.c - what is defined, imported and left to do, as it comes
 *                      into the catalogue; markers against a slow search.
 */
#include "catalogue/desc.h"
#include "tests/support/test_stage_rig.h"

#include "lang/facts.h"
#include "lang/scan.h"
#include "catalogue/names.h"
#include "stages/stage.h"
#include "stages/job.h"

static struct rig rig;

static int
setup(void **state)
{
	rig_open(&rig, 1, 4);
	rig_attach(&rig, STAGE_CHUNK, 0);
	rig.run.job.budget_tokens = 1000;
	job_resolve(&rig.run.job);
	return 0;
}

static int
teardown(void **state)
{
	rig_close(&rig);
	return 0;
}

/* Scans a file that comes in parts of so many bytes; its names. */
static const struct names *
names_of(uint32_t file_idx, const char *text, size_t part)
{
	size_t nr = strlen(text);
	struct file_facts facts = { 0 };
	struct desc got;

	rig_add_file(&rig, file_idx, "a.c", "c");
	for (size_t off = 0; off < nr; off += part) {
		size_t bytes = nr - off < part ? nr - off : part;
		struct desc desc = {
			.kind = DESC_PART,
			.flags = (uint8_t)(DESC_SCAN | DESC_RELEASE |
					   (off + bytes == nr ? DESC_LAST : 0)),
			.file_idx = file_idx,
			.slab_idx = (uint32_t)(off / part) % 4,
			.slab_off = SLAB_HEAD_BYTES,
			.bytes = (uint32_t)bytes,
			.file_off = off,
		};

		rig_fill(&rig, desc.slab_idx, desc.slab_off, text + off, bytes);
		rig_push(&rig, EDGE_CONTENT, 0, &desc);
		ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	}
	while (rig_pop(&rig, EDGE_CHUNKS, 0, &got))
		if (got.kind == DESC_NAMES)
			facts.names_off = got.bytes + 1;
	return catalogue_names(&rig.run.catalogue, &facts);
}

static const char text[] = "#include <stdio.h>\n"
			   "/* TODO: more. todo TODOS */\n"
			   "#include \"own.h\" // FIXME\n"
			   "static int hidden(void)\n"
			   "{\n"
			   "\treturn 1; /* XXX HACK */\n"
			   "}\n"
			   "struct s { int a; };\n"
			   "int shown(int a)\n"
			   "{\n"
			   "\treturn a;\n"
			   "}\n";

static const struct {
	uint32_t line;
	uint8_t type;
	uint8_t kind;
	uint8_t flags;
	const char *name;
} wanted[] = {
	{ 0, NAME_IMPORT, 0, NAME_ANGLED, "stdio.h" },
	{ 2, NAME_MARKER, 0, 0, "TODO" },
	{ 0, NAME_IMPORT, 0, 0, "own.h" },
	{ 3, NAME_MARKER, 0, 0, "FIXME" },
	{ 4, NAME_DEF, LANG_KIND_FUNCTION, 0, "hidden" },
	{ 6, NAME_MARKER, 0, 0, "XXX" },
	{ 6, NAME_MARKER, 0, 0, "HACK" },
	{ 8, NAME_DEF, LANG_KIND_STRUCT, NAME_EXPORTED, "s" },
	{ 9, NAME_DEF, LANG_KIND_FUNCTION, NAME_EXPORTED, "shown" },
};

static void
assert_wanted(const struct names *names)
{
	const struct name_entry *entry;
	uint32_t at = 0;
	size_t nr = 0;

	assert_non_null(names);
	while ((entry = names_next(names, &at)) != NULL) {
		ASSERT_TRUE(nr < ARRAY_LEN(wanted));
		ASSERT_EQ(entry->bytes, strlen(wanted[nr].name));
		assert_memory_equal(entry + 1, wanted[nr].name, entry->bytes);
		ASSERT_EQ(entry->line, wanted[nr].line);
		ASSERT_EQ(entry->type, wanted[nr].type);
		ASSERT_EQ(entry->kind, wanted[nr].kind);
		ASSERT_EQ(entry->flags, wanted[nr].flags);
		nr++;
	}
	ASSERT_EQ(nr, ARRAY_LEN(wanted));
	ASSERT_EQ(names->def_nr, 3);
	/* a structure of a file that is no header is its own */
	ASSERT_EQ(names->export_nr, 1);
	ASSERT_EQ(names->import_nr, 2);
	ASSERT_EQ(names->marker_nr, 4);
	ASSERT_EQ(names->left_nr, 0);
}

static void
test_chunk_names_are_those_of_the_text_each_step_done_twice(void **state)
{
	const struct names *first = names_of(0, text, 1000);
	const struct names *second = names_of(1, text, 1000);

	assert_wanted(first);
	assert_wanted(second);
	ASSERT_TRUE(second > first);
}

static void
test_chunk_names_of_a_file_are_bounded(void **state)
{
	static char many[200000];
	const struct names *names;
	size_t nr = 0;
	uint32_t total = 0;

	for (; nr < sizeof(many) - 64; total++)
		nr += (size_t)sprintf(many + nr, "int f%u(void)\n{\n}\n",
				      total);
	names = names_of(0, many, 60000);
	assert_non_null(names);
	ASSERT_EQ(names->def_nr, total);
	ASSERT_TRUE(names->bytes <= NAMES_FILE_BYTES);
	ASSERT_TRUE(names->left_nr > 0);
	/* the next one is none the worse for it */
	assert_wanted(names_of(1, text, 1000));
}

static void
test_chunk_names_of_a_file_without_any(void **state)
{
	assert_null(names_of(0, "static int a;\nstatic int b;\n", 1000));
}

/* The calls of the only chunk that has any: static. */
static const char *
calls_of(uint32_t file_idx, const char *source)
{
	static char calls[UINT8_MAX + 1];
	const struct names *names = names_of(file_idx, source, 1000);
	const struct name_entry *entry;
	uint32_t at = 0;

	calls[0] = '\0';
	while (names != NULL && (entry = names_next(names, &at)) != NULL)
		if (entry->type == NAME_CHUNK && entry->bytes > 0)
			snprintf(calls, sizeof(calls), "%.*s",
				 (int)entry->bytes, (const char *)(entry + 1));
	return calls;
}

/* What begins and ends as another does, and is as long, may be another. */
static void
test_chunk_calls_are_each_once_and_told_apart_by_all_bytes(void **state)
{
	static const char *const cases[][2] = {
		{ "load1_aaae(); load2_bbbe(); load1_aaae();",
		  "load1_aaae load2_bbbe" },
		{ "abxd(); abyd(); aBxd(); abxd();", "abxd abyd aBxd" },
		{ "load_a(); load_ab(); load();", "load_a load_ab load" },
		{ "read_aX_aa(); read_bX_aa(); read_bX_ba();",
		  "read_aX_aa read_bX_aa read_bX_ba" },
		{ "read_bX_ba(); read_bX_ba();", "read_bX_ba" },
	};

	rig.run.job.tells_code = true;
	job_resolve(&rig.run.job);
	for (uint32_t i = 0; i < ARRAY_LEN(cases); i++) {
		char source[200];

		snprintf(source, sizeof(source), "int f(void)\n{\n\t%s\n}\n",
			 cases[i][0]);
		assert_string_equal(calls_of(i, source), cases[i][1]);
	}
}

/* What the fast search finds is what a slow one does. */
static void
test_chunk_marker_next_against_a_slow_search(void **state)
{
	static const char *const words[] = { "TODO", "FIXME", "XXX", "HACK" };
	static const char bits[] = "TODFIXMEHACK_ .\n";
	uint8_t noise[96];
	uint32_t seed = 7;

	for (int round = 0; round < 20000; round++) {
		size_t nr = sizeof(noise) - (size_t)round % 40;
		size_t want = 0;
		size_t got = 0;
		size_t word_bytes;
		size_t at = 0;

		for (size_t i = 0; i < nr; i++) {
			seed = seed * 1664525 + 1013904223;
			noise[i] = (uint8_t)bits[seed >> 28];
		}
		memcpy(noise + (seed >> 8) % (nr - 8), words[seed >> 30],
		       strlen(words[seed >> 30]));
		for (size_t i = 0; i < nr; i++)
			for (size_t w = 0; w < ARRAY_LEN(words); w++) {
				size_t k = strlen(words[w]);

				want += nr - i >= k &&
					memcmp(noise + i, words[w], k) == 0 &&
					(i == 0 ||
					 strchr(" .\n", noise[i - 1])) &&
					(i + k == nr ||
					 strchr(" .\n", noise[i + k]));
			}
		while ((at = lang_marker_next(noise, at, nr, &word_bytes)) <
		       nr) {
			got++;
			at += word_bytes;
		}
		ASSERT_EQ(got, want);
	}
}

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
		{ "import a, b.c as d\nx", 7, 2, "a, b.c as d" },
		{ "import a\nimport b\n", 7, 1, "a" },
		{ "from a import b, \\\n  c\nx", 5, 1, "a import b, \\\n  c" },
		{ "from a import b, \\\r\n  c\r\nx", 5, 1,
		  "a import b, \\\r\n  c\r" },
		{ "import a, \\\r\n  b\r\nx", 7, 2, "a, \\\r\n  b\r" },
		{ "import a, b\r\nc\\\r\n", 7, 2, "a, b\r" },
		{ "import a,\r\nb\r\n", 7, 2, "a,\r" },
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
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t *bytes = (const uint8_t *)cases[i].text;
		size_t end = strlen(cases[i].text);
		char got[200] = "";
		size_t nr = 0;
		size_t at = 0;

		for (;; at += nr) {
			at = lang_package_next((const uint8_t *)cases[i].path,
					       strlen(cases[i].path), bytes, at,
					       end, &nr);
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
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(test_chunk_names_are_those_of_the_text_each_step_done_twice),
		CASE(test_chunk_names_of_a_file_are_bounded),
		CASE(test_chunk_names_of_a_file_without_any),
		CASE(test_chunk_calls_are_each_once_and_told_apart_by_all_bytes),
		cmocka_unit_test(test_chunk_marker_next_against_a_slow_search),
		cmocka_unit_test(
			test_chunk_imports_take_what_they_name_of_a_module),
		cmocka_unit_test(
			test_chunk_packages_are_those_that_a_file_says_it_is_of),
	};

	return cmocka_run_group_tests_name("chunk/names", tests, NULL, NULL);
}
