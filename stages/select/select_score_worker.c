/* SPDX-License-Identifier: MIT */
/*
 * select_score_worker.c - what is known of a chunk, for its score.
 */
#include "stages/select/select_score_worker.h"

#include <stdlib.h>

#include "stages/select/select_kind.h"

#define ONE 1000000u /* millionths */

bool
select_is_usable(const struct file_facts *facts)
{
	return facts->reason == REASON_NONE && facts->same_as == FILE_NONE &&
	       facts->chunk_nr > 0;
}

static void
find_times(struct select_scores *scores, uint64_t file_nr)
{
	const struct catalogue *catalogue = &scores->worker->catalogue;
	bool any = false;

	for (uint64_t i = 0; i < file_nr; i++) {
		int64_t time = catalogue_file(catalogue, i)->mtime_ns;

		catalogue_trim_after(catalogue, i + 1);
		/* a text that came with a source is of no time of its own */
		if (!select_is_usable(catalogue_facts(catalogue, i)) ||
		    catalogue_file(catalogue, i)->root_idx == SOURCE_ROOT_TEXT)
			continue;
		if (!any || time < scores->times.oldest_ns)
			scores->times.oldest_ns = time;
		if (!any || time > scores->times.newest_ns)
			scores->times.newest_ns = time;
		any = true;
	}
}

int
select_scores_init(struct select_scores *scores, struct worker *worker,
		   uint64_t file_nr)
{
	const struct pack_options *options = &worker->run->options;

	*scores = (struct select_scores){
		.worker = worker,
		.weights = { options->relevance_weight, options->recency_weight,
			     options->source_weight },
	};
	find_times(scores, file_nr);
	return select_query_open(worker, file_nr, &scores->query);
}

void
select_scores_fini(struct select_scores *scores)
{
	select_query_close(scores->query);
	scores->query = NULL;
}

void
select_scores_rewind(struct select_scores *scores)
{
	select_query_rewind(scores->query);
}

void
select_scores_file(struct select_scores *scores, uint32_t file_idx)
{
	const struct catalogue *catalogue = &scores->worker->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const uint8_t *path =
		catalogue_path(catalogue, file) + file->root_bytes;
	size_t bytes = file->path_bytes - file->root_bytes;
	const struct file_traits *known = catalogue_traits(catalogue, file_idx);
	const struct select_traits traits = {
		.kinds = select_kinds(path, bytes) |
			 (known->has_main ? SELECT_KIND_ENTRY : 0u),
		.importers = known->importers,
		.commits = catalogue_commits(catalogue, file_idx),
		.exports = known->exports,
		.markers = known->markers,
		.is_boosted = known->is_boosted,
	};

	scores->file_idx = file_idx;
	scores->asked = source_find(&scores->worker->run->options.sources,
				    file->root_idx, path, bytes);
	select_priority(&traits, &scores->points);
	scores->about = (struct select_file){
		.mtime_ns = file->root_idx == SOURCE_ROOT_TEXT
				    ? scores->times.newest_ns
				    : file->mtime_ns,
		.relevance = (uint32_t)scores->points.sum *
			     (ONE / SELECT_POINTS_MAX),
		.is_matched = scores->query != NULL,
	};
}

/* The best that a source has to say of a chunk, instead of the tree. */
static uint8_t
ask_sources(const struct select_scores *scores, uint32_t ordinal,
	    struct select_file *about)
{
	const struct catalogue *catalogue = &scores->worker->catalogue;
	const struct file_facts *facts =
		catalogue_facts(catalogue, scores->file_idx);
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, facts->chunk_first + ordinal);
	const struct source_request *request =
		source_best(&scores->worker->run->options.sources,
			    scores->asked, chunk->line_first,
			    chunk->line_first + max_u64(chunk->line_nr, 1) - 1);

	if (request == NULL)
		return CATEGORY_TREE;
	about->relevance = request->relevance;
	about->is_matched = false;
	if (request->time_ns != SOURCE_TIME_NONE)
		about->mtime_ns = request->time_ns;
	return request->category;
}

static void
explain(const struct select_scores *scores, uint32_t ordinal,
	const struct select_factors *made_of, struct plan_factors *out)
{
	const struct select_points *points = &scores->points;

	*out = (struct plan_factors){
		.relevance = made_of->relevance,
		.recency = made_of->recency,
		.source = made_of->source,
		.entry = points->entry,
		.importers = points->importers,
		.exports = points->exports,
		.commits = points->commits,
		.markers = points->markers,
		.config = points->config,
		.boost = points->boost,
		.tests = points->tests,
		.points = points->sum,
		.is_pinned = catalogue_traits(&scores->worker->catalogue,
					      scores->file_idx)
				     ->is_pinned,
	};
	if (scores->query != NULL)
		select_query_explain(scores->query, ordinal, out);
}

uint32_t
select_scores_chunk(struct select_scores *scores, uint32_t ordinal,
		    uint8_t *category, struct plan_factors *factors)
{
	struct select_file about = scores->about;
	struct select_factors made_of;
	uint32_t score;

	*category = CATEGORY_TREE;
	if (scores->query != NULL)
		about.relevance = select_query_relevance(
			scores->query, scores->file_idx, ordinal);
	if (scores->asked != NULL)
		*category = ask_sources(scores, ordinal, &about);
	about.priority = source_priority(&scores->worker->run->options.sources,
					 *category);
	score = select_score(&about, &scores->times, &scores->weights,
			     &made_of);
	if (factors != NULL)
		explain(scores, ordinal, &made_of, factors);
	return score;
}
