/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_worker.c - counted runs of several lanes into one order.
 *
 * What dedup writes into the catalogue and lets through is compared with what
 * follows from the list of files.
 */
#include "catalogue/kept.h"
#include "catalogue/desc.h"
#include "tests/support/test_dedup_rig.h"
#include "catalogue/plan.h"
#include "catalogue/terms.h"
#include "catalogue/words.h"
#include "stages/job.h"

static void
test_dedup_chain_of_runs_is_one_chunk(void **state)
{
	const struct chunk_record *chunk;
	struct desc_file facts;
	struct desc run;

	make_files(1, 1, 1);
	files[0] = (struct made_file){ .chunk_nr = 1 };
	push_turn(0);
	for (uint32_t i = 0; i < 4; i++) {
		run = scan_run(0, 0);
		run.file_off = 50 + 1000ull * i;
		run.line_first = 8;
		run.line_nr = 1;
		run.tokens = i == 3 ? 700 : 0;
		run.flags = i == 3 ? DESC_SCAN : DESC_SCAN | DESC_MORE;
		rig_push(&rig, EDGE_COUNTED, 0, &run);
		ASSERT_TRUE(rig_step_twice(&rig) == STEP_DONE);
	}
	facts = scan_facts(0);
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	ASSERT_EQ(rig_run(&rig), 1);
	ASSERT_EQ(catalogue_facts(&rig.run.catalogue, 0)->chunk_nr, 1);
	chunk = catalogue_chunk(&rig.run.catalogue, 0);
	ASSERT_EQ(chunk->file_off, 50);
	ASSERT_EQ(chunk->bytes, 4000);
	ASSERT_EQ(chunk->line_first, 8);
	ASSERT_EQ(chunk->line_nr, 1);
	ASSERT_EQ(chunk->tokens, 700);
}

static void
push_terms_of(uint32_t file_idx, uint8_t term, uint32_t chunk)
{
	struct desc_terms terms = { .kind = DESC_TERMS,
				    .file_idx = file_idx,
				    .slab_idx = SLAB_NONE,
				    .chunk = chunk,
				    .nr = 1,
				    .found = { { term, 3 } } };

	rig_push(&rig, EDGE_COUNTED, 0, &terms);
}

static void
push_terms(uint8_t term, uint32_t chunk)
{
	push_terms_of(0, term, chunk);
}

static void
push_run_of(uint32_t file_idx, uint32_t chunk, uint8_t flags)
{
	struct desc run = scan_run(file_idx, chunk);

	run.flags = DESC_SCAN | flags;
	rig_push(&rig, EDGE_COUNTED, 0, &run);
}

static void
push_run(uint32_t chunk, uint8_t flags)
{
	push_run_of(0, chunk, flags);
}

static void
push_words(uint32_t file_idx, uint8_t nr, uint64_t first)
{
	struct desc_words words = { .kind = DESC_WORDS,
				    .nr = nr,
				    .file_idx = file_idx,
				    .slab_idx = SLAB_NONE };

	for (uint32_t i = 0; i < nr; i++)
		words.words[i] = first + i;
	rig_push(&rig, EDGE_COUNTED, 0, &words);
}

/* Those of a file lie side by side; of one with a chunk in several runs, which is
 * counted otherwise, there are none. */
static void
test_dedup_words_of_a_file_are_side_by_side(void **state)
{
	const struct file_facts *facts;
	struct desc_file end;

	make_files(3, 1, 1);
	for (uint32_t i = 0; i < 3; i++) {
		files[i] = (struct made_file){ .chunk_nr = 1, .content = i };
		push_turn(i);
		push_words(i, 6, 10 * i);
		push_run_of(i, 0, i == 1 ? DESC_MORE : 0);
		if (i == 1)
			push_run_of(i, 0, 0);
		push_words(i, 2, 10 * i + 6);
		end = scan_facts(i);
		rig_push(&rig, EDGE_COUNTED, 0, &end);
	}
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	for (uint32_t i = 0; i < 3; i++) {
		facts = catalogue_facts(&rig.run.catalogue, i);
		ASSERT_EQ(facts->word_nr, i == 1 ? 0 : 8);
		ASSERT_EQ(facts->word_first, i == 0 ? 0 : 8);
		for (uint32_t at = 0; at < facts->word_nr; at++)
			ASSERT_EQ(*catalogue_words(&rig.run.catalogue,
						   facts->word_first + at, 1),
				  10 * i + at);
	}
}

