/* SPDX-License-Identifier: MIT */
/*
 * test_select_take.c - what a candidate costs beside every set of others, and
 * what taking it changes.
 */
#include "tests/support/test_select_planner.h"

/* Bits against a byte each, as the array grows. */
static void
test_select_bits_are_those_that_were_set(void **state)
{
	enum { NR = 20000 };
	static bool want[NR];
	struct select_bits bits = { 0 };
	uint64_t seed = 5;

	select_bits_clear(&bits, 77);
	ASSERT_TRUE(!select_bits_has(&bits, 0));
	for (int round = 0; round < 4000; round++) {
		/* further and further out */
		uint64_t idx = random_next(&seed) % (8u + (unsigned)round * 5u);

		want[idx] = random_next(&seed) % 3 > 0;
		if (want[idx])
			ASSERT_EQ(select_bits_set(&bits, idx), 0);
		else
			select_bits_clear(&bits, idx);
	}
	for (uint64_t i = 0; i < NR; i++)
		ASSERT_EQ(select_bits_has(&bits, i), want[i]);
	/* as many as there is room for, and one more */
	for (uint64_t i = bits.nr - 1, nr = bits.nr; i <= nr; i++) {
		ASSERT_TRUE(!select_bits_has(&bits, i));
		select_bits_clear(&bits, i);
		ASSERT_EQ(select_bits_set(&bits, i), 0);
		ASSERT_TRUE(select_bits_has(&bits, i));
		ASSERT_TRUE(!select_bits_has(&bits, i + 1));
	}
	select_bits_free(&bits);
	ASSERT_TRUE(bits.bytes == NULL && bits.nr == 0);
	ASSERT_EQ(select_bits_set(&bits, 4095), 0);
	ASSERT_EQ(bits.nr, 4096);
	ASSERT_EQ(select_bits_set(&bits, 4096), 0);
	ASSERT_EQ(bits.nr, 8192);
	select_bits_free(&bits);
}

enum { CHUNKS = 5 };

/* Two files side by side, so that what is beside a chunk may be another's. */
static void
two_files(void)
{
	static const uint32_t tokens[CHUNKS] = { 1, 3, 400, 7, 30 };

	for (uint32_t f = 0; f < 2; f++) {
		add_file(f == 0 ? "a.c" : "b.c", 0, REASON_NONE);
		for (uint32_t c = 0; c < CHUNKS; c++)
			add_chunk(tokens[c], chunk_nr);
	}
	plan_open(1000000);
}

static void
put(uint64_t chunk_idx)
{
	const struct rank_candidate candidate = candidate_of(chunk_idx);

	ASSERT_EQ(plan_put(&plan, &candidate), 0);
}

static void
nothing_is_taken(void)
{
	select_bits_free(&plan.set.files);
	select_bits_free(&plan.set.signs);
	select_bits_free(&plan.set.chunks);
	select_bits_free(&plan.set.signature_lines);
	plan.set.nr = 0;
}

/* Beside each set of chunks of both files; what is beyond a room is so. */
static void
test_select_cost_beside_each_set_of_others(void **state)
{
	two_files();
	for (uint32_t set = 0; set < 1u << 2 * CHUNKS; set++) {
		bool has_chunk[2 * CHUNKS + 1] = { false };
		bool has_file[2] = { false };

		nothing_is_taken();
		for (uint32_t c = 0; c < 2 * CHUNKS; c++)
			if (set >> c & 1) {
				has_chunk[c] = true;
				has_file[c / CHUNKS] = true;
				put(c);
			}
		for (uint32_t c = 0; c < 2 * CHUNKS; c++) {
			const struct rank_candidate it = candidate_of(c);
			uint64_t want;

			if (has_chunk[c])
				continue;
			want = cost_beside(c, has_chunk, has_file);
			ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX), want);
			ASSERT_EQ(plan_cost(&plan, &it, want), want);
			/* whatever room, it fits or it does not */
			for (uint64_t room = it.tokens - 1;
			     room <= it.tokens + 1ull; room++)
				ASSERT_EQ(plan_cost(&plan, &it, room) <= room,
					  want <= room);
			ASSERT_TRUE(plan_cost(&plan, &it, want - 1) >= want);
		}
	}
}

