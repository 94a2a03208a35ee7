/* SPDX-License-Identifier: MIT */
/*
 * test_fence.c - texts as data.
 */
#include "tests/support/test_command.h"

#include "cli/fence.h"

static void
test_fence_marks_are_longer_than_those_within(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} rows[] = {
		{ "", "```\n```" },
		{ "a", "```\na\n```" },
		{ "a\n", "```\na\n```" },
		{ "``", "```\n``\n```" },
		{ "x ````\n`", "`````\nx ````\n`\n`````" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text;
		size_t bytes;
		FILE *out = open_memstream(&text, &bytes);

		fence_print(out, rows[i].text, strlen(rows[i].text));
		fclose(out);
		assert_string_equal(text, rows[i].want);
		free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(fence_marks_are_longer_than_those_within),
	};

	return cmocka_run_group_tests_name("cli/fence", tests, NULL, NULL);
}
