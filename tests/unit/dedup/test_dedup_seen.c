/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_seen.c - the first file of each content, against a look at all
 * that came before.
 */
#include "tests/support/test_stage_rig.h"

#include "catalogue/chunks.h"
#include "catalogue/facts.h"
#include "catalogue/files.h"
#include "stages/dedup/dedup_turn.h"

enum { FILES = 5000, CONTENTS = 3000 };

static struct rig rig;
static struct dedup dedup;
static struct dedup_state seen;
static uint64_t room; /* of the table; more is refused */

static int
reserve(const struct table *table, uint64_t bytes)
{
	return bytes > room ? -ENOSPC : table_reserve(table, bytes);
}

static int
setup(void **state)
{
	rig_open(&rig, 1, 1);
	rig.run.job.budget_tokens = 100000;
	job_resolve(&rig.run.job);
	room = UINT64_MAX;
	seen = (struct dedup_state){ 0 };
	dedup = (struct dedup){ .state = &seen,
				.job = &rig.run.job,
				.catalogue = &rig.run.catalogue,
				.reserve = reserve,
				.clear = table_clear };
	return 0;
}

static int
teardown(void **state)
{
	rig_close(&rig);
	return 0;
}

/* Contents begin alike, so that places and tags collide. */
static void
add_file(uint32_t idx, uint32_t content)
{
	struct file_facts *facts;

	rig_add_file(&rig, idx, "f", "");
	facts = rig_facts(&rig, idx);
	*facts = (struct file_facts){ .bytes = 100,
				      .same_as = FILE_NONE,
				      .next_copy = FILE_NONE,
				      .duplicate_of = FILE_NONE };
	facts->sha256[0] = (uint8_t)(content % 11);
	memcpy(facts->sha256 + 16, &content, sizeof(content));
}

static uint32_t
find(uint32_t idx)
{
	seen.file_idx = idx;
	dedup_find_duplicate(&dedup, idx);
	return rig_facts(&rig, idx)->duplicate_of;
}

/* Thousands, as the table grows; a step that is done again says the same. */
static void
test_dedup_seen_is_the_first_of_each_content(void **state)
{
	static uint32_t first[CONTENTS];
	static bool has[CONTENTS];
	uint64_t seed = 3;

	memset(first, 0xff, sizeof(first));
	for (uint32_t i = 0; i < FILES; i++) {
		uint32_t content = (uint32_t)(random_next(&seed) % CONTENTS);
		bool is_new = first[content] == FILE_NONE;
		uint64_t nr = seen.seen_files;

		add_file(i, content);
		ASSERT_EQ(find(i), first[content]);
		ASSERT_EQ(seen.seen_files, nr + is_new);
		if (i % 7 == 0) {
			seen.seen_files = nr; /* it was not committed */
			ASSERT_EQ(find(i), first[content]);
			ASSERT_EQ(seen.seen_files, nr + is_new);
		}
		if (is_new)
			first[content] = i;
		else
			has[content] = true;
		/* of a budget ranks say later which one is kept */
		ASSERT_EQ(rig_facts(&rig, i)->same_as, FILE_NONE);
		ASSERT_TRUE(seen.seen_slots >= 2 * seen.seen_files - 1);
	}
	for (uint32_t c = 0; c < CONTENTS; c++)
		if (first[c] != FILE_NONE)
			ASSERT_EQ(rig_facts(&rig, first[c])->has_duplicates,
				  has[c]);
	ASSERT_EQ(dedup.not_compared, 0);
}

/* What could not be read, or is empty, is no first one when the table grows. */
static void
test_dedup_seen_grows_without_what_is_no_content(void **state)
{
	for (uint32_t i = 0; i < 2048; i++) {
		add_file(i, i);
		find(i);
	}
	ASSERT_EQ(seen.seen_slots, 4096);
	rig_facts(&rig, 5)->reason = REASON_POISON;
	rig_facts(&rig, 6)->bytes = 0;
	add_file(2048, 2048);
	ASSERT_EQ(find(2048), FILE_NONE);
	ASSERT_EQ(seen.seen_slots, 8192);
	for (uint32_t i = 0; i < 10; i++) {
		add_file(2049 + i, i);
		ASSERT_EQ(find(2049 + i), i == 5 || i == 6 ? FILE_NONE : i);
	}
}

/* One that went bad meanwhile is not the same as any. */
static void
test_dedup_seen_is_not_of_a_file_that_went_bad(void **state)
{
	add_file(0, 1);
	ASSERT_EQ(find(0), FILE_NONE);
	rig_facts(&rig, 0)->reason = REASON_POISON;
	add_file(1, 1);
	ASSERT_EQ(find(1), FILE_NONE);
	add_file(2, 1);
	ASSERT_EQ(find(2), 1);
}

/* Where all is packed: byte for byte, in one charset, and told by the first. */
static void
test_dedup_seen_of_everything_is_byte_for_byte(void **state)
{
	rig.run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&rig.run.job);
	ASSERT_TRUE(rig.run.job.packs_all);
	for (uint32_t i = 0; i < 6; i++)
		add_file(i, 1);
	rig_facts(&rig, 2)->bytes = 101;
	catalogue_file(&rig.run.catalogue, 3)->charset = CHARSET_WESTERN;
	catalogue_file(&rig.run.catalogue, 4)->flags = MARK_REPAIRED;
	ASSERT_EQ(find(0), FILE_NONE);
	ASSERT_EQ(find(1), 0);
	ASSERT_EQ(rig_facts(&rig, 1)->same_as, 0);
	ASSERT_EQ(find(2), FILE_NONE);
	ASSERT_EQ(find(3), FILE_NONE);
	ASSERT_EQ(find(4), FILE_NONE);
	ASSERT_EQ(find(5), 0);
	/* with a budget they are one text */
	seen = (struct dedup_state){ 0 };
	rig.run.job.budget_tokens = 100000;
	job_resolve(&rig.run.job);
	for (uint32_t i = 0; i < 6; i++)
		add_file(i, 1);
	rig_facts(&rig, 2)->bytes = 101;
	catalogue_file(&rig.run.catalogue, 4)->flags = MARK_REPAIRED;
	for (uint32_t i = 0; i < 6; i++)
		ASSERT_EQ(find(i), i == 0 ? FILE_NONE : 0);
}

/* Without room for a larger table nothing more is compared. */
static void
test_dedup_seen_without_room_compares_no_more(void **state)
{
	room = 2 * 4096 * sizeof(uint64_t);
	for (uint32_t i = 0; i < 2048; i++) {
		add_file(i, i);
		find(i);
	}
	add_file(2048, 7);
	ASSERT_EQ(dedup.seen_error, 0);
	ASSERT_EQ(find(2048), FILE_NONE);
	ASSERT_EQ(dedup.seen_error, -ENOSPC);
	ASSERT_EQ(dedup.not_compared, 1);
	ASSERT_EQ(seen.seen_lost, 1);
	dedup.seen_error = 0;
	add_file(2049, 7);
	ASSERT_EQ(find(2049), FILE_NONE);
	ASSERT_EQ(dedup.not_compared, 2);
	/* that is said once */
	ASSERT_EQ(dedup.seen_error, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_dedup_seen_is_the_first_of_each_content),
		CASE(test_dedup_seen_grows_without_what_is_no_content),
		CASE(test_dedup_seen_is_not_of_a_file_that_went_bad),
		CASE(test_dedup_seen_of_everything_is_byte_for_byte),
		CASE(test_dedup_seen_without_room_compares_no_more),
	};

	return cmocka_run_group_tests_name("dedup/seen", tests, NULL, NULL);
}
