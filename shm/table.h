/* SPDX-License-Identifier: MIT */
/*
 * table.h - memory that may exceed RAM: a mapped, unlinked file.
 *
 * Does: grows on demand, and reserves its disk space before it is touched, so
 *       that a full disk is an error and never a SIGBUS; maps no more address
 *       space than is used; gives pages back to the kernel, so that a process
 *       that reads and writes all over its tables never holds more of them
 *       than allowed.
 * Does not: lock. One process writes; others read what it has published.
 * Runs in: every process; each has a view of its own.
 *
 *   file     | hole     | reserved ............. | hole ...
 *   memory   | head     |
 *   view     | mapped in one piece, twice as much each time | not yet mapped
 *   pages    |    near     | others: until the next trim
 *
 * Invariants:
 * 1. Bytes [TABLE_HEAD_BYTES, reserved) are backed by blocks of the file
 *    system, those before by memory that all processes share.
 * 2. Addresses from table_at() stay valid: a view that grows may move, but the
 *    old mapping stays.
 * 3. Between two checks of the pages of a process no more groups are touched
 *    than may still be mapped, or TABLE_TOUCHES_MAX.
 */
#ifndef SHM_TABLE_H
#define SHM_TABLE_H

#include "shm/atomic.h"

#include "base/base.h"

/* The most that one page fault maps: the kernel's fault-around, aligned. */
#define TABLE_GROUP_BYTES (64u << 10)
#define TABLE_TOUCHES_MAX 32
/* The default limit of mapped table pages of a process. */
#define TABLE_RESIDENT_BYTES (6u << 20)

#define TABLE_VIEWS_MAX 48 /* mapped before it grew; each twice the last */

/* Its first bytes are memory: what a small tree needs is on no disk. With the checks
 * of a debug build a page of them, so that a small tree needs what a large one does. */
#ifdef BALE_DEBUG
#define TABLE_HEAD_BYTES 4096u
#else
#define TABLE_HEAD_BYTES (2 * TABLE_GROUP_BYTES)
#endif

/* The heads of several tables in one mapping: a fork copies one, and one call
 * protects those that are neighbours. */
struct table_heads {
	uint8_t *base;
	uint32_t nr;
	uint32_t used; /* by tables, in the order in which they were made */
};

/* A process's view of a table; a forked child has a copy of it. */
struct table_view {
	uint8_t *base;
	uint64_t near;         /* group + 1 that was touched last; 0: none */
	uint64_t backed_bytes; /* known to be in the file and in the mapping */
	uint64_t mapped_bytes;
	uint64_t reserved_bytes; /* by this process, the writer */
	bool is_touched;         /* since the last trim */
	bool is_read_only;       /* to this process */
	bool is_opened; /* by table_open(): of a file that others have, too */
	uint32_t old_nr;
	struct {
		uint8_t *base;
		uint64_t bytes;
	} old[TABLE_VIEWS_MAX]; /* the first is the head */
	int fd; /* of the file; -1: there is none, the head is enough */
	bool is_in_memory; /* the file, on a tmpfs, which is this table's own */
	struct table_view *next; /* of all tables of the process */
};

/* A handle; copies of it in one process share the view. */
struct table {
	struct table_view *view; /* NULL: there is no table */
	uint64_t span_bytes;     /* the most that it can grow to */
	uint64_t file_off;       /* where in the file it begins */
	bool is_part;            /* of another table, which closes the file */
};

/* The file of a table, which there may be later; -1: none. */
static inline int
table_fd(const struct table *table)
{
	return table->view == NULL ? -1 : table->view->fd;
}

/*
 * shape:  an empty table of at most span_bytes; temp_file_open() opens its file
 *         when it outgrows its head
 * owner:  the caller; table_close() or the end of the process
 * errors: -ENOMEM; those of the file are those of table_reserve()
 * calls:  a process that is not confined and has the table to itself
 */
int
table_create(struct table *table, uint64_t span_bytes);

/*
 * shape:  the same for processes that may open no file: it is there from the
 *         start; the head is the next of those
 * errors: -errno, nothing left behind
 * calls:  the supervisor before the first fork
 */
int
table_create_among(struct table *table, struct table_heads *heads,
		   uint64_t span_bytes);

/*
 * shape:  the heads of nr tables to be made
 * owner:  each belongs to the table that is made with it; give back the rest
 * errors: -ENOMEM
 */
