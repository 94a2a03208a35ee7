/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_list.c - duplicates and overlaps of lists, against slow versions
 *                     of the same rules, and by hand.
 */
#include "tests/support/test_shm.h"

#include "cli/dedup_list.h"
#include "stages/count/count_normal.h"

#define CHUNKS 12

static const struct dedup_settings merging = { .threshold = 500000,
					       .merge = true };
static const struct dedup_settings keeping = { .threshold = 500000 };

static void
free_joined(struct dedup_chunk *chunks, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		free(chunks[i].joined);
}

static struct dedup_chunk
chunk_of(const char *path, uint64_t first, uint64_t last, double rank)
{
	return (struct dedup_chunk){ .path = path,
				     .source = "",
				     .first = first,
				     .last = last,
				     .rank = rank,
				     .tokens = last - first + 1 };
}

static struct dedup_chunk
text_of(const char *path, const char *text, uint64_t first, uint64_t last)
{
	struct dedup_chunk chunk = chunk_of(path, first, last, 1);

	chunk.content = text;
	chunk.content_bytes = strlen(text);
	return chunk;
}

/* Of what has the same content the best stays: every other one says so. */
static void
test_dedup_keeps_the_best_of_equal_contents(void **state)
{
	static const char *const texts[] = { "a\n", "b\n", "c\n" };
	uint64_t seed = 5;

	for (int round = 0; round < 200; round++) {
		struct dedup_chunk list[CHUNKS];

		for (uint32_t i = 0; i < CHUNKS; i++) {
			list[i] = text_of("f", texts[random_next(&seed) % 3],
					  10 * i + 1, 10 * i + 1);
			list[i].rank = (double)(random_next(&seed) % 4);
		}
		ASSERT_EQ(dedup_list_run(list, CHUNKS, &merging), 0);
		for (uint32_t i = 0; i < CHUNKS; i++) {
			uint32_t first = 0;

			/* the list is sorted, the best first */
			ASSERT_TRUE(i == 0 || list[i].rank <= list[i - 1].rank);
			while (list[first].content != list[i].content)
				first++;
			ASSERT_EQ(list[i].fate,
				  first == i ? DEDUP_KEPT : DEDUP_EXACT);
			ASSERT_EQ(list[i].other, first);
		}
		free_joined(list, CHUNKS);
	}
}

/* Equal ranks: the documents' order of sources, then path, line and place. */
static void
test_dedup_orders_equal_ranks_by_source_path_and_line(void **state)
{
	static const char *const want[] = { "tool_results", "open_files",
					    "search_results", "references",
					    "another" };
	struct dedup_chunk list[7];

	for (size_t i = 0; i < 5; i++) {
		list[i] = chunk_of("a", 1, 1, 1);
		list[i].source = want[4 - i];
	}
	list[5] = chunk_of("b", 1, 1, 1);
	list[5].source = "tool_results";
	list[6] = chunk_of("a", 5, 5, 1);
	list[6].source = "tool_results";
	ASSERT_EQ(dedup_list_run(list, 7, &merging), 0);
	assert_string_equal(list[0].source, "tool_results");
	ASSERT_EQ(list[0].first, 1);
	ASSERT_EQ(list[1].first, 5);
	assert_string_equal(list[2].path, "b");
	for (size_t i = 1; i < 5; i++)
		assert_string_equal(list[2 + i].source, want[i]);
}

/* Without content the same lines are the same; a text is never like them. */
static void
test_dedup_of_ranges_without_content_goes_by_lines(void **state)
{
	struct dedup_chunk list[] = { chunk_of("a", 1, 9, 4),
				      chunk_of("a", 1, 9, 3),
				      chunk_of("a", 2, 9, 2),
				      chunk_of("b", 1, 9, 1) };

	ASSERT_EQ(dedup_list_run(
			  list, 4,
			  &(struct dedup_settings){ .threshold = 1000000 }),
		  0);
	ASSERT_EQ(list[1].fate, DEDUP_EXACT);
	/* all of its lines are lines of the first */
	ASSERT_EQ(list[2].fate, DEDUP_MERGED);
	ASSERT_EQ(list[3].fate, DEDUP_KEPT);
}

