/* SPDX-License-Identifier: MIT */
/*
 * report_write.c - the report as JSON: docs/report.md.
 */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "supervisor/manifest.h"
#include "base/replace_file.h"
#include "base/emit.h"
#include "supervisor/sandbox.h"
#include "catalogue/cuts.h"
#include "catalogue/files.h"
#include "catalogue/history.h"
#include "catalogue/names.h"
#include "rank/budget.h"

void
report_emit_budget(struct emitter *out, const char *key, uint64_t tokens)
{
	if (tokens == BUDGET_ALL)
		emit_null(out, key);
	else
		emit_u64(out, key, tokens);
}

static void
write_budget(struct emitter *out, const struct report *report)
{
	const struct job *job = &report->run->job;

	emit_begin(out, "budget", '{');
	report_emit_budget(out, "total", report->budget_tokens);
	emit_u64(out, "response_reserve", job->response_reserve_tokens);
	emit_u64(out, "system_reserve", job->system_reserve_tokens);
	report_emit_budget(out, "available", report->available_tokens);
	emit_u64(out, "used", report->used_tokens);
	emit_end(out, '}');
}

/* How far the query says what is packed; null: it does not. */
static void
write_evidence(struct emitter *out, const struct report *report)
{
	const struct report_evidence *evidence = &report->evidence;

	if (!evidence->is_known) {
		emit_null(out, "evidence");
		return;
	}
	emit_begin(out, "evidence", '{');
	emit_text(out, "confidence",
		  match_confidence_text(match_confidence_best(evidence->best)));
	emit_millionths(out, "best", evidence->best);
	emit_u64(out, "tokens", evidence->high_tokens + evidence->low_tokens);
	emit_u64(out, "high", evidence->high_tokens);
	emit_u64(out, "low", evidence->low_tokens);
	emit_end(out, '}');
}

/* The files that the output is in; those of a preview have no names. */
static void
write_parts(struct emitter *out, const struct report *report)
{
	emit_begin(out, "parts", '[');
	for (uint64_t i = 0; i < report->part_nr; i++) {
		const struct part_record *part =
			catalogue_part(&report->run->catalogue, i);
		char *name =
			report->output_path == NULL
				? NULL
				: manifest_part_name(report->output_path, i + 1,
						     report->part_nr);

		emit_begin(out, NULL, '{');
		if (report->output_path == NULL)
			emit_null(out, "path");
		else
			emit_text(out, "path", name == NULL ? "" : name);
		emit_u64(out, "tokens",
			 budget_model_tokens(part->tokens,
					     report->run->job.margin_percent));
		emit_u64(out, "bytes", part->bytes);
		if (report->has_sha256)
			emit_hex(out, "sha256",
				 report->part_sha256 + i * SHA256_BYTES,
				 SHA256_BYTES);
		else
			emit_null(out, "sha256");
		emit_end(out, '}');
		free(name);
	}
	emit_end(out, ']');
}

/* Null where nothing was made: a preview of everything. */
static void
write_output(struct emitter *out, const struct report *report)
{
	if (report->run->job.plan_only) {
		emit_null(out, "output");
		return;
	}
	emit_begin(out, "output", '{');
	emit_u64(out, "tokens", report->used_tokens);
	emit_u64(out, "bytes", report->output_bytes);
	if (report->has_sha256)
		emit_hex(out, "sha256", report->output_sha256, SHA256_BYTES);
	else
		emit_null(out, "sha256");
	if (report->part_nr > 0)
		write_parts(out, report);
	emit_end(out, '}');
}

/* Those of sources only where there are any. */
static void
write_categories(struct emitter *out, const struct report *report)
{
	bool has_sources = report->run->job.sources.file_nr > 0;

	emit_begin(out, "categories", '[');
	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		const struct report_category *category = &report->categories[i];
		uint64_t used =
			has_sources ? category->used : report->used_tokens;
		bool is_open = category->allocated == BUDGET_ALL;

		if (!has_sources && i != CATEGORY_TREE)
			continue;
		emit_begin(out, NULL, '{');
		emit_text(out, "name", category_name(i));
		report_emit_budget(out, "allocated", category->allocated);
		emit_u64(out, "used", used);
		emit_ratio(out, "utilization", used,
			   is_open ? 0 : category->allocated);
		emit_u64(out, "chunks", category->chunks_packed);
		emit_end(out, '}');
	}
	emit_end(out, ']');
}

