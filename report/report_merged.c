/* SPDX-License-Identifier: MIT */
/*
 * report_merged.c - what was asked for besides the tree, and what it saved;
 *                   which requests became which.
 *
 * A request belongs to the range that holds all of it; where the better one
 * was kept instead of merging, to the one that it shares most lines with.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/emit.h"
#include "base/sorted.h"
#include "catalogue/files.h"
#include "rank/rank.h"
#include "report/report.h"
#include "sources/source_impl.h"

#define TOLD_MAX 5 /* places beyond the end of their files */

/* What sources ask for of a file. */
struct requested {
	const struct source_entry *entries; /* as they came, by their lines */
	uint32_t entry_nr;
	const struct source_request *ranges; /* by their first lines */
	uint32_t range_nr;
	uint32_t file_idx;
	const struct file_facts *facts;
};

/* Tokens of lines of a file; of a part of a chunk by its lines. */
static uint64_t
lines_tokens(const struct catalogue *catalogue, const struct file_facts *facts,
	     uint64_t first, uint64_t last)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < facts->chunk_nr; i++) {
		const struct chunk_record *chunk =
			catalogue_chunk(catalogue, facts->chunk_first + i);
		uint64_t lines = max_u64(chunk->line_nr, 1);
		uint64_t from = max_u64(chunk->line_first, first);
		uint64_t to = min_u64(chunk->line_first + lines - 1, last);

		if (from <= to)
			sum = add_sat_u64(sum, chunk->tokens * (to - from + 1) /
						       lines);
	}
	return sum;
}

static bool
is_same(const struct source_request *a, const struct source_request *b)
{
	return a->line_first == b->line_first && a->line_last == b->line_last;
}

/* The requests of one file, as they came and as they are. */
static void
take_file(struct report *report, const struct requested *requested)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	uint64_t before = 0;
	uint64_t after = 0;
	uint64_t reach = 0; /* the last line of the ranges so far */

	for (uint32_t i = 0; i < requested->entry_nr; i++) {
		const struct source_entry *it = &requested->entries[i];
		uint64_t tokens = lines_tokens(catalogue, requested->facts,
					       it->request.line_first,
					       it->request.line_last);

		if (i > 0 && is_same(&it[-1].request, &it->request))
			report->requests_same_tokens += tokens;
		else
			before += tokens;
	}
	for (uint32_t i = 0; i < requested->range_nr; i++) {
		const struct source_request *it = &requested->ranges[i];

		if (i > 0 && is_same(it, it - 1))
			continue;
		after += lines_tokens(catalogue, requested->facts,
				      it->line_first, it->line_last);
		if (it->line_first <= reach) {
			report->overlaps_unmerged++;
			report->unmerged_tokens += lines_tokens(
				catalogue, requested->facts, it->line_first,
				min_u64(it->line_last, reach));
		}
		reach = max_u64(reach, it->line_last);
	}
	report->overlap_tokens += before - min_u64(before, after);
}

/* Lines that a file does not have are told of: it may not be the one that
 * was meant, or have changed. */
static void
emit_beyond(struct report *report, const struct requested *requested)
{
	if (requested->facts->reason != REASON_NONE)
		return;
	for (uint32_t i = 0; i < requested->range_nr; i++) {
		const struct source_request *it = &requested->ranges[i];

		if (it->line_first <= max_u64(requested->facts->line_nr, 1) ||
		    report->requests_beyond++ >= TOLD_MAX ||
		    (i > 0 && is_same(it, it - 1)))
			continue;
		diag_log(DIAG_WARN,
			 "%s: line %ju was requested, but the file ends at "
			 "line %lu",
			 QUOTED(requested->entries->path), it->line_first,
			 (unsigned long)requested->facts->line_nr);
	}
}

