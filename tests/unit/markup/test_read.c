/* SPDX-License-Identifier: MIT */
/*
 * test_markup_read.c - what is read back of an output, right or not, is what
 * stands there; and nothing is told of files that nobody could be sure of.
 *
 * verifies: FR-016-135, FR-016-136
 */
#include "tests/support/test_shm.h"

#include "markup/read.h"

#define TOLD_BYTES 8192

/* What the sink was told, as text. */
struct reported {
	char text[TOLD_BYTES];
	size_t nr;
};

static void
add(struct reported *reported, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	reported->nr += (size_t)vsnprintf(reported->text + reported->nr,
					  sizeof(reported->text) - reported->nr,
					  format, values);
	va_end(values);
	ASSERT_TRUE(reported->nr < sizeof(reported->text));
}

static int
file(void *context, const struct markup_file *at)
{
	struct reported *reported = context;

	add(reported, "[%.*s", (int)at->path_bytes, (const char *)at->path);
	if (at->same_as_bytes > 0)
		add(reported, " =%.*s", (int)at->same_as_bytes,
		    (const char *)at->same_as);
	if (at->line_first > 0)
		add(reported, " %llu-%llu/%llu",
		    (unsigned long long)at->line_first,
		    (unsigned long long)at->line_last,
		    (unsigned long long)at->line_nr);
	if (at->has_hash)
		add(reported, " #%u", at->hash);
	if (at->charset[0] != '\0')
		add(reported, " %s", at->charset);
	add(reported, "%s%s%s%s%s%s]", at->empty ? " empty" : "",
	    at->is_changed ? " changed" : "",
	    at->is_signatures ? " signatures" : "",
	    at->is_stripped ? " stripped" : "", at->goes_on ? " goes-on" : "",
	    at->continued == MARKUP_STARTS      ? ""
	    : at->continued == MARKUP_CONTINUED ? " continued"
						: " mid-line");
	return 0;
}

static int
text(void *context, const uint8_t *bytes, size_t nr)
{
	add(context, "%.*s", (int)nr, (const char *)bytes);
	return 0;
}

static int
gap(void *context)
{
	add(context, "<gap>");
	return 0;
}

static int
mismatch(void *context, const char *why)
{
	add(context, "<not so: %s>", why);
	return 0;
}

static int
end(void *context)
{
	add(context, ".");
	return 0;
}

/* Reads a text of any format; what was wrong stands behind what was told. */
static void
read_text(struct reported *reported, const char *bytes, size_t nr)
{
	const struct markup_sink sink = { reported, file,     text,
					  gap,      mismatch, end };
	struct markup_error error = { 0 };
	enum markup_kind kind;
	int result;

	*reported = (struct reported){ .nr = 0 };
	result = markup_detect((const uint8_t *)bytes, nr, &kind);
	if (result != 0) {
		add(reported, "no output");
		return;
	}
	result = markup_read(kind, (const uint8_t *)bytes, nr, &sink, &error);
	if (result != 0)
		add(reported, "! %llu: %s", (unsigned long long)error.line,
		    error.what);
}

struct reading {
	const char *what;
	const char *bytes;
	const char *want;
};

static void
check(const struct reading *readings, size_t nr)
{
	struct reported reported;

	for (size_t i = 0; i < nr; i++) {
		read_text(&reported, readings[i].bytes,
			  strlen(readings[i].bytes));
		if (strcmp(reported.text, readings[i].want) != 0)
			fail_msg("%s: got\n%s\nwant\n%s", readings[i].what,
				 reported.text, readings[i].want);
	}
}

/* ---- JSON as others write it ---- */

#define TWO_FILES "[a 1-2/2 #7]x\ny\n.[b =a]."

