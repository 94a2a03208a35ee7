/* SPDX-License-Identifier: MIT */
/*
 * report.c - the sums of a run.
 *
 * Does: what the control block, the workers' blocks and a walk over all items
 *       give.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/emit.h"
#include "catalogue/cuts.h"
#include "catalogue/files.h"
#include "catalogue/findings.h"
#include "catalogue/history.h"
#include "rank/budget.h"

static void
collect_stages(const struct run *run, struct report *out)
{
	uint32_t nr = stage_worker_nr(run->lane_nr);

	for (uint32_t i = 0; i < nr; i++) {
		const struct worker_shm *worker =
			segment_worker(&run->segment, i);
		/* relaxed: its writer is dead, waitid() came in between */
		uint64_t lived = load_relaxed(&worker->busy_ns);
		uint64_t waited = load_relaxed(&worker->wait_ns);
		enum stage_id id;
		uint32_t lane;
		struct report_stage *stage;

		stage_of_worker(i, run->lane_nr, &id, &lane);
		stage = &out->stages[id];
		/* of lanes that nothing was left for there are none */
		stage->worker_nr += load_relaxed(&worker->incarnation) > 0;
		stage->busy_ns += lived - min_u64(waited, lived);
		stage->wait_ns += waited;
		stage->cpu_ns += load_relaxed(&worker->cpu_ns);
		for (int stat = 0; stat < STAT_NR; stat++) {
			uint64_t n = stat_get(worker, (enum stat_id)stat);

			stage->stats[stat] += n;
			out->stats[stat] += n;
		}
	}
}

/* What the items of one file have come to so far. */
struct tally {
	struct report *report;
	bool any_packed;
	bool any_missing; /* a duplicate is there: elsewhere */
	bool any_lines;   /* packed as they are, not by signatures */
	unsigned reason;  /* of what was left out */
};

static void
finish_file(const struct tally *tally, uint32_t file_idx)
{
	struct report *report = tally->report;
	const struct catalogue *catalogue = &report->run->catalogue;

	if (!tally->any_packed)
		report->files_left_out[tally->reason]++;
	else if (!tally->any_lines)
		report->files_signatures++;
	else if (tally->any_missing)
		report->files_partial++;
	else
		report->files_full++;
	report->content_bytes =
		add_sat_u64(report->content_bytes,
			    catalogue_facts(catalogue, file_idx)->bytes);
}

static void
count_duplicate(struct report *report, const struct report_item *item)
{
	if (item->is_whole)
		report->duplicate_files++;
	else
		report->duplicate_chunks += item->chunk_nr;
	report->duplicate_tokens =
		add_sat_u64(report->duplicate_tokens, item->tokens);
}

static void
count_item(struct tally *tally, const struct report_item *item)
{
	struct report *report = tally->report;

	report->chunks_seen += item->chunk_nr;
	if (item->is_packed) {
		struct report_category *category =
			&report->categories[item->category];

		category->used = add_sat_u64(category->used, item->tokens);
		category->chunks_packed += item->chunk_nr;
		tally->any_packed = true;
		tally->any_lines |= item->tier != TIER_SIGNATURES;
		report->chunks_packed += item->chunk_nr;
		if (report->run->job.plan_only)
			report->used_tokens =
				add_sat_u64(report->used_tokens, item->tokens);
		return;
	}
	report->has_estimates |= item->is_estimated;
	if (item->reason == REASON_BUDGET) {
		report->chunks_rejected += item->chunk_nr;
		report->rejected_tokens =
			add_sat_u64(report->rejected_tokens, item->tokens);
	}
	report->larger_nr += item->larger_nr;
	if (item->reason == REASON_DUPLICATE)
		count_duplicate(report, item);
	else if (item->reason != REPORT_EMPTY)
		tally->any_missing = true;
	if (tally->reason == REASON_NONE || tally->reason == REASON_DUPLICATE ||
	    tally->reason == REPORT_EMPTY)
		tally->reason = item->reason;
}

enum match_confidence
report_confidence(const struct report_item *item)
{
	return item->category != CATEGORY_TREE
		       ? MATCH_CONFIDENCE_HIGH
		       : (enum match_confidence)item->factors.confidence;
}

/* Whether a query has ranked it among the files of the tree. */
static bool
is_matched(const struct report_item *item)
{
	return item->is_packed && item->has_score &&
	       item->category == CATEGORY_TREE;
}

/* What the query gives evidence for. What sources ask for they vouch for. */
static void
collect_evidence(struct report *report)
{
	struct report_evidence *evidence = &report->evidence;

	if (report->run->job.query == NULL)
		return;
	for (uint64_t i = 0; i < report->item_nr; i++) {
		const struct report_item *item = report_item(report, i);

		if (!is_matched(item))
			continue;
		evidence->is_known = true;
		if (item->factors.relevance > evidence->best)
			evidence->best = item->factors.relevance;
	}
	for (uint64_t i = 0; evidence->is_known && i < report->item_nr; i++) {
		const struct report_item *item = report_item(report, i);
		enum match_confidence confidence;

		if (!item->is_packed)
			continue;
		confidence = report_confidence(item);
		if (confidence == MATCH_CONFIDENCE_HIGH)
			evidence->high_tokens += item->tokens;
		else if (confidence == MATCH_CONFIDENCE_LOW)
			evidence->low_tokens += item->tokens;
	}
}

