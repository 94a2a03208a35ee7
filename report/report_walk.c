/* SPDX-License-Identifier: MIT */
/*
 * report_walk.c - every file and every range, and what came of it.
 *
 * Does: goes through files, their chunks and the plan side by side; all three
 *       are in canonical order.
 * Limits: fingerprints are told apart by their first 64 bits here; a mistake,
 *         one in 10^7 for a million chunks, would call "duplicate" in the
 *         report what was left out for the budget.
 */
#include "report/report.h"
#include "catalogue/files.h"
#include "catalogue/kept.h"
#include "catalogue/names.h"
#include "lang/lang.h"

#include <errno.h>
#include <string.h>

#define ITEMS_BYTES_MAX (1ull << 40)

struct walk {
	struct report *report;
	uint64_t plan_nr;
	uint64_t plan_next;
	uint64_t plan_idx;       /* chunk of plan_next; UINT64_MAX: no more */
	struct plan_entry entry; /* of plan_idx */
	uint64_t chunk_nr;
	uint64_t signature_line_nr;
	uint32_t estimated_from; /* file_is_estimated() */
	uint64_t rest_next;      /* entries behind the plan: what is left out */
	uint64_t rest_end;
	struct plan_entry rest; /* the one before rest_next; score NONE: none */
	/* of the file in work */
	const struct source_file *requested; /* NULL: nobody asks for it */
	bool requested_only; /* nothing but what is asked for is packed of it */
};

uint64_t
report_most_of(const struct report *report, uint8_t category)
{
	uint64_t share = report->categories[category].allocated;

	return report->run->job.no_redistribute && share > 0
		       ? share
		       : report->available_tokens;
}

/* Whole records that lie in the file of a table: behind it is SIGBUS. */
static uint64_t
records_of(const struct table *table, size_t record_bytes)
{
	return table_backed_bytes(table) / record_bytes;
}

/* How many entries there are, of the plan or behind it. */
static uint64_t
entry_nr(const struct run *run, const _Atomic uint64_t *nr)
{
	/* relaxed: its writer is dead, waitid() came in between */
	return run->job.takes_all ? 0 : load_relaxed(nr);
}

/* Of what is packed of a chunk, or in its place; its file is in the table. */
static uint64_t
slot_key(const struct report *report, const struct chunk_record *chunk)
{
	const uint8_t *fingerprint = chunk->fingerprint;
	uint64_t key;

	if (report->run->job.compress)
		fingerprint = catalogue_facts(&report->run->catalogue,
					      chunk->file_idx)
				      ->outline_fingerprint;
	memcpy(&key, fingerprint, sizeof(key));
	return key == 0 ? 1 : key; /* 0: an empty slot */
}

/* The slot that holds the key, or the empty one where it would be. */
static uint64_t *
find_slot(const struct report *report, uint64_t key)
{
	uint64_t at = key & (report->seen_slots - 1);
	uint64_t *slot;

	do {
		slot = table_at(&report->seen, at * sizeof(*slot),
				sizeof(*slot));
		at = (at + 1) & (report->seen_slots - 1);
	} while (*slot != 0 && *slot != key);
	return slot;
}

static bool
is_seen(const struct report *report, const struct chunk_record *chunk)
{
	return report->seen_slots > 0 &&
	       *find_slot(report, slot_key(report, chunk)) != 0;
}

/*
 * The fingerprints of the plan's chunks: a chunk that was left out is a
 * duplicate if its own is among them.
 */
static int
note_planned(struct report *report)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	uint64_t nr =
		entry_nr(report->run, &report->run->segment.control->plan_nr);
	uint64_t chunk_nr =
		records_of(&catalogue->chunks, sizeof(struct chunk_record));
	uint64_t fact_nr =
		records_of(&catalogue->facts, sizeof(struct file_facts));
	uint64_t slots = 512; /* a page */
	int error;

	if (nr == 0)
		return 0;
	if (nr > records_of(&catalogue->plan, sizeof(struct plan_entry)))
		return -EPROTO;
	while (slots < nr * 2)
		slots *= 2;
	error = table_create(&report->seen, slots * sizeof(uint64_t));
	if (error == 0)
		error = table_reserve(&report->seen, slots * sizeof(uint64_t));
	if (error != 0)
		return error;
	report->seen_slots = slots;
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t idx = catalogue_plan(catalogue, i)->chunk_idx;
		uint64_t key;

		if (idx >= chunk_nr ||
		    catalogue_chunk(catalogue, idx)->file_idx >= fact_nr)
			return -EPROTO;
		/* of what is there by its signatures, no chunk is there */
		if ((catalogue_plan(catalogue, i)->tier != TIER_FULL &&
		     !report->run->job.compress) ||
		    catalogue_plan(catalogue, i)->kept_lines != 0)
			continue;
		key = slot_key(report, catalogue_chunk(catalogue, idx));
		*find_slot(report, key) = key;
	}
	return 0;
}

