// SPDX-License-Identifier: MIT
/*
 * fuzz_collect_git.c - settings and indexes of strangers.
 *
 * Input: a byte that says what it is, then a configuration file or an index.
 * An index that comes in pieces gives the entries it gives as a whole.
 */
#include <stdlib.h>
#include <string.h>

#include "git/git.h"

/* A valid tree has names that can be found, each where it is. */
static void
read_tree(const uint8_t *bytes, size_t nr)
{
	struct revtree tree = { .at = bytes, .end = bytes + nr };
	struct revtree_entry entry;
	struct revtree_entry found;

	if (!revtree_valid(bytes, nr))
		return;
	while (revtree_next(&tree, &entry) == 1) {
		ASSERT(memchr(entry.name, '/', entry.bytes) == NULL);
		ASSERT(revtree_find(bytes, nr, entry.name, entry.bytes,
				    &found));
		ASSERT(found.bytes == entry.bytes);
	}
	ASSERT(tree.at == tree.end);
}

/* What is packed in so few bytes may stand for very many bits. */
static void
read_extensions(const uint8_t *bytes, size_t nr)
{
	struct index_link link;

	if (index_link_find(&link, bytes, nr, 20) != 1)
		return;
	ASSERT(link.base >= bytes && link.base + 20 <= bytes + nr);
	for (int i = 0; i < 100000; i++) {
		index_bits_next(&link.deleted);
		index_bits_next(&link.replaced);
		ASSERT(link.deleted.at <= bytes + nr);
		ASSERT(link.replaced.at <= bytes + nr);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static void
read_config(const char *text, size_t bytes)
{
	struct gitconfig config;
	size_t settings = 0;

	gitconfig_init(&config, text, bytes);
	while (gitconfig_next(&config) == 1) {
		ASSERT(strlen(config.value) < GITCONFIG_VALUE_BYTES);
		ASSERT(strlen(config.section) < GITCONFIG_NAME_BYTES);
		gitconfig_true(&config);
		ASSERT(++settings <= bytes);
	}
}

/* A fold over all paths, read with at most so many bytes at hand. */
static uint64_t
read_index(const uint8_t *bytes, size_t nr, size_t step, uint32_t hash_bytes)
{
	static struct index_reader reader;
	size_t at = INDEX_HEAD_BYTES;
	size_t shown = step;
	uint64_t fold = 0;

	if (index_reader_init(&reader, bytes, nr, hash_bytes) != 0)
		return 0;
	while (reader.left > 0) {
		size_t used = 0;
		size_t now = min_size(shown, nr - at);
		/* Exactly as long, so that ASan sees one byte more. */
		uint8_t *exact = malloc(now + 1);
		int got;

		if (exact == NULL)
			abort();
		memcpy(exact, bytes + at, now);
		got = index_reader_next(&reader, exact, now, &used);
		free(exact);
		if (got < 0)
			return fold * 3 + 1;
		if (got == 0) {
			if (now == nr - at)
				return fold;
			shown += step;
			continue;
		}
		ASSERT(used > 0 && used <= now);
		ASSERT(reader.path_bytes <= INDEX_PATH_BYTES);
		for (size_t i = 0; i < reader.path_bytes; i++)
			fold = fold * 31 + (uint8_t)reader.path[i];
		at += used;
		shown = step;
	}
	return fold;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	uint32_t hash_bytes;

	if (bytes_nr < 2)
		return 0;
	if (*bytes == 'c') {
		read_config((const char *)bytes + 1, bytes_nr - 1);
		return 0;
	}
	if (*bytes == 'l') {
		read_extensions(bytes + 1, bytes_nr - 1);
		return 0;
	}
	if (*bytes == 't') {
		read_tree(bytes + 1, bytes_nr - 1);
		return 0;
	}
	hash_bytes = *bytes & 1 ? 32 : 20;
	bytes++;
	bytes_nr--;
	ASSERT(read_index(bytes, bytes_nr, SIZE_MAX / 2, hash_bytes) ==
	       read_index(bytes, bytes_nr, 7, hash_bytes));
	return 0;
}
