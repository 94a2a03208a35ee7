/* SPDX-License-Identifier: MIT */
/*
 * test_collect_large_worker.c - a file larger than a slab, part by part.
 */
#include "tests/support/test_collect_rig.h"

static char *text;
static size_t text_bytes;

static void
make_large(size_t bytes)
{
	free(text);
	text = collector_text(bytes);
	text_bytes = bytes;
	scratch_file("a", text);
}

static int
tear_down(void **state)
{
	free(text);
	text = NULL;
	return collector_tear_down(state);
}

static void
expect_parts(int emits, uint32_t parts)
{
	assert_int_equal(told[0].bytes[emits], text_bytes);
	assert_memory_equal(told[0].text[emits], text, text_bytes);
	assert_int_equal(told[0].descs, parts);
	/* each has a slab of its own */
	assert_int_equal(told[0].releases, parts);
	collector_expect_all_slabs_back();
}

static void
test_large_file_is_looked_at_in_parts(void **state)
{
	uint32_t part;

	make_large(2 * SLAB_BYTES + 100);
	rig.run.job.budget_tokens = 1000;
	collector_begin();
	part = rig.run.job.part_bytes;
	collector_run_pass();
	expect_parts(0, (uint32_t)((text_bytes + part - 1) / part));
	assert_int_equal(told[0].flags, DESC_SCAN | DESC_RELEASE | DESC_LAST);
	assert_int_equal(told[0].lasts, 1);
}

/* One that is not packed does not make the tree one to be estimated. */
static void
test_large_file_that_is_left_out_counts_no_bytes(void **state)
{
	const struct collect_state *collect;

	for (uint32_t is_text = 0; is_text < 2; is_text++) {
		collector_tear_down(state);
		collector_set_up(state);
		make_large(2 * SLAB_BYTES + 100);
		if (!is_text)
			memcpy(text, "GIF89a\1\2\3", 9);
		scratch_file("a", text);
		rig.run.job.budget_tokens = 1000;
		collector_begin();
		collector_run_pass();
		collect = rig.worker.state;
		assert_int_equal(collect->place.content_bytes,
				 is_text ? text_bytes : 0);
	}
}

/* As large as fits a slab is not large; a byte more is. */
static void
test_large_begins_behind_a_slab(void **state)
{
	rig.run.job.budget_tokens = 1000;
	job_resolve(&rig.run.job);
	for (uint32_t more = 0; more < 2; more++) {
		collector_tear_down(state);
		collector_set_up(state);
		rig.run.job.budget_tokens = 1000;
		job_resolve(&rig.run.job);
		make_large(rig.run.job.whole_bytes + more);
		collector_begin();
		collector_run_pass();
		assert_int_equal(told[0].last.kind,
				 more ? DESC_PART : DESC_WHOLE);
		assert_int_equal(told[0].bytes[0], text_bytes);
	}
}

/* Everything is packed: once to be looked at, once to be written. */
static void
test_large_file_to_be_written_is_read_twice(void **state)
{
	uint32_t parts;

	make_large(2 * SLAB_BYTES);
	rig.run.job.budget_tokens = BUDGET_ALL;
	collector_begin();
	parts = (uint32_t)((text_bytes + rig.run.job.part_bytes - 1) /
			   rig.run.job.part_bytes);
	collector_run_pass();
	assert_int_equal(told_nr, 1);
	assert_memory_equal(told[0].text[0], text, text_bytes);
	expect_parts(1, 2 * parts);
	assert_int_equal(told[0].lasts, 2);
	assert_true(told[0].flags & DESC_MORE);
}

static void
test_large_file_that_changes_is_left_out(void **state)
{
	make_large(3 * SLAB_BYTES);
	scratch_file("b", "next");
	rig.run.job.budget_tokens = 1000;
	collector_begin();
	/* its turn, and its first part */
	assert_int_equal(rig_step(&rig), STEP_DONE);
	assert_int_equal(rig_step(&rig), STEP_DONE);
	assert_int_equal(truncate("a", 10), 0);
	/* what is open is the same; a replacement opens it again */
	collector_begin();
	collector_run_pass();
	assert_string_equal(collector_names(), "[changed] a b");
	assert_int_equal(told[0].lasts, 1);
	assert_int_equal(told[0].last.slab_idx, SLAB_NONE);
	assert_string_equal(told[1].text[0], "next");
	collector_expect_all_slabs_back();
}

/* Rewritten while it is open it is seen at its end, at the latest. */
static void
test_large_file_that_is_rewritten_is_left_out(void **state)
{
	make_large(3 * SLAB_BYTES);
	collector_begin();
	assert_int_equal(rig_step(&rig), STEP_DONE);
	assert_int_equal(rig_step(&rig), STEP_DONE);
	scratch_file("a", text);
	collector_run_pass();
	assert_string_equal(collector_names(), "[changed] a");
}

static void
test_large_poison_ends_it(void **state)
{
	make_large(3 * SLAB_BYTES);
	scratch_file("b", "next");
	rig.run.job.budget_tokens = 1000;
	collector_begin();
	assert_int_equal(rig_step(&rig), STEP_DONE);
	assert_int_equal(rig_step(&rig), STEP_DONE);
	store_release(&rig.worker.shm->skip_position, 1);
	store_release(&rig.worker.shm->retry, 1);
	rig_poison(&rig);
	collector_run_pass();
	assert_string_equal(collector_names(), "[poison] a b");
	collector_expect_all_slabs_back();
}

/* A mistake behind the first part: that is read again, as what it becomes. */
static void
test_large_file_with_a_mistake_is_converted(void **state)
{
	const size_t mistake = SLAB_BYTES + SLAB_BYTES / 2;
	const struct file_record *record;

	make_large(2 * SLAB_BYTES);
	text[mistake] = '\xff';
	scratch_file("a", text);
	rig.run.job.budget_tokens = 1000;
	collector_begin();
	collector_run_pass();
	record = catalogue_file(&rig.worker.catalogue, 0);
	assert_int_equal(record->flags, MARK_REPAIRED);
	/* what was given before is the same either way */
	assert_int_equal(told[0].lasts, 1);
	assert_int_equal(told[0].bytes[0], text_bytes + 2);
	assert_memory_equal(told[0].text[0], text, mistake);
	assert_memory_equal(told[0].text[0] + mistake, "\xef\xbf\xbd", 3);
	assert_memory_equal(told[0].text[0] + mistake + 3, text + mistake + 1,
			    text_bytes - mistake - 1);
	collector_expect_all_slabs_back();
}

#define LARGE(name) \
	cmocka_unit_test_setup_teardown(name, collector_set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		LARGE(test_large_file_is_looked_at_in_parts),
		LARGE(test_large_file_that_is_left_out_counts_no_bytes),
		LARGE(test_large_begins_behind_a_slab),
		LARGE(test_large_file_to_be_written_is_read_twice),
		LARGE(test_large_file_that_changes_is_left_out),
		LARGE(test_large_file_that_is_rewritten_is_left_out),
		LARGE(test_large_poison_ends_it),
		LARGE(test_large_file_with_a_mistake_is_converted),
	};

	return cmocka_run_group_tests_name("collect/collect_large_worker",
					   tests, NULL, NULL);
}
