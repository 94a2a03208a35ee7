/* SPDX-License-Identifier: MIT */
/*
 * test_select_limit.c - steering the limit towards a full budget, with an
 * output that is made up: what it costs is the sum of what was taken, and
 * effects of joining that cannot be known before.
 */
#include "tests/support/test_shm.h"

#include "rank/rank.h"

#define TRIES 140       /* far more than there should ever be */
#define TRIES_WANTED 38 /* the ways to fill it, and the best once more */
#define TRIES_MEAN 5
#define ROUNDS 150
#define ROUNDS_SHORT 3 /* where no two plans are alike */
#define MATERIAL 4000

/* How the output differs from the sum of its parts. */
struct world {
	const char *name;
	int64_t per_mille;  /* of the sum, on top */
	uint64_t noise;     /* in 1/1000 of the sum, at most, either way */
	uint32_t chunk_max; /* tokens */
	bool is_enough;     /* more material than budget */
	uint64_t overhead;  /* tokens that the sum knows nothing of */
};

static const struct world worlds[] = {
	{ "as expected", 0, 0, 2000, true, 0 },
	{ "a little more", 4, 1, 2000, true, 0 },
	{ "three per cent more", 30, 0, 2000, true, 0 },
	{ "three per cent less", -30, 0, 2000, true, 0 },
	{ "six per cent less", -60, 1, 2000, true, 0 },
	{ "more and rough", 20, 2, 2000, true, 0 },
	{ "less and rough", -20, 2, 2000, true, 0 },
	{ "overhead", 0, 0, 2000, true, 900 },
	{ "small chunks", 25, 1, 60, true, 0 },
	{ "half as much again", 500, 2, 2000, true, 0 }, /* escapes */
	{ "twice as much and rough", 1000, 8, 2000, true, 300 },
	{ "not enough to fill it", 20, 2, 2000, false, 0 },
};

static uint32_t chunks[MATERIAL];

/* The same of a plan that leaves nothing for the end. */
static bool
verdict(struct rank_limit *limit, uint64_t planned, uint64_t tokens,
	bool more_left)
{
	const struct plan_result made = { .planned = planned,
					  .more_left = more_left };

	return rank_limit_verdict(limit, &made, tokens);
}

/* What greedy filling takes of the chunks: each that fits, in order. */
static uint64_t
fill(uint64_t limit, size_t nr, uint64_t *picked, bool *more_left)
{
	uint64_t sum = 0;

	*picked = 0;
	*more_left = false;
	for (size_t i = 0; i < nr; i++) {
		if (chunks[i] > limit - sum) {
			*more_left = true;
			continue;
		}
		sum += chunks[i];
		*picked = *picked * 31 + i;
	}
	return sum;
}

/* The same plan costs the same, whenever it is made. */
static uint64_t
cost(const struct world *world, uint64_t sum, uint64_t picked)
{
	uint64_t seed = picked | 1;
	int64_t part = world->per_mille;

	if (world->noise > 0)
		part += (int64_t)(random_next(&seed) % (2 * world->noise + 1)) -
			(int64_t)world->noise;
	if (sum == 0)
		return 0;
	return (uint64_t)((int64_t)sum + (int64_t)sum * part / 1000) +
	       world->overhead;
}

struct outcome {
	uint64_t tokens;
	int tries;
	bool more_left;
};

static struct outcome
steer(const struct world *world, uint64_t available, size_t chunk_nr)
{
	struct outcome outcome = { 0 };
	struct rank_limit limit;
	bool is_done;

	rank_limit_init(&limit, available);
	ASSERT_EQ(limit.now.limit, available);
	do {
		uint64_t picked;
		uint64_t sum = fill(limit.now.limit, chunk_nr, &picked,
				    &outcome.more_left);

		outcome.tokens = cost(world, sum, picked);
		outcome.tries++;
		is_done =
			verdict(&limit, sum, outcome.tokens, outcome.more_left);
		if (outcome.tries > TRIES)
			fail_msg("%s, %llu tokens: got no end after %d tries, "
				 "want one",
				 world->name, (unsigned long long)available,
				 TRIES);
	} while (!is_done);
	return outcome;
}

