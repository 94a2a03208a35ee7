/* SPDX-License-Identifier: MIT */
/*
 * slab.h - where content lies: fixed pieces of the arena.
 *
 *   | head room | body                                   |
 *   0           SLAB_HEAD_BYTES                 SLAB_BYTES
 *
 * Does: finds the bytes of a slab, checked.
 * Does not: keep a free list; collect alone knows what is free (R4).
 */
#ifndef SHM_SLAB_H
#define SHM_SLAB_H

#include "shm/layout.h"

struct slabs {
	uint8_t *base;
	uint32_t nr;
};

/* The start of a slab, head room first; idx in range or our own bug. */
static inline uint8_t *
slab_at(const struct slabs *slabs, uint32_t idx)
{
	ASSERT(idx < slabs->nr);
	return slabs->base + (size_t)idx * SLAB_BYTES;
}

/*
 * shape:  the slabs [*first, *end) of a lane: they hold the files of the lane,
 *         and its chunk worker writes no others
 */
static inline void
slabs_of_lane(const struct slabs *slabs, uint32_t lane, uint32_t lane_nr,
	      uint32_t *first, uint32_t *end)
{
	ASSERT(lane < lane_nr);
	*first = (uint32_t)((uint64_t)slabs->nr * lane / lane_nr);
	*end = (uint32_t)((uint64_t)slabs->nr * (lane + 1) / lane_nr);
}

/*
 * shape:  fills a returned slab with garbage to reveal a use after release;
 *         does nothing in release builds
 * calls:  collect, when a slab comes back
 */
void
slab_poison(const struct slabs *slabs, uint32_t idx);

#endif
