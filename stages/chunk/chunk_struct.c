/* SPDX-License-Identifier: MIT */
/*
 * chunk_struct.c - choosing among the marks of the scanner.
 */
#include "stages/chunk/chunk_struct.h"

#include <string.h>

#define SLACK_BYTES 512 /* scanned beyond a chunk: heads that begin within */

void
chunk_limits_init(struct chunk_limits *limits, uint32_t max_tokens,
		  uint32_t min_tokens)
{
	uint64_t max = (uint64_t)max_tokens * CHUNK_TOKEN_BYTES;
	uint64_t min = (uint64_t)min_tokens * CHUNK_TOKEN_BYTES;

	*limits = (struct chunk_limits){
		.max_bytes = (uint32_t)max_u64(1, min_u64(max, 1u << 30)),
		.mode = CHUNK_BY_STRUCTURE,
	};
	limits->min_bytes = (uint32_t)min_u64(min, limits->max_bytes / 2);
	limits->join_bytes = limits->min_bytes;
}

void
chunk_cutter_init(struct chunk_cutter *cutter, uint32_t lang,
		  const struct chunk_limits *limits)
{
	cutter->start = 0;
	cutter->level = 0;
	cutter->pad = 0;
	chunk_scan_init(&cutter->scan, lang,
			2 * ((uint64_t)limits->max_bytes + SLACK_BYTES));
}

/* What there is to choose from, and the way there. */
struct choice {
	const struct chunk_scan *scan;
	const struct chunk_limits *limits;
	uint64_t start;
	uint64_t stop; /* the last offset that can be cut at */
	uint32_t level;
};

static bool
is_def(const struct chunk_mark *mark)
{
	return mark->kind == CHUNK_MARK_DEF;
}

/* The mark's place, as a chunk's size; 0 if that is out of bounds. */
static uint64_t
size_at(const struct choice *choice, const struct chunk_mark *mark)
{
	uint64_t size;

	if (mark->off <= choice->start || mark->off > choice->stop)
		return 0;
	size = mark->off - choice->start;
	return size < choice->limits->min_bytes ? 0 : size;
}

/*
 * Where little is left until the definition around ends, its end: a closing
 * brace is no chunk.
 */
static const struct chunk_mark *
with_the_rest(const struct choice *choice, uint32_t i)
{
	const struct chunk_mark *marks = choice->scan->marks;

	for (uint32_t k = i + 1; k < choice->scan->mark_nr; k++) {
		if (marks[k].off - marks[i].off >= choice->limits->min_bytes)
			break;
		if (is_def(&marks[k]) && marks[k].level < marks[i].level &&
		    size_at(choice, &marks[k]) != 0)
			return &marks[k];
	}
	return &marks[i];
}

/*
 * Between neighbours: the first place that leaves the definition around, or
 * that has enough before it; or else the last one there is.
 */
static const struct chunk_mark *
between_siblings(const struct choice *choice)
{
	const struct chunk_mark *last = NULL;

	for (uint32_t i = 0; i < choice->scan->mark_nr; i++) {
		const struct chunk_mark *mark = &choice->scan->marks[i];
		uint64_t size = size_at(choice, mark);

		if (size == 0 || !is_def(mark) || mark->level > choice->level)
			continue;
		if (mark->level < choice->level)
			return mark;
		if (size >= choice->limits->join_bytes)
			return with_the_rest(choice, i);
		last = mark;
	}
	return last;
}

static uint32_t
lowest_level(const struct choice *choice)
{
	uint32_t level = UINT32_MAX;

	for (uint32_t i = 0; i < choice->scan->mark_nr; i++) {
		const struct chunk_mark *mark = &choice->scan->marks[i];

		if (size_at(choice, mark) != 0 && mark->level < level)
			level = mark->level;
	}
	return level;
}

/* Among what a definition too large has in it: its members. */
static const struct chunk_mark *
between_members(const struct choice *choice, uint32_t level)
{
	const struct chunk_mark *last = NULL;

	for (uint32_t i = 0; i < choice->scan->mark_nr; i++) {
		const struct chunk_mark *mark = &choice->scan->marks[i];
		uint64_t size = size_at(choice, mark);

		if (size == 0 || !is_def(mark) || mark->level != level)
			continue;
		if (size >= choice->limits->join_bytes)
			return with_the_rest(choice, i);
		last = mark;
	}
	return last;
}

/* Between statements: the lowest level, then a blank line, then the last. */
static const struct chunk_mark *
between_statements(const struct choice *choice, uint64_t at_least)
{
	const struct chunk_mark *best = NULL;

	for (uint32_t i = 0; i < choice->scan->mark_nr; i++) {
		const struct chunk_mark *mark = &choice->scan->marks[i];

		if (size_at(choice, mark) < at_least ||
		    size_at(choice, mark) == 0)
			continue;
		if (best == NULL || mark->level < best->level ||
		    (mark->level == best->level && mark->kind >= best->kind))
			best = mark;
	}
	return best;
}

static const struct chunk_mark *
choose(const struct choice *choice)
{
	const struct chunk_mark *mark = between_siblings(choice);

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
	struct chunk_scan *scan = &cutter->scan;
	uint32_t keep = 0;

	while (keep < scan->mark_nr && scan->marks[keep].off <= cutter->start)
		keep++;
	scan->mark_nr -= keep;
	memmove(scan->marks, scan->marks + keep,
		scan->mark_nr * sizeof(scan->marks[0]));
	scan->mark_after = cutter->start;
}

