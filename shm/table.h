/* SPDX-License-Identifier: MIT */
/*
 * table.h - memory that may outgrow memory: a mapped, unlinked file.
 *
 * Does: grows on demand, with its disk space reserved before it is touched,
 *       so that a full disk is an error and never a SIGBUS; lets the kernel
 *       have the pages back.
 * Does not: lock. One process writes; others read what it has published.
 *
 * Invariants:
 * 1. Bytes [0, reserved) are backed by blocks of the file system.
 * 2. The address never changes: the whole span is mapped at the start.
 */
#ifndef SHM_TABLE_H
#define SHM_TABLE_H

#include "shm/base.h"

struct table {
	uint8_t *base;
	uint64_t span_bytes;     /* of address space */
	uint64_t reserved_bytes; /* of the file; the writer's view of it */
	uint64_t file_off;       /* where in the file it begins */
	int fd;
	bool is_part; /* of another, which closes the file */
};

/*
 * shape:  an empty table of at most span_bytes
 * owner:  the caller; table_close() or the end of the process
 * errors: -errno, nothing left behind; `dir` is where the file lies, NULL
 *         for $TMPDIR or /tmp
 * calls:  the supervisor before the first fork, tests
 */
int
table_create(struct table *table, const char *dir, uint64_t span_bytes);

void
table_close(struct table *table);

/*
 * shape:  cuts the end of a new table off, as a table of its own in the same
 *         file: one descriptor for both
 * owner:  of the file: the first; the part is closed before it
 * calls:  the supervisor, before the first fork; both have one writer
 */
void
table_part(struct table *part, struct table *of, uint64_t off);

/*
 * shape:  makes bytes [0, bytes) safe to touch
 * errors: -ENOSPC: disk full; -EFBIG: more than span_bytes; -errno
 * calls:  the one writer; a replacement finds the size of the file itself
 */
int
table_reserve(struct table *table, uint64_t bytes);

/*
 * shape:  the same for bytes [from, from + bytes), by the one writer of that
 *         region; what it has reserved is counted from `from`
 */
int
table_reserve_at(struct table *table, uint64_t from, uint64_t bytes);

/*
 * shape:  gives all mapped pages back; what was written stays in the file
 * calls:  any process that has walked far over the table; costs page faults
 */
void
table_trim(const struct table *table);

/* How many page faults there were: a read maps up to 16 pages, a write one. */
struct fault_meter {
	uint64_t faults; /* of this process, when it was last reset */
};

/*
 * shape:  whether there were more than `faults` since the last time that this
 *         was so; a new meter counts from the beginning of the process
 * calls:  who reads and writes all over tables, to know when to trim them
 */
bool
fault_meter_passed(struct fault_meter *meter, uint64_t faults);

#endif
