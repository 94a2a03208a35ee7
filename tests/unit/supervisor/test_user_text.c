/* SPDX-License-Identifier: MIT */
/*
 * test_user_text.c - texts of the user's own: taken as they are, or refused
 * where an output would be read back as another.
 */
#include "tests/support/test_dir.h"
#include "tests/support/test_log.h"

#include "base/exit_code.h"
#include "markup/templated.h"
#include "supervisor/user_text.h"

static struct options options;
static struct markup_options markup;

static int
set_up(void **state)
{
	options = (struct options){ 0 };
	markup = (struct markup_options){ 0 };
	log_begin(DIAG_INFO);
	return dir_set_up(state);
}

static int
header(const char *text)
{
	options.header = text;
	free((void *)(uintptr_t)markup.header);
	markup = (struct markup_options){ 0 };
	return own_text_read(&options, &markup);
}

static void
assert_header(const char *want)
{
	ASSERT_EQ(markup.header_bytes, strlen(want));
	assert_memory_equal(markup.header, want, strlen(want));
	ASSERT_SILENT();
}

static void
test_user_text_of_a_header_is_given_or_in_a_file(void **state)
{
	ASSERT_EQ(own_text_read(&options, &markup), 0);
	ASSERT_TRUE(markup.header == NULL && markup.instructions == NULL);
	ASSERT_EQ(header("Read this."), 0);
	assert_header("Read this.");
	/* lines of a file end, also the last one */
	dir_write("h", "one\ntwo");
	ASSERT_EQ(header("@h"), 0);
	assert_header("one\ntwo\n");
	dir_write("h", "one\n");
	ASSERT_EQ(header("@h"), 0);
	assert_header("one\n");
	dir_write("h", "");
	ASSERT_EQ(header("@h"), 0);
	ASSERT_EQ(markup.header_bytes, 0);
	ASSERT_EQ(header("@none"), EXIT_USAGE);
	ASSERT_SAID("--header none: No such file");
}

static void
test_user_text_of_instructions_is_a_file(void **state)
{
	dir_write("i", "Do it");
	dir_write("-", "of that name");
	options.instructions_path = "i";
	ASSERT_EQ(own_text_read(&options, &markup), 0);
	ASSERT_EQ(markup.instructions_bytes, 6);
	assert_memory_equal(markup.instructions, "Do it\n", 6);
	free((void *)(uintptr_t)markup.instructions);
	/* a file, not stdin */
	options.instructions_path = "-";
	ASSERT_EQ(own_text_read(&options, &markup), 0);
	ASSERT_EQ(markup.instructions_bytes, 13);
	free((void *)(uintptr_t)markup.instructions);
	options.instructions_path = "none";
	ASSERT_EQ(own_text_read(&options, &markup), EXIT_USAGE);
	ASSERT_SAID("--instructions none: ");
}

/* What is no UTF-8 becomes U+FFFD, unless it is to be kept. */
static void
test_user_text_is_valid_or_kept(void **state)
{
	ASSERT_EQ(header("a\xff"
			 "b"),
		  0);
	assert_header("a\xef\xbf\xbd"
		      "b");
	options.pack.invalid_utf8 = INVALID_UTF8_KEEP;
	ASSERT_EQ(header("a\xff"
			 "b"),
		  0);
	assert_header("a\xff"
		      "b");
}

