/* SPDX-License-Identifier: MIT */
/*
 * dedup_join.c - the text of ranges that went together, and its parts.
 */
#include "cli/dedup_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the first lines of a text; *lines: how many there are, if fewer. */
static size_t
bytes_of_lines(const char *text, size_t bytes, uint64_t *lines)
{
	uint64_t left = *lines;
	size_t at = 0;

	while (left > 0 && at < bytes) {
		const char *end = memchr(text + at, '\n', bytes - at);

		at = end == NULL ? bytes : (size_t)(end + 1 - text);
		left--;
	}
	*lines -= left;
	return at;
}

/* Whether it has as many lines as it says. */
static bool
has_its_lines(const struct dedup_chunk *chunk)
{
	uint64_t want = chunk->last - chunk->first + 1;
	uint64_t lines = want;

	return chunk->content != NULL &&
	       bytes_of_lines(chunk->content, chunk->content_bytes, &lines) ==
		       chunk->content_bytes &&
	       lines == want;
}

static void
drop(struct dedup_chunk *to, uint64_t *last)
{
	free(to->joined);
	to->joined = NULL;
	to->joined_bytes = 0;
	*last = UINT64_MAX; /* nothing is added to it any more */
}

int
dedup_join(struct dedup_chunk *to, const struct dedup_chunk *it, uint64_t *last)
{
	uint64_t there;
	size_t from;
	size_t more;
	char *joined;

	if (*last == UINT64_MAX)
		return 0;
	if (!has_its_lines(it)) {
		drop(to, last);
		return 0;
	}
	if (it->last <= *last)
		return 0;
	there = *last < it->first ? 0 : *last - it->first + 1;
	from = bytes_of_lines(it->content, it->content_bytes, &there);
	more = it->content_bytes - from;
	joined = realloc(to->joined, to->joined_bytes + more + 1);
	if (joined == NULL)
		return -ENOMEM;
	to->joined = joined;
	/* the last line of what is there may have come without its end */
	if (to->joined_bytes > 0 && joined[to->joined_bytes - 1] != '\n')
		joined[to->joined_bytes++] = '\n';
	memcpy(joined + to->joined_bytes, it->content + from, more);
	to->joined_bytes += more;
	*last = it->last;
	return 0;
}

/* The first `lines` lines, as a part. */
static struct dedup_part
part_of(const char *text, size_t bytes, uint64_t lines, dedup_count_fn *count,
	const void *context)
{
	struct dedup_part part = { .lines = lines };

	part.bytes = bytes_of_lines(text, bytes, &part.lines);
	part.tokens = count(context, text, part.bytes);
	return part;
}

struct dedup_part
dedup_next_part(const char *text, size_t bytes, uint64_t max,
		dedup_count_fn *count, const void *context)
{
	struct dedup_part best = part_of(text, bytes, 1, count, context);
	uint64_t over = UINT64_MAX; /* so many lines are too many */

	while (best.bytes < bytes && best.lines + 1 < over) {
		uint64_t lines = over == UINT64_MAX
					 ? best.lines * 2
					 : best.lines + (over - best.lines) / 2;
		struct dedup_part part =
			part_of(text, bytes, lines, count, context);

		if (part.tokens > max)
			over = part.lines;
		else
			best = part;
	}
	return best;
}
