/* SPDX-License-Identifier: MIT */
/*
 * test_chat_scan.c - where the elements of an array lie, against jansson: the
 * text of each is the element, and no blanks are around it.
 */
#include "tests/support/test_chat.h"

static const struct {
	const char *text;
	size_t nr;
} arrays[] = {
	{ "[]", 0 },
	{ " [ ] ", 0 },
	{ "[1]", 1 },
	{ "\t[ 1 ,\r\n-2.5e3 , true,null ]\n", 4 },
	{ "[\"\",\"a\",\"]\",\"[,\",\"\\\"\",\"\\\\\",\"\\\\\\\"]\"]", 7 },
	{ "[[],[[1],2],{},{\"a\":[{}]},\"x\"]", 5 },
	{ "{\"messages\":[1,2,3]}", 3 },
	{ "{ \"a\" : [ 9, 9 ] , \"messages\" : [ {\"messages\":[9]} , 2 ] }",
	  2 },
	{ "{\"x\":\"\\\"messages\\\":[9,9]\",\"y\":-1,\"z\":{\"messages\":[9]},"
	  "\"messages\":[{\"c\":\"]}\"}],\"w\":[8]}",
	  1 },
};

static void
test_chat_scan_finds_what_a_parser_finds(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(arrays); i++) {
		const char *text = arrays[i].text;
		json_t *root = json_loads(text, 0, NULL);
		const json_t *array =
			json_is_array(root) ? root
					    : json_object_get(root, "messages");
		struct span *spans;
		size_t nr;

		assert_non_null(root);
		assert_int_equal(
			scan_array(text, strlen(text), "messages", &spans, &nr),
			0);
		assert_int_equal(nr, arrays[i].nr);
		assert_int_equal(nr, json_array_size(array));
		for (size_t e = 0; e < nr; e++) {
			size_t bytes = spans[e].end - spans[e].begin;
			const char *at = text + spans[e].begin;
			json_t *one =
				json_loadb(at, bytes, JSON_DECODE_ANY, NULL);

			if (!json_equal(one, json_array_get(array, e)))
				fail_msg("element %zu of %s: got %.*s", e, text,
					 (int)bytes, at);
			assert_null(strchr(" \t\r\n", at[0]));
			assert_null(strchr(" \t\r\n", at[bytes - 1]));
			json_decref(one);
		}
		free(spans);
		json_decref(root);
	}
}

static void
test_chat_scan_without_an_array_says_so(void **state)
{
	static const char *const none[] = {
		"",
		"  ",
		"7",
		"{}",
		"{\"message\":[1]}",
		"{\"messages\":1}",
		"{\"a\":{\"messages\":[1]}}",
	};

	for (size_t i = 0; i < ARRAY_LEN(none); i++) {
		struct span *spans;
		size_t nr;

		assert_int_equal(scan_array(none[i], strlen(none[i]),
					    "messages", &spans, &nr),
				 -ENOENT);
		assert_null(spans);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chat_scan_finds_what_a_parser_finds),
		cmocka_unit_test(test_chat_scan_without_an_array_says_so),
	};

	return cmocka_run_group_tests_name("window/chat_scan", tests, NULL,
					   NULL);
}
