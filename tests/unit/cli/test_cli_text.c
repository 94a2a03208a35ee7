/* SPDX-License-Identifier: MIT */
/*
 * test_cli_text.c - paragraphs for a terminal: no line is too wide, none could
 * have had a word more, and no word is lost.
 */
#include "tests/support/test_shm.h"

#include "cli/cli_text.h"

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
		cmocka_unit_test(test_text_is_wrapped_at_79_columns),
		cmocka_unit_test(test_text_of_exact_widths),
		cmocka_unit_test(
			test_words_are_quoted_where_terminals_would_obey),
	};

	return cmocka_run_group_tests_name("cli/cli_text", tests, NULL, NULL);
}
