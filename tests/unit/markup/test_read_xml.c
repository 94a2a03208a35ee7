/* SPDX-License-Identifier: MIT */
/*
 * test_read_xml.c - what is read back of XML.
 *
 * verifies: FR-016-135, FR-016-136
 */
#include "tests/support/test_markup_told.h"

#define TWO_FILES "[a 1-2/2 #7]x\ny\n.[b =a]."

static const struct reading layouts[] = {
	{ "the same in XML",
	  "<bale x=\"y\"><files><file path=\"a\" language=\"c\" in-part=\"yes\" "
	  "lines=\"1-2\" hash=\"7\" characters=\"bidi\" also=\"c, d>e\">x\ny\n"
	  "</file><file "
	  "path=\"b\" same-as=\"a\"/></files></bale>",
	  TWO_FILES },
};

static void
test_read_xml_in_any_layout(void **state)
{
	check(layouts, ARRAY_LEN(layouts));
}

static const struct reading headers[] = {
	{ "signatures in XML",
	  "<bale><files><file path=\"a\" lines=\"1-1\" "
	  "signatures-of=\"70\">x\n</file></files></bale>",
	  "[a 1-1/1 signatures]x\n." },
	{ "none in XML",
	  "<bale><files><file path=\"a\" lines=\"1-1\" "
	  "goes-on=\"yes\" from=\"X\">x\n</file></files></bale>",
	  "[a 1-1/1 X goes-on]x\n." },
};

static void
test_read_xml_headers_say_what_they_say(void **state)
{
	check(headers, ARRAY_LEN(headers));
}

static const struct reading broken[] = {
	{ "too few files in XML",
	  "<bale>\n<files>\n<file path=\"a\" empty=\"yes\"/>\n</files>\n"
	  "<end files=\"2\"/>\n</bale>\n",
	  "[a empty].! 6: there are files missing in it" },
	{ "an end in XML as another program writes it",
	  "<bale><files><file path=\"a\" empty=\"yes\"/></files>"
	  "<end  files=\"1\" /></bale>",
	  "[a empty]." },
	{ "an end in XML without a number",
	  "<bale><files><file path=\"a\" empty=\"yes\"/></files>"
	  "<end files=\"\"/></bale>",
	  "[a empty].! 1: an end of no kind" },
	{ "no files in XML", "<bale>\n<files>\n</files>\n</bale>\n",
	  "! 4: there is no file in it" },
	{ "an attribute twice",
	  "<bale><files><file path=\"a\" path=\"b\" empty=\"yes\"/></files>"
	  "</bale>",
	  "! 1: an attribute of no kind" },
	{ "a path by two names",
	  "<bale><files><file path=\"a\" path-quoted=\"&quot;b&quot;\" "
	  "empty=\"yes\"/></files></bale>",
	  "! 1: an attribute of no kind" },
	{ "XML with content, and another's",
	  "<bale><files><file path=\"a\" same-as=\"b\" lines=\"1-1\">x\n"
	  "</file></files></bale>",
	  "! 1: a file of no kind" },
};

static void
test_read_broken_xml_is_told(void **state)
{
	check(broken, ARRAY_LEN(broken));
}

static const struct reading lies[] = {
	{ "the same in XML",
	  "<bale><files><file path=\"a\" lines=\"1-1\" of=\"0\">x\n</file>"
	  "</files></bale>",
	  "[a 1-1/0]x\n<not so: its header has line 1 of a file of 0>." },
	{ "an attribute that is none of ours",
	  "<bale><files><file path=\"a\" lines=\"1-1\" grom=\"UTF-16LE\">x\n"
	  "</file><file path=\"b\" empty=\"yes\"/></files></bale>",
	  "[a 1-1/1]x\n" UNKNOWN ".[b empty]." },
	{ "an attribute of a reference",
	  "<bale><files><file path=\"a\" same-as=\"b\" x=\"\"/></files></bale>",
	  "[a =b]" UNKNOWN "." },
	{ "a gap in XML that begins too early",
	  "<bale><files><file path=\"a\" lines=\"1-5\">x\n<gap lines=\"1-4\"/>"
	  "y\n</file></files></bale>",
	  "[a 1-5/5]x\n<gap>y\n<not so: lines 1-4 are left out at 2>." },
	{ "no lines",
	  "<bale><files><file path=\"a\" lines=\"1-1\"></file></files></bale>",
	  "[a 1-1/1]<not so: its header ends with line 1, its content with "
	  "0>." },
};

static void
test_read_xml_lines_are_counted(void **state)
{
	check(lies, ARRAY_LEN(lies));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_xml_in_any_layout),
		cmocka_unit_test(test_read_xml_headers_say_what_they_say),
		cmocka_unit_test(test_read_broken_xml_is_told),
		cmocka_unit_test(test_read_xml_lines_are_counted),
	};

	return cmocka_run_group_tests_name("markup/read_xml", tests, NULL,
					   NULL);
}
