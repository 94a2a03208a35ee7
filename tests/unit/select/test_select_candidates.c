/* SPDX-License-Identifier: MIT */
/*
 * test_select_candidates.c - the candidates of a round, window after window,
 * against a sort of all of them.
 */
#include "tests/support/test_select_planner.h"

#include "catalogue/terms.h"

/* Two windows and a half, in files of equal ranks and of others, of `least`
 * tokens and up to 8 more. */
static void
many_chunks(uint32_t least)
{
	for (uint32_t f = 0; f < 50; f++) {
		char path[20];

		snprintf(path, sizeof(path), "f%02u.c", f);
		add_file(path, f * 7 % 11 * MONTH, REASON_NONE);
		for (uint32_t c = 0; c < RANK_CANDIDATES / 20; c++)
			add_chunk(least + c % 9, chunk_nr);
	}
}

/* Each window, and how many are behind it. */
static void
assert_windows(void)
{
	static struct rank_candidate want[CHUNKS_MAX];
	size_t nr = sort_candidates(want);
	size_t at = 0;

	while (at < nr) {
		const struct rank_candidates *window = &plan.stream.window;
		size_t want_nr = min_u64(nr - at, RANK_CANDIDATES);

		ASSERT_EQ(plan_fill_window(&plan), 0);
		ASSERT_EQ(window->nr, want_nr);
		ASSERT_EQ(window->passed_over, nr - at - want_nr);
		for (size_t i = 0; i < want_nr; i++) {
			const struct rank_candidate *it = &window->heap[i];

			if (it->chunk_idx != want[at + i].chunk_idx)
				fail_msg("candidate %zu: got %llu, want %llu",
					 at + i,
					 (unsigned long long)it->chunk_idx,
					 (unsigned long long)want[at + i]
						 .chunk_idx);
		}
		ASSERT_EQ(window->heap[0].tokens,
			  catalogue_chunk(&rig.run.catalogue,
					  window->heap[0].chunk_idx)
				  ->tokens);
		/* one scan is enough if one window is */
		ASSERT_EQ(plan.stream.is_sorting, at > 0);
		at += want_nr;
	}
	plan_end_windows(&plan);
	ASSERT_TRUE(!plan.stream.is_sorting);
}

/* The first window by a scan, the others sorted: it is one order. */
static void
test_select_candidates_come_window_after_window(void **state)
{
	many_chunks(1);
	plan_open(1000000);
	plan_score();
	assert_windows();
	plan_close();
	/* as a round begins, so does the next one */
	plan_open(1000000);
	plan_score();
	assert_windows();
	plan_begin_windows(&plan, ROUND_ALL);
	assert_windows();
}

/* What the first window leaves, the edge fills: the others are not looked at. */
static void
test_select_candidates_of_one_window_are_enough(void **state)
{
	many_chunks(300);
	plan_open(20000);
	plan_score();
	ASSERT_EQ(plan_fill_round(&plan, ROUND_ALL), 0);
	ASSERT_TRUE(plan_unused(&plan) > 20);
	ASSERT_TRUE(plan_unused(&plan) < 400);
	ASSERT_TRUE(plan.stream.more_left);
	ASSERT_TRUE(plan.kept->windows[KEPT_ANY].is_kept);
}

static const struct rank_candidate *
first_of_window(void)
{
	return &plan.stream.window.heap[0];
}

static void
fill(enum round round)
{
	plan_begin_windows(&plan, round);
	plan.stream.more_left = false;
	memset(plan.stream.wants, 0, sizeof(plan.stream.wants));
	ASSERT_EQ(plan_fill_window(&plan), 0);
	plan_end_windows(&plan);
}

/* Whether a window is kept, of any round but those of an overview. */
static bool
is_kept(void)
{
	return plan.kept->windows[KEPT_ANY].is_kept;
}

