/* SPDX-License-Identifier: MIT */
/*
 * select_query.c - from terms in the catalogue to relevance.
 */
#include "stages/select/select_query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue/traits.h"
#include "rank/kind.h"
#include "catalogue/files.h"
#include "catalogue/history.h"
#include "catalogue/terms.h"

#define WORTH_PATH_MAX 3.0 /* a path has little room for more */

static_assert(QUERY_TERMS_MAX == MATCH_TERMS_MAX, "the same terms");

/* The terms of chunk [first, end), one by one, without the names that are
 * declared; NULL: no more. */
static const struct term_record *
next_term(struct select_query *query, uint64_t first, uint64_t end)
{
	const struct term_record *record;

	do
		record = catalogue_term(query->planner->catalogue,
					query->cursor++);
	while (term_chunk(record) < first ||
	       (term_chunk(record) < end && record->term >= query->query->nr));
	if (term_chunk(record) < end)
		return record;
	query->cursor--;
	return NULL;
}

static const uint8_t *
path_of(const struct select_query *query, uint32_t file_idx, size_t *bytes)
{
	const struct catalogue *catalogue = query->planner->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);

	*bytes = file->path_bytes - file->root_bytes;
	return catalogue_path(catalogue, file) + file->root_bytes;
}

/* Which terms a path has. */
static void
count_path(const struct select_query *query, uint32_t file_idx,
	   uint8_t counts[QUERY_TERMS_MAX])
{
	size_t bytes;
	const uint8_t *path = path_of(query, file_idx, &bytes);

	memset(counts, 0, QUERY_TERMS_MAX);
	query_count(query->query, path, bytes, counts);
}

/* How many chunks, files, paths there are, and how many have each term. */
static void
count_file(struct select_query *query, uint32_t file_idx)
{
	const struct file_facts *facts =
		catalogue_facts(query->planner->catalogue, file_idx);
	uint64_t end = facts->chunk_first + facts->chunk_nr;
	bool has[QUERY_TERMS_MAX] = { false };
	uint8_t in_path[QUERY_TERMS_MAX];
	const struct term_record *record;

	query->chunks.nr += facts->chunk_nr;
	query->chunks.length += facts->bytes;
	query->files.nr++;
	query->files.length += facts->bytes;
	query->paths.nr++;
	while ((record = next_term(query, facts->chunk_first, end)) != NULL) {
		query->chunks.with[record->term]++;
		has[record->term] = true;
	}
	count_path(query, file_idx, in_path);
	for (uint32_t i = 0; i < query->query->nr; i++) {
		query->files.with[i] += has[i];
		query->paths.with[i] += in_path[i] > 0;
	}
}

/* BM25 of chunks [from, from + nr) of a file; adds up what the file has. */
static void
score_chunks(struct select_query *query, const struct file_facts *facts,
	     uint32_t from, uint32_t nr)
{
	const struct catalogue *catalogue = query->planner->catalogue;
	uint64_t first = facts->chunk_first + from;
	const struct term_record *record;

	memset(query->share, 0, nr * sizeof(query->share[0]));
	memset(query->cover, 0, nr * sizeof(query->cover[0]));
	while ((record = next_term(query, first, first + nr)) != NULL) {
		uint64_t idx = term_chunk(record);

		query->share[idx - first] += (float)match_term(
			&query->chunks, record->term, record->times,
			catalogue_chunk(catalogue, idx)->bytes);
		query->cover[idx - first] +=
			(float)query->chunks.weight[record->term];
		query->file_times[record->term] += record->times;
	}
	for (uint32_t i = 0; i < nr; i++)
		query->share[i] = (float)match_cover(&query->chunks,
						     (double)query->share[i],
						     (double)query->cover[i]);
}

/* BM25 of the whole file, by the terms that were added up. */
static double
score_file(const struct select_query *query, const struct file_facts *facts)
{
	double score = 0;

	for (uint32_t i = 0; i < query->query->nr; i++)
		if (query->file_times[i] > 0)
			score += match_term(&query->files, i,
					    query->file_times[i], facts->bytes);
	return score;
}

