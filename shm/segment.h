/* SPDX-License-Identifier: MIT */
/*
 * segment.h - the arena: one piece of shared memory for all processes.
 *
 * Does: maps it, lays the structures of layout.h in it, and finds them.
 * Does not: outlive its processes, or lie in a file that could be full: it is
 *           an anonymous shared mapping.
 * Runs in: made by the supervisor before the first fork; children inherit it.
 */
#ifndef SHM_SEGMENT_H
#define SHM_SEGMENT_H

#include "shm/layout.h"
#include "shm/slab.h"

struct segment {
	uint8_t *base;
	uint64_t bytes;
	struct segment_shm *header;
	struct control_shm *control;
	struct slabs slabs;
	void *cache; /* NULL: cache_bytes is 0 */
	uint64_t cache_bytes;
};

struct segment_plan {
	uint32_t worker_nr;
	uint32_t lane_nr;
	uint32_t slab_nr;
	uint32_t ring_nr;
	uint32_t ring_entries[RINGS_MAX];
	uint32_t ring_producer[RINGS_MAX]; /* worker index */
	uint32_t ring_consumer[RINGS_MAX];
	uint64_t cache_bytes;
};

/*
 * shape:  bytes that an arena of this plan takes
 */
uint64_t
segment_bytes(const struct segment_plan *plan);

/*
 * shape:  a new arena, laid out and zeroed; a page takes memory when it is
 *         first written
 * owner:  the caller; segment_destroy()
 * errors: -ENOMEM: it exceeds the limit of address space, or the memory of a
 *         kernel that does not overcommit
 * calls:  the supervisor, before the first fork
 * source: mmap(2). A file on a full tmpfs gives SIGBUS at the first touch
 *         unless all of it is reserved, which took half of a small run
 */
int
segment_create(struct segment *segment, const struct segment_plan *plan);

/*
 * shape:  a handle on an arena that lies at `base`
 * errors: -EPROTO: other magic, version or sizes, or anything out of range
 */
int
segment_attach(struct segment *segment, void *base, uint64_t bytes);

/* Unmaps the arena; accepts one that is not there. */
void
segment_destroy(struct segment *segment);

/* Where a worker sleeps; idx in range or our own bug. */
struct wait_shm *
segment_wait(const struct segment *segment, uint32_t idx);

/* The block of a worker; idx in range or our own bug. */
struct worker_shm *
segment_worker(const struct segment *segment, uint32_t idx);

/* A ring; idx in range or our own bug. */
struct ring_shm *
segment_ring(const struct segment *segment, uint32_t idx);

/* What a worker may write of the arena, besides its block and its rings. */
struct segment_rights {
	uint32_t worker_idx;
	enum control_writer control; /* its page; CONTROL_NR: none */
	bool uses_cache;
	bool reads_slabs;
	uint32_t slab_first; /* it may write slabs [slab_first, slab_end) */
	uint32_t slab_end;
};

/*
 * shape:  this process gives up the rest: what it only reads it can no longer
 *         write, what it has no use for it can no longer read
 * errors: -errno of mprotect(2)
 * calls:  a worker, before it looks at content. The sandbox sees to it that it
 *         stays so
 */
int
segment_protect(const struct segment *segment,
		const struct segment_rights *rights);

#endif