/* Of two entries that the same chunk stands for: signatures come before it,
 * signature lines that are in it are there without it. */
static bool
may_follow(const struct plan_entry *a, const struct plan_entry *b)
{
	if (a->tier == TIER_SIGNATURE_LINE && b->tier == TIER_SIGNATURE_LINE)
		return a->signature_line < b->signature_line;
	return a->tier == TIER_SIGNATURES && b->tier != TIER_SIGNATURES;
}

/* Moves the plan's cursor on; its entries grow, or something is wrong. */
static int
next_planned(struct walk *walk)
{
	const struct catalogue *catalogue = &walk->report->run->catalogue;
	uint64_t before = walk->plan_idx;
	const struct plan_entry last = walk->entry;

	if (walk->plan_next == walk->plan_nr) {
		walk->plan_idx = UINT64_MAX;
		return 0;
	}
	walk->entry = *catalogue_plan(catalogue, walk->plan_next);
	walk->plan_idx = walk->entry.chunk_idx;
	if (walk->entry.category >= CATEGORY_NR ||
	    walk->entry.tier >= TIER_NR || walk->plan_idx >= walk->chunk_nr ||
	    (walk->plan_next > 0 &&
	     (walk->plan_idx < before ||
	      (walk->plan_idx == before && !may_follow(&last, &walk->entry)))))
		return -EPROTO;
	walk->plan_next++;
	return 0;
}

/* Goes on to the entry that stands for a chunk that is left out. */
static int
next_rest(struct walk *walk, uint64_t chunk_idx)
{
	const struct catalogue *catalogue = &walk->report->run->catalogue;

	for (; walk->rest_next < walk->rest_end; walk->rest_next++) {
		const struct plan_entry *entry =
			catalogue_plan(catalogue, walk->rest_next);

		if (entry->chunk_idx > chunk_idx)
			break;
		if (walk->rest.score != SCORE_NONE &&
		    entry->chunk_idx <= walk->rest.chunk_idx)
			return -EPROTO;
		walk->rest = *entry;
	}
	return 0;
}

/* What is left out stands where the best of it does. */
static void
take_score(struct report_item *item, uint32_t score,
	   const struct plan_factors *factors)
{
	if (score == SCORE_NONE || (item->has_score && score <= item->score))
		return;
	item->has_score = true;
	item->score = score;
	item->factors = *factors;
}

/* A chunk that is left out, of a file whose chunks begin with `first`. */
static int
rank_chunk(struct walk *walk, struct report_item *item, uint64_t first,
	   uint64_t idx)
{
	int error = next_rest(walk, idx);

	if (error == 0 && walk->rest.chunk_idx >= first)
		take_score(item, walk->rest.score, &walk->rest.factors);
	return error;
}

/* One more item of the report. */
static int
give(struct walk *walk, const struct report_item *item)
{
	struct report *report = walk->report;
	uint64_t off = report->item_nr * sizeof(*item);
	int error = table_reserve(&report->items, off + sizeof(*item));

	if (error != 0)
		return error;
	*(struct report_item *)table_at(&report->items, off, sizeof(*item)) =
		*item;
	report->item_nr++;
	return 0;
}

/* The item before, if it is lines of the same file that were left out. */
static struct report_item *
last_left_out(const struct walk *walk, uint32_t file_idx)
{
	const struct report *report = walk->report;
	struct report_item *last;

	if (report->item_nr == 0)
		return NULL;
	last = table_at(&report->items, (report->item_nr - 1) * sizeof(*last),
			sizeof(*last));
	return !last->is_packed && !last->is_whole && last->line_first > 0 &&
			       last->file_idx == file_idx
		       ? last
		       : NULL;
}

