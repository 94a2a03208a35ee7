/* SPDX-License-Identifier: MIT */
/*
 * collect_io_list.c - the names of one directory, in canonical order.
 *
 * Does: see collect_io_list.h.
 * Invariants:
 * 1. A name that could lead elsewhere ("", ".", "..", one with '/') is never
 *    kept, whatever a file system in user space makes the kernel say.
 */
#include "stages/collect/collect_io_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"

#define BUFFER_BYTES (64u << 10)
#define KEEP_BYTES_MAX (32u << 10)
#define WINDOW_BYTES_MIN 4096

/* What getdents64 writes. */
struct kernel_entry {
	uint64_t ino;
	int64_t off;
	uint16_t bytes; /* of the whole entry */
	uint8_t type;
	char name[];
};

int
list_tools_init(struct list_tools *tools, size_t window_bytes)
{
	*tools = (struct list_tools){ .window_bytes = window_bytes };
	if (window_bytes < WINDOW_BYTES_MIN)
		tools->window_bytes = WINDOW_BYTES_MIN;
	tools->buffer = malloc(BUFFER_BYTES);
	return tools->buffer == NULL ? -ENOMEM : 0;
}

void
list_tools_fini(struct list_tools *tools)
{
	free(tools->buffer);
	*tools = (struct list_tools){ 0 };
}

void
list_drop(struct list *list, bool keep)
{
	if (!keep || list_memory(list) > KEEP_BYTES_MAX) {
		free(list->names);
		free(list->text);
		list->names = NULL;
		list->text = NULL;
		list->name_room = 0;
		list->text_room = 0;
	}
	list->name_nr = 0;
	list->text_bytes = 0;
	list->pos = 0;
	list->has = 0;
	list->is_cut = false;
	list->is_known = false;
}

size_t
list_memory(const struct list *list)
{
	return list->name_room * sizeof(*list->names) + list->text_room;
}

/* What the names take. */
static size_t
window_bytes(const struct list *list)
{
	return list->name_nr * sizeof(*list->names) + list->text_bytes;
}

/* Keeps the smaller half of a full window, and lets the rest come again. */
static int
cut_window(struct list *list, struct list_tools *tools)
{
	size_t bytes = 0;
	char *text;

	collect_order_sort(list->names, list->name_nr, list->text);
	text = malloc(list->text_room);
	if (text == NULL)
		return -ENOMEM;
	list->name_nr = list->name_nr / 2;
	for (uint32_t i = 0; i < list->name_nr; i++) {
		struct collect_name *name = &list->names[i];

		memcpy(text + bytes, list->text + name->off,
		       name->bytes + 1u + tools->extra_bytes);
		name->off = (uint32_t)bytes;
		bytes += name->bytes + 1u + tools->extra_bytes;
	}
	free(list->text);
	list->text = text;
	list->text_bytes = bytes;
	list->cut = list->names[list->name_nr - 1];
	list->is_cut = true;
	return 0;
}

static unsigned
special_name(const char *name, size_t bytes)
{
	if (name[0] != '.')
		return collect_marker(name, bytes);
	if (bytes == 4 && memcmp(name, ".git", 4) == 0)
		return LIST_HAS_GIT;
	if (bytes == 7 && memcmp(name, ".ignore", 7) == 0)
		return LIST_HAS_IGNORE;
	if (bytes == 10 && memcmp(name, ".gitignore", 10) == 0)
		return LIST_HAS_GITIGNORE;
	if (bytes == 11 && memcmp(name, ".baleignore", 11) == 0)
		return LIST_HAS_BALEIGNORE;
	return 0;
}

enum collect_type
list_look_at(int dir_fd, const char *name)
{
	struct stat st;

	/* Gone already: as a file it will be reported when it is opened. */
	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    S_ISREG(st.st_mode))
		return COLLECT_FILE;
	if (S_ISDIR(st.st_mode))
		return COLLECT_DIR;
	return S_ISLNK(st.st_mode) ? COLLECT_LINK : COLLECT_SPECIAL;
}

static enum collect_type
entry_type(int dir_fd, const struct kernel_entry *entry)
{
	switch (entry->type) {
	case DT_REG:
		return COLLECT_FILE;
	case DT_DIR:
		return COLLECT_DIR;
	case DT_LNK:
		return COLLECT_LINK;
	case DT_UNKNOWN:
		return list_look_at(dir_fd, entry->name);
	default:
		return COLLECT_SPECIAL;
	}
}

