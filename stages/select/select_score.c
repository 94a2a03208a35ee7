/* SPDX-License-Identifier: MIT */
/*
 * select_score.c - what is known of a chunk, for its score.
 */
#include "stages/select/select_score.h"

#include "rank/kind.h"
#include "catalogue/files.h"
#include "catalogue/history.h"
#include "catalogue/traits.h"

#define ONE 1000000u /* millionths */

static void
take_time(struct select_scores *scores, int64_t time, bool *any)
{
	if (!*any || time < scores->times.oldest_ns)
		scores->times.oldest_ns = time;
	if (!*any || time > scores->times.newest_ns)
		scores->times.newest_ns = time;
	*any = true;
}

/* Sources may say when what they ask for is of. */
static void
take_source_times(struct select_scores *scores, const struct file_record *file,
		  bool *any)
{
	const struct sources *sources = &scores->planner->job->sources;
	const struct source_file *requested;

	if (!sources->has_times)
		return;
	requested =
		source_find(sources, file->root_idx,
			    catalogue_path(scores->planner->catalogue, file) +
				    file->root_bytes,
			    (size_t)(file->path_bytes - file->root_bytes));
	for (uint32_t i = 0; requested != NULL && i < requested->request_nr;
	     i++) {
		int64_t time =
			sources->requests[requested->request_first + i].time_ns;

		if (time != SOURCE_TIME_NONE)
			take_time(scores, time, any);
	}
}

static void
find_times(struct select_scores *scores)
{
	const struct catalogue *catalogue = scores->planner->catalogue;
	bool any = false;

	for (uint64_t i = 0; i < scores->planner->file_nr; i++) {
		const struct file_record *file = catalogue_file(catalogue, i);

		if (!select_has_content(catalogue_facts(catalogue, i)))
			continue;
		/* a text that came with a source is of no time of its own */
		if (file->root_idx != SOURCE_ROOT_TEXT)
			take_time(scores, file->mtime_ns, &any);
		take_source_times(scores, file, &any);
	}
}

/* Of data the size says nothing; nor does white space that one of two files of
 * the same content has more of. */
static uint32_t
weight_of(const struct catalogue *catalogue, uint64_t file_idx)
{
	const struct file_traits *traits =
		catalogue_traits(catalogue, file_idx);
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);

	if (traits->class != RANK_CLASS_CODE)
		return 0;
	if (facts->duplicate_of != FILE_NONE)
		facts = catalogue_facts(catalogue, facts->duplicate_of);
	return rank_weight(facts->bytes, traits->importers,
			   traits->kinds & RANK_KIND_ENTRY);
}

/* The best class that is there; what heat and weight of a file are parts of. */
static void
find_heat(struct select_scores *scores)
{
	const struct catalogue *catalogue = scores->planner->catalogue;

	for (uint64_t i = 0; i < scores->planner->file_nr; i++) {
		uint32_t heat =
			catalogue_history_of(catalogue, (uint32_t)i).heat;
		uint32_t class = catalogue_traits(catalogue, i)->class;

		if (!select_has_content(catalogue_facts(catalogue, i)))
			continue;
		scores->best_class =
			(uint32_t)max_u64(scores->best_class, class);
		if (class == RANK_CLASS_CODE && heat > scores->heat_max)
			scores->heat_max = heat;
		scores->weight_max = (uint32_t)max_u64(scores->weight_max,
						       weight_of(catalogue, i));
	}
}

int
select_scores_init(struct select_scores *scores, struct planner *planner)
{
	const struct job *job = planner->job;

	*scores = (struct select_scores){
		.planner = planner,
		.weights = { job->relevance_weight, job->recency_weight,
			     job->source_weight },
	};
	find_times(scores);
	if (job->is_overview)
		find_heat(scores);
	return select_query_open(planner, &scores->query);
}

void
select_scores_fini(struct select_scores *scores)
{
	select_query_close(scores->query);
	scores->query = NULL;
}

/* Without a query: by its class, its heat and its points. */
static uint32_t
relevance_of(const struct select_scores *scores,
	     const struct history_file *history)
{
	const struct file_traits *traits =
		catalogue_traits(scores->planner->catalogue, scores->file_idx);
	const struct rank_standing standing = {
		.class = traits->class,
		.heat = history->heat,
		.heat_max = scores->heat_max,
		.weight =
			weight_of(scores->planner->catalogue, scores->file_idx),
		.weight_max = scores->weight_max,
		.points = scores->points.sum,
		.is_boosted = traits->is_boosted,
	};

	return rank_relevance(&standing);
}

