/* SPDX-License-Identifier: MIT */
/*
 * io_pack.c - packs, windows of their files, objects made of them.
 *
 *   name -> index -> offset -> entry -> base of its base ... -> object
 *
 * An object of a chain of differences is kept, and each that it was made of:
 * the next commit's trees are made of the same.
 */
#include "git/io_pack.h"

#include <dirent.h>
#include <errno.h>
#include <libdeflate.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/open_below.h"

#define FOLDER "objects/pack"
#define FANOUT_NR 256
#define INDEX_HEAD_BYTES (8 + FANOUT_NR * 4)
#define PACK_TRAILER_BYTES 20
#define INDEX_TRAILER_BYTES 40
#define CHAIN_MAX 512
#define SLOTS_NR 8192          /* a power of two */
#define PLACES_NR 4096         /* the same */
#define HEAP_BYTES (4 << 20)   /* that are free, and not given back at once */
#define TRIM_BYTES (128 << 10) /* the same, of anyone else: mallopt(3) */
#define WINDOWS_MIN 16
#define GUESSES_MAX 6 /* then the middle is looked at */

/* Windows of files; each has one place where it can be. */
struct windows {
	struct window *all;
	size_t nr;
};

/* A file of which windows are read. */
struct file {
	int fd;
	uint64_t bytes;
	struct windows *windows;
};

struct pack {
	struct file index;
	struct file pack;
	uint32_t nr; /* objects */
	uint32_t fanout[FANOUT_NR];
};

struct window {
	const struct file *file; /* NULL: none */
	uint64_t at;
	size_t bytes;
	uint8_t *data;
};

/* Where an object is that was asked for. */
struct place {
	uint8_t name[PACK_NAME_BYTES];
	uint32_t pack;
	uint64_t off; /* 0: nobody knows */
};

struct packs {
	struct pack packs[PACKS_MAX];
	uint32_t nr;
	uint32_t last; /* the one that had the last object */
	struct windows
		of_indexes; /* any of them may be next: names are hashes */
	struct windows of_packs;
	struct place places[PLACES_NR]; /* of each slot the one asked last */
	bool is_large; /* what could not be made exceeds object_max */
	struct packed *slots[SLOTS_NR];
	struct packed *newest;
	struct packed *oldest;
	size_t kept_bytes;
	size_t kept_max;
	size_t object_max;
	struct {
		uint8_t *data;
		size_t room;
	} input, delta;
	struct libdeflate_decompressor *inflater;
};

/* An entry whose base comes before it. */
struct link {
	uint64_t off;
	struct pack_entry entry;
};

/* ---- windows ----------------------------------------------------------- */

static bool
make_windows(struct windows *windows, size_t memory_bytes)
{
	windows->nr =
		(size_t)max_u64(memory_bytes / PACK_WINDOW_BYTES, WINDOWS_MIN);
	windows->all = calloc(windows->nr, sizeof(windows->all[0]));
	return windows->all != NULL;
}

static void
forget_windows(struct windows *windows)
{
	for (size_t i = 0; i < windows->nr; i++)
		windows->all[i].file = NULL;
}

static void
free_windows(struct windows *windows)
{
	for (size_t i = 0; windows->all != NULL && i < windows->nr; i++)
		free(windows->all[i].data);
	free(windows->all);
}

/* What of a file is at `off`, at least a byte, in one window; NULL. */
static const uint8_t *
window_at(const struct file *file, uint64_t off, size_t *bytes)
{
	uint64_t nr = off / PACK_WINDOW_BYTES;
	uint64_t hash = nr + (uintptr_t)file / sizeof(*file) * 37;
	struct window *window = &file->windows->all[hash % file->windows->nr];
	ssize_t got;

	if (window->file != file || window->at != nr * PACK_WINDOW_BYTES) {
		if (window->data == NULL)
			window->data = malloc(PACK_WINDOW_BYTES);
		window->file = NULL;
		if (window->data == NULL)
			return NULL;
		got = pread(file->fd, window->data, PACK_WINDOW_BYTES,
			    (off_t)(nr * PACK_WINDOW_BYTES));
		if (got <= 0)
			return NULL;
		*window = (struct window){ file, nr * PACK_WINDOW_BYTES,
					   (size_t)got, window->data };
	}
	if (off - window->at >= window->bytes)
		return NULL;
	*bytes = window->bytes - (size_t)(off - window->at);
	return window->data + (off - window->at);
}

