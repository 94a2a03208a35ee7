/* SPDX-License-Identifier: MIT */
/*
 * ring.c - single-producer single-consumer ring of descriptors.
 */
#include "shm/ring.h"

#include <errno.h>
#include <string.h>

#define RING_ENTRIES_MAX (1u << 24)

static uint32_t
slots_for(uint32_t entry_nr)
{
	uint32_t slot_nr = 1;

	while (slot_nr < entry_nr)
		slot_nr *= 2;
	return slot_nr;
}

size_t
ring_bytes(uint32_t entry_nr)
{
	ASSERT(entry_nr >= 1 && entry_nr <= RING_ENTRIES_MAX);
	return sizeof(struct ring_shm) +
	       slots_for(entry_nr) * sizeof(struct ring_entry);
}

void
ring_init(struct ring_shm *shm, uint32_t entry_nr, uint64_t start)
{
	ASSERT(entry_nr >= 1 && entry_nr <= RING_ENTRIES_MAX);
	shm->entry_nr = entry_nr;
	shm->slot_nr = slots_for(entry_nr);
	/* relaxed: nobody else has the ring yet; fork() publishes it */
	store_relaxed(&shm->tail, start);
	store_relaxed(&shm->head, start);
	store_relaxed(&shm->closed, 0);
}

int
ring_attach(struct ring *ring, struct ring_shm *shm)
{
	uint32_t entry_nr = shm->entry_nr;
	uint32_t slot_nr = shm->slot_nr;

	if (entry_nr < 1 || entry_nr > RING_ENTRIES_MAX ||
	    slot_nr != slots_for(entry_nr))
		return -EPROTO;
	ring->shm = shm;
	ring->slots = (struct ring_entry *)(shm + 1);
	ring->mask = slot_nr - 1;
	ring->slot_nr = slot_nr;
	ring->entry_nr = entry_nr;
	return 0;
}

uint64_t
ring_head(const struct ring *ring)
{
	/* acquire: pairs with ring_pop_to(), slots before it may be reused */
	return load_acquire(&ring->shm->head);
}

uint64_t
ring_tail(const struct ring *ring)
{
	/* acquire: pairs with ring_push_at(), entries before it are whole */
	return load_acquire(&ring->shm->tail);
}

uint64_t
ring_room(const struct ring *ring)
{
	/* relaxed: the tail is the producer's own */
	uint64_t tail = load_relaxed(&ring->shm->tail);
	uint64_t used = tail - ring_head(ring);

	ASSERT(used <= ring->entry_nr);
	return ring->entry_nr - used;
}

void
ring_push_at(struct ring *ring, uint64_t pos, const void *entry)
{
	/* relaxed: the tail is the producer's own */
	uint64_t tail = load_relaxed(&ring->shm->tail);

	if (pos != tail) {
		/* published by the one whose place this process took */
		ASSERT(tail - pos <= ring->slot_nr + EMITS_MAX);
		return;
	}
	ASSERT(ring_room(ring) > 0);
	memcpy(&ring->slots[pos & ring->mask], entry,
	       sizeof(struct ring_entry));
	/* release: the slot is whole before the tail passes it */
	store_release(&ring->shm->tail, pos + 1);
}

bool
ring_peek(const struct ring *ring, uint64_t ahead, void *entry)
{
	/* relaxed: the head is the consumer's own */
	uint64_t head = load_relaxed(&ring->shm->head);
	uint64_t used = ring_tail(ring) - head;

	ASSERT(used <= ring->entry_nr);
	if (ahead >= used)
		return false;
	memcpy(entry, &ring->slots[(head + ahead) & ring->mask],
	       sizeof(struct ring_entry));
	return true;
}

void
ring_pop_to(struct ring *ring, uint64_t pos)
{
	/* relaxed: the head is the consumer's own */
	uint64_t head = load_relaxed(&ring->shm->head);

	if (pos == head)
		return;
	ASSERT(pos - head <= ring_tail(ring) - head);
	/* release: what was read is read before the slot is given up */
	store_release(&ring->shm->head, pos);
}

void
ring_close(struct ring *ring, uint64_t pass)
{
	/* release: all entries of the pass are visible before this */
	store_release(&ring->shm->closed, pass);
}

bool
ring_is_closed(const struct ring *ring, uint64_t pass)
{
	/* acquire: pairs with ring_close() */
	return load_acquire(&ring->shm->closed) >= pass;
}

bool
ring_valid(const struct ring *ring)
{
	return ring->shm->entry_nr == ring->entry_nr &&
	       ring->shm->slot_nr == ring->slot_nr &&
	       ring->slot_nr == ring->mask + 1 &&
	       ring->slot_nr >= ring->entry_nr &&
	       ring_tail(ring) - ring_head(ring) <= ring->entry_nr;
}
