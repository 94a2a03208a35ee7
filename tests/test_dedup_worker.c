/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_worker.c - counted runs of several lanes into one order.
 *
 * The test plays collect (turns), the count workers of all lanes, and select.
 * Files are made from a seed; what dedup writes into the catalogue and lets
 * through is compared with what follows from the list of files.
 */
#include "tests/test_stage_rig.h"

#define LANES 3
#define FILES_MAX 6000
#define SLABS 8

static struct rig rig;

/* A file as the test made it up. */
struct made_file {
	uint32_t content; /* files of the same number have the same bytes */
	uint32_t chunk_nr;
	uint32_t lane;
	uint8_t reason;  /* left out before it was read: no lane */
	uint8_t charset; /* matters where everything is packed */
	bool empty;
};

static struct made_file files[FILES_MAX];
static uint32_t file_nr;

static int
setup(void **state)
{
	rig_open(&rig, LANES, SLABS);
	rig.run.options.budget_tokens = 100000; /* a survey first */
	rig_attach(&rig, STAGE_DEDUP, 0);
	return 0;
}

static int
teardown(void **state)
{
	rig_close(&rig);
	return 0;
}

static void
make_files(uint32_t nr, uint32_t contents, uint64_t seed)
{
	file_nr = nr;
	for (uint32_t i = 0; i < nr; i++) {
		struct made_file *file = &files[i];

		*file = (struct made_file){ 0 };
		file->content = (uint32_t)(random_next(&seed) % contents);
		file->lane = (uint32_t)(random_next(&seed) % LANES);
		if (random_next(&seed) % 10 == 0)
			file->reason = REASON_BINARY;
		file->empty = random_next(&seed) % 12 == 0;
		file->chunk_nr = file->empty ? 0 : 1 + file->content % 4;
		if (random_next(&seed) % 8 == 0)
			file->charset = CHARSET_WESTERN;
		rig_add_file(&rig, i, "f", "")->charset = file->charset;
	}
}

/* Digests that share their first bytes, so that places and tags collide. */
static void
digest_of(uint32_t content, uint8_t digest[SHA256_BYTES])
{
	memset(digest, 0, SHA256_BYTES);
	digest[0] = (uint8_t)(content % 7);
	memcpy(digest + 16, &content, sizeof(content));
}

static uint32_t
tokens_of(uint32_t content, uint32_t chunk)
{
	return 100 + content % 50 + chunk;
}

static struct desc
scan_run(uint32_t file_idx, uint32_t chunk)
{
	const struct made_file *file = &files[file_idx];
	struct desc run = {
		.kind = DESC_RUN,
		.flags = DESC_SCAN,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.bytes = 1000,
		.line_first = 1 + 10 * chunk,
		.line_nr = 10,
		.tokens = tokens_of(file->content, chunk),
		.file_off = 1000ull * chunk,
	};

	memcpy(run.fingerprint, &file->content, sizeof(file->content));
	run.fingerprint[8] = (uint8_t)chunk;
	return run;
}

static struct desc_file
scan_facts(uint32_t file_idx)
{
	const struct made_file *file = &files[file_idx];
	struct desc_file facts = {
		.kind = DESC_FILE,
		.flags = DESC_SCAN | DESC_LAST,
		.reason = file->reason,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.line_nr = 10 * file->chunk_nr,
		.mark_run = file->content % 9,
	};

	digest_of(file->content, facts.sha256);
	return facts;
}

static void
push_turn(uint32_t file_idx)
{
	struct desc turn = { .kind = DESC_TURN,
			     .lane = (uint8_t)files[file_idx].lane,
			     .file_idx = file_idx,
			     .slab_idx = SLAB_NONE };
	struct desc_file gone = scan_facts(file_idx);

	if (files[file_idx].reason != REASON_NONE)
		rig_push(&rig, EDGE_TURNS, 0, &gone);
	else
		rig_push(&rig, EDGE_TURNS, 0, &turn);
}

/* Where a producer stands in what it has to push. */
struct cursor {
	uint32_t file_idx;
	uint32_t chunk;
};

/* The next entry of one lane; false: it has given all. */
static bool
push_next_of_lane(uint32_t lane, struct cursor *at)
{
	struct desc_file facts;
	struct desc run;

	while (at->file_idx < file_nr &&
	       (files[at->file_idx].lane != lane ||
		files[at->file_idx].reason != REASON_NONE))
		at->file_idx++;
	if (at->file_idx == file_nr)
		return false;
	if (at->chunk < files[at->file_idx].chunk_nr) {
		run = scan_run(at->file_idx, at->chunk++);
		rig_push(&rig, EDGE_COUNTED, lane, &run);
		return true;
	}
	facts = scan_facts(at->file_idx++);
	at->chunk = 0;
	rig_push(&rig, EDGE_COUNTED, lane, &facts);
	return true;
}

