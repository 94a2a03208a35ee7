/* SPDX-License-Identifier: MIT */
/*
 * test_select_tier.c - files in full, by their signatures, or in part.
 */
#include "tests/support/test_select_planner.h"

#include "rank/section.h"

/* A file of equal chunks, with signatures of so many tokens. */
static uint32_t
add_equal(const char *path, uint32_t chunks, uint32_t tokens, uint32_t outline)
{
	struct file_facts *facts;

	add_file(path, 0, REASON_NONE);
	for (uint32_t c = 0; c < chunks; c++)
		add_chunk(tokens, chunk_nr + 1);
	facts = rig_facts(&rig, file_nr - 1);
	facts->outline_tokens = outline;
	/* no chunk has one of these */
	facts->outline_fingerprint[FINGERPRINT_BYTES - 1] = (uint8_t)file_nr;
	return file_nr - 1;
}

static struct rank_candidate
file_of(uint32_t file_idx)
{
	return (struct rank_candidate){
		.file_idx = file_idx,
		.chunk_idx = rig_facts(&rig, file_idx)->chunk_first,
		.category = CATEGORY_TREE,
		.unit = RANK_FILE,
	};
}

/* Of a file with a name of one letter, all of it under one header. */
static uint64_t
cost_of_all(uint32_t tokens, uint32_t lines)
{
	char text[60];

	snprintf(text, sizeof(text), "## File: a.c (lines 1-%u)\n```\n```\n\n",
		 lines);
	return tokens + count_text(text);
}

static uint32_t
chunks_in(uint32_t file_idx)
{
	const struct file_facts *facts = rig_facts(&rig, file_idx);
	uint32_t nr = 0;

	for (uint32_t c = 0; c < facts->chunk_nr; c++)
		nr += select_bits_has(&plan.set.chunks, facts->chunk_first + c);
	return nr;
}

static void
set_room(uint64_t tokens)
{
	static const uint32_t none[CATEGORY_NR] = { 0 };

	rank_budget_init(&plan.tokens.budget, tokens, none);
	plan.stream.more_left = false;
}

/* In full where there is room for all of it, or else by its signatures. */
static void
test_select_tier_of_a_file_is_what_there_is_room_for(void **state)
{
	const uint64_t all = cost_of_all(300, 30);
	struct rank_candidate file;

	add_equal("a.c", 3, 100, 20);
	plan_open(0);
	file = file_of(0);
	set_room(all - 1);
	ASSERT_EQ(plan_consider_file(&plan, &file), 0);
	ASSERT_EQ(chunks_in(0), 0);
	ASSERT_TRUE(select_bits_has(&plan.set.signs, 0));
	ASSERT_TRUE(plan.stream.more_left);
	ASSERT_EQ(
		plan.tokens.budget.used,
		20 + count_text(
			     "## File: a.c (signatures, all)\n"
			     "```\n```\n\n"));
	plan_close();
	plan_open(0);
	/* the header of the first chunk says of how many lines */
	set_room(all + 3);
	ASSERT_EQ(plan_consider_file(&plan, &file), 0);
	ASSERT_EQ(chunks_in(0), 3);
	ASSERT_TRUE(!select_bits_has(&plan.set.signs, 0));
	ASSERT_TRUE(!plan.stream.more_left);
	ASSERT_EQ(plan.set.nr, 3);
	plan_close();
	/* signatures that are no shorter, or none, are no help */
	plan_open(0);
	rig_facts(&rig, 0)->outline_tokens = 300;
	set_room(all - 1);
	ASSERT_EQ(plan_consider_file(&plan, &file), 0);
	ASSERT_EQ(plan.set.nr, 0);
	ASSERT_TRUE(plan.stream.more_left);
	rig_facts(&rig, 0)->outline_tokens = 0;
	ASSERT_EQ(plan_consider_file(&plan, &file), 0);
	ASSERT_EQ(plan.set.nr, 0);
	rig_facts(&rig, 0)->outline_tokens = 250;
	set_room(all - 1);
	ASSERT_EQ(plan_consider_file(&plan, &file), 0);
	ASSERT_EQ(plan.set.nr, 1);
}

