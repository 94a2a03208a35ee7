/* SPDX-License-Identifier: MIT */
/*
 * test_stages_source.c - requests found again, against looking at all.
 */
#include "tests/support/test_shm.h"

#include <stdio.h>

#include "sources/source.h"

#define FILES 200
#define REQUESTS 900

static struct source_file files[FILES];
static struct source_request requests[REQUESTS];
static char names[FILES][16];
static struct sources sources = { .files = files, .requests = requests };

static void
make(uint64_t *seed)
{
	uint32_t at = 0;

	sources.file_nr = 0;
	for (uint32_t i = 0; i < FILES; i++) {
		struct source_file *file = &files[sources.file_nr++];
		uint64_t line = 1;

		snprintf(names[i], sizeof(names[i]), "d%02u/f%02u", i / 20 % 5,
			 i % 20);
		*file = (struct source_file){
			.path = names[i],
			.path_bytes = 7,
			.root = (uint16_t)(i / 100),
			.request_first = at,
		};
		while (at < REQUESTS && random_next(seed) % 5 != 0) {
			line += random_next(seed) % 9;
			requests[at++] = (struct source_request){
				.line_first = line,
				.line_last =
					random_next(seed) % 7 == 0
						? SOURCE_LINES_ALL
						: line + random_next(seed) % 20,
				.relevance = (uint32_t)(random_next(seed) %
							(SOURCE_ONE + 1)),
				.category = (uint8_t)(random_next(seed) %
						      CATEGORY_TREE),
			};
		}
		file->request_nr = at - file->request_first;
		source_set_reach(&requests[file->request_first],
				 file->request_nr);
	}
	sources.request_nr = at;
}

static double
worth(const struct source_request *request)
{
	static const double priorities[] = { 1.0, 0.8, 0.6, 0.4 };

	return 0.5 * request->relevance / 1e6 +
	       0.2 * priorities[request->category];
}

/* verifies: FR-016-28 */
static void
test_find_gives_what_looking_at_all_gives(void **state)
{
	uint64_t seed = 0x50a7ce;

	make(&seed);
	for (uint32_t i = 0; i < FILES; i++)
		ASSERT_TRUE(source_find(&sources, (uint16_t)(i / 100),
					(const uint8_t *)names[i],
					7) == &files[i]);
	ASSERT_TRUE(source_find(&sources, 0, (const uint8_t *)"d00/f0", 6) ==
		    NULL);
	ASSERT_TRUE(source_find(&sources, 0, (const uint8_t *)"d00/f000", 8) ==
		    NULL);
	ASSERT_TRUE(source_find(&sources, 2, (const uint8_t *)names[0], 7) ==
		    NULL);
	ASSERT_TRUE(source_find(&(struct sources){ 0 }, 0,
				(const uint8_t *)names[0], 7) == NULL);
}

static bool
near(uint64_t millionths, double want)
{
	double got = (double)millionths / 1e6;

	return got - want < 2e-6 && want - got < 2e-6;
}

static void
next_is_what_looking_at_all_gives(const struct source_file *file,
				  uint64_t first, uint64_t last)
{
	const struct source_request *got = NULL;

	for (uint32_t r = 0; r < file->request_nr; r++) {
		const struct source_request *it =
			&requests[file->request_first + r];

		if (it->line_first > last || it->line_last < first)
			continue;
		got = source_next(&sources, file, first, last, got);
		ASSERT_TRUE(got == it);
	}
	ASSERT_TRUE(source_next(&sources, file, first, last, got) == NULL);
}

