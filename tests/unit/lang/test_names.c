/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_names.c - what is defined, imported and left to do, as it comes
 *                      into the catalogue.
 */
#include "catalogue/desc.h"
#include "tests/support/test_stage_rig.h"

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

/* Bytes of the entries of chunks, or of all others. */
static uint32_t
bytes_of(const struct names *names, bool of_chunks)
{
	const struct name_entry *entry;
	uint32_t at = 0;
	uint32_t bytes = 0;

	for (uint32_t from = 0; (entry = names_next(names, &at)) != NULL;
	     from = at)
		if ((entry->type == NAME_CHUNK) == of_chunks)
			bytes += at - from;
	return bytes;
}

static void
test_chunk_names_of_a_file_are_bounded(void **state)
{
	static char many[400000];
	size_t nr = 0;
	uint32_t total = 0;

	for (; nr < sizeof(many) - 128; total++)
		nr += (size_t)sprintf(many + nr,
				      "int f%u(void)\n{\n\tif (g%u())\n"
				      "\t\treturn h%u();\n}\n",
				      total, total, total);
	/* what a report asks for beside takes no room from the others */
	for (uint32_t told = 0; told < 2; told++) {
		const struct names *names;

		rig.run.job.tells_code = told > 0;
		job_resolve(&rig.run.job);
		names = names_of(told, many, 60000);
		assert_non_null(names);
		ASSERT_EQ(names->def_nr, total);
		/* with no room for one name more */
		assert_in_range(bytes_of(names, false), NAMES_OTHERS_BYTES - 64,
				NAMES_OTHERS_BYTES);
		assert_in_range(bytes_of(names, true), told * 4096,
				told * NAMES_CHUNKS_BYTES);
	}
	rig.run.job.tells_code = false;
	job_resolve(&rig.run.job);
	/* the next one is none the worse for it */
	assert_wanted(names_of(2, text, 1000));
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

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(test_chunk_names_are_those_of_the_text_each_step_done_twice),
		CASE(test_chunk_names_of_a_file_are_bounded),
		CASE(test_chunk_names_of_a_file_without_any),
		CASE(test_chunk_calls_are_each_once_and_told_apart_by_all_bytes),
	};

	return cmocka_run_group_tests_name("chunk/names", tests, NULL, NULL);
}
