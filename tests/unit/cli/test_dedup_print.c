/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_print.c - a list made up by hand: as people read it, and as JSON.
 */
#include "tests/support/test_command.h"

#include "cli/dedup_list.h"

/* A dedup_count_fn: a token a byte. */
static uint64_t
count(const void *context, const char *text, size_t bytes)
{
	return bytes;
}

/*
 * 0 a.c 1-50, merged with 2 to 1-80: 90 tokens for 120
 * 1 b.c 1-9, 3 has the same content
 * 2 a.c 40-80
 * 3 c.c 5-13
 * 4 b.c 9-20, which shares a line with 1
 */
static const struct dedup_chunk chunks[] = {
	{ .path = "a.c",
	  .source = "tool_results",
	  .first = 1,
	  .last = 50,
	  .rank = 100,
	  .tokens = 70,
	  .other = 0,
	  .merged_first = 1,
	  .merged_last = 80,
	  .merged_nr = 1,
	  .merged_tokens = 90,
	  .before_tokens = 120 },
	{ .path = "b.c",
	  .source = "open_files",
	  .first = 1,
	  .last = 9,
	  .rank = 80,
	  .tokens = 1200,
	  .other = 1,
	  .merged_first = 1,
	  .merged_last = 9,
	  .merged_tokens = 1200,
	  .before_tokens = 1200,
	  .content = "text\n",
	  .content_bytes = 5 },
	{ .path = "a.c",
	  .source = "search_results",
	  .first = 40,
	  .last = 80,
	  .rank = 60.5,
	  .tokens = 50,
	  .fate = DEDUP_MERGED,
	  .other = 0 },
	{ .path = "c.c",
	  .source = "",
	  .first = 5,
	  .last = 13,
	  .rank = 1,
	  .tokens = 1200,
	  .fate = DEDUP_EXACT,
	  .other = 1 },
	{ .path = "b.c",
	  .source = "",
	  .first = 9,
	  .last = 20,
	  .rank = 0,
	  .tokens = DEDUP_TOKENS_NONE,
	  .other = 4,
	  .merged_first = 9,
	  .merged_last = 20,
	  .merged_tokens = DEDUP_TOKENS_NONE },
};

static struct dedup_result
result_of(bool merge)
{
	return (struct dedup_result){
		.chunks = chunks,
		.nr = ARRAY_LEN(chunks),
		.settings = { .threshold = 800000, .merge = merge },
		.max_tokens = 2000,
		.count = count,
	};
}

static int
print_text(struct command_line *line)
{
	const struct dedup_result result = result_of(true);

	return -dedup_print_text(&result, stdout);
}

/* Overlap: 40 to 50, of 41 lines; 9 alone, of 9. */
static void
test_dedup_is_told_one_by_one(void **state)
{
	ASSERT_RUN(print_text, "models", NULL, 0, "");
	ASSERT_OUT("Exact Duplicates Removed (1):\n"
		   "  1. b.c:1-9\n"
		   "     - Found in: open_files (rank 80), c.c:5-13 (rank 1)\n"
		   "     - Kept: open_files copy (higher rank)\n"
		   "     - Saved: 1,200 tokens\n\n"
		   "Overlapping Chunks Merged (1):\n"
		   "  1. a.c\n"
		   "     - Chunk A: lines 1-50 (70 tokens, rank 100, "
		   "tool_results)\n"
		   "     - Chunk B: lines 40-80 (50 tokens, rank 60.5, "
		   "search_results)\n"
		   "     - Overlap: lines 40-50 (11/41 = 26.8% of chunk B)\n"
		   "     - Merged: lines 1-80 (90 tokens, rank 100, "
		   "tool_results)\n"
		   "     - Saved: about 30 tokens\n\n"
		   "Overlaps Below the Threshold:\n"
		   "  1. b.c\n"
		   "     - Chunk A: lines 1-9 (1,200 tokens, rank 80, "
		   "open_files)\n"
		   "     - Chunk B: lines 9-20 (rank 0)\n"
		   "     - Overlap: lines 9-9 (1 line)\n"
		   "     - Overlap %: 1/9 = 11.1% < 80% threshold\n"
		   "     - Action: NOT merged (below threshold)\n\n"
		   "Chunks left: 3 of 5\n"
		   "Exact duplicates removed: 1 (-1,200 tokens)\n"
		   "Overlapping chunks merged: 1 (-30 tokens)\n"
		   "Total savings: 1,230 tokens (48.8 % reduction)\n");
}

static int
print_kept(struct command_line *line)
{
	const struct dedup_result result = result_of(false);

	return -dedup_print_text(&result, stdout);
}

