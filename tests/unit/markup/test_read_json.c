/* SPDX-License-Identifier: MIT */
/*
 * test_read_json.c - what is read back of JSON and lines of JSON.
 *
 * verifies: FR-016-135, FR-016-136
 */
#include "tests/support/test_markup_told.h"

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
	  "\"lines\":[1,2],\"hash\":7,\"characters\":[\"bidi\"],\"also\":["
	  "\"c\",\"d\"],\"also_others\":true,\"chunks\":[{"
	  "\"text\":\"x\\ny\\n\"}]},{\"path\":\"b\",\"same_as\":\"a\"}]}",
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

static void
test_read_json_in_any_layout(void **state)
{
	check(layouts, ARRAY_LEN(layouts));
}

static const struct reading headers[] = {
	{ "signatures in JSON",
	  "{\"path\":\"a\",\"lines\":[1,1],\"signatures_of\":70,"
	  "\"chunks\":[{\"text\":\"x\\n\"}]}",
	  "[a 1-1/1 signatures]x\n." },
	{ "numbers of any form in JSON",
	  "{\"x\":[10,-100.050e+200,0.0E-00],\"files\":[{\"path\":\"a\","
	  "\"empty\":true}]}",
	  "[a empty]." },
};

static void
test_read_json_headers_say_what_they_say(void **state)
{
	check(headers, ARRAY_LEN(headers));
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
	{ "no end, where there was one",
	  "{\"path\":\"a\",\"lines\":[1,1],\"hash\":1,\"chunks\":[{\"text\":"
	  "\"x\\n\"}]}",
	  "[a 1-1/1 #1]x\n.! 1: the end of its files is missing" },
	{ "JSON cut off", "{\"bale\":1,\"fil", "! 1: a string without end" },
};

static void
test_read_broken_json_is_told(void **state)
{
	check(broken, ARRAY_LEN(broken));
}

static const struct reading lies[] = {
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
	{ "a chunk's key that is none of ours",
	  "{\"path\":\"a\",\"lines\":[1,1],\"chunks\":[{\"text\":\"x\"},{"
	  "\"croken\":\"changed\",\"text\":\"\"}]}",
	  "[a 1-1/1]x<not so: a chunk has a word that this version does not "
	  "know>." },
	{ "a number and its colon and no line",
	  "{\"path\":\"a\",\"lines\":[1,1],\"numbered\":true,\"chunks\":[{"
	  "\"text\":\"1: x\\n2:\"}]}",
	  "[a 1-1/1]x\n<not so: it ends within a line's number>." },
	{ "a chunk of another line",
	  "{\"path\":\"a\",\"lines\":[1,2],\"chunks\":[{\"line\":1,\"text\":"
	  "\"x\\n\"},{\"text\":\"y\\n\",\"line\":3}]}",
	  "[a 1-2/2]x\ny\n<not so: a chunk says line 3, and is of 2>." },
};

static void
test_read_json_lines_are_counted(void **state)
{
	check(lies, ARRAY_LEN(lies));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_json_in_any_layout),
		cmocka_unit_test(test_read_json_headers_say_what_they_say),
		cmocka_unit_test(test_read_broken_json_is_told),
		cmocka_unit_test(test_read_json_lines_are_counted),
	};

	return cmocka_run_group_tests_name("markup/read_json", tests, NULL,
					   NULL);
}
