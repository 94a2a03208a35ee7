/* SPDX-License-Identifier: MIT */
/*
 * test_select_query.c - relevance of chunks, against the same sums over arrays.
 */
#include "tests/support/test_select_planner.h"

#include <math.h>

#include "catalogue/terms.h"
#include "rank/kind.h"
#include "lang/scan.h"
#include "stages/select/select_query.h"

enum { CHUNKS = 400, TERMS = QUERY_TERMS_MAX };

static struct query query;
static struct select_query *selected;
static uint32_t times[CHUNKS][TERMS];
static uint64_t term_nr;

static void
ask(const char *text)
{
	query_init(&query, (const uint8_t *)text, strlen(text));
	rig.run.job.query = &query;
	memset(times, 0, sizeof(times));
	term_nr = 0;
}

static void
write_term(uint64_t chunk_idx, uint8_t term, uint8_t nr)
{
	ASSERT_EQ(table_reserve(&rig.run.catalogue.terms,
				(term_nr + 1) * sizeof(struct term_record)),
		  0);
	*catalogue_term(&rig.run.catalogue, term_nr++) =
		term_record(chunk_idx, term, nr);
}

/* A chunk has a term so often; chunks in order. */
static void
has(uint64_t chunk_idx, uint8_t term, uint8_t nr)
{
	times[chunk_idx][term] += nr;
	write_term(chunk_idx, term, nr);
}

static void
open_query(void)
{
	write_term(CHUNK_NONE, 0, 0);
	planner_open();
	ASSERT_EQ(select_query_open(planner, &selected), 0);
	ASSERT_TRUE(selected != NULL);
}

static int
close_query(void **state)
{
	select_query_close(selected);
	selected = NULL;
	return teardown_plan(state);
}

/* ---- the same, over arrays ---------------------------------------------- */

/* A set of texts: how many, of how many tokens, how many have each term. */
struct texts {
	double nr;
	double tokens;
	double with[TERMS];
	double worth_max;
};

static double
worth(uint32_t term, double most)
{
	const struct query_term *it = &query.terms[term];
	double nr = sqrt(it->times);

	if (it->kind == QUERY_PAIR)
		nr *= 0.3;
	else if (it->in_first_line)
		nr += 1;
	return nr < most ? nr : most;
}

static double
weight(const struct texts *texts, uint32_t term)
{
	double with = texts->with[term];

	return worth(term, texts->worth_max) *
	       log(1 + (texts->nr - with + 0.5) / (with + 0.5));
}

static double
bm25(const struct texts *texts, const uint32_t *nr, double tokens)
{
	double sum = 0;

	for (uint32_t t = 0; t < query.nr; t++)
		if (nr[t] > 0)
			sum += weight(texts, t) * nr[t] * 2.6 /
			       (nr[t] +
				1.6 * (0.25 + 0.75 * tokens * texts->nr /
						      texts->tokens));
	return sum;
}

/* Raised by a half of the part of the query that a text has. */
static double
covered(const struct texts *texts, const uint32_t *nr, double score)
{
	double all = 0;
	double some = 0;

	for (uint32_t t = 0; t < query.nr; t++) {
		all += weight(texts, t);
		some += nr[t] > 0 ? weight(texts, t) : 0;
	}
	return score * (1 + 0.5 * some / all);
}

static struct texts chunk_texts;
static struct texts file_texts;
static struct texts path_texts;

static void
times_of_file(uint32_t file_idx, uint32_t *sum)
{
	const struct file_facts *facts = rig_facts(&rig, file_idx);

	memset(sum, 0, TERMS * sizeof(*sum));
	for (uint32_t c = 0; c < facts->chunk_nr; c++)
		for (uint32_t t = 0; t < query.nr; t++)
			sum[t] += times[facts->chunk_first + c][t];
}