/* Where the mark that goes is more than what is missing, it fits. */
static void
test_select_cost_of_what_takes_a_mark_away(void **state)
{
	const bool has_file[2] = { true };
	bool has_chunk[2 * CHUNKS + 1] = { [1] = true, [3] = true };
	struct rank_candidate it;

	two_files();
	put(1);
	put(3);
	it = candidate_of(2);
	ASSERT_EQ(plan_cost(&plan, &it, 399), 400 - gap_cost(2));
	ASSERT_EQ(cost_beside(2, has_chunk, has_file), 400 - gap_cost(2));
	/* not so much more than the longest mark there may be */
	it.tokens = 400 + 1024;
	ASSERT_EQ(plan_cost(&plan, &it, 400), 400 + 1024 - gap_cost(2));
	it.tokens++;
	ASSERT_EQ(plan_cost(&plan, &it, 400), 400 + 1025);
	/* a candidate never costs nothing */
	it.tokens = 2;
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX), 1);
	/* the last chunk of a file has none behind it */
	put(5);
	it = candidate_of(4);
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX), it.tokens);
	ASSERT_EQ(plan_cost(&plan, &it, it.tokens - 1), it.tokens);
}

/* Signatures and lines of a file share a section; a chunk has a mark before it
 * and behind it there. */
static void
test_select_cost_of_signatures_and_lines_in_a_section(void **state)
{
	struct rank_candidate it;
	uint64_t header;

	two_files();
	rig_facts(&rig, 0)->outline_tokens = 50;
	it = signatures_of(0);
	header = count_text(
		"## File: a.c (signatures, all)\n"
		"```\n```\n\n");
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX), 50 + header);
	rig_facts(&rig, 0)->outline_tokens = 60;
	rig_facts(&rig, 0)->bytes = 1ull << 40;
	ASSERT_EQ(plan_put(&plan, &it), 0);
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX), 50);
	it = candidate_of(2);
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX),
		  it.tokens + gap_cost(2));
	put(2);
	it = candidate_of(1);
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX), it.tokens);
	put(0);
	it.tokens = 400;
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX), 400 - gap_cost(1));
	/* less those that it has in full */
	rig_facts(&rig, 0)->bytes = 4000;
	rig_chunk(&rig, 1)->bytes = 400;
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX), 394 - gap_cost(1));
	ASSERT_TRUE(select_bits_has(&plan.set.signs, 0));
	ASSERT_TRUE(!select_bits_has(&plan.set.signs, 1));
	ASSERT_EQ(plan.set.nr, 3);
}

/* Chunk 2 and 3 begin within a definition whose line is in chunk 1. */
static void
add_signature_line(void)
{
	struct chunk_record *line;

	ASSERT_EQ(table_reserve(&rig.run.catalogue.signature_lines,
				9 * sizeof(*line)),
		  0);
	line = catalogue_signature_line(&rig.run.catalogue, 7);
	*line = (struct chunk_record){
		.line_first = 17, .line_nr = 1, .tokens = 9, .in_chunk = 1
	};
	rig_facts(&rig, 0)->signature_line_first = 6;
	rig_chunk(&rig, 2)->signature_line = 2;
	rig_chunk(&rig, 3)->signature_line = 2;
	rig.run.job.keeps_signature_lines = true;
}

