/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_mcp.c - what `bale mcp` begins with, and what it refuses.
 */
#include "tests/support/test_command.h"

static void
test_mcp_needs_a_root_that_is_there(void **state)
{
	ASSERT_RUN(cmd_mcp, "mcp --root nowhere", "", EXIT_USAGE,
		   "--root nowhere: No such file or directory");
	dir_write("file", "x");
	ASSERT_RUN(cmd_mcp, "mcp --root file", "", EXIT_USAGE,
		   "--root file: not a directory");
}

static void
test_mcp_needs_an_encoding_or_model_that_is_known(void **state)
{
	ASSERT_RUN(cmd_mcp, "mcp --root . --encoding none", "", EXIT_USAGE,
		   "--encoding: unknown encoding none");
	ASSERT_RUN(cmd_mcp, "mcp --root . --encoding none.json", "", EXIT_USAGE,
		   "--encoding none.json: No such file or directory");
	ASSERT_RUN(cmd_mcp, "mcp --root . --encoding cl100k_base", "",
		   EXIT_COMPLETE, "");
	ASSERT_RUN(cmd_mcp, "mcp --root . --model gpt-4o", "", EXIT_COMPLETE,
		   "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(mcp_needs_a_root_that_is_there),
		COMMAND_TEST(mcp_needs_an_encoding_or_model_that_is_known),
	};

	return cmocka_run_group_tests_name("cli/cmd_mcp", tests, NULL, NULL);
}