int
table_heads_open(struct table_heads *heads, uint32_t nr);

/* Gives back those that no table was made with. */
void
table_heads_close(struct table_heads *heads);

/*
 * shape:  a table that is there already, to be read: the bytes of a file from
 *         TABLE_HEAD_BYTES on; nothing is known of those before
 * owner:  the table closes fd, unless there is an error
 * errors: -ENOMEM
 * calls:  the supervisor before the first fork; nobody shortens the file
 */
int
table_open(struct table *table, int fd, uint64_t bytes);

/* Unmaps the table and closes its file; accepts a closed table. */
void
table_close(struct table *table);

/*
 * shape:  makes the end of a new table a table of its own in the same file: one
 *         descriptor for both
 * units:  off: a multiple of the page size
 * owner:  the first table owns the file; close the part before it
 * errors: -ENOMEM; heads may be NULL
 * calls:  the supervisor, before the first fork; both have one writer
 */
int
table_part(struct table *part, struct table *of, uint64_t off,
	   struct table_heads *heads);

/*
 * shape:  makes bytes [0, bytes) safe to touch
 * errors: -ENOSPC: disk full; -EFBIG: more than span_bytes; -ENOMEM: no
 *         address space; -errno
 * calls:  the one writer; a replacement finds the size of the file itself
 */
int
table_reserve(const struct table *table, uint64_t bytes);

/*
 * shape:  the same for bytes [from, from + bytes), by the only writer of that
 *         region; the reservation is not recorded
 */
int
table_reserve_at(const struct table *table, uint64_t from, uint64_t bytes);

/*
 * shape:  makes tables read-only for this process, but for those whose bit is
 *         set in `writable`; there need not be all of them
 * errors: -errno of mprotect(2)
 */
int
table_protect(const struct table *tables, uint32_t nr, uint32_t writable);

/* Bytes that are there now, in memory or in the file, whoever reserved them. */
uint64_t
table_backed_bytes(const struct table *table);

/* The slow half of table_at(); calls: table_at() alone */
void *
table_touch(const struct table *table, uint64_t off, uint64_t bytes);

/*
 * shape:  bytes [off, off + bytes) of the table
 * owner:  the table, until it is closed; the address stays valid
 * errors: an offset beyond the file is our own bug: no offset that another
 *         process has written can lead to a SIGBUS. Without address space the
 *         process exits with the code set by table_end_with(), and where the
 *         file cannot be read any more with that of table_lost_with()
 * calls:  for each record; a caller that walks further than a group from there
 *         calls table_touched()
 */
static inline void *
table_at(const struct table *table, uint64_t off, uint64_t bytes)
{
	const struct table_view *view = table->view;

	if (off / TABLE_GROUP_BYTES + 1 == view->near &&
	    off + bytes <= view->backed_bytes)
		return view->base + off;
	return table_touch(table, off, bytes);
}

/* Zeroes bytes [off, off + bytes), which have been reserved. */
void
table_clear(const struct table *table, uint64_t off, uint64_t bytes);

/*
 * shape:  so many groups were touched by addresses that table_at() gave
 * calls:  who looks things up in memory that lies in a table
 */
void
table_touched(const struct table *table, uint32_t groups);

/*
 * shape:  gives the mapped pages of all tables of this process back; written
 *         data stays in the files
 * calls:  before a process sleeps for long; otherwise it happens on the way
 */
void
table_trim_all(void);

/*
 * shape:  from now on this process has so much of its tables mapped, at most
 * units:  bytes; TABLE_RESIDENT_BYTES is what a process begins with, and the
 *         least
 */
void
table_set_resident(uint64_t bytes);

/*
 * shape:  from now on each check of the pages adds one to *heartbeat: a process
 *         that walks over tables is alive, however long it takes. NULL: stop
 * owner:  the caller
 */
void
table_beat(_Atomic uint64_t *heartbeat);

/* Bytes of this process's tables on a tmpfs: memory, mapped or not, that no
 * other figure includes. */
uint64_t
table_memory_bytes(void);

/* Sets the exit code for a lack of address space. */
void
table_end_with(int exit_code);

/*
 * shape:  sets the exit code for a table that table_open() made and that can be
 *         read no longer: cut short, of a file system that is gone, on a
 *         damaged disk. Until then that is our own bug, or SIGBUS
 * calls:  once, where nobody else handles SIGBUS
 */
void
table_lost_with(int exit_code);

#endif