/* A file of more than 8,000 tokens comes by its signatures, whatever room. */
static void
test_select_tier_of_a_large_file_is_its_signatures(void **state)
{
	struct rank_candidate file;

	add_equal("a.c", 2, 4000, 20);
	add_equal("b.c", 2, 4001, 20);
	plan_open(100000);
	file = file_of(0);
	ASSERT_EQ(plan_consider_file(&plan, &file), 0);
	ASSERT_EQ(chunks_in(0), 2);
	file = file_of(1);
	ASSERT_EQ(plan_consider_file(&plan, &file), 0);
	ASSERT_EQ(chunks_in(1), 0);
	ASSERT_TRUE(select_bits_has(&plan.set.signs, 1));
}

/* What is elsewhere costs a mark in its place, one for those side by side. */
static void
test_select_tier_in_full_costs_only_what_is_new(void **state)
{
	uint64_t all;
	struct rank_candidate file;

	add_equal("b.c", 2, 100, 20);
	add_equal("a.c", 4, 100, 20);
	/* two of them are in b.c */
	memcpy(rig_chunk(&rig, 3)->fingerprint, rig_chunk(&rig, 0)->fingerprint,
	       FINGERPRINT_BYTES);
	memcpy(rig_chunk(&rig, 4)->fingerprint, rig_chunk(&rig, 1)->fingerprint,
	       FINGERPRINT_BYTES);
	/* there is no room for less than what is in the file, either */
	rig_chunk(&rig, 3)->tokens = 1;
	rig_chunk(&rig, 4)->tokens = 1;
	rig_facts(&rig, 1)->tokens = 202;
	all = cost_of_all(200, 40) + count_text("// ... (lines 9-10)\n");
	for (uint64_t missing = 0; missing < 2; missing++) {
		struct rank_candidate other;

		plan_open(100000);
		other = file_of(0);
		ASSERT_EQ(plan_consider_file(&plan, &other), 0);
		ASSERT_EQ(chunks_in(0), 2);
		file = file_of(1);
		set_room(all - missing);
		ASSERT_EQ(plan_consider_file(&plan, &file), 0);
		ASSERT_EQ(select_bits_has(&plan.set.signs, 1), missing == 1);
		ASSERT_TRUE(!select_bits_has(&plan.set.chunks, 3));
		plan_close();
	}
}

/* Where there is room for just the tokens that a file has, and half of them are
 * elsewhere, there is room for its header, too. */
static void
test_select_tier_of_a_file_that_has_as_many_tokens_as_there_are(void **state)
{
	struct rank_candidate other;
	struct rank_candidate file;

	add_equal("b.c", 1, 100, 20);
	add_equal("a.c", 2, 100, 20);
	memcpy(rig_chunk(&rig, 1)->fingerprint, rig_chunk(&rig, 0)->fingerprint,
	       FINGERPRINT_BYTES);
	for (uint64_t missing = 0; missing < 2; missing++) {
		plan_open(100000);
		other = file_of(0);
		ASSERT_EQ(plan_consider_file(&plan, &other), 0);
		file = file_of(1);
		set_room(200 - missing);
		ASSERT_EQ(plan_consider_file(&plan, &file), 0);
		ASSERT_EQ(chunks_in(1), missing == 0);
		ASSERT_EQ(select_bits_has(&plan.set.signs, 1), missing == 1);
		plan_close();
	}
}

/* A pinned file is there in full, also what is elsewhere; or not at all. */
static void
test_select_tier_of_a_pinned_file_is_all_of_it(void **state)
{
	const uint64_t all = cost_of_all(200, 20);
	struct rank_candidate file;
	struct rank_candidate chunk;

	add_equal("b.c", 1, 100, 0);
	add_equal("a.c", 2, 100, 0);
	memcpy(rig_chunk(&rig, 1)->fingerprint, rig_chunk(&rig, 0)->fingerprint,
	       FINGERPRINT_BYTES);
	plan_open(100000);
	chunk = candidate_of(0);
	chunk.category = CATEGORY_TREE;
	ASSERT_EQ(plan_consider(&plan, &chunk), 0);
	file = file_of(1);
	set_room(all - 1);
	ASSERT_EQ(plan_consider_pin(&plan, &file), 0);
	ASSERT_EQ(chunks_in(1), 0);
	ASSERT_TRUE(!select_bits_has(&plan.set.pinned, 1));
	set_room(all);
	ASSERT_EQ(plan_consider_pin(&plan, &file), 0);
	ASSERT_EQ(chunks_in(1), 2);
	ASSERT_TRUE(select_bits_has(&plan.set.pinned, 1));
	/* what its header says may be more than was thought: no more is used */
	ASSERT_TRUE(plan.tokens.budget.used <= all);
	ASSERT_TRUE(plan.tokens.budget.used + 3 >= all);
	/* its content is in the plan, for others */
	chunk = candidate_of(2);
	ASSERT_TRUE(plan_has(&plan, &chunk));
}

