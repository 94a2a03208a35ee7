/* SPDX-License-Identifier: MIT */
/*
 * test_fill.c - from one plan to the next, with an output that is made
 * up: what it costs is the sum of what was taken, and effects of joining that
 * cannot be known before.
 */
#include "tests/support/test_shm.h"

#include "rank/rank.h"

#define OUTPUTS_MAX 60 /* far more than there should ever be */
#define OUTPUTS_MILD 4 /* where parts cost about what they are thought to */
#define OUTPUTS_MEAN 6
#define PLANS_MAX 25
#define ROUNDS 150
#define MATERIAL 4000
#define EDGES 32
#define LINE 11 /* tokens */

/* How the output differs from the sum of its parts. */
struct world {
	const char *name;
	int64_t per_mille;  /* of the sum, on top */
	uint64_t noise;     /* in 1/1000 of the sum, at most, either way */
	uint32_t chunk_max; /* tokens */
	bool is_enough;     /* more material than budget */
	uint64_t overhead;  /* tokens that the sum knows nothing of */
	bool is_mild;
	uint32_t saved; /* tokens, at most, that the part of a chunk replaces:
			 * nobody knows, and each chunk is another one */
};

static struct world worlds[] = {
	{ "as expected", 0, 0, 2000, true, 0, true, 0 },
	{ "a little more", 4, 0, 2000, true, 0, true, 0 },
	{ "a little less", -9, 0, 2000, true, 0, true, 0 },
	{ "three per cent more", 30, 0, 2000, true, 0, true, 0 },
	{ "three per cent less", -30, 0, 2000, true, 0, true, 0 },
	{ "six per cent less", -60, 1, 2000, true, 0, false, 0 },
	{ "more and rough", 20, 2, 2000, true, 0, false, 0 },
	{ "less and rough", -20, 2, 2000, true, 0, false, 0 },
	{ "overhead", 0, 0, 2000, true, 900, true, 0 },
	{ "small chunks", 25, 1, 60, true, 0, false, 0 },
	{ "half as much again", 500, 2, 2000, true, 0, false, 0 }, /* escapes */
	{ "twice as much and rough", 1000, 8, 2000, true, 300, false, 0 },
	{ "not enough to fill it", 20, 2, 2000, false, 0, false, 0 },
	{ "parts that replace", 0, 0, 2000, true, 0, false, 3000 },
	{ "parts that replace, more and rough", 20, 1, 2000, true, 0, false,
	  900 },
};

static uint32_t chunks[MATERIAL];
static bool is_taken[MATERIAL];

/* What greedy filling takes of the chunks: each that fits, in order. */
static uint64_t
take(uint64_t limit, size_t nr, bool *more_left)
{
	uint64_t sum = 0;

	*more_left = false;
	for (size_t i = 0; i < nr; i++) {
		is_taken[i] = chunks[i] <= limit - sum;
		if (is_taken[i])
			sum += chunks[i];
		else
			*more_left = true;
	}
	return sum;
}

static uint64_t
scaled(const struct world *world, uint64_t sum)
{
	return (uint64_t)((int64_t)sum +
			  (int64_t)sum * world->per_mille / 1000);
}

/* What the part of a chunk replaces. */
static uint64_t
saved_by(const struct world *world, const struct plan_part *part)
{
	uint64_t seed = part->chunk * 2654435761u | 1;

	return part->chunk == 0 || world->saved == 0
		       ? 0
		       : random_next(&seed) % world->saved;
}

/* The same plan costs the same, whenever it is made. */
static uint64_t
cost(const struct world *world, uint64_t sum, const struct plan_part *of)
{
	uint64_t seed = sum | 1;
	int64_t part = 0;

	if (world->noise > 0)
		part = (int64_t)(random_next(&seed) % (2 * world->noise + 1)) -
		       (int64_t)world->noise;
	if (sum == 0)
		return 0;
	return (uint64_t)((int64_t)scaled(world, sum) +
			  (int64_t)sum * part / 1000) +
	       world->overhead - min_u64(saved_by(world, of), sum);
}