/* Words and signature lines are of the chunk that they stand behind, or within. */
static void
test_dedup_words_and_signature_lines_are_of_their_chunk(void **state)
{
	static const uint64_t chunk_of_term[] = { 0, 1, 1, CHUNK_NONE };
	static const uint8_t terms[] = { 21, 22, 23, 0 };
	static const struct query query;
	const struct chunk_record *line;
	struct desc_file facts;

	make_files(1, 1, 1);
	files[0] = (struct made_file){ .chunk_nr = 3 };
	push_turn(0);
	rig.run.job.query = &query;
	job_resolve(&rig.run.job);
	push_run(0, DESC_SIGNATURE_LINE); /* behind no chunk: of none */
	push_run(0, 0);
	push_terms(21, 0);
	push_run(1, DESC_MORE);
	push_terms(22, 1);
	push_run(1, 0);
	push_terms(23, 1);
	push_run(1, DESC_SIGNATURE_LINE);
	push_run(2, 0);
	push_run(2, DESC_SIGNATURE_LINE);
	facts = scan_facts(0);
	facts.bytes = 1; /* as told, not as added up */
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	ASSERT_EQ(catalogue_facts(&rig.run.catalogue, 0)->chunk_nr, 3);
	ASSERT_EQ(catalogue_facts(&rig.run.catalogue, 0)->bytes, 1);
	for (uint32_t i = 0; i < ARRAY_LEN(terms); i++) {
		const struct term_record *term =
			catalogue_term(&rig.run.catalogue, i);

		ASSERT_EQ(term_chunk(term), chunk_of_term[i]);
		ASSERT_EQ(term->term, terms[i]);
		ASSERT_EQ(term->times, i < 3 ? 3 : 0);
	}
	for (uint32_t i = 0; i < 2; i++) {
		line = catalogue_signature_line(&rig.run.catalogue, i);
		ASSERT_EQ(line->in_chunk, i + 1);
		ASSERT_EQ(line->file_off, 1000 * (i + 1));
		ASSERT_EQ(line->line_nr, 10);
		ASSERT_EQ(line->tokens, tokens_of(0, i + 1));
	}
}

/* What was found in a file before it changed is not of the next one. */
static void
test_dedup_words_of_a_dropped_file_are_forgotten(void **state)
{
	static const struct query query;
	struct desc_file facts;

	make_files(2, 1, 1);
	files[0] = (struct made_file){ .chunk_nr = 1 };
	files[1] = (struct made_file){ .chunk_nr = 1 };
	rig.run.job.query = &query;
	job_resolve(&rig.run.job);
	push_turn(0);
	push_run(0, 0);
	push_terms(20, 0);
	facts = scan_facts(0);
	facts.reason = REASON_CHANGED;
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	push_turn(1);
	push_run_of(1, 0, 0);
	push_terms_of(1, 21, 0);
	facts = scan_facts(1);
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	ASSERT_EQ(catalogue_facts(&rig.run.catalogue, 1)->chunk_first, 0);
	ASSERT_EQ(catalogue_term(&rig.run.catalogue, 0)->term, 21);
	ASSERT_EQ(term_chunk(catalogue_term(&rig.run.catalogue, 0)), 0);
	ASSERT_EQ(term_chunk(catalogue_term(&rig.run.catalogue, 1)),
		  CHUNK_NONE);
}

/* ---- everything is taken: one pass, content goes through ---- */

static struct desc
pop(void)
{
	struct desc desc = { 0 };

	if (!rig_pop(&rig, EDGE_UNIQUE, 0, &desc))
		fail_msg("got nothing let through, want an entry");
	return desc;
}