int
report_collect(const struct run *run, struct report *out)
{
	const struct control_shm *control = run->segment.control;
	bool is_empty;
	int error;

	memset(out, 0, sizeof(*out));
	out->run = run;
	out->estimated = run->job.plan_only || run->job.margin_percent != 0;
	out->budget_tokens = run->job.budget_tokens;
	out->available_tokens = run->job.available_tokens;
	for (uint8_t i = 0; i < CATEGORY_NR; i++)
		out->categories[i].allocated = run->job.allocated_tokens[i];
	/* relaxed, all of them: as above */
	out->files_seen = load_relaxed(&control->files_seen);
	/* if nothing is planned in the end, what was tried is not it */
	is_empty = !run->job.takes_all && load_relaxed(&control->plan_nr) == 0;
	if (!run->job.plan_only && !is_empty)
		out->used_tokens = control->verdict.tokens;
	out->part_nr = is_empty ? 0 : control->verdict.part_nr;
	out->output_bytes = is_empty ? 0 : control->verdict.bytes;
	out->has_output = !is_empty && !run->job.plan_only &&
			  load_relaxed(&control->verdict_pass) > 0;
	if (out->part_nr > 0)
		out->output_off = catalogue_part(&run->catalogue, 0)->off;
	/* no more than a writer that went wrong has left */
	out->finding_nr = min_u64(load_relaxed(&control->finding_nr),
				  table_backed_bytes(&run->catalogue.findings) /
					  sizeof(struct finding));
	out->findings_left_out = load_relaxed(&control->findings_left_out);
	out->ignored_files = load_relaxed(&control->ignored_files);
	out->ignored_dirs = load_relaxed(&control->ignored_dirs);
	out->hidden_dirs = load_relaxed(&control->hidden_dirs);
	out->poisoned = load_relaxed(&control->poisoned);
	out->git_is_partial = run->job.writes_git &&
			      (!catalogue_history(&run->catalogue)->is_read ||
			       catalogue_history(&run->catalogue)->is_partial);
	collect_stages(run, out);
	error = report_walk(out);
	if (error != 0)
		return error;
	for (uint64_t i = 0; i < out->item_nr;) {
		struct tally tally = { .report = out };
		uint64_t end = report_file_end(out, i);

		for (; i < end; i++)
			count_item(&tally, report_item(out, i));
		finish_file(&tally, report_item(out, end - 1)->file_idx);
	}
	collect_evidence(out);
	out->used_tokens =
		budget_model_tokens(out->used_tokens, run->job.margin_percent);
	return 0;
}

void
report_fini(struct report *report)
{
	table_close(&report->seen);
	table_close(&report->items);
	free(report->part_sha256);
	report->part_sha256 = NULL;
}

uint64_t
report_files_skipped(const struct report *report)
{
	uint64_t nr = 0;

	for (unsigned i = 0; i < REPORT_REASON_NR; i++)
		nr += report->files_left_out[i];
	return nr;
}

bool
report_is_degraded(const struct report *report)
{
	for (unsigned i = 0; i < REASON_NR; i++) {
		if (report->files_left_out[i] > 0 &&
		    reason_degrades((uint8_t)i))
			return true;
	}
	return report->poisoned > 0 || report->git_is_partial;
}

const char *
report_reason_text(unsigned reason)
{
	return reason == REPORT_EMPTY ? "empty" : reason_text((uint8_t)reason);
}

const struct report_item *
report_item(const struct report *report, uint64_t i)
{
	return table_at(&report->items, i * sizeof(struct report_item),
			sizeof(struct report_item));
}

const char *
report_finding_in(const struct finding *finding)
{
	if (finding->file_idx == FINDING_IN_GIT_LOG)
		return "git-log";
	return finding->file_idx == FINDING_IN_GIT_DIFF ? "git-diff" : NULL;
}

const struct finding *
report_finding(const struct report *report, uint64_t idx)
{
	const struct finding *finding =
		catalogue_finding(&report->run->catalogue, idx);

	return finding->file_idx < report->files_seen ||
			       report_finding_in(finding) != NULL
		       ? finding
		       : NULL;
}

uint64_t
report_file_end(const struct report *report, uint64_t i)
{
	uint32_t file_idx = report_item(report, i)->file_idx;

	while (++i < report->item_nr &&
	       report_item(report, i)->file_idx == file_idx)
		;
	return i;
}

uint64_t
report_file_tokens(const struct report *report, uint64_t file_idx)
{
	const struct run *run = report->run;

	return budget_model_tokens(
		catalogue_facts(&run->catalogue, file_idx)->tokens,
		run->job.margin_percent);
}

const uint8_t *
report_path(const struct report *report, uint32_t file_idx, size_t *bytes)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);

	ASSERT(file_idx < report->files_seen);
	*bytes = file->path_bytes;
	return catalogue_path(catalogue, file);
}

const char *
report_quote_place(const struct report *report, uint32_t file_idx, char *out,
		   size_t size)
{
	const struct run *run = report->run;
	const struct job_place place = job_place_of(
		&run->catalogue, catalogue_file(&run->catalogue, file_idx));

	return job_quote_place(&run->job, &place, out, size);
}

const char *
report_quote_path(const struct report *report, uint32_t file_idx, char *out,
		  size_t size)
{
	size_t bytes;
	const uint8_t *path = report_path(report, file_idx, &bytes);

	return diag_quote(out, size, path, bytes);
}

void
report_emit_path(const struct report *report, uint32_t file_idx,
		 const char *key, struct emitter *out)
{
	size_t bytes;
	const uint8_t *path = report_path(report, file_idx, &bytes);

	emit_path(out, key, path, bytes);
}
