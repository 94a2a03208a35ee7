/* SPDX-License-Identifier: MIT */
/*
 * test_query_filter.c - no word that query_count() finds is missing in a
 * filter, and hardly one is in it that the text has not.
 */
#include "tests/support/test_shm.h"

#include "rank/query_filter.h"

/* What words are made of: borders of all kinds, endings, other alphabets. */
static const char *const pieces[] = {
	"tcp",
	"Tcp",
	"TCP",
	"_",
	"__",
	" ",
	".",
	"\n",
	"ing",
	"s",
	"ies",
	"es",
	"ed",
	"8",
	"2024",
	"x",
	"X",
	"Server",
	"http",
	"HTTP",
	"file",
	"File",
	"\xc3\xa9",
	"class",
	"stopp",
	"y",
	"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvw",
	"-",
};

static size_t
random_text(uint64_t *random, char *out, uint32_t piece_nr)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < piece_nr; i++) {
		const char *piece =
			pieces[random_next(random) % ARRAY_LEN(pieces)];

		memcpy(out + bytes, piece, strlen(piece));
		bytes += strlen(piece);
	}
	return bytes;
}

static void
test_query_filter_lacks_no_word_that_is_counted(void **state)
{
	static struct query query;
	static struct query_words words;
	uint64_t random = 7;
	uint32_t found = 0;

	(void)state;
	for (uint32_t round = 0; round < 20000; round++) {
		uint8_t counts[QUERY_TERMS_MAX] = { 0 };
		struct query_filter filter = { 0 };
		uint32_t word_nr;
		char text[64 * 50];
		char asked[64 * 4];
		size_t bytes = random_text(
			&random, text, (uint32_t)(random_next(&random) % 60));

		query_init(&query, (const uint8_t *)asked,
			   random_text(&random, asked, 3));
		query_count(&query, (const uint8_t *)text, bytes, counts);
		query_filter_begin(&words);
		query_filter_add(&filter, &words, (const uint8_t *)text, bytes);
		word_nr = query.word_nr;
		for (uint32_t i = 0; i < word_nr; i++) {
			struct query_sought one;
			struct query_filter folded = filter;
			uint32_t nr = query_filter_fold(&folded);

			if (counts[i] == 0)
				continue;
			query.terms[0] = query.terms[i];
			query.word_nr = 1;
			query_sought_init(&one, &query);
			found++;
			assert_true(query_filter_may_have(
				filter.bits, QUERY_FILTER_WORDS, &one));
			assert_true(
				query_filter_may_have(folded.bits, nr, &one));
		}
	}
	assert_true(found > 5000);
}

/* A text of words that are all different: "w" and a number of three letters. */
static size_t
numbered_words(char *out, uint32_t first, uint32_t nr)
{
	size_t bytes = 0;

	for (uint32_t i = first; i < first + nr; i++)
		bytes += (size_t)sprintf(out + bytes, "w%c%c%cm ",
					 'a' + i / 676 % 26, 'a' + i / 26 % 26,
					 'a' + i % 26);
	return bytes;
}

static void
test_query_filter_is_short_and_seldom_wrong(void **state)
{
	static const uint32_t sizes[] = { 1, 20, 100, 300 };
	static struct query query;
	static struct query_words words;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct query_filter filter = { 0 };
		struct query_sought sought;
		char text[4096];
		uint32_t wrong = 0;
		uint32_t nr;

		query_filter_begin(&words);
		query_filter_add(&filter, &words, (const uint8_t *)text,
				 numbered_words(text, 0, sizes[i]));
		nr = query_filter_fold(&filter);
		assert_true((nr & (nr - 1)) == 0);
		/* some 36 bits a word at most, but for a short one */
		assert_true(nr == 1 || 64 * nr <= 36 * sizes[i]);
		for (uint32_t other = 1000; other < 11000; other++) {
			query_init(&query, (const uint8_t *)text,
				   numbered_words(text, other, 1));
			query_sought_init(&sought, &query);
			wrong +=
				query_filter_may_have(filter.bits, nr, &sought);
		}
		/* each is asked for with some twenty endings */
		assert_true(wrong < 150);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_query_filter_lacks_no_word_that_is_counted),
		cmocka_unit_test(test_query_filter_is_short_and_seldom_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
