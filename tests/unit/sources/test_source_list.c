/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_source.c - places that searches and logs name, wishes as
 * JSON, and any bytes at all.
 */
#include "tests/support/test_shm.h"

#include <stdio.h>
#include <stdlib.h>

#include "stages/stage.h"
#include "sources/source_parse.h"
#include "sources/source.h"

static char got[4096];

/* "path:first-last " of each place, with a "!" if it is these lines. */
static int
note(void *context, const struct source_place *place)
{
	size_t at = strlen(got);

	snprintf(got + at, sizeof(got) - at, "%.*s:%llu-%llu%s ",
		 (int)place->path_bytes, place->path,
		 (unsigned long long)place->line_first,
		 (unsigned long long)place->line_last,
		 place->is_exact ? "!" : "");
	for (size_t i = place->dir_nr; i-- > 0;) {
		at = strlen(got);
		snprintf(got + at, sizeof(got) - at, "in %.*s ",
			 (int)place->dirs[i].bytes, place->dirs[i].path);
	}
	return 0;
}

struct example {
	const char *text;
	const char *want;
};

static void
check(const struct example *example,
      int64_t (*parse)(char *, size_t, source_place_fn *, void *))
{
	char *text = strdup(example->text);

	got[0] = '\0';
	parse(text, strlen(text), note, NULL);
	free(text);
	if (strcmp(got, example->want) != 0)
		fail_msg("%s: got '%s', want '%s'", example->text, got,
			 example->want);
}

/* verifies: AC-016-001, FR-016-18, FR-016-24 */
static void
test_search_results_of_rg_and_grep_are_understood(void **state)
{
	static const struct example examples[] = {
		{ "src/a.c:12:int a;\nsrc/b c.h:3:4:x\n",
		  "src/a.c:12-12 src/b c.h:3-3 " },
		{ "a:1\n--\na-2-context\nb:7:y:8:z\r\n", "a:1-1 b:7-7 " },
		{ "12:no path\n:5:nor here\nx:0:not a line\n", "" },
		{ "{\"type\":\"begin\",\"data\":{\"path\":{\"text\":\"a\"}}}\n"
		  "{\"type\":\"match\",\"data\":{\"path\":{\"text\":\"a.c\"},"
		  "\"lines\":{\"text\":\"one\\ntwo\\n\"},\"line_number\":9,"
		  "\"absolute_offset\":1,\"submatches\":[]}}\n"
		  "{\"type\":\"context\",\"data\":{\"path\":{\"text\":\"a.c\"},"
		  "\"lines\":{\"text\":\"x\\n\"},\"line_number\":11}}\n"
		  "{\"type\":\"match\",\"data\":{\"path\":{\"bytes\":"
		  "\"Yf8u\"},\"line_number\":2}}\n"
		  "{broken\n{\"type\":\"match\"}\n{\"type\":5,\"data\":[]}\n",
		  "a.c:9-10 a\xff.:2-2 " },
		{ "99999999999999999999:1:x\nf:99999999999999999999:x\n",
		  "99999999999999999999:1-1 " },
		{ "\033[0m\033[35msrc/b.c\033[0m:\033[0m\033[32m12\033[0m:x\n",
		  "src/b.c:12-12 " },
		{ "", "" },
		/* rg --heading -n -C1 */
		{ "src/a b.c\n11-int x;\n12:int y; /* b.c:7: z */\n--\n"
		  "40:y\n\nREADME\n3:y 4:5\n",
		  "src/a b.c:12-12 src/a b.c:40-40 README:3-3 " },
		{ "\033[0m\033[35msrc/c.c\033[0m\n\033[0m\033[32m2\033[0m:x\n",
		  "src/c.c:2-2 " },
		{ "a heading\n\n12:of nothing\n", "" },
		/* git grep -n -p -C1: around a hit there may be others' places */
		{ "src/a.c=5=int f(void)\nsrc/a.c-11-see b.c:9: it\n"
		  "src/a.c:12:y\nsrc/a.c-13-see b.c:7: it\n--\n"
		  "x-1-2.c:3:a file of such a name\n",
		  "src/a.c:12-12 x-1-2.c:3-3 " },
		{ "src/a-1-b.c:7:y\nsrc/a-1-b.c-8-b.c:9:\n",
		  "src/a-1-b.c:7-7 " },
	};

	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i], source_parse_search);
}