/* 1-20 and 16-25 share 5 of 10 lines; 27-30 touches neither. */
static void
test_dedup_merges_lines_and_counts_each_once(void **state)
{
	struct dedup_chunk list[] = { chunk_of("a", 16, 25, 9),
				      chunk_of("a", 1, 20, 5),
				      chunk_of("a", 27, 30, 4) };

	ASSERT_EQ(dedup_list_run(list, 3, &merging), 0);
	ASSERT_EQ(list[0].fate, DEDUP_KEPT);
	ASSERT_EQ(list[0].merged_first, 1);
	ASSERT_EQ(list[0].merged_last, 25);
	ASSERT_EQ(list[0].merged_nr, 1);
	ASSERT_EQ(list[0].merged_tokens, 25);
	ASSERT_EQ(list[0].before_tokens, 30);
	ASSERT_EQ(list[1].fate, DEDUP_MERGED);
	ASSERT_EQ(list[1].other, 0);
	ASSERT_EQ(list[2].fate, DEDUP_KEPT);
	ASSERT_EQ(list[2].merged_nr, 0);
	ASSERT_EQ(list[2].merged_tokens, 4);
}

static void
test_dedup_without_merging_keeps_the_better_one(void **state)
{
	struct dedup_chunk list[] = { chunk_of("a", 16, 25, 9),
				      chunk_of("a", 1, 20, 5) };

	ASSERT_EQ(dedup_list_run(list, 2, &keeping), 0);
	ASSERT_EQ(list[0].merged_first, 16);
	ASSERT_EQ(list[0].merged_last, 25);
	ASSERT_EQ(list[0].merged_nr, 0);
	ASSERT_EQ(list[1].fate, DEDUP_MERGED);
	ASSERT_EQ(list[1].other, 0);
}

/* One whose tokens are not known makes the sum unknown. */
static void
test_dedup_does_not_guess_tokens(void **state)
{
	struct dedup_chunk list[] = { chunk_of("a", 1, 20, 9),
				      chunk_of("a", 11, 25, 5) };

	list[1].tokens = DEDUP_TOKENS_NONE;
	ASSERT_EQ(dedup_list_run(list, 2, &merging), 0);
	ASSERT_EQ(list[0].merged_nr, 1);
	ASSERT_EQ(list[0].merged_tokens, DEDUP_TOKENS_NONE);
	ASSERT_EQ(list[0].before_tokens, 20);
}

/* Ranges of a file, cut out of it by chance: what is joined is the file. */
static void
test_dedup_joins_texts_to_what_the_file_has(void **state)
{
	static const char file[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
	const struct dedup_settings any = { .threshold = 1, .merge = true };
	uint64_t seed = 11;

	for (int round = 0; round < 300; round++) {
		struct dedup_chunk list[4];
		char texts[4][sizeof(file)];

		for (uint32_t i = 0; i < 4; i++) {
			uint64_t first = random_next(&seed) % 9;
			uint64_t nr = 1 + random_next(&seed) % (9 - first);

			snprintf(texts[i], sizeof(file), "%.*s", (int)(2 * nr),
				 file + 2 * first);
			list[i] = text_of("f", texts[i], first + 1, first + nr);
			list[i].rank = (double)i;
		}
		ASSERT_EQ(dedup_list_run(list, 4, &any), 0);
		for (uint32_t i = 0; i < 4; i++) {
			const struct dedup_chunk *it = &list[i];

			if (it->merged_nr == 0)
				continue;
			ASSERT_EQ(it->joined_bytes,
				  2 * (it->merged_last - it->merged_first + 1));
			assert_memory_equal(it->joined,
					    file + 2 * (it->merged_first - 1),
					    it->joined_bytes);
		}
		free_joined(list, 4);
	}
}

/* Where texts of the same lines are others, those of the best one stay. */
static void
test_dedup_joins_what_the_best_text_says(void **state)
{
	static const struct {
		const char *best;
		const char *other;
		uint64_t first[2];
		const char *want;
	} rows[] = {
		{ "B\nC\n", "a\nb\nc\n", { 2, 1 }, "a\nB\nC\n" },
		{ "B\nC", "a\nb\nc\nd\n", { 2, 1 }, "a\nB\nC\nd\n" },
		{ "C\nD\n", "a\nb\nc\n", { 3, 1 }, "a\nb\nC\nD\n" },
		{ "A\nB\n", "b\nc\n", { 1, 2 }, "A\nB\nc\n" },
		{ "B", "a\nb", { 2, 1 }, "a\nB" },
		{ "BBBB\n", "a\n\nc\n", { 2, 1 }, "a\nBBBB\nc\n" },
	};
	const struct dedup_settings any = { .threshold = 1, .merge = true };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dedup_chunk list[2];
		const char *const texts[] = { rows[i].best, rows[i].other };

		for (size_t k = 0; k < 2; k++) {
			uint64_t last = rows[i].first[k] - 1;

			for (const char *c = texts[k]; *c != '\0'; c++)
				last += *c == '\n' || c[1] == '\0';
			list[k] = text_of("f", texts[k], rows[i].first[k],
					  last);
			list[k].rank = k == 0 ? 9 : 1;
		}
		ASSERT_EQ(dedup_list_run(list, 2, &any), 0);
		ASSERT_EQ(list[0].merged_nr, 1);
		ASSERT_EQ(list[0].joined_bytes, strlen(rows[i].want));
		assert_memory_equal(list[0].joined, rows[i].want,
				    list[0].joined_bytes);
		free_joined(list, 2);
	}
}

