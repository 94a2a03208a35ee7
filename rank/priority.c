/* SPDX-License-Identifier: MIT */
/*
 * priority.c - points, added up.
 */
#include "rank/priority.h"

#include "lang/lang.h"
#include "rank/kind.h"

#define ENTRY 30
#define CONFIG 15
#define MARKERS 10
#define BOOST 20
#define TESTS 15

#define ONE 1000000u
/* With a history the points decide on a hundredth, among what is equal. */
#define POINTS_PART 100
/* Where the relevance of a class begins; that of the last one ends at 1. */
static const uint32_t class_from[RANK_CLASS_NR + 1] = { 0, 20000, 50000, ONE };

static uint8_t
points(uint32_t nr, uint32_t each, uint32_t most)
{
	return (uint8_t)min_u64((uint64_t)nr * each, most);
}

void
rank_priority(const struct rank_traits *traits, struct rank_points *out)
{
	uint32_t sum;

	*out = (struct rank_points){
		.entry = traits->kinds & RANK_KIND_ENTRY ? ENTRY : 0,
		.importers = points(traits->importers, 3, 30),
		.exports = points(traits->exports, 2, 20),
		.commits = points(traits->commits, 1, 10),
		.markers = traits->markers > 0 ? MARKERS : 0,
		.config = traits->kinds & RANK_KIND_CONFIG ? CONFIG : 0,
		.boost = traits->is_boosted ? BOOST : 0,
		.tests = traits->kinds & RANK_KIND_TEST ? TESTS : 0,
	};
	sum = (uint32_t)out->entry + out->importers + out->exports +
	      out->commits + out->markers + out->config + out->boost;
	sum = sum < out->tests ? 0 : sum - out->tests;
	out->sum = (uint8_t)min_u64(sum, RANK_POINTS_MAX);
}

enum rank_class
rank_class_of_file(const struct file_record *file, uint32_t kinds)
{
	const uint8_t others =
		MARK_LOCK | MARK_VENDORED | MARK_GENERATED | MARK_MINIFIED;

	if ((file->flags & others) ||
	    kinds & (RANK_KIND_TEST | RANK_KIND_VENDORED | RANK_KIND_GENERATED |
		     RANK_KIND_ASIDE))
		return RANK_CLASS_ASIDE;
	if ((kinds & (RANK_KIND_DOC | RANK_KIND_CONFIG)) ||
	    lang_get(file->language) == NULL)
		return RANK_CLASS_TEXT;
	return RANK_CLASS_CODE;
}

uint32_t
rank_relevance(const struct rank_standing *standing)
{
	uint32_t from = class_from[standing->class];
	uint64_t share = (uint64_t)standing->points * (ONE / RANK_POINTS_MAX);

	if (standing->heat_max > 0) {
		share = share / POINTS_PART +
			min_u64(standing->heat, standing->heat_max) *
				(ONE - ONE / POINTS_PART) / standing->heat_max;
		if (standing->is_boosted)
			share += BOOST * (ONE / RANK_POINTS_MAX);
	}
	return from +
	       (uint32_t)(min_u64(share, ONE) *
			  (class_from[standing->class + 1] - from - 1) / ONE);
}

uint32_t
rank_relevance_share(uint32_t relevance)
{
	uint32_t class = RANK_CLASS_NR - 1;

	while (relevance < class_from[class])
		class --;
	return (uint32_t)((uint64_t)(relevance - class_from[class]) * ONE /
			  (class_from[class + 1] - class_from[class]));
}