/* All entries of a survey, in an order that the seed says; steps between. */
static void
survey(uint64_t seed, bool dying)
{
	struct cursor lanes[LANES] = { { 0 } };
	uint32_t turns = 0;
	bool is_open[LANES + 1] = { true, true, true, true };
	int left = LANES + 1;

	while (left > 0) {
		uint32_t who = (uint32_t)(random_next(&seed) % (LANES + 1));
		uint64_t nr = random_next(&seed) % 200;

		for (; nr > 0 && is_open[who]; nr--) {
			if (who == LANES && turns < file_nr)
				push_turn(turns++);
			else if (who == LANES ||
				 !push_next_of_lane(who, &lanes[who]))
				is_open[who] = false;
			left -= !is_open[who];
		}
		if (random_next(&seed) % 2 == 0)
			continue;
		while ((dying ? rig_step_twice(&rig) : rig_step(&rig)) ==
		       STEP_DONE)
			;
	}
	while (rig_step(&rig) == STEP_DONE)
		;
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
}

/* The earliest file of the same content, as a list would find it. */
static uint32_t
first_of_same(uint32_t file_idx)
{
	for (uint32_t i = 0; i < file_idx; i++)
		if (files[i].reason == REASON_NONE && !files[i].empty &&
		    files[i].content == files[file_idx].content)
			return i;
	return FILE_NONE;
}

static void
assert_chunks(const struct file_facts *facts, uint32_t file_idx)
{
	uint64_t tokens = 0;

	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		const struct chunk_record *chunk = catalogue_chunk(
			&rig.run.catalogue, facts->chunk_first + c);

		ASSERT_EQ(chunk->file_idx, file_idx);
		ASSERT_EQ(chunk->file_off, 1000 * c);
		ASSERT_EQ(chunk->bytes, 1000);
		ASSERT_EQ(chunk->line_first, 1 + 10 * c);
		ASSERT_EQ(chunk->line_nr, 10);
		ASSERT_EQ(chunk->tokens, tokens_of(files[file_idx].content, c));
		ASSERT_EQ(chunk->fingerprint[8], c);
		tokens += chunk->tokens;
	}
	ASSERT_EQ(facts->tokens, tokens);
}

/* The catalogue says what the list of files says, side by side. */
static void
assert_catalogue(void)
{
	uint64_t chunk_next = 0;

	for (uint32_t i = 0; i < file_nr; i++) {
		const struct file_facts *facts =
			catalogue_facts(&rig.run.catalogue, i);
		uint32_t twin_of = FILE_NONE;

		if (facts->reason != files[i].reason)
			fail_msg("file %u: got reason %u, want %u", i,
				 facts->reason, files[i].reason);
		if (files[i].reason != REASON_NONE) {
			ASSERT_EQ(facts->chunk_nr, 0);
			ASSERT_EQ(facts->twin_of, FILE_NONE);
			ASSERT_EQ(facts->has_twins, 0);
			continue;
		}
		if (!files[i].empty)
			twin_of = first_of_same(i);
		if (facts->twin_of != twin_of)
			fail_msg("file %u: got twin of %u, want %u", i,
				 facts->twin_of, twin_of);
		if (twin_of != FILE_NONE)
			ASSERT_EQ(catalogue_facts(&rig.run.catalogue, twin_of)
					  ->has_twins,
				  1);
		ASSERT_EQ(facts->same_as, FILE_NONE);
		ASSERT_EQ(facts->bytes, 1000 * files[i].chunk_nr);
		ASSERT_EQ(facts->line_nr, 10 * files[i].chunk_nr);
		ASSERT_EQ(facts->mark_run, files[i].content % 9);
		ASSERT_EQ(facts->chunk_nr, files[i].chunk_nr);
		ASSERT_EQ(facts->chunk_first, chunk_next);
		assert_chunks(facts, i);
		chunk_next += facts->chunk_nr;
	}
}

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

/* ---- everything is taken: one pass, content goes through ---- */

/* A file of one run, to be written as it is read. */
static void
push_emitted(uint32_t file_idx, uint32_t content, uint32_t slab_idx)
{
	struct desc turn = { .kind = DESC_TURN,
			     .file_idx = file_idx,
			     .slab_idx = SLAB_NONE };
	struct desc_file facts = {
		.kind = DESC_FILE,
		.flags = DESC_EMIT,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.bytes = 500,
		.line_nr = 5,
	};
	struct desc run = {
		.kind = DESC_RUN,
		.flags = DESC_EMIT | DESC_LAST | DESC_RELEASE,
		.file_idx = file_idx,
		.slab_idx = slab_idx,
		.slab_off = SLAB_HEAD_BYTES,
		.bytes = 500,
		.line_first = 1,
		.line_nr = 5,
		.tokens_alone = 111,
	};

	rig_add_file(&rig, file_idx, "f", "");
	digest_of(content, facts.sha256);
	rig_push(&rig, EDGE_TURNS, 0, &turn);
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	rig_push(&rig, EDGE_COUNTED, 0, &run);
}

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

	rig.run.options.budget_tokens = BUDGET_ALL;
	push_emitted(0, 42, 3);
	rig_push(&rig, EDGE_TURNS, 0, &gone);
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

