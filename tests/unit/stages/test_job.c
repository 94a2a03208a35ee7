/* SPDX-License-Identifier: MIT */
/*
 * test_job.c - what follows from the settings of a run.
 */
#include "tests/support/test_shm.h"

#include "stages/job.h"
#include "tokenizer/tokenizer.h"

static const struct query query;

/* A set of the resolved facts. */
enum {
	PACKS_ALL = 1 << 0,
	TAKES_ALL = 1 << 1,
	DROPS = 1 << 2,
	COUNTS = 1 << 3,
	HISTORY = 1 << 4,
	WRITES_GIT = 1 << 5,
	READS_GIT = 1 << 6,
	STRIPS = 1 << 7,
	HEADS = 1 << 8,
	OUTLINES = 1 << 9,
	TRANSFORMS = 1 << 10
};

static unsigned
facts_of(const struct job *job)
{
	return job->packs_all * PACKS_ALL | job->takes_all * TAKES_ALL |
	       job->drops_duplicates * DROPS | job->counts_terms * COUNTS |
	       job->reads_history * HISTORY | job->writes_git * WRITES_GIT |
	       job->reads_git * READS_GIT | job->strips * STRIPS |
	       job->keeps_signature_lines * HEADS | job->outlines * OUTLINES |
	       job->transforms * TRANSFORMS;
}

static void
test_job_resolve_says_what_follows(void **state)
{
	static const struct {
		struct job job;
		unsigned facts;
	} cases[] = {
		{ { .budget_tokens = BUDGET_ALL }, PACKS_ALL | TAKES_ALL },
		{ { .budget_tokens = BUDGET_ALL, .plan_only = true },
		  PACKS_ALL },
		{ { .budget_tokens = BUDGET_ALL,
		    .sources_only = true,
		    .sources = { .in_part = true } },
		  DROPS },
		{ { .budget_tokens = BUDGET_ALL,
		    .query = &query,
		    .history = true,
		    .tiers = true },
		  PACKS_ALL | TAKES_ALL },
		{ { .budget_tokens = 9 }, DROPS },
		{ { .budget_tokens = 9, .no_dedup = true }, 0 },
		{ { .budget_tokens = 9, .query = &query },
		  DROPS | COUNTS | HEADS },
		{ { .budget_tokens = 9, .query = &query, .tiers = true },
		  DROPS | COUNTS | OUTLINES },
		{ { .budget_tokens = 9, .history = true },
		  DROPS | HISTORY | READS_GIT },
		{ { .budget_tokens = 9, .history = true, .whole_files = true },
		  DROPS },
		{ { .budget_tokens = 9, .names_commit = true },
		  DROPS | READS_GIT },
		{ { .budget_tokens = BUDGET_ALL, .git_log_nr = 1 },
		  PACKS_ALL | TAKES_ALL | WRITES_GIT | READS_GIT },
		{ { .budget_tokens = 9, .git_diff = "" },
		  DROPS | WRITES_GIT | READS_GIT },
		{ { .budget_tokens = 9,
		    .strip_comments = true,
		    .query = &query },
		  DROPS | COUNTS | STRIPS | TRANSFORMS },
		{ { .budget_tokens = 9,
		    .strip_comments = true,
		    .compress = true },
		  DROPS | OUTLINES | TRANSFORMS },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct job job = cases[i].job;

		job_resolve(&job);
		ASSERT_EQ(facts_of(&job), cases[i].facts);
	}
}

