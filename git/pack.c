/* SPDX-License-Identifier: MIT */
/*
 * pack.c - see pack.h.
 */
#include "git/pack.h"

#include <errno.h>
#include <string.h>

struct reader {
	const uint8_t *at;
	const uint8_t *end;
};

/* Numbers of seven bits a byte, the lowest first, above `bits` bits that are
 * there already; false: cut off, or more than 64 bits. */
static bool
read_size(struct reader *in, unsigned bits, uint64_t *value)
{
	uint8_t byte;

	do {
		if (in->at == in->end || bits > 56)
			return false;
		byte = *in->at++;
		*value |= (uint64_t)(byte & 127) << bits;
		bits += 7;
	} while (byte & 128);
	return true;
}

/* How far before the entry its base is: the highest first, without gaps. */
static bool
read_distance(struct reader *in, uint64_t *value)
{
	uint8_t byte;

	*value = 0;
	do {
		if (in->at == in->end || *value >> 56 != 0)
			return false;
		byte = *in->at++;
		*value = *value << 7 | (byte & 127);
		if (byte & 128)
			++*value;
	} while (byte & 128);
	return true;
}

int
pack_entry_parse(struct pack_entry *entry, const uint8_t *at, size_t nr,
		 uint64_t off)
{
	struct reader in = { at, at + nr };
	uint64_t distance;
	uint8_t first;

	if (nr == 0)
		return -EINVAL;
	first = *in.at++;
	*entry = (struct pack_entry){ .type = first >> 4 & 7,
				      .bytes = first & 15 };
	if ((first & 128) && !read_size(&in, 4, &entry->bytes))
		return -EINVAL;
	switch (entry->type) {
	case PACK_COMMIT:
	case PACK_TREE:
	case PACK_BLOB:
	case PACK_TAG:
		break;
	case PACK_OFF_DELTA:
		if (!read_distance(&in, &distance) || distance == 0 ||
		    distance >= off)
			return -EINVAL;
		entry->base_off = off - distance;
		break;
	case PACK_NAME_DELTA:
		if (in.end - in.at < PACK_NAME_BYTES)
			return -EINVAL;
		entry->base = in.at;
		in.at += PACK_NAME_BYTES;
		break;
	default:
		return -EINVAL;
	}
	entry->head_bytes = (size_t)(in.at - at);
	return 0;
}

static bool
read_sizes(struct reader *in, uint64_t *before, uint64_t *after)
{
	*before = 0;
	*after = 0;
	return read_size(in, 0, before) && read_size(in, 0, after);
}

int
pack_delta_sizes(const uint8_t *delta, size_t nr, uint64_t *before,
		 uint64_t *after)
{
	struct reader in = { delta, delta + nr };

	return read_sizes(&in, before, after) ? 0 : -EINVAL;
}

/* Bytes of a number that are not zero, by bits of the command. */
static bool
read_parts(struct reader *in, unsigned parts, uint32_t *value)
{
	*value = 0;
	for (unsigned shift = 0; parts != 0; parts >>= 1, shift += 8) {
		if (!(parts & 1))
			continue;
		if (in->at == in->end)
			return false;
		*value |= (uint32_t)*in->at++ << shift;
	}
	return true;
}

int
pack_delta_apply(struct pack_bytes delta, struct pack_bytes base, uint8_t *out,
		 size_t out_nr)
{
	struct reader in = { delta.at, delta.at + delta.nr };
	uint64_t before;
	uint64_t after;

	if (!read_sizes(&in, &before, &after) || before != base.nr ||
	    after != out_nr)
		return -EINVAL;
	while (in.at < in.end) {
		uint8_t command = *in.at++;
		const uint8_t *from;
		uint32_t off;
		uint32_t bytes = command;

		if (command & 128) {
			if (!read_parts(&in, command & 15, &off) ||
			    !read_parts(&in, command >> 4 & 7, &bytes))
				return -EINVAL;
			if (bytes == 0)
				bytes = 0x10000;
			if (off > base.nr || bytes > base.nr - off)
				return -EINVAL;
			from = base.at + off;
		} else {
			/* 0 is reserved */
			if (bytes == 0 || bytes > (size_t)(in.end - in.at))
				return -EINVAL;
			from = in.at;
			in.at += bytes;
		}
		if (bytes > out_nr)
			return -EINVAL;
		memcpy(out, from, bytes);
		out += bytes;
		out_nr -= bytes;
	}
	return out_nr == 0 ? 0 : -EINVAL;
}