static void
times_of_path(uint32_t file_idx, uint32_t *sum)
{
	const struct file_record *file =
		catalogue_file(&rig.run.catalogue, file_idx);
	uint8_t counts[TERMS] = { 0 };

	query_count(&query,
		    catalogue_path(&rig.run.catalogue, file) + file->root_bytes,
		    file->path_bytes - file->root_bytes, counts);
	for (uint32_t t = 0; t < query.nr; t++)
		sum[t] = counts[t] > 0;
}

static void
count_texts(void)
{
	uint32_t sum[TERMS];

	chunk_texts = (struct texts){ .worth_max = 1e9 };
	file_texts = (struct texts){ .worth_max = 1e9 };
	path_texts = (struct texts){ .worth_max = 3 };
	for (uint32_t f = 0; f < file_nr; f++) {
		const struct file_facts *facts = rig_facts(&rig, f);

		if (!has_content(f) || facts->duplicate_of != FILE_NONE)
			continue;
		chunk_texts.nr += facts->chunk_nr;
		chunk_texts.tokens += (double)facts->tokens;
		file_texts.nr++;
		file_texts.tokens += (double)facts->tokens;
		path_texts.nr++;
		for (uint32_t c = 0; c < facts->chunk_nr; c++)
			for (uint32_t t = 0; t < query.nr; t++)
				chunk_texts.with[t] +=
					times[facts->chunk_first + c][t] > 0;
		times_of_file(f, sum);
		for (uint32_t t = 0; t < query.nr; t++)
			file_texts.with[t] += sum[t] > 0;
		times_of_path(f, sum);
		for (uint32_t t = 0; t < query.nr; t++)
			path_texts.with[t] += sum[t];
	}
}

static double
score_of_chunk(uint64_t idx)
{
	return covered(&chunk_texts, times[idx],
		       bm25(&chunk_texts, times[idx],
			    catalogue_chunk(&rig.run.catalogue, idx)->tokens));
}

static double
score_of_path(uint32_t file_idx)
{
	uint32_t has_term[TERMS];
	double sum = 0;

	times_of_path(file_idx, has_term);
	for (uint32_t t = 0; t < query.nr; t++)
		sum += has_term[t] * weight(&path_texts, t);
	return sum;
}

static double
score_of_whole(uint32_t file_idx)
{
	uint32_t sum[TERMS];

	times_of_file(file_idx, sum);
	return bm25(&file_texts, sum,
		    (double)rig_facts(&rig, file_idx)->tokens);
}

/* The greatest scores that there are: of a chunk, a file, a path. */
struct best_scores {
	double chunk;
	double file;
	double path;
};

static struct best_scores
find_best_scores(void)
{
	struct best_scores best = { 0 };

	for (uint32_t f = 0; f < file_nr; f++) {
		if (!has_content(f))
			continue;
		for (uint32_t c = 0; c < rig_facts(&rig, f)->chunk_nr; c++)
			best.chunk = fmax(
				best.chunk,
				score_of_chunk(rig_facts(&rig, f)->chunk_first +
					       c));
		best.file = fmax(best.file, score_of_whole(f));
		best.path = fmax(best.path, score_of_path(f));
	}
	return best;
}

/* A file, and the share of each of its chunks. */
static struct match_file
shares_of(const struct best_scores *best, uint32_t f, float share[CHUNKS])
{
	const struct file_facts *facts = rig_facts(&rig, f);

	for (uint32_t c = 0; c < facts->chunk_nr; c++)
		share[c] = (float)(score_of_chunk(facts->chunk_first + c) /
				   best->chunk);
	return (struct match_file){
		.whole = best->file > 0 ? score_of_whole(f) / best->file : 0,
		.path = best->path > 0 ? score_of_path(f) / best->path : 0,
		.kind = 1,
		.begins = true,
	};
}

static void
assert_file(uint32_t f, const float *share)
{
	for (uint32_t c = 0; c < rig_facts(&rig, f)->chunk_nr; c++) {
		double got = select_query_relevance(selected, f, c) / 1e6;

		if (!(fabs(got - (double)share[c]) < 3e-6))
			fail_msg("file %u, chunk %u: got %.6f, want %.6f", f, c,
				 got, (double)share[c]);
	}
}

