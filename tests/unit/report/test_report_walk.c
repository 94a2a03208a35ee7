/* SPDX-License-Identifier: MIT */
/*
 * test_report_walk.c - a catalogue that is walked once, and those that contradict themselves.
 */
#include "tests/support/test_report_rig.h"

#include <errno.h>

#include "catalogue/kept.h"
#include "stages/job.h"
#include "stages/stage.h"

static void
test_report_items_are_in_order_and_have_each_chunk_once(void **state)
{
	uint32_t random = 20261122;
	const struct report_item *before = NULL;
	uint64_t packed_nr = 0;
	uint64_t chunks_in_files = 0;
	uint64_t chunks_in_items = 0;

	for (int i = 0; i < 300; i++) {
		uint32_t chunks = 1 + (uint32_t)(i % 9);
		uint64_t first = plan_nr;

		add_file("f", i % 13 == 5 ? REASON_BINARY : REASON_NONE, 10);
		if (i % 13 == 5)
			continue;
		chunks_in_files += chunks;
		for (uint32_t k = 0; k < chunks; k++) {
			random = random * 1664525 + 1013904223;
			add_chunk(10 + k, (uint8_t)(random >> 16),
				  random >> 29 < (uint32_t)(i % 4) * 2);
		}
		/* the first one of a file may stand for its signatures */
		if (i % 7 == 3 && plan_nr > first &&
		    catalogue_plan(&run.catalogue, first)->chunk_idx ==
			    chunk_nr - chunks) {
			catalogue_plan(&run.catalogue, first)->tier =
				TIER_SIGNATURES;
		}
	}
	assert_int_equal(report_collect(&run, &report), 0);
	for (uint64_t i = 0; i < report.item_nr; i++) {
		const struct report_item *item = report_item(&report, i);

		packed_nr += item->is_packed;
		chunks_in_items += item->chunk_nr;
		if (before != NULL && before->file_idx == item->file_idx &&
		    before->tier != TIER_SIGNATURES)
			assert_true(before->line_last < item->line_first);
		else if (before != NULL)
			assert_true(before->file_idx <= item->file_idx);
		before = item;
	}
	assert_int_equal(packed_nr, plan_nr);
	assert_int_equal(chunks_in_items, chunks_in_files);
	assert_int_equal(chunks_in_items, report.chunks_seen);
}

static void
spoil_chunk_range(void)
{
	catalogue_facts(&run.catalogue, 0)->chunk_nr = 1u << 31;
}

static void
spoil_chunk_start(void)
{
	catalogue_facts(&run.catalogue, 0)->chunk_first = UINT64_MAX - 1;
}

static void
spoil_chunk_owner(void)
{
	catalogue_chunk(&run.catalogue, 1)->file_idx = 5;
}

static void
spoil_plan_order(void)
{
	catalogue_plan(&run.catalogue, 1)->chunk_idx = 0;
}

static void
spoil_plan_entry(void)
{
	catalogue_plan(&run.catalogue, 3)->chunk_idx = 1ull << 40;
}

/* So many lines of a chunk are all of it. */
static void
spoil_parted_lines(void)
{
	struct plan_entry *entry = catalogue_plan(&run.catalogue, 0);

	entry->kept_lines =
		catalogue_chunk(&run.catalogue, entry->chunk_idx)->line_nr;
}

static void
spoil_plan_nr(void)
{
	store(&run.segment.control->plan_nr, 1ull << 50);
}

static void
spoil_rest_nr(void)
{
	store(&run.segment.control->rest_nr, UINT64_MAX - 2);
}

/* Behind the plan, two entries that go back. */
static void
spoil_rest_order(void)
{
	struct catalogue *c = &run.catalogue;

	assert_int_equal(
		table_reserve(&c->plan,
			      (plan_nr + 2) * sizeof(struct plan_entry)),
		0);
	*catalogue_plan(c, plan_nr) = (struct plan_entry){ .chunk_idx = 1 };
	*catalogue_plan(c, plan_nr + 1) = (struct plan_entry){ .chunk_idx = 0 };
	store(&run.segment.control->rest_nr, 2);
}

static void
spoil_files_seen(void)
{
	store(&run.segment.control->files_seen, 1ull << 31);
}

static void
spoil_reason(void)
{
	catalogue_facts(&run.catalogue, 0)->reason = 250;
}

static void
spoil_missing_chunks(void)
{
	catalogue_facts(&run.catalogue, 0)->chunk_nr = 0;
}

static void
spoil_path_place(void)
{
	catalogue_file(&run.catalogue, 0)->path_off = 1ull << 40;
}

static void
spoil_path_bytes(void)
{
	catalogue_file(&run.catalogue, 6)->path_bytes = UINT32_MAX;
}

static void
spoil_root_bytes(void)
{
	catalogue_file(&run.catalogue, 1)->root_bytes = 1000;
}

static void
spoil_duplicate(void)
{
	catalogue_facts(&run.catalogue, 3)->same_as = 7;
}

static void
test_report_collect_of_rubbish_is_refused(void **state)
{
	static void (*const spoils[])(void) = {
		spoil_chunk_range,  spoil_chunk_start,    spoil_chunk_owner,
		spoil_plan_order,   spoil_plan_entry,     spoil_plan_nr,
		spoil_rest_nr,      spoil_rest_order,     spoil_files_seen,
		spoil_reason,       spoil_missing_chunks, spoil_path_place,
		spoil_path_bytes,   spoil_root_bytes,     spoil_duplicate,
		spoil_parted_lines,
	};

	for (size_t i = 0; i < ARRAY_LEN(spoils); i++) {
		int got;

		make_run();
		spoils[i]();
		got = report_collect(&run, &report);
		if (got != -EPROTO)
			fail_msg("%zu: got %d, want -EPROTO", i, got);
		report_fini(&report);
		store(&run.segment.control->plan_nr, 0);
		store(&run.segment.control->rest_nr, 0);
		store(&run.segment.control->files_seen, 0);
		file_nr = chunk_nr = plan_nr = path_bytes = 0;
	}
}

/* Of ten lines with 100 tokens three are packed, and come to 37 of these: the
 * other 63 are two sevenths of them before, and five behind. */
static void
test_report_rest_of_a_chunk_is_shared_by_its_lines(void **state)
{
	static struct source_request line_4 = { .line_first = 4,
						.line_last = 4,
						.reach = 4,
						.category = CATEGORY_OPEN };
	static const struct source_file file = { .path = "a.c",
						 .path_bytes = 3,
						 .request_nr = 1 };
	const struct report_item *item;

	run.job.sources = (struct sources){ .files = &file,
					    .requests = &line_4,
					    .file_nr = 1,
					    .request_nr = 1 };
	add_file("a.c", REASON_NONE, 400);
	add_chunk(100, 1, true);
	catalogue_plan(&run.catalogue, 0)->kept_lines = 3;
	assert_int_equal(table_reserve(&run.catalogue.kept, sizeof(struct kept_part)),
		  0);
	catalogue_kept(&run.catalogue, 0)->tokens = 37;
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.item_nr, 3);
	item = report_item(&report, 0);
	assert_int_equal(item->line_last, 2);
	assert_int_equal(item->tokens, 18);
	item = report_item(&report, 2);
	assert_int_equal(item->line_first, 6);
	assert_int_equal(item->tokens, 45);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(report_items_are_in_order_and_have_each_chunk_once),
		TEST(report_collect_of_rubbish_is_refused),
		TEST(report_rest_of_a_chunk_is_shared_by_its_lines),
	};

	return cmocka_run_group_tests_name("report/report_walk", tests, NULL,
					   NULL);
}
