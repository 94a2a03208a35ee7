/* SPDX-License-Identifier: MIT */
/*
 * test_select_worker.c - plans of one select worker over catalogues made up
 * from a seed, against filling from a full sort.
 *
 * The test plays dedup (the catalogue, the ends of passes) and format (the
 * verdicts).
 */
#include "tests/test_stage_rig.h"

#include "stages/select/select.h"

#define FILES_MAX 3000
#define CHUNKS_MAX 80000
#define NS_PER_SECOND 1000000000ll

static struct rig rig;
static uint32_t file_nr;
static uint64_t chunk_nr;
static uint64_t wanted[CHUNKS_MAX];
static size_t wanted_nr;

static int
setup(void **state)
{
	rig_open(&rig, 1, 2);
	file_nr = 0;
	chunk_nr = 0;
	return 0;
}

static int
teardown(void **state)
{
	rig_close(&rig);
	return 0;
}

static struct file_facts *
add_file(const char *path, int64_t mtime_ns, uint8_t reason)
{
	struct file_record *file = rig_add_file(&rig, file_nr, path, "");
	struct file_facts *facts = rig_facts(&rig, file_nr);

	file->mtime_ns = mtime_ns;
	*facts = (struct file_facts){ .chunk_first = chunk_nr,
				      .same_as = FILE_NONE,
				      .reason = reason };
	file_nr++;
	/* relaxed: one process */
	atomic_store_explicit(&rig.run.segment.control->files_seen, file_nr,
			      memory_order_relaxed);
	return facts;
}

/* One more chunk of the last file; the same print: the same content. */
static void
add_chunk(uint32_t tokens, uint64_t print)
{
	struct file_facts *facts = rig_facts(&rig, file_nr - 1);
	struct chunk_record *chunk = rig_chunk(&rig, chunk_nr++);

	*chunk = (struct chunk_record){
		.bytes = tokens * 3ull,
		.file_idx = file_nr - 1,
		.line_first = 1 + 10 * facts->chunk_nr,
		.line_nr = 10,
		.tokens = tokens,
	};
	memcpy(chunk->fingerprint, &print, sizeof(print));
	facts->chunk_nr++;
	facts->line_nr = 10 * facts->chunk_nr;
	facts->bytes += chunk->bytes;
	facts->tokens += tokens;
}

#define MONTH (30 * 86400 * NS_PER_SECOND)

static void
make_catalogue(uint32_t files, uint32_t chunks_max, uint32_t tokens_max,
	       uint64_t prints, uint64_t seed)
{
	for (uint32_t i = 0; i < files; i++) {
		char path[100];
		uint64_t depth = random_next(&seed) % 5;
		uint64_t chunks = random_next(&seed) % (chunks_max + 1);
		uint64_t mtime = random_next(&seed) % 9;
		uint64_t luck = random_next(&seed) % 60;
		struct file_facts *facts;

		snprintf(path, sizeof(path), "%.*sfile_%05u.c",
			 (int)(2 * depth), "a/b/c/d/e/", i);
		facts = add_file(path, (int64_t)mtime * MONTH,
				 luck < 4 ? REASON_BINARY : REASON_NONE);
		if (i > 0 && luck >= 57)
			facts->same_as = i - 1;
		for (uint64_t c = 0; c < chunks; c++) {
			uint64_t tokens = 1 + random_next(&seed) % tokens_max;

			add_chunk((uint32_t)tokens,
				  random_next(&seed) % prints);
		}
	}
}

static bool
is_usable(uint32_t file_idx)
{
	const struct file_facts *facts = rig_facts(&rig, file_idx);

	return facts->reason == REASON_NONE && facts->same_as == FILE_NONE &&
	       facts->chunk_nr > 0;
}

static int
compare(const void *left, const void *right)
{
	const struct select_candidate *a = left;
	const struct select_candidate *b = right;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return a->chunk_idx < b->chunk_idx ? -1 : a->chunk_idx > b->chunk_idx;
}

static int
compare_idx(const void *left, const void *right)
{
	const uint64_t *a = left;
	const uint64_t *b = right;

	return *a < *b ? -1 : *a > *b;
}