static void
assert_relevance(void)
{
	static float share[CHUNKS];
	static uint64_t order[CHUNKS];
	struct match_spread spread = {
		.decay = match_decay(rig.run.job.available_tokens),
	};
	struct match_tally tally = { .best = 0 };
	struct best_scores best;

	count_texts();
	best = find_best_scores();
	for (uint32_t f = 0; f < file_nr; f++) {
		if (has_content(f)) {
			struct match_file file = shares_of(&best, f, share);

			match_tally_add(&tally, &file, share,
					rig_facts(&rig, f)->chunk_nr);
		}
	}
	spread.best = tally.best;
	for (uint32_t f = 0; f < file_nr; f++) {
		if (has_content(f)) {
			struct match_file file = shares_of(&best, f, share);

			match_pieces(&file, &spread, share, order,
				     rig_facts(&rig, f)->chunk_nr);
			assert_file(f, share);
		}
	}
}

/* ---- cases -------------------------------------------------------------- */

static void
test_select_query_relevance_is_that_of_sums_over_arrays(void **state)
{
	static const char *const dirs[] = { "", "apple/", "x/banana/" };
	uint64_t seed = 4;

	ask("apple banana apple\ncherry date apple");
	ASSERT_TRUE(query.nr > query.word_nr && query.word_nr == 4);
	for (uint32_t f = 0; f < 30; f++) {
		char path[40];
		uint64_t nr = random_next(&seed) % 12;

		snprintf(path, sizeof(path), "%sfile_%u.c",
			 dirs[random_next(&seed) % 3], f);
		add_file(path, 0,
			 random_next(&seed) % 9 == 0 ? REASON_BINARY
						     : REASON_NONE);
		if (f % 8 == 7)
			make_duplicates(f - 1);
		for (uint64_t c = 0; c < nr; c++) {
			add_chunk(10 + (uint32_t)(random_next(&seed) % 500),
				  chunk_nr);
			for (uint8_t t = 0; t < query.nr; t++) {
				uint64_t luck = random_next(&seed) % 9;

				if (luck > 5)
					has(chunk_nr - 1, t, (uint8_t)luck);
			}
		}
	}
	open_query();
	assert_relevance();
	/* from the first one again */
	assert_relevance();
}

/* One chunk that has it all: it and its file of 4.1 that there can be. */
static void
test_select_query_relevance_of_all_there_is(void **state)
{
	struct plan_factors factors = { .own = 0 };

	ask("apple");
	add_file("a.c", 0, REASON_NONE);
	add_chunk(100, 1);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(100, 2);
	has(0, 0, 2);
	open_query();
	ASSERT_EQ(select_query_relevance(selected, 0, 0), 341463);
	select_query_explain(selected, 0, &factors);
	ASSERT_EQ(factors.own, FACTOR_ONE);
	ASSERT_EQ(factors.whole, FACTOR_ONE);
	ASSERT_EQ(factors.near, 0);
	ASSERT_EQ(factors.path, 0);
	ASSERT_EQ(factors.history, 0);
	ASSERT_EQ(factors.message, 0);
	ASSERT_EQ(factors.kind, FACTOR_ONE);
	ASSERT_EQ(factors.decay, FACTOR_ONE);
	ASSERT_EQ(select_query_relevance(selected, 1, 0), 0);
	select_query_explain(selected, 0, &factors);
	ASSERT_EQ(factors.own, 0);
	ASSERT_EQ(factors.whole, 0);
	ASSERT_EQ(factors.decay, FACTOR_ONE);
}

