/* SPDX-License-Identifier: MIT */
/*
 * chunk_kept.c - signatures by text, in a table of open addresses.
 */
#include "stages/chunk/chunk_kept.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

static_assert((KEPT_SLOTS & (KEPT_SLOTS - 1)) == 0, "a power of two");

/* Where one begins, in the room. */
typedef __typeof__(((struct lang_signatures *)0)->list[0]) place;

/* Changes are found, not searched for collisions; chunks are compared by their own
 * fingerprints. */
uint64_t
chunk_kept_hash(const uint8_t *text, size_t bytes, const void *state,
		size_t state_bytes)
{
	struct checksum sum = checksum_begin();

	checksum_add(&sum, text, bytes);
	if (state_bytes > 0)
		checksum_add(&sum, state, state_bytes);
	return checksum_end(&sum);
}

/* The slot of a text, or the free one where it would be. */
static uint32_t
slot_of(const struct chunk_kept *kept, const struct chunk_kept_of *of)
{
	uint32_t slot =
		(of->file_idx * 2654435761u + (uint32_t)of->off) % KEPT_SLOTS;

	while (kept->texts[slot].of.file_idx != 0 &&
	       (kept->texts[slot].of.file_idx != of->file_idx + 1 ||
		kept->texts[slot].of.off != of->off))
		slot = (slot + 1) % KEPT_SLOTS;
	return slot;
}

static void
forget_all(struct chunk_kept *kept)
{
	memset(kept->texts, 0, sizeof(kept->texts));
	kept->text_nr = 0;
	kept->used = 0;
}

/* Bytes of the places before a text. */
static size_t
places_bytes(const struct chunk_kept_text *text)
{
	return text->signature_nr * sizeof(place);
}

void
chunk_kept_add(struct chunk_kept *kept, const struct chunk_kept_of *of,
	       const struct chunk_kept_text *text,
	       const struct chunk_kept_parts *parts)
{
	size_t places = places_bytes(text);
	size_t bytes =
		round_up_u64(places + text->bytes + text->state_bytes, 8);
	struct chunk_kept_text *slot;
	uint8_t *room = kept->room + kept->used;

	if (kept->is_over && text->is_surveyed)
		return;
	if (bytes > KEPT_BYTES - kept->used ||
	    kept->text_nr >= KEPT_SLOTS / 2) {
		if (text->is_surveyed)
			forget_all(kept);
		kept->is_over = true;
		return;
	}
	slot = &kept->texts[slot_of(kept, of)];
	kept->text_nr += slot->of.file_idx == 0;
	*slot = *text;
	slot->of = *of;
	slot->of.file_idx++;
	slot->off = kept->used;
	memcpy(room, parts->signatures->list, places);
	memcpy(room + places, parts->text, text->bytes);
	if (text->state_bytes > 0)
		memcpy(room + places + text->bytes, parts->state,
		       text->state_bytes);
	kept->used += (uint32_t)bytes;
}

const struct chunk_kept_text *
chunk_kept_find(const struct chunk_kept *kept, const struct chunk_kept_of *of)
{
	const struct chunk_kept_text *text = &kept->texts[slot_of(kept, of)];

	return text->of.file_idx != 0 && text->of.bytes == of->bytes &&
			       text->of.line_first == of->line_first &&
			       text->of.chunk_first == of->chunk_first &&
			       text->of.hash == of->hash
		       ? text
		       : NULL;
}

const uint8_t *
chunk_kept_get(const struct chunk_kept *kept,
	       const struct chunk_kept_text *text,
	       struct lang_signatures *signatures, const void **state)
{
	const uint8_t *room = kept->room + text->off;
	size_t places = places_bytes(text);

	signatures->nr = text->signature_nr;
	memcpy(signatures->list, room, places);
	*state = room + places + text->bytes;
	return room + places;
}
