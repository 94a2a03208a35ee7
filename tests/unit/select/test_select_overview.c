/* SPDX-License-Identifier: MIT */
/*
 * test_select_overview.c - README and manifests, signatures, chunks: what an
 * overview has of files.
 */
#include "tests/support/test_select_planner.h"

#include "rank/overview.h"

/* A file of equal chunks; its signatures have a fifth of its tokens. */
static struct names *
add(const char *path, uint32_t chunks, uint32_t tokens)
{
	struct file_facts *facts = add_file(path, 0, REASON_NONE);
	struct names *names;

	for (uint32_t i = 0; i < chunks; i++)
		add_chunk(tokens, 1000ull * (file_nr + 1) + i);
	facts->tokens = (uint64_t)chunks * tokens;
	facts->outline_tokens = chunks * tokens / 5;
	facts->line_nr = 10 * chunks;
	facts->bytes = 4 * facts->tokens;
	memset(facts->outline_fingerprint, (int)file_nr,
	       sizeof(facts->outline_fingerprint));
	names = add_name(
		file_nr - 1,
		(struct name_entry){ .line = 1, .flags = NAME_EXPORTED },
		"name");
	names->def_nr = 1;
	names->outline_lines = chunks * 4;
	return names;
}

static void
make_plan_of(uint64_t available)
{
	is_overview = true;
	rig.run.job.tiers = true;
	rig.run.job.is_broad = true;
	plan_open(available);
	ASSERT_EQ(select_find_traits(planner), 0);
	plan_score();
	plan.by_tiers = true;
	ASSERT_EQ(plan_fill_overview(&plan), 0);
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

/* The top of README and of a manifest, only of the top directory. */
static void
test_select_overview_begins_with_the_frame(void **state)
{
	const struct chunk_record *record;
	const struct plan_head *head;

	add("Makefile", 1, 50);
	add("README.md", 40, 600);
	add("a.c", 90, 300);
	add("lib/README.md", 40, 400);
	make_plan_of(20000);
	ASSERT_EQ(chunks_in(0), 1);
	ASSERT_EQ(chunks_in(1), 2);
	head = plan_find_head(&plan, rig_facts(&rig, 1)->chunk_first + 1);
	ASSERT_TRUE(head != NULL);
	record = rig_chunk(&rig, head->chunk_idx);
	ASSERT_TRUE(head->lines > 0 && head->lines < record->line_nr);
	ASSERT_EQ(head->tokens, record->tokens * head->lines / record->line_nr);
	ASSERT_TRUE(plan_find_head(&plan, rig_facts(&rig, 1)->chunk_first) ==
		    NULL);
	ASSERT_EQ(chunks_in(3), 0);
	ASSERT_TRUE(plan.stream.more_left);
}

/* Many files by some lines of their signatures; tests are not among them. */
static void
test_select_overview_is_broad_before_it_is_deep(void **state)
{
	char path[32];
	uint32_t signs = 0;

	for (int i = 0; i < 60; i++) {
		snprintf(path, sizeof(path), "src/a%02d.c", i);
		add(path, 20, 200);
	}
	add("tests/test_a.c", 20, 200);
	make_plan_of(10000);
	for (uint32_t i = 0; i < 60; i++) {
		signs += select_bits_has(&plan.set.signs, i);
		ASSERT_TRUE(plan.overview.tokens_nr <= i ||
			    plan.overview.tokens[i] <=
				    overview_file_tokens(10000) + 60);
	}
	ASSERT_EQ(signs, 60);
	ASSERT_TRUE(!select_bits_has(&plan.set.signs, 60));
	ASSERT_EQ(chunks_in(60), 0);
	ASSERT_TRUE(plan.tokens.budget.used <= 10000);
	ASSERT_TRUE(plan.tokens.budget.used > 9000);
}

/* Of what defines nothing there are no signatures: it is short, or deep. */
static void
test_select_overview_has_no_long_script_in_its_breadth(void **state)
{
	char path[32];

	for (int i = 0; i < 60; i++) {
		snprintf(path, sizeof(path), "src/a%02d.c", i);
		add(path, 20, 200);
	}
	for (uint32_t i = 60; i < 62; i++) {
		snprintf(path, sizeof(path), "src/b%02u.c", i);
		add(path, 1, i == 60 ? 30 : 400)->def_nr = 0;
		rig_facts(&rig, i)->outline_tokens = 0;
	}
	make_plan_of(10000);
	ASSERT_EQ(chunks_in(60), 1);
	ASSERT_EQ(chunks_in(61), 0);
}

/* A file has its share by its tokens, however many bytes they have. */
static void
test_select_overview_fills_the_share_of_a_file(void **state)
{
	char path[32];
	uint32_t most = 0;

	for (int i = 0; i < 40; i++) {
		snprintf(path, sizeof(path), "src/a%02d.c", i);
		add(path, 100, 50);
		for (uint32_t c = 0; c < 100; c++)
			rig_chunk(&rig, 100u * (uint32_t)i + c)->bytes = 600;
	}
	make_plan_of(10000);
	for (uint32_t i = 0; i < 40; i++)
		most = (uint32_t)max_u64(most, 50u * chunks_in(i));
	ASSERT_TRUE(most > 250 && most <= overview_file_tokens(10000));
}

/* What there is room for is there: texts and tests behind the code. */
static void
test_select_overview_ends_with_what_is_left(void **state)
{
	add("a.c", 3, 100);
	add("notes.md", 3, 100);
	add("tests/test_a.c", 3, 100);
	make_plan_of(1200);
	ASSERT_EQ(chunks_in(0), 3);
	ASSERT_TRUE(!select_bits_has(&plan.set.signs, 0));
	ASSERT_EQ(chunks_in(1), 3);
	ASSERT_EQ(chunks_in(2), 3);
	ASSERT_TRUE(!plan.stream.more_left);
}

/* So many lines of the signatures are there as they are worth, and a part of their
 * room is unused. */
static void
test_select_overview_signatures_are_there_in_part(void **state)
{
	const struct rank_candidate candidate = { .tokens = 100,
						  .unit = RANK_SIGNATURES };
	struct plan_signatures signatures;
	uint64_t all;

	add("a.c", 100, 300);
	is_overview = true;
	plan_open(2000);
	plan_score();
	select_scores_file(&plan.scores, 0);
	signatures = plan_signatures(&plan, 0);
	ASSERT_EQ(signatures.lines, 0);
	ASSERT_EQ(signatures.tokens, 6000);
	all = plan_cost(&plan, &candidate, UINT64_MAX);
	plan.overview.breadth = 1000;
	signatures = plan_signatures(&plan, 0);
	ASSERT_TRUE(signatures.lines > 0 && signatures.lines < 400);
	ASSERT_TRUE(signatures.tokens < 6000 * signatures.lines / 400);
	ASSERT_TRUE(signatures.tokens > 6000 * signatures.lines / 400 * 4 / 5);
	ASSERT_EQ(signatures.thought, signatures.tokens);
	/* no header says that all are there */
	ASSERT_TRUE(plan_cost(&plan, &candidate, UINT64_MAX) < all);
}

/* What an output had of them is what they cost; what a chunk of the file saves of
 * them is thought to be the same. */
static void
test_select_overview_goes_by_what_an_output_had(void **state)
{
	struct plan_signatures thought;
	struct plan_signatures counted;
	uint64_t saved;

	add("a.c", 100, 300);
	is_overview = true;
	plan_open(2000);
	plan_score();
	select_scores_file(&plan.scores, 0);
	plan.overview.breadth = 1000;
	thought = plan_signatures(&plan, 0);
	rig_chunk(&rig, 0)->bytes = 4 * 3000;
	saved = plan_needless_signatures(&plan, 0);
	ASSERT_TRUE(saved > 0);
	*catalogue_traits(&rig.run.catalogue, 0) =
		(struct file_traits){ .part_tokens = 1 + 50,
				      .part_lines = thought.lines };
	counted = plan_signatures(&plan, 0);
	ASSERT_EQ(counted.lines, thought.lines);
	ASSERT_EQ(counted.thought, thought.tokens);
	ASSERT_EQ(counted.tokens, 50);
	ASSERT_EQ(plan_needless_signatures(&plan, 0), saved);
	/* of twice as many lines it was half */
	catalogue_traits(&rig.run.catalogue, 0)->part_lines *= 2;
	ASSERT_EQ(plan_signatures(&plan, 0).tokens, 25);
	/* it was nothing: chunks have all of them */
	catalogue_traits(&rig.run.catalogue, 0)->part_tokens = 1;
	ASSERT_EQ(plan_signatures(&plan, 0).tokens, 0);
	/* it was all of them: that says nothing of a part */
	catalogue_traits(&rig.run.catalogue, 0)->part_lines = 0;
	ASSERT_EQ(plan_signatures(&plan, 0).tokens, thought.tokens);
}

/* The next plan of the same planner, with what the last one left or, but for how
 * generous it was, without. */
static void
make_next(uint64_t available, bool with_kept)
{
	struct outline_scale scale = *planner->outline_scale;

	plan_end();
	if (!with_kept) {
		select_plan_forget(planner);
		*planner->outline_scale = scale;
	}
	plan_begin(available);
	plan_score();
	plan.by_tiers = true;
	ASSERT_EQ(plan_fill_overview(&plan), 0);
}

/* Windows that are kept make the plan that a scan makes. */
static void
test_select_overview_is_the_same_after_another_plan(void **state)
{
	static const uint64_t limits[] = { 900, 30000, 9000, 9100, 150000 };
	uint32_t scale;
	char path[32];

	add("README.md", 40, 60);
	for (uint32_t i = 0; i < 60; i++) {
		snprintf(path, sizeof(path), "src/a%02u.c", i);
		add(path, 1 + i % 20, 30 + i % 7 * 90);
	}
	make_plan_of(20000);
	scale = plan.overview.scale;
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		static uint8_t chunks[CHUNKS_MAX];
		static uint8_t signs[61];
		uint64_t used;
		bool more_left;

		make_next(limits[i], true);
		ASSERT_EQ(plan.overview.scale, scale);
		ASSERT_TRUE(plan.kept->windows[KEPT_FRAME].is_kept &&
			    plan.kept->windows[KEPT_BREADTH].is_kept);
		used = plan.tokens.budget.used;
		more_left = plan.stream.more_left;
		for (uint64_t c = 0; c < chunk_nr; c++)
			chunks[c] = select_bits_has(&plan.set.chunks, c);
		for (uint32_t f = 0; f < file_nr; f++)
			signs[f] = select_bits_has(&plan.set.signs, f);
		make_next(limits[i], false);
		ASSERT_EQ(plan.tokens.budget.used, used);
		ASSERT_EQ(plan.stream.more_left, more_left);
		for (uint64_t c = 0; c < chunk_nr; c++)
			ASSERT_EQ(select_bits_has(&plan.set.chunks, c),
				  chunks[c]);
		for (uint32_t f = 0; f < file_nr; f++)
			ASSERT_EQ(select_bits_has(&plan.set.signs, f),
				  signs[f]);
	}
}

