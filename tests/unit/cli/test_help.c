/* SPDX-License-Identifier: MIT */
/*
 * test_help.c - the help, of the tables of commands and options; and
 *               paragraphs for a terminal: no line is too wide, none could
 *               have had a word more, and no word is lost.
 */
#include "tests/support/test_shm.h"
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

#define COLUMNS 79

static char *
wrapped(const char *text, size_t column, const char *begin)
{
	char *out = NULL;
	size_t bytes;
	FILE *file = open_memstream(&out, &bytes);

	ASSERT_TRUE(file != NULL);
	print_wrapped(file, text, column, begin);
	fclose(file);
	return out;
}

/* The same, word by word, each line held back until it is full. */
static void
wrap_slowly(char *out, const char *text, size_t column, const char *begin)
{
	char copy[2048];
	char line[2048] = "";
	size_t room = COLUMNS - column;
	char *state;

	out[0] = '\0';
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok_r(copy, " ", &state); word != NULL;
	     word = strtok_r(NULL, " ", &state)) {
		size_t with = strlen(line) + (line[0] != '\0') + strlen(word);

		if (with > room && line[0] != '\0') {
			strcat(strcat(strcat(out, line), "\n"), begin);
			line[0] = '\0';
			room = COLUMNS - strlen(begin);
		}
		strcat(strcat(line, line[0] != '\0' ? " " : ""), word);
	}
	strcat(strcat(out, line), "\n");
}

static void
test_text_is_wrapped_at_79_columns(void **state)
{
	static const char *const begins[] = { "", "    ", "        > " };
	uint64_t seed = 79;

	for (int round = 0; round < 300; round++) {
		char text[1024] = "";
		char want[2048];
		size_t column = random_next(&seed) % 40;
		const char *begin = begins[random_next(&seed) % 3];
		char *got;

		for (size_t words = random_next(&seed) % 40; words > 0;
		     words--) {
			size_t bytes = 1 + random_next(&seed) % 20;

			snprintf(text + strlen(text),
				 sizeof(text) - strlen(text), "%s%.*s",
				 text[0] != '\0' ? " " : "", (int)bytes,
				 "abcdefghijklmnopqrstuvwxyz");
		}
		got = wrapped(text, column, begin);
		wrap_slowly(want, text, column, begin);
		assert_string_equal(got, want);
		free(got);
	}
}

static void
test_text_of_exact_widths(void **state)
{
	char text[200];
	char *got;

	/* 39 + 1 + 39 are 79; one more goes over */
	memset(text, 'a', sizeof(text));
	text[39] = ' ';
	text[79] = '\0';
	got = wrapped(text, 0, "> ");
	ASSERT_EQ(strlen(got), 80);
	ASSERT_EQ(strcspn(got, "\n"), 79);
	free(got);
	got = wrapped(text, 1, "> ");
	ASSERT_EQ(strcspn(got, "\n"), 39);
	assert_true(strncmp(got + 39, "\n> aaa", 6) == 0);
	free(got);
}

static void
test_words_are_quoted_where_terminals_would_obey(void **state)
{
	assert_string_equal(WORD_QUOTED("plain"), "plain");
	assert_string_equal(WORD_QUOTED(""), "\"\"");
	assert_string_equal(WORD_QUOTED("\033[2J"), "\"\\033[2J\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(help_names_every_option_and_command_in_79_columns),
		TEST(help_to_a_full_disk_is_an_error),
		cmocka_unit_test(test_text_is_wrapped_at_79_columns),
		cmocka_unit_test(
			test_words_are_quoted_where_terminals_would_obey),
		cmocka_unit_test(test_text_of_exact_widths),
	};

	return cmocka_run_group_tests_name("cli/help", tests, NULL, NULL);
}
