/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_gather.c - planned chunks against what was surveyed, turn by turn.
 */
#include "tests/support/test_stage_rig.h"

#include "catalogue/kept.h"
#include "catalogue/chunks.h"
#include "catalogue/facts.h"
#include "catalogue/files.h"
#include "catalogue/plan.h"
#include "stages/dedup/dedup_turn.h"

enum { FILES = 3, CHUNKS = 4 }; /* of each */

static struct rig rig;
static struct dedup dedup;
static struct dedup_state gather;
static struct desc let_through[16];
static uint32_t through_nr;

static void
forward(void *context, const struct desc *desc)
{
	ASSERT_TRUE(context == &rig);
	ASSERT_TRUE(through_nr < ARRAY_LEN(let_through));
	let_through[through_nr++] = *desc;
}

static int
setup(void **state)
{
	rig_open(&rig, 1, 1);
	rig.run.job.budget_tokens = 100000;
	job_resolve(&rig.run.job);
	for (uint32_t f = 0; f < FILES; f++) {
		rig_add_file(&rig, f, "f", "");
		*rig_facts(&rig, f) = (struct file_facts){
			.chunk_first = f * CHUNKS,
			.chunk_nr = CHUNKS,
			.outline_fingerprint = { 0xee, (uint8_t)f },
		};
		for (uint32_t c = 0; c < CHUNKS; c++)
			*rig_chunk(&rig,
				   f * CHUNKS + c) = (struct chunk_record){
				.file_idx = f,
				.fingerprint = { (uint8_t)f, (uint8_t)c },
			};
	}
	gather = (struct dedup_state){ 0 };
	through_nr = 0;
	dedup = (struct dedup){ .state = &gather,
				.job = &rig.run.job,
				.catalogue = &rig.run.catalogue,
				.reserve = table_reserve,
				.clear = table_clear,
				.forward = forward,
				.context = &rig };
	return 0;
}

static int
teardown(void **state)
{
	rig_close(&rig);
	return 0;
}

/* A plan of these chunks, all of them in full. */
static void
plan(const uint64_t *chunks, size_t nr)
{
	rig_set_plan(&rig, chunks, nr);
	for (size_t i = 0; i < nr; i++)
		*catalogue_plan(&rig.run.catalogue, i) = (struct plan_entry){
			.chunk_idx = chunks[i],
		};
	dedup.plan_nr = nr;
}

static void
begin(uint32_t file_idx)
{
	const struct desc turn = { .kind = DESC_LANE,
				   .lane = 5,
				   .file_idx = file_idx };

	ASSERT_EQ(dedup_begin_turn(&dedup, &turn), 0);
	ASSERT_EQ(gather.in_turn, 1);
	ASSERT_EQ(gather.lane, 5);
	ASSERT_EQ(gather.file_idx, file_idx);
}

static struct desc
run_of(uint32_t file_idx, uint32_t chunk)
{
	return (struct desc){ .kind = DESC_RUN,
			      .flags = DESC_EMIT,
			      .file_idx = file_idx,
			      .slab_idx = 3,
			      .tokens_alone = 10,
			      .fingerprint = { (uint8_t)file_idx,
					       (uint8_t)chunk } };
}

static void
take(struct desc run)
{
	ASSERT_EQ(dedup_take(&dedup, &run), 0);
}

/* What is as it was surveyed goes on; the cursor ends behind the plan. */
static void
test_dedup_gather_lets_through_what_is_planned(void **state)
{
	static const uint64_t chunks[] = { 1, 3, 4, 10 };
	struct desc last;

	plan(chunks, ARRAY_LEN(chunks));
	begin(0);
	take(run_of(0, 1));
	ASSERT_EQ(gather.plan_next, 1);
	last = run_of(0, 3);
	last.flags |= DESC_LAST;
	take(last);
	ASSERT_EQ(gather.in_turn, 0);
	ASSERT_EQ(gather.plan_next, 2);
	begin(1);
	/* a chunk in two runs is looked at where it ends */
	last = run_of(1, 77);
	last.flags |= DESC_MORE;
	take(last);
	ASSERT_EQ(gather.plan_next, 2);
	last = run_of(1, 0);
	last.flags |= DESC_LAST;
	take(last);
	ASSERT_EQ(gather.plan_next, 3);
	ASSERT_EQ(through_nr, 4);
	for (uint32_t i = 0; i < through_nr; i++) {
		ASSERT_EQ(let_through[i].kind, DESC_RUN);
		ASSERT_EQ(let_through[i].is_measured, 0);
	}
	for (uint32_t f = 0; f < FILES; f++)
		ASSERT_EQ(rig_facts(&rig, f)->reason, REASON_NONE);
}

