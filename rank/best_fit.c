/* SPDX-License-Identifier: MIT */
/*
 * best_fit.c - subset sums of chunks, with headers that are paid once.
 *
 * How a section stands after an item: nothing of it is chosen; something is,
 * but not that item; it is. For each of the three, a bit for each sum that comes
 * to it. All of them are kept for each item: the set is found by going back from
 * the greatest sum, past one item after the other.
 */
#include "rank/best_fit.h"

#include <assert.h>
#include <string.h>

#define WORD_BITS 64

enum stand { STAND_CLOSED = 0, STAND_APART, STAND_BESIDE, STAND_NR };

static_assert(STAND_NR * (RANK_BEST_FIT_ROOM / WORD_BITS + 1) *
			      (RANK_BEST_FIT_MAX + 1) ==
		      RANK_BEST_FIT_WORDS,
	      "each stand has its sums");

/* Sums before each item, and after the last. */
struct sums {
	uint64_t *words;
	uint32_t room;
	uint32_t nr; /* words of one stand */
};

static uint32_t
words_of(uint32_t tokens)
{
	return tokens / WORD_BITS + 1;
}

static uint64_t *
bits_of(const struct sums *sums, uint32_t item, enum stand stand)
{
	return sums->words + ((size_t)item * STAND_NR + stand) * sums->nr;
}

static bool
has(const struct sums *sums, uint32_t item, enum stand stand, uint32_t sum)
{
	return bits_of(sums, item, stand)[sum / WORD_BITS] >> sum % WORD_BITS &
	       1;
}

/* Puts in each sum of another and so much more, if there is room for it. */
static void
add_moved(const struct sums *sums, uint64_t *to, const uint64_t *from,
	  uint32_t by)
{
	uint32_t skip = by / WORD_BITS;
	uint32_t shift = by % WORD_BITS;

	if (by > sums->room)
		return;
	for (uint32_t w = skip; w < sums->nr; w++) {
		uint64_t bits = from[w - skip] << shift;

		if (shift != 0 && w > skip)
			bits |= from[w - skip - 1] >> (WORD_BITS - shift);
		to[w] |= bits;
	}
	to[sums->nr - 1] &=
		UINT64_MAX >> (WORD_BITS - 1 - sums->room % WORD_BITS);
}

static bool
begins_section(const struct rank_item *items, uint32_t at)
{
	return at == 0 || items[at].section != items[at - 1].section;
}

/* However the section before stands: nothing of the next one is chosen. */
static void
add_all_stands(const struct sums *sums, uint32_t at, uint64_t *to)
{
	const uint64_t *closed = bits_of(sums, at, STAND_CLOSED);
	const uint64_t *apart = bits_of(sums, at, STAND_APART);
	const uint64_t *beside = bits_of(sums, at, STAND_BESIDE);

	for (uint32_t w = 0; w < sums->nr; w++)
		to[w] = closed[w] | apart[w] | beside[w];
}

/* Sums after an item, out of those before it; it is chosen, or it is not. */
static void
add_item(const struct sums *sums, const struct rank_item *items, uint32_t at)
{
	const uint64_t *apart = bits_of(sums, at, STAND_APART);
	const uint64_t *beside = bits_of(sums, at, STAND_BESIDE);
	uint64_t *none = bits_of(sums, at + 1, STAND_CLOSED);
	uint64_t *skipped = bits_of(sums, at + 1, STAND_APART);
	uint64_t *taken = bits_of(sums, at + 1, STAND_BESIDE);

	memset(skipped, 0, sums->nr * sizeof(*skipped));
	memset(taken, 0, sums->nr * sizeof(*taken));
	if (begins_section(items, at)) {
		add_all_stands(sums, at, none);
		add_moved(sums, taken, none, items[at].first);
		return;
	}
	memcpy(none, bits_of(sums, at, STAND_CLOSED), sums->nr * sizeof(*none));
	for (uint32_t w = 0; w < sums->nr; w++)
		skipped[w] = apart[w] | beside[w];
	add_moved(sums, taken, none, items[at].first);
	add_moved(sums, taken, apart, items[at].apart);
	add_moved(sums, taken, beside, items[at].beside);
}

/* The greatest sum after so many items. */
static uint32_t
most_of(const struct sums *sums, uint32_t at)
{
	const uint64_t *closed = bits_of(sums, at, STAND_CLOSED);
	const uint64_t *apart = bits_of(sums, at, STAND_APART);
	const uint64_t *beside = bits_of(sums, at, STAND_BESIDE);

	for (uint32_t w = sums->nr; w-- > 0;) {
		uint64_t bits = closed[w] | apart[w] | beside[w];

		if (bits != 0)
			return w * WORD_BITS + WORD_BITS - 1 -
			       (uint32_t)__builtin_clzll(bits);
	}
	return 0;
}

/* How the section stands after so many items, at that sum. */
static enum stand
stand_at(const struct sums *sums, uint32_t at, uint32_t sum)
{
	enum stand stand = STAND_CLOSED;

	while (!has(sums, at, stand, sum))
		stand++;
	return stand;
}

/* What an item costs where the section stands so. */
static uint32_t
cost_at(const struct rank_item *item, enum stand stand)
{
	return stand == STAND_CLOSED  ? item->first
	       : stand == STAND_APART ? item->apart
				      : item->beside;
}

/*
 * How the section stood before an item after which it stands so, at that sum;
 * *cost: what the item is chosen for, or 0.
 */
static enum stand
stand_before(const struct sums *sums, uint32_t at, const struct rank_item *item,
	     enum stand after, uint32_t sum, uint32_t *cost)
{
	enum stand stand = STAND_CLOSED;

	*cost = 0;
	if (after == STAND_CLOSED)
		return STAND_CLOSED;
	if (after == STAND_APART)
		return has(sums, at, STAND_APART, sum) ? STAND_APART
						       : STAND_BESIDE;
	while (cost_at(item, stand) > sum ||
	       !has(sums, at, stand, sum - cost_at(item, stand)))
		stand++;
	*cost = cost_at(item, stand);
	return stand;
}

/* From the last of so many items back to the first. */
static void
find_chosen(const struct sums *sums, const struct rank_item *items, uint32_t nr,
	    uint32_t sum, uint32_t *chosen)
{
	enum stand stand = stand_at(sums, nr, sum);

	for (uint32_t i = nr; i-- > 0; sum -= chosen[i]) {
		if (!begins_section(items, i)) {
			stand = stand_before(sums, i, &items[i], stand, sum,
					     &chosen[i]);
			continue;
		}
		chosen[i] = stand == STAND_BESIDE ? items[i].first : 0;
		stand = stand_at(sums, i, sum - chosen[i]);
	}
	ASSERT(sum == 0);
}

uint64_t
rank_best_fit(const struct rank_item *items, uint32_t nr,
	      const struct rank_room *room, uint64_t *words, uint32_t *chosen)
{
	const struct sums sums = { .words = words,
				   .room = room->tokens,
				   .nr = words_of(room->tokens) };
	uint32_t most = 0;
	uint32_t at = 0;

	ASSERT(nr <= RANK_BEST_FIT_MAX && room->tokens <= RANK_BEST_FIT_ROOM);
	memset(words, 0, (size_t)STAND_NR * sums.nr * sizeof(*words));
	words[0] = 1;
	memset(chosen, 0, nr * sizeof(*chosen));
	while (at < nr && most < room->enough) {
		add_item(&sums, items, at);
		most = most_of(&sums, ++at);
	}
	find_chosen(&sums, items, at, most, chosen);
	return most;
}
