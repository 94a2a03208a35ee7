/* SPDX-License-Identifier: MIT */
/*
 * test_window_pack.c - packs in a window, one after the other.
 */
#include "tests/support/test_command.h"

#include "cli/window_pack.h"

#define FILE_OF(name, text) \
	"## File: " name " (lines 1-1)\n```\n" text "\n```\n\n"

static struct window *window;

static int
set_up(void **state)
{
	struct window_error error;
	struct window_options options = window_defaults();

	return window_create(&window, &options, &error);
}

static int
tear_down(void **state)
{
	window_destroy(window);
	return 0;
}

/* The line that is printed for a pack; or what is wrong. */
static const char *
add(const char *pack)
{
	static char said[WINDOW_ERROR_BYTES];
	const struct window_item item = {
		.content = pack,
		.content_bytes = strlen(pack),
		.priority = 50,
	};
	struct window_error error;
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	int result = window_pack_add(window, &item, out, &error);

	fclose(out);
	snprintf(said, sizeof(said), "%s", result == 0 ? text : error.text);
	free(text);
	return said;
}

/* The paths of the items, in their order. */
static const char *
order(void)
{
	static char paths[256];
	const struct window_filter all = { .by_type = false };
	struct window_list list;

	*paths = '\0';
	assert_int_equal(window_list(window, &all, &list), 0);
	for (size_t i = 0; i < list.nr; i++) {
		strcat(paths, i > 0 ? " " : "");
		strcat(paths, list.items[i].source_ref == NULL
				      ? "-"
				      : list.items[i].source_ref);
	}
	window_list_free(&list);
	return paths;
}

static void
test_window_pack_keeps_what_is_as_it_was_in_its_place(void **state)
{
	char said[WINDOW_ERROR_BYTES];

	add(FILE_OF("a", "one") FILE_OF("b", "two") FILE_OF("c", "three")
		    FILE_OF("d", "four"));
	assert_string_equal(order(), "a b c d");
	/* the order of a pack is of no matter to what was there */
	assert_non_null(strstr(add(FILE_OF("0", "new") FILE_OF("d", "four")
					   FILE_OF("b", "TWO")
						   FILE_OF("a", "one")),
			       "{\"kept\":2,\"changed\":1,\"new\":1,"
			       "\"removed\":1,"));
	assert_string_equal(order(), "a d 0 b");
	snprintf(said, sizeof(said), "%s",
		 add(FILE_OF("a", "one") FILE_OF("b", "TWO") FILE_OF("d", "four")
			     FILE_OF("0", "new")));
	assert_string_equal(order(), "a d 0 b");
	assert_non_null(strstr(said, "{\"kept\":4,\"changed\":0,\"new\":0,"));
}

static void
test_window_pack_counts_the_tokens_in_front(void **state)
{
	const struct window_filter all = { .by_type = false };
	struct window_list list;
	uint64_t prefix = 0;
	uint64_t tokens = 0;
	unsigned long long said[2];
	const char *line;

	add(FILE_OF("a", "one") FILE_OF("b", "two") FILE_OF("c", "three"));
	line = add(FILE_OF("a", "one") FILE_OF("b", "2 2") FILE_OF("c", "three"));
	assert_int_equal(sscanf(strstr(line, "\"prefix"),
				"\"prefix_tokens\":%llu,\"tokens\":%llu}",
				&said[0], &said[1]),
			 2);
	assert_int_equal(window_list(window, &all, &list), 0);
	for (size_t i = 0; i < list.nr; i++) {
		tokens += list.items[i].tokens;
		prefix += i == 0 ? list.items[i].tokens : 0;
	}
	window_list_free(&list);
	assert_int_equal(said[0], prefix);
	assert_int_equal(said[1], tokens);
}

static void
test_window_pack_leaves_other_items_and_refuses_other_texts(void **state)
{
	const struct window_item item = {
		.id = "mine",
		.content = "x",
		.content_bytes = 1,
		.type = WINDOW_RETRIEVED_DOCUMENT,
		.priority = 50,
	};
	struct window_error error;
	char id[WINDOW_ID_BYTES];

	assert_int_equal(window_add(window, &item, id, &error), 0);
	add(FILE_OF("a", "one"));
	add(FILE_OF("b", "one"));
	assert_string_equal(order(), "- b");
	assert_non_null(strstr(add("hello\n"), "BALE-WIN-022 no output of bale "
					       "pack"));
	assert_string_equal(order(), "- b");
}

/* A name that is no UTF-8, and one with a line of its own. */
static void
test_window_pack_quotes_names_that_are_no_text(void **state)
{
	const struct window_filter all = { .by_type = false };
	struct window_list list;

	assert_non_null(strstr(add("{\"bale\":1}\n"
				   "{\"path\":\"a\\udcff\",\"empty\":true}\n"
				   "{\"path\":\"b\\nFile: c\",\"same_as\":"
				   "\"a\\udcff\"}\n"),
			       "\"new\":2,"));
	assert_string_equal(order(), "\"a\\377\" \"b\\nFile: c\"");
	assert_int_equal(window_list(window, &all, &list), 0);
	assert_non_null(strstr(list.items[1].content,
			       "File: \"b\\nFile: c\"\n```\n"
			       "the same as \"a\\377\"\n"));
	window_list_free(&list);
}

static void
test_window_pack_names_the_file_that_cannot_be_added(void **state)
{
	const char *said = add(FILE_OF("a", "one") FILE_OF("b", "\377"));

	assert_non_null(strstr(said, "BALE-WIN-008 "));
	assert_non_null(strstr(said, " (file b)"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_window_pack_keeps_what_is_as_it_was_in_its_place,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_window_pack_counts_the_tokens_in_front, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			test_window_pack_leaves_other_items_and_refuses_other_texts,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_window_pack_quotes_names_that_are_no_text, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			test_window_pack_names_the_file_that_cannot_be_added,
			set_up, tear_down),
	};

	return cmocka_run_group_tests_name("cli/window_pack", tests, NULL, NULL);
}
