/* SPDX-License-Identifier: MIT */
/*
 * collect_io_list.h - the names of one directory, in canonical order.
 *
 * Does: reads a directory of any size through a bounded window of names.
 * Does not: judge names; the walk does.
 * Runs in: the collector, below collect_io_walk.c.
 * Limits: a window holds at least a few names, whatever its bound.
 *
 * A directory with more names than the window holds is read again for each
 * window: only the smallest names after the last one given are kept.
 */
#ifndef COLLECT_COLLECT_IO_LIST_H
#define COLLECT_COLLECT_IO_LIST_H

#include "stages/collect/collect.h"

/* Longer ones cannot be opened; FUSE allows this much, others 255. */
#define LIST_NAME_BYTES_MAX 1024
#define LIST_PART_BYTES_MAX 4096 /* of a name in a tree of git */

enum list_has {
	LIST_HAS_GIT = 1 << 24,       /* ".git" */
	LIST_HAS_GITIGNORE = 1 << 25, /* ".gitignore" */
	LIST_HAS_IGNORE = 1 << 26,    /* ".ignore" */
	LIST_HAS_BALEIGNORE = 1 << 27 /* ".baleignore" */
};

struct list {
	struct collect_name *names; /* sorted */
	char *text;                 /* of the names, NUL after each */
	size_t name_room;
	size_t text_room;
	size_t text_bytes;
	struct collect_name cut; /* with is_cut: the last name that is kept */
	uint32_t name_nr;
	uint32_t pos;  /* the next to give */
	unsigned has;  /* enum list_has and collect_marker, of all names */
	bool is_cut;   /* there are names after the last one of the window */
	bool is_known; /* the window is filled */
};

/* Memory shared by all listings of a walk. */
struct list_tools {
	char *buffer;                  /* for the kernel's entries */
	const uint64_t *output_inodes; /* marks names with MARK_OUTPUT */
	size_t output_nr;
	size_t window_bytes;
	size_t extra_bytes;             /* that follow the NUL of each name */
	void (*reading)(void *context); /* told of each buffer; or NULL */
	void *context;
};

/* From where on: everything if text is NULL. */
struct list_from {
	const char *text;
	size_t bytes;
	bool is_dir;
	bool inclusive; /* the name itself too, if it is there */
};

/* A name for a listing. */
struct list_entry {
	const char *name;
	size_t bytes;
	enum collect_type type;
	uint8_t mark;
	const void *extra; /* list_tools.extra_bytes of it */
};

/* errors: -ENOMEM */
int
list_tools_init(struct list_tools *tools, size_t window_bytes);

/* Frees what listing files needed. */
void
list_tools_fini(struct list_tools *tools);

/*
 * shape:  fills the window with the smallest names from `from` on
 * owner:  the listing keeps its memory for the next directory
 * errors: -errno of reading the directory; -ENOMEM; the listing is then empty
 */
int
list_fill(struct list *list, struct list_tools *tools, int dir_fd,
	  const struct list_from *from);

/*
 * shape:  begins a window of names that come from elsewhere than a directory,
 *         in any order: list_add() for each, list_end()
 * errors: -ENOMEM
 */
int
list_add(struct list *list, struct list_tools *tools,
	 const struct list_entry *entry, const struct list_from *from);
int
list_end(struct list *list, int error);

/* A listing of one name, there or not. errors: -ENOMEM */
int
list_fill_one(struct list *list, struct list_tools *tools, int dir_fd,
	      const char *name);

/* The type of a name; FILE if it is gone: opening it will fail. */
enum collect_type
list_look_at(int dir_fd, const char *name);

/* Drops the names. keep: not the memory, if it is little. */
void
list_drop(struct list *list, bool keep);

/* Bytes of memory that it holds. */
size_t
list_memory(const struct list *list);

#endif
