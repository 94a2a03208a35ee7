/* SPDX-License-Identifier: MIT */
/*
 * set.c - a set of fingerprints: open addressing, at most half full.
 */
#include "rank/rank.h"

#include <string.h>

static const uint8_t zeros[FINGERPRINT_BYTES];

static bool
is_zeros(const uint8_t *fingerprint)
{
	return memcmp(fingerprint, zeros, sizeof(zeros)) == 0;
}

/* Where it is, or where it belongs. Fingerprints are random already. */
static size_t
find(const struct rank_set *set, const uint8_t *fingerprint)
{
	size_t at;

	memcpy(&at, fingerprint, sizeof(at));
	for (at &= set->slot_nr - 1; !is_zeros(set->slots[at]);
	     at = (at + 1) & (set->slot_nr - 1))
		if (memcmp(set->slots[at], fingerprint, FINGERPRINT_BYTES) == 0)
			break;
	return at;
}

bool
rank_set_is_full(const struct rank_set *set)
{
	return set->nr * 2 >= set->slot_nr;
}

bool
rank_set_add(struct rank_set *set, const uint8_t *fingerprint)
{
	bool is_new = !rank_set_has(set, fingerprint);

	ASSERT(!rank_set_is_full(set));
	if (!is_new)
		return false;
	set->nr++;
	if (is_zeros(fingerprint))
		set->has_zeros = true;
	else
		memcpy(set->slots[find(set, fingerprint)], fingerprint,
		       FINGERPRINT_BYTES);
	return true;
}

bool
rank_set_has(const struct rank_set *set, const uint8_t *fingerprint)
{
	if (set->nr == 0)
		return false;
	return is_zeros(fingerprint)
		       ? set->has_zeros
		       : !is_zeros(set->slots[find(set, fingerprint)]);
}

void
rank_set_move(struct rank_set *to, const struct rank_set *of, size_t from,
	      size_t nr)
{
	ASSERT(from <= of->slot_nr && nr <= of->slot_nr - from);
	if (of->has_zeros && !to->has_zeros)
		rank_set_add(to, zeros);
	for (size_t i = from; i < from + nr; i++)
		if (!is_zeros(of->slots[i]))
			rank_set_add(to, of->slots[i]);
}
