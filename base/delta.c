/* SPDX-License-Identifier: MIT */
/*
 * delta.c - copies and new bytes, as they come.
 *
 * Format: of each piece twice its length, and one more if it is new; then the new
 *         bytes, or how far the copy begins from the end of the one before: twice
 *         that behind it, or twice that and one less before it.
 */
#include "base/delta.h"

#include <string.h>

#include "base/varint.h"

void
delta_begin(struct delta_writer *writer, const struct delta_source *source,
	    uint8_t *out, size_t room)
{
	*writer = (struct delta_writer){
		.source = *source,
		.out = out,
		.room = room,
	};
}

/* Writes a number, if there is room for any. */
static void
put(struct delta_writer *writer, uint64_t number)
{
	if (writer->room - writer->nr < VARINT_BYTES_MAX)
		writer->is_full = true;
	if (!writer->is_full)
		writer->nr =
			(size_t)(varint_put(writer->out + writer->nr, number) -
				 writer->out);
}

/* Writes the copy that waits. */
static void
end_copy(struct delta_writer *writer)
{
	uint64_t gap;

	if (writer->copy_nr == 0)
		return;
	gap = writer->copy_from >= writer->cursor
		      ? 2 * (uint64_t)(writer->copy_from - writer->cursor)
		      : 2 * (uint64_t)(writer->cursor - writer->copy_from) - 1;
	put(writer, 2 * (uint64_t)writer->copy_nr);
	put(writer, gap);
	writer->cursor = writer->copy_from + writer->copy_nr;
	writer->copy_nr = 0;
}

/* Where bytes lie in the source; its length: they do not. */
static size_t
place_of(const struct delta_source *source, const uint8_t *bytes, size_t nr)
{
	/* of another object, pointers are not to be compared */
	uintptr_t from = (uintptr_t)source->bytes;
	uintptr_t at = (uintptr_t)bytes;

	return at >= from && at - from < source->nr &&
			       nr <= source->nr - (at - from)
		       ? at - from
		       : source->nr;
}

void
delta_add(struct delta_writer *writer, const uint8_t *bytes, size_t nr)
{
	size_t at = place_of(&writer->source, bytes, nr);

	if (nr == 0)
		return;
	if (at == writer->source.nr) {
		end_copy(writer);
		put(writer, 2 * (uint64_t)nr + 1);
		if (writer->room - writer->nr < nr)
			writer->is_full = true;
		if (writer->is_full)
			return;
		memcpy(writer->out + writer->nr, bytes, nr);
		writer->nr += nr;
		return;
	}
	if (writer->copy_nr > 0 && at != writer->copy_from + writer->copy_nr)
		end_copy(writer);
	if (writer->copy_nr == 0)
		writer->copy_from = at;
	writer->copy_nr += nr;
}

size_t
delta_end(struct delta_writer *writer)
{
	end_copy(writer);
	return writer->is_full ? 0 : writer->nr;
}

/* Where a copy begins in the source; behind its end: it is damaged. */
static uint64_t
copy_from(uint64_t cursor, uint64_t gap)
{
	if (gap % 2 == 0)
		return gap / 2 > SIZE_MAX / 4 ? UINT64_MAX : cursor + gap / 2;
	return gap / 2 + 1 > cursor ? UINT64_MAX : cursor - (gap / 2 + 1);
}

bool
delta_decode(const struct delta_source *source, const uint8_t *delta,
	     size_t delta_bytes, uint8_t *text, size_t bytes)
{
	const uint8_t *end = delta + delta_bytes;
	uint64_t cursor = 0;

	while (bytes > 0) {
		const uint8_t *from;
		uint64_t nr;
		uint64_t gap;
		bool is_new;

		delta = varint_get(delta, end, &nr);
		is_new = nr % 2 != 0;
		nr /= 2;
		if (delta == NULL || nr == 0 || nr > bytes)
			return false;
		if (is_new) {
			if (nr > (size_t)(end - delta))
				return false;
			from = delta;
			delta += nr;
		} else {
			delta = varint_get(delta, end, &gap);
			cursor = copy_from(cursor, delta == NULL ? 0 : gap);
			if (delta == NULL || cursor > source->nr ||
			    nr > source->nr - cursor)
				return false;
			from = source->bytes + cursor;
			cursor += nr;
		}
		memcpy(text, from, nr);
		text += nr;
		bytes -= nr;
	}
	return delta == end;
}