static uint64_t
cost_of_lines(void *chunk, uint32_t lines)
{
	const struct world *world = chunk;

	return scaled(world, (uint64_t)lines * LINE);
}

static uint64_t
room_of_part(const struct plan_target *aim, uint64_t room)
{
	int64_t left = (int64_t)room - aim->part_wrong;

	return left > 0 ? (uint64_t)left : 0;
}

/* As select_edge.c does it; what all of it is thought to cost. */
static uint64_t
add_edge(struct world *world, const struct plan_target *aim, size_t nr,
	 struct plan_result *made)
{
	int64_t left = (int64_t)(aim->available - made->planned) - aim->off -
		       aim->wrong;
	uint64_t room = left > 0 ? (uint64_t)left : 0;
	uint64_t few = aim->available / RANK_FULL_PART;
	size_t edge_nr = 0;
	uint64_t sum = 0;

	for (size_t i = 0; i < nr && edge_nr < EDGES && !made->fills; i++) {
		uint64_t of_part = room_of_part(aim, room);
		uint64_t all = scaled(world, chunks[i]);
		uint32_t lines = 0;
		uint64_t tokens = 0;

		if (is_taken[i])
			continue;
		edge_nr++;
		if (aim->edges == RANK_EDGES_MEASURED ||
		    (all <= room && !aim->is_part)) {
			sum += chunks[i];
			made->edge_nr++;
			if (aim->edges == RANK_EDGES_CUT)
				room -= all;
			continue;
		}
		if (aim->part.chunk != 0 && aim->part.chunk != i + 1)
			continue;
		lines = rank_fill_lines(cost_of_lines, world, chunks[i] / LINE,
					of_part, &tokens);
		made->fills = of_part - tokens <= few;
		if (aim->part.chunk == 0 ? !made->fills : lines == 0)
			continue;
		sum += (uint64_t)lines * LINE;
		made->part.chunk = i + 1;
		made->edge_nr++;
		room -= min_u64(room, tokens);
		if (aim->part.chunk != 0)
			break;
	}
	made->edge_tokens = scaled(world, sum);
	return sum;
}

struct outcome {
	uint64_t tokens;
	int outputs;
	int plans;
};

static struct outcome
fill_up(struct world *world, uint64_t available, size_t chunk_nr)
{
	struct outcome outcome = { 0 };
	struct rank_fill fill;
	bool is_done = false;

	rank_fill_init(&fill, available);
	ASSERT_EQ(fill.now.limit, available);
	while (!is_done) {
		struct plan_result made = { 0 };
		uint64_t edge = 0;

		if (outcome.plans++ > 2 * OUTPUTS_MAX)
			fail_msg("%s, %llu tokens: got no end, want one",
				 world->name, (unsigned long long)available);
		made.planned = take(fill.now.limit, chunk_nr, &made.more_left);
		if (fill.now.edges != RANK_EDGES_NONE)
			edge = add_edge(world, &fill.now, chunk_nr, &made);
		made.is_empty = made.planned + edge == 0;
		if (!rank_fill_planned(&fill, &made))
			continue;
		outcome.tokens = cost(world, made.planned + edge, &made.part);
		outcome.outputs++;
		is_done = rank_fill_verdict(&fill, &made, outcome.tokens);
	}
	ASSERT_EQ(outcome.outputs, fill.outputs);
	return outcome;
}

/*
 * verifies: FR-016-89, FR-016-111, FR-016-112, NFR-016-23, NFR-016-24,
 * verifies: FR-016c-16, FR-016c-32, NFR-016c-05, AC-016c-044
 */
