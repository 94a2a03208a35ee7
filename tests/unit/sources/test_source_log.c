/* SPDX-License-Identifier: MIT */
/*
 * test_source_log.c - places that logs name, ranges and references.
 */
#include "tests/support/test_source_places.h"

static const struct {
	const char *text;
	const char *path;
	uint64_t line_first;
	uint64_t line_last;
} cases[] = {
	{ "a.c", "a.c", 0, 0 },
	{ "a.c:12", "a.c", 12, 12 },
	{ "a.c:12-40", "a.c", 12, 40 },
	{ "a.c:12-12", "a.c", 12, 12 },
	{ "a:b.c:7", "a:b.c", 7, 7 },
	{ "a.c:x", "a.c:x", 0, 0 },
	{ "a.c:0", "a.c:0", 0, 0 },
	{ "a.c:40-12", "a.c:40-12", 0, 0 },
	{ "a.c:12-", "a.c:12-", 0, 0 },
	{ "a.c:-12", "a.c:-12", 0, 0 },
	{ "a.c:12x", "a.c:12x", 0, 0 },
	{ "a.c:", "a.c:", 0, 0 },
	{ "d/a.c:99999999999999999999999", "d/a.c:99999999999999999999999", 0,
	  0 },
};

static void
test_source_log_references_are_files_or_ranges(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct source_place place = { 0 };

		source_parse_reference(cases[i].text, &place);
		if (place.path_bytes != strlen(cases[i].path) ||
		    memcmp(place.path, cases[i].path, place.path_bytes) != 0 ||
		    place.line_first != cases[i].line_first ||
		    place.line_last != cases[i].line_last)
			fail_msg("%s: got %.*s, %llu to %llu", cases[i].text,
				 (int)place.path_bytes, place.path,
				 (unsigned long long)place.line_first,
				 (unsigned long long)place.line_last);
	}
}

/* The first place, as text. */
static int
take(void *context, const struct source_place *place)
{
	snprintf(context, 64, "%.*s:%llu", (int)place->path_bytes, place->path,
		 (unsigned long long)place->line_first);
	return -ECANCELED;
}

static void
test_source_log_places_end_with_what_was_returned(void **state)
{
	char text[] = "make: x\nsrc/a.c:12:3: error: y\nsrc/b.c:4: z\n";
	char first[64] = "";

	ASSERT_EQ(source_parse_tool(text, sizeof(text) - 1, take, first),
		  -ECANCELED);
	assert_string_equal(first, "src/a.c:12");
	ASSERT_EQ(source_parse_tool(text, 0, take, first), 0);
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
		{ "at N.C.M() in /s/C.cs:line 9", "/s/C.cs:9-9 " },
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

	for (int round = 0; round < 10000; round++) {
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
			test_source_log_references_are_files_or_ranges),
		cmocka_unit_test(
			test_source_log_places_end_with_what_was_returned),
		cmocka_unit_test(test_places_of_many_tools_are_found),
		cmocka_unit_test(test_logs_say_where_their_tools_are),
		cmocka_unit_test(test_references_have_a_range_or_none),
		cmocka_unit_test(test_any_bytes_are_read_without_harm),
	};

	return cmocka_run_group_tests_name("sources/source_log", tests, NULL,
					   NULL);
}
