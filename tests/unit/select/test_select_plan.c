/* SPDX-License-Identifier: MIT */
/*
 * test_select_plan.c - plans of one select worker over catalogues made up from
 * a seed, against filling from a full sort.
 */
#include "tests/support/test_select_rig.h"

#include <sys/resource.h>

#include "catalogue/kept.h"
#include "catalogue/traits.h"
#include "stages/select/select_plan.h"

/* A process that does more than it was written to do needs more memory. */
#define HEAP_BYTES (IS_SANITIZED ? RLIM_INFINITY : (rlim_t)8 << 20)

/* How much private memory this process has. */
static rlim_t
heap_bytes(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	unsigned long kib = 0;
	char line[256];

	ASSERT_TRUE(file != NULL);
	while (fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "VmData: %lu", &kib) == 1)
			break;
	fclose(file);
	ASSERT_TRUE(kib > 0);
	return (rlim_t)kib << 10;
}

/* From now on so much more of it can be had. */
static void
limit_heap(rlim_t more)
{
	struct rlimit limit;

	ASSERT_EQ(getrlimit(RLIMIT_DATA, &limit), 0);
	limit.rlim_cur =
		more == RLIM_INFINITY ? limit.rlim_max : heap_bytes() + more;
	ASSERT_EQ(setrlimit(RLIMIT_DATA, &limit), 0);
}

/*
 * verifies: FR-016-107, FR-016-108, FR-016-109, FR-016-110, FR-016-111,
 * verifies: FR-016-112, FR-016-113, FR-016-114, NFR-016-24, NFR-016-34,
 * verifies: FR-016c-22, FR-016c-23, FR-016c-29, FR-016c-30, AC-016c-024,
 * verifies: AC-016c-025, AC-016c-040, AC-016c-043, AC-016c-053
 */
static void
test_select_plan_is_that_of_filling_from_a_full_sort(void **state)
{
	static const struct {
		uint32_t files;
		uint32_t chunks_max;
		uint32_t tokens_max;
		uint64_t prints;
		uint64_t budget;
	} cases[] = {
		{ 100, 6, 2000, 1000000, 50000 },
		{ 100, 6, 2000, 120, 50000 }, /* many of the same content */
		{ 300, 4, 30, 1000000, 4000 },
		{ 50, 10, 2000, 1000000, 3000 },
		{ 50, 10, 2000, 1000000, 100000000 }, /* everything */
	};

	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		uint64_t used;

		if (c > 0)
			setup(NULL);
		make_catalogue(cases[c].files, cases[c].chunks_max,
			       cases[c].tokens_max, cases[c].prints, 31 + c);
		end_survey(cases[c].budget);
		used = want_plan(cases[c].budget);
		ASSERT_TRUE(used <= cases[c].budget);
		ASSERT_TRUE(c == 4 || used > cases[c].budget * 98 / 100);
		if (c == 4 || cases[c].budget - used <= cases[c].budget / 400)
			assert_plan_is_wanted();
		else
			assert_plan_fills_better(cases[c].budget, used);
		if (c + 1 < ARRAY_LEN(cases))
			teardown(NULL);
	}
}

/* More candidates than are looked at together, as long as there is more room than
 * the edge fills. */
/* verifies: NFR-016c-18 */
static void
test_select_more_than_a_window_is_all_considered(void **state)
{
	for (uint32_t i = 0; i < 10; i++) {
		char path[20];

		snprintf(path, sizeof(path), "f%u.c", i);
		add_file(path, i, REASON_NONE);
		/* the later, the better: the windows end within files */
		for (uint32_t c = 0; c < 7000; c++)
			add_chunk(c % 700 == 0 ? 4000 : 500000, chunk_nr);
	}
	/* room for ten great ones, a hundred small ones with their marks and
	 * the headers */
	end_survey(10 * 500000 + 100 * (4000 + 12) + 10 * 30);
	want_plan(10 * 500000 + 100 * (4000 + 12) + 10 * 30);
	assert_plan_is_wanted();
	ASSERT_TRUE(chunk_nr > 2 * RANK_CANDIDATES);
	ASSERT_TRUE(wanted_nr > 60);
}

/* Most of nine windows, more than are found by a look at all for each of
 * them. Every third content is there twice. */