/* Another fingerprint, or another file's chunk: the rest of it is dropped. */
static void
test_dedup_gather_drops_what_has_changed(void **state)
{
	static const uint64_t chunks[] = { 1, 2, 3, 4 };
	struct desc run;

	plan(chunks, ARRAY_LEN(chunks));
	begin(0);
	run = run_of(0, 9);
	take(run);
	ASSERT_EQ(rig_facts(&rig, 0)->reason, REASON_CHANGED);
	ASSERT_EQ(through_nr, 0);
	/* only its slab goes on */
	run = run_of(0, 2);
	run.flags |= DESC_RELEASE;
	take(run);
	ASSERT_EQ(through_nr, 1);
	ASSERT_EQ(let_through[0].kind, DESC_SLAB);
	ASSERT_EQ(let_through[0].flags, DESC_RELEASE);
	ASSERT_EQ(let_through[0].slab_idx, 3);
	/* what is left of it in the plan is passed over */
	run = (struct desc){ .kind = DESC_SLAB,
			     .flags = DESC_LAST,
			     .file_idx = 0 };
	take(run);
	ASSERT_EQ(gather.plan_next, 3);
	begin(1);
	ASSERT_EQ(gather.drop, 0);
	take(run_of(1, 0));
	ASSERT_EQ(let_through[2].kind, DESC_RUN);
	ASSERT_EQ(rig_facts(&rig, 1)->reason, REASON_NONE);
}

/* Signatures of a file have their own fingerprint; its chunks stand between
 * them. */
static void
test_dedup_gather_of_signatures_with_chunks_between(void **state)
{
	static const uint64_t chunks[] = { 0, 0, 1 };
	struct desc signatures = run_of(0, 0);

	plan(chunks, ARRAY_LEN(chunks));
	catalogue_plan(&rig.run.catalogue, 0)->tier = TIER_SIGNATURES;
	catalogue_plan(&rig.run.catalogue, 0)->kept_lines = 3;
	begin(0);
	ASSERT_EQ(gather.signs, 1);
	ASSERT_EQ(gather.plan_next, 1);
	memcpy(signatures.fingerprint, rig_facts(&rig, 0)->outline_fingerprint,
	       FINGERPRINT_BYTES);
	signatures.flags |= DESC_OUTLINE | DESC_MORE;
	take(signatures);
	take(run_of(0, 0));
	ASSERT_EQ(gather.plan_next, 2);
	signatures.flags &= (uint8_t)~DESC_MORE;
	take(signatures);
	ASSERT_EQ(catalogue_kept(&rig.run.catalogue, 0)->tokens, 20);
	take(run_of(0, 1));
	ASSERT_EQ(gather.plan_next, 3);
	ASSERT_EQ(through_nr, 4);
	ASSERT_EQ(rig_facts(&rig, 0)->reason, REASON_NONE);
	/* where nothing came of it, nothing of it is planned any more */
	teardown(NULL);
	setup(NULL);
	plan(chunks, ARRAY_LEN(chunks));
	catalogue_plan(&rig.run.catalogue, 0)->tier = TIER_SIGNATURES;
	ASSERT_EQ(table_reserve(&rig.run.catalogue.kept,
				sizeof(struct kept_part)),
		  0);
	/* of another output */
	catalogue_kept(&rig.run.catalogue, 0)->tokens = 7;
	begin(0);
	dedup_end_turn(&dedup);
	ASSERT_EQ(gather.plan_next, 3);
	ASSERT_EQ(catalogue_kept(&rig.run.catalogue, 0)->tokens, 0);
}

