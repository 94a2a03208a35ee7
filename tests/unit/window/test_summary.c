/* SPDX-License-Identifier: MIT */
/*
 * test_summary.c - the prompt for a summary, what a summariser may answer, and
 * what an embedder says of texts.
 */
#include "tests/support/test_window.h"

#include "window/summary.h"

static char *
prompt_of(const char *transcript, const char *instructions, uint64_t max_tokens)
{
	const struct summary_spec spec = {
		.transcript = transcript,
		.transcript_bytes = strlen(transcript),
		.instructions = instructions,
		.max_tokens = max_tokens,
	};
	size_t bytes;
	char *prompt = summary_prompt(&spec, &bytes);

	assert_non_null(prompt);
	assert_int_equal(bytes, strlen(prompt));
	return prompt;
}

static void
test_summary_prompt_ends_its_transcript_once(void **state)
{
	static const char tail[] = "\n<conversation>\n"
				   "a <\\/conversation><\\/conversation>\nb"
				   "\n</conversation>\n";
	char *prompt =
		prompt_of("a </conversation></conversation>\nb", NULL, 0);

	assert_string_equal(prompt + strlen(prompt) - strlen(tail), tail);
	assert_null(strstr(prompt, "Write at most"));
	assert_null(strstr(prompt, "The user adds"));
	free(prompt);
	prompt = prompt_of("x", "Be kind.", 77);
	assert_contains(prompt, "\nWrite at most 77 tokens. ");
	assert_contains(prompt, "\nThe user adds:\nBe kind.\n");
	free(prompt);
}

static void
test_summary_is_text_without_blanks_around_it(void **state)
{
	static const struct {
		const char *command;
		int result;
		const char *summary;
	} cases[] = {
		{ "printf ' \\t\\n two words\\r\\n'", 0, "two words" },
		{ "tail -n 2 | head -n 1", 0, "what was said" },
		{ "true", -ENODATA, NULL },
		{ "printf ' \\n'", -ENODATA, NULL },
		{ "printf 'a\\377'", -EILSEQ, NULL },
		{ "printf 'a\\0b'", -EILSEQ, NULL },
		{ "echo a; exit 3", -EPIPE, NULL },
		{ "echo 12345678", -EPIPE, NULL }, /* more than may be */
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct summary_spec spec = {
			.command = cases[i].command,
			.transcript = "what was said",
			.transcript_bytes = 13,
			.output_max_bytes = i == ARRAY_LEN(cases) - 1 ? 8 : 0,
		};
		struct window_error error = { .text = "" };
		char *summary = NULL;

		assert_int_equal(summary_make(&spec, &summary, &error),
				 cases[i].result);
		if (cases[i].summary == NULL) {
			assert_null(summary);
			assert_begins(error.text, "BALE-WIN-012 ");
			continue;
		}
		assert_string_equal(summary, cases[i].summary);
		free(summary);
	}
}

/* Angles of 0, 90, 180 and 60 degrees to the query. */
static void
test_embedder_scores_are_cosines(void **state)
{
	static const char *const good[] = {
		"echo '{\"embeddings\":[[2,0],[7,0],[0,3],[-1,0],[1,1.7320508]]"
		"}'",
		"echo '{\"data\":[{\"embedding\":[2,0]},{\"embedding\":[7,0]},{"
		"\"embedding\":[0,3]},{\"embedding\":[-1,0]},{\"embedding\":[1,"
		"1.7320508]}]}'",
	};
	static const char *const bad[] = {
		"echo '{\"embeddings\":[[2,0],[7,0],[0,3],[-1,0]]}'",
		"echo '{\"embeddings\":[[2,0],[7,0],[0,3],[-1,0],[1]]}'",
		"echo '{\"embeddings\":[[2,0],[7,0],[0,3],[-1,0],[1,null]]}'",
		"echo '{\"embeddings\":[[],[],[],[],[]]}'",
		"echo '[]'",
		"true",
	};
	static const double want[] = { 1, 0, -1, 0.5 };
	const struct relevance_text texts[] = {
		{ "a", 1 }, { "b", 1 }, { "c", 1 }, { "d", 1 }
	};
	double scores[ARRAY_LEN(texts)];
	const struct embedder_request request = { "q", texts, ARRAY_LEN(texts),
						  scores };
	struct window_commands commands = { .time_limit_ms = 60000 };
	struct window_error error;

	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		commands.embedder = good[i];
		assert_int_equal(embedder_score(&commands, &request, &error),
				 0);
		for (size_t s = 0; s < ARRAY_LEN(want); s++)
			assert_true(scores[s] > want[s] - 1e-6 &&
				    scores[s] < want[s] + 1e-6);
	}
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		commands.embedder = bad[i];
		assert_int_equal(embedder_score(&commands, &request, &error),
				 -EBADMSG);
	}
	/* it is given the query first, then the texts */
	commands.embedder =
		"test \"$(cat)\" = '{\"input\":[\"q\",\"a\",\"b\",\"c\",\"d\"]"
		"}' && echo '{\"embeddings\":[[1],[1],[1],[1],[1]]}'";
	assert_int_equal(embedder_score(&commands, &request, &error), 0);
	commands.embedder = "exit 1";
	assert_int_equal(embedder_score(&commands, &request, &error), -EPIPE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_summary_prompt_ends_its_transcript_once),
		cmocka_unit_test(test_summary_is_text_without_blanks_around_it),
		cmocka_unit_test(test_embedder_scores_are_cosines),
	};

	return cmocka_run_group_tests_name("window/summary", tests, NULL, NULL);
}
