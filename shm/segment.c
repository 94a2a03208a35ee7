/* SPDX-License-Identifier: MIT */
/*
 * segment.c - making, laying out and finding the arena.
 */
#include "shm/segment.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "shm/ring.h"
#include "shm/wait.h"

/* From the block of a worker to the next. */
#define WORKER_STRIDE round_up_u64(sizeof(struct worker_shm), LAYOUT_PAGE_BYTES)

/* Where everything lies; the end is the size. */
struct offsets {
	uint64_t control;
	uint64_t waits;
	uint64_t workers;
	uint64_t ring[RINGS_MAX];
	uint64_t cache;
	uint64_t slabs;
	uint64_t end;
};

static void
plan_offsets(const struct segment_plan *plan, struct offsets *off)
{
	ASSERT(plan->worker_nr >= 1 && plan->worker_nr <= WORKERS_MAX);
	ASSERT(plan->ring_nr <= RINGS_MAX);
	off->control =
		round_up_u64(sizeof(struct segment_shm), LAYOUT_PAGE_BYTES);
	off->waits = off->control + sizeof(struct control_shm);
	off->workers = round_up_u64(
		off->waits + plan->worker_nr * sizeof(struct wait_shm),
		LAYOUT_PAGE_BYTES);
	off->cache = off->workers + plan->worker_nr * WORKER_STRIDE;
	for (uint32_t i = 0; i < plan->ring_nr; i++) {
		off->ring[i] = off->cache;
		off->cache += round_up_u64(ring_bytes(plan->ring_entries[i]),
					   LAYOUT_PAGE_BYTES);
	}
	off->slabs =
		off->cache + round_up_u64(plan->cache_bytes, LAYOUT_PAGE_BYTES);
	off->end = off->slabs + (uint64_t)plan->slab_nr * SLAB_BYTES;
}

uint64_t
segment_bytes(const struct segment_plan *plan)
{
	struct offsets off;

	plan_offsets(plan, &off);
	return off.end;
}

static void
lay_out(struct segment_shm *header, const struct segment_plan *plan,
	const struct offsets *off)
{
	header->version = LAYOUT_VERSION;
	header->sizes = layout_sizes();
	header->bytes = off->end;
	header->control_off = off->control;
	header->waits_off = off->waits;
	header->workers_off = off->workers;
	header->cache_off = off->cache;
	header->slabs_off = off->slabs;
	header->worker_nr = plan->worker_nr;
	header->ring_nr = plan->ring_nr;
	header->lane_nr = plan->lane_nr;
	header->slab_nr = plan->slab_nr;
	header->cache_bytes = plan->cache_bytes;
	for (uint32_t i = 0; i < plan->ring_nr; i++) {
		struct ring_shm *ring =
			(struct ring_shm *)(void *)((uint8_t *)header +
						    off->ring[i]);

		header->ring_off[i] = off->ring[i];
		ring_init(ring, plan->ring_entries[i], 0);
		ring->producer = plan->ring_producer[i];
		ring->consumer = plan->ring_consumer[i];
	}
	header->magic = LAYOUT_MAGIC;
}

int
segment_create(struct segment *segment, const struct segment_plan *plan)
{
	struct offsets off;
	void *base;
	int error;

	plan_offsets(plan, &off);
	/* The kernel answers for its pages as for any memory: no tmpfs that is
	 * too small, no SIGBUS; and what is not touched costs nothing. */
	base = mmap(NULL, off.end, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED)
		return -errno;
	lay_out(base, plan, &off);
	error = segment_attach(segment, base, off.end);
	if (error == 0) {
		/* relaxed, both: nobody else is there yet */
		store_relaxed(&segment->control->lanes_live, plan->lane_nr);
		store_relaxed(&segment->control->lanes_settled, 1);
	}
	for (uint32_t i = 0; error == 0 && i < plan->worker_nr; i++)
		error = wait_init(segment_wait(segment, i));
	if (error != 0)
		munmap(base, off.end);
	return error;
}

static bool
lies_within(uint64_t off, uint64_t bytes, uint64_t end)
{
	return off % LAYOUT_PAGE_BYTES == 0 &&
	       off >= sizeof(struct segment_shm) && off <= end &&
	       bytes <= end - off;
}

