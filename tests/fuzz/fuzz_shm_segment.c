/* SPDX-License-Identifier: MIT */
/*
 * fuzz_shm_segment.c - an arena whose header somebody has scribbled over.
 *
 * Input: what is put over the header behind magic, version and sizes, which
 * are right. What is not refused has all its pieces within the arena.
 *
 * verifies: R7
 */
#include <stdlib.h>
#include <string.h>

#include "shm/ring.h"
#include "shm/segment.h"

#define ARENA_BYTES (1u << 20)

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static volatile uint8_t sink;

/* The sanitizer looks at both ends of it. */
static void
touch(const void *piece, size_t bytes)
{
	const uint8_t *p = piece;

	if (bytes == 0)
		return;
	sink = p[0];
	sink = p[bytes - 1];
}

static void
touch_all(const struct segment *segment)
{
	touch(segment->control, sizeof(*segment->control));
	touch(segment->cache, segment->cache_bytes);
	touch(segment->slabs.base, (size_t)segment->slabs.nr * SLAB_BYTES);
	for (uint32_t i = 0; i < segment->header->worker_nr; i++)
		touch(segment_worker(segment, i), sizeof(struct worker_shm));
	for (uint32_t i = 0; i < segment->header->ring_nr; i++) {
		const struct ring_shm *ring = segment_ring(segment, i);

		touch(ring, ring_bytes(ring->entry_nr));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	const size_t kept = offsetof(struct segment_shm, control_off);
	struct segment_shm *header =
		aligned_alloc(CACHE_LINE_BYTES, ARENA_BYTES);
	struct segment segment;

	if (header == NULL)
		abort();
	memset(header, 0, ARENA_BYTES);
	header->magic = LAYOUT_MAGIC;
	header->version = LAYOUT_VERSION;
	header->sizes = layout_sizes();
	header->bytes = ARENA_BYTES;
	if (bytes_nr > 0)
		memcpy((uint8_t *)header + kept, bytes,
		       min_size(bytes_nr, ARENA_BYTES - kept));
	if (segment_attach(&segment, header, ARENA_BYTES) == 0)
		touch_all(&segment);
	free(header);
	return 0;
}