/* What was asked for besides the tree, and what came of it. */
static void
write_sources(struct emitter *out, const struct report *report)
{
	const struct source_list *list = report->source_list;

	emit_begin(out, "sources", '[');
	for (size_t i = 0; list != NULL && i < list->status_nr; i++) {
		const struct source_status *status = &list->statuses[i];

		emit_begin(out, NULL, '{');
		emit_text(out, "option", status->option);
		emit_bytes(out, "name", (const uint8_t *)status->name,
			   strlen(status->name));
		emit_u64(out, "places", status->places);
		emit_u64(out, "refused", status->refused);
		if (status->error != 0)
			emit_text(out, "error", strerror(-status->error));
		else
			emit_null(out, "error");
		emit_end(out, '}');
	}
	emit_end(out, ']');
}

static void
write_files(struct emitter *out, const struct report *report)
{
	emit_begin(out, "files", '{');
	emit_u64(out, "seen", report->files_seen);
	emit_u64(out, "packed",
		 report->files_full + report->files_partial +
			 report->files_signatures);
	emit_u64(out, "full", report->files_full);
	emit_u64(out, "partial", report->files_partial);
	emit_u64(out, "signatures", report->files_signatures);
	emit_bool(out, "all_full", report_is_all(report));
	emit_u64(out, "skipped", report_files_skipped(report));
	emit_u64(out, "ignored", report->ignored_files);
	emit_u64(out, "ignored_directories", report->ignored_dirs);
	emit_u64(out, "hidden_directories", report->hidden_dirs);
	emit_begin(out, "skipped_by_reason", '{');
	for (unsigned i = 0; i < REPORT_REASON_NR; i++) {
		if (report->files_left_out[i] > 0)
			emit_u64(out, report_reason_text(i),
				 report->files_left_out[i]);
	}
	emit_end(out, '}');
	emit_end(out, '}');
}

static void
write_chunks(struct emitter *out, const struct report *report)
{
	emit_begin(out, "chunks", '{');
	emit_u64(out, "seen", report->chunks_seen);
	emit_u64(out, "packed", report->chunks_packed);
	emit_u64(out, "rejected", report->chunks_rejected);
	emit_u64(out, "long_lines", report->stats[STAT_long_lines]);
	emit_u64(out, "short_signatures", report->stats[STAT_short_signatures]);
	emit_end(out, '}');
}

void
report_emit_start(const struct report *report, struct emitter *out)
{
	time_t seconds = (time_t)report->started_s;
	char text[32];
	struct tm tm;

	if (seconds == 0 || gmtime_r(&seconds, &tm) == NULL ||
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		emit_null(out, "started_at");
	else
		emit_text(out, "started_at", text);
}

/* What was run, and where. */
static void
write_command(struct emitter *out, const struct report *report)
{
	if (report->command == NULL)
		return;
	emit_text(out, "command", report->command);
	emit_text(out, "directory", report->directory);
	emit_begin(out, "roots", '[');
	for (size_t i = 0; i < report->roots->nr; i++)
		emit_text(out, NULL, report->roots->items[i]);
	emit_end(out, ']');
}

#define NAMES_SHOWN 64 /* of each kind, for each range */

/* What else is known of a file; most have none. */
static void
write_marks(const struct report *report, struct emitter *out, uint32_t file_idx)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	uint8_t marks = catalogue_file(catalogue, file_idx)->flags;

	if (marks == 0)
		return;
	emit_begin(out, "marks", '[');
	for (unsigned i = 0; i < MARK_NR; i++) {
		if (marks >> i & 1)
			emit_text(out, NULL, mark_text(i));
	}
	emit_end(out, ']');
}

static void
write_short(struct emitter *out, const char *key, uint16_t part)
{
	emit_millionths(
		out, key,
		(uint32_t)((part * 1000000ull + FACTOR_ONE / 2) / FACTOR_ONE));
}

/* The points of its file. */
static void
write_points(struct emitter *out, const struct plan_factors *factors)
{
	emit_u64(out, "priority", factors->points);
	emit_u64(out, "entry_point", factors->entry);
	emit_u64(out, "importers", factors->importers);
	emit_u64(out, "exports", factors->exports);
	emit_u64(out, "git_activity", factors->commits);
	emit_u64(out, "markers", factors->markers);
	emit_u64(out, "config_file", factors->config);
	emit_u64(out, "boost", factors->boost);
	emit_u64(out, "test_penalty", factors->tests);
	emit_u64(out, "pinned", factors->is_pinned);
}

