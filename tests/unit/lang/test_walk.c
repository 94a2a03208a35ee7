/* SPDX-License-Identifier: MIT */
/*
 * test_walk.c - the scanner of structure: parts, bounds, hostile
 *               texts.
 */
#include "tests/support/test_shm.h"

#include "lang/scan.h"
#include "lang/walk.h"
#include "tests/support/rounds.h"
#include "tests/support/test_growth.h"
#include "tests/support/test_lang_whole.h"

/* 16 bytes at a time as byte by byte, in texts of any length. */
static void
test_chunk_word_end_is_where_a_search_finds_it(void **state)
{
	uint64_t random = 20261122;
	uint8_t text[80];

	for (int round = 0; round < 20000; round++) {
		struct walk walk = { .text = text };
		size_t want;

		walk.bytes = (size_t)round % sizeof(text);
		for (size_t i = 0; i < walk.bytes; i++) {
			random = random * 6364136223846793005u +
				 1442695040888963407u;
			/* mostly of words */
			text[i] = random >> 62 != 0
					  ? (uint8_t)('a' + (random >> 50) % 26)
					  : (uint8_t)(random >> 40);
		}
		for (size_t at = 0; at <= walk.bytes; at += 1 + at / 8) {
			want = at;
			while (want < walk.bytes && is_word_byte(text[want]))
				want++;
			ASSERT_EQ(walk_word_end(&walk, at), want);
		}
	}
}

struct seen {
	const char *source;
	char text[4096];
	size_t nr;
};

static void
see(void *context, const struct lang_def *def)
{
	struct seen *seen = context;
	int nr = snprintf(seen->text + seen->nr, sizeof(seen->text) - seen->nr,
			  "%s@%llu %u-%u ", lang_kind_word(def->kind),
			  (unsigned long long)def->name_off, def->line,
			  end_line_of(seen->source, def));

	assert_true(nr > 0 && seen->nr + (size_t)nr < sizeof(seen->text));
	seen->nr += (size_t)nr;
}

/* Scans a text in parts; what is before the statement in work is gone. */
static void
scan_in_parts(uint32_t lang, const char *text, size_t part, struct seen *seen)
{
	static struct lang_scan scan;
	struct lang_sink sink = { .def = see, .context = seen };
	size_t nr = strlen(text);
	size_t end = 0;

	seen->source = text;
	seen->nr = 0;
	seen->text[0] = '\0';
	lang_scan_init(&scan, lang, 6144);
	while (end < nr) {
		size_t from = (size_t)scan.stmt_off;
		struct lang_text piece;

		/* a worker keeps at least a chunk's bytes */
		from = from > 2000 ? from - 2000 : 0;
		end = min_size(nr, end + part);
		piece = (struct lang_text){ (const uint8_t *)text + from, from,
					    end - from, end == nr };
		lang_scan_feed(&scan, &piece, UINT64_MAX, &sink);
	}
}

/* verifies: NFR-016-12 */
static void
test_chunk_scan_in_parts_finds_the_same(void **state)
{
	static const char text[] =
		"/* a comment { with a brace */\n"
		"struct first { int a; };\n"
		"static int\nsecond(int a, /* } */ char b)\n{\n"
		"\tconst char *s = \"a long string with { and \\\" in it\";\n"
		"\tif (a) { return '}'; }\n\treturn 0; // {\n}\n"
		"#define X(a) \\\n\t{ (a)\n"
		"int third(void) { return 1; }\n";
	static struct seen whole;
	static struct seen parts;

	scan_in_parts(LANG_C, text, sizeof(text), &whole);
	assert_string_equal(whole.text, "struct@38 2-2 function@67 3-9 "
					"macro@203 10-11 function@221 12-12 ");
	for (size_t part = 1; part < sizeof(text); part += 7) {
		scan_in_parts(LANG_C, text, part, &parts);
		/* macros are told of when their line is whole */
		if (part > 64)
			assert_string_equal(parts.text, whole.text);
	}
}

/* verifies: NFR-016-26, NFR-016-27 */
static void
test_chunk_scan_lines_count_from_one(void **state)
{
	static struct seen seen;

	scan_in_parts(LANG_GO, "func a() {\r\n}\r\nfunc b() {}", 1000, &seen);
	assert_string_equal(seen.text, "function@5 1-2 function@20 3-3 ");
}

/* The text where lines were last counted is gone when they are next. */
static void
test_walk_lines_of_a_long_body_are_counted(void **state)
{
	static char text[16384];
	static struct seen seen;
	size_t nr = (size_t)sprintf(text, "int f(void)\n{\n");

	for (int i = 0; i < 1000; i++)
		nr += (size_t)sprintf(text + nr, "\ta();\n");
	sprintf(text + nr, "}\nint g(void)\n{\n}\n");
	scan_in_parts(LANG_C, text, 500, &seen);
	assert_string_equal(seen.text,
			    "function@4 1-1003 function@6020 1004-1006 ");
}

