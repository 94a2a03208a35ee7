/* SPDX-License-Identifier: MIT */
/*
 * test_count_entry.c - what becomes of entries, without rings or processes.
 */
#include "tests/support/test_shm.h"

#include "stages/count/count_entry.h"

static struct job job;
static struct count_state state;
static struct slabs slabs;

static struct counting
begin(void)
{
	memset(&job, 0, sizeof(job));
	memset(&state, 0, sizeof(state));
	return (struct counting){ .job = &job,
				  .state = &state,
				  .slabs = &slabs };
}

static void
test_entry_of_a_slab_goes_back_or_on_to_format(void **unused)
{
	struct counting counting = begin();
	struct desc in = { .kind = DESC_SLAB,
			   .flags = DESC_RELEASE,
			   .slab_idx = 7 };

	count_entry(&counting, &in);
	ASSERT_EQ(counting.out_nr, 0);
	ASSERT_EQ(counting.slab_back, 7);
	in.flags |= DESC_EMIT;
	count_entry(&counting, &in);
	ASSERT_EQ(counting.out_nr, 1);
	ASSERT_EQ(counting.out[0].slab_idx, 7);
	ASSERT_EQ(counting.slab_back, SLAB_NONE);
}

/* Of a file that is looked at the turn ends here, and only slabs go back. */
static void
test_entry_left_out_leaves_its_file_out(void **unused)
{
	struct counting counting = begin();
	struct desc in = { .kind = DESC_RUN,
			   .flags = DESC_SCAN | DESC_RELEASE,
			   .file_idx = 3,
			   .slab_idx = 1 };
	const struct desc terms = { .kind = DESC_TERMS, .file_idx = 3 };

	ASSERT_TRUE(count_can_leave_out(&in));
	ASSERT_TRUE(!count_can_leave_out(&terms));
	count_leave_out(&counting, &in);
	ASSERT_EQ(counting.out_nr, 1);
	ASSERT_EQ(counting.out[0].kind, DESC_FILE);
	ASSERT_EQ(counting.out[0].reason, REASON_POISON);
	ASSERT_EQ(counting.slab_back, 1);
	count_entry(&counting, &terms);
	ASSERT_EQ(counting.out_nr, 0);
	in.slab_idx = 2;
	count_entry(&counting, &in);
	ASSERT_EQ(counting.out_nr, 0);
	ASSERT_EQ(counting.slab_back, 2);
	/* one that fails as well does not end the file's turn again */
	in.slab_idx = 3;
	count_leave_out(&counting, &in);
	ASSERT_EQ(counting.out_nr, 0);
	ASSERT_EQ(counting.slab_back, 3);
}

/* Slabs of what is to be written go back behind it, and so does the end. */
static void
test_entry_of_a_planned_file_left_out_keeps_its_turn(void **unused)
{
	struct counting counting = begin();
	struct desc in = { .kind = DESC_RUN,
			   .flags = DESC_EMIT | DESC_RELEASE,
			   .file_idx = 3,
			   .slab_idx = 1 };

	count_leave_out(&counting, &in);
	ASSERT_EQ(counting.out_nr, 1);
	ASSERT_EQ(counting.out[0].kind, DESC_SLAB);
	ASSERT_EQ(counting.slab_back, SLAB_NONE);
	in.flags |= DESC_LAST;
	count_entry(&counting, &in);
	ASSERT_EQ(counting.out_nr, 2);
	ASSERT_EQ(counting.out[1].kind, DESC_FILE);
	ASSERT_EQ(counting.out[1].reason, REASON_POISON);
}

/* A chunk of a file whose tokens are estimated is not counted, and has its
 * fingerprint all the same. */
static void
test_entry_of_an_estimated_file_is_not_counted(void **unused)
{
	static uint8_t content[SLAB_BYTES] = "int a;\n";
	const uint8_t nothing[FINGERPRINT_BYTES] = { 0 };
	struct counting counting = begin();
	struct desc in = { .kind = DESC_RUN,
			   .flags = DESC_SCAN,
			   .file_idx = 3,
			   .bytes = 7,
			   .line_first = 1,
			   .line_nr = 1,
			   .tokens = 4321 };

	slabs.base = content;
	slabs.nr = 1;
	counting.estimated_from = 3 + 1;
	count_entry(&counting, &in);
	ASSERT_EQ(counting.out_nr, 1);
	ASSERT_EQ(counting.out[0].tokens, 4321);
	assert_memory_not_equal(counting.out[0].fingerprint, nothing,
				FINGERPRINT_BYTES);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_entry_of_a_slab_goes_back_or_on_to_format),
		cmocka_unit_test(test_entry_left_out_leaves_its_file_out),
		cmocka_unit_test(
			test_entry_of_a_planned_file_left_out_keeps_its_turn),
		cmocka_unit_test(
			test_entry_of_an_estimated_file_is_not_counted),
	};

	return cmocka_run_group_tests_name("count/count_entry", tests, NULL,
					   NULL);
}
