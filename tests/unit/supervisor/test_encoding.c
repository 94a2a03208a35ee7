/* SPDX-License-Identifier: MIT */
/*
 * test_encoding.c - the tokenizer that --encoding names, and the margin that
 * its counts need.
 */
#include "tests/support/test_dir.h"
#include "tests/support/test_log.h"

#include "base/exit_code.h"
#include "supervisor/encoding.h"
#include "supervisor/options.h"
#include "tokenizer/models.h"
#include "tokenizer/tokenizer.h"

static const struct tokenizer *tokenizer;
static uint32_t margin;

static int
open_encoding(const char *encoding, const char *model, uint32_t percent)
{
	struct options options = { .encoding = encoding,
				   .model = model,
				   .pack.margin_percent = percent };

	log_begin(DIAG_INFO);
	tokenizer = NULL;
	margin = 77;
	return encoding_open(&tokenizer, &margin, &options);
}

static uint64_t
count(const char *text)
{
	return tokenizer_count(tokenizer, NULL, (const uint8_t *)text,
			       strlen(text));
}

static void
test_encoding_of_a_file_ends_in_json(void **state)
{
	ASSERT_TRUE(encoding_is_file("a.json"));
	ASSERT_TRUE(encoding_is_file("d/tokenizer.json"));
	ASSERT_TRUE(!encoding_is_file(".json"));
	ASSERT_TRUE(!encoding_is_file("json"));
	ASSERT_TRUE(!encoding_is_file("a.jsonl"));
	ASSERT_TRUE(!encoding_is_file("cl100k_base"));
}

/* Counts of an encoding that is built in are exact, and nothing is said. */
static void
test_encoding_that_is_built_in_needs_no_margin(void **state)
{
	ASSERT_EQ(open_encoding("cl100k_base", NULL, 0), EXIT_COMPLETE);
	ASSERT_EQ(margin, 0);
	/* the example of OpenAI's cookbook */
	ASSERT_EQ(count("tiktoken is great!"), 6);
	ASSERT_SILENT();
	ASSERT_EQ(open_encoding("o200k_base", "gpt-4o", 0), EXIT_COMPLETE);
	ASSERT_EQ(margin, 0);
	ASSERT_SILENT();
	/* a margin without a model is the user's own */
	ASSERT_EQ(open_encoding("o200k_base", NULL, 9), EXIT_COMPLETE);
	ASSERT_EQ(margin, 9);
	ASSERT_SILENT();
}

/* A model whose tokenizer bale has not is estimated: said, and why. */
static void
test_encoding_of_another_model_is_an_estimate(void **state)
{
	const struct tokenizer_model *model;

	for (size_t i = 0; (model = tokenizer_model_at(i)) != NULL; i++) {
		ASSERT_EQ(open_encoding(model->encoding, model->name,
					model->margin_percent),
			  EXIT_COMPLETE);
		ASSERT_EQ(margin, model->margin_percent);
		if (model->margin_percent == 0) {
			ASSERT_SILENT();
			continue;
		}
		ASSERT_TRUE(strstr(log_text(), "estimated with") != NULL);
		ASSERT_EQ(strstr(log_text(), "makes it exact") != NULL,
			  model->tokenizer == MODEL_PUBLISHED);
		ASSERT_SAID(model->tokenizer == MODEL_PUBLISHED
				    ? "has a tokenizer that is not part"
				    : "has no public tokenizer");
	}
}

static void
test_encoding_that_is_none_is_a_mistake(void **state)
{
	ASSERT_EQ(open_encoding("o200k", NULL, 0), EXIT_USAGE);
	ASSERT_EQ(margin, 77);
	ASSERT_TRUE(strstr(log_text(), "unknown encoding o200k") != NULL);
	ASSERT_SAID("o200k_base");
	ASSERT_EQ(open_encoding("none.json", NULL, 0), EXIT_USAGE);
	ASSERT_SAID("--encoding none.json: No such file");
	ASSERT_EQ(mkdir("d.json", 0700), 0);
	ASSERT_EQ(open_encoding("d.json", NULL, 0), EXIT_USAGE);
	ASSERT_SAID("--encoding d.json: ");
	dir_write("bad.json", "{}");
	ASSERT_EQ(open_encoding("bad.json", NULL, 0), EXIT_USAGE);
	ASSERT_SAID("--encoding bad.json: unusable tokenizer.json: ");
}

