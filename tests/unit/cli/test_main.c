/* SPDX-License-Identifier: MIT */
/*
 * test_main.c - from words to a command, and what has to be there before.
 */
#include "tests/support/test_command.h"

#include "base/version.h"

int
bale_main(int argc, char **argv);

#define main bale_main
#include "cli/main.c"
#undef main

#define RUN(words, input, code, said) ASSERT_RUN(NULL, words, input, code, said)

static int
set_up(void **state)
{
	command_main = bale_main;
	return command_set_up(state);
}

static void
test_bale_alone_is_told_how_to_use_it(void **state)
{
	RUN("", NULL, EXIT_USAGE, "Usage: bale COMMAND [OPTIONS]");
	ASSERT_OUT("");
	RUN("help", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("Usage: bale COMMAND [OPTIONS]");
	RUN("count --help", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("Usage: bale count [OPTIONS] [FILE...]\n");
	RUN("cuont x", NULL, EXIT_USAGE,
	    "BALE-CLI-001 unknown command cuont; did you mean count?");
	RUN("--version", NULL, EXIT_COMPLETE, "");
	ASSERT_TRUE(strncmp(command_out, "bale " BALE_VERSION "\nsandbox: ",
			    sizeof("bale " BALE_VERSION "\nsandbox: ") - 1) ==
		    0);
}

/* The ids of "hello world" in r50k_base and in the default (tiktoken). */
static void
test_bale_takes_the_configuration_of_the_directory(void **state)
{
	ASSERT_EQ(mkdir(".agent", 0755), 0);
	dir_write(".agent/config.yml",
		  "context: {tokenizer: {encoding: r50k_base}}\n");
	RUN("count --ids", "hello world", EXIT_COMPLETE, "");
	ASSERT_OUT("31373\n995\n");
	RUN("count --ids --no-config", "hello world", EXIT_COMPLETE, "");
	ASSERT_OUT("24912\n2375\n");
	RUN("count --ids --encoding cl100k_base", "hello world", EXIT_COMPLETE,
	    "");
	ASSERT_OUT("15339\n1917\n");
	dir_write(".agent/config.yml", "context: {tokenizer: [\n");
	RUN("count --ids", "hello world", EXIT_USAGE,
	    "BALE-CFG-002 .agent/config.yml:");
	ASSERT_OUT("");
	/* which reads the file by itself */
	RUN("config validate", NULL, EXIT_USAGE, "");
	ASSERT_SAYS("BALE-CFG-002");
}

static void
test_bale_refuses_a_sandbox_that_is_on_and_off(void **state)
{
	RUN("count --sandbox require --no-sandbox", "x", EXIT_USAGE,
	    "--no-sandbox cannot be given with --sandbox");
}

/* The commands of conversations read and write their file all the same. */
static void
test_bale_confines_the_commands_of_conversations(void **state)
{
	RUN("window w.json add --id a --content x", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("a\n");
	RUN("window w.json list --no-sandbox", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("a\tother\t");
	ASSERT_NAMES(".", "w.json");
}

/* With so few descriptors, or so small a stack, it says so and ends. */
static rlim_t files_max;
static rlim_t stack_max;

static int
main_with_limits(int argc, char **argv)
{
	const struct rlimit files = { files_max, files_max };
	const struct rlimit stack = { stack_max, stack_max };

	if ((files_max > 0 && setrlimit(RLIMIT_NOFILE, &files) != 0) ||
	    (stack_max > 0 && setrlimit(RLIMIT_STACK, &stack) != 0))
		return CHILD_SKIP;
	return bale_main(argc, argv);
}

static void
test_bale_needs_some_descriptors_and_stack(void **state)
{
	command_main = main_with_limits;
	files_max = 15;
	RUN("models", NULL, EXIT_RESOURCES,
	    "no more than 15 files may be open, the least is 16; raise the "
	    "limit (ulimit -n)");
	files_max = 16;
	RUN("help", NULL, EXIT_COMPLETE, "");
	files_max = 23;
	RUN("pack .", NULL, EXIT_RESOURCES, "the least is 24");
	files_max = 0;
	if (IS_SANITIZED || under_valgrind())
		return; /* those have no smaller stack */
	stack_max = 128 << 10;
	RUN("help", NULL, EXIT_RESOURCES,
	    "the stack may have no more than 128 KiB, the least is 256; raise "
	    "the limit (ulimit -s)");
	stack_max = 0;
}

static int closed;

static int
main_without(int argc, char **argv)
{
	close(closed);
	return bale_main(argc, argv);
}

/* What stands for a standard descriptor fails: nobody's file becomes it. */
static void
test_bale_without_standard_descriptors(void **state)
{
	command_main = main_without;
	closed = STDIN_FILENO;
	RUN("count", "hello", EXIT_DEGRADED, "stdin: Bad file descriptor");
	closed = STDOUT_FILENO;
	RUN("help", NULL, EXIT_OUTPUT,
	    "cannot write stdout: Bad file descriptor");
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(test_##name, set_up, dir_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(bale_alone_is_told_how_to_use_it),
		TEST(bale_takes_the_configuration_of_the_directory),
		TEST(bale_refuses_a_sandbox_that_is_on_and_off),
		TEST(bale_confines_the_commands_of_conversations),
		TEST(bale_needs_some_descriptors_and_stack),
		TEST(bale_without_standard_descriptors),
	};

	return cmocka_run_group_tests_name("cli/main", tests, NULL, NULL);
}