/* Chunks without content are no part of it, and cost nothing. */
static void
test_select_tier_passes_over_what_is_empty(void **state)
{
	struct rank_candidate file;

	add_equal("a.c", 3, 100, 0);
	rig_chunk(&rig, 1)->tokens = 0;
	rig_facts(&rig, 0)->tokens = 200;
	plan_open(100000);
	file = file_of(0);
	ASSERT_EQ(plan_consider_file(&plan, &file), 0);
	ASSERT_EQ(chunks_in(0), 2);
	plan_close();
	plan_open(100000);
	ASSERT_EQ(plan_consider_pin(&plan, &file), 0);
	ASSERT_EQ(chunks_in(0), 2);
	ASSERT_TRUE(!select_bits_has(&plan.set.chunks, 1));
}

/* Signatures of what is there in full go, and what they cost comes back. */
static void
test_select_tier_drops_signatures_of_what_is_there(void **state)
{
	add_equal("a.c", 2, 100, 20);
	add_equal("b.c", 2, 100, 20);
	plan_open(100000);
	for (uint32_t f = 0; f < 2; f++) {
		struct rank_candidate it = signatures_of(f);

		it.category = CATEGORY_TREE;
		ASSERT_EQ(plan_consider(&plan, &it), 0);
	}
	for (uint64_t c = 0; c < 3; c++) {
		struct rank_candidate it = candidate_of(c);

		it.category = CATEGORY_TREE;
		ASSERT_EQ(plan_drop_needless(&plan), 0);
		ASSERT_EQ(plan_consider(&plan, &it), 0);
		if (c == 1) {
			uint64_t before = plan.tokens.budget.used;

			ASSERT_EQ(plan_drop_needless(&plan), 1);
			/* the section stays, and chunks have been cheaper */
			ASSERT_EQ(plan.tokens.budget.used, before);
		}
	}
	ASSERT_TRUE(!select_bits_has(&plan.set.signs, 0));
	ASSERT_TRUE(select_bits_has(&plan.set.signs, 1));
	ASSERT_EQ(plan.set.nr, 4);
	/* where all is to come by signatures, they stay */
	ASSERT_EQ(select_bits_set(&plan.set.chunks, 3), 0);
	rig.run.job.compress = true;
	ASSERT_EQ(plan_drop_needless(&plan), 0);
	rig.run.job.compress = false;
	ASSERT_EQ(plan_drop_needless(&plan), 1);
}

/* ---- candidates --------------------------------------------------------- */

static void
offer(enum round round, uint32_t file_idx)
{
	plan.stream.round = round;
	plan.stream.window.nr = 0;
	plan.stream.more_left = false;
	select_scores_file(&plan.scores, file_idx);
	plan_add_tiers(&plan, file_idx);
	rank_candidates_sort(&plan.stream.window);
}