static size_t
take(struct chunk_cutter *cutter, uint64_t bytes, uint32_t level)
{
	cutter->start += bytes;
	cutter->level = level;
	forget(cutter);
	return (size_t)bytes;
}

void
chunk_cutter_skip(struct chunk_cutter *cutter, uint64_t bytes)
{
	take(cutter, bytes, cutter->level);
}

/* ------------------------------------------------------------ by lines -- */

/* Behind the last newline of text[from, to); 0 if there is none. */
static size_t
behind_newline(const uint8_t *text, size_t from, size_t to)
{
	const uint8_t *newline =
		to > from ? memrchr(text + from, '\n', to - from) : NULL;

	return newline == NULL ? 0 : (size_t)(newline - text) + 1;
}

static size_t
behind_blank_line(const uint8_t *text, size_t from, size_t to)
{
	while (to > from) {
		size_t end = behind_newline(text, from, to);

		if (end < from + 2)
			return 0;
		if (text[end - 2] == '\n')
			return end;
		to = end - 1;
	}
	return 0;
}

/* Where no mark is: a blank line in the second half, or the last line. */
static size_t
by_blank_lines(const uint8_t *text, size_t bytes, bool at_end,
	       const struct chunk_limits *limits)
{
	size_t max = min_size(limits->max_bytes, bytes);
	size_t end = behind_blank_line(text, max / 2, max);
	const uint8_t *newline;

	if (end == 0)
		end = behind_newline(text, limits->min_bytes, max);
	if (end != 0)
		return end;
	newline = memchr(text + max, '\n', bytes - max);
	if (newline != NULL)
		return (size_t)(newline - text) + 1;
	return at_end ? bytes : 0;
}

static size_t
by_lines(const uint8_t *text, size_t bytes, bool at_end, uint32_t lines)
{
	size_t at = 0;

	for (uint32_t i = 0; i < lines || i == 0; i++) {
		const uint8_t *newline = memchr(text + at, '\n', bytes - at);

		if (newline == NULL)
			return at_end ? bytes : 0;
		at = (size_t)(newline - text) + 1;
	}
	return at;
}

static size_t
by_bytes(const uint8_t *text, size_t bytes, bool at_end, size_t max)
{
	const uint8_t *newline;
	size_t end;

	if (bytes <= max)
		return at_end ? bytes : 0;
	end = behind_newline(text, 0, max);
	if (end != 0)
		return end;
	newline = memchr(text + max, '\n', bytes - max);
	if (newline != NULL)
		return (size_t)(newline - text) + 1;
	return at_end ? bytes : 0;
}

/* --------------------------------------------------------- by structure -- */

static size_t
by_structure(struct chunk_cutter *cutter, const struct chunk_text *text,
	     const struct chunk_limits *limits, const struct chunk_sink *sink)
{
	size_t skip = (size_t)(cutter->start - text->off);
	size_t left = text->nr - skip;
	uint64_t window = (uint64_t)limits->max_bytes + SLACK_BYTES;
	struct choice choice = {
		.scan = &cutter->scan,
		.limits = limits,
		.start = cutter->start,
		.stop = cutter->start +
			min_u64(limits->max_bytes, (uint64_t)left),
		.level = cutter->level,
	};
	const struct chunk_mark *mark;

	if (!text->at_end && left < window + 64)
		return 0;
	/* some way ahead, to begin less often */
	if (cutter->scan.pos < cutter->start + window || text->at_end)
		chunk_scan_feed(&cutter->scan, text, cutter->start + 2 * window,
				sink);
	mark = choose(&choice);
	/* the end of the text is as good a place as any, and a short rest is
	 * not worth a chunk of its own */
	if (text->at_end && left <= limits->max_bytes &&
	    (mark == NULL || mark->level > cutter->level ||
	     cutter->start + left - mark->off < limits->min_bytes))
		return take(cutter, left, 0);
	if (mark != NULL)
		return take(cutter, mark->off - cutter->start, mark->level);
	left = by_blank_lines(text->bytes + skip, left, text->at_end, limits);
	return left == 0 ? 0 : take(cutter, left, cutter->level);
}

size_t
chunk_cutter_next(struct chunk_cutter *cutter, const struct chunk_text *text,
		  const struct chunk_limits *limits,
		  const struct chunk_sink *sink)
{
	size_t skip = (size_t)(cutter->start - text->off);
	const uint8_t *bytes = text->bytes + skip;
	size_t left = text->nr - skip;
	size_t nr;

	ASSERT(cutter->start >= text->off && skip <= text->nr);
	if (left == 0) {
		if (text->at_end)
			chunk_scan_feed(&cutter->scan, text, UINT64_MAX, sink);
		return 0;
	}
	switch (limits->mode) {
	case CHUNK_BY_LINES:
		nr = by_lines(bytes, left, text->at_end, limits->lines);
		break;
	case CHUNK_BY_BYTES:
		nr = by_bytes(bytes, left, text->at_end, limits->max_bytes);
		break;
	default:
		return by_structure(cutter, text, limits, sink);
	}
	return nr == 0 ? 0 : take(cutter, nr, 0);
}