static double
score_path(const struct select_query *query, uint32_t file_idx)
{
	uint8_t counts[QUERY_TERMS_MAX];
	double score = 0;

	count_path(query, file_idx, counts);
	for (uint32_t i = 0; i < query->query->nr; i++)
		if (counts[i] > 0)
			score += query->paths.weight[i];
	return score;
}

static void
keep_best(struct match_set *set, double score)
{
	if (score > set->best)
		set->best = score;
}

/* Whether there are records of a file, from a chunk on. */
static bool
has_terms(struct select_query *query, const struct file_facts *facts,
	  uint32_t from)
{
	uint64_t first = facts->chunk_first + from;
	bool has = next_term(query, first,
			     facts->chunk_first + facts->chunk_nr) != NULL;

	query->cursor -= has;
	return has;
}

/* The greatest scores that there are. */
static void
measure_file(struct select_query *query, uint32_t file_idx)
{
	const struct file_facts *facts =
		catalogue_facts(query->planner->catalogue, file_idx);

	memset(query->file_times, 0, sizeof(query->file_times));
	for (uint32_t from = 0;
	     from < facts->chunk_nr && has_terms(query, facts, from);
	     from += SELECT_QUERY_BLOCK) {
		uint32_t nr = (uint32_t)min_u64(facts->chunk_nr - from,
						SELECT_QUERY_BLOCK);

		score_chunks(query, facts, from, nr);
		for (uint32_t i = 0; i < nr; i++)
			keep_best(&query->chunks, (double)query->share[i]);
	}
	keep_best(&query->files, score_file(query, facts));
	keep_best(&query->paths, score_path(query, file_idx));
}

/* Files that have content; of those of the same one, if `once`, the first. */
static void
each_file(struct select_query *query, bool once,
	  void (*what)(struct select_query *query, uint32_t file_idx))
{
	query->cursor = 0;
	for (uint64_t i = 0; i < query->planner->file_nr; i++) {
		const struct file_facts *facts =
			catalogue_facts(query->planner->catalogue, i);

		if (select_has_content(facts) &&
		    (!once || facts->duplicate_of == FILE_NONE))
			what(query, (uint32_t)i);
	}
}

/* What the terms are worth to the query. */
static int
weigh(struct select_query *query)
{
	double worth[QUERY_TERMS_MAX];
	double few[QUERY_TERMS_MAX];

	query_worth(query->query, worth);
	for (uint32_t i = 0; i < query->query->nr; i++)
		few[i] = worth[i] < WORTH_PATH_MAX ? worth[i] : WORTH_PATH_MAX;
	match_weigh(&query->chunks, worth, query->query->nr);
	match_weigh(&query->files, worth, query->query->nr);
	match_weigh(&query->paths, few, query->query->nr);
	return select_history_open(query, worth);
}

static uint32_t
kinds_of(const struct select_query *query, uint32_t file_idx)
{
	const struct catalogue *catalogue = query->planner->catalogue;
	uint32_t kinds = catalogue_traits(catalogue, file_idx)->kinds;
	uint32_t marks = catalogue_file(catalogue, file_idx)->flags;
	/* translations and change logs are of no use whatever is asked */
	uint32_t about = kinds & RANK_KIND_ASIDE ? 0 : query->query->about;
	uint32_t match = 0;

	if ((kinds & RANK_KIND_TEST) && !(about & QUERY_ABOUT_TESTS))
		match |= MATCH_TEST;
	if ((kinds & RANK_KIND_DOC) &&
	    !(about & (QUERY_ABOUT_DOCS | QUERY_ABOUT_CONFIG)))
		match |= MATCH_DOC;
	if ((kinds & RANK_KIND_VENDORED) || (marks & MARK_VENDORED))
		match |= MATCH_VENDORED;
	if ((kinds & RANK_KIND_GENERATED) ||
	    (marks & (MARK_GENERATED | MARK_MINIFIED)))
		match |= MATCH_GENERATED;
	return match;
}

