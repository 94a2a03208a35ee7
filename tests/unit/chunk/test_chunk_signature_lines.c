/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_signature_lines.c - functions that chunks cut through, by hand.
 */
#include "tests/support/test_shm.h"

#include "stages/chunk/chunk_signature_lines.h"

/* 0: the outer function, its name at 11; the inner one's line at 100. */
static const char lines[] =
	"static int\nouter(int a,\n      int b)\n{\n\treturn a;\n}\n";

static struct lang_def
def_at(uint64_t name_off, uint64_t end_off, uint8_t kind)
{
	return (struct lang_def){ .off = name_off,
				  .name_off = name_off,
				  .name_bytes = 5,
				  .end_off = end_off,
				  .kind = kind };
}

static void
test_signature_line_is_the_line_of_the_name(void **state)
{
	const struct lang_text text = { .bytes = (const uint8_t *)lines,
					.nr = sizeof(lines) - 1 };
	struct lang_def def = def_at(11, 0, LANG_KIND_FUNCTION);
	struct chunk_signature_lines kept = { 0 };
	const struct chunk_open *open;

	chunk_signature_lines_open(&kept, &text, &def);
	/* before the chunk is cut that it begins in, it has no signature line */
	ASSERT_EQ(chunk_signature_lines_of(&kept, 500, 1500), 0);
	open = chunk_signature_lines_cut(&kept, 0, 500);
	assert_non_null(open);
	ASSERT_EQ(open->off, 11);
	ASSERT_EQ(open->bytes, 13);
	assert_null(chunk_signature_lines_cut(&kept, 0, 500));
	ASSERT_EQ(chunk_signature_lines_of(&kept, 500, 1500), 1);
	/* once given, never again */
	assert_null(chunk_signature_lines_cut(&kept, 500, 1500));
	def.end_off = 1550;
	chunk_signature_lines_close(&kept, &def);
	/* little of it in the chunk: that needs no signature line */
	ASSERT_EQ(chunk_signature_lines_of(&kept, 1500, 2500), 0);
	ASSERT_EQ(chunk_signature_lines_of(&kept, 1400, 2500), 1);
	assert_null(chunk_signature_lines_cut(&kept, 1500, 2500));
	ASSERT_EQ(kept.nr, 0);
}

static void
test_signature_line_of_the_innermost_function_and_then_of_the_outer(
	void **state)
{
	static uint8_t bytes[4000];
	const struct lang_text text = { .bytes = bytes, .nr = sizeof(bytes) };
	struct lang_def outer = def_at(0, 0, LANG_KIND_METHOD);
	struct lang_def inner = def_at(100, 2000, LANG_KIND_FUNCTION);
	struct lang_def class = def_at(200, 0, LANG_KIND_CLASS);
	struct chunk_signature_lines kept = { 0 };
	int given = 0;

	memset(bytes, 'x', sizeof(bytes));
	bytes[50] = bytes[99] = bytes[150] = bytes[250] = '\n';
	chunk_signature_lines_open(&kept, &text, &outer);
	chunk_signature_lines_open(&kept, &text, &inner);
	chunk_signature_lines_open(&kept, &text, &class);
	while (chunk_signature_lines_cut(&kept, 0, 1000) != NULL)
		given++;
	ASSERT_EQ(given, 2); /* no signature line of a class */
	ASSERT_EQ(chunk_signature_lines_of(&kept, 1000, 1800), 2);
	chunk_signature_lines_close(&kept, &inner);
	ASSERT_EQ(chunk_signature_lines_of(&kept, 1800, 3000), 2);
	assert_null(chunk_signature_lines_cut(&kept, 1000, 2200));
	ASSERT_EQ(chunk_signature_lines_of(&kept, 2200, 3000), 1);
}

static void
test_signature_line_that_a_chunk_ends_within_is_none(void **state)
{
	const struct lang_text text = { .bytes = (const uint8_t *)lines,
					.nr = sizeof(lines) - 1 };
	struct lang_def def = def_at(11, 0, LANG_KIND_FUNCTION);
	struct chunk_signature_lines kept = { 0 };

	chunk_signature_lines_open(&kept, &text, &def);
	assert_null(chunk_signature_lines_cut(&kept, 0, 20));
	ASSERT_EQ(chunk_signature_lines_of(&kept, 20, 900), 0);
	/* nor is there one of a name that is not in the text */
	def.name_off = 4000;
	kept.nr = 0;
	chunk_signature_lines_open(&kept, &text, &def);
	ASSERT_EQ(kept.nr, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signature_line_is_the_line_of_the_name),
		cmocka_unit_test(
			test_signature_line_of_the_innermost_function_and_then_of_the_outer),
		cmocka_unit_test(
			test_signature_line_that_a_chunk_ends_within_is_none),
	};

	return cmocka_run_group_tests_name("chunk/lines", tests, NULL, NULL);
}
