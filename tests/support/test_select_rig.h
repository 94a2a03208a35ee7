/* SPDX-License-Identifier: MIT */
/*
 * test_select_rig.h - a select worker, a catalogue for it that is made up from
 * a seed, and the plan that is to come out of it, said plainly.
 *
 * The test plays dedup (the catalogue, the ends of passes) and format (the
 * verdicts).
 */
#ifndef TESTS_SUPPORT_TEST_SELECT_RIG_H
#define TESTS_SUPPORT_TEST_SELECT_RIG_H

#include "tests/support/test_stage_rig.h"

#include "rank/priority.h"
#include "rank/rank.h"
#include "lang/lang.h"
#include "catalogue/files.h"
#include "catalogue/plan.h"
#include "stages/stage.h"
#include "stages/job.h"

#define FILES_MAX 3000
#define CHUNKS_MAX 300000
#define PRINTS_MAX 1000000
#define NS_PER_SECOND 1000000000ll

static struct rig rig;
static uint32_t file_nr;
static uint64_t chunk_nr;
static uint64_t wanted[CHUNKS_MAX];
static size_t wanted_nr;

static inline int
setup(void **state)
{
	rig_open(&rig, 1, 2);
	file_nr = 0;
	chunk_nr = 0;
	return 0;
}

static inline int
teardown(void **state)
{
	rig_close(&rig);
	return 0;
}

static inline struct file_facts *
add_file(const char *path, int64_t mtime_ns, uint8_t reason)
{
	struct file_record *file = rig_add_file(&rig, file_nr, path, "");
	struct file_facts *facts = rig_facts(&rig, file_nr);

	file->mtime_ns = mtime_ns;
	file->language = LANG_C;
	*facts = (struct file_facts){ .chunk_first = chunk_nr,
				      .same_as = FILE_NONE,
				      .duplicate_of = FILE_NONE,
				      .next_copy = FILE_NONE,
				      .reason = reason };
	file_nr++;
	/* relaxed: one process */
	atomic_store_explicit(&rig.run.segment.control->files_seen, file_nr,
			      memory_order_relaxed);
	return facts;
}

/* One more chunk of the last file; the same print: the same content. */
static inline void
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

/* The last file has the content of one before it. */
static inline void
make_duplicates(uint32_t other)
{
	uint32_t first = rig_facts(&rig, other)->duplicate_of;

	if (first == FILE_NONE)
		first = other;
	rig_facts(&rig, first)->has_duplicates = 1;
	rig_facts(&rig, file_nr - 1)->duplicate_of = first;
}

#define MONTH (30 * 86400 * NS_PER_SECOND)

static inline void
make_catalogue(uint32_t files, uint32_t chunks_max, uint32_t tokens_max,
	       uint64_t prints, uint64_t seed)
{
	for (uint32_t i = 0; i < files; i++) {
		char path[100];
		uint64_t depth = random_next(&seed) % 5;
		uint64_t chunks = random_next(&seed) % (chunks_max + 1);
		uint64_t mtime = random_next(&seed) % 9;
		uint64_t luck = random_next(&seed) % 60;

		snprintf(path, sizeof(path), "%.*sfile_%05u.c",
			 (int)(2 * depth), "a/b/c/d/e/", i);
		add_file(path, (int64_t)mtime * MONTH,
			 luck < 4 ? REASON_BINARY : REASON_NONE);
		if (i > 0 && luck >= 57)
			make_duplicates(i - 1);
		for (uint64_t c = 0; c < chunks; c++) {
			uint64_t tokens = 1 + random_next(&seed) % tokens_max;

			add_chunk((uint32_t)tokens,
				  random_next(&seed) % prints);
		}
	}
}

static inline bool
has_content(uint32_t file_idx)
{
	const struct file_facts *facts = rig_facts(&rig, file_idx);

	return facts->reason == REASON_NONE && facts->chunk_nr > 0;
}

/* Without a history: by its size; of a copy by that of the first. */
static inline uint32_t
weight_of_file(uint32_t file_idx)
{
	uint32_t first = rig_facts(&rig, file_idx)->duplicate_of;

	if (first == FILE_NONE)
		first = file_idx;
	return rank_weight(rig_facts(&rig, first)->bytes, 0, false);
}

static uint32_t weight_max;

