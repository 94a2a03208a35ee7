/* SPDX-License-Identifier: MIT */
/*
 * test_collect_terms.c - what is read of a file that the kept survey has: the
 * blocks that may have a word of the query, and no more at once than there is
 * room for.
 */
#include "tests/support/test_kept_survey.h"

#include "catalogue/words.h"
#include "stages/collect/collect_io_record.h"

#define CHUNKS 40
#define CHUNK_BYTES 100

static struct chunk_record chunks[CHUNKS];
static uint64_t words[CHUNKS * (1 + QUERY_FILTER_WORDS)];
static uint64_t word_nr;
static struct catalogue catalogue;
static struct query query;
static struct query_sought sought;
static struct collect_files files = { .catalogue = &catalogue,
				      .sought = &sought };

static void
add_block(uint32_t chunk_nr, const char *text)
{
	static struct query_words seen;
	struct query_filter filter = { 0 };
	struct words_block block = { .chunk_nr = chunk_nr };

	query_filter_begin(&seen);
	query_filter_add(&filter, &seen, (const uint8_t *)text, strlen(text));
	block.filter_nr = query_filter_fold(&filter);
	memcpy(&words[word_nr], &block, sizeof(block));
	memcpy(&words[word_nr + 1], filter.bits,
	       block.filter_nr * sizeof(uint64_t));
	word_nr += 1 + block.filter_nr;
}

static void
open_survey(uint32_t chunk_nr)
{
	struct kept_file kept = { .path = "a.c",
				  .facts.chunk_nr = chunk_nr,
				  .facts.word_nr = (uint32_t)word_nr,
				  .chunks = chunks,
				  .words = words };

	for (uint32_t i = 0; i < chunk_nr; i++)
		chunks[i] = (struct chunk_record){ .file_off = i * CHUNK_BYTES,
						   .bytes = CHUNK_BYTES };
	kept_survey_open(&catalogue.survey, &kept);
	word_nr = 0;
}

/* "100+300 600+200": what is read, at most so much at once. */
static const char *
spans(const char *asked, uint64_t most)
{
	static char out[512];
	struct collect_span span = { 0 };
	size_t at = 0;

	query_init(&query, (const uint8_t *)asked, strlen(asked));
	query_sought_init(&sought, &query);
	out[0] = '\0';
	while (collect_terms_next(&files, 0, &span, most)) {
		at += (size_t)snprintf(out + at, sizeof(out) - at,
				       "%s%llu+%llu", at > 0 ? " " : "",
				       (unsigned long long)span.off,
				       (unsigned long long)span.bytes);
		span.off += span.bytes;
	}
	return out;
}

static void
test_collect_terms_are_of_blocks_with_a_word(void **state)
{
	(void)state;
	add_block(2, "parse the options");
	add_block(3, "open files");
	add_block(1, "close_file(parser)");
	add_block(4, "walrus");
	open_survey(10);
	assert_string_equal(spans("elephant", 10000), "");
	assert_string_equal(spans("options", 10000), "0+200");
	assert_string_equal(spans("walrus", 10000), "600+400");
	/* up to the last one; endings do not matter */
	assert_string_equal(spans("parsers close", 10000), "500+100");
	assert_string_equal(spans("parse walrus", 10000), "0+1000");
	/* part by part, without those between them */
	assert_string_equal(spans("parse walrus", 400), "0+200 600+400");
	assert_string_equal(spans("parse walrus", 300),
			    "0+200 600+300 900+100");
	assert_string_equal(spans("opens walrus", 450), "200+300 600+400");
	table_close(&catalogue.survey.table);
}

/* What no run of ours has written may have anything. */
static void
test_collect_terms_of_damaged_words_are_all(void **state)
{
	(void)state;
	add_block(2, "one");
	add_block(20, "two");
	open_survey(10);
	assert_string_equal(spans("elephant", 10000), "200+800");
	table_close(&catalogue.survey.table);
	add_block(2, "one");
	words[word_nr++] = 7;
	open_survey(10);
	assert_string_equal(spans("elephant", 10000), "200+800");
	table_close(&catalogue.survey.table);
	add_block(2, "one");
	open_survey(10);
	assert_string_equal(spans("elephant", 10000), "200+800");
	table_close(&catalogue.survey.table);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_collect_terms_are_of_blocks_with_a_word),
		cmocka_unit_test(test_collect_terms_of_damaged_words_are_all),
	};

	return cmocka_run_group_tests_name("collect/terms", tests, NULL, NULL);
}