static void
assert_popped(uint8_t kind, uint32_t file_idx, uint8_t reason)
{
	struct desc desc = pop();

	ASSERT_EQ(desc.kind, kind);
	ASSERT_EQ(desc.file_idx, file_idx);
	ASSERT_EQ(desc.reason, reason);
}

static void
assert_nothing_more(void)
{
	ASSERT_EQ(rig_used(&rig, EDGE_UNIQUE, 0), 0);
}

/* verifies: FR-016-94, AC-016c-021 */
static void
test_dedup_of_the_same_files_lets_the_first_through(void **state)
{
	const struct catalogue *catalogue = &rig.run.catalogue;
	struct desc_file gone = { .kind = DESC_FILE,
				  .flags = DESC_LAST,
				  .reason = REASON_SYMLINK,
				  .file_idx = 1,
				  .slab_idx = SLAB_NONE };

	rig.run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&rig.run.job);
	push_emitted(0, 42, 3);
	rig_push(&rig, EDGE_ORDER, 0, &gone);
	push_emitted(2, 42, 4);
	push_emitted(3, 43, 5);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	assert_popped(DESC_FILE, 0, REASON_NONE);
	assert_popped(DESC_RUN, 0, REASON_NONE);
	assert_popped(DESC_FILE, 1, REASON_SYMLINK);
	assert_popped(DESC_FILE, 2, REASON_NONE); /* for its header */
	assert_popped(DESC_SLAB, 2, REASON_NONE); /* its content is not */
	assert_popped(DESC_FILE, 3, REASON_NONE);
	assert_popped(DESC_RUN, 3, REASON_NONE);
	assert_nothing_more();
	ASSERT_EQ(catalogue_facts(catalogue, 0)->same_as, FILE_NONE);
	ASSERT_EQ(catalogue_facts(catalogue, 1)->reason, REASON_SYMLINK);
	ASSERT_EQ(catalogue_facts(catalogue, 2)->same_as, 0);
	ASSERT_EQ(catalogue_facts(catalogue, 3)->same_as, FILE_NONE);
	/* done twice, added once */
	ASSERT_EQ(catalogue_facts(catalogue, 0)->tokens, 111);
	ASSERT_EQ(catalogue_facts(catalogue, 3)->tokens, 111);
}

/* What only a survey keeps harms no other pass. */
static void
test_dedup_of_all_passes_over_what_a_survey_keeps(void **state)
{
	struct desc desc = { .kind = DESC_LANE, .slab_idx = SLAB_NONE };
	struct desc_file facts;

	rig.run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&rig.run.job);
	make_files(1, 1, 1);
	files[0] = (struct made_file){ .content = 10, .chunk_nr = 2 };
	rig_push(&rig, EDGE_ORDER, 0, &desc);
	push_run(0, 0);
	push_run(0, DESC_SIGNATURE_LINE);
	push_run(1, 0);
	facts = scan_facts(0);
	facts.flags = DESC_SCAN; /* not the last of it */
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	desc = pop();
	ASSERT_EQ(desc.kind, DESC_FILE);
	ASSERT_EQ(desc.flags, DESC_SCAN | DESC_EMIT); /* for format */
	assert_nothing_more();
	ASSERT_EQ(catalogue_facts(&rig.run.catalogue, 0)->bytes, 2000);
}

static void
test_dedup_waits_for_the_lane_whose_turn_it_is(void **state)
{
	struct desc_file facts;

	make_files(2, 50, 3);
	files[0] = (struct made_file){ .lane = 2, .empty = true };
	files[1] = (struct made_file){ .lane = 0, .empty = true };
	push_turn(0);
	push_turn(1);
	facts = scan_facts(1);
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	ASSERT_EQ(rig_step(&rig), STEP_DONE); /* the turn of file 0 */
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	facts = scan_facts(0);
	rig_push(&rig, EDGE_COUNTED, 2, &facts);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig_used(&rig, EDGE_COUNTED, 0), 0);
	ASSERT_EQ(rig_used(&rig, EDGE_COUNTED, 2), 0);
}

