/* SPDX-License-Identifier: MIT */
/*
 * test_select_steer.c - from the output of one plan to the next step.
 */
#include "tests/support/test_select_planner.h"

#include "stages/select/select_steer.h"

static struct select_state steer;

static void
begin(uint64_t budget)
{
	rig.run.job.budget_tokens = budget;
	add_file("a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(10, 2);
	planner_open();
	steer = (struct select_state){ 0 };
	steer_begin(&steer, &rig.run.job);
}

/* The entries of the plan: these chunks. */
static void
planned(size_t nr)
{
	static const uint64_t chunks[] = { 0, 1 };

	rig_set_plan(&rig, chunks, nr);
	planner->plan_nr = nr;
}

/* What is a fiftieth and 64 tokens more than there is may fit as one text. */
static void
test_steer_tries_all_that_is_a_little_more(void **state)
{
	begin(10000);
	ASSERT_EQ(steer.fill.available, 10000);
	ASSERT_EQ(steer.fill.now.limit, 10000);
	ASSERT_EQ(steer_limit_of_all(&steer, &rig.run.job), 10000 + 200 + 64);
	steer.all_over = 1;
	ASSERT_EQ(steer_limit_of_all(&steer, &rig.run.job), 0);
	steer.all_over = 0;
	rig.run.job.plan_only = true;
	ASSERT_EQ(steer_limit_of_all(&steer, &rig.run.job), 0);
	rig.run.job.plan_only = false;
	steer.fill.available = 0;
	ASSERT_EQ(steer_limit_of_all(&steer, &rig.run.job), 0);
	/* of estimates a margin is taken off first */
	rig.run.job.margin_percent = 25;
	steer_begin(&steer, &rig.run.job);
	ASSERT_EQ(steer.fill.available, 8000);
}

/* A plan is asked for; an empty one, or one that is all that is wanted, ends. */
static void
test_steer_asks_for_what_is_planned(void **state)
{
	begin(10000);
	steer.made = (struct plan_result){ .planned = 9999 };
	steer_planned(&steer, &rig.run.job, 2);
	ASSERT_EQ(steer.to_plan, 0);
	ASSERT_EQ(steer.to_ask, 2);
	steer.made.is_empty = true;
	steer_planned(&steer, &rig.run.job, 3);
	ASSERT_EQ(steer.to_plan, 0);
	ASSERT_EQ(steer.to_ask, STEER_END);
	/* nothing fits, but a line of something may */
	steer.to_ask = 0;
	steer.made =
		(struct plan_result){ .is_empty = true, .more_left = true };
	steer_planned(&steer, &rig.run.job, 4);
	ASSERT_EQ(steer.to_plan, 4);
	ASSERT_EQ(steer.to_ask, 0);
	rig.run.job.plan_only = true;
	steer_planned(&steer, &rig.run.job, 5);
	ASSERT_EQ(steer.to_plan, 0);
	ASSERT_EQ(steer.to_ask, STEER_END);
}

static void
judge(uint64_t pass, uint64_t tokens)
{
	steer.awaiting = pass;
	steer.to_ask = 0;
	steer.to_plan = 0;
	steer_judge(&steer, planner, pass, tokens);
	ASSERT_EQ(steer.awaiting, 0);
}

static void
test_steer_ends_with_what_is_full_or_all(void **state)
{
	begin(10000);
	planned(2);
	steer.made = (struct plan_result){ .planned = 9000, .more_left = true };
	/* a two-hundredth unused */
	judge(2, 9950);
	ASSERT_EQ(steer.to_ask, STEER_END);
	ASSERT_EQ(steer.to_plan, 0);
	judge(2, 9949);
	ASSERT_EQ(steer.to_ask, 0);
	ASSERT_EQ(steer.to_plan, 2);
	steer_begin(&steer, &rig.run.job);
	steer.made.more_left = false;
	judge(3, 100);
	ASSERT_EQ(steer.to_ask, STEER_END);
	steer_begin(&steer, &rig.run.job);
	judge(3, 10001);
	ASSERT_EQ(steer.to_ask, 0);
	ASSERT_EQ(steer.to_plan, 3);
	ASSERT_TRUE(steer.fill.now.limit < 10000);
}

/* All that there is was over: it has to be ranked, by the same limit. */
static void
test_steer_ranks_what_was_over_as_a_whole(void **state)
{
	begin(10000);
	planned(2);
	steer.made = (struct plan_result){ .planned = 10100, .is_all = true };
	judge(2, 10001);
	ASSERT_EQ(steer.all_over, 1);
	ASSERT_EQ(steer.to_plan, 2);
	ASSERT_EQ(steer.fill.now.limit, 10000);
	ASSERT_EQ(steer.fill.outputs, 0);
	steer.all_over = 0;
	judge(2, 10000);
	ASSERT_EQ(steer.all_over, 0);
	ASSERT_EQ(steer.to_ask, STEER_END);
}

/* A file of the plan has changed: all is planned again, so many times. */
static void
test_steer_plans_again_what_has_changed(void **state)
{
	struct select_state last;

	begin(10000);
	planned(2);
	rig_facts(&rig, 1)->reason = REASON_CHANGED;
	steer.fill.now.edges = RANK_EDGES_CUT;
	steer.fill.now.limit = 9000;
	for (uint32_t i = 0; i < 32; i++) {
		judge(2 + i, 10000);
		ASSERT_EQ(steer.stale_passes, i + 1);
		ASSERT_EQ(steer.to_ask, 0);
		ASSERT_EQ(steer.to_plan, 2 + i);
		ASSERT_EQ(steer.fill.now.edges, RANK_EDGES_NONE);
		ASSERT_EQ(steer.fill.now.limit, 9000);
	}
	/* what fits stays from then on */
	last = steer;
	judge(34, 10000);
	ASSERT_EQ(steer.to_ask, STEER_END);
	ASSERT_EQ(steer.stale_passes, 32);
	steer = last;
	/* over the budget it cannot stay, nor what is not there */
	judge(34, 10001);
	ASSERT_EQ(steer.to_ask, 0);
	ASSERT_EQ(steer.stale_passes, 33);
	judge(35, 10000);
	ASSERT_EQ(steer.to_ask, STEER_END);
	ASSERT_EQ(steer.to_plan, 0);
	/* another file than those of the plan may change */
	steer = (struct select_state){ 0 };
	steer_begin(&steer, &rig.run.job);
	planned(1);
	rig_facts(&rig, 1)->reason = REASON_CHANGED;
	judge(2, 10000);
	ASSERT_EQ(steer.stale_passes, 0);
	ASSERT_EQ(steer.to_ask, STEER_END);
}

/* What is learnt of the files before is forgotten with them. */
static void
test_steer_forgets_the_ranks_of_what_has_changed(void **state)
{
	begin(10000);
	planned(2);
	ASSERT_EQ(plan_make_scores(planner), 0);
	planner->kept->knows_duplicates = true;
	planner->kept->windows[KEPT_BREADTH].is_kept = true;
	rig_facts(&rig, 0)->reason = REASON_CHANGED;
	judge(2, 5000);
	ASSERT_TRUE(!planner->kept->has_scores);
	ASSERT_TRUE(!planner->kept->knows_duplicates);
	ASSERT_TRUE(!planner->kept->windows[KEPT_BREADTH].is_kept);
}

/* A shard has looked at its files, and nobody plans with a part of them. */
static void
test_steer_ends_a_shard_without_a_plan(void **state)
{
	begin(10000);
	steer = (struct select_state){ 0 };
	ASSERT_TRUE(steer_begin(&steer, &rig.run.job));
	ASSERT_EQ(steer.to_ask, 0);
	rig.run.job.shard = (struct shard){ 2, 3 };
	ASSERT_TRUE(!steer_begin(&steer, &rig.run.job));
	ASSERT_EQ(steer.to_ask, STEER_END);
	ASSERT_EQ(steer.to_plan, 0);
	rig.run.job.shard = (struct shard){ 0 };
}

/* Where everything is packed there is nothing to be decided. */
static void
test_steer_takes_everything_as_it_is(void **state)
{
	begin(BUDGET_ALL);
	ASSERT_TRUE(rig.run.job.takes_all);
	planned(2);
	rig_facts(&rig, 0)->reason = REASON_CHANGED;
	judge(1, 123456);
	ASSERT_EQ(steer.to_ask, STEER_END);
	ASSERT_EQ(steer.to_plan, 0);
	ASSERT_EQ(steer.stale_passes, 0);
}

/* Estimates are counted before an output is made or a plan is the end; not for
 * ever, and not where costs of lines are known. */
static void
test_steer_has_estimates_counted_first(void **state)
{
	begin(10000);
	steer.made = (struct plan_result){ .planned = 9999,
					   .has_estimates = true };
	for (uint64_t pass = 2; pass < 2 + 16; pass++) {
		rig.run.job.plan_only = pass % 2 == 0;
		steer.to_ask = 0;
		steer_planned(&steer, &rig.run.job, pass);
		ASSERT_EQ(steer.only_counts, 1);
		ASSERT_EQ(steer.to_ask, pass);
		ASSERT_EQ(steer.to_plan, 0);
		planned(2);
		steer.awaiting = pass;
		steer.to_ask = 0;
		steer_counted(&steer, planner, pass);
		ASSERT_EQ(steer.only_counts, 0);
		ASSERT_EQ(steer.awaiting, 0);
		ASSERT_EQ(steer.to_ask, 0);
		ASSERT_EQ(steer.to_plan, pass);
		ASSERT_EQ(steer.fill.outputs, 0);
	}
	rig.run.job.plan_only = false;
	steer_planned(&steer, &rig.run.job, 18);
	ASSERT_EQ(steer.only_counts, 0);
	ASSERT_EQ(steer.to_ask, 18);
	steer.counted_nr = 0;
	steer.fill.now.edges = RANK_EDGES_CUT;
	steer.made.fills = true;
	steer.to_ask = 0;
	steer_planned(&steer, &rig.run.job, 19);
	ASSERT_EQ(steer.only_counts, 0);
	ASSERT_EQ(steer.to_ask, 19);
}

/* Where all of a file has been counted its sum is that of the counts; a plan says
 * whether something in it is estimated. */
static void
test_steer_plans_go_by_what_was_counted(void **state)
{
	const struct plan_target aim = { .limit = 3000, .available = 3000 };
	struct plan_result made;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(1000, 1);
	add_chunk(900, 2);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(2000, 3);
	rig_facts(&rig, 0)->tokens = 1900;
	rig_facts(&rig, 1)->tokens = 2000;
	rig_chunk(&rig, 0)->is_estimated = 1;
	rig_chunk(&rig, 1)->is_estimated = 1;
	rig_chunk(&rig, 2)->is_estimated = 1;
	planner_open();
	ASSERT_EQ(select_make_plan(planner, &aim, 0, &made), 0);
	ASSERT_TRUE(made.has_estimates);
	ASSERT_TRUE(planner->plan_nr > 0);
	/* dedup counts one, then the other */
	rig_set_plan(&rig, (const uint64_t[]){ 0, 1 }, 2);
	planner->plan_nr = 2;
	rig_chunk(&rig, 0)->tokens = 1100;
	rig_chunk(&rig, 0)->is_estimated = 0;
	select_plan_counted(planner);
	ASSERT_EQ(rig_facts(&rig, 0)->tokens, 1900);
	rig_chunk(&rig, 1)->tokens = 800;
	rig_chunk(&rig, 1)->is_estimated = 0;
	select_plan_counted(planner);
	ASSERT_EQ(rig_facts(&rig, 0)->tokens, 1900);
	rig_chunk(&rig, 1)->tokens = 950;
	select_plan_counted(planner);
	ASSERT_EQ(rig_facts(&rig, 0)->tokens, 2050);
	ASSERT_EQ(rig_facts(&rig, 1)->tokens, 2000);
	rig_chunk(&rig, 2)->is_estimated = 0;
	ASSERT_EQ(select_make_plan(planner, &aim, 0, &made), 0);
	ASSERT_TRUE(!made.has_estimates);
}

/* A pass that only counts goes through what is estimated, and no more. */
static void
test_steer_counts_what_is_estimated(void **state)
{
	const struct plan_target aim = { .limit = 9000, .available = 9000 };
	struct plan_result made;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(1000, 1);
	add_chunk(900, 2);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(2000, 3);
	add_file("c.c", 0, REASON_NONE);
	add_chunk(500, 4);
	add_chunk(600, 5);
	for (uint32_t i = 0; i < 3; i++)
		rig_facts(&rig, i)->tokens = 1900;
	rig_chunk(&rig, 1)->is_estimated = 1;
	rig_chunk(&rig, 3)->is_estimated = 1;
	rig_chunk(&rig, 4)->is_estimated = 1;
	planner_open();
	ASSERT_EQ(select_make_plan(planner, &aim, 0, &made), 0);
	ASSERT_TRUE(made.has_estimates);
	ASSERT_EQ(planner->plan_nr, 5);
	select_plan_keep_estimated(planner);
	ASSERT_EQ(planner->plan_nr, 3);
	ASSERT_EQ(catalogue_plan(planner->catalogue, 0)->chunk_idx, 1);
	ASSERT_EQ(catalogue_plan(planner->catalogue, 1)->chunk_idx, 3);
	ASSERT_EQ(catalogue_plan(planner->catalogue, 2)->chunk_idx, 4);
	/* two sections: of the first file, and of the last */
	ASSERT_EQ(planner->section_nr, 2);
	ASSERT_EQ(catalogue_plan(planner->catalogue, 0)->turn, 0);
	ASSERT_EQ(catalogue_plan(planner->catalogue, 1)->turn, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_steer_tries_all_that_is_a_little_more),
		PLAN_CASE(test_steer_asks_for_what_is_planned),
		PLAN_CASE(test_steer_ends_with_what_is_full_or_all),
		PLAN_CASE(test_steer_ranks_what_was_over_as_a_whole),
		PLAN_CASE(test_steer_plans_again_what_has_changed),
		PLAN_CASE(test_steer_forgets_the_ranks_of_what_has_changed),
		PLAN_CASE(test_steer_ends_a_shard_without_a_plan),
		PLAN_CASE(test_steer_takes_everything_as_it_is),
		PLAN_CASE(test_steer_has_estimates_counted_first),
		PLAN_CASE(test_steer_plans_go_by_what_was_counted),
		PLAN_CASE(test_steer_counts_what_is_estimated),
	};

	return cmocka_run_group_tests_name("select/steer", tests, NULL, NULL);
}
