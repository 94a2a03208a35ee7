/* SPDX-License-Identifier: MIT */
/*
 * test_format_special.c - what looks like a special token, in one run or two.
 */
#include "tests/support/test_format_rig.h"

#include "catalogue/specials.h"

static void
look(uint32_t line, const char *text, uint8_t flags)
{
	struct desc run = make_run(0, line, text, flags);

	format_special_run(format, &run, slabs.base + SLAB_HEAD_BYTES);
}

static void
assert_special(uint32_t idx, uint32_t line, uint32_t times, const char *text)
{
	const struct special *special = catalogue_special(&facts_of_all, idx);

	ASSERT_EQ(special->line, line);
	ASSERT_EQ(special->times, times);
	ASSERT_EQ(special->bytes, strlen(text));
	assert_memory_equal(special->text, text, special->bytes);
}

static void
test_special_of_a_run_is_one_record_a_text(void **unused)
{
	format_begin();
	add_file(0, "a", "x")->traits = MARKUP_HAS_SPECIAL;
	look(5, "\n<|a|> <|b|>\n<| no |>\n<|a|>", 0);
	ASSERT_EQ(format_special_end(format), 0);
	assert_special(0, 6, 2, "<|a|>");
	assert_special(1, 6, 1, "<|b|>");
	ASSERT_EQ(catalogue_special(&facts_of_all, 2)->file_idx, FILE_NONE);
	ASSERT_EQ(catalogue_special(&facts_of_all, 2)->left_out, 0);
}

static void
test_special_cut_between_runs_is_found_cut_anywhere(void **unused)
{
	const char *text = "x<|special|>y";

	format_begin();
	add_file(0, "a", "x")->traits = MARKUP_HAS_SPECIAL;
	for (size_t at = 1; at < strlen(text); at++) {
		char first[32] = "";

		state.special_nr = 0;
		memcpy(first, text, at);
		look(1, first, DESC_MORE);
		look(1, text + at, 0);
		ASSERT_EQ(state.special_nr, 1);
		assert_special(0, 1, 1, "<|special|>");
	}
	/* not if the chunk ends in between */
	state.special_nr = 0;
	look(1, "<|spe", 0);
	look(2, "cial|>", 0);
	ASSERT_EQ(state.special_nr, 0);
}

static void
test_special_beyond_what_is_kept_is_counted(void **unused)
{
	char text[40 * 8 + 1];

	format_begin();
	add_file(0, "a", "x")->traits = MARKUP_HAS_SPECIAL;
	for (int i = 0; i < 40; i++)
		snprintf(text + 8 * i, 9, "<|k%02d|>\n", i);
	look(1, text, 0);
	ASSERT_EQ(state.special_nr, 32);
	ASSERT_EQ(state.special_left_out, 8);
}

static void
test_special_of_a_file_that_has_none_is_not_looked_for(void **unused)
{
	format_begin();
	add_file(0, "a", "x");
	look(1, "<|a|>", 0);
	ASSERT_EQ(state.special_nr, 0);
}

#define CASE(test) \
	cmocka_unit_test_setup_teardown(test, format_setup, format_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_special_of_a_run_is_one_record_a_text),
		CASE(test_special_cut_between_runs_is_found_cut_anywhere),
		CASE(test_special_beyond_what_is_kept_is_counted),
		CASE(test_special_of_a_file_that_has_none_is_not_looked_for),
	};

	return cmocka_run_group_tests_name("format/special", tests, NULL, NULL);
}