/*
 * verifies: FR-016-89, FR-016-111, FR-016-112, NFR-016-23, NFR-016-24,
 * verifies: FR-016c-16, FR-016c-32, NFR-016c-05
 */
static void
test_limit_ends_below_the_budget_and_close_to_it(void **state)
{
	uint64_t seed = 0x5eede;

	for (size_t w = 0; w < ARRAY_LEN(worlds); w++) {
		const struct world *world = &worlds[w];
		int tries = 0;
		int short_nr = 0;

		for (int round = 0; round < ROUNDS; round++) {
			uint64_t available =
				20000 + random_next(&seed) % 180000;
			uint64_t material = 0;
			size_t nr = 0;
			struct outcome got;

			while (nr < MATERIAL &&
			       (world->is_enough || material < available / 2)) {
				chunks[nr] = 5 + (uint32_t)(random_next(&seed) %
							    world->chunk_max);
				material += chunks[nr++];
			}
			got = steer(world, available, nr);
			if (got.tokens > available)
				fail_msg("%s: got %llu tokens, want at most "
					 "%llu",
					 world->name,
					 (unsigned long long)got.tokens,
					 (unsigned long long)available);
			if (got.tries > TRIES_WANTED)
				fail_msg("%s: got %d tries, want at most %d",
					 world->name, got.tries, TRIES_WANTED);
			short_nr += material > 2 * available &&
				    got.tokens * 1000 < available * 995;
			if (short_nr > (world->noise > 2 ? ROUNDS_SHORT : 0))
				fail_msg("%s: got %llu tokens of %llu after %d "
					 "tries, want 99.5 %%",
					 world->name,
					 (unsigned long long)got.tokens,
					 (unsigned long long)available,
					 got.tries);
			tries += got.tries;
		}
		if (tries > TRIES_MEAN * ROUNDS)
			fail_msg("%s: got %d tries for %d plans, want at most "
				 "%d each",
				 world->name, tries, ROUNDS, TRIES_MEAN);
	}
}

static void
test_limit_of_a_plan_that_took_all_is_accepted_at_once(void **state)
{
	struct rank_limit limit;

	rank_limit_init(&limit, 100000);
	ASSERT_TRUE(verdict(&limit, 3, 3, false));
	rank_limit_init(&limit, 100000);
	ASSERT_TRUE(verdict(&limit, 99000, 100000, true));
	rank_limit_init(&limit, 0);
	ASSERT_TRUE(verdict(&limit, 0, 0, true));
}

/* verifies: FR-016-84, NFR-016-24 */
static void
test_limit_one_token_over_is_never_accepted(void **state)
{
	struct rank_limit limit;
	int tries = 0;

	/* even if nothing helps: it comes down to nothing at all */
	rank_limit_init(&limit, 1000000);
	while (limit.now.limit > 0) {
		ASSERT_TRUE(!verdict(&limit, limit.now.limit, 1000001, true));
		ASSERT_TRUE(tries++ < TRIES);
	}
}

/*
 * A hair more of a limit is far too much: the best plan stays, and what it
 * lacks is added to it.
 */
static void
test_limit_that_jumps_is_filled_by_what_is_added(void **state)
{
	struct rank_limit limit;
	uint64_t tokens;
	int tries = 0;

	rank_limit_init(&limit, 4000);
	do {
		tokens = limit.now.limit > 4020 ? 4100 : 3800;
		/* of what is added, half as much again is used */
		tokens += limit.now.extra * 3 / 2;
		ASSERT_TRUE(tries++ < TRIES);
	} while (!verdict(&limit, limit.now.limit, tokens, true));
	ASSERT_TRUE(limit.now.limit <= 4020);
	ASSERT_TRUE(tokens <= 4000 && tokens >= 3980);
}

/* Nothing that is left is small enough: the best plan it is, at once. */
static void
test_limit_of_what_is_too_large_adds_once(void **state)
{
	struct rank_limit limit;
	uint64_t tokens;
	int added = 0;

	rank_limit_init(&limit, 4000);
	do {
		tokens = limit.now.limit > 4020 ? 4100 : 3800;
		added += limit.now.extra > 0;
	} while (!verdict(&limit, limit.now.limit, tokens, true));
	ASSERT_EQ(tokens, 3800);
	ASSERT_EQ(added, 1);
}

