/* SPDX-License-Identifier: MIT */
/*
 * test_read.c - what is read back of an output, right or not, is what
 * stands there; and nothing is told of files that nobody could be sure of.
 *
 * verifies: FR-016-135, FR-016-136
 */
#include "tests/support/test_markup_told.h"

static const struct reading broken[] = {
	{ "a text in front that begins as JSON does",
	  "{\"x\":1} [\n\n## File: a (empty)\n\n", "[a empty]." },
	{ "a text in front that begins as XML does",
	  "<?xml?>\n<x>\n## File: a (empty)\n\n", "[a empty]." },
	{ "a text in front that is indented, as a header of the other is not",
	  " ## File: b (empty)\n\n======== File: a (empty)\n\n", "[a empty]." },
	{ "nothing of ours", "text\n", "no output" },
	{ "nothing", "", "no output" },
};

static void
test_read_what_is_broken_is_told(void **state)
{
	check(broken, ARRAY_LEN(broken));
}

/* Whether a byte is of a name: of a key, an attribute or an element. */
static bool
is_of_name(const char *text, size_t at)
{
	size_t end = at;
	size_t begin = at;

	while (text[end] >= 'a' && text[end] <= 'z')
		end++;
	while (begin > 0 && text[begin - 1] >= 'a' && text[begin - 1] <= 'z')
		begin--;
	return end > at && (strncmp(text + end, "\":", 2) == 0 ||
			    strncmp(text + end, "=\"", 2) == 0 ||
			    (begin > 0 && text[begin - 1] == '<'));
}

static void
test_read_no_name_may_be_another(void **state)
{
	static const char *const wholes[] = {
		"{\"files\":[{\"path\":\"a\",\"language\":\"c\",\"lines\":[1,2],"
		"\"from\":\"UTF-16LE\",\"numbered\":true,\"characters\":["
		"\"bidi\"],\"hash\":7,\"chunks\":[{\"line\":1,\"text\":\"1: x\\n"
		"2: y\\n\"}]}]}",
		"{\"path\":\"a\",\"from\":\"UTF-16LE\",\"lines\":[1,2],\"chunks\""
		":[{\"text\":\"x\"},{\"broken\":\"\",\"text\":\"\\ny\"}]}",
		"{\"path\":\"a\",\"empty\":true}",
		"{\"path\":\"a\",\"empty\":true}\n"
		"{\"path\":\"b\",\"same_as\":\"a\"}",
		"<bale><files><file path=\"a\" language=\"c\" lines=\"1-2\" "
		"from=\"UTF-16LE\" numbered=\"yes\" characters=\"bidi\" "
		"hash=\"7\">1: x\n2: y\n</file>\n<file path=\"b\" empty=\"yes\"/>"
		"<file path=\"c\" same-as=\"a\"/></files></bale>",
	};
	char changed[512];
	struct reported reported;

	for (size_t i = 0; i < ARRAY_LEN(wholes); i++) {
		for (size_t at = 0; at < strlen(wholes[i]); at++) {
			if (!is_of_name(wholes[i], at))
				continue;
			snprintf(changed, sizeof(changed), "%s", wholes[i]);
			changed[at] = changed[at] == 'q' ? 'x' : 'q';
			read_text(&reported, changed, strlen(changed));
			if (strstr(reported.text, "<not so: ") == NULL &&
			    strstr(reported.text, "<gap>") == NULL &&
			    strstr(reported.text, "! ") == NULL &&
			    strcmp(reported.text, "no output") != 0)
				fail_msg("%s gives\n%s", changed,
					 reported.text);
		}
	}
}

/* ---- parts ---- */

