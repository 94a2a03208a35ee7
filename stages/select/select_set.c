/* SPDX-License-Identifier: MIT */
/*
 * select_set.c - a set of fingerprints: open addressing, at most half full.
 */
#include "stages/select/select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 256

/* Where it is, or where it belongs. Fingerprints are random already. */
static size_t
find(const struct select_set *set, const uint8_t *fingerprint)
{
	size_t at;

	memcpy(&at, fingerprint, sizeof(at));
	for (at &= set->slot_nr - 1; set->used[at];
	     at = (at + 1) & (set->slot_nr - 1))
		if (memcmp(set->slots[at], fingerprint, FINGERPRINT_BYTES) == 0)
			break;
	return at;
}

static int
grow(struct select_set *set)
{
	struct select_set wider = {
		.slot_nr = set->slot_nr == 0 ? SLOTS_MIN : set->slot_nr * 2,
		.nr = set->nr,
	};

	wider.slots = malloc(wider.slot_nr * sizeof(*wider.slots));
	wider.used = calloc(wider.slot_nr, 1);
	if (wider.slots == NULL || wider.used == NULL) {
		select_set_free(&wider);
		return -ENOMEM;
	}
	for (size_t i = 0; i < set->slot_nr; i++) {
		size_t at;

		if (!set->used[i])
			continue;
		at = find(&wider, set->slots[i]);
		wider.used[at] = 1;
		memcpy(wider.slots[at], set->slots[i], FINGERPRINT_BYTES);
	}
	select_set_free(set);
	*set = wider;
	return 0;
}

int
select_set_add(struct select_set *set, const uint8_t *fingerprint)
{
	size_t at;

	if (set->nr * 2 >= set->slot_nr) {
		int error = grow(set);

		if (error != 0)
			return error;
	}
	at = find(set, fingerprint);
	if (set->used[at])
		return 0;
	set->used[at] = 1;
	memcpy(set->slots[at], fingerprint, FINGERPRINT_BYTES);
	set->nr++;
	return 1;
}

bool
select_set_has(const struct select_set *set, const uint8_t *fingerprint)
{
	return set->nr > 0 && set->used[find(set, fingerprint)];
}

void
select_set_free(struct select_set *set)
{
	free(set->slots);
	free(set->used);
	*set = (struct select_set){ 0 };
}
