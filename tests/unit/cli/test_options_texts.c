/* SPDX-License-Identifier: MIT */
/*
 * test_options_texts.c - values with a form of their own.
 */
#include "tests/support/test_options.h"

/* verifies: FR-016-42, FR-016-43, FR-016-44, FR-016-45 */
static void
test_options_chunks_by_structure_lines_or_tokens(void **state)
{
	parses("pack");
	assert_int_equal(options.pack.chunk_lines, 0);
	assert_int_equal(options.pack.chunk_max_tokens, 2000);
	assert_int_equal(options.pack.chunk_min_tokens, 100);
	parses("pack --chunk lines:40 --max-chunk-tokens 1k");
	assert_int_equal(options.pack.chunk_lines, 40);
	assert_int_equal(options.pack.chunk_max_tokens, 1000);
	parses("preview --chunk tokens:500");
	assert_int_equal(options.pack.chunk_lines, UINT32_MAX);
	assert_int_equal(options.pack.chunk_max_tokens, 500);
	parses("pack --chunk tokens:500 --max-chunk-tokens 300");
	assert_int_equal(options.pack.chunk_max_tokens, 300);
	/* what was not asked for gives way */
	parses("pack --chunk structure --max-chunk-tokens 50");
	assert_int_equal(options.pack.chunk_lines, 0);
	assert_int_equal(options.pack.chunk_min_tokens, 50);
	refuses("pack --chunk lines:0",
		"--chunk: invalid value lines:0: expected structure");
	refuses("pack --chunk lines:", "expected structure, lines:N");
	refuses("pack --chunk tokens:15", "N from 16 to 19000");
	refuses("pack --chunk lines:5x", "expected structure");
	refuses("pack --chunk pages", "expected structure");
	refuses("pack --max-chunk-tokens 20000", "--max-chunk-tokens");
	refuses("pack --min-chunk-tokens 500 --max-chunk-tokens 400",
		"at least 500 tokens and at most 400");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(options_chunks_by_structure_lines_or_tokens),
	};

	return cmocka_run_group_tests_name("cli/options_texts", tests, NULL,
					   NULL);
}