/* What is left out is ranked for whoever may be told of it. */
static void
test_job_resolve_ranks_the_rest(void **state)
{
	static const struct {
		struct job job;
		bool ranks_rest;
	} cases[] = {
		{ { .budget_tokens = 9 }, true },
		{ { .budget_tokens = 9, .places_only = true }, false },
		{ { .budget_tokens = 9, .shard = { 0, 2 } }, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct job job = cases[i].job;

		job_resolve(&job);
		ASSERT_EQ(job.ranks_rest, cases[i].ranks_rest);
	}
}

/* Nothing that is derived leaves less room than it needs. */
static void
test_job_resolve_shares_a_slab(void **state)
{
	for (int strips = 0; strips < 2; strips++)
		for (int tiers = 0; tiers < 2; tiers++) {
			struct job job = { .strip_comments = strips,
					   .tiers = tiers };
			uint32_t nr = (uint32_t)(strips + tiers);

			job_resolve(&job);
			ASSERT_EQ(job.whole_bytes % 4096, 0);
			ASSERT_EQ(job.part_bytes % 4096, 0);
			ASSERT_TRUE(job.whole_bytes * (1 + nr) <=
				    SLAB_BODY_BYTES);
			ASSERT_TRUE((job.part_bytes + SLAB_HEAD_BYTES) * nr +
					    job.part_bytes <=
				    SLAB_BODY_BYTES);
		}
}

static void
test_job_resolve_shares_the_budget(void **state)
{
	struct job job = { .budget_tokens = 1003,
			   .response_reserve_tokens = 2,
			   .system_reserve_tokens = 1,
			   .shares = { [CATEGORY_TREE] = SHARE_ALL / 2,
				       [CATEGORY_TOOL] =
					       SHARE_ALL / 2 } };

	job_resolve(&job);
	ASSERT_EQ(job.available_tokens, 1000);
	ASSERT_EQ(job.allocated_tokens[CATEGORY_TREE], 1000);
	ASSERT_EQ(job.allocated_tokens[CATEGORY_TOOL], 0);
	job.sources.file_nr = 1;
	job_resolve(&job);
	ASSERT_EQ(job.allocated_tokens[CATEGORY_TREE], 500);
	ASSERT_EQ(job.allocated_tokens[CATEGORY_TOOL], 500);
	job.system_reserve_tokens = UINT64_MAX;
	job_resolve(&job);
	ASSERT_EQ(job.available_tokens, 0);
	job.budget_tokens = BUDGET_ALL;
	job_resolve(&job);
	ASSERT_TRUE(job.available_tokens == BUDGET_ALL);
	ASSERT_TRUE(job.allocated_tokens[CATEGORY_TOOL] == BUDGET_ALL);
}

/* As many bytes as the longest tokens of the budget could have, and the same for
 * budgets that are near each other; all where all is wanted. */
static void
test_job_resolve_counts_in_steps(void **state)
{
	static const uint64_t budgets[] = { 1,	    100,     8000,   32000,
					    131072, 1000000, 1u << 30 };
	struct job job = { .budget_tokens = BUDGET_ALL };
	uint64_t before = 0;

	job_resolve(&job);
	ASSERT_TRUE(job.counted_bytes == UINT64_MAX);
	for (size_t i = 0; i < ARRAY_LEN(budgets); i++) {
		uint64_t least = budgets[i] * TOKENIZER_TOKEN_BYTES;

		job = (struct job){ .budget_tokens = budgets[i] };
		job_resolve(&job);
		ASSERT_TRUE(job.counted_bytes >= least);
		ASSERT_TRUE(job.counted_bytes >= before);
		ASSERT_TRUE(job.counted_bytes <= (16ull << 20) ||
			    job.counted_bytes < 4 * least);
		before = job.counted_bytes;
	}
	job = (struct job){ .budget_tokens = 100000 };
	job_resolve(&job);
	before = job.counted_bytes;
	job = (struct job){ .budget_tokens = 128000 };
	job_resolve(&job);
	ASSERT_EQ(job.counted_bytes, before);
	job = (struct job){ .budget_tokens = UINT64_MAX - 1 };
	job_resolve(&job);
	ASSERT_TRUE(job.counted_bytes == UINT64_MAX);
}

/* By rank, and so with scores, if nobody says otherwise. */
static void
test_job_resolve_orders_an_overview(void **state)
{
	struct job job = { .budget_tokens = 9, .tiers = true };

	job_resolve(&job);
	ASSERT_TRUE(job.by_rank && job.wants_scores);
	job = (struct job){ .budget_tokens = 9, .tiers = true, .by_path = true };
	job_resolve(&job);
	ASSERT_TRUE(!job.by_rank && !job.wants_scores);
	job = (struct job){ .budget_tokens = 9, .tiers = true, .query = &query };
	job_resolve(&job);
	ASSERT_TRUE(!job.by_rank && !job.wants_scores);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_job_resolve_says_what_follows),
		cmocka_unit_test(test_job_resolve_ranks_the_rest),
		cmocka_unit_test(test_job_resolve_shares_a_slab),
		cmocka_unit_test(test_job_resolve_shares_the_budget),
		cmocka_unit_test(test_job_resolve_counts_in_steps),
		cmocka_unit_test(test_job_resolve_orders_an_overview),
	};

	return cmocka_run_group_tests_name("stages/job", tests, NULL, NULL);
}
