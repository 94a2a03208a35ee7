/* SPDX-License-Identifier: MIT */
/*
 * select_preamble.c - what the output of a plan says of itself.
 *
 * Does: finds the directories with the most text, whatever is planned; what is
 *       planned of how many files.
 * Runs in: select.
 * Invariants:
 * 1. What a plan goes by, before there is one, is the same for any plan of the
 *    same catalogue: no numbers of a plan made before.
 */
#include <string.h>

#include "base/diag.h"
#include "catalogue/files.h"
#include "catalogue/history.h"
#include "catalogue/preamble.h"
#include "lang/lang.h"
#include "stages/select/select_plan_parts.h"

static_assert(PREAMBLE_ROOM >= PREAMBLE_TEXT_BYTES, "or it would not fit");

/* A directory on the way. */
struct dir {
	const uint8_t *name; /* of the catalogue */
	uint32_t name_bytes; /* 0: none */
	uint64_t bytes;
};

/* The first directory that a file is in. */
static struct dir
dir_of(const struct plan *plan, uint32_t file_idx)
{
	const struct file_record *file =
		catalogue_file(plan->planner->catalogue, file_idx);
	struct dir dir = { .name_bytes = 0 };

	ASSERT(file_record_valid(file));
	if (file->root_idx != SOURCE_ROOT_TEXT)
		plan_directory_at(plan, file, 0, &dir.name, &dir.name_bytes);
	return dir;
}

/* Puts a directory in its place among the largest. */
static void
keep_dir(struct preamble_facts *facts, const struct dir *dir)
{
	unsigned at = PREAMBLE_DIRS;
	uint64_t tokens = dir->bytes / TOKEN_BYTES;

	if (dir->name_bytes == 0)
		return;
	while (at > 0 && facts->dirs[at - 1].tokens < tokens) {
		if (at < PREAMBLE_DIRS)
			facts->dirs[at] = facts->dirs[at - 1];
		at--;
	}
	if (at == PREAMBLE_DIRS)
		return;
	facts->dirs[at].tokens = tokens;
	diag_quote(facts->dirs[at].name, PREAMBLE_NAME_BYTES, dir->name,
		   dir->name_bytes);
}

/* An output of bale is none of the tree: be there one of before or not, a run
 * says the same. */
static bool
is_of_the_tree(const struct catalogue *catalogue, uint64_t file_idx)
{
	return catalogue_file(catalogue, file_idx)->reason != REASON_OUTPUT &&
	       catalogue_facts(catalogue, file_idx)->reason !=
		       REASON_EARLIER_OUTPUT;
}

/* The files of a directory come one after the other; and how many there are. */
static void
find_dirs(const struct plan *plan, struct preamble_facts *facts)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	struct dir last = { .name_bytes = 0 };

	for (uint64_t i = 0; i < plan->planner->file_nr; i++) {
		const struct file_facts *file = catalogue_facts(catalogue, i);
		struct dir dir;

		facts->file_nr += is_of_the_tree(catalogue, i);
		if (!select_has_content(file))
			continue;
		facts->has_copies |= plan->planner->job->drops_duplicates &&
				     file->has_duplicates;
		dir = dir_of(plan, (uint32_t)i);
		if (dir.name_bytes != last.name_bytes ||
		    (dir.name_bytes > 0 &&
		     memcmp(dir.name, last.name, dir.name_bytes) != 0)) {
			keep_dir(facts, &last);
			last = dir;
		}
		last.bytes = add_sat_u64(last.bytes, file->bytes);
	}
	keep_dir(facts, &last);
}

/* The commit, if what it is of is one tree. */
static void
find_commit(const struct plan *plan, struct preamble_facts *facts)
{
	const struct history_head *head =
		catalogue_history(plan->planner->catalogue);

	ASSERT(history_head_valid(head));
	if (!head->has_commit || plan->planner->job->root_nr != 1)
		return;
	facts->commit = head->commit;
	facts->is_dirty = head->dirty == HISTORY_DIRTY_YES;
}

/* What is the same for all plans. */
static void
find(const struct plan *plan, struct select_kept *kept)
{
	const struct planner *planner = plan->planner;
	const struct job *job = planner->job;

	kept->preamble = (struct preamble_facts){
		.kind = job->markup.kind,
		.is_filtered = job->is_filtered,
		.signatures = job->compress || job->tiers,
		.short_headers = job->markup.short_headers,
		.has_counts = true,
	};
	find_commit(plan, &kept->preamble);
	find_dirs(plan, &kept->preamble);
	kept->preamble.packed_nr = kept->preamble.file_nr / 2;
	kept->preamble.part_nr = kept->preamble.file_nr / 4;
	kept->preamble.sign_nr = job->tiers ? kept->preamble.file_nr / 4 : 0;
	if (job->is_broad)
		kept->directories_bytes = (uint32_t)plan_write_directories(
			plan, kept->directories, sizeof(kept->directories));
	kept->has_preamble = true;
}