/* verifies: FR-016-94, NFR-016-14, NFR-016c-18 */
static void
test_select_window_after_window_is_that_of_a_full_sort(void **state)
{
	const uint64_t budget = 20000000;
	uint64_t seed = 77;
	uint64_t used;

	for (uint32_t i = 0; i < 1000; i++) {
		char path[20];

		snprintf(path, sizeof(path), "f%03u.c", i);
		add_file(path, i * 7919 % 40 * MONTH, REASON_NONE);
		for (uint32_t c = 0; c < 9 * RANK_CANDIDATES / 1000; c++) {
			uint64_t tokens = 1 + random_next(&seed) % 200;

			add_chunk((uint32_t)tokens,
				  chunk_nr % 3 == 0 ? chunk_nr / 2 : chunk_nr);
		}
	}
	/* what is taken, too, needs no memory of its own */
	limit_heap(HEAP_BYTES);
	end_survey(budget);
	limit_heap(RLIM_INFINITY);
	used = want_plan(budget);
	ASSERT_TRUE(used <= budget && used > budget * 999 / 1000);
	ASSERT_TRUE(wanted_nr > 5 * RANK_CANDIDATES);
	assert_plan_is_wanted();
}

/*
 * A dozen windows of candidates, of which none is small enough for what the
 * first leaves: they are dropped, not looked at one window after the other.
 */
/* verifies: NFR-016-14, NFR-016c-18 */
static void
test_select_what_cannot_fit_any_more_is_dropped(void **state)
{
	const uint64_t budget = 20000;
	_Atomic uint64_t looks = 0;
	uint64_t once;

	for (uint32_t i = 0; i < 20; i++) {
		char path[20];

		snprintf(path, sizeof(path), "f%02u.c", i);
		add_file(path, i, REASON_NONE);
		for (uint32_t c = 0; c < RANK_CANDIDATES * 12 / 20; c++)
			add_chunk(900 + c % 100, chunk_nr);
	}
	/* by the pages of the tables that are looked at */
	table_beat(&looks);
	for (uint64_t i = 0; i < chunk_nr; i++)
		catalogue_chunk(&rig.run.catalogue, i);
	once = atomic_load(&looks);
	end_survey(budget);
	table_beat(NULL);
	ASSERT_TRUE(once > 0 && atomic_load(&looks) <= 8 * once);
	ASSERT_TRUE(atomic_load(&rig.run.segment.control->plan_nr) >= 20);
}

/* verifies: FR-016-68, FR-016-69, NFR-016-29, R3, R5 */
static void
test_select_plan_made_again_after_a_death_is_the_same(void **state)
{
	make_catalogue(200, 5, 2000, 300, 41);
	rig.run.job.budget_tokens = 60000;
	job_resolve(&rig.run.job);
	rig_attach(&rig, STAGE_SELECT, 0);
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step_uncommitted(&rig, false), STEP_DONE);
	rig_die(&rig);
	ASSERT_EQ(requested_pass(), 0); /* nobody has been told of it */
	want_plan(60000);
	memset(table_at(&rig.run.catalogue.plan, 0,
			wanted_nr * sizeof(struct plan_entry)),
	       0xdd, wanted_nr * sizeof(struct plan_entry));
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	assert_plan_is_wanted();
	rig_die(&rig);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	ASSERT_EQ(requested_pass(), 2);
	ASSERT_TRUE(!is_over());
}

/* verifies: FR-016-80, AC-016c-012, AC-016c-013, AC-016c-014, FR-016c-09 */
static void
test_select_reserves_are_taken_off_first(void **state)
{
	make_catalogue(100, 6, 2000, 1000000, 42);
	rig.run.job.response_reserve_tokens = 7000;
	rig.run.job.system_reserve_tokens = 3000;
	job_resolve(&rig.run.job);
	end_survey(60000);
	want_plan(50000);
	assert_plan_is_wanted();
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	/* the verdict is of what is available, not of the total */
	give_verdict(2, 50001);
	ASSERT_TRUE(!is_over());
	give_verdict(3, 50000);
	ASSERT_TRUE(is_over());
}

static void
test_select_reserves_greater_than_the_budget_leave_nothing(void **state)
{
	make_catalogue(20, 6, 2000, 1000000, 43);
	rig.run.job.response_reserve_tokens = UINT64_MAX - 5;
	rig.run.job.system_reserve_tokens = 3000;
	job_resolve(&rig.run.job);
	end_survey(60000);
	ASSERT_EQ(plan_nr(), 0);
}