/* What signatures come to is known also where all of them are there. */
static void
test_dedup_gather_counts_signatures(void **state)
{
	static const uint64_t chunks[] = { 0, 1 };
	struct desc signatures = run_of(0, 0);

	plan(chunks, ARRAY_LEN(chunks));
	catalogue_plan(&rig.run.catalogue, 0)->tier = TIER_SIGNATURES;
	begin(0);
	memcpy(signatures.fingerprint, rig_facts(&rig, 0)->outline_fingerprint,
	       FINGERPRINT_BYTES);
	signatures.flags |= DESC_OUTLINE;
	take(signatures);
	take(run_of(0, 1));
	ASSERT_EQ(catalogue_kept(&rig.run.catalogue, 0)->tokens, 10);
}

/* Signatures that are no longer what they were leave their file out. */
static void
test_dedup_gather_of_changed_signatures(void **state)
{
	static const uint64_t chunks[] = { 0, 0 };
	struct desc signatures = run_of(0, 0);

	plan(chunks, ARRAY_LEN(chunks));
	catalogue_plan(&rig.run.catalogue, 0)->tier = TIER_SIGNATURES;
	begin(0);
	memset(signatures.fingerprint, 77, FINGERPRINT_BYTES);
	signatures.flags |= DESC_OUTLINE;
	take(signatures);
	ASSERT_EQ(rig_facts(&rig, 0)->reason, REASON_CHANGED);
	take(run_of(0, 0));
	ASSERT_EQ(through_nr, 0);
}

/* By rank files come in any order: the entries of each are looked for. */
static void
test_dedup_gather_by_rank_looks_for_each_file(void **state)
{
	static const uint64_t chunks[] = { 1, 4, 8, 8, 9 };
	struct desc run = run_of(2, 0);

	plan(chunks, ARRAY_LEN(chunks));
	catalogue_plan(&rig.run.catalogue, 2)->tier = TIER_SIGNATURES;
	rig.run.job.by_rank = true;
	begin(2);
	ASSERT_EQ(gather.outline_entry, 2);
	memcpy(run.fingerprint, rig_facts(&rig, 2)->outline_fingerprint,
	       FINGERPRINT_BYTES);
	run.flags |= DESC_OUTLINE;
	take(run);
	ASSERT_EQ(gather.plan_next, 3);
	take(run_of(2, 0));
	take(run_of(2, 1));
	dedup_end_turn(&dedup);
	begin(1);
	ASSERT_EQ(gather.plan_next, 1);
	dedup_end_turn(&dedup);
	begin(0);
	ASSERT_EQ(gather.plan_next, 0);
	ASSERT_EQ(through_nr, 3);
}

/* Of what is there in part, what it comes to is added up. */
static void
test_dedup_gather_counts_what_is_kept_of_a_chunk(void **state)
{
	static const uint64_t chunks[] = { 0, 1 };
	struct desc run;

	plan(chunks, ARRAY_LEN(chunks));
	catalogue_plan(&rig.run.catalogue, 0)->kept_lines = KEPT_MEASURED;
	begin(0);
	run = run_of(0, 0);
	run.flags |= DESC_MORE;
	take(run);
	ASSERT_EQ(gather.tokens, 10);
	run.flags = DESC_EMIT;
	run.tokens_alone = 5;
	take(run);
	ASSERT_EQ(catalogue_kept(&rig.run.catalogue, 0)->tokens, 15);
	ASSERT_EQ(gather.tokens, 0);
	ASSERT_EQ(let_through[0].is_measured, 1);
	ASSERT_EQ(let_through[1].is_measured, 1);
	take(run_of(0, 1));
	ASSERT_EQ(let_through[2].is_measured, 0);
	ASSERT_EQ(catalogue_kept(&rig.run.catalogue, 0)->tokens, 15);
}

