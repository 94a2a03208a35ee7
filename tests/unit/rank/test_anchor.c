/* SPDX-License-Identifier: MIT */
/*
 * test_anchor.c - which names and places a query has, and which paths these
 * are.
 */
#include "tests/support/test_shm.h"

#include "rank/anchor.h"

static struct anchors anchors;

static void
read_text(const char *text)
{
	anchors_read(&anchors, (const uint8_t *)text, strlen(text));
}

/* The names: before each = for a literal, ? for a word, + for one of the first line;
 * behind an owner and a dot. */
static const char *
names_of(const char *text)
{
	static char out[1024];
	size_t at = 0;

	memset(&anchors, 0, sizeof(anchors));
	read_text(text);
	out[0] = '\0';
	for (uint32_t i = 0; i < anchors.name_nr; i++) {
		const struct anchor_name *name = &anchors.names[i];
		const struct anchor_name *owner =
			name->owner == ANCHOR_NONE
				? NULL
				: &anchors.names[name->owner];

		at += (size_t)snprintf(
			out + at, sizeof(out) - at, "%s%s%s%.*s%s%.*s",
			i == 0 ? "" : " ", name->is_literal ? "=" : "",
			name->sure == ANCHOR_WORD    ? "?"
			: name->sure == ANCHOR_TITLE ? "+"
						     : "",
			owner == NULL ? 0 : owner->bytes,
			owner == NULL ? "" : owner->text,
			owner == NULL ? "" : ".", name->bytes, name->text);
	}
	return out;
}