/* verifies: AC-016-003, FR-016-20 */
static void
test_places_of_many_tools_are_found(void **state)
{
	static const struct example examples[] = {
		{ "src/a.c:12:5: error: x\n", "src/a.c:12-12 " },
		{ "In file included from include/b.h:3,\n"
		  "                 from a.c:1:\n",
		  "include/b.h:3-3 a.c:1-1 " },
		{ "  File \"/x/my mod.py\", line 44, in f\n",
		  "/x/my mod.py:44-44 " },
		{ " --> src/main.rs:5:9\n", "src/main.rs:5-5 " },
		{ "    at run (/app/lib/x.js:10:15)\n",
		  "/app/lib/x.js:10-10 " },
		{ "src/a.ts(12,5): error TS1: y\n", "src/a.ts:12-12 " },
		{ "\tx_test.go:31: got 1\n", "x_test.go:31-31 " },
		{ "at N.C.M() in /s/C.cs:line 9\n", "/s/C.cs:9-9 " },
		{ "    at file:///app/x.mjs:4:1\n at webpack:///./src/y.js:5\n",
		  "/app/x.mjs:4-4 ./src/y.js:5-5 " },
		{ "D:\\a\\r\\src\\main.c(12,3): error C1: x\nsrc\\b.ts:4:1\n",
		  "\\a\\r\\src\\main.c:12-12 src\\b.ts:4-4 " },
		{ "PHP Warning: x in /a/b.php on line 12\n"
		  "died at t/x.pl line 3.\nread line 4, on line 5\n",
		  "/a/b.php:12-12 t/x.pl:3-3 " },
		{ "make[1]: *** [Makefile:3: all] Error 1\n", "" },
		{ "12:30:45 http://host.x:80/ 50% [3/9]\n", "" },
		{ "f(12) g.c(7) h.c(8,1)\n", "g.c:7-7 h.c:8-8 " },
		{ "F File \"x", "" },
		{ "a.c:", "" },
		{ "a.c:7", "a.c:7-7 " },
		{ "\033[1m\033[31mtests/t.py\033[0m:4: AssertionError\n",
		  "tests/t.py:4-4 " },
		{ "\033[01m\033[K\033]8;;file://h/x\aa.c:5:6:\033]8;;\033\\"
		  "\033[m\033[K error\n",
		  "a.c:5-5 " },
		{ "\033[\033]\033", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i], source_parse_tool);
}

