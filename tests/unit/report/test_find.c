/* SPDX-License-Identifier: MIT */
/*
 * The places of a run made up by hand.
 */
#include "tests/support/test_report_rig.h"

#include <jansson.h>

#include "catalogue/names.h"
#include "catalogue/terms.h"
#include "rank/query_declared.h"
#include "report/render.h"

static struct names *names;

/* The file at hand defines `name` in a line. */
static void
add_name(const char *name, uint32_t line)
{
	struct name_entry entry = {
		.line = line,
		.type = NAME_DEF,
		.kind = 1,
		.bytes = (uint8_t)strlen(name),
	};
	uint8_t *to = (uint8_t *)(names + 1) + names->bytes;

	memcpy(to, &entry, sizeof(entry));
	memcpy(to + sizeof(entry), name, entry.bytes);
	names->bytes += (uint32_t)sizeof(entry) + (entry.bytes + 3u) / 4 * 4;
}

/*
 * One file of five chunks of ten lines: a and b, then five names; a long
 * definition, whose second chunk defines nothing; and one of nothing.
 */
static void
make_places(void)
{
	struct catalogue *c = &run.catalogue;
	struct chunk_record *line;
	struct file_facts *facts;

	add_file("src/a\n.c", REASON_NONE, 400);
	for (uint8_t i = 0; i < 5; i++)
		add_chunk(100 + i, i + 1, true);
	assert_int_equal(
		table_reserve(&c->names, sizeof(*names) + NAMES_FILE_BYTES), 0);
	names = table_at(&c->names, 0, sizeof(*names) + NAMES_FILE_BYTES);
	facts = catalogue_facts(c, 0);
	facts->names_off = 1;
	add_name("one", 3);
	add_name("t\"wo", 10);
	for (uint32_t i = 0; i < 5; i++)
		add_name((const char *[]){ "p", "q", "r", "s", "t" }[i],
			 12 + i);
	add_name("longest", 25);
	assert_int_equal(table_create(&c->signature_lines, 1u << 20), 0);
	assert_int_equal(table_reserve(&c->signature_lines, sizeof(*line)), 0);
	line = catalogue_signature_line(c, 0);
	line->line_first = 25;
	line->line_nr = 1;
	catalogue_chunk(c, 3)->signature_line = 1;
	assert_int_equal(report_collect(&run, &report), 0);
	give_scores((const uint32_t[]){ 100, 500, 300, 999, 50 }, 5);
}

static void
finds(uint64_t limit, const char *want)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	assert_int_equal(find_print(&report, limit, out), 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, want);
	free(text);
}

static void
test_find_prints_the_best_places_and_what_they_define(void **state)
{
	make_places();
	finds(0, "\"src/a\\n.c\":31: longest  103  0.999\n"
		 "\"src/a\\n.c\":11: p, q, r, ...  101  0.500\n"
		 "\"src/a\\n.c\":21: longest  102  0.300\n"
		 "\"src/a\\n.c\":1: one, \"t\\\"wo\"  100  0.100\n"
		 "\"src/a\\n.c\":41: -  104  0.050\n");
	finds(1, "\"src/a\\n.c\":31: longest  103  0.999\n");
}

/* The second and the fifth chunk declare what is looked for. */
static void
test_find_names_what_the_query_names_first(void **state)
{
	static const uint64_t chunks[] = { 1, 4, CHUNK_NONE };
	struct catalogue *c = &run.catalogue;
	struct query query;

	query_init(&query, (const uint8_t *)"MAX_LEN", 7);
	anchors_read(&query.anchors, (const uint8_t *)"MAX_LEN", 7);
	make_places();
	run.job.query = &query;
	assert_int_equal(table_create(&c->terms, 1u << 20), 0);
	assert_int_equal(
		table_reserve(&c->terms, 3 * sizeof(struct term_record)), 0);
	for (uint64_t i = 0; i < ARRAY_LEN(chunks); i++)
		*catalogue_term(c, i) =
			term_record(chunks[i], QUERY_DECLARED, 1);
	finds(0, "\"src/a\\n.c\":31: longest  103  0.999\n"
		 "\"src/a\\n.c\":11: MAX_LEN, p, q, ...  101  0.500\n"
		 "\"src/a\\n.c\":21: longest  102  0.300\n"
		 "\"src/a\\n.c\":1: one, \"t\\\"wo\"  100  0.100\n"
		 "\"src/a\\n.c\":41: MAX_LEN  104  0.050\n");
	run.job.query = NULL;
}

/* A definition that the query names is where an editor goes to; a word is none. */
static void
test_find_goes_to_the_definition(void **state)
{
	static const struct {
		const char *query;
		const char *want;
	} cases[] = {
		{ "one", "\"src/a\\n.c\":3: one, \"t\\\"wo\"  100  0.999\n" },
		{ "fix one",
		  "\"src/a\\n.c\":1: one, \"t\\\"wo\"  100  0.999\n" },
	};
	struct query query;

	make_places();
	give_scores((const uint32_t[]){ 999, 500, 300, 100, 50 }, 5);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t *text = (const uint8_t *)cases[i].query;

		memset(&query, 0, sizeof(query));
		query_init(&query, text, strlen(cases[i].query));
		anchors_read(&query.anchors, text, strlen(cases[i].query));
		run.job.query = &query;
		finds(1, cases[i].want);
	}
	run.job.query = NULL;
}

/* A damaged catalogue names no definition that is not there. */
static void
test_find_takes_no_signature_line_beyond_the_table(void **state)
{
	make_places();
	catalogue_chunk(&run.catalogue, 3)->signature_line = 4000000;
	finds(1, "\"src/a\\n.c\":31: -  103  0.999\n");
}

static void
test_find_json_has_the_same_places(void **state)
{
	FILE *out = tmpfile();
	json_t *found;
	json_t *places;

	assert_non_null(out);
	make_places();
	report.encoding = "o200k_base";
	assert_int_equal(find_print_json(&report, 2, fileno(out)), 0);
	rewind(out);
	found = json_loadf(out, 0, NULL);
	fclose(out);
	assert_non_null(found);
	places = json_object_get(found, "places");
	assert_int_equal(json_array_size(places), 2);
	assert_int_equal(json_integer_value(json_object_get(
				 json_array_get(places, 0), "start_line")),
			 31);
	assert_int_equal(json_integer_value(json_object_get(
				 json_array_get(places, 1), "end_line")),
			 20);
	json_decref(found);
}

static void
test_find_says_that_the_disk_is_full(void **state)
{
	FILE *full = fopen("/dev/full", "w");

	assert_non_null(full);
	make_places();
	report.encoding = "o200k_base";
	assert_int_equal(find_print(&report, 0, full), -ENOSPC);
	assert_int_equal(find_print_json(&report, 0, fileno(full)), -ENOSPC);
	fclose(full);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(find_prints_the_best_places_and_what_they_define),
		TEST(find_names_what_the_query_names_first),
		TEST(find_goes_to_the_definition),
		TEST(find_takes_no_signature_line_beyond_the_table),
		TEST(find_json_has_the_same_places),
		TEST(find_says_that_the_disk_is_full),
	};

	return cmocka_run_group_tests_name("report/find", tests, NULL, NULL);
}
