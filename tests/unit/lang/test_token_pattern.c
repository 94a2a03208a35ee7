/* SPDX-License-Identifier: MIT */
/*
 * test_token_pattern.c - patterns against the tokens of a statement.
 */
#include "tests/support/test_shm.h"

#include "lang/declaration.h"

static struct lang_scan scan;
static struct walk_events events;

static void
read_statement(struct walk *walk, const char *text, struct declaration *decl)
{
	lang_scan_init(&scan, LANG_CPP, 1000);
	*walk = (struct walk){
		.scan = &scan,
		.lang = lang_get(LANG_CPP),
		.text = (const uint8_t *)text,
		.bytes = strlen(text),
		.end = strlen(text),
		.at_end = true,
		.words = lang_words(LANG_CPP),
		.events = &events,
	};
	lex_quotes(walk);
	declaration_read(walk, 0, strlen(text), decl);
}

static void
test_token_pattern_items_match_as_they_say(void **state)
{
	static const struct {
		const char *text;
		const char *pattern;
		uint32_t end; /* UINT32_MAX: no match */
	} cases[] = {
		{ "struct a", "struct W $", 2 },
		{ "structs a", "struct W", UINT32_MAX },
		{ "static int a", "M T", 2 },
		{ "class a", "F W", 2 },
		{ "A_B c", "U !U", 1 },
		{ "a = \"b\"", "W '=' S $", 3 },
		{ "f(a)[1]", "W G B C?", 3 },
		{ "f(a)[1]", "W C C $", 3 },
		{ "f(a {", "W P W O", 4 },
		{ "a < b < c > > d", "W <> W", 8 },
		{ "a b", "W <>", UINT32_MAX },
		{ "a\nb", "W ^ W", 2 },
		{ "a b", "W ^", UINT32_MAX },
		{ "a->b", "W 'R' W", 3 },
		{ "let a", "[const let var] W", 2 },
		{ "le a", "[const let var] W", UINT32_MAX },
	};
	struct declaration decl;
	struct token_match match;
	struct walk walk;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint32_t end = UINT32_MAX;

		read_statement(&walk, cases[i].text, &decl);
		if (tokens_match(&decl, 0, cases[i].pattern, &match))
			end = match.end;
		if (end != cases[i].end)
			fail_msg("%s of %s: got %u, want %u", cases[i].pattern,
				 cases[i].text, end, cases[i].end);
	}
}

static void
test_token_pattern_repetition_gives_back_what_the_rest_needs(void **state)
{
	struct token_match match;
	struct declaration decl;
	struct walk walk;

	read_statement(&walk, "a b c = d e", &decl);
	/* the longer way first, then shorter ones */
	assert_true(tokens_match(&decl, 0, "W* ~W '='", &match));
	ASSERT_EQ(match.name, 2);
	ASSERT_EQ(match.end, 4);
	assert_true(tokens_match(&decl, 0, "W+ '=' (d | e)+ $", &match));
	assert_false(tokens_are(&decl, 0, "W W W W"));
	/* as few as do */
	assert_true(tokens_match(&decl, 0, ".. ~W .. W $", &match));
	ASSERT_EQ(match.end, 6);
	assert_false(tokens_are(&decl, 3, "W+"));
	assert_true(tokens_are(&decl, 3, "W* '='"));
	ASSERT_EQ(tokens_skip(&decl, 0, "(!'=' T)*"), 3);
	ASSERT_EQ(tokens_skip(&decl, 1, "x W"), 1);
}

static void
test_token_pattern_looks_ahead_without_taking(void **state)
{
	struct token_match match;
	struct declaration decl;
	struct walk walk;

	read_statement(&walk, "a (b) c", &decl);
	assert_true(tokens_match(&decl, 0, "W &G", &match));
	ASSERT_EQ(match.end, 1);
	ASSERT_EQ(match.name, UINT32_MAX);
	assert_true(tokens_match(&decl, 0, "W !(B | '=') G &(W $)", &match));
	ASSERT_EQ(match.end, 2);
	assert_false(tokens_are(&decl, 0, "W !G"));
}

/* Each sign could be one item or another: the ways double with each. */
static void
test_token_pattern_ends_whatever_the_statement(void **state)
{
	struct declaration decl;
	struct walk walk;
	char text[64];

	memset(text, '@', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	read_statement(&walk, text, &decl);
	assert_true(decl.nr > 40);
	assert_false(tokens_are(&decl, 0, "('@' T? ('.' T?)* G?)+ W"));
	/* what is not ambiguous is looked through to its end */
	assert_false(tokens_are(&decl, 0, "('@' W? ('.' W?)* G?)+ W"));
	assert_true(tokens_are(&decl, 0, "('@' W? ('.' W?)* G?)+ $"));
	assert_true(tokens_are(&decl, 0, "'@'* '@'* '@'* $"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_token_pattern_items_match_as_they_say),
		cmocka_unit_test(
			test_token_pattern_repetition_gives_back_what_the_rest_needs),
		cmocka_unit_test(test_token_pattern_looks_ahead_without_taking),
		cmocka_unit_test(
			test_token_pattern_ends_whatever_the_statement),
	};

	return cmocka_run_group_tests_name("lang/token_pattern", tests, NULL,
					   NULL);
}
