/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_peek.c - where definitions end that begin before a cut; places
 *                     are those of words in the text.
 */
#include "tests/support/test_shm.h"

#include "stages/chunk/chunk_peek.h"

static const char text_c[] = "/* first */\n"
			     "int a(void)\n"
			     "{\n"
			     "\treturn 1;\n"
			     "}\n"
			     "\n"
			     "/* second */\n"
			     "int b(void)\n"
			     "{\n"
			     "\treturn 2;\n"
			     "}\n"
			     "\n"
			     "int c;\n";

static const char text_cpp[] = "class k {\n"
			       "\tint f()\n"
			       "\t{\n"
			       "\t\treturn 1;\n"
			       "\t}\n"
			       "\n"
			       "\tint g()\n"
			       "\t{\n"
			       "\t\treturn 2;\n"
			       "\t}\n"
			       "};\n";

/* Bytes before a word of the text, which it has once. */
static size_t
off(const char *text, const char *word)
{
	const char *found = strstr(text, word);

	assert_non_null(found);
	return (size_t)(found - text);
}

/* A cutter at the beginning of a file; its marks lie as close as they can. */
static struct chunk_cutter *
begin(uint32_t lang)
{
	static struct chunk_cutter cutter;
	struct chunk_limits limits;

	chunk_limits_init(&limits, 10, 1);
	chunk_cutter_init(&cutter, lang, &limits);
	return &cutter;
}

/* So many bytes ahead of a text that is all there. */
static const struct chunk_peek *
peek(const struct chunk_cutter *cutter, const char *text, size_t bytes)
{
	static struct chunk_peek peek;
	const struct lang_text whole = { (const uint8_t *)text, 0, strlen(text),
					 true };

	assert_true(chunk_peek_open(&peek, cutter, &whole, bytes));
	return &peek;
}

static void
test_chunk_peek_borders_lie_between_definitions(void **state)
{
	const struct chunk_peek *all =
		peek(begin(LANG_C), text_c, sizeof(text_c));
	size_t second = off(text_c, "/* second");
	size_t last = off(text_c, "int c");
	struct lang_end end = chunk_peek_boundary(all, 0, 0);

	ASSERT_EQ(end.bytes, second);
	assert_true(end.is_boundary);
	ASSERT_EQ(chunk_peek_boundary(all, second - 1, 0).bytes, second);
	ASSERT_EQ(chunk_peek_boundary(all, second, 0).bytes, last);
	/* the end of the text is one, but of no definition */
	end = chunk_peek_boundary(all, last, 0);
	ASSERT_EQ(end.bytes, strlen(text_c));
	assert_false(end.is_boundary);
	ASSERT_EQ(chunk_peek_boundary(all, strlen(text_c), 0).bytes, 0);
	/* farther than was looked nothing is known */
	all = peek(begin(LANG_C), text_c, second - 1);
	ASSERT_EQ(chunk_peek_boundary(all, 0, 0).bytes, 0);
	all = peek(begin(LANG_C), text_c, second);
	ASSERT_EQ(chunk_peek_boundary(all, 0, 0).bytes, second);
}

static void
test_chunk_peek_declarations_lie_behind_their_comments(void **state)
{
	const struct chunk_peek *all =
		peek(begin(LANG_C), text_c, sizeof(text_c));
	size_t second = off(text_c, "/* second");

	ASSERT_EQ(chunk_peek_declaration(all, 0, 0).bytes,
		  off(text_c, "int a"));
	ASSERT_EQ(chunk_peek_declaration(all, second, 0).bytes,
		  off(text_c, "int b"));
	/* the next thing is a border */
	ASSERT_EQ(chunk_peek_declaration(all, off(text_c, "int b"), 0).bytes,
		  0);
}

static void
test_chunk_peek_tears_what_lies_around_a_cut(void **state)
{
	struct chunk_cutter *cutter = begin(LANG_C);
	const struct chunk_peek *all = peek(cutter, text_c, sizeof(text_c));
	size_t second = off(text_c, "/* second");
	size_t inside = off(text_c, "\treturn 2");
	struct lang_span span;

	assert_true(chunk_peek_torn(all, inside, 0, CHUNK_PEEK_LEAD, &span));
	ASSERT_EQ(span.from.bytes, second);
	ASSERT_EQ(span.end.bytes, off(text_c, "int c"));
	assert_true(
		chunk_peek_torn(all, inside, 0, CHUNK_PEEK_DECLARATION, &span));
	ASSERT_EQ(span.from.bytes, off(text_c, "int b"));
	assert_false(chunk_peek_torn(all, second, 0, CHUNK_PEEK_LEAD, &span));
	/* what begins the chunk, unless it began before it */
	inside = off(text_c, "\treturn 1");
	assert_true(chunk_peek_torn(all, inside, 0, CHUNK_PEEK_LEAD, &span));
	ASSERT_EQ(span.from.bytes, 0);
	ASSERT_EQ(span.end.bytes, second);
	cutter->is_boundary = 0;
	assert_false(chunk_peek_torn(all, inside, 0, CHUNK_PEEK_LEAD, &span));
}

static void
test_chunk_peek_goes_as_deep_as_it_is_told(void **state)
{
	const struct chunk_peek *all =
		peek(begin(LANG_CPP), text_cpp, sizeof(text_cpp));
	size_t inside = off(text_cpp, "\t\treturn 2");
	struct lang_span span;

	ASSERT_EQ(chunk_peek_deepest(all), 1);
	ASSERT_EQ(chunk_peek_boundary(all, 0, 0).bytes, strlen(text_cpp));
	ASSERT_EQ(chunk_peek_boundary(all, 0, 1).bytes,
		  off(text_cpp, "\tint f"));
	assert_true(chunk_peek_torn(all, inside, 0, CHUNK_PEEK_LEAD, &span));
	ASSERT_EQ(span.from.bytes, 0);
	assert_true(chunk_peek_torn(all, inside, 1, CHUNK_PEEK_LEAD, &span));
	ASSERT_EQ(span.from.bytes, off(text_cpp, "\tint g"));
	ASSERT_EQ(span.from.level, 1);
	ASSERT_EQ(chunk_peek_deepest(
			  peek(begin(LANG_C), text_c, sizeof(text_c))),
		  0);
}

static void
test_chunk_peek_wants_the_text_and_leaves_the_cutter(void **state)
{
	static struct chunk_cutter before;
	static struct chunk_peek ahead;
	const struct chunk_cutter *cutter = begin(LANG_C);
	struct lang_text part = { (const uint8_t *)text_c, 0, sizeof(text_c) - 1,
				  false };

	before = *cutter;
	assert_false(chunk_peek_open(&ahead, cutter, &part, 1));
	part.at_end = true;
	assert_true(chunk_peek_open(&ahead, cutter, &part, sizeof(text_c)));
	assert_memory_equal(cutter, &before, sizeof(before));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_peek_borders_lie_between_definitions),
		cmocka_unit_test(
			test_chunk_peek_declarations_lie_behind_their_comments),
		cmocka_unit_test(test_chunk_peek_tears_what_lies_around_a_cut),
		cmocka_unit_test(test_chunk_peek_goes_as_deep_as_it_is_told),
		cmocka_unit_test(
			test_chunk_peek_wants_the_text_and_leaves_the_cutter),
	};

	return cmocka_run_group_tests_name("chunk/chunk_peek", tests, NULL,
					   NULL);
}
