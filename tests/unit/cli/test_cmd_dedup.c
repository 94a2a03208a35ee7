/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_dedup.c - lists of chunks, good ones and bad ones.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

#define DEDUP "dedup - --json"

/* Runs and gives the numbers of `dedup` as "exact tokens merged tokens". */
static const char *
sums_of(const char *words, const char *list)
{
	static char text[128];
	json_t *all;
	const json_t *sums;

	ASSERT_RUN(cmd_dedup, words, list, EXIT_COMPLETE, "");
	all = command_json();
	sums = json_object_get(all, "dedup");
	snprintf(
		text, sizeof(text), "%d %d %d %d",
		(int)json_integer_value(json_object_get(sums, "exact_removed")),
		(int)json_integer_value(json_object_get(sums, "exact_tokens")),
		(int)json_integer_value(
			json_object_get(sums, "overlaps_merged")),
		(int)json_integer_value(
			json_object_get(sums, "overlap_tokens")));
	json_decref(all);
	return text;
}

#define CHUNK(path, lines, more) \
	"{\"path\":\"" path "\",\"lines\":\"" lines "\"" more "}"
#define SAME ",\"content\":\"hello world\\n\",\"tokens\":7"

static void
test_dedup_takes_an_array_or_an_object_of_it(void **state)
{
	static const char chunks[] =
		"[" CHUNK("a", "1-1", SAME) "," CHUNK("b", "1-1", SAME) "]";
	char object[512];

	assert_string_equal(sums_of(DEDUP, chunks), "1 7 0 0");
	snprintf(object, sizeof(object), " {\"x\": 1, \"chunks\": %s}", chunks);
	assert_string_equal(sums_of(DEDUP, object), "1 7 0 0");
	assert_string_equal(sums_of(DEDUP, " [ ] "), "0 0 0 0");
	/* lines as a text, or as two numbers */
	assert_string_equal(
		sums_of(DEDUP, "[{\"path\":\"a\",\"start_line\":7,"
			       "\"end_line\":7}," CHUNK("a", "7-7", "") "]"),
		"1 0 0 0");
}

/* As many as there are of each; without one, as many as its text has. */
static void
test_dedup_counts_what_has_no_tokens(void **state)
{
	assert_string_equal(
		sums_of(DEDUP " --encoding cl100k_base",
			"[" CHUNK("a", "1-1", ",\"content\":\"hello world\"") "," CHUNK(
				"b", "1-1",
				",\"content\":\"hello world\"") "]"),
		"1 2 0 0");
	/* nothing is known of ranges without content */
	assert_string_equal(sums_of(DEDUP, "[" CHUNK("a", "1-9", "") "," CHUNK(
						   "a", "1-9", "") "]"),
			    "1 0 0 0");
}

static void
test_dedup_merges_from_the_threshold_on(void **state)
{
	/* 5 of 10 lines */
	static const char two[] =
		"[" CHUNK("a", "1-20", ",\"tokens\":200") "," CHUNK(
			"a", "16-25", ",\"tokens\":100") "]";

	assert_string_equal(sums_of(DEDUP " --threshold 0.5", two), "0 0 1 50");
	assert_string_equal(sums_of(DEDUP " --threshold 0.51", two), "0 0 0 0");
}

/* Of a text that is known, a merged chunk is what its lines come to. */
static void
test_dedup_counts_the_merged_text(void **state)
{
	json_t *all;
	const json_t *chunk;

	assert_string_equal(
		sums_of(DEDUP " --threshold 0.5 --encoding cl100k_base",
			"[" CHUNK("a", "1-2", ",\"content\":\"hello\\nworld\\n\"") "," CHUNK(
				"a", "2-3",
				",\"content\":\"world\\nhello\\n\"") "]"),
		"0 0 1 2");
	all = command_json();
	chunk = json_array_get(json_object_get(all, "chunks"), 0);
	assert_string_equal(
		json_string_value(json_object_get(chunk, "content")),
		"hello\nworld\nhello\n");
	/* hello, world and hello, each with an end of line of its own */
	ASSERT_EQ(json_integer_value(json_object_get(chunk, "tokens")), 6);
	json_decref(all);
}

static void
test_dedup_names_the_chunk_that_is_wrong(void **state)
{
	static const struct {
		const char *list;
		const char *said;
	} rows[] = {
		{ "[" CHUNK("a", "1-1", "") ",{}]",
		  "chunk 2: it needs a \"path\"" },
		{ "[" CHUNK("a", "0-1", "") "]", "chunk 1: \"lines\"" },
		{ "[{\"path\":\"a\",\"start_line\":3,\"end_line\":2}]",
		  "chunk 1: \"lines\"" },
		{ "[" CHUNK("a", "1-1", ",\"content\":1") "]",
		  "chunk 1: \"content\"" },
		{ "[" CHUNK("a", "1-1", ",\"rank\":\"1\"") "]",
		  "chunk 1: \"rank\"" },
		{ "[" CHUNK("a", "1-1", ",\"tokens\":-1") "]",
		  "chunk 1: \"tokens\"" },
		{ "[" CHUNK("a", "1-1", "") " " CHUNK("a", "1-1", "") "]",
		  "chunk 1: after it, a , or a ]" },
		{ "[" CHUNK("a", "1-1", "") ",", "chunk 2: " },
		{ "[] x", "there is more behind its end" },
		{ "{\"chunks\":1}", "want a JSON array" },
		{ "", "want a JSON array" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		ASSERT_RUN(cmd_dedup, DEDUP, rows[i].list, EXIT_USAGE,
			   rows[i].said);
	ASSERT_RUN(cmd_dedup, "dedup none.json", NULL, EXIT_USAGE,
		   "none.json: No such file");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(dedup_takes_an_array_or_an_object_of_it),
		COMMAND_TEST(dedup_counts_what_has_no_tokens),
		COMMAND_TEST(dedup_merges_from_the_threshold_on),
		COMMAND_TEST(dedup_counts_the_merged_text),
		COMMAND_TEST(dedup_names_the_chunk_that_is_wrong),
	};

	return cmocka_run_group_tests_name("cli/cmd_dedup", tests, NULL, NULL);
}