/* Why it stands where it does. */
static void
write_score(const struct report *report, struct emitter *out,
	    const struct report_item *item)
{
	const struct plan_factors *factors = &item->factors;

	emit_millionths(out, "score", item->score);
	if (report->is_brief && !item->is_packed)
		return;
	emit_begin(out, "factors", '{');
	emit_millionths(out, "relevance", factors->relevance);
	emit_millionths(out, "recency", factors->recency);
	emit_millionths(out, "source", factors->source);
	if (report->run->job.query != NULL) {
		write_short(out, "match", factors->own);
		write_short(out, "near_match", factors->near);
		write_short(out, "file_match", factors->whole);
		write_short(out, "path_match", factors->path);
		write_short(out, "history_match", factors->history);
		write_short(out, "message_match", factors->message);
		write_short(out, "name_match", factors->named);
		write_short(out, "kind", factors->kind);
		write_short(out, "decay", factors->decay);
	}
	if (!report->run->job.places_only)
		write_points(out, factors);
	emit_end(out, '}');
}

/* Bytes of what an import names, without what it takes from there. */
static size_t
specifier_bytes(const uint8_t *import, size_t bytes)
{
	static const char takes[] = " import ";
	const uint8_t *end = memmem(import, bytes, takes, sizeof(takes) - 1);

	return end != NULL ? (size_t)(end - import) : bytes;
}

static void
write_name(struct emitter *out, const struct name_entry *entry)
{
	const uint8_t *name = (const uint8_t *)(entry + 1);

	if (entry->type == NAME_IMPORT) {
		emit_bytes(out, NULL, name,
			   specifier_bytes(name, entry->bytes));
		return;
	}
	emit_begin(out, NULL, '{');
	emit_bytes(out, "name", name, entry->bytes);
	emit_u64(out, "line", entry->line);
	if (entry->type == NAME_DEF) {
		emit_text(out, "kind", def_kind_text(entry->kind));
		emit_bool(out, "exported", entry->flags & NAME_EXPORTED);
	}
	emit_end(out, '}');
}

struct calls_shown {
	const uint8_t *name[NAMES_SHOWN];
	size_t bytes[NAMES_SHOWN];
	uint32_t nr;
};

/* The names of one entry, with a blank between two, those not there yet. */
static void
add_calls(struct calls_shown *calls, const struct name_entry *entry)
{
	const uint8_t *at = (const uint8_t *)(entry + 1);
	const uint8_t *end = at + entry->bytes;

	while (at < end && calls->nr < NAMES_SHOWN) {
		const uint8_t *blank = memchr(at, ' ', (size_t)(end - at));
		size_t bytes = (size_t)((blank != NULL ? blank : end) - at);
		uint32_t i = 0;

		while (i < calls->nr &&
		       (calls->bytes[i] != bytes ||
			memcmp(calls->name[i], at, bytes) != 0))
			i++;
		if (i == calls->nr) {
			calls->name[i] = at;
			calls->bytes[i] = bytes;
			calls->nr++;
		}
		at += bytes + 1;
	}
}

/* What is known of a packed range; of its file, if it begins it, what that
 * imports. As much as is shown, in the order in which it was told. */
struct known {
	struct known_list {
		const struct name_entry *entries[NAMES_SHOWN];
		uint32_t nr;
	} defs, imports, markers;
	struct calls_shown calls;
	uint64_t branch_nr;
};

static void
add_known(struct known *known, const struct name_entry *entry)
{
	struct known_list *list = entry->type == NAME_DEF      ? &known->defs
				  : entry->type == NAME_IMPORT ? &known->imports
				  : entry->type == NAME_MARKER ? &known->markers
							       : NULL;

	if (list != NULL && list->nr < NAMES_SHOWN)
		list->entries[list->nr++] = entry;
	if (entry->type != NAME_CHUNK)
		return;
	known->branch_nr += name_branches(entry);
	add_calls(&known->calls, entry);
}

static void
find_known(struct known *known, const struct report *report,
	   const struct report_item *item)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct names *names = catalogue_names(
		catalogue, catalogue_facts(catalogue, item->file_idx));
	const struct name_entry *entry;
	uint32_t at = 0;

	known->defs.nr = known->imports.nr = known->markers.nr = 0;
	known->calls.nr = 0;
	known->branch_nr = 0;
	while (names != NULL && (entry = names_next(names, &at)) != NULL)
		if (entry->type == NAME_IMPORT
			    ? item->line_first <= 1
			    : entry->line >= item->line_first &&
				      entry->line <= item->line_last)
			add_known(known, entry);
}

