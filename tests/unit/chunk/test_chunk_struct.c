/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_struct.c - where texts are cut: at definitions, between members,
 *                       between statements, by lines; bounds; other modes.
 */
#include "tests/support/test_shm.h"

#include "stages/chunk/chunk_struct.h"
#include "tests/support/test_cutter.h"

#define TEXT_ROOM (1u << 16)
#define CHUNKS_MAX 256

struct cuts {
	uint32_t lines[CHUNKS_MAX]; /* the first line of each chunk */
	uint64_t sizes[CHUNKS_MAX];
	uint32_t nr;
};

static void
cut_text(const char *text, uint32_t lang, const struct chunk_limits *limits,
	 struct cuts *cuts)
{
	static struct chunk_cutter cutter;
	struct lang_text whole = { (const uint8_t *)text, 0, strlen(text),
				   true };
	uint32_t line = 1;
	uint64_t sum = 0;
	size_t got;

	cuts->nr = 0;
	chunk_cutter_init(&cutter, lang, limits);
	while ((got = chunk_cutter_next(&cutter, &whole, limits, NULL)) > 0) {
		assert_true(cuts->nr < CHUNKS_MAX);
		cuts->lines[cuts->nr] = line;
		cuts->sizes[cuts->nr++] = got;
		for (uint64_t i = sum; i < sum + got; i++)
			line += text[i] == '\n';
		sum += got;
		assert_true(sum == whole.nr || text[sum - 1] == '\n');
	}
	ASSERT_EQ(sum, whole.nr);
}

static void
expect_lines(const char *text, uint32_t lang, const struct chunk_limits *limits,
	     const char *want)
{
	static struct cuts cuts;
	char got[2048];
	size_t nr = 0;

	cut_text(text, lang, limits, &cuts);
	got[0] = '\0';
	for (uint32_t i = 0; i < cuts.nr; i++)
		nr += (size_t)snprintf(got + nr, sizeof(got) - nr, "%u ",
				       cuts.lines[i]);
	assert_string_equal(got, want);
}

static struct chunk_limits
limits_of(uint32_t max, uint32_t min, uint32_t join)
{
	return (struct chunk_limits){ .max_bytes = max,
				      .min_bytes = min,
				      .join_bytes = join };
}

static const char three_functions[] = "#include <a.h>\n" /* 1 */
				      "\n"
				      "/* the first */\n" /* 3 */
				      "int a(void)\n"
				      "{\n"
				      "\treturn 1;\n"
				      "}\n"
				      "\n"
				      "int b(void)\n" /* 9 */
				      "{\n"
				      "\treturn 2;\n"
				      "}\n"
				      "EXPORT_SYMBOL(b);\n"
				      "\n"
				      "int c(void)\n" /* 15 */
				      "{\n"
				      "\treturn 3;\n"
				      "}\n";

/* verifies: FR-016-38, FR-016-39, NFR-016-25 */
static void
test_chunk_cut_between_functions_with_their_comments(void **state)
{
	struct chunk_limits limits = limits_of(400, 10, 10);

	expect_lines(three_functions, LANG_C, &limits, "1 3 9 15 ");
}

/* verifies: FR-016-45 */
static void
test_chunk_cut_joins_small_neighbours(void **state)
{
	struct chunk_limits limits = limits_of(400, 60, 60);

	expect_lines(three_functions, LANG_C, &limits, "1 9 ");
	limits = limits_of(1000, 500, 500);
	expect_lines(three_functions, LANG_C, &limits, "1 ");
}

/* verifies: FR-016-44, FR-016-46, FR-016-47 */
static void
test_chunk_cut_splits_what_is_too_large_between_statements(void **state)
{
	static const char text[] = "int f(void)\n"
				   "{\n"
				   "\tif (a) {\n"
				   "\t\tb();\n"
				   "\t\tc();\n"
				   "\t}\n" /* 6 */
				   "\n"
				   "\tif (d) {\n"
				   "\t\te();\n"
				   "\t\tg();\n"
				   "\t\th();\n"
				   "\t}\n"
				   "}\n";
	struct chunk_limits limits = limits_of(60, 10, 10);

	/* behind the blank line, not within a block */
	expect_lines(text, LANG_C, &limits, "1 8 ");
}

/* verifies: FR-016-47 */
static void
test_chunk_cut_splits_a_list_between_its_members(void **state)
{
	static const char text[] = "struct t list[] = {\n"
				   "\t{\n"
				   "\t\t.name = \"first\",\n"
				   "\t\t.value = 1,\n"
				   "\t},\n"
				   "\t{\n" /* 6 */
				   "\t\t.name = \"second\",\n"
				   "\t\t.value = 2,\n"
				   "\t},\n"
				   "};\n";
	struct chunk_limits limits = limits_of(70, 10, 10);

	expect_lines(text, LANG_C, &limits, "1 6 ");
}

