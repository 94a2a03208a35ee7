/* SPDX-License-Identifier: MIT */
/*
 * test_command_run.c - a command line that is parsed, to its command.
 */
#include "tests/support/test_command.h"

/* As main() does, without what it looks after before. */
static int
run_line(int argc, char **argv)
{
	static struct command_line line;

	if (command_line_parse(argc, argv, &line) != 0)
		return EXIT_USAGE;
	return command_line_run(&line);
}

static int
set_up(void **state)
{
	command_main = run_line;
	return command_set_up(state);
}

#define RUN(words, input, code, said) ASSERT_RUN(NULL, words, input, code, said)

static void
test_command_run_reads_the_configuration_and_runs(void **state)
{
	RUN("count --ids", "hello world", EXIT_COMPLETE, "");
	ASSERT_OUT("24912\n2375\n");
	dir_write("c.yml", "context: {tokenizer: {encoding: r50k_base}}\n");
	RUN("count --ids --config c.yml", "hello world", EXIT_COMPLETE, "");
	ASSERT_OUT("31373\n995\n");
	RUN("count --config nowhere.yml", "", EXIT_USAGE, "nowhere.yml");
	ASSERT_OUT("");
	/* the command line says more than the environment */
	setenv("BALE_NO_CONFIG", "1", 1);
	RUN("count --ids --config c.yml", "hello world", EXIT_COMPLETE, "");
	ASSERT_OUT("31373\n995\n");
	unsetenv("BALE_NO_CONFIG");
	setenv("BALE_CONFIG", "c.yml", 1);
	RUN("count --ids --no-config", "hello world", EXIT_COMPLETE, "");
	ASSERT_OUT("24912\n2375\n");
	unsetenv("BALE_CONFIG");
	RUN("count --config c.yml --no-config", "", EXIT_USAGE,
	    "BALE-CLI-005 --no-config cannot be given with --config");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_command_run_reads_the_configuration_and_runs,
			set_up, dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/command_run", tests, NULL,
					   NULL);
}
