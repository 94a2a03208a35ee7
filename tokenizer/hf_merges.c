/* SPDX-License-Identifier: MIT */
/*
 * hf_merges.c - by which merge each token of a tokenizer.json comes about.
 */
#include "tokenizer/hf_merges.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tokenizer/vocab.h"

static uint32_t
slot_of(const struct hf_merges *merges, uint32_t left, uint32_t right)
{
	const uint64_t key = (uint64_t)left << 32 | right;

	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
	       merges->mask;
}

int
hf_merges_init(struct hf_merges *merges, const struct hf_merge *list,
	       uint32_t nr)
{
	uint32_t place, slots_nr = 16;

	while (slots_nr / 2 < nr)
		slots_nr *= 2;
	merges->list = list;
	merges->nr = nr;
	merges->mask = slots_nr - 1;
	merges->slots = calloc(slots_nr, sizeof(*merges->slots));
	if (merges->slots == NULL)
		return -ENOMEM;
	for (place = 0; place < nr; place++) {
		uint32_t at =
			slot_of(merges, list[place].left, list[place].right);

		while (merges->slots[at] != 0) {
			const struct hf_merge *other =
				&list[merges->slots[at] - 1];

			if (other->left == list[place].left &&
			    other->right == list[place].right)
				break;
			at = (at + 1) & merges->mask;
		}
		merges->slots[at] = place + 1;
	}
	return 0;
}

void
hf_merges_fini(struct hf_merges *merges)
{
	free(merges->slots);
	merges->slots = NULL;
}

static uint32_t
find(const struct hf_merges *merges, uint32_t left, uint32_t right)
{
	uint32_t at = slot_of(merges, left, right);

	for (; merges->slots[at] != 0; at = (at + 1) & merges->mask) {
		uint32_t place = merges->slots[at] - 1;

		if (merges->list[place].left == left &&
		    merges->list[place].right == right)
			return place;
	}
	return HF_MERGE_NONE;
}

uint32_t
hf_merges_last(const struct hf_merges *merges, const uint32_t byte_ids[256],
	       const uint8_t *bytes, size_t len)
{
	uint32_t ids[VOCAB_TOKEN_BYTES], places[VOCAB_TOKEN_BYTES];
	size_t nr = len, i, least;

	for (i = 0; i < len; i++)
		ids[i] = byte_ids[bytes[i]];
	for (i = 0; i + 1 < len; i++)
		places[i] = find(merges, ids[i], ids[i + 1]);
	for (;;) {
		for (least = 0, i = 1; i + 1 < nr; i++)
			if (places[i] < places[least])
				least = i;
		if (places[least] == HF_MERGE_NONE || nr == 2)
			return places[least];
		ids[least] = merges->list[places[least]].made;
		nr--;
		memmove(ids + least + 1, ids + least + 2,
			(nr - least - 1) * sizeof(ids[0]));
		memmove(places + least, places + least + 1,
			(nr - least - 1) * sizeof(places[0]));
		if (least > 0)
			places[least - 1] =
				find(merges, ids[least - 1], ids[least]);
		if (least + 1 < nr)
			places[least] =
				find(merges, ids[least], ids[least + 1]);
	}
}
