/* SPDX-License-Identifier: MIT */
/*
 * io_index.c - asks git's index about one path after the other.
 *
 * Does: reads the index along with the walk: both are in order of bytes, so
 *       one pass over it answers all questions in a fixed amount of memory.
 * Does not: hold the index.
 * Invariants:
 * 1. The current entry is the first that is not before the last question.
 * 2. Submodules that were passed are kept: "lib" comes long before "lib/".
 * Limits: 1 MiB of names of submodules; of more, the first ones count. 8 MiB of
 *         extensions.
 *
 * A split index (core.splitIndex) is two files that are read side by side:
 *
 *   sharedindex.X   a b c d e f      less those deleted
 *   index           (c) (e) | b2 g   c and e as they are now, without names,
 *                                    then what was added
 */
#include "git/io_index.h"

#include <dirent.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/number_format.h"
#include "git/git.h"
#include "base/array.h"
#include "base/open_below.h"

#define BUFFER_BYTES (64u << 10)
#define SUBMODULES_BYTES_MAX (1u << 20)
#define EXTENSIONS_BYTES_MAX (8u << 20)
#define SHARED_PREFIX "sharedindex."

static_assert(BUFFER_BYTES > INDEX_PATH_BYTES + 256, "an entry fits");

/* One file of entries. */
struct source {
	struct index_reader reader;
	int fd;
	bool has_entry; /* reader.path is the current entry */
	bool is_cut;    /* an entry was missing, or none */
	uint64_t off;   /* in the file, of the end of the buffer */
	size_t begin;   /* of what is left in the buffer */
	size_t end;
	uint8_t buffer[BUFFER_BYTES];
};

/* The file that an index is based on. */
struct shared {
	struct source base;
	struct source replacing; /* the index itself, for its first entries */
	struct index_link link;  /* from the start */
	struct index_bits deleted;
	struct index_bits replaced;
	uint8_t *extensions; /* what link points into */
};

struct gitindex {
	struct source own;
	struct shared *shared;  /* NULL: it is whole by itself */
	struct source *current; /* whose entry is the current one; or NULL */
	uint32_t hash_bytes;
	char *requested; /* the last question */
	size_t requested_bytes;
	size_t requested_room;
	char *submodules; /* names, NUL after each */
	size_t submodules_bytes;
};

static bool
fill_buffer(struct source *source)
{
	ssize_t got;

	memmove(source->buffer, source->buffer + source->begin,
		source->end - source->begin);
	source->end -= source->begin;
	source->begin = 0;
	do {
		got = pread(source->fd, source->buffer + source->end,
			    sizeof(source->buffer) - source->end,
			    (off_t)source->off);
	} while (got < 0 && errno == EINTR);
	if (got <= 0)
		return false;
	source->end += (size_t)got;
	source->off += (uint64_t)got;
	return true;
}

static int
rewind_source(struct source *source, uint32_t hash_bytes)
{
	source->off = 0;
	source->begin = 0;
	source->end = 0;
	source->has_entry = false;
	fill_buffer(source);
	source->begin = INDEX_HEAD_BYTES;
	return index_reader_init(&source->reader, source->buffer, source->end,
				 hash_bytes);
}

/* The next entry; one that is cut off or malformed ends the file. */
static bool
next_of_source(struct source *source)
{
	source->has_entry = false;
	while (source->reader.left > 0) {
		size_t used = 0;
		int got = index_reader_next(&source->reader,
					    source->buffer + source->begin,
					    source->end - source->begin, &used);

		if (got == 1) {
			source->begin += used;
			source->has_entry = true;
			return true;
		}
		source->is_cut |= got < 0 || !fill_buffer(source);
		if (source->is_cut)
			source->reader.left = 0;
	}
	return false;
}

