/* SPDX-License-Identifier: MIT */
/*
 * select_anchors_strength.c - how strongly files and chunks are named.
 */
#include "stages/select/select_anchors_strength.h"

#include "base/heap.h"
#include "base/sorted.h"
#include "catalogue/chunks.h"
#include "catalogue/files.h"

void
select_anchors_add(struct select_anchors *out, uint32_t file_idx, uint32_t line,
		   double strength)
{
	if (out->nr < SELECT_ANCHORS_MAX && strength > 0)
		out->found[out->nr++] =
			(struct select_anchor){ file_idx, line,
						(float)strength };
}

static bool
is_before(const void *context, const void *a, const void *b)
{
	const struct select_anchor *left = a;
	const struct select_anchor *right = b;

	(void)context;
	if (left->file_idx != right->file_idx)
		return left->file_idx < right->file_idx;
	return left->line < right->line;
}

void
select_anchors_sort(struct select_anchors *anchors)
{
	HEAP_SORT(anchors->found, anchors->nr, is_before);
}

static bool
is_before_file(const void *anchor, const void *file_idx)
{
	const struct select_anchor *it = anchor;

	return it->file_idx < *(const uint32_t *)file_idx;
}

/* The first one of a file, or where it would be. */
static uint32_t
first_of(const struct select_anchors *anchors, uint32_t file_idx)
{
	return (uint32_t)sorted_first(anchors->found, anchors->nr,
				      sizeof(anchors->found[0]), &file_idx,
				      is_before_file);
}

bool
select_anchors_has(const struct select_anchors *anchors, uint32_t file_idx)
{
	uint32_t first = first_of(anchors, file_idx);

	return first < anchors->nr &&
	       anchors->found[first].file_idx == file_idx;
}

double
select_anchors_file(const struct select_anchors *anchors, uint32_t file_idx)
{
	double best = 0;

	for (uint32_t i = first_of(anchors, file_idx);
	     i < anchors->nr && anchors->found[i].file_idx == file_idx &&
	     anchors->found[i].line == 0;
	     i++)
		if ((double)anchors->found[i].strength > best)
			best = (double)anchors->found[i].strength;
	return best;
}

double
select_anchors_chunk(const struct planner *planner,
		     const struct select_anchors *anchors, uint32_t file_idx,
		     uint32_t ordinal)
{
	const struct catalogue *catalogue = planner->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, facts->chunk_first + ordinal);
	uint32_t first = first_of(anchors, file_idx);
	uint32_t within = 0;
	double best = 0;

	if (first == anchors->nr || anchors->found[first].file_idx != file_idx)
		return 0;
	if (chunk->signature_line != 0)
		within = catalogue_signature_line(
				 catalogue,
				 facts->signature_line_first +
					 (uint64_t)chunk->signature_line - 1)
				 ->line_first;
	for (uint32_t i = first;
	     i < anchors->nr && anchors->found[i].file_idx == file_idx; i++) {
		const struct select_anchor *found = &anchors->found[i];

		if (found->line != 0 &&
		    (found->line == within ||
		     found->line - chunk->line_first < chunk->line_nr) &&
		    (double)found->strength > best)
			best = (double)found->strength;
	}
	return best;
}
