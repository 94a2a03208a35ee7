/* SPDX-License-Identifier: MIT */
/*
 * delta.c - new bytes and copies in turn.
 *
 * Format: as long as the text is not whole: how many bytes are new, and these;
 *         how many are copied; if any, how far behind the last copy they begin.
 */
#include "base/delta.h"

#include <string.h>

#include "base/varint.h"

#define KEY_BYTES 12             /* of a line are looked for in the source, */
#define KEY_LEAST 6              /* or of a shorter one all, but not so few */
#define WINDOW_BYTES (32u << 10) /* behind the last copy */
#define EFFORT 4 /* times the source is looked through, all in all */

struct encoder {
	const uint8_t *source_end;
	const uint8_t *cursor; /* behind the last copy, in the source */
	uint64_t effort;       /* bytes that may still be looked through */
	const uint8_t *fresh; /* of the text, from here on nothing is written */
	uint8_t *out;
	uint8_t *out_end;
};

/* Where a line stands in the source behind the last copy; NULL: it is new. */
static const uint8_t *
find(struct encoder *encoder, const uint8_t *line, size_t bytes)
{
	size_t left = (size_t)(encoder->source_end - encoder->cursor);
	size_t window = min_size(left, WINDOW_BYTES);
	size_t key = min_size(bytes, KEY_BYTES);
	const uint8_t *found;

	window = (size_t)min_u64(window, encoder->effort);
	if (key < KEY_LEAST)
		return NULL;
	found = memmem(encoder->cursor, window, line, key);
	encoder->effort -=
		found == NULL ? window : (size_t)(found - encoder->cursor);
	return found;
}

static size_t
same_bytes(const uint8_t *a, const uint8_t *a_end, const uint8_t *b,
	   const uint8_t *b_end)
{
	size_t most = min_size((size_t)(a_end - a), (size_t)(b_end - b));
	size_t nr = 0;
	uint64_t x;
	uint64_t y;

	for (; nr + sizeof(x) <= most; nr += sizeof(x)) {
		memcpy(&x, a + nr, sizeof(x));
		memcpy(&y, b + nr, sizeof(y));
		if (x != y)
			break;
	}
	while (nr < most && a[nr] == b[nr])
		nr++;
	return nr;
}

/* What is new before a place in the text, and a copy that begins there. */
static bool
write_copy(struct encoder *encoder, const uint8_t *at, const uint8_t *from,
	   size_t bytes)
{
	size_t fresh = (size_t)(at - encoder->fresh);
	uint8_t *out = encoder->out;

	if ((size_t)(encoder->out_end - out) < fresh + 3 * VARINT_BYTES_MAX)
		return false;
	out = varint_put(out, fresh);
	memcpy(out, encoder->fresh, fresh);
	out = varint_put(out + fresh, bytes);
	if (bytes > 0)
		out = varint_put(out, (uint64_t)(from - encoder->cursor));
	encoder->out = out;
	encoder->fresh = at + bytes;
	encoder->cursor = from + bytes;
	return true;
}

static const uint8_t *
behind_blanks(const uint8_t *at, const uint8_t *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static const uint8_t *
line_end(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));

	return newline == NULL ? end : newline;
}

size_t
delta_encode(const struct delta_source *source, const uint8_t *text,
	     size_t bytes, uint8_t *out, size_t room)
{
	const uint8_t *end = text + bytes;
	struct encoder encoder = {
		.source_end = source->bytes + source->nr,
		.cursor = source->bytes,
		.effort = EFFORT * (uint64_t)source->nr,
		.fresh = text,
		.out = out,
		.out_end = out + room,
	};

	for (const uint8_t *at = text; at < end;) {
		const uint8_t *line = behind_blanks(at, end);
		const uint8_t *found = NULL;
		size_t nr = 0;

		at = line_end(line, end);
		found = find(&encoder, line, (size_t)(at - line));
		if (found != NULL) {
			nr = same_bytes(line, end, found, encoder.source_end);
			if (!write_copy(&encoder, line, found, nr))
				return 0;
			/* it may end within a later line */
			at = nr > 0 && line[nr - 1] == '\n'
				     ? line + nr - 1
				     : line_end(line + nr, end);
		}
		at += at < end;
	}
	if (encoder.fresh < end &&
	    !write_copy(&encoder, end, encoder.cursor, 0))
		return 0;
	return (size_t)(encoder.out - out);
}

bool
delta_decode(const struct delta_source *source, const uint8_t *delta,
	     size_t delta_bytes, uint8_t *text, size_t bytes)
{
	const uint8_t *delta_end = delta + delta_bytes;
	const uint8_t *from = source->bytes;
	uint64_t left = source->nr;

	while (bytes > 0) {
		uint64_t fresh;
		uint64_t copied;
		uint64_t gap = 0;

		delta = varint_get(delta, delta_end, &fresh);
		if (delta == NULL || fresh > bytes ||
		    fresh > (size_t)(delta_end - delta))
			return false;
		memcpy(text, delta, fresh);
		delta = varint_get(delta + fresh, delta_end, &copied);
		if (delta != NULL && copied > 0)
			delta = varint_get(delta, delta_end, &gap);
		if (delta == NULL || copied > bytes - fresh || gap > left ||
		    copied > left - gap || fresh + copied == 0)
			return false;
		memcpy(text + fresh, from + gap, copied);
		text += fresh + copied;
		bytes -= fresh + copied;
		from += gap + copied;
		left -= gap + copied;
	}
	return delta == delta_end;
}