/* The next entry of the base that still counts, as it is now. */
static void
next_of_base(struct shared *shared)
{
	while (next_of_source(&shared->base)) {
		bool is_deleted = index_bits_next(&shared->deleted);

		if (index_bits_next(&shared->replaced) &&
		    next_of_source(&shared->replacing))
			shared->base.reader.mode =
				shared->replacing.reader.mode;
		if (!is_deleted)
			return;
	}
}

/* The next entry that was added: one with a name. */
static void
next_of_own(struct source *own)
{
	while (next_of_source(own) && own->reader.path_bytes == 0)
		;
}

/* Of the entries of both files the first one is the current one. */
static void
choose(struct gitindex *index)
{
	struct source *own = &index->own;
	struct source *base =
		index->shared != NULL ? &index->shared->base : NULL;

	index->current = own->has_entry ? own : NULL;
	if (base != NULL && base->has_entry &&
	    (!own->has_entry ||
	     compare_bytes(base->reader.path, base->reader.path_bytes,
			   own->reader.path, own->reader.path_bytes) < 0))
		index->current = base;
}

static int
rewind_index(struct gitindex *index)
{
	struct shared *shared = index->shared;
	int error = rewind_source(&index->own, index->hash_bytes);

	index->requested_bytes = 0;
	index->submodules_bytes = 0;
	index->current = NULL;
	if (shared != NULL && error == 0) {
		error = rewind_source(&shared->base, index->hash_bytes);
		rewind_source(&shared->replacing, index->hash_bytes);
		shared->deleted = shared->link.deleted;
		shared->replaced = shared->link.replaced;
		if (error == 0)
			next_of_base(shared);
	}
	if (error == 0)
		next_of_own(&index->own);
	if (error == 0)
		choose(index);
	return error;
}

/* ---- a split index ------------------------------------------------------ */

/* Whether there is any index that others could be based on. */
static bool
has_shared(int folder_fd)
{
	int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool found = false;

	if (folder == NULL) {
		fd_close(fd);
		return false;
	}
	while (!found && (entry = readdir(folder)) != NULL)
		found = strncmp(entry->d_name, SHARED_PREFIX,
				strlen(SHARED_PREFIX)) == 0;
	closedir(folder);
	return found;
}

/* What is behind the last entry: bytes, or -errno. */
static ssize_t
read_extensions(struct gitindex *index, struct shared *shared)
{
	struct source *own = &index->own;
	size_t got = 0;

	while (next_of_source(own))
		;
	shared->extensions = malloc(EXTENSIONS_BYTES_MAX);
	if (shared->extensions == NULL)
		return -ENOMEM;
	do {
		size_t now = min_size(own->end - own->begin,
				      EXTENSIONS_BYTES_MAX - got);

		memcpy(shared->extensions + got, own->buffer + own->begin, now);
		own->begin += now;
		got += now;
	} while (got < EXTENSIONS_BYTES_MAX && fill_buffer(own));
	return (ssize_t)got;
}

static int
open_base(struct gitindex *index, struct shared *shared, int folder_fd)
{
	char name[sizeof(SHARED_PREFIX) + 2 * 32] = SHARED_PREFIX;
	uint8_t any = 0;
	struct file_state file;

	for (uint32_t i = 0; i < index->hash_bytes; i++)
		any |= shared->link.base[i];
	if (any == 0)
		return -ENOENT;
	figure_hex(name + strlen(SHARED_PREFIX), shared->link.base,
		   index->hash_bytes);
	shared->base.fd = open_regular(folder_fd, name, &file);
	if (shared->base.fd == -EMFILE || shared->base.fd == -ENFILE)
		return shared->base.fd;
	if (shared->base.fd < 0)
		return -EINVAL;
	shared->replacing.fd = index->own.fd;
	return 0;
}

static void
close_shared(struct shared *shared)
{
	if (shared == NULL)
		return;
	fd_close(shared->base.fd);
	free(shared->extensions);
	free(shared);
}

