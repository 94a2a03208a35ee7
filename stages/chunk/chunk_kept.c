/* SPDX-License-Identifier: MIT */
/*
 * chunk_kept.c - signatures of parts, encoded one behind the other.
 */
#include "stages/chunk/chunk_kept.h"

#include <string.h>

#include "base/varint.h"

/* Where signatures begin, each by what is before it: NULL: there is no room. */
static uint8_t *
put_places(const struct lang_signatures *signatures, uint8_t *out,
	   const uint8_t *end)
{
	uint32_t off = 0;
	uint32_t line = 0;

	for (uint32_t i = 0; i < signatures->nr; i++) {
		const __typeof__(signatures->list[0]) *place =
			&signatures->list[i];

		if (end - out < 2 * VARINT_BYTES_MAX || place->off < off)
			return NULL;
		out = varint_put(out, place->off - off);
		/* lines may go back; the difference is taken modulo 2^32 */
		out = varint_put(out, (uint64_t)(uint32_t)(place->line - line)
						      << 2 |
					      (uint64_t)place->is_public << 1 |
					      place->has_body);
		off = place->off;
		line = place->line;
	}
	return out;
}

/* Reads them, none of them behind `most`: NULL: they are damaged. */
static const uint8_t *
get_places(struct lang_signatures *signatures, uint32_t most, const uint8_t *at,
	   const uint8_t *end)
{
	uint64_t off = 0;
	uint32_t line = 0;

	for (uint32_t i = 0; i < signatures->nr; i++) {
		__typeof__(signatures->list[0]) *place = &signatures->list[i];
		uint64_t offs;
		uint64_t lines;

		at = varint_get(at, end, &offs);
		if (at == NULL || offs > most - off)
			return NULL;
		at = varint_get(at, end, &lines);
		if (at == NULL)
			return NULL;
		off += offs;
		line += (uint32_t)(lines >> 2);
		place->off = (uint32_t)off;
		place->line = line;
		place->is_public = lines >> 1 & 1;
		place->has_body = lines & 1;
	}
	return at;
}

/* What is written behind the length: where it ends; NULL: there is no room. */
static uint8_t *
put_rest(const struct chunk_kept *kept, uint8_t *at, const uint8_t *end)
{
	uint32_t imports = kept->bytes - kept->written;

	if (end - at < 6 * VARINT_BYTES_MAX)
		return NULL;
	at = varint_put(at, kept->part.off);
	at = varint_put(at, kept->part.done);
	at = varint_put(at, kept->part.line_end);
	at = varint_put(at, (uint64_t)kept->bytes << 1 | kept->is_file);
	if (kept->is_file)
		return at;
	if (kept->signatures->nr > OUTLINE_SIGNATURES ||
	    (kept->written > 0 && kept->delta_bytes == 0))
		return NULL;
	at = varint_put(at, kept->written);
	at = varint_put(at, kept->signatures->nr);
	at = put_places(kept->signatures, at, end);
	if (at == NULL || (size_t)(end - at) < imports + kept->delta_bytes)
		return NULL;
	memcpy(at, kept->text, imports);
	memcpy(at + imports, kept->delta, kept->delta_bytes);
	return at + imports + kept->delta_bytes;
}

uint32_t
chunk_kept_encode(const struct chunk_kept *kept, uint8_t *out, uint32_t room)
{
	uint8_t *end;
	uint16_t bytes;

	room = (uint32_t)min_u64(room, UINT16_MAX);
	if (room < sizeof(bytes))
		return 0;
	end = put_rest(kept, out + sizeof(bytes), out + room);
	if (end == NULL)
		return 0;
	bytes = (uint16_t)(end - out - (ptrdiff_t)sizeof(bytes));
	memcpy(out, &bytes, sizeof(bytes));
	return (uint32_t)sizeof(bytes) + bytes;
}

bool
chunk_kept_next(const uint8_t *kept, uint32_t bytes, uint32_t *at,
		struct chunk_kept_found *found)
{
	const uint8_t *from = kept + *at;
	const uint8_t *end;
	uint64_t done;
	uint64_t line_end;
	uint16_t nr;

	if (bytes - *at < sizeof(nr))
		return false;
	memcpy(&nr, from, sizeof(nr));
	from += sizeof(nr);
	if (nr > bytes - *at - sizeof(nr))
		return false;
	end = from + nr;
	from = varint_get(from, end, &found->part.off);
	if (from != NULL)
		from = varint_get(from, end, &done);
	if (from != NULL)
		from = varint_get(from, end, &line_end);
	if (from == NULL || done > UINT32_MAX || line_end > UINT32_MAX)
		return false;
	found->part.done = (uint32_t)done;
	found->part.line_end = (uint32_t)line_end;
	found->encoded = from;
	found->bytes = (uint32_t)(end - from);
	*at += (uint32_t)sizeof(nr) + nr;
	return true;
}

/* What stands before the places: NULL: it is damaged, or the text is too long. */
static const uint8_t *
get_numbers(struct chunk_kept_out *out, const uint8_t *at, const uint8_t *end)
{
	uint64_t bytes;
	uint64_t written = 0;
	uint64_t nr = 0;

	at = varint_get(at, end, &bytes);
	out->is_file = bytes & 1;
	bytes >>= 1;
	if (at != NULL && !out->is_file)
		at = varint_get(at, end, &written);
	if (at != NULL && !out->is_file)
		at = varint_get(at, end, &nr);
	if (at == NULL || bytes > out->room || written > bytes ||
	    nr > OUTLINE_SIGNATURES)
		return NULL;
	out->bytes = (uint32_t)bytes;
	out->written = (uint32_t)written;
	out->signatures->nr = (uint32_t)nr;
	return at;
}

bool
chunk_kept_decode(const struct chunk_kept_found *found,
		  const struct delta_source *text, struct chunk_kept_out *out)
{
	const uint8_t *end = found->encoded + found->bytes;
	const uint8_t *at = get_numbers(out, found->encoded, end);
	uint32_t imports;

	if (at == NULL)
		return false;
	if (out->is_file)
		return at == end && out->bytes == text->nr;
	at = get_places(out->signatures, out->written, at, end);
	imports = out->bytes - out->written;
	if (at == NULL || imports > (size_t)(end - at))
		return false;
	memcpy(out->text, at, imports);
	return delta_decode(text, at + imports, (size_t)(end - at) - imports,
			    out->text + imports, out->written);
}