/* A query of nothing but names: whatever form one that is alone has. */
static void
test_anchor_names_may_be_all_there_is(void **state)
{
	static const struct {
		const char *text;
		const char *want;
		bool is_all;
	} cases[] = {
		{ "lookup", "=+lookup", true },
		{ " lookup\n", "=+lookup", true },
		{ "lookup()", "=+lookup() +lookup", true },
		{ "Parser.next", "=+Parser.next +Parser +Parser.next", true },
		{ "parse_it `emit`, AA::ff", "+parse_it +emit +AA +AA.ff",
		  true },
		{ "a_line\nb_line", "+a_line b_line", true },
		{ "Where is parse_it defined?", "?Where +parse_it ?defined",
		  true },
		{ "class Parser", "?class +Parser", true },
		{ "npm run build:it", "=+build:it ?npm ?run ?build", false },
		{ "make check-all",
		  "=+check-all =--check-all ?make ?check ?all", false },
		{ "make it fast", "?make ?fast", false },
		{ "the --no-color option",
		  "=+--no-color =no-color ?the ?color ?option", false },
		{ "GET /users/:id", "=+/users/:id ?GET", false },
		{ "where is a.key read", "=+a.key ?where +key ?read", false },
		{ "run it fast", "?run ?fast", false },
		{ "--no-color fails", "=+--no-color ?color ?fails", false },
		{ "constant MAX_LEN", "?constant +MAX_LEN", true },
		{ "class loader", "?class ?loader", false },
		{ "fun parse", "?fun +parse", true },
		{ "where is the parser", "?where ?the +parser", true },
		{ "show the parser", "?show ?the ?parser", false },
		{ "test runner", "?test ?runner", false },
		{ "tests for parse", "?tests ?for +parse", true },
		{ "class Parser fails", "?class ?Parser ?fails", false },
		{ "the function parse()", "=+parse() ?the ?function +parse",
		  true },
		{ "see a/b.c#L12", "?see ?L12", false },
		{ "A#L12", "=+A#L12 ?L12", false },
		{ "A#parse_it", "=+A#parse_it +parse_it", true },
		{ "fails in parse_it#12", "?fails +parse_it", false },
		{ "fix parse_it", "?fix +parse_it", false },
		{ "parse_it up", "+parse_it", false },
		{ "parse_it 3", "+parse_it", false },
		{ "a/b.c", "=+a/b.c", true },
		{ "bb.cc", "=+bb.cc +bb +bb.cc", true },
		{ "a/b.c a/c.c", "", false },
		{ "parse_it a/b.c", "+parse_it", false },
		{ "42", "=+42", false },
		{ "", "", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *got = names_of(cases[i].text);

		if (strcmp(got, cases[i].want) != 0)
			fail_msg("%s: %s", cases[i].text, got);
		if (anchors.is_all != cases[i].is_all)
			fail_msg("%s: is_all is %d", cases[i].text,
				 anchors.is_all);
	}
}

/* Only a query of nothing but names asks for uses of them. */
static void
test_anchor_names_may_be_asked_for_their_uses(void **state)
{
	static const struct {
		const char *text;
		bool asks_uses;
		bool asks_tests;
	} cases[] = {
		{ "tests for parse_it", true, true },
		{ "who tests parse_it()", true, true },
		{ "a test for parse_it fails", false, false },
		{ "subclasses of BaseParser", true, false },
		{ "callers of parse_it", true, false },
		{ "Who calls parse_it?", true, false },
		{ "where is `lookup` used", true, false },
		{ "All references to the method Parser.next", true, false },
		{ "parse_it", false, false },
		{ "where is parse_it defined", false, false },
		{ "callers of parse_it fail", false, false },
		{ "parse_it uses too much memory", false, false },
		{ "callers", false, false },
		{ "uses of words", true, false },
		{ "uses of many words", false, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		memset(&anchors, 0, sizeof(anchors));
		read_text(cases[i].text);
		if (anchors.asks_uses != cases[i].asks_uses ||
		    anchors.asks_tests != cases[i].asks_tests)
			fail_msg("%s", cases[i].text);
	}
}

/* Of these, what asks for derived types. */
static void
test_anchor_names_may_be_asked_for_what_is_derived(void **state)
{
	static const struct {
		const char *text;
		bool asks_heirs;
	} cases[] = {
		{ "subclasses of BaseParser", true },
		{ "classes that extend Parser", true },
		{ "Who implements Parser?", true },
		{ "implementations of Parser", true },
		{ "implementation of Parser", false },
		{ "implement Parser", false },
		{ "who may implement Parser", false },
		{ "callers of Parser", false },
		{ "subclasses of Parser fail", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		memset(&anchors, 0, sizeof(anchors));
		read_text(cases[i].text);
		if (anchors.asks_heirs != cases[i].asks_heirs ||
		    (anchors.asks_heirs && !anchors.asks_uses))
			fail_msg("%s", cases[i].text);
	}
}

/* A short line with one name, and what else it may have. */
static void
test_anchor_names_may_be_one(void **state)
{
	static const struct {
		const char *text;
		bool asks_one;
	} cases[] = {
		{ "how does parse_it work", true },
		{ "parse_it", true },
		{ "parse_it and emit_it differ", false },
		{ "the parser fails", false },
		{ "parse_it fails in a/b.c", false },
		{ "parse_it fails\nas it did before", false },
		{ "why does it fail when parse_it is called twice", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		memset(&anchors, 0, sizeof(anchors));
		read_text(cases[i].text);
		if (anchors.asks_one != cases[i].asks_one)
			fail_msg("%s", cases[i].text);
	}
}

/* A word may be a directory, which some say. */
static void
test_anchor_words_may_be_directories(void **state)
{
	static const struct {
		const char *text;
		const char *want;
		bool asks_directory;
	} cases[] = {
		{ "src/http/", "src/http", false },
		{ "http", "http", false },
		{ "the http directory", "http", true },
		{ "what is in the folder src/http", "", false },
		{ "show the folder src/http", "src/http", true },
		{ "all of dir http", "http", true },
		{ "the http client directory", "", false },
		{ "the directory", "", false },
		{ "http server", "", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char got[ANCHOR_PATH_BYTES + 1];

		memset(&anchors, 0, sizeof(anchors));
		read_text(cases[i].text);
		snprintf(got, sizeof(got), "%.*s", anchors.directory.bytes,
			 anchors.directory.path);
		if (strcmp(got, cases[i].want) != 0 ||
		    anchors.asks_directory != cases[i].asks_directory)
			fail_msg("%s: %s", cases[i].text, got);
	}
}

/* "f in C", and what else may be a member. */
static void
test_anchor_names_may_be_members(void **state)
{
	static const struct {
		const char *text;
		const char *want;
		bool asks_member;
	} cases[] = {
		{ "parse in Lexer", "+Lexer +Lexer.parse", true },
		{ "where is the method parse of the class Lexer?",
		  "+Lexer +Lexer.parse ?where ?the ?method ?class", true },
		{ "parse in a/b.c", "+parse", true },
		{ "parse in b.c", "+parse", true },
		{ "definition of Lexer", "?definition +Lexer", false },
		{ "callers of parse_it", "?callers +parse_it", false },
		{ "race in the Lexer of B", "?race ?the ?Lexer", false },
		{ "fix parse in Lexer", "?fix ?parse ?Lexer", false },
		{ "3 in Lexer", "?Lexer", false },
		{ "in Lexer", "?Lexer", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *got = names_of(cases[i].text);

		if (strcmp(got, cases[i].want) != 0)
			fail_msg("%s: %s", cases[i].text, got);
		if (anchors.asks_member != cases[i].asks_member)
			fail_msg("%s: asks_member is %d", cases[i].text,
				 anchors.asks_member);
	}
}

static void
test_anchor_names_are_told_by_their_form(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} cases[] = {
		{ "", "" },
		{ "the parser fails\nwith a parser", "?the ?parser ?fails" },
		{ "is_it isIt HTTPServer Http",
		  "+is_it +isIt +HTTPServer ?Http" },
		{ "a\n`parse` or parse_it, call() and (other)",
		  "parse parse_it call" },
		{ "a\nExpression.compile and AA::ff\n",
		  "Expression Expression.compile AA AA.ff" },
		{ "a\n```\nplain words\nmany_words\n```", "many_words" },
		/* what is in back-quotes is code, but for sentences */
		{ "a\n`parse --all` and ``emit`` say `no file of the_name is`",
		  "=--all parse all emit the_name" },
		{ "a\n`return a + b` of `if (one in two)`", "if one in two" },
		/* not numbers, not of a path */
		{ "a\n`11` at 3d or 12_ab", "" },
		{ "a\nsee src/a_b.c", "" },
		{ "Parser of parser_it\nin Parser()", "+Parser +parser_it" },
		/* a query without blanks may be a string of code, as it is; an
		 * option anywhere */
		{ "tls-cert-file\n",
		  "=+tls-cert-file =--tls-cert-file ?tls ?cert ?file" },
		{ "/api/:id", "=+/api/:id" },
		{ "ab.b_c", "=+ab.b_c +ab +ab.b_c" },
		{ "--no-color=",
		  "=+--no-color= =no-color= =+--no-color ?color" },
		{ "it --no-color\nor a--b -- -c ---d --x2-y-",
		  "=+--no-color ?color =--x2-y" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (strcmp(names_of(cases[i].text), cases[i].want) != 0)
			fail_msg("%s: got %s", cases[i].text,
				 names_of(cases[i].text));
}

static void
test_anchor_places_are_paths_and_modules(void **state)
{
	static const struct anchor_place want[] = {
		{ .path = "x/b.py", .kind = ANCHOR_FRAME, .line = 3 },
		{ .path = "src/a.c", .kind = ANCHOR_PATH },
		{ .path = "a.rs", .kind = ANCHOR_PATH },
		{ .path = "a/rs", .kind = ANCHOR_MODULE },
		{ .path = "a/b/fun", .kind = ANCHOR_MODULE },
	};

	memset(&anchors, 0, sizeof(anchors));
	anchors_add_frame(&anchors, "/x/b.py", 7, 3);
	read_text("see src/a.c and a.rs, a::b::fun, since 3.8.2, 1/2\n"
		  "File \"/x/b.py\", line 3, in run\n");
	assert_int_equal(anchors.place_nr, ARRAY_LEN(want));
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		const struct anchor_place *got = &anchors.places[i];

		assert_int_equal(got->kind, want[i].kind);
		assert_int_equal(got->line, want[i].line);
		assert_int_equal(got->bytes, strlen(want[i].path));
		assert_memory_equal(got->path, want[i].path, got->bytes);
	}
	/* what stands beside the frame is of its file */
	assert_int_equal(
		anchors.names[anchors_find(&anchors, (const uint8_t *)"run", 3,
					   0)]
			.place,
		0);
	assert_false(anchors.innermost_first);
	memset(&anchors, 0, sizeof(anchors));
	anchors_add_frame(&anchors, "a.js", 4, 3);
	read_text("    at run (a.js:3:4)\n");
	assert_true(anchors.innermost_first);
}

/* What is before a path goes; a directory whose name begins with a dot stays. */
static void
test_anchor_paths_begin_with_a_name(void **state)
{
	static const char *const paths[][2] = {
		{ ".github/a.md", ".github/a.md" },
		{ "./b/c.c", "b/c.c" },
		{ "../../b/c.c", "b/c.c" },
		{ "/b/c.c", "b/c.c" },
		{ ".../b/c.c", "b/c.c" },
		{ "my-dir/c.c", "my-dir/c.c" },
	};

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		memset(&anchors, 0, sizeof(anchors));
		read_text(paths[i][0]);
		assert_true(anchors.place_nr > 0);
		assert_int_equal(anchors.places[0].bytes, strlen(paths[i][1]));
		assert_memory_equal(anchors.places[0].path, paths[i][1],
				    anchors.places[0].bytes);
	}
}

/* Each line is that of its frame, although one between them is not kept, and
 * whatever else is named. */
static void
test_anchor_names_beside_frames_are_of_their_own(void **state)
{
	char text[64 * ANCHOR_FRAMES_MAX];
	size_t at = 0;

	memset(&anchors, 0, sizeof(anchors));
	for (uint32_t i = 1; i <= ANCHOR_FRAMES_MAX + 10; i++) {
		anchors_add_frame(&anchors, "a.py", 4, 100 + i);
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "File \"a.py\", line %u, in f%u\n",
				       100 + i, i > 30 ? i : 0);
	}
	assert_int_equal(anchors.frame_nr, ANCHOR_FRAMES_MAX);
	read_text(text);
	for (uint32_t i = 31; i <= ANCHOR_FRAMES_MAX + 10; i++) {
		char name[8];
		int bytes = snprintf(name, sizeof(name), "f%u", i);
		uint32_t idx = anchors_find(&anchors, (const uint8_t *)name,
					    (size_t)bytes, 0);

		if (idx == ANCHOR_NONE)
			break; /* no more room */
		assert_int_equal(anchors.places[anchors.names[idx].place].line,
				 100 + i);
		assert_true(i == 31 || bytes == 3);
	}
	/* others than frames are there once, and take no room of theirs */
	memset(&anchors, 0, sizeof(anchors));
	anchors_add_frame(&anchors, "a.py", 4, 7);
	for (uint32_t i = 0; i < 3 * ANCHOR_PLACES_MAX; i++)
		read_text("see b.c and d.c\n");
	assert_int_equal(anchors.frame_nr, 1);
	assert_int_equal(anchors.place_nr, 5);
}

/* Of a frame's line the function, whatever a log puts before it: the names of
 * all frames have room. */
static void
test_anchor_names_are_not_the_words_of_a_frame(void **state)
{
	memset(&anchors, 0, sizeof(anchors));
	anchors_add_frame(&anchors, "/x/b.py", 7, 3);
	read_text("crash\nERROR> File \"/x/b.py\", line 3, in run\n");
	assert_int_equal(anchors.name_nr, 2);
	assert_true(anchors_find(&anchors, (const uint8_t *)"run", 3, 0) == 1);
	/* before the path, where the innermost frame comes first */
	memset(&anchors, 0, sizeof(anchors));
	anchors_add_frame(&anchors, "b.js", 4, 3);
	read_text("crash\n    at run (b.js:3:1)\n");
	assert_int_equal(anchors.name_nr, 2);
	assert_true(anchors_find(&anchors, (const uint8_t *)"run", 3, 0) == 1);
}

/* Of more places than there is room for, the first and the last ones. */
int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_anchor_names_may_be_asked_for_what_is_derived),
		cmocka_unit_test(test_anchor_names_may_be_one),
		cmocka_unit_test(test_anchor_names_may_be_members),
		cmocka_unit_test(test_anchor_words_may_be_directories),
		cmocka_unit_test(test_anchor_names_are_told_by_their_form),
		cmocka_unit_test(test_anchor_names_may_be_all_there_is),
		cmocka_unit_test(test_anchor_names_may_be_asked_for_their_uses),
		cmocka_unit_test(test_anchor_places_are_paths_and_modules),
		cmocka_unit_test(test_anchor_paths_begin_with_a_name),
		cmocka_unit_test(
			test_anchor_names_beside_frames_are_of_their_own),
		cmocka_unit_test(
			test_anchor_names_are_not_the_words_of_a_frame),
	};

	return cmocka_run_group_tests_name("rank/anchor", tests, NULL, NULL);
}
