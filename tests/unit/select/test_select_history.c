/* SPDX-License-Identifier: MIT */
/*
 * test_select_history.c - past commits as texts about files, against the same
 * sums made commit by commit.
 */
#include "tests/support/test_select_planner.h"

#include <math.h>

#include "catalogue/history.h"
#include "stages/select/select_query.h"

enum { COMMITS = 40, FILES = 25, TERMS = 3 };

static struct commit {
	uint32_t text_bytes;
	uint32_t changed_nr;
	uint32_t file_nr;
	uint32_t files[35];
	uint8_t times[TERMS];
} commits[COMMITS];

static struct query query;
static struct select_query selected;

/* As collect writes them. */
static void
write_history(uint32_t nr)
{
	const struct table *table = &rig.run.catalogue.history;
	struct history_head *head;
	uint64_t off = sizeof(*head);

	ASSERT_EQ(table_reserve(table, 64 << 10), 0);
	head = table_at(table, 0, sizeof(*head));
	*head = (struct history_head){ .commits_off = off, .commit_nr = nr };
	for (uint32_t i = 0; i < nr; i++) {
		const struct commit *commit = &commits[i];
		struct history_term terms[TERMS + 1] = { { 0 } };
		struct history_commit record = {
			.text_bytes = commit->text_bytes,
			.changed_nr = commit->changed_nr,
			.file_nr = commit->file_nr,
		};

		for (uint32_t t = 0; t < TERMS; t++)
			if (commit->times[t] > 0)
				terms[record.term_nr++] = (struct history_term){
					(uint8_t)t, commit->times[t]
				};
		record.term_nr += record.term_nr % 2;
		memcpy(table_at(table, off, sizeof(record)), &record,
		       sizeof(record));
		off += sizeof(record);
		memcpy(table_at(table, off, 4ull * record.file_nr),
		       commit->files, 4ull * record.file_nr);
		off += 4ull * record.file_nr;
		memcpy(table_at(table, off, record.term_nr * sizeof(terms[0])),
		       terms, record.term_nr * sizeof(terms[0]));
		off += record.term_nr * sizeof(terms[0]);
		off = round_up_u64(off, 4);
	}
}

static const double worth[TERMS] = { 1, 2, 0.5 };

static double
bm25(const struct commit *commit, uint32_t nr)
{
	double bytes = 0;
	double sum = 0;

	for (uint32_t i = 0; i < nr; i++)
		bytes += commits[i].text_bytes;
	for (uint32_t t = 0; t < TERMS; t++) {
		double tf = commit->times[t];
		double with = 0;

		for (uint32_t i = 0; i < nr; i++)
			with += commits[i].times[t] > 0;
		if (tf > 0)
			sum += worth[t] *
			       log(1 + (nr - with + 0.5) / (with + 0.5)) * tf *
			       2.2 /
			       (tf + 1.6 * (0.25 + 0.75 * commit->text_bytes /
							   (bytes / nr)));
	}
	return sum;
}

static void
assert_near(double got, double want)
{
	if (!(fabs(got - want) < 1e-5))
		fail_msg("got %.7f, want %.7f", got, want);
}