static const struct reading layouts[] = {
	{ "as it is written",
	  "{\"bale\":1,\"files\":[\n"
	  "{\"path\":\"a\",\"lines\":[1,2],\"hash\":7,\"chunks\":[\n"
	  "{\"line\":1,\"text\":\"x\\ny\\n\"}]}\n"
	  ",{\"path\":\"b\",\"same_as\":\"a\"}\n]}\n",
	  TWO_FILES },
	{ "in one line",
	  "{\"bale\":1,\"files\":[{\"path\":\"a\",\"lines\":[1,2],\"hash\":7,"
	  "\"chunks\":[{\"line\":1,\"text\":\"x\\ny\\n\"}]},{\"path\":\"b\","
	  "\"same_as\":\"a\"}]}",
	  TWO_FILES },
	{ "with blanks and a byte order mark",
	  "\xef\xbb\xbf \r\n{ \"bale\" : 1 ,\t\"files\" : [ { \"path\" : \"a\" "
	  ", \"lines\" : [ 1 , 2 ] , \"hash\" : 7 , \"chunks\" : [ { \"line\" "
	  ": 1 , \"text\" : \"x\\ny\\n\" } ] } , { \"path\" : \"b\" , "
	  "\"same_as\" : \"a\" } ] } \n",
	  TWO_FILES },
	{ "keys in any order",
	  "{\"tree\":\"{\\\"files\\\":[]}\",\"files\":[{\"chunks\":[{\"text\":"
	  "\"x\\n\",\"line\":1},{\"text\":\"y\\n\",\"line\":2}],\"hash\":7,"
	  "\"lines\":[1,2],\"path\":\"a\"},{\"same_as\":\"a\",\"path\":\"b\"}"
	  "],\"bale\":1}",
	  TWO_FILES },
	{ "escaped as far as it goes",
	  "{\"\\u0066iles\":[{\"\\u0070ath\":\"\\u0061\",\"lines\":[1,2],"
	  "\"hash\":7,\"chunks\":[{\"text\":\"\\u0078\\u000a\\u0079\\u000A\"}"
	  "]},{\"path\":\"b\",\"same\\u005fas\":\"a\"}]}",
	  TWO_FILES },
	{ "with what we do not know around the files",
	  "{\"x\":[{},[],\"\",1.5e-3,-0,true,null,{\"files\":[1]}],\"files\":["
	  "{\"path\":\"a\",\"lines\":[1,2],\"hash\":7,\"chunks\":[{\"text\":"
	  "\"x\\ny\\n\"}]},{\"path\":\"b\",\"same_as\":\"a\",\"empty\":false,"
	  "\"chunks\":null}],\"a key of more than thirty-one bytes\":{\"path\":"
	  "\"no\"},\"part\\u0000\":\"z\"}",
	  TWO_FILES },
	{ "with all that is known of a file and says nothing of its bytes",
	  "{\"files\":[{\"path\":\"a\",\"language\":\"c\",\"in_part\":true,"
	  "\"lines\":[1,2],\"hash\":7,\"characters\":[\"bidi\"],\"chunks\":[{"
	  "\"text\":\"x\\ny\\n\"}]},{\"path\":\"b\",\"same_as\":\"a\"}]}",
	  TWO_FILES },
	{ "the same in XML",
	  "<bale x=\"y\"><files><file path=\"a\" language=\"c\" in-part=\"yes\" "
	  "lines=\"1-2\" hash=\"7\" characters=\"bidi\">x\ny\n</file><file "
	  "path=\"b\" same-as=\"a\"/></files></bale>",
	  TWO_FILES },
	{ "lines",
	  "{\"path\":\"a\",\"lines\":[1,2],\"hash\":7,\"chunks\":[{\"line\":1,"
	  "\"text\":\"x\\ny\\n\"}]}\n{\"path\":\"b\",\"same_as\":\"a\"}\n"
	  "{\"end\":2}\n{\"tree\":\"a\"}\n",
	  TWO_FILES },
	{ "lines with a first line, keys in any order",
	  "{\"header\":\"h\",\"bale\":1}\n{\"chunks\":[{\"text\":\"x\\ny\\n\","
	  "\"line\":1}],\"path\":\"a\",\"hash\":7,\"lines\":[1,2]}\n"
	  "{\"same_as\":\"a\",\"path\":\"b\"}\n{\"end\":2}",
	  TWO_FILES },
	{ "lines that are a part",
	  "{\"bale\":1,\"part\":2,\"of\":7,\"header\":\"h\"}\n{\"path\":\"a\","
	  "\"lines\":[1,2],\"hash\":7,\"chunks\":[{\"line\":1,\"text\":"
	  "\"x\\ny\\n\"}]}\n{\"path\":\"b\",\"same_as\":\"a\"}\n{\"end\":2}\n"
	  "{\"git_log\":\"a\"}\n",
	  TWO_FILES },
	{ "surrogates, and a byte that is none",
	  "{\"path\":\"a\",\"lines\":[1,1],\"chunks\":[{\"text\":"
	  "\"\\ud83d\\ude00\\udcff\"}]}",
	  "[a 1-1/1]\xf0\x9f\x98\x80\xff." },
};