/* verifies: AC-016-003, FR-016-20 */
static void
test_logs_say_where_their_tools_are(void **state)
{
	static const struct example examples[] = {
		/* make -j: directories in any order */
		{ "make: Entering directory '/t'\na.c:1:2: x\n"
		  "make[1]: Entering directory '/t/lib'\nb.c:2: y\n"
		  "make[1]: Entering directory '/t/it's'\nc.c:3: y\n"
		  "make[1]: Leaving directory '/t/lib'\nd.c:4: y\n"
		  "make[1]: Leaving directory '/t/it's'\n"
		  "make: Leaving directory '/t'\ne.c:5: z\n",
		  "a.c:1-1 in /t b.c:2-2 in /t/lib in /t "
		  "c.c:3-3 in /t/it's in /t/lib in /t "
		  "d.c:4-4 in /t/it's in /t e.c:5-5 " },
		{ "ninja: Entering directory `build'\n../a.c:1: x\n",
		  "../a.c:1-1 in build " },
		{ "--- FAIL: TestA\n    a_test.go:6: bad\nFAIL\nFAIL\tm.org/x/p\t1s\n"
		  "ok  \tm.org/x\t(cached)\n    b_test.go:7: x\nFAIL\tq\t1s\n"
		  "c_test.go:9: x\n",
		  "a_test.go:6-6 in m.org/x/p in x/p in p "
		  "b_test.go:7-7 in q c_test.go:9-9 " },
		/* cargo: a backtrace is from the crate, a panic from the top */
		{ "   Compiling a-b v0.1.0 (/w/crates/a b)\n"
		  "   Compiling log v0.4.2\n   Compiling c v1.0.0 (/w/c)\n"
		  "     Running unittests src/lib.rs (/w/target/debug/deps/"
		  "a_b-c139390cbe9b350e)\n"
		  "thread 't' panicked at crates/a b/src/lib.rs:5:10:\n"
		  "             at ./src/lib.rs:5:8\n"
		  "     Running tests/it.rs (/w/target/debug/deps/it-98fa)\n"
		  "             at ./tests/it.rs:3:3\n"
		  "     Running unittests src/main.rs (target/debug/deps/d-1)\n"
		  "             at ./src/main.rs:4:3\n",
		  "b/src/lib.rs:5-5 ./src/lib.rs:5-5 in /w/crates/a b "
		  "./tests/it.rs:3-3 in /w/crates/a b ./src/main.rs:4-4 " },
		/* npm: where a package lies is said if its script fails */
		{ "\n> @x/a@1.0.0 test\n> jest\n\n at f (t/a.js:4:10)\n"
		  "npm error code 1\nnpm error path /w/packages/a\n"
		  "\n> @x/b@1.0.0 test\n> jest\n\n at f (t/b.js:5:1)\n"
		  "\n> c@1.0.0 test\n at f (t/c.js:6:1)\n"
		  "npm ERR! path /w/packages/c\n",
		  "t/a.js:4-4 in /w/packages/a t/b.js:5-5 "
		  "t/c.js:6-6 in /w/packages/c " },
		{ "rootdir: /w/sub, configfile: pytest.ini\ntests/t.py:4: E\n",
		  "tests/t.py:4-4 in /w/sub " },
		{ "\tat com.x.Foo$1.run(Foo.java:12)\n"
		  "\tat java.base/java.lang.Thread.run(Thread.java:8)\n"
		  "  at a.B.c(B.kt:3)\nat B.c(B.java:4) (C.java:5)\n"
		  "(D.java:6)",
		  "Foo.java:12-12 in com/x Thread.java:8-8 in java/lang "
		  "B.kt:3-3 in a B.java:4-4 C.java:5-5 D.java:6-6 " },
		{ "> @\n> a@\nCompiling\n   Compiling x (\n  Compiling y ()\n"
		  "   Running unittests \nRunning unittests /\nrootdir: \n"
		  "npm error path \na.c:1: x\n",
		  "a.c:1-1 " },
		{ "make: Entering directory\nmake: Entering directory ''\n"
		  "make: Leaving directory 'x'\na.c:1: x\n",
		  "a.c:1-1 " },
	};

	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i], source_parse_tool);
}

/* verifies: FR-016-21, FR-016-24 */
static void
test_references_have_a_range_or_none(void **state)
{
	static const struct example examples[] = {
		{ "a.c", "a.c:0-0 " },         { "a.c:5", "a.c:5-5 " },
		{ "a.c:5-9", "a.c:5-9! " },    { "a.c:9-5", "a.c:9-5:0-0 " },
		{ "a.c:0-5", "a.c:0-5:0-0 " }, { "a.c:x", "a.c:x:0-0 " },
		{ "a:b:3-4", "a:b:3-4! " },    { "a.c:", "a.c::0-0 " },
		{ ":5", ":5:0-0 " },           { "a.c:5-9x", "a.c:5-9x:0-0 " },
	};

	for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
		struct source_place place;

		got[0] = '\0';
		source_parse_reference(examples[i].text, &place);
		note(NULL, &place);
		if (strcmp(got, examples[i].want) != 0)
			fail_msg("%s: got '%s'", examples[i].text, got);
	}
}

