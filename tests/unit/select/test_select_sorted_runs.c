/* SPDX-License-Identifier: MIT */
/*
 * test_select_sorted_runs.c - candidates beyond memory: what comes out is what went
 * in, by rank.
 */
#include "tests/support/test_stage_rig.h"

#include "base/hash.h"
#include "stages/select/select_sorted_runs.h"

static struct rig rig;

static int
setup(void **state)
{
	rig_open(&rig, 1, 2);
	rig_attach(&rig, STAGE_SELECT, 0);
	return 0;
}

static int
teardown(void **state)
{
	rig_close(&rig);
	return 0;
}

/* Few scores, so that many are told apart by their places alone. */
static struct rank_candidate
make_candidate(uint64_t idx, uint64_t *seed)
{
	uint64_t luck = random_next(seed);

	return (struct rank_candidate){
		.score = (uint32_t)(luck % 1000),
		.file_idx = (uint32_t)(idx / 7),
		.chunk_idx = idx,
		.tokens = (uint32_t)((luck >> 10) % 5000),
		.category = (uint8_t)((luck >> 24) % 5),
		.order = (uint8_t)((luck >> 32) % 3),
	};
}

/* Of a candidate; sums of it are the same in whatever order they are made. */
static uint64_t
hash_of(const struct rank_candidate *candidate)
{
	uint64_t hash = hash64(HASH64_BEGIN, candidate, sizeof(*candidate));

	return hash * hash;
}

static void
check(uint64_t nr, uint64_t seed)
{
	struct rank_candidate candidate;
	struct rank_candidate before = { 0 };
	struct select_runs runs = { .table = &rig.worker.catalogue.runs,
				    .reserve = table_reserve };
	uint64_t sum_in = 0;
	uint64_t sum_out = 0;
	uint64_t out_nr = 0;

	for (uint64_t i = 0; i < nr; i++) {
		/* an odd factor: each place once, in no order */
		uint64_t idx = i * 0x9e3779b1 % (1u << 26);

		candidate = make_candidate(idx, &seed);
		sum_in += hash_of(&candidate);
		ASSERT_EQ(select_runs_add(&runs, &candidate), 0);
	}
	ASSERT_EQ(select_runs_sort(&runs), 0);
	ASSERT_EQ(runs.left, nr);
	while (select_runs_next(&runs, &candidate)) {
		ASSERT_TRUE(out_nr == 0 || rank_is_before(&before, &candidate));
		before = candidate;
		sum_out += hash_of(&candidate);
		out_nr++;
		ASSERT_EQ(runs.left, nr - out_nr);
	}
	ASSERT_EQ(out_nr, nr);
	ASSERT_EQ(sum_out, sum_in);
	select_runs_fini(&runs);
}

/* verifies: NFR-016-10, NFR-016c-18 */
static void
test_runs_of_any_number_come_out_by_rank(void **state)
{
	static const uint64_t numbers[] = { 0,
					    1,
					    RANK_CANDIDATES - 1,
					    RANK_CANDIDATES,
					    RANK_CANDIDATES + 1,
					    3 * RANK_CANDIDATES,
					    9 * RANK_CANDIDATES + 17 };

	/* what an earlier one has left behind does no harm */
	for (size_t i = 0; i < ARRAY_LEN(numbers) - IS_SANITIZED; i++)
		check(numbers[i], 5 + i);
}

/* verifies: NFR-016-10, NFR-016c-18 */
static void
test_runs_of_many_windows_come_out_by_rank(void **state)
{
	check(130ull * RANK_CANDIDATES + 1, 99);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_runs_of_any_number_come_out_by_rank),
		CASE(test_runs_of_many_windows_come_out_by_rank),
	};

	return cmocka_run_group_tests_name("select/runs", tests, NULL, NULL);
}