/*
 * A fuller plan below the best limit: it is found, and if it is none too full
 * either, the best of all is what is made in the end.
 */
static void
test_limit_a_little_lower_may_be_the_fuller_one(void **state)
{
	static const struct {
		uint64_t low;
		uint64_t high; /* the limits that make the fuller plan */
		uint64_t fuller;
		uint64_t want;
	} cases[] = {
		{ 3985, 3995, 3990, 3990 }, /* full: the end at once */
		{ 3940, 3960, 3975, 3975 }, /* fuller, and not full */
		{ 4030, 4040, 3992, 3992 }, /* beyond what did not fit */
		{ 3985, 3995, 3700, 3950 }, /* none is */
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct rank_limit limit;
		uint64_t tokens;
		int tries = 0;

		rank_limit_init(&limit, 4000);
		do {
			tokens = limit.now.limit < 4002   ? 3950
				 : limit.now.limit < 4200 ? 4020
							  : 4300;
			if (limit.now.extra == 0 &&
			    limit.now.limit >= cases[i].low &&
			    limit.now.limit <= cases[i].high)
				tokens = cases[i].fuller;
			ASSERT_TRUE(tries++ < TRIES);
			/* far below the budget nothing is fuller */
			ASSERT_TRUE(limit.phase == RANK_LIMIT_TRUNCATING ||
				    limit.now.limit >= 3700);
			/* a plan of a few chunks, whatever its limit */
		} while (!verdict(&limit, limit.now.limit * 9 / 10, tokens,
				  true));
		ASSERT_EQ(tokens, cases[i].want);
	}
}

/*
 * Whatever is planned by rank leaves too much; a plan that comes to its limit
 * costs as much more than its output as the last one did, about.
 */
static void
test_limit_of_an_exact_plan_is_what_fills_the_budget(void **state)
{
	for (uint64_t error = 0; error < 300; error += 7) {
		struct rank_limit limit;
		uint64_t tokens;
		int tries = 0;

		rank_limit_init(&limit, 4000);
		do {
			uint64_t planned = (limit.now.how != RANK_BY_RANK)
						   ? limit.now.limit
					   : limit.now.limit < 4000 + error
						   ? 3950 + error
						   : 4010 + error;

			tokens = planned - error - planned % 5;
			ASSERT_TRUE(tries++ < TRIES);
			if (verdict(&limit, planned, tokens, true))
				break;
		} while (true);
		ASSERT_TRUE((limit.now.how != RANK_BY_RANK));
		ASSERT_TRUE(tokens <= 4000 && tokens >= 3980);
	}
}

/*
 * A greater plan differs less from its output: what is aimed at is still what
 * the nearest one says.
 */
static void
test_limit_is_aimed_at_by_the_nearest_output(void **state)
{
	struct rank_limit limit;
	uint64_t tokens;
	int tries = 0;

	rank_limit_init(&limit, 4000);
	do {
		uint64_t planned = limit.now.limit < 4024 ? 4008 : 4040;

		if (limit.now.how != RANK_BY_RANK)
			planned = limit.now.limit - 1;
		tokens = planned - (limit.now.limit < 4024 ? 36 : 2);
		ASSERT_TRUE(tries++ < TRIES);
		if (verdict(&limit, planned, tokens, true))
			break;
	} while (true);
	ASSERT_TRUE(tokens <= 4000 && tokens >= 3980);
}

/*
 * What is left for the end is looked at where nothing else fills the budget,
 * and taken only if it does: fuller, and not full, is no reason for it.
 */
