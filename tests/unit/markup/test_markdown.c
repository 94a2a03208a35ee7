/* SPDX-License-Identifier: MIT */
/*
 * test_markup_markdown.c - golden sections, and fences that nothing inside
 * of them can end.
 */
#include "tests/support/test_shm.h"

#include "markup/markup.h"

#define TEXT_BYTES 4096

static char bytes[TEXT_BYTES];
static struct markup_text text;
static const struct markup_options options = { .kind = MARKUP_MARKDOWN };

static void
begin(size_t room)
{
	memset(bytes, 0x7f, sizeof(bytes));
	text = (struct markup_text){ .at = bytes, .room = room };
}

static void
assert_text(const char *what, const char *want)
{
	size_t nr = (size_t)(text.at - bytes);

	ASSERT_TRUE(!text.short_of_room);
	if (nr != strlen(want) || memcmp(bytes, want, nr) != 0)
		fail_msg("%s: got\n%.*s\nwant\n%s", what, (int)nr, bytes, want);
}

static const struct {
	const char *what;
	struct markup_section section;
	const char *want;
} sections[] = {
	{ "a file",
	  { .path = "src/a.c",
	    .hint = "cpp",
	    .hint_bytes = 1, /* not ended by NUL */
	    .line_first = 1,
	    .line_last = 50,
	    .line_nr = 50,
	    .mark_run = 0 },
	  "## File: src/a.c (lines 1-50)\n```c\n" },
	{ "no language",
	  { .path = "LICENSE",
	    .hint = "",
	    .line_first = 1,
	    .line_last = 1,
	    .line_nr = 1,
	    .mark_run = 0 },
	  "## File: LICENSE (lines 1-1)\n```\n" },
	{ "a long fence, lines in the middle",
	  { .path = "README.md",
	    .hint = "markdown",
	    .hint_bytes = 8,
	    .line_first = 1234567890123,
	    .line_last = 18446744073709551615ull,
	    .line_nr = 18446744073709551615ull,
	    .mark_run = 6 },
	  "## File: README.md (lines 1234567890123-18446744073709551615 of "
	  "18446744073709551615)\n"
	  "```````markdown\n" },
	{ "no newline at the end",
	  { .path = "a",
	    .hint = "",
	    .line_first = 1,
	    .line_last = 2,
	    .line_nr = 2,
	    .mark_run = 0,
	    .no_newline = true },
	  "## File: a (lines 1-2, no newline at end)\n```\n" },
	{ "another charset",
	  { .path = "old.txt",
	    .charset = "UTF-16LE",
	    .hint = "",
	    .line_first = 1,
	    .line_last = 9,
	    .line_nr = 9,
	    .mark_run = 0 },
	  "## File: old.txt (lines 1-9, from UTF-16LE)\n```\n" },
	{ "a quoted path",
	  { .path = "\"a\\nb\"",
	    .hint = "",
	    .line_first = 1,
	    .line_last = 2,
	    .line_nr = 2,
	    .mark_run = 0 },
	  "## File: \"a\\nb\" (lines 1-2)\n```\n" },
	{ "an empty file",
	  { .path = "empty.c",
	    .hint = "c",
	    .hint_bytes = 1,
	    .mark_run = 0,
	    .empty = true },
	  "## File: empty.c (empty)\n\n" },
	{ "the same as another",
	  { .path = "b.c",
	    .same_path = "src/a.c",
	    .hint = "c",
	    .hint_bytes = 1,
	    .line_first = 1,
	    .line_last = 50,
	    .line_nr = 50,
	    .mark_run = 0 },
	  "## File: b.c (same as src/a.c)\n\n" },
};

/*
 * verifies: FR-016-124, FR-016-125, FR-016-126, FR-016-127, FR-016-128,
 * verifies: FR-016-140, AC-016-017, AC-016-018
 */
static void
test_open_of_golden_sections_is_as_written(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
		begin(TEXT_BYTES);
		markup_markdown.open(&text, &options, &sections[i].section);
		assert_text(sections[i].what, sections[i].want);
	}
}