void
select_scores_file(struct select_scores *scores, uint32_t file_idx)
{
	const struct catalogue *catalogue = scores->planner->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const uint8_t *path =
		catalogue_path(catalogue, file) + file->root_bytes;
	size_t bytes = file->path_bytes - file->root_bytes;
	bool is_overview = scores->planner->job->is_overview;
	const struct file_traits *known = catalogue_traits(catalogue, file_idx);
	const struct history_file history =
		catalogue_history_of(catalogue, file_idx);
	const struct rank_traits traits = {
		.kinds = known->kinds,
		.importers = known->importers,
		.commits = history.commit_nr,
		.exports = known->exports,
		.markers = known->markers,
		.is_boosted = known->is_boosted,
	};

	scores->file_idx = file_idx;
	scores->requested = source_find(&scores->planner->job->sources,
					file->root_idx, path, bytes);
	rank_priority(&traits, &scores->points);
	scores->about = (struct rank_file){
		.mtime_ns = file->root_idx == SOURCE_ROOT_TEXT
				    ? scores->times.newest_ns
				    : file->mtime_ns,
		.relevance =
			(uint32_t)scores->points.sum * (ONE / RANK_POINTS_MAX),
		.is_matched = scores->query != NULL || is_overview,
	};
	if (is_overview)
		scores->about.relevance = relevance_of(scores, &history);
}

/*
 * The best that the sources have to say of a chunk: what they ask for is of
 * their category, but ranks no worse than as part of the tree.
 */
static uint32_t
ask_sources(const struct select_scores *scores, uint32_t ordinal,
	    uint32_t tree_score, uint8_t *category,
	    struct rank_factors *made_of)
{
	const struct job *job = scores->planner->job;
	const struct catalogue *catalogue = scores->planner->catalogue;
	const struct file_facts *facts =
		catalogue_facts(catalogue, scores->file_idx);
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, facts->chunk_first + ordinal);
	const struct source_lines lines = {
		.first = chunk->line_first,
		.nr = chunk->line_nr + (chunk->line_nr == 0),
	};
	uint64_t last = lines.first + lines.nr - 1;
	const struct source_request *it = NULL;
	uint32_t score = job->sources_only ? 0 : tree_score;
	uint32_t best = 0;

	while ((it = source_next(&job->sources, scores->requested,
				 chunk->line_first, last, it)) != NULL) {
		struct rank_file about = {
			.mtime_ns = it->time_ns == SOURCE_TIME_NONE
					    ? scores->about.mtime_ns
					    : it->time_ns,
			.relevance = source_relevance(
				&job->sources, scores->requested, it, &lines),
			.priority =
				source_priority(&job->sources, it->category),
		};
		struct rank_factors factors;
		uint32_t requested = rank_score(&about, &scores->times,
						&scores->weights, &factors);
		bool is_first = *category == CATEGORY_TREE;

		if (is_first || requested > best) {
			*category = it->category;
			best = requested;
		}
		if (requested > score || (is_first && requested >= score)) {
			score = requested;
			*made_of = factors;
		}
	}
	return *category == CATEGORY_TREE ? tree_score : score;
}

static void
explain(const struct select_scores *scores, uint32_t ordinal,
	const struct rank_factors *made_of, struct plan_factors *out)
{
	const struct rank_points *points = &scores->points;

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
		.is_pinned = catalogue_traits(scores->planner->catalogue,
					      scores->file_idx)
				     ->is_pinned != 0,
	};
	if (scores->query == NULL)
		return;
	select_query_explain(scores->query, ordinal, out);
	out->confidence =
		select_query_confidence(scores->query, made_of->relevance) & 3;
}

/* With --enough: whether the query gives evidence, or a source asks for it. */
static bool
is_enough(const struct select_scores *scores, const struct rank_file *about,
	  uint8_t category)
{
	if (!scores->planner->job->enough || scores->query == NULL ||
	    category != CATEGORY_TREE)
		return true;
	return select_query_confidence(scores->query, about->relevance) !=
	       MATCH_CONFIDENCE_NONE;
}

uint32_t
select_scores_chunk(struct select_scores *scores, uint32_t ordinal,
		    uint8_t *category, struct plan_factors *factors)
{
	struct rank_file about = scores->about;
	struct rank_factors made_of;
	uint32_t score;

	*category = CATEGORY_TREE;
	if (scores->query != NULL)
		about.relevance = select_query_relevance(
			scores->query, scores->file_idx, ordinal);
	about.priority =
		source_priority(&scores->planner->job->sources, CATEGORY_TREE);
	score = rank_score(&about, &scores->times, &scores->weights, &made_of);
	if (scores->requested != NULL)
		score = ask_sources(scores, ordinal, score, category, &made_of);
	scores->relevance = made_of.relevance;
	scores->is_enough = is_enough(scores, &about, *category);
	if (factors != NULL)
		explain(scores, ordinal, &made_of, factors);
	return score;
}
