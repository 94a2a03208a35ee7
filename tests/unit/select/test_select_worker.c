/* SPDX-License-Identifier: MIT */
/*
 * test_select_worker.c - the passes of one select worker: what it asks for when
 * an output was not the one, and whom it lets through.
 */
#include "tests/support/test_select_rig.h"

#include "stages/select/select_cost.h"
#include "stages/select/select_plan.h"
#include "catalogue/line_costs.h"

/*
 * Output that comes to more than the sum of its parts is made again, until
 * it fits; the run never ends above the budget.
 */
/* verifies: FR-016-84, FR-016-88, FR-016-89, NFR-016-23, NFR-016-24,
 * verifies: FR-016c-16, AC-016c-038 */
static void
test_select_over_the_budget_is_made_again_until_it_fits(void **state)
{
	for (int part = -40; part <= 40; part += 16) {
		uint64_t tokens = 0;
		uint64_t pass = 2;

		if (part > -40)
			setup(NULL);
		make_catalogue(400, 6, 1500, 1000000, 45);
		end_survey(100000);
		ASSERT_EQ(rig_step(&rig), STEP_DONE);
		while (!is_over()) {
			int64_t sum = (int64_t)planned_cost();

			ASSERT_TRUE(pass <
				    16); /* 12 tries, and one that settles */
			tokens = (uint64_t)(sum + sum * part / 1000);
			give_verdict(pass++, tokens);
		}
		if (tokens > 100000 || tokens < 99500)
			fail_msg("%d per mille more than expected: got %llu "
				 "tokens, want 99500 to 100000",
				 part, (unsigned long long)tokens);
		if (part < 40)
			teardown(NULL);
	}
}

/* verifies: NFR-016-41, NFR-016-42 */
static void
test_select_place_of_a_changed_file_goes_to_others(void **state)
{
	uint32_t spoilt;

	make_catalogue(100, 6, 2000, 1000000, 46);
	end_survey(40000);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	spoilt = catalogue_chunk(
			 &rig.run.catalogue,
			 catalogue_plan(&rig.run.catalogue, 3)->chunk_idx)
			 ->file_idx;
	rig_facts(&rig, spoilt)->reason = REASON_CHANGED;
	give_verdict(2, 39990);
	ASSERT_TRUE(!is_over());
	want_plan(40000); /* without it */
	assert_plan_is_wanted();
	ASSERT_TRUE(planned_cost() > 39000);
	give_verdict(3, 39990);
	ASSERT_TRUE(is_over());
}

/* The best of three twins; when it changes, the better of the others. */
/* verifies: FR-016-98, FR-016c-22, FR-016c-23 */
static void
test_select_of_twins_the_best_that_can_be_had_is_taken(void **state)
{
	static const int64_t months[] = { 5, 1, 9 };

	for (uint32_t i = 0; i < ARRAY_LEN(months); i++) {
		add_file("a.c", months[i] * MONTH, REASON_NONE);
		add_chunk(100, 7 + i); /* cut in other places */
		if (i > 0)
			make_duplicates(0);
	}
	end_survey(100000);
	ASSERT_EQ(plan_nr(), 1);
	ASSERT_EQ(catalogue_plan(&rig.run.catalogue, 0)->chunk_idx, 2);
	ASSERT_EQ(rig_facts(&rig, 0)->same_as, 2);
	ASSERT_EQ(rig_facts(&rig, 1)->same_as, 2);
	ASSERT_EQ(rig_facts(&rig, 2)->same_as, FILE_NONE);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	rig_facts(&rig, 2)->reason = REASON_CHANGED;
	give_verdict(2, 100);
	ASSERT_EQ(plan_nr(), 1);
	ASSERT_EQ(catalogue_plan(&rig.run.catalogue, 0)->chunk_idx, 0);
	ASSERT_EQ(rig_facts(&rig, 0)->same_as, FILE_NONE);
	ASSERT_EQ(rig_facts(&rig, 1)->same_as, 0);
}

/* Files that change each time do not keep the run from its end. */
static void
test_select_files_that_go_on_changing_come_to_an_end(void **state)
{
	uint64_t pass = 2;

	make_catalogue(400, 3, 200, 1000000, 47);
	end_survey(5000);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	while (!is_over()) {
		uint64_t chunk =
			catalogue_plan(&rig.run.catalogue, 0)->chunk_idx;

		ASSERT_TRUE(pass < 50);
		rig_facts(&rig,
			  catalogue_chunk(&rig.run.catalogue, chunk)->file_idx)
			->reason = REASON_CHANGED;
		give_verdict(pass++, 4990);
	}
	ASSERT_TRUE(pass > 20);
}

