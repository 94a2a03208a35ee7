/* SPDX-License-Identifier: MIT */
/*
 * test_collect_tree_worker.c - batches of files that fit a slab.
 */
#include "tests/support/test_collect_rig.h"

/* Many small files: a slab for as many as a batch has, and given back once. */
static void
test_tree_small_files_share_slabs(void **state)
{
	uint32_t releases = 0;
	char path[16];
	int steps;

	for (int i = 0; i < 250; i++) {
		snprintf(path, sizeof(path), "%03d", i);
		scratch_file(path, path);
	}
	rig.run.job.budget_tokens = 1000;
	collector_begin();
	steps = collector_run_pass();
	/* 96, 96, 58, the last slab comes back, and the end */
	assert_int_equal(steps, 5);
	assert_int_equal(told_nr, 250);
	for (uint32_t i = 0; i < told_nr; i++) {
		snprintf(path, sizeof(path), "%03u", i);
		assert_string_equal(told[i].path, path);
		assert_string_equal(told[i].text[0], path);
		assert_int_equal(told[i].descs, 1);
		assert_int_equal(told[i].last.kind, DESC_WHOLE);
		assert_int_equal(told[i].flags & ~DESC_RELEASE,
				 DESC_SCAN | DESC_LAST);
		/* the last file of a batch gives its slab back */
		assert_int_equal(told[i].releases,
				 i % 96 == 95 || i == 249);
		releases += told[i].releases;
	}
	assert_int_equal(releases, 3);
	collector_expect_all_slabs_back();
}

/* A file without bytes is done with before the others are written: the slab
 * goes back with the last that has some. */
static void
test_tree_slab_goes_back_with_the_last_bytes(void **state)
{
	scratch_file("a", "1");
	scratch_file("b", "2");
	scratch_file("c", "");
	scratch_file("d.pem", "secret");
	scratch_file("e", "");
	collector_begin();
	collector_run_pass();
	assert_string_equal(collector_names(), "a b c [secret] d.pem e");
	assert_int_equal(told[0].releases, 0);
	assert_int_equal(told[1].releases, 1);
	assert_int_equal(told[2].releases + told[4].releases, 0);
	collector_expect_all_slabs_back();
}

static void
test_tree_slab_of_empty_files_goes_back(void **state)
{
	scratch_file("a", "");
	scratch_file("b", "");
	collector_begin();
	collector_run_pass();
	assert_int_equal(told[0].releases, 0);
	assert_int_equal(told[1].releases, 1);
	collector_expect_all_slabs_back();
}

/* Where nothing of a batch is sent no slab is in use. */
static void
test_tree_files_left_out_use_no_slab(void **state)
{
	scratch_file("a.pem", "1");
	scratch_file("b", "\x7f" "ELF");
	collector_begin();
	collector_run_pass();
	assert_string_equal(collector_names(), "[secret] a.pem [binary] b");
	collector_expect_all_slabs_back();
}

/* What is asked of each file is in its flags. */
static void
test_tree_flags_say_what_is_wanted(void **state)
{
	static const struct {
		uint64_t budget;
		bool tiers;
		bool compress;
		uint8_t want;
	} rows[] = {
		{ 1000, false, false, DESC_SCAN },
		{ 1000, true, false, DESC_SCAN | DESC_OUTLINE },
		{ BUDGET_ALL, false, false, DESC_EMIT },
		{ BUDGET_ALL, true, false, DESC_EMIT },
		{ BUDGET_ALL, false, true, DESC_EMIT | DESC_OUTLINE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		collector_tear_down(state);
		collector_set_up(state);
		scratch_file("a", "x");
		rig.run.job.budget_tokens = rows[i].budget;
		rig.run.job.tiers = rows[i].tiers;
		rig.run.job.compress = rows[i].compress;
		collector_begin();
		collector_run_pass();
		assert_int_equal(told[0].flags, rows[i].want | DESC_LAST |
							DESC_RELEASE);
	}
}

/* A replacement takes one file at a time, so that it is known which one ends
 * it. */
static void
test_tree_replacement_takes_file_by_file(void **state)
{
	for (char name[2] = "a"; *name < 'e'; ++*name)
		scratch_file(name, name);
	collector_begin();
	store_release(&rig.worker.shm->retry, 1);
	for (uint32_t i = 1; i <= 4; i++) {
		assert_int_equal(rig_step(&rig), STEP_DONE);
		collector_take();
		assert_int_equal(told_nr, i);
	}
	assert_string_equal(collector_names(), "a b c d");
}

/* Without room behind it, nothing is read. */
static void
test_tree_waits_for_slabs_and_room(void **state)
{
	scratch_file("a", "1");
	collector_begin();
	for (uint32_t i = 0; i < 8; i++)
		collect_use_slab(&rig.worker, i);
	assert_int_equal(rig_step(&rig), STEP_AGAIN);
	((struct collect_state *)rig.worker.state)->in_flight[0] = 0;
	assert_int_equal(rig_step(&rig), STEP_DONE);
	collector_take();
	assert_string_equal(collector_names(), "a");
}

/* A file that has to be converted comes for itself, as a large one does. */
static void
test_tree_file_of_another_charset_is_converted(void **state)
{
	scratch_file("a", "1");
	scratch_file("b", "na\xefve caf\xe9\n");
	scratch_file("c", "3");
	rig.run.job.budget_tokens = 1000;
	collector_begin();
	collector_run_pass();
	assert_string_equal(collector_names(), "a b c");
	assert_int_equal(told[1].last.kind, DESC_PART);
	assert_string_equal(told[1].text[0], "na\xc3\xafve caf\xc3\xa9\n");
	assert_int_equal(catalogue_file(&rig.worker.catalogue, 1)->charset,
			 CHARSET_WESTERN);
	collector_expect_all_slabs_back();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COLLECTOR(test_tree_small_files_share_slabs),
		COLLECTOR(test_tree_slab_goes_back_with_the_last_bytes),
		COLLECTOR(test_tree_slab_of_empty_files_goes_back),
		COLLECTOR(test_tree_files_left_out_use_no_slab),
		COLLECTOR(test_tree_flags_say_what_is_wanted),
		COLLECTOR(test_tree_replacement_takes_file_by_file),
		COLLECTOR(test_tree_waits_for_slabs_and_room),
		COLLECTOR(test_tree_file_of_another_charset_is_converted),
	};

	return cmocka_run_group_tests_name("collect/collect_tree_worker",
					   tests, NULL, NULL);
}