static void
test_fill_ends_below_the_budget_and_close_to_it(void **state)
{
	uint64_t seed = 0x5eede;

	for (size_t w = 0; w < ARRAY_LEN(worlds); w++) {
		struct world *world = &worlds[w];
		int outputs = 0;

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
			got = fill_up(world, available, nr);
			if (got.tokens > available)
				fail_msg("%s: got %llu tokens, want at most "
					 "%llu",
					 world->name,
					 (unsigned long long)got.tokens,
					 (unsigned long long)available);
			if (world->is_mild && got.outputs > OUTPUTS_MILD)
				fail_msg("%s: got %d outputs, want at most %d",
					 world->name, got.outputs,
					 OUTPUTS_MILD);
			if (material > 2 * available && world->noise < 8 &&
			    got.tokens * 1000 < available * 995)
				fail_msg("%s: got %llu tokens of %llu after %d "
					 "outputs, want 99.5 %%",
					 world->name,
					 (unsigned long long)got.tokens,
					 (unsigned long long)available,
					 got.outputs);
			outputs += got.outputs;
		}
		if (outputs > OUTPUTS_MEAN * ROUNDS)
			fail_msg("%s: got %d outputs for %d plans, want at "
				 "most %d each",
				 world->name, outputs, ROUNDS, OUTPUTS_MEAN);
	}
}

static bool
verdict(struct rank_fill *fill, uint64_t tokens, bool more_left)
{
	const struct plan_result made = { .planned = fill->now.limit,
					  .more_left = more_left };

	return rank_fill_verdict(fill, &made, tokens);
}

static void
test_fill_of_a_plan_that_took_all_is_accepted_at_once(void **state)
{
	struct rank_fill fill;

	rank_fill_init(&fill, 100000);
	ASSERT_TRUE(verdict(&fill, 3, false));
	rank_fill_init(&fill, 100000);
	ASSERT_TRUE(verdict(&fill, 100000, true));
	rank_fill_init(&fill, 100000);
	ASSERT_TRUE(verdict(&fill, 99500, true));
	rank_fill_init(&fill, 100000);
	ASSERT_TRUE(!verdict(&fill, 99499, true));
	rank_fill_init(&fill, 0);
	ASSERT_TRUE(verdict(&fill, 0, true));
}

/* An output that came to less than was thought, by less than one in fifty. */
static void
test_fill_of_a_little_less_is_planned_again_once(void **state)
{
	struct rank_fill fill;
	struct plan_result made = { .planned = 63990, .more_left = true };

	rank_fill_init(&fill, 64000);
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 63000));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_NONE);
	/* a part of what may be unused below it */
	ASSERT_EQ(fill.now.limit, 64000ull * 63920 / 63000);
	made.planned = fill.now.limit;
	ASSERT_TRUE(rank_fill_verdict(&fill, &made, 63850));
	/* not twice */
	rank_fill_init(&fill, 64000);
	made.planned = 63990;
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 63000));
	made.planned = fill.now.limit;
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 63660));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_GUESSED);
	/* nor for a plan that was not full: what it lacks is a chunk */
	rank_fill_init(&fill, 64000);
	made.planned = 60000;
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 59600));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_GUESSED);
}

/* verifies: FR-016-84, NFR-016-24 */
static void
test_fill_of_one_token_over_is_never_accepted(void **state)
{
	struct rank_fill fill;
	int tries = 0;

	/* even if nothing helps: it comes down to nothing at all */
	rank_fill_init(&fill, 1000000);
	while (fill.now.limit > 0) {
		ASSERT_TRUE(!verdict(&fill, 1000001, true));
		ASSERT_TRUE(tries++ < OUTPUTS_MAX);
	}
}

/* As many lines as fit, whatever they cost, and never all of them. */
static void
test_fill_takes_the_most_lines_that_fit(void **state)
{
	static struct world plain = { .name = "plain" };
	uint64_t cost = 1;

	for (uint32_t of = 1; of < 40; of++)
		for (uint64_t room = 0; room < 45 * LINE; room++) {
			uint32_t got = rank_fill_lines(cost_of_lines, &plain,
						       of, room, &cost);

			ASSERT_EQ(got, min_u64(of - 1, room / LINE));
			ASSERT_EQ(cost, got * LINE);
		}
}

/* Nothing fits that is whole: part of a chunk alone, and that once. */
static void
test_fill_of_nothing_is_part_of_a_chunk(void **state)
{
	struct plan_result made = { .planned = 12,
				    .is_empty = true,
				    .more_left = true };
	struct rank_fill fill;

	rank_fill_init(&fill, 1000);
	ASSERT_TRUE(!rank_fill_planned(&fill, &made));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_GUESSED);
	ASSERT_TRUE(!rank_fill_planned(&fill, &made));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_MEASURED);
	/* not even a line */
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
	/* not even what stands around all */
	rank_fill_init(&fill, 10);
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
	/* there is nothing */
	made.more_left = false;
	rank_fill_init(&fill, 1000);
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
}