/* verifies: NFR-016c-09 */
static void
test_select_passes_on_what_it_gets_in_order(void **state)
{
	struct desc desc;
	uint32_t pushed = 0;
	uint32_t popped = 0;

	rig_attach(&rig, STAGE_SELECT, 0);
	while (popped < 3000) {
		while (pushed < 3000 &&
		       rig_used(&rig, EDGE_UNIQUE, 0) <
			       edge_table[EDGE_UNIQUE].entry_nr) {
			desc = (struct desc){ .kind = DESC_RUN,
					      .file_idx = pushed++,
					      .slab_idx = SLAB_NONE };
			rig_push(&rig, EDGE_UNIQUE, 0, &desc);
		}
		while (rig_step_twice(&rig) == STEP_DONE)
			;
		ASSERT_TRUE(rig_used(&rig, EDGE_SELECTED, 0) > 0);
		for (int i = 0; i < 700; i++) {
			if (!rig_pop(&rig, EDGE_SELECTED, 0, &desc))
				break;
			ASSERT_EQ(desc.kind, DESC_RUN);
			ASSERT_EQ(desc.file_idx, popped++);
		}
	}
	ASSERT_EQ(popped, 3000);
}

static void
test_select_of_everything_ends_with_the_first_verdict(void **state)
{
	struct control_shm *control = rig.run.segment.control;

	rig_attach(&rig, STAGE_SELECT, 0);
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	ASSERT_TRUE(!is_over());
	control->verdict.tokens = 1ull << 40;
	atomic_store_explicit(&control->verdict_pass, 1, memory_order_release);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_TRUE(is_over());
}

/* Plans as they are made one after the other, and how many: of a process that
 * lives, or of one that dies each time. */
static size_t
make_plans(int (*step)(struct rig *), uint64_t *chunks, size_t max)
{
	uint64_t pass = 2;
	size_t nr = 0;

	make_catalogue(400, 6, 1500, 1000000, 45);
	end_survey(100000);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	while (!is_over()) {
		uint64_t tokens = planned_cost() * 103 / 100;

		for (uint64_t i = 0; i < plan_nr() && nr < max; i++)
			chunks[nr++] = catalogue_plan(&rig.run.catalogue, i)
					       ->chunk_idx;
		/* one of its files changes on the way */
		if (pass == 3)
			rig_facts(&rig, catalogue_chunk(&rig.run.catalogue,
							chunks[nr - 1])
						->file_idx)
				->reason = REASON_CHANGED;
		give_verdict_to(step, pass++, tokens);
	}
	ASSERT_TRUE(pass > 4 && nr < max);
	return nr;
}

/* What a plan leaves to the next one is what that would find. */
/* verifies: NFR-016-29 */
static void
test_select_plans_of_one_process_are_those_of_many(void **state)
{
	static uint64_t of_one[100000];
	static uint64_t of_many[100000];
	size_t nr = make_plans(rig_step, of_one, ARRAY_LEN(of_one));

	teardown(NULL);
	setup(NULL);
	ASSERT_EQ(make_plans(rig_step_twice, of_many, ARRAY_LEN(of_many)), nr);
	ASSERT_EQ(memcmp(of_one, of_many, nr * sizeof(of_one[0])), 0);
}

/* Makes a plan as the worker has it made. */
static struct plan_result
make_plan(const struct plan_target *aim)
{
	struct control_shm *control = rig.run.segment.control;
	struct planner *planner = rig.worker.scratch;
	struct plan_result made;

	planner->line_cost_nr = control->verdict.line_cost_nr;
	ASSERT_EQ(select_make_plan(planner, aim, 0, &made), 0);
	atomic_store(&control->plan_nr, planner->plan_nr);
	return made;
}

/* Makes a plan with an edge, or without one. */
static struct plan_result
planned_with(enum rank_edges edges, int64_t wrong)
{
	const struct plan_target aim = { .limit = 20000,
					 .available = 21000,
					 .wrong = wrong,
					 .edges = (uint8_t)edges };

	return make_plan(&aim);
}

/* Entries that are there up to a line, or that are measured. */
static uint32_t
truncated_nr(void)
{
	uint32_t nr = 0;

	for (uint64_t i = 0; i < plan_nr(); i++)
		nr += catalogue_plan(&rig.run.catalogue, i)->kept_lines != 0;
	return nr;
}

/* Behind what the limit takes: to be measured; then as much as fits. */
static void
test_select_edge_is_what_the_limit_has_no_room_for(void **state)
{
	uint64_t plain_nr;
	struct plan_result plain;
	struct plan_result made;

	make_catalogue(300, 6, 400, 1000000, 48);
	end_survey(40000);
	plain = planned_with(RANK_EDGES_NONE, 0);
	plain_nr = plan_nr();
	ASSERT_TRUE(plain.planned > 19000 && plain.planned <= 20000);
	ASSERT_EQ(plain.edge_nr + truncated_nr(), 0);
	made = planned_with(RANK_EDGES_MEASURED, 0);
	ASSERT_EQ(made.planned, plain.planned);
	ASSERT_TRUE(made.edge_nr >= 32);
	ASSERT_EQ(truncated_nr(), made.edge_nr);
	ASSERT_EQ(plan_nr(), plain_nr + made.edge_nr);
	made = planned_with(RANK_EDGES_CUT, 0);
	ASSERT_EQ(made.planned, plain.planned);
	ASSERT_TRUE(made.fills && truncated_nr() <= 1);
	ASSERT_EQ(plan_nr(), plain_nr + made.edge_nr);
	ASSERT_TRUE(made.planned + made.edge_tokens <= 21000);
	ASSERT_TRUE(made.planned + made.edge_tokens >= 21000 - 105);
	/* it came to more than that: less is taken */
	made = planned_with(RANK_EDGES_CUT, 300);
	ASSERT_TRUE(made.planned + made.edge_tokens <= 20700);
	ASSERT_TRUE(made.planned + made.edge_tokens >= 20700 - 105);
}

