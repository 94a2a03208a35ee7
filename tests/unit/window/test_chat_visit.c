/* SPDX-License-Identifier: MIT */
/*
 * test_chat_visit.c - contents, part by part, by a table of our own.
 */
#include "tests/support/test_pieces.h"

static const struct part_form rows[] = {
	{ "flat", PIECE_TEXT, NULL, "words", false, NULL },
	{ "deep", PIECE_GUESS, "inner", "words", false, NULL },
	{ "whole", PIECE_GUESS, NULL, NULL, false, NULL },
	{ "picture", PIECE_IMAGE, "inner", "url", false, NULL },
	{ "sound", PIECE_BLOB, "inner", "data", false, NULL },
};
static const struct part_forms forms = {
	.rows = rows,
	.nr = ARRAY_LEN(rows),
	.known = "flat and deep",
};

/* The pieces of a content, or why it is refused: static. */
static const char *
content(const char *json)
{
	static struct pieces pieces;
	struct visit visit = { .arg = &pieces, .piece = add_piece };
	json_t *parsed = json_loads(json, JSON_DECODE_ANY, NULL);

	pieces = (struct pieces){ .nr = 0 };
	if (visit_content(parsed, &forms, &visit) != 0)
		snprintf(pieces.text, sizeof(pieces.text), "! %s",
			 visit.reason);
	json_decref(parsed);
	return pieces.text;
}

static void
test_visit_content_by_the_forms_of_its_parts(void **state)
{
	static const char *const cases[][2] = {
		{ "null", "" },
		{ "\"x\"", "t x|" },
		{ "[]", "" },
		{ "[{\"type\":\"deep\",\"inner\":{\"words\":\"d\"}},{\"type\":"
		  "\"flat\",\"words\":\"f\"}]",
		  "g d|t f|" },
		{ "[{\"type\":\"whole\"}]", "g {\"type\":\"whole\"}|" },
		/* of no known size: 85 and eight tiles of 170 */
		{ "[{\"type\":\"picture\",\"inner\":{\"url\":\"u\"}}]",
		  "i 1445|" },
		{ "[{\"type\":\"sound\",\"inner\":{\"data\":\"\"}}]",
		  "b 1000|" },
		{ "7", "! the content is neither a text nor an array" },
		{ "[7]", "! part 0 of the content is no object with a type" },
		{ "[{\"type\":\"flat\",\"words\":\"\"},{}]",
		  "! part 1 of the content is no object with a type" },
		{ "[{\"type\":\"other\"}]", "! unknown type of part \"other\"; "
					    "known are flat and deep" },
		{ "[{\"type\":\"flat\"}]", "! a text is missing" },
		{ "[{\"type\":\"picture\",\"inner\":{}}]",
		  "! an image has no url" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (cases[i][1][0] == '!')
			assert_begins(content(cases[i][0]), cases[i][1]);
		else
			assert_string_equal(content(cases[i][0]), cases[i][1]);
}

/* Four bytes of base64 are three; a token is guessed to be 24 of them. */
static void
test_visit_blob_is_guessed_by_its_bytes(void **state)
{
	struct pieces pieces = { .nr = 0 };
	struct visit visit = { .arg = &pieces, .piece = add_piece };

	assert_int_equal(visit_blob(&visit, 24 * 2000 / 3 * 4), 0);
	assert_int_equal(visit_blob(&visit, 100), 0);
	assert_string_equal(pieces.text, "b 2000|b 1000|");
}

static void
test_visit_role_is_one_of_those_that_may_be(void **state)
{
	json_t *tool = json_loads("{\"role\":\"tool\"}", 0, NULL);
	json_t *developer = json_loads("{\"role\":\"developer\"}", 0, NULL);
	enum chat_role role;

	assert_true(find_role(tool, 0, 6, &role));
	assert_int_equal(role, ROLE_TOOL);
	assert_false(find_role(tool, 0, 4, &role));
	assert_true(find_role(developer, 0, 4, &role));
	assert_int_equal(role, ROLE_SYSTEM);
	assert_false(find_role(developer, 2, 2, &role));
	json_decref(tool);
	json_decref(developer);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_visit_content_by_the_forms_of_its_parts),
		cmocka_unit_test(test_visit_blob_is_guessed_by_its_bytes),
		cmocka_unit_test(test_visit_role_is_one_of_those_that_may_be),
	};

	return cmocka_run_group_tests_name("window/chat_visit", tests, NULL,
					   NULL);
}