/* verifies: FR-016-16, FR-016-22, FR-016-23, FR-016-25, FR-016-26 */
static void
test_a_wish_has_all_that_a_source_has(void **state)
{
	static const char line[] =
		"{\"type\":\"search_result\",\"path\":\"a.c\",\"lines\":"
		"\"10-20\",\"relevance\":0.25,\"timestamp\":"
		"\"1970-01-01T01:00:05+01:00\",\"timeout\":1.5}";
	static const char text[] = "{\"type\":\"tool_results\",\"content\":"
				   "\"x\\ny\",\"name\":\"n\",\"timestamp\":2}";
	struct source_json wish;
	char error[128];

	ASSERT_EQ(source_parse_json(line, strlen(line), &wish, error,
				    sizeof(error)),
		  0);
	ASSERT_EQ(wish.category, CATEGORY_SEARCH);
	ASSERT_EQ(wish.place.line_first, 10);
	ASSERT_EQ(wish.place.line_last, 20);
	ASSERT_TRUE(wish.place.is_exact);
	ASSERT_EQ(wish.relevance, 250000);
	ASSERT_EQ(wish.time_ns, 5000000000);
	ASSERT_EQ(wish.timeout_ms, 1500);
	source_json_fini(&wish);
	ASSERT_EQ(source_parse_json(text, strlen(text), &wish, error,
				    sizeof(error)),
		  0);
	ASSERT_EQ(wish.category, CATEGORY_TOOL);
	ASSERT_EQ(wish.content_bytes, 3);
	ASSERT_TRUE(strcmp(wish.name, "n") == 0);
	ASSERT_EQ(wish.relevance, SOURCE_ONE);
	ASSERT_EQ(wish.time_ns, 2000000000);
	source_json_fini(&wish);
}

static void
test_a_wish_that_cannot_be_says_why(void **state)
{
	static const struct example examples[] = {
		{ "x", "it is not JSON" },
		{ "[]", "it is not a JSON object" },
		{ "{\"type\":\"tree\",\"path\":\"a\"}", "\"type\" is one of" },
		{ "{\"type\":\"open_file\"}", "it needs a \"path\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"lines\":\"5-2\"}",
		  "\"lines\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"lines\":[0,2]}",
		  "\"lines\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"relevance\":1.5}",
		  "\"relevance\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"relevance\":\"1\"}",
		  "\"relevance\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"timestamp\":\"x\"}",
		  "\"timestamp\"" },
		/* in nanoseconds, no number that there is */
		{ "{\"type\":\"open_file\",\"path\":\"a\","
		  "\"timestamp\":\"9999-01-01\"}",
		  "\"timestamp\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"timestamp\":1e10}",
		  "\"timestamp\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"timeout\":0}",
		  "\"timeout\"" },
		{ "{\"type\":\"tool_result\",\"content\":5}", "\"content\"" },
	};

	for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
		struct source_json wish;
		char error[128] = "";

		if (source_parse_json(examples[i].text,
				      strlen(examples[i].text), &wish, error,
				      sizeof(error)) == 0 ||
		    strstr(error, examples[i].want) == NULL)
			fail_msg("%s: got '%s'", examples[i].text, error);
		source_json_fini(&wish);
	}
}

/* Every place lies in the text, whatever the text. */
static int
touch(void *context, const struct source_place *place)
{
	uint64_t *sum = context;

	ASSERT_TRUE(place->path_bytes > 0 && place->line_first > 0 &&
		    place->line_last >= place->line_first);
	for (size_t i = 0; i < place->path_bytes; i++)
		*sum += (unsigned char)place->path[i];
	return 0;
}

/* verifies: FR-016-120 */
static void
test_lines_of_a_log_that_say_what_went_wrong(void **state)
{
	static const struct {
		const char *line;
		bool says;
	} examples[] = {
		{ "src/a.c:12:3: error: undeclared identifier", true },
		{ "ERROR in ./src/index.ts", true },
		{ "AssertionError: 1 != 2", true },
		{ "java.lang.NullPointerException", true },
		{ "Traceback (most recent call last):", true },
		{ "FAILED tests/test_a.py::test_b - assert 1 == 2", true },
		{ "--- FAIL: TestA (0.00s)", true },
		{ "make: *** [Makefile:12: all] Error 2", true },
		{ "\033[1;31merror\033[0m: cannot find value", true },
		{ "10 failed, 3 passed", true },
		{ "errors: 12", true },
		{ "thread 'main' panicked at src/main.rs:2:5", true },
		{ "12 passed, 0 failed", false },
		{ "0 errors, 3 warnings", false },
		{ "no errors", false },
		{ "errors: 0", false },
		{ "failed=0 skipped=1", false },
		{ "gcc -Wall -Werror -c a.c", false },
		{ "CC  src/error.o lib/error_handler.o", false },
		{ "go test --fail-fast ./errors/", false },
		{ "compiling terror v0.1", false },
		{ "ok", false },
		{ "", false },
	};
	uint64_t lines[SOURCE_ERRORS_MAX];
	size_t nr;

	for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
		const char *line = examples[i].line;

		ASSERT_EQ(source_parse_errors(line, strlen(line), lines, &nr),
			  *line != '\0');
		if (nr != examples[i].says)
			fail_msg("%s: says %zu", line, nr);
	}
}

