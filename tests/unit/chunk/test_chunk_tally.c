/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_tally.c - newlines and runs of backticks, against counting them
 * one byte after the other.
 */
#include "tests/support/test_shm.h"

#include "stages/chunk/chunk.h"

#define TEXT_BYTES 40000

static uint8_t text[TEXT_BYTES];

static uint64_t
slow_newlines(const uint8_t *from, size_t bytes)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < bytes; i++)
		if (from[i] == '\n')
			nr++;
	return nr;
}

static uint32_t
slow_run(const uint8_t *from, size_t bytes)
{
	uint32_t longest = 0;
	uint32_t run = 0;

	for (size_t i = 0; i < bytes; i++) {
		run = from[i] == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

/* Of a hundred bytes so many are newlines, and so many begin backticks. */
static size_t
make_text(uint64_t *seed, uint32_t newlines, uint32_t ticks)
{
	size_t bytes = random_next(seed) % TEXT_BYTES;

	for (size_t n = 0; n < bytes;) {
		uint64_t kind = random_next(seed) % 100;
		size_t run = 1;

		if (kind < newlines)
			text[n++] = '\n';
		else if (kind < newlines + ticks)
			for (run = random_next(seed) % 40; run > 0 && n < bytes;
			     run--)
				text[n++] = '`';
		else
			text[n++] = (uint8_t)random_next(seed);
	}
	return bytes;
}

static void
test_tally_cut_anywhere_counts_as_the_whole(void **state)
{
	static const struct {
		uint32_t newlines;
		uint32_t ticks;
		uint32_t part_max;
	} cases[] = { { 3, 2, 9000 }, { 50, 10, 300 },  { 0, 100, 50 },
		      { 0, 60, 2 },   { 100, 0, 4096 }, { 1, 1, 40000 } };
	uint64_t seed = 0x5eed3;

	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		for (int round = 0; round < 20; round++) {
			struct chunk_tally tally = { 0 };
			size_t bytes = make_text(&seed, cases[c].newlines,
						 cases[c].ticks);

			for (size_t at = 0; at < bytes;) {
				size_t part =
					random_next(&seed) % cases[c].part_max;

				if (part > bytes - at)
					part = bytes - at;
				chunk_tally_add(&tally, text + at, part);
				at += part;
				/* so far, too, not at the end alone */
				if (random_next(&seed) % 512 == 0)
					ASSERT_EQ(tally.mark_run,
						  slow_run(text, at));
			}
			ASSERT_EQ(tally.bytes, bytes);
			ASSERT_EQ(tally.newlines, slow_newlines(text, bytes));
			ASSERT_EQ(tally.mark_run, slow_run(text, bytes));
			if (bytes > 0)
				ASSERT_EQ(tally.last_byte, text[bytes - 1]);
		}
	}
}

static void
test_tally_of_nothing_stays_empty(void **state)
{
	struct chunk_tally tally = { 0 };

	chunk_tally_add(&tally, text, 0);
	ASSERT_EQ(tally.bytes, 0);
	ASSERT_EQ(tally.newlines, 0);
	ASSERT_EQ(tally.mark_run, 0);
	memset(text, '`', 5);
	chunk_tally_add(&tally, text, 2);
	chunk_tally_add(&tally, text, 0); /* does not end the run */
	chunk_tally_add(&tally, text, 3);
	ASSERT_EQ(tally.mark_run, 5);
}

/* What is left out must not join what was apart into a mark of ours. */
static void
test_tally_of_what_is_left_counts_as_it_will_stand(void **state)
{
	static const char hidden[] = "``\xe2\x80\x8b``\x01`\n// .."
				     "\xef\xbb\xbf.. (lines 1-2)\n";

	for (size_t part = 1; part < sizeof(hidden); part++) {
		struct chunk_tally kept = { 0 };
		struct chunk_tally left = { .strips = 1 };

		for (size_t at = 0; at < sizeof(hidden) - 1; at += part) {
			size_t nr = min_size(part, sizeof(hidden) - 1 - at);
			const uint8_t *from = (const uint8_t *)hidden + at;

			chunk_tally_add(&kept, from, nr);
			chunk_tally_add(&left, from, nr);
		}
		ASSERT_EQ(kept.mark_run, 2);
		ASSERT_EQ(kept.dot_run, 0);
		ASSERT_EQ(left.mark_run, 5);
		ASSERT_EQ(left.dot_run, 4);
		ASSERT_EQ(kept.traits,
			  MARKUP_HAS_CONTROL | MARKUP_HAS_INVISIBLE);
	}
}

/* Lengths around the blocks that are counted side by side. */
static void
test_newlines_of_every_length_are_counted(void **state)
{
	static const size_t lengths[] = { 0,    1,    15,   16,   17,
					  254,  255,  256,  4079, 4080,
					  4081, 8160, 8161, 30000 };

	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		memset(text, '\n', sizeof(text));
		/* what lies behind the end is not counted */
		ASSERT_EQ(lang_newlines(text + i, lengths[i]), lengths[i]);
		memset(text, '\n' ^ 0x80, sizeof(text));
		ASSERT_EQ(lang_newlines(text, lengths[i]), 0);
	}
}

static void
test_chunk_what_is_seen_of_a_text_is_as_counted_by_bytes(void **state)
{
	static const char letters[] = "ab  \t\n~\x7f\x01";
	uint64_t seed = 0x5ee2;

	for (int round = 0; round < 4000; round++) {
		size_t bytes = random_next(&seed) % 900;
		uint64_t least = random_next(&seed) % 900;
		bool ascii = true;
		uint64_t seen = 0;

		for (size_t i = 0; i < bytes; i++) {
			text[i] = (uint8_t)letters[random_next(&seed) % 9];
			if (random_next(&seed) % 700 == 0)
				text[i] = (uint8_t)(128 + seed % 128);
			ascii &= text[i] < 128;
			seen += text[i] > ' ';
		}
		ASSERT_EQ(lang_is_ascii(text, bytes), ascii);
		ASSERT_EQ(lang_has_visible(text, bytes, least), seen >= least);
		ASSERT_EQ(lang_has_visible(text, bytes, seen), true);
		ASSERT_EQ(lang_has_visible(text, bytes, seen + 1), false);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tally_cut_anywhere_counts_as_the_whole),
		cmocka_unit_test(test_tally_of_nothing_stays_empty),
		cmocka_unit_test(
			test_tally_of_what_is_left_counts_as_it_will_stand),
		cmocka_unit_test(test_newlines_of_every_length_are_counted),
		cmocka_unit_test(
			test_chunk_what_is_seen_of_a_text_is_as_counted_by_bytes),
	};

	return cmocka_run_group_tests_name("chunk/tally", tests, NULL, NULL);
}