/* Signatures have a header of few tokens, where the preamble explains it. */
static void
test_open_of_signatures_is_short_behind_a_preamble(void **state)
{
	struct markup_options is_short = { .kind = MARKUP_MARKDOWN,
						 .short_headers = true };
	struct markup_section section = { .path = "src/a.c",
					  .hint = "c",
					  .hint_bytes = 1,
					  .line_first = 1,
					  .line_last = 50,
					  .line_nr = 50,
					  .traits = MARKUP_IS_STRIPPED,
					  .no_newline = true,
					  .signatures = true,
					  .in_part = true };

	begin(TEXT_BYTES);
	markup_markdown.open(&text, &is_short, &section);
	assert_text("some of them", "### src/a.c\n```c\n");
	is_short.numbers = true;
	begin(TEXT_BYTES);
	markup_markdown.open(&text, &is_short, &section);
	assert_text("which their numbers show", "### src/a.c\n```c\n");
	is_short.numbers = false;
	begin(TEXT_BYTES);
	markup_markdown.open(&text, &options, &section);
	assert_text("explained nowhere",
		    "## File: src/a.c (signatures)\n```c\n");
	section.dot_run = 3;
	section.mark_run = 3;
	begin(TEXT_BYTES);
	markup_markdown.open(&text, &is_short, &section);
	assert_text("with marks",
		    "### src/a.c (signatures, gap mark ....)\n````c\n");
	section = sections[0].section;
	section.signatures = true;
	begin(TEXT_BYTES);
	markup_markdown.open(&text, &is_short, &section);
	assert_text("all of them", "### src/a.c (signatures, all)\n```c\n");
	section.same_path = "b.c";
	begin(TEXT_BYTES);
	markup_markdown.open(&text, &is_short, &section);
	assert_text("of a copy", "## File: src/a.c (same as b.c)\n\n");
	section = sections[0].section;
	begin(TEXT_BYTES);
	markup_markdown.open(&text, &is_short, &section);
	assert_text("lines", sections[0].want);
}

/* verifies: FR-016-129, FR-016-130, FR-016-134 */
static void
test_close_gap_and_broken_are_as_written(void **state)
{
	const struct markup_section none = { 0 };
	const struct markup_section ticks = { .mark_run = 4, .dot_run = 3 };

	begin(TEXT_BYTES);
	markup_markdown.close(&text, &none, false);
	assert_text("close", "```\n\n");
	begin(TEXT_BYTES);
	markup_markdown.close(&text, &ticks, true);
	assert_text("close after half a line", "\n`````\n\n");
	begin(TEXT_BYTES);
	markup_markdown.gap(&text, &none, 51, 99);
	assert_text("gap", "// ... (lines 51-99)\n");
	begin(TEXT_BYTES);
	markup_markdown.gap(&text, &ticks, 51, 99);
	assert_text("gap among dots", "// .... (lines 51-99)\n");
	begin(TEXT_BYTES);
	markup_markdown.broken(&text, &none, "vanished");
	assert_text("broken", "\n// ... (the rest is left out: vanished)\n");
}

/* verifies: FR-016-135, FR-016-136 */
static void
test_fence_is_longer_than_any_run_inside(void **state)
{
	static const struct {
		uint32_t run;
		uint32_t want;
	} cases[] = { { 0, 3 }, { 1, 3 }, { 2, 3 },
		      { 3, 4 }, { 4, 5 }, { 1000000, 1000001 } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		ASSERT_EQ(markup_fence(cases[i].run, 3), cases[i].want);
	for (uint32_t run = 0; run < 5000; run++)
		ASSERT_TRUE(markup_fence(run, 3) > run &&
			    markup_fence(run, 3) >= 3);
}

/* Too little room is said, and nothing is written past its end. */
static void
test_text_without_room_says_so(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
		size_t want = strlen(sections[i].want);

		for (size_t room = 0; room <= want; room++) {
			begin(room);
			markup_markdown.open(&text, &options,
					     &sections[i].section);
			ASSERT_EQ(text.short_of_room, room < want);
			for (size_t at = room; at < room + 100; at++)
				ASSERT_EQ(bytes[at], 0x7f);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open_of_golden_sections_is_as_written),
		cmocka_unit_test(
			test_open_of_signatures_is_short_behind_a_preamble),
		cmocka_unit_test(test_close_gap_and_broken_are_as_written),
		cmocka_unit_test(test_fence_is_longer_than_any_run_inside),
		cmocka_unit_test(test_text_without_room_says_so),
	};

	return cmocka_run_group_tests_name("markup/markdown", tests, NULL,
					   NULL);
}
