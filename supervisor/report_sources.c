/* SPDX-License-Identifier: MIT */
/*
 * report_sources.c - what was asked for besides the tree, and what it saved.
 *
 * Limits: tokens of a range that ends within a chunk are those of the chunk,
 *         by the part of its lines.
 */
#include "supervisor/report.h"

#include <string.h>

#include "shm/diag.h"
#include "supervisor/source_impl.h"

#define TOLD_MAX 5 /* places beyond the end of their files */
#define NAME_BYTES 512

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
is_same(const struct source_entry *a, const struct source_entry *b)
{
	return a->request.line_first == b->request.line_first &&
	       a->request.line_last == b->request.line_last;
}

/* Whether a request of a file is on the lines of the one before it. */
static bool
is_again(const struct source_list *list, const struct source_file *file,
	 uint32_t i)
{
	const struct source_request *request =
		&list->sources.requests[file->request_first + i];

	return i > 0 && request->line_first == request[-1].line_first &&
	       request->line_last == request[-1].line_last;
}

/* The requests of one file, as they came and as they are. */
static void
take_file(struct report *report, const struct source_list *list,
	  const struct source_file *file, const struct source_entry *entries,
	  const struct file_facts *facts)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct source_entry *end = list->entries + list->entry_nr;
	uint64_t before = 0;
	uint64_t after = 0;
	uint64_t reach = 0; /* the last line of the ranges so far */

	for (const struct source_entry *it = entries;
	     it < end && it->path != NULL && it->root == file->root &&
	     strcmp(it->path, file->path) == 0;
	     it++) {
		uint64_t tokens = report_lines_tokens(catalogue, facts,
						      it->request.line_first,
						      it->request.line_last);

		if (it > entries && is_same(it - 1, it))
			report->requests_same_tokens += tokens;
		else
			before += tokens;
	}
	for (uint32_t i = 0; i < file->request_nr; i++) {
		const struct source_request *request =
			&list->sources.requests[file->request_first + i];

		if (is_again(list, file, i))
			continue;
		after += report_lines_tokens(catalogue, facts,
					     request->line_first,
					     request->line_last);
		if (request->line_first <= reach) {
			report->overlaps_unmerged++;
			report->unmerged_tokens += report_lines_tokens(
				catalogue, facts, request->line_first,
				min_u64(request->line_last, reach));
		}
		reach = max_u64(reach, request->line_last);
	}
	report->overlap_tokens += before - min_u64(before, after);
}

/* Lines that a file does not have are told of: it may not be the one that
 * was meant, or have changed. */
static void
tell_beyond(struct report *report, const struct source_list *list,
	    const struct source_file *file, const struct file_facts *facts)
{
	char name[NAME_BYTES];

	if (facts->reason != REASON_NONE)
		return;
	diag_quote(name, sizeof(name), (const uint8_t *)file->path,
		   file->path_bytes);
	for (uint32_t i = 0; i < file->request_nr; i++) {
		const struct source_request *request =
			&list->sources.requests[file->request_first + i];

		if (request->line_first <= max_u64(facts->line_nr, 1) ||
		    report->requests_beyond++ >= TOLD_MAX ||
		    is_again(list, file, i))
			continue;
		diag_log(DIAG_WARN,
			 "%s: line %llu was asked for, but it ends with line "
			 "%lu",
			 name, (unsigned long long)request->line_first,
			 (unsigned long)facts->line_nr);
	}
}

const struct source_entry *
report_first_entry(const struct source_list *list,
		   const struct source_file *file)
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

void
report_take_sources(struct report *report, const struct source_list *list)
{
	const struct catalogue *catalogue = &report->run->catalogue;

	report->source_list = list;
	report->sources = list->statuses;
	report->source_nr = list->status_nr;
	for (size_t i = 1; i < list->entry_nr; i++)
		report->requests_same +=
			list->entries[i].root == list->entries[i - 1].root &&
			strcmp(list->entries[i].path,
			       list->entries[i - 1].path) == 0 &&
			is_same(&list->entries[i - 1], &list->entries[i]);
	report->overlaps_merged =
		list->overlaps_merged -
		min_u64(list->overlaps_merged, report->requests_same);
	if (run_takes_all(report->run) ||
	    (!list->sources.in_part &&
	     list->overlaps_merged + report->requests_same == 0))
		return;
	for (uint64_t i = 0; i < report->files_seen; i++) {
		const struct file_record *file = catalogue_file(catalogue, i);
		const uint8_t *path;
		size_t bytes;
		const struct source_file *asked;

		if (report_path(report, (uint32_t)i, &path, &bytes) != 0 ||
		    file->root_bytes > bytes)
			return;
		asked = source_find(&list->sources, file->root_idx,
				    path + file->root_bytes,
				    bytes - file->root_bytes);
		if (asked == NULL)
			continue;
		tell_beyond(report, list, asked, catalogue_facts(catalogue, i));
		if (asked->request_nr > 1 || list->overlaps_merged > 0)
			take_file(report, list, asked,
				  report_first_entry(list, asked),
				  catalogue_facts(catalogue, i));
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
