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
#define FILE_SMALL_PART 6 /* a chunk may be much of a tenth of a small budget */
#define FILE_SMALL_MOST 6000
#define BREADTH_PERCENT 70
#define COLD_BREADTH_PERCENT 85   /* without a history */
#define LESS_PERCENT 88           /* of the breadth, if shares are less */
#define OUTLINE_PERMILLE 60       /* of the breadth, of the best file; */
#define COLD_OUTLINE_PERMILLE 43  /* without a history */
#define OUTLINE_MOST_PERMILLE 130 /* a tenth of all */
#define OUTLINE_LEAST 40
#define HEADER_TOKENS 24     /* of a section, more or less */
#define HOT_LEAST (1u << 20) /* what is hot is worth more */
/* Of the size of most chunks: the short end of a file is no better for that. */
#define COLD_ROOT 45

/* In sixteenths. */
static const uint32_t scales[OVERVIEW_SCALES] = { 2,   4,   6,   8,   10,
						  12,  14,  16,  24,  32,
						  40,  48,  64,  96,  128,
						  192, 256, 512, 2048 };
#define SCALE_ONE 7    /* place of the 16: the best file has its share */
#define SCALE_THREE 11 /* of the 48: what is hot says more in full */

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
overview_breadth_tokens(uint64_t left, bool has_history)
{
	return scale_u64(left,
			 has_history ? BREADTH_PERCENT : COLD_BREADTH_PERCENT,
			 100);
}

uint64_t
overview_breadth_at(uint64_t breadth, uint32_t scale, bool has_history)
{
	return has_history && scale < SCALE_ONE
		       ? scale_u64(breadth, LESS_PERCENT, 100)
		       : breadth;
}

uint64_t
overview_file_tokens(uint64_t available)
{
	return max_u64(available / FILE_PART,
		       min_u64(available / FILE_SMALL_PART, FILE_SMALL_MOST));
}

/* What a file of that relevance may have at the scale of one. */
static uint64_t
one_share(uint64_t breadth, uint32_t relevance, bool has_history)
{
	uint64_t best = scale_u64(
		breadth, has_history ? OUTLINE_PERMILLE : COLD_OUTLINE_PERMILLE,
		1000);

	return max_u64(scale_u64(best, relevance, ONE), OUTLINE_LEAST);
}

/* No more than a file may have, unless all of them have far more room. */
static uint64_t
scaled(uint64_t breadth, uint64_t share, uint32_t scale)
{
	uint64_t most =
		scale > SCALE_THREE
			? UINT64_MAX
			: scale_u64(breadth, OUTLINE_MOST_PERMILLE, 1000);

	return max_u64(min_u64(share * scales[scale] / 16, most),
		       OUTLINE_LEAST);
}

uint64_t
overview_outline_tokens(uint64_t breadth, uint32_t relevance, uint32_t scale,
			bool has_history)
{
	return scaled(breadth, one_share(breadth, relevance, has_history),
		      scale);
}

/* Files of about the same relevance, the best ones last. */
static uint32_t
level_of(uint32_t relevance)
{
	uint32_t bits = 31 - (uint32_t)__builtin_clz(relevance | 1);

	return bits == 0 ? 0 : bits * 2 + (relevance >> (bits - 1) & 1);
}

void
overview_add(struct overview_sums *sums, uint64_t breadth, uint32_t relevance,
	     uint32_t outline_tokens)
{
	uint64_t share = one_share(breadth, relevance, sums->has_history);
	uint64_t worth =
		((uint64_t)relevance << 16) / max_u64(outline_tokens, 1);
	uint32_t level = level_of(relevance);

	sums->relevance[level] += relevance;
	for (uint32_t i = 0; i < OVERVIEW_SCALES; i++) {
		uint64_t tokens =
			min_u64(outline_tokens, scaled(breadth, share, i));

		sums->tokens[i][level] += HEADER_TOKENS + tokens;
		sums->shown[i][level] += tokens * worth >> 16;
	}
}

/* What the files show that there is room for, the best first; *fits: all. */
static uint64_t
worth_of(const struct overview_sums *sums, uint64_t breadth, uint32_t scale,
	 bool *fits)
{
	uint64_t worth = 0;

	for (uint32_t i = OVERVIEW_LEVELS; i-- > 0;) {
		uint64_t tokens = sums->tokens[scale][i];
		uint64_t all = sums->relevance[i] + sums->shown[scale][i];

		*fits = tokens <= breadth;
		if (!*fits)
			return worth + scale_u64(all, breadth, tokens);
		worth += all;
		breadth -= tokens;
	}
	return worth;
}

uint32_t
overview_scale(const struct overview_sums *sums, uint64_t breadth)
{
	uint32_t scale = sums->has_history ? SCALE_THREE : OVERVIEW_SCALES - 1;
	uint32_t best = 0;
	uint64_t most = 0;
	bool fits = false;

	for (;; scale--) {
		uint64_t worth = worth_of(sums, breadth, scale, &fits);

		if (fits && scale >= SCALE_ONE)
			return scale;
		if (scale <= SCALE_ONE && worth > most) {
			most = worth;
			best = scale;
		}
		if (fits || scale == 0)
			return best;
	}
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
