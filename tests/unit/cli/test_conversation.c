/* SPDX-License-Identifier: MIT */
/*
 * test_conversation.c - how the commands of conversations say an error, and
 *                       which file they may still open.
 */
#include "tests/support/test_command.h"

#include "cli/conversation.h"
#include "window/broker.h"

static void
test_conversation_errors_have_a_code_each(void **state)
{
	static const struct {
		int result;
		int code;
	} rows[] = {
		{ 0, EXIT_COMPLETE },        { -E2BIG, EXIT_FRAME },
		{ -ENOMEM, EXIT_RESOURCES }, { -ETIMEDOUT, EXIT_RESOURCES },
		{ -EMFILE, EXIT_RESOURCES }, { -ENFILE, EXIT_RESOURCES },
		{ -EIO, EXIT_OUTPUT },       { -ENOSPC, EXIT_OUTPUT },
		{ -EDQUOT, EXIT_OUTPUT },    { -EROFS, EXIT_OUTPUT },
		{ -EPROTO, EXIT_INTERNAL },  { -EINVAL, EXIT_USAGE },
		{ -ENOENT, EXIT_USAGE },     { -EACCES, EXIT_USAGE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		ASSERT_EQ(conversation_exit_code(rows[i].result), rows[i].code);
}

/* What an entry that fails says; command_err has it. */
static const char *path;
static const char *makers;
static int result;
static struct window_error error;

static int
fail_it(struct command_line *line)
{
	return conversation_fail_about(result, path, makers, &error);
}

static void
test_conversation_error_names_the_file_once(void **state)
{
	static const struct {
		int result;
		const char *path;
		const char *makers;
		const char *text;
		const char *said;
	} rows[] = {
		{ -EBADMSG, "w.json", NULL, "BALE-WIN-014 it is bad",
		  "bale: BALE-WIN-014 w.json: it is bad\n" },
		{ -EBADMSG, "w.json", NULL, "BALE-WIN-014 w.json is bad",
		  "bale: BALE-WIN-014 w.json is bad\n" },
		{ -EBADMSG, "a\nb", NULL, "BALE-WIN-014 it is bad",
		  "bale: BALE-WIN-014 \"a\\nb\": it is bad\n" },
		{ -EBADMSG, "w.json", NULL, "no code", "bale: no code\n" },
		{ -ENOENT, "w.json", "`add` makes one", "BALE-WIN-001 gone",
		  "bale: BALE-WIN-001 gone; `add` makes one\n" },
		{ -ENOENT, "w.json", NULL, "BALE-WIN-001 gone",
		  "bale: BALE-WIN-001 w.json: gone\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		result = rows[i].result;
		path = rows[i].path;
		makers = rows[i].makers;
		snprintf(error.text, sizeof(error.text), "%s", rows[i].text);
		ASSERT_RUN(fail_it, "models", NULL, EXIT_USAGE, rows[i].said);
		assert_string_equal(command_err, rows[i].said);
	}
}

static char *printed;

static int
print(struct command_line *line)
{
	return conversation_print(printed);
}

static void
test_conversation_prints_a_line(void **state)
{
	printed = strdup("{}");
	ASSERT_RUN(print, "models", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("{}\n");
	free(printed);
	printed = NULL;
	ASSERT_RUN(print, "models", NULL, EXIT_RESOURCES, "out of memory");
}

/* Whatever it is asked for, the broker adds to what the command line names. */
static int
append_by_broker(struct command_line *line)
{
	int code = conversation_begin(line);

	if (code == EXIT_COMPLETE)
		puts(broker_append("elsewhere", "x", 1) == 0 ? "yes" : "no");
	fflush(stdout);
	broker_end();
	return code;
}

static void
test_conversation_names_files_to_the_broker(void **state)
{
	ASSERT_RUN(append_by_broker, "window w.json add --events log", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_OUT("yes\n");
	ASSERT_RUN(append_by_broker, "compact --record log", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_OUT("yes\n");
	ASSERT_TEXT("log", "xx");
	ASSERT_RUN(append_by_broker, "rounds usage book.json record", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_OUT("no\n");
	ASSERT_NAMES(".", "log");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conversation_errors_have_a_code_each),
		COMMAND_TEST(conversation_error_names_the_file_once),
		COMMAND_TEST(conversation_prints_a_line),
		COMMAND_TEST(conversation_names_files_to_the_broker),
	};

	return cmocka_run_group_tests_name("cli/conversation", tests, NULL,
					   NULL);
}
