/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_words.c - blocks of words: all chunks of a file have one, in their
 * order, and what query_count() finds in them is in it.
 */
#include "tests/support/test_chunk_work.h"

#define FUNCTIONS 180

static struct step_rig rig;
static struct query query;
static char text[32 * 1024];

static void
make_text(void)
{
	size_t at = 0;

	for (int i = 0; i < FUNCTIONS; i++)
		at += (size_t)snprintf(
			text + at, sizeof(text) - at,
			"static int\n%s_%d(int a)\n{\n\t/* number %c%c */\n"
			"\tstep(a);\n\tif (a > %d)\n\t\treturn goOn%d(a);\n"
			"\treturn a + %d;\n}\n\n",
			i == 3 ? "slab" : "other", i, 'a' + i % 26,
			'a' + i / 26, i, i, i);
}

/* All words of the file, put together; how many. */
static uint64_t
words_of(uint64_t *words)
{
	uint64_t nr = 0;

	for (uint32_t i = 0; i < rig.got_nr; i++) {
		struct desc_words desc;

		if (rig.got[i].kind != DESC_WORDS)
			continue;
		memcpy(&desc, &rig.got[i], sizeof(desc));
		ASSERT_TRUE(desc.nr > 0 && desc.nr <= WORDS_OF_DESC);
		memcpy(words + nr, desc.words, desc.nr * sizeof(uint64_t));
		nr += desc.nr;
	}
	return nr;
}

static bool
may_have(const struct words_block *block, const char *asked)
{
	static struct query_sought sought;

	query_init(&query, (const uint8_t *)asked, strlen(asked));
	query_sought_init(&sought, &query);
	return query_filter_may_have((const uint64_t *)(block + 1),
				     block->filter_nr, &sought);
}

/* Chunks of a file, by the scan of it. */
static uint32_t
scan(struct desc *runs)
{
	struct desc in = step_whole_file(&rig, text, DESC_SCAN | DESC_LAST);
	uint32_t nr = 0;

	chunk_step_entry(&rig.work, &in);
	ASSERT_TRUE(!rig.state.goes_on);
	for (uint32_t i = 0; i < rig.got_nr; i++)
		if (rig.got[i].kind == DESC_RUN)
			runs[nr++] = rig.got[i];
	return nr;
}

static void
test_chunk_words_are_of_all_chunks_in_blocks(void **state)
{
	static struct desc runs[GOT_MAX];
	static uint64_t words[GOT_MAX * WORDS_OF_DESC];
	uint32_t chunk_nr = scan(runs);
	uint64_t nr = words_of(words);
	const struct words_block *block;
	uint32_t blocks = 0;
	uint32_t chunk = 0;
	uint64_t at = 0;

	while ((block = words_next(words, nr, &at)) != NULL) {
		uint64_t begin = runs[chunk].file_off;
		uint64_t end;

		ASSERT_TRUE(block->chunk_nr <= chunk_nr - chunk);
		chunk += block->chunk_nr;
		end = runs[chunk - 1].file_off + runs[chunk - 1].bytes;
		ASSERT_EQ(end - begin >= WORDS_BLOCK_BYTES, chunk < chunk_nr);
		/* each function is in one of them */
		for (int i = 0; i < FUNCTIONS; i++) {
			char number[16];
			char call[16];
			const char *where;
			uint64_t off;

			snprintf(number, sizeof(number), "other_%d(", i);
			snprintf(call, sizeof(call), "go_on%d", i);
			where = strstr(text, number);
			off = where == NULL ? 0 : (uint64_t)(where - text);
			if (where != NULL && off >= begin && off + 200 < end)
				assert_true(may_have(block, call));
		}
		ASSERT_EQ(may_have(block, "slabs"), begin == 0);
		assert_false(may_have(block, "elephant"));
		blocks++;
	}
	ASSERT_EQ(at, nr);
	ASSERT_EQ(chunk, chunk_nr);
	ASSERT_EQ(blocks, 2);
}

static void
test_chunk_words_are_told_only_if_they_are_kept(void **state)
{
	static struct desc runs[GOT_MAX];
	static uint64_t words[GOT_MAX * WORDS_OF_DESC];

	rig.job.keeps_words = false;
	ASSERT_TRUE(scan(runs) > 2);
	ASSERT_EQ(words_of(words), 0);
}

static int
setup(void **state)
{
	step_rig_init(&rig);
	make_text();
	query_init(&query, (const uint8_t *)"ring", 4);
	rig.job.query = &query;
	rig.job.counts_terms = true;
	rig.job.keeps_words = true;
	chunk_rules_fit(&rig.rules);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			test_chunk_words_are_of_all_chunks_in_blocks, setup),
		cmocka_unit_test_setup(
			test_chunk_words_are_told_only_if_they_are_kept, setup),
	};

	return cmocka_run_group_tests_name("chunk/words", tests, NULL, NULL);
}