static void
test_dedup_without_merging_says_so(void **state)
{
	ASSERT_RUN(print_kept, "models", NULL, 0, "");
	ASSERT_SAYS("Overlapping Chunks Removed (1):\n");
	ASSERT_SAYS("     - Kept: lines 1-80 (90 tokens");
	ASSERT_SAYS("     - Saved: 30 tokens\n");
}

static int
print_json(struct command_line *line)
{
	const struct dedup_result result = result_of(true);

	return -dedup_print_json(&result, STDOUT_FILENO);
}

static void
test_dedup_as_json(void **state)
{
	static const char want[] =
		"{\"chunks\":["
		"{\"path\":\"a.c\",\"start_line\":1,\"end_line\":80,"
		"\"rank\":100,\"source\":\"tool_results\",\"tokens\":90,"
		"\"merged\":1},"
		"{\"path\":\"b.c\",\"start_line\":1,\"end_line\":9,\"rank\":80,"
		"\"source\":\"open_files\",\"tokens\":1200,\"merged\":0,"
		"\"content\":\"text\\n\"},"
		"{\"path\":\"b.c\",\"start_line\":9,\"end_line\":20,\"rank\":0,"
		"\"source\":\"\",\"merged\":0}],"
		"\"removed\":["
		"{\"path\":\"a.c\",\"start_line\":40,\"end_line\":80,"
		"\"rank\":60.5,\"source\":\"search_results\",\"tokens\":50,"
		"\"reason\":\"overlap\",\"kept\":{\"path\":\"a.c\","
		"\"start_line\":1,\"end_line\":50,\"rank\":100,"
		"\"source\":\"tool_results\",\"tokens\":70}},"
		"{\"path\":\"c.c\",\"start_line\":5,\"end_line\":13,"
		"\"rank\":1,\"source\":\"\",\"tokens\":1200,"
		"\"reason\":\"duplicate\",\"kept\":{\"path\":\"b.c\","
		"\"start_line\":1,\"end_line\":9,\"rank\":80,"
		"\"source\":\"open_files\",\"tokens\":1200}}],"
		"\"below_threshold\":[{\"chunks\":["
		"{\"path\":\"b.c\",\"start_line\":1,\"end_line\":9,"
		"\"rank\":80,\"source\":\"open_files\",\"tokens\":1200},"
		"{\"path\":\"b.c\",\"start_line\":9,\"end_line\":20,"
		"\"rank\":0,\"source\":\"\"}],\"start_line\":9,\"end_line\":9,"
		"\"overlap\":0.111111}],"
		"\"dedup\":{\"exact_removed\":1,\"exact_tokens\":1200,"
		"\"overlaps_merged\":1,\"overlap_tokens\":30}}";
	json_t *got;
	json_t *all = json_loads(want, 0, NULL);

	assert_non_null(all);
	ASSERT_RUN(print_json, "models", NULL, 0, "");
	got = command_json();
	if (!json_equal(got, all))
		fail_msg("got:\n%s", command_out);
	json_decref(got);
	json_decref(all);
}

/* A merged text of 12 tokens where 5 are allowed: two lines, and one. */
static char joined[] = "a\nb\nlong\n";
static struct dedup_chunk large = {
	.path = "a.c",
	.source = "",
	.first = 1,
	.last = 2,
	.merged_first = 7,
	.merged_last = 9,
	.merged_nr = 1,
	.merged_tokens = 9,
	.joined = joined,
	.joined_bytes = sizeof(joined) - 1,
};

static int
print_large(struct command_line *line)
{
	const struct dedup_result result = { .chunks = &large,
					     .nr = 1,
					     .settings = { .merge = true },
					     .max_tokens = 5,
					     .count = count };

	return -dedup_print_json(&result, STDOUT_FILENO);
}

static void
test_dedup_splits_what_is_too_large(void **state)
{
	json_t *got;
	const json_t *parts;

	ASSERT_RUN(print_large, "models", NULL, 0, "");
	got = command_json();
	parts = json_object_get(got, "chunks");
	ASSERT_EQ(json_array_size(parts), 2);
	assert_string_equal(json_string_value(json_object_get(
				    json_array_get(parts, 0), "content")),
			    "a\nb\n");
	ASSERT_EQ(json_integer_value(json_object_get(json_array_get(parts, 1),
						     "start_line")),
		  9);
	ASSERT_EQ(json_integer_value(
			  json_object_get(json_array_get(parts, 1), "tokens")),
		  5);
	json_decref(got);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(dedup_is_told_one_by_one),
		COMMAND_TEST(dedup_without_merging_says_so),
		COMMAND_TEST(dedup_as_json),
		COMMAND_TEST(dedup_splits_what_is_too_large),
	};

	return cmocka_run_group_tests_name("cli/dedup_print", tests, NULL,
					   NULL);
}