/* False: nothing is asked for of it. Owner: the list of sources. */
static bool
find_requested(const struct report *report, uint32_t file_idx,
	       struct requested *out)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct source_list *list = report->source_list;
	uint32_t root_bytes = catalogue_file(catalogue, file_idx)->root_bytes;
	size_t bytes;
	const uint8_t *path = report_path(report, file_idx, &bytes);
	const struct source_file *file = source_find(
		&list->sources, catalogue_file(catalogue, file_idx)->root_idx,
		path + root_bytes, bytes - root_bytes);

	if (file == NULL)
		return false;
	*out = (struct requested){
		.entries = &list->entries[file->entry_first],
		.entry_nr = file->entry_nr,
		.ranges = &list->sources.requests[file->request_first],
		.range_nr = file->request_nr,
		.file_idx = file_idx,
		.facts = catalogue_facts(catalogue, file_idx),
	};
	return true;
}

/* How many requests of a file are of the same lines as one before. */
static uint64_t
repeated(const struct source_list *list, const struct source_file *file)
{
	const struct source_entry *it = &list->entries[file->entry_first];
	uint64_t nr = 0;

	for (uint32_t i = 1; i < file->entry_nr; i++)
		nr += is_same(&it[i - 1].request, &it[i].request);
	return nr;
}

void
report_take_sources(struct report *report, const struct source_list *list)
{
	struct requested requested;

	report->source_list = list;
	for (uint32_t i = 0; i < list->sources.file_nr; i++)
		report->requests_same += repeated(list, &list->files[i]);
	report->overlaps_merged =
		list->overlaps_merged -
		min_u64(list->overlaps_merged, report->requests_same);
	if (report->run->job.takes_all ||
	    (!list->sources.in_part &&
	     list->overlaps_merged + report->requests_same == 0))
		return;
	for (uint64_t i = 0; i < report->files_seen; i++) {
		if (!find_requested(report, (uint32_t)i, &requested))
			continue;
		emit_beyond(report, &requested);
		if (requested.range_nr > 1 || list->overlaps_merged > 0)
			take_file(report, &requested);
	}
	report->all_beyond =
		report->requests_beyond == list->sources.request_nr;
}

bool
report_is_all(const struct report *report)
{
	return report->files_full > 0 && report->files_partial == 0 &&
	       report->files_signatures == 0 && report->chunks_rejected == 0;
}

#define MERGED_MAX 1000
#define REQUESTS_MAX 64  /* told of, of a range */
#define LOOKED_AT_MAX 64 /* ranges, for one request */

struct emit_ctx {
	const struct report *report;
	struct emitter *out;
	uint64_t nr;
};

static uint64_t
shared_lines(const struct source_request *a, const struct source_request *b)
{
	uint64_t from = max_u64(a->line_first, b->line_first);
	uint64_t to = min_u64(a->line_last, b->line_last);

	return from <= to ? to - from + 1 : 0;
}

static bool
begins_by(const void *range, const void *line)
{
	const struct source_request *it = range;

	return it->line_first <= *(const uint64_t *)line;
}

/* How many ranges begin no later than a request ends. */
static uint32_t
ranges_before(const struct requested *requested, uint64_t line_last)
{
	return (uint32_t)sorted_first(requested->ranges, requested->range_nr,
				      sizeof(requested->ranges[0]), &line_last,
				      begins_by);
}