/* A line that begins a file or a part, as unpack would have it. */
static void
test_user_text_that_looks_like_a_file_is_refused(void **state)
{
	static const struct {
		enum markup_kind kind;
		const char *text;
		const char *said; /* NULL: it is taken */
	} cases[] = {
		{ MARKUP_MARKDOWN, "## File: a.c (lines 1-2)", "line 1 " },
		{ MARKUP_MARKDOWN, "a\nb\n## File: a.c", "line 3 " },
		{ MARKUP_MARKDOWN, "======== File: a.c", "line 1 " },
		{ MARKUP_PLAIN, "## File: a.c", "line 1 " },
		{ MARKUP_MARKDOWN, " ## File: a.c", NULL },
		{ MARKUP_MARKDOWN, "# File: a.c", NULL },
		{ MARKUP_MARKDOWN, "Part 1 of 3", "line 1 " },
		{ MARKUP_MARKDOWN, "Words.\nPart 1 of 3", NULL },
		{ MARKUP_XML, "## File: a.c", NULL },
		{ MARKUP_JSON, "## File: a.c", NULL },
		/* it would be read as XML or JSON */
		{ MARKUP_MARKDOWN, "<?xml version=\"1.0\" ",
		  "start of another" },
		{ MARKUP_MARKDOWN, "{\"path\":", "start of another" },
		{ MARKUP_MARKDOWN, "Words.\n{\"path\":", NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		int code;

		options.pack.markup.kind = cases[i].kind;
		code = header(cases[i].text);
		if (code != (cases[i].said == NULL ? 0 : EXIT_USAGE))
			fail_msg("case %zu: got %d; %s", i, code, log_text());
		if (cases[i].said == NULL)
			ASSERT_SILENT();
		else
			ASSERT_SAID(cases[i].said);
	}
	/* instructions stand at the end: what is before says what it is */
	options.header = NULL;
	options.pack.markup.kind = MARKUP_MARKDOWN;
	options.instructions_path = "i";
	dir_write("i", "{\"path\":");
	ASSERT_EQ(own_text_read(&options, &markup), 0);
	free((void *)(uintptr_t)markup.instructions);
	dir_write("i", "## File: a.c");
	ASSERT_EQ(own_text_read(&options, &markup), EXIT_USAGE);
	ASSERT_SAID("--instructions: line 1 ");
}

/* A template that parses, and has a place for all that is given. */
static void
test_user_text_of_a_template_has_a_place_for_what_is_given(void **state)
{
	static const char whole[] =
		"{{header}}{{#files}}{{path}}{{content}}{{/files}}"
		"{{instructions}}";
	static const char bare[] = "{{#files}}{{path}}{{content}}{{/files}}";

	options.template_path = "t";
	dir_write("t", whole);
	ASSERT_EQ(own_text_read(&options, &markup), 0);
	ASSERT_TRUE(markup.templated != NULL);
	ASSERT_TRUE(markup.templated->has_header);
	ASSERT_TRUE(!markup.tree);
	ASSERT_SILENT();
	markup.tree = true;
	ASSERT_EQ(own_text_read(&options, &markup), EXIT_USAGE);
	ASSERT_SAID("BALE-TPL-002: --tree: t has no {{tree}}");
	markup.tree = false;
	dir_write("t", bare);
	ASSERT_EQ(own_text_read(&options, &markup), 0);
	options.header = "Read this.";
	ASSERT_EQ(own_text_read(&options, &markup), EXIT_USAGE);
	ASSERT_SAID("BALE-TPL-002: --header: t has no {{header}}");
	options.header = NULL;
	options.instructions_path = "t";
	ASSERT_EQ(own_text_read(&options, &markup), EXIT_USAGE);
	ASSERT_SAID("--instructions: t has no {{instructions}}");
	options.instructions_path = NULL;
	dir_write("t", "\n{{#files}}");
	ASSERT_EQ(own_text_read(&options, &markup), EXIT_USAGE);
	ASSERT_SAID("BALE-TPL-001: t:");
	options.template_path = "none";
	ASSERT_EQ(own_text_read(&options, &markup), EXIT_USAGE);
	ASSERT_SAID("--template none: ");
}

/* ---- a task, and names of files ----------------------------------------- */

static void
test_user_text_of_a_query_is_given_or_in_a_file(void **state)
{
	struct query *query;

	ASSERT_EQ(query_text_read("parse the header", &query), 0);
	ASSERT_TRUE(query != NULL && query_find(query, "pars", 4) >= 0);
	free(query);
	/* places as in logs, and names */
	ASSERT_EQ(query_text_read("it fails in run_it()\n"
				  "  File \"a/b.py\", line 7, in run_it\n",
				  &query),
		  0);
	ASSERT_EQ(query->anchors.place_nr, 1);
	ASSERT_EQ(query->anchors.places[0].line, 7);
	ASSERT_TRUE(anchors_find(&query->anchors, (const uint8_t *)"run_it", 6,
				 0) != ANCHOR_NONE);
	free(query);
	/* words that say nothing are none */
	ASSERT_EQ(query_text_read("the of and", &query), 0);
	ASSERT_TRUE(query == NULL);
	dir_write("q", "render tables");
	ASSERT_EQ(query_text_read("@q", &query), 0);
	ASSERT_TRUE(query != NULL && query_find(query, "render", 6) >= 0);
	free(query);
	ASSERT_EQ(query_text_read("@none", &query), -ENOENT);
	ASSERT_TRUE(query == NULL);
	/* a MiB at most */
	ASSERT_EQ(truncate("q", (1 << 20) + 1), 0);
	ASSERT_EQ(query_text_read("@q", &query), -EFBIG);
}

static void
assert_names(const struct text_list *list, const char *const *want, size_t nr)
{
	ASSERT_EQ(list->nr, nr);
	for (size_t i = 0; i < nr; i++)
		assert_string_equal(list->items[i], want[i]);
}

static void
test_user_text_of_a_list_is_its_lines(void **state)
{
	static const char *const lines[] = { "a b", "c", "d" };
	static const char *const names[] = { "a\nb", "c" };
	struct text_list list = { 0 };
	int fd;

	dir_write("l", "a b\n\n\nc\nd");
	ASSERT_EQ(file_list_read("l", false, 1000, &list), 0);
	assert_names(&list, lines, 3);
	free((void *)(uintptr_t)list.items[0]);
	free(list.items);
	list = (struct text_list){ 0 };
	dir_write("l", "a b\r\n\r\nc\r\nd\r"); /* as Windows ends lines */
	ASSERT_EQ(file_list_read("l", false, 1000, &list), 0);
	assert_names(&list, lines, 3);
	free((void *)(uintptr_t)list.items[0]);
	free(list.items);
	list = (struct text_list){ 0 };
	fd = open("n", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ASSERT_EQ(write(fd, "a\nb\0\0c", 6), 6);
	close(fd);
	ASSERT_EQ(file_list_read("n", true, 1000, &list), 0);
	assert_names(&list, names, 2);
	free((void *)(uintptr_t)list.items[0]);
	free(list.items);
	list = (struct text_list){ 0 };
	ASSERT_EQ(file_list_read("none", false, 1000, &list), -ENOENT);
	dir_write("l", "\n\n");
	ASSERT_EQ(file_list_read("l", false, 1000, &list), 0);
	ASSERT_EQ(list.nr, 0);
}

/* As git ls-files writes names; what is no such name stays as it is. */
static void
test_user_text_of_a_list_unquotes_names_as_git_does(void **state)
{
	static const char *const lines[] = {
		"\xc3\xa9.c", "a\tb\"\\", "\"a\"b\"", "\"\\400\"", "\"\\\"",
		"\"a",        "\"",       "\"\"",     "\"\\000\""
	};
	struct text_list list = { 0 };

	(void)state;
	dir_write("l", "\"\\303\\251.c\"\n\"a\\tb\\\"\\\\\"\n\"a\"b\"\n"
		       "\"\\400\"\n\"\\\"\n\"a\n\"\n\"\"\n\"\\000\"\n");
	ASSERT_EQ(file_list_read("l", false, 1000, &list), 0);
	assert_names(&list, lines, 9);
	free((void *)(uintptr_t)list.items[0]);
	free(list.items);
	list = (struct text_list){ 0 };
	dir_write("l", "\"b\"");
	ASSERT_EQ(file_list_read("l", true, 1000, &list), 0);
	assert_string_equal(list.items[0], "\"b\"");
	free((void *)(uintptr_t)list.items[0]);
	free(list.items);
}

/* Two copies of the text and 40 bytes a name are within the limit. */
static void
test_user_text_of_a_list_is_within_its_memory(void **state)
{
	struct text_list list = { 0 };

	dir_write("l", "a\nb\n");
	ASSERT_EQ(file_list_read("l", false, 2 * 4 + 2 * 40, &list), 0);
	ASSERT_EQ(list.nr, 2);
	free((void *)(uintptr_t)list.items[0]);
	free(list.items);
	list = (struct text_list){ 0 };
	ASSERT_EQ(file_list_read("l", false, 2 * 4 + 2 * 40 - 1, &list),
		  -EFBIG);
	free(list.items);
	list = (struct text_list){ 0 };
	/* the text alone is too much */
	ASSERT_EQ(file_list_read("l", false, 7, &list), -EFBIG);
	ASSERT_EQ(list.nr, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, dir_tear_down)

/* What is read is kept to the end of the process: no leaks. */
int
__lsan_is_turned_off(void);

int
__lsan_is_turned_off(void)
{
	return 1;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_user_text_of_a_header_is_given_or_in_a_file),
		CASE(test_user_text_of_instructions_is_a_file),
		CASE(test_user_text_is_valid_or_kept),
		CASE(test_user_text_that_looks_like_a_file_is_refused),
		CASE(test_user_text_of_a_template_has_a_place_for_what_is_given),
		CASE(test_user_text_of_a_query_is_given_or_in_a_file),
		CASE(test_user_text_of_a_list_is_its_lines),
		CASE(test_user_text_of_a_list_unquotes_names_as_git_does),
		CASE(test_user_text_of_a_list_is_within_its_memory),
	};

	return cmocka_run_group_tests_name("supervisor/user_text", tests, NULL,
					   NULL);
}