/* Brackets deeper than what is kept are counted: what follows is found. */
static void
test_chunk_scan_deep_nesting_comes_back(void **state)
{
	static char text[4096];
	static struct seen seen;
	size_t nr = 0;

	nr += (size_t)sprintf(text, "int f(void)\n{\n");
	for (int i = 0; i < 500; i++)
		text[nr++] = '{';
	for (int i = 0; i < 500; i++)
		text[nr++] = '}';
	sprintf(text + nr, "}\nint g(void)\n{\n}\n");
	scan_in_parts(LANG_C, text, 4096, &seen);
	assert_string_equal(seen.text, "function@4 1-3 function@1020 4-6 ");
}

/* verifies: FR-016-50 */
static void
test_chunk_scan_unknown_language_finds_nothing(void **state)
{
	static struct seen seen;

	scan_in_parts(LANG_NONE, "int f(void) { }\n", 100, &seen);
	assert_string_equal(seen.text, "");
}

/* A text that is a unit again and again. */
struct repeated {
	uint32_t lang;
	const char *unit;
	uint8_t *text; /* room for the longest */
};

static double
scan_seconds(const void *work, size_t nr)
{
	static struct lang_scan scan;
	const struct repeated *repeated = work;
	struct lang_sink sink = { 0 };
	struct lang_text whole = { repeated->text, 0, nr, true };
	size_t bytes = strlen(repeated->unit);
	double begun;

	for (size_t i = 0; i < nr; i++)
		repeated->text[i] = (uint8_t)repeated->unit[i % bytes];
	lang_scan_init(&scan, repeated->lang, 6144);
	begun = processor_seconds();
	lang_scan_feed(&scan, &whole, UINT64_MAX, &sink);
	ASSERT_EQ(scan.pos, nr);
	return processor_seconds() - begun;
}

/* Four times the text may take so many times as long: a square takes 16. */
static void
assert_linear(const struct repeated *repeated, size_t nr, double times)
{
	if (!growth_is_within(&(struct growth){ .seconds = scan_seconds,
						.work = repeated,
						.small = nr / 4,
						.large = nr,
						.times = times,
						.too_short = 0.2 }))
		fail_msg("%s in %s", repeated->unit,
			 lang_row(repeated->lang)->hint);
}

/*
 * Texts that a careless scanner would go over again and again, in languages
 * of each family.
 */
static void
test_chunk_scan_hostile_texts_take_linear_time(void **state)
{
	static const char *const units[] = {
		"{",           "}",        "(",
		"a(",          "a({",      "/*",
		"\"",          "'",        "`${",
		"<<A\n",       "#if 1\n",  "#else\n",
		"x = {},",     "f() {\n",  "<a ",
		"\\\n",        "/",        "class ",
		"a: {",        "=> {",     "@a({",
		"template<",   "\n\n",     "def a\n",
		"[",           ";a(b)c\n", "R\"",
		"do ",         "x => (",   "$(",
		"- a:\n",      "# ",       "%w(",
		"(define (a ", "begin ",   "autoload :a ",
		"import(",     "include(", "import a, \\\n",
	};
	static const uint32_t langs[] = {
		LANG_CPP,      LANG_TYPESCRIPT, LANG_RUST,    LANG_CSS,
		LANG_JSON,     LANG_PYTHON,     LANG_RUBY,    LANG_SHELL,
		LANG_MARKDOWN, LANG_SQL,        LANG_CLOJURE, LANG_HTML,
		LANG_GO,       LANG_PHP,        LANG_ELIXIR,  LANG_CSHARP,
		LANG_OCAML,    LANG_RST,
	};
	const size_t room = ROUNDS(1u << 17);
	uint8_t *text = malloc(room);

	assert_non_null(text);
	for (size_t u = 0; u < ARRAY_LEN(units); u++)
		for (size_t i = 0; i < ARRAY_LEN(langs); i++) {
			const struct repeated repeated = { langs[i], units[u],
							   text };

			assert_linear(&repeated, room, 10);
		}
	free(text);
}

static void
test_chunk_scan_imports_of_one_line_take_linear_time(void **state)
{
	static const struct {
		uint32_t lang;
		const char *unit;
	} cases[] = {
		{ LANG_RUBY, "autoload :a " },
		{ LANG_RUBY, "require(" },
		{ LANG_TYPESCRIPT, "import(" },
		{ LANG_TYPESCRIPT, "f(import(\"a\"," },
		{ LANG_PHP, "include(" },
		{ LANG_PYTHON, "import a, \\\n" },
	};
	const size_t room = 1u << 18;
	uint8_t *text = malloc(room);

	assert_non_null(text);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct repeated repeated = { cases[i].lang, cases[i].unit,
						   text };

		assert_linear(&repeated, room, 8);
	}
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_word_end_is_where_a_search_finds_it),
		cmocka_unit_test(test_chunk_scan_in_parts_finds_the_same),
		cmocka_unit_test(test_chunk_scan_lines_count_from_one),
		cmocka_unit_test(test_walk_lines_of_a_long_body_are_counted),
		cmocka_unit_test(test_chunk_scan_deep_nesting_comes_back),
		cmocka_unit_test(
			test_chunk_scan_unknown_language_finds_nothing),
		cmocka_unit_test(
			test_chunk_scan_hostile_texts_take_linear_time),
		cmocka_unit_test(
			test_chunk_scan_imports_of_one_line_take_linear_time),
	};

	return cmocka_run_group_tests_name("lang/walk", tests, NULL, NULL);
}