/* No part fills it: what is made is the plan of whole chunks once more. */
static void
test_fill_of_long_lines_is_that_of_whole_chunks(void **state)
{
	struct plan_result made = { .planned = 3950, .more_left = true };
	struct rank_fill fill;
	int plans = 0;

	rank_fill_init(&fill, 4000);
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 3950));
	while (!rank_fill_planned(&fill, &made))
		ASSERT_TRUE(plans++ < PLANS_MAX);
	ASSERT_EQ(fill.now.edges, RANK_EDGES_NONE);
	ASSERT_EQ(fill.now.limit, 4000);
	ASSERT_TRUE(rank_fill_verdict(&fill, &made, 3950));
	ASSERT_EQ(fill.outputs, 2);
}

/* The one that is thought to be the fullest, if none is full. */
static void
test_fill_that_no_part_makes_full_is_the_fullest(void **state)
{
	struct plan_result made = { .planned = 3950, .more_left = true };
	struct rank_fill fill;
	uint64_t limit = 0;
	uint64_t best = 0;
	uint64_t edge = 0;

	rank_fill_init(&fill, 4000);
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 3950));
	made.edge_nr = 1;
	ASSERT_TRUE(!rank_fill_planned(&fill, &made));
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 9000));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_CUT);
	for (int i = 0;; i++) {
		made.planned = fill.now.limit - 50;
		made.edge_tokens = i == 3 ? 320 : 5;
		if (i == 3)
			limit = fill.now.limit;
		edge = made.planned + made.edge_tokens;
		best = edge > best ? edge : best;
		if (rank_fill_planned(&fill, &made))
			break;
		ASSERT_TRUE(i <= PLANS_MAX);
		/* each leaves more to the part */
		ASSERT_TRUE(fill.is_settled || fill.now.limit < made.planned);
	}
	ASSERT_EQ(fill.now.limit, limit);
	ASSERT_TRUE(rank_fill_verdict(&fill, &made, best));
}

/* An edge is taken by what its lines are thought to cost, and by what that was
 * wrong; then these are measured. */
static void
test_fill_guesses_an_edge_before_it_is_measured(void **state)
{
	struct plan_result made = { .planned = 3950, .more_left = true };
	struct rank_fill fill;

	rank_fill_init(&fill, 4000);
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 3960));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_GUESSED);
	ASSERT_EQ(fill.now.off, 10);
	made.fills = true;
	made.edge_nr = 1;
	made.edge_tokens = 35;
	made.part.chunk = 7;
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
	/* 3995 were thought */
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 4003));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_GUESSED);
	ASSERT_EQ(fill.now.part.chunk, 7);
	ASSERT_EQ(fill.now.wrong + fill.now.part_wrong, 8);
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
	/* fewer lines, and no fewer tokens */
	made.edge_tokens = 30;
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 4003));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_GUESSED);
	ASSERT_EQ(fill.now.wrong + fill.now.part_wrong, 13);
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 3970));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_MEASURED);
	ASSERT_EQ(fill.now.wrong + fill.now.part_wrong, 0);
	ASSERT_EQ(fill.now.part.chunk, 0);
	/* a good guess is the last output */
	rank_fill_init(&fill, 4000);
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 3960));
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
	ASSERT_TRUE(rank_fill_verdict(&fill, &made, 3985));
}

/* What an output has beside its parts says whether whole chunks will fill the
 * next one: if not, there is none without an edge. */
static void
test_fill_adds_an_edge_where_whole_chunks_leave_room(void **state)
{
	struct plan_result made = { .planned = 7990, .more_left = true };
	struct rank_fill fill;

	rank_fill_init(&fill, 8000);
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 8100));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_NONE);
	made.planned = fill.now.limit - 2;
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_NONE);
	made.planned = fill.now.limit - 60;
	ASSERT_TRUE(!rank_fill_planned(&fill, &made));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_GUESSED);
	ASSERT_EQ(fill.now.limit, made.planned + 60);
	ASSERT_EQ(fill.now.off, 110);
}