/* Bytes of a file, which may lie in several windows: whether all are there. */
static bool
copy_at(const struct file *file, uint64_t off, void *out, size_t nr)
{
	uint8_t *to = out;

	while (nr > 0) {
		size_t bytes;
		const uint8_t *from = window_at(file, off, &bytes);

		if (from == NULL)
			return false;
		bytes = min_size(bytes, nr);
		memcpy(to, from, bytes);
		to += bytes;
		off += bytes;
		nr -= bytes;
	}
	return true;
}

static bool
make_room(uint8_t **data, size_t *room, size_t bytes)
{
	uint8_t *more;

	if (bytes <= *room)
		return true;
	more = realloc(*data, bytes);
	if (more == NULL)
		return false;
	*data = more;
	*room = bytes;
	return true;
}

/* So many bytes of a file in a row; NULL: they are not there. */
static const uint8_t *
span_at(struct packs *packs, const struct file *file, uint64_t off, size_t nr)
{
	size_t bytes;
	const uint8_t *span = window_at(file, off, &bytes);

	if (span == NULL || bytes >= nr)
		return span;
	if (!make_room(&packs->input.data, &packs->input.room, nr) ||
	    !copy_at(file, off, packs->input.data, nr))
		return NULL;
	return packs->input.data;
}

/* ---- the index --------------------------------------------------------- */

/* The place of an object whose place in the index is known; 0: damaged. */
static uint64_t
offset_of(const struct pack *pack, uint32_t place)
{
	uint64_t offs =
		INDEX_HEAD_BYTES + (uint64_t)pack->nr * (PACK_NAME_BYTES + 4);
	uint8_t bytes[8];
	uint32_t off;

	if (!copy_at(&pack->index, offs + place * 4ull, bytes, 4))
		return 0;
	off = load_be32(bytes);
	if (off >> 31 == 0)
		return off;
	offs += pack->nr * 4ull + (off & INT32_MAX) * 8ull;
	if (!copy_at(&pack->index, offs, bytes, 8))
		return 0;
	return (uint64_t)load_be32(bytes) << 32 | load_be32(bytes + 4);
}

/*
 * The offset of an object; 0: it is not there. Names are evenly spread, so the
 * first guesses are near.
 */
static uint64_t
find(const struct pack *pack, const uint8_t *name)
{
	uint32_t low = name[0] == 0 ? 0 : pack->fanout[name[0] - 1];
	uint32_t high = pack->fanout[name[0]];
	uint64_t want = load_be32(name + 1);
	uint64_t from = 0;
	uint64_t to = UINT32_MAX;

	for (int i = 0; low < high; i++) {
		uint32_t middle = low + (high - low) / 2;
		uint8_t found[PACK_NAME_BYTES];
		uint64_t value;
		int order;

		if (i < GUESSES_MAX && want >= from && want <= to)
			middle = low + (uint32_t)((high - low) * (want - from) /
						  (to - from + 1));
		if (!copy_at(&pack->index,
			     INDEX_HEAD_BYTES +
				     (uint64_t)middle * PACK_NAME_BYTES,
			     found, sizeof(found)))
			return 0;
		order = memcmp(found, name, sizeof(found));
		value = load_be32(found + 1);
		if (order == 0)
			return offset_of(pack, middle);
		if (order < 0) {
			low = middle + 1;
			from = value;
		} else {
			high = middle;
			to = value;
		}
	}
	return 0;
}

/* ---- objects that are kept --------------------------------------------- */

static struct packed **
slot_of(struct packs *packs, uint32_t pack, uint64_t off)
{
	uint64_t hash = (off + pack) * UINT64_C(0x9e3779b97f4a7c15);

	return &packs->slots[hash >> 32 & (SLOTS_NR - 1)];
}

void
packed_release(struct packed *object)
{
	if (object != NULL && --object->users == 0)
		free(object);
}

static void
unlink_use(struct packs *packs, struct packed *object)
{
	if (object->newer != NULL)
		object->newer->older = object->older;
	else
		packs->newest = object->older;
	if (object->older != NULL)
		object->older->newer = object->newer;
	else
		packs->oldest = object->newer;
}

