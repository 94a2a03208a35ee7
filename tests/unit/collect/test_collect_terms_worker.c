/* SPDX-License-Identifier: MIT */
/*
 * test_collect_terms_worker.c - a large file that the kept survey has: what of it
 * may have words of the query is read, part by part, and it stays its own.
 */
#include "tests/support/test_collect_rig.h"
#include "tests/support/test_kept_survey.h"

#include "catalogue/words.h"

#define CHUNK_BYTES 20000u
#define CHUNKS 100u

static char *text;
static struct query query;
static struct chunk_record chunks[CHUNKS];
static uint64_t words[CHUNKS * (1 + QUERY_FILTER_WORDS)];

/* The state of the file "a", as an earlier run has seen it. */
static struct file_record
record_of(void)
{
	struct stat is;

	ASSERT_EQ(stat("a", &is), 0);
	return (struct file_record){
		.size_bytes = (uint64_t)is.st_size,
		.mtime_ns = is.st_mtim.tv_sec * 1000000000 + is.st_mtim.tv_nsec,
		.ctime_ns = is.st_ctim.tv_sec * 1000000000 + is.st_ctim.tv_nsec,
		.ino = is.st_ino,
		.dev = is.st_dev,
	};
}

/* A survey that says of each chunk by itself whether it may have the word. */
static void
keep(bool (*has)(uint32_t chunk))
{
	struct kept_file kept = { .path = "a",
				  .file = record_of(),
				  .facts.chunk_nr = CHUNKS,
				  .chunks = chunks,
				  .words = words };
	uint32_t nr = 0;

	for (uint32_t i = 0; i < CHUNKS; i++) {
		const struct words_block block = { .chunk_nr = 1,
						   .filter_nr = 1 };

		chunks[i] = (struct chunk_record){
			.file_off = (uint64_t)i * CHUNK_BYTES,
			.bytes = CHUNK_BYTES,
		};
		memcpy(&words[nr], &block, sizeof(block));
		words[nr + 1] = has(i) ? UINT64_MAX : 0;
		nr += 2;
	}
	kept.facts.word_nr = nr;
	kept_survey_open(&rig.run.catalogue.survey, &kept);
}

static bool
has_ends(uint32_t chunk)
{
	return chunk < 2 || chunk > CHUNKS - 30;
}

static bool
has_none(uint32_t chunk)
{
	(void)chunk;
	return false;
}

static void
begin(bool (*has)(uint32_t chunk))
{
	free(text);
	text = collector_text(CHUNKS * CHUNK_BYTES);
	scratch_file("a", text);
	query_init(&query, (const uint8_t *)"ring", 4);
	rig.run.job.query = &query;
	rig.run.job.budget_tokens = 1000;
	job_resolve(&rig.run.job);
	keep(has);
	collector_begin();
}

static int
tear_down(void **state)
{
	free(text);
	text = NULL;
	return collector_tear_down(state);
}

static void
test_terms_of_a_large_file_are_read_part_by_part(void **state)
{
	const uint32_t end = 29 * CHUNK_BYTES;
	uint32_t in_part;

	begin(has_ends);
	in_part = rig.run.job.part_bytes / CHUNK_BYTES;
	collector_run_pass();
	ASSERT_EQ(told_nr, 1);
	ASSERT_EQ(told[0].bytes[0], 2 * CHUNK_BYTES + end);
	assert_memory_equal(told[0].text[0], text, 2 * CHUNK_BYTES);
	assert_memory_equal(told[0].text[0] + 2 * CHUNK_BYTES,
			    text + (CHUNKS - 29) * CHUNK_BYTES, end);
	ASSERT_EQ(told[0].descs, 1 + (29 + in_part - 1) / in_part);
	ASSERT_EQ(told[0].releases, told[0].descs);
	ASSERT_EQ(told[0].lasts, 1);
	ASSERT_EQ(told[0].last.kind, DESC_WHOLE);
	ASSERT_EQ(told[0].last.surveyed, 1);
	ASSERT_EQ(told[0].last.flags & DESC_LAST, DESC_LAST);
	collector_expect_all_slabs_back();
}

/* The same of one in which another process has died, at each step. */
static void
test_terms_of_a_large_file_survive_a_death(void **state)
{
	int steps = 0;

	begin(has_ends);
	while (rig.worker.pass == PASS_FIRST) {
		ASSERT_EQ(rig_step(&rig), STEP_DONE);
		collector_take();
		if (rig.worker.pass == PASS_FIRST && steps++ % 2 == 0)
			collector_begin();
		ASSERT_TRUE(steps < 1000);
	}
	ASSERT_EQ(told[0].bytes[0], 31 * CHUNK_BYTES);
	ASSERT_EQ(told[0].lasts, 1);
	collector_expect_all_slabs_back();
}

static void
test_terms_of_a_file_without_any_need_no_reading(void **state)
{
	struct desc turn;

	begin(has_none);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_TRUE(rig_pop(&rig, EDGE_ORDER, 0, &turn));
	ASSERT_EQ(turn.kind, DESC_SURVEYED);
	ASSERT_EQ(turn.surveyed, 1);
	collector_run_pass();
	collector_expect_all_slabs_back();
}

/* It is not what it was when it is read again: it is left out. */
static void
test_terms_of_a_file_that_changes_are_given_up(void **state)
{
	begin(has_ends);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	collector_take();
	text[5] = '?';
	scratch_file("a", text);
	collector_run_pass();
	ASSERT_EQ(told[0].lasts, 1);
	ASSERT_EQ(told[0].last.reason, REASON_CHANGED);
	collector_expect_all_slabs_back();
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, collector_set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(test_terms_of_a_large_file_are_read_part_by_part),
		CASE(test_terms_of_a_large_file_survive_a_death),
		CASE(test_terms_of_a_file_without_any_need_no_reading),
		CASE(test_terms_of_a_file_that_changes_are_given_up),
	};

	return cmocka_run_group_tests_name("collect/terms_worker", tests, NULL,
					   NULL);
}