/* Names of tests, of targets of a Makefile and the like are not what is meant. */
static bool
counts_names(const void *context, uint32_t file_idx)
{
	const struct select_query *query = context;
	uint32_t kinds =
		catalogue_traits(query->planner->catalogue, file_idx)->kinds;

	return kinds_of(query, file_idx) == 0 && !(kinds & RANK_KIND_CONFIG);
}

/* Whether neither the path of the file in work, which has no terms, nor a past
 * commit or a place that is named says anything of it or of one of its pieces. */
static bool
is_untold(const struct select_query *query, uint32_t file_idx)
{
	const struct match_file *file = &query->of_file;
	uint32_t hot_nr;

	catalogue_hot_lines(query->planner->catalogue, file_idx, &hot_nr);
	return !(file->path > 0) && !(file->history > 0) && hot_nr == 0 &&
	       !select_anchors_has(&query->anchors, file_idx);
}

/* Whether a file has what such a query is after: of whatever kind it is. */
static bool
is_defining(const struct select_query *query, uint32_t file_idx)
{
	return query->anchors.is_all &&
	       select_anchors_has(&query->anchors, file_idx);
}

/* What is to be known of the file: this needs its terms, which are then read
 * again for its chunks. */
static void
load_file(struct select_query *query, uint32_t file_idx,
	  const struct file_facts *facts)
{
	uint64_t end = facts->chunk_first + facts->chunk_nr;
	const struct term_record *record;
	bool has = has_terms(query, facts, 0);
	uint64_t cursor = query->cursor;

	memset(query->file_times, 0, sizeof(query->file_times));
	while ((record = next_term(query, facts->chunk_first, end)) != NULL)
		query->file_times[record->term] += record->times;
	query->cursor = cursor;
	query->of_file = (struct match_file){
		.whole = match_share(&query->files, score_file(query, facts)),
		.path = match_share(&query->paths, score_path(query, file_idx)),
		.kind = match_kind_factor(is_defining(query, file_idx)
						  ? 0
						  : kinds_of(query, file_idx)),
		.named = select_anchors_file(&query->anchors, file_idx),
		.is_name = query->anchors.is_all,
		.named_pieces = query->named,
		.said_pieces = query->said,
	};
	select_history_file(query, file_idx, &query->of_file);
	query->is_blank = !has && is_untold(query, file_idx);
}

/* Pieces of a file that has nothing of the query: no more have they. */
static void
load_blank(struct select_query *query, uint32_t nr)
{
	memset(query->share, 0, nr * sizeof(query->share[0]));
	memset(query->own, 0, nr * sizeof(query->own[0]));
	memset(query->named, 0, nr * sizeof(query->named[0]));
	memset(query->said, 0, nr * sizeof(query->said[0]));
}

/* What each chunk of a block has for itself. */
static void
load_shares(struct select_query *query, const struct file_facts *facts,
	    uint32_t from, uint32_t nr)
{
	score_chunks(query, facts, from, nr);
	for (uint32_t i = 0; i < nr; i++)
		query->share[i] = (float)match_share(&query->chunks,
						     (double)query->share[i]);
	for (uint32_t i = 0; i < nr; i++)
		query->named[i] = (float)select_anchors_chunk(
			query->planner, &query->anchors, query->file_idx,
			from + i);
	select_history_pieces(query, query->file_idx, from, nr, query->said);
	query->of_file.begins = from == 0;
}

static void
load_block(struct select_query *query, const struct file_facts *facts,
	   uint32_t from)
{
	query->block_nr =
		(uint32_t)min_u64(facts->chunk_nr - from, SELECT_QUERY_BLOCK);
	if (query->is_blank) {
		load_blank(query, query->block_nr);
		return;
	}
	load_shares(query, facts, from, query->block_nr);
	memcpy(query->own, query->share,
	       query->block_nr * sizeof(query->own[0]));
	match_pieces(&query->of_file, &query->spread, query->share,
		     query->order, query->block_nr);
}