static void
link_newest(struct packs *packs, struct packed *object)
{
	object->newer = NULL;
	object->older = packs->newest;
	if (packs->newest != NULL)
		packs->newest->newer = object;
	else
		packs->oldest = object;
	packs->newest = object;
}

static void
drop_oldest(struct packs *packs)
{
	struct packed *object = packs->oldest;
	struct packed **at = slot_of(packs, object->pack, object->off);

	while (*at != object)
		at = &(*at)->next;
	*at = object->next;
	unlink_use(packs, object);
	packs->kept_bytes -= object->bytes + sizeof(*object);
	packed_release(object);
}

/* One that is kept; NULL. It has one more user. */
static struct packed *
find_kept(struct packs *packs, uint32_t pack, uint64_t off)
{
	struct packed *object = *slot_of(packs, pack, off);

	while (object != NULL && (object->off != off || object->pack != pack))
		object = object->next;
	if (object == NULL)
		return NULL;
	unlink_use(packs, object);
	link_newest(packs, object);
	object->users++;
	return object;
}

/* A new one, with its caller as user. */
static struct packed *
create(uint32_t pack, uint64_t off, enum pack_type type, size_t bytes)
{
	struct packed *object = malloc(sizeof(*object) + bytes);

	if (object != NULL)
		*object = (struct packed){ .off = off,
					   .pack = pack,
					   .users = 1,
					   .type = type,
					   .bytes = bytes };
	return object;
}

static void
keep(struct packs *packs, struct packed *object)
{
	struct packed **slot = slot_of(packs, object->pack, object->off);

	object->users++;
	object->next = *slot;
	*slot = object;
	link_newest(packs, object);
	packs->kept_bytes += object->bytes + sizeof(*object);
	while (packs->kept_bytes > packs->kept_max && packs->oldest != object)
		drop_oldest(packs);
}

/* ---- objects ----------------------------------------------------------- */

static int
read_entry(struct packs *packs, const struct pack *pack, uint64_t off,
	   struct pack_entry *entry)
{
	uint64_t end = pack->pack.bytes - PACK_TRAILER_BYTES;
	size_t bytes;
	const uint8_t *head;

	if (off == 0 || off >= end)
		return -EINVAL;
	bytes = (size_t)min_u64(PACK_HEAD_BYTES, end - off);
	head = span_at(packs, &pack->pack, off, bytes);
	if (head == NULL || pack_entry_parse(entry, head, bytes, off) != 0)
		return -EINVAL;
	packs->is_large = entry->bytes > packs->object_max;
	return packs->is_large ? -EFBIG : 0;
}

/* What is compressed behind the head of an entry. */
static int
inflate_entry(struct packs *packs, const struct pack *pack,
	      const struct link *link, uint8_t *out)
{
	uint64_t from = link->off + link->entry.head_bytes;
	uint64_t left = pack->pack.bytes - from;
	size_t bytes = (size_t)link->entry.bytes;
	/* what zlib makes of anything is little longer */
	size_t most = (size_t)min_u64(left, bytes + bytes / 8 + 64);
	const uint8_t *in = span_at(packs, &pack->pack, from, most);
	size_t got;

	if (in == NULL ||
	    libdeflate_zlib_decompress_ex(packs->inflater, in, most, out, bytes,
					  NULL, &got) != LIBDEFLATE_SUCCESS)
		return -EINVAL;
	return got == bytes ? 0 : -EINVAL;
}

static struct packed *
read_plain(struct packs *packs, uint32_t pack, const struct link *link)
{
	struct packed *object = create(pack, link->off, link->entry.type,
				       (size_t)link->entry.bytes);

	if (object == NULL)
		return NULL;
	if (inflate_entry(packs, &packs->packs[pack], link, object->data) !=
	    0) {
		packed_release(object);
		return NULL;
	}
	keep(packs, object);
	return object;
}