/* What a header says of a file, in each of the formats. */
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
	{ "signatures",
	  "## File: a (lines 1-1, signatures of 70 bytes)\n```\nx\n```\n\n",
	  "[a 1-1/1 signatures]x\n." },
	{ "signatures in JSON",
	  "{\"path\":\"a\",\"lines\":[1,1],\"signatures_of\":70,"
	  "\"chunks\":[{\"text\":\"x\\n\"}]}",
	  "[a 1-1/1 signatures]x\n." },
	{ "numbers of any form in JSON",
	  "{\"x\":[10,-100.050e+200,0.0E-00],\"files\":[{\"path\":\"a\","
	  "\"empty\":true}]}",
	  "[a empty]." },
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
test_read_headers_say_what_they_say(void **state)
{
	check(headers, ARRAY_LEN(headers));
}

static void
test_read_json_in_any_layout(void **state)
{
	check(layouts, ARRAY_LEN(layouts));
}

static const struct reading broken[] = {
	{ "a key twice",
	  "{\"path\":\"a\",\"lines\":[1,1],\"chunks\":[{\"text\":\"x\\n\"}],"
	  "\"chunks\":[{\"text\":\"y\\n\"}]}",
	  "! 1: a key that is given twice" },
	{ "a text twice",
	  "{\"path\":\"a\",\"lines\":[1,1],\"chunks\":[{\"text\":\"x\\n\","
	  "\"text\":\"y\\n\"}]}",
	  "[a 1-1/1]x\n! 1: a key that is given twice" },
	{ "files twice",
	  "{\"files\":[{\"path\":\"a\",\"empty\":true}],\n\"files\":[]}",
	  "[a empty].! 2: a key that is given twice" },
	{ "no files", "{\"bale\":1,\"files\":[]}",
	  "! 1: there is no file in it" },
	{ "no files at all", "{\"bale\":1}", "! 1: there is no file in it" },
	{ "a line without files", "{\"bale\":1}\n{\"end\":0}\n",
	  "! 3: there is no file in it" },
	{ "nor a line of ours", "{\"tree\":\"a\"}\n{\"end\":0}\n",
	  "no output" },
	{ "content, and none",
	  "{\"path\":\"a\",\"empty\":true,\"lines\":[1,1],"
	  "\"chunks\":[]}",
	  "! 1: a file of no kind" },
	{ "content, and another's",
	  "{\"path\":\"a\",\"same_as\":\"b\",\"lines\":[1,1],\"chunks\":[]}",
	  "! 1: a file of no kind" },
	{ "chunks without lines", "{\"path\":\"a\",\"chunks\":[]}",
	  "! 1: a file of no kind" },
	{ "lines without chunks", "{\"path\":\"a\",\"lines\":[1,1]}",
	  "! 1: a file of no kind" },
	{ "neither", "{\"path\":\"a\"}", "! 1: a file of no kind" },
	{ "a file without a path", "{\"files\":[{\"empty\":true}]}",
	  "! 1: a file without a path" },
	{ "a line of a file without a path",
	  "{\"bale\":1}\n{\"qath\":\"a\",\"empty\":true}\n"
	  "{\"path\":\"b\",\"empty\":true}\n",
	  "! 2: a file without a path" },
	{ "a line of a reference without one",
	  "{\"path\":\"b\",\"empty\":true}\n{\"qath\":\"a\",\"same_as\":"
	  "\"b\"}\n",
	  "[b empty].! 2: a file without a path" },
	{ "a line of content without one",
	  "{\"bale\":1}\n{\"lines\":[1,1],\"chunks\":[{\"text\":\"x\"}]}\n",
	  "! 2: a file without a path" },
	{ "a number of no kind", "{\"files\":[{\"path\":\"a\",\"x\":1.}]}",
	  "! 1: a value of no kind" },
	{ "a bracket of another", "{\"files\":[{\"path\":\"a\",\"x\":[}}]}",
	  "! 1: a value of no kind" },
	{ "half a pair", "{\"path\":\"\\ud800\\u0041\",\"empty\":true}",
	  "! 1: an escape of no kind" },
	{ "text behind the end",
	  "{\"files\":[{\"path\":\"a\",\"empty\":true}]}\n{}",
	  "[a empty].! 2: text behind the end" },
	{ "a file behind the end",
	  "{\"path\":\"a\",\"empty\":true}\n{\"end\":1}\n"
	  "{\"path\":\"b\",\"empty\":true}\n",
	  "[a empty].! 3: a file behind the end" },
	{ "too few files", "{\"path\":\"a\",\"empty\":true}\n{\"end\":2}\n",
	  "[a empty].! 3: there are files missing in it" },
	{ "too few files in a document",
	  "{\"files\":[{\"path\":\"a\",\"empty\":true}],\"end\":2}",
	  "[a empty].! 1: there are files missing in it" },
	{ "a document whose end comes first",
	  "{\"end\":1,\"bale\":1,\"files\":[{\"path\":\"a\",\"empty\":"
	  "true}]}",
	  "[a empty]." },
	{ "a document with two ends",
	  "{\"files\":[{\"path\":\"a\",\"empty\":true}],\"end\":1,"
	  "\"end\":1}",
	  "[a empty].! 1: a key that is given twice" },
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
	{ "no end, where there was one",
	  "{\"path\":\"a\",\"lines\":[1,1],\"hash\":1,\"chunks\":[{\"text\":"
	  "\"x\\n\"}]}",
	  "[a 1-1/1 #1]x\n.! 1: the end of its files is missing" },
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
	{ "a text in front that begins as JSON does",
	  "{\"x\":1} [\n\n## File: a (empty)\n\n", "[a empty]." },
	{ "a text in front that begins as XML does",
	  "<?xml?>\n<x>\n## File: a (empty)\n\n", "[a empty]." },
	{ "a text in front that is indented, as a header of the other is not",
	  " ## File: b (empty)\n\n======== File: a (empty)\n\n", "[a empty]." },
	{ "JSON cut off", "{\"bale\":1,\"fil", "! 1: a string without end" },
	{ "nothing of ours", "text\n", "no output" },
	{ "nothing", "", "no output" },
};