/* verifies: NFR-016-36, NFR-016-37, NFR-016-39, NFR-016c-07, FR-016-113 */
static void
test_select_small_cases_come_out_as_they_must(void **state)
{
	static const struct {
		const char *name;
		uint32_t chunks;
		uint32_t tokens;
		uint64_t budget;
		bool and_header; /* the budget is so much more */
		uint64_t want;
		uint64_t truncated; /* and then, of a chunk up to a line */
	} cases[] = {
		{ "no file", 0, 0, 1000, false, 0, 0 },
		{ "no budget", 1, 10, 0, false, 0, 0 },
		{ "one chunk", 1, 10, 1000, false, 1, 0 },
		/* what is a little more is tried: as one text it may fit */
		{ "one chunk, no room for it", 1, 1000, 900, true, 0, 1 },
		{ "one chunk, just room for it", 1, 1000, 1000, true, 1, 0 },
		{ "one chunk too large", 1, 2000, 1000, false, 0, 1 },
		{ "all of them", 3, 10, 1000, false, 3, 0 },
		{ "all but one", 3, 1000, 2800, true, 2, 0 },
	};

	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		if (c > 0)
			setup(NULL);
		if (cases[c].chunks > 0)
			add_file("a.c", 0, REASON_NONE);
		for (uint32_t i = 0; i < cases[c].chunks; i++)
			add_chunk(cases[c].tokens, i);
		end_survey(cases[c].budget +
			   (cases[c].and_header ? header_cost(0) : 0));
		if (plan_nr() != cases[c].want)
			fail_msg("%s: got %llu chunks, want %llu",
				 cases[c].name, (unsigned long long)plan_nr(),
				 (unsigned long long)cases[c].want);
		/* an empty plan is not gathered; part of a chunk may be */
		for (int i = 0; i < 3 && !is_over() && requested_pass() == 0;
		     i++)
			ASSERT_EQ(rig_step(&rig), STEP_DONE);
		if (cases[c].truncated > 0)
			ASSERT_TRUE(catalogue_plan(&rig.run.catalogue, 0)
					    ->kept_lines > 0);
		ASSERT_EQ(plan_nr(), cases[c].want + cases[c].truncated);
		ASSERT_EQ(is_over(), plan_nr() == 0);
		ASSERT_EQ(requested_pass(), plan_nr() == 0 ? 0 : 2);
		if (c + 1 < ARRAY_LEN(cases))
			teardown(NULL);
	}
}

/* Estimates are of each part: what is less as one text is there in full. */
static void
test_select_all_is_tried_where_it_is_a_little_more(void **state)
{
	add_file("a.c", 0, REASON_NONE);
	for (uint32_t i = 0; i < 3; i++)
		add_chunk(1000, i);
	end_survey(2990 + header_cost(0));
	ASSERT_EQ(plan_nr(), 3);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	give_verdict(2, 2991 + header_cost(0));
	ASSERT_TRUE(!is_over());
	/* it was over: the best of them, within the limit */
	ASSERT_EQ(plan_nr(), 2);
	ASSERT_EQ(requested_pass(), 3);
	teardown(NULL);
	setup(NULL);
	add_file("a.c", 0, REASON_NONE);
	for (uint32_t i = 0; i < 3; i++)
		add_chunk(1000, i);
	end_survey(2990 + header_cost(0));
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	give_verdict(2, 2990 + header_cost(0));
	ASSERT_TRUE(is_over());
	ASSERT_EQ(plan_nr(), 3);
}

/* verifies: FR-016-98, FR-016c-22, AC-016c-024, AC-016c-025 */
static void
test_select_of_the_same_content_the_better_is_taken(void **state)
{
	add_file("deep/er/old.c", 1 * MONTH, REASON_NONE);
	add_chunk(100, 7);
	add_file("new.c", 9 * MONTH, REASON_NONE);
	add_chunk(100, 7);
	end_survey(100000);
	ASSERT_EQ(plan_nr(), 1);
	ASSERT_EQ(catalogue_plan(&rig.run.catalogue, 0)->chunk_idx, 1);
}

static bool
is_in_plan(uint64_t chunk_idx)
{
	for (uint64_t i = 0; i < plan_nr(); i++)
		if (catalogue_plan(&rig.run.catalogue, i)->chunk_idx ==
		    chunk_idx)
			return true;
	return false;
}