/* What a difference makes of its base, which loses its user. */
static struct packed *
read_delta(struct packs *packs, struct packed *base, const struct link *link)
{
	size_t nr = (size_t)link->entry.bytes;
	struct packed *object = NULL;
	uint64_t before;
	uint64_t after;

	if (make_room(&packs->delta.data, &packs->delta.room, nr + 1) &&
	    inflate_entry(packs, &packs->packs[base->pack], link,
			  packs->delta.data) == 0 &&
	    pack_delta_sizes(packs->delta.data, nr, &before, &after) == 0) {
		packs->is_large = after > packs->object_max;
		if (!packs->is_large)
			object = create(base->pack, link->off, base->type,
					(size_t)after);
	}
	if (object != NULL &&
	    pack_delta_apply((struct pack_bytes){ packs->delta.data, nr },
			     (struct pack_bytes){ base->data, base->bytes },
			     object->data, object->bytes) != 0) {
		packed_release(object);
		object = NULL;
	}
	packed_release(base);
	if (object != NULL)
		keep(packs, object);
	return object;
}

/* The object at an offset; NULL. */
static struct packed *
read_at(struct packs *packs, uint32_t idx, uint64_t off)
{
	const struct pack *pack = &packs->packs[idx];
	static struct link chain[CHAIN_MAX];
	struct packed *object = NULL;
	uint32_t nr = 0;

	while ((object = find_kept(packs, idx, off)) == NULL) {
		struct link *link = &chain[nr];
		uint8_t name[PACK_NAME_BYTES];

		link->off = off;
		if (nr + 1 == CHAIN_MAX ||
		    read_entry(packs, pack, off, &link->entry) != 0)
			return NULL;
		if (link->entry.type == PACK_OFF_DELTA) {
			off = link->entry.base_off;
		} else if (link->entry.type == PACK_NAME_DELTA) {
			/* the window that it is in may be used for the index */
			memcpy(name, link->entry.base, sizeof(name));
			off = find(pack, name);
		} else {
			break;
		}
		nr++;
	}
	if (object == NULL)
		object = read_plain(packs, idx, &chain[nr]);
	while (object != NULL && nr > 0)
		object = read_delta(packs, object, &chain[--nr]);
	return object;
}

/* Where an object is: the index of its pack, and *off; PACKS_MAX: in none. */
static uint32_t
find_pack(struct packs *packs, const uint8_t name[PACK_NAME_BYTES],
	  uint64_t *off)
{
	struct place *place = &packs->places[load_be32(name) & (PLACES_NR - 1)];

	if (place->off != 0 &&
	    memcmp(place->name, name, sizeof(place->name)) == 0) {
		*off = place->off;
		return place->pack;
	}
	for (uint32_t i = 0; i < packs->nr; i++) {
		uint32_t idx = (packs->last + i) % packs->nr;

		*off = find(&packs->packs[idx], name);
		if (*off == 0)
			continue;
		packs->last = idx;
		*place = (struct place){ .pack = idx, .off = *off };
		memcpy(place->name, name, sizeof(place->name));
		return idx;
	}
	return PACKS_MAX;
}

int
packs_read(struct packs *packs, const uint8_t name[PACK_NAME_BYTES],
	   enum pack_type type, struct packed **out)
{
	uint64_t off;
	uint32_t pack = find_pack(packs, name, &off);

	*out = NULL;
	if (pack == PACKS_MAX)
		return -ENOENT;
	packs->is_large = false;
	*out = read_at(packs, pack, off);
	if (*out == NULL)
		return packs->is_large ? -EFBIG : -EINVAL;
	if ((*out)->type == type)
		return 0;
	packed_release(*out);
	*out = NULL;
	return -EINVAL;
}

/* ---- opening ----------------------------------------------------------- */

static void
close_pack(struct pack *pack)
{
	fd_close(pack->index.fd);
	fd_close(pack->pack.fd);
}

static bool
open_file(int dir_fd, const char *name, struct file *file)
{
	struct file_state state;

	file->fd = open_regular(dir_fd, name, &state);
	file->bytes = file->fd < 0 ? 0 : state.bytes;
	return file->fd >= 0;
}

