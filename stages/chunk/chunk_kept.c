/* SPDX-License-Identifier: MIT */
/*
 * chunk_kept.c - signatures by file, in a table of open addresses.
 */
#include "stages/chunk/chunk_kept.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

static_assert((KEPT_SLOTS & (KEPT_SLOTS - 1)) == 0, "a power of two");

/* Where one begins, in the room. */
typedef __typeof__(((struct lang_signatures *)0)->list[0]) place;

/* Of what they are of: changes are found, not searched for collisions; chunks
 * are compared by their own fingerprints. */
static uint64_t
hash_of(const struct chunk_kept_of *of)
{
	struct checksum sum = checksum_begin();

	checksum_add(&sum, of->content, of->bytes);
	return checksum_end(&sum);
}

/* The slot of a file, or the free one where it would be. */
static uint32_t
slot_of(const struct chunk_kept *kept, uint32_t file_idx)
{
	uint32_t slot = file_idx * 2654435761u % KEPT_SLOTS;

	while (kept->files[slot].file != 0 &&
	       kept->files[slot].file != file_idx + 1)
		slot = (slot + 1) % KEPT_SLOTS;
	return slot;
}

static void
forget_all(struct chunk_kept *kept)
{
	memset(kept->files, 0, sizeof(kept->files));
	kept->file_nr = 0;
	kept->used = 0;
}

void
chunk_kept_add(struct chunk_kept *kept, const struct chunk_kept_of *of,
	       const struct chunk_kept_file *file, const uint8_t *text,
	       const struct lang_signatures *signatures)
{
	size_t places = file->signature_nr * sizeof(place);
	size_t bytes = (places + file->bytes + 7) & ~(size_t)7;
	struct chunk_kept_file *slot;
	uint8_t *room = kept->room + kept->used;

	if (kept->is_over && file->is_surveyed)
		return;
	if (bytes > KEPT_BYTES - kept->used ||
	    kept->file_nr >= KEPT_SLOTS / 2) {
		if (file->is_surveyed)
			forget_all(kept);
		kept->is_over = true;
		return;
	}
	slot = &kept->files[slot_of(kept, of->file_idx)];
	kept->file_nr += slot->file == 0;
	*slot = *file;
	slot->file = of->file_idx + 1;
	slot->content = hash_of(of);
	slot->of_bytes = (uint32_t)of->bytes;
	slot->off = kept->used;
	memcpy(room, signatures->list, places);
	memcpy(room + places, text, file->bytes);
	kept->used += (uint32_t)bytes;
}

const struct chunk_kept_file *
chunk_kept_find(const struct chunk_kept *kept, const struct chunk_kept_of *of)
{
	const struct chunk_kept_file *file =
		&kept->files[slot_of(kept, of->file_idx)];

	return file->file != 0 && file->of_bytes == of->bytes &&
			       file->content == hash_of(of)
		       ? file
		       : NULL;
}

const uint8_t *
chunk_kept_text(const struct chunk_kept *kept,
		const struct chunk_kept_file *file,
		struct lang_signatures *signatures)
{
	size_t places = file->signature_nr * sizeof(place);
	const uint8_t *room = kept->room + file->off;

	signatures->nr = file->signature_nr;
	memcpy(signatures->list, room, places);
	return room + places;
}
