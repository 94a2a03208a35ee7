/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_terms.c - how often chunks have the words of the query: those of a
 *                      text that is looked at, and the same of a kept survey.
 */
#include "tests/support/test_chunk_work.h"
#include "tests/support/test_kept_survey.h"

#include <errno.h>

#define FUNCTIONS 40
#define TERMS 2 /* the words of the query */
/* What the text begins with, which is not counted. */
#define LICENCE "/* Copyright of the slab, and no warranty of the ring. */\n"

static struct step_rig rig;
static struct query query;
static char text[32 * 1024];

/* What a chunk has of each word, by its number. */
static uint32_t counted[GOT_MAX][TERMS];

/* Functions, every third of which is named by a word of the query. */
static void
make_text(void)
{
	size_t at = (size_t)snprintf(text, sizeof(text), LICENCE);

	for (int i = 0; i < FUNCTIONS; i++)
		at += (size_t)snprintf(
			text + at, sizeof(text) - at,
			"static int\n%s_%d(int a)\n{\n\t/* %s */\n"
			"\tstep(a);\n\tif (a > %d)\n\t\treturn go_%d(a);\n"
			"\treturn a + %d;\n}\n\n",
			i % 3 == 0 ? "slab" : "other", i,
			i % 5 == 0 ? "the ring and a slab" : "nothing", i, i,
			i);
}

static uint32_t
times_in(const char *from, size_t bytes, const char *word)
{
	size_t word_bytes = strlen(word);
	uint32_t nr = 0;

	for (size_t i = 0; i + word_bytes <= bytes; i++)
		nr += memcmp(from + i, word, word_bytes) == 0;
	return nr;
}

static void
add_terms(const struct desc *desc)
{
	struct desc_terms terms;

	memcpy(&terms, desc, sizeof(terms));
	ASSERT_TRUE(terms.chunk < GOT_MAX);
	for (uint32_t i = 0; i < terms.nr; i++)
		if (terms.found[i].term < TERMS)
			counted[terms.chunk][terms.found[i].term] +=
				terms.found[i].times;
}

/* Looks at the text; its chunks. */
static uint32_t
scan(struct desc *runs)
{
	struct desc in = step_whole_file(&rig, text, DESC_SCAN | DESC_LAST);
	uint32_t nr = 0;

	chunk_step_entry(&rig.work, &in);
	ASSERT_TRUE(!rig.state.goes_on);
	for (uint32_t i = 0; i < rig.got_nr; i++) {
		if (rig.got[i].kind == DESC_TERMS)
			add_terms(&rig.got[i]);
		if (rig.got[i].kind == DESC_RUN)
			runs[nr++] = rig.got[i];
	}
	return nr;
}

static void
test_chunk_terms_are_those_of_the_text_and_of_names(void **state)
{
	static struct desc runs[GOT_MAX];
	uint32_t nr = scan(runs);
	uint32_t slabs = 0;

	ASSERT_TRUE(nr > 3);
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t licence = i == 0 ? (uint32_t)strlen(LICENCE) : 0;
		const char *from = text + runs[i].file_off + licence;
		uint32_t bytes = runs[i].bytes - licence;
		/* in a name of a definition it counts once more */
		uint32_t names = times_in(from, bytes, "static int\nslab_");

		ASSERT_EQ(counted[i][0], times_in(from, bytes, "ring"));
		ASSERT_EQ(counted[i][1], times_in(from, bytes, "slab") + names);
		slabs += names;
	}
	ASSERT_EQ(slabs, (FUNCTIONS + 2) / 3);
}

/* A survey of one file with these chunks, and the names that were found. */
static void
make_survey(const struct desc *runs, uint32_t nr)
{
	static struct chunk_record chunks[GOT_MAX];
	struct kept_file kept = { .path = "a.c",
				  .facts.chunk_nr = nr,
				  .chunks = chunks };

	for (uint32_t i = 0; i < rig.got_nr; i++)
		if (rig.got[i].kind == DESC_NAMES)
			kept.names = catalogue_lane_names(
				&rig.catalogue, &rig.lane, rig.got[i].bytes,
				sizeof(*kept.names) + NAMES_FILE_BYTES);
	ASSERT_TRUE(kept.names != NULL);
	for (uint32_t i = 0; i < nr; i++)
		chunks[i] = (struct chunk_record){
			.file_off = runs[i].file_off,
			.bytes = runs[i].bytes,
			.line_first = runs[i].line_first,
			.line_nr = runs[i].line_nr,
		};
	kept_survey_open(&rig.catalogue.survey, &kept);
}

