/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_ranges.c - ranges that overlap: the documents' examples, and
 * random ones against comparing each with each.
 */
#include "tests/support/test_growth.h"
#include "tests/support/test_shm.h"

#include "rank/dedup_ranges.h"

#define NR 160000

static struct dedup_range got[NR];
static struct dedup_range want[NR];

static struct dedup_range
range(uint64_t first, uint64_t last, uint64_t rank)
{
	return (struct dedup_range){ .first = first,
				     .last = last,
				     .rank = rank };
}

/*
 * The documents' ranges 1-50 and 40-80: 11 lines, of 41 in the shorter. (One
 * of their examples divides by 40; the rule, and another one, by 41.)
 */
/* verifies: FR-016-96, FR-016-97, FR-016c-25, FR-016c-26, FR-016c-28 */
/* verifies: AC-016c-029, AC-016c-030, AC-016c-031, FR-016c-46, NFR-016-32 */
static void
test_overlap_is_that_of_the_documents(void **state)
{
	static const struct {
		uint64_t a_first, a_last, b_first, b_last;
		uint32_t want;
	} cases[] = {
		{ 1, 50, 40, 80, 11 * 1000000 / 41 },
		{ 1, 75, 50, 120, 26 * 1000000 / 71 },
		{ 10, 80, 60, 100, 21 * 1000000 / 41 },
		{ 1, 50, 10, 60, 41 * 1000000 / 50 },
		{ 1, 50, 51, 80, 0 },
		{ 1, 50, 50, 80, 1000000 / 31 },
		{ 5, 5, 5, 5, 1000000 },
		{ 1, 100, 40, 50, 1000000 },
		{ 9, 8, 1, 100, 0 }, /* no lines: no division by nothing */
		{ 1, UINT64_MAX, 1, UINT64_MAX, 1000000 },
		{ 0, UINT64_MAX, 7, 7, 1000000 },
		/* as many as can be multiplied: a hundred are not shared */
		{ 1, UINT64_MAX / DEDUP_ONE, 101, UINT64_MAX / DEDUP_ONE + 100,
		  999999 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct dedup_range a =
			range(cases[i].a_first, cases[i].a_last, 0);
		struct dedup_range b =
			range(cases[i].b_first, cases[i].b_last, 0);

		ASSERT_EQ(dedup_overlap(&a, &b), cases[i].want);
		ASSERT_EQ(dedup_overlap(&b, &a), cases[i].want);
	}
}

/* verifies: FR-016-99, FR-016-100, FR-016-101, FR-016c-27, AC-016c-033 */
/* verifies: AC-016c-035 */
static void
test_merge_of_the_documents(void **state)
{
	struct dedup_range pair[2] = { range(1, 50, 100), range(40, 80, 85) };

	ASSERT_EQ(dedup_merge_ranges(pair, 2, 800000, true), 0);
	ASSERT_EQ(dedup_merge_ranges(pair, 2, 250000, true), 1);
	ASSERT_EQ(pair[0].first, 1);
	ASSERT_EQ(pair[0].last, 80);
	ASSERT_EQ(pair[0].rank, 100);
	ASSERT_EQ(pair[0].into, 0);
	ASSERT_EQ(pair[1].into, 0);
}

/* verifies: FR-016c-27, FR-016-98 */
static void
test_without_merging_the_better_one_stays(void **state)
{
	struct dedup_range pair[2] = { range(1, 50, 85), range(10, 60, 100) };

	ASSERT_EQ(dedup_merge_ranges(pair, 2, 800000, false), 1);
	ASSERT_EQ(pair[0].into, 1);
	ASSERT_EQ(pair[1].into, 1);
	ASSERT_EQ(pair[1].first, 10);
	ASSERT_EQ(pair[1].last, 60);
	ASSERT_EQ(pair[1].rank, 100);
}

static int
compare(const void *left, const void *right)
{
	const struct dedup_range *a = left;
	const struct dedup_range *b = right;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->last != b->last)
		return a->last < b->last ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Each with each that stands for itself, as long as there is a pair. */
static uint32_t
merge_slowly(struct dedup_range *ranges, uint32_t nr, uint32_t threshold)
{
	uint32_t joined = 0;

	qsort(ranges, nr, sizeof(*ranges), compare);
	for (uint32_t i = 0; i < nr; i++)
		ranges[i].into = i;
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t at = i;

		for (;;) {
			uint32_t other = UINT32_MAX;
			uint32_t most = 0;
			uint32_t stays;

			for (uint32_t k = 0; k < i; k++) {
				uint32_t overlap =
					dedup_overlap(&ranges[k], &ranges[at]);

				if (k == at || ranges[k].into != k ||
				    overlap < threshold || overlap <= most)
					continue;
				most = overlap;
				other = k;
			}
			if (other == UINT32_MAX)
				break;
			stays = other < at ? other : at;
			ranges[stays].first =
				min_u64(ranges[at].first, ranges[other].first);
			ranges[stays].last =
				max_u64(ranges[at].last, ranges[other].last);
			ranges[stays].rank =
				max_u64(ranges[at].rank, ranges[other].rank);
			ranges[stays == at ? other : at].into = stays;
			at = stays;
			joined++;
		}
	}
	for (uint32_t i = 0; i < nr; i++)
		while (ranges[ranges[i].into].into != ranges[i].into)
			ranges[i].into = ranges[ranges[i].into].into;
	return joined;
}