/* One more that is left out; it goes with the one before if it can. */
static int
leave_out(struct walk *walk, const struct report_item *item)
{
	struct report_item *last = last_left_out(walk, item->file_idx);

	if (last != NULL && last->reason == REPORT_EMPTY) {
		/* that is why it is not there, too */
		last->reason = item->reason;
		last->category = item->category;
	}
	if (last == NULL || last->reason != item->reason ||
	    last->category != item->category)
		return give(walk, item);
	last->line_last = item->line_last;
	last->larger_nr += item->larger_nr;
	last->tokens += item->tokens;
	last->is_estimated |= item->is_estimated;
	last->chunk_nr += item->chunk_nr;
	if (item->has_score)
		take_score(last, item->score, &item->factors);
	return 0;
}

/* Why this chunk is not packed. */
static void
find_reason(const struct walk *walk, const struct chunk_record *chunk,
	    struct report_item *item)
{
	const struct job *job = &walk->report->run->job;
	const struct report_item *last = last_left_out(walk, item->file_idx);
	const struct source_request *request = NULL;

	if (chunk->tokens == 0) {
		/* comments that are stripped: as what they stand beside */
		item->reason = last != NULL ? last->reason : REPORT_EMPTY;
		item->category = last != NULL ? last->category : item->category;
		return;
	}
	item->reason = REASON_DUPLICATE;
	if (walk->report->run->job.drops_duplicates &&
	    is_seen(walk->report, chunk))
		return;
	if (walk->requested != NULL)
		request = source_best(&job->sources, walk->requested,
				      item->line_first, item->line_last);
	item->reason = request == NULL && walk->requested_only ? REASON_UNASKED
							       : REASON_BUDGET;
	if (request == NULL)
		return;
	item->category = request->category;
	item->larger_nr =
		item->tokens > report_most_of(walk->report, item->category);
}

/* What the plan says of what is packed. */
static void
take_entry(struct report_item *item, const struct plan_entry *entry)
{
	item->is_packed = true;
	item->has_score = entry->score != SCORE_NONE;
	item->score = entry->score;
	item->category = entry->category;
	item->tier = entry->tier;
	item->factors = entry->factors;
}

/* Signature lines that are in a chunk: in the report, items of no chunk. */
static int
visit_signature_lines(struct walk *walk, uint32_t file_idx, uint64_t idx)
{
	const struct catalogue *catalogue = &walk->report->run->catalogue;
	int error = 0;

	while (error == 0 && walk->plan_idx == idx &&
	       walk->entry.tier == TIER_SIGNATURE_LINE) {
		uint64_t line_idx = catalogue_facts(catalogue, file_idx)
					    ->signature_line_first +
				    (uint64_t)walk->entry.signature_line;
		const struct chunk_record *line;
		struct report_item item = {
			.file_idx = file_idx,
			.same_as = FILE_NONE,
		};

		if (line_idx >= walk->signature_line_nr)
			return -EPROTO;
		line = catalogue_signature_line(catalogue, line_idx);
		if (line->file_idx != file_idx || line->line_nr == 0)
			return -EPROTO;
		take_entry(&item, &walk->entry);
		item.line_first = line->line_first;
		item.line_last = line->line_first + line->line_nr - 1;
		item.tokens = line->tokens;
		error = next_planned(walk);
		if (error == 0)
			error = give(walk, &item);
	}
	return error;
}

/* What was a candidate has a score. */
static bool
is_ranked(unsigned reason)
{
	return reason == REASON_BUDGET || reason == REASON_DUPLICATE;
}

static int
visit_left_out(struct walk *walk, struct report_item *item, uint64_t idx)
{
	const struct catalogue *catalogue = &walk->report->run->catalogue;
	const struct chunk_record *chunk = catalogue_chunk(catalogue, idx);
	uint64_t first =
		catalogue_facts(catalogue, item->file_idx)->chunk_first;
	int error = 0;

	find_reason(walk, chunk, item);
	if (is_ranked(item->reason))
		error = rank_chunk(walk, item, first, idx);
	return error == 0 ? leave_out(walk, item) : error;
}

/* Of what is packed up to a line, of so many lines: what that comes to. */
static void
keep_truncated(const struct walk *walk, struct report_item *item, uint64_t of)
{
	const struct run *run = walk->report->run;
	uint32_t lines = walk->entry.kept_lines;

	item->is_truncated = true;
	/* of a plan that was not carried out: in proportion to its lines */
	item->is_estimated |= run->job.plan_only;
	if (run->job.plan_only)
		item->tokens = item->tokens * min_u64(lines, of) / of;
	else
		item->tokens =
			catalogue_kept(&run->catalogue, walk->plan_next - 1)
				->tokens;
}

