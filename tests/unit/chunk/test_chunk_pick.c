/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_pick.c - signatures of which not all are written.
 */
#include "tests/support/test_shm.h"

#include "stages/chunk/chunk_pick.h"

/* An outline: a line of imports, a class of two members, two functions. */
static const char text[] = "imports: a, b\n"
			   "class A:\n"
			   "    def one(self):\n"
			   "    def two(self):\n"
			   "def three():\n"
			   "def four():\n";

static struct lang_signatures signatures;
static struct chunk_picks picks;
static struct lang_outline_span spans[OUTLINE_SPANS];

static struct chunk_outline
outline_of(const struct history_lines *hot, uint32_t hot_nr)
{
	static const uint32_t offs[] = { 0, 9, 28, 47, 60 };

	signatures.before = 14;
	signatures.nr = ARRAY_LEN(offs);
	for (uint32_t i = 0; i < ARRAY_LEN(offs); i++) {
		signatures.list[i].off = offs[i];
		signatures.list[i].line = 10 * (i + 1);
		signatures.list[i].is_public = i != 3;
		signatures.list[i].has_body = true;
	}
	return (struct chunk_outline){
		.signatures = &signatures,
		.text = (const uint8_t *)text,
		.bytes = sizeof(text) - 1,
		.line_end = 60,
		.hot = hot,
		.hot_nr = hot_nr,
	};
}

/* What is taken, as one text. */
static const char *
taken(size_t nr)
{
	static char out[sizeof(text)];
	size_t at = 0;
	size_t to = 0;

	for (size_t i = 0; i < nr; i++) {
		memcpy(out + to, text + at, spans[i].taken_bytes);
		to += spans[i].taken_bytes;
		at += spans[i].taken_bytes + spans[i].left_bytes;
	}
	ASSERT_EQ(at, sizeof(text) - 1);
	out[to] = '\0';
	return out;
}

/* The hottest first, a member with its class; imports are left out. */
static void
test_chunk_pick_takes_what_was_changed(void **state)
{
	static const struct history_lines hot[] = { { 35, 2, 500 },
						    { 45, 1, 100 } };
	const struct chunk_outline outline = outline_of(hot, ARRAY_LEN(hot));

	assert_string_equal(taken(chunk_pick(&outline, 30, &picks, spans)),
			    "class A:\n    def two(self):\n");
	assert_string_equal(taken(chunk_pick(&outline, 42, &picks, spans)),
			    "class A:\n    def two(self):\ndef three():\n");
	assert_string_equal(taken(chunk_pick(&outline, 500, &picks, spans)),
			    text + 14);
}

/* Lines behind what has no body are of the function before it. */
static void
test_chunk_pick_of_what_has_no_body_has_its_own_lines(void **state)
{
	static const struct history_lines behind[] = { { 43, 2, 500 } };
	static const struct history_lines own[] = { { 40, 1, 500 } };
	struct chunk_outline outline = outline_of(behind, 1);

	signatures.list[3].has_body = false;
	assert_string_equal(taken(chunk_pick(&outline, 30, &picks, spans)),
			    "class A:\n    def two(self):\n");
	outline.hot = own;
	assert_string_equal(taken(chunk_pick(&outline, 13, &picks, spans)),
			    "def three():\n");
}

/* Unknown: what is public and outermost, in the order of the file. */
static void
test_chunk_pick_of_no_history_takes_what_is_public(void **state)
{
	const struct chunk_outline outline = outline_of(NULL, 0);

	assert_string_equal(taken(chunk_pick(&outline, 22, &picks, spans)),
			    "class A:\ndef four():\n");
	assert_string_equal(taken(chunk_pick(&outline, 0, &picks, spans)), "");
}

static void
test_chunk_pick_of_too_many_is_unknown(void **state)
{
	const struct chunk_outline outline = outline_of(NULL, 0);

	signatures.nr = OUTLINE_SIGNATURES + 1;
	ASSERT_EQ(chunk_pick(&outline, 100, &picks, spans), 0);
	signatures.nr = 0;
	ASSERT_EQ(chunk_pick(&outline, 100, &picks, spans), 0);
}

/* A decorator says nothing without what it is of. */
static void
test_chunk_pick_has_attributes_with_a_first_line(void **state)
{
	static const char two[] = "@a\ndef one(\n    x):\nclass B:\n";
	struct chunk_outline outline = outline_of(NULL, 0);

	outline.text = (const uint8_t *)two;
	outline.bytes = sizeof(two) - 1;
	signatures.before = 0;
	signatures.nr = 2;
	signatures.list[1].off = 20;
	ASSERT_EQ(chunk_pick(&outline, 11, &picks, spans), 2);
	ASSERT_EQ(spans[0].taken_bytes, 0);
	ASSERT_EQ(spans[1].taken_bytes, 9);
	ASSERT_EQ(chunk_pick(&outline, 13, &picks, spans), 1);
	ASSERT_EQ(spans[0].taken_bytes, 12);
	ASSERT_EQ(spans[0].left_bytes, 17);
}

/* Numbers are neither what a line is indented by nor what it begins with. */
static void
test_chunk_pick_sees_no_numbers(void **state)
{
	static const char two[] =
		"7: @a\n8: def one(\n9:  x):\n90:  class B:\n";
	struct chunk_outline outline = outline_of(NULL, 0);

	outline.numbers = true;
	outline.text = (const uint8_t *)two;
	outline.bytes = sizeof(two) - 1;
	signatures.before = 0;
	signatures.nr = 2;
	signatures.list[1].off = 26;
	/* the outer one first, and with what it is of its attribute */
	ASSERT_EQ(chunk_pick(&outline, 18, &picks, spans), 1);
	ASSERT_EQ(spans[0].taken_bytes, 18);
	ASSERT_EQ(spans[0].left_bytes, 22);
	/* a member, with what it is one of */
	signatures.list[1].is_public = true;
	signatures.list[0].is_public = false;
	ASSERT_EQ(chunk_pick(&outline, 14, &picks, spans), 1);
	ASSERT_EQ(spans[0].taken_bytes, 0);
	ASSERT_EQ(chunk_pick(&outline, 32, &picks, spans), 2);
	ASSERT_EQ(spans[0].taken_bytes, 18);
	ASSERT_EQ(spans[1].taken_bytes, 14);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chunk_pick_sees_no_numbers),
		cmocka_unit_test(test_chunk_pick_takes_what_was_changed),
		cmocka_unit_test(
			test_chunk_pick_of_what_has_no_body_has_its_own_lines),
		cmocka_unit_test(
			test_chunk_pick_of_no_history_takes_what_is_public),
		cmocka_unit_test(test_chunk_pick_of_too_many_is_unknown),
		cmocka_unit_test(
			test_chunk_pick_has_attributes_with_a_first_line),
	};

	return cmocka_run_group_tests_name("chunk/chunk_pick", tests, NULL,
					   NULL);
}