/* Whether a name lies in the window that is being filled. */
static bool
is_wanted(const struct list *list, const struct collect_name *name,
	  const char *text, const struct list_from *from)
{
	if (from->text != NULL) {
		struct collect_name bound = {
			.key = collect_order_key(from->text, from->bytes,
						 from->is_dir),
			.bytes = (uint16_t)from->bytes,
			.type = from->is_dir ? COLLECT_DIR : COLLECT_FILE,
		};
		int order =
			collect_order_compare(name, text, &bound, from->text);

		if (order < 0 || (order == 0 && !from->inclusive))
			return false;
	}
	return !list->is_cut ||
	       collect_order_compare(name, text, &list->cut, list->text) < 0;
}

int
list_add(struct list *list, struct list_tools *tools,
	 const struct list_entry *entry, const struct list_from *from)
{
	size_t bytes = entry->bytes;
	struct collect_name name = {
		.key = collect_order_key(entry->name, bytes,
					 entry->type == COLLECT_DIR),
		.bytes = (uint16_t)bytes,
		.type = (uint8_t)entry->type,
		.mark = entry->mark,
	};
	int error;

	list->has |= special_name(entry->name, bytes);
	if (!is_wanted(list, &name, entry->name, from))
		return 0;
	if (window_bytes(list) > tools->window_bytes) {
		error = cut_window(list, tools);
		if (error != 0)
			return error;
		if (!is_wanted(list, &name, entry->name, from))
			return 0;
	}
	if (ARRAY_RESERVE(list->names, list->name_room, list->name_nr + 1ul) !=
		    0 ||
	    ARRAY_RESERVE(list->text, list->text_room,
			  list->text_bytes + bytes + 1 + tools->extra_bytes) !=
		    0)
		return -ENOMEM;
	name.off = (uint32_t)list->text_bytes;
	memcpy(list->text + list->text_bytes, entry->name, bytes + 1);
	list->text_bytes += bytes + 1;
	if (tools->extra_bytes > 0)
		memcpy(list->text + list->text_bytes, entry->extra,
		       tools->extra_bytes);
	list->text_bytes += tools->extra_bytes;
	list->names[list->name_nr++] = name;
	return 0;
}

static int
add_entry(struct list *list, struct list_tools *tools, int dir_fd,
	  const struct kernel_entry *entry, const struct list_from *from)
{
	struct list_entry it = { .name = entry->name,
				 .bytes = strlen(entry->name) };

	if (it.bytes == 0 || it.bytes > LIST_NAME_BYTES_MAX ||
	    memchr(entry->name, '/', it.bytes) != NULL)
		return 0;
	if (entry->name[0] == '.' &&
	    (it.bytes == 1 || (it.bytes == 2 && entry->name[1] == '.')))
		return 0;
	it.type = entry_type(dir_fd, entry);
	for (size_t i = 0; i < tools->output_nr; i++)
		if (tools->output_inodes[i] == entry->ino)
			it.mark = MARK_OUTPUT;
	return list_add(list, tools, &it, from);
}

static int
add_buffer(struct list *list, struct list_tools *tools, int dir_fd,
	   const struct list_from *from, size_t buffer_bytes)
{
	size_t at = 0;
	int error = 0;

	while (at < buffer_bytes && error == 0) {
		const struct kernel_entry *entry =
			(const void *)(tools->buffer + at);

		error = add_entry(list, tools, dir_fd, entry, from);
		at += entry->bytes;
	}
	return error;
}

int
list_end(struct list *list, int error)
{
	if (error == 0)
		collect_order_sort(list->names, list->name_nr, list->text);
	else
		list_drop(list, true);
	list->is_known = error == 0;
	return error;
}

int
list_fill(struct list *list, struct list_tools *tools, int dir_fd,
	  const struct list_from *from)
{
	int error = 0;

	list_drop(list, true);
	if (lseek(dir_fd, 0, SEEK_SET) < 0)
		return -errno;
	while (error == 0) {
		long got = syscall(SYS_getdents64, dir_fd, tools->buffer,
				   BUFFER_BYTES);

		if (got == 0)
			break;
		if (tools->reading != NULL)
			tools->reading(tools->context);
		if (got < 0 && errno != EINTR)
			error = -errno;
		if (got > 0)
			error = add_buffer(list, tools, dir_fd, from,
					   (size_t)got);
	}
	return list_end(list, error);
}

int
list_fill_one(struct list *list, struct list_tools *tools, int dir_fd,
	      const char *name)
{
	const struct list_from all = { .text = NULL };
	const struct list_entry it = { .name = name,
				       .bytes = strlen(name),
				       .type = list_look_at(dir_fd, name),
				       .mark = MARK_OUTPUT };

	list_drop(list, true);
	return list_end(list, list_add(list, tools, &it, &all));
}
