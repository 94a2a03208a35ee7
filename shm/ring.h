/* SPDX-License-Identifier: MIT */
/*
 * ring.h - single-producer single-consumer ring of descriptors.
 *
 * Does: carries 64-byte descriptors from one process to another.
 * Does not: wait (wait.h) or know the meaning of a descriptor.
 * Runs in: the producer and the consumer named in its ring_shm.
 *
 *      head                tail
 *       v                   v
 *   ....[lease][ ][ ][ ][ ]......        0 <= tail - head <= entry_nr
 *
 * Invariants:
 * 1. One producer and one consumer process (R1).
 * 2. An entry is complete before the tail passes it.
 * 3. Entries that the consumer has not popped stay in place: the entry at the
 *    head is leased to the worker that processes it (R2).
 */
#ifndef SHM_RING_H
#define SHM_RING_H

#include "shm/layout.h"

struct ring {
	struct ring_shm *shm;
	struct ring_entry *slots;
	uint64_t mask;     /* slot of a position */
	uint64_t entry_nr; /* copied at attach, checked there */
	uint64_t slot_nr;
};

/*
 * shape:  bytes that a ring of entry_nr entries takes in the arena
 * errors: entry_nr is 1 to 2^24, else our own bug
 */
size_t
ring_bytes(uint32_t entry_nr);

/*
 * shape:  lays an empty ring; both positions start at `start`
 * owner:  memory of ring_bytes(entry_nr), aligned to a cache line
 * calls:  the supervisor before the first fork; tests
 */
void
ring_init(struct ring_shm *shm, uint32_t entry_nr, uint64_t start);

/*
 * shape:  a handle on a ring laid before
 * errors: -EPROTO if what lies there cannot be a ring
 */
int
ring_attach(struct ring *ring, struct ring_shm *shm);

/* Entries that can be pushed now. Calls: producer. */
uint64_t
ring_room(const struct ring *ring);

/*
 * shape:  puts an entry at position pos: the tail, or a position that a dead
 *         producer has already published, where nothing happens
 * errors: a full ring or a gap is our own bug: call ring_room() first
 * calls:  producer
 * order:  slot, then tail with release; partner: ring_peek() acquire
 */
void
ring_push_at(struct ring *ring, uint64_t pos, const void *entry);

/*
 * shape:  copies the entry `ahead` places behind the head; false: none yet
 * calls:  consumer
 * order:  tail with acquire, then the slot; partner: ring_push_at()
 */
bool
ring_peek(const struct ring *ring, uint64_t ahead, void *entry);

/*
 * shape:  releases every entry before position pos
 * calls:  consumer, when the outputs made from them are safe
 * order:  release, so that the producer overwrites only slots that were read
 */
void
ring_pop_to(struct ring *ring, uint64_t pos);

/*
 * shape:  declares that pass `pass` has no more entries; ring_is_closed() sees
 *         it only after the last entry
 * order:  release after the last push; partner: ring_is_closed() acquire
 */
void
ring_close(struct ring *ring, uint64_t pass);

/*
 * shape:  whether the producer has finished this pass; check this first and for
 *         emptiness after it, or an entry may be missed
 */
bool
ring_is_closed(const struct ring *ring, uint64_t pass);

/* Positions of the next entry to consume, and after the last pushed. */
uint64_t
ring_head(const struct ring *ring);
uint64_t
ring_tail(const struct ring *ring);

/* Whether its positions and sizes can be those of a ring. Calls: tests. */
bool
ring_valid(const struct ring *ring);

#endif