/* The best that is left, again and again, if no kept one overlaps it. */
static uint32_t
keep_slowly(struct dedup_range *ranges, uint32_t nr, uint32_t threshold)
{
	static bool seen[NR];
	static bool kept[NR];
	uint32_t gone = 0;

	qsort(ranges, nr, sizeof(*ranges), compare);
	memset(seen, 0, nr);
	memset(kept, 0, nr);
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t best = UINT32_MAX;
		uint32_t into;
		uint32_t most = 0;

		for (uint32_t k = 0; k < nr; k++)
			if (!seen[k] && (best == UINT32_MAX ||
					 ranges[k].rank > ranges[best].rank))
				best = k;
		seen[best] = true;
		into = best;
		for (uint32_t k = 0; k < nr; k++) {
			uint32_t overlap =
				dedup_overlap(&ranges[k], &ranges[best]);

			if (kept[k] && overlap >= threshold && overlap > most) {
				most = overlap;
				into = k;
			}
		}
		ranges[best].into = into;
		kept[best] = into == best;
		gone += into != best;
	}
	return gone;
}

/* What goes is there in what stays, and not in what went, too. */
/* verifies: FR-016c-27, FR-016-98 */
static void
test_without_merging_nothing_goes_for_what_is_gone(void **state)
{
	/* a and b, b and c overlap by 80 %, a and c by 60 % */
	struct dedup_range chain[3] = { range(1, 10, 1), range(3, 12, 2),
					range(5, 14, 3) };

	ASSERT_EQ(dedup_merge_ranges(chain, 3, 800000, false), 1);
	ASSERT_EQ(chain[0].into, 0);
	ASSERT_EQ(chain[1].into, 2);
	ASSERT_EQ(chain[2].into, 2);
}

/* verifies: FR-016-102, NFR-016c-07 */
static void
test_merging_is_as_comparing_each_with_each(void **state)
{
	uint64_t seed = 0x5a3e5;

	for (int round = 0; round < 3000; round++) {
		uint32_t nr = (uint32_t)(random_next(&seed) % 60);
		uint64_t span = 1 + random_next(&seed) % 300;
		uint64_t longest = 1 + random_next(&seed) % 60;
		uint32_t threshold =
			(uint32_t)(random_next(&seed) % (DEDUP_ONE + 1));
		bool merge = random_next(&seed) % 2;

		for (uint32_t i = 0; i < nr; i++) {
			got[i].first = 1 + random_next(&seed) % span;
			got[i].last =
				got[i].first + random_next(&seed) % longest;
			got[i].rank = random_next(&seed) % 10;
			got[i].id = i;
		}
		memcpy(want, got, nr * sizeof(*got));
		ASSERT_EQ(dedup_merge_ranges(got, nr, threshold, merge),
			  merge ? merge_slowly(want, nr, threshold)
				: keep_slowly(want, nr, threshold));
		for (uint32_t i = 0; i < nr; i++) {
			ASSERT_EQ(got[i].id, want[i].id);
			if (got[i].into != i && !merge) {
				/* of two that it is in as much, either */
				ASSERT_EQ(want[got[i].into].into, got[i].into);
				ASSERT_EQ(dedup_overlap(&got[i],
							&got[got[i].into]),
					  dedup_overlap(&want[i],
							&want[want[i].into]));
				continue;
			}
			ASSERT_EQ(got[i].into, want[i].into);
			if (got[i].into != i)
				continue;
			ASSERT_EQ(got[i].first, want[i].first);
			ASSERT_EQ(got[i].last, want[i].last);
			ASSERT_EQ(got[i].rank, want[i].rank);
		}
	}
}

/* Ranges of a thousand lines, so that a thousand begin in each. */
struct staircase {
	uint64_t span; /* lines for all of them; 0: as many as there are */
	bool merge;
};

static double
seconds_for(const void *work, size_t nr)
{
	const struct staircase *staircase = work;
	uint64_t span = staircase->span > 0 ? staircase->span : nr;
	uint64_t seed = 0x9407;
	double begun;

	for (uint32_t i = 0; i < nr; i++) {
		got[i].first = 1 + random_next(&seed) % span;
		got[i].last = got[i].first + 1000;
		got[i].rank = random_next(&seed) % 1000;
		got[i].id = i;
	}
	begun = processor_seconds();
	dedup_merge_ranges(got, (uint32_t)nr, DEDUP_ONE, staircase->merge);
	return processor_seconds() - begun;
}

/* Sixteen times as many, which still fit the cache: a square would take 256 times
 * as long, sorting 20 to 50 times. */
/* verifies: FR-016-105, FR-016c-54, NFR-016-13 */
static void
test_time_grows_like_that_of_sorting(void **state)
{
	static const struct staircase cases[] = {
		{ 1ull << 40, true }, /* hardly any overlap */
		{ 0, true },          /* all overlap, none enough */
		{ 0, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		ASSERT_TRUE(growth_is_within(
			&(struct growth){ .seconds = seconds_for,
					  .work = &cases[i],
					  .small = NR / 64,
					  .large = NR / 4,
					  .times = 100 }));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overlap_is_that_of_the_documents),
		cmocka_unit_test(test_merge_of_the_documents),
		cmocka_unit_test(test_without_merging_the_better_one_stays),
		cmocka_unit_test(
			test_without_merging_nothing_goes_for_what_is_gone),
		cmocka_unit_test(test_merging_is_as_comparing_each_with_each),
		cmocka_unit_test(test_time_grows_like_that_of_sorting),
	};

	return cmocka_run_group_tests_name("dedup/ranges", tests, NULL, NULL);
}
