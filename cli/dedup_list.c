/* SPDX-License-Identifier: MIT */
/*
 * dedup_list.c - three sorts and a sweep.
 */
#include "cli/dedup_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rank/dedup_ranges.h"
#include "stages/count/count_normal.h"
#include "stages/stage.h"
#include "sources/source.h"

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

/* A text of so many bytes more, with room for the end of a line. */
static int
widen(struct dedup_chunk *to, size_t more)
{
	char *joined = realloc(to->joined, to->joined_bytes + more + 1);

	if (joined == NULL)
		return -ENOMEM;
	to->joined = joined;
	return 0;
}

/* The lines of `to` in place of those that are joined so far, up to `last`: where
 * texts say different things, the best one is right. */
static int
put_own(struct dedup_chunk *to, uint64_t last)
{
	uint64_t before = to->first - to->merged_first;
	uint64_t lines = min_u64(to->last, last) - to->first + 1;
	size_t own = bytes_of_lines(to->content, to->content_bytes, &lines);
	size_t at;
	size_t over;
	bool ends;

	if (widen(to, own + 1) != 0)
		return -ENOMEM;
	at = bytes_of_lines(to->joined, to->joined_bytes, &before);
	over = at +
	       bytes_of_lines(to->joined + at, to->joined_bytes - at, &lines);
	ends = over < to->joined_bytes && to->content[own - 1] != '\n';
	memmove(to->joined + at + own + ends, to->joined + over,
		to->joined_bytes - over);
	memcpy(to->joined + at, to->content, own);
	if (ends)
		to->joined[at + own] = '\n';
	to->joined_bytes += at + own + ends - over;
	return 0;
}

/*
 * shape:  adds to the text of `to` the lines of `it` that it lacks; `last`:
 *         the last line that it has, 0 if it has none yet
 * owner:  to->joined, free(); NULL afterwards if `it` has no text
 *         of its lines
 * errors: -ENOMEM
 * calls:  for each of a merged range, by their first lines
 */
