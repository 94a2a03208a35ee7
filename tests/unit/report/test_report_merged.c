/* SPDX-License-Identifier: MIT */
/*
 * test_report_merged.c - requests on one file and what they became, by hand: a
 *                        file of 40 lines with 10 tokens a line.
 */
#include "tests/support/test_report_rig.h"

#include <jansson.h>

#include "base/emit.h"
#include "sources/source_impl.h"

#define ENTRIES_MAX 80

static struct source_list list;
static struct source_entry entries[ENTRIES_MAX];
static struct source_request ranges[ENTRIES_MAX];
static struct source_file file;
static char file_name[] = "a.c";
static uint32_t chunk_lines = 10; /* 0: parts of one line */

static struct source_request
lines(uint64_t first, uint64_t last, uint32_t relevance)
{
	return (struct source_request){ .line_first = first,
					.line_last = last,
					.relevance = relevance,
					.category = CATEGORY_OPEN,
					.time_ns = SOURCE_TIME_NONE };
}

/* The one file, asked for by so many entries that are so many ranges now. */
static void
make(uint32_t entry_nr, uint32_t range_nr, uint64_t merged)
{
	add_file("a.c", REASON_NONE, 400);
	for (int i = 0; i < 4; i++) {
		add_chunk(100, (uint8_t)i, true);
		if (chunk_lines == 0)
			*catalogue_chunk(&run.catalogue, (uint64_t)i) =
				(struct chunk_record){ .line_first = 1,
						       .tokens = 100 };
	}
	/* what is asked for scores its relevance */
	run.job.relevance_weight = 1;
	run.job.recency_weight = 0;
	run.job.source_weight = 0;
	assert_int_equal(report_collect(&run, &report), 0);
	file = (struct source_file){ .path = "a.c",
				     .path_bytes = 3,
				     .entry_nr = entry_nr,
				     .request_nr = range_nr };
	list = (struct source_list){
		.sources = { .files = &file,
			     .requests = ranges,
			     .file_nr = 1,
			     .request_nr = range_nr,
			     .in_part = true },
		.files = &file,
		.entries = entries,
		.entry_nr = entry_nr,
		.overlaps_merged = merged,
	};
	for (uint32_t i = 0; i < entry_nr; i++)
		entries[i].path = file_name;
	report_take_sources(&report, &list);
}

/* The keys `merged` and `unmerged`, and how many were left out. */
static json_t *
emitted(void)
{
	static struct emitter out;
	FILE *stream = tmpfile();
	json_t *all;

	emit_init(&out, fileno(stream));
	emit_begin(&out, NULL, '{');
	assert_int_equal(report_emit_merged(&report, &out), 0);
	emit_end(&out, '}');
	assert_int_equal(emit_finish(&out), 0);
	rewind(stream);
	all = json_loadf(stream, JSON_REJECT_DUPLICATES, NULL);
	fclose(stream);
	assert_non_null(all);
	return all;
}

/* "1-20 200 0.9 (1-10 100 0.9)(8-20 130 0.5) 30": lines, tokens and score of
 * a range, of its requests, and what they saved. */
static const char *
told(const json_t *range)
{
	static char text[8192];
	const json_t *requests = json_object_get(range, "requests");
	size_t at;
	json_int_t first;
	json_int_t last;
	json_int_t tokens = -1;
	double score = -1;

	assert_int_equal(json_unpack((json_t *)(uintptr_t)range,
				     "{s:I,s:I,s?I,s?F}", "start_line", &first,
				     "end_line", &last, "tokens", &tokens,
				     "score", &score),
			 0);
	at = (size_t)snprintf(text, sizeof(text), "%d-%d", (int)first,
			      (int)last);
	if (tokens >= 0)
		at += (size_t)snprintf(text + at, sizeof(text) - at, " %d %g",
				       (int)tokens, score);
	for (size_t i = 0; i < json_array_size(requests); i++) {
		assert_int_equal(json_unpack(json_array_get(requests, i),
					     "{s:I,s:I,s:I,s:F}", "start_line",
					     &first, "end_line", &last,
					     "tokens", &tokens, "score",
					     &score),
				 0);
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       " (%d-%d %d %g)", (int)first, (int)last,
				       (int)tokens, score);
	}
	snprintf(text + at, sizeof(text) - at, " %d",
		 (int)json_integer_value(
			 json_object_get(range, "saved_tokens")));
	return text;
}