/* The first window does not depend on what there is room for. */
static void
test_select_candidates_of_the_plan_before_are_kept(void **state)
{
	add_file("a.c", 0, REASON_NONE);
	add_chunk(50, 1);
	add_chunk(60, 2);
	plan_open(1000);
	plan_score();
	fill(ROUND_ALL);
	ASSERT_TRUE(is_kept());
	ASSERT_TRUE(!plan.stream.is_kept);
	ASSERT_EQ(plan.kept->windows[KEPT_ANY].nr, 2);
	/* by what only a scan would notice */
	rig_facts(&rig, 0)->reason = REASON_CHANGED;
	fill(ROUND_ALL);
	ASSERT_EQ(plan.stream.window.nr, 2);
	ASSERT_TRUE(plan.stream.is_kept);
	rank_budget_take(&plan.tokens.budget, CATEGORY_TREE, 1000);
	fill(ROUND_ALL);
	ASSERT_EQ(plan.stream.window.nr, 2);
	/* nor on which of them are taken */
	rig_facts(&rig, 0)->reason = REASON_NONE;
	plan_forget_windows(plan.kept);
	ASSERT_EQ(select_bits_set(&plan.set.chunks, 0), 0);
	fill(ROUND_ALL);
	ASSERT_EQ(plan.stream.window.nr, 2);
	ASSERT_TRUE(!plan.stream.is_kept);
	/* nor is another round's, or an edge's, the one of all */
	fill(ROUND_TREE);
	ASSERT_EQ(plan.stream.window.nr, 0);
	ASSERT_TRUE(plan.stream.more_left);
	ASSERT_TRUE(!is_kept());
	plan.stream.is_edge = true;
	fill(ROUND_ALL);
	ASSERT_EQ(plan.stream.window.nr, 1);
	ASSERT_EQ(first_of_window()->chunk_idx, 1);
	ASSERT_TRUE(!is_kept());
}

/* What sources ask for may be anywhere: its window is not kept. */
static void
test_select_candidates_with_sources_are_not_kept(void **state)
{
	add_file("a.c", 0, REASON_NONE);
	add_chunk(50, 1);
	request_lines("a.c", 1, 1, CATEGORY_OPEN);
	plan_open(1000);
	plan_score();
	fill(ROUND_ALL);
	ASSERT_EQ(plan.stream.window.nr, 1);
	ASSERT_TRUE(!is_kept());
}

/* Which of a.c (asked for), b.c, and c.c (empty) a round is of. */
static void
test_select_candidates_are_of_their_round(void **state)
{
	static const struct {
		enum round round;
		bool only;
		uint32_t tree_share;
		size_t nr;
		uint64_t first;
	} cases[] = {
		{ ROUND_ALL, false, 0, 3, 1 },
		{ ROUND_ALL, true, 0, 1, 1 },
		{ ROUND_TREE, false, 0, 2, 0 },
		{ ROUND_TREE, true, 0, 0, 0 },
		{ ROUND_SHARES, false, 0, 1, 1 },
		{ ROUND_SHARES, false, 5000, 3, 1 },
		{ ROUND_SHARES, true, 5000, 1, 1 },
	};

	add_file("a.c", 0, REASON_NONE);
	add_chunk(50, 1);
	add_chunk(50, 2);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(50, 3);
	add_chunk(0, 4);
	add_file("c.c", 0, REASON_BINARY);
	add_chunk(50, 5);
	request_lines("a.c", 11, 11, CATEGORY_OPEN);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint32_t shares[CATEGORY_NR] = {
			[CATEGORY_OPEN] = SHARE_ALL - cases[i].tree_share,
			[CATEGORY_TREE] = cases[i].tree_share,
		};

		rig.run.job.sources_only = cases[i].only;
		plan_open(1000);
		plan_score();
		if (cases[i].round == ROUND_SHARES)
			rank_budget_init(&plan.tokens.budget, 1000, shares);
		fill(cases[i].round);
		if (plan.stream.window.nr != cases[i].nr)
			fail_msg("case %zu: got %zu", i, plan.stream.window.nr);
		if (cases[i].nr > 0)
			ASSERT_EQ(first_of_window()->chunk_idx, cases[i].first);
		ASSERT_TRUE(!plan.stream.more_left);
		plan_close();
	}
}