/* Whether index and pack are of a kind that is known, and of each other. */
static bool
read_heads(struct pack *pack)
{
	static const uint8_t index_magic[8] = {
		0xff, 't', 'O', 'c', 0, 0, 0, 2
	};
	uint8_t head[INDEX_HEAD_BYTES];
	uint8_t pack_head[12];
	uint32_t before = 0;

	if (!copy_at(&pack->index, 0, head, sizeof(head)) ||
	    !copy_at(&pack->pack, 0, pack_head, sizeof(pack_head)) ||
	    memcmp(head, index_magic, sizeof(index_magic)) != 0 ||
	    memcmp(pack_head, "PACK\0\0\0\2", 8) != 0)
		return false;
	for (int i = 0; i < FANOUT_NR; i++) {
		pack->fanout[i] = load_be32(head + 8 + 4 * i);
		if (pack->fanout[i] < before)
			return false;
		before = pack->fanout[i];
	}
	pack->nr = before;
	return load_be32(pack_head + 8) == pack->nr &&
	       pack->pack.bytes > sizeof(pack_head) + PACK_TRAILER_BYTES &&
	       pack->index.bytes >=
		       INDEX_HEAD_BYTES +
			       (uint64_t)pack->nr * (PACK_NAME_BYTES + 8) +
			       INDEX_TRAILER_BYTES;
}

/* "pack-1.idx" and the pack that it is of. */
static void
add_pack(struct packs *packs, int dir_fd, const char *name)
{
	struct pack *pack = &packs->packs[packs->nr];
	size_t bytes = strlen(name);
	char other[NAME_MAX + 2];

	if (bytes < 4 || bytes > NAME_MAX ||
	    strcmp(name + bytes - 4, ".idx") != 0 || packs->nr == PACKS_MAX)
		return;
	snprintf(other, sizeof(other), "%.*s.pack", (int)(bytes - 4), name);
	*pack = (struct pack){
		.index = { .fd = -1, .windows = &packs->of_indexes },
		.pack = { .fd = -1, .windows = &packs->of_packs },
	};
	if (open_file(dir_fd, name, &pack->index) &&
	    open_file(dir_fd, other, &pack->pack) && read_heads(pack)) {
		packs->nr++;
		return;
	}
	close_pack(pack);
	/* what was read of it is not of the next one at its place */
	forget_windows(&packs->of_indexes);
	forget_windows(&packs->of_packs);
}

/* What is kept of objects, of indexes and of packs. */
static bool
make_parts(struct packs *packs, size_t memory_bytes)
{
	packs->kept_max = memory_bytes / 3;
	packs->object_max = (size_t)max_u64(
		packs->kept_max + packs->kept_max / 4, PACK_OBJECT_MAX);
	packs->inflater = libdeflate_alloc_decompressor();
	return packs->inflater != NULL &&
	       make_windows(&packs->of_indexes, memory_bytes / 2) &&
	       make_windows(&packs->of_packs, memory_bytes / 6);
}

int
packs_open(struct packs **out, int dir_fd, size_t memory_bytes)
{
	int fd = open_directory_deep(dir_fd, FOLDER, strlen(FOLDER));
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct packs *packs;
	const struct dirent *entry;

	*out = NULL;
	if (dir == NULL) {
		fd_close(fd);
		return 0;
	}
	packs = calloc(1, sizeof(*packs));
	if (packs == NULL || !make_parts(packs, memory_bytes)) {
		closedir(dir);
		packs_close(packs);
		return -ENOMEM;
	}
	/* objects come and go: their pages are to stay until packs_close() */
	mallopt(M_TRIM_THRESHOLD, HEAP_BYTES);
	while ((entry = readdir(dir)) != NULL)
		add_pack(packs, fd, entry->d_name);
	closedir(dir);
	if (packs->nr > 0) {
		*out = packs;
	} else {
		packs_close(packs);
	}
	return 0;
}

void
packs_close(struct packs *packs)
{
	if (packs == NULL)
		return;
	while (packs->oldest != NULL)
		drop_oldest(packs);
	free_windows(&packs->of_indexes);
	free_windows(&packs->of_packs);
	for (uint32_t i = 0; i < packs->nr; i++)
		close_pack(&packs->packs[i]);
	if (packs->inflater != NULL)
		libdeflate_free_decompressor(packs->inflater);
	free(packs->input.data);
	free(packs->delta.data);
	free(packs);
	mallopt(M_TRIM_THRESHOLD, TRIM_BYTES);
	malloc_trim(0);
}