static const struct {
	const char *bytes;
	int result;
	uint64_t number;
	uint64_t nr;
} parts[] = {
	{ "Part 2 of 7\n\n", 0, 2, 7 },
	{ "\xef\xbb\xbfPart 2 of 7\n\n", 0, 2, 7 },
	{ "Part 7 of 7\n", 0, 7, 7 },
	{ "Part 0 of 0\n", -EBADMSG, 0, 0 },
	{ "Part 0 of 7\n", -EBADMSG, 0, 0 },
	{ "Part 8 of 7\n", -EBADMSG, 0, 0 },
	{ "Part 1 of 99999999999999999999\n", -EBADMSG, 0, 0 },
	{ "Part 99999999999999999999 of 1\n", -EBADMSG, 0, 0 },
	{ "Part 1 of 2 of it\n", 0, 0, 0 },
	{ "Part of 2\n", 0, 0, 0 },
	{ "text\nPart 1 of 2\n", 0, 0, 0 },
	{ "", 0, 0, 0 },
	{ "<bale part=\"2\" of=\"7\">\n", 0, 2, 7 },
	{ "<?xml version=\"1.0\"?>\n<bale of=\"7\" x=\"\" part=\"2\">\n", 0, 2,
	  7 },
	{ "<bale>\n<files>", 0, 0, 0 },
	{ "<bale part=\"2\">\n", -EBADMSG, 0, 0 },
	{ "<bale part=\"0\" of=\"0\">\n", -EBADMSG, 0, 0 },
	{ "<bale part=\"2\" part=\"3\" of=\"7\">\n", -EBADMSG, 0, 0 },
	{ "<bale part=\"two\" of=\"7\">\n", -EBADMSG, 0, 0 },
	{ "{\"bale\":1,\"part\":2,\"of\":7,\"files\":[", 0, 2, 7 },
	{ "{\"bale\":1,\"part\":2,\"of\":7}\n{\"path\":\"a\"}", 0, 2, 7 },
	{ "{\"files\":[{\"path\":\"a\",\"of\":3}],\"of\":7,\"part\":2}", 0, 2,
	  7 },
	{ "{\"bale\":1,\"part\":0,\"of\":0}", -EBADMSG, 0, 0 },
	{ "{\"bale\":1,\"of\":7,\"files\":[]}", -EBADMSG, 0, 0 },
	{ "{\"bale\":1,\"part\":\"2\",\"of\":7}", -EBADMSG, 0, 0 },
	{ "{\"of\":120,\"path\":\"a\"}", 0, 0, 0 },
	{ "{\"path\":\"a\",\"of\":120}", 0, 0, 0 },
	{ "{\"bale\":1}", 0, 0, 0 },
};

static void
test_read_part_is_one_that_there_can_be(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct markup_part part = { 99, 99 };
		int result = markup_read_part((const uint8_t *)parts[i].bytes,
					      strlen(parts[i].bytes), &part);

		if (result != parts[i].result ||
		    part.number != parts[i].number || part.nr != parts[i].nr)
			fail_msg("%s: got %d, part %llu of %llu",
				 parts[i].bytes, result,
				 (unsigned long long)part.number,
				 (unsigned long long)part.nr);
	}
}

/* ---- what is cut off ---- */

/* Whether each file that was told to its end is one of the whole. */
static void
check_cut(const char *whole, size_t nr)
{
	struct reported all;
	struct reported cut;

	read_text(&all, whole, strlen(whole));
	read_text(&cut, whole, nr);
	/* what is told of the start is what is told of the whole, and then
	 * that it is cut off */
	for (size_t i = 0; i < cut.nr; i++) {
		if (cut.text[i] == all.text[i])
			continue;
		if (strncmp(cut.text + i, "! ", 2) != 0 &&
		    strcmp(cut.text, "no output") != 0)
			fail_msg("%zu bytes of\n%s\ngive\n%s", nr, whole,
				 cut.text);
		return;
	}
	if (cut.nr < all.nr)
		fail_msg("%zu bytes of\n%s\nare a whole", nr, whole);
}

static void
test_read_cut_at_every_byte_is_never_whole(void **state)
{
	static const char *const wholes[] = {
		"## File: a (lines 1-1, hash 1)\n```\nx\n```\n\n"
		"## File: b (same as a)\n\n## End of files: 2\n\n",
		"======== File: a (lines 1-1, hash 1)\nx\n========\n\n"
		"======== File: b (empty)\n\n======== End of files: 2\n\n",
		"<bale>\n<files>\n<file path=\"a\" lines=\"1-1\" hash=\"1\">"
		"<![CDATA[x\n]]></file>\n<file path=\"b\" empty=\"yes\"/>\n"
		"</files>\n<end files=\"2\"/>\n</bale>",
		"{\"bale\":1,\"files\":[\n{\"path\":\"a\",\"lines\":[1,1],"
		"\"hash\":1,\"chunks\":[\n{\"line\":1,\"text\":\"x\\n\"}]}\n,"
		"{\"path\":\"b\",\"empty\":true}\n],\"end\":2}",
		"{\"path\":\"a\",\"lines\":[1,1],\"hash\":1,\"chunks\":["
		"{\"line\":1,\"text\":\"x\\n\"}]}\n"
		"{\"path\":\"b\",\"empty\":true}\n{\"end\":2}",
	};

	for (size_t i = 0; i < ARRAY_LEN(wholes); i++)
		for (size_t nr = 0; nr < strlen(wholes[i]); nr++)
			check_cut(wholes[i], nr);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_what_is_broken_is_told),
		cmocka_unit_test(test_read_no_name_may_be_another),
		cmocka_unit_test(test_read_part_is_one_that_there_can_be),
		cmocka_unit_test(test_read_cut_at_every_byte_is_never_whole),
	};

	return cmocka_run_group_tests_name("markup/read", tests, NULL, NULL);
}