/* The range of a request; range_nr: none is near. */
static uint32_t
range_of(const struct requested *requested,
	 const struct source_request *request)
{
	uint32_t end = ranges_before(requested, request->line_last);
	uint32_t best = requested->range_nr;
	uint64_t most = 0;

	for (uint32_t n = 0; n < end && n < LOOKED_AT_MAX; n++) {
		const struct source_request *range =
			&requested->ranges[end - 1 - n];
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

/* The last line of a request that is there. */
static uint64_t
last_of(const struct requested *requested, const struct source_request *request)
{
	uint64_t there = max_u64(requested->facts->line_nr, 1);

	return max_u64(min_u64(request->line_last, there), request->line_first);
}

static uint64_t
tokens_of(const struct emit_ctx *emit_ctx, const struct requested *requested,
	  const struct source_request *request)
{
	return lines_tokens(&emit_ctx->report->run->catalogue, requested->facts,
			    request->line_first, last_of(requested, request));
}

/* What a chunk of these lines scores for being asked for. */
static uint32_t
score_of(const struct emit_ctx *emit_ctx, const struct requested *requested,
	 const struct source_request *request)
{
	const struct run *run = emit_ctx->report->run;
	const struct job *job = &run->job;
	const struct file_record *file =
		catalogue_file(&run->catalogue, requested->file_idx);
	const struct rank_times times = {
		/* relaxed: its writer is dead, waitid() came in between */
		.newest_ns = load_relaxed(&run->segment.control->newest_ns),
	};
	const struct rank_weights weights = { job->relevance_weight,
					      job->recency_weight,
					      job->source_weight };
	const struct rank_file about = {
		.mtime_ns =
			request->time_ns != SOURCE_TIME_NONE ? request->time_ns
			: file->root_idx == SOURCE_ROOT_TEXT ? times.newest_ns
							     : file->mtime_ns,
		.relevance = request->relevance,
		.priority =
			source_priority(&emit_ctx->report->source_list->sources,
					request->category),
	};

	return rank_score(&about, &times, &weights, NULL);
}

/* The same of what is packed of a range: as part of a tree it may be more. */
static uint32_t
packed_score(const struct emit_ctx *emit_ctx, const struct requested *requested,
	     const struct source_request *range)
{
	const struct run *run = emit_ctx->report->run;
	const struct catalogue *catalogue = &run->catalogue;
	/* relaxed: as above */
	uint64_t nr = load_relaxed(&run->segment.control->plan_nr);
	uint32_t score = score_of(emit_ctx, requested, range);

	for (uint64_t i =
		     catalogue_plan_first(catalogue, nr, requested->file_idx);
	     i < nr; i++) {
		const struct plan_entry *entry = catalogue_plan(catalogue, i);
		const struct chunk_record *chunk =
			catalogue_chunk(catalogue, entry->chunk_idx);
		uint64_t last =
			chunk->line_first + max_u64(chunk->line_nr, 1) - 1;

		if (chunk->file_idx != requested->file_idx)
			break;
		if (entry->score != SCORE_NONE && entry->tier == TIER_FULL &&
		    chunk->line_first <= range->line_last &&
		    last >= range->line_first && entry->score > score)
			score = entry->score;
	}
	return score;
}

static void
emit_request(const struct emit_ctx *emit_ctx, const struct requested *requested,
	     const struct source_request *request, uint32_t score)
{
	struct emitter *out = emit_ctx->out;

	emit_u64(out, "start_line", request->line_first);
	emit_u64(out, "end_line", last_of(requested, request));
	emit_u64(out, "tokens", tokens_of(emit_ctx, requested, request));
	emit_text(out, "category", category_name(request->category));
	emit_millionths(out, "score", score);
	emit_ratio(
		out, "worth",
		source_worth(&emit_ctx->report->source_list->sources, request),
		SOURCE_ONE);
}

/* A range, and what it was or is beside. */
static void
emit_range(const struct emit_ctx *emit_ctx, const struct requested *requested,
	   const struct source_request *request)
{
	emit_begin(emit_ctx->out, NULL, '{');
	emit_request(emit_ctx, requested, request,
		     score_of(emit_ctx, requested, request));
	emit_end(emit_ctx->out, '}');
}

/*
 * One range that several requests became, if it is one; entries: in their low
 * halves the numbers of the nr requests, in the high ones that of the range.
 */
static void
emit_group(struct emit_ctx *emit_ctx, const struct requested *requested,
	   const uint64_t *entries, uint32_t nr)
{
	struct emitter *out = emit_ctx->out;
	uint32_t at = (uint32_t)(entries[0] >> 32);
	uint64_t before = 0;
	uint64_t after;

	if (nr < 2 || at == requested->range_nr || emit_ctx->nr++ >= MERGED_MAX)
		return;
	after = tokens_of(emit_ctx, requested, &requested->ranges[at]);
	emit_begin(out, NULL, '{');
	report_emit_path(emit_ctx->report, requested->file_idx, "path", out);
	emit_request(emit_ctx, requested, &requested->ranges[at],
		     packed_score(emit_ctx, requested, &requested->ranges[at]));
	emit_begin(out, "requests", '[');
	for (uint32_t i = 0; i < nr; i++) {
		const struct source_request *request =
			&requested->entries[(uint32_t)entries[i]].request;

		before = add_sat_u64(before,
				     tokens_of(emit_ctx, requested, request));
		if (i < REQUESTS_MAX)
			emit_range(emit_ctx, requested, request);
	}
	emit_end(out, ']');
	emit_u64(out, "saved_tokens", before - min_u64(before, after));
	emit_end(out, '}');
}

/* Lines of a range that one before it has, too, and that is not merged. */
static void
emit_shared(struct emit_ctx *emit_ctx, const struct requested *requested,
	    const struct source_request *before,
	    const struct source_request *range)
{
	struct emitter *out = emit_ctx->out;
	struct source_request shared = *range;

	if (emit_ctx->nr++ >= MERGED_MAX)
		return;
	shared.line_last = min_u64(before->line_last, range->line_last);
	emit_begin(out, NULL, '{');
	report_emit_path(emit_ctx->report, requested->file_idx, "path", out);
	emit_u64(out, "start_line", shared.line_first);
	emit_u64(out, "end_line", last_of(requested, &shared));
	emit_begin(out, "requests", '[');
	emit_range(emit_ctx, requested, before);
	emit_range(emit_ctx, requested, range);
	emit_end(out, ']');
	emit_u64(out, "saved_tokens", tokens_of(emit_ctx, requested, &shared));
	emit_end(out, '}');
}

/* Ranges that overlap and stay, each with the one that reaches furthest. */
static void
emit_unmerged(struct emit_ctx *emit_ctx, const struct requested *requested)
{
	const struct source_request *furthest = NULL;

	for (uint32_t i = 0; i < requested->range_nr; i++) {
		const struct source_request *it = &requested->ranges[i];

		if (i > 0 && is_same(it, it - 1))
			continue;
		if (furthest != NULL && it->line_first <= furthest->line_last)
			emit_shared(emit_ctx, requested, furthest, it);
		if (furthest == NULL || it->line_last > furthest->line_last)
			furthest = it;
	}
}

static int
by_value(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* The requests of a file, by the ranges that they are now. */
static int
emit_merged(struct emit_ctx *emit_ctx, const struct requested *requested)
{
	uint32_t nr = requested->entry_nr;
	uint64_t *entries = calloc(nr + 1ul, sizeof(*entries));

	if (entries == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr; i++)
		entries[i] = (uint64_t)range_of(requested,
						&requested->entries[i].request)
				     << 32 |
			     i;
	qsort(entries, nr, sizeof(*entries), by_value);
	for (uint32_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr; end++)
			if (entries[end] >> 32 != entries[i] >> 32)
				break;
		emit_group(emit_ctx, requested, &entries[i], end - i);
	}
	free(entries);
	return 0;
}

static int
emit_list(const struct report *report, struct emitter *out, const char *key,
	  uint64_t nr)
{
	struct emit_ctx emit_ctx = { .report = report, .out = out };
	bool merged = strcmp(key, "merged") == 0;
	struct requested requested;
	char left_out[32];
	int error = 0;

	emit_begin(out, key, '[');
	if (report->run->job.takes_all)
		nr = 0;
	for (uint64_t i = 0; nr > 0 && i < report->files_seen && error == 0;
	     i++) {
		if (!find_requested(report, (uint32_t)i, &requested))
			continue;
		if (merged)
			error = emit_merged(&emit_ctx, &requested);
		else
			emit_unmerged(&emit_ctx, &requested);
	}
	emit_end(out, ']');
	snprintf(left_out, sizeof(left_out), "%s_left_out", key);
	emit_u64(out, left_out, emit_ctx.nr - min_u64(emit_ctx.nr, MERGED_MAX));
	return error;
}

int
report_emit_merged(const struct report *report, struct emitter *out)
{
	int error = emit_list(report, out, "merged",
			      report->overlaps_merged + report->requests_same);

	return error != 0 ? error
			  : emit_list(report, out, "unmerged",
				      report->overlaps_unmerged);
}
