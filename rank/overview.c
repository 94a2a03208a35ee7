/* SPDX-License-Identifier: MIT */
/*
 * overview.c - shares of an overview.
 */
#include "rank/overview.h"

#include "rank/heat.h"
#include "rank/priority.h"
#include "rank/section.h"

#define ONE 1000000u

#define README_PART 32 /* one in so many of what is available, */
#define README_MOST 5000
#define MANIFEST_PART 56
#define MANIFEST_MOST 4000
#define FRAME_PART 10
#define FILE_PART 10
#define BREADTH_PERCENT 85
#define OUTLINE_PERMILLE 43 /* of the breadth, of the best file */
#define OUTLINE_LEAST 40
#define HEADER_TOKENS 24     /* of a section, more or less */
#define HOT_LEAST (1u << 20) /* what is hot is worth more */
/* Of the size of most chunks: the short end of a file is no better for that. */
#define COLD_ROOT 45

/* In quarters. */
static const uint32_t scales[OVERVIEW_SCALES] = {
	1, 2, 4, 6, 8, 10, 12, 16, 24, 32, 48, 64, 128, 512
};
#define SCALE_ONE 2   /* place of the 4: the hottest file has its share */
#define SCALE_THREE 6 /* of the 12: what is hot says more in full */

uint64_t
overview_frame_tokens(uint64_t available, bool is_manifest)
{
	return is_manifest ? min_u64(available / MANIFEST_PART, MANIFEST_MOST)
			   : min_u64(available / README_PART, README_MOST);
}

uint64_t
overview_frame_all(uint64_t available)
{
	return available / FRAME_PART;
}

uint64_t
overview_breadth_tokens(uint64_t left)
{
	return scale_u64(left, BREADTH_PERCENT, 100);
}

uint64_t
overview_file_tokens(uint64_t available)
{
	return available / FILE_PART;
}

uint64_t
overview_outline_tokens(uint64_t breadth, uint32_t relevance, uint32_t scale)
{
	uint64_t best = scale_u64(breadth, OUTLINE_PERMILLE, 1000);
	uint64_t tokens =
		max_u64(scale_u64(best, relevance, ONE), OUTLINE_LEAST);

	return max_u64(scale_u64(tokens, scales[scale], 4), OUTLINE_LEAST);
}

void
overview_add(struct overview_sums *sums, uint64_t breadth, uint32_t relevance,
	     uint32_t outline_tokens)
{
	for (uint32_t i = 0; i < OVERVIEW_SCALES; i++)
		sums->tokens[i] +=
			HEADER_TOKENS +
			min_u64(outline_tokens,
				overview_outline_tokens(breadth, relevance, i));
}

uint32_t
overview_scale(const struct overview_sums *sums, uint64_t breadth,
	       bool has_history)
{
	uint32_t least = has_history ? SCALE_ONE : 0;
	uint32_t scale = has_history ? SCALE_THREE : OVERVIEW_SCALES - 1;

	while (scale > least && sums->tokens[scale] > breadth)
		scale--;
	return scale;
}

uint32_t
overview_depth(const struct overview_chunk *chunk)
{
	uint64_t root = max_u64(heat_root(chunk->bytes), 1);
	uint64_t cold = (uint64_t)chunk->relevance * (512u - chunk->order);

	if (chunk->heat > 0)
		return HOT_LEAST + (uint32_t)min_u64(chunk->heat * 32 / root,
						     UINT32_MAX / 2);
	return (uint32_t)min_u64(cold / max_u64(root, COLD_ROOT) / 512,
				 HOT_LEAST - 1);
}