static size_t
sort_candidates(struct select_candidate *candidates)
{
	const struct catalogue *catalogue = &rig.run.catalogue;
	const struct select_weights weights = { 500000, 300000, 200000 };
	struct select_times times = { INT64_MAX, INT64_MIN };
	size_t nr = 0;

	for (uint32_t i = 0; i < file_nr; i++) {
		int64_t at = catalogue_file(catalogue, i)->mtime_ns;

		if (!is_usable(i))
			continue;
		times.oldest_ns = at < times.oldest_ns ? at : times.oldest_ns;
		times.newest_ns = at > times.newest_ns ? at : times.newest_ns;
	}
	for (uint64_t c = 0; c < chunk_nr; c++) {
		uint32_t file_idx = catalogue_chunk(catalogue, c)->file_idx;
		const struct file_record *file =
			catalogue_file(catalogue, file_idx);
		const struct select_file about = {
			.mtime_ns = file->mtime_ns,
			.priority = 40, /* of the tree */
		};

		if (is_usable(file_idx))
			candidates[nr++] = (struct select_candidate){
				.score = select_score(&about, &times, &weights,
						      NULL),
				.file_idx = file_idx,
				.chunk_idx = c,
			};
	}
	qsort(candidates, nr, sizeof(*candidates), compare);
	return nr;
}

static uint64_t
count_text(const char *text)
{
	return tokenizer_count(rig.run.tokenizer, NULL, (const uint8_t *)text,
			       strlen(text));
}

/* What stands around a chunk that is the first of its file. */
static uint64_t
header_cost(uint64_t chunk_idx)
{
	const struct catalogue *catalogue = &rig.run.catalogue;
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, chunk_idx);
	const struct file_record *file =
		catalogue_file(catalogue, chunk->file_idx);
	uint32_t of = rig_facts(&rig, chunk->file_idx)->line_nr;
	char whole[40] = "";
	char text[300];

	if (of != 10)
		snprintf(whole, sizeof(whole), " of %u", of);
	snprintf(text, sizeof(text),
		 "## File: %.*s (lines %u-%u%s)\n```\n```\n\n",
		 (int)file->path_bytes,
		 (const char *)catalogue_path(catalogue, file),
		 chunk->line_first, chunk->line_first + 9, whole);
	return count_text(text);
}

/* The mark for lines that are left out before a chunk. */
static uint64_t
gap_cost(uint64_t chunk_idx)
{
	uint32_t last =
		catalogue_chunk(&rig.run.catalogue, chunk_idx)->line_first - 1;
	char text[60];

	last = last < 1 ? 1 : last;
	snprintf(text, sizeof(text), "// ... (lines %u-%u)\n", last - last / 8,
		 last);
	return count_text(text);
}

static bool
was_wanted(const struct chunk_record *chunk)
{
	for (size_t w = 0; w < wanted_nr; w++)
		if (memcmp(catalogue_chunk(&rig.run.catalogue, wanted[w])
				   ->fingerprint,
			   chunk->fingerprint, FINGERPRINT_BYTES) == 0)
			return true;
	return false;
}

/* What a chunk adds to those that are there. */
static uint64_t
cost_beside(uint64_t idx, const bool *has_chunk, const bool *has_file)
{
	const struct chunk_record *chunk =
		catalogue_chunk(&rig.run.catalogue, idx);
	const struct file_facts *facts = rig_facts(&rig, chunk->file_idx);
	uint64_t place = idx - facts->chunk_first;
	int beside = 0;

	if (!has_file[chunk->file_idx])
		return chunk->tokens + header_cost(idx);
	beside += place > 0 && has_chunk[idx - 1];
	beside += place + 1 < facts->chunk_nr && has_chunk[idx + 1];
	if (beside == 0)
		return chunk->tokens + gap_cost(idx);
	if (beside == 1)
		return chunk->tokens;
	return chunk->tokens > gap_cost(idx) ? chunk->tokens - gap_cost(idx)
					     : 1;
}

/* What is to be taken, said plainly: sums of estimates up to the limit. */
static uint64_t
want_plan(uint64_t limit)
{
	static struct select_candidate candidates[CHUNKS_MAX];
	static bool has_file[FILES_MAX];
	static bool has_chunk[CHUNKS_MAX + 1];
	size_t nr = sort_candidates(candidates);
	uint64_t used = 0;

	memset(has_file, 0, sizeof(has_file));
	memset(has_chunk, 0, sizeof(has_chunk));
	wanted_nr = 0;
	for (size_t i = 0; i < nr && used < limit; i++) {
		uint64_t idx = candidates[i].chunk_idx;
		const struct chunk_record *chunk =
			catalogue_chunk(&rig.run.catalogue, idx);
		uint64_t cost = cost_beside(idx, has_chunk, has_file);

		if (used + cost > limit || was_wanted(chunk))
			continue;
		used += cost;
		has_file[chunk->file_idx] = true;
		has_chunk[idx] = true;
		wanted[wanted_nr++] = idx;
	}
	qsort(wanted, wanted_nr, sizeof(*wanted), compare_idx);
	return used;
}