/* Files are offered as a whole, by what they take at least. */
static void
test_select_tier_offers_files_as_a_whole(void **state)
{
	static const struct {
		uint32_t chunk_tokens;
		uint32_t outline;
		uint64_t room;
		bool want;
	} cases[] = {
		{ 100, 20, 20, true },   { 100, 20, 19, false },
		{ 100, 0, 200, true },   { 100, 0, 199, false },
		{ 100, 200, 200, true }, { 100, 200, 199, false },
		{ 100, 300, 200, true }, { 100, 199, 199, true },
		{ 4001, 20, 20, true },  { 4001, 0, 8002, false },
		{ 4000, 0, 8000, true }, { 4001, 8002, 8002, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct rank_candidate *it;

		if (i > 0) {
			teardown_plan(NULL);
			setup_plan(NULL);
		}
		add_equal("index.js", 2, cases[i].chunk_tokens, cases[i].outline);
		plan_open(cases[i].room);
		plan_score();
		offer(ROUND_FILES, 0);
		if (plan.stream.window.nr != cases[i].want)
			fail_msg("case %zu: got %zu", i, plan.stream.window.nr);
		ASSERT_EQ(plan.stream.more_left, !cases[i].want);
		if (!cases[i].want)
			continue;
		it = &plan.stream.window.heap[0];
		ASSERT_EQ(it->unit, RANK_FILE);
		ASSERT_EQ(it->category, CATEGORY_TREE);
		ASSERT_EQ(it->chunk_idx, 0);
		/* 30 points of an entry; new; of the tree */
		ASSERT_EQ(it->score, 150000 + 300000 + 80000);
		/* a pin is offered whatever it takes, a token is enough */
		set_room(1);
		offer(ROUND_PINS, 0);
		ASSERT_EQ(plan.stream.window.nr, 1);
		ASSERT_EQ(plan.stream.window.heap[0].tokens, 1);
		set_room(0);
		offer(ROUND_PINS, 0);
		ASSERT_EQ(plan.stream.window.nr, 0);
	}
}

/* Large files of few points wait for the last round, and come in part. */
static void
test_select_tier_leaves_large_files_for_the_end(void **state)
{
	add_equal("a.c", 2, 4001, 20);
	add_equal("b.c", 2, 4001, 20);
	add_equal("c.c", 2, 4000, 20);
	plan_open(100000);
	catalogue_traits(&rig.run.catalogue, 1)->importers = 10;
	plan_score();
	offer(ROUND_FILES, 0);
	ASSERT_EQ(plan.stream.window.nr, 0);
	ASSERT_TRUE(plan.rest_left);
	plan.rest_left = false;
	offer(ROUND_REST, 0);
	ASSERT_EQ(plan.stream.window.nr, 2);
	ASSERT_EQ(plan.stream.window.heap[0].unit, RANK_CHUNK);
	/* of 30 points it is one of the others, as is one that is not large */
	for (uint32_t f = 1; f < 3; f++) {
		offer(ROUND_REST, f);
		ASSERT_EQ(plan.stream.window.nr, 0);
		offer(ROUND_FILES, f);
		ASSERT_EQ(plan.stream.window.nr, 1);
		ASSERT_EQ(plan.stream.window.heap[0].unit, RANK_FILE);
		offer(ROUND_SECTIONS, f);
		ASSERT_EQ(plan.stream.window.nr, 2);
		ASSERT_EQ(plan.stream.window.heap[0].unit, RANK_CHUNK);
	}
	ASSERT_TRUE(!plan.rest_left);
	plan_close();
	/* what is asked for is not left */
	request_lines("a.c", 1, 1, CATEGORY_OPEN);
	plan_open(100000);
	plan_score();
	offer(ROUND_FILES, 0);
	ASSERT_EQ(plan.stream.window.nr, 2);
	ASSERT_EQ(plan.stream.window.heap[0].category, CATEGORY_OPEN);
	ASSERT_EQ(plan.stream.window.heap[1].category, CATEGORY_TREE);
	ASSERT_TRUE(!plan.rest_left);
}

/* Chunks of ten lines each, in the order of section.h. */
static void
test_select_tier_orders_chunks_by_what_begins_in_them(void **state)
{
	static const struct name_entry names[] = {
		{ .line = 1, .type = NAME_IMPORT },
		{ .line = 11, .type = NAME_DEF },
		{ .line = 12, .type = NAME_MARKER },
		{ .line = 20, .type = NAME_DEF, .flags = NAME_EXPORTED },
		{ .line = 31, .type = NAME_DEF },
		{ .line = 41, .type = NAME_MARKER },
		{ .line = 50, .type = NAME_DEF },
		{ .line = 50, .type = NAME_MARKER },
		{ .line = 71, .type = NAME_DEF },
		{ .line = 81, .type = NAME_DEF },
	};
	static const uint8_t want[] = {
		[0] = RANK_ORDER_REST,     [1] = RANK_ORDER_EXPORTED,
		[2] = RANK_ORDER_EXPORTED, [3] = RANK_ORDER_COMPLEX + 250 - 99,
		[4] = RANK_ORDER_MARKED,   [5] = RANK_ORDER_PLAIN - 3,
		[6] = RANK_ORDER_REST,     [7] = RANK_ORDER_PLAIN,
		[8] = RANK_ORDER_PLAIN,
	};

	add_equal("a.c", ARRAY_LEN(want), 10, 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		add_name(0, names[i], "name");
	/* branches are those of large files */
	catalogue_file(&rig.run.catalogue, 0)->size_bytes = BRANCHES_BYTES;
	rig_chunk(&rig, 3)->branches = 99;
	rig_chunk(&rig, 5)->branches = 3;
	rig_chunk(&rig, 8)->line_nr = 0; /* it stands on a line, too */
	plan_open(100000);
	plan_score();
	offer(ROUND_SECTIONS, 0);
	ASSERT_EQ(plan.stream.window.nr, ARRAY_LEN(want));
	for (size_t i = 0; i < plan.stream.window.nr; i++) {
		const struct rank_candidate *it = &plan.stream.window.heap[i];

		if (it->order != want[it->chunk_idx])
			fail_msg("chunk %llu: got %u, want %u",
				 (unsigned long long)it->chunk_idx, it->order,
				 want[it->chunk_idx]);
	}
	/* without what is empty, in the plan, or too large */
	rig_chunk(&rig, 0)->tokens = 0;
	rig_chunk(&rig, 7)->tokens = 100001;
	ASSERT_EQ(select_bits_set(&plan.set.chunks, 3), 0);
	offer(ROUND_SECTIONS, 0);
	ASSERT_EQ(plan.stream.window.nr, ARRAY_LEN(want) - 3);
	for (size_t i = 0; i < plan.stream.window.nr; i++)
		ASSERT_TRUE(plan.stream.window.heap[i].chunk_idx % 7 != 0 &&
			    plan.stream.window.heap[i].chunk_idx != 3);
	rig.run.job.sources_only = true;
	offer(ROUND_SECTIONS, 0);
	ASSERT_EQ(plan.stream.window.nr, 0);
}

/* The only chunk of a file that is there by its signatures had no room. */
static void
test_select_tier_offers_no_part_of_a_single_chunk(void **state)
{
	add_equal("a.c", 1, 100, 20);
	add_equal("b.c", 2, 100, 20);
	plan_open(100000);
	plan_score();
	offer(ROUND_SECTIONS, 0);
	ASSERT_EQ(plan.stream.window.nr, 1);
	ASSERT_TRUE(!plan.outlines_left);
	ASSERT_EQ(select_bits_set(&plan.set.signs, 0), 0);
	ASSERT_EQ(select_bits_set(&plan.set.signs, 1), 0);
	offer(ROUND_SECTIONS, 1);
	ASSERT_EQ(plan.stream.window.nr, 2);
	ASSERT_TRUE(!plan.outlines_left);
	offer(ROUND_SECTIONS, 0);
	ASSERT_EQ(plan.stream.window.nr, 0);
	ASSERT_TRUE(plan.outlines_left);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_tier_of_a_file_is_what_there_is_room_for),
		PLAN_CASE(test_select_tier_of_a_large_file_is_its_signatures),
		PLAN_CASE(test_select_tier_in_full_costs_only_what_is_new),
		PLAN_CASE(
			test_select_tier_of_a_file_that_has_as_many_tokens_as_there_are),
		PLAN_CASE(test_select_tier_of_a_pinned_file_is_all_of_it),
		PLAN_CASE(test_select_tier_passes_over_what_is_empty),
		PLAN_CASE(test_select_tier_drops_signatures_of_what_is_there),
		PLAN_CASE(test_select_tier_offers_files_as_a_whole),
		PLAN_CASE(test_select_tier_leaves_large_files_for_the_end),
		PLAN_CASE(
			test_select_tier_orders_chunks_by_what_begins_in_them),
		PLAN_CASE(test_select_tier_offers_no_part_of_a_single_chunk),
	};

	return cmocka_run_group_tests_name("select/tier", tests, NULL, NULL);
}
