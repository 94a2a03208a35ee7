/* SPDX-License-Identifier: MIT */
/*
 * collect_io_index.c - asks git's index about one path after the other.
 *
 * Does: reads the index along with the walk: both are in order of bytes, so
 *       one pass over it answers all questions in a fixed amount of memory.
 * Does not: hold the index, or read one that is split (core.splitIndex): of
 *           that only the entries of its own part are seen.
 * Invariants:
 * 1. The current entry is the first that is not before the last question.
 * 2. Submodules that were passed are kept: "lib" comes long before "lib/".
 * Limits: 1 MiB of names of submodules; of more, the first ones count.
 */
#include "stages/collect/collect_io_git.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stages/collect/collect_git.h"

#define BUFFER_BYTES (64u << 10)
#define SUBMODULES_BYTES_MAX (1u << 20)

static_assert(BUFFER_BYTES > INDEX_PATH_BYTES + 256, "an entry fits");

struct gitindex {
	struct index_reader reader;
	uint32_t hash_bytes;
	int fd;
	bool has_entry; /* reader.path is the current entry */
	uint64_t off;   /* in the file, of the end of the buffer */
	size_t begin;   /* of what is left in the buffer */
	size_t end;
	char *asked; /* the last question */
	size_t asked_bytes;
	size_t asked_room;
	char *submodules; /* names, NUL after each */
	size_t submodules_bytes;
	uint8_t buffer[BUFFER_BYTES];
};

static bool
fill_buffer(struct gitindex *index)
{
	ssize_t got;

	memmove(index->buffer, index->buffer + index->begin,
		index->end - index->begin);
	index->end -= index->begin;
	index->begin = 0;
	do {
		got = pread(index->fd, index->buffer + index->end,
			    sizeof(index->buffer) - index->end,
			    (off_t)index->off);
	} while (got < 0 && errno == EINTR);
	if (got <= 0)
		return false;
	index->end += (size_t)got;
	index->off += (uint64_t)got;
	return true;
}

static int
rewind_index(struct gitindex *index)
{
	index->off = 0;
	index->begin = 0;
	index->end = 0;
	index->has_entry = false;
	index->asked_bytes = 0;
	index->submodules_bytes = 0;
	fill_buffer(index);
	index->begin = INDEX_HEAD_BYTES;
	return index_reader_init(&index->reader, index->buffer, index->end,
				 index->hash_bytes);
}

struct gitindex *
gitindex_open(int fd, uint32_t hash_bytes, int *error)
{
	struct gitindex *index = calloc(1, sizeof(*index));

	*error = index == NULL ? -ENOMEM : 0;
	if (index != NULL) {
		index->fd = fd;
		index->hash_bytes = hash_bytes;
		index->submodules = malloc(SUBMODULES_BYTES_MAX);
		*error = index->submodules == NULL ? -ENOMEM
						   : rewind_index(index);
	}
	if (*error != 0) {
		if (index == NULL)
			close(fd);
		gitindex_close(index);
		return NULL;
	}
	return index;
}

void
gitindex_close(struct gitindex *index)
{
	if (index == NULL)
		return;
	close(index->fd);
	free(index->asked);
	free(index->submodules);
	free(index);
}

static void
keep_submodule(struct gitindex *index)
{
	size_t bytes = index->reader.path_bytes;

	if (SUBMODULES_BYTES_MAX - index->submodules_bytes <= bytes)
		return;
	memcpy(index->submodules + index->submodules_bytes, index->reader.path,
	       bytes);
	index->submodules_bytes += bytes;
	index->submodules[index->submodules_bytes++] = '\0';
}

static bool
was_submodule(const struct gitindex *index, const char *path, size_t bytes)
{
	const char *at = index->submodules;
	const char *end = at + index->submodules_bytes;

	while (at < end) {
		size_t length = strlen(at);

		if (length == bytes && memcmp(at, path, bytes) == 0)
			return true;
		at += length + 1;
	}
	return false;
}

/* The next entry; one that is cut off or malformed ends the index. */
static bool
next_entry(struct gitindex *index)
{
	int got = 0;

	if (index->has_entry &&
	    (index->reader.mode & INDEX_MODE_KIND) == INDEX_MODE_SUBMODULE)
		keep_submodule(index);
	index->has_entry = false;
	while (index->reader.left > 0) {
		size_t used = 0;

		got = index_reader_next(&index->reader,
					index->buffer + index->begin,
					index->end - index->begin, &used);
		if (got == 1) {
			index->begin += used;
			index->has_entry = true;
			return true;
		}
		if (got < 0 || !fill_buffer(index))
			index->reader.left = 0;
	}
	return false;
}

static int
compare(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	int order = memcmp(a, b, min_size(a_bytes, b_bytes));

	if (order != 0)
		return order;
	return a_bytes < b_bytes ? -1 : a_bytes > b_bytes;
}

static int
remember(struct gitindex *index, const char *path, size_t bytes)
{
	if (bytes > index->asked_room) {
		char *grown = realloc(index->asked, 2 * bytes);

		if (grown == NULL)
			return -ENOMEM;
		index->asked = grown;
		index->asked_room = 2 * bytes;
	}
	memcpy(index->asked, path, bytes);
	index->asked_bytes = bytes;
	return 0;
}

enum git_tracked
gitindex_tracks(struct gitindex *index, const char *path, size_t bytes)
{
	const struct index_reader *reader = &index->reader;
	bool is_dir = bytes > 0 && path[bytes - 1] == '/';

	if (bytes == 0)
		return GIT_UNTRACKED;
	if (index->asked_bytes > 0 &&
	    compare(path, bytes, index->asked, index->asked_bytes) < 0 &&
	    rewind_index(index) != 0)
		return GIT_UNTRACKED;
	if (remember(index, path, bytes) != 0)
		return GIT_UNTRACKED;
	if (!index->has_entry)
		next_entry(index);
	while (index->has_entry &&
	       compare(reader->path, reader->path_bytes, path, bytes) < 0)
		next_entry(index);
	if (is_dir && was_submodule(index, path, bytes - 1))
		return GIT_SUBMODULE;
	if (!index->has_entry || reader->path_bytes < bytes ||
	    memcmp(reader->path, path, bytes) != 0)
		return GIT_UNTRACKED;
	return is_dir || reader->path_bytes == bytes ? GIT_TRACKED
						     : GIT_UNTRACKED;
}
