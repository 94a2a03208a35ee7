/* SPDX-License-Identifier: MIT */
/*
 * job.c - what follows from the settings of a run.
 */
#include "stages/job.h"

#include "catalogue/chunks.h"
#include "catalogue/plan.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/glob.h"
#include "lang/lang.h"
#include "rank/budget.h"
#include "tokenizer/tokenizer.h"

/* How much of a slab each file has, beside what is derived from it. */
static void
resolve_slabs(struct job *job)
{
	uint32_t nr = (uint32_t)job->strips + (uint32_t)job->outlines;

	job->whole_bytes = SLAB_BODY_BYTES / (1 + nr) / 4096 * 4096;
	job->part_bytes = (SLAB_BODY_BYTES - nr * SLAB_HEAD_BYTES) / (1 + nr) /
			  4096 * 4096;
}

static void
resolve_budget(struct job *job)
{
	job->available_tokens = BUDGET_ALL;
	for (int i = 0; i < CATEGORY_NR; i++)
		job->allocated_tokens[i] = BUDGET_ALL;
	if (job->budget_tokens == BUDGET_ALL)
		return;
	job->available_tokens = budget_available(job->budget_tokens,
						 job->response_reserve_tokens,
						 job->system_reserve_tokens);
	memset(job->allocated_tokens, 0, sizeof(job->allocated_tokens));
	if (job->sources.file_nr == 0)
		job->allocated_tokens[CATEGORY_TREE] = job->available_tokens;
	else
		budget_allocate(job->available_tokens, job->shares,
				job->allocated_tokens);
}

/* What the output says of itself, if it is not too small for that. */
static void
resolve_preamble(struct job *job)
{
	job->is_filtered = job->include_nr + job->exclude_nr + job->file_nr > 0;
	job->writes_preamble = job->markup.preamble &&
			       job->available_tokens >= PREAMBLE_LEAST_TOKENS &&
			       (job->split_tokens == 0 ||
				job->split_tokens >= PREAMBLE_LEAST_TOKENS);
	/* of several parts only the first has one */
	job->markup.short_headers = job->writes_preamble &&
				    job->markup.kind == MARKUP_MARKDOWN &&
				    job->split_tokens == 0;
}

/* Counted whatever the budget is. With the checks of a debug build next to
 * nothing, so that a small tree has estimates as a large one does. */
#ifdef BALE_DEBUG
#define COUNTED_BYTES_LEAST 1
#else
#define COUNTED_BYTES_LEAST (16ull << 20)
#endif
#define COUNTED_STEP 4 /* times as much */

/*
 * Of so much content not even the longest tokens fit. In few steps: runs with
 * other budgets find in a kept survey what they want, a count or an estimate.
 */
static void
resolve_counted(struct job *job)
{
	job->counted_bytes = UINT64_MAX;
	if (job->budget_tokens == BUDGET_ALL || job->whole_files ||
	    job->exact_report ||
	    job->available_tokens >
		    UINT64_MAX / TOKENIZER_TOKEN_BYTES / COUNTED_STEP)
		return;
	job->counted_bytes = COUNTED_BYTES_LEAST;
	while (job->counted_bytes <
	       job->available_tokens * TOKENIZER_TOKEN_BYTES)
		job->counted_bytes *= COUNTED_STEP;
}

/* What past commits are looked at for. */
static void
resolve_history(struct job *job)
{
	job->is_overview = job->query == NULL && job->sources.file_nr == 0;
	job->reads_history =
		job->history && !job->whole_files && !job->takes_all;
	job->is_broad = job->is_overview && job->tiers && !job->whole_first &&
			!job->takes_all;
	job->wants_hot_lines = job->reads_history && job->is_broad;
	job->wants_message_lines = job->reads_history && job->query != NULL;
	job->by_rank |= job->is_broad && !job->by_path;
	job->wants_scores |= job->by_rank;
}

void
job_resolve(struct job *job)
{
	bool in_part = job->sources_only && job->sources.in_part;

	job->ranks_rest = job->shard.nr == 0 && !job->places_only;
	job->packs_all = job->budget_tokens == BUDGET_ALL && !in_part;
	job->takes_all = job->packs_all && !job->plan_only;
	job->writes_late |= job->secrets == SECRETS_FAIL;
	job->drops_duplicates = !job->no_dedup && !job->packs_all;
	job->counts_terms = job->query != NULL && !job->takes_all;
	job->keeps_words = job->counts_terms && job->keeps_survey;
	resolve_history(job);
	job->writes_git = job->git_log_nr > 0 || job->git_diff != NULL;
	job->reads_git =
		job->reads_history || job->writes_git || job->names_commit;
	job->strips = job->strip_comments && !job->compress;
	/* if what is written is what was read, and no signatures */
	job->keeps_signature_lines = job->counts_terms &&
				     !job->strip_comments && !job->tiers &&
				     !job->compress;
	job->outlines = job->compress || (job->tiers && !job->takes_all);
	job->transforms = job->compress || job->strip_comments;
	resolve_slabs(job);
	resolve_budget(job);
	resolve_preamble(job);
	resolve_counted(job);
}

bool
job_pins(const struct job *job, const struct catalogue *catalogue,
	 const struct file_record *file)
{
	return file->root_idx != SOURCE_ROOT_TEXT &&
	       globs_name_path(job->pins, job->pin_nr,
			       catalogue_path(catalogue, file) +
				       file->root_bytes,
			       file->path_bytes - file->root_bytes);
}