static void
test_select_cost_with_a_signature_line_that_is_not_there(void **state)
{
	const bool has_file[2] = { true };
	bool has_chunk[2 * CHUNKS + 1] = { [0] = true };
	uint64_t line = 9 + count_text("// ... (lines 14-16)\n");
	struct rank_candidate it;
	uint64_t idx = 0;

	two_files();
	add_signature_line();
	put(0);
	it = candidate_of(2);
	ASSERT_TRUE(plan_signature_line(&plan, &it, &idx) ==
		    catalogue_signature_line(&rig.run.catalogue, 7));
	ASSERT_EQ(idx, 7);
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX),
		  cost_beside(2, has_chunk, has_file) + line);
	/* signatures and files have none */
	it.unit = RANK_FILE;
	ASSERT_TRUE(plan_signature_line(&plan, &it, &idx) == NULL);
	it = candidate_of(4);
	ASSERT_TRUE(plan_signature_line(&plan, &it, &idx) == NULL);
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX),
		  cost_beside(4, has_chunk, has_file));
	/* it is there once, for both */
	put(2);
	has_chunk[2] = true;
	ASSERT_TRUE(select_bits_has(&plan.set.signature_lines, 7));
	it = candidate_of(3);
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX),
		  cost_beside(3, has_chunk, has_file));
	/* with the chunk that it is in it is not needed */
	nothing_is_taken();
	put(1);
	ASSERT_TRUE(plan_signature_line(&plan, &it, &idx) == NULL);
	put(3);
	ASSERT_TRUE(!select_bits_has(&plan.set.signature_lines, 7));
	/* and what does not keep them pays for none */
	nothing_is_taken();
	put(0);
	rig.run.job.keeps_signature_lines = false;
	has_chunk[2] = false;
	ASSERT_EQ(plan_cost(&plan, &it, UINT64_MAX),
		  cost_beside(3, has_chunk, has_file));
}

/* Of a chunk some lines: their header, or a mark where nothing is beside. */
static void
test_select_cost_around_some_lines(void **state)
{
	const struct select_lines first = { .nr = 4 };
	const struct select_lines middle = { .from = 3, .nr = 4 };
	const struct select_lines all = { .nr = 10, .is_all = true };
	struct rank_candidate it;
	uint64_t mark;

	two_files();
	mark = count_text("// ... (lines 18-20)\n");
	it = candidate_of(2);
	ASSERT_EQ(plan_cost_around(&plan, &it, &first),
		  count_text("## File: a.c (lines 21-24 of 50)\n```\n```\n\n"));
	ASSERT_EQ(plan_cost_around(&plan, &it, &middle),
		  count_text("## File: a.c (lines 24-27 of 50)\n```\n```\n\n"));
	ASSERT_EQ(plan_cost_around(&plan, &it, &all),
		  count_text("## File: a.c (lines 21-30 of 50)\n```\n```\n\n"));
	/* which lines these are, in numbers of other lengths */
	rig_chunk(&rig, 2)->line_first = 996;
	ASSERT_EQ(plan_cost_around(&plan, &it, &first),
		  count_text("## File: a.c (lines 996-999 of 50)\n"
			     "```\n```\n\n"));
	ASSERT_EQ(plan_cost_around(&plan, &it, &middle),
		  count_text("## File: a.c (lines 999-1002 of 50)\n"
			     "```\n```\n\n"));
	ASSERT_EQ(plan_cost_around(&plan, &it, &all),
		  count_text("## File: a.c (lines 996-1005 of 50)\n"
			     "```\n```\n\n"));
	rig_chunk(&rig, 2)->line_first = 21;
	put(4);
	ASSERT_EQ(plan_cost_around(&plan, &it, &first), mark);
	ASSERT_EQ(plan_cost_around(&plan, &it, &all), mark);
	put(1);
	/* the first lines go on from the chunk before, others do not */
	ASSERT_EQ(plan_cost_around(&plan, &it, &first), 0);
	ASSERT_EQ(plan_cost_around(&plan, &it, &middle),
		  count_text("// ... (lines 21-23)\n"));
	ASSERT_EQ(plan_cost_around(&plan, &it, &all), 0);
	put(3);
	ASSERT_EQ(plan_cost_around(&plan, &it, &all), 0);
	ASSERT_EQ(plan_cost_around(&plan, &it, &first), 0);
	it = signatures_of(1);
	ASSERT_EQ(
		plan_cost_around(&plan, &it, &first),
		count_text("## File: b.c (signatures)\n"
			   "```\n```\n\n"));
}

