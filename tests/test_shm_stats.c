/* SPDX-License-Identifier: MIT */
/*
 * test_shm_stats.c - the counters of a worker.
 */
#include "tests/test_shm.h"

#include "shm/stats.h"

static struct worker_shm *
map_worker(void)
{
	struct worker_shm *worker =
		mmap(NULL, sizeof(*worker), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(worker, MAP_FAILED);
	return worker;
}

static void
test_stat_names_units_and_help_are_there_and_differ(void **state)
{
	for (int i = 0; i < STAT_NR; i++) {
		const char *name = stat_name((enum stat_id)i);

		ASSERT_EQ(strspn(name, "abcdefghijklmnopqrstuvwxyz_"),
			  strlen(name));
		ASSERT_TRUE(stat_unit((enum stat_id)i)[0] != '\0');
		ASSERT_TRUE(stat_help((enum stat_id)i)[0] != '\0');
		for (int j = 0; j < i; j++)
			assert_string_not_equal(name,
						stat_name((enum stat_id)j));
	}
}

static void
test_stat_added_to_leaves_the_others_alone(void **state)
{
	struct worker_shm *worker = map_worker();

	for (int i = 0; i < STAT_NR; i++)
		for (int n = 0; n <= i; n++)
			stat_add(worker, (enum stat_id)i, 10);
	for (int i = 0; i < STAT_NR; i++)
		ASSERT_EQ(stat_get(worker, (enum stat_id)i), 10 * (i + 1));
	munmap(worker, sizeof(*worker));
}

/* verifies: R8 */
static void
test_stat_over_32_bits_goes_on(void **state)
{
	struct worker_shm *worker = map_worker();

	stat_add(worker, STAT_bytes, UINT32_MAX);
	stat_add(worker, STAT_bytes, UINT32_MAX);
	ASSERT_EQ(stat_get(worker, STAT_bytes), 2ull * UINT32_MAX);
	munmap(worker, sizeof(*worker));
}

static void
child_counts(void *arg)
{
	for (int i = 0; i < 100000; i++)
		stat_add(arg, STAT_items, 1);
}

static void
test_stat_of_another_process_only_grows(void **state)
{
	struct worker_shm *worker = map_worker();
	pid_t pid = start_child(child_counts, worker);
	uint64_t last = 0;

	while (last < 100000) {
		uint64_t now = stat_get(worker, STAT_items);

		ASSERT_TRUE(now >= last);
		last = now;
	}
	ASSERT_EQ(wait_for(pid), CHILD_OK);
	ASSERT_EQ(stat_get(worker, STAT_items), 100000);
	munmap(worker, sizeof(*worker));
}

static void
child_asks_for_no_such_name(void *arg)
{
	stat_name(STAT_NR);
}

static void
test_stat_out_of_range_ends_the_process(void **state)
{
	ASSERT_EQ(run_child(child_asks_for_no_such_name, NULL), -SIGABRT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_stat_names_units_and_help_are_there_and_differ),
		cmocka_unit_test(test_stat_added_to_leaves_the_others_alone),
		cmocka_unit_test(test_stat_over_32_bits_goes_on),
		cmocka_unit_test(test_stat_of_another_process_only_grows),
		cmocka_unit_test(test_stat_out_of_range_ends_the_process),
	};

	return cmocka_run_group_tests_name("shm/stats", tests, NULL, NULL);
}