/* The character that stands for a byte in a tokenizer.json. */
static unsigned
character_of(unsigned byte)
{
	unsigned others = 256;

	for (unsigned i = 0; i < byte; i++)
		others += i < 33 || (i > 126 && i < 161) || i == 173;
	return byte < 33 || (byte > 126 && byte < 161) || byte == 173 ? others
								      : byte;
}

/* One that knows bytes alone: each is a token. */
static void
test_encoding_of_a_file_is_the_one_in_it(void **state)
{
	static const struct tokenizer *own;
	char json[DIR_TEXT_BYTES] =
		"{\"pre_tokenizer\":{\"type\":\"ByteLevel\","
		"\"add_prefix_space\":false},\"model\":{\"type\":\"BPE\","
		"\"merges\":[],\"vocab\":{";
	size_t at = strlen(json);

	for (unsigned byte = 0; byte < 256; byte++)
		at += (size_t)snprintf(json + at, sizeof(json) - at,
				       "%s\"\\u%04x\":%u", byte > 0 ? "," : "",
				       character_of(byte), byte);
	snprintf(json + at, sizeof(json) - at, "}}}");
	dir_write("own.json", json);
	ASSERT_EQ(open_encoding("own.json", NULL, 0), EXIT_COMPLETE);
	own = tokenizer; /* it stays until the process ends */
	ASSERT_TRUE(own != NULL);
	ASSERT_EQ(margin, 0);
	ASSERT_EQ(count("tiktoken is great!"), 18);
	ASSERT_SILENT();
}

/* What is moved is one encoding; it counts as before, and so do others. */
static void
test_encoding_in_large_pages_counts_the_same(void **state)
{
	static const char text[] =
		"int\tmain(void)\n{\n\treturn 0x1f;\n}\n// caf\u00e9 \u4f60";
	const struct tokenizer *before;
	uint64_t tokens;
	uint64_t others;

	ASSERT_EQ(open_encoding("cl100k_base", NULL, 0), EXIT_COMPLETE);
	others = count(text);
	ASSERT_EQ(open_encoding("o200k_base", NULL, 0), EXIT_COMPLETE);
	tokens = count(text);
	before = tokenizer;
	encoding_use_large_pages("no such encoding");
	encoding_use_large_pages("o200k_base");
	ASSERT_EQ(open_encoding("o200k_base", NULL, 0), EXIT_COMPLETE);
	if (tokenizer == before)
		print_message("no large pages here\n");
	ASSERT_EQ(count(text), tokens);
	ASSERT_EQ(open_encoding("cl100k_base", NULL, 0), EXIT_COMPLETE);
	ASSERT_EQ(count(text), others);
	ASSERT_EQ(open_encoding("o200k_base", NULL, 0), EXIT_COMPLETE);
	ASSERT_EQ(count(text), tokens);
	ASSERT_SILENT();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_encoding_of_a_file_ends_in_json),
		cmocka_unit_test(
			test_encoding_that_is_built_in_needs_no_margin),
		cmocka_unit_test(test_encoding_of_another_model_is_an_estimate),
		cmocka_unit_test_setup_teardown(
			test_encoding_that_is_none_is_a_mistake, dir_set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_encoding_of_a_file_is_the_one_in_it, dir_set_up,
			dir_tear_down),
		cmocka_unit_test(test_encoding_in_large_pages_counts_the_same),
	};

	return cmocka_run_group_tests_name("supervisor/encoding", tests, NULL,
					   NULL);
}