/* An entry may come to two, so with room for one nothing is taken. */
static void
test_dedup_takes_an_entry_only_with_room_for_two(void **state)
{
	const uint32_t room = edge_table[EDGE_UNIQUE].entry_nr;
	struct desc_file gone = { .kind = DESC_FILE,
				  .flags = DESC_LAST,
				  .reason = REASON_SYMLINK,
				  .slab_idx = SLAB_NONE };

	rig.run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&rig.run.job);
	for (uint32_t i = 0; i < room + 6; i++) {
		gone.file_idx = i;
		rig_push(&rig, EDGE_ORDER, 0, &gone);
	}
	rig_run(&rig);
	ASSERT_EQ(rig_used(&rig, EDGE_UNIQUE, 0), room - 1);
	ASSERT_EQ(rig_used(&rig, EDGE_ORDER, 0), 7);
	assert_popped(DESC_FILE, 0, REASON_SYMLINK);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	ASSERT_EQ(rig_used(&rig, EDGE_ORDER, 0), 6);
}

/* ---- gather of a plan ---- */

static void
test_dedup_planned_chunks_as_surveyed_go_through(void **state)
{
	survey_three();
	for (uint32_t i = 0; i < 3; i++) {
		push_turn(i);
		push_planned(i, 0, 0);
		push_planned(i, 1, DESC_RELEASE | DESC_LAST);
	}
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	for (uint32_t i = 0; i < 3; i++) {
		assert_popped(DESC_RUN, i, REASON_NONE);
		assert_popped(DESC_RUN, i, REASON_NONE);
		assert_gathered_facts(i, REASON_NONE);
	}
	assert_nothing_more();
}

/* What a chunk up to a line comes to is told; so it is if it comes in runs. */
static void
test_dedup_planned_chunk_in_part_tells_its_tokens(void **state)
{
	struct desc run;

	survey_three();
	catalogue_plan(&rig.run.catalogue, 1)->kept_lines = 3;
	push_turn(0);
	for (uint32_t i = 0; i < 3; i++) {
		run = scan_run(0, i == 0 ? 0 : 1);
		run.flags = i == 1   ? DESC_EMIT | DESC_MORE
			    : i == 2 ? DESC_EMIT | DESC_RELEASE | DESC_LAST
				     : DESC_EMIT;
		run.slab_idx = 0;
		run.slab_off = SLAB_HEAD_BYTES;
		run.tokens_alone = 1000 + i;
		rig_push(&rig, EDGE_COUNTED, files[0].lane, &run);
	}
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	assert_gathered_facts(0, REASON_NONE);
	ASSERT_EQ(catalogue_kept(&rig.run.catalogue, 1)->tokens, 1001 + 1002);
}

/* verifies: NFR-016-43 */
static void
test_dedup_planned_chunk_that_changed_spoils_its_file(void **state)
{
	survey_three();
	push_turn(0);
	push_planned(0, 0, 0);
	push_planned(0, 1, DESC_RELEASE | DESC_LAST);
	push_turn(1);
	files[1].content = 99; /* it is not what it was */
	push_planned(1, 0, 0);
	files[1].content = 11;
	push_planned(1, 1, DESC_RELEASE | DESC_LAST);
	push_turn(2);
	push_planned(2, 0, 0);
	push_planned(2, 1, DESC_RELEASE | DESC_LAST);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	assert_popped(DESC_RUN, 0, REASON_NONE);
	assert_popped(DESC_RUN, 0, REASON_NONE);
	assert_popped(DESC_SLAB, 1, REASON_NONE);
	assert_popped(DESC_RUN, 2, REASON_NONE);
	assert_popped(DESC_RUN, 2, REASON_NONE);
	assert_nothing_more();
	assert_gathered_facts(0, REASON_NONE);
	assert_gathered_facts(1, REASON_CHANGED);
	assert_gathered_facts(2, REASON_NONE);
}

