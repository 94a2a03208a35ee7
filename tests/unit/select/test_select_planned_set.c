/* SPDX-License-Identifier: MIT */
/*
 * test_select_planned_set.c - contents that are in a plan, against an array.
 */
#include "tests/support/test_select_planner.h"

enum { CHUNKS = 6000, PRINTS = 2500 };

static uint64_t reserved;

static int
reserve(const struct table *table, uint64_t bytes)
{
	reserved = max_u64(reserved, bytes);
	return table_reserve(table, bytes);
}

/* Contents whose places in the table lie `step` apart; one is all zeros. */
static void
check_contents(uint64_t step, uint64_t places)
{
	bool has[PRINTS] = { false };
	uint64_t seed = 11;
	uint64_t nr = 0;

	plan.set.contents = (struct content_set){ 0 };
	reserved = 0;
	for (uint64_t c = 0; c < CHUNKS; c++) {
		uint64_t print = random_next(&seed) % PRINTS;
		uint64_t bytes[2] = { print * step % places, print };
		const struct rank_candidate it = candidate_of(c);

		memcpy(rig_chunk(&rig, c)->fingerprint, bytes, sizeof(bytes));
		ASSERT_EQ(plan_has(&plan, &it), has[print]);
		ASSERT_EQ(plan_know(&plan, &it), has[print] ? 0 : 1);
		ASSERT_TRUE(plan_has(&plan, &it));
		nr += !has[print];
		has[print] = true;
	}
	ASSERT_EQ(plan.set.contents.nr, nr);
	ASSERT_TRUE(plan.set.contents.slot_nr >= 2 * nr);
	/* it lies as far into its table as it is long */
	ASSERT_TRUE(reserved >=
		    2 * plan.set.contents.slot_nr * FINGERPRINT_BYTES);
	/* every content is still there when the table has grown */
	for (uint64_t c = 0; c < CHUNKS; c++) {
		const struct rank_candidate it = candidate_of(c);

		ASSERT_TRUE(plan_has(&plan, &it));
	}
}

/* Thousands of chunks of hundreds of contents, as the table grows. */
/* verifies: FR-016-94, AC-016c-023, AC-016c-053 */
static void
test_select_planned_set_has_each_content_once(void **state)
{
	add_file("a.c", 0, REASON_NONE);
	for (uint32_t c = 0; c < CHUNKS; c++)
		add_chunk(1, 0);
	plan_open(1);
	planner->reserve = reserve;
	/* many share a place; and as those of a hash are */
	check_contents(1, 7);
	check_contents(0x9e3779b97f4a7c15, UINT64_MAX);
}

static int
refuse(const struct table *table, uint64_t bytes)
{
	(void)table;
	(void)bytes;
	return -ENOSPC;
}

static void
test_select_planned_set_needs_room(void **state)
{
	struct rank_candidate it;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(1, 5);
	plan_open(1);
	planner->reserve = refuse;
	it = candidate_of(0);
	ASSERT_EQ(plan_know(&plan, &it), -ENOSPC);
	ASSERT_TRUE(!plan_has(&plan, &it));
}

/* The slots of an earlier plan do not count for the next one. */
static void
test_select_planned_set_begins_empty(void **state)
{
	add_file("a.c", 0, REASON_NONE);
	for (uint32_t c = 0; c < 300; c++)
		add_chunk(1, 1000 + c);
	plan_open(1);
	for (int round = 0; round < 2; round++) {
		plan.set.contents = (struct content_set){ 0 };
		for (uint64_t c = 0; c < 300; c++) {
			const struct rank_candidate it = candidate_of(c);

			ASSERT_TRUE(!plan_has(&plan, &it));
			ASSERT_EQ(plan_know(&plan, &it), 1);
		}
	}
}

/* Where nothing is compared, it is places that are there. */
static void
test_select_planned_set_without_comparing_is_of_places(void **state)
{
	struct rank_candidate it;

	rig.run.job.no_dedup = true;
	add_file("a.c", 0, REASON_NONE);
	for (uint32_t c = 0; c < 600; c++)
		add_chunk(1, 7);
	plan_open(1);
	for (uint64_t c = 0; c < 600; c++) {
		it = candidate_of(c);
		ASSERT_TRUE(!plan_has(&plan, &it));
		ASSERT_EQ(plan_know(&plan, &it), 1);
		ASSERT_EQ(plan_know(&plan, &it), 0);
		/* the signatures that begin there are something else */
		it.unit = RANK_SIGNATURES;
		ASSERT_TRUE(!plan_has(&plan, &it));
	}
}

/* Two files that differ may have the same signatures: each has its own. */
static void
test_select_planned_set_signatures_are_of_places(void **state)
{
	struct rank_candidate it;

	for (uint32_t i = 0; i < 2; i++) {
		add_file(i == 0 ? "a.c" : "b.c", 0, REASON_NONE);
		add_chunk(1, (uint8_t)(77 + i));
		rig_facts(&rig, i)->outline_fingerprint[0] = 1;
	}
	plan_open(1);
	it = candidate_of(0);
	ASSERT_EQ(plan_fingerprint(&plan, &it)[0], 77);
	ASSERT_EQ(plan_know(&plan, &it), 1);
	it = signatures_of(0);
	ASSERT_EQ(plan_know(&plan, &it), 1);
	ASSERT_EQ(plan_know(&plan, &it), 0);
	it = signatures_of(1);
	ASSERT_TRUE(!plan_has(&plan, &it));
	ASSERT_EQ(plan_know(&plan, &it), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_planned_set_has_each_content_once),
		PLAN_CASE(test_select_planned_set_needs_room),
		PLAN_CASE(test_select_planned_set_begins_empty),
		PLAN_CASE(
			test_select_planned_set_without_comparing_is_of_places),
		PLAN_CASE(
			test_select_planned_set_signatures_are_of_places),
	};

	return cmocka_run_group_tests_name("select/planned_set", tests, NULL,
					   NULL);
}
