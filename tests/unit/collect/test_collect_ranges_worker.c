/* SPDX-License-Identifier: MIT */
/*
 * test_collect_ranges_worker.c - planned chunks of a file, a slab at a time.
 */
#include "tests/support/test_collect_rig.h"

static uint64_t chunk_nr;

/* A chunk of a file of the survey, planned. */
static void
plan(uint32_t file_idx, uint64_t off, uint32_t bytes)
{
	*rig_chunk(&rig, chunk_nr) = (struct chunk_record){
		.file_idx = file_idx,
		.file_off = off,
		.bytes = bytes,
		.line_first = (uint32_t)chunk_nr + 1,
		.line_nr = 3,
	};
	chunk_nr++;
}

/* The survey is over, and gather of these chunks begins. */
static void
begin_gather(void)
{
	uint64_t chunks[64];

	for (uint64_t i = 0; i < chunk_nr; i++)
		chunks[i] = i;
	rig_set_plan(&rig, chunks, chunk_nr);
	store_release(&rig.run.segment.control->pass, PASS_FIRST + 1);
	collector_forget_told();
}

static int
set_up(void **state)
{
	int error = collector_set_up(state);

	chunk_nr = 0;
	rig.run.job.budget_tokens = 1000;
	return error;
}

static void
test_ranges_of_a_file_lie_in_one_slab(void **state)
{
	scratch_file("a", "0123456789");
	scratch_file("b", "bbbbb");
	collector_begin();
	collector_run_pass();
	plan(0, 1, 2);
	plan(0, 5, 4);
	plan(1, 0, 5);
	begin_gather();
	collector_run_pass();
	assert_string_equal(collector_names(), "a b");
	assert_string_equal(told[0].text[1], "125678");
	assert_int_equal(told[0].descs, 2);
	assert_int_equal(told[0].releases, 1);
	assert_int_equal(told[0].last.kind, DESC_RANGE);
	assert_int_equal(told[0].last.file_off, 5);
	assert_int_equal(told[0].last.line_first, 2);
	assert_int_equal(told[0].last.flags,
			 DESC_EMIT | DESC_LAST | DESC_RELEASE);
	assert_int_equal(told[0].last.slab_off, SLAB_HEAD_BYTES + 2);
	assert_string_equal(told[1].text[1], "bbbbb");
	collector_expect_all_slabs_back();
}

/* However large a chunk is, and whoever dies: the bytes of the file. */
static void
test_ranges_larger_than_a_slab_are_parted(void **state)
{
	const size_t bytes = 5 * (size_t)SLAB_BYTES / 2;
	char *text = collector_text(bytes);

	scratch_file("a", text);
	collector_begin();
	collector_run_pass();
	plan(0, 0, 1000);
	plan(0, 1000, (uint32_t)bytes - 2000);
	plan(0, (uint64_t)bytes - 1000, 1000);
	begin_gather();
	while (rig.worker.pass == PASS_FIRST + 1) {
		if (rig_step_uncommitted(&rig, false) == STEP_DONE)
			collector_begin();
		assert_int_equal(rig_step(&rig), STEP_DONE);
		collector_take();
	}
	assert_int_equal(told_nr, 1);
	assert_int_equal(told[0].bytes[1], bytes);
	assert_memory_equal(told[0].text[1], text, bytes);
	assert_int_equal(told[0].lasts, 1);
	assert_true(told[0].flags & DESC_MORE);
	collector_expect_all_slabs_back();
	free(text);
}

/* One that is not what was surveyed is passed over, the next is not. */
static void
test_ranges_of_a_changed_file_are_left_out(void **state)
{
	scratch_file("a", "0123456789");
	scratch_file("b", "bbbbb");
	collector_begin();
	collector_run_pass();
	plan(0, 1, 2);
	plan(0, 5, 4);
	plan(1, 2, 2);
	scratch_file("a", "0123456780");
	begin_gather();
	collector_run_pass();
	assert_string_equal(collector_names(), "[changed] a b");
	assert_int_equal(told[0].bytes[1], 0);
	assert_string_equal(told[1].text[1], "bb");
	collector_expect_all_slabs_back();
}

/* In the middle of a file its turn was told: the end of it comes there. */
static void
test_ranges_of_a_file_that_goes_meanwhile_end(void **state)
{
	const size_t bytes = 2 * (size_t)SLAB_BYTES;
	char *text = collector_text(bytes);

	scratch_file("a", text);
	scratch_file("b", "bbbbb");
	collector_begin();
	collector_run_pass();
	plan(0, 0, (uint32_t)bytes);
	plan(1, 0, 5);
	begin_gather();
	assert_int_equal(rig_step(&rig), STEP_DONE);
	collector_take();
	assert_int_equal(unlink("a"), 0);
	collector_begin();
	collector_run_pass();
	assert_string_equal(collector_names(), "[vanished] a b");
	assert_int_equal(told[0].lasts, 1);
	assert_int_equal(told[0].last.slab_idx, SLAB_NONE);
	assert_string_equal(told[1].text[1], "bbbbb");
	collector_expect_all_slabs_back();
	free(text);
}

static void
test_ranges_poison_passes_a_file_over(void **state)
{
	scratch_file("a", "0123456789");
	scratch_file("b", "bbbbb");
	collector_begin();
	collector_run_pass();
	plan(0, 1, 2);
	plan(1, 0, 5);
	begin_gather();
	store_release(&rig.worker.shm->skip_position, 1);
	store_release(&rig.worker.shm->retry, 1);
	rig_poison(&rig);
	collector_take();
	collector_run_pass();
	assert_string_equal(collector_names(), "[poison] a b");
}

/* Of a chunk up to a line: how many lines, and from which on. */
static void
test_ranges_kept_in_part_say_their_lines(void **state)
{
	scratch_file("a", "1\n2\n3\n");
	collector_begin();
	collector_run_pass();
	plan(0, 0, 6);
	begin_gather();
	catalogue_plan(&rig.run.catalogue, 0)->kept_lines = 2;
	collector_run_pass();
	assert_string_equal(told[0].text[1], "1\n2\n3\n");
	assert_int_equal(told[0].last.line_nr, 2);
	assert_int_equal(told[0].last.skip_lines, 0);
}

#define RANGES(name) \
	cmocka_unit_test_setup_teardown(name, set_up, collector_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		RANGES(test_ranges_of_a_file_lie_in_one_slab),
		RANGES(test_ranges_larger_than_a_slab_are_parted),
		RANGES(test_ranges_of_a_changed_file_are_left_out),
		RANGES(test_ranges_of_a_file_that_goes_meanwhile_end),
		RANGES(test_ranges_poison_passes_a_file_over),
		RANGES(test_ranges_kept_in_part_say_their_lines),
	};

	return cmocka_run_group_tests_name("collect/collect_ranges_worker",
					   tests, NULL, NULL);
}