/* Where all is taken nothing is planned, and tokens are added up. */
static void
test_dedup_gather_of_everything_counts_the_file(void **state)
{
	rig.run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&rig.run.job);
	begin(1);
	take(run_of(1, 0));
	ASSERT_EQ(rig_facts(&rig, 1)->tokens, 10);
	take(run_of(1, 9));
	ASSERT_EQ(rig_facts(&rig, 1)->tokens, 20);
	ASSERT_EQ(through_nr, 2);
	ASSERT_EQ(rig_facts(&rig, 1)->reason, REASON_NONE);
	dedup_end_turn(&dedup);
	begin(2);
	take(run_of(2, 0));
	ASSERT_EQ(rig_facts(&rig, 2)->tokens, 10);
	ASSERT_EQ(gather.plan_next, 0);
}

/* A chunk whose tokens were estimated has those that it is written with; one of
 * which not all is written keeps its estimate. */
static void
test_dedup_gather_counts_what_was_estimated(void **state)
{
	static const uint64_t chunks[] = { 0, 1, 2, 3 };
	struct desc run;

	for (uint64_t i = 0; i < 3; i++) {
		rig_chunk(&rig, i)->tokens = 77;
		rig_chunk(&rig, i)->is_estimated = 1;
	}
	rig_chunk(&rig, 3)->tokens = 78;
	plan(chunks, ARRAY_LEN(chunks));
	catalogue_plan(&rig.run.catalogue, 1)->kept_lines = 5;
	catalogue_plan(&rig.run.catalogue, 2)->kept_lines = KEPT_MEASURED;
	begin(0);
	run = run_of(0, 0);
	run.flags |= DESC_MORE;
	take(run);
	ASSERT_EQ(rig_chunk(&rig, 0)->tokens, 77);
	take(run_of(0, 0));
	ASSERT_EQ(rig_chunk(&rig, 0)->tokens, 20);
	ASSERT_EQ(rig_chunk(&rig, 0)->is_estimated, 0);
	take(run_of(0, 1));
	ASSERT_EQ(rig_chunk(&rig, 1)->tokens, 77);
	ASSERT_EQ(rig_chunk(&rig, 1)->is_estimated, 1);
	take(run_of(0, 2));
	ASSERT_EQ(rig_chunk(&rig, 2)->tokens, 10);
	ASSERT_EQ(rig_chunk(&rig, 2)->is_estimated, 0);
	/* what was counted stays what it was */
	take(run_of(0, 3));
	ASSERT_EQ(rig_chunk(&rig, 3)->tokens, 78);
	ASSERT_EQ(through_nr, 5);
}

/* A pass that only counts lets nothing through but slabs. */
static void
test_dedup_gather_that_only_counts_writes_nothing(void **state)
{
	static const uint64_t chunks[] = { 0, 1 };
	struct desc run = run_of(0, 1);

	rig_chunk(&rig, 0)->is_estimated = 1;
	plan(chunks, ARRAY_LEN(chunks));
	dedup.only_counts = true;
	begin(0);
	take(run_of(0, 0));
	ASSERT_EQ(rig_chunk(&rig, 0)->tokens, 10);
	ASSERT_EQ(through_nr, 0);
	run.flags |= DESC_RELEASE | DESC_LAST;
	take(run);
	ASSERT_EQ(through_nr, 1);
	ASSERT_EQ(let_through[0].kind, DESC_SLAB);
	ASSERT_EQ(let_through[0].slab_idx, 3);
	ASSERT_EQ(gather.plan_next, 2);
	ASSERT_EQ(rig_facts(&rig, 0)->reason, REASON_NONE);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_dedup_gather_lets_through_what_is_planned),
		CASE(test_dedup_gather_drops_what_has_changed),
		CASE(test_dedup_gather_of_signatures_with_chunks_between),
		CASE(test_dedup_gather_counts_signatures),
		CASE(test_dedup_gather_of_changed_signatures),
		CASE(test_dedup_gather_by_rank_looks_for_each_file),
		CASE(test_dedup_gather_counts_what_is_kept_of_a_chunk),
		CASE(test_dedup_gather_of_everything_counts_the_file),
		CASE(test_dedup_gather_counts_what_was_estimated),
		CASE(test_dedup_gather_that_only_counts_writes_nothing),
	};

	return cmocka_run_group_tests_name("dedup/gather", tests, NULL, NULL);
}