/* What is taken is in the budget, in the set, and no longer kept room for. */
static void
test_select_take_of_what_fits_and_is_new(void **state)
{
	struct rank_candidate it;
	uint64_t used;

	two_files();
	it = candidate_of(2);
	used = 400 + header_cost(2);
	rank_budget_init(&plan.tokens.budget, used - 1,
			 (const uint32_t[CATEGORY_NR]){ 0 });
	it.category = CATEGORY_TREE;
	ASSERT_EQ(plan_consider(&plan, &it), 0);
	ASSERT_EQ(plan.set.nr, 0);
	ASSERT_TRUE(plan.stream.more_left);
	ASSERT_TRUE(plan.stream.wants[CATEGORY_TREE]);
	rank_budget_add(&plan.tokens.budget, 1);
	ASSERT_EQ(plan_consider(&plan, &it), 0);
	ASSERT_EQ(plan.set.nr, 1);
	ASSERT_EQ(plan.tokens.budget.used, used);
	ASSERT_TRUE(select_bits_has(&plan.set.chunks, 2));
	ASSERT_TRUE(select_bits_has(&plan.set.files, 0));
	ASSERT_TRUE(!select_bits_has(&plan.set.files, 1));
	/* the same once more costs nothing */
	rank_budget_add(&plan.tokens.budget, 10000);
	ASSERT_EQ(plan_consider(&plan, &it), 0);
	ASSERT_EQ(plan.set.nr, 1);
	ASSERT_EQ(plan.tokens.budget.used, used);
}

/* Room is kept for a least number of others, the cheapest. */
static void
test_select_take_leaves_room_for_others(void **state)
{
	struct rank_candidate large;
	struct rank_candidate small;
	uint64_t cost;

	two_files();
	large = candidate_of(2);
	large.category = CATEGORY_TREE;
	small = candidate_of(9);
	small.category = CATEGORY_TREE;
	cost = plan_cost(&plan, &large, UINT64_MAX);
	plan.tokens.least.wanted = 2;
	min_chunk_reserve_add(&plan.tokens.least,
			      plan_cost(&plan, &small, UINT64_MAX), 9);
	min_chunk_reserve_add(&plan.tokens.least, 100, 8);
	rank_budget_init(&plan.tokens.budget,
			 cost + plan.tokens.least.cheapest[0].cost - 1,
			 (const uint32_t[CATEGORY_NR]){ 0 });
	ASSERT_EQ(plan_consider(&plan, &large), 0);
	ASSERT_EQ(plan.set.nr, 0);
	rank_budget_add(&plan.tokens.budget, 1);
	ASSERT_EQ(plan_consider(&plan, &large), 0);
	ASSERT_EQ(plan.set.nr, 1);
	ASSERT_EQ(plan.tokens.least.wanted, 1);
	/* the last one needs no room for others */
	ASSERT_EQ(plan_consider(&plan, &small), 0);
	ASSERT_EQ(plan.set.nr, 2);
	ASSERT_EQ(plan.tokens.least.wanted, 0);
	ASSERT_EQ(plan.tokens.least.nr, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_select_bits_are_those_that_were_set),
		PLAN_CASE(test_select_cost_beside_each_set_of_others),
		PLAN_CASE(test_select_cost_of_what_takes_a_mark_away),
		PLAN_CASE(
			test_select_cost_of_signatures_and_lines_in_a_section),
		PLAN_CASE(
			test_select_cost_with_a_signature_line_that_is_not_there),
		PLAN_CASE(test_select_cost_around_some_lines),
		PLAN_CASE(test_select_take_of_what_fits_and_is_new),
		PLAN_CASE(test_select_take_leaves_room_for_others),
	};

	return cmocka_run_group_tests_name("select/take", tests, NULL, NULL);
}
