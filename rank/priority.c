/* SPDX-License-Identifier: MIT */
/*
 * priority.c - points, added up.
 */
#include "rank/priority.h"

#include "lang/lang.h"
#include "rank/heat.h"
#include "rank/kind.h"

#define ENTRY 30
#define CONFIG 15
#define MARKERS 10
#define BOOST 20
#define TESTS 15

#define ONE 1000000u
/* Points decide on a thousandth, among what is equal. */
#define POINTS_PART 1000
/* A history whose hottest file has so much decides, but for two thousandths; of
 * a shorter one the weight of files says the rest. */
#define HEAT_ENOUGH HEAT_ONE
#define HEAT_SHARE 998
#define WEIGHT_BYTES 200 /* a smaller file weighs little */
/* Where the relevance of a class begins; that of the last one ends at 1. */
static const uint32_t class_from[RANK_CLASS_NR + 1] = { 0, 10000, 20000, 50000,
							ONE };

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
	    kinds & (RANK_KIND_VENDORED | RANK_KIND_GENERATED |
		     RANK_KIND_ASIDE))
		return RANK_CLASS_ASIDE;
	if (kinds & RANK_KIND_TEST)
		return RANK_CLASS_TEST;
	if ((kinds & (RANK_KIND_DOC | RANK_KIND_CONFIG)) ||
	    lang_get(file->language) == NULL)
		return RANK_CLASS_TEXT;
	return RANK_CLASS_CODE;
}

/* 256 times the logarithm to the base of 2, a line between powers of it. */
static uint32_t
log2_256(uint64_t x)
{
	uint32_t bit = 63 - (uint32_t)__builtin_clzll(x);

	return 256 * bit +
	       (uint32_t)(bit >= 8 ? x >> (bit - 8) : x << (8 - bit)) - 256;
}

uint32_t
rank_weight(uint64_t bytes, uint32_t importers, bool is_entry)
{
	uint64_t root =
		log2_256(1 + min_u64(bytes, UINT32_MAX) / WEIGHT_BYTES) +
		log2_256((1 + (uint64_t)importers) * (is_entry ? 2 : 1));

	return (uint32_t)(root * root * root >> 14);
}

uint32_t
rank_relevance(const struct rank_standing *standing)
{
	uint32_t from = class_from[standing->class];
	uint64_t heat_max = max_u64(standing->heat_max, HEAT_ENOUGH);
	uint64_t known = standing->heat_max * (uint64_t)ONE / heat_max *
			 HEAT_SHARE / 1000;
	uint64_t share = (uint64_t)standing->points * (ONE / RANK_POINTS_MAX) /
			 POINTS_PART;

	share += min_u64(standing->heat, standing->heat_max) * ONE / heat_max *
		 HEAT_SHARE / 1000;
	share += min_u64(standing->weight, standing->weight_max) *
		 (ONE - ONE / POINTS_PART - known) /
		 max_u64(standing->weight_max, 1);
	if (standing->is_boosted)
		share += BOOST * (ONE / RANK_POINTS_MAX);
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
