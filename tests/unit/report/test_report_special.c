/* SPDX-License-Identifier: MIT */
/*
 * test_report_special.c - what looks like a special token: in files, summed
 *                         over their runs; in names; in the texts beside them.
 */
#include "tests/support/test_report_rig.h"

#include <jansson.h>

#include "base/emit.h"
#include "catalogue/specials.h"
#include "tokenizer/tokenizer.h"

static uint64_t special_nr;

static void
add_special(uint32_t file_idx, uint32_t line, const char *text, uint32_t times)
{
	struct table *table = &run.catalogue.specials;
	struct special *it;

	if (special_nr == 0)
		assert_int_equal(table_create(table, 1u << 20), 0);
	assert_int_equal(table_reserve(table, (special_nr + 1) * sizeof(*it)),
			 0);
	it = catalogue_special(&run.catalogue, special_nr++);
	*it = (struct special){ .file_idx = file_idx,
				.line = line,
				.times = times,
				.bytes = (uint8_t)strlen(text) };
	memcpy(it->text, text, it->bytes);
}

/* The end of them; `more` had no room. */
static void
end_specials(uint32_t more)
{
	add_special(FILE_NONE, 0, "", 0);
	catalogue_special(&run.catalogue, special_nr - 1)->left_out = more;
	special_nr = 0;
}

/* Both keys, as they are written. Owner: json_decref() */
static json_t *
emitted(void)
{
	static struct emitter out;
	FILE *file = tmpfile();
	json_t *all;

	assert_int_equal(tokenizer_open(&run.tokenizer, "cl100k_base"), 0);
	emit_init(&out, fileno(file));
	emit_begin(&out, NULL, '{');
	report_emit_specials(&report, &out);
	emit_end(&out, '}');
	assert_int_equal(emit_finish(&out), 0);
	rewind(file);
	all = json_loadf(file, JSON_REJECT_DUPLICATES, NULL);
	fclose(file);
	assert_non_null(all);
	return all;
}

static void
is(const char *want)
{
	json_t *got = emitted();
	json_t *all = json_loads(want, 0, NULL);

	assert_non_null(all);
	if (!json_equal(got, all))
		fail_msg("got %s\nwant %s", json_dumps(got, 0), want);
	json_decref(got);
	json_decref(all);
}

/* <|endoftext|> is a token of cl100k_base, <|nothing|> of none. */
static void
test_specials_of_a_file_are_told_once(void **state)
{
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	report.has_output = true;
	add_special(0, 3, "<|endoftext|>", 2);
	add_special(0, 7, "<|nothing|>", 1);
	add_special(0, 9, "<|endoftext|>", 5);
	add_special(2, 1, "<|endoftext|>", 1);
	end_specials(4);
	is("{\"special_tokens\":["
	   "{\"in\":\"file\",\"path\":\"src/a.c\",\"line\":3,"
	   "\"token\":\"<|endoftext|>\",\"in_encoding\":true,\"count\":7},"
	   "{\"in\":\"file\",\"path\":\"src/a.c\",\"line\":7,"
	   "\"token\":\"<|nothing|>\",\"in_encoding\":false,\"count\":1},"
	   "{\"in\":\"file\",\"path\":\"src/c\\n\\\".c\",\"line\":1,"
	   "\"token\":\"<|endoftext|>\",\"in_encoding\":true,\"count\":1}],"
	   "\"special_tokens_left_out\":4}");
}

/* Of a name that is packed, and of the header and the instructions, by their
 * lines; git has left two texts. */
static void
test_specials_of_names_and_texts(void **state)
{
	static const char header[] = "one\n<|endoftext|> <|endoftext|>\n";
	static const char texts[] = "<|a|>\nb <|b|>";
	struct history_head *git =
		table_at(&run.catalogue.history, 0, sizeof(*git));

	add_file("<|endoftext|>.c", REASON_NONE, 10);
	add_chunk(10, 1, true);
	add_chunk(10, 2, true);
	add_file("<|nothing|>.c", REASON_BINARY, 10);
	assert_int_equal(report_collect(&run, &report), 0);
	report.has_output = true;
	end_specials(0);
	run.job.markup.header = header;
	run.job.markup.header_bytes = sizeof(header) - 1;
	run.job.markup.instructions = "<|i|>";
	run.job.markup.instructions_bytes = 5;
	assert_int_equal(table_reserve(&run.catalogue.history, 4096), 0);
	git->log_off = 2048;
	git->log_bytes = 5;
	git->diff_off = 2048;
	git->diff_bytes = sizeof(texts) - 1;
	memcpy(table_at(&run.catalogue.history, 2048, sizeof(texts)), texts,
	       sizeof(texts));
	is("{\"special_tokens\":["
	   "{\"in\":\"name\",\"path\":\"<|endoftext|>.c\",\"line\":null,"
	   "\"token\":\"<|endoftext|>\",\"in_encoding\":true,\"count\":1},"
	   "{\"in\":\"header\",\"line\":2,\"token\":\"<|endoftext|>\","
	   "\"in_encoding\":true,\"count\":2},"
	   "{\"in\":\"git-log\",\"line\":1,\"token\":\"<|a|>\","
	   "\"in_encoding\":false,\"count\":1},"
	   "{\"in\":\"git-diff\",\"line\":1,\"token\":\"<|a|>\","
	   "\"in_encoding\":false,\"count\":1},"
	   "{\"in\":\"git-diff\",\"line\":2,\"token\":\"<|b|>\","
	   "\"in_encoding\":false,\"count\":1},"
	   "{\"in\":\"instructions\",\"line\":1,\"token\":\"<|i|>\","
	   "\"in_encoding\":false,\"count\":1}],"
	   "\"special_tokens_left_out\":0}");
}

/* 64 kinds of a text are told, 256 names of files; the rest is counted. */
static void
test_specials_that_have_no_room_are_counted(void **state)
{
	static char header[70 * 16];
	json_t *all;

	for (int i = 0; i < 70; i++)
		sprintf(header + strlen(header), "<|k%d|>\n", i);
	for (int i = 0; i < 260; i++) {
		char path[32];

		snprintf(path, sizeof(path), "<|n%d|>", i);
		add_file(path, REASON_NONE, 1);
		add_chunk(1, (uint8_t)i, true);
	}
	assert_int_equal(report_collect(&run, &report), 0);
	report.has_output = true;
	end_specials(0);
	run.job.markup.header = header;
	run.job.markup.header_bytes = strlen(header);
	all = emitted();
	assert_int_equal(
		json_array_size(json_object_get(all, "special_tokens")),
		256 + 64);
	assert_int_equal(json_integer_value(json_object_get(
				 all, "special_tokens_left_out")),
			 4 + 6);
	json_decref(all);
}

static void
test_specials_without_an_output_are_none(void **state)
{
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	report.has_output = false;
	is("{\"special_tokens\":[],\"special_tokens_left_out\":0}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(specials_of_a_file_are_told_once),
		TEST(specials_of_names_and_texts),
		TEST(specials_that_have_no_room_are_counted),
		TEST(specials_without_an_output_are_none),
	};

	return cmocka_run_group_tests_name("report/report_special", tests, NULL,
					   NULL);
}
