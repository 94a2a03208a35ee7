/* SPDX-License-Identifier: MIT */
/*
 * chunk_peek.c - where definitions end that begin before a cut.
 */
#include "stages/chunk/chunk_peek.h"

bool
chunk_peek_open(struct chunk_peek *peek, const struct chunk_cutter *cutter,
		const struct lang_text *text, size_t bytes)
{
	size_t left = text->nr - (size_t)(cutter->start - text->off);
	uint64_t until;

	if (!text->at_end && left < bytes + CHUNK_SLACK_BYTES + 64)
		return false;
	peek->cutter = cutter;
	peek->scan = &cutter->scan;
	peek->ends_text = text->at_end && left <= bytes;
	peek->stop = cutter->start + min_size(bytes, left);
	until = peek->stop + CHUNK_SLACK_BYTES;
	if (cutter->scan.pos >= until || cutter->scan.has_ended)
		return true;
	peek->ahead = cutter->scan;
	peek->scan = &peek->ahead;
	lang_scan_feed(&peek->ahead, text, until, NULL);
	return true;
}

static bool
is_boundary(const struct lang_mark *mark, uint32_t level)
{
	return mark->kind == LANG_MARK_DEF && mark->level <= level;
}

static bool
is_declaration(const struct lang_mark *mark, uint32_t level)
{
	return mark->kind == LANG_MARK_DECLARATION && mark->level <= level;
}

static struct lang_end
end_at(const struct chunk_peek *peek, const struct lang_mark *mark)
{
	return (struct lang_end){
		.bytes = (size_t)(mark->off - peek->cutter->start),
		.level = mark->level,
		.is_boundary = true,
	};
}

struct lang_end
chunk_peek_boundary(const struct chunk_peek *peek, size_t at, uint32_t level)
{
	const struct lang_mark *mark = peek->scan->marks;
	const struct lang_mark *end = mark + peek->scan->mark_nr;
	uint64_t start = peek->cutter->start;
	struct lang_end last = { .bytes = (size_t)(peek->stop - start) };

	while (mark < end &&
	       (mark->off <= start + at || !is_boundary(mark, level)))
		mark++;
	if (mark < end && mark->off + peek->ends_text <= peek->stop)
		return end_at(peek, mark);
	return peek->ends_text && last.bytes > at ? last
						  : (struct lang_end){ 0 };
}

struct lang_end
chunk_peek_declaration(const struct chunk_peek *peek, size_t at, uint32_t level)
{
	const struct lang_mark *mark = peek->scan->marks;
	const struct lang_mark *end = mark + peek->scan->mark_nr;
	uint64_t from = peek->cutter->start + at;

	while (mark < end && (mark->off <= from || mark->level > level))
		mark++;
	return mark < end && is_declaration(mark, level)
		       ? end_at(peek, mark)
		       : (struct lang_end){ 0 };
}

bool
chunk_peek_torn(const struct chunk_peek *peek, size_t at, uint32_t level,
		enum lang_peek_from from, struct lang_span *span)
{
	const struct chunk_cutter *cutter = peek->cutter;
	const struct lang_mark *mark = peek->scan->marks;
	const struct lang_mark *end = mark + peek->scan->mark_nr;

	*span = (struct lang_span){ .from = { .level = cutter->level } };
	for (; mark < end && mark->off <= cutter->start + at; mark++)
		if (mark->off > cutter->start &&
		    (is_boundary(mark, level) ||
		     (from == CHUNK_PEEK_DECLARATION &&
		      is_declaration(mark, level))))
			span->from = end_at(peek, mark);
	if (span->from.bytes == at)
		return false;
	/* what goes on has been cut before */
	if (span->from.bytes == 0 &&
	    (!cutter->is_boundary || cutter->level > level))
		return false;
	span->end = chunk_peek_boundary(peek, at, level);
	return true;
}

uint32_t
chunk_peek_deepest(const struct chunk_peek *peek)
{
	uint32_t deepest = peek->cutter->level;

	for (uint32_t i = 0; i < peek->scan->mark_nr; i++)
		if (is_boundary(&peek->scan->marks[i], UINT32_MAX) &&
		    peek->scan->marks[i].level > deepest)
			deepest = peek->scan->marks[i].level;
	return deepest;
}
