/* SPDX-License-Identifier: MIT */
/*
 * hits.c - the packed ranges of a report beside the lines that are looked for.
 */
#include "report/hits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue/catalogue.h"

/* The lines of a file that are named, in order: whether each is packed. */
struct named_lines {
	const struct commit_range *ranges;
	uint32_t range_nr;
	bool *are_packed;
};

static void
mark(struct named_lines *lines, uint64_t first, uint64_t last)
{
	bool *at = lines->are_packed;

	for (uint32_t i = 0; i < lines->range_nr; i++) {
		const struct commit_range *range = &lines->ranges[i];

		for (uint64_t line = range->first; line <= range->last; line++)
			*at++ |= first <= line && line <= last;
	}
}

/* Whether the path below the root is that one. */
static bool
is_path(const struct report *report, const struct report_item *item,
	const char *path)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct file_record *file =
		catalogue_file(catalogue, item->file_idx);
	size_t bytes = strlen(path);

	return file->path_bytes - file->root_bytes == bytes &&
	       memcmp(catalogue_path(catalogue, file) + file->root_bytes, path,
		      bytes) == 0;
}

/* The items of a file, from one on that has its path. */
static void
take_items(struct hits_of_file *hit, const struct report *report, uint64_t i,
	   struct named_lines *lines)
{
	uint64_t end = report_file_end(report, i);

	for (; i < end; i++) {
		const struct report_item *item = report_item(report, i);

		if (!item->is_packed || item->tier == TIER_SIGNATURES)
			continue;
		hit->is_packed = true;
		mark(lines, item->line_first, item->line_last);
	}
}

static int
take_file(struct hits_of_file *hit, const struct report *report,
	  const struct commit_tasks *tasks, const struct commit_file *file)
{
	struct named_lines lines = {
		.ranges = &tasks->ranges[file->range_first],
		.range_nr = file->range_nr,
		.are_packed = calloc(file->line_nr + 1ul, sizeof(bool)),
	};

	if (lines.are_packed == NULL)
		return -ENOMEM;
	*hit = (struct hits_of_file){ .is_packed = false };
	for (uint64_t i = 0; i < report->item_nr;
	     i = report_file_end(report, i))
		if (is_path(report, report_item(report, i),
			    tasks->text + file->path_off))
			take_items(hit, report, i, &lines);
	for (uint32_t i = 0; i < file->line_nr; i++)
		hit->line_nr += lines.are_packed[i];
	free(lines.are_packed);
	return 0;
}

int
hits_take(struct hits *hits, const struct report *report)
{
	int error = 0;

	for (uint32_t i = 0; i < hits->task->file_nr && error == 0; i++)
		error = take_file(&hits->files[i], report, hits->tasks,
				  &hits->task->files[i]);
	hits->is_known = error == 0;
	return error;
}