static void
test_read_what_is_broken_is_told(void **state)
{
	check(broken, ARRAY_LEN(broken));
}

/* ---- headers that lie about their lines ---- */

#define UNKNOWN \
	"<not so: its header has a word that this version does not know>"

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
	{ "the same in XML",
	  "<bale><files><file path=\"a\" lines=\"1-1\" of=\"0\">x\n</file>"
	  "</files></bale>",
	  "[a 1-1/0]x\n<not so: its header has line 1 of a file of 0>." },
	{ "the same in JSON",
	  "{\"path\":\"a\",\"lines\":[1,1],\"of\":0,\"chunks\":[{\"text\":"
	  "\"x\\n\"}]}",
	  "[a 1-1/0]x\n<not so: its header has line 1 of a file of 0>." },
	{ "a key that is none of ours",
	  "{\"path\":\"a\",\"lines\":[1,1],\"grom\":\"UTF-16LE\",\"chunks\":[{"
	  "\"text\":\"x\\n\"}]}",
	  "[a 1-1/1]x\n" UNKNOWN "." },
	{ "one that begins as one of ours, and has a NUL",
	  "{\"files\":[{\"path\":\"a\",\"from\\u0000\":\"UTF-16LE\",\"lines\":"
	  "[1,1],\"chunks\":[{\"text\":\"x\\n\"}]}]}",
	  "[a 1-1/1]x\n" UNKNOWN "." },
	{ "a long one, and it is denied; the next file has none",
	  "{\"files\":[{\"path\":\"a\",\"a key of more than thirty-one bytes\":"
	  "null,\"empty\":true},{\"path\":\"b\",\"empty\":true}]}",
	  "[a empty]" UNKNOWN ".[b empty]." },
	{ "a reference with one",
	  "{\"path\":\"a\",\"same_as\":\"b\",\"goes_off\":true}",
	  "[a =b]" UNKNOWN "." },
	{ "an attribute that is none of ours",
	  "<bale><files><file path=\"a\" lines=\"1-1\" grom=\"UTF-16LE\">x\n"
	  "</file><file path=\"b\" empty=\"yes\"/></files></bale>",
	  "[a 1-1/1]x\n" UNKNOWN ".[b empty]." },
	{ "an attribute of a reference",
	  "<bale><files><file path=\"a\" same-as=\"b\" x=\"\"/></files></bale>",
	  "[a =b]" UNKNOWN "." },
	{ "a chunk's key that is none of ours",
	  "{\"path\":\"a\",\"lines\":[1,1],\"chunks\":[{\"text\":\"x\"},{"
	  "\"croken\":\"changed\",\"text\":\"\"}]}",
	  "[a 1-1/1]x<not so: a chunk has a word that this version does not "
	  "know>." },
	{ "a gap that is where it should be",
	  "## File: a (lines 1-5)\n```\nx\n// ... (lines 2-4)\ny\n```\n\n",
	  "[a 1-5/5]x\n<gap>y\n." },
	{ "a gap that begins too late",
	  "## File: a (lines 1-5)\n```\nx\n// ... (lines 3-4)\ny\n```\n\n",
	  "[a 1-5/5]x\n<gap>y\n<not so: lines 3-4 are left out at 2>." },
	{ "a gap in XML that begins too early",
	  "<bale><files><file path=\"a\" lines=\"1-5\">x\n<gap lines=\"1-4\"/>"
	  "y\n</file></files></bale>",
	  "[a 1-5/5]x\n<gap>y\n<not so: lines 1-4 are left out at 2>." },
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
	{ "a number and its colon and no line",
	  "{\"path\":\"a\",\"lines\":[1,1],\"numbered\":true,\"chunks\":[{"
	  "\"text\":\"1: x\\n2:\"}]}",
	  "[a 1-1/1]x\n<not so: it ends within a line's number>." },
	{ "a chunk of another line",
	  "{\"path\":\"a\",\"lines\":[1,2],\"chunks\":[{\"line\":1,\"text\":"
	  "\"x\\n\"},{\"text\":\"y\\n\",\"line\":3}]}",
	  "[a 1-2/2]x\ny\n<not so: a chunk says line 3, and is of 2>." },
	{ "a piece that begins and ends within lines",
	  "## File: a (lines 3-4 of 9, continued within a line, goes on, no "
	  "newline at end)\n```\nx\ny\n```\n\n",
	  "[a 3-4/9 goes-on mid-line]x\ny." },
	{ "one that has a line too many",
	  "## File: a (lines 3-3 of 9, continued within a line, goes on, no "
	  "newline at end)\n```\nx\ny\n```\n\n",
	  "[a 3-3/9 goes-on mid-line]x\ny<not so: its header ends with line "
	  "3, its content with 4>." },
	{ "no lines",
	  "<bale><files><file path=\"a\" lines=\"1-1\"></file></files></bale>",
	  "[a 1-1/1]<not so: its header ends with line 1, its content with "
	  "0>." },
};

static void
test_read_lines_are_counted(void **state)
{
	check(lies, ARRAY_LEN(lies));
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
		cmocka_unit_test(test_read_headers_say_what_they_say),
		cmocka_unit_test(test_read_json_in_any_layout),
		cmocka_unit_test(test_read_what_is_broken_is_told),
		cmocka_unit_test(test_read_lines_are_counted),
		cmocka_unit_test(test_read_no_name_may_be_another),
		cmocka_unit_test(test_read_part_is_one_that_there_can_be),
		cmocka_unit_test(test_read_cut_at_every_byte_is_never_whole),
	};

	return cmocka_run_group_tests_name("markup/read", tests, NULL, NULL);
}
