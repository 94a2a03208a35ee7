/* SPDX-License-Identifier: MIT */
/*
 * test_format_out.c - text and content into an output that lies in memory: the
 * bytes, their count as one text, errors.
 */
#include "tests/support/test_format_rig.h"

static void
add_text(const char *text)
{
	markup_add(&format->text, text, strlen(text));
	format_out_text(format);
}

static void
add_content(const char *text)
{
	struct desc run = make_run(0, 1, text, 0);

	format_out_content(format, &run, slabs.base + SLAB_HEAD_BYTES);
}

static void
test_out_text_and_content_are_one_text(void **unused)
{
	format_begin();
	add_text("head ");
	add_text("line\n");
	add_content("con");
	add_text("tent");
	ASSERT_EQ(format_out_at(format), 17);
	ASSERT_EQ(format_out_end(format), 0);
	assert_out("head line\ncontent");
	ASSERT_EQ(write_nr, 1);
	ASSERT_EQ(format->written, 17);
	ASSERT_EQ(state.offset, 17);
	ASSERT_EQ(token_stream_count(format->tokenizer, &state.stream),
		  count(out, out_bytes));
}

/* More than a step's buffer holds goes out before its end. */
static void
test_out_long_text_is_spilled(void **unused)
{
	static char text[3 * FORMAT_TEXT_BYTES + 1];

	memset(text, 'x', sizeof(text) - 1);
	format_begin();
	add_text("a ");
	add_text(text);
	ASSERT_EQ(format_out_end(format), 0);
	ASSERT_EQ(out_bytes, sizeof(text) + 1);
	ASSERT_TRUE(memcmp(out + 2, text, sizeof(text) - 1) == 0);
	ASSERT_TRUE(write_nr > 1);
	ASSERT_EQ(format->written, out_bytes);
}

static void
test_out_content_is_escaped_as_the_format_wants(void **unused)
{
	job.markup.kind = MARKUP_JSON;
	format_begin();
	state.flow = markup_flow_at(1);
	add_content("a\"\n\\\xc3\xa9");
	format_out_content_end(format);
	ASSERT_EQ(format_out_end(format), 0);
	assert_out("a\\\"\\n\\\\\xc3\xa9");
	ASSERT_EQ(token_stream_count(format->tokenizer, &state.stream),
		  count(out, out_bytes));
}

static void
test_out_of_a_span_counts_what_lies_around_it(void **unused)
{
	const char *text = "int a;\n\nint b;\nint c;\n";
	struct token_span span;
	struct desc run;

	format_begin();
	run = make_run(0, 1, text, 0);
	tokenizer_span(format->tokenizer, NULL, (const uint8_t *)text,
		       run.bytes, &span);
	ASSERT_TRUE(span.found);
	run.span_head = (uint32_t)span.head_len;
	run.span_tail = (uint32_t)span.tail_off;
	/* it is taken at its word */
	run.tokens = (uint32_t)span.tokens + 1000;
	format_out_content(format, &run, slabs.base + SLAB_HEAD_BYTES);
	ASSERT_EQ(format_out_end(format), 0);
	ASSERT_EQ(token_stream_count(format->tokenizer, &state.stream),
		  count(text, strlen(text)) + 1000);
}

static void
test_out_error_of_a_write_is_that_of_the_step(void **unused)
{
	format_begin();
	format->fd = -EIO;
	add_text("text");
	ASSERT_EQ(format_out_end(format), -EIO);
	ASSERT_EQ(state.offset, 0);
}

static int
reserve_nothing(const struct table *table, uint64_t bytes)
{
	(void)table;
	(void)bytes;
	return -ENOSPC;
}

static void
test_out_table_without_room_is_remembered(void **unused)
{
	format_begin();
	ASSERT_EQ(format_reserve(format, &facts_of_all.cuts, 48), 0);
	ASSERT_EQ(format->no_room, 0);
	format->reserve = reserve_nothing;
	ASSERT_EQ(format_reserve(format, &facts_of_all.cuts, 48), -ENOBUFS);
	ASSERT_EQ(format->no_room, -ENOSPC);
}

#define CASE(test) \
	cmocka_unit_test_setup_teardown(test, format_setup, format_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_out_text_and_content_are_one_text),
		CASE(test_out_long_text_is_spilled),
		CASE(test_out_content_is_escaped_as_the_format_wants),
		CASE(test_out_of_a_span_counts_what_lies_around_it),
		CASE(test_out_error_of_a_write_is_that_of_the_step),
		CASE(test_out_table_without_room_is_remembered),
	};

	return cmocka_run_group_tests_name("format/out", tests, NULL, NULL);
}