/* With signatures a file is one candidate, as good as its best chunk. */
static void
test_select_candidates_by_signatures_are_files(void **state)
{
	add_file("a.c", 0, REASON_NONE);
	add_chunk(50, 1);
	add_chunk(2000, 2);
	rig_facts(&rig, 0)->outline_tokens = 30;
	add_file("b.c", 0, REASON_NONE);
	add_chunk(50, 3);
	rig_facts(&rig, 1)->outline_tokens = 40;
	add_file("c.c", 0, REASON_NONE);
	add_chunk(50, 4);
	add_file("d.c", 0, REASON_NONE);
	add_chunk(50, 5);
	add_chunk(50, 6);
	rig_facts(&rig, 3)->outline_tokens = 35;
	request_lines("a.c", 11, 11, CATEGORY_OPEN);
	request_lines("d.c", 1, 1, CATEGORY_OPEN);
	rig.run.job.compress = true;
	plan_open(1000);
	plan_score();
	fill(ROUND_ALL);
	ASSERT_EQ(plan.stream.window.nr, 3);
	ASSERT_EQ(first_of_window()->unit, RANK_SIGNATURES);
	ASSERT_EQ(first_of_window()->tokens, 30);
	ASSERT_EQ(first_of_window()->category, CATEGORY_OPEN);
	ASSERT_EQ(first_of_window()->score, 960000);
	/* whichever of its chunks that is */
	ASSERT_EQ(plan.stream.window.heap[1].file_idx, 3);
	ASSERT_EQ(plan.stream.window.heap[1].score, 960000);
	ASSERT_EQ(plan.stream.window.heap[1].category, CATEGORY_OPEN);
	ASSERT_EQ(plan.stream.window.heap[2].chunk_idx, 2);
	ASSERT_EQ(plan.stream.window.heap[2].category, CATEGORY_TREE);
	/* of an edge: those that are not in the plan, by their bit */
	ASSERT_EQ(select_bits_set(&plan.set.signs, 0), 0);
	plan.stream.is_edge = true;
	ASSERT_TRUE(plan_drops(&plan, &plan.stream.window.heap[0]));
	ASSERT_TRUE(!plan_drops(&plan, &plan.stream.window.heap[1]));
}

/* Pinned files come first and as a whole, then no more. */
static void
test_select_candidates_that_are_pinned_are_a_round_of_their_own(void **state)
{
	static const char *const pins[] = { "b.c" };

	for (uint32_t f = 0; f < 3; f++) {
		char path[] = "a.c";

		path[0] = (char)('a' + f);
		add_file(path, 0, REASON_NONE);
		add_chunk(50, f);
	}
	rig.run.job.pins = pins;
	rig.run.job.pin_nr = 1;
	plan_open(1000);
	catalogue_traits(&rig.run.catalogue, 1)->is_pinned = 1;
	plan_score();
	fill(ROUND_PINS);
	ASSERT_EQ(plan.stream.window.nr, 1);
	ASSERT_EQ(first_of_window()->file_idx, 1);
	ASSERT_EQ(first_of_window()->unit, RANK_FILE);
	/* one that had no room is a candidate as others are */
	fill(ROUND_ALL);
	ASSERT_EQ(plan.stream.window.nr, 3);
	ASSERT_TRUE(!is_kept());
	ASSERT_EQ(select_bits_set(&plan.set.pinned, 1), 0);
	fill(ROUND_ALL);
	ASSERT_EQ(plan.stream.window.nr, 2);
	ASSERT_EQ(plan.stream.window.heap[1].file_idx, 2);
}

/* What has no room: left, if its content is new; and its category wants it. */
static void
test_select_candidates_without_room_are_left(void **state)
{
	const uint32_t shares[CATEGORY_NR] = { [CATEGORY_OPEN] = SHARE_ALL };
	struct rank_candidate it;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(50, 1);
	add_chunk(50, 1);
	plan_open(49);
	it = candidate_of(0);
	it.category = CATEGORY_TREE;
	/* the first window of all is of all */
	ASSERT_TRUE(!plan_drops(&plan, &it));
	plan.stream.round = ROUND_TREE;
	ASSERT_TRUE(plan_drops(&plan, &it));
	ASSERT_TRUE(plan.stream.more_left);
	ASSERT_TRUE(plan.stream.wants[CATEGORY_TREE]);
	ASSERT_TRUE(!plan.stream.wants[CATEGORY_OPEN]);
	plan_close();
	plan_open(50);
	plan.stream.round = ROUND_TREE;
	ASSERT_TRUE(!plan_drops(&plan, &it));
	ASSERT_TRUE(!plan.stream.more_left);
	/* in their share's round they are, to be known there */
	plan.stream.round = ROUND_SHARES;
	it.tokens = 51;
	ASSERT_TRUE(!plan_drops(&plan, &it));
	it.tokens = 50;
	rank_budget_init(&plan.tokens.budget, 50, shares);
	plan_offer(&plan, &it);
	ASSERT_EQ(plan.stream.window.nr, 0);
	ASSERT_TRUE(plan.stream.wants[CATEGORY_TREE]);
	it.category = CATEGORY_OPEN;
	plan_offer(&plan, &it);
	ASSERT_EQ(plan.stream.window.nr, 1);
	/* for an edge there is always room */
	plan.stream.is_edge = true;
	it.category = CATEGORY_TREE;
	it.tokens = 5000;
	plan_offer(&plan, &it);
	ASSERT_EQ(plan.stream.window.nr, 2);
	plan_close();
	/* content that is there is not left out; a file as a whole may be */
	plan_open(0);
	it = candidate_of(0);
	it.category = CATEGORY_TREE;
	ASSERT_EQ(plan_know(&plan, &it), 1);
	it.chunk_idx = 1;
	plan_leave(&plan, &it);
	ASSERT_TRUE(!plan.stream.more_left);
	it.unit = RANK_FILE;
	plan_leave(&plan, &it);
	ASSERT_TRUE(plan.stream.more_left);
}