static void
write_names(struct emitter *out, const char *key,
	    const struct known_list *names)
{
	if (names->nr == 0)
		return;
	emit_begin(out, key, '[');
	for (uint32_t i = 0; i < names->nr; i++)
		write_name(out, names->entries[i]);
	emit_end(out, ']');
}

static void
write_known(const struct report *report, struct emitter *out,
	    const struct report_item *item)
{
	struct known known;

	find_known(&known, report, item);
	write_names(out, "defines", &known.defs);
	write_names(out, "imports", &known.imports);
	write_names(out, "markers", &known.markers);
	if (report->run->job.tells_code && !report->run->job.takes_all)
		emit_u64(out, "complexity", known.branch_nr);
	if (known.calls.nr == 0)
		return;
	emit_begin(out, "calls", '[');
	for (uint32_t i = 0; i < known.calls.nr; i++)
		emit_bytes(out, NULL, known.calls.name[i],
			   known.calls.bytes[i]);
	emit_end(out, ']');
}

static const char *const tier_names[TIER_NR] = {
	[TIER_FULL] = "full",
	[TIER_SIGNATURES] = "signatures",
	[TIER_SIGNATURE_LINE] = "head",
};

void
report_emit_item(const struct report *report, struct emitter *out,
		 const struct report_item *item)
{
	emit_begin(out, NULL, '{');
	report_emit_path(report, item->file_idx, "path", out);
	if (item->line_first > 0) {
		emit_u64(out, "start_line", item->line_first);
		emit_u64(out, "end_line", item->line_last);
	} else {
		emit_null(out, "start_line");
		emit_null(out, "end_line");
	}
	emit_u64(out, "tokens", item->tokens);
	if (item->is_estimated)
		emit_bool(out, "estimated", true);
	if (item->has_score)
		write_score(report, out, item);
	else if (item->is_packed)
		emit_null(out, "score"); /* a run that takes all has none */
	if (item->is_packed) {
		emit_text(out, "category", category_name(item->category));
		emit_text(out, "tier", tier_names[item->tier]);
		if (item->tier == TIER_SIGNATURES)
			emit_u64(out, "text_tokens",
				 report_file_tokens(report, item->file_idx));
		if (report->evidence.is_known)
			emit_text(
				out, "confidence",
				match_confidence_text(report_confidence(item)));
		if (item->is_truncated)
			emit_bool(out, "parted", true);
		write_known(report, out, item);
	} else {
		emit_text(out, "reason", report_reason_text(item->reason));
	}
	write_marks(report, out, item->file_idx);
	if (item->same_as != FILE_NONE)
		report_emit_path(report, item->same_as, "same_as", out);
	emit_end(out, '}');
}

/* One half of the items. */
static void
write_list(struct emitter *out, const struct report *report, const char *key,
	   bool packed)
{
	emit_begin(out, key, '[');
	for (uint64_t i = 0; i < report->item_nr && out->error == 0; i++) {
		const struct report_item *item = report_item(report, i);

		if (item->is_packed == packed)
			report_emit_item(report, out, item);
	}
	emit_end(out, ']');
}

static void
write_cache(struct emitter *out, const struct report *report)
{
	uint64_t capacity = report->run->job.count_cache_entries;

	emit_begin(out, "count_cache", '{');
	emit_u64(out, "hits", report->stats[STAT_cache_hits]);
	emit_u64(out, "misses", report->stats[STAT_cache_misses]);
	emit_u64(out, "evictions", report->stats[STAT_cache_evictions]);
	/* each count that was new is kept, until it is given up */
	emit_u64(
		out, "entries",
		min_u64(capacity, report->stats[STAT_cache_misses] -
					  report->stats[STAT_cache_evictions]));
	emit_u64(out, "capacity", capacity);
	emit_end(out, '}');
}

static int
write_dedup(struct emitter *out, const struct report *report)
{
	int error;

	emit_begin(out, "dedup", '{');
	emit_u64(out, "exact_removed",
		 report->duplicate_files + report->duplicate_chunks +
			 report->requests_same);
	emit_u64(out, "exact_files", report->duplicate_files);
	emit_u64(out, "exact_chunks", report->duplicate_chunks);
	emit_u64(out, "exact_requests", report->requests_same);
	emit_u64(out, "exact_tokens",
		 add_sat_u64(report->duplicate_tokens,
			     report->requests_same_tokens));
	emit_u64(out, "overlaps_merged", report->overlaps_merged);
	emit_u64(out, "overlap_tokens", report->overlap_tokens);
	emit_u64(out, "overlaps_unmerged", report->overlaps_unmerged);
	emit_u64(out, "unmerged_tokens", report->unmerged_tokens);
	error = report_emit_merged(report, out);
	emit_end(out, '}');
	return error;
}