/* Of chunks with the same content only one counts for the least number. */
static void
test_select_least_number_is_of_chunks_that_differ(void **state)
{
	static const struct {
		uint32_t tokens;
		uint64_t print;
	} chunks[] = { { 300, 1 }, { 50, 2 }, { 60, 3 }, { 60, 3 }, { 70, 4 } };

	for (uint32_t i = 0; i < ARRAY_LEN(chunks); i++) {
		char path[] = "a.c";

		path[0] = (char)('a' + i);
		/* the largest is of the best rank */
		add_file(path, i == 0 ? 9 * MONTH : 0, REASON_NONE);
		add_chunk(chunks[i].tokens, chunks[i].print);
	}
	rig.run.job.min_chunks = 3;
	job_resolve(&rig.run.job);
	/* room for the largest and two of the others, or for those three */
	end_survey(300 + 50 + 60 + 10 + 3 * header_cost(0));
	ASSERT_EQ(plan_nr(), 3);
	ASSERT_TRUE(is_in_plan(0) && is_in_plan(1));
	teardown(NULL);
	setup(NULL);
	for (uint32_t i = 0; i < ARRAY_LEN(chunks); i++) {
		char path[] = "a.c";

		path[0] = (char)('a' + i);
		add_file(path, i == 0 ? 9 * MONTH : 0, REASON_NONE);
		add_chunk(chunks[i].tokens, chunks[i].print);
	}
	rig.run.job.min_chunks = 3;
	job_resolve(&rig.run.job);
	end_survey(300 + 50 + 3 * header_cost(0) - 20);
	ASSERT_EQ(plan_nr(), 3);
	ASSERT_TRUE(!is_in_plan(0) && is_in_plan(1) && is_in_plan(4));
}

/* Two are the least number for which room is kept. */
static void
test_select_least_number_of_two_is_kept_before_the_best(void **state)
{
	static const uint32_t tokens[] = { 300, 50, 60 };

	for (uint32_t i = 0; i < ARRAY_LEN(tokens); i++) {
		char path[] = "a.c";

		path[0] = (char)('a' + i);
		add_file(path, i == 0 ? 9 * MONTH : 0, REASON_NONE);
		add_chunk(tokens[i], i);
	}
	rig.run.job.min_chunks = 2;
	job_resolve(&rig.run.job);
	/* room for the best alone, or for the two others */
	end_survey(300 + 20 + header_cost(0));
	ASSERT_EQ(plan_nr(), 2);
	ASSERT_TRUE(is_in_plan(1) && is_in_plan(2));
}

/* Duplicates do not count twice among the cheapest others. */
static void
test_select_reserve_for_others_is_of_chunks_that_differ(void **state)
{
	static const uint32_t tokens[] = { 300, 50, 60, 60, 70, 80 };

	for (uint32_t i = 0; i < ARRAY_LEN(tokens); i++) {
		char path[] = "a.c";

		path[0] = (char)('a' + i);
		add_file(path, i == 0 ? 9 * MONTH : 0, REASON_NONE);
		add_chunk(tokens[i], i == 3 ? 2 : i);
	}
	rig.run.job.min_chunks = 4;
	job_resolve(&rig.run.job);
	/* a little less than the largest and three that differ */
	end_survey(300 + 50 + 60 + 70 - 5 + 4 * header_cost(0));
	ASSERT_EQ(plan_nr(), 4);
	ASSERT_TRUE(!is_in_plan(0) && !is_in_plan(3));
}

/* Comments alone are left out: what is empty goes with what is beside it. */
static void
test_select_empty_chunks_go_with_their_neighbours(void **state)
{
	/* of three files; 1: planned; 0: too large; '-': empty */
	static const char files[] = "-1-0 --1 0-- 0-1-- -";
	static const char want[] = "++++ +++ 0-- 0++++ -";
	uint64_t chunk = 0;

	for (size_t i = 0; files[i] != '\0'; i++) {
		char path[] = "a.c";

		path[0] = (char)('a' + i);
		if (i == 0 || files[i] == ' ')
			add_file(path, 0, REASON_NONE);
		if (files[i] != ' ')
			add_chunk(files[i] == '-'   ? 0
				  : files[i] == '0' ? 5000
						    : 10,
				  100 + i);
	}
	rig.run.job.strip_comments = true;
	job_resolve(&rig.run.job);
	end_survey(1000);
	for (size_t i = 0; files[i] != '\0'; i++) {
		if (files[i] == ' ')
			continue;
		if (is_in_plan(chunk) != (want[i] == '+' && files[i] != '0'))
			fail_msg("chunk %zu of \"%s\"", i, files);
		chunk++;
	}
}