static uint64_t
plan_nr(void)
{
	return atomic_load_explicit(&rig.run.segment.control->plan_nr,
				    memory_order_relaxed);
}

static void
assert_plan_is_wanted(void)
{
	ASSERT_EQ(plan_nr(), wanted_nr);
	for (size_t i = 0; i < wanted_nr; i++) {
		uint64_t got = catalogue_plan(&rig.run.catalogue, i)->chunk_idx;

		if (got != wanted[i])
			fail_msg("entry %zu of the plan: got chunk %llu, want "
				 "%llu",
				 i, (unsigned long long)got,
				 (unsigned long long)wanted[i]);
	}
}

/* The estimate of the plan as it stands. */
static uint64_t
plan_cost(void)
{
	uint64_t before = UINT64_MAX;
	uint64_t cost = 0;

	for (uint64_t i = 0; i < plan_nr(); i++) {
		uint64_t idx = catalogue_plan(&rig.run.catalogue, i)->chunk_idx;
		const struct chunk_record *chunk =
			catalogue_chunk(&rig.run.catalogue, idx);
		bool same_file =
			before != UINT64_MAX &&
			catalogue_chunk(&rig.run.catalogue, before)->file_idx ==
				chunk->file_idx;

		if (!same_file)
			cost += header_cost(idx);
		else if (before + 1 != idx)
			cost += gap_cost(idx);
		before = idx;
		cost += chunk->tokens;
	}
	return cost;
}

/* Whether a chunk that greedy filling takes is in the plan. */
static bool
is_planned(uint64_t chunk_idx)
{
	for (uint64_t i = 0; i < plan_nr(); i++)
		if (catalogue_plan(&rig.run.catalogue, i)->chunk_idx ==
		    chunk_idx)
			return true;
	return false;
}

/*
 * Where filling by rank leaves room, the last few chunks may be others, that
 * fill it better: an eighth of the limit at most is filled otherwise.
 */
static void
assert_plan_fills_better(uint64_t limit, uint64_t used)
{
	uint64_t missing = 0;

	ASSERT_TRUE(plan_cost() <= limit);
	ASSERT_TRUE(plan_cost() >= used);
	for (size_t i = 0; i < wanted_nr; i++)
		if (!is_planned(wanted[i]))
			missing +=
				catalogue_chunk(&rig.run.catalogue, wanted[i])
					->tokens;
	ASSERT_TRUE(missing <= limit / 8 + 2000);
}

static void
end_survey(uint64_t budget)
{
	rig.run.options.budget_tokens = budget;
	rig_attach(&rig, STAGE_SELECT, 0);
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
}

static uint64_t
asked_pass(void)
{
	return atomic_load_explicit(&rig.run.segment.control->pass,
				    memory_order_relaxed);
}

static bool
is_over(void)
{
	return atomic_load_explicit(&rig.run.segment.control->done,
				    memory_order_relaxed);
}

/*
 * The asked-for pass comes to its end with an output of so many tokens. What
 * judges it dies, and so does what has made another plan: each is done again.
 */
static void
give_verdict(uint64_t pass, uint64_t tokens)
{
	struct control_shm *control = rig.run.segment.control;

	ASSERT_EQ(asked_pass(), pass);
	rig_close_inputs(&rig, pass);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN); /* no verdict yet */
	atomic_store_explicit(&control->verdict_tokens, tokens,
			      memory_order_relaxed);
	atomic_store_explicit(&control->verdict_pass, pass,
			      memory_order_release);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	if (is_over())
		return;
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE); /* plans anew */
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE); /* asks for the next */
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

/* More candidates than are looked at together. */
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
			add_chunk(c % 700 == 0 ? 2 : 1000, chunk_nr);
	}
	/* room for ten great ones, a hundred small ones with their marks and
	 * the headers */
	end_survey(10000 + 100 * (2 + 12) + 10 * 30);
	want_plan(10000 + 100 * (2 + 12) + 10 * 30);
	assert_plan_is_wanted();
	ASSERT_TRUE(chunk_nr > 2 * SELECT_WINDOW);
	ASSERT_TRUE(wanted_nr > 60);
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
	uint64_t beats;

	for (uint32_t i = 0; i < 20; i++) {
		char path[20];

		snprintf(path, sizeof(path), "f%02u.c", i);
		add_file(path, i, REASON_NONE);
		for (uint32_t c = 0; c < SELECT_WINDOW * 12 / 20; c++)
			add_chunk(900 + c % 100, chunk_nr);
	}
	end_survey(budget);
	/* relaxed: one process; a beat for each look at all of them */
	beats = atomic_load_explicit(&rig.worker.shm->heartbeat,
				     memory_order_relaxed);
	ASSERT_TRUE(beats <= 6);
	ASSERT_TRUE(atomic_load(&rig.run.segment.control->plan_nr) >= 20);
}

