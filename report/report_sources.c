/* SPDX-License-Identifier: MIT */
/*
 * report_sources.c - what was asked for besides the tree, and what it saved.
 *
 * Limits: tokens of a range that ends within a chunk are those of the chunk,
 *         by the part of its lines.
 */
#include <string.h>

#include "base/diag.h"
#include "report/report_json.h"
#include "catalogue/files.h"

#define TOLD_MAX 5 /* places beyond the end of their files */

uint64_t
report_lines_tokens(const struct catalogue *catalogue,
		    const struct file_facts *facts, uint64_t first,
		    uint64_t last)
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
take_file(struct report *report, const struct report_requested *requested)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	uint64_t before = 0;
	uint64_t after = 0;
	uint64_t reach = 0; /* the last line of the ranges so far */

	for (uint32_t i = 0; i < requested->entry_nr; i++) {
		const struct source_entry *it = &requested->entries[i];
		uint64_t tokens = report_lines_tokens(
			catalogue, requested->facts, it->request.line_first,
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
		after += report_lines_tokens(catalogue, requested->facts,
					     it->line_first, it->line_last);
		if (it->line_first <= reach) {
			report->overlaps_unmerged++;
			report->unmerged_tokens += report_lines_tokens(
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
emit_beyond(struct report *report, const struct report_requested *requested)
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
			 "%s: line %ju was asked for, but it ends with line "
			 "%lu",
			 QUOTED(requested->entries->path), it->line_first,
			 (unsigned long)requested->facts->line_nr);
	}
}

/* The first entry of a file; they are in the order of the files. */
static const struct source_entry *
first_entry(const struct source_list *list, const struct source_file *file)
{
	size_t low = 0;
	size_t high = list->entry_nr;

	while (low < high) {
		size_t at = low + (high - low) / 2;
		const struct source_entry *it = &list->entries[at];

		if (it->root < file->root || (it->root == file->root &&
					      strcmp(it->path, file->path) < 0))
			low = at + 1;
		else
			high = at;
	}
	return &list->entries[low];
}

bool
report_requested(const struct report *report, uint32_t file_idx,
		 struct report_requested *out)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct source_list *list = report->source_list;
	const struct source_entry *end = list->entries + list->entry_nr;
	uint32_t root_bytes = catalogue_file(catalogue, file_idx)->root_bytes;
	size_t bytes;
	const uint8_t *path = report_path(report, file_idx, &bytes);
	const struct source_file *file = source_find(
		&list->sources, catalogue_file(catalogue, file_idx)->root_idx,
		path + root_bytes, bytes - root_bytes);

	if (file == NULL)
		return false;
	*out = (struct report_requested){
		.entries = first_entry(list, file),
		.ranges = &list->sources.requests[file->request_first],
		.range_nr = file->request_nr,
		.file_idx = file_idx,
		.facts = catalogue_facts(catalogue, file_idx),
	};
	for (const struct source_entry *it = out->entries;
	     it < end && it->path != NULL && it->root == file->root &&
	     strcmp(it->path, file->path) == 0;
	     it++)
		out->entry_nr++;
	return true;
}

void
report_take_sources(struct report *report, const struct source_list *list)
{
	struct report_requested requested;

	report->source_list = list;
	for (size_t i = 1; i < list->entry_nr; i++)
		report->requests_same +=
			list->entries[i].root == list->entries[i - 1].root &&
			strcmp(list->entries[i].path,
			       list->entries[i - 1].path) == 0 &&
			is_same(&list->entries[i - 1].request,
				&list->entries[i].request);
	report->overlaps_merged =
		list->overlaps_merged -
		min_u64(list->overlaps_merged, report->requests_same);
	if (report->run->job.takes_all ||
	    (!list->sources.in_part &&
	     list->overlaps_merged + report->requests_same == 0))
		return;
	for (uint64_t i = 0; i < report->files_seen; i++) {
		if (!report_requested(report, (uint32_t)i, &requested))
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
