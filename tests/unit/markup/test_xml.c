/* SPDX-License-Identifier: MIT */
/*
 * test_xml.c - elements by hand; values and names that XML cannot say as they
 * are.
 */
#include "tests/support/test_shm.h"

#include "markup/markup.h"

static char bytes[4096];
static struct markup_text text;

static void
begin(void)
{
	memset(bytes, 0, sizeof(bytes));
	text = (struct markup_text){ .at = bytes, .room = sizeof(bytes) - 1 };
}

static void
check_open(const struct markup_options *options,
	   const struct markup_section *section, const char *want)
{
	begin();
	markup_xml.open(&text, options, section);
	assert_string_equal(bytes, want);
}

static void
test_xml_files_have_what_is_known_of_them(void **state)
{
	const struct markup_options options = { .kind = MARKUP_XML };
	const struct markup_options numbered = { .kind = MARKUP_XML,
						 .numbers = true };
	struct markup_section section = {
		.name = (const uint8_t *)"a&\"<.c",
		.name_bytes = 6,
		.hint = "c",
		.hint_bytes = 1,
		.line_first = 1,
		.line_last = 9,
		.line_nr = 9,
	};

	check_open(&options, &section,
		   "<file path=\"a&amp;&quot;&lt;.c\" language=\"c\" "
		   "lines=\"1-9\"><![CDATA[");
	section.line_last = 8;
	section.charset = "UTF-16LE";
	section.traits = MARKUP_HAS_CONTROL | MARKUP_HAS_BIDI;
	section.continued = MARKUP_CONTINUED;
	section.goes_on = true;
	check_open(&numbered, &section,
		   "<file path=\"a&amp;&quot;&lt;.c\" language=\"c\" "
		   "lines=\"1-8\" of=\"9\" from=\"UTF-16LE\" numbered=\"yes\" "
		   "characters=\"control bidi\" continued=\"yes\" "
		   "goes-on=\"yes\"><![CDATA[");
	section = (struct markup_section){ .name = (const uint8_t *)"e",
					   .name_bytes = 1,
					   .empty = true };
	check_open(&options, &section, "<file path=\"e\" empty=\"yes\"/>\n");
	section.same_path = "d";
	section.same_as = (const uint8_t *)"d";
	section.same_as_bytes = 1;
	check_open(&options, &section, "<file path=\"e\" same-as=\"d\"/>\n");
}

/* Quoted as in C; what cannot be seen is a reference. */
static void
test_xml_names_that_it_cannot_say_are_quoted(void **state)
{
	const struct markup_options options = { .kind = MARKUP_XML };
	struct markup_section section = {
		.name = (const uint8_t *)"a\nb",
		.name_bytes = 3,
		.path = "\"a\\nb\"",
		.empty = true,
	};

	check_open(&options, &section,
		   "<file path-quoted=\"&quot;a\\nb&quot;\" empty=\"yes\"/>\n");
	section.name = (const uint8_t *)"a\xff";
	section.name_bytes = 2;
	section.path = "\"a\\377\"";
	check_open(&options, &section,
		   "<file path-quoted=\"&quot;a\\377&quot;\" "
		   "empty=\"yes\"/>\n");
	section.name = (const uint8_t *)"a\xe2\x80\xae"; /* U+202E */
	section.name_bytes = 4;
	check_open(&options, &section,
		   "<file path=\"a&#x202e;\" empty=\"yes\"/>\n");
	section.name = (const uint8_t *)"\xc3\xa4";
	section.name_bytes = 2;
	check_open(&options, &section,
		   "<file path=\"\xc3\xa4\" empty=\"yes\"/>\n");
}

static void
test_xml_around_files_is_as_written(void **state)
{
	const struct markup_options options = {
		.kind = MARKUP_XML,
		.header = "a]]>b",
		.header_bytes = 5,
		.hashes = true,
	};
	const struct markup_section none = { 0 };

	begin();
	markup_xml.begin(&text, &options,
			 &(struct markup_part){ .number = 1, .nr = 2 });
	assert_string_equal(bytes, "<bale part=\"1\" of=\"2\">\n"
				   "<header><![CDATA[a]]]]><![CDATA[>b]]>"
				   "</header>\n<files>\n");
	begin();
	markup_xml.files_end(&text, &options, 7);
	markup_extra_open(&text, &markup_xml, MARKUP_GIT_LOG, 0);
	markup_extra_close(&text, &markup_xml, MARKUP_GIT_LOG, 0);
	markup_end(&text, &markup_xml);
	assert_string_equal(bytes, "</files>\n<end files=\"7\"/>\n"
				   "<git-log><![CDATA[]]></git-log>\n"
				   "</bale>\n");
	begin();
	markup_xml.gap(&text, &none, 2, 8);
	markup_xml.broken(&text, &none, "<gone>");
	markup_close(&text, &markup_xml, &none, true);
	assert_string_equal(bytes, "]]><gap lines=\"2-8\"/><![CDATA["
				   "]]><broken reason=\"&lt;gone>\"/><![CDATA["
				   "]]></file>\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_xml_files_have_what_is_known_of_them),
		cmocka_unit_test(test_xml_names_that_it_cannot_say_are_quoted),
		cmocka_unit_test(test_xml_around_files_is_as_written),
	};

	return cmocka_run_group_tests_name("markup/xml", tests, NULL, NULL);
}