/* verifies: FR-016-98 */
static void
test_best_request_is_that_of_the_greatest_worth(void **state)
{
	uint64_t seed = 0xbe57;

	for (int round = 0; round < 20; round++) {
		make(&seed);
		for (uint32_t i = 0; i < FILES; i++) {
			uint64_t first = 1 + random_next(&seed) % 60;
			uint64_t last = first + random_next(&seed) % 10;
			const struct source_request *got =
				source_best(&sources, &files[i], first, last);
			const struct source_request *want = NULL;

			for (uint32_t r = 0; r < files[i].request_nr; r++) {
				const struct source_request *it =
					&requests[files[i].request_first + r];

				if (it->line_first <= last &&
				    it->line_last >= first &&
				    (want == NULL || worth(it) > worth(want)))
					want = it;
			}
			ASSERT_TRUE((got == NULL) == (want == NULL));
			ASSERT_TRUE(got == NULL ||
				    worth(got) - worth(want) > -1e-9);
			ASSERT_TRUE(
				got == NULL ||
				near(source_worth(&sources, got), worth(got)));
			next_is_what_looking_at_all_gives(&files[i], first,
							  last);
		}
	}
}

/* verifies: FR-016-58, FR-016-62 */
static void
test_worth_is_by_the_weights_that_are_set(void **state)
{
	static const uint32_t priorities[CATEGORY_NR] = { 10, 20, 30, 90, 50 };
	const struct sources weighed = { .priorities = priorities,
					 .relevance_weight = 250000,
					 .source_weight = 750000,
					 .all_weights = 2000000 };
	const struct source_request tool = { .relevance = SOURCE_ONE,
					     .category = CATEGORY_TOOL };
	const struct source_request reference = { .relevance = SOURCE_ONE / 2,
						  .category =
							  CATEGORY_REFERENCE };

	ASSERT_EQ(source_worth(&weighed, &tool), 125000 + 37500);
	ASSERT_EQ(source_worth(&weighed, &reference), 62500 + 337500);
	ASSERT_EQ(source_worth(&(struct sources){ 0 }, &tool), 700000);
}

/* verifies: FR-016-17, FR-016-18, FR-016-19, FR-016-20, FR-016-21 */
/* verifies: FR-016-63, FR-016-64, FR-016-65, FR-016-66 */
static void
test_categories_are_those_of_the_documents(void **state)
{
	static const struct {
		const char *name;
		const char *type;
		uint32_t percent;
		uint32_t priority;
	} want[] = {
		{ "tool_results", "tool_result", 40, 100 },
		{ "open_files", "open_file", 30, 80 },
		{ "search_results", "search_result", 20, 60 },
		{ "references", "reference", 10, 40 },
	};
	uint32_t sum = 0;

	for (uint8_t i = 0; i < ARRAY_LEN(want); i++) {
		ASSERT_TRUE(strcmp(category_name(i), want[i].name) == 0);
		ASSERT_TRUE(strcmp(category_type(i), want[i].type) == 0);
		ASSERT_EQ(category_percent(i), want[i].percent);
		ASSERT_EQ(category_priority(i), want[i].priority);
	}
	for (uint8_t i = 0; i < CATEGORY_NR; i++)
		sum += category_percent(i);
	ASSERT_EQ(sum, 100);
	ASSERT_TRUE(strcmp(category_name(CATEGORY_NR), "unknown") == 0);
}

/* verifies: FR-016-24 */
static void
test_next_border_is_the_first_behind_a_line(void **state)
{
	static const uint64_t boundaries[] = { 99, 1, 4, 5, 20, 3 };
	const struct sources some = { .boundaries = boundaries };
	const struct source_file file = { .boundary_first = 1,
					  .boundary_nr = 4 };
	const struct source_file none = { .boundary_first = 5 };

	ASSERT_EQ(source_next_boundary(&some, &file, 0), 1);
	ASSERT_EQ(source_next_boundary(&some, &file, 1), 4);
	ASSERT_EQ(source_next_boundary(&some, &file, 3), 4);
	ASSERT_EQ(source_next_boundary(&some, &file, 4), 5);
	ASSERT_EQ(source_next_boundary(&some, &file, 19), 20);
	ASSERT_EQ(source_next_boundary(&some, &file, 20), 0);
	ASSERT_EQ(source_next_boundary(&some, &none, 0), 0);
}