/* ---- gather of a plan ---- */

/* Three surveyed files of two chunks each, all of them planned. */
static void
survey_three(void)
{
	static const uint64_t plan[] = { 0, 1, 2, 3, 4, 5 };
	struct desc desc;

	make_files(3, 9, 5);
	for (uint32_t i = 0; i < 3; i++)
		files[i] = (struct made_file){ .content = 10 + i,
					       .chunk_nr = 2,
					       .lane = i };
	survey(3, false);
	while (rig_pop(&rig, EDGE_UNIQUE, 0, &desc))
		;
	rig_set_plan(&rig, plan, ARRAY_LEN(plan));
}

static void
push_planned(uint32_t file_idx, uint32_t chunk, uint8_t flags)
{
	struct desc run = scan_run(file_idx, chunk);

	run.flags = (uint8_t)(DESC_EMIT | flags);
	run.slab_idx = file_idx;
	run.slab_off = SLAB_HEAD_BYTES;
	run.tokens_alone = 0;
	rig_push(&rig, EDGE_COUNTED, files[file_idx].lane, &run);
}

static void
assert_gathered_facts(uint32_t file_idx, uint8_t reason)
{
	uint8_t got = catalogue_facts(&rig.run.catalogue, file_idx)->reason;

	if (got != reason)
		fail_msg("file %u: got reason %s, want %s", file_idx,
			 reason_text(got), reason_text(reason));
}

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
	const struct control_shm *control = rig.run.segment.control;
	struct desc run;

	survey_three();
	catalogue_plan(&rig.run.catalogue, 1)->parted_lines = 3;
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
	ASSERT_EQ(atomic_load_explicit(&control->parted_tokens,
				       memory_order_relaxed),
		  1001 + 1002);
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
	rig_push(&rig, EDGE_TURNS, 0, &gone);
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

/* ---- entries that end this stage each time ---- */

/* Takes entries one by one, and calls the one at `poison` poison. */
static void
run_with_poison(int poison)
{
	int at = 0;

	/* relaxed: one process */
	atomic_store_explicit(&rig.worker.shm->retry, 1, memory_order_relaxed);
	for (;;) {
		int result = rig_step_uncommitted(&rig, at == poison);

		if (result != STEP_DONE)
			break;
		worker_commit(&rig.worker);
		at++;
	}
	ASSERT_EQ(rig_used(&rig, EDGE_TURNS, 0), 0);
	for (uint32_t lane = 0; lane < LANES; lane++)
		ASSERT_EQ(rig_used(&rig, EDGE_COUNTED, lane), 0);
}

static void
test_dedup_poison_in_a_survey_leaves_that_file_out(void **state)
{
	for (int poison = 0; poison < 4; poison++) {
		struct desc_file facts;
		struct desc run;

		if (poison > 0)
			setup(NULL);
		make_files(2, 9, 5);
		for (uint32_t i = 0; i < 2; i++) {
			files[i] = (struct made_file){ .content = 7,
						       .chunk_nr = 2 };
			push_turn(i);
			for (uint32_t c = 0; c < 2; c++) {
				run = scan_run(i, c);
				rig_push(&rig, EDGE_COUNTED, 0, &run);
			}
			facts = scan_facts(i);
			rig_push(&rig, EDGE_COUNTED, 0, &facts);
		}
		run_with_poison(poison);
		files[0].reason = REASON_POISON;
		assert_catalogue();
		if (poison < 3)
			teardown(NULL);
	}
}

/* Both files have the same bytes: the one left out is no first of them. */
static void
test_dedup_poison_where_all_is_taken_leaves_that_file_out(void **state)
{
	for (int poison = 0; poison < 3; poison++) {
		const struct catalogue *catalogue = &rig.run.catalogue;
		struct desc desc;
		uint32_t runs = 0;
		uint32_t slabs = 0;

		if (poison > 0)
			setup(NULL);
		rig.run.options.budget_tokens = BUDGET_ALL;
		push_emitted(0, 42, 3);
		push_emitted(1, 42, 4);
		run_with_poison(poison);
		while (rig_pop(&rig, EDGE_UNIQUE, 0, &desc)) {
			slabs += (desc.flags & DESC_RELEASE) != 0;
			runs += desc.kind == DESC_RUN;
			if (desc.kind == DESC_RUN)
				ASSERT_EQ(desc.file_idx, 1);
		}
		ASSERT_EQ(slabs, 2);
		ASSERT_EQ(catalogue_facts(catalogue, 0)->reason, REASON_POISON);
		ASSERT_EQ(catalogue_facts(catalogue, 1)->reason, REASON_NONE);
		ASSERT_EQ(runs, 1);
		ASSERT_EQ(catalogue_facts(catalogue, 1)->same_as, FILE_NONE);
		if (poison < 2)
			teardown(NULL);
	}
}