/* A class that fits is whole; one that does not is cut between methods. */
static void
test_chunk_cut_keeps_a_class_that_fits(void **state)
{
	static const char text[] = "import alpha;\n"
				   "\n"
				   "class A {\n" /* 3 */
				   "\tint f() {\n"
				   "\t\treturn 1;\n"
				   "\t}\n"
				   "\n"
				   "\tint g() {\n" /* 8 */
				   "\t\treturn 2;\n"
				   "\t}\n"
				   "}\n"
				   "\n"
				   "class B {\n" /* 13 */
				   "\tint h() {\n"
				   "\t\treturn 3;\n"
				   "\t}\n"
				   "}\n";
	struct chunk_limits limits = limits_of(100, 10, 10);

	expect_lines(text, LANG_JAVA, &limits, "1 3 13 ");
	limits = limits_of(60, 12, 12);
	expect_lines(text, LANG_JAVA, &limits, "1 3 8 13 ");
}

/* verifies: FR-016-41 */
static void
test_chunk_cut_at_headings(void **state)
{
	static const char text[] = "# One\n\ntext of one\n\n"
				   "```\n# no heading\n```\n\n"
				   "# Two\n\ntext of two\n"; /* 9 */
	struct chunk_limits limits = limits_of(400, 10, 10);

	expect_lines(text, LANG_MARKDOWN, &limits, "1 9 ");
}

/* verifies: FR-016-50 */
static void
test_chunk_cut_by_lines_where_no_language_is_known(void **state)
{
	static const char text[] = "one line here\ntwo lines here\n\n"
				   "three lines here\nfour lines here\n";
	struct chunk_limits limits = limits_of(40, 10, 10);

	/* the blank line in the second half of what fits */
	expect_lines(text, LANG_NONE, &limits, "1 4 ");
}

/* Whatever the text, sizes stay within their bounds.
 * verifies: FR-016-44, FR-016-45 */
static void
test_chunk_cut_sizes_stay_within_bounds(void **state)
{
	static char text[TEXT_ROOM];
	static struct cuts cuts;
	struct chunk_limits limits = limits_of(1500, 300, 300);
	uint64_t random = 7;
	size_t nr = 0;

	while (nr < TEXT_ROOM - 200) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		nr += (size_t)sprintf(text + nr, "int f%zu(void)\n{\n", nr);
		for (uint64_t i = random >> 59; i > 0 && nr < TEXT_ROOM - 200;
		     i--)
			nr += (size_t)sprintf(text + nr, "\tcall(%zu);\n%s", nr,
					      random >> 40 & 1 ? "\n" : "");
		nr += (size_t)sprintf(text + nr, "}\n\n");
	}
	cut_text(text, LANG_C, &limits, &cuts);
	assert_true(cuts.nr > 40);
	for (uint32_t i = 0; i < cuts.nr; i++) {
		if (cuts.sizes[i] > limits.max_bytes ||
		    (cuts.sizes[i] < limits.min_bytes && i + 1 < cuts.nr))
			fail_msg("chunk %u has %llu bytes", i,
				 (unsigned long long)cuts.sizes[i]);
	}
}

/* No cut is made between the end of a here-document and code that follows it
 * on the same line. */
static void
test_chunk_cut_ends_a_line_behind_a_here_document(void **state)
{
	static const char text[] = "a=$(cat <<EOF\n"
				   "some text of it\n"
				   "EOF ) && b\n" /* 3 */
				   "c --with --a=few\n"
				   "d\n";
	struct chunk_limits limits = limits_of(40, 10, 10);

	expect_lines(text, LANG_SHELL, &limits, "1 3 ");
	expect_lines(text, LANG_RUBY, &limits, "1 3 ");
}

static void
test_chunk_limits_are_bytes_of_tokens(void **state)
{
	struct chunk_limits limits;

	chunk_limits_init(&limits, CHUNK_MAX_TOKENS, CHUNK_MIN_TOKENS);
	ASSERT_EQ(limits.max_bytes, 6000);
	ASSERT_EQ(limits.min_bytes, 300);
	chunk_limits_init(&limits, 10, 100);
	assert_true(limits.min_bytes <= limits.max_bytes / 2);
	chunk_limits_init(&limits, 0, 0);
	assert_true(limits.max_bytes > 0);
}

/* A text of one line longer than the limit comes whole. */
static void
test_chunk_cut_long_line_is_one_chunk(void **state)
{
	static char text[5000];
	static struct cuts cuts;
	struct chunk_limits limits = limits_of(1000, 100, 100);

	memset(text, 'x', sizeof(text) - 1);
	memcpy(text + 4000, "\nint a;\n", 8);
	cut_text(text, LANG_C, &limits, &cuts);
	ASSERT_EQ(cuts.sizes[0], 4001);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_cut_between_functions_with_their_comments),
		cmocka_unit_test(test_chunk_cut_joins_small_neighbours),
		cmocka_unit_test(
			test_chunk_cut_splits_what_is_too_large_between_statements),
		cmocka_unit_test(
			test_chunk_cut_splits_a_list_between_its_members),
		cmocka_unit_test(test_chunk_cut_keeps_a_class_that_fits),
		cmocka_unit_test(test_chunk_cut_at_headings),
		cmocka_unit_test(
			test_chunk_cut_by_lines_where_no_language_is_known),
		cmocka_unit_test(test_chunk_cut_sizes_stay_within_bounds),
		cmocka_unit_test(
			test_chunk_cut_ends_a_line_behind_a_here_document),
		cmocka_unit_test(test_chunk_limits_are_bytes_of_tokens),
		cmocka_unit_test(test_chunk_cut_long_line_is_one_chunk),
	};

	return cmocka_run_group_tests_name("chunk/struct", tests, NULL, NULL);
}
