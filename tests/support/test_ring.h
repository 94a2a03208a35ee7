/* SPDX-License-Identifier: MIT */
/*
 * test_ring.h - a ring whose producer keeps no position of its own.
 */
#ifndef TESTS_SUPPORT_TEST_RING_H
#define TESTS_SUPPORT_TEST_RING_H

#include "shm/ring.h"

/* Pushes an entry at the tail; false: the ring is full. */
static inline bool
ring_push(struct ring *ring, const void *entry)
{
	if (ring_room(ring) == 0)
		return false;
	ring_push_at(ring, ring_tail(ring), entry);
	return true;
}

#endif