static void
test_dedup_does_not_join_texts_of_other_lines(void **state)
{
	struct dedup_chunk list[] = { text_of("f", "1\n2\n3\n", 1, 3),
				      text_of("f", "2\n3\n", 2, 4) };

	ASSERT_EQ(dedup_list_run(list, 2, &merging), 0);
	ASSERT_EQ(list[0].merged_nr, 1);
	ASSERT_TRUE(list[0].joined == NULL);
	/* the last line came without its end */
	list[0] = text_of("f", "1\n2", 1, 2);
	list[1] = text_of("f", "2\n3\n", 2, 3);
	ASSERT_EQ(dedup_list_run(list, 2, &merging), 0);
	ASSERT_EQ(list[0].joined_bytes, 6);
	assert_memory_equal(list[0].joined, "1\n2\n3\n", 6);
	free_joined(list, 2);
}

static void
test_dedup_normalizes_contents(void **state)
{
	struct dedup_chunk list[] = { text_of("f", "a \r\n", 1, 1),
				      text_of("g", "a\n", 1, 1) };
	struct dedup_settings settings = merging;

	settings.normalize = NORMALIZE_TRAILING;
	ASSERT_EQ(dedup_list_run(list, 2, &settings), 0);
	ASSERT_EQ(list[1].fate, DEDUP_EXACT);
	list[0] = text_of("f", "a \r\n", 1, 1);
	list[1] = text_of("g", "a\n", 1, 1);
	settings.normalize = NORMALIZE_NONE;
	ASSERT_EQ(dedup_list_run(list, 2, &settings), 0);
	ASSERT_EQ(list[1].fate, DEDUP_KEPT);
}

/* A dedup_count_fn: as many as there are bytes that are no end of line. */
static uint64_t
count(const void *context, const char *text, size_t bytes)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < bytes; i++)
		nr += text[i] != '\n';
	return nr + (context != NULL);
}

/* The most lines that have no more than `max`, and one at least. */
static void
test_dedup_next_part_takes_as_many_lines_as_it_can(void **state)
{
	uint64_t seed = 3;

	for (int round = 0; round < 500; round++) {
		char text[128] = "";
		uint64_t max = random_next(&seed) % 12;
		uint64_t sum = 0;
		uint64_t lines = 0;
		size_t want = 0;
		struct dedup_part part;

		for (int i = 0; i < 8; i++)
			strcat(strncat(text, "xxxxx", random_next(&seed) % 6),
			       "\n");
		for (const char *at = text; *at != '\0';) {
			size_t bytes = strcspn(at, "\n") + 1;

			sum += bytes - 1;
			if (lines > 0 && sum > max)
				break;
			lines++;
			want += bytes;
			at += bytes;
		}
		part = dedup_next_part(text, strlen(text), max, count, NULL);
		ASSERT_EQ(part.lines, lines);
		ASSERT_EQ(part.bytes, want);
		ASSERT_EQ(part.tokens, count(NULL, text, want));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dedup_keeps_the_best_of_equal_contents),
		cmocka_unit_test(
			test_dedup_orders_equal_ranks_by_source_path_and_line),
		cmocka_unit_test(
			test_dedup_of_ranges_without_content_goes_by_lines),
		cmocka_unit_test(test_dedup_merges_lines_and_counts_each_once),
		cmocka_unit_test(
			test_dedup_without_merging_keeps_the_better_one),
		cmocka_unit_test(test_dedup_does_not_guess_tokens),
		cmocka_unit_test(test_dedup_joins_texts_to_what_the_file_has),
		cmocka_unit_test(test_dedup_joins_what_the_best_text_says),
		cmocka_unit_test(test_dedup_does_not_join_texts_of_other_lines),
		cmocka_unit_test(test_dedup_normalizes_contents),
		cmocka_unit_test(
			test_dedup_next_part_takes_as_many_lines_as_it_can),
	};

	return cmocka_run_group_tests_name("cli/dedup_list", tests, NULL, NULL);
}
