/* SPDX-License-Identifier: MIT */
/*
 * test_count_text.c - tokens of texts as they are written, against the same
 * texts escaped by hand and counted.
 */
#include "tests/support/test_shm.h"

#include "stages/count/count_entry.h"

static struct job job;
static struct count_state state;
static const struct tokenizer *tokenizer;
static struct counting counting;

static int
setup(void **unused)
{
	ASSERT_EQ(tokenizer_open(&tokenizer, "o200k_base"), 0);
	memset(&job, 0, sizeof(job));
	memset(&state, 0, sizeof(state));
	counting = (struct counting){ .job = &job,
				      .tokenizer = tokenizer,
				      .cache = count_cache_create(16),
				      .state = &state };
	ASSERT_TRUE(counting.cache != NULL);
	return 0;
}

static int
teardown(void **unused)
{
	free(counting.cache);
	return 0;
}

static uint64_t
tokens(const char *text)
{
	return tokenizer_count(tokenizer, NULL, (const uint8_t *)text,
			       strlen(text));
}

static struct desc
run_of(const char *text, uint32_t line)
{
	return (struct desc){ .bytes = (uint32_t)strlen(text),
			      .line_first = line };
}

static uint32_t
written(const char *text, uint32_t line)
{
	const struct desc run = run_of(text, line);
	uint8_t digest[SHA256_BYTES];

	sha256_of((const uint8_t *)text, run.bytes, digest);
	return count_written(&counting, &run, (const uint8_t *)text, digest);
}

static void
test_text_tokens_stick_at_the_top(void **unused)
{
	ASSERT_EQ(count_u32(0), 0);
	ASSERT_EQ(count_u32(UINT32_MAX), UINT32_MAX);
	ASSERT_EQ(count_u32(UINT32_MAX + 1ull), UINT32_MAX);
}

/* As it is: counted once, and then known by its digest. */
static void
test_text_as_it_is_is_counted_once(void **unused)
{
	static const char text[] = "int main(void) { return 0; }\n";
	struct desc run = run_of(text, 1);
	uint8_t digest[SHA256_BYTES] = { 7 };

	ASSERT_EQ(count_written(&counting, &run, (const uint8_t *)text, digest),
		  tokens(text));
	/* whatever text has that digest */
	ASSERT_EQ(count_written(&counting, &run, (const uint8_t *)"x", digest),
		  tokens(text));
	ASSERT_EQ(counting.cache->hits, 1);
	/* what was counted when it was cut is not counted again */
	digest[0] = 8;
	run.tokens = 77;
	ASSERT_EQ(count_written(&counting, &run, (const uint8_t *)text, digest),
		  77);
	run.tokens = 0;
	ASSERT_EQ(count_written(&counting, &run, (const uint8_t *)text, digest),
		  77);
}

/* What is escaped is counted so; numbers hang on the line. */
static void
test_text_is_counted_as_it_is_written(void **unused)
{
	job.markup.kind = MARKUP_JSON;
	ASSERT_EQ(written("say \"a\\b\"\n", 1),
		  tokens("say \\\"a\\\\b\\\"\\n"));
	job.markup.kind = MARKUP_XML;
	ASSERT_EQ(written("a[b[0]]>1\n", 1), tokens("a[b[0]]]]><![CDATA[>1\n"));
	job.markup.kind = MARKUP_MARKDOWN;
	job.markup.numbers = true;
	ASSERT_EQ(written("a\nb\n", 9), tokens("9: a\n10: b\n"));
	ASSERT_EQ(written("a\nb\n", 99), tokens("99: a\n100: b\n"));
	/* a chunk that is a whole file is counted as it is */
	job.whole_files = true;
	ASSERT_EQ(written("a\nb\n", 9), tokens("a\nb\n"));
}

/* Run by run, cut anywhere, a chunk comes to the same. */
static void
test_text_in_runs_is_counted_as_one(void **unused)
{
	static const char text[] = "if (a[b[0]]>1)\n\treturn \"x\\y\";\n";
	static const enum markup_kind kinds[] = { MARKUP_MARKDOWN, MARKUP_XML,
						  MARKUP_JSON };

	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		uint32_t want;

		job.markup.kind = kinds[k];
		want = written(text, 1);
		for (size_t cut = 0; cut < sizeof(text); cut++) {
			token_stream_init(&state.stream);
			state.flow = markup_flow_at(1);
			count_feed_written(&counting, (const uint8_t *)text,
					   cut);
			count_feed_written(&counting,
					   (const uint8_t *)text + cut,
					   sizeof(text) - 1 - cut);
			ASSERT_EQ(token_stream_count(tokenizer, &state.stream),
				  want);
		}
	}
}

