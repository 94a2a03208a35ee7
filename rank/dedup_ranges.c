/* SPDX-License-Identifier: MIT */
/*
 * dedup_ranges.c - a sweep over ranges, by their first lines.
 */
#include "rank/dedup_ranges.h"

#include "base/heap.h"

static uint64_t
lines_of(const struct dedup_range *range)
{
	if (range->last < range->first)
		return 0;
	/* all lines there can be are as many as one can count */
	return add_sat_u64(range->last - range->first, 1);
}

uint32_t
dedup_overlap(const struct dedup_range *a, const struct dedup_range *b)
{
	uint64_t first = max_u64(a->first, b->first);
	uint64_t last = min_u64(a->last, b->last);
	uint64_t shorter = min_u64(lines_of(a), lines_of(b));
	uint64_t both;

	if (shorter == 0 || last < first)
		return 0;
	both = add_sat_u64(last - first, 1);
	if (shorter > UINT64_MAX / DEDUP_ONE)
		return (uint32_t)min_u64(both / (shorter / DEDUP_ONE),
					 DEDUP_ONE);
	return (uint32_t)(both * DEDUP_ONE / shorter);
}

static bool
is_before(const void *context, const void *left, const void *right)
{
	const struct dedup_range *a = left;
	const struct dedup_range *b = right;

	(void)context;
	if (a->first != b->first)
		return a->first < b->first;
	if (a->last != b->last)
		return a->last < b->last;
	return a->id < b->id;
}

/* Ranges that stand for themselves and may still be reached by another. */
struct active {
	uint32_t idx[DEDUP_REACH];
	uint32_t nr;
};

/* The one that reaches least far gives way to another. */
static void
activate(struct active *active, const struct dedup_range *ranges, uint32_t idx)
{
	uint32_t least = 0;

	if (active->nr < DEDUP_REACH) {
		active->idx[active->nr++] = idx;
		return;
	}
	for (uint32_t i = 1; i < active->nr; i++)
		if (ranges[active->idx[i]].last <
		    ranges[active->idx[least]].last)
			least = i;
	active->idx[least] = idx;
}

/* The one that overlaps most, and enough; of equals the first. */
static uint32_t
find(const struct active *active, const struct dedup_range *ranges,
     uint32_t idx, uint32_t threshold)
{
	uint32_t best = DEDUP_GONE;
	uint32_t most = 0;

	for (uint32_t i = 0; i < active->nr; i++) {
		uint32_t at = active->idx[i];
		uint32_t overlap = dedup_overlap(&ranges[at], &ranges[idx]);

		if (overlap == 0 || overlap < threshold)
			continue;
		if (overlap > most || (overlap == most && at < best)) {
			most = overlap;
			best = at;
		}
	}
	return best;
}

static void
deactivate(struct active *active, uint32_t idx)
{
	for (uint32_t i = 0; i < active->nr; i++) {
		if (active->idx[i] != idx)
			continue;
		active->idx[i] = active->idx[--active->nr];
		return;
	}
}

/* Makes one of two; the index of what stays. */
static uint32_t
join(struct dedup_range *ranges, uint32_t a, uint32_t b)
{
	uint32_t stays = a < b ? a : b;
	uint32_t goes = a < b ? b : a;

	ranges[stays].first = min_u64(ranges[a].first, ranges[b].first);
	ranges[stays].last = max_u64(ranges[a].last, ranges[b].last);
	ranges[stays].rank = max_u64(ranges[a].rank, ranges[b].rank);
	ranges[goes].into = stays;
	return stays;
}

/* ---- by rank ------------------------------------------------------------ */

static bool
is_better(const void *context, const void *left, const void *right)
{
	const struct dedup_range *ranges = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	return ranges[a].rank != ranges[b].rank
		       ? ranges[a].rank > ranges[b].rank
		       : a < b;
}