/* What is there of a chunk in part: the lines that were asked for. */
static void
test_part_of_a_chunk_is_what_is_requested_of_it(void **state)
{
	static const struct {
		uint8_t category;
		uint64_t first;
		uint64_t last;
		uint32_t lines;
		uint32_t from;
	} cases[] = {
		{ CATEGORY_TOOL, 1, SOURCE_LINES_ALL, 10, 90 },
		{ CATEGORY_TOOL, 1, SOURCE_LINES_ALL, 99, 1 },
		{ CATEGORY_OPEN, 1, SOURCE_LINES_ALL, 10, 0 },
		{ CATEGORY_REFERENCE, 201, 300, 10, 0 },
		/* the hit is the 50th line: with as many before it */
		{ CATEGORY_SEARCH, 250, 250, 10, 44 },
		{ CATEGORY_SEARCH, 250, 250, 1, 49 },
		{ CATEGORY_SEARCH, 203, 203, 10, 0 },
		{ CATEGORY_SEARCH, 299, 299, 10, 90 },
		{ CATEGORY_SEARCH, 300, 300, 1, 99 },
		/* of nothing that is asked for, the beginning */
		{ CATEGORY_SEARCH, 500, 500, 10, 0 },
	};
	const struct source_lines chunk = { .first = 201, .nr = 100 };
	struct source_request request = { .relevance = SOURCE_ONE };
	const struct source_file file = { .request_nr = 1 };
	const struct sources one = { .files = &file,
				     .requests = &request,
				     .file_nr = 1,
				     .request_nr = 1 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		request.category = cases[i].category;
		request.line_first = cases[i].first;
		request.line_last = cases[i].last;
		source_set_reach(&request, 1);
		ASSERT_EQ(source_part_from(&one, &file, &chunk, cases[i].lines),
			  cases[i].from);
	}
	ASSERT_EQ(source_part_from(&one, NULL, &chunk, 10), 0);
}

/* Of a log its end comes first, then what went wrong. */
static void
test_chunks_of_a_log_are_as_relevant_as_what_they_say(void **state)
{
	static const uint64_t errors[] = { 7, 150, 320 };
	static const struct {
		uint64_t first;
		uint32_t nr;
		uint32_t relevance; /* per cent of the request's */
		uint32_t from;      /* of ten lines */
	} cases[] = {
		{ 1, 100, 90, 90 },    { 101, 49, 90, 39 },
		{ 101, 50, 95, 40 },   { 150, 100, 95, 0 },
		{ 151, 150, 90, 140 }, { 301, 100, 95, 14 },
		{ 401, 100, 100, 90 },
	};
	const struct source_request request = {
		.line_first = 1,
		.line_last = SOURCE_LINES_ALL,
		.reach = SOURCE_LINES_ALL,
		.relevance = SOURCE_ONE / 2,
		.category = CATEGORY_TOOL,
	};
	struct source_file log = {
		.request_nr = 1,
		.error_first = 1, /* the first one is another log's */
		.error_nr = 2,
		.line_nr = 500,
	};
	const struct sources some = { .files = &log,
				      .requests = &request,
				      .errors = errors,
				      .file_nr = 1,
				      .request_nr = 1 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct source_lines chunk = { cases[i].first,
						    cases[i].nr };

		ASSERT_EQ(source_relevance(&some, &log, &request, &chunk),
			  SOURCE_ONE / 200 * cases[i].relevance);
		ASSERT_EQ(source_part_from(&some, &log, &chunk, 10),
			  cases[i].from);
	}
	/* what is no log */
	log.line_nr = 0;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct source_lines chunk = { cases[i].first,
						    cases[i].nr };

		ASSERT_EQ(source_relevance(&some, &log, &request, &chunk),
			  SOURCE_ONE / 2);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find_gives_what_looking_at_all_gives),
		cmocka_unit_test(
			test_best_request_is_that_of_the_greatest_worth),
		cmocka_unit_test(test_worth_is_by_the_weights_that_are_set),
		cmocka_unit_test(test_next_border_is_the_first_behind_a_line),
		cmocka_unit_test(test_categories_are_those_of_the_documents),
		cmocka_unit_test(
			test_part_of_a_chunk_is_what_is_requested_of_it),
		cmocka_unit_test(
			test_chunks_of_a_log_are_as_relevant_as_what_they_say),
	};

	return cmocka_run_group_tests_name("stages/source", tests, NULL, NULL);
}