/* What was sorted and had no look of its share wants more of it. */
static void
test_select_candidates_at_the_end_of_a_round_want_their_share(void **state)
{
	const uint32_t shares[CATEGORY_NR] = { [CATEGORY_OPEN] = SHARE_ALL };
	struct rank_candidate it;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(50, 1);
	plan_open(100);
	for (int round = 0; round < 2; round++) {
		rank_budget_init(&plan.tokens.budget, 49 + (uint64_t)round,
				 shares);
		plan.stream.round = ROUND_SHARES;
		plan.stream.wants[CATEGORY_OPEN] = false;
		it = candidate_of(0);
		it.category = CATEGORY_OPEN;
		ASSERT_EQ(select_runs_add(&plan.stream.runs, &it), 0);
		ASSERT_EQ(select_runs_sort(&plan.stream.runs), 0);
		plan_end_windows(&plan);
		ASSERT_EQ(plan.stream.wants[CATEGORY_OPEN], round == 0);
		ASSERT_EQ(plan.stream.runs.nr, 0);
	}
}

/* Of each file that was looked at, against all of its chunks. */
static void
test_select_candidates_tell_the_best_of_their_file(void **state)
{
	static struct query query;
	const struct catalogue *catalogue = &rig.run.catalogue;

	query_init(&query, (const uint8_t *)"apple", 5);
	rig.run.job.query = &query;
	for (uint32_t f = 0; f < 5; f++) {
		char path[20];

		snprintf(path, sizeof(path), "f%u.c", f);
		add_file(path, f * MONTH,
			 f == 3 ? REASON_CHANGED : REASON_NONE);
		for (uint32_t c = 0; c < 4; c++)
			add_chunk(10, chunk_nr);
	}
	ASSERT_EQ(table_reserve(&catalogue->terms,
				4 * sizeof(struct term_record)),
		  0);
	*catalogue_term(catalogue, 0) = term_record(2, 0, 3);
	*catalogue_term(catalogue, 1) = term_record(4, 0, 1);
	*catalogue_term(catalogue, 2) = term_record(7, 0, 5);
	*catalogue_term(catalogue, 3) = term_record(CHUNK_NONE, 0, 0);
	plan_open(1000000);
	plan_score();
	ASSERT_EQ(plan_fill_window(&plan), 0);
	for (uint32_t f = 0; f < 5; f++) {
		const struct file_traits *traits =
			catalogue_traits(catalogue, f);
		uint32_t score = 0;
		uint32_t relevance = 0;

		select_scores_file(&plan.scores, f);
		for (uint32_t c = 0; c < 4; c++) {
			struct plan_factors factors;
			uint8_t category;
			uint32_t it = select_scores_chunk(&plan.scores, c,
							  &category, &factors);

			if (it <= score)
				continue;
			score = it;
			relevance = factors.relevance;
		}
		ASSERT_EQ(traits->best != 0, f != 3);
		if (traits->best == 0)
			continue;
		ASSERT_EQ(traits_best_score(traits), score);
		ASSERT_EQ(traits_best_relevance(traits), relevance);
	}
	ASSERT_TRUE(traits_best_relevance(catalogue_traits(catalogue, 0)) > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_candidates_come_window_after_window),
		PLAN_CASE(test_select_candidates_of_one_window_are_enough),
		PLAN_CASE(test_select_candidates_of_the_plan_before_are_kept),
		PLAN_CASE(test_select_candidates_with_sources_are_not_kept),
		PLAN_CASE(test_select_candidates_are_of_their_round),
		PLAN_CASE(test_select_candidates_by_signatures_are_files),
		PLAN_CASE(
			test_select_candidates_that_are_pinned_are_a_round_of_their_own),
		PLAN_CASE(test_select_candidates_without_room_are_left),
		PLAN_CASE(
			test_select_candidates_at_the_end_of_a_round_want_their_share),
		PLAN_CASE(test_select_candidates_tell_the_best_of_their_file),
	};

	return cmocka_run_group_tests_name("select/candidates", tests, NULL,
					   NULL);
}