static void
test_select_plan_alone_ends_the_run(void **state)
{
	make_catalogue(20, 6, 2000, 1000000, 44);
	rig.run.job.plan_only = true;
	job_resolve(&rig.run.job);
	end_survey(10000);
	assert_plan_fills_better(10000, want_plan(10000));
	ASSERT_TRUE(!is_over());
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_TRUE(is_over());
	ASSERT_EQ(requested_pass(), 0);
}

/* What parts came to in an output is kept by file: signatures, and the first lines
 * of a file that has none. */
static void
test_select_keeps_what_parts_came_to(void **state)
{
	static const struct plan_entry entries[] = {
		{ .chunk_idx = 0, .tier = TIER_SIGNATURES, .kept_lines = 3 },
		{ .chunk_idx = 1, .kept_lines = 9 }, /* of the same file */
		{ .chunk_idx = 6, .tier = TIER_SIGNATURES },
		{ .chunk_idx = 12, .kept_lines = 5 },
		{ .chunk_idx = 18 },
	};
	const struct catalogue *catalogue = &rig.run.catalogue;
	const struct file_traits *traits;
	struct planner *planner;

	make_catalogue(20, 6, 2000, 1000000, 44);
	end_survey(10000);
	planner = rig.worker.scratch;
	for (uint32_t i = 0; i < 30; i++)
		catalogue_chunk(catalogue, i)->file_idx = i / 6;
	ASSERT_EQ(table_reserve(&catalogue->plan, sizeof(entries)), 0);
	ASSERT_EQ(table_reserve(&catalogue->kept,
				ARRAY_LEN(entries) * sizeof(struct kept_part)),
		  0);
	for (size_t i = 0; i < ARRAY_LEN(entries); i++) {
		*catalogue_plan(catalogue, i) = entries[i];
		catalogue_kept(catalogue, i)->tokens = 100 + i;
	}
	catalogue_kept(catalogue, 2)->tokens = 0;
	planner->plan_nr = ARRAY_LEN(entries);
	catalogue_traits(catalogue, 0)->saved_tokens = 40;
	ASSERT_EQ(select_plan_parts(planner), 100 + 101 + 0 + 103);
	traits = catalogue_traits(catalogue, 0);
	ASSERT_EQ(traits->part_tokens, 1 + 100 + 40);
	ASSERT_EQ(traits->part_lines, 3);
	traits = catalogue_traits(catalogue, 1);
	ASSERT_EQ(traits->part_tokens, 1);
	ASSERT_EQ(traits->part_lines, 0);
	traits = catalogue_traits(catalogue, 2);
	ASSERT_EQ(traits->part_tokens, 1 + 103);
	ASSERT_EQ(traits->part_lines, 5);
	ASSERT_EQ(catalogue_traits(catalogue, 3)->part_tokens, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_select_plan_is_that_of_filling_from_a_full_sort),
		CASE(test_select_more_than_a_window_is_all_considered),
		CASE(test_select_window_after_window_is_that_of_a_full_sort),
		CASE(test_select_what_cannot_fit_any_more_is_dropped),
		CASE(test_select_plan_made_again_after_a_death_is_the_same),
		CASE(test_select_reserves_are_taken_off_first),
		CASE(test_select_reserves_greater_than_the_budget_leave_nothing),
		CASE(test_select_small_cases_come_out_as_they_must),
		CASE(test_select_all_is_tried_where_it_is_a_little_more),
		CASE(test_select_of_the_same_content_the_better_is_taken),
		CASE(test_select_least_number_is_of_chunks_that_differ),
		CASE(test_select_least_number_of_two_is_kept_before_the_best),
		CASE(test_select_reserve_for_others_is_of_chunks_that_differ),
		CASE(test_select_empty_chunks_go_with_their_neighbours),
		CASE(test_select_keeps_what_parts_came_to),
		CASE(test_select_plan_alone_ends_the_run),
	};

	return cmocka_run_group_tests_name("select/plan", tests, NULL, NULL);
}
