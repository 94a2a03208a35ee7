/* SPDX-License-Identifier: MIT */
/*
 * test_help.c - the help, of the tables of commands and options.
 */
#include "tests/support/test_options.h"

#include "cli/help.h"

static char *
help_on(enum command topic)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_int_equal(help_print(out, topic), 0);
	fclose(out);
	return text;
}

static void
test_help_names_every_option_and_command_in_79_columns(void **state)
{
	char *all = help_on(COMMAND_NONE);
	char *pack = help_on(COMMAND_PACK);
	char *version = help_on(COMMAND_VERSION);
	char *texts[COMMAND_NR];

	for (int i = 0; i < COMMAND_NR; i++)
		texts[i] = help_on((enum command)i);
	for (int i = 1; i < COMMAND_NR; i++)
		assert_non_null(strstr(all, command_table[i].name));
	for (int i = 0; i < OPTION_NR; i++) {
		char name[80];

		if (option_table[i].name == NULL)
			continue;
		snprintf(name, sizeof(name), "--%s", option_table[i].name);
		for (int c = 1; c < COMMAND_NR; c++)
			if (option_table[i].takers & 1ull << c)
				assert_non_null(strstr(texts[c], name));
		assert_true(option_table[i].group != GROUP_NONE);
	}
	assert_non_null(strstr(pack, "BALE_BUDGET"));
	assert_non_null(strstr(pack, "(default: 96M)"));
	assert_null(strstr(version, "--budget"));
	for (size_t t = 0; t < ARRAY_LEN(texts); t++) {
		for (char *line = strtok(texts[t], "\n"); line != NULL;
		     line = strtok(NULL, "\n"))
			assert_true(strlen(line) <= 79);
		free(texts[t]);
	}
	free(all);
	free(pack);
	free(version);
}

static void
test_help_to_a_full_disk_is_an_error(void **state)
{
	static char buffer[1 << 16];
	FILE *out = fopen("/dev/full", "we");

	if (out == NULL) {
		print_message("there is no /dev/full\n");
		skip();
	}
	/* one write, at the end, so that its errno is the last one */
	setvbuf(out, buffer, _IOFBF, sizeof(buffer));
	assert_int_equal(help_print(out, COMMAND_PACK), -ENOSPC);
	fclose(out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(help_names_every_option_and_command_in_79_columns),
		TEST(help_to_a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests_name("cli/help", tests, NULL, NULL);
}