void
plan_begin_preamble(struct plan *plan)
{
	struct select_kept *kept = plan->kept;
	struct markup_preamble *preamble = &plan->cost.preamble;

	if (!plan->planner->job->writes_preamble)
		return;
	if (!kept->has_preamble)
		find(plan, kept);
	plan->preamble = kept->preamble;
	if (plan->planner->job->is_broad) {
		preamble->directories = kept->directories;
		preamble->directories_bytes = kept->directories_bytes;
	}
	preamble->text = plan->cost.preamble_text;
	preamble->text_bytes =
		preamble_text(plan->cost.preamble_text, &plan->preamble);
}

/* ---- when it is planned ------------------------------------------------- */

/* The entries of the plan of a file, from *at on: how much of it they are. */
static void
add_file(const struct plan *plan, uint64_t *at, struct preamble_facts *facts)
{
	const struct planner *planner = plan->planner;
	const struct catalogue *catalogue = planner->catalogue;
	uint32_t file_idx = FILE_NONE;
	uint32_t full_nr = 0;
	bool has_lines = false;
	bool is_text = false; /* all of it, in place of signatures */

	for (; *at < planner->plan_nr; ++*at) {
		const struct plan_entry *entry = catalogue_plan(catalogue, *at);
		uint32_t idx =
			catalogue_chunk(catalogue, entry->chunk_idx)->file_idx;

		if (file_idx != FILE_NONE && idx != file_idx)
			break;
		file_idx = idx;
		is_text |= entry->tier == TIER_SIGNATURES &&
			   entry->kept_lines == 0 &&
			   lang_is_settings(
				   catalogue_file(catalogue, idx)->language);
		has_lines |= entry->tier != TIER_SIGNATURES;
		full_nr += entry->tier == TIER_FULL &&
			   (entry->kept_lines == 0 ||
			    entry->kept_lines == KEPT_MEASURED);
	}
	facts->packed_nr++;
	if (is_text)
		return;
	if (!has_lines)
		facts->sign_nr++;
	else if (full_nr < catalogue_facts(catalogue, file_idx)->chunk_nr)
		facts->part_nr++;
}

/* Files that could be packed, each content once. */
static uint64_t
count_usable(const struct plan *plan)
{
	const struct planner *planner = plan->planner;
	uint64_t nr = 0;

	for (uint64_t i = 0; i < planner->file_nr; i++) {
		const struct file_facts *facts =
			catalogue_facts(planner->catalogue, i);

		nr += select_is_usable(facts) &&
		      (!planner->job->drops_duplicates ||
		       facts->duplicate_of == FILE_NONE);
	}
	return nr;
}

int
plan_write_preamble(struct plan *plan)
{
	const struct planner *planner = plan->planner;
	const struct table *table = &planner->catalogue->preamble;
	struct preamble_facts *facts = &plan->preamble;
	uint32_t tree_bytes;
	int error;

	if (!planner->job->writes_preamble)
		return 0;
	tree_bytes = (uint32_t)plan->cost.preamble.directories_bytes;
	error = planner->reserve(table, PREAMBLE_DIRECTORIES_OFF + tree_bytes);
	if (error != 0)
		return error;
	facts->packed_nr = 0;
	facts->part_nr = 0;
	facts->sign_nr = 0;
	for (uint64_t at = 0; at < planner->plan_nr;)
		add_file(plan, &at, facts);
	facts->is_whole = facts->part_nr == 0 && facts->sign_nr == 0 &&
			  facts->packed_nr >= count_usable(plan);
	if (facts->is_whole)
		facts->signatures = false;
	*catalogue_preamble(planner->catalogue) = (struct preamble_head){
		.text_bytes = (uint32_t)preamble_text(
			table_at(table, PREAMBLE_TEXT_OFF, PREAMBLE_ROOM),
			facts),
		.directories_bytes = tree_bytes,
	};
	if (tree_bytes > 0)
		memcpy(table_at(table, PREAMBLE_DIRECTORIES_OFF, tree_bytes),
		       plan->kept->directories, tree_bytes);
	return 0;
}