struct job_place
job_place_of(const struct catalogue *catalogue, const struct file_record *file)
{
	ASSERT(file_record_valid(file));
	return (struct job_place){
		.root_idx = file->root_idx,
		.path = catalogue_path(catalogue, file),
		.path_bytes = file->path_bytes,
		.root_bytes = file->root_bytes,
	};
}

/* Whether what was typed is the file itself. */
static bool
is_file_of_its_own(const char *typed, const uint8_t *below, size_t bytes)
{
	size_t nr = strlen(typed);

	return nr >= bytes && memcmp(typed + nr - bytes, below, bytes) == 0 &&
	       (nr == bytes || typed[nr - bytes - 1] == '/');
}

const char *
job_quote_place(const struct job *job, const struct job_place *place, char *out,
		size_t size)
{
	const uint8_t *below = place->path + place->root_bytes;
	size_t bytes = place->path_bytes - place->root_bytes;
	char path[DIAG_QUOTED_BYTES];
	const char *typed;
	size_t nr;

	if (place->root_idx >= job->root_nr)
		return diag_quote(out, size, place->path, place->path_bytes);
	typed = job->roots[place->root_idx];
	while (typed[0] == '.' && typed[1] == '/')
		typed += 2;
	if (is_file_of_its_own(typed, below, bytes))
		return diag_quote_text(out, size, typed);
	nr = strcmp(typed, ".") == 0 ? 0 : strlen(typed);
	while (nr > 1 && typed[nr - 1] == '/')
		nr--;
	snprintf(path, sizeof(path), "%.*s%s%.*s", (int)nr, typed,
		 nr > 0 && typed[nr - 1] != '/' ? "/" : "", (int)bytes,
		 (const char *)below);
	return diag_quote_text(out, size, path);
}

const struct source_file *
job_requested_for(const struct job *job, const struct catalogue *catalogue,
		  uint32_t file_idx)
{
	const struct file_record *file;

	if (job->sources.file_nr == 0)
		return NULL;
	file = catalogue_file(catalogue, file_idx);
	return source_find(&job->sources, file->root_idx,
			   catalogue_path(catalogue, file) + file->root_bytes,
			   file->path_bytes - file->root_bytes);
}

uint32_t
job_part_from(const struct job *job, const struct catalogue *catalogue,
	      const struct plan_entry *entry)
{
	const struct chunk_record *chunk = catalogue_planned(catalogue, entry);
	const struct source_lines lines = { chunk->line_first, chunk->line_nr };

	/* less its comments, or by its signatures: from the beginning */
	if (entry->kept_lines == 0 || entry->tier != TIER_FULL || job->strips)
		return 0;
	return source_part_from(
		&job->sources,
		job_requested_for(job, catalogue, chunk->file_idx), &lines,
		entry->kept_lines);
}

/* The files that are left out as copies of one that is kept. */
static struct markup_copies
find_copies(const struct catalogue *catalogue, const struct file_facts *facts)
{
	struct markup_copies copies = { .nr = 0 };
	uint32_t at =
		facts->same_as == FILE_NONE ? facts->next_copy : FILE_NONE;

	while (at != FILE_NONE && copies.nr < MARKUP_COPIES) {
		const struct file_record *file = catalogue_file(catalogue, at);

		ASSERT(file_record_valid(file));
		copies.names[copies.nr++] =
			(struct markup_name){ catalogue_path(catalogue, file),
					      file->path_bytes };
		at = catalogue_facts(catalogue, at)->next_copy;
	}
	copies.more = at != FILE_NONE;
	return copies;
}

/* Whether what stands for the signatures of a file is all of its text. */
static bool
is_whole_text(const struct file_record *file, const struct section_lines *lines)
{
	return lines->signatures && !lines->in_part &&
	       lang_is_settings(file->language);
}

struct markup_section
job_describe_section(const struct catalogue *catalogue, uint32_t file_idx,
		     const struct section_lines *lines, char *path,
		     size_t path_room)
{
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	const uint8_t *name = catalogue_path(catalogue, file);
	const struct section_lines all = { .first = 1, .last = facts->line_nr };

	ASSERT(file_record_valid(file));
	if (is_whole_text(file, lines))
		lines = &all;
	return (struct markup_section){
		.name = name,
		.name_bytes = file->path_bytes,
		.path = diag_quote(path, path_room, name, file->path_bytes),
		.charset = charset_name(file),
		.is_repaired = (file->flags & MARK_REPAIRED) != 0,
		.hint = catalogue_hint(catalogue, file),
		.hint_bytes = file->hint_bytes,
		.line_first = lines->first,
		.line_last = lines->last,
		.line_nr = facts->line_nr,
		.mark_run = facts->mark_run,
		.dot_run = facts->dot_run,
		.traits = facts->traits,
		.empty = facts->bytes == 0,
		.no_newline =
			facts->no_newline && lines->last == facts->line_nr,
		.signatures = lines->signatures,
		.in_part = lines->in_part,
		.is_whole = lines->first == 1 && lines->last == facts->line_nr,
		.hash = facts->hash,
		.bytes = facts->bytes,
		.chunk_line = lines->first,
		.copies = find_copies(catalogue, facts),
	};
}
