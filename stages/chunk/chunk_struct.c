/* SPDX-License-Identifier: MIT */
/*
 * chunk_struct.c - choosing among the marks of the scanner.
 */
#include "stages/chunk/chunk_struct.h"

#include <string.h>

#include "stages/chunk/chunk.h"

#define AHEAD_BYTES 8192

void
chunk_limits_init(struct chunk_limits *limits, uint32_t max_tokens,
		  uint32_t min_tokens)
{
	uint64_t max = (uint64_t)max_tokens * CHUNK_TOKEN_BYTES;
	uint64_t min = (uint64_t)min_tokens * CHUNK_TOKEN_BYTES;

	*limits = (struct chunk_limits){
		.max_bytes = (uint32_t)max_u64(1, min_u64(max, 1u << 30)),
	};
	limits->min_bytes = (uint32_t)min_u64(min, limits->max_bytes / 2);
	limits->join_bytes = limits->min_bytes;
}

/* How far is scanned at once: some way ahead, to begin less often. */
static uint64_t
ahead(const struct chunk_limits *limits)
{
	uint64_t max = limits->max_bytes;

	return max_u64(4 * (max + CHUNK_SLACK_BYTES),
		       min_u64(8 * max, AHEAD_BYTES));
}

void
chunk_cutter_init(struct chunk_cutter *cutter, uint32_t lang,
		  const struct chunk_limits *limits)
{
	cutter->start = 0;
	cutter->level = 0;
	cutter->is_boundary = 1;
	cutter->counted_next = 0;
	cutter->pad = 0;
	memset(cutter->counted, 0, sizeof(cutter->counted));
	lang_scan_init(&cutter->scan, lang, ahead(limits));
}

/* What there is to choose from: marks where a chunk may end, in order. */
struct choice {
	const struct lang_mark *marks;
	uint32_t nr;
	const struct chunk_limits *limits;
	uint64_t start;
	uint32_t level;
};

/*
 * Those that leave the least before them, up to the last offset that can be
 * cut at: of all that were found ahead a few.
 */
static void
limit_marks(struct choice *choice, const struct lang_scan *scan, uint64_t stop)
{
	const struct lang_mark *mark = scan->marks;
	const struct lang_mark *end = mark + scan->mark_nr;

	while (mark < end &&
	       (mark->off <= choice->start ||
		mark->off - choice->start < choice->limits->min_bytes))
		mark++;
	choice->marks = mark;
	while (mark < end && mark->off <= stop)
		mark++;
	choice->nr = (uint32_t)(mark - choice->marks);
}

static bool
is_def(const struct lang_mark *mark)
{
	return mark->kind == LANG_MARK_DEF;
}

/* The mark's place, as a chunk's size. */
static uint64_t
size_at(const struct choice *choice, const struct lang_mark *mark)
{
	return mark->off - choice->start;
}

/*
 * Where little is left until the definition around ends, its end: a closing
 * brace is no chunk.
 */
static const struct lang_mark *
with_the_rest(const struct choice *choice, uint32_t i)
{
	const struct lang_mark *marks = choice->marks;

	for (uint32_t k = i + 1; k < choice->nr; k++) {
		if (marks[k].off - marks[i].off >= choice->limits->min_bytes)
			break;
		if (is_def(&marks[k]) && marks[k].level < marks[i].level)
			return &marks[k];
	}
	return &marks[i];
}

/*
 * Between neighbours: the first place that leaves the definition around, or
 * that has enough before it; or else the last one there is.
 */
static const struct lang_mark *
between_siblings(const struct choice *choice)
{
	const struct lang_mark *last = NULL;

	for (uint32_t i = 0; i < choice->nr; i++) {
		const struct lang_mark *mark = &choice->marks[i];

		if (!is_def(mark) || mark->level > choice->level)
			continue;
		if (mark->level < choice->level)
			return mark;
		if (size_at(choice, mark) >= choice->limits->join_bytes)
			return with_the_rest(choice, i);
		last = mark;
	}
	return last;
}

static uint32_t
lowest_level(const struct choice *choice)
{
	uint32_t level = UINT32_MAX;

	for (uint32_t i = 0; i < choice->nr; i++)
		if (choice->marks[i].level < level &&
		    choice->marks[i].kind != LANG_MARK_DECLARATION)
			level = choice->marks[i].level;
	return level;
}