/* Whether what the header points at lies in the arena, rings included. */
static bool
offsets_fit(const struct segment_shm *header)
{
	uint64_t end = header->bytes;

	if (header->worker_nr > WORKERS_MAX || header->ring_nr > RINGS_MAX ||
	    !lies_within(header->control_off, sizeof(struct control_shm),
			 end) ||
	    !lies_within(header->waits_off,
			 header->worker_nr * sizeof(struct wait_shm), end) ||
	    !lies_within(header->workers_off, header->worker_nr * WORKER_STRIDE,
			 end) ||
	    !lies_within(header->cache_off, header->cache_bytes, end) ||
	    !lies_within(header->slabs_off,
			 (uint64_t)header->slab_nr * SLAB_BYTES, end) ||
	    header->slab_nr != (end - header->slabs_off) / SLAB_BYTES)
		return false;
	for (uint32_t i = 0; i < header->ring_nr; i++) {
		uint64_t off = header->ring_off[i];
		struct ring ring;

		if (!lies_within(off, sizeof(struct ring_shm), end) ||
		    ring_attach(&ring, (struct ring_shm *)((uintptr_t)header +
							   off)) != 0 ||
		    !lies_within(off, ring_bytes((uint32_t)ring.entry_nr), end))
			return false;
	}
	return true;
}

int
segment_attach(struct segment *segment, void *base, uint64_t bytes)
{
	struct segment_shm *header = base;

	if (bytes < sizeof(*header) || header->magic != LAYOUT_MAGIC ||
	    header->version != LAYOUT_VERSION ||
	    header->sizes != layout_sizes() || header->bytes != bytes ||
	    !offsets_fit(header))
		return -EPROTO;
	segment->base = base;
	segment->bytes = bytes;
	segment->header = header;
	segment->control = (struct control_shm *)(void *)(segment->base +
							  header->control_off);
	segment->slabs.base = segment->base + header->slabs_off;
	segment->slabs.nr = header->slab_nr;
	segment->cache_bytes = header->cache_bytes;
	segment->cache = segment->cache_bytes > 0
				 ? segment->base + header->cache_off
				 : NULL;
	return 0;
}

void
segment_destroy(struct segment *segment)
{
	if (segment->base != NULL)
		munmap(segment->base, segment->bytes);
	memset(segment, 0, sizeof(*segment));
}

struct wait_shm *
segment_wait(const struct segment *segment, uint32_t idx)
{
	ASSERT(idx < segment->header->worker_nr);
	return (struct wait_shm *)(void *)(segment->base +
					   segment->header->waits_off) +
	       idx;
}

struct worker_shm *
segment_worker(const struct segment *segment, uint32_t idx)
{
	ASSERT(idx < segment->header->worker_nr);
	return (struct worker_shm *)(void *)(segment->base +
					     segment->header->workers_off +
					     idx * WORKER_STRIDE);
}

struct ring_shm *
segment_ring(const struct segment *segment, uint32_t idx)
{
	ASSERT(idx < segment->header->ring_nr);
	return (struct ring_shm *)(void *)(segment->base +
					   segment->header->ring_off[idx]);
}

/* ---- rights -------------------------------------------------------------- */

/* 0 or -errno. */
static int
protect(void *from, uint64_t bytes, int how)
{
	bytes = round_up_u64(bytes, LAYOUT_PAGE_BYTES);
	return bytes == 0 || mprotect(from, bytes, how) == 0 ? 0 : -errno;
}

/* The rings that the worker is at an end of. */
static int
open_rings(const struct segment *segment, uint32_t worker_idx)
{
	int error = 0;

	for (uint32_t i = 0; i < segment->header->ring_nr && error == 0; i++) {
		struct ring_shm *ring = segment_ring(segment, i);

		if (ring->producer == worker_idx ||
		    ring->consumer == worker_idx)
			error = protect(ring, ring_bytes(ring->entry_nr),
					PROT_READ | PROT_WRITE);
	}
	return error;
}

int
segment_protect(const struct segment *segment,
		const struct segment_rights *rights)
{
	const int both = PROT_READ | PROT_WRITE;
	uint8_t *slabs = segment->slabs.base;
	int error = protect(segment->base, segment->bytes, PROT_READ);

	if (error == 0 && rights->control != CONTROL_NR)
		error = protect((uint8_t *)segment->control +
					rights->control * LAYOUT_PAGE_BYTES,
				LAYOUT_PAGE_BYTES, both);
	if (error == 0)
		error = protect(segment_wait(segment, 0),
				segment->header->worker_nr *
					sizeof(struct wait_shm),
				both);
	if (error == 0)
		error = protect(segment_worker(segment, rights->worker_idx),
				sizeof(struct worker_shm), both);
	if (error == 0)
		error = open_rings(segment, rights->worker_idx);
	if (error == 0)
		error = protect(segment->cache, segment->cache_bytes,
				rights->uses_cache ? both : PROT_NONE);
	if (error == 0 && !rights->reads_slabs)
		error = protect(slabs, (uint64_t)segment->slabs.nr * SLAB_BYTES,
				PROT_NONE);
	if (error == 0 && rights->slab_end > rights->slab_first)
		error = protect(
			slabs + (uint64_t)rights->slab_first * SLAB_BYTES,
			(uint64_t)(rights->slab_end - rights->slab_first) *
				SLAB_BYTES,
			both);
	return error;
}
