/* SPDX-License-Identifier: MIT */
/*
 * test_format_split.c - outputs in parts: no part is over the limit, what lies
 * between the headers of all is what went in, and none ends early.
 */
#include "tests/support/test_format_rig.h"

#include "catalogue/cuts.h"

/* The part with this number, as text. */
static char *
part_text(uint64_t idx)
{
	const struct part_record *part = catalogue_part(&facts_of_all, idx);
	char *text = malloc(part->bytes + 1);

	ASSERT_TRUE(text != NULL);
	ASSERT_TRUE(part->off + part->bytes <= out_bytes);
	memcpy(text, out + part->off, part->bytes);
	text[part->bytes] = 0;
	ASSERT_EQ(part->tokens, count(text, part->bytes));
	ASSERT_TRUE(part->tokens <= job.split_tokens);
	return text;
}

/* Content between fences of all parts, one after the other; a fence that ends
 * half a line has a newline of its own before it. */
static void
assert_content(const char *want)
{
	const char *at = want;

	for (uint64_t i = 0; i < state.verdict.part_nr; i++) {
		char *text = part_text(i);
		char *rest = text;

		while ((rest = strstr(rest, "\n```\n")) != NULL) {
			char *end;
			size_t nr;

			rest += 5;
			end = strstr(rest, "```\n\n");
			ASSERT_TRUE(end != NULL);
			nr = (size_t)(end - rest);
			if (strncmp(at, rest, nr) != 0)
				nr--;
			ASSERT_TRUE(strncmp(at, rest, nr) == 0);
			at += nr;
			rest = end + 4;
		}
		free(text);
	}
	ASSERT_EQ(strlen(at), 0);
}

static void
test_split_of_small_files_is_between_them(void **unused)
{
	char all[4096] = "";

	job.split_tokens = 60;
	format_begin();
	for (uint32_t i = 0; i < 10; i++) {
		char path[16];
		char text[64];

		snprintf(path, sizeof(path), "f%u.c", i);
		snprintf(text, sizeof(text), "int value_%u = %u;\n", i, i * 77);
		take_file(i, path, text);
		strcat(all, text);
	}
	finish();
	ASSERT_TRUE(state.verdict.part_nr > 2 && state.verdict.part_nr < 10);
	ASSERT_EQ(state.verdict.no_part, 0);
	assert_content(all);
	for (uint64_t i = 0; i < state.verdict.part_nr; i++) {
		char *text = part_text(i);
		char want[32];

		snprintf(want, sizeof(want), "Part %ju of %ju\n",
			 (uintmax_t)(i + 1),
			 (uintmax_t)state.verdict.part_nr);
		ASSERT_TRUE(strncmp(text, want, strlen(want)) == 0);
		ASSERT_TRUE(strstr(text, "goes on") == NULL);
		free(text);
	}
}

/* As many lines as would fit, so that one more would be too much. */
static void
test_split_of_one_chunk_is_behind_a_line(void **unused)
{
	char all[8192] = "";

	job.split_tokens = 150;
	for (int i = 0; i < 200; i++)
		snprintf(all + strlen(all), 32, "line number %d\n", i);
	format_begin();
	take_file(0, "a.c", all);
	finish();
	ASSERT_TRUE(state.verdict.part_nr > 5);
	assert_content(all);
	for (uint64_t i = 0; i + 1 < state.verdict.part_nr; i++) {
		ASSERT_TRUE(catalogue_part(&facts_of_all, i)->tokens >
			    job.split_tokens - 15);
		ASSERT_EQ(catalogue_part(&facts_of_all, i)->until.mid_line, 0);
	}
}

static void
test_split_of_a_file_is_between_its_chunks_where_it_can_be(void **unused)
{
	const char *chunk = "a few words that are here to be counted\n"
			    "and a few more of them on another line\n";
	char all[1024] = "";

	job.split_tokens = 70;
	for (int i = 0; i < 6; i++)
		strcat(all, chunk);
	format_begin();
	add_file(0, "a.c", all);
	for (uint32_t i = 0; i < 6; i++)
		take_run(0, 1 + 2 * i, chunk, i == 5 ? DESC_LAST : 0);
	finish();
	assert_content(all);
	for (uint64_t i = 0; i + 1 < state.verdict.part_nr; i++)
		ASSERT_EQ(catalogue_part(&facts_of_all, i)->until.line % 2, 1);
}

static void
test_split_of_one_line_is_behind_a_character(void **unused)
{
	char all[2048] = "";

	job.split_tokens = 80;
	for (int i = 0; i < 150; i++)
		strcat(all, "h\xc3\xa9 w\xf0\x9f\x98\x80 ");
	format_begin();
	take_file(0, "a.c", all);
	finish();
	ASSERT_TRUE(state.verdict.part_nr > 3);
	assert_content(all);
	for (uint64_t i = 0; i < state.verdict.part_nr; i++) {
		char *text = part_text(i);

		/* of no character only a part */
		for (char *at = text; *at != 0;) {
			int nr = *at == '\xc3' ? 2 : *at == '\xf0' ? 4 : 1;

			ASSERT_TRUE(nr > 1 || (*at & 0x80) == 0);
			at += nr;
		}
		free(text);
	}
}

static void
test_split_that_cannot_be_names_the_file(void **unused)
{
	job.split_tokens = 60;
	format_begin();
	take_file(0, "a.c", "int a;\n");
	take_file(1,
		  "a/long/path/of/a/file/that/has/so/many/folders/above/it/"
		  "that/its/header/alone/is/more/than/a/part/may/have/of/"
		  "tokens/in/this/test/which/is/why/it/is/as/long/as/this.c",
		  "int b;\n");
	finish();
	ASSERT_EQ(state.verdict.part_nr, 0);
	ASSERT_EQ(state.verdict.no_part, 2);
}

#define CASE(test) \
	cmocka_unit_test_setup_teardown(test, format_setup, format_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_split_of_small_files_is_between_them),
		CASE(test_split_of_one_chunk_is_behind_a_line),
		CASE(test_split_of_a_file_is_between_its_chunks_where_it_can_be),
		CASE(test_split_of_one_line_is_behind_a_character),
		CASE(test_split_that_cannot_be_names_the_file),
	};

	return cmocka_run_group_tests_name("format/split", tests, NULL, NULL);
}