/* And the greatest weight, of which score_of_file() makes a share. */
static inline struct rank_times
times_of_all(void)
{
	struct rank_times times = { INT64_MAX, INT64_MIN };

	weight_max = 0;

	for (uint32_t i = 0; i < file_nr; i++) {
		int64_t at = catalogue_file(&rig.run.catalogue, i)->mtime_ns;

		if (!has_content(i))
			continue;
		times.oldest_ns = at < times.oldest_ns ? at : times.oldest_ns;
		times.newest_ns = at > times.newest_ns ? at : times.newest_ns;
		if (weight_of_file(i) > weight_max)
			weight_max = weight_of_file(i);
	}
	return times;
}

static inline uint32_t
score_of_file(uint32_t file_idx, const struct rank_times *times)
{
	const struct rank_weights weights = { 500000, 300000, 200000 };
	const struct rank_standing standing = {
		.class = RANK_CLASS_CODE,
		.weight = weight_of_file(file_idx),
		.weight_max = weight_max,
	};
	const struct rank_file about = {
		.relevance = rank_relevance(&standing),
		.is_matched = true,
		.mtime_ns =
			catalogue_file(&rig.run.catalogue, file_idx)->mtime_ns,
		.priority = 40, /* of the tree */
	};

	return rank_score(&about, times, &weights, NULL);
}

static inline uint32_t
first_duplicate(uint32_t file_idx)
{
	uint32_t first = rig_facts(&rig, file_idx)->duplicate_of;

	return first == FILE_NONE ? file_idx : first;
}

/* Whether it is a candidate: of its twins the one of the best rank. */
static inline bool
is_usable(uint32_t file_idx, const struct rank_times *times)
{
	uint32_t score;

	if (!has_content(file_idx))
		return false;
	if (!rig_facts(&rig, first_duplicate(file_idx))->has_duplicates)
		return true;
	score = score_of_file(file_idx, times);
	for (uint32_t i = 0; i < file_nr; i++) {
		uint32_t other;

		if (i == file_idx || !has_content(i) ||
		    first_duplicate(i) != first_duplicate(file_idx))
			continue;
		other = score_of_file(i, times);
		if (other > score || (other == score && i < file_idx))
			return false;
	}
	return true;
}

static inline int
compare(const void *left, const void *right)
{
	const struct rank_candidate *a = left;
	const struct rank_candidate *b = right;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return a->chunk_idx < b->chunk_idx ? -1 : a->chunk_idx > b->chunk_idx;
}

static inline int
compare_idx(const void *left, const void *right)
{
	const uint64_t *a = left;
	const uint64_t *b = right;

	return *a < *b ? -1 : *a > *b;
}

static inline size_t
sort_candidates(struct rank_candidate *candidates)
{
	const struct rank_times times = times_of_all();
	static uint32_t scores[FILES_MAX];
	size_t nr = 0;

	for (uint32_t i = 0; i < file_nr; i++)
		scores[i] =
			is_usable(i, &times) ? 1 + score_of_file(i, &times) : 0;
	for (uint64_t c = 0; c < chunk_nr; c++) {
		uint32_t file_idx =
			catalogue_chunk(&rig.run.catalogue, c)->file_idx;

		if (scores[file_idx] > 0)
			candidates[nr++] = (struct rank_candidate){
				.score = scores[file_idx] - 1,
				.file_idx = file_idx,
				.chunk_idx = c,
			};
	}
	qsort(candidates, nr, sizeof(*candidates), compare);
	return nr;
}

static inline uint64_t
count_text(const char *text)
{
	return tokenizer_count(rig.run.tokenizer, NULL, (const uint8_t *)text,
			       strlen(text));
}

/* ", also a.c, b.c and others": its twins, none of which is packed. */
static inline void
name_copies(uint32_t file_idx, char *to, size_t room)
{
	uint32_t nr = 0;
	size_t at = 0;

	*to = '\0';
	if (!rig_facts(&rig, first_duplicate(file_idx))->has_duplicates)
		return;
	for (uint32_t i = 0; i < file_nr; i++) {
		const struct file_record *file =
			catalogue_file(&rig.run.catalogue, i);

		if (i == file_idx || !has_content(i) ||
		    first_duplicate(i) != first_duplicate(file_idx))
			continue;
		if (nr++ < MARKUP_COPIES)
			at += (size_t)snprintf(
				to + at, room - at, "%s%.*s",
				nr == 1 ? ", also " : ", ",
				(int)file->path_bytes,
				(const char *)catalogue_path(&rig.run.catalogue,
							     file));
	}
	if (nr > MARKUP_COPIES)
		snprintf(to + at, room - at, " and others");
}