/* Nothing is fuller than the whole chunks that fitted: they are the output. */
static void
test_fill_goes_back_to_whole_chunks_that_were_fuller(void **state)
{
	struct plan_result made = { .planned = 3978, .more_left = true };
	struct rank_fill fill;
	int plans = 0;

	rank_fill_init(&fill, 4000);
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 3978));
	/* no line is thought to fill it, and what is measured comes to less */
	made.edge_nr = 1;
	while (!rank_fill_planned(&fill, &made))
		ASSERT_TRUE(plans++ < PLANS_MAX);
	ASSERT_EQ(fill.now.edges, RANK_EDGES_MEASURED);
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 9000));
	for (int outputs = 0; fill.now.edges != RANK_EDGES_NONE; outputs++) {
		made.planned = fill.now.limit - 100;
		while (!rank_fill_planned(&fill, &made)) {
			made.planned = fill.now.limit - 100;
			ASSERT_TRUE(plans++ < 4 * PLANS_MAX);
		}
		if (fill.now.edges == RANK_EDGES_NONE)
			break;
		ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 3900));
		ASSERT_TRUE(outputs < OUTPUTS_MAX);
	}
	ASSERT_EQ(fill.now.limit, 4000);
	made.planned = 3978;
	made.edge_nr = 0;
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
	ASSERT_TRUE(rank_fill_verdict(&fill, &made, 3978));
}

/* A plan of fewer chunks is one of a part alone, which has no room after all: whole
 * chunks are the output, not nothing. */
static void
test_fill_of_a_part_without_room_is_that_of_whole_chunks(void **state)
{
	struct plan_result made = { .planned = 666, .more_left = true };
	struct rank_fill fill;

	rank_fill_init(&fill, 20000);
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 666));
	fill.now.limit = 100;
	fill.now.edges = RANK_EDGES_CUT;
	/* of no room, no line is all that there is room for */
	made = (struct plan_result){ .planned = 20,
				     .fills = true,
				     .is_empty = true,
				     .more_left = true };
	ASSERT_TRUE(!rank_fill_planned(&fill, &made));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_NONE);
	ASSERT_EQ(fill.now.limit, 20000);
	made = (struct plan_result){ .planned = 666, .more_left = true };
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
	ASSERT_TRUE(rank_fill_verdict(&fill, &made, 666));
}

/* What parts cost in an output is in the next plan: its limit is as much more, or
 * less. */
static void
test_fill_goes_by_what_parts_cost(void **state)
{
	struct plan_result made = { .planned = 64000,
				    .parts = 30000,
				    .more_left = true };
	struct rank_fill fill;

	for (int64_t off = -1500; off <= 1500; off += 500) {
		rank_fill_init(&fill, 64000);
		made.parts_off = off;
		ASSERT_EQ(rank_fill_verdict(&fill, &made,
					    (uint64_t)(64000 + off)),
			  off == 0);
		if (off == 0)
			continue;
		ASSERT_EQ(fill.now.off, 0);
		ASSERT_EQ(fill.now.edges, RANK_EDGES_NONE);
		/* nothing else was wrong: no more and no less is tried */
		ASSERT_TRUE(fill.now.limit >= 64000 - 64000 / 200 &&
			    fill.now.limit <= 64000);
	}
}

/*
 * Part of what came of a tool, if it is the best, stays though other lines would
 * fill the budget, but not where a plan of fewer chunks is full with it.
 */
static void
test_fill_keeps_what_came_of_a_tool(void **state)
{
	struct plan_result made = { .planned = 3950, .more_left = true };
	struct rank_fill fill;

	rank_fill_init(&fill, 4000);
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 3950));
	made.edge_nr = 1;
	ASSERT_TRUE(!rank_fill_planned(&fill, &made));
	ASSERT_TRUE(!rank_fill_verdict(&fill, &made, 9000));
	ASSERT_EQ(fill.now.edges, RANK_EDGES_CUT);
	made.keeps = true;
	ASSERT_TRUE(!rank_fill_planned(&fill, &made));
	made.keeps = false;
	made.fills = true;
	ASSERT_TRUE(!rank_fill_planned(&fill, &made));
	made.keeps = true;
	ASSERT_TRUE(rank_fill_planned(&fill, &made));
}