/* The second best chunk of a file counts a little less; neighbours help. */
static void
test_select_query_explains_neighbours_and_decay(void **state)
{
	struct plan_factors factors = { .own = 0 };
	double decay;

	ask("apple");
	add_file("a.c", 0, REASON_NONE);
	for (uint32_t c = 0; c < 3; c++)
		add_chunk(100, c);
	has(0, 0, 2);
	has(1, 0, 2);
	open_query();
	/* the best file: half of it */
	decay = 1 -
		0.5 * (1 - match_decay(rig.run.job.available_tokens));
	/* own 1, beside another 0.25, the file 0.4 */
	ASSERT_EQ(select_query_relevance(selected, 0, 0),
		  (uint32_t)(1.65 / 4.1 * 1e6 + 0.5));
	select_query_explain(selected, 0, &factors);
	ASSERT_EQ(factors.near, (uint32_t)(0.25 * FACTOR_ONE + 0.5));
	ASSERT_EQ(factors.decay, FACTOR_ONE);
	ASSERT_EQ(select_query_relevance(selected, 0, 1),
		  (uint32_t)(1.65 / 4.1 * decay * 1e6 + 0.5));
	select_query_explain(selected, 1, &factors);
	ASSERT_EQ(factors.near, (uint32_t)(0.25 * FACTOR_ONE + 0.5));
	ASSERT_EQ(factors.decay, (uint32_t)(decay * FACTOR_ONE + 0.5));
	/* none of its own: 0.35 for both before it, 0.4 for the file */
	ASSERT_EQ(select_query_relevance(selected, 0, 2),
		  (uint32_t)(0.75 / 4.1 * decay * decay * 1e6 + 0.5));
	select_query_explain(selected, 2, &factors);
	ASSERT_EQ(factors.own, 0);
	ASSERT_EQ(factors.near, (uint32_t)(0.35 * FACTOR_ONE + 0.5));
}

/* Tests, texts, what is vendored or generated: unless they are asked for. */
static void
test_select_query_counts_kinds_less_that_are_not_asked_for(void **state)
{
	static const struct {
		const char *query;
		const char *path;
		double factor;
		uint8_t marks; /* enum mark: by content, or a directory */
	} cases[] = {
		{ "apple", "a.c", 1, 0 },
		{ "apple", "tests/test_a.c", 0.3, 0 },
		{ "apple tests", "tests/test_a.c", 0.3, 0 },
		{ "add tests of the apple", "tests/test_a.c", 1, 0 },
		{ "apple", "docs/a.md", 0.3, 0 },
		{ "document the apple", "docs/a.md", 1, 0 },
		{ "document the apple", "CHANGES.md", 0.3, 0 },
		{ "fix yaml of the apple", "docs/a.md", 1, 0 },
		{ "apple", "vendor/a.c", 0.5, 0 },
		{ "apple", "a.pb.go", 0.3, 0 },
		{ "apple", "a.c", 0.3, MARK_GENERATED },
		{ "apple", "a.c", 0.3, MARK_MINIFIED },
		{ "apple", "a.c", 0.5, MARK_VENDORED },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct plan_factors factors;

		if (i > 0) {
			close_query(NULL);
			setup_plan(NULL);
		}
		ask(cases[i].query);
		add_file(cases[i].path, 0, REASON_NONE);
		catalogue_file(&rig.run.catalogue, 0)->flags = cases[i].marks;
		add_chunk(100, 1);
		has(0, 0, 1);
		open_query();
		select_query_relevance(selected, 0, 0);
		select_query_explain(selected, 0, &factors);
		if (factors.kind !=
		    (uint32_t)(cases[i].factor * FACTOR_ONE + 0.5))
			fail_msg("%s: %s: got %u", cases[i].query,
				 cases[i].path, factors.kind);
	}
}

/* Of code that is no test, and no target of what builds it. */
static void
test_select_query_names_are_those_of_code(void **state)
{
	static const char text[] = "apple_pie";
	static const char *const paths[] = { "Makefile", "a.c", "setup.py",
					     "tests/test_a.c" };

	ask(text);
	anchors_read(&query.anchors, (const uint8_t *)text, strlen(text));
	for (uint32_t i = 0; i < ARRAY_LEN(paths); i++) {
		add_file(paths[i], 0, REASON_NONE);
		add_chunk(100, i);
		catalogue_chunk(&rig.run.catalogue, i)->line_first = 1;
		add_name(i,
			 (struct name_entry){ .line = 1,
					      .type = NAME_DEF,
					      .kind = LANG_KIND_FUNCTION },
			 text);
	}
	open_query();
	for (uint32_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct plan_factors factors;

		select_query_relevance(selected, i, 0);
		select_query_explain(selected, 0, &factors);
		ASSERT_EQ(factors.named > 0, i == 1);
	}
}