static void
write_stages(struct emitter *out, const struct report *report)
{
	emit_begin(out, "stages", '[');
	for (int i = 0; i < STAGE_NR; i++) {
		const struct report_stage *stage = &report->stages[i];

		emit_begin(out, NULL, '{');
		emit_text(out, "name", stage_table[i].name);
		emit_u64(out, "workers", stage->worker_nr);
		emit_u64(out, "busy_ns", stage->busy_ns);
		emit_u64(out, "wait_ns", stage->wait_ns);
		emit_u64(out, "cpu_ns", stage->cpu_ns);
		for (int stat = 0; stat < STAT_NR; stat++)
			emit_u64(out, stat_texts[stat].name,
				 stage->stats[stat]);
		emit_u64(out, "deaths", stage->death_nr);
		emit_end(out, '}');
	}
	emit_end(out, ']');
}

/* What kept the workers in. */
static void
write_sandbox(struct emitter *out, const struct report *report)
{
	static const char *const modes[] = { "require", "auto", "off" };
	const struct run *run = report->run;

	emit_begin(out, "sandbox", '{');
	emit_text(out, "mode", modes[run->job.sandbox]);
	for (int active = 1; active >= 0; active--) {
		emit_begin(out, active ? "active" : "missing", '[');
		for (int i = 0; i < SANDBOX_LAYER_NR; i++)
			if ((run->sandbox_layers >> i & 1) == (unsigned)active)
				emit_text(out, NULL, sandbox_layer_name(i));
		emit_end(out, ']');
	}
	emit_end(out, '}');
}

static void
write_end(struct emitter *out, const struct report *report)
{
	emit_begin(out, "memory", '{');
	if (report->peak_pss_bytes > 0)
		emit_u64(out, "peak_pss_bytes", report->peak_pss_bytes);
	else
		emit_null(out, "peak_pss_bytes");
	emit_end(out, '}');
	emit_u64(out, "wall_ns", report->wall_ns);
	if (report->timeline != NULL)
		timeline_emit(report->timeline, out);
	emit_begin(out, "warnings", '[');
	for (size_t i = 0; i < report->warning_nr; i++)
		emit_text(out, NULL, report->warnings[i]);
	emit_end(out, ']');
}

/* The commit that the files are of, as far as it is known. */
static void
write_commit(struct emitter *out, const struct report *report)
{
	const struct history_head *head =
		catalogue_history(&report->run->catalogue);

	if (!head->has_commit) {
		emit_null(out, "commit");
		return;
	}
	emit_begin(out, "commit", '{');
	emit_hex(out, "id", head->commit, sizeof(head->commit));
	if (head->dirty == HISTORY_DIRTY_UNKNOWN)
		emit_null(out, "dirty");
	else
		emit_bool(out, "dirty", head->dirty == HISTORY_DIRTY_YES);
	emit_end(out, '}');
}

int
report_write_fd(const struct report *report, int fd)
{
	struct emitter out;
	int error;

	emit_init(&out, fd);
	emit_begin(&out, NULL, '{');
	emit_u64(&out, "version", REPORT_VERSION);
	emit_text(&out, "correlation_id", report->correlation_id);
	report_emit_start(report, &out);
	write_command(&out, report);
	emit_text(&out, "encoding",
		  report->encoding == NULL ? "" : report->encoding);
	emit_bool(&out, "estimated", report->estimated);
	emit_u64(&out, "margin_percent", report->run->job.margin_percent);
	emit_bool(&out, "left_out_estimated", report->has_estimates);
	write_commit(&out, report);
	write_budget(&out, report);
	write_evidence(&out, report);
	write_output(&out, report);
	write_categories(&out, report);
	write_files(&out, report);
	write_chunks(&out, report);
	write_list(&out, report, "selected", true);
	write_list(&out, report, "excluded", false);
	report_emit_specials(report, &out);
	report_emit_secrets(report, &out);
	error = write_dedup(&out, report);
	write_cache(&out, report);
	write_sources(&out, report);
	write_stages(&out, report);
	write_sandbox(&out, report);
	write_end(&out, report);
	emit_end(&out, '}');
	emit_end(&out, '\n');
	return error != 0 ? error : emit_finish(&out);
}

static int
write_report_to(void *context, int fd)
{
	return report_write_fd(context, fd);
}

int
report_write(const struct report *report, const char *path)
{
	return replace_file(path, write_report_to, (void *)(uintptr_t)report);
}