static int
dedup_join(struct dedup_chunk *to, const struct dedup_chunk *it, uint64_t *last)
{
	uint64_t there;
	size_t from;
	size_t more;

	if (*last == UINT64_MAX)
		return 0;
	if (!has_its_lines(it)) {
		free(to->joined);
		to->joined = NULL;
		to->joined_bytes = 0;
		*last = UINT64_MAX; /* nothing is added to it any more */
		return 0;
	}
	if (it == to && it->first <= *last && put_own(to, *last) != 0)
		return -ENOMEM;
	if (it->last <= *last)
		return 0;
	there = *last < it->first ? 0 : *last - it->first + 1;
	from = bytes_of_lines(it->content, it->content_bytes, &there);
	more = it->content_bytes - from;
	if (widen(to, more) != 0)
		return -ENOMEM;
	/* the last line of what is there may have come without its end */
	if (to->joined_bytes > 0 && to->joined[to->joined_bytes - 1] != '\n')
		to->joined[to->joined_bytes++] = '\n';
	memcpy(to->joined + to->joined_bytes, it->content + from, more);
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

/* Of equal ranks the source decides, in the order of the categories. */
static uint8_t
turn_of(const char *source)
{
	uint8_t i = 0;

	while (i < CATEGORY_NR && strcmp(source, category_name(i)) != 0 &&
	       strcmp(source, category_type(i)) != 0)
		i++;
	return i;
}

static int
by_source(const char *a, const char *b)
{
	uint8_t first = turn_of(a);
	uint8_t second = turn_of(b);

	return first != second ? first - second : strcmp(a, b);
}

static int
by_rank(const void *left, const void *right)
{
	const struct dedup_chunk *a = left;
	const struct dedup_chunk *b = right;
	int order;

	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	order = by_source(a->source, b->source);
	if (order == 0)
		order = strcmp(a->path, b->path);
	if (order == 0 && a->first != b->first)
		order = a->first < b->first ? -1 : 1;
	if (order == 0 && a->last != b->last)
		order = a->last < b->last ? -1 : 1;
	return order != 0 ? order : a->place < b->place ? -1 : 1;
}

/* Without content two chunks are the same if they are the same lines. */
static void
take_digest(struct dedup_chunk *chunk, unsigned normalize)
{
	struct sha256 sha;

	if (chunk->content != NULL) {
		count_normal_sha256((enum normalize)normalize,
				    (const uint8_t *)chunk->content,
				    chunk->content_bytes, chunk->digest);
		return;
	}
	sha256_init(&sha);
	sha256_add(&sha, (const uint8_t *)chunk->path, strlen(chunk->path) + 1);
	sha256_add(&sha, (const uint8_t *)&chunk->first, sizeof(chunk->first));
	sha256_add(&sha, (const uint8_t *)&chunk->last, sizeof(chunk->last));
	sha256_end(&sha, chunk->digest);
}

static int
by_digest(const void *left, const void *right)
{
	const struct dedup_chunk *a = *(struct dedup_chunk *const *)left;
	const struct dedup_chunk *b = *(struct dedup_chunk *const *)right;
	int order = memcmp(a->digest, b->digest, SHA256_BYTES);

	if (order == 0)
		order = (a->content != NULL) - (b->content != NULL);
	return order != 0 ? order : a < b ? -1 : a > b;
}

static int
by_path(const void *left, const void *right)
{
	const struct dedup_chunk *a = *(struct dedup_chunk *const *)left;
	const struct dedup_chunk *b = *(struct dedup_chunk *const *)right;
	int order = strcmp(a->path, b->path);

	return order != 0 ? order : a < b ? -1 : a > b;
}

static void
find_exact(struct dedup_chunk *chunks, struct dedup_chunk **order, uint32_t nr)
{
	qsort(order, nr, sizeof(*order), by_digest);
	for (uint32_t i = 1, first = 0; i < nr; i++) {
		if (memcmp(order[first]->digest, order[i]->digest,
			   SHA256_BYTES) != 0 ||
		    (order[first]->content == NULL) !=
			    (order[i]->content == NULL)) {
			first = i;
			continue;
		}
		order[i]->fate = DEDUP_EXACT;
		order[i]->other = (uint32_t)(order[first] - chunks);
	}
}

/*
 * Tokens of what goes together, by its first lines: of each the lines that
 * none before it has.
 */
static void
add_tokens(struct dedup_chunk *to, const struct dedup_chunk *from)
{
	uint64_t lines = from->last - from->first + 1;
	uint64_t first = max_u64(from->first, to->merged_until + 1);
	uint64_t more = first <= from->last ? from->last - first + 1 : 0;

	if (to->merged_tokens == DEDUP_TOKENS_NONE ||
	    from->tokens == DEDUP_TOKENS_NONE)
		to->merged_tokens = DEDUP_TOKENS_NONE;
	else
		to->merged_tokens = add_sat_u64(to->merged_tokens,
						from->tokens / lines * more +
							from->tokens % lines *
								more / lines);
	to->merged_until = max_u64(to->merged_until, from->last);
}

/* Texts of what went together; they come by their first lines. */
static int
join_file(struct dedup_chunk *chunks, struct dedup_chunk **order,
	  struct dedup_range *ranges, uint32_t nr)
{
	int error = 0;

	for (uint32_t i = 0; i < nr && error == 0; i++) {
		struct dedup_range *into = &ranges[ranges[i].into];
		struct dedup_chunk *best = &chunks[UINT32_MAX - into->rank];

		/* it stands before all that went into it: from now on the
		 * last line that is joined */
		if (into == &ranges[i])
			into->last = 0;
		if (best->merged_nr > 0)
			error = dedup_join(best, order[ranges[i].id],
					   &into->last);
	}
	return error;
}

/* The ranges of one file: nr pointers, of chunks that are kept so far. */
static int
merge_file(struct dedup_chunk *chunks, struct dedup_chunk **order, uint32_t nr,
	   const struct dedup_settings *settings)
{
	struct dedup_range *ranges = calloc(nr, sizeof(*ranges));
	int error;

	if (ranges == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr; i++)
		ranges[i] = (struct dedup_range){
			.first = order[i]->first,
			.last = order[i]->last,
			.rank = UINT32_MAX - (uint64_t)(order[i] - chunks),
			.id = i,
		};
	dedup_merge_ranges(ranges, nr, settings->threshold, settings->merge);
	for (uint32_t i = 0; i < nr; i++) {
		const struct dedup_range *into = &ranges[ranges[i].into];
		struct dedup_chunk *it = order[ranges[i].id];
		/* the best of those that went together is what stays */
		struct dedup_chunk *best =
			&chunks[settings->merge
					? UINT32_MAX - into->rank
					: (uint64_t)(order[into->id] - chunks)];

		if (it->tokens != DEDUP_TOKENS_NONE)
			best->before_tokens =
				add_sat_u64(best->before_tokens, it->tokens);
		if (settings->merge) {
			/* the first of them: nothing is in it yet */
			if (into == &ranges[i])
				best->merged_tokens = 0;
			add_tokens(best, it);
		}
		if (it == best)
			continue;
		it->fate = DEDUP_MERGED;
		it->other = (uint32_t)(best - chunks);
		if (!settings->merge)
			continue;
		best->merged_first = min_u64(best->merged_first, it->first);
		best->merged_last = max_u64(best->merged_last, it->last);
		best->merged_nr++;
	}
	error = settings->merge ? join_file(chunks, order, ranges, nr) : 0;
	free(ranges);
	return error;
}

static int
merge_all(struct dedup_chunk *chunks, struct dedup_chunk **order, uint32_t nr,
	  const struct dedup_settings *settings)
{
	uint32_t kept = 0;
	int error = 0;

	for (uint32_t i = 0; i < nr; i++)
		if (chunks[i].fate == DEDUP_KEPT)
			order[kept++] = &chunks[i];
	qsort(order, kept, sizeof(*order), by_path);
	for (uint32_t i = 0, end; i < kept && error == 0; i = end) {
		for (end = i + 1; end < kept; end++)
			if (strcmp(order[i]->path, order[end]->path) != 0)
				break;
		error = merge_file(chunks, order + i, end - i, settings);
	}
	return error;
}

int
dedup_list_run(struct dedup_chunk *chunks, uint32_t nr,
	       const struct dedup_settings *settings)
{
	struct dedup_chunk **order =
		calloc(nr + 1ull, sizeof(struct dedup_chunk *));
	int error;

	if (order == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr; i++)
		chunks[i].place = i;
	if (nr > 0) /* of none, there is not an array */
		qsort(chunks, nr, sizeof(*chunks), by_rank);
	for (uint32_t i = 0; i < nr; i++) {
		struct dedup_chunk *chunk = &chunks[i];

		take_digest(chunk, settings->normalize);
		chunk->other = i;
		chunk->merged_first = chunk->first;
		chunk->merged_last = chunk->last;
		chunk->merged_tokens = chunk->tokens;
		order[i] = chunk;
	}
	find_exact(chunks, order, nr);
	error = merge_all(chunks, order, nr, settings);
	free(order);
	return error;
}
