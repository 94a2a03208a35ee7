/* SPDX-License-Identifier: MIT */
/*
 * test_source_errors.c - lines that say what went wrong, and those that only
 * seem to.
 */
#include "tests/support/test_shm.h"

#include "base/base.h"
#include "sources/source_parse.h"

static uint64_t lines[SOURCE_ERRORS_MAX];

static const struct {
	const char *line;
	bool is_error;
} cases[] = {
	{ "a.c:3: error: no such thing", true },
	{ "FAILED (failures=1)", true },
	{ "E   AssertionError: x", true },
	{ "thread 'main' panicked at a.rs", true },
	{ "Segmentation fault; Killed", true },
	{ "RuntimeError: x", true },
	{ "\033[1;31merror\033[0m: x", true },
	{ "undefined reference to `f'", true },
	{ "0 errors", false },
	{ "10 errors", true },
	{ "no errors", false },
	{ "errors: 0", false },
	{ "failed=0", false },
	{ "failed=10", true },
	{ "errors: 0x7f", true },
	{ "src/error.c compiled", false },
	{ "error_handler.py ok", false },
	{ "-Werror given", false },
	{ "terror, mirrors", false },
	{ "an error.", true },
	{ "", false },
};

static void
test_source_errors_are_words_of_their_own(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t nr = 99;

		source_parse_errors(cases[i].line, strlen(cases[i].line), lines,
				    &nr);
		if (nr != cases[i].is_error)
			fail_msg("%s: got %zu", cases[i].line, nr);
	}
}

static void
test_source_errors_have_the_numbers_of_their_lines(void **state)
{
	static const char text[] = "ok\nerror\n\nok\nfatal";
	size_t nr;

	ASSERT_EQ(source_parse_errors(text, sizeof(text) - 1, lines, &nr), 5);
	ASSERT_EQ(nr, 2);
	ASSERT_EQ(lines[0], 2);
	ASSERT_EQ(lines[1], 5);
	ASSERT_EQ(source_parse_errors(text, 3, lines, &nr), 1);
	ASSERT_EQ(nr, 0);
	ASSERT_EQ(source_parse_errors(text, 0, lines, &nr), 0);
}

static void
test_source_errors_beyond_the_most_are_not_listed(void **state)
{
	static char text[6 * (SOURCE_ERRORS_MAX + 2) + 1];
	size_t nr;

	for (size_t i = 0; i < SOURCE_ERRORS_MAX + 2; i++)
		memcpy(text + 6 * i, "error\n", 6);
	ASSERT_EQ(source_parse_errors(text, sizeof(text) - 1, lines, &nr),
		  SOURCE_ERRORS_MAX + 2);
	ASSERT_EQ(nr, SOURCE_ERRORS_MAX);
	ASSERT_EQ(lines[nr - 1], SOURCE_ERRORS_MAX);
}

/* verifies: FR-016-120 */
static void
test_lines_of_a_log_that_say_what_went_wrong(void **state)
{
	static const struct {
		const char *line;
		bool says;
	} examples[] = {
		{ "src/a.c:12:3: error: undeclared identifier", true },
		{ "ERROR in ./src/index.ts", true },
		{ "AssertionError: 1 != 2", true },
		{ "java.lang.NullPointerException", true },
		{ "Traceback (most recent call last):", true },
		{ "FAILED tests/test_a.py::test_b - assert 1 == 2", true },
		{ "--- FAIL: TestA (0.00s)", true },
		{ "make: *** [Makefile:12: all] Error 2", true },
		{ "\033[1;31merror\033[0m: cannot find value", true },
		{ "10 failed, 3 passed", true },
		{ "errors: 12", true },
		{ "thread 'main' panicked at src/main.rs:2:5", true },
		{ "12 passed, 0 failed", false },
		{ "0 errors, 3 warnings", false },
		{ "no errors", false },
		{ "errors: 0", false },
		{ "failed=0 skipped=1", false },
		{ "gcc -Wall -Werror -c a.c", false },
		{ "CC  src/error.o lib/error_handler.o", false },
		{ "go test --fail-fast ./errors/", false },
		{ "compiling terror v0.1", false },
		{ "ok", false },
		{ "", false },
	};
	size_t nr;

	for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
		const char *line = examples[i].line;

		ASSERT_EQ(source_parse_errors(line, strlen(line), lines, &nr),
			  *line != '\0');
		if (nr != examples[i].says)
			fail_msg("%s: says %zu", line, nr);
	}
}

static void
test_errors_of_a_log_are_its_first_by_their_lines(void **state)
{
	static const char text[] = "a\n\nerror\nb\nfatal: c\nfailed";
	static char many[8 * (SOURCE_ERRORS_MAX + 5)];
	size_t nr;

	ASSERT_EQ(source_parse_errors(text, strlen(text), lines, &nr), 6);
	ASSERT_EQ(nr, 3);
	ASSERT_EQ(lines[0], 3);
	ASSERT_EQ(lines[1], 5);
	ASSERT_EQ(lines[2], 6);
	for (size_t i = 0; i < sizeof(many); i += 8)
		memcpy(many + i, "error !\n", 8);
	ASSERT_EQ(source_parse_errors(many, sizeof(many), lines, &nr),
		  SOURCE_ERRORS_MAX + 5);
	ASSERT_EQ(nr, SOURCE_ERRORS_MAX);
	ASSERT_EQ(lines[nr - 1], SOURCE_ERRORS_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_source_errors_are_words_of_their_own),
		cmocka_unit_test(
			test_source_errors_have_the_numbers_of_their_lines),
		cmocka_unit_test(
			test_source_errors_beyond_the_most_are_not_listed),
		cmocka_unit_test(test_lines_of_a_log_that_say_what_went_wrong),
		cmocka_unit_test(
			test_errors_of_a_log_are_its_first_by_their_lines),
	};

	return cmocka_run_group_tests_name("sources/source_errors", tests, NULL,
					   NULL);
}