/* A large file: looked at, then written; poison at each of its entries. */
static void
test_dedup_poison_in_a_large_file_leaves_its_rest_out(void **state)
{
	for (int poison = 0; poison < 6; poison++) {
		struct desc desc = { .kind = DESC_TURN, .slab_idx = SLAB_NONE };
		struct desc_file facts;
		uint32_t runs = 0;
		uint32_t slabs = 0;
		uint8_t reason = REASON_NONE;

		if (poison > 0)
			setup(NULL);
		rig.run.options.budget_tokens = BUDGET_ALL;
		make_files(1, 1, 1);
		files[0] = (struct made_file){ .content = 10, .chunk_nr = 2 };
		rig_push(&rig, EDGE_TURNS, 0, &desc);
		desc = scan_run(0, 0);
		rig_push(&rig, EDGE_COUNTED, 0, &desc);
		facts = scan_facts(0);
		facts.flags = DESC_SCAN; /* not the last of it */
		rig_push(&rig, EDGE_COUNTED, 0, &facts);
		push_planned(0, 0, DESC_RELEASE | DESC_MORE);
		push_planned(0, 1, DESC_RELEASE | DESC_MORE);
		push_planned(0, 2, DESC_RELEASE | DESC_LAST);
		run_with_poison(poison);
		while (rig_pop(&rig, EDGE_UNIQUE, 0, &desc)) {
			slabs += (desc.flags & DESC_RELEASE) != 0;
			runs += desc.kind == DESC_RUN;
			if (desc.kind == DESC_FILE)
				reason = desc.reason;
		}
		ASSERT_EQ(slabs, 3);
		if (runs != (uint32_t)(poison < 3 ? 0 : poison - 3))
			fail_msg("poison at %d: got %u runs let through, want "
				 "%d",
				 poison, runs, poison < 3 ? 0 : poison - 3);
		/* told to the report, and to format */
		ASSERT_EQ(reason, REASON_POISON);
		assert_gathered_facts(0, REASON_POISON);
		if (poison < 5)
			teardown(NULL);
	}
}

static void
test_dedup_poison_in_a_planned_file_spoils_it(void **state)
{
	for (int poison = 0; poison < 3; poison++) {
		struct desc desc;
		uint32_t slabs = 0;

		if (poison > 0)
			setup(NULL);
		survey_three();
		push_turn(0);
		push_planned(0, 0, 0);
		push_planned(0, 1, DESC_RELEASE | DESC_LAST);
		push_turn(1);
		push_planned(1, 0, 0);
		push_planned(1, 1, DESC_RELEASE | DESC_LAST);
		run_with_poison(poison);
		while (rig_pop(&rig, EDGE_UNIQUE, 0, &desc)) {
			slabs += (desc.flags & DESC_RELEASE) != 0;
			if (desc.kind == DESC_RUN && desc.file_idx == 0)
				ASSERT_EQ(poison, 2);
		}
		ASSERT_EQ(slabs, 2);
		assert_gathered_facts(0, REASON_POISON);
		assert_gathered_facts(1, REASON_NONE);
		if (poison < 2)
			teardown(NULL);
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			test_dedup_survey_of_any_interleaving_gives_one_catalogue,
			teardown),
		CASE(test_dedup_steps_done_again_give_the_same_catalogue),
		CASE(test_dedup_table_grows_and_forgets_nothing),
		CASE(test_dedup_chain_of_runs_is_one_chunk),
		CASE(test_dedup_of_the_same_files_lets_the_first_through),
		CASE(test_dedup_waits_for_the_lane_whose_turn_it_is),
		CASE(test_dedup_planned_chunks_as_surveyed_go_through),
		CASE(test_dedup_planned_chunk_in_part_tells_its_tokens),
		CASE(test_dedup_planned_chunk_that_changed_spoils_its_file),
		CASE(test_dedup_planned_file_that_is_gone_keeps_the_others_in_step),
		CASE(test_dedup_poison_in_a_survey_leaves_that_file_out),
		CASE(test_dedup_poison_where_all_is_taken_leaves_that_file_out),
		CASE(test_dedup_poison_in_a_large_file_leaves_its_rest_out),
		CASE(test_dedup_poison_in_a_planned_file_spoils_it),
	};

	return cmocka_run_group_tests_name("dedup/worker", tests, NULL, NULL);
}
