/* SPDX-License-Identifier: MIT */
/*
 * test_memory.c - where --memory goes: what docs/memory.md promises of the
 * shares.
 */
#include "tests/support/test_log.h"

#include "supervisor/supervisor.h"

#define MIB (1ull << 20)
#define LANES_WANTED 4

static struct supervisor supervisor;

static int
share(uint64_t mib, uint32_t lanes)
{
	struct run *run = &supervisor.run;

	segment_destroy(&run->segment);
	run->segment = (struct segment){ 0 };
	run->memory_bytes = mib * MIB;
	run->lane_nr = lanes;
	log_begin(DIAG_INFO);
	return memory_share(&supervisor);
}

static int
tear_down(void **state)
{
	segment_destroy(&supervisor.run.segment);
	supervisor = (struct supervisor){ 0 };
	return 0;
}

/* Slabs, beside the 24 MiB of the program and a MiB a process. */
static uint64_t
used(void)
{
	const struct run *run = &supervisor.run;
	uint64_t processes = supervisor.worker_slot_nr + 1;

	return (24 + processes) * MIB + run->object_bytes + run->place_bytes +
	       (uint64_t)run->segment.slabs.nr * SLAB_BYTES;
}

/* More of it gives more slabs, up to 24 a lane; no more than there is. */
static void
test_memory_goes_to_slabs_as_far_as_they_are_of_use(void **state)
{
	uint32_t before = 0;

	for (uint64_t mib = 64; mib <= 256; mib += 48) {
		ASSERT_EQ(share(mib, LANES_WANTED), 0);
		ASSERT_EQ(supervisor.run.lane_nr, LANES_WANTED);
		ASSERT_EQ(supervisor.worker_slot_nr,
			  stage_worker_nr(LANES_WANTED));
		ASSERT_TRUE(used() <= mib * MIB);
		ASSERT_TRUE(supervisor.run.segment.slabs.nr >= before);
		ASSERT_TRUE(supervisor.run.segment.slabs.nr >=
			    4 * LANES_WANTED);
		ASSERT_EQ(supervisor.run.object_bytes, 0);
		before = supervisor.run.segment.slabs.nr;
	}
	ASSERT_EQ(before, 24 * LANES_WANTED);
	/* what is still left keeps tables mapped, 20 MiB at most */
	ASSERT_EQ(supervisor.run.table_bytes, 20 * MIB);
	ASSERT_EQ(share(64, LANES_WANTED), 0);
	ASSERT_TRUE(supervisor.run.table_bytes >= TABLE_RESIDENT_BYTES);
	ASSERT_TRUE(supervisor.run.table_bytes < 20 * MIB);
	ASSERT_SILENT();
}

/* Fewer workers where there is little; what is said to be the least is it. */
static void
test_memory_that_is_little_is_for_fewer_workers(void **state)
{
	unsigned long long least = 0;
	const char *said;

	ASSERT_EQ(share(48, 16), 0);
	ASSERT_TRUE(supervisor.run.lane_nr < 16);
	ASSERT_TRUE(supervisor.run.lane_nr > 1);
	ASSERT_TRUE(supervisor.run.segment.slabs.nr >=
		    4 * supervisor.run.lane_nr);
	ASSERT_EQ(share(1, 8), EXIT_RESOURCES);
	said = strstr(log_text(), "the least is ");
	ASSERT_TRUE(said != NULL &&
		    sscanf(said, "the least is %lluM", &least) == 1);
	ASSERT_TRUE(least > 24 && least < 64);
	ASSERT_EQ(share(least - 1, 8), EXIT_RESOURCES);
	ASSERT_SAID("MiB is too little");
	ASSERT_EQ(share(least, 8), 0);
	ASSERT_EQ(supervisor.run.lane_nr, 1);
	ASSERT_SILENT();
}

/* Objects that are content have a third, less where that is too much. */
static void
test_memory_of_a_revision_is_shared_with_its_objects(void **state)
{
	unsigned long long least = 0;
	const char *said;

	supervisor.run.job.rev = "HEAD";
	supervisor.run.job.reads_git = true;
	ASSERT_EQ(share(192, LANES_WANTED), 0);
	ASSERT_EQ(supervisor.run.object_bytes, 64 * MIB);
	ASSERT_TRUE(used() <= 192 * MIB);
	ASSERT_EQ(share(1, 1), EXIT_RESOURCES);
	said = strstr(log_text(), "the least is ");
	ASSERT_TRUE(said != NULL &&
		    sscanf(said, "the least is %lluM", &least) == 1);
	ASSERT_EQ(share(least, 1), 0);
	ASSERT_TRUE(supervisor.run.object_bytes >= 4 * MIB);
	ASSERT_TRUE(supervisor.run.object_bytes < 12 * MIB);
	/* of history alone an eighth, 12 MiB at most */
	supervisor.run.job.rev = NULL;
	ASSERT_EQ(share(64, LANES_WANTED), 0);
	ASSERT_EQ(supervisor.run.object_bytes, 8 * MIB);
	ASSERT_EQ(share(192, LANES_WANTED), 0);
	ASSERT_EQ(supervisor.run.object_bytes, 12 * MIB);
	/* what has changed since a commit is content, too */
	supervisor.run.job.git_diff = "HEAD";
	ASSERT_EQ(share(96, LANES_WANTED), 0);
	ASSERT_EQ(supervisor.run.object_bytes, 32 * MIB);
}

/* What sources name has its place first. */
static void
test_memory_of_places_is_nobody_elses(void **state)
{
	uint32_t slabs;

	ASSERT_EQ(share(64, LANES_WANTED), 0);
	slabs = supervisor.run.segment.slabs.nr;
	supervisor.run.place_bytes = 4 * SLAB_BYTES;
	ASSERT_EQ(share(64, LANES_WANTED), 0);
	ASSERT_EQ(supervisor.run.segment.slabs.nr, slabs - 4);
	supervisor.run.place_bytes = 65 * MIB;
	ASSERT_EQ(share(64, LANES_WANTED), EXIT_RESOURCES);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			test_memory_goes_to_slabs_as_far_as_they_are_of_use,
			tear_down),
		cmocka_unit_test_teardown(
			test_memory_that_is_little_is_for_fewer_workers,
			tear_down),
		cmocka_unit_test_teardown(
			test_memory_of_a_revision_is_shared_with_its_objects,
			tear_down),
		cmocka_unit_test_teardown(test_memory_of_places_is_nobody_elses,
					  tear_down),
	};

	return cmocka_run_group_tests_name("supervisor/memory", tests, NULL,
					   NULL);
}