/* How good pieces are. */
static void
tally_file(struct select_query *query, uint32_t file_idx)
{
	const struct file_facts *facts =
		catalogue_facts(query->planner->catalogue, file_idx);

	load_file(query, file_idx, facts);
	query->file_idx = file_idx;
	if (query->is_blank) {
		match_tally_none(&query->tally, facts->chunk_nr);
		return;
	}
	for (uint32_t from = 0; from < facts->chunk_nr;
	     from += SELECT_QUERY_BLOCK) {
		uint32_t nr = (uint32_t)min_u64(facts->chunk_nr - from,
						SELECT_QUERY_BLOCK);

		load_shares(query, facts, from, nr);
		match_tally_add(&query->tally, &query->of_file, query->share,
				nr);
	}
}

int
select_query_open(struct planner *planner, struct select_query **out)
{
	const struct job *job = planner->job;
	struct select_query *query;
	int error;

	*out = NULL;
	if (job->query == NULL)
		return 0;
	query = calloc(1, sizeof(*query));
	if (query == NULL)
		return -ENOMEM;
	query->planner = planner;
	query->query = job->query;
	query->spread.decay = match_decay(job->available_tokens);
	each_file(query, true, count_file);
	error = weigh(query);
	if (error == 0)
		error = select_anchors_find(planner, &job->query->anchors,
					    counts_names, query,
					    &query->anchors);
	if (error != 0) {
		select_query_close(query);
		return error;
	}
	each_file(query, false, measure_file);
	each_file(query, false, tally_file);
	query->spread.best = query->tally.best;
	query->best = rank_millionths(query->tally.best);
	query->floor = rank_millionths(match_tally_floor(&query->tally));
	query->file_idx = FILE_NONE;
	*out = query;
	return 0;
}

void
select_query_close(struct select_query *query)
{
	if (query == NULL)
		return;
	free(query->history_ctx);
	free(query);
}

uint32_t
select_query_relevance(struct select_query *query, uint32_t file_idx,
		       uint32_t ordinal)
{
	const struct file_facts *facts =
		catalogue_facts(query->planner->catalogue, file_idx);
	uint32_t at = ordinal % SELECT_QUERY_BLOCK;
	uint32_t block = ordinal / SELECT_QUERY_BLOCK;

	/* whoever goes back begins anew */
	if (file_idx < query->file_idx ||
	    (file_idx == query->file_idx && block < query->block)) {
		query->cursor = 0;
		query->file_idx = FILE_NONE;
	}
	if (query->file_idx != file_idx) {
		load_file(query, file_idx, facts);
		query->file_idx = file_idx;
		query->block = UINT32_MAX;
	}
	if (query->block != block) {
		query->block = block;
		load_block(query, facts, ordinal - at);
	}
	return rank_millionths((double)query->share[at]);
}

enum match_confidence
select_query_confidence(const struct select_query *query, uint32_t relevance)
{
	return match_confidence(relevance, query->best, query->floor);
}

static uint16_t
part(double of_one)
{
	double whole = of_one * FACTOR_ONE + 0.5;

	return whole < FACTOR_ONE ? (uint16_t)whole : FACTOR_ONE;
}

void
select_query_explain(const struct select_query *query, uint32_t ordinal,
		     struct plan_factors *factors)
{
	uint32_t at = ordinal % SELECT_QUERY_BLOCK;
	double own = (double)query->own[at];
	double near =
		match_near(&query->of_file, query->own, query->block_nr, at);
	double sum = match_sum(&query->of_file, at, own, near);

	factors->own = part(own);
	factors->near = part(near);
	factors->whole = part(query->of_file.whole);
	factors->path = part(query->of_file.path);
	factors->history = part(query->of_file.history);
	factors->message = part((double)query->said[at]);
	factors->named = part(match_named(&query->of_file, at));
	factors->kind = part(query->of_file.kind);
	factors->decay = part(sum > 0 ? (double)query->share[at] / sum : 1);
}
