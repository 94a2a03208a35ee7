/* SPDX-License-Identifier: MIT */
/*
 * test_plan.c - a place in the plan is found, and what it stands for.
 */
#include "tests/support/test_shm.h"

#include "catalogue/plan.h"

#define NR 9

static struct catalogue catalogue;

/* Entry i is of chunk 2 i, of file 3 i. */
static int
make_plan(void **state)
{
	ASSERT_EQ(catalogue_create(&catalogue), 0);
	ASSERT_EQ(
		table_reserve(&catalogue.plan, NR * sizeof(struct plan_entry)),
		0);
	ASSERT_EQ(table_reserve(&catalogue.chunks,
				2 * NR * sizeof(struct chunk_record)),
		  0);
	ASSERT_EQ(table_reserve(&catalogue.facts, sizeof(struct file_facts)),
		  0);
	ASSERT_EQ(table_reserve(&catalogue.signature_lines,
				4 * sizeof(struct chunk_record)),
		  0);
	for (uint64_t i = 0; i < NR; i++) {
		catalogue_plan(&catalogue, i)->chunk_idx = 2 * i;
		catalogue_chunk(&catalogue, 2 * i)->file_idx = (uint32_t)i * 3;
	}
	return 0;
}

static int
drop_plan(void **state)
{
	catalogue_close(&catalogue);
	return 0;
}

static void
test_plan_first_is_of_the_file_or_a_later_one(void **state)
{
	for (uint32_t nr = 0; nr <= NR; nr++)
		for (uint32_t file = 0; file < 3 * NR; file++) {
			uint32_t want = (file + 2) / 3;

			ASSERT_EQ(catalogue_plan_first(&catalogue, nr, file),
				  want < nr ? want : nr);
		}
}

static void
test_planned_of_an_entry_is_its_chunk_or_its_signature_line(void **state)
{
	struct plan_entry entry = { .chunk_idx = 0, .signature_line = 2 };

	catalogue_facts(&catalogue, 0)->signature_line_first = 1;
	catalogue_chunk(&catalogue, 0)->line_nr = 7;
	catalogue_signature_line(&catalogue, 3)->line_nr = 0;
	ASSERT_EQ(catalogue_planned_lines(&catalogue, &entry), 7);
	entry.kept_lines = 5;
	ASSERT_EQ(catalogue_planned_lines(&catalogue, &entry), 5);
	entry.kept_lines = KEPT_MEASURED;
	ASSERT_EQ(catalogue_planned_lines(&catalogue, &entry), 7);
	entry.tier = TIER_SIGNATURE_LINE;
	ASSERT_EQ(catalogue_planned(&catalogue, &entry) ==
			  catalogue_signature_line(&catalogue, 3),
		  true);
	ASSERT_EQ(catalogue_planned_lines(&catalogue, &entry), 1);
}

/* verifies: R7 */
static void
test_plan_entry_with_a_field_out_of_range_is_not_valid(void **state)
{
	const struct plan_entry good = {
		.score = SCORE_MAX,
		.category = CATEGORY_NR - 1,
		.tier = TIER_SIGNATURE_LINE,
		.signature_line = 7,
	};
	struct plan_entry bad[4] = { good, good, good, good };
	struct plan_entry unranked = { .score = SCORE_NONE };

	ASSERT_TRUE(plan_entry_valid(&good));
	ASSERT_TRUE(plan_entry_valid(&unranked));
	bad[0].score++;
	bad[1].category++;
	bad[2].tier++;
	bad[3].tier = TIER_FULL;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ASSERT_TRUE(!plan_entry_valid(&bad[i]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_plan_entry_with_a_field_out_of_range_is_not_valid),
		cmocka_unit_test(test_plan_first_is_of_the_file_or_a_later_one),
		cmocka_unit_test(
			test_planned_of_an_entry_is_its_chunk_or_its_signature_line),
	};

	return cmocka_run_group_tests_name("catalogue/plan", tests, make_plan,
					   drop_plan);
}