/* best: the indices, the best rank first. */
static void
sort_by_rank(struct dedup_range *ranges, uint32_t nr)
{
	struct heap heap = { &ranges[0].best, sizeof(ranges[0].best),
			     sizeof(*ranges), is_better, ranges };

	for (uint32_t i = 0; i < nr; i++)
		ranges[i].best = i;
	heap_sort(&heap, nr);
}

static void
keep(struct dedup_range *ranges, uint32_t nr, uint32_t idx)
{
	for (uint64_t i = idx + 1ull; i <= nr; i += i & -i)
		ranges[i - 1].kept++;
}

/* How many before idx are kept. */
static uint32_t
kept_before(const struct dedup_range *ranges, uint32_t idx)
{
	uint32_t sum = 0;

	for (uint32_t i = idx; i > 0; i &= i - 1)
		sum += ranges[i - 1].kept;
	return sum;
}

/* The index of the n-th that is kept, from 0; nr or more: there is none. */
static uint32_t
nth_kept(const struct dedup_range *ranges, uint32_t nr, uint32_t n)
{
	uint64_t step = 1;
	uint64_t at = 0;

	while (step * 2 <= nr)
		step *= 2;
	for (; step > 0; step /= 2)
		if (at + step <= nr && ranges[at + step - 1].kept <= n) {
			at += step;
			n -= ranges[at - 1].kept;
		}
	return (uint32_t)at;
}

/*
 * The one of those that are kept which a range overlaps most, and enough;
 * DEDUP_GONE: none. None of them holds another, or that would overlap by all
 * of it: by their first lines they are in the order of their last ones as
 * well, and what is farther away overlaps by no more than the neighbour.
 */
static uint32_t
find_kept(const struct dedup_range *ranges, uint32_t nr, uint32_t idx,
	  uint32_t threshold)
{
	uint32_t n = kept_before(ranges, idx);
	uint32_t best = DEDUP_GONE;
	uint32_t most = 0;

	for (uint32_t i = n > 0 ? n - 1 : n; i <= n; i++) {
		uint32_t other = nth_kept(ranges, nr, i);
		uint32_t overlap =
			other < nr ? dedup_overlap(&ranges[other], &ranges[idx])
				   : 0;

		if (overlap > most && overlap >= threshold) {
			most = overlap;
			best = other;
		}
	}
	return best;
}

/* How many are gone. */
static uint32_t
keep_better(struct dedup_range *ranges, uint32_t nr, uint32_t threshold)
{
	uint32_t gone = 0;

	sort_by_rank(ranges, nr);
	for (uint32_t i = 0; i < nr; i++)
		ranges[i].kept = 0;
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t idx = ranges[i].best;
		uint32_t other = find_kept(ranges, nr, idx, threshold);

		if (other != DEDUP_GONE) {
			ranges[idx].into = other;
			gone++;
		} else if (lines_of(&ranges[idx]) > 0) {
			keep(ranges, nr, idx);
		}
	}
	return gone;
}

/* ------------------------------------------------------------------------ */

uint32_t
dedup_merge_ranges(struct dedup_range *ranges, uint32_t nr, uint32_t threshold,
		   bool merge)
{
	struct active active = { .nr = 0 };
	uint32_t joined = 0;

	HEAP_SORT(ranges, nr, is_before);
	for (uint32_t i = 0; i < nr; i++)
		ranges[i].into = i;
	if (!merge)
		return keep_better(ranges, nr, threshold);
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t idx = i;
		uint32_t other;

		/* what it becomes may overlap with yet another */
		while ((other = find(&active, ranges, idx, threshold)) !=
		       DEDUP_GONE) {
			deactivate(&active, other);
			idx = join(ranges, other, idx);
			joined++;
		}
		activate(&active, ranges, idx);
	}
	/* through those that went on to another: each is looked at once */
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t end = i;

		while (ranges[end].into != end)
			end = ranges[end].into;
		for (uint32_t at = i; at != end;) {
			uint32_t next = ranges[at].into;

			ranges[at].into = end;
			at = next;
		}
	}
	return joined;
}
