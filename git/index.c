/* SPDX-License-Identifier: MIT */
/*
 * index.c - the entries of git's index, versions 2 to 4.
 *
 * Does: paths and modes, one entry after the other; what a split index says of
 *       the one it is based on.
 * Does not: verify the sum at the end, or look at other extensions.
 * Limits: paths up to INDEX_PATH_BYTES.
 *
 *   | times, ids, mode, size: 40 | hash | flags: 2 | more flags: 2, if bit 14 |
 *   | version 2, 3: path, then 1 to 8 NUL up to a multiple of 8 |
 *   | version 4:    how many bytes to drop of the last path, then a tail, NUL |
 *
 * source: gitformat-index(5)
 */
#include "git/git.h"

#include <errno.h>
#include <string.h>

#define STAT_BYTES 40
#define MODE_OFF 24
#define FLAG_EXTENDED 0x4000

int
index_reader_init(struct index_reader *reader, const void *head, size_t bytes,
		  uint32_t hash_bytes)
{
	const uint8_t *at = head;

	if (bytes < INDEX_HEAD_BYTES || memcmp(at, "DIRC", 4) != 0)
		return -EINVAL;
	reader->version = load_be32(at + 4);
	reader->left = load_be32(at + 8);
	reader->hash_bytes = hash_bytes;
	reader->mode = 0;
	reader->path_bytes = 0;
	return reader->version >= 2 && reader->version <= 4 ? 0 : -EINVAL;
}

/* The number before a path of version 4: as offsets in packs. */
static int
read_drop(const uint8_t **at, const uint8_t *end, size_t *drop)
{
	uint8_t c = 0x80;
	size_t value = 0;

	for (int i = 0; c & 0x80; i++) {
		if (*at == end)
			return 0;
		if (i == 4)
			return -EINVAL;
		c = *(*at)++;
		value = (value << 7 | (c & 0x7f)) + (c & 0x80 ? 1 : 0);
	}
	*drop = value;
	return 1;
}

int
index_reader_next(struct index_reader *reader, const void *bytes, size_t nr,
		  size_t *used)
{
	const uint8_t *begin = bytes;
	const uint8_t *end = begin + nr;
	const uint8_t *at = begin + STAT_BYTES + reader->hash_bytes + 2;
	const uint8_t *nul;
	size_t keep = 0;
	size_t tail;

	if (nr < STAT_BYTES + reader->hash_bytes + 4)
		return 0;
	if ((at[-2] << 8 | at[-1]) & FLAG_EXTENDED)
		at += 2;
	if (reader->version == 4) {
		size_t drop;
		int error = read_drop(&at, end, &drop);

		if (error <= 0)
			return error;
		if (drop > reader->path_bytes)
			return -EINVAL;
		keep = reader->path_bytes - drop;
	}
	nul = memchr(at, 0, (size_t)(end - at));
	if (nul == NULL)
		return nr > INDEX_PATH_BYTES + 128 ? -EINVAL : 0;
	tail = (size_t)(nul - at);
	if (keep + tail > INDEX_PATH_BYTES)
		return -EINVAL;
	*used = (size_t)(nul - begin) + 1;
	if (reader->version < 4) {
		*used = (*used + 7) / 8 * 8;
		if (*used > nr)
			return 0;
	}
	memcpy(reader->path + keep, at, tail);
	reader->path_bytes = keep + tail;
	reader->mode = load_be32(begin + MODE_OFF);
	reader->left--;
	return 1;
}

/* ---- a split index ------------------------------------------------------ */

static uint64_t
load_u64(const uint8_t *at)
{
	return (uint64_t)load_be32(at) << 32 | load_be32(at + 4);
}

int
index_bits_init(struct index_bits *bits, const void *bytes, size_t nr,
		size_t *used)
{
	const uint8_t *at = bytes;
	uint64_t words;

	/* bits, words, the words, where the last marker is */
	if (nr < 12)
		return -EINVAL;
	words = load_be32(at + 4);
	if (words > (nr - 12) / 8)
		return -EINVAL;
	*bits = (struct index_bits){ .at = at + 8, .end = at + 8 + words * 8 };
	*used = 12 + (size_t)words * 8;
	return 0;
}

/* The next word, if there is one: of the run, or of those as they are. */
static bool
next_word(struct index_bits *bits)
{
	while (bits->run_words == 0 && bits->literal_words == 0) {
		uint64_t marker;

		if (bits->at == bits->end)
			return false;
		marker = load_u64(bits->at);
		bits->at += 8;
		bits->run_word = marker & 1 ? UINT64_MAX : 0;
		bits->run_words = marker >> 1 & UINT32_MAX;
		bits->literal_words = marker >> 33;
	}
	if (bits->run_words > 0) {
		bits->run_words--;
		bits->word = bits->run_word;
		return true;
	}
	if (bits->at == bits->end)
		return false;
	bits->literal_words--;
	bits->word = load_u64(bits->at);
	bits->at += 8;
	return true;
}

bool
index_bits_next(struct index_bits *bits)
{
	bool bit;

	if (bits->left == 0) {
		if (!next_word(bits))
			return false;
		bits->left = 64;
	}
	bit = bits->word & 1;
	bits->word >>= 1;
	bits->left--;
	return bit;
}

static int
read_link(struct index_link *link, const uint8_t *at, size_t nr,
	  uint32_t hash_bytes)
{
	size_t used = 0;
	int error;

	if (nr < hash_bytes)
		return -EINVAL;
	*link = (struct index_link){ .base = at };
	at += hash_bytes;
	nr -= hash_bytes;
	if (nr == 0)
		return 1; /* nothing is deleted, nothing replaced */
	error = index_bits_init(&link->deleted, at, nr, &used);
	if (error == 0)
		error = index_bits_init(&link->replaced, at + used, nr - used,
					&used);
	return error == 0 ? 1 : error;
}

int
index_link_find(struct index_link *link, const void *bytes, size_t nr,
		uint32_t hash_bytes)
{
	const uint8_t *at = bytes;

	/* the sum of the file is behind them */
	while (nr >= 8 + (size_t)hash_bytes) {
		size_t size = load_be32(at + 4);

		if (size > nr - 8 - hash_bytes)
			return -EINVAL;
		if (memcmp(at, "link", 4) == 0)
			return read_link(link, at + 8, size, hash_bytes);
		at += 8 + size;
		nr -= 8 + size;
	}
	return 0;
}