/* An entry of the kept survey that is read from one place to another. */
static void
step_kept(uint64_t off, uint64_t end, uint8_t flags)
{
	struct desc in =
		step_whole_file(&rig, text, DESC_SCAN | DESC_RELEASE | flags);

	in.surveyed = 1;
	in.file_off = off;
	in.slab_off += (uint32_t)off;
	in.bytes = (uint32_t)(end - off);
	chunk_step_entry(&rig.work, &in);
	ASSERT_TRUE(!rig.state.goes_on);
}

static void
test_chunk_terms_of_a_kept_survey_are_the_same(void **state)
{
	static struct desc runs[GOT_MAX];
	static uint32_t want[GOT_MAX][TERMS];
	uint32_t nr = scan(runs);

	memcpy(want, counted, sizeof(want));
	memset(counted, 0, sizeof(counted));
	make_survey(runs, nr);
	rig.got_nr = 0;
	chunk_begin_file(&rig.work, FILE_NONE);
	step_kept(0, strlen(text), DESC_LAST);
	ASSERT_TRUE(rig.got_nr > 3);
	for (uint32_t i = 0; i + 2 < rig.got_nr; i++) {
		ASSERT_EQ(rig.got[i].kind, DESC_TERMS);
		add_terms(&rig.got[i]);
	}
	assert_memory_equal(counted, want, sizeof(want));
	/* the slab goes back, then the turn ends */
	ASSERT_EQ(rig.got[rig.got_nr - 2].kind, DESC_SLAB);
	ASSERT_EQ(rig.got[rig.got_nr - 1].kind, DESC_SURVEYED);
	ASSERT_EQ(rig.got[rig.got_nr - 1].flags & DESC_LAST, DESC_LAST);
	ASSERT_EQ(rig.got[rig.got_nr - 1].surveyed, 1);
	table_close(&rig.catalogue.survey.table);
}

/* Those that are read, in several entries with holes between them. */
static void
test_chunk_terms_of_parts_of_a_kept_survey_are_the_same(void **state)
{
	static struct desc runs[GOT_MAX];
	static uint32_t want[GOT_MAX][TERMS];
	uint32_t nr = scan(runs);
	uint32_t turns = 0;

	ASSERT_TRUE(nr > 6);
	memcpy(want, counted, sizeof(want));
	memset(counted, 0, sizeof(counted));
	memset(want[0], 0, sizeof(want[0]));
	memset(want[3], 0, sizeof(want[3]));
	make_survey(runs, nr);
	rig.got_nr = 0;
	chunk_begin_file(&rig.work, FILE_NONE);
	step_kept(runs[1].file_off, runs[3].file_off, 0);
	step_kept(runs[4].file_off, strlen(text), DESC_LAST);
	for (uint32_t i = 0; i < rig.got_nr; i++) {
		if (rig.got[i].kind == DESC_TERMS)
			add_terms(&rig.got[i]);
		turns += rig.got[i].kind == DESC_SURVEYED;
	}
	assert_memory_equal(counted, want, sizeof(want));
	ASSERT_EQ(turns, 1);
	table_close(&rig.catalogue.survey.table);
}

/* Nothing is counted of chunks that are not those that were kept. */
static void
test_chunk_terms_of_a_damaged_survey_are_none(void **state)
{
	static struct desc runs[GOT_MAX];
	struct desc in = step_whole_file(&rig, text, DESC_SCAN | DESC_LAST);
	const struct survey *survey = &rig.catalogue.survey;

	make_survey(runs, scan(runs));
	rig.got_nr = 0;
	chunk_begin_file(&rig.work, FILE_NONE);
	in.surveyed = 1;
	ASSERT_EQ(pwrite(table_fd(&survey->table), "x", 1,
			 (off_t)survey->head.chunks_off),
		  1);
	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.work.error, -ESTALE);
	ASSERT_EQ(rig.got_nr, 0);
	table_close(&rig.catalogue.survey.table);
}

static int
setup(void **state)
{
	step_rig_init(&rig);
	make_text();
	memset(counted, 0, sizeof(counted));
	query_init(&query, (const uint8_t *)"ring slab", 9);
	rig.job.query = &query;
	rig.job.counts_terms = true;
	chunk_rules_fit(&rig.rules);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			test_chunk_terms_are_those_of_the_text_and_of_names,
			setup),
		cmocka_unit_test_setup(
			test_chunk_terms_of_a_kept_survey_are_the_same, setup),
		cmocka_unit_test_setup(
			test_chunk_terms_of_parts_of_a_kept_survey_are_the_same,
			setup),
		cmocka_unit_test_setup(
			test_chunk_terms_of_a_damaged_survey_are_none, setup),
	};

	return cmocka_run_group_tests_name("chunk/terms", tests, NULL, NULL);
}