/* How many candidates of a file are added to a window that is full, whose worst
 * has a score. */
static size_t
added_to(uint32_t file_idx, uint32_t score)
{
	struct rank_candidates *window = &plan.stream.window;

	plan_begin_windows(&plan, ROUND_DEPTH);
	window->heap[0].score = score;
	window->nr = 1;
	window->passed_over = 1;
	select_scores_file(&plan.scores, file_idx);
	plan_add_overview(&plan, file_idx);
	return window->nr - 1;
}

/* What could not be better than the worst is not looked at. */
static void
test_select_overview_leaves_files_aside_that_are_not_good_enough(void **state)
{
	uint32_t best = overview_depth(
		&(struct overview_chunk){ .relevance = 1000000 });

	add("src/a.c", 7, 100);
	add("README.md", 3, 100);
	make_plan_of(100);
	ASSERT_EQ(added_to(0, 0), 7);
	ASSERT_EQ(added_to(0, best + 1), 0);
	/* one that is pinned may leave no room for the best */
	plan_end();
	plan_begin(10000);
	plan_score();
	ASSERT_EQ(added_to(0, best + 1), 0);
	rig.run.job.pin_nr = 1;
	ASSERT_EQ(added_to(0, best + 1), 7);
	rig.run.job.pin_nr = 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_overview_begins_with_the_frame),
		PLAN_CASE(test_select_overview_is_broad_before_it_is_deep),
		PLAN_CASE(
			test_select_overview_has_no_long_script_in_its_breadth),
		PLAN_CASE(test_select_overview_fills_the_share_of_a_file),
		PLAN_CASE(test_select_overview_ends_with_what_is_left),
		PLAN_CASE(test_select_overview_signatures_are_there_in_part),
		PLAN_CASE(test_select_overview_goes_by_what_an_output_had),
		PLAN_CASE(test_select_overview_is_the_same_after_another_plan),
		PLAN_CASE(
			test_select_overview_leaves_files_aside_that_are_not_good_enough),
	};

	return cmocka_run_group_tests_name("select/select_overview", tests,
					   NULL, NULL);
}