/* What is left out of what is there in part: of `whole` tokens. */
static struct report_item
rest_of(const struct report_item *truncated, uint64_t whole)
{
	return (struct report_item){
		.file_idx = truncated->file_idx,
		.category = truncated->category,
		.reason = REASON_BUDGET,
		.same_as = FILE_NONE,
		.tokens = whole - min_u64(whole, truncated->tokens),
		.has_score = truncated->has_score,
		.score = truncated->score,
		.factors = truncated->factors,
	};
}

/* What is left out of a chunk, before and behind the lines that are there. */
struct part_rest {
	struct report_item before;
	struct report_item behind;
	bool has_before;
	bool has_behind;
};

/* The tokens of both are by their lines. */
static void
find_rest(const struct report_item *part, const struct report_item *chunk,
	  struct part_rest *rest)
{
	struct report_item all = rest_of(part, chunk->tokens);
	uint64_t before = part->line_first - chunk->line_first;
	uint64_t behind = chunk->line_last - part->line_last;

	*rest = (struct part_rest){ .before = all,
				    .behind = all,
				    .has_before = before > 0,
				    .has_behind = behind > 0 };
	rest->before.line_first = chunk->line_first;
	rest->before.line_last = part->line_first - 1;
	rest->before.tokens = all.tokens * before / (before + behind);
	rest->behind.line_first = part->line_last + 1;
	rest->behind.line_last = chunk->line_last;
	rest->behind.tokens = all.tokens - rest->before.tokens;
}

/* Of a chunk of which the plan takes only some lines: these. */
static int
cut_part(const struct walk *walk, struct report_item *item)
{
	const struct run *run = walk->report->run;
	uint32_t lines = walk->entry.kept_lines;

	if (lines > item->line_last - item->line_first)
		return -EPROTO;
	keep_truncated(walk, item, item->line_last - item->line_first + 1);
	item->line_first +=
		job_part_from(&run->job, &run->catalogue, &walk->entry);
	item->line_last = item->line_first + lines - 1;
	return 0;
}

/* A chunk that the plan takes, be it up to a line. */
static int
visit_planned(struct walk *walk, struct report_item *item)
{
	const struct report_item whole = *item;
	struct part_rest rest = { 0 };
	int error = 0;

	take_entry(item, &walk->entry);
	if (walk->entry.kept_lines != 0) {
		error = cut_part(walk, item);
		if (error == 0)
			find_rest(item, &whole, &rest);
	}
	if (error == 0 && rest.has_before)
		error = leave_out(walk, &rest.before);
	if (error == 0)
		error = next_planned(walk);
	if (error == 0)
		error = give(walk, item);
	if (error == 0 && rest.has_behind)
		error = leave_out(walk, &rest.behind);
	return error;
}

static int
visit_chunk(struct walk *walk, uint32_t file_idx, uint64_t idx)
{
	const struct chunk_record *chunk =
		catalogue_chunk(&walk->report->run->catalogue, idx);
	struct report_item item = {
		.file_idx = file_idx,
		.same_as = FILE_NONE,
		.category = CATEGORY_TREE,
		.line_first = chunk->line_first,
		.line_last = chunk->line_first + max_u64(chunk->line_nr, 1) - 1,
		.tokens = chunk->tokens,
		.is_estimated = chunk->is_estimated,
		.chunk_nr = 1,
	};

	if (chunk->file_idx != file_idx)
		return -EPROTO;
	return idx == walk->plan_idx ? visit_planned(walk, &item)
				     : visit_left_out(walk, &item, idx);
}

/* Whether a chunk is left out as the one before it, for the budget. */
static bool
is_left_out_alike(const struct walk *walk, const struct chunk_record *chunk)
{
	/* comments that are stripped go with what they stand beside */
	return chunk->tokens == 0 || !walk->report->run->job.drops_duplicates ||
	       !is_seen(walk->report, chunk);
}

/*
 * Chunks of a file, from *idx to before `end`, that are left out for the budget like
 * the one before them, as most are: they go into its item. *idx: the first of which
 * something else is to be said.
 */