static const json_t *
at(const json_t *all, const char *key, size_t i)
{
	return json_array_get(json_object_get(all, key), i);
}

static json_int_t
number(const json_t *all, const char *key)
{
	return json_integer_value(json_object_get(all, key));
}

/* 1-10 and 8-20 became 1-20; 30-40 is alone. */
static void
test_merged_names_the_requests_of_a_range(void **state)
{
	json_t *all;

	entries[0].request = lines(1, 10, 900000);
	entries[1].request = lines(8, 20, 500000);
	entries[2].request = lines(30, 40, 100000);
	ranges[0] = lines(1, 20, 900000);
	ranges[1] = lines(30, 40, 100000);
	make(3, 2, 1);
	assert_int_equal(report.overlaps_merged, 1);
	assert_int_equal(report.overlap_tokens, 30);
	assert_int_equal(report.requests_same, 0);
	assert_int_equal(report.overlaps_unmerged, 0);
	assert_false(report.all_beyond);
	all = emitted();
	assert_int_equal(json_array_size(json_object_get(all, "merged")), 1);
	assert_string_equal(told(at(all, "merged", 0)),
			    "1-20 200 0.9 (1-10 100 0.9) (8-20 130 0.5) 30");
	assert_string_equal(json_string_value(json_object_get(
				    at(all, "merged", 0), "path")),
			    "a.c");
	assert_int_equal(json_array_size(json_object_get(all, "unmerged")), 0);
	assert_int_equal(number(all, "merged_left_out"), 0);
	json_decref(all);
}

/* The same lines twice are one request that is there already. */
static void
test_merged_tells_the_same_lines_apart(void **state)
{
	json_t *all;

	entries[0].request = lines(1, 10, 900000);
	entries[1].request = lines(1, 10, 500000);
	ranges[0] = lines(1, 10, 900000);
	make(2, 1, 1);
	assert_int_equal(report.requests_same, 1);
	assert_int_equal(report.requests_same_tokens, 100);
	assert_int_equal(report.overlaps_merged, 0);
	assert_int_equal(report.overlap_tokens, 0);
	all = emitted();
	assert_string_equal(told(at(all, "merged", 0)),
			    "1-10 100 0.9 (1-10 100 0.9) (1-10 100 0.5) 100");
	json_decref(all);
}

/* 1-10 and 9-20 stay; lines 9 and 10 are there once. */
static void
test_unmerged_ranges_share_lines(void **state)
{
	json_t *all;

	entries[0].request = ranges[0] = lines(1, 10, 900000);
	entries[1].request = ranges[1] = lines(9, 20, 500000);
	make(2, 2, 0);
	assert_int_equal(report.overlaps_unmerged, 1);
	assert_int_equal(report.unmerged_tokens, 20);
	all = emitted();
	assert_int_equal(json_array_size(json_object_get(all, "merged")), 0);
	assert_string_equal(told(at(all, "unmerged", 0)),
			    "9-10 (1-10 100 0.9) (9-20 120 0.5) 20");
	json_decref(all);
}

/* A chunk that is part of a long line has its tokens in that line. */
static void
test_ranges_of_a_part_of_a_line_have_its_tokens(void **state)
{
	entries[0].request = ranges[0] = lines(1, 1, 90);
	entries[1].request = ranges[1] = lines(1, 1, 80);
	chunk_lines = 0;
	make(2, 1, 1);
	chunk_lines = 10;
	assert_int_equal(report.requests_same_tokens, 4 * 100);
}

