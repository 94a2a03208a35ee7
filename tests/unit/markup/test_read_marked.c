/* SPDX-License-Identifier: MIT */
/*
 * test_read_marked.c - what is read back of Markdown and plain text.
 *
 * verifies: FR-016-135, FR-016-136
 */
#include "tests/support/test_markup_told.h"

static const struct reading headers[] = {
	{ "names in quotes",
	  "## File: \"a\\303\\237\\n\\t\\\"\\\\\\001\\377\" (empty)\n\n"
	  "## File: \"b\\0011\" (same as \"a\\303\\237\\n\\t\\\"\\\\\\001\\377\")\n\n",
	  "[a\xc3\x9f\n\t\"\\\x01\xff empty].[b\x01"
	  "1 =a\xc3\x9f\n\t\"\\\x01\xff]." },
	{ "a name in quotes with an escape that is cut off",
	  "## File: \"a\\37\" (empty)\n\n", "! 1: a header of no kind" },
	{ "with two figures", "## File: \"a\\37z\" (empty)\n\n",
	  "! 1: a header of no kind" },
	{ "with a figure that is none", "## File: \"a\\389\" (empty)\n\n",
	  "! 1: a header of no kind" },
	{ "beyond a byte", "## File: \"a\\400\" (empty)\n\n",
	  "! 1: a header of no kind" },
	{ "of no byte", "## File: \"a\\000\" (empty)\n\n",
	  "! 1: a header of no kind" },
	{ "of no kind", "## File: \"a\\z\" (empty)\n\n",
	  "! 1: a header of no kind" },
	{ "at the end", "## File: b (empty)\n\n## File: \"a\\",
	  "[b empty].! 3: a header of no kind" },
	{ "a charset",
	  "## File: a (lines 1-1, from X, without comments)\n```\nx\n```\n\n",
	  "[a 1-1/1 X stripped]x\n." },
	{ "no charset", "## File: a (lines 1-1, from )\n```\nx\n```\n\n",
	  "! 1: a header of no kind" },
	{ "characters that are not seen, each by its name",
	  "## File: a (lines 1-1, control characters)\n```\nx\n```\n\n"
	  "## File: b (lines 1-1, bidi characters)\n```\nx\n```\n\n"
	  "## File: c (lines 1-1, zero-width characters)\n```\nx\n```\n\n",
	  "[a 1-1/1]x\n.[b 1-1/1]x\n.[c 1-1/1]x\n." },
	{ "characters of no kind",
	  "## File: a (lines 1-1, odd characters)\n```\nx\n```\n\n",
	  "! 1: a header of no kind" },
	{ "copies",
	  "## File: a (lines 1-1, also b)\n```\nx\n```\n\n"
	  "## File: a2 (lines 1-1, no newline at end, also \"b (1), c)\", d and others)\n"
	  "```\nx\n```\n\n",
	  "[a 1-1/1]x\n.[a2 1-1/1]x." },
	{ "copies without an end",
	  "## File: a (lines 1-1, also b\n```\nx\n```\n\n",
	  "! 1: a header of no kind" },
	{ "signatures",
	  "## File: a (lines 1-1, signatures of 70 bytes)\n```\nx\n```\n\n",
	  "[a 1-1/1 signatures]x\n." },
	{ "signatures, all or some",
	  "## File: a (signatures, all)\n```\nx\n```\n\n"
	  "## File: b (signatures, from X, also c)\n```\nx\n```\n\n",
	  "[a 1-1/1 signatures]x\n.[b 1-1/1 X signatures]x\n." },
	{ "signatures as earlier versions have them",
	  "## File: a (signatures of 9 lines, in part)\n```\nx\n```\n\n",
	  "[a 1-9/9 signatures]x\n." },
	{ "short ones, behind a preamble",
	  "### no header\n\nPacked by bale: all of a source tree.\n\n"
	  "### a\n```c\nx\n```\n\n"
	  "### \"b\\n\" (signatures, all, gap mark ....)\n```\n// ... (lines "
	  "2-7)\n// .... (lines 2-7)\n### c\n```\n\n"
	  "## File: d (empty)\n\n### e (1\n````\n```\n````\n\n",
	  "[a 1-1/1 signatures]x\n.[b\n 1-1/1 signatures]// ... (lines "
	  "2-7)\n<gap>### c\n.[d empty].! 19: a header of no kind" },
	{ "a short one that has lines",
	  "Packed by bale: x\n### a (lines 1-2)\n```c\nx\n```\n\n",
	  "! 3: a header of no kind" },
	{ "a short one and its end",
	  "Packed by bale: x\n### a", "! 2: a header of no kind" },
	{ "a short one without a preamble",
	  "## File: a (empty)\n\n### b\n```\n```\n\n",
	  "[a empty].! 3: no header" },
};

static void
test_read_marked_headers_say_what_they_say(void **state)
{
	check(headers, ARRAY_LEN(headers));
}

