/* SPDX-License-Identifier: MIT */
/*
 * report_merged.c - which requests became which.
 *
 * A request belongs to the range that holds all of it; where the better one
 * was kept instead of merging, to the one that it shares most lines with.
 */
#include "supervisor/report_merged.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stages/select/select.h"
#include "supervisor/source_impl.h"

#define MERGED_MAX 1000
#define REQUESTS_MAX 64  /* told of, of a range */
#define LOOKED_AT_MAX 64 /* ranges, for one request */

struct telling {
	const struct report *report;
	const struct source_list *list;
	struct emitter *out;
	uint64_t nr;
	bool unmerged; /* what was not merged is told */
};

/* The requests of a file, as they came, and the ranges that they are now. */
struct asked {
	const struct source_entry *entries;
	uint32_t entry_nr;
	const struct source_request *ranges; /* by their first lines */
	uint32_t range_nr;
	uint32_t file_idx;
	const struct file_facts *facts;
	uint32_t *order;  /* entries, those of a range side by side */
	uint32_t *begins; /* of each range, in order; one more than there are */
};

static uint64_t
shared_lines(const struct source_request *a, const struct source_request *b)
{
	uint64_t from = max_u64(a->line_first, b->line_first);
	uint64_t to = min_u64(a->line_last, b->line_last);

	return from <= to ? to - from + 1 : 0;
}

/* How many ranges begin no later than a request ends. */
static uint32_t
ranges_before(const struct asked *asked, uint64_t line_last)
{
	uint32_t low = 0;
	uint32_t high = asked->range_nr;

	while (low < high) {
		uint32_t at = low + (high - low) / 2;

		if (asked->ranges[at].line_first <= line_last)
			low = at + 1;
		else
			high = at;
	}
	return low;
}

/* The range of a request; range_nr: none is near. */
static uint32_t
range_of(const struct asked *asked, const struct source_request *request)
{
	uint32_t end = ranges_before(asked, request->line_last);
	uint32_t best = asked->range_nr;
	uint64_t most = 0;

	for (uint32_t n = 0; n < end && n < LOOKED_AT_MAX; n++) {
		const struct source_request *range =
			&asked->ranges[end - 1 - n];
		uint64_t shared = shared_lines(range, request);

		if (range->line_first <= request->line_first &&
		    range->line_last >= request->line_last)
			return end - 1 - n;
		if (shared > most) {
			most = shared;
			best = end - 1 - n;
		}
	}
	return best;
}

/* Sorts the entries into their ranges; owner: free() of both. */
static int
sort_entries(struct asked *asked)
{
	uint32_t *of = calloc(asked->entry_nr + 1ul, sizeof(*of));
	uint32_t sum = 0;

	asked->order = calloc(asked->entry_nr + 1ul, sizeof(*asked->order));
	asked->begins = calloc(asked->range_nr + 2ul, sizeof(*asked->begins));
	if (of == NULL || asked->order == NULL || asked->begins == NULL) {
		free(of);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < asked->entry_nr; i++) {
		of[i] = range_of(asked, &asked->entries[i].request);
		asked->begins[of[i]]++;
	}
	for (uint32_t i = 0; i <= asked->range_nr; i++) {
		uint32_t nr = asked->begins[i];

		asked->begins[i] = sum;
		sum += nr;
	}
	for (uint32_t i = 0; i < asked->entry_nr; i++)
		asked->order[asked->begins[of[i]]++] = i;
	/* each now stands where the next one begins */
	memmove(asked->begins + 1, asked->begins,
		asked->range_nr * sizeof(*asked->begins));
	asked->begins[0] = 0;
	free(of);
	return 0;
}

/* The last line of a request that is there. */
static uint64_t
last_of(const struct asked *asked, const struct source_request *request)
{
	uint64_t there = max_u64(asked->facts->line_nr, 1);

	return max_u64(min_u64(request->line_last, there), request->line_first);
}

static uint64_t
tokens_of(const struct telling *telling, const struct asked *asked,
	  const struct source_request *request)
{
	return report_lines_tokens(&telling->report->run->catalogue,
				   asked->facts, request->line_first,
				   last_of(asked, request));
}

