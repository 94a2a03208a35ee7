/* SPDX-License-Identifier: MIT */
/*
 * test_window_restore.c - a snapshot with secrets: what becomes of its items.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

#define RUN(words, input, code, said) \
	ASSERT_RUN(cmd_window, "window w.json " words, input, code, said)

/* In two pieces, so that nobody takes this file for one that has a secret. */
#define SECRET \
	"ghp_" \
	"aZ4kQ9vT2xW7mB1nR8sL5cD3fG6hJ0pYuEoI"

#define SNAPSHOT                                                      \
	"{\"version\":1,\"items\":[{\"id\":\"a\",\"type\":\"other\"," \
	"\"content\":\"one\",\"tokens\":7},{\"id\":\"b\",\"type\":"   \
	"\"other\",\"content\":\"token = " SECRET "\",\"tokens\":7}]}"

static void
test_window_restore_leaves_out_items_with_secrets(void **state)
{
	RUN("restore --secrets exclude", SNAPSHOT, EXIT_DEGRADED,
	    "1 item with secrets is left out");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("a\tother\t50\t7\t-\tone\n");
}

/* What a text had with its secret is not what it has without. */
static void
test_window_restore_counts_what_it_has_changed(void **state)
{
	RUN("restore", SNAPSHOT, EXIT_COMPLETE, "");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("a\tother\t50\t7\t-\tone\n");
	ASSERT_SAYS("[REDACTED");
	assert_null(strstr(command_out, "b\tother\t50\t7\t"));
}

static void
test_window_restore_refuses_what_is_no_snapshot(void **state)
{
	RUN("restore", "{\"items\":", EXIT_USAGE, "BALE-WIN-014");
	RUN("restore --secrets exclude", "{}", EXIT_USAGE, "BALE-WIN-014");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(window_restore_leaves_out_items_with_secrets),
		COMMAND_TEST(window_restore_counts_what_it_has_changed),
		COMMAND_TEST(window_restore_refuses_what_is_no_snapshot),
	};

	return cmocka_run_group_tests_name("cli/window_restore", tests, NULL,
					   NULL);
}