/* What nothing else defines is asked for, of whatever kind its file is. */
static void
test_select_query_for_a_name_has_no_kind(void **state)
{
	static const char text[] = "apple_pie";
	static const char *const paths[] = { "tests/test_a.c",
					     "tests/test_b.c" };

	ask(text);
	anchors_read(&query.anchors, (const uint8_t *)text, strlen(text));
	for (uint32_t i = 0; i < ARRAY_LEN(paths); i++) {
		add_file(paths[i], 0, REASON_NONE);
		add_chunk(100, i);
		catalogue_chunk(&rig.run.catalogue, i)->line_first = 1;
		has(i, 0, 1);
	}
	add_name(1,
		 (struct name_entry){ .line = 1,
				      .type = NAME_DEF,
				      .kind = LANG_KIND_FUNCTION },
		 text);
	open_query();
	for (uint32_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct plan_factors factors;

		select_query_relevance(selected, i, 0);
		select_query_explain(selected, 0, &factors);
		ASSERT_EQ(factors.named > 0, i == 1);
		ASSERT_EQ(factors.kind == FACTOR_ONE, i == 1);
	}
	ASSERT_TRUE(select_query_relevance(selected, 1, 0) >
		    3 * select_query_relevance(selected, 0, 0));
}

/* Without a query there is nothing to be asked. */
static void
test_select_query_that_is_none_is_none(void **state)
{
	add_file("a.c", 0, REASON_NONE);
	add_chunk(100, 1);
	planner_open();
	selected = (void *)&query;
	ASSERT_EQ(select_query_open(planner, &selected), 0);
	ASSERT_TRUE(selected == NULL);
	select_query_close(NULL);
}

/* A file of more chunks than are scored together: a block after the other. */
static void
test_select_query_of_a_file_of_many_chunks(void **state)
{
	const uint32_t last = SELECT_QUERY_BLOCK + 5;

	ask("apple");
	add_file("a.c", 0, REASON_NONE);
	for (uint32_t c = 0; c <= last; c++)
		add_chunk(100, c);
	write_term(0, 0, 2);
	write_term(SELECT_QUERY_BLOCK - 1, 0, 1);
	write_term(last, 0, 2);
	open_query();
	/* the file counts for each; blocks do not know of one another */
	ASSERT_EQ(select_query_relevance(selected, 0, 0), 341463);
	ASSERT_TRUE(select_query_relevance(selected, 0,
					   SELECT_QUERY_BLOCK - 1) < 341463);
	ASSERT_TRUE(select_query_relevance(selected, 0,
					   SELECT_QUERY_BLOCK - 1) > 200000);
	ASSERT_EQ(select_query_relevance(selected, 0, last), 341463);
	ASSERT_TRUE(select_query_relevance(selected, 0, last - 3) < 150000);
}

#define QUERY_CASE(name) \
	cmocka_unit_test_setup_teardown(name, setup_plan, close_query)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		QUERY_CASE(
			test_select_query_relevance_is_that_of_sums_over_arrays),
		QUERY_CASE(test_select_query_relevance_of_all_there_is),
		QUERY_CASE(test_select_query_explains_neighbours_and_decay),
		QUERY_CASE(
			test_select_query_counts_kinds_less_that_are_not_asked_for),
		QUERY_CASE(test_select_query_names_are_those_of_code),
		QUERY_CASE(test_select_query_for_a_name_has_no_kind),
		QUERY_CASE(test_select_query_that_is_none_is_none),
		QUERY_CASE(test_select_query_of_a_file_of_many_chunks),
	};

	return cmocka_run_group_tests_name("select/query", tests, NULL, NULL);
}