/* What stands around a chunk that is the first of its file. */
static inline uint64_t
header_cost(uint64_t chunk_idx)
{
	const struct catalogue *catalogue = &rig.run.catalogue;
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, chunk_idx);
	const struct file_record *file =
		catalogue_file(catalogue, chunk->file_idx);
	uint32_t of = rig_facts(&rig, chunk->file_idx)->line_nr;
	char whole[40] = "";
	char copies[1000];
	char text[1400];

	if (of != 10)
		snprintf(whole, sizeof(whole), " of %u", of);
	name_copies(chunk->file_idx, copies, sizeof(copies));
	snprintf(text, sizeof(text),
		 "## File: %.*s (lines %u-%u%s%s)\n```\n```\n\n",
		 (int)file->path_bytes,
		 (const char *)catalogue_path(catalogue, file),
		 chunk->line_first, chunk->line_first + 9, whole, copies);
	return count_text(text);
}

/* The mark for lines that are left out before a chunk. */
static inline uint64_t
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

/* Contents are told apart by a number: see add_chunk(). */
static inline uint64_t
print_of(const struct chunk_record *chunk)
{
	return *(const uint64_t *)(const void *)chunk->fingerprint;
}

/* What a chunk adds to those that are there. */
static inline uint64_t
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
static inline uint64_t
want_plan(uint64_t limit)
{
	static struct rank_candidate candidates[CHUNKS_MAX];
	static bool has_file[FILES_MAX];
	static bool has_chunk[CHUNKS_MAX + 1];
	static bool has_print[PRINTS_MAX];
	size_t nr = sort_candidates(candidates);
	uint64_t used = 0;

	memset(has_file, 0, sizeof(has_file));
	memset(has_chunk, 0, sizeof(has_chunk));
	memset(has_print, 0, sizeof(has_print));
	wanted_nr = 0;
	for (size_t i = 0; i < nr && used < limit; i++) {
		uint64_t idx = candidates[i].chunk_idx;
		const struct chunk_record *chunk =
			catalogue_chunk(&rig.run.catalogue, idx);
		uint64_t cost = cost_beside(idx, has_chunk, has_file);

		if (used + cost > limit || has_print[print_of(chunk)])
			continue;
		used += cost;
		has_print[print_of(chunk)] = true;
		has_file[chunk->file_idx] = true;
		has_chunk[idx] = true;
		wanted[wanted_nr++] = idx;
	}
	qsort(wanted, wanted_nr, sizeof(*wanted), compare_idx);
	return used;
}

static inline uint64_t
plan_nr(void)
{
	return atomic_load_explicit(&rig.run.segment.control->plan_nr,
				    memory_order_relaxed);
}

static inline void
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
static inline uint64_t
planned_cost(void)
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
static inline bool
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
static inline void
assert_plan_fills_better(uint64_t limit, uint64_t used)
{
	uint64_t missing = 0;

	ASSERT_TRUE(planned_cost() <= limit);
	ASSERT_TRUE(planned_cost() >= used);
	for (size_t i = 0; i < wanted_nr; i++)
		if (!is_planned(wanted[i]))
			missing +=
				catalogue_chunk(&rig.run.catalogue, wanted[i])
					->tokens;
	ASSERT_TRUE(missing <= limit / 8 + 2000);
}

static inline void
end_survey(uint64_t budget)
{
	rig.run.job.budget_tokens = budget;
	job_resolve(&rig.run.job);
	rig_attach(&rig, STAGE_SELECT, 0);
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
}

static inline uint64_t
requested_pass(void)
{
	return atomic_load_explicit(&rig.run.segment.control->pass,
				    memory_order_relaxed);
}

static inline bool
is_over(void)
{
	return atomic_load_explicit(&rig.run.segment.control->done,
				    memory_order_relaxed);
}

/*
 * The asked-for pass comes to its end with an output of so many tokens; `step`
 * judges it, makes another plan and asks for it, or ranks what is left out and
 * ends the run.
 */
static inline void
give_verdict_to(int (*step)(struct rig *), uint64_t pass, uint64_t tokens)
{
	struct control_shm *control = rig.run.segment.control;

	ASSERT_EQ(requested_pass(), pass);
	rig_close_inputs(&rig, pass);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN); /* no verdict yet */
	control->verdict.tokens = tokens;
	atomic_store_explicit(&control->verdict_pass, pass,
			      memory_order_release);
	ASSERT_EQ(step(&rig), STEP_DONE);
	/* plans anew, and asks for the next one, or ends */
	while (!is_over() && requested_pass() == pass)
		ASSERT_EQ(step(&rig), STEP_DONE);
}

/* What judges it dies, and so does what has made another plan. */
static inline void
give_verdict(uint64_t pass, uint64_t tokens)
{
	give_verdict_to(rig_step_twice, pass, tokens);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