/* Finds out what the index is based on, if it is: 0 or -errno. */
static int
open_shared(struct gitindex *index, int folder_fd)
{
	struct shared *shared = calloc(1, sizeof(*shared));
	ssize_t nr;
	int got;

	if (shared == NULL)
		return -ENOMEM;
	shared->base.fd = -1;
	nr = read_extensions(index, shared);
	got = nr < 0 ? (int)nr
		     : index_link_find(&shared->link, shared->extensions,
				       (size_t)nr, index->hash_bytes);
	if (got == 1)
		got = open_base(index, shared, folder_fd);
	else if (got == 0)
		got = -ENOENT;
	if (got == 0) {
		index->shared = shared;
		return 0;
	}
	close_shared(shared);
	return got == -ENOENT ? 0 : got;
}

/* ---- the outside -------------------------------------------------------- */

struct gitindex *
gitindex_open(int fd, int folder_fd, uint32_t hash_bytes, int *error)
{
	struct gitindex *index = calloc(1, sizeof(*index));

	*error = index == NULL ? -ENOMEM : 0;
	if (index == NULL) {
		close(fd);
		return NULL;
	}
	index->own.fd = fd;
	index->hash_bytes = hash_bytes;
	index->submodules = malloc(SUBMODULES_BYTES_MAX);
	*error = index->submodules == NULL ? -ENOMEM : rewind_index(index);
	if (*error == 0 && has_shared(folder_fd)) {
		*error = open_shared(index, folder_fd);
		if (*error == 0)
			*error = rewind_index(index);
	}
	if (*error != 0) {
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
	close(index->own.fd);
	close_shared(index->shared);
	free(index->requested);
	free(index->submodules);
	free(index);
}

static void
keep_submodule(struct gitindex *index)
{
	const struct index_reader *reader = &index->current->reader;
	size_t bytes = reader->path_bytes;

	if (SUBMODULES_BYTES_MAX - index->submodules_bytes <= bytes)
		return;
	memcpy(index->submodules + index->submodules_bytes, reader->path,
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

static void
next_entry(struct gitindex *index)
{
	if ((index->current->reader.mode & INDEX_MODE_KIND) ==
	    INDEX_MODE_SUBMODULE)
		keep_submodule(index);
	if (index->current == &index->own)
		next_of_own(&index->own);
	else
		next_of_base(index->shared);
	choose(index);
}

static int
remember(struct gitindex *index, const char *path, size_t bytes)
{
	int error =
		ARRAY_RESERVE(index->requested, index->requested_room, bytes);

	if (error != 0)
		return error;
	memcpy(index->requested, path, bytes);
	index->requested_bytes = bytes;
	return 0;
}

bool
gitindex_is_cut(const struct gitindex *index)
{
	return index->own.is_cut ||
	       (index->shared != NULL && index->shared->base.is_cut);
}

enum git_tracked
gitindex_tracks(struct gitindex *index, const char *path, size_t bytes)
{
	bool is_dir = bytes > 0 && path[bytes - 1] == '/';
	const struct index_reader *reader;

	if (bytes == 0)
		return GIT_UNTRACKED;
	if (index->requested_bytes > 0 &&
	    compare_bytes(path, bytes, index->requested,
			  index->requested_bytes) < 0 &&
	    rewind_index(index) != 0)
		return GIT_UNTRACKED;
	if (remember(index, path, bytes) != 0)
		return GIT_UNTRACKED;
	while (index->current != NULL &&
	       compare_bytes(index->current->reader.path,
			     index->current->reader.path_bytes, path,
			     bytes) < 0)
		next_entry(index);
	if (is_dir && was_submodule(index, path, bytes - 1))
		return GIT_SUBMODULE;
	if (index->current == NULL)
		return GIT_UNTRACKED;
	reader = &index->current->reader;
	if (reader->path_bytes < bytes ||
	    memcmp(reader->path, path, bytes) != 0)
		return GIT_UNTRACKED;
	return is_dir || reader->path_bytes == bytes ? GIT_TRACKED
						     : GIT_UNTRACKED;
}
