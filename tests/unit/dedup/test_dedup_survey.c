/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_survey.c - what dedup writes down of the files it surveys, in
 *                       whatever order their lanes are.
 */
#include "tests/support/test_dedup_rig.h"

#include "base/diag.h"
#include "stages/dedup/dedup_turn.h"
#include "tests/support/test_kept_survey.h"

#include <errno.h>

/* verifies: FR-016-92, FR-016-93, FR-016-94, FR-016-102 */
/* verifies: NFR-016-31, NFR-016c-06, AC-016c-021, AC-016c-023 */
static void
test_dedup_survey_of_any_interleaving_gives_one_catalogue(void **state)
{
	for (uint64_t round = 0; round < 6; round++) {
		setup(NULL);
		make_files(400, 120, 0x5eed9);
		survey(round + 1, false);
		assert_catalogue();
		if (round < 5)
			teardown(NULL);
	}
}

/* verifies: R2, R3, R5 */
static void
test_dedup_steps_done_again_give_the_same_catalogue(void **state)
{
	make_files(400, 120, 0x5eed9);
	survey(99, true);
	assert_catalogue();
}

/* The table starts with 4,096 slots and is half full at 2,048. */
static void
test_dedup_table_grows_and_forgets_nothing(void **state)
{
	make_files(FILES_MAX, 5500, 0x5eeda);
	survey(7, true);
	assert_catalogue();
}

/* No room for the table to grow: what was found stays, the rest goes on. */
/* verifies: FR-016c-45 */
static void
test_dedup_without_room_to_compare_goes_on_without(void **state)
{
	for (int twice = 0; twice < 2; twice++) {
		char line[256] = "";
		FILE *log = tmpfile();

		if (twice > 0)
			setup(NULL);
		make_files(FILES_MAX, 5500, 0x5eeda);
		rig.run.catalogue.seen.span_bytes = 100000;
		rig.worker.catalogue.seen.span_bytes = 100000;
		diag_init(fileno(log), DIAG_ERROR, false, "");
		survey(7, twice > 0);
		diag_init(STDERR_FILENO, DIAG_WARN, false, "");
		ASSERT_TRUE(first_not_compared(4096) < file_nr);
		assert_catalogue_compared(first_not_compared(4096));
		ASSERT_TRUE(pread(fileno(log), line, sizeof(line) - 1, 0) > 0);
		ASSERT_TRUE(strstr(line, "further duplicates are kept") !=
			    NULL);
		ASSERT_TRUE(stat_get(rig.worker.shm, STAT_not_compared) > 0);
		fclose(log);
		if (twice == 0)
			teardown(NULL);
	}
}

/* An entry is compared with its sum before anything of it is written down. */
static void
test_dedup_entry_of_a_survey_that_is_damaged_is_refused(void **state)
{
	const struct kept_file kept = { .path = "a.c", .facts.bytes = 70 };
	struct catalogue catalogue = rig.worker.catalogue;
	struct dedup_state of_file = { .file_idx = 0 };
	struct dedup dedup = { .state = &of_file,
			       .job = &rig.run.job,
			       .catalogue = &catalogue,
			       .reserve = table_reserve,
			       .clear = table_clear,
			       .is_survey = true };
	const struct desc in = { .kind = DESC_SURVEYED, .surveyed = 1 };

	make_files(1, 1, 1);
	kept_survey_open(&catalogue.survey, &kept);
	ASSERT_EQ(dedup_take_surveyed(&dedup, &in), 0);
	ASSERT_EQ(catalogue_facts(&catalogue, 0)->bytes, 70);
	ASSERT_EQ(pwrite(table_fd(&catalogue.survey.table), "x", 1,
			 (off_t)(catalogue.survey.head.entries_off +
				 offsetof(struct survey_entry, facts.bytes))),
		  1);
	ASSERT_EQ(dedup_take_surveyed(&dedup, &in), -ESTALE);
	ASSERT_EQ(catalogue_facts(&catalogue, 0)->bytes, 70);
	table_close(&catalogue.survey.table);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			test_dedup_survey_of_any_interleaving_gives_one_catalogue,
			teardown),
		CASE(test_dedup_steps_done_again_give_the_same_catalogue),
		CASE(test_dedup_table_grows_and_forgets_nothing),
		CASE(test_dedup_without_room_to_compare_goes_on_without),
		CASE(test_dedup_entry_of_a_survey_that_is_damaged_is_refused),
	};

	return cmocka_run_group_tests_name("dedup/survey", tests, NULL, NULL);
}
