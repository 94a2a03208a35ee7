/* SPDX-License-Identifier: MIT */
/*
 * chunk_kept.c - signatures by text, in a table of open addresses.
 */
#include "stages/chunk/chunk_kept.h"

#include <assert.h>
#include <string.h>

#include "base/delta.h"
#include "base/hash.h"
#include "base/varint.h"

static_assert((KEPT_SLOTS & (KEPT_SLOTS - 1)) == 0, "a power of two");

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

/* Where signatures begin, each by what is before it: NULL: there is no room. */
static uint8_t *
put_places(const struct lang_signatures *signatures, uint32_t nr, uint8_t *out,
	   const uint8_t *end)
{
	uint32_t off = 0;
	uint32_t line = 0;

	for (uint32_t i = 0; i < nr; i++) {
		const __typeof__(signatures->list[0]) *place =
			&signatures->list[i];

		if (end - out < 2 * VARINT_BYTES_MAX)
			return NULL;
		/* lines may go back; the difference is taken modulo 2^32 */
		out = varint_put(out, (uint32_t)(place->off - off));
		out = varint_put(out, (uint64_t)(uint32_t)(place->line - line)
						      << 2 |
					      (uint64_t)place->is_public << 1 |
					      place->has_body);
		off = place->off;
		line = place->line;
	}
	return out;
}

static void
get_places(struct lang_signatures *signatures, uint32_t nr, const uint8_t *at,
	   const uint8_t *end)
{
	uint32_t off = 0;
	uint32_t line = 0;

	for (uint32_t i = 0; i < nr; i++) {
		__typeof__(signatures->list[0]) *place = &signatures->list[i];
		uint64_t offs;
		uint64_t lines;

		at = varint_get(at, end, &offs);
		ASSERT(at != NULL);
		at = varint_get(at, end, &lines);
		ASSERT(at != NULL);
		off += (uint32_t)offs;
		line += (uint32_t)(lines >> 2);
		place->off = off;
		place->line = line;
		place->is_public = lines >> 1 & 1;
		place->has_body = lines & 1;
	}
	signatures->nr = nr;
}

/* The state, most of which is zero: so many zeros and so many other bytes in turn.
 * NULL: there is no room. */
static uint8_t *
put_state(const uint8_t *state, uint32_t bytes, uint8_t *out,
	  const uint8_t *end)
{
	for (uint32_t at = 0; at < bytes;) {
		uint32_t from = at;
		uint32_t nr;

		while (at < bytes && state[at] == 0)
			at++;
		for (nr = 0; at + nr < bytes && state[at + nr] != 0; nr++)
			;
		if ((size_t)(end - out) < nr + 2 * VARINT_BYTES_MAX)
			return NULL;
		out = varint_put(varint_put(out, at - from), nr);
		memcpy(out, state + at, nr);
		out += nr;
		at += nr;
	}
	return out;
}

static void
get_state(uint8_t *state, uint32_t bytes, const uint8_t *in, const uint8_t *end)
{
	for (uint32_t at = 0; at < bytes;) {
		uint64_t zeros;
		uint64_t nr;

		in = varint_get(in, end, &zeros);
		ASSERT(in != NULL && zeros <= bytes - at);
		memset(state + at, 0, zeros);
		at += (uint32_t)zeros;
		in = varint_get(in, end, &nr);
		ASSERT(in != NULL && nr <= bytes - at &&
		       nr <= (size_t)(end - in));
		memcpy(state + at, in, nr);
		at += (uint32_t)nr;
		in += nr;
	}
}

/* Encodes all of it into the room, behind what is there: false: there is none. */
static bool
put(struct chunk_kept *kept, uint32_t content_bytes,
    struct chunk_kept_text *text, const struct chunk_kept_parts *parts)
{
	uint8_t *room = kept->room + kept->used;
	uint8_t *end = kept->room + KEPT_BYTES;
	const struct delta_source source = { parts->content, content_bytes };
	uint8_t *at;

	at = put_places(parts->signatures, text->signature_nr, room, end);
	if (at == NULL)
		return false;
	text->places_bytes = (uint32_t)(at - room);
	text->delta_bytes = (uint32_t)delta_encode(
		&source, parts->text, text->bytes, at, (size_t)(end - at));
	if (text->bytes > 0 && text->delta_bytes == 0)
		return false;
	at = put_state(parts->state, text->state_bytes, at + text->delta_bytes,
		       end);
	if (at == NULL)
		return false;
	text->off = kept->used;
	kept->used = (uint32_t)(at - kept->room);
	return true;
}

void
chunk_kept_add(struct chunk_kept *kept, const struct chunk_kept_of *of,
	       const struct chunk_kept_text *text,
	       const struct chunk_kept_parts *parts)
{
	struct chunk_kept_text whole = *text;
	struct chunk_kept_text *slot;

	if (kept->is_over && text->is_surveyed)
		return;
	if (kept->text_nr >= KEPT_SLOTS / 2 ||
	    !put(kept, of->bytes, &whole, parts)) {
		if (text->is_surveyed)
			forget_all(kept);
		kept->is_over = true;
		return;
	}
	slot = &kept->texts[slot_of(kept, of)];
	kept->text_nr += slot->of.file_idx == 0;
	*slot = whole;
	slot->of = *of;
	slot->of.file_idx++;
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

void
chunk_kept_get(const struct chunk_kept *kept,
	       const struct chunk_kept_text *text, const uint8_t *content,
	       const struct chunk_kept_out *out)
{
	const uint8_t *places = kept->room + text->off;
	const uint8_t *delta = places + text->places_bytes;
	const struct delta_source source = { content, text->of.bytes };
	bool is_whole;

	get_places(out->signatures, text->signature_nr, places, delta);
	is_whole = delta_decode(&source, delta, text->delta_bytes, out->text,
				text->bytes);
	ASSERT(is_whole);
	get_state(out->state, text->state_bytes, delta + text->delta_bytes,
		  kept->room + kept->used);
}