/* What a chunk of these lines scores for being asked for. */
static uint32_t
score_of(const struct telling *telling, const struct asked *asked,
	 const struct source_request *request)
{
	const struct run *run = telling->report->run;
	const struct pack_options *options = &run->options;
	const struct file_record *file =
		catalogue_file(&run->catalogue, asked->file_idx);
	const struct select_times times = {
		/* relaxed: its writer is dead, waitid() came in between */
		.newest_ns = atomic_load_explicit(
			&run->segment.control->newest_ns, memory_order_relaxed),
	};
	const struct select_weights weights = { options->relevance_weight,
						options->recency_weight,
						options->source_weight };
	const struct select_file about = {
		.mtime_ns =
			request->time_ns != SOURCE_TIME_NONE ? request->time_ns
			: file->root_idx == SOURCE_ROOT_TEXT ? times.newest_ns
							     : file->mtime_ns,
		.relevance = request->relevance,
		.priority = source_priority(&telling->list->sources,
					    request->category),
	};

	return select_score(&about, &times, &weights, NULL);
}

/* The same of what is packed of a range: as part of a tree it may be more. */
static uint32_t
packed_score(const struct telling *telling, const struct asked *asked,
	     const struct source_request *range)
{
	const struct run *run = telling->report->run;
	const struct catalogue *catalogue = &run->catalogue;
	/* relaxed: as above */
	uint64_t nr = atomic_load_explicit(&run->segment.control->plan_nr,
					   memory_order_relaxed);
	uint32_t score = score_of(telling, asked, range);

	for (uint64_t i = catalogue_plan_first(catalogue, nr, asked->file_idx);
	     i < nr; i++) {
		const struct plan_entry *entry = catalogue_plan(catalogue, i);
		const struct chunk_record *chunk =
			catalogue_chunk(catalogue, entry->chunk_idx);
		uint64_t last =
			chunk->line_first + max_u64(chunk->line_nr, 1) - 1;

		if (chunk->file_idx != asked->file_idx)
			break;
		if (entry->score != SCORE_NONE && entry->tier == TIER_FULL &&
		    chunk->line_first <= range->line_last &&
		    last >= range->line_first && entry->score > score)
			score = entry->score;
	}
	return score;
}

static void
emit_request(const struct telling *telling, const struct asked *asked,
	     const struct source_request *request, uint32_t score)
{
	struct emitter *out = telling->out;

	emit_u64(out, "start_line", request->line_first);
	emit_u64(out, "end_line", last_of(asked, request));
	emit_u64(out, "tokens", tokens_of(telling, asked, request));
	emit_text(out, "category", category_name(request->category));
	emit_millionths(out, "score", score);
	emit_ratio(out, "worth", source_worth(&telling->list->sources, request),
		   SOURCE_ONE);
}

/* One range that several requests became, if it is one. */
static int
tell_range(struct telling *telling, const struct asked *asked, uint32_t at)
{
	struct emitter *out = telling->out;
	uint32_t from = asked->begins[at];
	uint32_t to = asked->begins[at + 1];
	uint64_t before = 0;
	uint64_t after;
	const uint8_t *path;
	size_t bytes;
	int error;

	if (to - from < 2 || telling->nr++ >= MERGED_MAX)
		return 0;
	after = tokens_of(telling, asked, &asked->ranges[at]);
	error = report_path(telling->report, asked->file_idx, &path, &bytes);
	if (error != 0)
		return error;
	emit_begin(out, NULL, '{');
	emit_path(out, "path", "path_base64", path, bytes);
	emit_request(telling, asked, &asked->ranges[at],
		     packed_score(telling, asked, &asked->ranges[at]));
	emit_begin(out, "requests", '[');
	for (uint32_t i = from; i < to; i++) {
		const struct source_request *request =
			&asked->entries[asked->order[i]].request;

		before =
			add_sat_u64(before, tokens_of(telling, asked, request));
		if (i - from >= REQUESTS_MAX)
			continue;
		emit_begin(out, NULL, '{');
		emit_request(telling, asked, request,
			     score_of(telling, asked, request));
		emit_end(out, '}');
	}
	emit_end(out, ']');
	emit_u64(out, "saved_tokens", before - min_u64(before, after));
	emit_end(out, '}');
	return 0;
}