/* One line in common, the first or the last, makes no two of them the same. */
static void
test_ranges_of_one_end_are_two(void **state)
{
	ranges[0] = lines(1, 10, 90);
	ranges[1] = lines(1, 20, 80);
	ranges[2] = lines(11, 20, 70);
	for (uint32_t i = 0; i < 3; i++)
		entries[i].request = ranges[i];
	make(3, 3, 0);
	assert_int_equal(report.requests_same_tokens, 0);
	assert_int_equal(report.overlaps_unmerged, 2);
	/* 1-10 of the second, 11-20 of the third */
	assert_int_equal(report.unmerged_tokens, 100 + 100);
}

/* Where the better one was kept, the other goes with it. */
static void
test_merged_takes_a_request_to_where_most_of_it_is(void **state)
{
	json_t *all;

	entries[0].request = lines(1, 10, 900000);
	entries[1].request = lines(8, 25, 500000); /* 3 lines, and 6 */
	entries[2].request = lines(20, 30, 800000);
	ranges[0] = lines(1, 10, 900000);
	ranges[1] = lines(20, 30, 800000);
	make(3, 2, 1);
	all = emitted();
	assert_int_equal(json_array_size(json_object_get(all, "merged")), 1);
	assert_string_equal(told(at(all, "merged", 0)),
			    "20-30 110 0.8 (8-25 180 0.5) (20-30 110 0.8) "
			    "180");
	json_decref(all);
}

/* A request of all of a file ends where that does. */
static void
test_merged_ends_with_the_file(void **state)
{
	json_t *all;

	entries[0].request = lines(1, 5, 100000);
	entries[1].request = lines(3, SOURCE_LINES_ALL, 200000);
	ranges[0] = lines(1, SOURCE_LINES_ALL, 200000);
	make(2, 1, 1);
	all = emitted();
	assert_string_equal(told(at(all, "merged", 0)),
			    "1-40 400 0.2 (1-5 50 0.1) (3-40 380 0.2) 30");
	json_decref(all);
}

/* Lines that are not there are told of; all of them: nothing was found. */
static void
test_requests_beyond_the_end_are_counted(void **state)
{
	entries[0].request = ranges[0] = lines(41, 50, 1);
	make(1, 1, 0);
	assert_int_equal(report.requests_beyond, 1);
	assert_true(report.all_beyond);
}

static void
test_request_of_the_last_line_is_there(void **state)
{
	entries[0].request = ranges[0] = lines(40, 50, 1);
	make(1, 1, 0);
	assert_int_equal(report.requests_beyond, 0);
	assert_false(report.all_beyond);
}

/* No more than 64 requests of a range are named. */
static void
test_merged_names_so_many_requests(void **state)
{
	json_t *all;

	for (uint32_t i = 0; i < 70; i++)
		entries[i].request = lines(1, 10, i);
	ranges[0] = lines(1, 10, 70);
	make(70, 1, 69);
	assert_int_equal(report.requests_same, 69);
	all = emitted();
	assert_int_equal(json_array_size(json_object_get(at(all, "merged", 0),
							 "requests")),
			 64);
	assert_int_equal(number(at(all, "merged", 0), "saved_tokens"), 6900);
	json_decref(all);
}

static void
test_report_of_all_in_full(void **state)
{
	report.files_full = 1;
	assert_true(report_is_all(&report));
	report.files_partial = 1;
	assert_false(report_is_all(&report));
	report.files_partial = 0;
	report.files_signatures = 1;
	assert_false(report_is_all(&report));
	report.files_signatures = 0;
	report.chunks_rejected = 1;
	assert_false(report_is_all(&report));
	report.chunks_rejected = report.files_full = 0;
	assert_false(report_is_all(&report));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(merged_names_the_requests_of_a_range),
		TEST(merged_tells_the_same_lines_apart),
		TEST(unmerged_ranges_share_lines),
		TEST(ranges_of_a_part_of_a_line_have_its_tokens),
		TEST(ranges_of_one_end_are_two),
		TEST(merged_takes_a_request_to_where_most_of_it_is),
		TEST(merged_ends_with_the_file),
		TEST(requests_beyond_the_end_are_counted),
		TEST(request_of_the_last_line_is_there),
		TEST(merged_names_so_many_requests),
		TEST(report_of_all_in_full),
	};

	return cmocka_run_group_tests_name("report/report_merged", tests, NULL,
					   NULL);
}