static void
test_dedup_planned_file_that_is_gone_keeps_the_others_in_step(void **state)
{
	struct desc_file gone = { .kind = DESC_FILE,
				  .flags = DESC_EMIT | DESC_LAST,
				  .reason = REASON_VANISHED,
				  .slab_idx = SLAB_NONE };

	survey_three();
	/* one is gone before its first chunk, one in the middle */
	rig_push(&rig, EDGE_ORDER, 0, &gone);
	push_turn(1);
	push_planned(1, 0, DESC_RELEASE);
	gone.file_idx = 1;
	rig_push(&rig, EDGE_COUNTED, files[1].lane, &gone);
	push_turn(2);
	push_planned(2, 0, 0);
	push_planned(2, 1, DESC_RELEASE | DESC_LAST);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	assert_popped(DESC_RUN, 1, REASON_NONE);
	assert_popped(DESC_RUN, 2, REASON_NONE);
	assert_popped(DESC_RUN, 2, REASON_NONE);
	assert_nothing_more();
	assert_gathered_facts(0, REASON_VANISHED);
	assert_gathered_facts(1, REASON_VANISHED);
	assert_gathered_facts(2, REASON_NONE);
}

/* Nothing of a file is let through once it is known to have changed. */
static void
test_dedup_planned_file_that_changes_halfway_ends_there(void **state)
{
	struct desc_file gone = { .kind = DESC_FILE,
				  .flags = DESC_EMIT,
				  .reason = REASON_CHANGED,
				  .slab_idx = SLAB_NONE };

	survey_three();
	push_turn(0);
	rig_push(&rig, EDGE_COUNTED, files[0].lane, &gone);
	push_planned(0, 0, 0);
	push_planned(0, 1, DESC_RELEASE | DESC_LAST);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	assert_popped(DESC_SLAB, 0, REASON_NONE);
	assert_nothing_more();
	assert_gathered_facts(0, REASON_CHANGED);
}

/* By rank the first turn may be that of the file that was surveyed last. */
static void
test_dedup_planned_files_by_rank_are_looked_for(void **state)
{
	static const uint32_t order[] = { 2, 0, 1 };

	survey_three();
	rig.run.job.by_rank = true;
	job_resolve(&rig.run.job);
	for (uint32_t i = 0; i < 3; i++) {
		push_turn(order[i]);
		push_planned(order[i], 0, 0);
		push_planned(order[i], 1, DESC_RELEASE | DESC_LAST);
	}
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	for (uint32_t i = 0; i < 3; i++) {
		assert_popped(DESC_RUN, order[i], REASON_NONE);
		assert_popped(DESC_RUN, order[i], REASON_NONE);
		assert_gathered_facts(order[i], REASON_NONE);
	}
	assert_nothing_more();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_dedup_chain_of_runs_is_one_chunk),
		CASE(test_dedup_words_of_a_file_are_side_by_side),
		CASE(test_dedup_words_and_signature_lines_are_of_their_chunk),
		CASE(test_dedup_words_of_a_dropped_file_are_forgotten),
		CASE(test_dedup_of_the_same_files_lets_the_first_through),
		CASE(test_dedup_of_all_passes_over_what_a_survey_keeps),
		CASE(test_dedup_waits_for_the_lane_whose_turn_it_is),
		CASE(test_dedup_takes_an_entry_only_with_room_for_two),
		CASE(test_dedup_planned_chunks_as_surveyed_go_through),
		CASE(test_dedup_planned_chunk_in_part_tells_its_tokens),
		CASE(test_dedup_planned_chunk_that_changed_spoils_its_file),
		CASE(test_dedup_planned_file_that_is_gone_keeps_the_others_in_step),
		CASE(test_dedup_planned_file_that_changes_halfway_ends_there),
		CASE(test_dedup_planned_files_by_rank_are_looked_for),
	};

	return cmocka_run_group_tests_name("dedup/worker", tests, NULL, NULL);
}
