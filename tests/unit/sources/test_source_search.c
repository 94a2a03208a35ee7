/* SPDX-License-Identifier: MIT */
/*
 * test_source_search.c - places that search results name, and any bytes at all.
 */
#include "tests/support/test_source_places.h"

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
		char text[200];
		size_t bytes = 0;
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
		source_parse_search(exact, bytes, touch, &sum);
		free(exact);
	}
	ASSERT_TRUE(sum > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_results_of_rg_and_grep_are_understood),
		cmocka_unit_test(test_any_bytes_are_read_without_harm),
	};

	return cmocka_run_group_tests_name("sources/source_search", tests, NULL, NULL);
}