/*
 * Files change while the output is made again: what fitted the limit before
 * need not fit it now. It must still come to an end, and never above.
 */
/* verifies: NFR-016-23 */
static void
test_fill_ends_when_what_fitted_no_longer_does(void **state)
{
	uint64_t seed = 0x5eedf;

	for (int round = 0; round < 3000; round++) {
		uint64_t available = 1000 + random_next(&seed) % 100000;
		int changes_at = (int)(random_next(&seed) % 6);
		int64_t before = (int64_t)(random_next(&seed) % 100) - 50;
		int64_t after = (int64_t)(random_next(&seed) % 200) - 100;
		struct rank_fill fill;
		uint64_t tokens = 0;
		int tries = 0;
		bool is_done = false;

		rank_fill_init(&fill, available);
		while (!is_done) {
			struct plan_result made = {
				.planned = fill.now.limit,
				.more_left = true,
				.edge_nr = fill.now.edges != RANK_EDGES_NONE,
				.edge_tokens = fill.now.edges * available / 99,
				.fills = random_next(&seed) % 2 == 0,
			};
			int64_t part = tries < changes_at ? before : after;

			if (tries++ > OUTPUTS_MAX)
				fail_msg("round %d: got no end, want one",
					 round);
			if (!rank_fill_planned(&fill, &made))
				continue;
			tokens = made.planned + made.edge_tokens;
			tokens += (uint64_t)((int64_t)tokens * part / 1000);
			is_done = rank_fill_verdict(&fill, &made, tokens);
		}
		ASSERT_TRUE(tokens <= available);
	}
}

/* Once settled, a plan that comes to all that there is, is the last. */
static void
test_fill_takes_what_was_settled_up_to_the_last_token(void **state)
{
	for (uint64_t tokens = 999; tokens <= 1001; tokens++) {
		struct plan_result made = { .planned = 900, .more_left = true };
		struct rank_fill fill;

		rank_fill_init(&fill, 1000);
		fill.is_again = 1;
		fill.now.edges = RANK_EDGES_CUT;
		fill.now.wrong = 1000; /* that another round would be for */
		ASSERT_EQ(rank_fill_verdict(&fill, &made, tokens),
			  tokens <= 1000);
		ASSERT_EQ(fill.is_again, tokens <= 1000);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_fill_ends_below_the_budget_and_close_to_it),
		cmocka_unit_test(
			test_fill_of_a_plan_that_took_all_is_accepted_at_once),
		cmocka_unit_test(
			test_fill_of_a_little_less_is_planned_again_once),
		cmocka_unit_test(test_fill_of_one_token_over_is_never_accepted),
		cmocka_unit_test(test_fill_takes_the_most_lines_that_fit),
		cmocka_unit_test(test_fill_of_nothing_is_part_of_a_chunk),
		cmocka_unit_test(
			test_fill_guesses_an_edge_before_it_is_measured),
		cmocka_unit_test(
			test_fill_adds_an_edge_where_whole_chunks_leave_room),
		cmocka_unit_test(
			test_fill_goes_back_to_whole_chunks_that_were_fuller),
		cmocka_unit_test(
			test_fill_of_a_part_without_room_is_that_of_whole_chunks),
		cmocka_unit_test(test_fill_goes_by_what_parts_cost),
		cmocka_unit_test(
			test_fill_of_long_lines_is_that_of_whole_chunks),
		cmocka_unit_test(
			test_fill_that_no_part_makes_full_is_the_fullest),
		cmocka_unit_test(test_fill_keeps_what_came_of_a_tool),
		cmocka_unit_test(
			test_fill_ends_when_what_fitted_no_longer_does),
		cmocka_unit_test(
			test_fill_takes_what_was_settled_up_to_the_last_token),
	};

	return cmocka_run_group_tests_name("select/fill", tests, NULL, NULL);
}