static int
visit_alike(struct walk *walk, uint32_t file_idx, uint64_t first, uint64_t *idx,
	    uint64_t end)
{
	const struct catalogue *catalogue = &walk->report->run->catalogue;
	struct report_item *last = last_left_out(walk, file_idx);
	int error = 0;

	if (last == NULL || last->reason != REASON_BUDGET ||
	    last->category != CATEGORY_TREE || walk->requested != NULL)
		return 0;
	for (; *idx < min_u64(end, walk->plan_idx) && error == 0; ++*idx) {
		const struct chunk_record *chunk =
			catalogue_chunk(catalogue, *idx);

		if (chunk->file_idx != file_idx)
			return -EPROTO;
		if (!is_left_out_alike(walk, chunk))
			break;
		last->line_last =
			chunk->line_first + max_u64(chunk->line_nr, 1) - 1;
		last->tokens += chunk->tokens;
		last->is_estimated |= chunk->is_estimated;
		last->chunk_nr++;
		error = rank_chunk(walk, last, first, *idx);
	}
	return error;
}

/* Lines of all signatures of a file. */
static uint64_t
outline_lines(const struct walk *walk, const struct file_facts *facts)
{
	const struct names *names =
		catalogue_names(&walk->report->run->catalogue, facts);

	return max_u64(names == NULL ? 0 : names->outline_lines, 1);
}

/* A file that is there by its signatures: all of its lines, in a way. */
static int
visit_signatures(struct walk *walk, uint32_t file_idx,
		 const struct file_facts *facts)
{
	struct report_item item = {
		.file_idx = file_idx,
		.is_whole = true,
		.same_as = FILE_NONE,
		.line_first = facts->line_nr > 0,
		.line_last = facts->line_nr,
		.tokens = facts->outline_tokens,
		.chunk_nr = facts->chunk_nr,
	};
	int error;

	take_entry(&item, &walk->entry);
	if (walk->entry.kept_lines != 0)
		keep_truncated(walk, &item, outline_lines(walk, facts));
	else if (lang_is_settings(
			 catalogue_file(&walk->report->run->catalogue, file_idx)
				 ->language))
		item.tier = TIER_FULL; /* its text stands for them */
	error = next_planned(walk);
	/* chunks that are there as they are, and those left out, follow */
	if (walk->plan_idx < facts->chunk_first + facts->chunk_nr)
		item.chunk_nr = 0;
	if (error == 0)
		error = give(walk, &item);
	/* its chunks are told of where they are left out by themselves */
	if (error != 0 || !item.is_truncated ||
	    !walk->report->run->job.compress)
		return error;
	/* of no lines that could be told */
	item = rest_of(&item, facts->outline_tokens);
	return give(walk, &item);
}

static int
visit_chunks(struct walk *walk, uint32_t file_idx,
	     const struct file_facts *facts)
{
	uint64_t first = facts->chunk_first;
	int error = 0;

	if (first > walk->chunk_nr || facts->chunk_nr > walk->chunk_nr - first)
		return -EPROTO;
	while (walk->plan_idx < first && error == 0)
		error = next_planned(walk);
	if (error == 0 && walk->plan_idx == first &&
	    walk->entry.tier == TIER_SIGNATURES) {
		error = visit_signatures(walk, file_idx, facts);
		/* there may be some of its lines, too */
		if (error != 0 || walk->plan_idx >= first + facts->chunk_nr)
			return error;
	}
	for (uint64_t at = first, end = first + facts->chunk_nr;
	     at < end && error == 0;) {
		error = visit_signature_lines(walk, file_idx, at);
		if (error == 0)
			error = visit_chunk(walk, file_idx, at++);
		if (error == 0)
			error = visit_alike(walk, file_idx, first, &at, end);
	}
	return error;
}

/* What a file that is packed as a whole was asked for as. */
static uint8_t
category_of_file(const struct walk *walk)
{
	const struct source_request *best = NULL;

	if (walk->requested != NULL)
		best = source_best(&walk->report->run->job.sources,
				   walk->requested, 1, SOURCE_LINES_ALL);
	return best == NULL ? CATEGORY_TREE : best->category;
}

/* All of a pinned file is wanted, whatever lines are asked for. */
static void
find_requested(struct walk *walk, uint32_t file_idx,
	       const struct file_record *file)
{
	const struct run *run = walk->report->run;

	walk->requested =
		job_requested_for(&run->job, &run->catalogue, file_idx);
	walk->requested_only = run->job.sources_only &&
			       walk->requested != NULL &&
			       !job_pins(&run->job, &run->catalogue, file);
}