/* The ends of a span and its middle add up, alone and within others. */
static void
test_text_has_a_span_that_can_be_joined(void **unused)
{
	static const char text[] = "one two three, four five six\n"
				   "seven eight nine ten\n";
	static const char escaped[] = "one two three, four five six\\n"
				      "seven eight nine ten\\n";

	for (int kind = 0; kind < 2; kind++) {
		const char *out = kind == 0 ? text : escaped;
		struct desc run = run_of(text, 1);

		job.markup.kind = kind == 0 ? MARKUP_MARKDOWN : MARKUP_JSON;
		count_set_span(&counting, &run, (const uint8_t *)text);
		ASSERT_EQ(run.tokens_alone, tokens(out));
		ASSERT_TRUE(run.span_head < run.span_tail);
		ASSERT_TRUE(run.span_tail <= strlen(out));
		ASSERT_EQ(tokenizer_count(tokenizer, NULL,
					  (const uint8_t *)out + run.span_head,
					  run.span_tail - run.span_head),
			  run.tokens);
	}
	/* where there is no place to join at, all of it is an end */
	for (int kind = 0; kind < 2; kind++) {
		struct desc run = run_of("x", 1);

		job.markup.kind = kind == 0 ? MARKUP_MARKDOWN : MARKUP_JSON;
		count_set_span(&counting, &run, (const uint8_t *)"x");
		ASSERT_EQ(run.span_head, 1);
		ASSERT_EQ(run.span_tail, 1);
		ASSERT_EQ(run.tokens, 0);
		ASSERT_EQ(run.tokens_alone, 1);
	}
}

/* What becomes longer than there is room for is counted piece by piece. */
static void
test_text_that_becomes_too_long_has_no_span(void **unused)
{
	enum { BYTES = 300 << 10 };
	char *text = malloc(BYTES + 1);
	char *want = malloc(2 * BYTES + 1);
	struct desc run;
	size_t at = 0;

	ASSERT_TRUE(text != NULL && want != NULL);
	for (size_t i = 0; i < BYTES; i++)
		text[i] = i % 2 == 0 ? '"' : i % 16 == 15 ? ' ' : '\\';
	text[BYTES] = '\0';
	/* all but blanks have a backslash before them */
	for (size_t i = 0; i < BYTES; i++) {
		if (text[i] != ' ')
			want[at++] = '\\';
		want[at++] = text[i];
	}
	want[at] = '\0';
	job.markup.kind = MARKUP_JSON;
	run = run_of(text, 1);
	run.span_head = 5;
	run.span_tail = 6;
	run.tokens = 7;
	count_set_span(&counting, &run, (const uint8_t *)text);
	ASSERT_EQ(run.span_head, 0);
	ASSERT_EQ(run.span_tail, 0);
	ASSERT_EQ(run.tokens, 0);
	ASSERT_EQ(run.tokens_alone, tokens(want));
	ASSERT_EQ(written(text, 1), tokens(want));
	free(text);
	free(want);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* Signatures that have their numbers get no others. */
static void
test_text_that_is_numbered_is_counted_as_it_is(void **unused)
{
	static const char text[] = "7: \"a\"\n19: b\n";
	struct desc run = run_of(text, 1);
	uint8_t digest[SHA256_BYTES] = { 9 };

	job.markup.kind = MARKUP_JSONL;
	job.markup.numbers = true;
	ASSERT_EQ(written(text, 1), tokens("1: 7: \\\"a\\\"\\n2: 19: b\\n"));
	run.flags = DESC_OUTLINE | DESC_NUMBERED;
	ASSERT_EQ(count_written(&counting, &run, (const uint8_t *)text, digest),
		  tokens("7: \\\"a\\\"\\n19: b\\n"));
	count_set_span(&counting, &run, (const uint8_t *)text);
	ASSERT_EQ(run.tokens_alone, tokens("7: \\\"a\\\"\\n19: b\\n"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_text_that_is_numbered_is_counted_as_it_is),
		CASE(test_text_tokens_stick_at_the_top),
		CASE(test_text_as_it_is_is_counted_once),
		CASE(test_text_is_counted_as_it_is_written),
		CASE(test_text_in_runs_is_counted_as_one),
		CASE(test_text_has_a_span_that_can_be_joined),
		CASE(test_text_that_becomes_too_long_has_no_span),
	};

	return cmocka_run_group_tests_name("count/text", tests, NULL, NULL);
}