/* verifies: FR-016-68, FR-016-69, NFR-016-29, R3, R5 */
static void
test_select_plan_made_again_after_a_death_is_the_same(void **state)
{
	make_catalogue(200, 5, 2000, 300, 41);
	rig.run.options.budget_tokens = 60000;
	rig_attach(&rig, STAGE_SELECT, 0);
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step_uncommitted(&rig, false), STEP_DONE);
	rig_die(&rig);
	ASSERT_EQ(asked_pass(), 0); /* nobody has been told of it */
	want_plan(60000);
	memset(rig.run.catalogue.plan.base, 0xdd,
	       wanted_nr * sizeof(struct plan_entry));
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	assert_plan_is_wanted();
	rig_die(&rig);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	ASSERT_EQ(asked_pass(), 2);
	ASSERT_TRUE(!is_over());
}

/* verifies: FR-016-80, AC-016c-012, AC-016c-013, AC-016c-014, FR-016c-09 */
static void
test_select_reserves_are_taken_off_first(void **state)
{
	make_catalogue(100, 6, 2000, 1000000, 42);
	rig.run.options.response_reserve_tokens = 7000;
	rig.run.options.system_reserve_tokens = 3000;
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
	rig.run.options.response_reserve_tokens = UINT64_MAX - 5;
	rig.run.options.system_reserve_tokens = 3000;
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
	} cases[] = {
		{ "no file", 0, 0, 1000, false, 0 },
		{ "no budget", 1, 10, 0, false, 0 },
		{ "one chunk", 1, 10, 1000, false, 1 },
		{ "one chunk, no room for its header", 1, 10, 9, true, 0 },
		{ "one chunk, just room for it", 1, 10, 10, true, 1 },
		{ "one chunk too large", 1, 2000, 1000, false, 0 },
		{ "all of them", 3, 10, 1000, false, 3 },
		{ "all but one", 3, 10, 29, true, 2 },
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
		/* an empty plan is not gathered */
		ASSERT_EQ(rig_step(&rig), STEP_DONE);
		ASSERT_EQ(is_over(), cases[c].want == 0);
		ASSERT_EQ(asked_pass(), cases[c].want == 0 ? 0 : 2);
		if (c + 1 < ARRAY_LEN(cases))
			teardown(NULL);
	}
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

static void
test_select_plan_alone_ends_the_run(void **state)
{
	make_catalogue(20, 6, 2000, 1000000, 44);
	rig.run.options.plan_only = true;
	end_survey(10000);
	assert_plan_fills_better(10000, want_plan(10000));
	ASSERT_TRUE(!is_over());
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_TRUE(is_over());
	ASSERT_EQ(asked_pass(), 0);
}

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
			int64_t sum = (int64_t)plan_cost();

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
	ASSERT_TRUE(plan_cost() > 39000);
	give_verdict(3, 39990);
	ASSERT_TRUE(is_over());
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
	atomic_store_explicit(&control->verdict_tokens, 1ull << 40,
			      memory_order_relaxed);
	atomic_store_explicit(&control->verdict_pass, 1, memory_order_release);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_TRUE(is_over());
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_select_plan_is_that_of_filling_from_a_full_sort),
		CASE(test_select_more_than_a_window_is_all_considered),
		CASE(test_select_what_cannot_fit_any_more_is_dropped),
		CASE(test_select_plan_made_again_after_a_death_is_the_same),
		CASE(test_select_reserves_are_taken_off_first),
		CASE(test_select_reserves_greater_than_the_budget_leave_nothing),
		CASE(test_select_small_cases_come_out_as_they_must),
		CASE(test_select_of_the_same_content_the_better_is_taken),
		CASE(test_select_plan_alone_ends_the_run),
		CASE(test_select_over_the_budget_is_made_again_until_it_fits),
		CASE(test_select_place_of_a_changed_file_goes_to_others),
		CASE(test_select_files_that_go_on_changing_come_to_an_end),
		CASE(test_select_passes_on_what_it_gets_in_order),
		CASE(test_select_of_everything_ends_with_the_first_verdict),
	};

	return cmocka_run_group_tests_name("select/worker", tests, NULL, NULL);
}