static void
test_limit_of_all_there_is_only_if_it_is_full(void **state)
{
	static const struct {
		bool rest_left;
		uint64_t of_all; /* the output of a plan of all */
		uint64_t want;
	} cases[] = {
		{ true, 3990, 3990 },
		{ true, 3975, 3950 },
		{ false, 3990, 3950 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct plan_result made = { .more_left = true };
		struct rank_limit limit;
		uint64_t tokens;
		int tries = 0;

		made.rest_left = cases[i].rest_left;
		rank_limit_init(&limit, 4000);
		do {
			made.planned = limit.now.limit;
			tokens = limit.now.limit <= 4010 ? 3950 : 4030;
			if (limit.now.how == RANK_EXACT_ALL)
				tokens = cases[i].of_all;
			ASSERT_TRUE(tries++ < TRIES);
		} while (!rank_limit_verdict(&limit, &made, tokens));
		ASSERT_EQ(tokens, cases[i].want);
	}
}

/* A plan of one chunk, and what the output is of part of another one. */
struct parts {
	uint64_t whole;  /* of the chunk that is taken */
	uint64_t header; /* of the part */
	uint32_t lines;  /* of what is parted */
	uint32_t tokens; /* of each */
	uint32_t nr;     /* of such chunks */
};

/* Steers to the end: the tokens of the last output; *outputs: how many. */
static uint64_t
steer_parts(const struct parts *parts, struct rank_limit *limit, int *outputs)
{
	uint64_t tokens;
	struct plan_result made;

	*outputs = 0;
	do {
		const struct select_truncated *truncated =
			&limit->now.truncated;
		bool has_part =
			truncated->room > 0 && truncated->nth < parts->nr;

		made = (struct plan_result){ .planned = parts->whole,
					     .more_left = true };
		tokens = parts->whole;
		if (has_part) {
			made.truncated_of = parts->lines;
			made.truncated_tokens = parts->lines * parts->tokens;
			/* a guess that knows nothing of the header */
			made.kept_lines =
				truncated->lines != 0
					? truncated->lines
					: (uint32_t)min_u64(
						  truncated->room /
								  parts->tokens +
							  1,
						  parts->lines - 1);
			tokens += parts->header +
				  (uint64_t)made.kept_lines * parts->tokens;
		}
		if (++*outputs > TRIES)
			fail_msg("%llu tokens: got no end after %d outputs",
				 (unsigned long long)tokens, TRIES);
	} while (!rank_limit_verdict(limit, &made, tokens));
	return tokens;
}

/*
 * Whole chunks leave a good part of the budget: as many lines of another one
 * are taken as there is room for, and it does not take many outputs to find
 * out how many these are.
 */
/* verifies: FR-016-111, FR-016-112, AC-016c-044 */
static void
test_limit_is_filled_by_part_of_a_chunk(void **state)
{
	uint64_t seed = 0x5eee0;

	for (int round = 0; round < 3000; round++) {
		uint64_t available = 4000 + random_next(&seed) % 30000;
		struct parts parts = {
			.whole = available * (40 + random_next(&seed) % 59) /
				 100,
			.header = random_next(&seed) % (available / 200),
			.tokens = 1 + (uint32_t)(random_next(&seed) % 12),
			.nr = 1,
		};
		struct rank_limit limit;
		uint64_t tokens;
		int outputs;

		parts.lines = (uint32_t)(2 * available / parts.tokens);
		rank_limit_init(&limit, available);
		tokens = steer_parts(&parts, &limit, &outputs);
		if (tokens > available || tokens * 1000 < available * 995)
			fail_msg("round %d: got %llu of %llu tokens, want "
				 "99.5 %%",
				 round, (unsigned long long)tokens,
				 (unsigned long long)available);
	}
}

/* Lines of so many tokens that none of their numbers fills the budget: the most
 * that fit, of any of the chunks, and an end. */
static void
test_limit_of_long_lines_is_as_full_as_they_can(void **state)
{
	const struct parts parts = {
		.whole = 1000, .header = 20, .lines = 50, .tokens = 310, .nr = 5
	};
	struct rank_limit limit;
	int outputs;

	rank_limit_init(&limit, 4000);
	ASSERT_EQ(steer_parts(&parts, &limit, &outputs), 1000 + 20 + 9 * 310);
}

/* Where nothing whole fits a part is tried alone, once. */
static void
test_limit_of_nothing_is_parted_once(void **state)
{
	const struct parts parts = {
		.header = 20, .lines = 500, .tokens = 7, .nr = 2
	};
	struct rank_limit limit;
	uint64_t tokens;
	int outputs;

	rank_limit_init(&limit, 1000);
	ASSERT_TRUE(rank_limit_part(&limit));
	tokens = steer_parts(&parts, &limit, &outputs);
	ASSERT_TRUE(tokens <= 1000 && tokens >= 995);
	rank_limit_init(&limit, 10);
	ASSERT_TRUE(rank_limit_part(&limit));
	for (outputs = 0; limit.phase == RANK_LIMIT_TRUNCATING; outputs++) {
		const struct plan_result made = { .more_left = true,
						  .kept_lines = 1,
						  .truncated_of = 500,
						  .truncated_tokens = 3500 };

		ASSERT_TRUE(!rank_limit_verdict(&limit, &made, 27));
		ASSERT_TRUE(outputs < TRIES);
	}
	ASSERT_EQ(limit.now.truncated.room, 0);
	ASSERT_TRUE(!rank_limit_part(&limit));
}

/*
 * Files change while the output is made again: what fitted the limit before
 * need not fit it now. It must still come to an end, and never above.
 */
/* verifies: NFR-016-23 */
static void
test_limit_ends_when_what_fitted_no_longer_does(void **state)
{
	uint64_t seed = 0x5eedf;

	for (int round = 0; round < 3000; round++) {
		uint64_t available = 1000 + random_next(&seed) % 100000;
		int changes_at = (int)(random_next(&seed) % 12);
		int64_t before = (int64_t)(random_next(&seed) % 100) - 50;
		int64_t after = (int64_t)(random_next(&seed) % 200) - 100;
		struct rank_limit limit;
		uint64_t tokens;
		int tries = 0;

		rank_limit_init(&limit, available);
		do {
			int64_t part = tries < changes_at ? before : after;

			tokens = limit.now.limit +
				 (uint64_t)((int64_t)limit.now.limit * part /
					    1000);
			if (tries++ > TRIES)
				fail_msg("round %d: got no end, want one",
					 round);
		} while (!verdict(&limit, limit.now.limit, tokens, true));
		ASSERT_TRUE(tokens <= available);
	}
}

/*
 * The best one is made once more, and comes out a little larger as a file has
 * changed: a little less is tried, and not half of it.
 */
static void
test_limit_of_a_file_that_has_grown_is_a_little_lower(void **state)
{
	struct rank_limit limit;
	bool has_grown = false;
	uint64_t tokens;
	int tries = 0;

	rank_limit_init(&limit, 4000);
	do {
		has_grown |= limit.phase >= RANK_LIMIT_TRUNCATING;
		tokens = limit.now.limit > 4020 ? 4100 : 3800;
		if (has_grown)
			tokens = limit.now.limit + limit.now.limit / 50;
		ASSERT_TRUE(tries++ < TRIES);
	} while (!verdict(&limit, limit.now.limit, tokens, true));
	ASSERT_TRUE(has_grown);
	ASSERT_TRUE(tokens <= 4000 && tokens >= 3900);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_limit_ends_below_the_budget_and_close_to_it),
		cmocka_unit_test(
			test_limit_of_a_plan_that_took_all_is_accepted_at_once),
		cmocka_unit_test(test_limit_one_token_over_is_never_accepted),
		cmocka_unit_test(
			test_limit_that_jumps_is_filled_by_what_is_added),
		cmocka_unit_test(test_limit_of_what_is_too_large_adds_once),
		cmocka_unit_test(
			test_limit_a_little_lower_may_be_the_fuller_one),
		cmocka_unit_test(
			test_limit_of_an_exact_plan_is_what_fills_the_budget),
		cmocka_unit_test(test_limit_is_aimed_at_by_the_nearest_output),
		cmocka_unit_test(test_limit_is_filled_by_part_of_a_chunk),
		cmocka_unit_test(
			test_limit_of_long_lines_is_as_full_as_they_can),
		cmocka_unit_test(test_limit_of_nothing_is_parted_once),
		cmocka_unit_test(test_limit_of_all_there_is_only_if_it_is_full),
		cmocka_unit_test(
			test_limit_ends_when_what_fitted_no_longer_does),
		cmocka_unit_test(
			test_limit_of_a_file_that_has_grown_is_a_little_lower),
	};

	return cmocka_run_group_tests_name("select/limit", tests, NULL, NULL);
}