/* What can be said of a file without looking at its chunks. */
static struct report_item
whole_file(const struct walk *walk, uint32_t file_idx,
	   const struct file_record *file, const struct file_facts *facts)
{
	struct report_item item = {
		.file_idx = file_idx,
		.is_whole = true,
		.reason = file->reason != REASON_NONE ? file->reason
						      : facts->reason,
		.same_as = FILE_NONE,
		.category = CATEGORY_TREE,
		.line_first = facts->line_nr > 0,
		.line_last = facts->line_nr,
		.tokens = facts->tokens,
		.is_estimated =
			facts->tokens > 0 &&
			file_is_estimated(walk->estimated_from, file_idx),
	};

	if (item.reason != REASON_NONE)
		return item;
	if (facts->bytes > 0 && facts->same_as != FILE_NONE) {
		item.reason = REASON_DUPLICATE;
		item.same_as = facts->same_as;
	} else if (walk->report->run->job.takes_all) {
		item.is_packed = true;
		item.category = category_of_file(walk);
		if (walk->report->run->job.compress &&
		    !lang_is_settings(file->language))
			item.tier = TIER_SIGNATURES;
	} else if (facts->bytes == 0) {
		item.reason = REPORT_EMPTY;
	}
	return item;
}

/* Of a file whose content another has. */
static int
rank_duplicate(struct walk *walk, struct report_item *item,
	       const struct file_facts *facts)
{
	uint64_t first = facts->chunk_first;
	int error = 0;

	if (item->reason != REASON_DUPLICATE)
		return 0;
	if (first > walk->chunk_nr || facts->chunk_nr > walk->chunk_nr - first)
		return -EPROTO;
	for (uint32_t i = 0; i < facts->chunk_nr && error == 0; i++)
		error = rank_chunk(walk, item, first, first + i);
	return error;
}

static int
visit_file(struct walk *walk, uint32_t file_idx)
{
	const struct catalogue *catalogue = &walk->report->run->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	struct report_item item;
	int error;

	find_requested(walk, file_idx, file);
	item = whole_file(walk, file_idx, file, facts);
	if (item.reason > REPORT_EMPTY ||
	    (item.same_as != FILE_NONE &&
	     item.same_as >= walk->report->files_seen))
		return -EPROTO;
	error = rank_duplicate(walk, &item, facts);
	if (error != 0)
		return error;
	if (item.is_packed || item.reason != REASON_NONE)
		return give(walk, &item);
	if (facts->chunk_nr == 0)
		return -EPROTO;
	return visit_chunks(walk, file_idx, facts);
}

/* Whether the path of each file lies in the table of paths. */
static bool
are_paths_valid(const struct report *report)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	uint64_t paths_bytes = records_of(&catalogue->paths, 1);

	for (uint64_t i = 0; i < report->files_seen; i++) {
		const struct file_record *file = catalogue_file(catalogue, i);

		if (file->root_bytes > file->path_bytes ||
		    file->path_off > paths_bytes ||
		    file->path_bytes > paths_bytes - file->path_off)
			return false;
	}
	return true;
}

int
report_walk(struct report *report)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	uint64_t file_nr = report->files_seen;
	const struct control_shm *control = report->run->segment.control;
	uint64_t rest_nr = entry_nr(report->run, &control->rest_nr);
	uint64_t all_nr =
		records_of(&catalogue->plan, sizeof(struct plan_entry));
	struct walk walk = {
		.report = report,
		.plan_nr = entry_nr(report->run, &control->plan_nr),
		.chunk_nr = records_of(&catalogue->chunks,
				       sizeof(struct chunk_record)),
		.signature_line_nr = records_of(&catalogue->signature_lines,
						sizeof(struct chunk_record)),
		/* relaxed: all workers are gone */
		.estimated_from = load_relaxed(&control->estimated_from),
		.rest.score = SCORE_NONE,
	};
	int error = note_planned(report);

	if (error != 0)
		return error;
	walk.rest_next = walk.plan_nr;
	walk.rest_end = walk.plan_nr + rest_nr;
	if (file_nr > FILE_NONE ||
	    file_nr >
		    records_of(&catalogue->files, sizeof(struct file_record)) ||
	    file_nr >
		    records_of(&catalogue->facts, sizeof(struct file_facts)) ||
	    walk.plan_nr > all_nr || rest_nr > all_nr - walk.plan_nr ||
	    !are_paths_valid(report))
		return -EPROTO;
	error = table_create(&report->items, ITEMS_BYTES_MAX);
	if (error == 0)
		error = next_planned(&walk);
	for (uint64_t i = 0; i < file_nr && error == 0; i++)
		error = visit_file(&walk, (uint32_t)i);
	return error;
}