static const struct reading broken[] = {
	{ "no end in Markdown",
	  "## File: a (lines 1-1, hash 1)\n```\nx\n```\n\n",
	  "[a 1-1/1 #1]x\n.! 6: the end of its files is missing" },
	{ "an end in Markdown",
	  "## File: a (lines 1-1, hash 1)\n```\nx\n```\n\n"
	  "## End of files: 1\n\n## Instructions\n\nFile: no\n",
	  "[a 1-1/1 #1]x\n." },
	{ "files behind the end",
	  "## File: a (empty)\n\n## End of files: 1\n\n## File: b (empty)\n\n",
	  "[a empty].! 5: no header" },
	{ "plain text with too many",
	  "======== File: a (empty)\n\n======== End of files: 2\n\n",
	  "[a empty].! 5: there are files missing in it" },
	{ "a file without a hash, where others have one",
	  "## File: a (lines 1-1, hash 1)\n```\nx\n```\n\n"
	  "## File: b (lines 1-1)\n```\ny\n```\n\n"
	  "## File: c (lines 1-1 of 2)\n```\nz\n```\n\n"
	  "## End of files: 3\n\n",
	  "[a 1-1/1 #1]x\n.[b 1-1/1]y\n<not so: it has no hash, and others "
	  "have one>.[c 1-1/2]z\n." },
};

static void
test_read_broken_marked_is_told(void **state)
{
	check(broken, ARRAY_LEN(broken));
}

static const struct reading lies[] = {
	{ "too few lines", "## File: a (lines 1-3)\n```\nx\ny\n```\n\n",
	  "[a 1-3/3]x\ny\n<not so: its header ends with line 3, its content "
	  "with 2>." },
	{ "too many lines", "## File: a (lines 1-1)\n```\nx\ny\n```\n\n",
	  "[a 1-1/1]x\ny\n<not so: its header ends with line 1, its content "
	  "with 2>." },
	{ "a last line without its newline is one",
	  "## File: a (lines 1-2, no newline at end)\n```\nx\ny\n```\n\n",
	  "[a 1-2/2]x\ny." },
	{ "a file with fewer lines than there are",
	  "## File: a (lines 1-2 of 1)\n```\nx\ny\n```\n\n",
	  "[a 1-2/1]x\ny\n<not so: its header has line 2 of a file of 1>." },
	{ "a file with no lines that has one",
	  "## File: a (lines 1-1 of 0)\n```\nx\n```\n\n",
	  "[a 1-1/0]x\n<not so: its header has line 1 of a file of 0>." },
	{ "a gap that is where it should be",
	  "## File: a (lines 1-5)\n```\nx\n// ... (lines 2-4)\ny\n```\n\n",
	  "[a 1-5/5]x\n<gap>y\n." },
	{ "a gap that begins too late",
	  "## File: a (lines 1-5)\n```\nx\n// ... (lines 3-4)\ny\n```\n\n",
	  "[a 1-5/5]x\n<gap>y\n<not so: lines 3-4 are left out at 2>." },
	{ "what is broken off has the lines that it has",
	  "## File: a (lines 1-5)\n```\nx\n\n// ... (the rest is left out: "
	  "changed)\n```\n\n",
	  "[a 1-5/5]x\n\n<gap>." },
	{ "signatures are not lines",
	  "## File: a (lines 1-50, signatures of 9 bytes)\n```\nx\n```\n\n",
	  "[a 1-50/50 signatures]x\n." },
	{ "nor is what has no comments",
	  "## File: a (lines 1-50, without comments)\n```\nx\n```\n\n",
	  "[a 1-50/50 stripped]x\n." },
	{ "numbers that are right",
	  "## File: a (lines 9-10 of 10, numbered)\n```\n9: x\n10: y\n```\n\n",
	  "[a 9-10/10]x\ny\n." },
	{ "a number that is not",
	  "## File: a (lines 9-10 of 10, numbered)\n```\n9: x\n11: y\n```\n\n",
	  "[a 9-10/10]x\ny\n<not so: the number before line 10 is 11>." },
	{ "a number beyond all numbers",
	  "## File: a (lines 1-1, numbered)\n```\n"
	  "99999999999999999999999: x\n```\n\n",
	  "[a 1-1/1]x\n<not so: the number before line 1 is "
	  "200376420520689663>." },
	{ "a number and no line",
	  "## File: a (lines 1-1, numbered, no newline at end)\n```\n1: x\n2\n"
	  "```\n\n",
	  "[a 1-1/1]x\n<not so: it ends within a line's number>." },
	{ "a piece that begins and ends within lines",
	  "## File: a (lines 3-4 of 9, continued within a line, goes on, no "
	  "newline at end)\n```\nx\ny\n```\n\n",
	  "[a 3-4/9 goes-on mid-line]x\ny." },
	{ "one that has a line too many",
	  "## File: a (lines 3-3 of 9, continued within a line, goes on, no "
	  "newline at end)\n```\nx\ny\n```\n\n",
	  "[a 3-3/9 goes-on mid-line]x\ny<not so: its header ends with line "
	  "3, its content with 4>." },
};

static void
test_read_marked_lines_are_counted(void **state)
{
	check(lies, ARRAY_LEN(lies));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_marked_headers_say_what_they_say),
		cmocka_unit_test(test_read_broken_marked_is_told),
		cmocka_unit_test(test_read_marked_lines_are_counted),
	};

	return cmocka_run_group_tests_name("markup/read_marked", tests, NULL,
					   NULL);
}