/* Lines of a range that one before it has, too, and that is not merged. */
static int
tell_shared(struct telling *telling, const struct asked *asked,
	    const struct source_request *before,
	    const struct source_request *range)
{
	struct emitter *out = telling->out;
	struct source_request shared = *range;
	const uint8_t *path;
	size_t bytes;
	int error;

	if (telling->nr++ >= MERGED_MAX)
		return 0;
	shared.line_last = min_u64(before->line_last, range->line_last);
	error = report_path(telling->report, asked->file_idx, &path, &bytes);
	if (error != 0)
		return error;
	emit_begin(out, NULL, '{');
	emit_path(out, "path", "path_base64", path, bytes);
	emit_u64(out, "start_line", shared.line_first);
	emit_u64(out, "end_line", last_of(asked, &shared));
	emit_begin(out, "requests", '[');
	emit_begin(out, NULL, '{');
	emit_request(telling, asked, before, score_of(telling, asked, before));
	emit_end(out, '}');
	emit_begin(out, NULL, '{');
	emit_request(telling, asked, range, score_of(telling, asked, range));
	emit_end(out, '}');
	emit_end(out, ']');
	emit_u64(out, "saved_tokens", tokens_of(telling, asked, &shared));
	emit_end(out, '}');
	return 0;
}

/* Ranges that overlap and stay, each with the one that reaches furthest. */
static int
tell_unmerged(struct telling *telling, const struct asked *asked)
{
	const struct source_request *furthest = NULL;
	int error = 0;

	for (uint32_t i = 0; i < asked->range_nr && error == 0; i++) {
		const struct source_request *it = &asked->ranges[i];

		if (i > 0 && it->line_first == it[-1].line_first &&
		    it->line_last == it[-1].line_last)
			continue;
		if (furthest != NULL && it->line_first <= furthest->line_last)
			error = tell_shared(telling, asked, furthest, it);
		if (furthest == NULL || it->line_last > furthest->line_last)
			furthest = it;
	}
	return error;
}

static int
tell_merged(struct telling *telling, struct asked *asked)
{
	int error = sort_entries(asked);

	for (uint32_t i = 0; i < asked->range_nr && error == 0; i++)
		error = tell_range(telling, asked, i);
	return error;
}

static int
tell_file(struct telling *telling, uint32_t file_idx,
	  const struct source_file *file)
{
	const struct source_list *list = telling->list;
	const struct source_entry *end = list->entries + list->entry_nr;
	struct asked asked = {
		.entries = report_first_entry(list, file),
		.ranges = &list->sources.requests[file->request_first],
		.range_nr = file->request_nr,
		.file_idx = file_idx,
		.facts = catalogue_facts(&telling->report->run->catalogue,
					 file_idx),
	};
	int error;

	for (const struct source_entry *it = asked.entries;
	     it < end && it->path != NULL && it->root == file->root &&
	     strcmp(it->path, file->path) == 0;
	     it++)
		asked.entry_nr++;
	error = telling->unmerged ? tell_unmerged(telling, &asked)
				  : tell_merged(telling, &asked);
	free(asked.order);
	free(asked.begins);
	return error;
}

static int
tell_all(struct telling *telling)
{
	const struct report *report = telling->report;
	const struct catalogue *catalogue = &report->run->catalogue;
	int error = 0;

	for (uint64_t i = 0; i < report->files_seen && error == 0; i++) {
		const struct file_record *file = catalogue_file(catalogue, i);
		const struct source_file *asked;
		const uint8_t *path;
		size_t bytes;

		error = report_path(report, (uint32_t)i, &path, &bytes);
		if (error != 0 || file->root_bytes > bytes)
			break;
		asked = source_find(&telling->list->sources, file->root_idx,
				    path + file->root_bytes,
				    bytes - file->root_bytes);
		if (asked != NULL)
			error = tell_file(telling, (uint32_t)i, asked);
	}
	return error;
}

static int
tell_list(const struct report *report, struct emitter *out, const char *key,
	  uint64_t nr, bool unmerged)
{
	struct telling telling = { .report = report,
				   .list = report->source_list,
				   .out = out,
				   .unmerged = unmerged };
	char left_out[32];
	int error = 0;

	emit_begin(out, key, '[');
	if (nr > 0 && !run_takes_all(report->run))
		error = tell_all(&telling);
	emit_end(out, ']');
	snprintf(left_out, sizeof(left_out), "%s_left_out", key);
	emit_u64(out, left_out, telling.nr - min_u64(telling.nr, MERGED_MAX));
	return error;
}

int
report_emit_merged(const struct report *report, struct emitter *out)
{
	int error = tell_list(report, out, "merged",
			      report->overlaps_merged + report->requests_same,
			      false);

	return error != 0 ? error
			  : tell_list(report, out, "unmerged",
				      report->overlaps_unmerged, true);
}
