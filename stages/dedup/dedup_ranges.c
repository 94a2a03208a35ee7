/* SPDX-License-Identifier: MIT */
/*
 * dedup_ranges.c - a sweep over ranges, by their first lines.
 */
#include "stages/dedup/dedup_ranges.h"

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
is_before(const struct dedup_range *a, const struct dedup_range *b)
{
	if (a->first != b->first)
		return a->first < b->first;
	if (a->last != b->last)
		return a->last < b->last;
	return a->id < b->id;
}

static void
swap(struct dedup_range *a, struct dedup_range *b)
{
	struct dedup_range t = *a;

	*a = *b;
	*b = t;
}

static void
sift_down(struct dedup_range *ranges, size_t at, size_t nr)
{
	for (;;) {
		size_t last = at;
		size_t child = 2 * at + 1;

		for (size_t i = child; i < child + 2 && i < nr; i++)
			if (is_before(&ranges[last], &ranges[i]))
				last = i;
		if (last == at)
			return;
		swap(&ranges[at], &ranges[last]);
		at = last;
	}
}

static void
sort(struct dedup_range *ranges, size_t nr)
{
	for (size_t i = nr / 2; i-- > 0;)
		sift_down(ranges, i, nr);
	for (size_t left = nr; left > 1; left--) {
		swap(&ranges[0], &ranges[left - 1]);
		sift_down(ranges, 0, left - 1);
	}
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
join(struct dedup_range *ranges, uint32_t a, uint32_t b, bool merge)
{
	uint32_t stays = a;
	uint32_t goes = b;

	if (merge) {
		stays = a < b ? a : b;
		goes = a < b ? b : a;
		ranges[stays].first = min_u64(ranges[a].first, ranges[b].first);
		ranges[stays].last = max_u64(ranges[a].last, ranges[b].last);
		ranges[stays].rank = max_u64(ranges[a].rank, ranges[b].rank);
	} else if (ranges[b].rank > ranges[a].rank) {
		stays = b;
		goes = a;
	}
	ranges[goes].into = stays;
	return stays;
}

uint32_t
dedup_merge_ranges(struct dedup_range *ranges, uint32_t nr, uint32_t threshold,
		   bool merge)
{
	struct active active = { .nr = 0 };
	uint32_t joined = 0;

	sort(ranges, nr);
	for (uint32_t i = 0; i < nr; i++)
		ranges[i].into = i;
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t idx = i;
		uint32_t other;

		/* what it becomes may overlap with yet another */
		while ((other = find(&active, ranges, idx, threshold)) !=
		       DEDUP_GONE) {
			deactivate(&active, other);
			idx = join(ranges, other, idx, merge);
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
