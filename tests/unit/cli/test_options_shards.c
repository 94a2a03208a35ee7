/* SPDX-License-Identifier: MIT */
/*
 * test_options_shards.c - the command lines of pack --shard and bale merge.
 */
#include "tests/support/test_options.h"

static void
test_options_shards_merge_takes_its_parts_first(void **state)
{
	parses("merge parts src lib --budget 4k");
	assert_string_equal(options.parts_path, "parts");
	assert_int_equal(options.operands.nr, 2);
	assert_string_equal(options.operands.items[0], "src");
	assert_int_equal(options.kind, JOB_PACK);
	assert_true(options.pack.tells_code);
	parses("merge parts");
	assert_string_equal(options.operands.items[0], ".");
	refuses("merge", "BALE-CLI-004 merge needs a PARTS");
	refuses("merge parts --shard 0/4", "BALE-CLI-001");
}

/* What it finds out serves a report, and needs no history. */
static void
test_options_shards_are_surveys(void **state)
{
	parses("pack src --shard 0/4 -o part");
	assert_int_equal(options.kind, JOB_SHARD);
	assert_true(options.pack.tells_code);
	assert_false(options.pack.history);
	assert_null(options.parts_path);
	parses("pack src --shards 4 -o part");
	assert_int_equal(options.kind, JOB_SHARD);
	parses("pack src -o part");
	assert_int_equal(options.kind, JOB_PACK);
	assert_false(options.pack.tells_code);
	parses("batch list --shard 0/4");
	assert_int_equal(options.kind, JOB_PACK);
}

static void
test_options_shards_need_a_file(void **state)
{
	refuses("pack src --shard 0/4", "BALE-CLI-004 --shard needs a file");
	refuses("pack src --shard 0/4 -o -", "BALE-CLI-004 --shard needs");
	refuses("pack src --shard 0/4 -o part.zst", "BALE-CLI-005 --shard");
	refuses("pack src --shards 0 -o part", "BALE-CLI-002 --shards");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(options_shards_merge_takes_its_parts_first),
		TEST(options_shards_are_surveys),
		TEST(options_shards_need_a_file),
	};

	return cmocka_run_group_tests_name("cli/options_shards", tests, NULL,
					   NULL);
}
