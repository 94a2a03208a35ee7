/* SPDX-License-Identifier: MIT */
/*
 * test_options_outputs.c - the files that a run writes are different ones, by
 * whatever name.
 */
#include "tests/support/test_dir.h"
#include "tests/support/test_options.h"

static void
test_outputs_that_are_one_file_are_refused(void **state)
{
	dir_write("a", "");
	ASSERT_TRUE(mkdir("d", 0755) == 0 && symlink("a", "link") == 0 &&
		    symlink("new", "dangling") == 0);
	parses("pack -o a --report b --metrics c --audit-log d/a");
	parses("pack -o new --report a");
	refuses("pack -o a --report a",
		"BALE-CLI-005 --report a cannot be given with --output: both "
		"write the same file");
	refuses("pack -o a --metrics ./d/../a", "--metrics ./d/../a");
	refuses("pack -o link --report a", "both write the same file");
	refuses("pack -o new --report d/../new", "both write the same file");
	refuses("pack -o dangling --report new", "both write the same file");
	refuses("pack --report x --audit-log x",
		"--audit-log x cannot be given with --report");
	/* a device takes what two write */
	parses("pack -o /dev/null --report /dev/null");
	refuses("pack -o x --report -", "--report -: stdout is /dev/stdout");
	refuses("pack --metrics -", "--metrics -: stdout is /dev/stdout");
	parses("pack -o - --audit-log ./-");
}

static void
test_outputs_are_no_name_of_a_part(void **state)
{
	parses("pack -o out.md --split 9k --report out.json");
	parses("pack -o out.md --split 9k --report out.md");
	refuses("pack -o out.md --split 9k --report out-001.md",
		"with --split that is the name of one of its parts");
	parses("pack -o out.md --split 9k --report other-001.md");
	parses("pack -o out.md --report out-001.md");
}

static void
test_outputs_have_no_name_of_another_compression(void **state)
{
	parses("pack -o a.md.zst");
	parses("pack -o .gz");
	parses("pack -o a.gz.md");
	refuses("pack -o a.md.gz",
		"BALE-CLI-002 --output: invalid value a.md.gz: only .zst is "
		"compressed");
	refuses("preview -o a.xz", "only .zst is compressed");
	refuses("pack -o a.bz2 --split 9k", "only .zst is compressed");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_outputs_that_are_one_file_are_refused, dir_set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_outputs_are_no_name_of_a_part, dir_set_up,
			dir_tear_down),
		cmocka_unit_test(
			test_outputs_have_no_name_of_another_compression),
	};

	clear_variables();
	return cmocka_run_group_tests_name("cli/options_outputs", tests, NULL,
					   NULL);
}
