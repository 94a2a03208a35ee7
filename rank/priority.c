/* SPDX-License-Identifier: MIT */
/*
 * priority.c - points, added up.
 */
#include "rank/priority.h"

#include "rank/kind.h"

#define ENTRY 30
#define CONFIG 15
#define MARKERS 10
#define BOOST 20
#define TESTS 15

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