static void
open_history(uint32_t nr)
{
	add_file("a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	query_init(&query, (const uint8_t *)"apple banana cherry", 19);
	query.nr = TERMS;
	rig.run.job.query = &query;
	planner_open();
	write_history(nr);
	memset(&selected, 0, sizeof(selected));
	selected.planner = planner;
	selected.query = &query;
	ASSERT_EQ(select_history_open(&selected, worth), 0);
}

static struct match_file
file_of(uint32_t file_idx)
{
	struct match_file file = { .history = 0 };

	select_history_file(&selected, file_idx, &file);
	return file;
}

/* Each file by all commits that changed it. */
static void
test_select_history_is_the_sum_over_commits(void **state)
{
	double squares[FILES] = { 0 };
	double most = 0;
	uint64_t seed = 9;

	for (uint32_t i = 0; i < COMMITS; i++) {
		struct commit *commit = &commits[i];

		*commit = (struct commit){
			.text_bytes = 20 + (uint32_t)(random_next(&seed) % 200),
		};
		/* up to 32 paths, of which some are not there any more */
		commit->changed_nr = 1 + (uint32_t)(random_next(&seed) % 32);
		for (uint32_t f = 0; f < FILES; f++)
			if (commit->file_nr < commit->changed_nr &&
			    random_next(&seed) % 5 == 0)
				commit->files[commit->file_nr++] = f;
		for (uint32_t t = 0; t < TERMS; t++)
			commit->times[t] = random_next(&seed) % 3 == 0
						   ? 1 + (uint8_t)(seed >> 60)
						   : 0;
	}
	commits[3].changed_nr = 30;
	commits[4].changed_nr = 31;
	open_history(COMMITS);
	for (uint32_t i = 0; i < COMMITS; i++) {
		double score = bm25(&commits[i], COMMITS);

		if (commits[i].changed_nr > 30)
			continue;
		for (uint32_t k = 0; k < commits[i].file_nr; k++) {
			uint32_t f = commits[i].files[k];
			double told = score / sqrt(commits[i].changed_nr);

			squares[f] += told * told;
			most = squares[f] > most ? squares[f] : most;
		}
	}
	ASSERT_TRUE(most > 0);
	for (uint32_t f = 0; f < FILES; f++)
		assert_near(file_of(f).history, sqrt(squares[f] / most));
	select_query_close(NULL);
	free(selected.history_ctx);
}

/* A commit that says nothing of it, of too many files, of other files. */
static void
test_select_history_of_others_is_nothing(void **state)
{
	commits[0] = (struct commit){ .text_bytes = 10,
				      .changed_nr = 31,
				      .file_nr = 1,
				      .files = { 2 },
				      .times = { 1 } };
	commits[1] = (struct commit){
		.text_bytes = 10, .changed_nr = 1, .file_nr = 1, .files = { 3 }
	};
	open_history(2);
	ASSERT_TRUE(selected.history_ctx == NULL);
	for (uint32_t f = 0; f < 6; f++)
		ASSERT_TRUE(!(file_of(f).history > 0));
	plan_close();
	commits[2] = (struct commit){ .text_bytes = 10,
				      .changed_nr = 1,
				      .file_nr = 1,
				      .files = { 4 },
				      .times = { 0, 3 } };
	open_history(3);
	for (uint32_t f = 0; f < 6; f++)
		assert_near(file_of(f).history, f == 4);
	ASSERT_EQ(selected.messages.nr, 3);
	ASSERT_EQ(selected.messages.length, 30);
	free(selected.history_ctx);
}

/* Each piece by the best of the lines in it. */
static void
test_select_history_of_pieces_is_that_of_their_lines(void **state)
{
	static const struct history_lines lines[] = {
		{ .first = 2, .nr = 1, .heat = HISTORY_ONE / 4 },
		{ .first = 3, .nr = 2, .heat = HISTORY_ONE },
	};
	struct history_hot hot = { .lines_nr = 2 };
	const struct table *table;
	struct history_head *head;
	float got[2] = { 9, 9 };

	open_history(0);
	table = &rig.run.catalogue.history;
	select_history_pieces(&selected, 0, 0, 1, got);
	assert_near((double)got[0], 0);
	head = table_at(table, 0, sizeof(*head));
	hot.lines_off = 4096;
	hot.file_idx = 0;
	head->hot_off = 8192;
	head->hot_nr = 1;
	memcpy(table_at(table, 4096, sizeof(lines)), lines, sizeof(lines));
	memcpy(table_at(table, 8192, sizeof(hot)), &hot, sizeof(hot));
	for (uint32_t first = 1; first <= 5; first++) {
		static const double want[] = { 0, 0, 0.5, 1, 1, 0 };
		struct chunk_record *chunk = catalogue_chunk(
			&rig.run.catalogue, 0);

		chunk->line_first = first;
		chunk->line_nr = 1;
		select_history_pieces(&selected, 0, 0, 1, got);
		assert_near((double)got[0], want[first]);
	}
	assert_near((double)got[1], 9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_history_is_the_sum_over_commits),
		PLAN_CASE(test_select_history_of_others_is_nothing),
		PLAN_CASE(test_select_history_of_pieces_is_that_of_their_lines),
	};

	return cmocka_run_group_tests_name("select/history", tests, NULL, NULL);
}