/* Among what a definition too large has in it: its members. */
static const struct lang_mark *
between_members(const struct choice *choice, uint32_t level)
{
	const struct lang_mark *last = NULL;

	for (uint32_t i = 0; i < choice->nr; i++) {
		const struct lang_mark *mark = &choice->marks[i];

		if (!is_def(mark) || mark->level != level)
			continue;
		if (size_at(choice, mark) >= choice->limits->join_bytes)
			return with_the_rest(choice, i);
		last = mark;
	}
	return last;
}

/* Between statements: the lowest level, then a blank line, then the last. */
static const struct lang_mark *
between_statements(const struct choice *choice, uint64_t at_least)
{
	const struct lang_mark *best = NULL;

	for (uint32_t i = 0; i < choice->nr; i++) {
		const struct lang_mark *mark = &choice->marks[i];

		if (size_at(choice, mark) < at_least ||
		    mark->kind == LANG_MARK_DECLARATION)
			continue;
		if (best == NULL || mark->level < best->level ||
		    (mark->level == best->level && mark->kind >= best->kind))
			best = mark;
	}
	return best;
}

static const struct lang_mark *
choose(const struct choice *choice)
{
	const struct lang_mark *mark = between_siblings(choice);

	if (mark == NULL)
		mark = between_members(choice, lowest_level(choice));
	if (mark == NULL)
		mark = between_statements(choice,
					  choice->limits->max_bytes / 2);
	if (mark == NULL)
		mark = between_statements(choice, 0);
	return mark;
}

/* Marks before the new start are of no use any more. */
static void
forget(struct chunk_cutter *cutter)
{
	struct lang_scan *scan = &cutter->scan;
	uint32_t keep = 0;

	while (keep < scan->mark_nr && scan->marks[keep].off <= cutter->start)
		keep++;
	scan->mark_nr -= keep;
	memmove(scan->marks, scan->marks + keep,
		scan->mark_nr * sizeof(scan->marks[0]));
	scan->mark_after = cutter->start;
}

void
chunk_cutter_take(struct chunk_cutter *cutter, struct lang_end place)
{
	cutter->start += place.bytes;
	cutter->level = place.level;
	cutter->is_boundary = place.is_boundary;
	forget(cutter);
}

static struct lang_end
by_structure(struct chunk_cutter *cutter, const struct lang_text *text,
	     const struct chunk_limits *limits, const struct lang_sink *sink)
{
	size_t skip = (size_t)(cutter->start - text->off);
	size_t left = text->nr - skip;
	uint64_t window = (uint64_t)limits->max_bytes + CHUNK_SLACK_BYTES;
	struct lang_end place = { .level = cutter->level };
	struct choice choice = {
		.limits = limits,
		.start = cutter->start,
		.level = cutter->level,
	};
	const struct lang_mark *mark;

	if (!text->at_end && left < window + 64)
		return place;
	if (cutter->scan.pos < cutter->start + window || text->at_end)
		lang_scan_feed(&cutter->scan, text,
			       cutter->start + ahead(limits), sink);
	limit_marks(&choice, &cutter->scan,
		    cutter->start + min_u64(limits->max_bytes, (uint64_t)left));
	mark = choose(&choice);
	/* the end of the text is as good a place as any, and a short rest is
	 * not worth a chunk of its own */
	if (text->at_end && left <= limits->max_bytes &&
	    (mark == NULL || mark->level > cutter->level ||
	     cutter->start + left - mark->off < limits->min_bytes)) {
		place = (struct lang_end){ .bytes = left };
	} else if (mark != NULL) {
		place.bytes = (size_t)(mark->off - cutter->start);
		place.level = mark->level;
		place.is_boundary = is_def(mark);
	} else {
		place.bytes = chunk_line_end(text->bytes + skip, left,
					     text->at_end, limits->max_bytes);
	}
	/* a line may be longer than what was looked at */
	if (cutter->scan.pos < cutter->start + place.bytes)
		lang_scan_feed(&cutter->scan, text, cutter->start + place.bytes,
			       sink);
	return place;
}

struct lang_end
chunk_cutter_find(struct chunk_cutter *cutter, const struct lang_text *text,
		  const struct chunk_limits *limits,
		  const struct lang_sink *sink)
{
	size_t skip = (size_t)(cutter->start - text->off);
	struct lang_end place = { 0 };

	ASSERT(cutter->start >= text->off && skip <= text->nr);
	if (skip == text->nr) {
		if (text->at_end)
			lang_scan_feed(&cutter->scan, text, UINT64_MAX, sink);
		return place;
	}
	if (cutter->scan.lang != LANG_NONE)
		return by_structure(cutter, text, limits, sink);
	place.bytes = chunk_next(text->bytes + skip, text->nr - skip,
				 text->at_end, limits->max_bytes);
	return place;
}