/* What lines came to counts, not the mean: here the first ones cost most. */
static void
test_select_edge_is_cut_where_its_lines_say(void **state)
{
	const struct plan_target aim = { .limit = 900,
					 .available = 960,
					 .edges = RANK_EDGES_CUT };
	struct control_shm *control = rig.run.segment.control;
	struct catalogue *catalogue = &rig.run.catalogue;
	struct plan_result made;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(700, 1);
	add_chunk(1000, 2);
	catalogue_chunk(catalogue, 0)->line_nr = 70;
	catalogue_chunk(catalogue, 1)->line_first = 71;
	catalogue_chunk(catalogue, 1)->line_nr = 20;
	end_survey(960);
	ASSERT_EQ(table_reserve(&catalogue->line_costs,
				21 * sizeof(struct line_cost)),
		  0);
	for (uint32_t i = 0; i <= 20; i++)
		*catalogue_line_cost(catalogue, i) = (struct line_cost){
			.tokens = 5000 + (i < 8 ? i * 100 : 800 + i),
			.line = 70 + i,
		};
	control->verdict.line_cost_nr = 21;
	made = make_plan(&aim);
	ASSERT_EQ(plan_nr(), 2);
	ASSERT_EQ(catalogue_plan(catalogue, 1)->kept_lines, 2);
	ASSERT_TRUE(made.edge_tokens >= 200 && made.edge_tokens < 220);
}

/*
 * As format writes it, but for the place where what is left out begins, which
 * is known later: an eighth before its end.
 */
static void
test_select_cost_of_a_gap_is_that_of_its_mark(void **state)
{
	/* three digits are a token: where one more digit is one more of them */
	static const uint64_t lines[] = { 1,    2,    3,    9,       100,
					  1000, 1001, 1143, 1000001, 99999999 };
	static struct select_cost cost;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(100, 1);
	end_survey(1000);
	select_cost_init(&cost, rig.worker.scratch);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		const struct select_part part = { .lines.first = lines[i],
						  .lines.last = lines[i] + 9 };
		uint64_t last = lines[i] < 2 ? 1 : lines[i] - 1;
		char mark[80];

		snprintf(mark, sizeof(mark), "// ... (lines %llu-%llu)\n",
			 (unsigned long long)(last - last / 8),
			 (unsigned long long)last);
		ASSERT_EQ(select_cost_gap(&cost, &part), count_text(mark));
	}
}

/* Of runs of marks and of dots too long to be made, each is a token. */
static void
test_select_cost_of_endless_marks_is_a_token_each(void **state)
{
	const struct select_part part = { .lines.first = 5, .lines.last = 9 };
	static struct select_cost cost;
	uint64_t gap;
	uint64_t section;
	struct file_facts *facts;

	facts = add_file("a.c", 0, REASON_NONE);
	add_chunk(100, 1);
	end_survey(1000);
	select_cost_init(&cost, rig.worker.scratch);
	facts->mark_run = facts->dot_run = 4096;
	gap = select_cost_gap(&cost, &part);
	section = select_cost_section(&cost, &part);
	facts->mark_run += 100;
	ASSERT_EQ(select_cost_gap(&cost, &part), gap + 200);
	ASSERT_EQ(select_cost_section(&cost, &part), section + 200);
	facts->dot_run += 7;
	ASSERT_EQ(select_cost_gap(&cost, &part), gap + 207);
	ASSERT_EQ(select_cost_section(&cost, &part), section + 207);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_select_over_the_budget_is_made_again_until_it_fits),
		CASE(test_select_place_of_a_changed_file_goes_to_others),
		CASE(test_select_of_twins_the_best_that_can_be_had_is_taken),
		CASE(test_select_files_that_go_on_changing_come_to_an_end),
		CASE(test_select_plans_of_one_process_are_those_of_many),
		CASE(test_select_passes_on_what_it_gets_in_order),
		CASE(test_select_of_everything_ends_with_the_first_verdict),
		CASE(test_select_edge_is_what_the_limit_has_no_room_for),
		CASE(test_select_edge_is_cut_where_its_lines_say),
		CASE(test_select_cost_of_a_gap_is_that_of_its_mark),
		CASE(test_select_cost_of_endless_marks_is_a_token_each),
	};

	return cmocka_run_group_tests_name("select/worker", tests, NULL, NULL);
}