static void
test_errors_of_a_log_are_its_first_by_their_lines(void **state)
{
	static const char text[] = "a\n\nerror\nb\nfatal: c\nfailed";
	static char many[8 * (SOURCE_ERRORS_MAX + 5)];
	uint64_t lines[SOURCE_ERRORS_MAX];
	size_t nr;

	ASSERT_EQ(source_parse_errors(text, strlen(text), lines, &nr), 6);
	ASSERT_EQ(nr, 3);
	ASSERT_EQ(lines[0], 3);
	ASSERT_EQ(lines[1], 5);
	ASSERT_EQ(lines[2], 6);
	for (size_t i = 0; i < sizeof(many); i += 8)
		memcpy(many + i, "error !\n", 8);
	ASSERT_EQ(source_parse_errors(many, sizeof(many), lines, &nr),
		  SOURCE_ERRORS_MAX + 5);
	ASSERT_EQ(nr, SOURCE_ERRORS_MAX);
	ASSERT_EQ(lines[nr - 1], SOURCE_ERRORS_MAX);
}

/* verifies: NFR-016-43 */
static void
test_any_bytes_are_read_without_harm(void **state)
{
	static const char *const pieces[] = {
		"a.c",
		":",
		"12",
		"(",
		",",
		")",
		"File \"",
		"\", line ",
		"\n",
		"{\"type\":\"match\",",
		"\"data\":{",
		"}",
		"\xff",
		"[",
		"/",
		"-",
		"\r",
		" ",
		"99999999999999999999",
		"src/x.py",
		"error",
		"no ",
		" 0",
		"\033[1m",
	};
	uint64_t seed = 0xf0221;
	uint64_t sum = 0;

	for (int round = 0; round < 20000; round++) {
		uint64_t lines[SOURCE_ERRORS_MAX];
		char text[200];
		size_t bytes = 0;
		size_t nr;
		char *exact;

		while (bytes < 160 && random_next(&seed) % 40 != 0) {
			const char *piece =
				pieces[random_next(&seed) % ARRAY_LEN(pieces)];

			memcpy(text + bytes, piece, strlen(piece));
			bytes += strlen(piece);
		}
		/* no byte behind it may be looked at */
		exact = malloc(bytes + 1);
		memcpy(exact, text, bytes);
		exact[bytes] = '7';
		source_parse_tool(exact, bytes, touch, &sum);
		source_parse_search(exact, bytes, touch, &sum);
		source_parse_errors(exact, bytes, lines, &nr);
		free(exact);
	}
	ASSERT_TRUE(sum > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_search_results_of_rg_and_grep_are_understood),
		cmocka_unit_test(test_places_of_many_tools_are_found),
		cmocka_unit_test(test_logs_say_where_their_tools_are),
		cmocka_unit_test(test_references_have_a_range_or_none),
		cmocka_unit_test(test_a_wish_has_all_that_a_source_has),
		cmocka_unit_test(test_a_wish_that_cannot_be_says_why),
		cmocka_unit_test(test_lines_of_a_log_that_say_what_went_wrong),
		cmocka_unit_test(
			test_errors_of_a_log_are_its_first_by_their_lines),
		cmocka_unit_test(test_any_bytes_are_read_without_harm),
	};

	return cmocka_run_group_tests_name("supervisor/source", tests, NULL,
					   NULL);
}
